//! Portable multi-scalar multiplication: signed-window Pippenger with batch-affine buckets.
