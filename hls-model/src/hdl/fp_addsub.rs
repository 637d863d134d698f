//! Word-serial modular adder: `rtl/field/zk_fp_addsub_ws.sv` once more, in rust-hdl.
//!
//! Same ports, same bits, same cycles (17 for the lazy operations, 9 for the final subtraction),
//! other registers: operands and constants turn past the adder instead of being indexed, because
//! rust-hdl has no packed arrays. `sim/tests/fp_addsub_hdl.rs` runs the hand-written block's
//! test bench on it.

use rust_hdl::prelude::*;

/// Modular addition, subtraction and final subtraction on one 32-bit adder with three addends.
///
/// The first pass forms `a + b - 2p`, `a - b` or `a - p`; its sign says whether a second pass
/// adds `2p` back, or, for the final subtraction, whether `a` was the answer.
/// Bounds: operands below 2p; results below 2p (lazy) or below p (final).
#[derive(LogicBlock)]
pub struct FpAddSub {
    /// Clock.
    pub clk_i: Signal<In, Clock>,
    /// Synchronous reset, active low; control only.
    pub rst_ni: Signal<In, Bit>,
    /// Operands are offered.
    pub valid_i: Signal<In, Bit>,
    /// Operands are taken.
    pub ready_o: Signal<Out, Bit>,
    /// 0 lazy add, 1 lazy subtract, 2 final subtraction.
    pub op_i: Signal<In, Bits<2>>,
    /// First operand.
    pub a_i: Signal<In, Bits<255>>,
    /// Second operand.
    pub b_i: Signal<In, Bits<255>>,
    /// Travels with the result.
    pub tag_i: Signal<In, Bit>,
    /// A result is offered.
    pub valid_o: Signal<Out, Bit>,
    /// The result is taken.
    pub ready_i: Signal<In, Bit>,
    /// Result.
    pub p_o: Signal<Out, Bits<255>>,
    /// Final subtraction: the result is zero.
    pub zero_o: Signal<Out, Bit>,
    /// The tag of the operands.
    pub tag_o: Signal<Out, Bit>,

    op_lazy_add: Constant<Bits<2>>,
    op_final_sub: Constant<Bits<2>>,
    two_p: Constant<Bits<256>>,
    not_two_p: Constant<Bits<256>>,
    not_p: Constant<Bits<256>>,
    zero: Constant<Bits<256>>,

    run_q: DFF<Bit>,
    second_q: DFF<Bit>,
    out_valid_q: DFF<Bit>,
    idx_q: DFF<Bits<3>>,
    op_q: DFF<Bits<2>>,
    tag_q: DFF<Bit>,
    // Each turns (a) or shifts (the others) by one word a cycle.
    a_q: DFF<Bits<256>>,
    b_q: DFF<Bits<256>>,
    k_q: DFF<Bits<256>>,
    r_q: DFF<Bits<256>>,
    carry_q: DFF<Bits<2>>,
    negative_q: DFF<Bit>,
    a_nonzero_q: DFF<Bit>,
    r_nonzero_q: DFF<Bit>,

    accept: Signal<Local, Bit>,
    last_word: Signal<Local, Bit>,
    last_pass: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    x: Signal<Local, Bits<32>>,
    sum: Signal<Local, Bits<34>>,
    word: Signal<Local, Bits<32>>,
    negative: Signal<Local, Bit>,
    keep_a: Signal<Local, Bit>,
}

