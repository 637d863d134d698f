//! Sums of many groups of affine points at once: pairwise, with one inversion for all pairs of a
//! round.
//!
//! Points arrive sorted by the slot they belong to. A block of them is reduced in rounds; in
//! each round every slot's run of points is folded onto its own first half, so the pairs of a
//! round touch disjoint points and need no order among themselves. A run that spills over a block
//! leaves one partial sum, which starts the next block. Nothing here depends on how the points
//! are spread over the slots: one slot with all the points costs the same additions.
//!
//! Every exceptional case is exact: a pair with equal points doubles inside the same batch of
//! inversions, opposite points and points at infinity take no inversion.

use core::mem;

use zkria_field::{Affine, Field, Group};

/// A way to add disjoint pairs of points, and the form of points that it works on.
pub(crate) trait PairAdder<G: Group> {
    /// A point; plain data.
    type Point: Copy + Send + Sync;
    /// What an adder is made from: the proof of a CPU's features, or nothing.
    type Cpu: Copy + Send + Sync;
    /// Points in a block of the [`Accumulator`]: small enough that block and scratch stay in the
    /// second-level cache, large enough that an inversion is spread thin.
    const BLOCK: usize;
    /// The identity.
    const INFINITY: Self::Point;

    /// An adder for at most `pairs` pairs at a time.
    fn new(cpu: Self::Cpu, pairs: usize) -> Self;
    /// Whether the point is the identity.
    fn is_infinity(point: &Self::Point) -> bool;
    /// `-point` where `negate`; the point is not the identity.
    fn negate_if(point: &Self::Point, negate: bool) -> Self::Point;
    /// The point in the adder's form.
    fn encode(point: &Affine<G>) -> Self::Point;
    /// The point in the common form.
    fn decode(point: &Self::Point) -> Affine<G>;
    /// Places of the pairs of the next [`PairAdder::add_pairs`], no place twice: the second point
    /// is added to the first.
    fn pairs(&mut self) -> &mut Vec<(u32, u32)>;
    /// A new block of points begins; `identity`: the identity is among them.
    fn begin_block(&mut self, identity: bool);
    /// Adds the pairs in place; every exceptional case is exact. A point may be the identity only
    /// where [`PairAdder::begin_block`] said so or an earlier call on this block made it so.
    fn add_pairs(&mut self, points: &mut [Self::Point]);
}

/// A run of points of one slot inside the block.
#[derive(Clone, Copy)]
struct Run {
    slot: usize,
    start: usize,
    len: usize,
}

/// Sums points into slots; see the module text.
pub(crate) struct Accumulator<G: Group, A: PairAdder<G>> {
    points: Vec<A::Point>,
    runs: Vec<Run>,
    adder: A,
    block: usize,
}

impl<G: Group, A: PairAdder<G>> Accumulator<G, A> {
    /// An accumulator for about `expected` points in all; the number only bounds its memory.
    pub(crate) fn new(cpu: A::Cpu, expected: usize) -> Self {
        let block = expected.clamp(2, A::BLOCK);
        Self {
            points: Vec::with_capacity(block),
            runs: Vec::new(),
            adder: A::new(cpu, block / 2),
            block,
        }
    }

    /// Adds `points`, none the identity, to `out[slot]`, which is written, not added to.
    ///
    /// All points of one slot must come in calls that follow each other; results are in `out`
    /// only after [`Accumulator::finish`]. A slot that gets no points is left as it is.
    #[inline]
    pub(crate) fn push(
        &mut self,
        out: &mut [A::Point],
        slot: usize,
        mut points: impl Iterator<Item = A::Point>,
    ) {
        loop {
            let start = self.points.len();
            let room = self.block - start;
            if room == 0 {
                self.spill(out);
                continue;
            }
            self.points.extend(points.by_ref().take(room));
            let added = self.points.len() - start;
            match self.runs.last_mut() {
                _ if added == 0 => {}
                Some(run) if run.slot == slot => run.len += added,
                _ => self.runs.push(Run {
                    slot,
                    start,
                    len: added,
                }),
            }
            if added < room {
                return;
            }
        }
    }

