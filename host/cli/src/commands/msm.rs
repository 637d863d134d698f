//! `zkria msm`: one multi-scalar multiplication from files.

use std::fmt::Write;
use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use zkria_core::io::{GroupKind, Locator, PointFile, ReadOptions, ScalarFile, write_points};
use zkria_core::{Error, MsmStats, Result};
use zkria_field::Affine;
use zkria_field::bn254::{Fr, G1, G2};

use crate::args::{FormatName, MsmArgs};
use crate::group::{CliGroup, Coordinate};
use crate::output::Output;
use crate::progress::Progress;
use crate::registry::{self, OpenOptions, Row};

/// The answer as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
struct Answer {
    x: Coordinate,
    y: Coordinate,
    infinity: bool,
    n: usize,
    curve: &'static str,
    group: &'static str,
    backend: &'static str,
    profile: Option<&'static str>,
    seconds: f64,
    stats: Option<Stats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'static str>,
}

/// Counters as `--json` prints them.
#[derive(Clone, Copy, Debug, Serialize)]
struct Stats {
    cycles: u64,
    additions: u64,
    loads: u64,
    stalls: u64,
    bytes_read: u64,
    bytes_written: u64,
    khz: Option<f64>,
}

impl From<MsmStats> for Stats {
    fn from(stats: MsmStats) -> Self {
        let MsmStats {
            cycles,
            additions,
            loads,
            stalls,
            bytes_read,
            bytes_written,
            khz,
        } = stats;
        Self {
            cycles,
            additions,
            loads,
            stalls,
            bytes_read,
            bytes_written,
            khz,
        }
    }
}

/// Reads both files, computes, compares if asked, writes and prints the result.
///
/// # Errors
/// Every variant of [`Error`], as their documentation says; nothing is then written.
pub fn run(args: &MsmArgs, out: &Output) -> Result<()> {
    let group = args.curve.check()?;
    let row = registry::row(&args.backend)?;
    check_flags(args, row)?;
    let format = args.format.map(FormatName::format);
    let points = PointFile::open(&Locator::parse(&args.points)?, format, group)?;
    let scalars = ScalarFile::open(&Locator::parse(&args.scalars)?, format)?;
    if points.count() != scalars.count() {
        return Err(Error::Length {
            what: format!(
                "{}: one scalar for every point of {} is needed (FILE#FROM..TO takes a part of \
                 either)",
                args.scalars.display(),
                args.points.display()
            ),
            expected: points.count(),
            got: scalars.count(),
        });
    }
    match points.group().or(group).unwrap_or(GroupKind::G1) {
        GroupKind::G1 => compute::<G1>(args, row, &points, &scalars, out),
        GroupKind::G2 => compute::<G2>(args, row, &points, &scalars, out),
    }
}

/// Flags that this version, or this backend, has no meaning for.
fn check_flags(args: &MsmArgs, row: &Row) -> Result<()> {
    if let Some(path) = &args.out {
        refuse_standard_output(path)?;
    }
    if args.energy {
        return Err(Error::unavailable(
            "--energy needs a board, and the board runtime is not in this version",
            "leave it out",
        ));
    }
    if !args.device.is_empty() {
        return Err(Error::unavailable(
            "--device chooses among boards or GPUs, and neither is in this version",
            "leave it out",
        ));
    }
    if args.trace.is_some() && row.name != "sim" {
        return Err(Error::usage(format!(
            "--trace: only the simulator writes waveforms; use --backend sim instead of {}",
            row.name
        )));
    }
    if args.profile.is_some() && row.profile.is_none() {
        return Err(Error::usage(format!(
            "--profile: backend {} has no profiles; use --backend sim",
            row.name
        )));
    }
    Ok(())
}

/// The answer goes to standard output; a container in the same place would spoil both.
fn refuse_standard_output(path: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::MetadataExt;
        let stdout = std::io::stdout().as_fd().try_clone_to_owned();
        let here = stdout.map(File::from).and_then(|file| file.metadata());
        if let (Ok(here), Ok(there)) = (here, fs::metadata(path))
            && (here.dev(), here.ino()) == (there.dev(), there.ino())
            && path != Path::new("/dev/null")
        {
            return Err(Error::usage(format!(
                "--out {}: that is the standard output, where the answer goes; name another file",
                path.display()
            )));
        }
    }
    Ok(())
}

