//! `msm.json`: small MSMs of every kind that `zkria gen msm` knows, and named edge cases.

use serde::{Deserialize, Serialize};

use super::{File, Point, opposite, point_g1, point_g2, scalar};
use crate::fp::{self, BigUint};
use crate::{G1Bytes, G2Bytes, ScalarBytes, curve, msm};

/// One vector of `msm.json`: `sum scalars[i] * points[i] = result`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Kind and length, or the edge.
    pub name: String,
    /// What goes wrong where this case fails.
    pub why: String,
    /// `g1` or `g2` of BN254.
    pub group: String,
    /// The points.
    pub points: Vec<Point>,
    /// As many scalars, below r.
    pub scalars: Vec<String>,
    /// The sum.
    pub result: Point,
}

const INFINITY: G1Bytes = [0; 64];

fn small(value: u64) -> ScalarBytes {
    fp::to_bytes_le(&BigUint::from(value))
}

/// `2^k + offset` below r.
fn near_power(k: u32, offset: i32) -> ScalarBytes {
    let power = BigUint::from(1u32) << k;
    let distance = offset.unsigned_abs();
    fp::to_bytes_le(&if offset < 0 {
        power - distance
    } else {
        power + distance
    })
}

/// `r - k`.
fn order_minus(k: u32) -> ScalarBytes {
    fp::to_bytes_le(&(fp::fr_modulus() - k))
}

fn half_order() -> ScalarBytes {
    fp::to_bytes_le(&((fp::fr_modulus() - 1u32) / 2u32))
}

/// Every window of `c` bits holds `digit`, as far as the value stays below r.
fn all_windows(digit: u32, c: u32) -> ScalarBytes {
    fp::to_bytes_le(&(0..253 / c).map(|w| BigUint::from(digit) << (c * w)).sum())
}

fn case_g1(name: &str, why: &str, points: &[G1Bytes], scalars: &[ScalarBytes]) -> Case {
    let result = msm::naive_g1(points, scalars).expect("inputs made here are valid");
    Case {
        name: name.to_owned(),
        why: why.to_owned(),
        group: "g1".to_owned(),
        points: points.iter().map(point_g1).collect(),
        scalars: scalars.iter().map(scalar).collect(),
        result: point_g1(&result),
    }
}

fn case_g2(name: &str, why: &str, points: &[G2Bytes], scalars: &[ScalarBytes]) -> Case {
    let result = msm::naive_g2(points, scalars).expect("inputs made here are valid");
    Case {
        name: name.to_owned(),
        why: why.to_owned(),
        group: "g2".to_owned(),
        points: points.iter().map(point_g2).collect(),
        scalars: scalars.iter().map(scalar).collect(),
        result: point_g2(&result),
    }
}

/// One case of each kind of `zkria gen msm`, nine points each: one more than eight lanes.
fn kinds() -> Vec<Case> {
    const N: usize = 9;
    let points = curve::points_g1(31, N);
    let random = curve::scalars(31, N);
    let bits: Vec<_> = (0..N)
        .map(|i| small([1, 0, 1, 1, 0, 0, 1, 0, 1][i]))
        .collect();
    let mut mostly = bits.clone();
    mostly[4] = random[4];
    let pairs: Vec<_> = (0..N)
        .map(|i| {
            if i % 2 == 0 {
                points[i / 2]
            } else {
                opposite(&points[i / 2])
            }
        })
        .collect();
    let pair_scalars: Vec<_> = (0..N).map(|i| random[i / 2]).collect();
    let edge_points = [
        INFINITY,
        points[0],
        points[0],
        opposite(&points[0]),
        points[1],
        points[1],
        INFINITY,
        opposite(&points[1]),
        points[2],
    ];
    let edge_scalars = [
        order_minus(1),
        small(1),
        small(1),
        small(2),
        near_power(11, -1),
        near_power(11, 0),
        small(0),
        near_power(253, 0),
        order_minus(1),
    ];
    let small_scalars: Vec<_> = (1..=N as u64).map(|i| small(i * 7919 % 65536)).collect();
    let g1 = |name: &str, why: &str, p: &[G1Bytes], s: &[ScalarBytes]| {
        case_g1(&format!("{name}, n = {}", p.len()), why, p, s)
    };
    vec![
        g1("random", "the common case", &points, &random),
        g1(
            "zero",
            "no digit at all; the result is infinity",
            &points,
            &[small(0); N],
        ),
        g1("one", "one bucket of one window", &points, &[small(1); N]),
        g1(
            "equal",
            "one bucket in every window",
            &points,
            &[random[0]; N],
        ),
        g1(
            "small",
            "the upper windows are empty",
            &points,
            &small_scalars,
        ),
        g1("binary", "one bucket or none", &points, &bits),
        g1(
            "mostly01",
            "a witness: nearly all digits are zero",
            &points,
            &mostly,
        ),
        g1(
            "max",
            "r - 1, so the sum is minus the sum of the points",
            &points,
            &[order_minus(1); N],
        ),
        g1(
            "opposite",
            "buckets cancel to infinity and are used again",
            &pairs,
            &pair_scalars,
        ),
        g1(
            "same-point",
            "equal digits double",
            &[points[0]; N],
            &random,
        ),
        g1(
            "edge",
            "infinity, repeated and opposite points at window borders",
            &edge_points,
            &edge_scalars,
        ),
    ]
}

