`include "zk_assert.svh"

/// Segment list to stream: reads scattered memory through one AXI4 read port.
///
/// A command names a segment list and a number of 16-byte beats; they come out in order.
/// `done_o` is a pulse when all of them were taken, or, after an error or `stop_i`, when every
/// outstanding transfer has ended: then `err_code_o`, `err_list_o` (the list was wrong, not the
/// data) and `err_addr_o` tell. After an error the output is flushed, so that a beat which was
/// offered may vanish: whoever reads it must be reset too.
/// List entries are read between the data bursts of two segments, when none is outstanding:
/// one latency a segment, which this engine (16 beats in some 2,700 cycles) never notices.
module zk_dma_rd #(
  parameter int AddrWidth      = 40,
  parameter int BeatsWidth     = 34,
  parameter int MaxOutstanding = 4    // bursts requested and not yet received, 1 to 15
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,       // synchronous, active low
  input  logic                  cmd_valid_i,
  output logic                  cmd_ready_o,
  input  logic [          63:0] cmd_list_i,
  input  logic [BeatsWidth-1:0] cmd_beats_i,
  input  logic                  stop_i,       // level: end the command early
  output logic                  busy_o,
  output logic                  done_o,
  output logic [           7:0] err_code_o,
  output logic                  err_list_o,
  output logic [ AddrWidth-1:0] err_addr_o,
  output logic                  ev_beat_o,    // pulse: a beat was read, list entries included
  // stream
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [         127:0] data_o,
  // AXI4 read port
  output logic                  m_axi_arvalid_o,
  input  logic                  m_axi_arready_i,
  output logic [ AddrWidth-1:0] m_axi_araddr_o,
  output logic [           7:0] m_axi_arlen_o,
  input  logic                  m_axi_rvalid_i,
  output logic                  m_axi_rready_o,
  input  logic [         127:0] m_axi_rdata_i,
  input  logic [           1:0] m_axi_rresp_i,
  input  logic                  m_axi_rlast_i
);

  import zk_csr_pkg::*;

  if (MaxOutstanding < 1 || MaxOutstanding > 15) begin : g_outstanding
    $error("zk_dma_rd: MaxOutstanding must be 1 to 15");
  end

  typedef enum logic [1:0] {
    Idle,
    Run,
    Stop
  } state_e;

  state_e state_q;
  logic walked_q;  // every burst was issued
  logic [3:0] outstanding_q;  // data bursts requested, not wholly received
  logic ar_valid_q, ar_list_q, list_pending_q;
  logic [AddrWidth-1:0] ar_addr_q, r_addr_q;
  logic [3:0] ar_len_q;
  error_code_e err_code_q;
  logic err_list_q;
  logic [AddrWidth-1:0] err_addr_q;

  logic walk_ready, walk_idle, walk_done, walk_err, stopping;
  logic [7:0] walk_code;
  logic [AddrWidth-1:0] walk_addr;
  logic burst_valid, burst_ready, entry_valid, entry_ready, r_take, r_is_list;
  logic [AddrWidth-1:0] burst_addr, entry_addr;
  logic [4:0] burst_beats;

  assign stopping = state_q == Stop;

  zk_dma_walk #(
    .AddrWidth (AddrWidth),
    .BeatsWidth(BeatsWidth)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .cmd_valid_i  (cmd_valid_i && cmd_ready_o),
    .cmd_ready_o  (walk_ready),
    .cmd_list_i,
    .cmd_beats_i,
    .stop_i       (stopping),
    .idle_o       (walk_idle),
    .done_o       (walk_done),
    .err_valid_o  (walk_err),
    .err_code_o   (walk_code),
    .err_addr_o   (walk_addr),
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_addr_o (burst_addr),
    .burst_beats_o(burst_beats),
    .ar_valid_o   (entry_valid),
    .ar_ready_i   (entry_ready),
    .ar_addr_o    (entry_addr),
    .r_valid_i    (r_take && r_is_list),
    .r_data_i     (m_axi_rdata_i),
    .r_resp_i     (m_axi_rresp_i)
  );

  // Requests. An entry waits until no data is outstanding, so the next beat after its request is
  // the entry; the walker offers no burst before it has the entry.
  logic ar_free, quiet;
  assign ar_free     = !ar_valid_q || m_axi_arready_i;
  assign burst_ready = !stopping && ar_free && outstanding_q < 4'(MaxOutstanding);
  assign quiet       = outstanding_q == '0 && !ar_valid_q && !list_pending_q;
  assign entry_ready = quiet;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_valid_q     <= 1'b0;
      outstanding_q  <= '0;
      list_pending_q <= 1'b0;
    end else begin
      if (ar_free) ar_valid_q <= (burst_valid && burst_ready) || (entry_valid && entry_ready);
      outstanding_q <= outstanding_q + 4'(burst_valid && burst_ready) -
          4'(r_take && !r_is_list && m_axi_rlast_i);
      if (entry_valid && entry_ready) list_pending_q <= 1'b1;
      else if (r_take && r_is_list) list_pending_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ar_free) begin
      ar_list_q <= entry_valid;
      ar_addr_q <= entry_valid ? entry_addr : burst_addr;
      ar_len_q  <= entry_valid ? '0 : 4'(burst_beats - 1'b1);
    end
  end

  assign m_axi_arvalid_o = ar_valid_q;
  assign m_axi_araddr_o  = ar_addr_q;
  assign m_axi_arlen_o   = {4'b0, ar_len_q};

  // Data. Bursts of one segment are contiguous and segments do not overlap in flight, so one
  // counter knows the address of every beat.
  logic reg_ready, reg_valid, bad, flush;
  assign r_is_list      = list_pending_q;
  assign m_axi_rready_o = r_is_list || stopping || reg_ready;
  assign r_take         = m_axi_rvalid_i && m_axi_rready_o;
  assign bad            = r_take && !r_is_list && m_axi_rresp_i[1];
  assign reg_valid      = m_axi_rvalid_i && !r_is_list && !stopping && !m_axi_rresp_i[1];
  assign ev_beat_o      = r_take;

  always_ff @(posedge clk_i) begin
    if (burst_valid && burst_ready && outstanding_q == '0) r_addr_q <= burst_addr;
    else if (r_take && !r_is_list) r_addr_q <= r_addr_q + AddrWidth'(zk_axi_pkg::BEAT_BYTES);
  end

  zk_stream_reg #(
    .Width(128)
  ) u_out (
    .clk_i,
    .rst_ni (rst_ni && !flush),
    .valid_i(reg_valid),
    .ready_o(reg_ready),
    .data_i (m_axi_rdata_i),
    .valid_o,
    .ready_i,
    .data_o
  );

  // The command.
  logic finished, ended;
  assign cmd_ready_o = state_q == Idle && !stop_i;
  assign busy_o      = state_q != Idle;
  assign flush       = stopping;
  assign finished    = state_q == Run && walked_q && quiet && !valid_o && !stop_i;
  assign ended       = stopping && walk_idle && quiet;
  assign done_o      = finished || ended;
  assign err_code_o  = err_code_q;
  assign err_list_o  = err_list_q;
  assign err_addr_o  = err_addr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else begin
      unique case (state_q)
        Idle: if (cmd_valid_i && cmd_ready_o) state_q <= Run;
        Run: begin
          if (bad || walk_err || stop_i) state_q <= Stop;
          else if (finished) state_q <= Idle;
        end
        Stop: if (ended) state_q <= Idle;
        default: state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      walked_q   <= 1'b0;
      err_code_q <= ERR_NONE;
      err_list_q <= 1'b0;
    end else if (state_q == Run) begin
      if (walk_done) walked_q <= 1'b1;
      if (bad) begin
        err_code_q <= zk_axi_pkg::resp_code(m_axi_rresp_i[0]);
        err_addr_q <= r_addr_q;
      end else if (walk_err) begin
        err_code_q <= error_code_e'(walk_code);
        err_list_q <= 1'b1;
        err_addr_q <= walk_addr;
      end
    end
  end

  `ZK_ASSERT_STABLE(ArStable_A, m_axi_arvalid_o, m_axi_arready_i, {m_axi_araddr_o, m_axi_arlen_o})
  `ZK_ASSERT(WalkerIsReady_A, cmd_valid_i && cmd_ready_o |-> walk_ready)
  `ZK_ASSERT(Outstanding_A, outstanding_q <= 4'(MaxOutstanding))
  `ZK_ASSERT(ReadExpected_A, m_axi_rvalid_i |-> outstanding_q != '0 || list_pending_q)
  `ZK_ASSERT(EntryAlone_A, list_pending_q |-> outstanding_q == '0)
  `ZK_ASSERT(EntryIsOneBeat_A, ar_valid_q && ar_list_q |-> ar_len_q == '0)

endmodule
