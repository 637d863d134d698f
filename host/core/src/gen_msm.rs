//! MSM inputs of every kind, deterministic in their seed: the same bytes on every machine and
//! with every number of threads.
//!
//! Points are `k_i * Q` for a random point `Q` and random 64-bit `k_i`: no small relation holds
//! between them (an arithmetic progression would make bucket sums collide), and eight windows of
//! a fixed-base table make a million in about a second. An input of `n` is a prefix of any longer
//! one of the same kind and seed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rayon::prelude::*;
use zkria_field::{Affine, Group, Jacobian, PrimeField};

use crate::{Error, Result};

/// Points made from one random stream and normalised together.
const CHUNK: usize = 1024;
/// Bits of one digit of the fixed-base table.
const TABLE_BITS: usize = 8;
/// Digits of a 64-bit multiplier.
const DIGITS: usize = 64 / TABLE_BITS;

/// What an input stresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Random points, scalars uniform below r.
    Random,
    /// Random points, every scalar 0.
    Zero,
    /// Random points, every scalar 1.
    One,
    /// Random points, one random scalar for all.
    Equal,
    /// Random points, scalars below 2^16.
    Small,
    /// Random points, scalars 0 or 1.
    Binary,
    /// Random points, 90 percent of the scalars 0 or 1, the rest uniform: a witness.
    Mostly01,
    /// Random points, every scalar r - 1.
    Max,
    /// `P, -P, Q, -Q, ..` with equal scalars in a pair, so that everything cancels.
    Opposite,
    /// One point repeated, scalars uniform.
    SamePoint,
    /// Infinity, repeated and opposite points with 0, 1, r - 1, powers of two and window borders.
    Edge,
}

impl Kind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 11] = [
        Self::Random,
        Self::Zero,
        Self::One,
        Self::Equal,
        Self::Small,
        Self::Binary,
        Self::Mostly01,
        Self::Max,
        Self::Opposite,
        Self::SamePoint,
        Self::Edge,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Zero => "zero",
            Self::One => "one",
            Self::Equal => "equal",
            Self::Small => "small",
            Self::Binary => "binary",
            Self::Mostly01 => "mostly01",
            Self::Max => "max",
            Self::Opposite => "opposite",
            Self::SamePoint => "same-point",
            Self::Edge => "edge",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| {
                let names = Self::ALL.map(Self::name).join(", ");
                Error::usage(format!("kind `{text}`: expected one of {names}"))
            })
    }
}

/// `n` points and `n` scalars of the given kind.
///
/// Works on the caller's rayon pool; the result does not depend on it.
#[must_use]
pub fn generate<G: Group>(kind: Kind, n: usize, seed: u64) -> (Vec<Affine<G>>, Vec<G::Scalar>) {
    let mut points = Points::<G>::new(seed);
    match kind {
        Kind::SamePoint => points.fill_same(n),
        Kind::Opposite => points.fill_opposite(n),
        Kind::Edge => points.fill_edge(n, seed),
        _ => points.fill(n),
    }
    let mut rng = stream(seed, Stream::Scalars);
    let scalars = scalars::<G::Scalar>(kind, n, &mut rng);
    (points.points, scalars)
}

/// Random streams that do not overlap.
enum Stream {
    Base,
    Scalars,
    EdgePoints,
    Chunk(usize),
}

fn stream(seed: u64, which: Stream) -> ChaCha12Rng {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    rng.set_stream(match which {
        Stream::Base => 0,
        Stream::Scalars => 1,
        Stream::EdgePoints => 2,
        Stream::Chunk(i) => 3 + i as u64,
    });
    rng
}

/// Uniform below the modulus, by rejection.
fn uniform<F: PrimeField>(rng: &mut ChaCha12Rng) -> F {
    let excess = 256 - F::MODULUS_BITS;
    loop {
        let mut limbs: [u64; 4] = rng.random();
        limbs[3] = limbs[3].checked_shr(excess).unwrap_or(0);
        if let Some(value) = F::from_limbs(limbs) {
            return value;
        }
    }
}

struct Points<G: Group> {
    points: Vec<Affine<G>>,
    /// `table[w][d - 1] = d * 2^(8 w) * Q`.
    table: Vec<Vec<Affine<G>>>,
    seed: u64,
}

impl<G: Group> Points<G> {
    fn new(seed: u64) -> Self {
        let mut rng = stream(seed, Stream::Base);
        let base: G::Scalar = uniform(&mut rng);
        let mut base = Jacobian::from(G::generator()).mul_limbs(&base.to_limbs());
        let table = (0..DIGITS)
            .map(|_| {
                let mut multiple = base;
                let mut row = vec![multiple];
                for _ in 2..1 << TABLE_BITS {
                    multiple = multiple.add(&base);
                    row.push(multiple);
                }
                base = multiple.add(&base);
                Jacobian::batch_to_affine(&row)
            })
            .collect();
        Self {
            points: Vec::new(),
            table,
            seed,
        }
    }

