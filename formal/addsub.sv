/// Proof bench of zk_fp_addsub_ws at full width: the words it adds, in the order it adds them.
///
/// By induction over the words: after i words of a pass, result register and carry hold what
/// addsub_spec computes word by word in one step. That those words are the residue in its range
/// is integer arithmetic, proved in ranges.py.
/// Every operation loads all of its state, so one that starts anywhere stands for all.
module addsub (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_i,
  input zk_pkg::addsub_op_e op_i,
  input zk_pkg::fp_t        a_i,
  input zk_pkg::fp_t        b_i,
  input logic               tag_i,
  input logic               ready_i
);

  logic ready, valid, zero, tag;
  zk_pkg::fp_t p;
  zk_fp_addsub_ws dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(ready),
    .op_i,
    .a_i,
    .b_i,
    .tag_i,
    .valid_o(valid),
    .ready_i,
    .p_o    (p),
    .zero_o (zero),
    .tag_o  (tag)
  );

  // The operation in hand, and how many cycles ago it was taken.
  zk_pkg::addsub_op_e op_q;
  zk_pkg::fp_t a_q, b_q;
  logic tag_q, busy_q;
  logic [4:0] age_q;
  logic started_q = 1'b0;
  logic [4:0] latency;
  assign latency = (op_q == zk_pkg::FINAL_SUB) ? 5'd8 : 5'd16;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (valid_i && ready) begin
      op_q  <= op_i;
      a_q   <= a_i;
      b_q   <= b_i;
      tag_q <= tag_i;
      age_q <= '0;
    end else if (age_q < latency) begin
      age_q <= age_q + 5'd1;
    end
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= (valid_i && ready) || (busy_q && !(valid && ready_i));
  end

  // Both passes in one step.
  addsub_spec::pass_t first, second;
  addsub_spec::words_t a, y, z, z2;
  logic [255:0] whole;
  assign a      = 256'(a_q);
  assign y      = addsub_spec::second_operand(op_q, b_q);
  assign z      = addsub_spec::first_constant(op_q);
  assign z2     = addsub_spec::second_constant(first);
  assign first  = addsub_spec::first_pass(op_q, a_q, b_q);
  assign second = addsub_spec::second_pass(first);
  assign whole  = addsub_spec::result(op_q, a_q, b_q);

  // After i words of a pass: what is summed, and the words that come next.
  logic [31:0] z_word;
  logic [7:0] words1, words2, zero_a, zero_r;
  assign z_word = dut.z_on_q ? dut.z_q : '0;
  for (genvar i = 0; i < 8; i++) begin : g_word
    logic next1, next2;
    assign next1 = dut.x_q == a[i] && dut.y_q == y[i] && z_word == z[i];
    assign next2 = dut.x_q == first.words[i] && dut.y_q == '0 && z_word == z2[i];
    if (i == 0) begin : g_first
      assign words1[i] = next1 && dut.carry_q == first.carry[0];
      assign words2[i] = next2 && dut.carry_q == second.carry[0] && dut.r_q == first.words;
      assign zero_a[i] = !dut.a_nonzero_q;
      assign zero_r[i] = 1'b1;
    end else begin : g_other
      assign words1[i] = next1 && dut.carry_q == first.carry[i] &&
                         dut.r_q[7-:i] == first.words[i-1:0];
      assign words2[i] = next2 && dut.carry_q == second.carry[i] &&
                         dut.r_q[7-:i] == second.words[i-1:0] && dut.r_q[7-i:0] == first.words[7:i];
      assign zero_a[i] = dut.a_nonzero_q == (a[i-1:0] != '0);
      if (i == 1) begin : g_one
        assign zero_r[i] = !dut.r_nonzero_q;
      end else begin : g_more
        // One word behind.
        assign zero_r[i] = dut.r_nonzero_q == (first.words[i-2:0] != '0);
      end
    end
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (op_i inside {zk_pkg::LAZY_ADD, zk_pkg::LAZY_SUB, zk_pkg::FINAL_SUB});

    if (started_q) begin
      // Time: nine and seventeen cycles from taken to taken, one operation at a time.
      assert (ready == !busy_q);
      assert (valid == (busy_q && age_q == latency));
      // Value.
      if (valid) begin
        assert (p == 255'(whole));  // the result fits: ranges.py
        assert (zero == (op_q == zk_pkg::FINAL_SUB && whole == '0));
        assert (tag == tag_q);
      end
      // Words so far.
      if (busy_q && !valid && !age_q[3]) begin
        assert (words1[age_q[2:0]]);
        assert (dut.z_on_q == (op_q != zk_pkg::LAZY_SUB));
        assert (zero_a[age_q[2:0]] && zero_r[age_q[2:0]]);
      end
      if (busy_q && !valid && age_q[3]) begin
        assert (words2[age_q[2:0]]);
        assert (dut.z_on_q == first.words[7][31]);
        assert (dut.negative_q == first.words[7][31]);
      end
      if (valid && op_q == zk_pkg::FINAL_SUB) begin
        assert (dut.r_q == first.words && dut.negative_q == first.words[7][31]);
        assert (dut.a_nonzero_q == (a != '0) && dut.r_nonzero_q == (first.words[6:0] != '0));
      end
      if (valid && op_q != zk_pkg::FINAL_SUB) assert (dut.r_q == second.words);

      // Where the operation stands (for the induction).
      if (busy_q) begin
        assert (age_q <= latency);
        assert (dut.op_q == op_q && dut.a_q == 256'(a_q) && dut.b_q == 256'(b_q));
        assert (dut.tag_q == tag_q && dut.run_q == !valid && dut.out_valid_q == valid);
        assert (dut.idx_q == age_q[2:0]);
        if (!valid) assert (dut.next_idx_q == age_q[2:0] + 3'd1);
        assert (op_q inside {zk_pkg::LAZY_ADD, zk_pkg::LAZY_SUB, zk_pkg::FINAL_SUB});
        assert (valid || dut.second_q == age_q[3]);
      end
    end
  end

endmodule
