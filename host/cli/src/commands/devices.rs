//! `zkria devices`: what there is to compute with.

use std::fmt::Write;

use serde::Serialize;
use zkria_core::{Backend, Error, Result};

use crate::output::Output;
use crate::registry::{OpenOptions, ROWS};

#[derive(Serialize)]
struct Answer {
    devices: Vec<Device>,
}

#[derive(Serialize)]
struct Device {
    name: &'static str,
    about: &'static str,
    available: bool,
    operations: Vec<&'static str>,
    reason: Option<String>,
    cure: Option<String>,
}

/// Lists every backend.
///
/// # Errors
/// [`Error::Io`] when standard output cannot be written.
pub fn run(out: &Output) -> Result<()> {
    let devices = ROWS
        .iter()
        .map(|row| {
            let (operations, reason, cure) = match (row.open)(&OpenOptions::default()) {
                Ok(backend) => (operations(&*backend), None, None),
                Err(Error::Unavailable { what, cure } | Error::Device { what, cure }) => {
                    (Vec::new(), Some(what), Some(cure))
                }
                Err(other) => (Vec::new(), Some(other.to_string()), None),
            };
            Device {
                name: row.name,
                about: row.about,
                available: reason.is_none(),
                operations,
                reason,
                cure,
            }
        })
        .collect();
    let answer = Answer { devices };
    out.answer(&answer, || text(&answer))
}

fn operations(backend: &dyn Backend) -> Vec<&'static str> {
    let offers = [
        (backend.msm_bn254_g1().is_some(), "msm bn254 g1"),
        (backend.msm_bn254_g2().is_some(), "msm bn254 g2"),
    ];
    offers
        .into_iter()
        .filter_map(|(offered, name)| offered.then_some(name))
        .collect()
}

fn text(answer: &Answer) -> String {
    let mut text = String::new();
    for device in &answer.devices {
        let state = match (&device.reason, &device.cure) {
            (None, _) => format!("available: {}", device.operations.join(", ")),
            (Some(reason), Some(cure)) => format!("unavailable: {reason}; {cure}"),
            (Some(reason), None) => format!("unavailable: {reason}"),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:<9} {state}\n{:<9} {}",
            device.name, "", device.about
        );
    }
    text
}
