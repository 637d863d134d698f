//! Field lanes against num-bigint, at the edges of every limb and of every lazy range.

use num_bigint::BigUint;
use zkria_field::PrimeField;
use zkria_field::bn254::{Fp, Fr};
use zkria_simd::{Isa, Kernel, Lanes, Portable, U64x8, mul_many};

type Values = [[u64; 5]; 8];

fn modulus<F: PrimeField>() -> BigUint {
    let bytes: Vec<u8> = F::MODULUS.iter().flat_map(|l| l.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

fn to_limbs(x: &BigUint) -> [u64; 5] {
    core::array::from_fn(|j| u64::try_from((x >> (52 * j)) % (1u64 << 52)).unwrap())
}

fn from_limbs(limbs: &[u64; 5]) -> BigUint {
    limbs
        .iter()
        .rev()
        .fold(BigUint::ZERO, |acc, &limb| (acc << 52) + limb)
}

/// Values below `bound p`: around every multiple of p, every limb border of radix 52 and 64, all
/// ones, and pseudo-random ones.
fn values<F: PrimeField>(bound: u64, seed: u64) -> Vec<BigUint> {
    let p = modulus::<F>();
    let top = &p * bound;
    let one = BigUint::from(1u32);
    let mut out = vec![BigUint::ZERO];
    let mut around = |x: BigUint| {
        for y in [
            &x + 1u32,
            x.clone(),
            if x > BigUint::ZERO { &x - 1u32 } else { x },
        ] {
            if y < top {
                out.push(y);
            }
        }
    };
    for k in 0..=bound {
        around(&p * k);
    }
    for bits in (0..6).flat_map(|j| [52 * j, 64 * j.min(4), 52 * j + 51, 208 + 48]) {
        around(&one << bits);
        if (&one << bits) < top {
            around(&top - (&one << bits));
            around(((&p - 1u32) >> bits) << bits);
        }
    }
    let mut x = seed | 1;
    for _ in 0..64 {
        let mut words = Vec::new();
        for _ in 0..12 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            words.extend(x.to_le_bytes());
        }
        out.push(BigUint::from_bytes_le(&words) % &top);
    }
    out
}

fn packs<F: PrimeField>(bound: u64, seed: u64, stride: usize) -> Vec<(Values, [BigUint; 8])> {
    let all = values::<F>(bound, seed);
    let n = all.len();
    (0..n)
        .map(|i| {
            let big: [BigUint; 8] =
                core::array::from_fn(|lane| all[(i + lane * stride) % n].clone());
            (core::array::from_fn(|lane| to_limbs(&big[lane])), big)
        })
        .collect()
}

/// All operations on operands below 8p and 8p (7p where the sum must stay below 16p).
struct Ops<'a, F>(&'a Values, &'a Values, core::marker::PhantomData<F>);

struct Results {
    mul: [Values; 3],
    add: Values,
    sub: Values,
    sub2: Values,
    neg: Values,
    reduce: Values,
    canonical: Values,
    zero: u8,
}

impl<I: Isa, F: PrimeField> Kernel<I> for Ops<'_, F> {
    type Output = Results;
    #[inline(always)]
    fn run(self, isa: I) -> Results {
        type L<I, F, const B: u64> = Lanes<<I as Isa>::Word, F, 5, B>;
        let a = L::<I, F, 8>::from_values(isa, self.0);
        let b = L::<I, F, 8>::from_values(isa, self.1);
        let [m0, m1] = mul_many([&a, &b], [&b, &b]);
        let sum: L<I, F, 16> = a.add(&b);
        let difference: L<I, F, 16> = a.sub(&b);
        let difference2: L<I, F, 24> = a.sub2(&b, &b);
        let negative: L<I, F, 9> = a.neg();
        Results {
            mul: [a.mul(&b).to_values(), m0.to_values(), m1.to_values()],
            add: sum.to_values(),
            sub: difference.to_values(),
            sub2: difference2.to_values(),
            neg: negative.to_values(),
            reduce: a.reduce().to_values(),
            canonical: a.reduce().canonical().to_values(),
            zero: a.zero_mask(),
        }
    }
}

