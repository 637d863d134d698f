use num_bigint::BigUint;

use super::*;
use crate::word::{ONE, P, from_u32, less, sub, to_u32};

fn big(w: &Word) -> BigUint {
    BigUint::from_slice(&to_u32(w))
}

fn word(v: &BigUint) -> Word {
    from_u32(&v.to_u32_digits())
}

/// Arithmetic mod p on affine points in plain (not Montgomery) form; `None` is infinity.
struct Affine;

type Point = Option<(BigUint, BigUint)>;

impl Affine {
    fn p() -> BigUint {
        big(&P)
    }

    fn sub(a: &BigUint, b: &BigUint) -> BigUint {
        (a + Self::p() - b) % Self::p()
    }

    fn add(a: &Point, b: &Point) -> Point {
        let p = Self::p();
        let (Some((x1, y1)), Some((x2, y2))) = (a, b) else {
            return a.clone().or(b.clone());
        };
        let slope = if x1 == x2 {
            if y1 != y2 {
                return None;
            }
            x1 * x1 * 3u32 * (y1 * 2u32).modinv(&p).unwrap() % &p
        } else {
            Self::sub(y2, y1) * Self::sub(x2, x1).modinv(&p).unwrap() % &p
        };
        let x3 = Self::sub(&Self::sub(&(&slope * &slope % &p), x1), x2);
        let y3 = Self::sub(&(slope * Self::sub(x1, &x3) % &p), y1);
        Some((x3, y3))
    }

    fn from_jacobian(sum: &Option<[Word; 3]>) -> Point {
        let p = Self::p();
        let plain = |w: &Word| big(w) * r_inverse() % &p;
        let [x, y, z] = sum.as_ref()?;
        let z_inverse = plain(z).modinv(&p).unwrap();
        let zz = &z_inverse * &z_inverse % &p;
        Some((plain(x) * &zz % &p, plain(y) * zz * z_inverse % &p))
    }
}

fn r_inverse() -> BigUint {
    let r = BigUint::from(1u32) << 255u32;
    r.modinv(&Affine::p()).unwrap()
}

fn mont(v: &BigUint) -> Word {
    word(&((v << 255) % Affine::p()))
}

/// `point` with the given z as Jacobian words.
fn jacobian(point: &Point, z: &BigUint) -> [Word; 3] {
    let (x, y) = point.as_ref().unwrap();
    let p = Affine::p();
    [
        mont(&(x * z * z % &p)),
        mont(&(y * z * z * z % &p)),
        mont(z),
    ]
}

fn input(a: &Point, z: &BigUint, b: &Point) -> [Word; 5] {
    let [x1, y1, z1] = jacobian(a, z);
    let (x2, y2) = b.as_ref().unwrap();
    [x1, y1, z1, mont(x2), mont(y2)]
}

fn multiples(n: usize) -> Vec<Point> {
    let g = Some((BigUint::from(1u32), BigUint::from(2u32)));
    let mut all = vec![g.clone()];
    while all.len() < n {
        all.push(Affine::add(all.last().unwrap(), &g));
    }
    all
}

#[test]
fn all_pairs_and_signs_equal_affine_sums() {
    let points = multiples(12);
    let z_values = [
        BigUint::from(1u32),
        BigUint::from(2u32),
        big(&sub(&P, &[1, 0, 0, 0]).0),
        big(&ONE) + 12345u32,
    ];
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate() {
            for z in &z_values {
                let got = execute(&input(a, z, b));
                let want_kind = if i == j { Kind::Double } else { Kind::Add };
                assert_eq!(got.kind, want_kind);
                assert_eq!(Affine::from_jacobian(&got.sum), Affine::add(a, b));
                for w in got.sum.unwrap() {
                    assert!(less(&w, &P));
                }
            }
        }
        let (x, y) = a.as_ref().unwrap();
        let minus = Some((x.clone(), Affine::p() - y));
        let got = execute(&input(a, &z_values[2], &minus));
        assert_eq!((got.kind, got.sum), (Kind::Cancel, None));
    }
}

#[test]
fn chain_of_sums_stays_right() {
    // Each result is the next accumulator: lazily reduced bits would show here.
    let points = multiples(40);
    let mut acc = jacobian(&points[0], &BigUint::from(1u32));
    let mut want = points[0].clone();
    for b in points.iter().cycle().skip(1).take(200) {
        let (x2, y2) = b.as_ref().unwrap();
        let got = execute(&[acc[0], acc[1], acc[2], mont(x2), mont(y2)]);
        want = Affine::add(&want, b);
        acc = got.sum.unwrap();
        assert_eq!(Affine::from_jacobian(&Some(acc)), want);
    }
}

#[test]
fn rates() {
    for num_ctx in 1..=4 {
        eprintln_rates(num_ctx);
    }
    assert!(steady_interval(2) <= 690.0, "{}", steady_interval(2));
    assert!(steady_interval(1) >= steady_interval(2));
    // Eleven products on two multipliers take 660 cycles; the window counts some drift.
    assert!(steady_interval(4) >= 659.0, "{}", steady_interval(4));
    assert!(latency(2, Kind::Add) <= 830);
    assert!(latency(2, Kind::Double) > latency(2, Kind::Cancel));
}

#[expect(clippy::print_stderr, reason = "the figures are the test's report")]
fn eprintln_rates(num_ctx: usize) {
    eprintln!(
        "contexts {num_ctx}: {:.1} cycles per addition, alone {}, double {}, cancel {}",
        steady_interval(num_ctx),
        latency(num_ctx, Kind::Add),
        latency(num_ctx, Kind::Double),
        latency(num_ctx, Kind::Cancel),
    );
}

#[test]
fn skipping_changes_nothing() {
    let additions: Vec<_> = (0..40u64)
        .map(|i| {
            let kind = match i % 9 {
                4 => Kind::Double,
                7 => Kind::Cancel,
                _ => Kind::Add,
            };
            (i * i * 37 % 1000 + i * 500, kind)
        })
        .collect();
    for num_ctx in 1..=4 {
        let mut sim = PointAddSim::new(num_ctx);
        let mut done = Vec::new();
        let mut taken = 0;
        while done.len() < additions.len() {
            let next = additions.get(taken / 5);
            let offer = next.filter(|n| sim.cycle() >= n.0).map(|n| (0, n.1));
            taken += usize::from(offer.is_some() && sim.in_ready());
            if sim.out().is_some_and(|b| b.last()) {
                done.push(sim.cycle());
            }
            sim.step(offer, true);
        }
        assert_eq!(done, completion_cycles(num_ctx, &additions));
    }
}
