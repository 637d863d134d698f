//! Bytes of one point or scalar, in every encoding that is read.

use zkria_field::bn254::{Fp, Fp2, Fr, G1, G2};
use zkria_field::{Affine, Field, Group, PrimeField};

/// Bytes of one BN254 base or scalar field element in every format.
pub(super) const WORD: usize = 32;

/// Coordinates as files see them: one or two prime field elements, real part first.
pub trait Coordinates: Field {
    /// Prime field elements in one coordinate, 1 or 2.
    const COMPONENTS: usize;
    /// From its components; the second is ignored where there is one only.
    fn from_components(components: [Fp; 2]) -> Self;
    /// Its components; the second is zero where there is one only.
    fn components(&self) -> [Fp; 2];
}

impl Coordinates for Fp {
    const COMPONENTS: usize = 1;
    fn from_components([c0, _]: [Fp; 2]) -> Self {
        c0
    }
    fn components(&self) -> [Fp; 2] {
        [*self, Fp::ZERO]
    }
}

impl Coordinates for Fp2 {
    const COMPONENTS: usize = 2;
    fn from_components([c0, c1]: [Fp; 2]) -> Self {
        Self { c0, c1 }
    }
    fn components(&self) -> [Fp; 2] {
        [self.c0, self.c1]
    }
}

/// Which of the two groups of a pairing curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// The group over the prime field.
    G1,
    /// The group over its quadratic extension.
    G2,
}

impl GroupKind {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::G1 => "g1",
            Self::G2 => "g2",
        }
    }

    /// The `kind` field of a point container.
    pub(super) fn id(self) -> u32 {
        match self {
            Self::G1 => 1,
            Self::G2 => 2,
        }
    }

    /// Bytes of one affine point, the same in every format that is read.
    pub(super) fn record(self) -> u64 {
        match self {
            Self::G1 => 64,
            Self::G2 => 128,
        }
    }
}

/// A group whose points are found in files.
pub trait FileGroup: Group<Base: Coordinates> {
    /// Which of the two groups.
    const KIND: GroupKind;
}

impl FileGroup for G1 {
    const KIND: GroupKind = GroupKind::G1;
}

impl FileGroup for G2 {
    const KIND: GroupKind = GroupKind::G2;
}

/// How the bytes of a point or scalar are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Little-endian, plain; infinity all zero.
    Plain,
    /// Little-endian, Montgomery with R = 2^256; infinity all zero.
    Montgomery,
    /// Big-endian, plain, imaginary part first; infinity all zero.
    BigEndian,
    /// Little-endian, plain; two flags in the top bits of the last byte.
    Ark,
}

/// What is wrong with one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointFault {
    /// A component of the named coordinate is not below the field modulus.
    NotCanonical(char),
    /// Flag bits that no uncompressed point has.
    Flags(&'static str),
    NotOnCurve,
    NotInSubgroup,
}

impl std::fmt::Display for PointFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotCanonical(name) => write!(
                f,
                "{name}: expected a coordinate below the BN254 base field modulus, got one that \
                 is not"
            ),
            Self::Flags(what) => f.write_str(what),
            Self::NotOnCurve => f.write_str("expected a point on the BN254 curve, got one off it"),
            Self::NotInSubgroup => {
                f.write_str("expected a point of the prime-order subgroup, got one outside it")
            }
        }
    }
}

const ARK_INFINITY: u8 = 0x40;
const ARK_NEGATIVE: u8 = 0x80;

fn limbs_le(bytes: &[u8]) -> [u64; 4] {
    let mut limbs = [0; 4];
    for (limb, chunk) in limbs.iter_mut().zip(bytes.as_chunks().0) {
        *limb = u64::from_le_bytes(*chunk);
    }
    limbs
}

fn component(encoding: Encoding, bytes: &[u8]) -> Option<Fp> {
    match encoding {
        Encoding::Plain | Encoding::Ark => Fp::from_limbs(limbs_le(bytes)),
        Encoding::Montgomery => Fp::from_montgomery_limbs(limbs_le(bytes)),
        Encoding::BigEndian => {
            let mut le: [u8; WORD] = bytes.try_into().ok()?;
            le.reverse();
            Fp::from_limbs(limbs_le(&le))
        }
    }
}