    fn multiple(&self, k: u64) -> Jacobian<G> {
        let mut sum = Jacobian::INFINITY;
        for (row, digit) in self.table.iter().zip(k.to_le_bytes()) {
            if let Some(at) = usize::from(digit).checked_sub(1) {
                sum = sum.add_mixed(&row[at]);
            }
        }
        sum
    }

    fn random(&self, n: usize) -> Vec<Affine<G>> {
        let mut points = vec![Affine::INFINITY; n];
        points
            .par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(i, out)| {
                let mut rng = stream(self.seed, Stream::Chunk(i));
                let sums: Vec<_> = out.iter().map(|_| self.multiple(rng.random())).collect();
                out.copy_from_slice(&Jacobian::batch_to_affine(&sums));
            });
        points
    }

    fn fill(&mut self, n: usize) {
        self.points = self.random(n);
    }

    fn fill_same(&mut self, n: usize) {
        self.points = vec![self.random(1)[0]; n];
    }

    fn fill_opposite(&mut self, n: usize) {
        let half = self.random(n.div_ceil(2));
        self.points = half.iter().flat_map(|p| [*p, p.neg()]).take(n).collect();
    }

    /// A few points only, so that equal and opposite ones meet in every bucket.
    fn fill_edge(&mut self, n: usize, seed: u64) {
        let few = self.random(4);
        let mut rng = stream(seed, Stream::EdgePoints);
        let fresh = self.random(n);
        self.points = fresh
            .into_iter()
            .map(|point| match rng.random_range(0..8u8) {
                0 | 1 => Affine::INFINITY,
                2 | 3 => few[rng.random_range(0..few.len())],
                4 | 5 => few[rng.random_range(0..few.len())].neg(),
                6 => G::generator(),
                _ => point,
            })
            .collect();
    }
}

fn scalars<F: PrimeField>(kind: Kind, n: usize, rng: &mut ChaCha12Rng) -> Vec<F> {
    let one = |rng: &mut ChaCha12Rng| F::from(u64::from(rng.random::<bool>()));
    match kind {
        Kind::Zero => vec![F::ZERO; n],
        Kind::One => vec![F::ONE; n],
        Kind::Max => vec![-F::ONE; n],
        Kind::Equal => vec![uniform(rng); n],
        Kind::Random | Kind::SamePoint => (0..n).map(|_| uniform(rng)).collect(),
        Kind::Small => (0..n)
            .map(|_| F::from(u64::from(rng.random::<u16>())))
            .collect(),
        Kind::Binary => (0..n).map(|_| one(rng)).collect(),
        Kind::Mostly01 => (0..n)
            .map(|_| {
                if rng.random_range(0..10u8) < 9 {
                    one(rng)
                } else {
                    uniform(rng)
                }
            })
            .collect(),
        Kind::Opposite => {
            let half: Vec<F> = (0..n.div_ceil(2)).map(|_| uniform(rng)).collect();
            half.iter().flat_map(|s| [*s, *s]).take(n).collect()
        }
        Kind::Edge => {
            let edges = edge_scalars::<F>();
            (0..n)
                .map(|_| {
                    if rng.random_range(0..8u8) == 0 {
                        uniform(rng)
                    } else {
                        edges[rng.random_range(0..edges.len())]
                    }
                })
                .collect()
        }
    }
}

