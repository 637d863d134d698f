//! The backend `portable`: this crate behind zkria's traits.

use zkria_core::{Backend, BoundMsm, Msm, Result};
use zkria_field::{Affine, Group, bn254};

use crate::pippenger::msm;

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

/// Opens the backend `portable` on all threads of the caller's rayon pool; always available.
///
/// # Errors
/// None; the signature is that of every backend.
pub fn open() -> Result<Box<dyn Backend>> {
    Ok(Box::new(Portable::default()))
}