fn coordinate<B: Coordinates>(encoding: Encoding, bytes: &[u8]) -> Option<B> {
    let mut components = [Fp::ZERO; 2];
    for (i, word) in bytes.chunks_exact(WORD).enumerate() {
        let at = match encoding {
            Encoding::BigEndian => B::COMPONENTS - 1 - i,
            _ => i,
        };
        components[at] = component(encoding, word)?;
    }
    Some(B::from_components(components))
}

/// Whether `y` is the greater of `y` and `-y` in arkworks' order: the last component decides
/// unless it is zero.
fn is_greater<B: Coordinates>(y: &B) -> bool {
    let order = |y: &B| {
        let [c0, c1] = y.components();
        let big_endian = |c: Fp| {
            let mut limbs = c.to_limbs();
            limbs.reverse();
            limbs
        };
        (big_endian(c1), big_endian(c0))
    };
    order(y) > order(&-*y)
}

/// Reads and checks one point; `bytes` is one record long.
pub(super) fn decode_point<G: FileGroup>(
    encoding: Encoding,
    bytes: &[u8],
    subgroup: bool,
) -> Result<Affine<G>, PointFault> {
    let mut record = [0; 128];
    let record = &mut record[..G::KIND.record() as usize];
    record.copy_from_slice(bytes);
    let mut flags = 0;
    if let (Encoding::Ark, Some(last)) = (encoding, record.last_mut()) {
        flags = *last & (ARK_INFINITY | ARK_NEGATIVE);
        *last ^= flags;
    }
    let (x, y) = record.split_at(record.len() / 2);
    let point = Affine::<G> {
        x: coordinate(encoding, x).ok_or(PointFault::NotCanonical('x'))?,
        y: coordinate(encoding, y).ok_or(PointFault::NotCanonical('y'))?,
    };
    if encoding == Encoding::Ark {
        let expected = match (point.is_infinity(), is_greater(&point.y)) {
            (true, _) => ARK_INFINITY,
            (false, true) => ARK_NEGATIVE,
            (false, false) => 0,
        };
        if flags != expected {
            return Err(PointFault::Flags(
                "the flag bits of the last byte do not fit the point; expected bit 6 at infinity \
                 only, bit 7 where y > -y",
            ));
        }
    }
    if point.is_infinity() {
        return Ok(point);
    }
    if !point.is_on_curve() {
        return Err(PointFault::NotOnCurve);
    }
    if subgroup && !G::in_subgroup(&point) {
        return Err(PointFault::NotInSubgroup);
    }
    Ok(point)
}

