//! Points of short Weierstrass curves `y^2 = x^3 + b`: affine (with a flagless infinity) and
//! Jacobian, with complete formulas.
//!
//! Source of the formulas: the Explicit-Formulas Database, `dbl-2009-l`, `add-2007-bl`,
//! `madd-2007-bl`; exceptional cases are decided before a formula is used.

use core::fmt;

use crate::batch::batch_inverse;
use crate::traits::{Field, Group, PrimeField};

/// An affine point. Infinity is `x = y = 0`, which is on no curve with `b != 0`.
///
/// The type does not promise that the point is on the curve: code that reads points from outside
/// checks [`Affine::is_on_curve`] (and [`Group::in_subgroup`]) once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Affine<G: Group> {
    /// The x coordinate.
    pub x: G::Base,
    /// The y coordinate.
    pub y: G::Base,
}

impl<G: Group> Affine<G> {
    /// The identity.
    pub const INFINITY: Self = Self {
        x: G::Base::ZERO,
        y: G::Base::ZERO,
    };
    /// Length of the encoding of [`Affine::to_bytes_le`].
    pub const BYTES: usize = 2 * G::Base::BYTES;

    /// Whether this is the identity.
    #[inline(always)]
    pub fn is_infinity(&self) -> bool {
        self.x.is_zero() && self.y.is_zero()
    }

    /// Whether the point satisfies the curve equation; true for infinity.
    pub fn is_on_curve(&self) -> bool {
        self.is_infinity() || self.y.square() == self.x.square() * self.x + G::b()
    }

    /// `-self`.
    #[inline(always)]
    pub fn neg(&self) -> Self {
        Self {
            x: self.x,
            y: -self.y,
        }
    }

    /// Canonical encoding: x then y, little-endian; infinity is all zero.
    pub fn to_bytes_le(&self) -> Vec<u8> {
        let mut out = vec![0; Self::BYTES];
        let (x, y) = out.split_at_mut(G::Base::BYTES);
        self.x.write_bytes_le(x);
        self.y.write_bytes_le(y);
        out
    }

    /// Reads [`Affine::to_bytes_le`]; `None` for another length or a coordinate not below the
    /// modulus. Does not check the curve equation.
    pub fn from_bytes_le(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let (x, y) = bytes.split_at(G::Base::BYTES);
        Some(Self {
            x: G::Base::from_bytes_le(x)?,
            y: G::Base::from_bytes_le(y)?,
        })
    }
}

impl<G: Group> Default for Affine<G> {
    /// The identity.
    fn default() -> Self {
        Self::INFINITY
    }
}

impl<G: Group> fmt::Debug for Affine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_infinity() {
            return write!(f, "infinity");
        }
        write!(f, "({:?}, {:?})", self.x, self.y)
    }
}

/// A point in Jacobian coordinates: `(X / Z^2, Y / Z^3)`, infinity when `Z = 0`.
///
/// Equality is equality of group elements, whatever the Z.
#[derive(Clone, Copy)]
pub struct Jacobian<G: Group> {
    /// `x * z^2`.
    pub x: G::Base,
    /// `y * z^3`.
    pub y: G::Base,
    /// The denominator; zero for infinity.
    pub z: G::Base,
}

impl<G: Group> Jacobian<G> {
    /// The identity.
    pub const INFINITY: Self = Self {
        x: G::Base::ONE,
        y: G::Base::ONE,
        z: G::Base::ZERO,
    };

    /// Whether this is the identity.
    #[inline(always)]
    pub fn is_infinity(&self) -> bool {
        self.z.is_zero()
    }

    /// `2 * self`. Cost 2M + 5S.
    pub fn double(&self) -> Self {
        // No case for infinity or y = 0: both give z = 0.
        let a = self.x.square();
        let b = self.y.square();
        let c = b.square();
        let d = ((self.x + b).square() - a - c).double();
        let e = a.double() + a;
        let x = e.square() - d.double();
        Self {
            x,
            y: e * (d - x) - c.double().double().double(),
            z: (self.y * self.z).double(),
        }
    }

    /// `self + other`, every case. Cost 11M + 5S.
    pub fn add(&self, other: &Self) -> Self {
        if self.is_infinity() {
            return *other;
        }
        if other.is_infinity() {
            return *self;
        }
        let z1z1 = self.z.square();
        let z2z2 = other.z.square();
        let u1 = self.x * z2z2;
        let s1 = self.y * other.z * z2z2;
        let h = other.x * z1z1 - u1;
        let r = other.y * self.z * z1z1 - s1;
        if h.is_zero() {
            return if r.is_zero() {
                self.double()
            } else {
                Self::INFINITY
            };
        }
        let z = ((self.z + other.z).square() - z1z1 - z2z2) * h;
        Self::finish_add(u1, s1, h, r, z)
    }

