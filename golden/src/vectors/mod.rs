//! The known answers of `golden/vectors/`: their shape, and how each file is made.
//!
//! Numbers are `0x` hexadecimal integers, plain (not Montgomery unless a name says so) and
//! canonical. A point is `[x, y]`, infinity `["0x0", "0x0"]`; in G2 a coordinate is `[c0, c1]`.
//! Everything is deterministic: `cargo run -p zkria-golden --bin vectors` rewrites the files, and
//! `tests/fresh.rs` compares them with a regeneration.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fp::{self, BigUint};
use crate::{G1Bytes, G2Bytes, ScalarBytes};

pub mod buckets;
pub mod field;
pub mod msm;

/// A file of vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File<Case> {
    /// What the file holds and in which form.
    pub comment: String,
    /// What computed it.
    pub source: String,
    /// The vectors.
    pub cases: Vec<Case>,
}

/// The name of every file and its content, newline at the end.
#[must_use]
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("field.json", text(&field::file())),
        ("buckets.json", text(&buckets::file())),
        ("msm.json", text(&msm::file())),
    ]
}

/// The folder of the checked-in files, as this source tree was when the crate was compiled.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

fn text<Case: Serialize>(file: &File<Case>) -> String {
    let mut out = serde_json::to_string_pretty(file).expect("strings and numbers always serialise");
    out.push('\n');
    out
}

/// `0x` and the digits without leading zeros.
#[must_use]
pub fn hex(value: &BigUint) -> String {
    format!("{value:#x}")
}

/// The integer that [`hex`] wrote.
#[must_use]
pub fn parse_hex(text: &str) -> Option<BigUint> {
    BigUint::parse_bytes(text.strip_prefix("0x")?.as_bytes(), 16)
}

/// The little-endian bytes of the integer that [`hex`] wrote; `None` from 2^256 on.
#[must_use]
pub fn parse_hex_bytes(text: &str) -> Option<[u8; 32]> {
    parse_hex(text)
        .filter(|v| v.bits() <= 256)
        .map(|v| fp::to_bytes_le(&v))
}

fn hex_bytes(bytes: &[u8]) -> String {
    hex(&fp::from_bytes_le(bytes))
}

/// A coordinate as the files write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// In Fp.
    Fp(String),
    /// In Fp2: c0, c1.
    Fp2([String; 2]),
}

/// A point as the files write it: x, y.
pub type Point = [Coordinate; 2];

/// A point of G1 in the files' form.
#[must_use]
pub fn point_g1(p: &G1Bytes) -> Point {
    [&p[..32], &p[32..]].map(|c| Coordinate::Fp(hex_bytes(c)))
}

/// A point of G2 in the files' form.
#[must_use]
pub fn point_g2(p: &G2Bytes) -> Point {
    [&p[..64], &p[64..]].map(|c| Coordinate::Fp2([hex_bytes(&c[..32]), hex_bytes(&c[32..])]))
}

/// The bytes of a point in the files' form, 64 in G1 and 128 in G2; `None` when it is malformed.
#[must_use]
pub fn point_bytes(point: &Point) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for coordinate in point {
        match coordinate {
            Coordinate::Fp(c) => out.extend(parse_hex_bytes(c)?),
            Coordinate::Fp2(c) => {
                out.extend(parse_hex_bytes(&c[0])?);
                out.extend(parse_hex_bytes(&c[1])?);
            }
        }
    }
    Some(out)
}

/// The opposite of a point that this module made.
fn opposite(p: &G1Bytes) -> G1Bytes {
    crate::curve::neg_g1(p).expect("points made here are on the curve")
}

/// A scalar in the files' form.
#[must_use]
pub fn scalar(s: &ScalarBytes) -> String {
    hex_bytes(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_round_trip() {
        for p in crate::curve::points_g1(1, 3) {
            assert_eq!(point_bytes(&point_g1(&p)).unwrap(), p);
        }
        let p = crate::curve::generator_g2();
        assert_eq!(point_bytes(&point_g2(&p)).unwrap(), p);
        assert_eq!(hex(&BigUint::ZERO), "0x0");
        assert_eq!(parse_hex("12"), None);
        assert_eq!(parse_hex_bytes(&format!("0x1{}", "0".repeat(64))), None);
    }
}
