//! Multi-scalar multiplication: the sum of `scalars[i] * points[i]`, naive and by buckets.
//!
//! The bucket method (Pippenger) cuts each scalar into windows of c bits. In window w the point
//! with digit d joins bucket d; the window's value is `sum d * bucket_d`, and the windows are put
//! together by c doublings between them. [`bucket_sums_g1`] stops after the first step: that is
//! what the accelerator computes, window by window and bucket by bucket.
//!
//! Checked against [`naive_g1`] and arkworks' `VariableBaseMSM`. Points may repeat, be opposite or
//! be infinity; scalars are below r.

use ark_bn254::{g1, g2};
use ark_ec::CurveGroup;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{AdditiveGroup, Zero};

use crate::codec::{Codec, check_scalars};
use crate::curve::multiply;
use crate::{Error, G1Bytes, G2Bytes, ScalarBytes};

/// How a scalar is cut into windows of c bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// `ceil(254 / c)` windows, digits `0..2^c`, bucket d at index d - 1, `2^c - 1` buckets.
    Unsigned,
    /// `ceil(255 / c)` windows, digits `-2^(c-1)..2^(c-1)`, a negative digit adds the opposite
    /// point to bucket |d| at index |d| - 1, `2^(c-1)` buckets.
    Signed,
}

impl Digits {
    /// Windows that a scalar below r needs at width `c`.
    #[must_use]
    pub fn windows(self, c: u32) -> usize {
        // A signed digit may carry one bit further.
        let bits: u32 = match self {
            Self::Unsigned => 254,
            Self::Signed => 255,
        };
        bits.div_ceil(c) as usize
    }

    /// Buckets of one window at width `c`; digit 0 has none.
    #[must_use]
    pub fn buckets(self, c: u32) -> usize {
        match self {
            Self::Unsigned => (1 << c) - 1,
            Self::Signed => 1 << (c - 1),
        }
    }

    /// The digits of a scalar below r, least significant window first: `sum digit_w * 2^(c w)` is
    /// the scalar.
    ///
    /// # Errors
    /// [`Error::Window`] unless c is in 2..=20, [`Error::Scalar`] with index 0 when not below r.
    pub fn cut(self, scalar: &ScalarBytes, c: u32) -> Result<Vec<i32>, Error> {
        check_window(c)?;
        check_scalars(core::slice::from_ref(scalar))?;
        Ok(self.cut_checked(scalar, c))
    }

    fn cut_checked(self, scalar: &ScalarBytes, c: u32) -> Vec<i32> {
        let mut digits = Vec::with_capacity(self.windows(c));
        let mut carry = 0;
        for w in 0..self.windows(c) as u32 {
            let mut digit = bits(scalar, w * c, c) + carry;
            carry = 0;
            if self == Self::Signed && digit >= 1 << (c - 1) {
                digit -= 1 << c;
                carry = 1;
            }
            digits.push(digit);
        }
        assert_eq!(carry, 0, "a scalar below r fits its windows");
        digits
    }
}

/// Bits `low..low + count` of a little-endian integer; bits beyond its end are 0. `count <= 20`.
fn bits(integer: &ScalarBytes, low: u32, count: u32) -> i32 {
    let mut value = 0;
    for i in 0..count {
        let at = (low + i) as usize;
        let bit = integer.get(at / 8).map_or(0, |byte| byte >> (at % 8) & 1);
        value |= i32::from(bit) << i;
    }
    value
}

fn check_window(c: u32) -> Result<(), Error> {
    if (2..=20).contains(&c) {
        Ok(())
    } else {
        Err(Error::Window { c })
    }
}

/// Points and scalars after every check.
fn read<const N: usize, C: Codec<N>>(
    points: &[[u8; N]],
    scalars: &[ScalarBytes],
) -> Result<Vec<Affine<C>>, Error> {
    if points.len() != scalars.len() {
        return Err(Error::Length {
            points: points.len(),
            scalars: scalars.len(),
        });
    }
    check_scalars(scalars)?;
    C::decode_all(points)
}

