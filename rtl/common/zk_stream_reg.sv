`include "zk_assert.svh"

/// Two-entry stream register: cuts every path between its two sides.
///
/// Latency one cycle, one beat a cycle sustained. `ready_o` and `valid_o` come straight from
/// registers, so that neither handshake nor data has a combinational path through the block.
module zk_stream_reg #(
  parameter int Width = 8  // bits of a beat
) (
  input  logic             clk_i,
  input  logic             rst_ni,   // synchronous, active low
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  // The output register holds the older beat; the spare one is used only while the output is
  // stalled, and the input stops as soon as it is taken.
  logic valid_q;
  logic spare_valid_q;
  logic [Width-1:0] data_q, spare_q;

  assign ready_o = !spare_valid_q;
  assign valid_o = valid_q;
  assign data_o  = data_q;

  logic push, pop;
  assign push = valid_i && ready_o;
  assign pop  = valid_q && ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      if (pop || !valid_q) begin
        valid_q       <= push || spare_valid_q;
        spare_valid_q <= 1'b0;
      end else if (push) begin
        spare_valid_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop || !valid_q) data_q <= spare_valid_q ? spare_q : data_i;
    if (push) spare_q <= data_i;
  end

  `ZK_ASSERT_STABLE(OutStable_A, valid_o, ready_i, data_o)
  `ZK_ASSERT(SpareNeedsOutput_A, spare_valid_q |-> valid_q)

endmodule
