//! Multi-scalar multiplication and other proof kernels on CPU, FPGA and simulated RTL.
