"""Runs the proofs of formal/: NAME.sby with sby, pyosys and z3, NAME.py with z3 alone.

  formal.py [NAME..]           prove; ends with `formal: N passed, N failed`
  formal.py --broken [NAME..]  each patch of formal/broken/ must make its proof fail

Work folders and logs: target/formal/NAME.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SBY = ROOT / ".tools/bin/sby"
TIMEOUT_S = 1200


def prove(tree: Path, name: str, work: Path) -> tuple[str, float, str]:
    """Runs formal/NAME.sby of `tree`; returns sby's verdict, seconds and its last lines."""
    start = time.monotonic()
    shutil.rmtree(work, ignore_errors=True)
    work.parent.mkdir(parents=True, exist_ok=True)
    script = tree / "formal" / f"{name}.py"
    if script.exists():
        done = subprocess.run(
            [sys.executable, str(script)], capture_output=True, text=True, check=False
        )
        verdict = "FAIL" if done.returncode else "PASS"
        return verdict, time.monotonic() - start, done.stdout + done.stderr
    # A proof in parts ([tasks]) makes a folder for each, and passes when all do.
    parts = "[tasks]" in (tree / f"formal/{name}.sby").read_text(encoding="utf-8")
    where = ["--prefix" if parts else "-d", str(work)]
    try:
        done = subprocess.run(
            [str(SBY), "-f", *where, f"{name}.sby"],
            cwd=tree / "formal",
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        output = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return "TIMEOUT", time.monotonic() - start, ""
    verdict = "PASS" if done.returncode == 0 and "DONE (PASS" in output else "ERROR"
    for word in ("UNKNOWN", "TIMEOUT", "FAIL", "ERROR"):
        if f"DONE ({word}" in output:
            verdict = word
    failed = [line for line in output.splitlines() if "summary:" in line and "Elapsed" not in line and "returned pass" not in line]
    if verdict == "ERROR":
        log = work / "model/design.log"
        failed += log.read_text(errors="replace").splitlines()[-8:] if log.exists() else []
    return verdict, time.monotonic() - start, "\n".join(f"    {line}" for line in failed[-12:])


def run_proofs(names: list[str], jobs: int) -> int:
    """Every proof must pass."""
    passed = failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda name: prove(ROOT, name, ROOT / "target/formal" / name), names)
        for name, (verdict, seconds, detail) in zip(names, results):
            print(f"  {name:<24} {verdict:<8} {seconds:6.1f} s", flush=True)
            if verdict == "PASS":
                passed += 1
            else:
                failed += 1
                print(detail)
    print(f"formal: {passed} passed, {failed} failed")
    return 1 if failed else 0


def run_broken(names: list[str]) -> int:
    """Every patch must apply, and its proof must then find a counterexample.

    The proof's name is what stands before the first `-` of the patch's file name.
    """
    patches = sorted((ROOT / "formal/broken").glob("*.patch"))
    patches = [p for p in patches if not names or p.stem.split("-")[0] in names]
    wrong = 0
    for patch in patches:
        name = patch.stem.split("-")[0]
        with tempfile.TemporaryDirectory() as scratch:
            for folder in ("rtl", "formal"):
                shutil.copytree(ROOT / folder, Path(scratch, folder))
            applied = subprocess.run(
                ["git", "apply", str(patch)],
                cwd=scratch,
                capture_output=True,
                text=True,
                check=False,
            )
            if applied.returncode:
                verdict, seconds = "STALE", 0.0
            else:
                verdict, seconds, _ = prove(Path(scratch), name, Path(scratch, "run", name))
        # UNKNOWN: no counterexample within the base case's few cycles, but no proof either.
        good = verdict in ("FAIL", "UNKNOWN")
        wrong += not good
        note = "refuted, as it must" if good else "MUST FAIL BUT DID NOT"
        print(f"  {patch.stem:<40} {verdict:<8} {seconds:6.1f} s  {note}", flush=True)
    print(f"broken designs: {len(patches) - wrong} refuted, {wrong} not")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    files = (ROOT / "formal").iterdir()
    known = sorted(file.stem for file in files if file.suffix in (".sby", ".py"))
    if unknown := set(options.names) - set(known):
        sys.exit(f"no such proof: {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    if options.broken:
        return run_broken(options.names)
    return run_proofs(options.names or known, options.jobs)


if __name__ == "__main__":
    sys.exit(main())
