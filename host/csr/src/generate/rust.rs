//! Rust output: offsets, fields, enumerations, and layouts with encode and decode.

use std::fmt::Write;

use super::model::{BitField, Description, Enumeration, Layout};
use super::{BANNER, screaming};

pub(super) fn render(d: &Description) -> String {
    let mut out = String::new();
    let o = &mut out;
    line(o, format_args!("// {BANNER}"));
    line(
        o,
        format_args!("//! Registers, layouts and error codes of the engine page."),
    );
    line(o, format_args!(""));
    line(o, format_args!("use crate::field::{{Field, take}};"));
    line(o, format_args!(""));
    line(o, format_args!("/// Bytes of the register page."));
    line(
        o,
        format_args!("pub const PAGE_BYTES: u32 = {:#x};", d.device.page_bytes),
    );
    line(o, format_args!("/// Content of the ID register."));
    line(
        o,
        format_args!("pub const ID_VALUE: u32 = {:#010x};", d.device.id),
    );
    line(o, format_args!("/// Major version of this description."));
    line(
        o,
        format_args!("pub const VERSION_MAJOR: u32 = {};", d.device.version_major),
    );
    line(o, format_args!("/// Minor version of this description."));
    line(
        o,
        format_args!("pub const VERSION_MINOR: u32 = {};", d.device.version_minor),
    );
    line(o, format_args!(""));
    line(o, format_args!("/// Byte offsets of the registers."));
    line(o, format_args!("pub mod reg {{"));
    for r in &d.register {
        line(o, format_args!("    /// {} ({})", r.doc, r.access.words()));
        line(
            o,
            format_args!("    pub const {}: u32 = {:#05x};", r.name, r.offset),
        );
    }
    for c in &d.counter {
        line(
            o,
            format_args!("    /// {} Low word; the high word follows.", c.doc),
        );
        line(
            o,
            format_args!("    pub const {}: u32 = {:#05x};", c.name, c.offset),
        );
    }
    line(o, format_args!("}}"));
    for r in d.register.iter().filter(|r| !r.fields.is_empty()) {
        fields(
            o,
            &r.name,
            &format!("Fields of {}: {}", r.name, lower_first(&r.doc)),
            &r.fields,
        );
    }
    for w in &d.word {
        fields(o, &w.name, &w.doc, &w.fields);
    }
    for e in &d.enumeration {
        enumeration(o, e);
    }
    for l in &d.layout {
        layout(o, l);
    }
    out
}

