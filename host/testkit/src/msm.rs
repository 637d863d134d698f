//! Multi-scalar multiplication of any backend against the oracle.

use zkria_core::gen_msm::{Kind, edge_scalars, generate};
use zkria_core::{Error, Msm};
use zkria_field::{Affine, Field, Jacobian};

use crate::oracle::{Oracle, known_msms, scalar_bytes};

/// Around the widths in play: nothing, one, small batches, eight lanes, a warp of 32, an odd size,
/// and the 2047 buckets of a window of 11 bits.
const SIZES: [usize; 13] = [0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 237, 2047, 2049];

/// How much [`check_msm`] runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// About 20 runs of at most 33 points, for a backend that needs seconds for each: every kind
    /// once, sizes 0 to 33.
    Quick,
    /// About 200 runs: every kind at every size up to 2049, all edge scalars at once, the known
    /// answers of `golden/vectors/msm.json`.
    Full,
}

/// One MSM of the given kind against the oracle.
///
/// # Panics
/// When the backend fails or its answer is not the oracle's.
pub fn check_msm_case<G: Oracle>(msm: &dyn Msm<G>, kind: Kind, n: usize, seed: u64) {
    let (points, scalars) = generate::<G>(kind, n, seed);
    check_msm_input(
        msm,
        &format!("{kind}, n = {n}, seed {seed}"),
        &points,
        &scalars,
    );
}

/// One MSM of the given points and scalars against the oracle; `what` names it in a failure.
///
/// # Panics
/// When the backend fails or its answer is not the oracle's.
pub fn check_msm_input<G: Oracle>(
    msm: &dyn Msm<G>,
    what: &str,
    points: &[Affine<G>],
    scalars: &[G::Scalar],
) {
    let mut bound = msm
        .bind(points)
        .unwrap_or_else(|e| panic!("{what}: bind: {e}"));
    let got = bound
        .run(scalars)
        .unwrap_or_else(|e| panic!("{what}: run: {e}"));
    same(what, &got, &expected(points, scalars));
}

/// The oracle's answer.
fn expected<G: Oracle>(points: &[Affine<G>], scalars: &[G::Scalar]) -> Vec<u8> {
    let points: Vec<_> = points.iter().map(Affine::to_bytes_le).collect();
    let scalars: Vec<_> = scalars.iter().map(scalar_bytes).collect();
    G::oracle_msm(&points, &scalars).unwrap_or_else(|e| panic!("the oracle refuses the input: {e}"))
}

#[track_caller]
fn same<G: Oracle>(what: &str, got: &Affine<G>, expected: &[u8]) {
    let place = format!("msm {} {}, {what}", G::CURVE, G::GROUP);
    assert!(
        got.to_bytes_le() == expected,
        "{place}: expected {:?}, got {got:?}",
        Affine::<G>::from_bytes_le(expected)
    );
}

/// Everything an MSM backend promises, against the oracle: every kind of `zkria gen msm` at many
/// sizes, points at infinity, repeated and opposite ones, buckets that double, cancel and fill
/// again, several scalar vectors over one binding, and the refusal of a wrong length.
///
/// # Panics
/// At the first difference, with kind, size and seed.
pub fn check_msm<G: Oracle>(msm: &dyn Msm<G>, level: Level) {
    match level {
        Level::Quick => {
            // Kinds and sizes walk side by side.
            for (i, kind) in Kind::ALL.into_iter().enumerate() {
                check_msm_case(msm, kind, SIZES[i.min(9)], 40 + i as u64);
            }
            check_msm_case(msm, Kind::Edge, 33, 52);
        }
        Level::Full => {
            for (i, n) in SIZES.into_iter().enumerate() {
                for kind in Kind::ALL {
                    check_msm_case(msm, kind, n, 60 + i as u64);
                }
            }
            check_edge_scalars(msm);
            check_equal_everything(msm);
            check_known(msm);
        }
    }
    check_exceptions(msm);
    check_one_binding(msm);
}

