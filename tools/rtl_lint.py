"""Checks the SystemVerilog: verible lint, verible format, and `verilator --lint-only -Wall` on each module.

Ends with `rtl lint: N passed, N failed`, one count a file and rule set. Options:
  --verible-only FILE..   only verible, on the files named (the pre-commit hook)
  --format-inplace        rewrite the files instead of checking the format
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".tools/bin"
RTL = ROOT / "rtl"
# Written by zkria-csr; its layout is the generator's business, its content is still linted.
GENERATED = {"zk_csr_pkg.sv"}


def listed_files() -> list[Path]:
    """The files of rtl/zkria.f, in its order."""
    lines = (RTL / "zkria.f").read_text(encoding="utf-8").splitlines()
    names = [line.split("//")[0].strip() for line in lines]
    return [RTL / name for name in names if name and not name.startswith(("+", "-"))]


def run(command: list[str], cwd: Path = ROOT) -> tuple[bool, str]:
    """Runs a tool; returns whether it was content, and what it said."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    return done.returncode == 0, (done.stdout + done.stderr).strip()


class Report:
    """Pass and fail counts, with the output of what failed."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def add(self, what: str, result: tuple[bool, str]) -> None:
        """Counts one check."""
        ok, output = result
        if ok:
            self.passed += 1
            return
        self.failed += 1
        print(f"{what}:")
        print("\n".join(f"  {line}" for line in output.splitlines()[:40]))


def verible(report: Report, files: list[Path]) -> None:
    """Style rules and format of each file."""
    for file in files:
        name = file.relative_to(ROOT)
        report.add(
            f"verible lint {name}",
            run([BIN / "verible-verilog-lint", "--rules_config", ".rules.verible_lint", file]),
        )
        if file.name not in GENERATED:
            ok, output = run(
                [BIN / "verible-verilog-format", "--flagfile=.verible-format", "--verify", file]
            )
            report.add(f"verible format {name} (make fmt)", (ok, output))


def verilator(report: Report, files: list[Path]) -> None:
    """Each module as a top of its own, with its default parameters."""
    waivers = sorted((RTL / "lint").glob("*.vlt"))
    for file in files:
        text = file.read_text(encoding="utf-8")
        for top in re.findall(r"^module\s+(\w+)", text, re.MULTILINE):
            command = [BIN / "verilator", "--lint-only", "-Wall", "--assert", *waivers]
            command += ["-f", "zkria.f", "--top-module", top]
            report.add(f"verilator --lint-only -Wall {top}", run(command, RTL))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verible-only", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--format-inplace", action="store_true")
    options = parser.parse_args()
    formal = sorted((ROOT / "formal").glob("*.sv"))
    headers = sorted((RTL / "include").glob("*.svh"))
    if options.format_inplace:
        files = [file for file in listed_files() + formal if file.name not in GENERATED]
        command = [BIN / "verible-verilog-format", "--flagfile=.verible-format", "--inplace"]
        ok, output = run([*command, *files])
        print(output)
        return 0 if ok else 1

    report = Report()
    if options.verible_only:
        verible(report, [file.resolve() for file in options.verible_only])
    else:
        files = listed_files()
        unlisted = {f for f in RTL.rglob("*.sv")} - set(files)
        report.add("rtl/zkria.f", (not unlisted, f"not listed: {sorted(map(str, unlisted))}"))
        verible(report, files + headers + formal)
        verilator(report, files)
    print(f"rtl lint: {report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