    /// Writes every sum that is still open.
    pub(crate) fn finish(&mut self, out: &mut [A::Point]) {
        self.reduce();
        for run in self.runs.drain(..) {
            out[run.slot] = self.points[run.start];
        }
        self.points.clear();
        self.adder.begin_block(false);
    }

    /// Makes room: closes all runs but the last, whose partial sum opens the next block.
    fn spill(&mut self, out: &mut [A::Point]) {
        self.reduce();
        let open = self.runs.pop();
        let identity = open.is_some_and(|run| A::is_infinity(&self.points[run.start]));
        self.adder.begin_block(identity);
        for run in self.runs.drain(..) {
            out[run.slot] = self.points[run.start];
        }
        if let Some(mut run) = open {
            self.points[0] = self.points[run.start];
            self.points.truncate(1);
            run.start = 0;
            run.len = 1;
            self.runs.push(run);
        }
    }

    /// Leaves each run's sum in its first place.
    fn reduce(&mut self) {
        loop {
            let pairs = self.adder.pairs();
            pairs.clear();
            for run in &mut self.runs {
                let half = run.len / 2;
                let rest = run.len - half;
                for i in run.start..run.start + half {
                    pairs.push((i as u32, (i + rest) as u32));
                }
                run.len = rest;
            }
            if pairs.is_empty() {
                return;
            }
            self.adder.add_pairs(&mut self.points);
        }
    }
}

/// The adder on any CPU and in any group, with one inversion for all pairs of a call.
pub(crate) struct AffineAdder<G: Group> {
    /// Places of the pairs: the second point is added to the first.
    pairs: Vec<(u32, u32)>,
    /// Denominator of each slope and the product of all before it in its chain.
    slopes: Vec<(G::Base, G::Base)>,
    /// Pairs that are no plain addition, ascending.
    exceptions: Vec<(u32, Exception)>,
}

/// Why a pair is no plain addition.
#[derive(Clone, Copy)]
enum Exception {
    /// Equal points: the slope is the tangent's.
    Double,
    /// Opposite points, or a point of order two with itself: infinity.
    Cancel,
    /// The first point is infinity: the sum is the second.
    TakeSecond,
    /// The second point is infinity: the sum is the first.
    KeepFirst,
}

impl<G: Group> PairAdder<G> for AffineAdder<G> {
    type Point = Affine<G>;
    type Cpu = ();
    /// A G1 point with its denominators takes 128 bytes, an inversion some 60 products: fits
    /// 512 KiB.
    const BLOCK: usize = 2048;
    const INFINITY: Affine<G> = Affine::INFINITY;

    fn new((): (), pairs: usize) -> Self {
        Self {
            pairs: Vec::with_capacity(pairs),
            slopes: Vec::with_capacity(pairs),
            exceptions: Vec::new(),
        }
    }

    #[inline(always)]
    fn is_infinity(point: &Affine<G>) -> bool {
        point.is_infinity()
    }

    #[inline(always)]
    fn negate_if(point: &Affine<G>, negate: bool) -> Affine<G> {
        Affine {
            x: point.x,
            y: point.y.negate_if(negate),
        }
    }

    #[inline(always)]
    fn encode(point: &Affine<G>) -> Affine<G> {
        *point
    }

    #[inline(always)]
    fn decode(point: &Affine<G>) -> Affine<G> {
        *point
    }

    fn pairs(&mut self) -> &mut Vec<(u32, u32)> {
        &mut self.pairs
    }

    fn begin_block(&mut self, _identity: bool) {}

