//! The instructions against the portable twin, to the bit.

use zkria_simd::U64x8;

/// Words at every border: of 52 and 64 bits, of signs, of counts.
fn words() -> Vec<u64> {
    let mut out = vec![0, 1, 2, 7, u64::MAX, u64::MAX - 1];
    for k in [11, 12, 13, 24, 36, 51, 52, 53, 62, 63] {
        let bit = 1u64 << k;
        out.extend([bit - 1, bit, bit + 1, bit.wrapping_neg(), !bit]);
    }
    // A fixed xorshift: no two runs differ.
    let mut x = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..200 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        out.push(x);
    }
    out
}

/// Everything that the trait can do, on three vectors and one mask.
fn all<W: U64x8>(cpu: W::Cpu, [a, b, c]: [[u64; 8]; 3], mask: u8) -> Vec<[u64; 8]> {
    let [x, y, z] = [a, b, c].map(|v| W::load(cpu, &v));
    let mut out = vec![
        W::splat(x.cpu(), a[0]),
        x,
        x.add(y),
        x.sub(y),
        x.and(y),
        x.or(y),
        x.shl::<1>(),
        x.shl::<52>(),
        x.shr::<52>(),
        x.shr::<63>(),
        x.sar::<52>(),
        x.sar::<63>(),
        x.funnel::<12>(y),
        x.funnel::<24>(y),
        x.funnel::<36>(y),
        x.funnel::<1>(y),
        x.funnel::<63>(y),
        x.madd52lo(y, z),
        x.madd52hi(y, z),
        x.permute(y),
        x.select(mask, y),
        W::splat(cpu, u64::from(x.eq_mask(y))),
        W::splat(cpu, u64::from(x.eq_mask(x.select(mask, y)))),
    ];
    let rows = [x, y, z, x.add(y), y.add(z), x.sub(z), x.or(z), y.and(z)];
    out.extend(W::transpose(rows));
    out.iter()
        .map(|w| {
            let mut words = [0; 8];
            w.store(&mut words);
            words
        })
        .collect()
}

/// Vectors that bring every word next to many others.
fn inputs() -> impl Iterator<Item = ([[u64; 8]; 3], u8)> {
    let words = words();
    let n = words.len();
    (0..n * 16).map(move |i| {
        let (at, stride) = (i % n, i / n + 1);
        let vector =
            |k: usize| core::array::from_fn(|lane| words[(at + lane * stride + k * (i + 7)) % n]);
        ([vector(0), vector(1), vector(2)], (i * 37) as u8)
    })
}

#[cfg(target_arch = "x86_64")]
#[test]
fn every_instruction_equals_its_twin() {
    use zkria_simd::{Ifma, IfmaU64x8, Isa, Kernel, Portable, PortableU64x8};

    /// Entered with the features on, as kernels are.
    struct All([[u64; 8]; 3], u8);
    impl<I: Isa> Kernel<I> for All {
        type Output = Vec<[u64; 8]>;
        #[inline(always)]
        fn run(self, isa: I) -> Vec<[u64; 8]> {
            all::<I::Word>(isa, self.0, self.1)
        }
    }

    let Some(ifma) = Ifma::detect() else {
        zkria_testkit::skip("AVX-512 IFMA", "this CPU lacks it");
        return;
    };
    for (vectors, mask) in inputs() {
        let expected = all::<PortableU64x8>(Portable, vectors, mask);
        assert_eq!(
            ifma.run(All(vectors, mask)),
            expected,
            "{vectors:x?} {mask:x}"
        );
        assert_eq!(all::<IfmaU64x8>(ifma, vectors, mask), expected);
    }
}

#[test]
fn the_portable_twin_by_definition() {
    use num_bigint::BigUint;
    use zkria_simd::{Portable, PortableU64x8};

    let low = |x: u64| BigUint::from(x & ((1 << 52) - 1));
    for ([a, b, c], mask) in inputs() {
        let out = all::<PortableU64x8>(Portable, [a, b, c], mask);
        for i in 0..8 {
            let wide = (u128::from(a[i]) << 64 | u128::from(b[i])) << 12 >> 64;
            assert_eq!(out[12][i], wide as u64);
            let product = low(b[i]) * low(c[i]);
            let at = |shift: u32| u64::try_from((&product >> shift) % (1u64 << 52)).unwrap();
            assert_eq!(out[17][i], a[i].wrapping_add(at(0)));
            assert_eq!(out[18][i], a[i].wrapping_add(at(52)));
            assert_eq!(out[19][i], a[(b[i] % 8) as usize]);
            assert_eq!(out[20][i], if mask >> i & 1 == 1 { b[i] } else { a[i] });
            // The first three rows are the inputs themselves.
            if let Some(row) = [a, b, c].get(i) {
                for (j, word) in row.iter().enumerate() {
                    assert_eq!(out[23 + j][i], *word);
                }
            }
        }
    }
}
