//! Modular inversion by divsteps ("safegcd"), the variable-time form: 62 division steps at a
//! time on the low words, then one matrix step on the whole numbers. About a hundred products'
//! worth of time, which a batch shares.
//!
//! Numbers here are five signed limbs of 62 bits. `f` starts as the modulus and `g` as the
//! value; `d` and `e` follow them so that `d*value = f` and `e*value = g` modulo the modulus.
//!
//! Source: Bernstein and Yang 2019, "Fast constant-time gcd computation and modular inversion",
//! arranged as in libsecp256k1's `modinv64` (Dettman, Wuille).

use crate::limbs::neg_inv64;

const M62: u64 = u64::MAX >> 2;

/// A modulus in the form the inversion wants.
#[derive(Clone, Copy)]
pub(crate) struct Modulus {
    limbs: Signed62,
    /// `p^-1 mod 2^62`.
    inv62: u64,
}

type Signed62 = [i64; 5];

impl Modulus {
    pub(crate) const fn new(p: &[u64; 4]) -> Self {
        Self {
            limbs: to_signed62(p),
            inv62: neg_inv64(p[0]).wrapping_neg() & M62,
        }
    }
}

/// `value^-1 mod p`, canonical, for `0 < value < p` with `p` prime and below `2^255`.
pub(crate) fn invert(value: &[u64; 4], modulus: &Modulus) -> [u64; 4] {
    let mut d: Signed62 = [0; 5];
    let mut e: Signed62 = [1, 0, 0, 0, 0];
    let mut f = modulus.limbs;
    let mut g = to_signed62(value);
    let mut len = 5;
    let mut eta = -1i64;
    loop {
        let (next_eta, step) = divsteps(eta, f[0] as u64, g[0] as u64);
        eta = next_eta;
        update_de(&mut d, &mut e, &step, modulus);
        update_fg(len, &mut f, &mut g, &step);
        if g[..len].iter().all(|&limb| limb == 0) {
            break;
        }
        // Drop the top limb of both once it holds nothing but sign.
        let (top_f, top_g) = (f[len - 1], g[len - 1]);
        if len >= 2 && top_f ^ (top_f >> 63) == 0 && top_g ^ (top_g >> 63) == 0 {
            f[len - 2] |= ((top_f as u64) << 62) as i64;
            g[len - 2] |= ((top_g as u64) << 62) as i64;
            len -= 1;
        }
    }
    // f is now +1 or -1, and d * value = f.
    normalize(&mut d, f[len - 1] < 0, modulus);
    from_signed62(&d)
}

const fn to_signed62(a: &[u64; 4]) -> Signed62 {
    [
        (a[0] & M62) as i64,
        ((a[0] >> 62 | a[1] << 2) & M62) as i64,
        ((a[1] >> 60 | a[2] << 4) & M62) as i64,
        ((a[2] >> 58 | a[3] << 6) & M62) as i64,
        (a[3] >> 56) as i64,
    ]
}

fn from_signed62(a: &Signed62) -> [u64; 4] {
    let [a0, a1, a2, a3, a4] = a.map(|limb| limb as u64);
    [
        a0 | a1 << 62,
        a1 >> 2 | a2 << 60,
        a2 >> 4 | a3 << 58,
        a3 >> 6 | a4 << 56,
    ]
}

