//! The checked-in vectors against other ways than the one that made them: the bucket method and
//! the textbook group law for points, plain arithmetic identities for the fields.

mod common;

use std::collections::HashSet;
use std::fs;

use serde::Deserialize;
use zkria_golden::fp::{self, BigUint, Fp2};
use zkria_golden::msm::{self, Digits};
use zkria_golden::vectors::{self, File, buckets, field, msm as msm_file};
use zkria_golden::{G1Bytes, G2Bytes, ScalarBytes};

fn load<Case: for<'a> Deserialize<'a>>(name: &str) -> File<Case> {
    let path = vectors::folder().join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn point<const N: usize>(p: &vectors::Point) -> [u8; N] {
    vectors::point_bytes(p).unwrap().try_into().unwrap()
}

fn scalars(texts: &[String]) -> Vec<ScalarBytes> {
    texts
        .iter()
        .map(|s| vectors::parse_hex_bytes(s).unwrap())
        .collect()
}

fn textbook<F: common::Coordinate, const N: usize>(
    points: &[[u8; N]],
    s: &[ScalarBytes],
) -> Vec<u8> {
    let sum = points.iter().zip(s).fold(None, |acc, (p, s)| {
        common::add(
            &acc,
            &common::mul(&common::decode::<F>(p), &fp::from_bytes_le(s)),
        )
    });
    common::encode(&sum, N)
}

#[test]
fn msm_results() {
    let file: File<msm_file::Case> = load("msm.json");
    let mut names = HashSet::new();
    for case in &file.cases {
        let what = format!("{} {}", case.group, case.name);
        assert!(names.insert(what.clone()), "{what} twice");
        let s = scalars(&case.scalars);
        if case.group == "g1" {
            let points: Vec<G1Bytes> = case.points.iter().map(point).collect();
            let result: G1Bytes = point(&case.result);
            assert_eq!(
                msm::pippenger_g1(&points, &s, 11, Digits::Unsigned),
                Ok(result),
                "{what}"
            );
            // The textbook inverts at every step: enough for the small cases.
            if points.len() <= 2 {
                assert_eq!(textbook::<BigUint, 64>(&points, &s), result, "{what}");
            }
        } else {
            let points: Vec<G2Bytes> = case.points.iter().map(point).collect();
            let result: G2Bytes = point(&case.result);
            assert_eq!(
                msm::pippenger_g2(&points, &s, 5, Digits::Signed),
                Ok(result),
                "{what}"
            );
            if points.len() <= 2 {
                assert_eq!(textbook::<Fp2, 128>(&points, &s), result, "{what}");
            }
        }
    }
    for kind in [
        "random",
        "zero",
        "one",
        "equal",
        "small",
        "binary",
        "mostly01",
        "max",
        "opposite",
        "same-point",
        "edge",
    ] {
        assert!(
            names.contains(&format!("g1 {kind}, n = 9")),
            "no case of kind {kind}"
        );
    }
}

#[test]
fn bucket_sums() {
    let file: File<buckets::Case> = load("buckets.json");
    for case in &file.cases {
        let points: Vec<G1Bytes> = case.points.iter().map(point).collect();
        let s = scalars(&case.scalars);
        let mut windows = vec![None; case.windows];
        for b in &case.filled {
            assert!((1..=case.buckets).contains(&b.bucket));
            let sum = common::decode::<BigUint>(&point::<64>(&b.sum));
            let weighted = common::mul(&sum, &BigUint::from(b.bucket));
            windows[b.window] = common::add(&windows[b.window], &weighted);
        }
        let two_to_c = BigUint::from(1u32) << case.c;
        let total = windows.iter().rev().fold(None, |acc, window| {
            common::add(&common::mul(&acc, &two_to_c), window)
        });
        assert_eq!(
            common::encode(&total, 64),
            textbook::<BigUint, 64>(&points, &s),
            "{}",
            case.name
        );
    }
}

fn int(text: &str) -> BigUint {
    vectors::parse_hex(text).unwrap()
}

fn int2(text: &[String; 2]) -> Fp2 {
    [int(&text[0]), int(&text[1])]
}

#[test]
fn field_identities() {
    let file: File<field::Case> = load("field.json");
    let one = BigUint::from(1u32);
    let p = fp::fp_modulus();
    let congruent = |x: &BigUint, y: &BigUint, m: &BigUint| x % m == y % m;
    for case in &file.cases {
        match case {
            field::Case::Prime {
                name,
                field,
                a,
                b,
                add,
                sub,
                mul,
                inverse_a,
                montgomery_256_a,
                montgomery_255_a,
                ..
            } => {
                let m = if field == "fp" {
                    fp::fp_modulus()
                } else {
                    fp::fr_modulus()
                };
                let (a, b) = (int(a), int(b));
                for value in [
                    &a,
                    &b,
                    &int(add),
                    &int(sub),
                    &int(mul),
                    &int(montgomery_255_a),
                ] {
                    assert!(value < &m, "{name}");
                }
                assert!(congruent(&int(add), &(&a + &b), &m), "{name}");
                assert!(congruent(&(int(sub) + &b), &a, &m), "{name}");
                assert!(congruent(&int(mul), &(&a * &b), &m), "{name}");
                assert!(
                    congruent(&int(montgomery_256_a), &(&a << 256), &m),
                    "{name}"
                );
                assert!(
                    congruent(&int(montgomery_255_a), &(&a << 255), &m),
                    "{name}"
                );
                match inverse_a {
                    Some(inverse) => assert!(congruent(&(&a * int(inverse)), &one, &m), "{name}"),
                    None => assert_eq!(a, BigUint::ZERO, "{name}"),
                }
            }
            field::Case::Fp2 {
                name,
                a,
                b,
                add,
                sub,
                mul,
                inverse_a,
                ..
            } => {
                let (a, b, product) = (int2(a), int2(b), int2(mul));
                let (add, sub) = (int2(add), int2(sub));
                for i in 0..2 {
                    assert!(congruent(&add[i], &(&a[i] + &b[i]), &p), "{name}");
                    assert!(congruent(&(&sub[i] + &b[i]), &a[i], &p), "{name}");
                }
                // Norms multiply, and the value at u = 0 and u^2 = -1 fixes both coordinates.
                assert!(
                    congruent(&(&product[0] + &a[1] * &b[1]), &(&a[0] * &b[0]), &p),
                    "{name}"
                );
                let cross = &a[0] * &b[1] + &a[1] * &b[0];
                assert!(congruent(&product[1], &cross, &p), "{name}");
                match inverse_a {
                    Some(inverse) => {
                        let back = fp::fp2_mul(&a, &int2(inverse), &p);
                        assert_eq!(back, [one.clone(), BigUint::ZERO], "{name}");
                    }
                    None => assert_eq!(a, [BigUint::ZERO, BigUint::ZERO], "{name}"),
                }
            }
            field::Case::Montgomery {
                name,
                log2_r,
                a,
                b,
                raw,
                reduced,
                ..
            } => {
                let (a, b, raw, reduced) = (int(a), int(b), int(raw), int(reduced));
                assert!(congruent(&(&raw << *log2_r), &(&a * &b), &p), "{name}");
                assert!(raw <= ((&a * &b) >> *log2_r) + &p, "{name}");
                assert!(reduced < p && congruent(&raw, &reduced, &p), "{name}");
            }
        }
    }
}

/// rtl.md section 3, the bound that the accelerator's schedule rests on: below 2p whenever the
/// operands' bounds A p and B p have A B <= 2.64.
#[test]
fn one_lazy_operand_stays_below_two_p() {
    let file: File<field::Case> = load("field.json");
    let p = fp::fp_modulus();
    let mut passed_two_p = 0;
    for case in &file.cases {
        if let field::Case::Montgomery {
            name, a, b, raw, ..
        } = case
        {
            let within = int(a) * int(b) * 100u32 <= &p * &p * 264u32;
            let below = int(raw) < &p * 2u32;
            assert!(below || !within, "{name}");
            passed_two_p += usize::from(!below);
        }
    }
    assert!(passed_two_p > 0, "some case shows why the bound is needed");
}
