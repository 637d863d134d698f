//! The twin of `ifma` on any CPU; slow, and the oracle of the instructions.

mod u64x8;

pub use u64x8::PortableU64x8;

use crate::u64x8::{Isa, Kernel};

/// Needs nothing of the CPU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl Isa for Portable {
    type Word = PortableU64x8;
    const NAME: &'static str = "portable";

    #[inline]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
