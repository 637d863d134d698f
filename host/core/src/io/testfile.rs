//! Small synthetic files for the tests of this module.

use zkria_field::bn254::{Fp, Fr};
use zkria_field::{Affine, PrimeField};

use super::codec::{Coordinates, FileGroup};

/// Ids and payloads.
pub(super) type Sections = Vec<(u32, Vec<u8>)>;

pub(super) fn limbs_le(limbs: [u64; 4]) -> Vec<u8> {
    limbs.iter().flat_map(|l| l.to_le_bytes()).collect()
}

pub(super) fn u32s(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// A container of snarkjs.
pub(super) fn binfile(magic: &[u8; 4], version: u32, sections: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut out = magic.to_vec();
    out.extend(u32s(&[version, sections.len() as u32]));
    for (id, payload) in sections {
        out.extend(u32s(&[*id]));
        out.extend((payload.len() as u64).to_le_bytes());
        out.extend(payload);
    }
    out
}

/// Points as snarkjs stores them.
pub(super) fn montgomery<G: FileGroup>(points: &[Affine<G>]) -> Vec<u8> {
    let components = |c: G::Base| {
        c.components()
            .into_iter()
            .take(G::Base::COMPONENTS)
            .collect::<Vec<Fp>>()
    };
    points
        .iter()
        .flat_map(|p| [components(p.x), components(p.y)].concat())
        .flat_map(|c| limbs_le(c.to_montgomery_limbs()))
        .collect()
}

fn prime<F: PrimeField>() -> Vec<u8> {
    [u32s(&[32]), limbs_le(F::MODULUS)].concat()
}

/// A witness file of these values.
pub(super) fn wtns(values: &[Vec<u8>]) -> Vec<u8> {
    let head = [prime::<Fr>(), u32s(&[values.len() as u32])].concat();
    binfile(b"wtns", 2, &[(1, head), (2, values.concat())])
}

/// The sections of a Groth16 key with `n_vars` wires, every point the given one.
pub(super) fn zkey_sections<G: FileGroup, H: FileGroup>(
    n_vars: u32,
    n_public: u32,
    domain: u32,
    g1: &Affine<G>,
    g2: &Affine<H>,
) -> Sections {
    let g1 = |n: u32| montgomery::<G>(&vec![*g1; n as usize]);
    let g2 = |n: u32| montgomery::<H>(&vec![*g2; n as usize]);
    let mut header = [
        prime::<Fp>(),
        prime::<Fr>(),
        u32s(&[n_vars, n_public, domain]),
    ]
    .concat();
    header.extend([g1(2), g2(2), g1(1), g2(1)].concat());
    vec![
        (1, u32s(&[1])),
        (2, header),
        (4, u32s(&[0])),
        (3, g1(n_public + 1)),
        (9, g1(domain)),
        (8, g1(n_vars - n_public - 1)),
        (5, g1(n_vars)),
        (6, g1(n_vars)),
        (7, g2(n_vars)),
        (10, vec![0; 68]),
    ]
}

/// A powers-of-tau file of this power with the sections 1 and 2 only.
pub(super) fn ptau<G: FileGroup>(power: u32, tau_g1: &[Affine<G>]) -> Vec<u8> {
    let head = [prime::<Fp>(), u32s(&[power, power])].concat();
    binfile(b"ptau", 1, &[(1, head), (2, montgomery(tau_g1))])
}
