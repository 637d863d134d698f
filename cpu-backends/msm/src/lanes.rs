//! The adder on eight lanes: eight pairs of points a vector, two vectors at a time, one inversion
//! for all pairs of a call.
//!
//! Points are rows of 64 bytes, one cache line: x then y as four words each, in Montgomery form
//! `R = 2^260`, below `2p`. Eight rows are turned into lanes by a transposition in registers.
//!
//! Pairs without an addition formula (equal, opposite, infinite points) make the product of all
//! denominators zero, or come after a cancellation that was seen. Only then the slower variant
//! runs, which finds such pairs lane by lane, doubles with the same inversion, and is exact in
//! every case. Oracle: the `AffineAdder` and `zkria-golden`, on both twins of the lanes.

use std::sync::LazyLock;

use zkria_field::{Affine, Field, Group, PrimeField, batch_inverse};
use zkria_simd::{Isa, Kernel, Lanes, U64x8, from_radix52, mul_many, to_radix52};

use crate::accumulate::PairAdder;
use crate::scalars::sub;

/// x then y, four words each, times `2^260`, below `2p`; all zero for infinity.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Row([u64; 8]);

/// A group whose coordinates fit the rows: a prime base field of four words.
pub(crate) trait RowGroup: Group<Base: PrimeField> {
    /// `16^-1`.
    fn sixteenth() -> Self::Base;
}

impl RowGroup for zkria_field::bn254::G1 {
    fn sixteenth() -> Self::Base {
        static INVERSE: LazyLock<zkria_field::bn254::Fp> = LazyLock::new(|| {
            let sixteen = zkria_field::bn254::Fp::from(16u64);
            sixteen.inverse().expect("16 is not zero")
        });
        *INVERSE
    }
}

impl Row {
    fn words(&self) -> [[u64; 4]; 2] {
        let [a, b, c, d, e, f, g, h] = self.0;
        [[a, b, c, d], [e, f, g, h]]
    }
}

/// The element whose Montgomery words (`R = 2^256`) are `words`, below `2p`.
fn from_lazy_words<F: PrimeField>(words: &[u64; 4]) -> F {
    let (less, borrow) = sub(words, &F::MODULUS);
    let reduced = if borrow { *words } else { less };
    F::from_montgomery_limbs(reduced).expect("a value below 2p, less p where needed, is below p")
}

/// Eight base field elements below `B p`.
type Fe<I, G, const B: u64> = Lanes<<I as Isa>::Word, <G as Group>::Base, 5, B>;

/// Eight points.
struct Points<I: Isa, G: RowGroup> {
    x: Fe<I, G, 2>,
    y: Fe<I, G, 2>,
}

/// Lanes of a vector of pairs that have no plain addition, a bit a lane; no lane is in two.
#[derive(Clone, Copy, Default)]
struct Special {
    double: u8,
    cancel: u8,
    /// The first point is infinity.
    second: u8,
    /// The second point is infinity.
    first: u8,
}

/// Adds pairs of rows.
pub(crate) struct LaneAdder<I: Isa, G: RowGroup> {
    isa: I,
    pairs: Vec<(u32, u32)>,
    /// Denominators, a vector for eight pairs.
    slopes: Vec<Fe<I, G, 4>>,
    /// Product of all denominators before in the same chain.
    before: Vec<Fe<I, G, 2>>,
    /// Infinity may be among the points of the block.
    infinity: bool,
}

impl<I: Isa, G: RowGroup> PairAdder<G> for LaneAdder<I, G> {
    type Point = Row;
    type Cpu = I;
    /// A row and its share of the scratch take 104 bytes: fits 1 MiB.
    const BLOCK: usize = 8192;
    const INFINITY: Row = Row([0; 8]);

    fn new(isa: I, pairs: usize) -> Self {
        let vectors = pairs.div_ceil(8);
        Self {
            isa,
            pairs: Vec::with_capacity(pairs),
            slopes: Vec::with_capacity(vectors),
            before: Vec::with_capacity(vectors),
            infinity: false,
        }
    }

    #[inline(always)]
    fn is_infinity(point: &Row) -> bool {
        point.0 == [0; 8]
    }

    #[inline(always)]
    fn negate_if(point: &Row, negate: bool) -> Row {
        // y is not zero modulo p, so 2p - y is below 2p again.
        let [_, y] = point.words();
        let twice: [u64; 4] = core::array::from_fn(|i| {
            let p = &<G::Base as PrimeField>::MODULUS;
            p[i] << 1 | if i > 0 { p[i - 1] >> 63 } else { 0 }
        });
        let (negative, _) = sub(&twice, &y);
        let mask = u64::from(negate).wrapping_neg();
        let mut row = *point;
        for (word, negative) in row.0[4..].iter_mut().zip(negative) {
            *word ^= mask & (*word ^ negative);
        }
        row
    }

