//! Field elements on eight lanes, with the bound of their values in the type.
//!
//! `Lanes<W, F, L, B>` holds eight values below `B p`, in Montgomery form `R = 2^(52 L)`, each in
//! `L` limbs of 52 bits; limbs are normalised (below `2^52`), values need not be reduced. A product
//! is below `2p` whatever lazy factors went in, as long as the product of their bounds is within
//! [`Radix52::MUL_BOUND`]; bounds that do not fit are compile errors. See `docs/ifma.md`.

use core::array::from_fn;
use core::marker::PhantomData;

use crate::radix52::{M52, Radix52, multiple};
use crate::u64x8::U64x8;

/// Eight field elements below `B p`; see the module text.
pub struct Lanes<W, F, const L: usize, const B: u64> {
    limbs: [W; L],
    field: PhantomData<fn() -> F>,
}

impl<W: Copy, F, const L: usize, const B: u64> Clone for Lanes<W, F, L, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Copy, F, const L: usize, const B: u64> Copy for Lanes<W, F, L, B> {}

impl<W: U64x8, F: Radix52<L>, const L: usize, const B: u64> Lanes<W, F, L, B> {
    #[inline(always)]
    fn raw(limbs: [W; L]) -> Self {
        Self {
            limbs,
            field: PhantomData,
        }
    }

    /// From limbs that are below `2^52` and whose values are below `B p`: the caller's promise,
    /// asserted in debug builds.
    #[inline(always)]
    pub fn from_limbs(limbs: [W; L]) -> Self {
        let out = Self::raw(limbs);
        out.debug_check();
        out
    }

    /// The limbs.
    #[inline(always)]
    pub fn limbs(&self) -> [W; L] {
        self.limbs
    }

    /// The value with these limbs in every lane, `limbs` below `B p`.
    #[inline(always)]
    pub fn splat(cpu: W::Cpu, limbs: &[u64; L]) -> Self {
        Self::from_limbs(limbs.map(|limb| W::splat(cpu, limb)))
    }

    /// Zero in every lane.
    #[inline(always)]
    pub fn zero(cpu: W::Cpu) -> Self {
        Self::raw([W::splat(cpu, 0); L])
    }

    #[inline(always)]
    fn word(&self, x: u64) -> W {
        W::splat(self.limbs[0].cpu(), x)
    }

    /// Every limb below `2^52`, every value below `B p`.
    #[inline(always)]
    fn debug_check(&self) {
        if cfg!(debug_assertions) {
            let bound = multiple(&F::P, B);
            for value in self.to_values() {
                assert!(value.iter().all(|&limb| limb <= M52), "limbs: {value:x?}");
                assert!(
                    value.iter().rev().lt(bound.iter().rev()),
                    "a value at or above {B} p: {value:x?}"
                );
            }
        }
    }

    /// The eight values' limbs.
    pub fn to_values(&self) -> [[u64; L]; 8] {
        let mut words = [[0; 8]; L];
        for (limb, out) in self.limbs.iter().zip(&mut words) {
            limb.store(out);
        }
        from_fn(|lane| from_fn(|j| words[j][lane]))
    }

    /// From eight values' limbs, below `B p`.
    pub fn from_values(cpu: W::Cpu, values: &[[u64; L]; 8]) -> Self {
        Self::from_limbs(from_fn(|j| W::load(cpu, &from_fn(|lane| values[lane][j]))))
    }

    /// The same values under a wider bound.
    #[inline(always)]
    pub fn widen<const C: u64>(self) -> Lanes<W, F, L, C> {
        const { assert!(C >= B, "the wider bound must not be smaller") }
        Lanes::raw(self.limbs)
    }

    /// `self * rhs / R mod p`, below `2p`.
    #[inline(always)]
    pub fn mul<const C: u64>(&self, rhs: &Lanes<W, F, L, C>) -> Lanes<W, F, L, 2> {
        let [out] = mul_many([self], [rhs]);
        out
    }

    /// `self + rhs`; the bound `D` must hold the sum.
    #[inline(always)]
    pub fn add<const C: u64, const D: u64>(&self, rhs: &Lanes<W, F, L, C>) -> Lanes<W, F, L, D> {
        const { assert!(B + C <= D, "the sum may pass its bound") }
        const { assert!(D <= F::MUL_BOUND, "the top limb may pass 52 bits") }
        normalize(from_fn(|j| self.limbs[j].add(rhs.limbs[j])))
    }

