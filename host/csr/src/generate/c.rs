//! C output: one header for the kernel module.

use std::fmt::Write;

use super::model::{BitField, Description};
use super::{BANNER, screaming};

pub(super) fn render(d: &Description) -> String {
    let mut out = String::new();
    let o = &mut out;
    line(
        o,
        format_args!("/* SPDX-License-Identifier: (GPL-2.0 OR MIT OR Apache-2.0) */"),
    );
    line(o, format_args!("/* {BANNER} */"));
    line(o, format_args!("#ifndef ZKRIA_CSR_H"));
    line(o, format_args!("#define ZKRIA_CSR_H"));
    line(o, format_args!(""));
    line(o, format_args!("#include <linux/bits.h>"));
    line(o, format_args!("#include <linux/types.h>"));
    line(o, format_args!(""));
    define(
        o,
        "ZKRIA_PAGE_BYTES",
        &format!("{:#x}", d.device.page_bytes),
    );
    define(o, "ZKRIA_ID_VALUE", &format!("{:#010x}", d.device.id));
    define(
        o,
        "ZKRIA_VERSION_MAJOR",
        &d.device.version_major.to_string(),
    );
    define(
        o,
        "ZKRIA_VERSION_MINOR",
        &d.device.version_minor.to_string(),
    );
    line(o, format_args!(""));
    line(o, format_args!("/* Byte offsets of the registers. */"));
    for r in &d.register {
        define(
            o,
            &format!("ZKRIA_REG_{}", r.name),
            &format!("{:#05x}", r.offset),
        );
    }
    for c in &d.counter {
        define(
            o,
            &format!("ZKRIA_REG_{}_LO", c.name),
            &format!("{:#05x}", c.offset),
        );
        define(
            o,
            &format!("ZKRIA_REG_{}_HI", c.name),
            &format!("{:#05x}", c.offset + 4),
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
        line(o, format_args!("/* {} */", e.doc));
        for v in &e.values {
            let name = format!("ZKRIA_{}_{}", e.prefix, screaming(&v.name));
            define(o, &name, &v.value.to_string());
        }
    }
    for l in &d.layout {
        let lower = screaming(&l.name).to_lowercase();
        line(o, format_args!(""));
        line(o, format_args!("/**"));
        line(o, format_args!(" * struct zkria_{lower} - {}", l.doc));
        for f in &l.fields {
            line(o, format_args!(" * @{}: {}", f.name, f.doc));
        }
        line(o, format_args!(" */"));
        line(o, format_args!("struct zkria_{lower} {{"));
        for f in &l.fields {
            line(o, format_args!("\t{} {};", f.ty.c(), f.name));
        }
        line(o, format_args!("}};"));
        line(o, format_args!(""));
        define(
            o,
            &format!("ZKRIA_{}_BYTES", screaming(&l.name)),
            &l.bytes.to_string(),
        );
    }
    line(o, format_args!(""));
    line(o, format_args!("#endif /* ZKRIA_CSR_H */"));
    out
}

fn line(out: &mut String, args: std::fmt::Arguments<'_>) {
    writeln!(out, "{args}").expect("writing to a string cannot fail");
}

fn define(o: &mut String, name: &str, value: &str) {
    line(o, format_args!("#define {name} {value}"));
}

fn fields(o: &mut String, name: &str, doc: &str, fields: &[BitField]) {
    line(o, format_args!(""));
    line(o, format_args!("/* {name}: {doc} */"));
    for f in fields {
        let value = if f.width == 1 {
            format!("BIT({})", f.lsb)
        } else {
            format!("GENMASK({}, {})", f.lsb + f.width - 1, f.lsb)
        };
        define(o, &format!("ZKRIA_{name}_{}", f.name), &value);
    }
}
