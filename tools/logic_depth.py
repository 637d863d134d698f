"""Longest combinational path of a mapped UltraScale+ netlist in Yosys's JSON form."""

import re
from collections import defaultdict
from dataclasses import dataclass

# Weights that only choose the longest path: roughly a cell with its routing, in LUT levels.
LUT, CARRY_ENTRY, CARRY_BIT, MUX, DSP = 1.0, 0.6, 0.01, 0.3, 4.0

CLOCKED = re.compile(r"FD[RSCP]E|RAMB\d+E2|URAM288.*|SRL.*|BUFG.*")
LUTRAM = re.compile(r"RAM\d+(X1[SD]|M\d*|X16DR8|X8SW)")


@dataclass
class Path:
    """A path's cells by kind, and the names of its ends."""

    luts: int = 0
    carries: int = 0
    dsps: int = 0
    weight: float = 0.0
    start: str = "nothing"
    end: str = "nothing"

    def __str__(self) -> str:
        text = str(self.luts)
        if self.carries:
            text += f"+{self.carries}C"
        if self.dsps:
            text += f"+{self.dsps}D"
        return text


def kind_of(cell_type: str) -> str:
    """How a cell takes part in a path."""
    if CLOCKED.fullmatch(cell_type):
        return "clocked"
    if re.fullmatch(r"LUT[1-6]|INV", cell_type):
        return "lut"
    if LUTRAM.fullmatch(cell_type):
        return "lutram"
    if cell_type.startswith("CARRY"):
        return "carry"
    if cell_type.startswith("MUXF"):
        return "mux"
    if cell_type.startswith("DSP"):
        return "dsp"
    return "other"


def step(kind: str, port: str) -> tuple[float, int, int, int] | None:
    """Weight, LUTs, carries and DSPs of passing a cell from `port`; None where a path ends."""
    if kind == "lut":
        return (LUT, 1, 0, 0)
    if kind == "lutram":
        # Only read addresses go through; the write side is clocked.
        is_read = re.match(r"(DPRA|ADDR[A-C]$|RADDR|A\d?$)", port)
        return (LUT, 1, 0, 0) if is_read else None
    if kind == "carry":
        if port == "CHAIN":  # from the bit below
            return (CARRY_BIT, 0, 0, 0)
        return (CARRY_BIT if port == "CI" else CARRY_ENTRY, 0, 1, 0)
    if kind == "mux":
        return (MUX, 0, 0, 0)
    if kind == "dsp":
        return None if port == "CLK" else (DSP, 0, 0, 1)
    return None


def split_carries(cells: dict) -> dict:
    """Carry cells as one cell a bit: as a whole they form false loops with the LUTs between."""
    split = {}
    # Chains within a cell become nets of their own, numbered below every real one.
    chain = -1
    for name, cell in cells.items():
        if kind_of(cell["type"]) != "carry":
            split[name] = cell
            continue
        pins = cell["connections"]
        directions = {"O": "output", "CO": "output", "CHAIN_OUT": "output"}
        directions |= dict.fromkeys(("S", "DI", "CI", "CYINIT", "CHAIN"), "input")
        for i in range(len(pins["O"])):
            bit = {port: [pins[port][i]] for port in ("O", "CO", "S", "DI") if port in pins}
            if i == 0:
                bit |= {port: pins[port] for port in ("CI", "CYINIT") if port in pins}
            else:
                bit["CHAIN"] = [chain]
            chain -= 1
            bit["CHAIN_OUT"] = [chain]
            split[f"{name}[{i}]"] = {
                "type": cell["type"],
                "connections": bit,
                "port_directions": directions,
            }
    return split


def deepest_path(module: dict, hierarchy: dict) -> Path:
    """Longest path of a module; instances of modules of `hierarchy` count as registers.

    Raises ValueError on a combinational loop.
    """
    cells = split_carries(module["cells"])
    driver: dict[int, str] = {}
    for name, cell in cells.items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"].get(port) == "output":
                for bit in bits:
                    if isinstance(bit, int):
                        driver[bit] = name
    kinds = {
        name: "clocked" if cell["type"] in hierarchy else kind_of(cell["type"])
        for name, cell in cells.items()
    }

    net_name: dict[int, str] = {}
    for name, net in module["netnames"].items():
        for index, bit in enumerate(net["bits"]):
            better = not net.get("hide_name") or bit not in net_name
            if isinstance(bit, int) and better:
                net_name[bit] = f"{name}[{index}]" if len(net["bits"]) > 1 else name

    # Cells are the nodes, visited in topological order.
    best: dict[str, Path] = {}
    waiting: dict[str, int] = {}
    users: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    inputs_of: dict[str, list[tuple[str, int]]] = {}
    for name, cell in cells.items():
        sources = []
        if kinds[name] not in ("clocked", "other"):
            for port, bits in cell["connections"].items():
                if cell["port_directions"].get(port) == "input":
                    sources += [(port, bit) for bit in bits if isinstance(bit, int)]
        inputs_of[name] = sources
        waiting[name] = 0
        for port, bit in sources:
            source = driver.get(bit)
            if source and kinds[source] not in ("clocked", "other") and step(kinds[name], port):
                waiting[name] += 1
                users[source].append((name, port, bit))

    def arrive(bit: int) -> Path:
        source = driver.get(bit)
        if source and source in best:
            return best[source]
        return Path(start=net_name.get(bit, str(bit)))

    ready = [n for n in cells if kinds[n] not in ("clocked", "other") and waiting[n] == 0]
    visited = 0
    while ready:
        name = ready.pop()
        visited += 1
        top = Path()
        for port, bit in inputs_of[name]:
            cost = step(kinds[name], port)
            if cost is None:
                continue
            before = arrive(bit)
            weight = before.weight + cost[0]
            if weight > top.weight:
                top = Path(
                    before.luts + cost[1],
                    before.carries + cost[2],
                    before.dsps + cost[3],
                    weight,
                    before.start,
                )
        best[name] = top
        for user, _, _ in users[name]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    combinational = sum(kind not in ("clocked", "other") for kind in kinds.values())
    if visited != combinational:
        raise ValueError(f"combinational loop through {combinational - visited} cells")

    deepest = Path()
    ends = [
        bit
        for name, cell in cells.items()
        for port, bits in cell["connections"].items()
        if cell["port_directions"].get(port) == "input" and step(kinds[name], port) is None
        for bit in bits
    ]
    for port in module["ports"].values():
        if port["direction"] == "output":
            ends += port["bits"]
    for bit in ends:
        if isinstance(bit, int):
            path = arrive(bit)
            if path.weight > deepest.weight:
                deepest = path
                deepest.end = net_name.get(bit, str(bit))
    return deepest
