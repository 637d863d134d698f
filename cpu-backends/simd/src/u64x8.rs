//! What a vector of eight 64-bit words can do, whatever the CPU.

/// Eight 64-bit lanes.
///
/// A value exists only where its instructions may run, since making the first one takes an
/// [`U64x8::Cpu`]; so no operation is unsafe. Arithmetic wraps modulo `2^64` in each lane.
pub trait U64x8: Copy + Send + Sync + 'static {
    /// Proof that the CPU has the instructions.
    type Cpu: Copy + Send + Sync + 'static;

    /// The proof that this value carries.
    fn cpu(self) -> Self::Cpu;
    /// `x` in every lane.
    fn splat(cpu: Self::Cpu, x: u64) -> Self;
    /// Lane `i` is `words[i]`.
    fn load(cpu: Self::Cpu, words: &[u64; 8]) -> Self;
    /// `words[i]` becomes lane `i`.
    fn store(self, words: &mut [u64; 8]);
    /// `self + rhs`.
    fn add(self, rhs: Self) -> Self;
    /// `self - rhs`.
    fn sub(self, rhs: Self) -> Self;
    /// Bitwise and.
    fn and(self, rhs: Self) -> Self;
    /// Bitwise or.
    fn or(self, rhs: Self) -> Self;
    /// Shift left by `K < 64` bits.
    fn shl<const K: u32>(self) -> Self;
    /// Shift right by `K < 64` bits, zeros from above.
    fn shr<const K: u32>(self) -> Self;
    /// Shift right by `K < 64` bits, the sign from above.
    fn sar<const K: u32>(self) -> Self;
    /// The upper 64 bits of `(self : low) << K`, `0 < K < 64`.
    fn funnel<const K: u32>(self, low: Self) -> Self;
    /// `self + (a * b mod 2^52)` of the low 52 bits of `a` and `b`.
    fn madd52lo(self, a: Self, b: Self) -> Self;
    /// `self + floor(a * b / 2^52)` of the low 52 bits of `a` and `b`.
    fn madd52hi(self, a: Self, b: Self) -> Self;
    /// Lane `i` is lane `index[i] mod 8` of `self`.
    fn permute(self, index: Self) -> Self;
    /// Lane `i` of `other` where bit `i` of `mask` is set, else of `self`.
    fn select(self, mask: u8, other: Self) -> Self;
    /// Bit `i` is set where the lanes are equal.
    fn eq_mask(self, rhs: Self) -> u8;
    /// Lane `i` of result `j` is lane `j` of `rows[i]`.
    fn transpose(rows: [Self; 8]) -> [Self; 8];
}

/// One way to run kernels: a set of CPU features, proved present by the value.
pub trait Isa: Copy + Send + Sync + 'static {
    /// Its vectors.
    type Word: U64x8<Cpu = Self>;
    /// Name in reports and in `ZKRIA_CPU`.
    const NAME: &'static str;
    /// Runs `kernel` compiled for these features.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;
}

/// A piece of work for [`Isa::run`]; a struct rather than a closure, because only an
/// `#[inline(always)]` body is compiled for the features of its caller.
pub trait Kernel<I: Isa> {
    /// What it returns.
    type Output;
    /// The work; implementations must be `#[inline(always)]`.
    fn run(self, isa: I) -> Self::Output;
}