/// Scalars at the borders: 0, 1, r - 1, (r - 1) / 2, `2^k` and `2^k - 1` for every bit, their
/// negatives, and digits of all ones or of the sign border in every window of common widths.
#[must_use]
pub fn edge_scalars<F: PrimeField>() -> Vec<F> {
    let half = F::from(2).inverse().unwrap_or(F::ONE);
    let mut edges = vec![F::ZERO, F::ONE, -F::ONE, -half, half];
    let mut power = F::ONE;
    for _ in 0..F::MODULUS_BITS {
        edges.extend([power, -power, power - F::ONE]);
        power = power.double();
    }
    // Window borders: the greatest digit, and the digits around the border of signed ones.
    for c in [4, 5, 8, 10, 11, 12, 13, 15, 16] {
        for digit in [
            (1u64 << c) - 1,
            1 << (c - 1),
            (1 << (c - 1)) - 1,
            (1 << (c - 1)) + 1,
        ] {
            let mut all = F::ZERO;
            let mut weight = F::ONE;
            for _ in 0..(F::MODULUS_BITS - 1) / c {
                let this = F::from(digit) * weight;
                all += this;
                edges.push(this);
                weight *= F::from(1 << c);
            }
            edges.push(all);
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use zkria_field::Field;
    use zkria_field::bn254::{Fr, G1, G2};

    #[test]
    fn inputs_depend_on_the_seed_only() {
        for kind in Kind::ALL {
            let first = generate::<G1>(kind, 40, 7);
            assert_eq!(first, generate(kind, 40, 7), "{kind}");
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(3)
                .build()
                .unwrap();
            assert_eq!(first, pool.install(|| generate(kind, 40, 7)), "{kind}");
            assert_ne!(first.0, generate::<G1>(kind, 40, 8).0, "{kind}");
        }
    }

    #[test]
    fn a_shorter_input_is_a_prefix() {
        for kind in Kind::ALL {
            let (points, scalars) = generate::<G1>(kind, 1500, 3);
            let (fewer_points, fewer_scalars) = generate::<G1>(kind, 1030, 3);
            assert_eq!(points[..1030], fewer_points, "{kind}");
            assert_eq!(scalars[..1030], fewer_scalars, "{kind}");
        }
    }

    #[test]
    fn points_are_valid_and_distinct_where_they_should_be() {
        for kind in Kind::ALL {
            let (points, scalars) = generate::<G2>(kind, 33, 1);
            assert_eq!((points.len(), scalars.len()), (33, 33), "{kind}");
            assert!(
                points.iter().all(|p| p.is_on_curve() && G2::in_subgroup(p)),
                "{kind}"
            );
        }
        let (points, _) = generate::<G1>(Kind::Random, 4096, 1);
        assert_eq!(points.iter().collect::<HashSet<_>>().len(), 4096);
        assert!(points.iter().all(|p| p.is_on_curve() && !p.is_infinity()));
        for kind in Kind::ALL {
            assert_eq!(generate::<G1>(kind, 0, 1), (vec![], vec![]), "{kind}");
        }
    }

    #[test]
    fn kinds_are_what_their_names_say() {
        let n = 1000;
        let scalars = |kind| generate::<G1>(kind, n, 5).1;
        assert!(scalars(Kind::Zero).iter().all(Field::is_zero));
        assert!(scalars(Kind::One).iter().all(|s| *s == Fr::ONE));
        assert!(scalars(Kind::Max).iter().all(|s| *s == -Fr::ONE));
        assert_eq!(scalars(Kind::Equal).iter().collect::<HashSet<_>>().len(), 1);
        assert_eq!(
            scalars(Kind::Random).iter().collect::<HashSet<_>>().len(),
            n
        );
        assert!(
            scalars(Kind::Small)
                .iter()
                .all(|s| s.to_limbs()[0] < 1 << 16)
        );
        let is_bit = |s: &&Fr| s.is_zero() || **s == Fr::ONE;
        assert_eq!(scalars(Kind::Binary).iter().filter(is_bit).count(), n);
        let bits = scalars(Kind::Mostly01).iter().filter(is_bit).count();
        assert!((870..930).contains(&bits), "{bits} of {n} are 0 or 1");
        let (points, _) = generate::<G1>(Kind::SamePoint, n, 5);
        assert_eq!(points.iter().collect::<HashSet<_>>().len(), 1);
        let (points, scalars) = generate::<G1>(Kind::Opposite, n, 5);
        for (p, s) in points.chunks(2).zip(scalars.chunks(2)) {
            assert_eq!((p[0], s[0]), (p[1].neg(), s[1]));
        }
    }

    #[test]
    fn edge_inputs_meet_every_exception() {
        let (points, scalars) = generate::<G1>(Kind::Edge, 2048, 5);
        assert!(points.iter().any(Affine::is_infinity));
        let seen: HashSet<_> = points.iter().filter(|p| !p.is_infinity()).collect();
        assert!(seen.len() < 1500, "repeated points");
        assert!(
            seen.iter().any(|p| seen.contains(&p.neg())),
            "opposite points"
        );
        for wanted in [Fr::ZERO, Fr::ONE, -Fr::ONE] {
            assert!(edge_scalars::<Fr>().contains(&wanted));
        }
        assert!(scalars.contains(&Fr::ZERO));
        // Top digit of the last unsigned window and a full window of 11 bits.
        assert!(edge_scalars::<Fr>().contains(&Fr::from(2047)));
    }

    #[test]
    fn names_round_trip() {
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse::<Kind>().unwrap(), kind);
        }
        let error = "what".parse::<Kind>().unwrap_err();
        assert!(
            error.exit_code() == 2 && error.to_string().contains("mostly01"),
            "{error}"
        );
    }
}
