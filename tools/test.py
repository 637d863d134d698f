"""The whole check (`make test`), or its static part (`make lint`).

Runs every step even after a failure, says what was skipped and why, and ends with one line
`N passed, N failed`. A step without tests of its own counts as one. Only Python's standard library.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")
TOOLS_PYTHON = str(ROOT / ".tools/bin/python")
# One feature set for clippy and tests, so that the RTL blocks are verilated once.
FEATURES = "zkria-sim/blocks,zkria-hls-model/rust-hdl"
WORKSPACE = ["--workspace", "--features", FEATURES]
RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")


class Run:
    """Counts over all steps."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []
        self.skipped: Counter[str] = Counter()
        self.times: list[tuple[str, float]] = []

    def step(self, name: str, command: list[str], env: dict[str, str] | None = None) -> None:
        """Runs one command, shows its output, and counts its tests (or itself)."""
        print(f"\n== {name}: {' '.join(command)}", flush=True)
        start = time.monotonic()
        passed = failed = 0
        counted = False
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                sys.stdout.write(line)
                sys.stdout.flush()
                if found := RESULT.match(line):
                    counted = True
                    passed += int(found[1])
                    failed += int(found[2])
                    if int(found[3]):
                        self.skipped["marked #[ignore]"] += int(found[3])
                elif line.startswith("skipped: "):
                    # Tests report through the skip log; steps of our own print the line.
                    if not command[0] == CARGO:
                        self.skipped[line[len("skipped: ") :].strip()] += 1
                elif counts := re.match(r"^(?:formal|rtl lint): (\d+) passed, (\d+) failed", line):
                    counted = True
                    passed += int(counts[1])
                    failed += int(counts[2])
        self.times.append((name, time.monotonic() - start))
        if process.returncode == 0 and not counted:
            passed = 1
        self.passed += passed
        if failed:
            self.failed += [f"{name}: {failed} of {passed + failed}"] + [""] * (failed - 1)
        elif process.returncode:
            self.failed.append(f"{name}: exit code {process.returncode}")


def has_component(name: str) -> bool:
    """Whether `cargo NAME` exists (rustup's minimal profile lacks fmt and clippy)."""
    probe = subprocess.run([CARGO, name, "--version"], capture_output=True, cwd=ROOT, check=False)
    return probe.returncode == 0


def static_checks(run: Run) -> None:
    """Formats, lints and documentation."""
    if has_component("fmt"):
        run.step("rustfmt", [CARGO, "fmt", "--all", "--check"])
    else:
        run.skipped["rustfmt (rustup component add rustfmt)"] += 1
    run.step("rtl lint", [TOOLS_PYTHON, "tools/rtl_lint.py"])
    if has_component("clippy"):
        run.step(
            "clippy", [CARGO, "clippy", *WORKSPACE, "--all-targets", "--", "-D", "warnings"]
        )
    else:
        run.skipped["clippy (rustup component add clippy)"] += 1
    run.step(
        "rustdoc",
        [CARGO, "doc", *WORKSPACE, "--no-deps"],
        {"RUSTDOCFLAGS": "-D warnings"},
    )
    if shutil.which("typos"):
        run.step("typos", ["typos"])
    else:
        run.skipped["typos (not installed; optional)"] += 1


def main() -> int:
    only_lint = sys.argv[1:] == ["lint"]
    if sys.argv[1:] not in ([], ["lint"]):
        sys.exit("usage: test.py [lint]")
    if not shutil.which(CARGO):
        sys.exit("cargo is missing: see https://rustup.rs")
    # `make` has set the tools up, so a simulator that is missing now is an error.
    os.environ.setdefault("ZKRIA_REQUIRE", "sim")
    run = Run()
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch, "skips")
        os.environ["ZKRIA_SKIP_LOG"] = str(log)
        static_checks(run)
        if not only_lint:
            run.step("tests", [CARGO, "test", *WORKSPACE, "--no-fail-fast"])
            run.step("formal", [TOOLS_PYTHON, "tools/formal.py"])
        if log.exists():
            for line in log.read_text(encoding="utf-8").splitlines():
                run.skipped[line.removeprefix("skipped: ")] += 1

    print("\n== summary")
    for name, seconds in run.times:
        print(f"  {name:<10} {seconds:7.1f} s")
    for reason, count in sorted(run.skipped.items()):
        print(f"skipped: {reason}" + (f" x {count}" if count > 1 else ""))
    for line in filter(None, run.failed):
        print(f"failed: {line}")
    print(f"{run.passed} passed, {len(run.failed)} failed")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
