//! Many inverses for the price of one: Montgomery's trick.

use crate::traits::Field;

/// Inverts every element in place; zeros stay zero.
///
/// Cost: one inversion and three products an element.
pub fn batch_inverse<F: Field>(values: &mut [F]) {
    batch_inverse_with(values, &mut Vec::new());
}

/// [`batch_inverse`] with the scratch space lent by the caller, so that a loop allocates once.
/// `scratch` may hold anything; it grows to `values.len()`.
///
/// # Panics
/// Never: a product of non-zero field elements has an inverse.
pub fn batch_inverse_with<F: Field>(values: &mut [F], scratch: &mut Vec<F>) {
    scratch.clear();
    let mut product = F::ONE;
    for value in values.iter() {
        scratch.push(product);
        if !value.is_zero() {
            product *= *value;
        }
    }
    let mut inverse = product
        .inverse()
        .expect("a product of non-zero elements of a field is not zero");
    for (value, before) in values.iter_mut().zip(scratch.iter()).rev() {
        if !value.is_zero() {
            let this = inverse * *before;
            inverse *= *value;
            *value = this;
        }
    }
}
