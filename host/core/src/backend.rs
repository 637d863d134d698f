//! What a backend offers. A backend is chosen once (`dyn` per job), below that run slices of
//! concrete types.

use zkria_field::{Affine, Group, bn254};

use crate::Result;

/// Multi-scalar multiplication in one group.
pub trait Msm<G: Group>: Send + Sync {
    /// Places `bases` where the backend wants them (device memory, converted form) and returns a
    /// handle that multiplies many scalar vectors with them.
    ///
    /// Points at infinity are allowed and contribute nothing.
    ///
    /// # Errors
    /// Backend failures: no memory for the bases, a device that does not answer.
    fn bind<'a>(&'a self, bases: &[Affine<G>]) -> Result<Box<dyn BoundMsm<G> + 'a>>;
}

/// Bases placed by [`Msm::bind`].
pub trait BoundMsm<G: Group>: Send {
    /// `sum scalars[i] * bases[i]`.
    ///
    /// # Errors
    /// [`crate::Error::Length`] when `scalars` is not as long as the bound bases; device failures.
    fn run(&mut self, scalars: &[G::Scalar]) -> Result<Affine<G>>;

    /// Counters of the last [`BoundMsm::run`]; `None` where the backend has none.
    fn stats(&self) -> Option<MsmStats> {
        None
    }
}

/// Counters of one MSM on the accelerator, real or simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MsmStats {
    /// Clock cycles from start to done: DMA, clearing and read-out included.
    pub cycles: u64,
    /// Non-zero digits that met a non-empty bucket.
    pub additions: u64,
    /// Non-zero digits that met an empty bucket.
    pub loads: u64,
    /// Cycles in which a lane's token waited because an addition into its bucket was in flight
    /// (summed over lanes). Waiting for a free adder, points or scalars is not counted.
    pub stalls: u64,
    /// Bytes read over AXI by the accelerator.
    pub bytes_read: u64,
    /// Bytes written over AXI by the accelerator.
    pub bytes_written: u64,
    /// Simulated clock rate in kHz (cycles per wall millisecond); `None` on a board.
    pub khz: Option<f64>,
}

/// One way to compute: a CPU path, the simulator, a board, the oracle.
///
/// Every operation defaults to "not offered", so a new operation touches no old backend.
pub trait Backend: Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// MSM over BN254 G1.
    fn msm_bn254_g1(&self) -> Option<&dyn Msm<bn254::G1>> {
        None
    }
    /// MSM over BN254 G2.
    fn msm_bn254_g2(&self) -> Option<&dyn Msm<bn254::G2>> {
        None
    }
}