fn naive<const N: usize, C: Codec<N>>(
    points: &[[u8; N]],
    scalars: &[ScalarBytes],
) -> Result<[u8; N], Error> {
    let points = read::<N, C>(points, scalars)?;
    let sum: Projective<C> = points
        .iter()
        .zip(scalars)
        .map(|(p, s)| multiply(p, s))
        .sum();
    Ok(C::encode(&sum.into_affine()))
}

/// `buckets[d - 1]` is the sum of the points whose digit is d, minus those whose digit is -d.
fn window_buckets<C: SWCurveConfig>(
    points: &[Affine<C>],
    digits: impl Iterator<Item = i32>,
    buckets: usize,
) -> Vec<Projective<C>> {
    let mut sums = vec![Projective::<C>::zero(); buckets];
    for (point, digit) in points.iter().zip(digits) {
        if digit > 0 {
            sums[digit as usize - 1] += point;
        } else if digit < 0 {
            sums[digit.unsigned_abs() as usize - 1] += -*point;
        }
    }
    sums
}

/// `sum (index + 1) * buckets[index]`: from the top bucket down, the running sum enters once for
/// each step it still has to go.
fn weighted_sum<C: SWCurveConfig>(buckets: &[Projective<C>]) -> Projective<C> {
    let mut running = Projective::<C>::zero();
    let mut total = Projective::<C>::zero();
    for bucket in buckets.iter().rev() {
        running += bucket;
        total += running;
    }
    total
}

/// `sum windows[w] * 2^(c w)`.
fn join_windows<C: SWCurveConfig>(windows: &[Projective<C>], c: u32) -> Projective<C> {
    let mut acc = Projective::<C>::zero();
    for window in windows.iter().rev() {
        for _ in 0..c {
            acc.double_in_place();
        }
        acc += window;
    }
    acc
}

/// Calls `each` with the buckets of every window in ascending order.
fn for_each_window<const N: usize, C: Codec<N>>(
    points: &[[u8; N]],
    scalars: &[ScalarBytes],
    c: u32,
    digits: Digits,
    mut each: impl FnMut(Vec<Projective<C>>),
) -> Result<(), Error> {
    check_window(c)?;
    let points = read::<N, C>(points, scalars)?;
    let cut: Vec<Vec<i32>> = scalars.iter().map(|s| digits.cut_checked(s, c)).collect();
    for w in 0..digits.windows(c) {
        each(window_buckets(
            &points,
            cut.iter().map(|d| d[w]),
            digits.buckets(c),
        ));
    }
    Ok(())
}

fn pippenger<const N: usize, C: Codec<N>>(
    points: &[[u8; N]],
    scalars: &[ScalarBytes],
    c: u32,
    digits: Digits,
) -> Result<[u8; N], Error> {
    let mut windows = Vec::new();
    for_each_window::<N, C>(points, scalars, c, digits, |b| {
        windows.push(weighted_sum(&b))
    })?;
    Ok(C::encode(&join_windows(&windows, c).into_affine()))
}

/// A window width near the best for `n` points: the cost is `windows * (n + 2 * buckets)`.
fn sensible_c(n: usize) -> u32 {
    let cost = |c: &u32| Digits::Signed.windows(*c) * (n + 2 * Digits::Signed.buckets(*c));
    (2..=20).min_by_key(cost).expect("the range is not empty")
}

/// The MSM in G1 by one double-and-add per point.
///
/// # Errors
/// [`Error::Length`], [`Error::Scalar`], [`Error::Coordinate`], [`Error::OffCurve`].
pub fn naive_g1(points: &[G1Bytes], scalars: &[ScalarBytes]) -> Result<G1Bytes, Error> {
    naive::<64, g1::Config>(points, scalars)
}

