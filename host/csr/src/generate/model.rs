//! The description as it stands in the file, and the checks that keep it sound.

use std::collections::HashSet;

use serde::Deserialize;

/// The whole of `registers.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    pub(super) device: Device,
    pub(super) register: Vec<Register>,
    pub(super) counter: Vec<Counter>,
    pub(super) layout: Vec<Layout>,
    pub(super) word: Vec<Word>,
    pub(super) enumeration: Vec<Enumeration>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Device {
    pub(super) page_bytes: u32,
    pub(super) id: u32,
    pub(super) version_major: u32,
    pub(super) version_minor: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Register {
    pub(super) name: String,
    pub(super) offset: u32,
    pub(super) access: Access,
    pub(super) doc: String,
    #[serde(default)]
    pub(super) fields: Vec<BitField>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Access {
    Ro,
    Rw,
    W1c,
    Wo,
}

impl Access {
    pub(super) fn words(self) -> &'static str {
        match self {
            Access::Ro => "read only",
            Access::Rw => "read and write",
            Access::W1c => "write 1 to clear",
            Access::Wo => "write only",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BitField {
    pub(super) name: String,
    pub(super) lsb: u32,
    pub(super) width: u32,
    pub(super) doc: String,
}

/// A 64-bit counter: two words, low first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counter {
    pub(super) name: String,
    pub(super) offset: u32,
    pub(super) doc: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layout {
    pub(super) name: String,
    pub(super) bytes: u32,
    pub(super) doc: String,
    pub(super) fields: Vec<LayoutField>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LayoutField {
    pub(super) name: String,
    pub(super) offset: u32,
    #[serde(rename = "type")]
    pub(super) ty: Scalar,
    pub(super) doc: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scalar {
    U8,
    U16,
    U32,
    U64,
}

impl Scalar {
    pub(super) fn bytes(self) -> u32 {
        match self {
            Scalar::U8 => 1,
            Scalar::U16 => 2,
            Scalar::U32 => 4,
            Scalar::U64 => 8,
        }
    }

    pub(super) fn rust(self) -> &'static str {
        match self {
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
        }
    }

    pub(super) fn c(self) -> &'static str {
        match self {
            Scalar::U8 => "__u8",
            Scalar::U16 => "__le16",
            Scalar::U32 => "__le32",
            Scalar::U64 => "__le64",
        }
    }
}

/// The bits of a word that is no register.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Word {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) fields: Vec<BitField>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Enumeration {
    pub(super) name: String,
    pub(super) prefix: String,
    pub(super) doc: String,
    pub(super) values: Vec<EnumValue>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EnumValue {
    pub(super) name: String,
    pub(super) value: u32,
    pub(super) doc: String,
}

impl Description {
    /// Parses and checks the description.
    ///
    /// # Errors
    /// A message that names the entry: syntax, overlapping registers or fields, a misaligned
    /// offset, a layout with holes, an enumeration value used twice.
    pub fn parse(text: &str) -> Result<Self, String> {
        let description: Self = toml::from_str(text).map_err(|e| e.to_string())?;
        description.check()?;
        Ok(description)
    }

    fn check(&self) -> Result<(), String> {
        let mut offsets = HashSet::new();
        let mut names = HashSet::new();
        let registers = self.register.iter().map(|r| (&r.name, r.offset, 4));
        let counters = self.counter.iter().map(|c| (&c.name, c.offset, 8));
        for (name, offset, bytes) in registers.chain(counters) {
            if offset % bytes != 0 || offset + bytes > self.device.page_bytes {
                return Err(format!(
                    "{name}: offset {offset:#x} is misaligned or outside"
                ));
            }
            if !names.insert(name) {
                return Err(format!("{name}: name used twice"));
            }
            for word in (offset..offset + bytes).step_by(4) {
                if !offsets.insert(word) {
                    return Err(format!("{name}: offset {word:#x} is already used"));
                }
            }
        }
        for register in &self.register {
            check_fields(&register.name, &register.fields)?;
        }
        for word in &self.word {
            check_fields(&word.name, &word.fields)?;
        }
        for layout in &self.layout {
            let mut next = 0;
            for field in &layout.fields {
                if field.offset != next || field.offset % field.ty.bytes() != 0 {
                    return Err(format!(
                        "{}.{}: hole or misaligned",
                        layout.name, field.name
                    ));
                }
                next += field.ty.bytes();
            }
            if next != layout.bytes {
                return Err(format!(
                    "{}: {next} bytes, not {}",
                    layout.name, layout.bytes
                ));
            }
        }
        for enumeration in &self.enumeration {
            let mut values = HashSet::new();
            for value in &enumeration.values {
                if value.value > 0xff || !values.insert(value.value) {
                    return Err(format!(
                        "{}.{}: value above 255 or used twice",
                        enumeration.name, value.name
                    ));
                }
            }
        }
        Ok(())
    }
}

fn check_fields(owner: &str, fields: &[BitField]) -> Result<(), String> {
    let mut used = 0u64;
    for field in fields {
        if field.width == 0 || field.lsb + field.width > 32 {
            return Err(format!("{owner}.{}: bits outside the word", field.name));
        }
        let mask = ((1u64 << field.width) - 1) << field.lsb;
        if used & mask != 0 {
            return Err(format!("{owner}.{}: overlaps another field", field.name));
        }
        used |= mask;
    }
    Ok(())
}
