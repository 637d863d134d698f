//! `zkria bench msm`: rows that one reader can divide by one another.
//!
//! All rows of one size run on the same input and interleaved, so that a machine that slows down
//! slows all of them; every result is compared with another backend before it is timed. With one
//! thread the time is the process's CPU time, which a neighbour does not disturb; above it is
//! wall time.

mod clock;
mod machine;
pub mod peer;
#[cfg(feature = "peers")]
pub mod peers;
mod plot;
mod report;
mod row;

use std::path::Path;

use zkria_core::gen_msm::{Kind, generate};
use zkria_core::io::{GroupKind, encode_points, encode_scalars, stage_folder, write_files};
use zkria_core::{Backend, Error, Msm, Result};
use zkria_field::Affine;
use zkria_field::bn254::{Fr, G1, G2};

use crate::args::{BenchMsmArgs, Global};
use crate::group::CliGroup;
use crate::output::Output;
use crate::progress::Progress;
use crate::registry::{self, OpenOptions};
use report::{Report, ReportRow};
use row::{BackendRow, BenchRow, ProcessRow, Sample};

/// One input, in memory and on disk.
struct Input<G: CliGroup> {
    points: Vec<Affine<G>>,
    scalars: Vec<Fr>,
    log_n: u32,
    threads: usize,
}

/// Times every backend and peer at every size.
///
/// # Errors
/// [`Error::Unavailable`] for a backend or peer that cannot run, [`Error::CheckFailed`] when a
/// result is wrong, [`Error::Device`] when an external peer fails, [`Error::Io`] for files.
pub fn run(args: &BenchMsmArgs, global: &Global, out: &Output) -> Result<()> {
    match args.curve.check()?.unwrap_or(GroupKind::G1) {
        GroupKind::G1 => bench::<G1>(args, global, out),
        GroupKind::G2 => bench::<G2>(args, global, out),
    }
}

fn bench<G: CliGroup>(args: &BenchMsmArgs, global: &Global, out: &Output) -> Result<()> {
    let machine = machine::Machine::detect();
    let threads = global.thread_count();
    if !out.is_json() {
        out.raw(machine.text(threads).as_bytes())?;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in &args.backend {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let backends: Vec<Box<dyn Backend>> = names
        .iter()
        .map(|name| (registry::row(name)?.open)(&OpenOptions::default()))
        .collect::<Result<_>>()?;
    let mut msms: Vec<(String, &dyn Msm<G>)> = Vec::new();
    for (name, backend) in names.iter().zip(&backends) {
        msms.push(((*name).to_owned(), G::need_msm(&**backend)?));
    }
    #[cfg(feature = "peers")]
    let arkworks = peers::Arkworks::new()?;
    #[cfg(feature = "peers")]
    msms.push(("peer:arkworks".to_owned(), G::arkworks(&arkworks)));

    let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    stage_folder(folder.path());
    let mut report = Report::new(machine);
    for log_n in args.log_n.clone() {
        let progress = Progress::start(format!("{} points", 1u64 << log_n), out);
        let input = Input::<G>::new(args.kind, log_n, threads);
        let mut rows: Vec<Box<dyn BenchRow<G> + '_>> = Vec::new();
        for (name, msm) in &msms {
            rows.push(Box::new(BackendRow::new(name.clone(), *msm, &input)?));
        }
        if !args.peer.is_empty() {
            input.write(folder.path())?;
        }
        for peer in &args.peer {
            rows.push(Box::new(ProcessRow::peer(
                peer,
                folder.path(),
                log_n,
                threads,
            )));
        }
        let variant = format!("{}/{}/{}", G::CURVE, G::GROUP, args.kind);
        for row in measure(rows, &input, &names, folder.path(), args.runs.get())? {
            report.push(&variant, &input, args.runs.get(), row);
        }
        drop(progress);
    }
    if let Some(path) = &args.plot {
        let svg = plot::svg(&report)?;
        write_files(&[(path, svg.as_bytes())])?;
    }
    out.answer(&report, || report.table())
}

/// The samples of one row.
struct Measured {
    name: String,
    checked: bool,
    bytes_peak: Option<u64>,
    samples: Vec<Sample>,
}

/// Checks every row, which also warms it up, then runs all of them `runs` times, interleaved.
fn measure<G: CliGroup>(
    mut rows: Vec<Box<dyn BenchRow<G> + '_>>,
    input: &Input<G>,
    backends: &[&str],
    folder: &Path,
    runs: usize,
) -> Result<Vec<Measured>> {
    let golden = G::golden(&input.points, &input.scalars)?;
    let other = zkria_cpu_msm::msm(&input.points, &input.scalars, 0)?;
    let mut measured = Vec::new();
    let mut processes = false;
    for row in &mut rows {
        machine::reset_peak();
        let before = machine::peak_bytes();
        let (sample, result) = row.run(&input.scalars)?;
        let after = machine::peak_bytes();
        // The oracle is compared with another backend, as everything else is with the oracle.
        let expected = if row.name() == "golden" {
            other
        } else {
            golden
        };
        let checked = match result {
            Some(result) if result == expected => true,
            None => false,
            Some(_) => {
                return Err(Error::check_failed(format!(
                    "bench: {} points: {} gives another result than golden",
                    input.points.len(),
                    row.name()
                )));
            }
        };
        processes |= sample.whole_process;
        measured.push(Measured {
            name: row.name().to_owned(),
            checked,
            bytes_peak: before.zip(after).map(|(b, a)| a.saturating_sub(b)),
            samples: Vec::new(),
        });
    }
    if processes {
        // A peer that is timed as a whole process is compared with ours timed so too.
        for name in backends {
            let mut row = ProcessRow::ours(name, folder, input.log_n, input.threads)?;
            let (_, result) = BenchRow::<G>::run(&mut row, &input.scalars)?;
            measured.push(Measured {
                name: BenchRow::<G>::name(&row).to_owned(),
                checked: result == Some(golden),
                bytes_peak: None,
                samples: Vec::new(),
            });
            rows.push(Box::new(row));
        }
    }
    for _ in 0..runs {
        for (row, measured) in rows.iter_mut().zip(&mut measured) {
            measured.samples.push(row.run(&input.scalars)?.0);
        }
    }
    Ok(measured)
}

impl<G: CliGroup> Input<G> {
    fn new(kind: Kind, log_n: u32, threads: usize) -> Self {
        let (points, scalars) = generate::<G>(kind, 1 << log_n, 1);
        Self {
            points,
            scalars,
            log_n,
            threads,
        }
    }

    fn write(&self, folder: &Path) -> Result<()> {
        write_files(&[
            (&folder.join("points.bin"), &encode_points(&self.points)),
            (
                &folder.join("scalars.bin"),
                &encode_scalars::<G>(&self.scalars),
            ),
        ])
    }
}

/// The rows of a report are made from measured rows.
impl Report {
    fn push<G: CliGroup>(&mut self, variant: &str, input: &Input<G>, runs: usize, row: Measured) {
        self.rows.push(ReportRow::new(
            variant,
            input.log_n,
            input.threads,
            runs,
            row,
        ));
    }
}