    fn add_pairs(&mut self, points: &mut [Affine<G>]) {
        self.slopes.clear();
        self.exceptions.clear();
        let mut product = G::Base::ONE;
        for (k, &(i, j)) in self.pairs.iter().enumerate() {
            let (p, q) = (&points[i as usize], &points[j as usize]);
            let mut denominator = q.x - p.x;
            // x = 0 is only asked of to find infinity cheaply: `classify` sorts the rest out.
            if (denominator.is_zero() || p.x.is_zero() || q.x.is_zero())
                && let Some((exception, slope)) = classify(p, q)
            {
                self.exceptions.push((k as u32, exception));
                denominator = slope;
            }
            self.slopes.push((denominator, product));
            product *= denominator;
        }
        let mut inverse = product
            .inverse()
            .expect("every denominator is non-zero, so their product is");
        let mut exceptions = mem::take(&mut self.exceptions);
        for (k, &(i, j)) in self.pairs.iter().enumerate().rev() {
            let (denominator, before) = self.slopes[k];
            let reciprocal = inverse * before;
            inverse *= denominator;
            let (p, q) = (points[i as usize], points[j as usize]);
            let numerator = match exceptions.pop_if(|(at, _)| *at == k as u32) {
                None => q.y - p.y,
                Some((_, Exception::Double)) => {
                    let xx = p.x.square();
                    xx.double() + xx
                }
                Some((_, Exception::Cancel)) => {
                    points[i as usize] = Affine::INFINITY;
                    continue;
                }
                Some((_, Exception::TakeSecond)) => {
                    points[i as usize] = q;
                    continue;
                }
                Some((_, Exception::KeepFirst)) => continue,
            };
            let slope = numerator * reciprocal;
            let x = slope.square() - p.x - q.x;
            points[i as usize] = Affine {
                x,
                y: slope * (p.x - x) - p.y,
            };
        }
        self.exceptions = exceptions;
    }
}

