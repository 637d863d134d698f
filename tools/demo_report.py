"""Prints what `zkria msm --backend sim --check --stats --json` measured."""

import json
import sys

DESIGN_MHZ = 100  # the design target of profile compact


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    stats = result["stats"]
    if stats is None:
        sys.exit("demo: the backend returned no counters")
    cycles, additions = stats["cycles"], stats["additions"]
    rows = [
        ("points", f"{result['n']}"),
        ("result x", result["x"]),
        ("result y", result["y"]),
        ("equal to golden", "yes"),  # --check ends with exit code 1 otherwise
        ("cycles", f"{cycles:,}"),
        ("bucket additions", f"{additions:,} (and {stats['loads']:,} loads)"),
        ("cycles per addition", f"{cycles / additions:.1f}" if additions else "none"),
        (f"time at {DESIGN_MHZ} MHz", f"{cycles / DESIGN_MHZ / 1000:.2f} ms"),
        ("simulated clock", f"{stats['khz']:.0f} kHz"),
    ]
    for name, value in rows:
        print(f"  {name:<20} {value}")


if __name__ == "__main__":
    main()
