//! A hint to the cache. The sorted order reads bases at random places; asking for them early hides
//! most of the wait.

/// Asks for `value` to be brought into the cache; does nothing where there is no such hint.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // A point may lie across lines: one hint for each 64 bytes and one for the last byte.
        let start: *const i8 = core::ptr::from_ref(value).cast();
        let last = size_of::<T>().saturating_sub(1);
        for offset in (0..last).step_by(64).chain([last]) {
            // SAFETY: SSE is part of x86_64, and a prefetch reads nothing and faults nowhere.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(offset)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
