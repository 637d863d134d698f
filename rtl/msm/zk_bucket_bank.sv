/// The buckets of one window: X, Y, Z in three URAM lanes and one full bit each.
///
/// One address, one operation a cycle. A read of all three coordinates (`re_i`) answers in the
/// next cycle and the words stay on `x_o`, `y_o`, `z_o` until the next read, so that they wait
/// there for the adder. `full_o` answers in the same cycle. Full bits are unknown after
/// power-up: the owner clears them.
module zk_bucket_bank #(
  parameter int WindowBits = 11,
  parameter int WordBits   = 255
) (
  input  logic                  clk_i,
  input  logic [WindowBits-1:0] addr_i,
  input  logic                  re_i,
  input  logic [           2:0] we_i,       // X, Y, Z from bit 0
  input  logic [  WordBits-1:0] xy_i,       // X and Y never come in one cycle
  input  logic [  WordBits-1:0] z_i,
  output logic [  WordBits-1:0] x_o,
  output logic [  WordBits-1:0] y_o,
  output logic [  WordBits-1:0] z_o,
  input  logic                  full_we_i,
  input  logic                  full_i,
  output logic                  full_o
);

  localparam int Depth = 1 << WindowBits;

  zk_ram_sp #(
    .Width(WordBits),
    .Depth(Depth)
  ) u_x (
    .clk_i,
    .en_i   (re_i || we_i[0]),
    .we_i   (we_i[0]),
    .addr_i,
    .wdata_i(xy_i),
    .rdata_o(x_o)
  );

  zk_ram_sp #(
    .Width(WordBits),
    .Depth(Depth)
  ) u_y (
    .clk_i,
    .en_i   (re_i || we_i[1]),
    .we_i   (we_i[1]),
    .addr_i,
    .wdata_i(xy_i),
    .rdata_o(y_o)
  );

  zk_ram_sp #(
    .Width(WordBits),
    .Depth(Depth)
  ) u_z (
    .clk_i,
    .en_i   (re_i || we_i[2]),
    .we_i   (we_i[2]),
    .addr_i,
    .wdata_i(z_i),
    .rdata_o(z_o)
  );

  (* ram_style = "distributed" *)
  logic full[Depth];

  assign full_o = full[addr_i];

  always_ff @(posedge clk_i) begin
    if (full_we_i) full[addr_i] <= full_i;
  end

endmodule
