`include "zk_assert.svh"

/// Bucket sums of a batch of windows: the engine between its three streams.
///
/// One start is one batch: `start_n_i` points and scalars come in, window
/// `start_window_i + k` for k < `start_num_windows_i` is accumulated in lane k, then all its
/// buckets go out (see zk_readout) and are empty again. Points are affine, Montgomery R = 2^255,
/// (0, 0) infinity; scalars canonical. `start_num_windows_i` is 1 to NumLanes. After reset the
/// full bits are cleared first, 2^WindowBits cycles with `start_ready_o` low.
///
/// `done_o` is a pulse at the last result beat. `ev_*` are one-cycle pulses per lane: an addition
/// starts, an empty bucket is loaded, a token waits for its bucket's addition.
/// Model: hls-model/src/msm_top.rs
module zk_msm_core #(
  parameter int NumLanes   = 8,
  parameter int WindowBits = 11,
  parameter int NumCtx     = 2,   // additions in flight in one lane
  parameter int Depth      = 256  // points between the dispatcher and the slowest lane
) (
  input logic clk_i,
  input logic rst_ni, // synchronous, active low

  input  logic        start_valid_i,
  output logic        start_ready_o,
  input  logic [31:0] start_n_i,
  input  logic [ 7:0] start_window_i,
  input  logic [ 3:0] start_num_windows_i,

  input  logic         pts_valid_i,
  output logic         pts_ready_o,
  input  logic [127:0] pts_data_i,
  input  logic         scl_valid_i,
  output logic         scl_ready_o,
  input  logic [127:0] scl_data_i,
  output logic         res_valid_o,
  input  logic         res_ready_i,
  output logic [127:0] res_data_o,
  output logic         res_last_o,

  output logic busy_o,
  output logic done_o,

  output logic [NumLanes-1:0] ev_add_o,
  output logic [NumLanes-1:0] ev_load_o,
  output logic [NumLanes-1:0] ev_stall_o
);

  typedef enum logic [1:0] {
    Clear,
    Rest,
    Run,
    ReadOut
  } state_e;

  state_e state_q;
  logic [WindowBits-1:0] clear_addr_q;
  logic [3:0] num_windows_q;
  logic start, drained, read_start, ro_active;
  logic [NumLanes-1:0] lane_idle;
  logic dispatch_ready;

  assign start_ready_o = state_q == Rest;
  assign start = start_valid_i && start_ready_o;
  assign busy_o = state_q != Rest;
  assign drained = dispatch_ready && (&lane_idle);
  assign read_start = state_q == Run && drained;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= Clear;
      clear_addr_q <= '0;
    end else begin
      unique case (state_q)
        Clear: begin
          clear_addr_q <= clear_addr_q + 1'b1;
          if (&clear_addr_q) state_q <= Rest;
        end
        Rest: if (start) state_q <= Run;
        Run: if (drained) state_q <= ReadOut;
        ReadOut: if (!ro_active || done_o) state_q <= Rest;
        default: state_q <= Clear;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) num_windows_q <= start_num_windows_i;
  end

  logic [NumLanes-1:0] tok_valid, tok_pop, op_req, op_sel, op_gnt, op_valid;
  logic [NumLanes-1:0][WindowBits-1:0] tok_digit;
  logic [254:0] op_data;

  zk_dispatch #(
    .NumLanes  (NumLanes),
    .WindowBits(WindowBits),
    .Depth     (Depth)
  ) u_dispatch (
    .clk_i,
    .rst_ni,
    .start_valid_i(start),
    .start_ready_o(dispatch_ready),
    .start_n_i,
    .start_window_i,
    .start_num_windows_i,
    .pts_valid_i,
    .pts_ready_o,
    .pts_data_i,
    .scl_valid_i,
    .scl_ready_o,
    .scl_data_i,
    .tok_valid_o  (tok_valid),
    .tok_digit_o  (tok_digit),
    .tok_pop_i    (tok_pop),
    .op_req_i     (op_req),
    .op_sel_i     (op_sel),
    .op_gnt_o     (op_gnt),
    .op_valid_o   (op_valid),
    .op_data_o    (op_data)
  );

  logic [NumLanes-1:0] ro_re, ro_clear, full;
  logic [NumLanes-1:0][254:0] ro_word;
  logic [WindowBits-1:0] ro_addr, own_addr;
  logic [1:0] ro_sel;
  logic own, clearing;

  assign clearing = state_q == Clear;
  assign own      = clearing || state_q == ReadOut;
  assign own_addr = clearing ? clear_addr_q : ro_addr;

  for (genvar k = 0; k < NumLanes; k++) begin : g_lane
    zk_bucket_lane #(
      .WindowBits(WindowBits),
      .NumCtx    (NumCtx)
    ) u_lane (
      .clk_i,
      .rst_ni,
      .tok_valid_i(tok_valid[k]),
      .tok_digit_i(tok_digit[k]),
      .tok_pop_o  (tok_pop[k]),
      .op_req_o   (op_req[k]),
      .op_sel_o   (op_sel[k]),
      .op_gnt_i   (op_gnt[k]),
      .op_valid_i (op_valid[k]),
      .op_data_i  (op_data),
      .own_i      (own),
      .own_addr_i (own_addr),
      .own_clear_i(clearing || ro_clear[k]),
      .own_re_i   (ro_re[k]),
      .ro_sel_i   (ro_sel),
      .ro_word_o  (ro_word[k]),
      .full_o     (full[k]),
      .idle_o     (lane_idle[k]),
      .ev_add_o   (ev_add_o[k]),
      .ev_load_o  (ev_load_o[k]),
      .ev_stall_o (ev_stall_o[k])
    );
  end

  zk_readout #(
    .NumLanes  (NumLanes),
    .WindowBits(WindowBits)
  ) u_readout (
    .clk_i,
    .rst_ni,
    .start_i            (read_start),
    .start_num_windows_i(num_windows_q),
    .active_o           (ro_active),
    .done_o,
    .re_o               (ro_re),
    .clear_o            (ro_clear),
    .addr_o             (ro_addr),
    .sel_o              (ro_sel),
    .full_i             (full),
    .word_i             (ro_word),
    .res_valid_o,
    .res_ready_i,
    .res_data_o,
    .res_last_o
  );

  `ZK_ASSERT(NumWindows_A, start |-> start_num_windows_i inside {[1 : NumLanes]})
  `ZK_ASSERT(ReadOutAlone_A, ro_active |-> drained)

endmodule
