//! `msm/portable/<log_n>` on one thread beside `msm/arkworks/<log_n>` on the same input, and the
//! spreads of scalars that must not be slow: `msm/portable-equal`, `msm/portable-01`.
//!
//! Arkworks chooses its assembly at compile time: build with `RUSTFLAGS="-C target-cpu=native"`
//! to give it that.

use ark_bn254::{Fq, G1Affine, G1Projective};
use ark_ec::VariableBaseMSM;
use ark_ff::{BigInt, PrimeField as _};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use zkria_core::gen_msm::{Kind, generate};
use zkria_cpu_msm::msm;
use zkria_field::bn254::{Fp, Fr, G1};
use zkria_field::{Affine, PrimeField};

const LOG_SIZES: [u32; 4] = [10, 12, 14, 16];

fn ark_points(bases: &[Affine<G1>]) -> Vec<G1Affine> {
    let fq = |x: &Fp| Fq::from_bigint(BigInt(x.to_limbs())).expect("canonical");
    bases
        .iter()
        .map(|p| G1Affine::new_unchecked(fq(&p.x), fq(&p.y)))
        .collect()
}

fn ark_scalars(scalars: &[Fr]) -> Vec<ark_bn254::Fr> {
    scalars
        .iter()
        .map(|s| ark_bn254::Fr::from_bigint(BigInt(s.to_limbs())).expect("canonical"))
        .collect()
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("msm");
    group.sample_size(10);
    for log_n in LOG_SIZES {
        let n = 1 << log_n;
        for (name, kind) in [
            ("portable", Kind::Random),
            ("portable-equal", Kind::Equal),
            ("portable-01", Kind::Mostly01),
        ] {
            let (bases, scalars) = generate::<G1>(kind, n, 1);
            group.bench_function(BenchmarkId::new(name, log_n), |b| {
                b.iter(|| msm(&bases, &scalars, 1).expect("lengths agree"));
            });
            if kind == Kind::Random {
                let (points, values) = (ark_points(&bases), ark_scalars(&scalars));
                group.bench_function(BenchmarkId::new("arkworks", log_n), |b| {
                    b.iter(|| G1Projective::msm(&points, &values).expect("lengths agree"));
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
