//! Multi-scalar multiplication on a CPU: signed-window Pippenger with batch-affine buckets.
//!
//! `sum scalars[i] * bases[i]` for any `Group`; every path is checked against `zkria-golden`
//! through `zkria-testkit`.
//!
//! Way of one call (`msm`):
//! 1. `scalars`: canonical limbs, `s` or `-(r - s)` whichever is shorter, cut into signed
//!    digits of `c` bits; `window` picks `c` from a measured table.
//! 2. `tile`: for each window a counting sort by bucket, then `accumulate` sums each bucket by
//!    pairwise affine additions that share one inversion. All pairs of a round are independent,
//!    so neither speed nor correctness hangs on how the digits are spread.
//! 3. `buckets`: the weighted sum over the buckets of a window, again by shared inversions.
//! 4. `c` doublings between windows.
//!
//! The additions of step 2 and 3 are a `PairAdder`: `AffineAdder` anywhere and in any group,
//! `LaneAdder` on eight lanes (AVX-512 IFMA, or its portable twin in tests).
//!
//! Why batch-affine: an affine addition with its share of the inversion costs 5M + 1S and a
//! little, against 7M + 4S for the mixed Jacobian one.

mod accumulate;
mod backend;
mod buckets;
mod lanes;
mod pippenger;
mod prefetch;
mod scalars;
mod tile;
mod window;

pub use backend::{LaneMsm, Portable, PortableMsm, open, open_best};
pub use pippenger::{msm, msm_with_window};
pub use window::WINDOW_BITS;
