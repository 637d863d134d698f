//! Checks that every backend must pass, edge values, and the rule for skipping what a machine lacks.
