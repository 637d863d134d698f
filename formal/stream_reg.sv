/// Proof bench of zk_stream_reg: what goes in comes out, once, in order, unchanged.
///
/// A free constant picks one beat by its number and one value; the beat with that number is
/// assumed to carry the value on its way in and must carry it on its way out. With both free,
/// that is data integrity and order for every beat.
module stream_reg #(
  parameter int Width = 16
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic [7:0]       beat_i,  // the watched beat, constant
  input logic [Width-1:0] value_i  // its value, constant
);

  logic ready, valid;
  logic [Width-1:0] data;
  zk_stream_reg #(
    .Width(Width)
  ) dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o(valid),
    .ready_i,
    .data_o (data)
  );

  // One cycle of history.
  logic started_q = 1'b0;
  logic run_q = 1'b0;  // the last cycle was out of reset
  logic valid_q, ready_q, in_valid_q, in_ready_q;
  logic [Width-1:0] data_q, in_data_q, value_q;
  logic [7:0] beat_q;
  logic [7:0] in_q, out_q;  // beats taken and given, modulo 256
  always_ff @(posedge clk_i) begin
    started_q  <= 1'b1;
    run_q      <= rst_ni;
    valid_q    <= valid;
    ready_q    <= ready_i;
    data_q     <= data;
    in_valid_q <= valid_i;
    in_ready_q <= ready;
    in_data_q  <= data_i;
    value_q    <= value_i;
    beat_q     <= beat_i;
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      in_q  <= in_q + 8'(valid_i && ready);
      out_q <= out_q + 8'(valid && ready_i);
    end
  end

  logic [7:0] held;
  assign held = in_q - out_q;

  always_comb begin
    // Starts in reset; the source holds a stalled beat; the constants are constant.
    if (!started_q) assume (!rst_ni);
    if (started_q) assume (value_i == value_q && beat_i == beat_q);
    if (run_q && rst_ni && in_valid_q && !in_ready_q) assume (valid_i && data_i == in_data_q);
    if (valid_i && in_q == beat_i) assume (data_i == value_i);

    if (run_q && rst_ni) begin
      // Never more than two beats inside; the output is valid exactly when one is.
      assert (held <= 2);
      assert (valid == (held != 0));
      assert (ready == (held != 2));
      // A stalled beat holds.
      if (valid_q && !ready_q) assert (valid && data == data_q);
      // Integrity of the watched beat, at the output and in the spare register.
      if (valid && out_q == beat_i) assert (data == value_i);
      if (held == 2 && out_q + 8'd1 == beat_i) assert (dut.spare_q == value_i);
    end
  end

endmodule
