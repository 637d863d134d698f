//! The command line: every flag, its default and its help.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use zkria_core::gen_msm::Kind;
use zkria_core::io::{Format, GroupKind};
use zkria_core::{Error, Result};

use crate::commands::bench::peer::ExternalPeer;
use crate::registry;

/// Multi-scalar multiplication and other proof kernels on CPU, FPGA and simulated RTL.
#[derive(Debug, Parser)]
#[command(
    name = "zkria",
    version,
    max_term_width = 100,
    after_help = "Examples:
  zkria gen msm --log-n 10 --kind random --seed 1 --out demo
  zkria msm --points demo/points.bin --scalars demo/scalars.bin --check"
)]
pub struct Cli {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become help text")]
    pub global: Global,
    #[command(subcommand)]
    #[expect(missing_docs, reason = "a doc comment here would become help text")]
    pub command: Command,
}

/// More than any machine has cores; a pool starts them all at once.
const MAX_THREADS: usize = 1024;

/// Flags of every command.
#[derive(Args, Clone, Debug)]
pub struct Global {
    /// One JSON object on standard output, nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// No notes and no progress on standard error
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Threads to compute with [default: all cores]; 1 means no thread pool
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Log to standard error; twice for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

impl Global {
    pub(crate) fn start_logger(&self) {
        let level = match self.verbose {
            0 => log::LevelFilter::Off,
            1 => log::LevelFilter::Info,
            2 => log::LevelFilter::Debug,
            _ => log::LevelFilter::Trace,
        };
        // A second start, in one process, keeps the first.
        let _ = env_logger::Builder::new().filter_level(level).try_init();
    }

    /// Sizes the pool. One thread is the caller's own: none is spawned.
    pub(crate) fn start_threads(&self) -> Result<()> {
        let threads = self.thread_count();
        if threads > MAX_THREADS {
            return Err(Error::usage(format!(
                "--threads {threads}: expected at most {MAX_THREADS}"
            )));
        }
        let mut pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        if threads == 1 {
            pool = pool.use_current_thread();
        }
        pool.build_global().map_err(|error| {
            Error::unavailable(
                format!("{threads} threads cannot be started: {error}"),
                "ask for fewer with --threads; 1 starts none",
            )
        })
    }

