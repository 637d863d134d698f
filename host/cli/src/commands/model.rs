//! `zkria model`: what the accelerator would take, by its cycle and cost model.

use std::fmt::Write;

use serde::Serialize;
use zkria_core::{Error, Result};
use zkria_hls_model::cost::{self, XCK26};
use zkria_hls_model::msm_top::{Config, Prediction, predict};

use crate::args::{ModelArgs, Profile};
use crate::output::Output;
use crate::progress::Progress;

#[derive(Serialize)]
struct Answer {
    profile: &'static str,
    mhz: f64,
    rows: Vec<Row>,
    resources: Resources,
}

/// An estimate, beside the device.
#[derive(Serialize)]
struct Resources {
    device: &'static str,
    used: Figures,
    budget: Figures,
    blocks: Vec<Block>,
}

#[derive(Serialize)]
struct Block {
    name: &'static str,
    copies: u32,
    each: Figures,
}

#[derive(Serialize)]
struct Figures {
    dsp: u32,
    lut: u32,
    ff: u32,
    uram: u32,
    bram36: u32,
}

impl From<cost::Resources> for Figures {
    fn from(r: cost::Resources) -> Self {
        let cost::Resources {
            dsp,
            lut,
            ff,
            uram,
            bram36,
        } = r;
        Self {
            dsp,
            lut,
            ff,
            uram,
            bram36,
        }
    }
}

impl Resources {
    fn new(config: &Config) -> Self {
        let blocks = cost::blocks(config);
        Self {
            device: "xck26",
            used: cost::total(&blocks).into(),
            budget: XCK26.into(),
            blocks: blocks
                .iter()
                .map(|b| Block {
                    name: b.name,
                    copies: b.copies,
                    each: b.each.into(),
                })
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct Row {
    log_n: u32,
    cycles: u64,
    additions: u64,
    loads: u64,
    stalls: u64,
    bytes_read: u64,
    bytes_written: u64,
    cycles_per_addition: f64,
    seconds: f64,
}

impl Row {
    fn new(log_n: u32, prediction: Prediction, mhz: f64) -> Self {
        let Prediction {
            cycles,
            additions,
            loads,
            stalls,
            bytes_read,
            bytes_written,
        } = prediction;
        Self {
            log_n,
            cycles,
            additions,
            loads,
            stalls,
            bytes_read,
            bytes_written,
            cycles_per_addition: cycles as f64 / additions.max(1) as f64,
            seconds: prediction.seconds(mhz),
        }
    }
}

/// Predicts every size asked for.
///
/// # Errors
/// [`Error::Usage`] for a clock that is no frequency, [`Error::Unavailable`] for a profile that
/// is not in this version, [`Error::Io`] when standard output cannot be written.
pub fn run(args: &ModelArgs, out: &Output) -> Result<()> {
    if !(args.mhz >= 1e-3 && args.mhz <= 1e6) {
        return Err(Error::usage(format!(
            "--mhz {}: expected a clock from 0.001 to 1000000",
            args.mhz
        )));
    }
    if args.profile != Profile::Compact {
        return Err(Error::unavailable(
            format!(
                "there is no model of profile {} in this version",
                args.profile.name()
            ),
            "use --profile compact",
        ));
    }
    let progress = Progress::start("modelling", out);
    let config = Config::default();
    let rows = args
        .log_n
        .clone()
        .map(|log_n| Row::new(log_n, predict(log_n, &config), args.mhz))
        .collect();
    drop(progress);
    let answer = Answer {
        profile: args.profile.name(),
        mhz: args.mhz,
        rows,
        resources: Resources::new(&config),
    };
    out.answer(&answer, || text(&answer))
}

fn text(answer: &Answer) -> String {
    let mut text = format!(
        "profile {} at {} MHz, random scalars\n",
        answer.profile, answer.mhz
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{:>5}  {:>14}  {:>14}  {:>10}  {:>12}  {:>11}  {:>10}",
        "log_n", "cycles", "additions", "loads", "cycles/add", "ms", "MB read"
    );
    for row in &answer.rows {
        let _ = writeln!(
            text,
            "{:>5}  {:>14}  {:>14}  {:>10}  {:>12.2}  {:>11.3}  {:>10.1}",
            row.log_n,
            row.cycles,
            row.additions,
            row.loads,
            row.cycles_per_addition,
            row.seconds * 1e3,
            row.bytes_read as f64 / 1e6
        );
    }
    let _ = writeln!(
        text,
        "\n{:<29}  {:>5}  {:>5}  {:>7}  {:>7}  {:>5}  {:>6}",
        "estimated resources", "", "DSP", "LUT", "FF", "URAM", "BRAM36"
    );
    let mut line = |name: &str, copies: &str, f: &Figures| {
        let _ = writeln!(
            text,
            "{name:<29}  {copies:>5}  {:>5}  {:>7}  {:>7}  {:>5}  {:>6}",
            f.dsp, f.lut, f.ff, f.uram, f.bram36
        );
    };
    let Resources {
        device,
        used,
        budget,
        blocks,
    } = &answer.resources;
    for block in blocks {
        line(block.name, &format!("{} x", block.copies), &block.each);
    }
    line("total", "", used);
    line(&format!("{device} has"), "", budget);
    let percent =
        |used: u32, there: u32| format!("{:.0}%", f64::from(used) * 100.0 / f64::from(there));
    let _ = writeln!(
        text,
        "{:<29}  {:>5}  {:>5}  {:>7}  {:>7}  {:>5}  {:>6}",
        "share",
        "",
        percent(used.dsp, budget.dsp),
        percent(used.lut, budget.lut),
        percent(used.ff, budget.ff),
        percent(used.uram, budget.uram),
        percent(used.bram36, budget.bram36)
    );
    text
}