    /// `self + other`, every case. Cost 7M + 4S.
    pub fn add_mixed(&self, other: &Affine<G>) -> Self {
        if other.is_infinity() {
            return *self;
        }
        if self.is_infinity() {
            return (*other).into();
        }
        let z1z1 = self.z.square();
        let h = other.x * z1z1 - self.x;
        let r = other.y * self.z * z1z1 - self.y;
        if h.is_zero() {
            return if r.is_zero() {
                self.double()
            } else {
                Self::INFINITY
            };
        }
        let z = (self.z * h).double();
        Self::finish_add(self.x, self.y, h, r, z)
    }

    /// Last part of both additions, for the denominator `z = 2 z1 z2 h`.
    #[inline(always)]
    fn finish_add(u1: G::Base, s1: G::Base, h: G::Base, r: G::Base, z: G::Base) -> Self {
        let i = h.double().square();
        let j = h * i;
        let r = r.double();
        let v = u1 * i;
        let x = r.square() - j - v.double();
        Self {
            x,
            y: r * (v - x) - (s1 * j).double(),
            z,
        }
    }

    /// `-self`.
    pub fn neg(&self) -> Self {
        Self {
            x: self.x,
            y: -self.y,
            z: self.z,
        }
    }

    /// `k * self`, `k` as little-endian 64-bit limbs of any number. Not constant-time.
    pub fn mul_limbs(&self, k: &[u64]) -> Self {
        // Windows of four bits: at 256 bits this saves half the additions of plain bits.
        let mut table = [Self::INFINITY; 16];
        for i in 1..16 {
            table[i] = table[i - 1].add(self);
        }
        let mut acc = Self::INFINITY;
        for limb in k.iter().rev() {
            for shift in (0..64).step_by(4).rev() {
                acc = acc.double().double().double().double();
                acc = acc.add(&table[(limb >> shift) as usize & 15]);
            }
        }
        acc
    }

    /// `k * self`. Not constant-time.
    pub fn mul(&self, k: &G::Scalar) -> Self {
        self.mul_limbs(&k.to_limbs())
    }

    /// The same point in affine coordinates; one inversion.
    pub fn to_affine(&self) -> Affine<G> {
        match self.z.inverse() {
            Some(z_inv) => self.scale(z_inv),
            None => Affine::INFINITY,
        }
    }

    /// All points in affine coordinates; one inversion in total.
    pub fn batch_to_affine(points: &[Self]) -> Vec<Affine<G>> {
        let mut z_inv: Vec<G::Base> = points.iter().map(|p| p.z).collect();
        batch_inverse(&mut z_inv);
        points
            .iter()
            .zip(z_inv)
            .map(|(p, z_inv)| {
                if p.is_infinity() {
                    Affine::INFINITY
                } else {
                    p.scale(z_inv)
                }
            })
            .collect()
    }

    fn scale(&self, z_inv: G::Base) -> Affine<G> {
        let zz = z_inv.square();
        Affine {
            x: self.x * zz,
            y: self.y * zz * z_inv,
        }
    }
}

impl<G: Group> Default for Jacobian<G> {
    /// The identity.
    fn default() -> Self {
        Self::INFINITY
    }
}

impl<G: Group> From<Affine<G>> for Jacobian<G> {
    #[inline]
    fn from(p: Affine<G>) -> Self {
        if p.is_infinity() {
            return Self::INFINITY;
        }
        Self {
            x: p.x,
            y: p.y,
            z: G::Base::ONE,
        }
    }
}

impl<G: Group> PartialEq for Jacobian<G> {
    fn eq(&self, other: &Self) -> bool {
        if self.is_infinity() || other.is_infinity() {
            return self.is_infinity() && other.is_infinity();
        }
        let (z1z1, z2z2) = (self.z.square(), other.z.square());
        self.x * z2z2 == other.x * z1z1 && self.y * z2z2 * other.z == other.y * z1z1 * self.z
    }
}

impl<G: Group> Eq for Jacobian<G> {}

impl<G: Group> fmt::Debug for Jacobian<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_affine().fmt(f)
    }
}
