//! Build-script helper: runs Verilator on one top and compiles a small C shim around it.
