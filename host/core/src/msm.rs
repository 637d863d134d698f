//! The tail of an MSM that every accelerator shares: from bucket sums to one point.
//!
//! A device that returns the sums of its buckets leaves about `2 * buckets` additions a window
//! and `c` doublings between windows to the host. Running sums need no multiplication by the
//! bucket number. Oracle: `zkria-golden`, through the backends' parity tests.

use rayon::prelude::*;
use zkria_field::{Affine, Group, Jacobian};

/// `sum (i + 1) * buckets[i]`: the value of one window from its bucket sums.
///
/// `buckets[i]` is the sum of the points whose digit is `i + 1`; digit 0 has no bucket. Every
/// exceptional case (empty buckets, equal or opposite sums) is right. No buckets give infinity.
#[must_use]
pub fn combine_buckets<G: Group>(buckets: &[Jacobian<G>]) -> Jacobian<G> {
    let mut running = Jacobian::INFINITY;
    let mut total = Jacobian::INFINITY;
    for bucket in buckets.iter().rev() {
        running = running.add(bucket);
        total = total.add(&running);
    }
    total
}

/// `sum 2^(c * w) * windows[w]`: the MSM from the values of its windows, lowest first.
///
/// `c` is the width of a window in bits. No windows give infinity.
#[must_use]
pub fn combine_windows<G: Group>(windows: &[Jacobian<G>], c: u32) -> Jacobian<G> {
    let mut total = Jacobian::INFINITY;
    for window in windows.iter().rev() {
        for _ in 0..c {
            total = total.double();
        }
        total = total.add(window);
    }
    total
}

/// The whole tail: bucket sums per window, lowest window first, to the affine result.
///
/// Windows are summed on the caller's rayon pool, the result does not depend on it.
#[must_use]
pub fn combine<G: Group>(windows: &[Vec<Jacobian<G>>], c: u32) -> Affine<G> {
    let sums: Vec<_> = windows
        .par_iter()
        .map(|buckets| combine_buckets(buckets))
        .collect();
    combine_windows(&sums, c).to_affine()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zkria_field::bn254::{G1, G2};

    fn multiple<G: Group>(k: u64) -> Jacobian<G> {
        Jacobian::from(G::generator()).mul_limbs(&[k])
    }

    #[test]
    fn nothing_is_infinity() {
        assert_eq!(combine_buckets::<G1>(&[]), Jacobian::INFINITY);
        assert_eq!(combine_windows::<G1>(&[], 11), Jacobian::INFINITY);
        assert!(combine::<G1>(&[vec![], vec![]], 11).is_infinity());
    }

    #[test]
    fn buckets_are_weighted_by_their_number() {
        // Empty, repeated and opposite sums among them: 3*1 + 3*2 + 0*3 - 3*4 + 5*5 = 22.
        let buckets = [3, 3, 0].map(multiple::<G1>);
        let buckets: Vec<_> = buckets
            .into_iter()
            .chain([multiple::<G1>(3).neg(), multiple(5)])
            .collect();
        assert_eq!(combine_buckets(&buckets), multiple(22));
    }

    #[test]
    fn windows_are_weighted_by_powers_of_two() {
        for c in [1, 2, 11, 20] {
            let windows = [7, 0, 5].map(multiple::<G2>);
            let expected = 7 + (5u64 << (2 * c));
            assert_eq!(combine_windows(&windows, c), multiple(expected), "c = {c}");
        }
    }

    #[test]
    fn whole_tail_equals_its_parts() {
        let windows: Vec<Vec<_>> = (0..3u64)
            .map(|w| {
                (0..7)
                    .map(|b| multiple::<G1>((w * 31 + b * b) % 11))
                    .collect()
            })
            .collect();
        let mut expected = 0u64;
        for (w, buckets) in (0u64..).zip(&windows) {
            for b in 0..buckets.len() as u64 {
                expected += (((w * 31 + b * b) % 11) * (b + 1)) << (3 * w);
            }
        }
        assert_eq!(Jacobian::from(combine(&windows, 3)), multiple(expected));
    }
}
