//! Verilates `rtl/` into this crate. Without Verilator the crate still builds, with
//! `cfg(has_verilator)` off and every `open` an error that says how to get it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use zkria_verilate::{Project, Top, Verilator, build};

/// Block tops of the tests under `sim/tests`: name, module, parameters.
/// The name is what `Dut::new` takes; it differs from the module where parameters differ.
const BLOCKS: &[Block] = &include!("blocks.in");

type Block = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

fn main() {
    println!("cargo:rustc-check-cfg=cfg(has_verilator)");
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let root = manifest
        .parent()
        .expect("sim lies in the workspace")
        .to_path_buf();
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    for path in [
        "rtl",
        ".tools/bin/verilator",
        "sim/blocks.in",
        "sim/tests/rtl",
        "hls-model/src/hdl/generated",
    ] {
        println!("cargo:rerun-if-changed={}", root.join(path).display());
    }
    println!("cargo:rerun-if-env-changed=ZKRIA_SIM_TOPS");
    println!("cargo:rerun-if-env-changed=PATH");

    let table = out_dir.join("tops.rs");
    let Some(verilator) = Verilator::find(&root.join(".tools")) else {
        println!(
            "cargo:warning=no Verilator: the backend `sim` will say so (get it with `make tools`)"
        );
        fs::write(table, "").expect("OUT_DIR is writable");
        return;
    };
    println!("cargo:rustc-cfg=has_verilator");
    let project = project(&root, &out_dir);
    match build(&verilator, &project, &tops(&root)) {
        Ok(source) => fs::write(table, source).expect("OUT_DIR is writable"),
        Err(message) => {
            // Cargo shows each such line, also where it hides the rest of a build script's output.
            for line in message.lines() {
                println!("cargo:warning={line}");
            }
            std::process::exit(1);
        }
    }
}

/// The tops to build: the accelerator, and with the feature `blocks` every block.
/// The accelerator of the backend goes without assertions, which makes it 2.5 times as fast;
/// every top of the tests has them, the whole accelerator too (`zkria_top_checked`).
/// `ZKRIA_SIM_TOPS=a,b` narrows both, for a quick turn while one block is changed.
fn tops(root: &Path) -> Vec<Top> {
    let wanted = env::var("ZKRIA_SIM_TOPS").ok();
    let wanted: Option<Vec<&str>> = wanted.as_deref().map(|w| w.split(',').collect());
    let mut all = vec![Top {
        assertions: false,
        ..top("zkria_top", "zkria_top", &[], 3)
    }];
    if env::var_os("CARGO_FEATURE_BLOCKS").is_some() {
        all.extend(
            BLOCKS
                .iter()
                .map(|(name, module, params)| top(name, module, params, 2)),
        );
    }
    all.retain(|t| wanted.as_ref().is_none_or(|w| w.contains(&t.name.as_str())));
    all.retain(|t| {
        let found = module_dirs(root)
            .iter()
            .any(|d| d.join(format!("{}.sv", t.module)).is_file());
        if !found {
            println!("cargo:warning=no source for the top {}", t.module);
        }
        found
    });
    all
}

fn top(name: &str, module: &str, params: &[(&str, &str)], opt_level: u32) -> Top {
    let params = params
        .iter()
        .map(|(n, v)| (n.to_string(), v.to_string()))
        .collect();
    Top {
        name: name.into(),
        module: module.into(),
        params,
        opt_level,
        assertions: true,
    }
}

fn project(root: &Path, out_dir: &Path) -> Project {
    let rtl = root.join("rtl");
    let list = fs::read_to_string(rtl.join("zkria.f")).unwrap_or_default();
    let packages = list
        .lines()
        .map(str::trim)
        .filter(|l| l.ends_with("_pkg.sv"));
    Project {
        files: packages.map(|l| rtl.join(l)).collect(),
        library_dirs: module_dirs(root),
        include_dirs: vec![rtl.join("include")],
        out_dir: out_dir.into(),
        trace_includes: trace_includes(),
    }
}

/// Folders of modules: those of `rtl/zkria.f`, the stand-ins that only tests use, and what
/// rust-hdl wrote.
fn module_dirs(root: &Path) -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> = ["common", "field", "ec", "msm", "axi", "top"]
        .iter()
        .map(|d| root.join("rtl").join(d))
        .collect();
    dirs.push(root.join("sim/tests/rtl"));
    dirs.push(root.join("hls-model/src/hdl/generated"));
    dirs.retain(|d| d.is_dir());
    dirs
}

/// Headers for the FST writer, from the crates that bring its libraries.
fn trace_includes() -> Option<Vec<PathBuf>> {
    env::var_os("CARGO_FEATURE_TRACE")?;
    let dirs = ["DEP_LZ4_INCLUDE", "DEP_Z_INCLUDE"]
        .iter()
        .filter_map(env::var_os);
    Some(dirs.map(PathBuf::from).collect())
}
