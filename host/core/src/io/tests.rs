//! Every bad input of the contract, on small synthetic files; then real files.

use std::fs;
use std::path::PathBuf;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use tempfile::TempDir;
use zkria_field::bn254::{Fp, Fp2, Fr, G1, G2};
use zkria_field::{Affine, Field, Group, PrimeField};

use super::testfile::{Sections, binfile, limbs_le, montgomery, ptau, u32s, wtns, zkey_sections};
use super::*;
use crate::gen_msm::{Kind, generate};
use crate::{Error, Result};

const TRUST: ReadOptions<'_> = ReadOptions {
    trust_points: true,
    reduce_scalars: false,
    progress: None,
};
const REDUCE: ReadOptions<'_> = ReadOptions {
    trust_points: false,
    reduce_scalars: true,
    progress: None,
};

struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn locator(&self, fragment: &str) -> Locator {
        Locator::parse(format!("{}/f{fragment}", self.0.path().display())).unwrap()
    }

    /// Writes `bytes` and reads them back as points.
    fn points<G: FileGroup>(
        &self,
        bytes: &[u8],
        fragment: &str,
        format: Option<Format>,
        options: ReadOptions<'_>,
    ) -> Result<Vec<Affine<G>>> {
        self.put("f", bytes);
        PointFile::open(&self.locator(fragment), format, Some(G::KIND))?.read(options)
    }

    fn scalars(
        &self,
        bytes: &[u8],
        fragment: &str,
        format: Option<Format>,
        options: ReadOptions<'_>,
    ) -> Result<Vec<Fr>> {
        self.put("f", bytes);
        ScalarFile::open(&self.locator(fragment), format)?.read(options)
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(got: Result<T>, exit_code: u8, words: &[&str]) {
    let error = got.expect_err("must be refused");
    let text = error.to_string();
    assert_eq!(error.exit_code(), exit_code, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in: {text}");
    }
    assert!(!text.contains('\n'), "one line: {text}");
}

fn r_plus(k: u64) -> Vec<u8> {
    let mut limbs = Fr::MODULUS;
    limbs[0] += k;
    limbs_le(limbs)
}

/// A point of the curve of G2 outside the subgroup: almost every point of it is.
fn outside_g2() -> Affine<G2> {
    for k in 1u64.. {
        let x = Fp2 {
            c0: Fp::from(k),
            c1: Fp::ONE,
        };
        let square = x.square() * x + G2::b();
        if let Some(y) = sqrt_fp2(square) {
            let point = Affine::<G2> { x, y };
            assert!(point.is_on_curve());
            if !G2::in_subgroup(&point) {
                return point;
            }
        }
    }
    unreachable!("half of all x have a point")
}

/// Square root by the norm; p = 3 mod 4.
fn sqrt_fp2(a: Fp2) -> Option<Fp2> {
    let root = |v: Fp| {
        let mut exp = Fp::MODULUS;
        exp[0] += 1;
        for i in 0..4 {
            exp[i] = exp[i] >> 2 | if i < 3 { exp[i + 1] << 62 } else { 0 };
        }
        let r = v.pow(&exp);
        (r.square() == v).then_some(r)
    };
    let norm = root(a.c0.square() + a.c1.square())?;
    let half = Fp::from(2).inverse()?;
    let c0 = root((a.c0 + norm) * half).or_else(|| root((a.c0 - norm) * half))?;
    let c1 = a.c1 * half * c0.inverse()?;
    let r = Fp2 { c0, c1 };
    (r.square() == a).then_some(r)
}

#[test]
fn containers_round_trip() {
    let files = Files::new();
    for n in [0, 1, 2, 100, 8193] {
        let (points, scalars) = generate::<G1>(Kind::Edge, n, 3);
        let bytes = encode_points(&points);
        assert_eq!(bytes.len(), 32 + 64 * n);
        assert_eq!(files.points::<G1>(&bytes, "", None, TRUST).unwrap(), points);
        let bytes = encode_scalars::<G1>(&scalars);
        assert_eq!(
            files
                .scalars(&bytes, "", None, ReadOptions::default())
                .unwrap(),
            scalars
        );
    }
    let (points, _) = generate::<G2>(Kind::Edge, 9, 3);
    let bytes = encode_points(&points);
    assert_eq!(
        files
            .points::<G2>(&bytes, "", None, ReadOptions::default())
            .unwrap(),
        points
    );
    assert_eq!(
        files.points::<G2>(&bytes, "#2..5", None, TRUST).unwrap(),
        points[2..5]
    );
    let written = files.0.path().join("w");
    write_points(&written, &points).unwrap();
    assert_eq!(fs::read(written).unwrap(), bytes);
}

#[test]
fn heads_of_point_containers_are_checked() {
    let files = Files::new();
    let good = encode_points(&generate::<G1>(Kind::Random, 3, 1).0);
    let check = |change: &dyn Fn(&mut Vec<u8>), words: &[&str]| {
        let mut bytes = good.clone();
        change(&mut bytes);
        refused(files.points::<G1>(&bytes, "", None, TRUST), 3, words);
    };
    check(
        &|b| b.truncate(b.len() - 1),
        &["truncated", "224 bytes", "got 223"],
    );
    check(&|b| b.push(0), &["padded", "224 bytes", "got 225"]);
    check(&|b| b.truncate(31), &["truncated", "offset 24"]);
    check(&|b| b.truncate(7), &["expected points", "zkriaPT"]);
    check(&|b| b.clear(), &["offset 0", "empty"]);
    check(
        &|b| b[0] = b'Z',
        &["expected points", "ZkriaPT1", "--format"],
    );
    check(&|b| b[8] = 2, &["curve id", "bls12-381"]);
    check(
        &|b| b[8] = 77,
        &["offset 8", "expected 1 (bn254)", "got 77"],
    );
    check(&|b| b[12] = 3, &["offset 12", "kind", "got 3"]);
    check(&|b| b[24] = 1, &["offset 24", "expected 0"]);
    for count in [
        u64::MAX,
        u64::MAX / 64,
        1 << 58,
        (1 << 58) + 3,
        u64::from(u32::MAX),
        4,
        2,
    ] {
        check(
            &|b| b[16..24].copy_from_slice(&count.to_le_bytes()),
            &[&count.to_string(), "records"],
        );
    }
    // The right length and the other group.
    let mut g2 = good.clone();
    g2[12] = 2;
    refused(
        files.points::<G1>(&g2, "", None, TRUST),
        3,
        &["3 records of 128 bytes"],
    );
    let g2 = encode_points(&generate::<G2>(Kind::Random, 1, 1).0);
    refused(
        files.points::<G1>(&g2, "", None, TRUST),
        2,
        &["--group g1", "g2 points"],
    );
    // Other kinds of file.
    let scalars = encode_scalars::<G1>(&generate::<G1>(Kind::Random, 3, 1).1);
    refused(
        files.points::<G1>(&scalars, "", None, TRUST),
        3,
        &["got a scalar container"],
    );
    refused(
        files.points::<G1>(&wtns(&[]), "", None, TRUST),
        3,
        &["witness"],
    );
    refused(
        files.points::<G1>(b"r1cs\x01\0\0\0", "", None, TRUST),
        3,
        &["circom r1cs"],
    );
    refused(
        files.points::<G1>(&good, "#a", None, TRUST),
        2,
        &["sections", "drop `#a`"],
    );
    refused(
        files.points::<G1>(&good, "#0..4", None, TRUST),
        3,
        &["holds 3 points"],
    );
}

#[test]
fn bad_points_are_named() {
    let files = Files::new();
    let points = generate::<G1>(Kind::Random, 9000, 1).0;
    // In the first and the second chunk, and two at once: the first is named.
    for index in [0usize, 7, 8192, 8999] {
        let at = 32 + 64 * index;
        let words = [&*format!("point {index} (offset {at})")];
        let mut bytes = encode_points(&points);
        bytes[at + 40] ^= 1;
        bytes[32 + 64 * 8999] ^= 1;
        refused(
            files.points::<G1>(&bytes, "", None, TRUST),
            3,
            &[words[0], "curve"],
        );
        bytes[at + 32..at + 64].copy_from_slice(&limbs_le(Fp::MODULUS));
        refused(
            files.points::<G1>(&bytes, "", None, TRUST),
            3,
            &[words[0], "y: ", "modulus"],
        );
        bytes[at..at + 32].fill(0xff);
        refused(
            files.points::<G1>(&bytes, "", None, TRUST),
            3,
            &[words[0], "x: ", "modulus"],
        );
        // The index counts from the beginning of the file, not of the range.
        if index > 0 {
            let fragment = format!("#{}..", index - 1);
            refused(
                files.points::<G1>(&bytes, &fragment, None, TRUST),
                3,
                &words,
            );
        }
    }
}

#[test]
fn points_outside_the_subgroup_need_trust() {
    let files = Files::new();
    let mut points = generate::<G2>(Kind::Random, 4, 1).0;
    points[2] = outside_g2();
    let bytes = encode_points(&points);
    let got = files.points::<G2>(&bytes, "", None, ReadOptions::default());
    refused(got, 3, &["point 2 (offset 288)", "subgroup"]);
    assert_eq!(files.points::<G2>(&bytes, "", None, TRUST).unwrap(), points);
    // Trust does not reach as far as the curve.
    points[3].y = points[3].x;
    let bytes = encode_points(&points);
    refused(
        files.points::<G2>(&bytes, "", None, TRUST),
        3,
        &["point 3", "curve"],
    );
}

#[test]
fn scalars_are_checked() {
    let files = Files::new();
    let options = ReadOptions::default();
    let scalars = generate::<G1>(Kind::Random, 20_000, 1).1;
    for index in [0usize, 5, 16_384, 19_999] {
        for (value, reduced) in [(r_plus(0), 0), (r_plus(1), 1)] {
            let at = 32 + 32 * index;
            let mut bytes = encode_scalars::<G1>(&scalars);
            bytes[at..at + 32].copy_from_slice(&value);
            let words = [
                &*format!("scalar {index} (offset {at})"),
                "--reduce-scalars",
            ];
            refused(files.scalars(&bytes, "", None, options), 3, &words);
            let got = files.scalars(&bytes, "", None, REDUCE).unwrap();
            assert_eq!(got[index], Fr::from(reduced));
        }
    }
    let good = encode_scalars::<G1>(&scalars[..3]);
    let check = |change: &dyn Fn(&mut Vec<u8>), words: &[&str]| {
        let mut bytes = good.clone();
        change(&mut bytes);
        refused(files.scalars(&bytes, "", None, options), 3, words);
    };
    check(&|b| b.truncate(100), &["truncated", "128 bytes", "got 100"]);
    check(&|b| b.push(1), &["padded"]);
    check(&|b| b[12] = 1, &["kind", "expected 3 (scalar), got 1"]);
    check(&|b| b[8] = 2, &["bls12-381"]);
    check(
        &|b| b[16..24].fill(0xff),
        &["18446744073709551615 records", "damaged"],
    );
    check(&|b| b.clear(), &["empty"]);
    refused(
        files.scalars(&good, "#h", None, options),
        2,
        &["no sections"],
    );
    let points = encode_points(&generate::<G1>(Kind::Random, 3, 1).0);
    refused(
        files.scalars(&points, "", None, options),
        3,
        &["got a point container"],
    );
    refused(
        files.scalars(b"hello world", "", None, options),
        3,
        &["hello wo", "--format"],
    );
}

fn tiny_zkey() -> Sections {
    zkey_sections(5, 1, 8, &G1::generator(), &G2::generator())
}

/// The payload of the section with this id.
fn section(sections: &mut Sections, id: u32) -> &mut Vec<u8> {
    &mut sections.iter_mut().find(|s| s.0 == id).expect("there").1
}

#[test]
fn zkey_sections_are_found_and_counted() {
    let files = Files::new();
    let mut bytes = binfile(b"zkey", 1, &tiny_zkey());
    for trailing in [0, 1, 100] {
        bytes.extend(vec![7; trailing]);
        for (name, n) in [("ic", 2), ("a", 5), ("b1", 5), ("c", 3), ("h", 8)] {
            let got = files
                .points::<G1>(&bytes, &format!("#{name}"), None, TRUST)
                .unwrap();
            assert_eq!(got, vec![G1::generator(); n], "{name}");
        }
        let got = files
            .points::<G2>(&bytes, "#b2", None, ReadOptions::default())
            .unwrap();
        assert_eq!(got, vec![G2::generator(); 5]);
        assert_eq!(
            files
                .points::<G1>(&bytes, "#h:2..7", None, TRUST)
                .unwrap()
                .len(),
            5
        );
    }
    refused(
        files.points::<G1>(&bytes, "", None, TRUST),
        2,
        &["ic, a, b1, b2, c, h"],
    );
    refused(
        files.points::<G1>(&bytes, "#b", None, TRUST),
        2,
        &["unknown section `b`", "b1"],
    );
    refused(
        files.points::<G1>(&bytes, "#b2", None, TRUST),
        2,
        &["--group g1", "g2"],
    );
    refused(
        files.points::<G1>(&bytes, "#h:2..9", None, TRUST),
        3,
        &["holds 8 points"],
    );
}

#[test]
fn damaged_zkeys_are_refused() {
    let files = Files::new();
    let read = |bytes: &[u8]| files.points::<G1>(bytes, "#a", None, TRUST);
    let check = |change: &dyn Fn(&mut Sections), words: &[&str]| {
        let mut sections = tiny_zkey();
        change(&mut sections);
        refused(read(&binfile(b"zkey", 1, &sections)), 3, words);
    };
    let count = |at: usize, value: u32| {
        move |s: &mut Sections| {
            section(s, 2)[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
    };
    check(
        &|s| section(s, 1)[0] = 2,
        &["plonk zkey, only groth16 is supported"],
    );
    check(
        &|s| section(s, 1)[0] = 10,
        &["fflonk zkey, only groth16 is supported"],
    );
    check(&|s| section(s, 1)[0] = 9, &["protocol 9 zkey"]);
    check(
        &|s| section(s, 1).push(0),
        &["section 1 (protocol): expected 4 bytes, got 5"],
    );
    check(
        &|s| section(s, 2)[4] ^= 1,
        &["base field prime q", "only bn254"],
    );
    check(
        &|s| section(s, 2)[40] ^= 1,
        &["scalar field prime r", "only bn254"],
    );
    check(
        &|s| section(s, 2)[0] = 33,
        &["base field prime q", "one of 33 bytes"],
    );
    check(
        &|s| section(s, 2).truncate(600),
        &["section 2", "expected 660 bytes, got 600"],
    );
    check(
        &|s| section(s, 2).push(0),
        &["section 2", "expected 660 bytes, got 661"],
    );
    check(
        &count(72, 6),
        &["section 5 (a): expected 384 bytes, got 320"],
    );
    check(
        &count(72, 4),
        &["section 5 (a): expected 256 bytes, got 320"],
    );
    check(
        &count(72, u32::MAX),
        &["expected 274877906880 bytes, got 320"],
    );
    check(&count(76, 5), &["nPublic", "less than nVars = 5, got 5"]);
    check(&count(76, u32::MAX), &["nPublic", "4294967295"]);
    check(&count(80, 0), &["domainSize", "power of two"]);
    check(&count(80, 12), &["domainSize", "got 12"]);
    check(&count(80, 1 << 29), &["2^28 rows on bn254"]);
    check(
        &|s| s.retain(|s| s.0 != 5),
        &["section 5 (a): expected one, got none"],
    );
    check(
        &|s| s.retain(|s| s.0 != 2),
        &["section 2 (groth16 header): expected one, got none"],
    );
    check(
        &|s| s.push((5, vec![])),
        &["section 5 (a): expected one, got a second"],
    );
    check(
        &|s| s.push((1, u32s(&[1]))),
        &["section 1 (protocol)", "second"],
    );
    check(&|s| section(s, 5)[63] |= 0x80, &["point 0", "modulus"]);
    check(&|s| section(s, 5)[64 * 3] ^= 1, &["point 3", "curve"]);

    // A repeated section that is not needed does no harm.
    let mut sections = tiny_zkey();
    sections.push((77, vec![1]));
    sections.push((77, vec![1]));
    assert_eq!(read(&binfile(b"zkey", 1, &sections)).unwrap().len(), 5);

    let good = binfile(b"zkey", 1, &tiny_zkey());
    for len in 0..good.len() {
        refused(read(&good[..len]), 3, &[]);
    }
    let mut bytes = good.clone();
    bytes[4] = 2;
    refused(read(&bytes), 3, &["offset 4", "version: expected 1, got 2"]);
    for sections in [11u32, 1025, u32::MAX] {
        let mut bytes = good.clone();
        bytes[8..12].copy_from_slice(&sections.to_le_bytes());
        refused(read(&bytes), 3, &["section"]);
    }
    for len in [u64::MAX, u64::MAX - 23, 1 << 63, 1 << 32] {
        let mut bytes = good.clone();
        bytes[16..24].copy_from_slice(&len.to_le_bytes());
        refused(
            read(&bytes),
            3,
            &[&format!("claims {len} bytes"), "truncated"],
        );
    }
}

#[test]
fn other_curves_are_named() {
    let files = Files::new();
    let q = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffff\
             b9feffffffffaaab";
    let mut prime: Vec<u8> = (0..48)
        .map(|i| u8::from_str_radix(&q[2 * i..2 * i + 2], 16).unwrap())
        .collect();
    prime.reverse();
    let header = [u32s(&[48]), prime, vec![0; 900]].concat();
    let zkey = binfile(b"zkey", 1, &[(1, u32s(&[1])), (2, header.clone())]);
    refused(
        files.points::<G1>(&zkey, "#a", None, TRUST),
        3,
        &["bls12-381", "only bn254"],
    );
    let ptau = binfile(b"ptau", 1, &[(1, header)]);
    refused(
        files.points::<G1>(&ptau, "#tau-g1", None, TRUST),
        3,
        &["bls12-381", "only bn254"],
    );
}

#[test]
fn witnesses_are_read_and_checked() {
    let files = Files::new();
    let options = ReadOptions::default();
    let one = |k: u64| limbs_le([k, 0, 0, 0]);
    let values: Vec<_> = (1..=6).map(one).collect();
    let good = wtns(&values);
    assert_eq!(good.len(), 76 + 32 * 6);
    let all: Vec<Fr> = (1..=6).map(Fr::from).collect();
    assert_eq!(files.scalars(&good, "", None, options).unwrap(), all);
    assert_eq!(
        files.scalars(&good, "#2..", None, options).unwrap(),
        all[2..]
    );
    assert_eq!(
        files.scalars(&good, "#1..3", None, options).unwrap(),
        all[1..3]
    );
    refused(
        files.scalars(&good, "#1..7", None, options),
        3,
        &["holds 6 scalars", "0..6"],
    );
    for len in 0..good.len() {
        refused(files.scalars(&good[..len], "", None, options), 3, &[]);
    }
    let mut bytes = good.clone();
    bytes.extend([1, 2, 3]);
    assert_eq!(
        files.scalars(&bytes, "", None, options).unwrap(),
        all,
        "trailing bytes"
    );
    let change = |at: usize, new: &[u8], words: &[&str]| {
        let mut bytes = good.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        refused(files.scalars(&bytes, "", None, options), 3, words);
    };
    change(4, &[1], &["version: expected 2, got 1"]);
    change(28, &[0], &["scalar field prime r", "only bn254"]);
    change(
        60,
        &[5],
        &["section 2 (witness values): expected 160 bytes, got 192"],
    );
    change(60, &[0xff; 4], &["expected 137438953440 bytes, got 192"]);
    change(
        76 + 64,
        &r_plus(0),
        &["scalar 2 (offset 140)", "--reduce-scalars"],
    );
}

#[test]
fn ptau_sections_are_read_and_checked() {
    let files = Files::new();
    let points = generate::<G1>(Kind::Random, 7, 9).0;
    let good = ptau(2, &points);
    assert_eq!(
        files.points::<G1>(&good, "#tau-g1", None, TRUST).unwrap(),
        points
    );
    refused(
        files.points::<G1>(&good, "", None, TRUST),
        2,
        &["tau-g1, tau-g2, alpha-tau-g1"],
    );
    refused(
        files.points::<G1>(&good, "#alpha-tau-g1", None, TRUST),
        3,
        &["section 4", "none"],
    );
    for power in [1u8, 3] {
        let bytes = ptau(power.into(), &points);
        let words = ["section 2 (tau-g1)", "got 448"];
        refused(
            files.points::<G1>(&bytes, "#tau-g1", None, TRUST),
            3,
            &words,
        );
    }
    for power in [29, u32::MAX] {
        let bytes = ptau(power, &points);
        refused(
            files.points::<G1>(&bytes, "#tau-g1", None, TRUST),
            3,
            &["power", "at most 28"],
        );
    }
    for len in 0..good.len() {
        refused(
            files.points::<G1>(&good[..len], "#tau-g1", None, TRUST),
            3,
            &[],
        );
    }
}

#[test]
fn raw_formats_need_their_name_and_their_length() {
    let files = Files::new();
    let options = ReadOptions::default();
    let points = generate::<G1>(Kind::Random, 3, 1).0;
    let eip: Vec<u8> = points
        .iter()
        .flat_map(|p| [p.x, p.y])
        .flat_map(|c| limbs_le(c.to_limbs()).into_iter().rev().collect::<Vec<_>>())
        .collect();
    let gnark = [vec![0, 0, 0, 3], eip.clone()].concat();
    assert_eq!(
        files
            .points::<G1>(&eip, "", Some(Format::Eip), options)
            .unwrap(),
        points
    );
    assert_eq!(
        files
            .points::<G1>(&gnark, "", Some(Format::Gnark), options)
            .unwrap(),
        points
    );
    refused(
        files.points::<G1>(&eip, "", None, options),
        3,
        &["--format ark|gnark|eip"],
    );
    for len in 0..gnark.len() {
        for format in [Format::Ark, Format::Gnark] {
            refused(
                files.points::<G1>(&gnark[..len], "", Some(format), options),
                3,
                &[],
            );
        }
    }
    for len in [0, 1, 31, 33, 95] {
        let eip = &eip[..len];
        refused(
            files.points::<G1>(eip, "", Some(Format::Eip), options),
            3,
            &[],
        );
        refused(files.scalars(eip, "", Some(Format::Eip), options), 3, &[]);
    }
    let huge = [vec![0xff; 8], vec![0; 64]].concat();
    refused(
        files.points::<G1>(&huge, "", Some(Format::Ark), options),
        3,
        &["damaged"],
    );
    refused(
        files.points::<G1>(&huge, "", Some(Format::Gnark), options),
        3,
        &["4294967295 records"],
    );
    refused(
        files.scalars(&huge, "", Some(Format::Ark), options),
        3,
        &["damaged"],
    );
    // Big-endian scalars, and one above r.
    let scalar = [vec![0; 31], vec![5]].concat();
    let got = files
        .scalars(&scalar, "", Some(Format::Eip), options)
        .unwrap();
    assert_eq!(got, [Fr::from(5)]);
    let got = files.scalars(&[0xff; 32], "", Some(Format::Eip), options);
    refused(got, 3, &["scalar 0 (offset 0)", "--reduce-scalars"]);
}

#[test]
fn what_is_no_file_is_an_io_error() {
    let files = Files::new();
    let open = |path: PathBuf| {
        let locator = Locator {
            path,
            section: None,
            range: None,
        };
        (
            PointFile::open(&locator, None, None).map(|_| ()),
            ScalarFile::open(&locator, None).map(|_| ()),
        )
    };
    let (points, scalars) = open(files.0.path().to_owned());
    refused(points, 5, &["directory"]);
    refused(scalars, 5, &["directory"]);
    let (points, scalars) = open(files.0.path().join("absent"));
    refused(points, 5, &["absent", "No such file"]);
    refused(scalars, 5, &["absent", "No such file"]);
    if cfg!(target_os = "linux") {
        refused(open("/dev/null".into()).0, 3, &["regular file"]);
    }
}

/// Heads with random bytes in them: an answer or an error, never a panic, and never more records
/// than the file has room for.
#[test]
fn mutated_files_never_panic() {
    let files = Files::new();
    let mut rng = ChaCha12Rng::seed_from_u64(0x5eed);
    let (points, scalars) = generate::<G1>(Kind::Edge, 5, 1);
    let ark = [
        5u64.to_le_bytes().to_vec(),
        encode_points(&points)[32..].to_vec(),
    ]
    .concat();
    let samples: [(&str, Option<Format>, Vec<u8>); 7] = [
        ("", None, encode_points(&points)),
        ("", None, encode_scalars::<G1>(&scalars)),
        ("#c", None, binfile(b"zkey", 1, &tiny_zkey())),
        (
            "#tau-g1",
            None,
            ptau(2, &generate::<G1>(Kind::Random, 7, 9).0),
        ),
        (
            "",
            None,
            wtns(&[limbs_le([1, 0, 0, 0]), limbs_le([2, 0, 0, 0])]),
        ),
        ("", Some(Format::Ark), ark.clone()),
        ("", Some(Format::Gnark), ark),
    ];
    let mut accepted = 0;
    for round in 0..4000 {
        let (fragment, format, bytes) = &samples[round % samples.len()];
        let mut bytes = bytes.clone();
        for _ in 0..rng.random_range(1..4) {
            // Heads are where counts and lengths stand.
            let limit = if rng.random() {
                bytes.len().min(100)
            } else {
                bytes.len()
            };
            let at = rng.random_range(0..limit);
            match rng.random_range(0..4) {
                0 => bytes[at] = 0xff,
                1 => bytes[at] ^= 1 << rng.random_range(0..8),
                2 => bytes.truncate(at.max(1)),
                _ => bytes[at] = rng.random(),
            }
        }
        let room = bytes.len() / 32;
        let results = [
            files
                .points::<G1>(&bytes, fragment, *format, REDUCE)
                .map(|p| p.len()),
            files
                .scalars(&bytes, fragment, *format, ReadOptions::default())
                .map(|s| s.len()),
        ];
        for result in results {
            match result {
                Ok(n) => {
                    accepted += 1;
                    assert!(n <= room, "{n} records of {} bytes", bytes.len());
                }
                Err(Error::BadInput { .. } | Error::Usage(_)) => {}
                Err(other) => panic!("round {round}: {other:?}"),
            }
        }
    }
    assert!(
        accepted > 100,
        "{accepted} mutants were harmless; the loop must reach the readers"
    );
}

#[test]
fn montgomery_helper_matches_the_reader() {
    // Guards the tests above: a helper that wrote plain values would test nothing.
    let bytes = montgomery(&[G1::generator()]);
    assert_ne!(bytes, encode_points(&[G1::generator()])[32..]);
}
