//! SystemVerilog output: one package.

use std::fmt::Write;

use super::model::{BitField, Description};
use super::{BANNER, screaming};

pub(super) fn render(d: &Description) -> String {
    let mut out = String::new();
    let o = &mut out;
    line(o, format_args!("// {BANNER}"));
    line(o, format_args!(""));
    line(
        o,
        format_args!("/// Registers, layouts and error codes of the engine page."),
    );
    line(o, format_args!("package zk_csr_pkg;"));
    line(o, format_args!(""));
    line(
        o,
        format_args!("  // A package offers constants; no top uses all of them."),
    );
    line(o, format_args!("  // verilator lint_off UNUSEDPARAM"));
    line(o, format_args!(""));
    line(
        o,
        format_args!(
            "  localparam logic [31:0] ID_VALUE = 32'h{:08x};",
            d.device.id
        ),
    );
    line(
        o,
        format_args!(
            "  localparam logic [15:0] VERSION_MAJOR = 16'd{};",
            d.device.version_major
        ),
    );
    line(
        o,
        format_args!(
            "  localparam logic [15:0] VERSION_MINOR = 16'd{};",
            d.device.version_minor
        ),
    );
    line(o, format_args!(""));
    line(o, format_args!("  // Byte offsets of the registers."));
    for r in &d.register {
        line(
            o,
            format_args!(
                "  localparam logic [11:0] REG_{} = 12'h{:03x};",
                r.name, r.offset
            ),
        );
    }
    for c in &d.counter {
        line(
            o,
            format_args!(
                "  localparam logic [11:0] REG_{}_LO = 12'h{:03x};",
                c.name, c.offset
            ),
        );
        line(
            o,
            format_args!(
                "  localparam logic [11:0] REG_{}_HI = 12'h{:03x};",
                c.name,
                c.offset + 4
            ),
        );
    }
    for r in d.register.iter().filter(|r| !r.fields.is_empty()) {
        fields(o, &r.name, &r.doc, &r.fields);
    }
    for w in &d.word {
        fields(o, &w.name, &w.doc, &w.fields);
    }
    for e in &d.enumeration {
        line(o, format_args!(""));
        line(o, format_args!("  // {}", e.doc));
        line(o, format_args!("  typedef enum logic [7:0] {{"));
        let last = e.values.len() - 1;
        for (i, v) in e.values.iter().enumerate() {
            let comma = if i == last { "" } else { "," };
            let name = screaming(&v.name);
            line(
                o,
                format_args!("    {}_{name} = 8'd{}{comma}", e.prefix, v.value),
            );
        }
        line(
            o,
            format_args!("  }} {}_e;", screaming(&e.name).to_lowercase()),
        );
    }
    for l in &d.layout {
        line(o, format_args!(""));
        line(
            o,
            format_args!("  // {} First byte in memory is the lowest.", l.doc),
        );
        line(
            o,
            format_args!(
                "  localparam int unsigned {}_BYTES = {};",
                screaming(&l.name),
                l.bytes
            ),
        );
        line(o, format_args!("  typedef struct packed {{"));
        for f in l.fields.iter().rev() {
            line(
                o,
                format_args!("    logic [{}:0] {};", f.ty.bytes() * 8 - 1, f.name),
            );
        }
        line(
            o,
            format_args!("  }} {}_t;", screaming(&l.name).to_lowercase()),
        );
    }
    line(o, format_args!(""));
    line(o, format_args!("  // verilator lint_on UNUSEDPARAM"));
    line(o, format_args!(""));
    line(o, format_args!("endpackage"));
    out
}

fn line(out: &mut String, args: std::fmt::Arguments<'_>) {
    writeln!(out, "{args}").expect("writing to a string cannot fail");
}

fn fields(o: &mut String, name: &str, doc: &str, fields: &[BitField]) {
    line(o, format_args!(""));
    line(o, format_args!("  // {name}: {doc}"));
    for f in fields {
        line(
            o,
            format_args!(
                "  localparam int unsigned {name}_{}_LSB = {};",
                f.name, f.lsb
            ),
        );
        if f.width > 1 {
            line(
                o,
                format_args!(
                    "  localparam int unsigned {name}_{}_WIDTH = {};",
                    f.name, f.width
                ),
            );
        }
    }
}
