//! The window width, from a measured table.

use core::ops::RangeInclusive;

/// Window widths that [`crate::msm_with_window`] takes.
pub const WINDOW_BITS: RangeInclusive<u32> = 2..=20;

/// Best width for `2^i` points with full-width scalars, measured for `i` from 4 to 18 (see the
/// README); beyond, one bit more for each doubling, as the number of additions suggests.
const BEST: [u32; 24] = [
    2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11, 11, 13, 13, 13, 15, 15, 16, 17, 18, 19,
];

/// The window width for an average of `load` points in each window.
pub(crate) fn window_bits(load: usize) -> u32 {
    // Rounded to the nearest power of two on the logarithmic scale: 1.41 * 2^i goes up.
    let log = (load.max(1) as f64).log2().round() as usize;
    BEST[log.min(BEST.len() - 1)]
}
