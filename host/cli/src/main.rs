//! The `zkria` command.
fn main() {}