    /// Threads that will compute.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get)
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the backends, whether they are available, and how to get those that are not
    #[command(after_help = "Examples:\n  zkria devices\n  zkria devices --json")]
    Devices,
    /// Generate test inputs
    #[command(after_help = "Examples:
  zkria gen msm --log-n 10 --kind random --seed 1 --out demo
  zkria gen msm --n 2049 --kind edge --seed 7 --out demo-edge")]
    Gen {
        #[command(subcommand)]
        #[expect(missing_docs, reason = "a doc comment here would become help text")]
        what: GenCommand,
    },
    /// Compute one multi-scalar multiplication
    #[command(after_help = MSM_HELP)]
    Msm(MsmArgs),
    /// Predict cycles, time and resources of the accelerator
    #[command(after_help = "Examples:
  zkria model --log-n 8..10
  zkria model --profile compact --log-n 10 --mhz 150 --json")]
    Model(ModelArgs),
    /// Time operations, side by side with others' programs
    #[command(after_help = "Examples:
  zkria bench msm --log-n 8..9 --backend portable --runs 3
  zkria bench msm --log-n 8 --backend portable --threads 1 --runs 3 --plot bench.svg --json")]
    Bench {
        #[command(subcommand)]
        #[expect(missing_docs, reason = "a doc comment here would become help text")]
        what: BenchCommand,
    },
    /// Print the completion script of a shell
    #[command(after_help = "Examples:\n  zkria completions bash\n  zkria completions zsh")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

const MSM_HELP: &str = "Files: zkria containers, snarkjs .zkey#SECTION (ic, a, b1, b2, c, h),
.ptau#SECTION (tau-g1, tau-g2, alpha-tau-g1, ..), .wtns; others with --format. FILE#FROM..TO and
FILE#SECTION:FROM..TO take a part.

Examples:
  zkria msm --points demo/points.bin --scalars demo/scalars.bin --check
  zkria msm --points demo/points.bin --scalars demo/scalars.bin --backend portable --json";

/// What to generate.
#[derive(Debug, Subcommand)]
pub enum GenCommand {
    /// Points and scalars for an MSM: points.bin, scalars.bin, README
    #[command(after_help = "Examples:
  zkria gen msm --log-n 10 --kind random --seed 1 --out demo
  zkria gen msm --n 2049 --kind edge --seed 7 --out demo-edge")]
    Msm(GenMsmArgs),
}

/// What to time.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Multi-scalar multiplication
    #[command(after_help = "Examples:
  zkria bench msm --log-n 8..9 --backend portable --runs 3
  zkria bench msm --log-n 8 --backend portable --threads 1 --runs 3 --plot bench.svg --json")]
    Msm(BenchMsmArgs),
}

/// `zkria gen msm`.
#[derive(Args, Debug)]
#[group(id = "size", required = true, multiple = false, args = ["log_n", "n"])]
pub struct GenMsmArgs {
    /// Make 2^K points
    #[arg(long, value_name = "K")]
    pub log_n: Option<u32>,
    /// Make N points
    #[arg(long, value_name = "N")]
    pub n: Option<usize>,
    /// What the input stresses
    #[arg(long, default_value = "random", value_parser = kind_parser())]
    pub kind: Kind,
    /// Seed: the same seed gives the same files everywhere
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Folder for the three files; made if absent
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become help text")]
    pub curve: CurveArgs,
}

/// Curve and group.
#[derive(Args, Clone, Copy, Debug)]
pub struct CurveArgs {
    /// Curve
    #[arg(long, default_value = "bn254")]
    pub curve: CurveName,
    /// Group [default: what the file holds, else g1]
    #[arg(long)]
    pub group: Option<GroupName>,
}

impl CurveArgs {
    /// The group, if named.
    ///
    /// # Errors
    /// [`Error::Unavailable`] for a curve that this version does not compute on.
    pub fn check(self) -> Result<Option<GroupKind>> {
        match self.curve {
            CurveName::Bn254 => Ok(self.group.map(GroupName::kind)),
            CurveName::Bls12_381 => Err(Error::unavailable(
                "curve bls12-381 is not in this version",
                "use --curve bn254",
            )),
        }
    }
}

/// Curves by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CurveName {
    /// BN254, also called bn128 and alt_bn128
    #[value(aliases = ["bn128", "alt_bn128"])]
    Bn254,
    /// BLS12-381
    #[value(name = "bls12-381")]
    Bls12_381,
}

/// Groups by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GroupName {
    /// Over the prime field
    G1,
    /// Over its quadratic extension
    G2,
}

impl GroupName {
    /// The same for file formats.
    #[must_use]
    pub fn kind(self) -> GroupKind {
        match self {
            Self::G1 => GroupKind::G1,
            Self::G2 => GroupKind::G2,
        }
    }
}

/// Formats without magic, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// arkworks uncompressed vector
    Ark,
    /// gnark raw slice, big-endian
    Gnark,
    /// EIP-196/197, big-endian, no count
    Eip,
}

impl FormatName {
    /// The same for file formats.
    #[must_use]
    pub fn format(self) -> Format {
        match self {
            Self::Ark => Format::Ark,
            Self::Gnark => Format::Gnark,
            Self::Eip => Format::Eip,
        }
    }
}

/// Profiles of the accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// Eight word-serial adders
    Compact,
    /// Fully pipelined adders
    Throughput,
}

impl Profile {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Throughput => "throughput",
        }
    }
}

