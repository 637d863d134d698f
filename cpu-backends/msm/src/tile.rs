//! One tile of the work: some windows of some of the points, from digits to bucket sums.

use core::ops::Range;

use zkria_field::Group;

use crate::accumulate::{Accumulator, PairAdder};
use crate::prefetch::prefetch;
use crate::scalars::Recoded;

/// Sorts digits by bucket and sums the buckets. Holds the memory that tiles share.
pub(crate) struct TileWorker<G: Group, A: PairAdder<G>> {
    accumulator: Accumulator<G, A>,
    /// End of each bucket's entries while sorting.
    ends: Vec<u32>,
    /// Point number within the tile, doubled, plus 1 where the point is to be negated.
    entries: Vec<u32>,
}

/// How many entries ahead of the copy a base is asked for.
const AHEAD: usize = 16;

/// Most points of a tile: an entry holds the number and a sign in 32 bits.
pub(crate) const MAX_POINTS: usize = 1 << 30;

impl<G: Group, A: PairAdder<G>> TileWorker<G, A> {
    /// A worker for tiles of at most `points` points and `windows` windows.
    pub(crate) fn new(cpu: A::Cpu, points: usize, windows: usize) -> Self {
        Self {
            accumulator: Accumulator::new(cpu, points.saturating_mul(windows)),
            ends: Vec::new(),
            // All at once: growing by doubling would take up to twice the memory.
            entries: Vec::with_capacity(points),
        }
    }

    /// Sums the points `range` into the buckets of `windows`.
    ///
    /// `out` has `digits.buckets()` places for each window of the range and holds infinity; place
    /// `b` of a window becomes the sum of the points with digit `b + 1` less those with `-b - 1`.
    pub(crate) fn run(
        &mut self,
        bases: &[A::Point],
        digits: &Recoded,
        windows: Range<usize>,
        range: Range<usize>,
        out: &mut [A::Point],
    ) {
        let bases = &bases[range.clone()];
        let buckets = digits.buckets();
        let mut slot = 0;
        for w in windows {
            self.sort(digits.digits(w, range.clone()), buckets);
            let mut start = 0;
            for &end in &self.ends {
                let end = end as usize;
                let ahead = self.entries[(start + AHEAD).min(self.entries.len())..].iter();
                // The last entries have none ahead of them and ask for the first base again.
                let ahead = ahead.copied().chain(core::iter::repeat(0));
                let entries = self.entries[start..end].iter().copied();
                let points = entries.zip(ahead).map(|(entry, ahead)| {
                    prefetch(&bases[(ahead >> 1) as usize]);
                    A::negate_if(&bases[(entry >> 1) as usize], entry & 1 == 1)
                });
                self.accumulator.push(out, slot, points);
                start = end;
                slot += 1;
            }
        }
        self.accumulator.finish(out);
    }

    /// Counting sort: `entries` by bucket, and where each bucket ends. Zero digits are dropped.
    fn sort(&mut self, digits: impl Iterator<Item = i32> + Clone, buckets: usize) {
        // Bucket b is counted at b + 1, so that the sums below turn counts into starts, and
        // filling turns starts into ends. Digit zero is counted and filled nowhere.
        self.ends.clear();
        self.ends.resize(buckets + 1, 0);
        for digit in digits.clone() {
            self.ends[digit.unsigned_abs() as usize] += 1;
        }
        self.ends[0] = 0;
        let mut total = 0;
        for end in &mut self.ends {
            total += core::mem::replace(end, total);
        }
        self.ends.remove(0);
        self.entries.clear();
        self.entries.resize(total as usize, 0);
        for (i, digit) in (0u32..).zip(digits) {
            if digit != 0 {
                let end = &mut self.ends[digit.unsigned_abs() as usize - 1];
                self.entries[*end as usize] = i << 1 | u32::from(digit < 0);
                *end += 1;
            }
        }
    }
}
