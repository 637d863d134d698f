//! `zkria gen msm`: deterministic inputs of every kind.

use std::fs;

use serde::Serialize;
use zkria_core::gen_msm::generate;
use zkria_core::io::{GroupKind, encode_points, encode_scalars, write_files};
use zkria_core::{Error, Result};
use zkria_field::bn254::{G1, G2};

use crate::args::{GenMsmArgs, MAX_LOG_N};
use crate::group::CliGroup;
use crate::output::Output;
use crate::progress::Progress;

#[derive(Serialize)]
struct Answer {
    out: String,
    n: usize,
    kind: &'static str,
    seed: u64,
    curve: &'static str,
    group: &'static str,
}

/// Writes `points.bin`, `scalars.bin` and `README`, all or none.
///
/// # Errors
/// [`Error::Usage`] for a size that is too great, [`Error::Unavailable`] for a curve that is not
/// in this version, [`Error::Io`] when the folder or a file cannot be written.
pub fn run(args: &GenMsmArgs, out: &Output) -> Result<()> {
    let group = args.curve.check()?.unwrap_or(GroupKind::G1);
    let n = match (args.log_n, args.n) {
        (Some(k), _) if k > MAX_LOG_N => {
            return Err(Error::usage(format!(
                "--log-n {k}: expected at most {MAX_LOG_N}"
            )));
        }
        (Some(k), _) => 1 << k,
        (None, n) => n.unwrap_or(0),
    };
    if n > 1 << MAX_LOG_N {
        return Err(Error::usage(format!(
            "--n {n}: expected at most 2^{MAX_LOG_N}"
        )));
    }
    match group {
        GroupKind::G1 => write::<G1>(args, n, out),
        GroupKind::G2 => write::<G2>(args, n, out),
    }
}

fn write<G: CliGroup>(args: &GenMsmArgs, n: usize, out: &Output) -> Result<()> {
    let progress = Progress::start(format!("{n} points"), out);
    let (points, scalars) = generate::<G>(args.kind, n, args.seed);
    let readme = format!(
        "MSM input made by zkria {version}\n\n\
         points.bin   {n} points of {curve} {group}, container zkriaPT1\n\
         scalars.bin  {n} scalars below r, container zkriaSC1\n\n\
         Again: zkria gen msm --n {n} --kind {kind} --seed {seed} --group {group} --out DIR\n\
         Use:   zkria msm --points points.bin --scalars scalars.bin --check\n",
        version = env!("CARGO_PKG_VERSION"),
        curve = G::CURVE,
        group = G::GROUP,
        kind = args.kind,
        seed = args.seed,
    );
    let existed = args.out.is_dir();
    fs::create_dir_all(&args.out).map_err(|e| Error::io(&args.out, e))?;
    let written = write_files(&[
        (&args.out.join("points.bin"), &encode_points(&points)),
        (
            &args.out.join("scalars.bin"),
            &encode_scalars::<G>(&scalars),
        ),
        (&args.out.join("README"), readme.as_bytes()),
    ]);
    if written.is_err() && !existed {
        // Only ever removes an empty folder, ours.
        let _ = fs::remove_dir(&args.out);
    }
    written?;
    drop(progress);
    let answer = Answer {
        out: args.out.display().to_string(),
        n,
        kind: args.kind.name(),
        seed: args.seed,
        curve: G::CURVE,
        group: G::GROUP,
    };
    out.answer(&answer, || {
        format!(
            "{}: points.bin, scalars.bin, README ({n} {} points of {} {}, seed {})",
            answer.out, answer.kind, answer.curve, answer.group, answer.seed
        )
    })
}