    /// From `2^256` to `2^260` is a factor of 16.
    fn encode(point: &Affine<G>) -> Row {
        let times_16 = |x: &G::Base| x.double().double().double().double();
        let mut row = [0; 8];
        row[..4].copy_from_slice(&times_16(&point.x).to_montgomery_limbs());
        row[4..].copy_from_slice(&times_16(&point.y).to_montgomery_limbs());
        Row(row)
    }

    fn decode(point: &Row) -> Affine<G> {
        let [x, y] = point.words();
        let sixteenth = G::sixteenth();
        Affine {
            x: from_lazy_words::<G::Base>(&x) * sixteenth,
            y: from_lazy_words::<G::Base>(&y) * sixteenth,
        }
    }

    fn pairs(&mut self) -> &mut Vec<(u32, u32)> {
        &mut self.pairs
    }

    fn begin_block(&mut self, identity: bool) {
        self.infinity = identity;
    }

    fn add_pairs(&mut self, points: &mut [Row]) {
        if !self.infinity && self.isa.run(AddPairs::<_, _, false>(self, points)) {
            return;
        }
        let done = self.isa.run(AddPairs::<_, _, true>(self, points));
        assert!(
            done,
            "with exceptions sorted out every denominator is non-zero"
        );
    }
}

/// Adds all pairs; `false`, with the points as they were, when a denominator is zero. `CHECKED`
/// sorts out exceptions, and then none is.
struct AddPairs<'a, A, P: ?Sized, const CHECKED: bool>(&'a mut A, &'a mut P);

impl<I: Isa, G: RowGroup, const CHECKED: bool> Kernel<I>
    for AddPairs<'_, LaneAdder<I, G>, [Row], CHECKED>
{
    type Output = bool;

    #[inline(always)]
    fn run(self, isa: I) -> bool {
        let Self(adder, points) = self;
        let LaneAdder {
            pairs,
            slopes,
            before,
            infinity,
            ..
        } = adder;
        let vectors = pairs.len().div_ceil(8);
        let one = one::<I, G>(isa);
        slopes.clear();
        before.clear();
        // Even vectors are chained in one product, odd ones in the other.
        let mut product = [one; 2];
        for v in (0..vectors - vectors % 2).step_by(2) {
            let slope = [0, 1].map(|k| denominator::<I, G, CHECKED>(isa, points, pairs, v + k));
            slopes.extend(slope);
            before.extend(product);
            let [p0, p1] = &product;
            let [s0, s1] = &slope;
            product = mul_many([p0, p1], [s0, s1]);
        }
        if vectors % 2 == 1 {
            let slope = denominator::<I, G, CHECKED>(isa, points, pairs, vectors - 1);
            slopes.push(slope);
            before.push(product[0]);
            product[0] = product[0].mul(&slope);
        }

        let Some(inverse) = invert::<I, G>(isa, &product[0].mul(&product[1])) else {
            return false;
        };
        let mut inverse = [inverse.mul(&product[1]), inverse.mul(&product[0])];

        let mut v = vectors;
        if v % 2 == 1 {
            v -= 1;
            let reciprocal = inverse[0].mul(&before[v]);
            inverse[0] = inverse[0].mul(&slopes[v]);
            *infinity |= add_vectors::<I, G, CHECKED, 1>(isa, points, pairs, v, [reciprocal]);
        }
        while v > 0 {
            v -= 2;
            let [i0, i1] = &inverse;
            let reciprocal = mul_many([i0, i1], [&before[v], &before[v + 1]]);
            inverse = mul_many([i0, i1], [&slopes[v], &slopes[v + 1]]);
            *infinity |= add_vectors::<I, G, CHECKED, 2>(isa, points, pairs, v, reciprocal);
        }
        true
    }
}

/// One in every lane.
#[inline(always)]
fn one<I: Isa, G: RowGroup>(isa: I) -> Fe<I, G, 2> {
    let row = G::Base::ONE.double().double().double().double();
    Fe::<I, G, 2>::splat(isa, &to_radix52(&row.to_montgomery_limbs()))
}

/// The pairs of vector `v`; a last vector that is not full repeats its last pair.
#[inline(always)]
fn of_vector(pairs: &[(u32, u32)], v: usize) -> [(u32, u32); 8] {
    let last = pairs.len() - 1;
    core::array::from_fn(|lane| pairs[(8 * v + lane).min(last)])
}

#[inline(always)]
fn load<I: Isa, G: RowGroup>(isa: I, points: &[Row], places: [u32; 8]) -> Points<I, G> {
    let rows = places.map(|at| I::Word::load(isa, &points[at as usize].0));
    let [x0, x1, x2, x3, y0, y1, y2, y3] = I::Word::transpose(rows);
    Points {
        x: Lanes::from_words([x0, x1, x2, x3]),
        y: Lanes::from_words([y0, y1, y2, y3]),
    }
}

/// Which lanes are no plain addition, for `dx = q.x - p.x`.
#[inline(always)]
fn special<I: Isa, G: RowGroup>(
    p: &Points<I, G>,
    q: &Points<I, G>,
    dx: &Fe<I, G, 4>,
    dy: &Fe<I, G, 4>,
) -> Special {
    // No point of the curve has both coordinates zero.
    let first = q.x.zero_mask() & q.y.zero_mask();
    let second = p.x.zero_mask() & p.y.zero_mask() & !first;
    let same_x = dx.zero_mask() & !first & !second;
    let double = same_x & dy.zero_mask() & !p.y.zero_mask();
    Special {
        double,
        cancel: same_x & !double,
        second,
        first,
    }
}

