//! Where points and scalars lie in snarkjs' `.zkey`, `.ptau` and `.wtns`.
//!
//! Layouts: facts checked byte by byte on files of snarkjs 0.7.6.

use zkria_field::PrimeField;
use zkria_field::bn254::{Fp, Fr};

use super::codec::Encoding;
use super::codec::GroupKind;
use super::locator::Locator;
use super::points::Span;
use super::sections::Sections;
use super::source::Source;
use crate::{Error, Result};

/// Sections of a Groth16 key that hold points.
const ZKEY_SECTIONS: [(&str, u32, GroupKind); 6] = [
    ("ic", 3, GroupKind::G1),
    ("a", 5, GroupKind::G1),
    ("b1", 6, GroupKind::G1),
    ("b2", 7, GroupKind::G2),
    ("c", 8, GroupKind::G1),
    ("h", 9, GroupKind::G1),
];

/// Sections of a powers-of-tau file that hold points, and how many at power `p`.
const PTAU_SECTIONS: [(&str, u32, GroupKind, Count); 9] = [
    ("tau-g1", 2, GroupKind::G1, Count::TwiceLessOne),
    ("tau-g2", 3, GroupKind::G2, Count::Once),
    ("alpha-tau-g1", 4, GroupKind::G1, Count::Once),
    ("beta-tau-g1", 5, GroupKind::G1, Count::Once),
    ("beta-g2", 6, GroupKind::G2, Count::Single),
    ("lagrange-g1", 12, GroupKind::G1, Count::FourTimesLessOne),
    ("lagrange-g2", 13, GroupKind::G2, Count::TwiceLessOne),
    ("lagrange-alpha-g1", 14, GroupKind::G1, Count::TwiceLessOne),
    ("lagrange-beta-g1", 15, GroupKind::G1, Count::TwiceLessOne),
];

#[derive(Clone, Copy)]
enum Count {
    Single,
    Once,
    TwiceLessOne,
    FourTimesLessOne,
}

impl Count {
    fn at(self, power: u32) -> u64 {
        match self {
            Self::Single => 1,
            Self::Once => 1 << power,
            Self::TwiceLessOne => (2 << power) - 1,
            Self::FourTimesLessOne => (4 << power) - 1,
        }
    }
}

/// Bytes of the Groth16 header: two primes with their lengths, three counts, six points.
const ZKEY_HEADER: u64 = 660;
/// 2-adicity of the BN254 scalar field: no domain is greater.
const MAX_POWER: u32 = 28;

const BLS12_381_Q: [u64; 6] = [
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
];
const BLS12_381_R: [u64; 6] = [
    0xffff_ffff_0000_0001,
    0x53bd_a402_fffe_5bfe,
    0x3339_d808_09a1_d805,
    0x73ed_a753_299d_7d48,
    0,
    0,
];

/// Reads `u32 length, prime` at `offset` and insists on `expected`.
fn check_prime(source: &Source, offset: u64, field: &str, expected: [u64; 4]) -> Result<()> {
    let n = source.u32_le(offset, field)?;
    let mut limbs = [0u64; 6];
    if n == 32 || n == 48 {
        let mut bytes = [0; 48];
        source.read_at(offset + 4, &mut bytes[..n as usize], field)?;
        for (limb, chunk) in limbs.iter_mut().zip(bytes.as_chunks().0) {
            *limb = u64::from_le_bytes(*chunk);
        }
        if n == 32 && limbs[..4] == expected {
            return Ok(());
        }
    }
    let came = if limbs == BLS12_381_Q || limbs == BLS12_381_R {
        "bls12-381's, and only bn254 is supported".to_owned()
    } else if n == 32 || n == 48 {
        let hex: String = limbs.iter().rev().map(|l| format!("{l:016x}")).collect();
        format!(
            "0x{}, and only bn254 is supported",
            match hex.trim_start_matches('0') {
                "" => "0",
                digits => digits,
            }
        )
    } else {
        format!("one of {n} bytes; the file is of another curve or damaged")
    };
    Err(source.bad(format!(
        "offset {offset}: {field}: expected bn254's, got {came}"
    )))
}

fn unknown_section(locator: &Locator, kind: &str, names: &[&str]) -> Error {
    let names = names.join(", ");
    match &locator.section {
        Some(section) => Error::usage(format!(
            "{}: unknown section `{section}` of a {kind}; expected one of {names}",
            locator.path.display()
        )),
        None => Error::usage(format!(
            "{}: a {kind} holds several point vectors; name one as {}#SECTION, one of {names}",
            locator.path.display(),
            locator.path.display()
        )),
    }
}