    /// `self - rhs + C p`, where `C` is the bound of `rhs`; the bound `D` must hold it.
    #[inline(always)]
    pub fn sub<const C: u64, const D: u64>(&self, rhs: &Lanes<W, F, L, C>) -> Lanes<W, F, L, D> {
        const { assert!(B + C <= D, "the difference may pass its bound") }
        const { assert!(D <= F::MUL_BOUND, "the top limb may pass 52 bits") }
        let offset = const { multiple(&F::P, C) };
        normalize(from_fn(|j| {
            self.limbs[j].add(self.word(offset[j])).sub(rhs.limbs[j])
        }))
    }

    /// `self - a - b + (A + C) p` with one carry chain.
    #[inline(always)]
    pub fn sub2<const A: u64, const C: u64, const D: u64>(
        &self,
        a: &Lanes<W, F, L, A>,
        b: &Lanes<W, F, L, C>,
    ) -> Lanes<W, F, L, D> {
        const { assert!(A + B + C <= D, "the difference may pass its bound") }
        const { assert!(D <= F::MUL_BOUND, "the top limb may pass 52 bits") }
        let offset = const { multiple(&F::P, A + C) };
        normalize(from_fn(|j| {
            let plus = self.limbs[j].add(self.word(offset[j]));
            plus.sub(a.limbs[j]).sub(b.limbs[j])
        }))
    }

    /// `C p - self`, for `C >= B`: the negative, at most `C p`. It is `C p` itself only for zero,
    /// so a bound of `C + 1` is what the type says.
    #[inline(always)]
    pub fn neg<const C: u64>(&self) -> Lanes<W, F, L, C> {
        const { assert!(B < C, "the negative may pass its bound") }
        let offset = const { multiple(&F::P, C - 1) };
        normalize(from_fn(|j| self.word(offset[j]).sub(self.limbs[j])))
    }

    /// The same residues below `2p`; `B` at most 8.
    ///
    /// The estimate `q` of the quotient comes from the top limb and is too small by less than 2
    /// and never too large.
    #[inline(always)]
    pub fn reduce(&self) -> Lanes<W, F, L, 2> {
        const { assert!(B <= 8, "the table has eight multiples") }
        let inverse = const { (1u64 << 52) / (F::P[L - 1] + 1) };
        let q = self.word(0).madd52hi(self.limbs[L - 1], self.word(inverse));
        normalize(from_fn(|j| {
            let table = W::load(q.cpu(), &F::MULTIPLES[j]);
            self.limbs[j].sub(table.permute(q))
        }))
    }

    /// The canonical residues below `p`; `B` at most 2.
    #[inline(always)]
    pub fn canonical(&self) -> Lanes<W, F, L, 1> {
        const { assert!(B <= 2, "one subtraction must do") }
        let less: [W; L] = from_fn(|j| self.limbs[j].sub(self.word(F::P[j])));
        let less = carries(less);
        let negative = less[L - 1].sar::<63>().eq_mask(self.word(u64::MAX));
        Lanes::from_limbs(from_fn(|j| less[j].select(negative, self.limbs[j])))
    }

    /// Bit `i` is set where lane `i` is zero modulo p.
    #[inline(always)]
    pub fn zero_mask(&self) -> u8 {
        let mut mask = 0;
        for k in 0..B {
            let value = multiple(&F::P, k);
            mask |= (0..L).fold(u8::MAX, |m, j| {
                m & self.limbs[j].eq_mask(self.word(value[j]))
            });
        }
        mask
    }

    /// Lane `i` of `other` where bit `i` of `mask` is set.
    #[inline(always)]
    pub fn select(&self, mask: u8, other: &Self) -> Self {
        Self::raw(from_fn(|j| self.limbs[j].select(mask, other.limbs[j])))
    }
}

