//! Carry arithmetic on little-endian 64-bit limbs. Everything is `const fn`, so that the
//! Montgomery constants of a modulus are derived at compile time from the modulus alone.

/// `a + b + carry`, with `carry` 0 or 1: sum and carry out.
#[inline(always)]
pub(crate) const fn adc(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (s, c0) = a.overflowing_add(b);
    let (s, c1) = s.overflowing_add(carry as u64);
    (s, c0 | c1)
}

/// `a - b - borrow`, with `borrow` 0 or 1: difference and borrow out.
#[inline(always)]
pub(crate) const fn sbb(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (d, b0) = a.overflowing_sub(b);
    let (d, b1) = d.overflowing_sub(borrow as u64);
    (d, b0 | b1)
}

/// `t + a * b + carry`, which always fits 128 bits: low and high word.
#[inline(always)]
pub(crate) const fn mac(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let r = t as u128 + a as u128 * b as u128 + carry as u128;
    (r as u64, (r >> 64) as u64)
}

/// `a + b` without reduction, and the carry out of bit 255.
#[inline(always)]
pub(crate) const fn add(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (r0, c) = adc(a[0], b[0], false);
    let (r1, c) = adc(a[1], b[1], c);
    let (r2, c) = adc(a[2], b[2], c);
    let (r3, c) = adc(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// `a - b` modulo `2^256`, and the borrow.
#[inline(always)]
pub(crate) const fn sub(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (r0, c) = sbb(a[0], b[0], false);
    let (r1, c) = sbb(a[1], b[1], c);
    let (r2, c) = sbb(a[2], b[2], c);
    let (r3, c) = sbb(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// `a` if `a < p`, otherwise `a - p`; the caller knows `a < 2p`.
#[inline(always)]
pub(crate) const fn reduce_once(a: [u64; 4], p: &[u64; 4]) -> [u64; 4] {
    let (d, borrow) = sub(&a, p);
    // A mask rather than a branch: the outcome is as good as random.
    let keep = (borrow as u64).wrapping_neg();
    [
        d[0] ^ (keep & (d[0] ^ a[0])),
        d[1] ^ (keep & (d[1] ^ a[1])),
        d[2] ^ (keep & (d[2] ^ a[2])),
        d[3] ^ (keep & (d[3] ^ a[3])),
    ]
}

/// Whether `a < b`.
pub(crate) const fn less(a: &[u64; 4], b: &[u64; 4]) -> bool {
    sub(a, b).1
}

/// `2^k mod p` by `k` doublings, for `p < 2^255`.
pub(crate) const fn pow2_mod(k: u32, p: &[u64; 4]) -> [u64; 4] {
    let mut r = [1, 0, 0, 0];
    let mut i = 0;
    while i < k {
        let (d, _) = add(&r, &r);
        r = reduce_once(d, p);
        i += 1;
    }
    r
}

/// `-p^-1 mod 2^64` for odd `p`, by Newton's iteration (each step doubles the correct bits).
pub(crate) const fn neg_inv64(p: u64) -> u64 {
    let mut x: u64 = 1;
    let mut i = 0;
    while i < 6 {
        x = x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x)));
        i += 1;
    }
    x.wrapping_neg()
}

/// Number of bits of `a` (0 for zero).
pub(crate) const fn bits(a: &[u64; 4]) -> u32 {
    let mut i = 4;
    while i > 0 {
        i -= 1;
        if a[i] != 0 {
            return 64 * (i as u32) + 64 - a[i].leading_zeros();
        }
    }
    0
}
