//! AVX-512 with 52-bit multiply-add: eight lanes in one register.

mod u64x8;

pub use u64x8::IfmaU64x8;

use crate::u64x8::{Isa, Kernel};

/// Proof that this CPU has AVX-512F, IFMA and VBMI2 (Ice Lake, Zen 4 and later).
#[derive(Clone, Copy, Debug)]
pub struct Ifma(());

impl Ifma {
    /// `Some` when the CPU and the operating system have all three.
    #[must_use]
    pub fn detect() -> Option<Self> {
        (std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512ifma")
            && std::is_x86_feature_detected!("avx512vbmi2"))
        .then_some(Self(()))
    }
}

impl Isa for Ifma {
    type Word = IfmaU64x8;
    const NAME: &'static str = "ifma";

    #[inline]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        // SAFETY: an `Ifma` exists only after `detect` saw the features.
        unsafe { enter(self, kernel) }
    }
}

/// Compiles `kernel`, which is `#[inline(always)]`, with the features.
///
/// # Safety
/// The CPU must have the features.
#[target_feature(enable = "avx512f,avx512ifma,avx512vbmi2")]
unsafe fn enter<K: Kernel<Ifma>>(isa: Ifma, kernel: K) -> K::Output {
    kernel.run(isa)
}
