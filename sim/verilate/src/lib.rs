//! Build-script helper: runs Verilator on RTL tops and compiles a small C shim around each.
//!
//! The crates `verilated` and `verilator` did this once; neither works with Verilator 5
//! (`docs/dependencies.md`), so their idea lives on here: a build script, the `cc` crate and a
//! generated shim that shows every port of the top as named memory. Checked by every test of
//! `zkria-sim`.

#![expect(
    clippy::print_stdout,
    reason = "a build script talks to cargo on standard output"
)]

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

mod header;

pub use header::{Port, parse_ports};

/// Result of a build step; the message is for the person who reads the build's output.
pub type Result<T> = std::result::Result<T, String>;

/// A Verilator that can be run.
#[derive(Clone, Debug)]
pub struct Verilator {
    program: PathBuf,
    root: PathBuf,
}

impl Verilator {
    /// Looks in `<tools>/bin` first, then on `PATH`; `None` when neither answers.
    pub fn find(tools: &Path) -> Option<Self> {
        [tools.join("bin/verilator"), PathBuf::from("verilator")]
            .into_iter()
            .find_map(|program| {
                let out = Command::new(&program)
                    .args(["--getenv", "VERILATOR_ROOT"])
                    .output()
                    .ok()?;
                let root = PathBuf::from(String::from_utf8(out.stdout).ok()?.trim());
                let usable = out.status.success() && root.join("include/verilated.cpp").is_file();
                usable.then_some(Self { program, root })
            })
    }
}

/// One design to verilate.
#[derive(Clone, Debug)]
pub struct Top {
    /// Name under which Rust opens it; may differ from `module` when parameters differ.
    pub name: String,
    /// Module at the top.
    pub module: String,
    /// Overridden parameters, `("NumLanes", "2")`.
    pub params: Vec<(String, String)>,
    /// Optimisation of the C++ compiler, 0 to 3.
    pub opt_level: u32,
    /// Whether the assertions of the RTL are checked. They take more than half of the time.
    pub assertions: bool,
}

/// Where sources lie and what all tops share.
#[derive(Clone, Debug)]
pub struct Project {
    /// Packages in dependency order, then every other source that must be given by name.
    pub files: Vec<PathBuf>,
    /// Folders in which modules are looked up by file name.
    pub library_dirs: Vec<PathBuf>,
    /// Include folders (`zk_assert.svh`).
    pub include_dirs: Vec<PathBuf>,
    /// `OUT_DIR` of the build script.
    pub out_dir: PathBuf,
    /// Folders with `lz4.h` and `zlib.h` when the shims shall write FST waveforms.
    pub trace_includes: Option<Vec<PathBuf>>,
}

/// Verilates and compiles every top, and returns the Rust source of the table of tops:
/// `TOPS: &[(&str, unsafe extern "C" fn(u32) -> *mut RawDut)]`.
///
/// A top whose sources and options did not change since the last build is not built again.
///
/// # Errors
/// Verilator's or the compiler's refusal, with the name of the top.
pub fn build(verilator: &Verilator, project: &Project, tops: &[Top]) -> Result<String> {
    println!(
        "cargo:rustc-link-search=native={}",
        project.out_dir.display()
    );
    for top in tops {
        build_top(verilator, project, top).map_err(|e| format!("top {}: {e}", top.name))?;
        println!("cargo:rustc-link-lib=static=zkria_dut_{}", top.name);
    }
    build_runtime(verilator, project)?;
    println!("cargo:rustc-link-lib=static=zkria_dut_runtime");
    println!("cargo:rustc-link-lib=stdc++");
    let mut table = String::from("unsafe extern \"C\" {\n");
    for top in tops {
        let _ = writeln!(
            table,
            "    fn zkria_dut_new_{}(seed: u32) -> *mut RawDut;",
            top.name
        );
    }
    table.push_str("}\npub(crate) static TOPS: &[(&str, NewDut)] = &[\n");
    for top in tops {
        let _ = writeln!(table, "    (\"{0}\", zkria_dut_new_{0}),", top.name);
    }
    table.push_str("];\n");
    Ok(table)
}

fn build_top(verilator: &Verilator, project: &Project, top: &Top) -> Result<()> {
    let dir = project.out_dir.join(format!("obj_{}", top.name));
    let library = project.out_dir.join(format!("libzkria_dut_{}.a", top.name));
    let prefix = format!("V{}", top.name);
    let args = verilator_args(project, top, &dir, &prefix);
    let stamp_file = project.out_dir.join(format!("{}.stamp", top.name));
    let depends_file = dir.join(format!("{prefix}__ver.d"));
    if library.is_file()
        && let Some(stamp) = stamp(verilator, &args, &depends_file, top.opt_level)
        && fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp)
    {
        return Ok(());
    }
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let out = Command::new(&verilator.program)
        .args(&args)
        .output()
        .map_err(|e| format!("{}: {e}", verilator.program.display()))?;
    if !out.status.success() {
        return Err(format!(
            "verilator refused\n{}",
            String::from_utf8_lossy(&out.stderr)
        ));
    }
    let header_file = dir.join(format!("{prefix}.h"));
    let header = read(&header_file)?;
    let shim = dir.join("zkria_shim.cpp");
    fs::write(
        &shim,
        shim_source(&top.name, &prefix, &parse_ports(&header)),
    )
    .map_err(|e| format!("{}: {e}", shim.display()))?;
    let mut cc = compiler(verilator, project, top.opt_level);
    cc.include(&dir);
    for file in cpp_files(&dir).map_err(|e| format!("{}: {e}", dir.display()))? {
        cc.file(file);
    }
    cc.try_compile(&format!("zkria_dut_{}", top.name))
        .map_err(|e| e.to_string())?;
    if let Some(stamp) = stamp(verilator, &args, &depends_file, top.opt_level) {
        fs::write(&stamp_file, stamp).map_err(|e| format!("{}: {e}", stamp_file.display()))?;
    }
    Ok(())
}

