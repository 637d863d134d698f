//! A second opinion on the group law: chord and tangent on affine coordinates over num-bigint, by
//! the textbook, without arkworks.

use zkria_golden::fp::{self, BigUint, Fp2};

/// A coordinate field, so that one group law serves G1 and G2.
pub(crate) trait Coordinate: Clone + PartialEq {
    fn small(value: u32) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn inverse(&self) -> Option<Self>;
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(&self) -> Vec<u8>;
}

impl Coordinate for BigUint {
    fn small(value: u32) -> Self {
        Self::from(value)
    }
    fn sub(&self, other: &Self) -> Self {
        fp::sub(self, other, &fp::fp_modulus())
    }
    fn mul(&self, other: &Self) -> Self {
        fp::mul(self, other, &fp::fp_modulus())
    }
    fn inverse(&self) -> Option<Self> {
        fp::inverse(self, &fp::fp_modulus())
    }
    fn from_bytes(bytes: &[u8]) -> Self {
        fp::from_bytes_le(bytes)
    }
    fn to_bytes(&self) -> Vec<u8> {
        fp::to_bytes_le(self).to_vec()
    }
}

impl Coordinate for Fp2 {
    fn small(value: u32) -> Self {
        [BigUint::from(value), BigUint::ZERO]
    }
    fn sub(&self, other: &Self) -> Self {
        fp::fp2_sub(self, other, &fp::fp_modulus())
    }
    fn mul(&self, other: &Self) -> Self {
        fp::fp2_mul(self, other, &fp::fp_modulus())
    }
    fn inverse(&self) -> Option<Self> {
        fp::fp2_inverse(self, &fp::fp_modulus())
    }
    fn from_bytes(bytes: &[u8]) -> Self {
        let (c0, c1) = bytes.split_at(32);
        [fp::from_bytes_le(c0), fp::from_bytes_le(c1)]
    }
    fn to_bytes(&self) -> Vec<u8> {
        [fp::to_bytes_le(&self[0]), fp::to_bytes_le(&self[1])].concat()
    }
}

/// `None` is infinity.
pub(crate) type Point<F> = Option<(F, F)>;

pub(crate) fn add<F: Coordinate>(a: &Point<F>, b: &Point<F>) -> Point<F> {
    let (Some((x1, y1)), Some((x2, y2))) = (a, b) else {
        return a.clone().or_else(|| b.clone());
    };
    let slope = match x2.sub(x1).inverse() {
        Some(inverse) => y2.sub(y1).mul(&inverse),
        None if y1 == y2 => {
            // y = 0 would make the inverse fail, but the order is odd.
            x1.mul(x1)
                .mul(&F::small(3))
                .mul(&y1.mul(&F::small(2)).inverse()?)
        }
        None => return None,
    };
    let x3 = slope.mul(&slope).sub(x1).sub(x2);
    let y3 = slope.mul(&x1.sub(&x3)).sub(y1);
    Some((x3, y3))
}

pub(crate) fn mul<F: Coordinate>(point: &Point<F>, k: &BigUint) -> Point<F> {
    (0..k.bits()).rev().fold(None, |acc, bit| {
        let twice = add(&acc, &acc);
        if k.bit(bit) {
            add(&twice, point)
        } else {
            twice
        }
    })
}

/// From x then y; all zero is infinity.
pub(crate) fn decode<F: Coordinate>(bytes: &[u8]) -> Point<F> {
    let (x, y) = bytes.split_at(bytes.len() / 2);
    bytes
        .iter()
        .any(|&b| b != 0)
        .then(|| (F::from_bytes(x), F::from_bytes(y)))
}

/// Into `len` bytes, x then y.
pub(crate) fn encode<F: Coordinate>(point: &Point<F>, len: usize) -> Vec<u8> {
    match point {
        Some((x, y)) => [x.to_bytes(), y.to_bytes()].concat(),
        None => vec![0; len],
    }
}