fn line(out: &mut String, args: std::fmt::Arguments<'_>) {
    writeln!(out, "{args}").expect("writing to a string cannot fail");
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn fields(o: &mut String, name: &str, doc: &str, fields: &[BitField]) {
    line(o, format_args!(""));
    line(o, format_args!("/// {doc}"));
    line(o, format_args!("pub mod {} {{", name.to_lowercase()));
    line(o, format_args!("    use super::Field;"));
    line(o, format_args!(""));
    for f in fields {
        line(o, format_args!("    /// {}", f.doc));
        let (lsb, width) = (f.lsb, f.width);
        let literal = format!("Field {{ lsb: {lsb}, width: {width} }}");
        line(
            o,
            format_args!("    pub const {}: Field = {literal};", f.name),
        );
    }
    line(o, format_args!("}}"));
}

fn enumeration(o: &mut String, e: &Enumeration) {
    line(o, format_args!(""));
    line(o, format_args!("/// {}", e.doc));
    line(
        o,
        format_args!("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]"),
    );
    line(o, format_args!("#[repr(u8)]"));
    line(o, format_args!("pub enum {} {{", e.name));
    for v in &e.values {
        line(o, format_args!("    /// {}", v.doc));
        line(o, format_args!("    {} = {},", v.name, v.value));
    }
    line(o, format_args!("}}"));
    line(o, format_args!(""));
    line(o, format_args!("impl {} {{", e.name));
    line(o, format_args!("    /// Every value, ascending."));
    let all: Vec<String> = e
        .values
        .iter()
        .map(|v| format!("Self::{}", v.name))
        .collect();
    let one_line = all.join(", ");
    // rustfmt keeps an array on one line up to 60 columns.
    if one_line.len() <= 58 {
        line(
            o,
            format_args!("    pub const ALL: &'static [Self] = &[{one_line}];"),
        );
    } else {
        line(o, format_args!("    pub const ALL: &'static [Self] = &["));
        for v in &all {
            line(o, format_args!("        {v},"));
        }
        line(o, format_args!("    ];"));
    }
    line(o, format_args!(""));
    line(
        o,
        format_args!("    /// The value with this number; `None` when there is none."),
    );
    line(
        o,
        format_args!("    pub fn from_number(number: u32) -> Option<Self> {{"),
    );
    line(
        o,
        format_args!("        Self::ALL.iter().copied().find(|v| *v as u32 == number)"),
    );
    line(o, format_args!("    }}"));
    line(o, format_args!(""));
    line(o, format_args!("    /// The value in words."));
    line(o, format_args!("    pub fn words(self) -> &'static str {{"));
    line(o, format_args!("        match self {{"));
    for v in &e.values {
        let arm = format!("            Self::{} => \"{}\",", v.name, v.doc);
        if arm.len() <= 100 {
            line(o, format_args!("{arm}"));
        } else {
            line(o, format_args!("            Self::{} => {{", v.name));
            line(o, format_args!("                \"{}\"", v.doc));
            line(o, format_args!("            }}"));
        }
    }
    line(o, format_args!("        }}"));
    line(o, format_args!("    }}"));
    line(o, format_args!("}}"));
}

fn layout(o: &mut String, l: &Layout) {
    let upper = screaming(&l.name);
    line(o, format_args!(""));
    line(o, format_args!("/// Bytes of a [`{}`].", l.name));
    line(
        o,
        format_args!("pub const {upper}_BYTES: usize = {};", l.bytes),
    );
    line(o, format_args!(""));
    line(o, format_args!("/// {}", l.doc));
    line(
        o,
        format_args!("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]"),
    );
    line(o, format_args!("pub struct {} {{", l.name));
    for f in &l.fields {
        line(o, format_args!("    /// {}", f.doc));
        line(o, format_args!("    pub {}: {},", f.name, f.ty.rust()));
    }
    line(o, format_args!("}}"));
    line(o, format_args!(""));
    line(o, format_args!("impl {} {{", l.name));
    for f in &l.fields {
        let constant = format!("OFFSET_{}", f.name.to_uppercase());
        line(o, format_args!("    /// Byte offset of `{}`.", f.name));
        line(
            o,
            format_args!("    pub const {constant}: usize = {};", f.offset),
        );
    }
    line(o, format_args!(""));
    line(
        o,
        format_args!("    /// The bytes in memory, little-endian."),
    );
    line(
        o,
        format_args!("    pub fn encode(&self) -> [u8; {upper}_BYTES] {{"),
    );
    line(o, format_args!("        let mut out = [0; {upper}_BYTES];"));
    for f in &l.fields {
        let (from, to) = (f.offset, f.offset + f.ty.bytes());
        line(
            o,
            format_args!(
                "        out[{from}..{to}].copy_from_slice(&self.{}.to_le_bytes());",
                f.name
            ),
        );
    }
    line(o, format_args!("        out"));
    line(o, format_args!("    }}"));
    line(o, format_args!(""));
    line(o, format_args!("    /// The inverse of [`Self::encode`]."));
    line(
        o,
        format_args!("    pub fn decode(bytes: &[u8; {upper}_BYTES]) -> Self {{"),
    );
    line(o, format_args!("        Self {{"));
    for f in &l.fields {
        line(
            o,
            format_args!(
                "            {}: {}::from_le_bytes(take(bytes, {})),",
                f.name,
                f.ty.rust(),
                f.offset
            ),
        );
    }
    line(o, format_args!("        }}"));
    line(o, format_args!("    }}"));
    line(o, format_args!("}}"));
}