fn check<I: Isa, F: PrimeField>(isa: I) {
    let p = modulus::<F>();
    let r_inverse = (BigUint::from(1u32) << 260u32).modinv(&p).unwrap();
    for (stride, seed) in [(1, 3), (5, 77)] {
        let left = packs::<F>(8, seed, stride);
        let right = packs::<F>(8, seed + 1, stride + 2);
        for (shift, (a, x)) in left.iter().enumerate() {
            let (b, y) = &right[(shift * 7 + stride) % right.len()];
            let got = isa.run(Ops::<F>(a, b, core::marker::PhantomData));
            for i in 0..8 {
                let residue = |v: &Values| from_limbs(&v[i]) % &p;
                let below = |v: &Values, k: u32| from_limbs(&v[i]) < &p * k;
                let (x, y) = (&x[i], &y[i]);
                let product = x * y * &r_inverse % &p;
                assert_eq!(residue(&got.mul[0]), product, "{x:x} * {y:x}");
                assert_eq!(residue(&got.mul[1]), product);
                assert_eq!(residue(&got.mul[2]), y * y * &r_inverse % &p);
                assert!(got.mul.iter().all(|v| below(v, 2)));
                assert_eq!(from_limbs(&got.add[i]), x + y);
                assert_eq!(from_limbs(&got.sub[i]), x + &p * 8u32 - y);
                assert_eq!(from_limbs(&got.sub2[i]), x + &p * 16u32 - y - y);
                assert_eq!(from_limbs(&got.neg[i]), &p * 8u32 - x);
                assert_eq!(residue(&got.reduce), x % &p, "reduce {x:x}");
                assert!(below(&got.reduce, 2), "reduce {x:x}");
                assert_eq!(from_limbs(&got.canonical[i]), x % &p);
                assert_eq!(got.zero >> i & 1 == 1, x % &p == BigUint::ZERO, "{x:x}");
            }
        }
    }
}

#[test]
fn portable_fp() {
    check::<_, Fp>(Portable);
}

#[test]
fn portable_fr() {
    check::<_, Fr>(Portable);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn ifma_both_fields() {
    match zkria_simd::Ifma::detect() {
        Some(ifma) => {
            check::<_, Fp>(ifma);
            check::<_, Fr>(ifma);
        }
        None => zkria_testkit::skip("AVX-512 IFMA", "this CPU lacks it"),
    }
}

/// Products of the widest factors that the types allow (84 = 12 * 7), carry attacks included.
#[test]
fn the_widest_factors() {
    type L<const B: u64> = Lanes<<Portable as Isa>::Word, Fp, 5, B>;
    let p = modulus::<Fp>();
    let r_inverse = (BigUint::from(1u32) << 260u32).modinv(&p).unwrap();
    let right = packs::<Fp>(7, 5, 3);
    for (k, (a, x)) in packs::<Fp>(12, 9, 1).iter().enumerate() {
        let (b, y) = &right[k * 11 % right.len()];
        let product = L::<12>::from_values(Portable, a).mul(&L::<7>::from_values(Portable, b));
        for (i, value) in product.to_values().iter().enumerate() {
            let value = from_limbs(value);
            assert!(value < &p * 2u32);
            assert_eq!(value % &p, &x[i] * &y[i] * &r_inverse % &p);
        }
    }
    let zero = L::<12>::zero(Portable);
    assert_eq!(zero.mul(&L::<7>::zero(Portable)).zero_mask(), 0xff);
    let word = <Portable as Isa>::Word::splat(Portable, 1);
    assert_eq!(
        zero.select(0x0f, &L::splat(Portable, &[1, 0, 0, 0, 0]))
            .limbs()[0]
            .eq_mask(word),
        0x0f
    );
}
