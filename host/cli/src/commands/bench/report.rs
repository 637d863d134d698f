//! The report: JSON of the contract, or a table with ratios.

use std::fmt::Write;

use serde::Serialize;

use super::Measured;
use super::machine::Machine;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) machine: Machine,
    pub(super) rows: Vec<ReportRow>,
}

/// One row, as the contract names its fields.
#[derive(Debug, Serialize)]
pub(super) struct ReportRow {
    pub(super) op: &'static str,
    pub(super) variant: String,
    pub(super) backend: String,
    pub(super) log_n: u32,
    pub(super) threads: usize,
    pub(super) runs: usize,
    /// CPU time of the process at one thread, wall time above.
    pub(super) median_s: f64,
    pub(super) median_wall_s: f64,
    pub(super) p10_s: f64,
    pub(super) p90_s: f64,
    pub(super) bytes_peak: Option<u64>,
    pub(super) checked: bool,
}

impl ReportRow {
    pub(super) fn new(
        variant: &str,
        log_n: u32,
        threads: usize,
        runs: usize,
        measured: Measured,
    ) -> Self {
        let sorted = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times
        };
        let walls = sorted(measured.samples.iter().map(|s| s.wall).collect());
        let cpus = sorted(measured.samples.iter().map(|s| s.cpu).collect());
        let times = if threads == 1 { &cpus } else { &walls };
        Self {
            op: "msm",
            variant: variant.to_owned(),
            backend: measured.name,
            log_n,
            threads,
            runs,
            median_s: quantile(times, 0.5),
            median_wall_s: quantile(&walls, 0.5),
            p10_s: quantile(times, 0.1),
            p90_s: quantile(times, 0.9),
            bytes_peak: measured.bytes_peak,
            checked: measured.checked,
        }
    }
}

/// The quantile of sorted values, between neighbours by proportion.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * sorted.len().saturating_sub(1) as f64;
    let low = sorted.get(at.floor() as usize).copied().unwrap_or(f64::NAN);
    let high = sorted.get(at.ceil() as usize).copied().unwrap_or(low);
    low + (high - low) * at.fract()
}

impl Report {
    pub(super) fn new(machine: Machine) -> Self {
        Self {
            machine,
            rows: Vec::new(),
        }
    }

    /// A table whose last column is the time over that of the first row of the size.
    pub(super) fn table(&self) -> String {
        let mut table = String::new();
        let width = self
            .rows
            .iter()
            .map(|r| r.backend.len())
            .max()
            .unwrap_or(0)
            .max(7);
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "{:>5}  {:<width$}  {:>11}  {:>11}  {:>11}  {:>9}  {:>7}  checked",
            "log_n", "backend", "median ms", "p10 ms", "p90 ms", "peak MiB", "ratio"
        );
        for row in &self.rows {
            let first = self
                .rows
                .iter()
                .find(|r| r.log_n == row.log_n)
                .unwrap_or(row);
            let peak = row.bytes_peak.map_or_else(
                || "-".to_owned(),
                |bytes| format!("{:.1}", bytes as f64 / 1024.0 / 1024.0),
            );
            let _ = writeln!(
                table,
                "{:>5}  {:<width$}  {:>11.3}  {:>11.3}  {:>11.3}  {peak:>9}  {:>7.2}  {}",
                row.log_n,
                row.backend,
                row.median_s * 1e3,
                row.p10_s * 1e3,
                row.p90_s * 1e3,
                row.median_s / first.median_s,
                if row.checked { "yes" } else { "no" },
            );
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_between_neighbours() {
        assert_eq!(quantile(&[7.0], 0.9), 7.0);
        assert_eq!(quantile(&[1.0, 3.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 3.0], 0.5), 2.0);
        assert_eq!(quantile(&[0.0, 10.0], 0.1), 1.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
