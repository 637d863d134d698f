# Front door. `make` lists the targets; each does its own set-up.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help tools demo test lint fmt bench rtl-report rtl-report-top formal sim-2e16 mutants-rtl \
  clean-tools

CARGO ?= cargo
PYTHON ?= python3
# WRITE=docs/rtl-report.md also stores the report.
WRITE ?=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

tools: ## fetch the pinned RTL tools into .tools/ (no root, repeatable)
	@PYTHON='$(PYTHON)' tools/setup.sh

demo: tools ## a 2^10 MSM through the simulated RTL, checked against the golden model
	@CARGO='$(CARGO)' tools/demo.sh

test: tools ## everything that CI checks
	@CARGO='$(CARGO)' $(PYTHON) tools/test.py

lint: tools ## Verilator -Wall, verible, rustfmt, clippy, rustdoc
	@CARGO='$(CARGO)' $(PYTHON) tools/test.py lint

fmt: tools ## rewrite Rust and SystemVerilog files in the agreed format
	$(CARGO) fmt --all
	.tools/bin/python tools/rtl_lint.py --format-inplace

bench: ## CPU backends beside arkworks, 2^12 to 2^16, one thread, release build
	RUSTFLAGS='-C target-cpu=native' $(CARGO) run --release --quiet -p zkria --features peers \
	  --target-dir target/native -- bench msm --log-n 12..16 --backend portable,cpu --threads 1

rtl-report: tools ## DSP, LUT, FF, URAM, BRAM and logic depth per block, beside the XCK26 budget
	.tools/bin/python tools/rtl_report.py $(if $(WRITE),--write $(WRITE))

rtl-report-top: tools ## the same for the flattened top (slow)
	.tools/bin/python tools/rtl_report.py --full-top $(if $(WRITE),--write $(WRITE))

formal: tools ## the proofs of formal/ (sby, z3)
	.tools/bin/python tools/formal.py

sim-2e16: tools ## a whole 2^16 MSM through the RTL; writes docs/results.md (minutes, not in CI)
	@CARGO='$(CARGO)' $(PYTHON) tools/sim_2e16.py

mutants-rtl: tools ## every RTL mutant must be killed by its block's test (long, not in CI)
	@CARGO='$(CARGO)' $(PYTHON) tools/mutants.py

clean-tools: ## remove .tools/ (the wheels stay in the cache folder)
	rm -rf .tools
