//! The whole computation: recode, tiles, window values, doublings; on one thread or many.

use std::sync::Mutex;

use zkria_core::msm::combine_windows;
use zkria_core::{Error, Result};
use zkria_field::{Affine, Group, Jacobian};

use crate::accumulate::{AffineAdder, PairAdder};
use crate::buckets::window_values;
use crate::scalars::{Recoded, SignedScalars};
use crate::tile::{MAX_POINTS, TileWorker};
use crate::window::{WINDOW_BITS, window_bits};

/// `sum scalars[i] * bases[i]`.
///
/// `threads`: 1 computes on the caller's thread and touches no pool; `k` uses at most `k`
/// threads of the rayon pool the caller is in (the global one outside of any); 0 means as many
/// as that pool has. No pool is built here, so the call may come from inside a rayon worker. The
/// result does not depend on `threads`.
///
/// Bases may be infinity, equal or opposite in any number, and the scalars spread in any way:
/// all cases are exact, and no spread is slower than random scalars by more than a fifth. Bases
/// must be on the curve, which is the caller's check. Scratch memory: at most 300 bytes a point in
/// G1 from `2^16` points on with up to 16 threads; a thread more takes 256 KiB and 4 bytes a point.
///
/// # Errors
/// [`Error::Length`] when the lengths differ.
pub fn msm<G: Group>(
    bases: &[Affine<G>],
    scalars: &[G::Scalar],
    threads: usize,
) -> Result<Affine<G>> {
    msm_by::<G, AffineAdder<G>>((), bases, scalars, threads, window_bits)
}

/// [`msm`] by the adder `A` on bases in its form; `window` chooses the width from the load of a
/// window (see [`SignedScalars::load`]).
pub(crate) fn msm_by<G: Group, A: PairAdder<G>>(
    cpu: A::Cpu,
    bases: &[A::Point],
    scalars: &[G::Scalar],
    threads: usize,
    window: impl FnOnce(usize) -> u32,
) -> Result<Affine<G>> {
    check_lengths(bases.len(), scalars.len())?;
    let signed = SignedScalars::new::<G, A>(bases, scalars);
    let c = window(signed.load());
    Ok(run::<G, A>(cpu, bases, &signed.recode(c), threads))
}

/// [`msm`] with windows of `c` bits, for measurements and tests.
///
/// # Errors
/// [`Error::Length`] when the lengths differ, [`Error::Usage`] when `c` is not in
/// [`WINDOW_BITS`].
pub fn msm_with_window<G: Group>(
    bases: &[Affine<G>],
    scalars: &[G::Scalar],
    threads: usize,
    c: u32,
) -> Result<Affine<G>> {
    check_lengths(bases.len(), scalars.len())?;
    if !WINDOW_BITS.contains(&c) {
        return Err(Error::usage(format!(
            "window width: expected {} to {} bits, got {c}",
            WINDOW_BITS.start(),
            WINDOW_BITS.end()
        )));
    }
    msm_by::<G, AffineAdder<G>>((), bases, scalars, threads, |_| c)
}

/// [`Error::Length`] when there is not one scalar for each base.
pub(crate) fn check_lengths(bases: usize, scalars: usize) -> Result<()> {
    if bases != scalars {
        return Err(Error::length(
            "scalars for the bases of an MSM",
            bases,
            scalars,
        ));
    }
    Ok(())
}

fn run<G: Group, A: PairAdder<G>>(
    cpu: A::Cpu,
    bases: &[A::Point],
    digits: &Recoded,
    threads: usize,
) -> Affine<G> {
    let threads = match threads {
        0 => rayon::current_num_threads(),
        k => k,
    };
    let plan = Plan::new(bases.len(), digits, threads);
    let mut sums = vec![A::INFINITY; plan.chunks * digits.windows() * digits.buckets()];
    fill_buckets::<G, A>(cpu, bases, digits, &plan, &mut sums);
    let values = values_of_windows::<G, A>(cpu, digits, &plan, &sums);
    combine_windows(&values, digits.c()).to_affine()
}

