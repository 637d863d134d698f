//! The machine, as far as a number depends on it.

use std::fs;

use serde::Serialize;

/// What is printed before any number.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Machine {
    cpu: String,
    features: Vec<&'static str>,
    cores: usize,
    load: Option<f64>,
    memory_gib: Option<f64>,
}

impl Machine {
    pub(super) fn detect() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let cpu = read("/proc/cpuinfo")
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
            .map_or_else(
                || std::env::consts::ARCH.to_owned(),
                |(_, name)| name.trim().to_owned(),
            );
        let memory_gib = kib(&read("/proc/meminfo"), "MemTotal:")
            .map(|kib| (kib as f64 / 1024.0 / 1024.0 * 10.0).round() / 10.0);
        Self {
            cpu,
            features: features(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: read("/proc/loadavg")
                .split(' ')
                .next()
                .and_then(|load| load.parse().ok()),
            memory_gib,
        }
    }

    pub(super) fn text(&self, threads: usize) -> String {
        let number = |n: Option<f64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
        format!(
            "{}: {} cores, {} GiB, load {}\nfeatures: {}\nthreads: {threads}, time is {}\n\n",
            self.cpu,
            self.cores,
            number(self.memory_gib),
            number(self.load),
            self.features.join(" "),
            if threads == 1 {
                "CPU time of the process"
            } else {
                "wall time"
            },
        )
    }
}

/// The figure in KiB after `key` in a file of /proc.
fn kib(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Features that arithmetic here or elsewhere makes use of.
fn features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! found {
            ($($name:tt),*) => {
                [$(($name, std::is_x86_feature_detected!($name))),*]
            };
        }
        found!(
            "adx",
            "bmi2",
            "avx2",
            "avx512f",
            "avx512ifma",
            "avx512vbmi2",
            "sha",
            "vaes"
        )
        .into_iter()
        .filter_map(|(name, found)| found.then_some(name))
        .collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

/// Forgets the greatest resident size so far; without effect where the system cannot.
pub(super) fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The greatest resident size since [`reset_peak`], in bytes.
pub(super) fn peak_bytes() -> Option<u64> {
    kib(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:").map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn peak_sees_an_allocation_that_is_gone() {
        reset_peak();
        let before = peak_bytes().unwrap();
        drop(std::hint::black_box(vec![1u8; 64 << 20]));
        assert!(peak_bytes().unwrap() >= before + (48 << 20));
    }

    #[test]
    fn figures_of_proc_are_found() {
        assert_eq!(kib("A: 1 kB\nMemTotal:   17 kB\n", "MemTotal:"), Some(17));
        assert_eq!(kib("", "MemTotal:"), None);
    }
}