impl<W: U64x8, F: Radix52<5>, const B: u64> Lanes<W, F, 5, B> {
    /// From the four 64-bit words of eight values below `B p`, lane by lane.
    #[inline(always)]
    pub fn from_words(w: [W; 4]) -> Self {
        const { assert!(B <= words_bound::<F>(), "the value may pass 256 bits") }
        let mask = W::splat(w[0].cpu(), M52);
        Self::from_limbs([
            w[0].and(mask),
            w[1].funnel::<12>(w[0]).and(mask),
            w[2].funnel::<24>(w[1]).and(mask),
            w[3].funnel::<36>(w[2]).and(mask),
            w[3].shr::<16>(),
        ])
    }

    /// The four 64-bit words of the eight values.
    #[inline(always)]
    pub fn to_words(&self) -> [W; 4] {
        const { assert!(B <= words_bound::<F>(), "the value may pass 256 bits") }
        let l = &self.limbs;
        [
            l[0].or(l[1].shl::<52>()),
            l[1].shr::<12>().or(l[2].shl::<40>()),
            l[2].shr::<24>().or(l[3].shl::<28>()),
            l[3].shr::<36>().or(l[4].shl::<16>()),
        ]
    }
}

/// The largest `B` for which values below `B p` have 256 bits.
const fn words_bound<F: Radix52<5>>() -> u64 {
    (1 << 48) / (F::P[4] + 1)
}

/// Limbs that lie between `-2^63` and `2^63` with the carries passed on; the top limb keeps what
/// comes.
#[inline(always)]
fn carries<W: U64x8, const L: usize>(mut limbs: [W; L]) -> [W; L] {
    let mask = W::splat(limbs[0].cpu(), M52);
    for j in 0..L - 1 {
        limbs[j + 1] = limbs[j + 1].add(limbs[j].sar::<52>());
        limbs[j] = limbs[j].and(mask);
    }
    limbs
}

#[inline(always)]
fn normalize<W: U64x8, F: Radix52<L>, const L: usize, const B: u64>(
    limbs: [W; L],
) -> Lanes<W, F, L, B> {
    Lanes::from_limbs(carries(limbs))
}

/// `N` independent Montgomery products, interleaved so that one waits for no other:
/// `a[n] * b[n] / R mod p`, each below `2p`.
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "limb and product numbers, as in the formula"
)]
pub fn mul_many<
    W: U64x8,
    F: Radix52<L>,
    const L: usize,
    const A: u64,
    const B: u64,
    const N: usize,
>(
    a: [&Lanes<W, F, L, A>; N],
    b: [&Lanes<W, F, L, B>; N],
) -> [Lanes<W, F, L, 2>; N] {
    const { assert!(A * B <= F::MUL_BOUND, "the product may pass 2p") }
    let cpu = a[0].limbs[0].cpu();
    let zero = W::splat(cpu, 0);
    let n0 = W::splat(cpu, F::N0);
    let p = F::P.map(|limb| W::splat(cpu, limb));
    // Each word collects at most four products below 2^52 a round and shifts down after it:
    // with the carry it stays below 2^57 for L <= 8.
    let mut t = [[zero; L]; N];
    for i in 0..L {
        let mut m = [zero; N];
        for n in 0..N {
            t[n][0] = t[n][0].madd52lo(a[n].limbs[0], b[n].limbs[i]);
            m[n] = zero.madd52lo(t[n][0], n0);
        }
        for j in 1..L {
            for n in 0..N {
                t[n][j] = t[n][j].madd52lo(a[n].limbs[j], b[n].limbs[i]);
            }
        }
        for j in 0..L {
            for n in 0..N {
                t[n][j] = t[n][j].madd52lo(m[n], p[j]);
            }
        }
        for n in 0..N {
            // The low 52 bits of t[0] are zero now.
            t[n][1] = t[n][1].add(t[n][0].shr::<52>());
            for j in 0..L - 1 {
                t[n][j] = t[n][j + 1];
            }
            t[n][L - 1] = zero;
        }
        for j in 0..L {
            for n in 0..N {
                t[n][j] = t[n][j].madd52hi(a[n].limbs[j], b[n].limbs[i]);
            }
        }
        for j in 0..L {
            for n in 0..N {
                t[n][j] = t[n][j].madd52hi(m[n], p[j]);
            }
        }
    }
    t.map(|limbs| normalize(limbs))
}
