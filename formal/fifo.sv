/// Proof bench of zk_fifo: no overflow, no loss, order and content kept, count exact.
///
/// A free constant picks one beat by its number and one value, as in stream_reg.sv. Depth 4 is
/// enough to wrap both pointers many times; nothing in the block depends on the depth but the
/// width of its pointers.
module fifo #(
  parameter int Width = 8,
  parameter int Depth = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic [7:0]       beat_i,  // the watched beat, constant
  input logic [Width-1:0] value_i  // its value, constant
);

  localparam int AddrW = $clog2(Depth);

  logic ready, valid;
  logic [Width-1:0] data;
  logic [AddrW:0] count;
  zk_fifo #(
    .Width(Width),
    .Depth(Depth)
  ) dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o(valid),
    .ready_i,
    .data_o (data),
    .count_o(count)
  );

  logic started_q = 1'b0;
  logic run_q = 1'b0;  // the last cycle was out of reset
  logic valid_q, ready_q;
  logic [Width-1:0] data_q, value_q;
  logic [7:0] beat_q;
  logic [7:0] in_q, out_q;  // beats taken and given, modulo 256
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    run_q     <= rst_ni;
    valid_q   <= valid;
    ready_q   <= ready_i;
    data_q    <= data;
    value_q   <= value_i;
    beat_q    <= beat_i;
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      in_q  <= in_q + 8'(valid_i && ready);
      out_q <= out_q + 8'(valid && ready_i);
    end
  end

  logic [7:0] held, ahead;
  assign held  = in_q - out_q;
  assign ahead = beat_i - out_q;  // beats in front of the watched one, if it is inside

  always_comb begin
    if (!started_q) assume (!rst_ni);
    if (started_q) assume (value_i == value_q && beat_i == beat_q);
    if (valid_i && in_q == beat_i) assume (data_i == value_i);

    if (run_q && rst_ni) begin
      assert (held <= 8'(Depth));  // no overflow
      assert (8'(count) == held);
      assert (valid == (held != 0));
      assert (ready == (held != 8'(Depth)));
      if (valid_q && !ready_q) assert (valid && data == data_q);
      if (valid && out_q == beat_i) assert (data == value_i);
      // Where the watched beat lies (for the induction): its slot follows from its number.
      assert (dut.rd_q == out_q[AddrW:0] && dut.wr_q == in_q[AddrW:0]);
      if (ahead < held) assert (dut.mem[beat_i[AddrW-1:0]] == value_i);
    end
  end

endmodule