fn verilator_args(project: &Project, top: &Top, dir: &Path, prefix: &str) -> Vec<String> {
    let mut args: Vec<String> = [
        "--cc",
        "-O3",
        "-Wall",
        "--x-assign",
        "unique",
        "--x-initial",
        "unique",
    ]
    .map(String::from)
    .into();
    let assertions = if top.assertions {
        "--assert"
    } else {
        "--no-assert"
    };
    args.push(assertions.into());
    // Large functions are split so that the C++ compiler's time stays linear.
    args.extend(["--output-split", "20000", "--top-module", &top.module].map(String::from));
    args.extend(["--prefix", prefix, "--Mdir"].map(String::from));
    args.push(dir.display().to_string());
    if project.trace_includes.is_some() {
        args.push("--trace-fst".into());
    }
    args.extend(
        top.params
            .iter()
            .map(|(name, value)| format!("-G{name}={value}")),
    );
    args.extend(
        project
            .include_dirs
            .iter()
            .map(|d| format!("-I{}", d.display())),
    );
    for d in &project.library_dirs {
        args.extend(["-y".into(), d.display().to_string()]);
    }
    args.extend(["+libext+.sv".into()]);
    args.extend(project.files.iter().map(|f| f.display().to_string()));
    let source = format!("{}.sv", top.module);
    let found = project
        .library_dirs
        .iter()
        .map(|d| d.join(&source))
        .find(|f| f.is_file());
    args.push(found.unwrap_or_else(|| source.into()).display().to_string());
    args
}

/// The runtime that all tops share: Verilator's own sources and the functions Rust calls.
fn build_runtime(verilator: &Verilator, project: &Project) -> Result<()> {
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("shim/zkria_dut.cpp");
    println!("cargo:rerun-if-changed={}", shim.display());
    let include = verilator.root.join("include");
    let mut cc = compiler(verilator, project, 2);
    cc.file(&shim)
        .file(include.join("verilated.cpp"))
        .file(include.join("verilated_threads.cpp"));
    if project.trace_includes.is_some() {
        cc.file(include.join("verilated_fst_c.cpp"));
    }
    cc.try_compile("zkria_dut_runtime")
        .map_err(|e| format!("runtime: {e}"))
}

fn compiler(verilator: &Verilator, project: &Project, opt_level: u32) -> cc::Build {
    let include = verilator.root.join("include");
    let trace = if project.trace_includes.is_some() {
        "1"
    } else {
        "0"
    };
    let mut cc = cc::Build::new();
    cc.cpp(true)
        .std("c++17")
        .opt_level(opt_level)
        .debug(false)
        .warnings(false)
        .cargo_metadata(false)
        .out_dir(&project.out_dir)
        .include(Path::new(env!("CARGO_MANIFEST_DIR")).join("shim"))
        .include(&include)
        .include(include.join("vltstd"))
        .define("VM_TRACE", trace)
        .define("VM_TRACE_FST", trace)
        .define("VM_TRACE_VCD", "0")
        .define("VM_TRACE_SAIF", "0")
        .define("VM_COVERAGE", "0")
        .define("VM_SC", "0");
    for dir in project.trace_includes.iter().flatten() {
        cc.include(dir);
    }
    cc
}

fn shim_source(name: &str, prefix: &str, ports: &[Port]) -> String {
    let mut s = format!(
        "// Generated by zkria-verilate.\n#include \"zkria_dut.h\"\n#include \"{prefix}.h\"\n\n\
         namespace {{\nclass Dut final : public ZkriaDutOf<{prefix}> {{\n public:\n  \
         explicit Dut(uint32_t seed) : ZkriaDutOf<{prefix}>(seed) {{\n    ports_ = {{\n"
    );
    for port in ports {
        let (n, bits, output) = (&port.name, port.bits, u32::from(port.output));
        let _ = writeln!(s, "        {{\"{n}\", &top_->{n}, {bits}, {output}}},");
    }
    let _ = write!(
        s,
        "    }};\n  }}\n}};\n}}  // namespace\n\n\
         extern \"C\" ZkriaDut* zkria_dut_new_{name}(uint32_t seed) {{\n  // No exception may reach Rust: a lack of memory or threads is a null pointer.\n  try {{ return new Dut(seed); }} catch (...) {{ return nullptr; }}\n}}\n"
    );
    s
}

/// Hash of everything that decides the library of a top; `None` before its first build.
fn stamp(
    verilator: &Verilator,
    args: &[String],
    depends_file: &Path,
    opt_level: u32,
) -> Option<String> {
    let mut hash = DefaultHasher::new();
    (args, opt_level, &verilator.root).hash(&mut hash);
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("shim/zkria_dut.h");
    fs::read(shim).ok()?.hash(&mut hash);
    // Make syntax: `outputs : inputs`.
    let depends = fs::read_to_string(depends_file).ok()?;
    for file in depends
        .split_once(" : ")?
        .1
        .split_whitespace()
        .filter(|f| f.contains(".sv"))
    {
        fs::read(file).ok()?.hash(&mut hash);
    }
    Some(format!("{:016x}", hash.finish()))
}

fn cpp_files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "cpp") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
