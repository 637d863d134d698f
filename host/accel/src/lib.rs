//! The driver of the accelerator, generic over the bus it sits on.
