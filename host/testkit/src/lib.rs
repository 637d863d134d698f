//! Checks that every backend must pass, edge values, and the rule for skipping what a machine lacks.
//!
//! The only place where our types meet the oracle's bytes: [`check_field`], [`check_quadratic`],
//! [`check_curve`] and [`check_msm`] compare an implementation with `zkria-golden` and panic at the
//! first difference, naming the operation, the operands and what was expected. They are meant for
//! tests: `zkria_testkit::check_msm(backend.msm_bn254_g1().unwrap(), Level::Full)`.

mod curve;
mod edge;
mod field;
mod msm;
mod oracle;
mod skip;

pub use curve::check_curve;
pub use edge::{edge_integers, edge_values};
pub use field::{check_field, check_quadratic};
pub use msm::{Level, check_msm, check_msm_case, check_msm_input};
pub use oracle::Oracle;
pub use skip::{require, shared_dir, skip};
