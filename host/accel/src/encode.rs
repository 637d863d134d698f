//! Points, scalars and buckets on the wire (`zkria_csr::layout`).
//!
//! The engine works in Montgomery form with the radix of its CAPS; `scale` is `2^log2_r` as a
//! field element, so that conversion is one product and the field's own radix stays its secret.

use zkria_core::{Error, Result};
use zkria_csr::layout::{BUCKET_BYTES, FIELD_BYTES, POINT_BYTES, SCALAR_BYTES};
use zkria_field::bn254::{Fp, Fr, G1};
use zkria_field::{Affine, Field, Jacobian};

/// Points in the engine's form, 64 bytes each.
pub fn encode_points(points: &[Affine<G1>], log2_r: u32) -> Vec<u8> {
    let scale = Fp::from(2).pow(&[u64::from(log2_r)]);
    let mut out = vec![0; points.len() * POINT_BYTES];
    for (point, bytes) in points.iter().zip(out.chunks_exact_mut(POINT_BYTES)) {
        // Infinity is x = y = 0 here and there.
        let (x, y) = bytes.split_at_mut(FIELD_BYTES);
        (point.x * scale).write_bytes_le(x);
        (point.y * scale).write_bytes_le(y);
    }
    out
}

/// Scalars in canonical form, 32 bytes each.
pub fn encode_scalars(scalars: &[Fr]) -> Vec<u8> {
    let mut out = vec![0; scalars.len() * SCALAR_BYTES];
    for (scalar, bytes) in scalars.iter().zip(out.chunks_exact_mut(SCALAR_BYTES)) {
        scalar.write_bytes_le(bytes);
    }
    out
}

/// One bucket of a result; `unscale` is the inverse of `2^log2_r`.
///
/// # Errors
/// [`Error::Device`] when a coordinate is not below p, or Z is zero in a bucket that is not all
/// zero: the engine never writes such a bucket.
pub fn decode_bucket(bytes: &[u8; BUCKET_BYTES], unscale: Fp) -> Result<Jacobian<G1>> {
    let coordinate = |index: usize, name: &str| {
        let field = &bytes[index * FIELD_BYTES..(index + 1) * FIELD_BYTES];
        Fp::from_bytes_le(field)
            .map(|value| value * unscale)
            .ok_or_else(|| corrupt(format!("{name} is not below the modulus")))
    };
    let point: Jacobian<G1> = Jacobian {
        x: coordinate(0, "X")?,
        y: coordinate(1, "Y")?,
        z: coordinate(2, "Z")?,
    };
    if point.z.is_zero() {
        if !(point.x.is_zero() && point.y.is_zero()) {
            return Err(corrupt("Z is zero, but X or Y is not".into()));
        }
        return Ok(Jacobian::INFINITY);
    }
    Ok(point)
}

fn corrupt(what: String) -> Error {
    Error::device(
        format!("the result of the engine is corrupt: {what}"),
        "check that COHERENT and the buffers agree, then run again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use zkria_field::Group;

    #[test]
    fn points_are_scaled_and_buckets_scaled_back() {
        for log2_r in [255, 256, 262] {
            let points = [G1::generator(), Affine::INFINITY, G1::generator().neg()];
            let bytes = encode_points(&points, log2_r);
            assert_eq!(bytes.len(), 3 * 64);
            assert_eq!(bytes[64..128], [0; 64]);
            // x = 1, so its Montgomery form is 2^log2_r mod p.
            let radix = Fp::from(2).pow(&[u64::from(log2_r)]);
            assert_eq!(Fp::from_bytes_le(&bytes[..32]), Some(radix));
            let unscale = radix.inverse().expect("not zero");
            let mut bucket = [0; 96];
            bucket[..64].copy_from_slice(&bytes[..64]);
            radix.write_bytes_le(&mut bucket[64..]);
            let decoded = decode_bucket(&bucket, unscale).expect("sound");
            assert_eq!(decoded.to_affine(), points[0]);
        }
    }

    #[test]
    fn corrupt_buckets_are_refused() {
        let one = Fp::ONE;
        let empty = decode_bucket(&[0; 96], one).expect("empty");
        assert!(empty.to_affine().is_infinity());
        for coordinate in 0..3 {
            let mut bucket = [0; 96];
            bucket[64] = 1;
            bucket[coordinate * 32..(coordinate + 1) * 32].fill(0xff);
            let error = decode_bucket(&bucket, one).expect_err("not canonical");
            assert!(error.to_string().contains("modulus"), "{error}");
        }
        let mut bucket = [0; 96];
        bucket[40] = 1;
        let error = decode_bucket(&bucket, one).expect_err("Z = 0");
        assert!(error.to_string().contains("Z is zero"), "{error}");
    }
}