fn compute<G: CliGroup>(
    args: &MsmArgs,
    row: &Row,
    points: &PointFile,
    scalars: &ScalarFile,
    out: &Output,
) -> Result<()> {
    let profile = args.profile.or(row.profile);
    let backend = (row.open)(&OpenOptions {
        trace: args.trace.clone(),
        profile,
    })?;
    let msm = G::need_msm(&*backend)?;
    if args.trust_points {
        out.note("--trust-points: points are not checked to lie in the subgroup");
    }
    let progress = Progress::start(format!("reading {}", args.points.display()), out);
    let set = |done, total| progress.set(done, total);
    let options = ReadOptions {
        trust_points: args.trust_points,
        reduce_scalars: args.reduce_scalars,
        progress: Some(&set),
    };
    let points = points.read::<G>(options)?;
    let scalars = scalars.read(options)?;
    drop(progress);

    let progress = Progress::start(format!("{} points on {}", points.len(), row.name), out);
    let mut bound = msm.bind(&points)?;
    let start = Instant::now();
    let result = bound.run(&scalars)?;
    let seconds = start.elapsed().as_secs_f64();
    log::info!("{} points on {} in {seconds:.6} s", points.len(), row.name);
    let stats = bound.stats();
    drop(progress);

    if args.check {
        check(&points, &scalars, &result, row, out)?;
    }
    if let Some(path) = &args.out {
        write_points(path, &[result])?;
    }
    let answer = Answer {
        x: Coordinate::new(&result.x),
        y: Coordinate::new(&result.y),
        infinity: result.is_infinity(),
        n: points.len(),
        curve: G::CURVE,
        group: G::GROUP,
        backend: row.name,
        profile: profile.map(|p| p.name()),
        seconds,
        stats: stats.filter(|_| args.stats).map(Stats::from),
        check: args.check.then_some("equal"),
    };
    out.answer(&answer, || text(&answer, args.stats))
}

fn check<G: CliGroup>(
    points: &[Affine<G>],
    scalars: &[Fr],
    result: &Affine<G>,
    row: &Row,
    out: &Output,
) -> Result<()> {
    let _progress = Progress::start(format!("{} points on golden", points.len()), out);
    let golden = G::golden(points, scalars)?;
    if golden == *result {
        return Ok(());
    }
    let [got, expected] = [result, &golden]
        .map(|p| format!("({}, {})", Coordinate::new(&p.x), Coordinate::new(&p.y)));
    Err(Error::check_failed(format!(
        "check: {} points: golden says {expected}, {} says {got}",
        points.len(),
        row.name
    )))
}

fn text(answer: &Answer, stats: bool) -> String {
    let mut text = match answer.infinity {
        true => "infinity\n".to_owned(),
        false => format!("x {}\ny {}\n", answer.x, answer.y),
    };
    let profile = answer
        .profile
        .map(|p| format!(" ({p})"))
        .unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} points of {} {} on {}{profile} in {:.6} s",
        answer.n, answer.curve, answer.group, answer.backend, answer.seconds
    );
    if answer.check.is_some() {
        let _ = writeln!(text, "check: equal to golden");
    }
    match answer.stats {
        Some(s) => {
            let per_addition = match s.additions {
                0 => String::new(),
                n => format!(", {:.2} cycles per addition", s.cycles as f64 / n as f64),
            };
            let _ = writeln!(
                text,
                "cycles {}, {:.3} ms at 100 MHz\nadditions {}{per_addition}\nloads {}, stalls \
                 {}\nread {} bytes, wrote {} bytes",
                s.cycles,
                s.cycles as f64 / 1e5,
                s.additions,
                s.loads,
                s.stalls,
                s.bytes_read,
                s.bytes_written
            );
            if let Some(khz) = s.khz {
                let _ = writeln!(text, "simulated at {khz:.1} kHz");
            }
        }
        None if stats => {
            let _ = writeln!(text, "stats: backend {} has no counters", answer.backend);
        }
        None => {}
    }
    text
}
