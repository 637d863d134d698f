//! From the bucket sums of a window to its value `sum (b + 1) * bucket[b]`.
//!
//! The running sum costs two Jacobian additions a bucket and is one long chain. Here the number
//! of a bucket is split, `b = high * 2^k + low`, so that
//!
//! `sum (b + 1) B_b = sum (low + 1) * C_low + 2^k * sum high * R_high`
//!
//! with C the sums over all `high` and R those over all `low`. C and R are plain sums, which the
//! `Accumulator` forms with shared inversions, two cheap additions a bucket; running sums are
//! left only for the `2^k + 2^(c-1-k)` column and row sums.

use zkria_field::{Affine, Group, Jacobian};

use crate::accumulate::{Accumulator, PairAdder};

/// Values of some windows of `buckets` (a power of two) buckets each.
///
/// `parts` are sets of bucket sums that belong together: each has all buckets of all the
/// windows, and bucket `b` of window `w` is the sum of place `w * buckets + b` of every part.
pub(crate) fn window_values<G: Group, A: PairAdder<G>>(
    cpu: A::Cpu,
    parts: &[&[A::Point]],
    buckets: usize,
    windows: usize,
) -> Vec<Jacobian<G>> {
    let bits = buckets.trailing_zeros();
    let columns = 1usize << bits.div_ceil(2);
    let rows = buckets / columns;
    // Row 0 has weight 0: it is left out, and place i of the rows has weight i + 1 like columns.
    let sums = columns + rows - 1;

    let mut accumulator = Accumulator::<G, A>::new(cpu, parts.len() * windows * buckets);
    let mut out = vec![A::INFINITY; windows * sums];
    for w in 0..windows {
        let of_window = || parts.iter().map(|part| &part[w * buckets..][..buckets]);
        for column in 0..columns {
            let points = of_window().flat_map(|all| all[column..].iter().step_by(columns));
            let points = points.filter(|p| !A::is_infinity(p)).copied();
            accumulator.push(&mut out, w * sums + column, points);
        }
        for row in 1..rows {
            let points = of_window().flat_map(|all| &all[row * columns..][..columns]);
            let points = points.filter(|p| !A::is_infinity(p)).copied();
            accumulator.push(&mut out, w * sums + columns + row - 1, points);
        }
    }
    accumulator.finish(&mut out);

    let out: Vec<Affine<G>> = out.iter().map(A::decode).collect();
    out.chunks_exact(sums)
        .map(|window| {
            let (columns, rows) = window.split_at(columns);
            let mut value = weighted_sum(rows);
            for _ in 0..bits.div_ceil(2) {
                value = value.double();
            }
            value.add(&weighted_sum(columns))
        })
        .collect()
}

/// `sum (i + 1) * points[i]` by running sums.
fn weighted_sum<G: Group>(points: &[Affine<G>]) -> Jacobian<G> {
    let mut running = Jacobian::INFINITY;
    let mut total = Jacobian::INFINITY;
    for point in points.iter().rev() {
        running = running.add_mixed(point);
        total = total.add(&running);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulate::AffineAdder;
    use zkria_field::bn254::{G1, G2};

    fn check<G: Group>(parts: usize, buckets: usize, windows: usize) {
        let g = Jacobian::from(G::generator());
        // Small multiples with repeats, opposites and infinity among them.
        let multiple = |i: usize| (i * i + 3 * i) as i64 % 7 - 3;
        let points: Vec<Affine<G>> = (0..parts * windows * buckets)
            .map(|i| {
                let k = multiple(i);
                let p = g.mul_limbs(&[k.unsigned_abs()]);
                if k < 0 { p.neg() } else { p }.to_affine()
            })
            .collect();
        let parts: Vec<&[Affine<G>]> = points.chunks(windows * buckets).collect();
        let values = window_values::<G, AffineAdder<G>>((), &parts, buckets, windows);
        for (w, value) in values.iter().enumerate() {
            let mut expected = 0i64;
            for part in 0..parts.len() {
                for b in 0..buckets {
                    expected += (b as i64 + 1) * multiple((part * windows + w) * buckets + b);
                }
            }
            let magnitude = g.mul_limbs(&[expected.unsigned_abs()]);
            let expected = if expected < 0 {
                magnitude.neg()
            } else {
                magnitude
            };
            assert_eq!(*value, expected, "{buckets} buckets, window {w}");
        }
    }

    #[test]
    fn weights_are_bucket_numbers() {
        for bits in 1..9 {
            check::<G1>(1, 1 << bits, 3);
            check::<G1>(3, 1 << bits, 2);
        }
        check::<G2>(2, 32, 2);
    }

    #[test]
    fn empty_buckets_give_infinity() {
        let empty = vec![Affine::<G1>::INFINITY; 32];
        for value in window_values::<G1, AffineAdder<G1>>((), &[&empty, &empty], 16, 2) {
            assert!(value.is_infinity());
        }
    }
}
