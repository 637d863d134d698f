//! Vectors of others, each recomputed twice: by the oracle over arkworks and by the textbook group
//! law over num-bigint.

mod common;

use std::fs;

use serde::Deserialize;
use zkria_golden::fp::{self, BigUint, Fp2};
use zkria_golden::{G1Bytes, curve, vectors};

type HexPoint = [String; 2];

#[derive(Deserialize)]
struct Eip196 {
    p: String,
    b: String,
    add: Vec<Add>,
    mul: Vec<Mul>,
}

#[derive(Deserialize)]
struct Add {
    name: String,
    a: HexPoint,
    b: HexPoint,
    sum: HexPoint,
}

#[derive(Deserialize)]
struct Mul {
    name: String,
    a: HexPoint,
    k: String,
    product: HexPoint,
}

#[derive(Deserialize)]
struct Eip197 {
    order: String,
    p1: [String; 2],
    p2: [[String; 2]; 2],
}

fn load<T: for<'a> Deserialize<'a>>(name: &str) -> T {
    let path = vectors::folder().join("external").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn number(text: &str, radix: u32) -> BigUint {
    BigUint::parse_bytes(text.as_bytes(), radix).unwrap_or_else(|| panic!("`{text}`"))
}

fn point(text: &HexPoint) -> G1Bytes {
    let mut out = [0; 64];
    out[..32].copy_from_slice(&fp::to_bytes_le(&number(&text[0], 16)));
    out[32..].copy_from_slice(&fp::to_bytes_le(&number(&text[1], 16)));
    out
}

#[test]
fn eip196_field_and_curve() {
    let file: Eip196 = load("eip196.json");
    assert_eq!(number(&file.p, 10), fp::fp_modulus());
    // b = y^2 - x^3 at the generator (1, 2).
    let b = number(&file.b, 10);
    assert_eq!(b, BigUint::from(3u32));
    for case in &file.add {
        for p in [&case.a, &case.b, &case.sum] {
            assert!(curve::is_on_curve_g1(&point(p)), "{}", case.name);
            let (x, y) = (number(&p[0], 16), number(&p[1], 16));
            let p = fp::fp_modulus();
            assert_eq!(
                fp::mul(&y, &y, &p),
                fp::add(&(&x * &x * &x), &b, &p),
                "{}",
                case.name
            );
        }
    }
}

#[test]
fn eip196_add() {
    let file: Eip196 = load("eip196.json");
    assert!(file.add.len() >= 3);
    for case in &file.add {
        let (a, b, sum) = (point(&case.a), point(&case.b), point(&case.sum));
        assert_eq!(curve::add_g1(&a, &b), Ok(sum), "{}", case.name);
        let textbook = common::add::<BigUint>(&common::decode(&a), &common::decode(&b));
        assert_eq!(common::encode(&textbook, 64), sum, "{}", case.name);
    }
}

#[test]
fn eip196_mul() {
    let file: Eip196 = load("eip196.json");
    assert!(file.mul.len() >= 2);
    for case in &file.mul {
        let (a, k, product) = (point(&case.a), number(&case.k, 16), point(&case.product));
        assert_eq!(
            curve::mul_g1(&a, &fp::to_bytes_le(&k)),
            Ok(product),
            "{}",
            case.name
        );
        let textbook = common::mul::<BigUint>(&common::decode(&a), &k);
        assert_eq!(common::encode(&textbook, 64), product, "{}", case.name);
    }
}

#[test]
fn eip197_constants() {
    let file: Eip197 = load("eip197.json");
    let order = number(&file.order, 10);
    assert_eq!(order, fp::fr_modulus());

    let p1: Vec<u8> = file
        .p1
        .iter()
        .flat_map(|c| fp::to_bytes_le(&number(c, 10)))
        .collect();
    assert_eq!(p1, curve::generator_g1());
    let p2: Vec<u8> = file
        .p2
        .iter()
        .flatten()
        .flat_map(|c| fp::to_bytes_le(&number(c, 10)))
        .collect();
    assert_eq!(p2, curve::generator_g2());

    // The textbook: on the twist y^2 = x^3 + 3/(9 + u), and of the stated order.
    let p = fp::fp_modulus();
    let nine_plus_u = [BigUint::from(9u32), BigUint::from(1u32)];
    let three = [BigUint::from(3u32), BigUint::ZERO];
    let b = fp::fp2_mul(&three, &fp::fp2_inverse(&nine_plus_u, &p).unwrap(), &p);
    let g2 = common::decode::<Fp2>(&p2);
    let (x, y) = g2.clone().unwrap();
    let cube = fp::fp2_mul(&x, &fp::fp2_mul(&x, &x, &p), &p);
    assert_eq!(fp::fp2_mul(&y, &y, &p), fp::fp2_add(&cube, &b, &p));
    assert_eq!(common::mul(&g2, &order), None);
    assert_eq!(common::mul(&common::decode::<BigUint>(&p1), &order), None);
}
