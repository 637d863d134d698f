//! Field arithmetic against plain big integers.

use zkria_field::{Field, PrimeField, batch_inverse};
use zkria_golden::curve;
use zkria_golden::fp::{self, BigUint, Fp2};

use crate::edge::{edge_integers, element, integer, limbs};

/// log2 of the Montgomery radix that `to_montgomery_limbs` promises.
const LOG2_R: u32 = 256;

/// Canonical bytes of an integer, `len` of them.
fn bytes(value: &BigUint, len: usize) -> Vec<u8> {
    let mut out = value.to_bytes_le();
    out.resize(len, 0);
    out
}

fn encode<F: Field>(value: &F) -> Vec<u8> {
    let mut out = vec![0xa5; F::BYTES];
    value.write_bytes_le(&mut out);
    out
}

/// Asserts that `got` is the element with value `expected`.
#[track_caller]
fn same<F: PrimeField>(op: &str, got: F, expected: &BigUint, operands: &[&BigUint]) {
    let got = integer(got.to_limbs());
    assert!(
        got == *expected,
        "{op} of {operands:#x?}: expected {expected:#x}, got {got:#x}"
    );
}

/// Everything a prime field promises, against num-bigint modulo `modulus`: constants, all
/// operations on edge values and random ones, pairwise; encodings, Montgomery limbs, and the
/// refusal of what is not canonical.
///
/// Edge values are taken both as values and as Montgomery limbs, so that internal limbs meet the
/// carries too.
///
/// # Panics
/// At the first difference, with the operation and its operands.
pub fn check_field<F: PrimeField>(modulus: &BigUint) {
    assert_eq!(integer(F::MODULUS), *modulus, "MODULUS");
    assert_eq!(u64::from(F::MODULUS_BITS), modulus.bits(), "MODULUS_BITS");
    same("ZERO", F::ZERO, &BigUint::ZERO, &[]);
    same("ONE", F::ONE, &BigUint::from(1u32), &[]);
    assert!(F::ZERO.is_zero() && !F::ONE.is_zero(), "is_zero");
    assert_eq!(F::default(), F::ZERO, "the default is zero");

    let edges = edge_integers(modulus);
    let mut values = edges.clone();
    values.extend(edges.iter().map(|v| fp::from_mont(v, modulus, LOG2_R)));
    values.extend(
        curve::scalars(1, 16)
            .iter()
            .map(|s| fp::from_bytes_le(s) % modulus),
    );
    let elements: Vec<F> = values.iter().map(element).collect();

    for (x, a) in elements.iter().zip(&values) {
        check_unary(*x, a, modulus);
    }
    for (x, a) in elements.iter().zip(&values) {
        for (y, b) in elements.iter().zip(&values) {
            check_binary((*x, a), (*y, b), modulus);
        }
    }
    check_refusals::<F>(modulus);
    check_batch_inverse(&elements, &values, modulus);
}

fn check_unary<F: PrimeField>(x: F, a: &BigUint, m: &BigUint) {
    same("to_limbs", x, a, &[a]);
    assert_eq!(x.is_zero(), *a == BigUint::ZERO, "is_zero of {a:#x}");
    same("neg", -x, &fp::neg(a, m), &[a]);
    same("double", x.double(), &fp::add(a, a, m), &[a]);
    same("square", x.square(), &fp::mul(a, a, m), &[a]);
    match (x.inverse(), fp::inverse(a, m)) {
        (Some(got), Some(expected)) => same("inverse", got, &expected, &[a]),
        (None, None) => {}
        (got, expected) => panic!("inverse of {a:#x}: expected {expected:x?}, got {got:?}"),
    }
    for exponent in [
        vec![],
        vec![0],
        vec![1],
        vec![5],
        vec![0x8000_0000_0000_0001, 3],
    ] {
        let e = exponent
            .iter()
            .rev()
            .fold(BigUint::ZERO, |acc, limb| (acc << 64) + *limb);
        same("pow", x.pow(&exponent), &fp::pow(a, &e, m), &[a, &e]);
    }

    let canonical = bytes(a, F::BYTES);
    assert_eq!(encode(&x), canonical, "write_bytes_le of {a:#x}");
    assert_eq!(
        F::from_bytes_le(&canonical),
        Some(x),
        "from_bytes_le of {a:#x}"
    );
    assert_eq!(
        F::from_limbs_reduced(limbs(a)),
        x,
        "from_limbs_reduced of {a:#x}"
    );
    let montgomery = limbs(&fp::to_mont(a, m, LOG2_R));
    assert_eq!(
        x.to_montgomery_limbs(),
        montgomery,
        "to_montgomery_limbs of {a:#x}"
    );
    assert_eq!(
        F::from_montgomery_limbs(montgomery),
        Some(x),
        "from_montgomery_limbs of {a:#x}"
    );
    if a.bits() <= 64 {
        assert_eq!(F::from(limbs(a)[0]), x, "from u64 of {a:#x}");
    }
}

