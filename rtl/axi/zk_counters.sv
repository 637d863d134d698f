/// The job's counters and the copy that the host reads.
///
/// Counters run while `run_i` is high and start from zero with `clear_i`. The readable copy
/// changes only with `latch_i`, so that the two words of a counter belong together.
module zk_counters #(
  parameter int NumLanes = 8
) (
  input  logic                clk_i,
  input  logic                rst_ni,           // synchronous, active low
  input  logic                clear_i,
  input  logic                run_i,
  input  logic                latch_i,
  input  logic [NumLanes-1:0] ev_add_i,
  input  logic [NumLanes-1:0] ev_load_i,
  input  logic [NumLanes-1:0] ev_stall_i,
  input  logic [         2:0] ev_read_i,        // a beat was read, one bit a port
  input  logic                ev_write_i,       // a beat was written
  output logic [        63:0] cycles_o,
  output logic [        63:0] additions_o,
  output logic [        63:0] loads_o,
  output logic [        63:0] stalls_o,
  output logic [        63:0] bytes_read_o,
  output logic [        63:0] bytes_written_o
);

  localparam int SumW = $clog2(NumLanes + 1);

  function automatic logic [SumW-1:0] ones(input logic [NumLanes-1:0] bits);
    logic [SumW-1:0] sum;
    sum = '0;
    for (int i = 0; i < NumLanes; i++) sum = sum + SumW'(bits[i]);
    return sum;
  endfunction

  // Events are summed one cycle before they are counted: short paths beside the adders.
  logic [SumW-1:0] add_q, load_q, stall_q;
  logic [1:0] read_q;
  logic write_q;
  always_ff @(posedge clk_i) begin
    add_q   <= ones(ev_add_i);
    load_q  <= ones(ev_load_i);
    stall_q <= ones(ev_stall_i);
    read_q  <= 2'(ev_read_i[0]) + 2'(ev_read_i[1]) + 2'(ev_read_i[2]);
    write_q <= ev_write_i;
  end

  // Beats, not bytes, and 48 bits (32 days at 100 MHz) are enough to keep.
  localparam int CountW = 48;
  logic [CountW-1:0] cycles_q, adds_q, loads_q, stalls_q, reads_q, writes_q;
  logic [CountW-1:0] cycles_l, adds_l, loads_l, stalls_l, reads_l, writes_l;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      cycles_q <= '0;
      adds_q   <= '0;
      loads_q  <= '0;
      stalls_q <= '0;
      reads_q  <= '0;
      writes_q <= '0;
    end else if (run_i) begin
      cycles_q <= cycles_q + 1'b1;
      adds_q   <= adds_q + CountW'(add_q);
      loads_q  <= loads_q + CountW'(load_q);
      stalls_q <= stalls_q + CountW'(stall_q);
      reads_q  <= reads_q + CountW'(read_q);
      writes_q <= writes_q + CountW'(write_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycles_l <= '0;
      adds_l   <= '0;
      loads_l  <= '0;
      stalls_l <= '0;
      reads_l  <= '0;
      writes_l <= '0;
    end else if (latch_i) begin
      cycles_l <= cycles_q;
      adds_l   <= adds_q;
      loads_l  <= loads_q;
      stalls_l <= stalls_q;
      reads_l  <= reads_q;
      writes_l <= writes_q;
    end
  end

  assign cycles_o        = 64'(cycles_l);
  assign additions_o     = 64'(adds_l);
  assign loads_o         = 64'(loads_l);
  assign stalls_o        = 64'(stalls_l);
  assign bytes_read_o    = 64'({reads_l, 4'b0});
  assign bytes_written_o = 64'({writes_l, 4'b0});

endmodule
