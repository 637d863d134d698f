//! Slow, obvious oracle over arkworks and num-bigint: bytes in, bytes out, none of zkria's arithmetic.