/// The points of one section of a Groth16 key.
pub(super) fn zkey(source: &Source, locator: &Locator) -> Result<Span> {
    let sections = Sections::read(source, 1)?;
    let protocol = sections.need_len(source, 1, "protocol", 4)?;
    match source.u32_le(protocol.offset, "protocol")? {
        1 => {}
        other => {
            let name = match other {
                2 => "plonk".to_owned(),
                10 => "fflonk".to_owned(),
                n => format!("protocol {n}"),
            };
            return Err(source.bad(format!(
                "offset {}: {name} zkey, only groth16 is supported",
                protocol.offset
            )));
        }
    }
    let header = sections.need(source, 2, "groth16 header")?;
    let at = header.offset;
    check_prime(source, at, "base field prime q", Fp::MODULUS)?;
    check_prime(source, at + 36, "scalar field prime r", Fr::MODULUS)?;
    let header = sections.need_len(source, 2, "groth16 header", ZKEY_HEADER)?;
    let at = header.offset + 72;
    let n_vars = source.u32_le(at, "nVars")?;
    let n_public = source.u32_le(at + 4, "nPublic")?;
    let domain = source.u32_le(at + 8, "domainSize")?;
    let Some(n_private) = n_vars.checked_sub(n_public).and_then(|n| n.checked_sub(1)) else {
        return Err(source.bad(format!(
            "offset {}: nPublic: expected less than nVars = {n_vars}, got {n_public}",
            at + 4
        )));
    };
    if !domain.is_power_of_two() || domain > 1 << MAX_POWER {
        return Err(source.bad(format!(
            "offset {}: domainSize: expected a power of two, at most 2^{MAX_POWER} rows on bn254, \
             got {domain}",
            at + 8
        )));
    }
    let names = ZKEY_SECTIONS.map(|(name, ..)| name);
    let &(name, id, group) = ZKEY_SECTIONS
        .iter()
        .find(|(name, ..)| locator.section.as_deref() == Some(name))
        .ok_or_else(|| unknown_section(locator, "groth16 zkey", &names))?;
    let count = match name {
        "ic" => u64::from(n_public) + 1,
        "c" => u64::from(n_private),
        "h" => u64::from(domain),
        _ => u64::from(n_vars),
    };
    let section = sections.need_len(source, id, name, count * group.record())?;
    Ok(Span {
        offset: section.offset,
        count,
        group: Some(group),
        encoding: Encoding::Montgomery,
    })
}

/// The points of one section of a powers-of-tau file.
pub(super) fn ptau(source: &Source, locator: &Locator) -> Result<Span> {
    let sections = Sections::read(source, 1)?;
    let header = sections.need(source, 1, "ptau header")?;
    check_prime(source, header.offset, "base field prime q", Fp::MODULUS)?;
    let header = sections.need_len(source, 1, "ptau header", 44)?;
    let power = source.u32_le(header.offset + 36, "power")?;
    if power > MAX_POWER {
        return Err(source.bad(format!(
            "offset {}: power: expected at most {MAX_POWER}, got {power}",
            header.offset + 36
        )));
    }
    let names = PTAU_SECTIONS.map(|(name, ..)| name);
    let &(name, id, group, count) = PTAU_SECTIONS
        .iter()
        .find(|(name, ..)| locator.section.as_deref() == Some(name))
        .ok_or_else(|| unknown_section(locator, "ptau", &names))?;
    let count = count.at(power);
    let section = sections.need_len(source, id, name, count * group.record())?;
    Ok(Span {
        offset: section.offset,
        count,
        group: Some(group),
        encoding: Encoding::Montgomery,
    })
}

/// The values of a witness: offset of the first and how many.
pub(super) fn wtns(source: &Source) -> Result<(u64, u64)> {
    let sections = Sections::read(source, 2)?;
    let header = sections.need(source, 1, "witness header")?;
    check_prime(source, header.offset, "scalar field prime r", Fr::MODULUS)?;
    let header = sections.need_len(source, 1, "witness header", 40)?;
    let count = u64::from(source.u32_le(header.offset + 36, "nWitness")?);
    let values = sections.need_len(source, 2, "witness values", count * 32)?;
    Ok((values.offset, count))
}
