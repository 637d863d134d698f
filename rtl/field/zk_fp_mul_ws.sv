`include "zk_assert.svh"

/// BN254 product in Montgomery form, R = 2^255: CIOS in 17-bit words on four DSP48E2.
///
/// One product per 120 cycles, 121 from operands to product; the next operands are taken during
/// the last reduction phase. No final subtraction: operands a < A p, b < B p give
/// p_o < (0.378 A B + 1) p, which is below 2p while A B <= 2.64. a_i, b_i and p_o below 2p.
/// Model: hls-model/src/fp_mul.rs
///
/// Outer step i, eight cycles: four add a * b[i] (lanes take words 4g .. 4g+3, word 15 is free and
/// forms m = t0 N' there), four add m * p and shift one word out. The product register of the
/// DSP stands between the multiply stage and the sum stage, whose one 85-bit sum of
/// {p2,p0} + {p3,p1,carry} + t keeps every carry within 17 bits. t turns by four words a cycle.
module zk_fp_mul_ws #(
  parameter type tag_t = logic  // travels with the product
) (
  input  logic        clk_i,
  input  logic        rst_ni,   // synchronous, active low
  input  logic        valid_i,
  output logic        ready_o,
  input  zk_pkg::fp_t a_i,
  input  zk_pkg::fp_t b_i,
  input  tag_t        tag_i,
  output logic        valid_o,
  input  logic        ready_i,
  output zk_pkg::fp_t p_o,
  output tag_t        tag_o
);
  import zk_pkg::fp_t;
  import zk_pkg::fp_word_t;
  import zk_pkg::FP_P;
  import zk_pkg::FP_NPRIME;
  import zk_pkg::FP_WORDS;

  localparam int unsigned LANES = 4;
  localparam int unsigned GROUPS = 4;
  localparam int unsigned SLOTS = LANES * GROUPS;
  localparam logic [3:0] LAST_STEP = 4'(FP_WORDS - 1);

  // Place in the schedule: outer step, phase (0: a b[i], 1: m p), group of four words.
  typedef struct packed {
    logic [3:0] step;
    logic       reduce;
    logic [1:0] group;
  } place_t;

  // ------------------------------------------------------------ control

  logic   run_q;  // multiply stage works
  place_t mul_q;  // its place
  logic   sum_valid_q;  // sum stage works
  place_t sum_q;  // its place
  logic sum_gate_q;  // it is about to write the product register
  logic   pending_q;  // operands wait for the running product to end
  logic   out_valid_q;
  logic ready_q, in_window;
  logic advance, accept, last_mul, last_sum, start;

  // The product register fills during the last phase of the sum stage: the one reason to stop.
  assign advance = !(sum_gate_q && out_valid_q);
  // a and b are read in the first phase only, so the last reduction frees their registers: ready
  // from the cycle after the last step's first phase.
  assign in_window = mul_q.step == LAST_STEP && (mul_q.reduce || (advance && mul_q.group == 2'd3));
  assign ready_o = ready_q;
  assign accept = valid_i && ready_o;
  assign last_mul = run_q && advance && mul_q == {LAST_STEP, 1'b1, 2'd3};
  assign last_sum = sum_valid_q && advance && sum_q == {LAST_STEP, 1'b1, 2'd3};
  assign start = (!run_q || last_mul) && (accept || pending_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q       <= 1'b0;
      pending_q   <= 1'b0;
      ready_q     <= 1'b1;
      sum_valid_q <= 1'b0;
      sum_gate_q <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      run_q       <= start || (run_q && !last_mul);
      pending_q   <= (pending_q || accept) && !start;
      // Next cycle: nothing pending, and either idle or in the window.
      ready_q     <= !start && !pending_q && !accept && (!run_q || in_window);
      if (advance) begin
        sum_valid_q <= run_q;
        sum_gate_q <= run_q && mul_q == {LAST_STEP, 1'b1, 2'd0};
      end
      out_valid_q <= last_sum || (out_valid_q && !ready_i);
    end
  end

  logic [3:0] next_step_q;  // mul_q.step + 1
  always_ff @(posedge clk_i) begin
    if (start) begin
      mul_q       <= '0;
      next_step_q <= 4'd1;
    end else if (run_q && advance) begin
      // step, phase and group count as one number
      mul_q.group <= {mul_q.group[1] ^ mul_q.group[0], !mul_q.group[0]};
      if (mul_q.group == 2'd3) begin
        mul_q.reduce <= !mul_q.reduce;
        if (mul_q.reduce) begin
          mul_q.step  <= next_step_q;
          next_step_q <= next_step_q + 4'd1;
        end
      end
    end
    if (advance) sum_q <= mul_q;
  end

  // ------------------------------------------------------------ operands

  fp_t a_q, b_q;
  fp_word_t b_word_q;  // b[step], fetched one cycle ahead
  tag_t tag_in_q, tag_run_q, tag_out_q;

  // Word sel of sixteen by halving. A plain index would make the tools multiply it by 17; halves
  // of whole words are cheap for synthesis and for the simulator.
  function automatic fp_word_t word_of(input fp_word_t [SLOTS-1:0] words, input logic [3:0] sel);
    fp_word_t [7:0] of8;
    fp_word_t [3:0] of4;
    fp_word_t [1:0] of2;
    of8 = sel[3] ? words[15:8] : words[7:0];
    of4 = sel[2] ? of8[7:4] : of8[3:0];
    of2 = sel[1] ? of4[3:2] : of4[1:0];
    return sel[0] ? of2[1] : of2[0];
  endfunction

  always_ff @(posedge clk_i) begin
    if (accept) begin
      a_q      <= a_i;
      b_q      <= b_i;
      tag_in_q <= tag_i;
    end
    if (accept) begin
      b_word_q <= b_i[zk_pkg::FP_WORD_BITS-1:0];
    end else if (advance && mul_q.reduce && mul_q.step != LAST_STEP) begin
      b_word_q <= word_of({fp_word_t'(0), b_q}, next_step_q);
    end
    // One cycle into the next product the previous one has left tag_run_q.
    if (advance && run_q && mul_q.step == 4'd0 && mul_q.group == 2'd1) tag_run_q <= tag_in_q;
    if (last_sum) tag_out_q <= tag_run_q;
  end

  // ------------------------------------------------------------ multiply stage

  // t: sixteen words turning by four a cycle; the sum stage works on words 0 .. 3.
  fp_word_t [SLOTS-1:0] t_q;
  logic [LANES-1:0][33:0] prod_q;  // the DSPs' M registers
  fp_word_t m_q, m, y_common;
  logic m_slot;  // lane 3 has no word of a: it forms m

  assign m_slot = !mul_q.reduce && mul_q.group == 2'd3;
  assign m = (mul_q.group == 2'd0) ? prod_q[LANES-1][16:0] : m_q;
  assign y_common = mul_q.reduce ? m : b_word_q;

  for (genvar k = 0; k < int'(LANES); k++) begin : g_lane
    fp_word_t x, y, a_word, p_word;
    assign a_word = word_of({fp_word_t'(0), a_q}, {mul_q.group, 2'(k)});
    assign p_word = word_of({fp_word_t'(0), FP_P}, {mul_q.group, 2'(k)});
    if (k == int'(LANES) - 1) begin : g_last
      assign x = mul_q.reduce ? p_word : (m_slot ? FP_NPRIME : a_word);
      // Word 0 of t + a b[i] was written two cycles ago and has turned to place 8.
      assign y = m_slot ? t_q[8] : y_common;
    end else begin : g_other
      assign x = mul_q.reduce ? p_word : a_word;
      assign y = y_common;
    end
    always_ff @(posedge clk_i) begin
      if (advance) prod_q[k] <= x * y;
    end
  end

  always_ff @(posedge clk_i) begin
    if (advance && mul_q.group == 2'd0) m_q <= prod_q[LANES-1][16:0];
  end

  // ------------------------------------------------------------ sum stage

  fp_word_t carry_q;
  logic [84:0] sum;
  logic [33:0] prod3;
  fp_word_t [LANES-1:0] s;

  // In the free slot lane 3 holds m, which is no part of the sum.
  assign prod3 = (!sum_q.reduce && sum_q.group == 2'd3) ? 34'd0 : prod_q[3];
  assign sum = 85'({prod_q[2], prod_q[0]}) + {prod3, prod_q[1], carry_q} +
               85'({t_q[3], t_q[2], t_q[1], t_q[0]});
  assign s = sum[67:0];

  always_ff @(posedge clk_i) begin
    if (advance) begin
      // The next sum starts a phase, or reads t = 0 in the first step.
      carry_q <= (mul_q.group == 2'd0) ? '0 : sum[84:68];
      t_q[3:0] <= (run_q && mul_q.step == 4'd0 && !mul_q.reduce) ? '0 : t_q[7:4];
      t_q[10:4] <= t_q[14:8];
      if (sum_q.reduce) begin
        // One word down: s[0] belongs to the group before; word -1 is zero and falls away.
        t_q[11]    <= (sum_q.group == 2'd0) ? t_q[15] : s[0];
        t_q[14:12] <= s[3:1];
        t_q[15]    <= fp_word_t'(sum[68]);
      end else begin
        t_q[11]    <= t_q[15];
        t_q[15:12] <= s;
      end
    end
  end

  // ------------------------------------------------------------ product

  fp_t out_q;
  always_ff @(posedge clk_i) begin
    if (advance && sum_valid_q && sum_q.reduce && sum_q.step == LAST_STEP) begin
      out_q <= {s, out_q[254:68]};
    end
  end

  assign valid_o = out_valid_q;
  assign p_o = out_q;
  assign tag_o = tag_out_q;

  // ------------------------------------------------------------ checks

  `ZK_ASSERT(ARange, accept |-> a_i < zk_pkg::FP_2P)
  `ZK_ASSERT(BRange, accept |-> b_i < zk_pkg::FP_2P)
  // Fails exactly when the operands broke the A B <= 2.64 rule badly enough to matter.
  `ZK_ASSERT(ProductRange, valid_o |-> p_o < zk_pkg::FP_2P)
  `ZK_ASSERT(PhaseCarry, (sum_valid_q && sum_q.group == 2'd3) |-> sum[84:68] <= 17'(sum_q.reduce))
  `ZK_ASSERT(WordZeroCleared, (sum_valid_q && sum_q.reduce && sum_q.group == 2'd0) |-> s[0] == '0)
  `ZK_ASSERT_STABLE(OutStable, valid_o, ready_i, {p_o, tag_o})

endmodule