/// Denominators of the slopes of vector `v`.
#[inline(always)]
fn denominator<I: Isa, G: RowGroup, const CHECKED: bool>(
    isa: I,
    points: &[Row],
    pairs: &[(u32, u32)],
    v: usize,
) -> Fe<I, G, 4> {
    let pairs = of_vector(pairs, v);
    let p = load::<I, G>(isa, points, pairs.map(|pair| pair.0));
    let q = load::<I, G>(isa, points, pairs.map(|pair| pair.1));
    let dx = q.x.sub(&p.x);
    if !CHECKED {
        return dx;
    }
    let s = special(&p, &q, &dx, &q.y.sub(&p.y));
    let plain = s.cancel | s.first | s.second;
    dx.select(s.double, &p.y.add(&p.y))
        .select(plain, &one::<I, G>(isa).widen())
}

/// Adds the pairs of vectors `v .. v + N`, given the inverses of their denominators; whether a
/// pair cancelled.
#[inline(always)]
fn add_vectors<I: Isa, G: RowGroup, const CHECKED: bool, const N: usize>(
    isa: I,
    points: &mut [Row],
    pairs: &[(u32, u32)],
    v: usize,
    reciprocal: [Fe<I, G, 2>; N],
) -> bool {
    let at: [_; N] = core::array::from_fn(|n| of_vector(pairs, v + n));
    let p = at.map(|pairs| load::<I, G>(isa, points, pairs.map(|pair| pair.0)));
    let q = at.map(|pairs| load::<I, G>(isa, points, pairs.map(|pair| pair.1)));
    let mut specials = [Special::default(); N];
    let numerator: [Fe<I, G, 6>; N] = core::array::from_fn(|n| {
        let dy: Fe<I, G, 4> = q[n].y.sub(&p[n].y);
        if !CHECKED {
            return dy.widen();
        }
        specials[n] = special(&p[n], &q[n], &q[n].x.sub(&p[n].x), &dy);
        let xx = p[n].x.mul(&p[n].x);
        let xx2: Fe<I, G, 4> = xx.add(&xx);
        let tangent: Fe<I, G, 6> = xx2.add(&xx);
        dy.widen().select(specials[n].double, &tangent)
    });
    let slope = mul_many(numerator.each_ref(), reciprocal.each_ref());
    let square = mul_many(slope.each_ref(), slope.each_ref());
    let x: [Fe<I, G, 2>; N] = core::array::from_fn(|n| {
        let x: Fe<I, G, 6> = square[n].sub2(&p[n].x, &q[n].x);
        x.reduce()
    });
    let back: [Fe<I, G, 4>; N] = core::array::from_fn(|n| p[n].x.sub(&x[n]));
    let product = mul_many(slope.each_ref(), back.each_ref());
    let mut infinity = false;
    for n in 0..N {
        let y: Fe<I, G, 4> = product[n].sub(&p[n].y);
        let (mut x, mut y) = (x[n], y.reduce());
        if CHECKED {
            let s = specials[n];
            let zero = Fe::<I, G, 2>::zero(isa);
            let pick = |sum: Fe<I, G, 2>, p: &Fe<I, G, 2>, q: &Fe<I, G, 2>| {
                sum.select(s.first, p)
                    .select(s.second, q)
                    .select(s.cancel, &zero)
            };
            (x, y) = (pick(x, &p[n].x, &q[n].x), pick(y, &p[n].y, &q[n].y));
            infinity |= s.cancel != 0;
        }
        let [x0, x1, x2, x3] = x.to_words();
        let [y0, y1, y2, y3] = y.to_words();
        let rows = I::Word::transpose([x0, x1, x2, x3, y0, y1, y2, y3]);
        for (row, pair) in rows.into_iter().zip(&pairs[8 * (v + n)..]) {
            row.store(&mut points[pair.0 as usize].0);
        }
    }
    infinity
}

/// The inverse of each lane, by one inversion; `None` when a lane is zero.
#[inline(always)]
fn invert<I: Isa, G: RowGroup>(isa: I, product: &Fe<I, G, 2>) -> Option<Fe<I, G, 2>> {
    // Read with R = 2^256 a word x 2^260 is the element 16 x; its inverse has the words
    // x^-1 2^252, and 2^8 times those are wanted.
    let mut elements = product
        .to_values()
        .map(|limbs| from_lazy_words::<G::Base>(&from_radix52(&limbs)));
    if elements.iter().any(Field::is_zero) {
        return None;
    }
    batch_inverse(&mut elements);
    let factor = G::Base::from(256);
    let values = elements.map(|e| to_radix52(&(e * factor).to_montgomery_limbs()));
    Some(Fe::<I, G, 2>::from_values(isa, &values))
}