/// How the work is cut: the points into `chunks`, the windows into groups.
struct Plan {
    threads: usize,
    chunks: usize,
    chunk_len: usize,
    group_len: usize,
}

impl Plan {
    fn new(n: usize, digits: &Recoded, threads: usize) -> Self {
        let windows = digits.windows();
        // One chunk has its own buckets (64 bytes each in G1) and saves each thread sorting all
        // points at once. More chunks than windows can feed the threads, as long as a chunk has
        // several points for each of its buckets.
        let useful = (n / (8 * digits.buckets())).max(1);
        let chunks = (2 * threads).div_ceil(windows).min(useful);
        let chunks = if threads == 1 { 1 } else { chunks }.max(n.div_ceil(MAX_POINTS));
        let chunk_len = n.div_ceil(chunks).max(1);
        // A single thread takes all windows in one go: blocks of additions then span windows,
        // which matters when there are few points.
        let group_len = match threads {
            1 => windows,
            _ => (windows * chunks).div_ceil(4 * threads),
        };
        let group_len = group_len.min(windows);
        let threads = threads.min(chunks * windows.div_ceil(group_len));
        Self {
            threads,
            chunks: n.div_ceil(chunk_len).max(1),
            chunk_len,
            group_len,
        }
    }
}

/// Runs `work` on every item with at most `threads` threads, each with a state of its own.
fn for_each<T: Send, S>(
    threads: usize,
    items: Vec<T>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) + Sync,
) {
    if threads == 1 {
        let mut state = state();
        items.into_iter().for_each(|item| work(&mut state, item));
        return;
    }
    let queue = Mutex::new(items.into_iter());
    let next = || queue.lock().expect("no worker panics with the lock").next();
    rayon::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| {
                let mut own = None;
                while let Some(item) = next() {
                    work(own.get_or_insert_with(&state), item);
                }
            });
        }
    });
}

/// Sums of all buckets: chunk by chunk, window by window.
fn fill_buckets<G: Group, A: PairAdder<G>>(
    cpu: A::Cpu,
    bases: &[A::Point],
    digits: &Recoded,
    plan: &Plan,
    sums: &mut [A::Point],
) {
    let buckets = digits.buckets();
    let windows = digits.windows();
    let mut tiles = Vec::new();
    for (chunk, sums) in sums.chunks_mut(windows * buckets).enumerate() {
        let start = chunk * plan.chunk_len;
        let range = start..(start + plan.chunk_len).min(bases.len());
        for (group, sums) in sums.chunks_mut(plan.group_len * buckets).enumerate() {
            let first = group * plan.group_len;
            let of_group = first..(first + plan.group_len).min(windows);
            tiles.push((of_group, range.clone(), sums));
        }
    }
    for_each(
        plan.threads,
        tiles,
        || TileWorker::<G, A>::new(cpu, plan.chunk_len, plan.group_len),
        |worker, (windows, range, out)| worker.run(bases, digits, windows, range, out),
    );
}

/// The value of each window from the bucket sums of all chunks.
fn values_of_windows<G: Group, A: PairAdder<G>>(
    cpu: A::Cpu,
    digits: &Recoded,
    plan: &Plan,
    sums: &[A::Point],
) -> Vec<Jacobian<G>> {
    let buckets = digits.buckets();
    let windows = digits.windows();
    let group_len = windows.div_ceil(plan.threads);
    let mut values = vec![Jacobian::INFINITY; windows];
    let groups = values.chunks_mut(group_len).enumerate().collect();
    for_each(
        plan.threads,
        groups,
        || (),
        |(), (group, out): (usize, &mut [Jacobian<G>])| {
            let places = group * group_len * buckets..(group * group_len + out.len()) * buckets;
            let parts: Vec<&[A::Point]> = sums
                .chunks_exact(windows * buckets)
                .map(|chunk| &chunk[places.clone()])
                .collect();
            out.copy_from_slice(&window_values::<G, A>(cpu, &parts, buckets, out.len()));
        },
    );
    values
}