/// Cases in which implementations failed in the wild.
fn edges() -> Vec<Case> {
    let p = curve::points_g1(32, 8);
    let s = curve::scalars(32, 8);
    let glv =
        super::parse_hex_bytes("0x7b17fcc286b01af79176aa7da3a8615020eacda89a90e4ff5d0a085483f0448")
            .expect("a literal below 2^256");
    let mut out = vec![
        case_g1("n = 0", "the empty sum is infinity", &[], &[]),
        case_g1(
            "n = 1",
            "below every chunk and lane width",
            &p[..1],
            &s[..1],
        ),
        case_g1("n = 2", "small batches", &p[..2], &s[..2]),
        case_g1("n = 7", "one below eight lanes", &p[..7], &s[..7]),
        case_g1("n = 8", "exactly eight lanes", &p, &s),
        case_g1(
            "infinity only",
            "infinity times a scalar",
            &[INFINITY],
            &s[..1],
        ),
        case_g1(
            "infinity among points",
            "panics in halo2curves 0.10 at n >= 8192",
            &[p[0], INFINITY, p[1]],
            &s[..3],
        ),
        case_g1(
            "doubling in a bucket",
            "same point, same digits",
            &[p[0], p[0]],
            &[s[0], s[0]],
        ),
        case_g1(
            "cancelling in a bucket",
            "opposite points, same digits",
            &[p[0], opposite(&p[0])],
            &[s[0], s[0]],
        ),
        case_g1(
            "bucket filled again",
            "a cancelled bucket takes a point again",
            &[p[0], opposite(&p[0]), p[1]],
            &[s[0]; 3],
        ),
        case_g1(
            "result is infinity",
            "s P + (r - s) P with different digits",
            &[p[0], p[0]],
            &[small(5), order_minus(5)],
        ),
        case_g1(
            "sum meets its own point",
            "P + P + 2P: the third addition doubles",
            &[p[0], p[0], curve::double_g1(&p[0]).expect("on the curve")],
            &[small(3); 3],
        ),
        case_g1("r - 1", "the largest scalar", &p[..1], &[order_minus(1)]),
        case_g1(
            "(r - 1) / 2",
            "the border of signed scalars",
            &p[..1],
            &[half_order()],
        ),
        case_g1(
            "GLV rounding",
            "halves out of bound in constantine issue 345",
            &p[..1],
            &[glv],
        ),
        case_g1(
            "top bit",
            "only the last window has a digit",
            &p[..1],
            &[near_power(253, 0)],
        ),
    ];
    for k in [10, 11, 127, 128] {
        for offset in [-1, 0, 1] {
            let name = match offset {
                -1 => format!("2^{k} - 1"),
                0 => format!("2^{k}"),
                _ => format!("2^{k} + 1"),
            };
            let why = "digits on both sides of a window border; halves of a GLV split";
            out.push(case_g1(&name, why, &p[..1], &[near_power(k, offset)]));
        }
    }
    for c in [4, 5, 8, 11, 13, 16] {
        let scalars = [
            all_windows((1 << c) - 1, c),
            all_windows(1 << (c - 1), c),
            all_windows((1 << (c - 1)) - 1, c),
        ];
        out.push(case_g1(
            &format!("full windows, c = {c}"),
            "all ones, the first negative and the last positive signed digit in every window",
            &p[..3],
            &scalars,
        ));
    }
    out
}

fn g2() -> Vec<Case> {
    let p = curve::points_g2(33, 7);
    let s = curve::scalars(33, 7);
    let minus = curve::neg_g2(&p[0]).expect("on the curve");
    vec![
        case_g2("n = 0", "the empty sum is infinity", &[], &[]),
        case_g2("random, n = 7", "the common case", &p, &s),
        case_g2(
            "doubling in a bucket",
            "same point, same digits",
            &[p[0]; 2],
            &[s[0]; 2],
        ),
        case_g2(
            "cancelling in a bucket",
            "opposite points, same digits",
            &[p[0], minus],
            &[s[0]; 2],
        ),
        case_g2(
            "infinity among points",
            "contributes nothing",
            &[p[0], [0; 128], p[1]],
            &s[..3],
        ),
        case_g2("r - 1", "the largest scalar", &p[..1], &[order_minus(1)]),
    ]
}

/// The content of `msm.json`.
#[must_use]
pub fn file() -> File<Case> {
    let mut cases = kinds();
    cases.extend(edges());
    cases.extend(g2());
    File {
        comment: "BN254 multi-scalar multiplication: result = sum scalars[i] * points[i]."
            .to_owned(),
        source:
            "golden/src/vectors/msm.rs: double-and-add over arkworks points; inputs from ChaCha20"
                .to_owned(),
        cases,
    }
}
