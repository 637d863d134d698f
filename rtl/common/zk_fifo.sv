`include "zk_assert.svh"

/// Stream FIFO in LUTRAM, first word falls through.
///
/// A beat is at the output one cycle after it was taken; one beat a cycle on both sides.
/// `count_o` is the number of beats held. `ready_o` does not depend on `ready_i`, so that a full
/// FIFO takes its next beat the cycle after one left.
module zk_fifo #(
  parameter int Width = 8,
  parameter int Depth = 16,  // power of two, at least 2
  localparam int AddrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_ni,   // synchronous, active low
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o,
  output logic [  AddrW:0] count_o
);

  if (Depth < 2 || Depth != (1 << AddrW)) begin : g_depth
    $error("zk_fifo: Depth must be a power of two, at least 2");
  end

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem[Depth];
  logic [AddrW:0] wr_q, rd_q;

  logic push, pop;
  assign push    = valid_i && ready_o;
  assign pop     = valid_o && ready_i;

  assign count_o = wr_q - rd_q;
  assign ready_o = !count_o[AddrW];
  assign valid_o = wr_q != rd_q;
  assign data_o  = mem[rd_q[AddrW-1:0]];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= '0;
      rd_q <= '0;
    end else begin
      if (push) wr_q <= wr_q + 1'b1;
      if (pop) rd_q <= rd_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) mem[wr_q[AddrW-1:0]] <= data_i;
  end

  `ZK_ASSERT_STABLE(OutStable_A, valid_o, ready_i, data_o)
  `ZK_ASSERT(NoOverflow_A, push |-> count_o < (AddrW + 1)'(Depth))
  `ZK_ASSERT(NoUnderflow_A, pop |-> count_o != '0)
  `ZK_ASSERT(CountInRange_A, count_o <= (AddrW + 1)'(Depth))

endmodule