fn check_binary<F: PrimeField>((x, a): (F, &BigUint), (y, b): (F, &BigUint), m: &BigUint) {
    let operands = [a, b];
    assert_eq!(x == y, a == b, "equality of {operands:#x?}");
    let (sum, difference, product) = (fp::add(a, b, m), fp::sub(a, b, m), fp::mul(a, b, m));
    same("add", x + y, &sum, &operands);
    same("sub", x - y, &difference, &operands);
    same("mul", x * y, &product, &operands);
    let mut z = x;
    z += y;
    same("add_assign", z, &sum, &operands);
    z = x;
    z -= y;
    same("sub_assign", z, &difference, &operands);
    z = x;
    z *= y;
    same("mul_assign", z, &product, &operands);
}

/// Values at and above the modulus, and encodings of another length.
fn check_refusals<F: PrimeField>(m: &BigUint) {
    let top = (BigUint::from(1u32) << 256u32) - 1u32;
    let mut too_big = vec![m.clone(), m + 1u32, m * 2u32, m * 5u32, top.clone()];
    too_big.extend((m.bits()..256).map(|k| BigUint::from(1u32) << k));
    too_big.retain(|v| v >= m && v <= &top);
    for v in &too_big {
        assert_eq!(F::from_limbs(limbs(v)), None, "from_limbs of {v:#x}");
        assert_eq!(
            F::from_montgomery_limbs(limbs(v)),
            None,
            "from_montgomery_limbs of {v:#x}"
        );
        same(
            "from_limbs_reduced",
            F::from_limbs_reduced(limbs(v)),
            &(v % m),
            &[v],
        );
        if v.bits() <= 8 * F::BYTES as u64 {
            assert_eq!(
                F::from_bytes_le(&bytes(v, F::BYTES)),
                None,
                "from_bytes_le of {v:#x}"
            );
        }
    }
    for len in [0, 1, F::BYTES - 1, F::BYTES + 1, 2 * F::BYTES] {
        assert_eq!(
            F::from_bytes_le(&vec![0; len]),
            None,
            "from_bytes_le of {len} bytes"
        );
    }
    let v = u64::MAX;
    same("from u64", F::from(v), &(BigUint::from(v) % m), &[]);
}

fn check_batch_inverse<F: PrimeField>(elements: &[F], values: &[BigUint], m: &BigUint) {
    batch_inverse::<F>(&mut []);
    let mut inverses = elements.to_vec();
    inverses.extend([F::ZERO, F::ONE, F::ZERO]);
    batch_inverse(&mut inverses);
    for (got, a) in inverses.iter().zip(values) {
        let expected = fp::inverse(a, m).unwrap_or(BigUint::ZERO);
        same("batch_inverse", *got, &expected, &[a]);
    }
    assert_eq!(
        inverses[values.len()..],
        [F::ZERO, F::ONE, F::ZERO],
        "batch_inverse with zeros"
    );
}

