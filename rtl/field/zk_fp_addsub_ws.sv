`include "zk_assert.svh"

/// Modular addition, subtraction and final subtraction, 32 bits a cycle on one adder.
///
///   LAZY_ADD   a + b mod 2p   a, b < 2p -> p_o < 2p   17 cycles from taken to taken
///   LAZY_SUB   a - b mod 2p   a, b < 2p -> p_o < 2p   17 cycles
///   FINAL_SUB  a mod p        a < 2p    -> p_o < p     9 cycles; zero_o tells p_o == 0
///
/// The first pass forms a + b - 2p, a - b or a - p in two's complement; its sign says whether a
/// second pass adds 2p back, or, for FINAL_SUB, whether a was the answer. Results are canonical
/// bits for FINAL_SUB and in [0, 2p) for the lazy ones. Model: hls-model/src/fp_addsub.rs
module zk_fp_addsub_ws #(
  parameter type tag_t = logic  // travels with the result
) (
  input  logic               clk_i,
  input  logic               rst_ni,   // synchronous, active low
  input  logic               valid_i,
  output logic               ready_o,
  input  zk_pkg::addsub_op_e op_i,
  input  zk_pkg::fp_t        a_i,
  input  zk_pkg::fp_t        b_i,
  input  tag_t               tag_i,
  output logic               valid_o,
  input  logic               ready_i,
  output zk_pkg::fp_t        p_o,
  output logic               zero_o,   // FINAL_SUB: the result is 0
  output tag_t               tag_o
);
  import zk_pkg::fp_t;
  import zk_pkg::addsub_op_e;
  import zk_pkg::word256_t;

  localparam int unsigned WORD_BITS = 32;
  localparam int unsigned WORDS = 8;

  typedef logic [WORDS-1:0][WORD_BITS-1:0] words_t;

  localparam words_t TWO_P = word256_t'(zk_pkg::FP_2P);
  localparam words_t NOT_TWO_P = ~word256_t'(zk_pkg::FP_2P);
  localparam words_t NOT_P = ~word256_t'(zk_pkg::FP_P);

  // ------------------------------------------------------------ control

  logic run_q, second_q, out_valid_q;
  logic [2:0] idx_q;
  addsub_op_e op_q;
  tag_t tag_q;
  logic accept, last_word, last_pass;

  // One operation at a time: the result register is also the second pass's operand.
  assign ready_o   = !run_q && !out_valid_q;
  assign accept    = valid_i && ready_o;
  assign last_word = idx_q == 3'(WORDS - 1);
  assign last_pass = second_q || op_q == zk_pkg::FINAL_SUB;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q       <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      run_q       <= accept || (run_q && !(last_word && last_pass));
      out_valid_q <= (run_q && last_word && last_pass) || (out_valid_q && !ready_i);
    end
  end

  words_t a_q, b_q, r_q;
  always_ff @(posedge clk_i) begin
    if (accept) begin
      a_q      <= word256_t'(a_i);
      b_q      <= word256_t'(b_i);
      op_q     <= op_i;
      tag_q    <= tag_i;
      idx_q    <= '0;
      second_q <= 1'b0;
    end else if (run_q) begin
      idx_q    <= idx_q + 3'd1;
      second_q <= second_q || last_word;
    end
  end

  // ------------------------------------------------------------ operand words

  // Fetched one cycle ahead, so that the adder's inputs are registers.
  logic [WORD_BITS-1:0] x_q, y_q, z_q;  // a, b and constant, or result and 2p
  logic z_on_q;  // the constant counts
  logic [2:0] next_idx_q;  // idx_q + 1
  logic [WORD_BITS-1:0] sum;
  logic next_second;
  assign next_second = second_q || last_word;

  always_ff @(posedge clk_i) begin
    if (accept) begin
      x_q        <= a_i[WORD_BITS-1:0];
      next_idx_q <= 3'd1;
      z_on_q     <= op_i != zk_pkg::LAZY_SUB;
      unique case (op_i)
        zk_pkg::LAZY_ADD: begin
          y_q <= b_i[WORD_BITS-1:0];
          z_q <= NOT_TWO_P[0];
        end
        zk_pkg::LAZY_SUB: begin
          y_q <= ~b_i[WORD_BITS-1:0];
          z_q <= NOT_TWO_P[0];
        end
        default: begin
          y_q <= '0;
          z_q <= NOT_P[0];
        end
      endcase
    end else begin
      next_idx_q <= next_idx_q + 3'd1;
      if (next_second) begin
        // This word leaves r_q[0] at this edge.
        x_q <= r_q[1];
        y_q <= '0;
        z_q <= TWO_P[next_idx_q];
        // The first pass's sign decides about the second.
        if (!second_q) z_on_q <= sum[WORD_BITS-1];
      end else begin
        x_q <= a_q[next_idx_q];
        unique case (op_q)
          zk_pkg::LAZY_ADD: begin
            y_q <= b_q[next_idx_q];
            z_q <= NOT_TWO_P[next_idx_q];
          end
          zk_pkg::LAZY_SUB: begin
            y_q <= ~b_q[next_idx_q];
            z_q <= NOT_TWO_P[next_idx_q];
          end
          default: begin
            y_q <= '0;
            z_q <= NOT_P[next_idx_q];
          end
        endcase
      end
    end
  end

  // ------------------------------------------------------------ adder

  logic negative_q;  // sign of the first pass
  logic [1:0] carry_q;  // three addends carry up to 2
  logic [1:0] carry;

  assign {carry, sum} = 34'(x_q) + 34'(y_q) + 34'(z_on_q ? z_q : '0) + 34'(carry_q);

  always_ff @(posedge clk_i) begin
    if (accept) begin
      carry_q <= 2'd1;  // A - B = A + ~B + 1
    end else if (run_q) begin
      carry_q <= last_word ? 2'd0 : carry;
    end
    if (run_q) r_q <= {sum, r_q[WORDS-1:1]};
    if (run_q && last_word && !second_q) negative_q <= sum[WORD_BITS-1];
  end

  // ------------------------------------------------------------ result

  // Zero is read off word by word, both for a and for a - p; the last word of a - p is still in
  // r_q's top when the result shows.
  logic a_nonzero_q, r_nonzero_q, r_nonzero, keep_a;
  always_ff @(posedge clk_i) begin
    if (accept) begin
      a_nonzero_q <= 1'b0;
    end else if (run_q) begin
      a_nonzero_q <= a_nonzero_q || (|x_q);
    end
    if (run_q) r_nonzero_q <= idx_q != '0 && (r_nonzero_q || (|r_q[WORDS-1]));
  end

  word256_t result;
  assign keep_a  = op_q == zk_pkg::FINAL_SUB && negative_q;
  assign result  = keep_a ? a_q : r_q;

  assign valid_o = out_valid_q;
  assign p_o     = fp_t'(result);
  assign r_nonzero = r_nonzero_q || (|r_q[WORDS-1]);
  assign zero_o = op_q == zk_pkg::FINAL_SUB && !(keep_a ? a_nonzero_q : r_nonzero);
  assign tag_o   = tag_q;

  // ------------------------------------------------------------ checks

  `ZK_ASSERT(OpKnown,
             accept |-> op_i inside {zk_pkg::LAZY_ADD, zk_pkg::LAZY_SUB, zk_pkg::FINAL_SUB})
  `ZK_ASSERT(ARange, accept |-> a_i < zk_pkg::FP_2P)
  `ZK_ASSERT(BRange, (accept && op_i != zk_pkg::FINAL_SUB) |-> b_i < zk_pkg::FP_2P)
  `ZK_ASSERT(LazyRange,
             (valid_o && op_q != zk_pkg::FINAL_SUB) |-> result < word256_t'(zk_pkg::FP_2P))
  `ZK_ASSERT(FinalRange,
             (valid_o && op_q == zk_pkg::FINAL_SUB) |-> result < word256_t'(zk_pkg::FP_P))
  `ZK_ASSERT(ZeroFlag, (valid_o && op_q == zk_pkg::FINAL_SUB) |-> zero_o == (result == '0))
  `ZK_ASSERT_STABLE(OutStable, valid_o, ready_i, {p_o, zero_o, tag_o})

endmodule
