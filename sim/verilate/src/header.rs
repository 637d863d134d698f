//! Reads the port list from the C++ header that Verilator writes for a top.

/// A port of the top module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name in the RTL.
    pub name: String,
    /// Width in bits.
    pub bits: u32,
    /// Whether the top drives it.
    pub output: bool,
}

/// The ports of a `V<top>.h`, from lines such as `VL_INW(&a_i,254,0,8);`.
pub fn parse_ports(header: &str) -> Vec<Port> {
    header
        .lines()
        .filter_map(|line| parse_line(line.trim()))
        .collect()
}

fn parse_line(line: &str) -> Option<Port> {
    let (macro_name, rest) = line.split_once("(&")?;
    let output = macro_name.starts_with("VL_OUT");
    if !output && !macro_name.starts_with("VL_IN") {
        return None;
    }
    let mut fields = rest.split([',', ')']);
    let name = fields.next()?.to_string();
    let high: u32 = fields.next()?.parse().ok()?;
    let low: u32 = fields.next()?.parse().ok()?;
    Some(Port {
        name,
        bits: high.checked_sub(low)? + 1,
        output,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_storage_class() {
        let header = "class V {\n    VL_IN8(&clk_i,0,0);\n    VL_OUT16(&c_o,9,0);\n    \
                      VL_IN64(&b_i,40,0);\n    VL_INW(&a_i,79,0,3);\n    VL_UNCOPYABLE(V);\n";
        let port = |name: &str, bits, output| Port {
            name: name.into(),
            bits,
            output,
        };
        let expected = [
            port("clk_i", 1, false),
            port("c_o", 10, true),
            port("b_i", 41, false),
            port("a_i", 80, false),
        ];
        assert_eq!(parse_ports(header), expected);
    }
}
