//! What the oracle refuses.

use core::fmt;

/// Why the oracle gives no answer. `index` counts points or scalars from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// As many scalars as points are needed.
    Length {
        /// Points given.
        points: usize,
        /// Scalars given.
        scalars: usize,
    },
    /// A scalar is not below the group order r.
    Scalar {
        /// Which scalar.
        index: usize,
    },
    /// A coordinate is not below the base modulus p.
    Coordinate {
        /// Which point.
        index: usize,
    },
    /// A point is neither on the curve nor the all-zero encoding of infinity.
    OffCurve {
        /// Which point.
        index: usize,
    },
    /// A window width outside 2..=20.
    Window {
        /// The width asked for.
        c: u32,
    },
    /// Bucket sums whose number of windows or buckets does not fit the window width.
    Shape {
        /// Windows expected.
        windows: usize,
        /// Buckets expected in each window.
        buckets: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { points, scalars } => {
                write!(
                    f,
                    "expected as many scalars as points, got {points} points and {scalars} scalars"
                )
            }
            Self::Scalar { index } => write!(
                f,
                "scalar {index}: expected a value below the group order r"
            ),
            Self::Coordinate { index } => {
                write!(
                    f,
                    "point {index}: expected coordinates below the base modulus p"
                )
            }
            Self::OffCurve { index } => {
                write!(
                    f,
                    "point {index}: expected a point on the curve or all zero bytes"
                )
            }
            Self::Window { c } => write!(f, "expected a window width from 2 to 20 bits, got {c}"),
            Self::Shape { windows, buckets } => {
                write!(
                    f,
                    "expected bucket sums of {windows} windows with {buckets} buckets each"
                )
            }
        }
    }
}

impl core::error::Error for Error {}