/// 62 division steps as a matrix, scaled by `2^62`: `(f, g) -> (u*f + v*g, q*f + r*g) / 2^62`.
struct Step {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

/// 62 division steps on the low words of `f` (odd) and `g`; returns the new `eta`.
#[inline]
fn divsteps(mut eta: i64, f: u64, g: u64) -> (i64, Step) {
    let (mut f, mut g) = (f, g);
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    let mut left = 62u32;
    loop {
        // All trailing zeros of g in one go; the guard bit stops at the steps that are left.
        let zeros = (g | u64::MAX << left).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= i64::from(zeros);
        left -= zeros;
        if left == 0 {
            break;
        }
        let negative = eta < 0;
        if negative {
            eta = -eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
        }
        // Cancel as many low bits of g as eta and the steps left allow, by a multiple of f.
        let limit = (eta + 1).min(i64::from(left)) as u32;
        let mask = u64::MAX >> (64 - limit);
        let w = if negative {
            // -g/f to six bits: f^-1 = f*(2 - f*f) to six bits for odd f.
            let neg_inv = f.wrapping_mul(f.wrapping_mul(f).wrapping_sub(2));
            neg_inv.wrapping_mul(g) & mask & 63
        } else {
            // Four bits are all that eta usually leaves here: -f^-1 to four bits.
            let inv = f.wrapping_add((f.wrapping_add(1) & 4) << 1);
            inv.wrapping_neg().wrapping_mul(g) & mask & 15
        };
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
    let step = Step {
        u: u as i64,
        v: v as i64,
        q: q as i64,
        r: r as i64,
    };
    (eta, step)
}

#[inline(always)]
fn prod(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// `(d, e) <- step * (d, e) / 2^62 mod p`, both staying in `(-2p, p)`.
#[inline]
fn update_de(d: &mut Signed62, e: &mut Signed62, step: &Step, modulus: &Modulus) {
    let &Step { u, v, q, r } = step;
    let p = &modulus.limbs;
    let (sd, se) = (d[4] >> 63, e[4] >> 63);
    // Multiples of p that make the result divisible by 2^62 and keep it in range.
    let mut md = (u & sd).wrapping_add(v & se);
    let mut me = (q & sd).wrapping_add(r & se);
    let mut cd = prod(u, d[0]) + prod(v, e[0]);
    let mut ce = prod(q, d[0]) + prod(r, e[0]);
    let fix = |c: i128, m: i64| {
        (modulus.inv62.wrapping_mul(c as u64).wrapping_add(m as u64) & M62) as i64
    };
    md -= fix(cd, md);
    me -= fix(ce, me);
    cd += prod(p[0], md);
    ce += prod(p[0], me);
    cd >>= 62;
    ce >>= 62;
    for i in 1..5 {
        cd += prod(u, d[i]) + prod(v, e[i]) + prod(p[i], md);
        ce += prod(q, d[i]) + prod(r, e[i]) + prod(p[i], me);
        d[i - 1] = (cd as u64 & M62) as i64;
        e[i - 1] = (ce as u64 & M62) as i64;
        cd >>= 62;
        ce >>= 62;
    }
    d[4] = cd as i64;
    e[4] = ce as i64;
}

/// `(f, g) <- step * (f, g) / 2^62`, exact, on the low `len` limbs.
#[inline]
fn update_fg(len: usize, f: &mut Signed62, g: &mut Signed62, step: &Step) {
    let &Step { u, v, q, r } = step;
    let mut cf = (prod(u, f[0]) + prod(v, g[0])) >> 62;
    let mut cg = (prod(q, f[0]) + prod(r, g[0])) >> 62;
    for i in 1..len {
        cf += prod(u, f[i]) + prod(v, g[i]);
        cg += prod(q, f[i]) + prod(r, g[i]);
        f[i - 1] = (cf as u64 & M62) as i64;
        g[i - 1] = (cg as u64 & M62) as i64;
        cf >>= 62;
        cg >>= 62;
    }
    f[len - 1] = cf as i64;
    g[len - 1] = cg as i64;
}

/// Brings `d` from `(-2p, p)` to `[0, p)`, negating first when asked.
fn normalize(d: &mut Signed62, negate: bool, modulus: &Modulus) {
    let p = &modulus.limbs;
    let add_p_if_negative = |d: &mut Signed62| {
        let mask = d[4] >> 63;
        for i in 0..5 {
            d[i] += p[i] & mask;
        }
    };
    let carry = |d: &mut Signed62| {
        for i in 0..4 {
            d[i + 1] += d[i] >> 62;
            d[i] &= M62 as i64;
        }
    };
    add_p_if_negative(d);
    if negate {
        for limb in d.iter_mut() {
            *limb = -*limb;
        }
    }
    carry(d);
    add_p_if_negative(d);
    carry(d);
}
