//! One row: a backend in this process, or a program of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::Deserialize;
use zkria_core::io::{Locator, PointFile, ReadOptions};
use zkria_core::{BoundMsm, Error, Msm, Result};
use zkria_field::Affine;
use zkria_field::bn254::Fr;

use super::peer::ExternalPeer;
use super::{Input, clock};
use crate::group::CliGroup;

/// The time of one run in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) cpu: f64,
    pub(super) wall: f64,
    /// Start and file reading of a process are in it.
    pub(super) whole_process: bool,
}

/// Something that computes the MSM of the input again and again.
pub(super) trait BenchRow<G: CliGroup> {
    fn name(&self) -> &str;
    /// One timed run, and its result where there is one to see.
    fn run(&mut self, scalars: &[Fr]) -> Result<(Sample, Option<Affine<G>>)>;
}

/// A backend, its bases bound beforehand.
pub(super) struct BackendRow<'a, G: CliGroup> {
    name: String,
    bound: Box<dyn BoundMsm<G> + 'a>,
}

impl<'a, G: CliGroup> BackendRow<'a, G> {
    pub(super) fn new(name: String, msm: &'a dyn Msm<G>, input: &Input<G>) -> Result<Self> {
        Ok(Self {
            name,
            bound: msm.bind(&input.points)?,
        })
    }
}

impl<G: CliGroup> BenchRow<G> for BackendRow<'_, G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, scalars: &[Fr]) -> Result<(Sample, Option<Affine<G>>)> {
        let (cpu, wall) = (clock::own_cpu()?, Instant::now());
        let result = self.bound.run(scalars)?;
        let wall = wall.elapsed().as_secs_f64();
        let cpu = (clock::own_cpu()? - cpu).as_secs_f64();
        Ok((
            Sample {
                cpu,
                wall,
                whole_process: false,
            },
            Some(result),
        ))
    }
}

/// A program that reads the input files.
pub(super) struct ProcessRow {
    name: String,
    command: Command,
    /// Where it may write its result, as a point container.
    out: PathBuf,
    /// Whether a `{"seconds":S}` line counts.
    may_report: bool,
}

/// What a peer may print last.
#[derive(Deserialize)]
struct Report {
    seconds: f64,
}

impl ProcessRow {
    pub(super) fn peer(peer: &ExternalPeer, folder: &Path, log_n: u32, threads: usize) -> Self {
        let out = folder.join("out.bin");
        let file = |name: &str| folder.join(name).display().to_string();
        let mut command = Command::new("sh");
        command.arg("-c").arg(peer.fill(&[
            ("points", file("points.bin")),
            ("scalars", file("scalars.bin")),
            ("out", out.display().to_string()),
            ("log_n", log_n.to_string()),
            ("threads", threads.to_string()),
        ]));
        Self {
            name: format!("peer:{}", peer.name),
            command,
            out,
            may_report: true,
        }
    }

    /// Our own program, timed as a whole like a peer that reports no time.
    pub(super) fn ours(backend: &str, folder: &Path, _: u32, threads: usize) -> Result<Self> {
        let exe = std::env::current_exe().map_err(|e| Error::io("<this program>", e))?;
        let out = folder.join("out.bin");
        let mut command = Command::new(exe);
        command.args(["msm", "--quiet", "--backend", backend]);
        command.args(["--threads", &threads.to_string()]);
        command.arg("--points").arg(folder.join("points.bin"));
        command.arg("--scalars").arg(folder.join("scalars.bin"));
        command.arg("--out").arg(&out);
        Ok(Self {
            name: format!("process:{backend}"),
            command,
            out,
            may_report: false,
        })
    }

    fn result<G: CliGroup>(&self) -> Result<Option<Affine<G>>> {
        if !self.out.exists() {
            return Ok(None);
        }
        let locator = Locator {
            path: self.out.clone(),
            section: None,
            range: None,
        };
        let file = PointFile::open(&locator, None, Some(G::KIND))?;
        Ok(file.read::<G>(ReadOptions::default())?.first().copied())
    }
}

impl<G: CliGroup> BenchRow<G> for ProcessRow {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, _: &[Fr]) -> Result<(Sample, Option<Affine<G>>)> {
        // What an earlier run or another row left there would pass for this one's result.
        let _ = std::fs::remove_file(&self.out);
        self.command
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .stdout(Stdio::piped());
        let (cpu, start) = (clock::children_cpu()?, Instant::now());
        let output = self.command.output().map_err(|e| Error::io("sh", e))?;
        let wall = start.elapsed().as_secs_f64();
        let cpu = (clock::children_cpu()? - cpu).as_secs_f64();
        if !output.status.success() {
            return Err(Error::device(
                format!("{}: the command ended with {}", self.name, output.status),
                "its own message stands above; try the command by hand",
            ));
        }
        let result = self.result::<G>().map_err(|error| {
            Error::device(
                format!("{}: its {{out}} cannot be read: {error}", self.name),
                "expected one point in a zkriaPT1 container",
            )
        })?;
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default();
        let sample = match serde_json::from_str::<Report>(last) {
            Ok(report) if self.may_report && report.seconds.is_nan() | (report.seconds <= 0.0) => {
                return Err(Error::device(
                    format!("{}: it reports {} seconds", self.name, report.seconds),
                    "expected a positive number",
                ));
            }
            Ok(report) if self.may_report => Sample {
                cpu: report.seconds,
                wall: report.seconds,
                whole_process: false,
            },
            _ => Sample {
                cpu,
                wall,
                whole_process: true,
            },
        };
        Ok((sample, result))
    }
}
