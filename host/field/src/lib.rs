//! THE field and point types of zkria: BN254 Fp, Fr, Fp2, G1 and G2 in portable Montgomery
//! arithmetic.
//!
//! Begin with [`Field`], [`PrimeField`] and [`Group`], then [`bn254`]. [`mont`] holds the one
//! arithmetic core that every 256-bit prime shares, [`curve`] the point types. Every value of a
//! field type is fully reduced, so equality of values is equality of field elements.
//!
//! Oracles: num-bigint in this crate's own tests, `zkria-golden` through `zkria-testkit`.

pub mod bn254;
pub mod curve;
pub mod mont;

mod batch;
mod inverse;
mod limbs;
mod traits;

pub use batch::{batch_inverse, batch_inverse_with};
pub use curve::{Affine, Jacobian};
pub use mont::{Mont, MontParams};
pub use traits::{Field, Group, PrimeField};
