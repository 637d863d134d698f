//! Scratch memory of one call, counted by the allocator of this test binary.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use zkria_core::gen_msm::{Kind, generate};
use zkria_cpu_msm::msm;
use zkria_field::bn254::G1;

/// The system allocator with a count of live bytes and their peak.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to `System` unchanged; the counters touch no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `pointer` came from `System` by `alloc` above, with this `layout`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn at_most_300_bytes_a_point() {
    let n = 1 << 16;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(16)
        .build()
        .expect("16 threads");
    for kind in [Kind::Random, Kind::Equal, Kind::Mostly01] {
        let (bases, scalars) = generate::<G1>(kind, n, 1);
        for threads in [1, 2, 4, 16] {
            let before = LIVE.load(Relaxed);
            PEAK.store(before, Relaxed);
            pool.install(|| msm(&bases, &scalars, threads))
                .expect("lengths agree");
            let scratch = PEAK.load(Relaxed) - before;
            assert!(
                scratch <= 300 * n,
                "{kind}, {threads} threads: {} bytes a point",
                scratch / n
            );
            // The count is of this call: below a tenth of this it would have missed the buckets.
            assert!(scratch > 30 * n, "{kind}: only {scratch} bytes counted");
        }
    }
}
