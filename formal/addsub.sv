/// Proof bench of zk_fp_addsub_ws at full width: result words, zero flag, tag and time of one
/// operation are those of addsub_spec.
///
/// The operation starts in the cycle after reset with every data register free, so it stands for
/// any: reset touches only the two control bits, and both are zero whenever the block takes
/// operands. That the words are the residue in its range is integer arithmetic, in ranges.py.
module addsub #(
  parameter int Code = 0  // the operation, as addsub_op_e
) (
  input logic        clk_i,
  input zk_pkg::fp_t a_i,
  input zk_pkg::fp_t b_i,
  input logic        tag_i
);

  localparam zk_pkg::addsub_op_e OP = zk_pkg::addsub_op_e'(Code);
  localparam int Latency = (OP == zk_pkg::FINAL_SUB) ? 9 : 17;  // from taken to taken

  // Cycle 0 resets and fixes the operands, cycle 1 offers them.
  logic [5:0] cycle_q = '0;
  zk_pkg::fp_t a_q, b_q;
  logic tag_q;
  always_ff @(posedge clk_i) begin
    if (cycle_q != '1) cycle_q <= cycle_q + 1'b1;
    if (cycle_q == '0) begin
      a_q   <= a_i;
      b_q   <= b_i;
      tag_q <= tag_i;
    end
  end

  logic ready, valid, zero, tag;
  zk_pkg::fp_t p;
  zk_fp_addsub_ws dut (
    .clk_i,
    .rst_ni (cycle_q != '0),
    .valid_i(cycle_q == 6'd1),
    .ready_o(ready),
    .op_i   (OP),
    .a_i    (a_q),
    .b_i    (b_q),
    .tag_i  (tag_q),
    .valid_o(valid),
    .ready_i(1'b0),
    .p_o    (p),
    .zero_o (zero),
    .tag_o  (tag)
  );

  logic [255:0] want;
  assign want = addsub_spec::result(OP, a_q, b_q);

  always_comb begin
    if (cycle_q == 6'd1) assert (ready);
    if (cycle_q > 6'd1) assert (!ready);
    if (cycle_q != '0) assert (valid == (cycle_q >= 6'(1 + Latency)));
    if (cycle_q >= 6'(1 + Latency)) begin
      assert (p == 255'(want));
      assert (tag == tag_q);
      assert (zero == (OP == zk_pkg::FINAL_SUB && want == '0));
    end
  end

endmodule