/// Everything a quadratic extension `c0 + c1 u`, `u^2 = -1` promises, encoded c0 then c1, over the
/// prime field `B` with the given modulus.
///
/// # Panics
/// At the first difference, with the operation and its operands.
pub fn check_quadratic<F: Field, B: PrimeField>(modulus: &BigUint) {
    assert_eq!(F::BYTES, 2 * B::BYTES, "BYTES");
    let half = B::BYTES;
    let encoded = |v: &Fp2| [bytes(&v[0], half), bytes(&v[1], half)].concat();
    let same = |op: &str, got: F, expected: &Fp2, operands: &[&Fp2]| {
        assert_eq!(encode(&got), encoded(expected), "{op} of {operands:#x?}");
    };

    // Each edge value in either coordinate, beside another one, and random elements.
    let edges = edge_integers(modulus);
    let n = edges.len();
    let mut values: Vec<Fp2> = vec![
        [BigUint::ZERO, BigUint::ZERO],
        [BigUint::from(1u32), BigUint::ZERO],
        [BigUint::ZERO, BigUint::from(1u32)],
        [BigUint::ZERO, modulus - 1u32],
        [modulus - 1u32, modulus - 1u32],
    ];
    values.extend((0..n).map(|i| [edges[i].clone(), edges[(i * 7 + 3) % n].clone()]));
    let random = curve::scalars(2, 16);
    values.extend(random.chunks(2).map(|c| {
        [
            fp::from_bytes_le(&c[0]) % modulus,
            fp::from_bytes_le(&c[1]) % modulus,
        ]
    }));
    let elements: Vec<F> = values
        .iter()
        .map(|v| {
            F::from_bytes_le(&encoded(v)).unwrap_or_else(|| panic!("from_bytes_le of {v:#x?}"))
        })
        .collect();

    same("ZERO", F::ZERO, &values[0], &[]);
    same("ONE", F::ONE, &values[1], &[]);
    let zero = &values[0];
    for (x, a) in elements.iter().zip(&values) {
        same("encoding", *x, a, &[a]);
        assert_eq!(x.is_zero(), a == zero, "is_zero of {a:#x?}");
        same("neg", -*x, &fp::fp2_sub(zero, a, modulus), &[a]);
        same("double", x.double(), &fp::fp2_add(a, a, modulus), &[a]);
        same("square", x.square(), &fp::fp2_mul(a, a, modulus), &[a]);
        match (x.inverse(), fp::fp2_inverse(a, modulus)) {
            (Some(got), Some(expected)) => same("inverse", got, &expected, &[a]),
            (None, None) => {}
            (got, expected) => panic!("inverse of {a:#x?}: expected {expected:x?}, got {got:?}"),
        }
        for (y, b) in elements.iter().zip(&values) {
            same("add", *x + *y, &fp::fp2_add(a, b, modulus), &[a, b]);
            same("sub", *x - *y, &fp::fp2_sub(a, b, modulus), &[a, b]);
            same("mul", *x * *y, &fp::fp2_mul(a, b, modulus), &[a, b]);
            let mut z = *x;
            z += *y;
            assert_eq!(z, *x + *y, "add_assign of {a:#x?}, {b:#x?}");
            z = *x;
            z -= *y;
            assert_eq!(z, *x - *y, "sub_assign of {a:#x?}, {b:#x?}");
            z = *x;
            z *= *y;
            assert_eq!(z, *x * *y, "mul_assign of {a:#x?}, {b:#x?}");
        }
    }

    // A coordinate that is not canonical is refused in either place, as is another length.
    let (ok, bad) = (bytes(&BigUint::ZERO, half), bytes(modulus, half));
    for refused in [[&bad[..], &ok], [&ok, &bad], [&bad, &bad]] {
        assert_eq!(
            F::from_bytes_le(&refused.concat()),
            None,
            "the modulus as a coordinate"
        );
    }
    for len in [0, half, F::BYTES - 1, F::BYTES + 1] {
        assert_eq!(
            F::from_bytes_le(&vec![0; len]),
            None,
            "from_bytes_le of {len} bytes"
        );
    }
}