/// The MSM in G2 by one double-and-add per point.
///
/// # Errors
/// [`Error::Length`], [`Error::Scalar`], [`Error::Coordinate`], [`Error::OffCurve`].
pub fn naive_g2(points: &[G2Bytes], scalars: &[ScalarBytes]) -> Result<G2Bytes, Error> {
    naive::<128, g2::Config>(points, scalars)
}

/// The MSM in G1 by buckets, windows of `c` bits, c in 2..=20.
///
/// # Errors
/// [`Error::Window`] and those of [`naive_g1`].
pub fn pippenger_g1(
    points: &[G1Bytes],
    scalars: &[ScalarBytes],
    c: u32,
    digits: Digits,
) -> Result<G1Bytes, Error> {
    pippenger::<64, g1::Config>(points, scalars, c, digits)
}

/// The MSM in G2 by buckets, windows of `c` bits, c in 2..=20.
///
/// # Errors
/// [`Error::Window`] and those of [`naive_g2`].
pub fn pippenger_g2(
    points: &[G2Bytes],
    scalars: &[ScalarBytes],
    c: u32,
    digits: Digits,
) -> Result<G2Bytes, Error> {
    pippenger::<128, g2::Config>(points, scalars, c, digits)
}

/// The MSM in G1: [`pippenger_g1`] with signed digits and a width that suits the length.
///
/// # Errors
/// Those of [`naive_g1`].
pub fn msm_g1(points: &[G1Bytes], scalars: &[ScalarBytes]) -> Result<G1Bytes, Error> {
    pippenger_g1(points, scalars, sensible_c(points.len()), Digits::Signed)
}

/// The MSM in G2: [`pippenger_g2`] with signed digits and a width that suits the length.
///
/// # Errors
/// Those of [`naive_g2`].
pub fn msm_g2(points: &[G2Bytes], scalars: &[ScalarBytes]) -> Result<G2Bytes, Error> {
    pippenger_g2(points, scalars, sensible_c(points.len()), Digits::Signed)
}

/// The sums of every bucket of every window in G1: `out[w][d - 1]` is bucket d of window w,
/// windows from the least significant, `digits.windows(c)` of them with `digits.buckets(c)`
/// buckets each; empty and cancelled buckets are all zero bytes.
///
/// The accelerator's profile `compact` is `c = 11`, [`Digits::Unsigned`]: 24 windows of 2047
/// buckets. Size of the answer: 64 bytes a bucket, 3.1 MB there, 440 MB signed at c = 20.
///
/// # Errors
/// [`Error::Window`] and those of [`naive_g1`].
pub fn bucket_sums_g1(
    points: &[G1Bytes],
    scalars: &[ScalarBytes],
    c: u32,
    digits: Digits,
) -> Result<Vec<Vec<G1Bytes>>, Error> {
    let mut windows = Vec::with_capacity(digits.windows(c.max(1)));
    for_each_window::<64, g1::Config>(points, scalars, c, digits, |buckets| {
        let affine = Projective::normalize_batch(&buckets);
        windows.push(affine.iter().map(g1::Config::encode).collect());
    })?;
    Ok(windows)
}

/// The MSM that bucket sums of the shape of [`bucket_sums_g1`] amount to.
///
/// # Errors
/// [`Error::Window`], [`Error::Shape`]; [`Error::Coordinate`] and [`Error::OffCurve`] with the
/// index of the bucket within its window.
pub fn combine_g1(sums: &[Vec<G1Bytes>], c: u32, digits: Digits) -> Result<G1Bytes, Error> {
    check_window(c)?;
    let (windows, buckets) = (digits.windows(c), digits.buckets(c));
    if sums.len() != windows || sums.iter().any(|w| w.len() != buckets) {
        return Err(Error::Shape { windows, buckets });
    }
    let mut values = Vec::with_capacity(windows);
    for window in sums {
        let points: Vec<Projective<g1::Config>> = g1::Config::decode_all(window)?
            .into_iter()
            .map(Projective::from)
            .collect();
        values.push(weighted_sum(&points));
    }
    Ok(g1::Config::encode(&join_windows(&values, c).into_affine()))
}
