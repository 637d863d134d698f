/// Single-port RAM in the shape of URAM288: one read or one write a cycle.
///
/// Read latency one cycle. `rdata_o` holds the last word read, also across writes. Contents are
/// unknown after power-up; nothing is reset.
module zk_ram_sp #(
  parameter  int Width = 256,
  parameter  int Depth = 2048,
  localparam int AddrW = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] addr_i,
  input  logic [Width-1:0] wdata_i,
  output logic [Width-1:0] rdata_o
);

  (* ram_style = "ultra" *)
  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      if (we_i) mem[addr_i] <= wdata_i;
      else rdata_o <= mem[addr_i];
    end
  end

endmodule