/// Every scalar of `edge_scalars`: powers of two, their negatives, window borders of many widths.
fn check_edge_scalars<G: Oracle>(msm: &dyn Msm<G>) {
    let scalars = edge_scalars::<G::Scalar>();
    let (points, _) = generate::<G>(Kind::Random, scalars.len(), 70);
    check_msm_input(msm, "all edge scalars", &points, &scalars);
}

/// One point, one scalar, 8192 times: all in one bucket of each window.
fn check_equal_everything<G: Oracle>(msm: &dyn Msm<G>) {
    let (points, scalars) = generate::<G>(Kind::Random, 1, 71);
    check_msm_input(
        msm,
        "8192 equal terms",
        &[points[0]; 8192],
        &[scalars[0]; 8192],
    );
}

fn check_known<G: Oracle>(msm: &dyn Msm<G>) {
    for (name, points, scalars, result) in known_msms::<G>() {
        let mut bound = msm
            .bind(&points)
            .unwrap_or_else(|e| panic!("{name}: bind: {e}"));
        let got = bound
            .run(&scalars)
            .unwrap_or_else(|e| panic!("{name}: run: {e}"));
        same(&format!("msm.json: {name}"), &got, &result.to_bytes_le());
    }
}

/// What buckets can do to each other, in one batch whose parts do not share a digit by design, and
/// a batch whose sum is infinity although no bucket cancels.
fn check_exceptions<G: Oracle>(msm: &dyn Msm<G>) {
    let (p, s) = generate::<G>(Kind::Random, 6, 72);
    let twice = Jacobian::from(p[2]).double().to_affine();
    let points = [
        // Cancels, then the bucket takes a point again.
        p[0],
        p[0].neg(),
        p[1], // Doubles, then meets its own sum and doubles again.
        p[2],
        p[2],
        twice, // A point at infinity between terms of one bucket.
        p[3],
        Affine::INFINITY,
        p[4], // Doubles, then cancels.
        p[5],
        p[5],
        p[5].neg(),
        p[5].neg(),
    ];
    let scalars = [
        s[0], s[0], s[0], s[1], s[1], s[1], s[2], s[2], s[2], s[3], s[3], s[3], s[3],
    ];
    check_msm_input(msm, "exceptions in buckets", &points, &scalars);

    let five = G::Scalar::from(5);
    check_msm_input(msm, "5 P + (r - 5) P", &[p[0], p[0]], &[five, -five]);
}

/// Bases are bound once; every run stands alone; a wrong length is an error and harms nothing.
fn check_one_binding<G: Oracle>(msm: &dyn Msm<G>) {
    let n = 9;
    let (points, random) = generate::<G>(Kind::Edge, n, 73);
    let mut bound = msm.bind(&points).unwrap_or_else(|e| panic!("bind: {e}"));
    let (_, other) = generate::<G>(Kind::Random, n + 1, 74);
    let vectors = [
        random.clone(),
        vec![G::Scalar::ZERO; n],
        other[..n].to_vec(),
        random,
    ];
    for (i, scalars) in vectors.iter().enumerate() {
        let got = bound
            .run(scalars)
            .unwrap_or_else(|e| panic!("run {i}: {e}"));
        same(
            &format!("run {i} over one binding"),
            &got,
            &expected(&points, scalars),
        );
    }
    for wrong in [&other[..0], &other[..n - 1], &other[..n + 1]] {
        match bound.run(wrong) {
            Err(Error::Length { .. }) => {}
            other => panic!(
                "{} scalars for {n} bases: expected Error::Length, got {other:?}",
                wrong.len()
            ),
        }
    }
    let got = bound
        .run(&vectors[2])
        .unwrap_or_else(|e| panic!("run after a refusal: {e}"));
    same("run after a refusal", &got, &expected(&points, &vectors[2]));
}
