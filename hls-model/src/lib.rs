//! Bit-exact, cycle-counted model of the accelerator, one file per RTL block.
