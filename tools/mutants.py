"""Applies every patch of rtl/mutants/ to a copy of the tree and expects the block's test to fail.

  mutants.py [NAME..] [--list]     NAME: a patch, or the beginning of some

A patch begins with comment lines:
  # test: sim/tests/NAME.rs to run      # tops: what ZKRIA_SIM_TOPS builds for it
  # filter: only tests with this in their name (optional)      # why: what is broken
First every test runs once on the unchanged copy and must pass. A mutant is killed when its test
builds and then fails or hangs. A patch that no longer applies, or does not build, is an error.
Ends with `mutants: N killed, N survived, N errors`; exit code 1 unless all were killed.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")
WORK = ROOT / "target/mutants"
TREE = WORK / "tree"
TIMEOUT_S = 900


@dataclass(frozen=True)
class Bench:
    """One test binary with the tops it needs."""

    test: str
    tops: str
    filter: str

    def command(self, *extra: str) -> list[str]:
        """The cargo call; `extra` goes before the filter."""
        command = [CARGO, "test", "--quiet", "-p", "zkria-sim", "--features", "blocks"]
        command += ["--test", self.test, *extra]
        return command + [self.filter] if self.filter and not extra else command


@dataclass
class Mutant:
    """A patch and how it is to be caught."""

    path: Path
    bench: Bench
    why: str


def read(path: Path) -> Mutant:
    """The header of a patch."""
    text = path.read_text(encoding="utf-8")
    fields = dict(re.findall(r"^# (test|tops|filter|why): (.+)$", text, re.MULTILINE))
    if missing := {"test", "tops", "why"} - set(fields):
        sys.exit(f"{path.name}: no line for {', '.join(sorted(missing))}")
    bench = Bench(fields["test"], fields["tops"], fields.get("filter", ""))
    return Mutant(path, bench, fields["why"])


def copy_tree() -> None:
    """A copy of the tracked and new files; the tools are shared."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    wanted = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    if TREE.exists():
        for old in TREE.rglob("*"):
            if old.is_file() and not old.is_symlink() and str(old.relative_to(TREE)) not in wanted:
                old.unlink()
    for name in wanted:
        source, target = ROOT / name, TREE / name
        # An unchanged file keeps its time, so that cargo builds nothing anew.
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    if not (TREE / ".tools").is_symlink():
        (TREE / ".tools").symlink_to(ROOT / ".tools")


def call(command: list[str], bench: Bench) -> tuple[int | None, str]:
    """Runs in the copy; exit code (None: it hung) and output."""
    env = os.environ | {"ZKRIA_SIM_TOPS": bench.tops, "CARGO_TARGET_DIR": str(WORK / "build")}
    env |= {"ZKRIA_REQUIRE": "sim"}
    process = subprocess.Popen(
        command,
        cwd=TREE,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=TIMEOUT_S)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output


def run_bench(bench: Bench) -> tuple[str, str]:
    """`passes`, `fails`, `hangs` or `does not build`, with the telling line."""
    code, output = call(bench.command("--no-run"), bench)
    if code != 0:
        return "does not build", "\n".join(output.splitlines()[-8:])
    code, output = call(bench.command(), bench)
    if code is None:
        return "hangs", ""
    if code == 0:
        ran = sum(map(int, re.findall(r"^test result: ok\. (\d+) passed", output, re.MULTILINE)))
        return ("passes", f"{ran} tests") if ran else ("does not build", "no test ran")
    telling = [line for line in output.splitlines() if re.search(r"panicked|assert|Error", line)]
    return "fails", telling[0].strip()[:150] if telling else output.strip()[-150:]


def apply(patch: Path) -> bool:
    """Applies a patch to the copy, exactly."""
    # The copy lies below a repository; as a plain folder git patches its files.
    env = os.environ | {"GIT_CEILING_DIRECTORIES": str(TREE.parent)}
    done = subprocess.run(
        ["git", "apply", str(patch)], cwd=TREE, env=env, capture_output=True, check=False
    )
    return done.returncode == 0


def patched_files(patch: Path) -> list[str]:
    """The files a patch changes."""
    return re.findall(r"^\+\+\+ b/(\S+)$", patch.read_text(encoding="utf-8"), re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    patches = sorted((ROOT / "rtl/mutants").glob("*.patch"))
    names = tuple(options.names)
    mutants = [read(p) for p in patches if not names or p.stem.startswith(names)]
    if options.list:
        for mutant in mutants:
            print(f"{mutant.path.stem:<44} {mutant.bench.test:<14} {mutant.why}")
        return 0
    copy_tree()
    killed = survived = errors = 0
    healthy: dict[Bench, bool] = {}
    mutants.sort(key=lambda m: (m.bench.test, m.bench.tops, m.bench.filter, m.path.stem))
    for mutant in mutants:
        name, bench = mutant.path.stem, mutant.bench
        if bench not in healthy:
            start = time.monotonic()
            state, detail = run_bench(bench)
            healthy[bench] = state == "passes"
            print(f"-- {bench.test} {bench.filter} unchanged: {state} ({detail}), "
                  f"{time.monotonic() - start:.0f} s", flush=True)
        if not healthy[bench]:
            errors += 1
            print(f"ERROR    {name}: its test does not pass on the unchanged design", flush=True)
            continue
        start = time.monotonic()
        originals = {TREE / file: (TREE / file).read_bytes() for file in patched_files(mutant.path)}
        if not apply(mutant.path):
            errors += 1
            print(f"ERROR    {name}: stale, the patch does not apply", flush=True)
            continue
        for file in originals:
            # What the wrong line no longer uses is not the question.
            file.write_bytes(b"/* verilator lint_off UNUSED */ " + file.read_bytes())
        try:
            state, detail = run_bench(bench)
        finally:
            for file, content in originals.items():
                file.write_bytes(content)
        if state in ("fails", "hangs"):
            killed += 1
            word = "killed"
        elif state == "passes":
            survived += 1
            word = "SURVIVED"
        else:
            errors += 1
            word = "ERROR"
        print(f"{word:<8} {name}: {state}, {time.monotonic() - start:.0f} s: {detail}", flush=True)
    print(f"mutants: {killed} killed, {survived} survived, {errors} errors")
    return 1 if survived or errors or not killed else 0


if __name__ == "__main__":
    sys.exit(main())