impl Logic for FpAddSub {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk_i,
            run_q,
            second_q,
            out_valid_q,
            idx_q,
            op_q,
            tag_q,
            a_q,
            b_q,
            k_q,
            r_q,
            carry_q,
            negative_q,
            a_nonzero_q,
            r_nonzero_q
        );

        // Control. One operation at a time: the result register is the second pass's operand.
        self.ready_o.next = !self.run_q.q.val() & !self.out_valid_q.q.val();
        self.accept.next = self.valid_i.val() & !self.run_q.q.val() & !self.out_valid_q.q.val();
        self.last_word.next = self.idx_q.q.val() == 7;
        self.last_pass.next =
            self.second_q.q.val() | (self.op_q.q.val() == self.op_final_sub.val());
        self.done.next = self.run_q.q.val() & self.last_word.val() & self.last_pass.val();

        // The adder.
        self.x.next = self.a_q.q.val().get_bits::<32>(0);
        if self.second_q.q.val() {
            self.x.next = self.r_q.q.val().get_bits::<32>(0);
        }
        self.sum.next = bit_cast::<34, 32>(self.x.val())
            + bit_cast::<34, 32>(self.b_q.q.val().get_bits::<32>(0))
            + bit_cast::<34, 32>(self.k_q.q.val().get_bits::<32>(0))
            + bit_cast::<34, 2>(self.carry_q.q.val());
        self.word.next = self.sum.val().get_bits::<32>(0);
        self.negative.next = self.sum.val().get_bit(31);

        if self.run_q.q.val() {
            self.idx_q.d.next = self.idx_q.q.val() + 1;
            self.carry_q.d.next = self.sum.val().get_bits::<2>(32);
            self.a_q.d.next = (self.a_q.q.val() >> 32)
                | (bit_cast::<256, 32>(self.a_q.q.val().get_bits::<32>(0)) << 224);
            self.b_q.d.next = self.b_q.q.val() >> 32;
            self.k_q.d.next = self.k_q.q.val() >> 32;
            self.r_q.d.next =
                (self.r_q.q.val() >> 32) | (bit_cast::<256, 32>(self.word.val()) << 224);
            self.a_nonzero_q.d.next = self.a_nonzero_q.q.val() | self.x.val().any();
            self.r_nonzero_q.d.next = self.r_nonzero_q.q.val() | self.word.val().any();
            if self.last_word.val() {
                // Eight shifts have emptied b_q: the second pass adds 2p or nothing.
                self.second_q.d.next = true;
                self.carry_q.d.next = 0.into();
                self.k_q.d.next = self.zero.val();
                if self.negative.val() {
                    self.k_q.d.next = self.two_p.val();
                }
                if !self.second_q.q.val() {
                    self.negative_q.d.next = self.negative.val();
                }
            }
        }

        // Operands. A - B = A + ~B + 1.
        if self.accept.val() {
            self.idx_q.d.next = 0.into();
            self.second_q.d.next = false;
            self.op_q.d.next = self.op_i.val();
            self.tag_q.d.next = self.tag_i.val();
            self.carry_q.d.next = 1.into();
            self.a_nonzero_q.d.next = false;
            self.r_nonzero_q.d.next = false;
            self.a_q.d.next = bit_cast::<256, 255>(self.a_i.val());
            self.b_q.d.next = !bit_cast::<256, 255>(self.b_i.val());
            self.k_q.d.next = self.zero.val();
            if self.op_i.val() == self.op_lazy_add.val() {
                self.b_q.d.next = bit_cast::<256, 255>(self.b_i.val());
                self.k_q.d.next = self.not_two_p.val();
            }
            if self.op_i.val() == self.op_final_sub.val() {
                self.b_q.d.next = self.zero.val();
                self.k_q.d.next = self.not_p.val();
            }
        }

        self.run_q.d.next = self.accept.val() | (self.run_q.q.val() & !self.done.val());
        self.out_valid_q.d.next =
            self.done.val() | (self.out_valid_q.q.val() & !self.ready_i.val());
        if !self.rst_ni.val() {
            self.run_q.d.next = false;
            self.out_valid_q.d.next = false;
        }

        // Result.
        self.keep_a.next = (self.op_q.q.val() == self.op_final_sub.val()) & self.negative_q.q.val();
        self.p_o.next = self.r_q.q.val().get_bits::<255>(0);
        self.zero_o.next =
            (self.op_q.q.val() == self.op_final_sub.val()) & !self.r_nonzero_q.q.val();
        if self.keep_a.val() {
            self.p_o.next = self.a_q.q.val().get_bits::<255>(0);
            self.zero_o.next = !self.a_nonzero_q.q.val();
        }
        self.valid_o.next = self.out_valid_q.q.val();
        self.tag_o.next = self.tag_q.q.val();
    }
}

impl FpAddSub {
    /// Marks the inputs as driven from outside, which rust-hdl asks for before it emits.
    pub fn connect_inputs(&mut self) {
        self.clk_i.connect();
        self.rst_ni.connect();
        self.valid_i.connect();
        self.op_i.connect();
        self.a_i.connect();
        self.b_i.connect();
        self.tag_i.connect();
        self.ready_i.connect();
    }
}

/// p, the BN254 base field modulus, little-endian.
const MODULUS: [u64; 4] = [
    0x3c20_8c16_d87c_fd47,
    0x9781_6a91_6871_ca8d,
    0xb850_45b6_8181_585d,
    0x3064_4e72_e131_a029,
];

fn from_limbs(limbs: [u64; 4]) -> Bits<256> {
    let mut value: Bits<256> = 0.into();
    for limb in limbs.into_iter().rev() {
        let limb: Bits<256> = limb.into();
        // Bits shift by less than 64 at a time.
        value = ((value << 32) << 32) | limb;
    }
    value
}

impl Default for FpAddSub {
    fn default() -> Self {
        let p = from_limbs(MODULUS);
        let two_p = p + p;
        Self {
            clk_i: Signal::default(),
            rst_ni: Signal::default(),
            valid_i: Signal::default(),
            ready_o: Signal::default(),
            op_i: Signal::default(),
            a_i: Signal::default(),
            b_i: Signal::default(),
            tag_i: Signal::default(),
            valid_o: Signal::default(),
            ready_i: Signal::default(),
            p_o: Signal::default(),
            zero_o: Signal::default(),
            tag_o: Signal::default(),
            op_lazy_add: Constant::new(0.into()),
            op_final_sub: Constant::new(2.into()),
            two_p: Constant::new(two_p),
            not_two_p: Constant::new(!two_p),
            not_p: Constant::new(!p),
            zero: Constant::new(0.into()),
            run_q: DFF::default(),
            second_q: DFF::default(),
            out_valid_q: DFF::default(),
            idx_q: DFF::default(),
            op_q: DFF::default(),
            tag_q: DFF::default(),
            a_q: DFF::default(),
            b_q: DFF::default(),
            k_q: DFF::default(),
            r_q: DFF::default(),
            carry_q: DFF::default(),
            negative_q: DFF::default(),
            a_nonzero_q: DFF::default(),
            r_nonzero_q: DFF::default(),
            accept: Signal::default(),
            last_word: Signal::default(),
            last_pass: Signal::default(),
            done: Signal::default(),
            x: Signal::default(),
            sum: Signal::default(),
            word: Signal::default(),
            negative: Signal::default(),
            keep_a: Signal::default(),
        }
    }
}
