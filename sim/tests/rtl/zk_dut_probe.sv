/// Test design of sim/tests/dut.rs: one port of each storage class, and an assertion to trip.
module zk_dut_probe (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [ 7:0] byte_i,
  input  logic [ 9:0] half_i,
  input  logic [31:0] word_i,
  input  logic [40:0] long_i,
  input  logic [79:0] wide_i,
  input  logic        trip_i,
  output logic [ 7:0] byte_o,
  output logic [ 9:0] half_o,
  output logic [31:0] word_o,
  output logic [40:0] long_o,
  output logic [79:0] wide_o,
  output logic [15:0] count_o
);
  // Combinational: answers within one settle.
  assign byte_o = byte_i;
  assign half_o = half_i;
  assign word_o = word_i;
  assign long_o = long_i;
  assign wide_o = wide_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_o <= '0;
    else count_o <= count_o + 16'd1;
  end

  a_trip : assert property (@(posedge clk_i) disable iff (!rst_ni) !trip_i);
endmodule
