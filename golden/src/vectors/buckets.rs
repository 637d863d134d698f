//! `buckets.json`: bucket sums of small MSMs, as the accelerator reads them out.

use serde::{Deserialize, Serialize};

use super::{File, Point, point_g1, scalar};
use crate::fp::{self, BigUint};
use crate::msm::{self, Digits};
use crate::{G1Bytes, ScalarBytes, curve};

/// One vector of `buckets.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The digits and what the points do.
    pub name: String,
    /// What the case is there for.
    pub why: String,
    /// Window width in bits.
    pub c: u32,
    /// `true`: digits `-2^(c-1)..2^(c-1)`; `false`: `0..2^c`.
    pub signed: bool,
    /// How many windows there are.
    pub windows: usize,
    /// How many buckets a window has.
    pub buckets: usize,
    /// Points of G1.
    pub points: Vec<Point>,
    /// As many scalars.
    pub scalars: Vec<String>,
    /// Every bucket that is not infinity, in ascending order.
    pub filled: Vec<Bucket>,
}

/// A bucket that is not infinity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bucket {
    /// Window, 0 the least significant.
    pub window: usize,
    /// The digit, from 1; its absolute value if signed.
    pub bucket: usize,
    /// The sum of its points.
    pub sum: Point,
}

fn case(
    name: &str,
    why: &str,
    (c, digits): (u32, Digits),
    points: &[G1Bytes],
    scalars: &[ScalarBytes],
) -> Case {
    let sums = msm::bucket_sums_g1(points, scalars, c, digits).expect("inputs made here are valid");
    let mut filled = Vec::new();
    for (window, sums) in sums.iter().enumerate() {
        for (index, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum != [0; 64]) {
            filled.push(Bucket {
                window,
                bucket: index + 1,
                sum: point_g1(sum),
            });
        }
    }
    Case {
        name: name.to_owned(),
        why: why.to_owned(),
        c,
        signed: digits == Digits::Signed,
        windows: digits.windows(c),
        buckets: digits.buckets(c),
        points: points.iter().map(point_g1).collect(),
        scalars: scalars.iter().map(scalar).collect(),
        filled,
    }
}

/// The content of `buckets.json`.
#[must_use]
pub fn file() -> File<Case> {
    let compact = (11, Digits::Unsigned);
    let signed = (13, Digits::Signed);
    let p = curve::points_g1(41, 3);
    let s = curve::scalars(41, 2);
    let minus = super::opposite(&p[0]);
    // Digits 3, 2047 and 1 in windows 0, 7 and 8: the two sides of a batch of eight windows.
    let batch_border: BigUint = BigUint::from(3u32)
        + (BigUint::from(2047u32) << (11 * 7))
        + (BigUint::from(1u32) << (11 * 8));
    let batch_border = fp::to_bytes_le(&batch_border);
    let cases = vec![
        case(
            "compact: random",
            "24 windows of 11 bits",
            compact,
            &p[..2],
            &s,
        ),
        case(
            "compact: doubled, cancelled and filled again",
            "P, P, -P, -P cancel after a doubling, then Q fills the same bucket; infinity adds \
             nothing",
            compact,
            &[p[0], p[0], minus, minus, p[1], [0; 64]],
            &[batch_border; 6],
        ),
        case(
            "compact: all cancel",
            "every bucket reads as infinity",
            compact,
            &[p[0], minus],
            &[s[0]; 2],
        ),
        case(
            "signed: random",
            "20 windows of 13 bits, negative digits",
            signed,
            &p[..2],
            &s,
        ),
    ];
    File {
        comment: "Bucket sums of BN254 G1: sum over the points whose digit in the window is the \
                  bucket; a negative digit adds the opposite point. Buckets not listed are infinity."
            .to_owned(),
        source: "golden/src/vectors/buckets.rs: mixed additions of arkworks".to_owned(),
        cases,
    }
}