/// `zkria msm`.
#[derive(Args, Debug)]
pub struct MsmArgs {
    /// Points: a file, or FILE#SECTION of a zkey or ptau
    #[arg(long, value_name = "P")]
    pub points: OsString,
    /// Scalars: a file, or FILE#FROM..TO for a part
    #[arg(long, value_name = "S")]
    pub scalars: OsString,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become help text")]
    pub curve: CurveArgs,
    /// Backend; `zkria devices` lists them
    #[arg(long, default_value = "cpu", value_parser = PossibleValuesParser::new(registry::names()))]
    pub backend: String,
    /// Profile of the accelerator [default: compact on sim]
    #[arg(long)]
    pub profile: Option<Profile>,
    /// Recompute with golden and compare; exit code 1 when they differ
    #[arg(long)]
    pub check: bool,
    /// Counters of the accelerator (sim, fpga)
    #[arg(long)]
    pub stats: bool,
    /// Write a waveform (sim)
    #[arg(long, value_name = "F.fst")]
    pub trace: Option<PathBuf>,
    /// Accept scalars not below r and reduce them
    #[arg(long)]
    pub reduce_scalars: bool,
    /// Skip the subgroup check of points
    #[arg(long)]
    pub trust_points: bool,
    /// Format of files without magic
    #[arg(long)]
    pub format: Option<FormatName>,
    /// Devices to use, by index (fpga, cuda)
    #[arg(long, value_name = "I,..", value_delimiter = ',')]
    pub device: Vec<usize>,
    /// Measure energy (fpga)
    #[arg(long)]
    pub energy: bool,
    /// Write the result as a point container
    #[arg(long, value_name = "F")]
    pub out: Option<PathBuf>,
}

/// `zkria model`.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// Profile of the accelerator
    #[arg(long, default_value = "compact")]
    pub profile: Profile,
    /// Sizes: K, or A..B with both ends
    #[arg(long, value_name = "A..B", default_value = "10..16", value_parser = parse_log_n)]
    pub log_n: RangeInclusive<u32>,
    /// Clock in MHz
    #[arg(long, value_name = "M", default_value_t = 100.0)]
    pub mhz: f64,
}

/// `zkria bench msm`.
#[derive(Args, Debug)]
pub struct BenchMsmArgs {
    /// Sizes: K, or A..B with both ends
    #[arg(long, value_name = "A..B", default_value = "10..14", value_parser = parse_log_n)]
    pub log_n: RangeInclusive<u32>,
    /// Backends to time
    #[arg(
        long,
        value_name = "B,..",
        value_delimiter = ',',
        default_value = "cpu",
        value_parser = PossibleValuesParser::new(registry::names())
    )]
    pub backend: Vec<String>,
    /// Timed runs of each row
    #[arg(long, value_name = "R", default_value = "5")]
    pub runs: NonZeroUsize,
    /// Kind of input
    #[arg(long, default_value = "random", value_parser = kind_parser())]
    pub kind: Kind,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment here would become help text")]
    pub curve: CurveArgs,
    /// Another program, run by sh with {points} {scalars} {out} {log_n} {threads} replaced; the
    /// last line of its output may be {"seconds":S}
    #[arg(long, value_name = "NAME='CMD'")]
    pub peer: Vec<ExternalPeer>,
    /// Draw the medians, both axes logarithmic
    #[arg(long, value_name = "F.svg")]
    pub plot: Option<PathBuf>,
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| name.parse::<Kind>())
}

/// Greatest size of generated inputs: 2^28 points are 17 GB.
pub const MAX_LOG_N: u32 = 28;

/// `K` or `A..B`, both ends included.
pub(crate) fn parse_log_n(text: &str) -> std::result::Result<RangeInclusive<u32>, String> {
    let number = |part: &str| part.parse::<u32>().map_err(|e| format!("`{part}`: {e}"));
    let (from, to) = match text.split_once("..") {
        Some((from, to)) => (number(from)?, number(to.strip_prefix('=').unwrap_or(to))?),
        None => (number(text)?, number(text)?),
    };
    if from > to || to > MAX_LOG_N {
        return Err(format!("expected A <= B <= {MAX_LOG_N}"));
    }
    Ok(from..=to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_are_ranges_with_both_ends() {
        assert_eq!(parse_log_n("10"), Ok(10..=10));
        assert_eq!(parse_log_n("10..12"), Ok(10..=12));
        for bad in ["", "..", "12..10", "1..29", "a..b", "10..", "-1..2"] {
            assert!(parse_log_n(bad).is_err(), "{bad}");
        }
    }
}
