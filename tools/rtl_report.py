"""Resources and logic depth of the design on the XCK26, by Yosys (pyosys).

  rtl_report.py                 block by block: equal instances are synthesised once and counted
  rtl_report.py --full-top      the whole top flattened into one netlist (slow, needs memory)
  rtl_report.py --write FILE    also write the table as markdown

Exit code 1 when a multiplier takes other than 4 or 5 DSP, or the design more than 85 % of a
resource. Yosys packs no two functions into one LUT6_2, no registers into DSPs and uses no DSP
cascades, so LUT and FF are upper bounds; they are synthesis figures, not a placed design.
"""

import argparse
import json
import os
import re
import shutil
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from pyosys import libyosys as ys

from logic_depth import deepest_path

ROOT = Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
PART = "XCK26 (xck26-sfvc784-2LV-c)"
BUDGET = {"DSP": 1248, "LUT": 117_120, "FF": 234_240, "URAM": 64, "BRAM36": 144}
LIMIT = 0.85
DSP_PER_MULTIPLIER = (4, 5)
MULTIPLIER = "zk_fp_mul_ws"
# Small and everywhere: counted within the block that uses them.
FLATTENED = ("zk_stream_reg", "zk_fifo", "zk_ram_sp", "zk_ram_sdp")
# LUT6 that a distributed RAM primitive takes.
LUTRAM = {"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8, "RAM32M": 4, "RAM64M": 4}
LUTRAM |= {"RAM32M16": 8, "RAM64M8": 8, "RAM32X16DR8": 8, "RAM64X8SW": 8, "RAM512X1S": 8}
LUTRAM |= {"RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4}


def resources(cells: Counter[str]) -> dict[str, float]:
    """Device resources of a count of mapped cells."""
    used: dict[str, float] = dict.fromkeys(BUDGET, 0)
    for kind, count in cells.items():
        if re.fullmatch(r"LUT[1-6]|INV|SRL16E|SRLC32E", kind):
            used["LUT"] += count
        elif kind in LUTRAM:
            used["LUT"] += count * LUTRAM[kind]
        elif re.fullmatch(r"FD[RSCP]E", kind):
            used["FF"] += count
        elif kind == "DSP48E2":
            used["DSP"] += count
        elif kind == "RAMB36E2":
            used["BRAM36"] += count
        elif kind == "RAMB18E2":
            used["BRAM36"] += count / 2
        elif kind in ("URAM288", "URAM288_BASE"):
            used["URAM"] += count
        elif re.fullmatch(r"CARRY[48]|MUXF[789]|BUFG.*|VCC|GND|\$scopeinfo", kind):
            pass
        else:
            raise SystemExit(f"rtl report: no resource known for the cell {kind}")
    return used


class Synthesis:
    """One design in Yosys, with its log in a file."""

    def __init__(self, scratch: Path, top: str) -> None:
        self.design = ys.Design()
        self.scratch = scratch
        self.top = top

    def run(self, command: str) -> None:
        """One Yosys command; its output goes to the log."""
        # pyosys prints the command itself on standard output, and an error ends the process:
        # both belong on standard error.
        sys.stdout.flush()
        saved = os.dup(1)
        os.dup2(2, 1)
        try:
            ys.run_pass(f"tee -q -a {self.scratch / 'yosys.log'} {command}", self.design)
        finally:
            os.dup2(saved, 1)
            os.close(saved)

    def read(self, options: str) -> None:
        """The files of rtl/zkria.f, assertions left out."""
        lines = (RTL / "zkria.f").read_text(encoding="utf-8").splitlines()
        names = [line.split("//")[0].strip() for line in lines]
        files = " ".join(str(RTL / name) for name in names if name and name[0] != "+")
        self.run(
            f"read_slang -j 1 {options} -I {RTL / 'include'} -D SYNTHESIS --top {self.top} {files}"
        )

    def map(self) -> None:
        """Synthesis for UltraScale+."""
        self.run(f"synth_xilinx -family xcup -top {self.top} -noiopad -noclkbuf -flatten")

    def netlist(self) -> dict:
        """The modules as Yosys's JSON."""
        path = self.scratch / "netlist.json"
        self.run(f"write_json -noscopeinfo {path}")
        modules = json.loads(path.read_text(encoding="utf-8"))["modules"]
        return {
            name: module
            for name, module in modules.items()
            if not int(module["attributes"].get("blackbox", "0"), 2)
            and not int(module["attributes"].get("whitebox", "0"), 2)
        }


def base(name: str) -> str:
    """Module name without slang's instance path."""
    return name.lstrip("\\").split("$")[0]


def merge_equal_instances(synthesis: Synthesis) -> None:
    """Lets instances of one module with the same cells share one copy.

    slang makes a module of every instance. Two are equal when their RTLIL agrees line by line
    once running numbers, instance paths and source positions are taken out.
    """
    modules = {module.name.str(): module for module in synthesis.design.modules_.values()}
    children = {
        name: {c.type.str() for c in module.cells_.values()} & set(modules)
        for name, module in modules.items()
    }
    names = list(modules)
    representative: dict[str, str] = {}
    seen: dict[tuple[str, str], str] = {}

    def visit(name: str) -> None:
        if name in representative:
            return
        for child in children[name]:
            visit(child)
        text = modules[name].to_rtlil_str()
        path = name.split("$", 1)[1] if "$" in name else ""
        # Longest first: one instance's name may begin another's.
        for child in sorted(children[name], key=len, reverse=True):
            text = text.replace(child, f"<{names.index(representative[child])}>")
        if path:
            text = text.replace(path, "@")
        lines = sorted(
            re.sub(r"\$\d+", "$#", line)
            for line in text.splitlines()
            if not re.match(r"\s*(attribute|autoidx)", line)
        )
        key = (base(name), "\n".join(lines))
        representative[name] = seen.setdefault(key, name)

    for name in modules:
        visit(name)
    for name, module in modules.items():
        if representative[name] != name:
            continue
        for cell in module.cells_.values():
            kind = cell.type.str()
            if kind in representative and representative[kind] != kind:
                cell.type = ys.IdString(representative[kind])
    synthesis.run(f"hierarchy -top {synthesis.top}")
    synthesis.run("clean -purge")


def keep_blocks(synthesis: Synthesis) -> None:
    """Keeps the border of every block, so that it is synthesised once and counted by itself."""
    for module in synthesis.design.modules_.values():
        name = module.name.str()
        if base(name) not in FLATTENED and name != f"\\{synthesis.top}":
            module.set_bool_attribute(ys.IdString("\\keep_hierarchy"), True)


def instance_counts(modules: dict, top: str) -> Counter[str]:
    """How often each module stands in the design."""
    counts: Counter[str] = Counter()

    def visit(name: str, times: int) -> None:
        counts[name] += times
        kinds = Counter(cell["type"] for cell in modules[name]["cells"].values())
        for kind, number in kinds.items():
            if kind in modules:
                visit(kind, times * number)

    visit(top, 1)
    return counts


def table(rows: list[list[str]]) -> str:
    """A markdown table, aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]

    def line(row: list[str]) -> str:
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        ]
        return "| " + " | ".join(cells) + " |"

    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return "\n".join([line(rows[0]), "| " + " | ".join(rule) + " |", *map(line, rows[1:])])


def number(value: float) -> str:
    """With thousands, and halves of a BRAM36 shown."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def report(top: str, full_top: bool) -> tuple[str, list[str]]:
    """The report as markdown, and what is wrong."""
    wrong: list[str] = []
    # Named, because Yosys ends the process on an error and the log then tells why.
    folder = ROOT / "target/rtl-report"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    synthesis = Synthesis(folder, top)
    start = time.monotonic()
    if full_top:
        synthesis.read("")
    else:
        synthesis.read("--keep-hierarchy")
        merge_equal_instances(synthesis)
        keep_blocks(synthesis)
    print(f"rtl report: {top} read, {time.monotonic() - start:.0f} s", file=sys.stderr)
    synthesis.map()
    print(f"rtl report: synthesised, {time.monotonic() - start:.0f} s", file=sys.stderr)
    modules = synthesis.netlist()
    if not full_top:
        synthesis.run("setattr -mod -unset keep_hierarchy")
        synthesis.run("flatten")
        whole = synthesis.netlist()[top]
    else:
        whole = modules[top]
    print(f"rtl report: done, {time.monotonic() - start:.0f} s", file=sys.stderr)

    counts = instance_counts(modules, top)
    total: dict[str, float] = dict.fromkeys(BUDGET, 0)
    rows = [["block (own logic)", "copies", *BUDGET, "depth"]]
    per_name: dict[str, list[str]] = defaultdict(list)
    for name in counts:
        per_name[base(name)].append(name)
    for block in sorted(per_name):
        for name in per_name[block]:
            cells = Counter(cell["type"] for cell in modules[name]["cells"].values())
            used = resources(Counter({k: n for k, n in cells.items() if k not in modules}))
            for resource, amount in used.items():
                total[resource] += amount * counts[name]
            path = deepest_path(modules[name], modules)
            rows.append([block, str(counts[name]), *map(number, used.values()), str(path)])
            print(f"rtl report: depth of {name}: {path.start} -> {path.end}", file=sys.stderr)
            if block == MULTIPLIER and used["DSP"] not in DSP_PER_MULTIPLIER:
                wrong.append(f"{name}: {used['DSP']:.0f} DSP, want 4 or 5")
    if not full_top and MULTIPLIER not in per_name:
        wrong.append(f"no {MULTIPLIER} in the design")
    deepest = deepest_path(whole, {})
    rows.append(["**total**", "", *map(number, total.values()), str(deepest)])
    rows.append([f"{PART}", "", *map(number, BUDGET.values()), ""])
    share = {resource: total[resource] / BUDGET[resource] for resource in BUDGET}
    rows.append(["share", "", *(f"{part:.1%}" for part in share.values()), ""])
    for resource, part in share.items():
        if part > LIMIT:
            wrong.append(f"{resource}: {part:.1%} of {BUDGET[resource]}, limit {LIMIT:.0%}")

    version = " ".join(ys.yosys_maybe_version().split()[:2])
    how = (
        "the whole top flattened"
        if full_top
        else "block by block: equal instances are synthesised once and counted by their copies"
    )
    text = f"""Top `{top}`, {how}.
Tool: {version}, `synth_xilinx -family xcup`. Synthesis estimates: upper bounds for LUT and FF
(no LUT pairs, no registers in DSPs, no cascades), not a placed design.

{table(rows)}

Depth: LUTs, carry blocks (C) and DSPs (D) on the longest combinational path from register or
input to register or output; in the rows of blocks within the block, in the total across blocks.
Longest path of all: {deepest.start} -> {deepest.end}.
"""
    return text, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--top", default="zkria_top")
    parser.add_argument("--full-top", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    text, wrong = report(options.top, options.full_top)
    print(text)
    if options.write:
        command = "make rtl-report-top" if options.full_top else "make rtl-report"
        header = f"# Resources\n\nWritten by `{command} WRITE=docs/rtl-report.md`.\n\n"
        options.write.write_text(header + text, encoding="utf-8")
    for line in wrong:
        print(f"rtl report: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
