//! `zk_fp_addsub_ws`: lazy addition and subtraction mod 2p, and the final subtraction.
//!
//! The values are decided by a sign only, so whole words give the RTL's exact bits; the tests
//! check them against num-bigint. [`AddsubUnit`] is the block's time behaviour.

use crate::word::{P, TWO_P, Word, ZERO, add, sub};

/// What the block is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `a + b mod 2p`, operands below 2p, result below 2p.
    LazyAdd,
    /// `a - b mod 2p`, operands below 2p, result below 2p.
    LazySub,
    /// `a mod p`, operand below 2p, result below p; `b` is ignored.
    FinalSub,
}

impl Op {
    /// The RTL's code of the operation (`zk_pkg::addsub_op_e`).
    pub fn code(self) -> u64 {
        match self {
            Self::LazyAdd => 0,
            Self::LazySub => 1,
            Self::FinalSub => 2,
        }
    }

    /// Edges from the one that takes operands to the one after which the result shows.
    pub fn latency(self) -> u64 {
        match self {
            Self::LazyAdd | Self::LazySub => 16,
            Self::FinalSub => 8,
        }
    }
}

/// The result in the RTL's exact bits.
pub fn addsub(op: Op, a: &Word, b: &Word) -> Word {
    // The first pass in two's complement; operands below 2p < 2^255 leave the sign in bit 255.
    let first = match op {
        Op::LazyAdd => sub(&add(a, b).0, &TWO_P).0,
        Op::LazySub => sub(a, b).0,
        Op::FinalSub => sub(a, &P).0,
    };
    let negative = first[3] >> 63 != 0;
    match (negative, op) {
        (false, _) => first,
        (true, Op::FinalSub) => *a,
        (true, _) => add(&first, &TWO_P).0,
    }
}

/// `zero_o`: the result of a final subtraction is 0.
pub fn zero_flag(op: Op, result: &Word) -> bool {
    op == Op::FinalSub && *result == ZERO
}

/// When the block takes operands and shows results: one operation at a time.
/// `T` travels with an operation.
#[derive(Clone, Debug)]
pub struct AddsubUnit<T> {
    ready_at: u64,
    done: Option<(u64, T)>,
}

impl<T> Default for AddsubUnit<T> {
    fn default() -> Self {
        Self {
            ready_at: 0,
            done: None,
        }
    }
}

impl<T: Copy> AddsubUnit<T> {
    /// Whether `ready_o` is high in `cycle`.
    pub fn ready(&self, cycle: u64) -> bool {
        self.done.is_none() && cycle >= self.ready_at
    }

    /// Operands are taken in `cycle`.
    ///
    /// # Panics
    /// When `ready_o` is low in that cycle.
    pub fn take_operands(&mut self, cycle: u64, op: Op, tag: T) {
        assert!(self.ready(cycle), "adder fed while not ready");
        self.done = Some((cycle + 1 + op.latency(), tag));
    }

    /// Cycle in which the result shows, if one is under way.
    pub fn valid_at(&self) -> Option<u64> {
        self.done.map(|d| d.0)
    }

    /// The result shown in `cycle`.
    pub fn result(&self, cycle: u64) -> Option<T> {
        self.done.filter(|d| d.0 <= cycle).map(|d| d.1)
    }

    /// The shown result is taken in `cycle`.
    ///
    /// # Panics
    /// When none shows.
    pub fn take_result(&mut self, cycle: u64) {
        let (shown, _) = self.done.take().expect("a result shows");
        assert!(shown <= cycle, "no result shows yet");
        self.ready_at = cycle + 1;
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::word::{less, to_u32};

    fn big(w: &Word) -> BigUint {
        BigUint::from_slice(&to_u32(w))
    }

    fn edges() -> Vec<Word> {
        let one = [1, 0, 0, 0];
        let near = |w: &Word| vec![sub(w, &one).0, *w, add(w, &one).0];
        let mut all = vec![ZERO, one, sub(&TWO_P, &one).0];
        all.extend(near(&P));
        all.extend(near(&[1 << 32, 0, 0, 0]));
        all.extend(near(&[0, 1, 0, 0]));
        all.extend(near(&[0, 0, 1, 0]));
        all.extend(near(&[0, 0, 0, 1]));
        all
    }

    #[test]
    fn stays_in_range_and_keeps_the_class() {
        let (p, two_p) = (big(&P), big(&TWO_P));
        for a in edges() {
            for b in edges() {
                let sum = addsub(Op::LazyAdd, &a, &b);
                assert_eq!(big(&sum), (big(&a) + big(&b)) % &two_p);
                let difference = addsub(Op::LazySub, &a, &b);
                assert_eq!(big(&difference), (big(&a) + &two_p - big(&b)) % &two_p);
            }
            let reduced = addsub(Op::FinalSub, &a, &ZERO);
            assert_eq!(big(&reduced), big(&a) % &p);
            assert!(less(&reduced, &P));
            assert_eq!(
                zero_flag(Op::FinalSub, &reduced),
                (big(&a) % &p).bits() == 0
            );
        }
    }
}
