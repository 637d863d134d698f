/// AXI4 constants shared by the DMA blocks: one shape of transfer for all of them.
///
/// Bursts are INCR (interconnects may refuse FIXED), at most 16 beats (the PS ports split longer
/// ones), never across 4 KiB, 16 bytes a beat, one ID: responses come in order.
package zk_axi_pkg;

  // Each block uses some of these; Verilator counts the rest as unused when one is linted alone.
  // verilator lint_off UNUSEDPARAM

  /// Bytes of a beat.
  localparam int unsigned BEAT_BYTES = 16;
  /// log2 of the bytes of a beat: the lowest address bit that counts.
  localparam int unsigned BEAT_LSB = 4;
  /// Beats of the longest burst.
  localparam int unsigned MAX_BURST = 16;
  /// AxSIZE of a whole beat.
  localparam logic [2:0] SIZE_BEAT = 3'd4;
  /// AxBURST: incrementing.
  localparam logic [1:0] BURST_INCR = 2'b01;
  /// AxCACHE for non-coherent ports: normal memory, non-cacheable, bufferable.
  localparam logic [3:0] CACHE_NONCOHERENT = 4'b0011;
  /// AxCACHE for coherent ports: write-back, read and write allocate.
  localparam logic [3:0] CACHE_COHERENT = 4'b1111;
  /// AxPROT: unprivileged, non-secure, data.
  localparam logic [2:0] PROT_DATA = 3'b010;
  // verilator lint_on UNUSEDPARAM

  /// Beats of the next burst from beat address `addr` (low bits suffice) with `left` beats to go:
  /// 1 to 16, not across 4 KiB. `left` is saturated to 16 by the caller and not zero.
  function automatic logic [4:0] burst_beats(input logic [7:0] addr, input logic [4:0] left);
    logic [8:0] room;
    room = 9'd256 - {1'b0, addr};
    return (room < {4'b0, left}) ? room[4:0] : left;
  endfunction

  /// The error code of a bus response that is not OKAY: its low bit tells DECERR from SLVERR.
  function automatic zk_csr_pkg::error_code_e resp_code(input logic decode);
    return decode ? zk_csr_pkg::ERR_BUS_DECODE : zk_csr_pkg::ERR_BUS_SLAVE;
  endfunction

endpackage
