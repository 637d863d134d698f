/// RAM with one write port and one read port (block RAM).
///
/// Read latency one cycle; `rdata_o` holds the last word read. A word written in the cycle in
/// which it is read comes back undefined in hardware: the user keeps the two addresses apart
/// and asserts it.
module zk_ram_sdp #(
  parameter  int Width = 256,
  parameter  int Depth = 512,
  localparam int AddrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,
  input  logic             re_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);

  (* ram_style = "block", no_rw_check *)
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
  end

endmodule
