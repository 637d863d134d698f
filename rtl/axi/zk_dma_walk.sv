`include "zk_assert.svh"

/// Walks a segment list and cuts it into bursts.
///
/// A command names a list and a number of beats. The block reads one 16-byte entry at a time
/// through its own read port, checks it, and offers bursts (at most 16 beats, none across 4 KiB)
/// until the beats are used up: `done_o`. Entries beyond that are not read. Anything wrong ends
/// the command with `err_valid_o` and the bus address of the entry. With `stop_i` high it offers
/// nothing more and comes to rest once its own read has ended.
/// A list entry is never requested while the owner holds `ar_ready_i` low, so the owner can keep
/// entries and data apart on one port.
module zk_dma_walk #(
  parameter int AddrWidth  = 40,  // bits of a bus address, 32 to 63
  parameter int BeatsWidth = 34   // bits of the beats of a command
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,         // synchronous, active low
  input  logic                  cmd_valid_i,
  output logic                  cmd_ready_o,
  input  logic [          63:0] cmd_list_i,
  input  logic [BeatsWidth-1:0] cmd_beats_i,
  input  logic                  stop_i,
  output logic                  idle_o,
  output logic                  done_o,         // pulse: every beat was offered and taken
  output logic                  err_valid_o,    // pulse
  output logic [           7:0] err_code_o,
  output logic [ AddrWidth-1:0] err_addr_o,
  // bursts
  output logic                  burst_valid_o,
  input  logic                  burst_ready_i,
  output logic [ AddrWidth-1:0] burst_addr_o,
  output logic [           4:0] burst_beats_o,  // 1 to 16
  // list entries: single-beat reads
  output logic                  ar_valid_o,
  input  logic                  ar_ready_i,
  output logic [ AddrWidth-1:0] ar_addr_o,
  input  logic                  r_valid_i,
  input  logic [         127:0] r_data_i,
  input  logic [           1:0] r_resp_i
);

  import zk_csr_pkg::*;

  if (AddrWidth < 32 || AddrWidth > 63) begin : g_addr_width
    $error("zk_dma_walk: AddrWidth must be 32 to 63");
  end

  localparam int SegBeatsW = 32 - zk_axi_pkg::BEAT_LSB;

  typedef enum logic [2:0] {
    Idle,
    Fetch,
    Reply,
    Check,
    Split,
    Offer,
    Next
  } state_e;

  state_e state_q, state_d;
  logic [63:0] list_q;  // the entry to read, afterwards the one after it
  logic [BeatsWidth-1:0] left_q;
  segment_t seg_q;
  logic [AddrWidth-1:0] addr_q;
  logic [SegBeatsW-1:0] seg_left_q;
  logic [4:0] beats_q;

  // Both run once per entry or burst: nothing here is in a hurry.
  logic list_ok;
  assign list_ok = list_q[3:0] == '0 && list_q[63:AddrWidth] == '0;

  logic [AddrWidth:0] seg_last;
  assign seg_last = {1'b0, seg_q.address[AddrWidth-1:0]} + (AddrWidth + 1)'(seg_q.bytes) - 1'b1;

  error_code_e seg_code;
  always_comb begin
    seg_code = ERR_NONE;
    if (seg_q.flags[31:1] != '0) seg_code = ERR_SEGMENT_FLAGS;
    else if (seg_q.bytes == '0) seg_code = ERR_SEGMENT_EMPTY;
    else if (seg_q.address[3:0] != '0 || seg_q.bytes[3:0] != '0) seg_code = ERR_SEGMENT_ALIGN;
    else if (seg_q.address[63:AddrWidth] != '0 || seg_last[AddrWidth]) begin
      seg_code = ERR_SEGMENT_RANGE;
    end
  end

  // Beats left in segment and command, saturated to one burst.
  logic [4:0] seg_sat, left_sat, sat;
  localparam logic [4:0] MaxBurst = 5'(zk_axi_pkg::MAX_BURST);
  assign seg_sat  = (seg_left_q[SegBeatsW-1:4] != '0) ? MaxBurst : {1'b0, seg_left_q[3:0]};
  assign left_sat = (left_q[BeatsWidth-1:4] != '0) ? MaxBurst : {1'b0, left_q[3:0]};
  assign sat      = (seg_sat < left_sat) ? seg_sat : left_sat;

  assign cmd_ready_o   = state_q == Idle && !stop_i;
  assign idle_o        = state_q == Idle;
  assign ar_valid_o    = state_q == Fetch && list_ok;
  assign ar_addr_o     = list_q[AddrWidth-1:0];
  assign burst_valid_o = state_q == Offer;
  assign burst_addr_o  = addr_q;
  assign burst_beats_o = beats_q;

  logic taken;
  assign taken = burst_valid_o && burst_ready_i;

  always_comb begin
    state_d     = state_q;
    done_o      = 1'b0;
    err_valid_o = 1'b0;
    err_code_o  = ERR_NONE;
    err_addr_o  = list_q[AddrWidth-1:0] - AddrWidth'(SEGMENT_BYTES);
    unique case (state_q)
      Idle: begin
        if (cmd_valid_i && cmd_ready_o) state_d = Next;
      end
      Fetch: begin
        if (!list_ok) begin
          err_valid_o = 1'b1;
          err_code_o  = ERR_LIST_ADDRESS;
          err_addr_o  = list_q[AddrWidth-1:0];
          state_d     = Idle;
        end else if (ar_ready_i) begin
          state_d = Reply;
        end
      end
      Reply: begin
        if (r_valid_i) begin
          state_d = stop_i ? Idle : Check;
          if (r_resp_i[1] && !stop_i) begin
            err_valid_o = 1'b1;
            err_code_o  = zk_axi_pkg::resp_code(r_resp_i[0]);
            err_addr_o  = list_q[AddrWidth-1:0];
            state_d     = Idle;
          end
        end
      end
      Check: begin
        state_d = Split;
        if (seg_code != ERR_NONE) begin
          err_valid_o = 1'b1;
          err_code_o  = seg_code;
          state_d     = Idle;
        end
        if (stop_i) state_d = Idle;
      end
      Split: state_d = stop_i ? Idle : Offer;
      Offer: begin
        if (taken) state_d = Next;
        else if (stop_i) state_d = Idle;
      end
      Next: begin
        // After a command and after each burst: more to do, and where?
        if (left_q == '0) begin
          done_o  = 1'b1;
          state_d = Idle;
        end else if (stop_i) begin
          state_d = Idle;
        end else if (seg_left_q != '0) begin
          state_d = Split;
        end else if (seg_q.flags[0]) begin
          err_valid_o = 1'b1;
          err_code_o  = ERR_LIST_SHORT;
          state_d     = Idle;
        end else begin
          state_d = Fetch;
        end
      end
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Idle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      list_q     <= cmd_list_i;
      left_q     <= cmd_beats_i;
      seg_left_q <= '0;
      seg_q      <= '0;
    end
    if (state_q == Reply && r_valid_i) begin
      seg_q  <= r_data_i;
      list_q <= list_q + 64'(SEGMENT_BYTES);
    end
    if (state_q == Check) begin
      addr_q     <= seg_q.address[AddrWidth-1:0];
      seg_left_q <= seg_q.bytes[31:4];
    end
    if (state_q == Split) beats_q <= zk_axi_pkg::burst_beats(addr_q[11:4], sat);
    if (taken) begin
      addr_q     <= addr_q + AddrWidth'({beats_q, 4'b0});
      seg_left_q <= seg_left_q - SegBeatsW'(beats_q);
      left_q     <= left_q - BeatsWidth'(beats_q);
    end
  end

  `ZK_ASSERT(BurstLength_A, burst_valid_o |-> burst_beats_o inside {[1 : 16]})
  `ZK_ASSERT(Burst4k_A, burst_valid_o |-> 9'(burst_addr_o[11:4]) + 9'(burst_beats_o) <= 9'd256)
  `ZK_ASSERT(NotTooMuch_A, taken |-> BeatsWidth'(beats_q) <= left_q)
  `ZK_ASSERT(ReplyExpected_A, r_valid_i |-> state_q == Reply)

endmodule
