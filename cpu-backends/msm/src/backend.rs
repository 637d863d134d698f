//! The backend `portable`: this crate behind zkria's traits.

use zkria_core::{Backend, BoundMsm, Msm, Result};
use zkria_field::{Affine, Group, bn254};
use zkria_simd::Isa;

use crate::accumulate::PairAdder;
use crate::lanes::{LaneAdder, Row};
use crate::pippenger::{msm, msm_by};
use crate::window::window_bits;

/// MSM in any group by [`msm`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PortableMsm {
    threads: usize,
}

impl PortableMsm {
    /// With `threads` as in [`msm`]; the default is 0, all threads of the caller's pool.
    pub const fn new(threads: usize) -> Self {
        Self { threads }
    }
}

struct Bound<G: Group> {
    bases: Vec<Affine<G>>,
    threads: usize,
}

impl<G: Group> Msm<G> for PortableMsm {
    fn bind<'a>(&'a self, bases: &[Affine<G>]) -> Result<Box<dyn BoundMsm<G> + 'a>> {
        Ok(Box::new(Bound {
            bases: bases.to_vec(),
            threads: self.threads,
        }))
    }
}

impl<G: Group> BoundMsm<G> for Bound<G> {
    fn run(&mut self, scalars: &[G::Scalar]) -> Result<Affine<G>> {
        msm(&self.bases, scalars, self.threads)
    }
}

/// The backend named `portable`: runs on any CPU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable {
    msm: PortableMsm,
}

impl Portable {
    /// With `threads` as in [`msm`].
    pub const fn new(threads: usize) -> Self {
        Self {
            msm: PortableMsm::new(threads),
        }
    }
}

impl Backend for Portable {
    fn name(&self) -> &'static str {
        "portable"
    }

    fn msm_bn254_g1(&self) -> Option<&dyn Msm<bn254::G1>> {
        Some(&self.msm)
    }

    fn msm_bn254_g2(&self) -> Option<&dyn Msm<bn254::G2>> {
        Some(&self.msm)
    }
}

/// MSM in G1 on eight lanes: on AVX-512 IFMA with [`Ifma`](zkria_simd::Ifma), bit for bit the
/// same on any CPU with [`Portable`](zkria_simd::Portable), which is slow and meant for tests.
#[derive(Clone, Copy, Debug)]
pub struct LaneMsm<I> {
    isa: I,
    threads: usize,
}

impl<I: Isa> LaneMsm<I> {
    /// With `threads` as in [`msm`].
    pub const fn new(isa: I, threads: usize) -> Self {
        Self { isa, threads }
    }
}

/// Bases turned into rows, once for all runs.
struct BoundRows<I> {
    rows: Vec<Row>,
    isa: I,
    threads: usize,
}

impl<I: Isa> Msm<bn254::G1> for LaneMsm<I> {
    fn bind<'a>(
        &'a self,
        bases: &[Affine<bn254::G1>],
    ) -> Result<Box<dyn BoundMsm<bn254::G1> + 'a>> {
        let encode = <LaneAdder<I, bn254::G1> as PairAdder<bn254::G1>>::encode;
        Ok(Box::new(BoundRows {
            rows: bases.iter().map(encode).collect(),
            isa: self.isa,
            threads: self.threads,
        }))
    }
}

impl<I: Isa> BoundMsm<bn254::G1> for BoundRows<I> {
    fn run(&mut self, scalars: &[bn254::Fr]) -> Result<Affine<bn254::G1>> {
        msm_by::<bn254::G1, LaneAdder<I, bn254::G1>>(
            self.isa,
            &self.rows,
            scalars,
            self.threads,
            window_bits,
        )
    }
}

/// The backend named `cpu` where the CPU has the lanes of `I`: G1 on lanes, G2 portable.
struct OnLanes<I> {
    g1: LaneMsm<I>,
    g2: PortableMsm,
}

impl<I: Isa> Backend for OnLanes<I> {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn msm_bn254_g1(&self) -> Option<&dyn Msm<bn254::G1>> {
        Some(&self.g1)
    }

    fn msm_bn254_g2(&self) -> Option<&dyn Msm<bn254::G2>> {
        Some(&self.g2)
    }
}

/// Opens the backend `cpu`: the best path of this CPU, or the one that `ZKRIA_CPU` forces, on all
/// threads of the caller's rayon pool.
///
/// # Errors
/// Those of [`zkria_simd::choice`].
pub fn open_best() -> Result<Box<dyn Backend>> {
    #[cfg(target_arch = "x86_64")]
    if zkria_simd::choice()? == zkria_simd::Choice::Ifma
        && let Some(ifma) = zkria_simd::Ifma::detect()
    {
        return Ok(Box::new(OnLanes {
            g1: LaneMsm::new(ifma, 0),
            g2: PortableMsm::default(),
        }));
    }
    zkria_simd::choice()?;
    open()
}

/// Opens the backend `portable` on all threads of the caller's rayon pool; always available.
///
/// # Errors
/// None; the signature is that of every backend.
pub fn open() -> Result<Box<dyn Backend>> {
    Ok(Box::new(Portable::default()))
}
