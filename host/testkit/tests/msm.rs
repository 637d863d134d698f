//! `check_msm` passes a correct backend and catches faulty ones.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use zkria_core::{BoundMsm, Error, Msm, Result};
use zkria_field::bn254::{G1, G2};
use zkria_field::{Affine, Group, Jacobian, PrimeField};
use zkria_testkit::{Level, Oracle, check_msm};

/// What a backend may do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// The classic: chord addition of equal points.
    DoublingIsInfinity,
    /// Opposite points in a bucket give one of them.
    CancellingKeepsOne,
    /// Infinity is added as if it were a point of its own.
    InfinityIsGenerator,
    /// Bits above 252 of a scalar are lost.
    TopWindowIsLost,
    /// The last term is lost from nine terms on: a batch of eight lanes.
    TailIsLost,
    /// An empty input is an error.
    EmptyIsRefused,
    /// A wrong length is cut to the shorter one.
    LengthIsCut,
    /// The sum of the last run is not cleared.
    StateStays,
    /// The bases are used one too late on the second run.
    SecondRunIsShifted,
}

struct Backend(Fault);

struct Bound<G: Group> {
    fault: Fault,
    bases: Vec<Affine<G>>,
    kept: Jacobian<G>,
    runs: usize,
}

impl<G: Group> Msm<G> for Backend {
    fn bind<'a>(&'a self, bases: &[Affine<G>]) -> Result<Box<dyn BoundMsm<G> + 'a>> {
        Ok(Box::new(Bound {
            fault: self.0,
            bases: bases.to_vec(),
            kept: Jacobian::INFINITY,
            runs: 0,
        }))
    }
}

impl<G: Group> Bound<G> {
    fn add(&self, a: &Jacobian<G>, b: &Jacobian<G>) -> Jacobian<G> {
        match self.fault {
            Fault::DoublingIsInfinity if a == b => Jacobian::INFINITY,
            Fault::CancellingKeepsOne if *a == b.neg() => *a,
            _ => a.add(b),
        }
    }
}

impl<G: Group> BoundMsm<G> for Bound<G> {
    fn run(&mut self, scalars: &[G::Scalar]) -> Result<Affine<G>> {
        let n = self.bases.len();
        if scalars.len() != n && self.fault != Fault::LengthIsCut {
            return Err(Error::length("scalars", n, scalars.len()));
        }
        if n == 0 && self.fault == Fault::EmptyIsRefused {
            return Err(Error::usage("no points"));
        }
        self.runs += 1;
        if self.fault == Fault::SecondRunIsShifted && self.runs == 2 {
            self.bases.rotate_left(1);
        }
        // Equal scalars share a bucket, as in the bucket method, so exceptions do happen.
        let mut buckets: HashMap<G::Scalar, Jacobian<G>> = HashMap::new();
        for (i, (base, scalar)) in self.bases.iter().zip(scalars).enumerate() {
            if self.fault == Fault::TailIsLost && i == n - 1 && n % 8 == 1 {
                continue;
            }
            let mut point = Jacobian::from(*base);
            if base.is_infinity() && self.fault == Fault::InfinityIsGenerator {
                point = G::generator().into();
            }
            let sum = match buckets.get(scalar) {
                Some(bucket) => self.add(bucket, &point),
                None => point,
            };
            buckets.insert(*scalar, sum);
        }
        let mut sum = if self.fault == Fault::StateStays {
            self.kept
        } else {
            Jacobian::INFINITY
        };
        for (scalar, bucket) in buckets {
            let mut limbs = scalar.to_limbs();
            if self.fault == Fault::TopWindowIsLost {
                limbs[3] &= (1 << 60) - 1;
            }
            sum = sum.add(&bucket.mul_limbs(&limbs));
        }
        self.kept = sum;
        Ok(sum.to_affine())
    }
}

#[test]
fn a_correct_backend_passes() {
    check_msm::<G1>(&Backend(Fault::None), Level::Quick);
    check_msm::<G2>(&Backend(Fault::None), Level::Quick);
}

#[test]
fn a_correct_backend_passes_in_full() {
    check_msm::<G1>(&Backend(Fault::None), Level::Full);
}

fn is_caught<G: Oracle>(fault: Fault) {
    let backend = Backend(fault);
    let run = AssertUnwindSafe(|| check_msm::<G>(&backend, Level::Quick));
    assert!(
        catch_unwind(run).is_err(),
        "{fault:?} in {} passes Level::Quick",
        G::GROUP
    );
}

#[test]
fn every_fault_is_caught() {
    for fault in [
        Fault::DoublingIsInfinity,
        Fault::CancellingKeepsOne,
        Fault::InfinityIsGenerator,
        Fault::TopWindowIsLost,
        Fault::TailIsLost,
        Fault::EmptyIsRefused,
        Fault::LengthIsCut,
        Fault::StateStays,
        Fault::SecondRunIsShifted,
    ] {
        is_caught::<G1>(fault);
    }
    is_caught::<G2>(Fault::InfinityIsGenerator);
}
