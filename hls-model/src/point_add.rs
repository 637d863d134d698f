//! `zk_point_add`: Jacobian plus affine on two multipliers, one adder and a microcode.
//!
//! `microcode` is the RTL's table (`zk_point_add_pkg`) once more; [`execute`] runs it on values
//! and gives the RTL's exact bits, [`PointAddSim`] runs it in time and gives the RTL's exact
//! cycles. The block test holds both to the RTL beat by beat and cycle by cycle; the tests here
//! hold the values to affine arithmetic on num-bigint.

use crate::fp_addsub::{Op, addsub, zero_flag};
use crate::fp_mul::mul;
use crate::word::{Word, ZERO};

mod schedule;

pub use schedule::{Beat, PointAddSim, completion_cycles, latency, steady_interval};

/// Registers of a context; the first five take the input beats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reg {
    X1,
    Y1,
    Z1,
    X2,
    Y2,
    A,
    B,
    C,
}

/// Registers per context.
const REGS: usize = 8;

/// Which zero flag a final subtraction decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flag {
    None,
    H,
    R,
}

/// One microcode instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instr {
    /// `dst = a b`.
    Mul(Reg, Reg, Reg),
    /// `dst = a + b mod 2p`.
    Add(Reg, Reg, Reg),
    /// `dst = a - b mod 2p`.
    Sub(Reg, Reg, Reg),
    /// `reg = reg mod p`.
    Fin(Reg, Flag),
    /// Sends a register as result word `0 .. 3`.
    Out(Reg, u8),
    /// Sends the one beat of an infinite sum.
    OutEmpty,
    /// Once both registers are settled: on by the zero flags.
    Branch(Reg, Reg),
}

const PC_CANCEL: usize = 28;
const PC_DOUBLE: usize = 32;

/// The instruction at `pc`; bounds of every value stand in `rtl/ec/zk_point_add_pkg.sv`.
const fn microcode(pc: usize) -> Instr {
    use Instr::{Add, Branch, Fin, Mul, Out, OutEmpty, Sub};
    use Reg::{A, B, C, X1, X2, Y1, Y2, Z1};
    match pc {
        0 => Mul(A, Z1, Z1),
        1 => Mul(B, X2, A),
        2 => Mul(A, Z1, A),
        3 => Sub(B, B, X1),
        4 => Mul(A, Y2, A),
        5 => Fin(B, Flag::H),
        6 => Mul(C, B, B),
        7 => Sub(A, A, Y1),
        8 => Fin(A, Flag::R),
        9 => Branch(A, B),
        10 => Mul(X1, X1, C),
        11 => Mul(X2, B, C),
        12 => Mul(C, A, A),
        13 => Mul(Z1, Z1, B),
        14 => Add(Y2, X1, X1),
        15 => Add(Y2, Y2, X2),
        16 => Add(X1, X1, Y2),
        17 => Mul(Y1, Y1, X2),
        18 => Sub(X1, X1, C),
        19 => Mul(A, A, X1),
        20 => Sub(C, C, Y2),
        21 => Fin(C, Flag::None),
        22 => Fin(Z1, Flag::None),
        23 => Sub(A, A, Y1),
        24 => Fin(A, Flag::None),
        25 => Out(C, 0),
        26 => Out(A, 1),
        27 => Out(Z1, 2),

        32 => Mul(X1, X2, X2),
        33 => Mul(B, Y2, Y2),
        34 => Add(Z1, Y2, Y2),
        35 => Fin(Z1, Flag::None),
        36 => Add(A, X1, X1),
        37 => Mul(X2, X2, B),
        38 => Add(A, A, X1),
        39 => Fin(A, Flag::None),
        40 => Mul(B, B, B),
        41 => Mul(C, A, A),
        42 => Add(X2, X2, X2),
        43 => Add(X2, X2, X2),
        44 => Add(Y2, X2, X2),
        45 => Sub(C, C, Y2),
        46 => Sub(X2, X2, C),
        47 => Mul(A, A, X2),
        48 => Fin(C, Flag::None),
        49 => Add(B, B, B),
        50 => Add(B, B, B),
        51 => Add(B, B, B),
        52 => Sub(A, A, B),
        53 => Fin(A, Flag::None),
        54 => Out(C, 0),
        55 => Out(A, 1),
        56 => Out(Z1, 2),

        // PC_CANCEL and the holes
        _ => OutEmpty,
    }
}

/// Which of the three ways an addition takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The points differ in x.
    Add,
    /// The points are equal: H = 0, r = 0.
    Double,
    /// The points are opposite: H = 0, r != 0.
    Cancel,
}

/// What one addition gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The way it took.
    pub kind: Kind,
    /// X3, Y3, Z3, all below p; `None` when the sum is infinity.
    pub sum: Option<[Word; 3]>,
}

/// Adds `input` = X1, Y1, Z1, X2, Y2 (Montgomery form, below p, Z1 not 0, no infinity) in the
/// RTL's exact bits.
pub fn execute(input: &[Word; 5]) -> Outcome {
    let mut regs = [ZERO; REGS];
    regs[..5].copy_from_slice(input);
    let mut out = [ZERO; 3];
    let (mut h_zero, mut r_zero) = (false, false);
    let mut kind = Kind::Add;
    let mut pc = 0;
    loop {
        let get = |r: Reg| &regs[r as usize];
        let instr = microcode(pc);
        pc += 1;
        match instr {
            Instr::Mul(dst, a, b) => regs[dst as usize] = mul(get(a), get(b)),
            Instr::Add(dst, a, b) => regs[dst as usize] = addsub(Op::LazyAdd, get(a), get(b)),
            Instr::Sub(dst, a, b) => regs[dst as usize] = addsub(Op::LazySub, get(a), get(b)),
            Instr::Fin(reg, flag) => {
                let v = addsub(Op::FinalSub, get(reg), &ZERO);
                match flag {
                    Flag::None => {}
                    Flag::H => h_zero = zero_flag(Op::FinalSub, &v),
                    Flag::R => r_zero = zero_flag(Op::FinalSub, &v),
                }
                regs[reg as usize] = v;
            }
            Instr::Branch(..) if h_zero && r_zero => (kind, pc) = (Kind::Double, PC_DOUBLE),
            Instr::Branch(..) if h_zero => (kind, pc) = (Kind::Cancel, PC_CANCEL),
            Instr::Branch(..) => {}
            Instr::Out(reg, idx) => {
                out[usize::from(idx)] = *get(reg);
                if idx == 2 {
                    return Outcome {
                        kind,
                        sum: Some(out),
                    };
                }
            }
            Instr::OutEmpty => return Outcome { kind, sum: None },
        }
    }
}

#[cfg(test)]
mod tests;