/// The exception of a pair and a non-zero denominator for it; `None` when the pair is plain.
#[cold]
fn classify<G: Group>(p: &Affine<G>, q: &Affine<G>) -> Option<(Exception, G::Base)> {
    if q.is_infinity() {
        Some((Exception::KeepFirst, G::Base::ONE))
    } else if p.is_infinity() {
        Some((Exception::TakeSecond, G::Base::ONE))
    } else if p.x != q.x {
        None
    } else if p.y == q.y && !p.y.is_zero() {
        Some((Exception::Double, p.y.double()))
    } else {
        Some((Exception::Cancel, G::Base::ONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::LaneAdder;
    use zkria_field::Jacobian;
    use zkria_field::bn254::{Fp, G1, G2};

    fn multiple<G: Group>(k: i64) -> Affine<G> {
        let p = Jacobian::from(G::generator()).mul_limbs(&[k.unsigned_abs()]);
        if k < 0 { p.neg() } else { p }.to_affine()
    }

    /// Runs `(slot, multiples of the generator)` through an accumulator and checks the sums.
    fn check_by<G: Group, A: PairAdder<G>>(cpu: A::Cpu, block: usize, runs: &[(usize, Vec<i64>)]) {
        let mut acc = Accumulator::<G, A>::new(cpu, block);
        let mut out = vec![A::INFINITY; runs.iter().map(|r| r.0 + 1).max().unwrap_or(0)];
        for (slot, ks) in runs {
            let points = ks.iter().map(|&k| A::encode(&multiple(k)));
            acc.push(&mut out, *slot, points);
        }
        acc.finish(&mut out);
        for (slot, ks) in runs {
            let expected = multiple::<G>(ks.iter().sum());
            let got = A::decode(&out[*slot]);
            assert_eq!(got, expected, "block {block}, slot {slot}: {ks:?}");
            assert_eq!(A::is_infinity(&out[*slot]), expected.is_infinity());
        }
    }

    fn check<G: Group>(block: usize, runs: &[(usize, Vec<i64>)]) {
        check_by::<G, AffineAdder<G>>((), block, runs);
    }

    /// G1 by both adders, the lanes on both twins where the CPU has them.
    fn check_g1(block: usize, runs: &[(usize, Vec<i64>)]) {
        check::<G1>(block, runs);
        // The lanes are never given the identity; sums that become it they must see themselves.
        let runs: Vec<_> = runs
            .iter()
            .map(|(slot, ks)| (*slot, ks.iter().copied().filter(|&k| k != 0).collect()))
            .collect();
        check_by::<G1, LaneAdder<zkria_simd::Portable, G1>>(zkria_simd::Portable, block, &runs);
        #[cfg(target_arch = "x86_64")]
        if let Some(ifma) = zkria_simd::Ifma::detect() {
            check_by::<G1, LaneAdder<zkria_simd::Ifma, G1>>(ifma, block, &runs);
        }
    }

    #[test]
    fn every_exceptional_pair() {
        for block in [2, 3, 4, 64] {
            for a in -3..=3 {
                for b in -3..=3 {
                    check_g1(
                        block,
                        &[(0, vec![a, b]), (2, vec![b, a, a]), (1, vec![0, b])],
                    );
                    check::<G2>(block, &[(0, vec![a, b]), (1, vec![a, a, b, b])]);
                }
            }
        }
    }

    /// Each kind of pair in each lane, and in each vector of a block, among plain ones.
    #[test]
    fn an_exception_in_every_lane() {
        for pairs in [1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 40] {
            for at in 0..pairs {
                for (a, b) in [(5, 5), (5, -5), (0, 5), (5, 0), (0, 0), (1, 1)] {
                    let mut runs: Vec<_> = (0..pairs)
                        .map(|i| (i, vec![2 * i as i64 + 1, -40]))
                        .collect();
                    runs[at].1 = vec![a, b];
                    check_g1(2 * pairs, &runs);
                    // And its sum meets another point in the next round.
                    runs[at].1 = vec![a, b, 9, -7];
                    check_g1(4 * pairs, &runs);
                }
            }
        }
    }

    #[test]
    fn runs_over_block_borders() {
        for len in [1usize, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 130] {
            let ks: Vec<i64> = (0..len as i64).map(|i| i % 5 - 1).collect();
            for block in [2, 3, 8, 64] {
                check_g1(block, &[(3, ks.clone()), (0, vec![7]), (1, ks.clone())]);
                check_g1(block, &[(0, vec![1; len]), (1, vec![-1; len])]);
            }
        }
    }

    /// Of five places the second meets none in the second round: a sum that is the identity waits
    /// there and must still be known in the third.
    #[test]
    fn infinity_waits_a_round() {
        for block in [8, 64] {
            check_g1(block, &[(0, vec![3, 5, 7, 4, -5])]);
            check_g1(
                block,
                &[(0, vec![3, 5, 7, 4, -5, 3]), (1, vec![3, 5, 7, 4, -5])],
            );
        }
    }

    /// The sums of a block must not remember that an earlier block had an infinity, nor forget it.
    #[test]
    fn infinity_is_carried_into_the_next_block() {
        for block in [2, 4, 16, 32] {
            for at in 0..40 {
                let mut ks = vec![3; 40];
                ks[at] = -3 * (at as i64).max(1);
                check_g1(
                    block,
                    &[(0, ks.clone()), (1, vec![4, -4, 4, -4, 4, -4]), (2, ks)],
                );
            }
        }
    }

    #[test]
    fn nothing_pushed_writes_nothing() {
        let mut acc = Accumulator::<G1, AffineAdder<G1>>::new((), 8);
        let mut out = vec![G1::generator(); 2];
        acc.push(&mut out, 1, core::iter::empty());
        acc.finish(&mut out);
        assert_eq!(out, vec![G1::generator(); 2]);
    }

    #[test]
    fn order_two_points_cancel() {
        // No such point on our curves; the adder must still not divide by zero.
        let p = Affine::<G1> {
            x: Fp::from(5u64),
            y: Fp::ZERO,
        };
        let mut acc = Accumulator::<G1, AffineAdder<G1>>::new((), 8);
        let mut out = vec![Affine::INFINITY];
        acc.push(&mut out, 0, [p, p].into_iter());
        acc.finish(&mut out);
        assert!(out[0].is_infinity());
    }

    #[test]
    fn x_zero_is_a_point_like_any_other() {
        // Not on the curve; the chord formula is still what must be used for it.
        let p = Affine::<G1> {
            x: Fp::ZERO,
            y: Fp::from(7u64),
        };
        let q = G1::generator();
        let slope = (q.y - p.y) * (q.x - p.x).inverse().expect("x differ");
        let x = slope.square() - p.x - q.x;
        let expected = Affine {
            x,
            y: slope * (p.x - x) - p.y,
        };
        let mut acc = Accumulator::<G1, AffineAdder<G1>>::new((), 8);
        let mut out = vec![Affine::INFINITY];
        acc.push(&mut out, 0, [p, q].into_iter());
        acc.finish(&mut out);
        assert_eq!(out[0], expected);
    }
}