/// Reads one scalar, 32 bytes; `None` when it is not below r and `reduce` is off.
pub(super) fn decode_scalar(encoding: Encoding, bytes: &[u8], reduce: bool) -> Option<Fr> {
    let mut le: [u8; WORD] = bytes.try_into().ok()?;
    if encoding == Encoding::BigEndian {
        le.reverse();
    }
    let limbs = limbs_le(&le);
    Fr::from_limbs(limbs).or_else(|| reduce.then(|| Fr::from_limbs_reduced(limbs)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zkria_field::Jacobian;

    fn sample<G: FileGroup>() -> Vec<Affine<G>> {
        let mut points = vec![Affine::INFINITY, G::generator()];
        points.extend((2..20u64).map(|k| {
            Jacobian::from(G::generator())
                .mul_limbs(&[k.wrapping_mul(0x9e37_79b9_7f4a_7c15)])
                .to_affine()
        }));
        points
    }

    fn encode<G: FileGroup>(encoding: Encoding, point: &Affine<G>) -> Vec<u8> {
        let mut out = Vec::new();
        for coordinate in [point.x, point.y] {
            let mut words: Vec<[u8; WORD]> = coordinate.components()[..G::Base::COMPONENTS]
                .iter()
                .map(|c| {
                    let limbs = match encoding {
                        Encoding::Montgomery => c.to_montgomery_limbs(),
                        _ => c.to_limbs(),
                    };
                    let mut word = [0; WORD];
                    for (to, limb) in word.chunks_exact_mut(8).zip(limbs) {
                        to.copy_from_slice(&limb.to_le_bytes());
                    }
                    word
                })
                .collect();
            if encoding == Encoding::BigEndian {
                words.reverse();
                words.iter_mut().for_each(|w| w.reverse());
            }
            out.extend(words.concat());
        }
        if let (Encoding::Ark, Some(last)) = (encoding, out.last_mut()) {
            *last |= match (point.is_infinity(), is_greater(&point.y)) {
                (true, _) => ARK_INFINITY,
                (_, true) => ARK_NEGATIVE,
                _ => 0,
            };
        }
        out
    }

    fn round_trip<G: FileGroup>() {
        use Encoding::{Ark, BigEndian, Montgomery, Plain};
        for encoding in [Plain, Montgomery, BigEndian, Ark] {
            for point in sample::<G>() {
                let bytes = encode(encoding, &point);
                assert_eq!(
                    decode_point::<G>(encoding, &bytes, true),
                    Ok(point),
                    "{encoding:?}"
                );
                // A changed bit of x leaves the curve, or the field.
                let mut bad = bytes;
                bad[9] ^= 4;
                assert!(
                    decode_point::<G>(encoding, &bad, true).is_err(),
                    "{encoding:?}"
                );
            }
        }
    }

    #[test]
    fn points_round_trip_in_every_encoding() {
        round_trip::<G1>();
        round_trip::<G2>();
    }

    #[test]
    fn coordinates_not_below_the_modulus_are_refused() {
        for encoding in [Encoding::Plain, Encoding::Montgomery, Encoding::Ark] {
            // x + p, which still fits 256 bits.
            let mut bytes = encode(encoding, &G1::generator());
            let x = limbs_le(&bytes[..32]);
            let mut carry = 0;
            for (i, limb) in x.iter().enumerate() {
                let sum = u128::from(*limb) + u128::from(Fp::MODULUS[i]) + carry;
                bytes[8 * i..8 * i + 8].copy_from_slice(&(sum as u64).to_le_bytes());
                carry = sum >> 64;
            }
            assert_eq!(
                decode_point::<G1>(encoding, &bytes, true),
                Err(PointFault::NotCanonical('x'))
            );
        }
        assert_eq!(
            decode_point::<G2>(Encoding::BigEndian, &[0xff; 128], true),
            Err(PointFault::NotCanonical('x'))
        );
    }

    #[test]
    fn stray_flags_of_arkworks_points_are_refused() {
        for point in sample::<G1>() {
            for flags in [ARK_INFINITY, ARK_NEGATIVE, ARK_INFINITY | ARK_NEGATIVE] {
                let mut bytes = encode(Encoding::Ark, &point);
                bytes[63] ^= flags;
                let got = decode_point::<G1>(Encoding::Ark, &bytes, true);
                assert!(matches!(got, Err(PointFault::Flags(_))), "{got:?}");
            }
        }
    }

    #[test]
    fn scalars_are_refused_or_reduced_from_the_modulus_on() {
        let mut r = [0u8; 32];
        for (to, limb) in r.chunks_exact_mut(8).zip(Fr::MODULUS) {
            to.copy_from_slice(&limb.to_le_bytes());
        }
        let mut below = r;
        below[0] -= 1;
        assert_eq!(
            decode_scalar(Encoding::Plain, &below, false),
            Some(-Fr::ONE)
        );
        assert_eq!(decode_scalar(Encoding::Plain, &r, false), None);
        assert_eq!(decode_scalar(Encoding::Plain, &r, true), Some(Fr::ZERO));
        assert_eq!(decode_scalar(Encoding::Plain, &[0xff; 32], false), None);
        assert!(decode_scalar(Encoding::BigEndian, &[0xff; 32], true).is_some());
        r.reverse();
        assert_eq!(decode_scalar(Encoding::BigEndian, &r, true), Some(Fr::ZERO));
    }
}
