#!/bin/sh
# One 2^10 MSM through the RTL in Verilator, compared with the golden model. Called by `make demo`.
set -eu
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
command -v "$cargo" >/dev/null 2>&1 || {
    echo "demo: cargo is missing: see https://rustup.rs" >&2
    exit 1
}
log_n=${LOG_N:-10}
out=target/demo

echo "demo: building the command line tool and the simulated accelerator"
"$cargo" build --quiet -p zkria --bin zkria
zkria=${CARGO_TARGET_DIR:-target}/debug/zkria

"$zkria" gen msm --log-n "$log_n" --kind random --seed 1 --out "$out"
echo "demo: $((1 << log_n)) points and scalars through the RTL"
# --check recomputes with the golden model; a difference is exit code 1 and ends this script.
"$zkria" msm --points "$out/points.bin" --scalars "$out/scalars.bin" \
    --backend sim --check --stats --json >"$out/result.json"
python3 tools/demo_report.py "$out/result.json"
