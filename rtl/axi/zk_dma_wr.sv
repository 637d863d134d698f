`include "zk_assert.svh"

/// Stream to segment list: writes scattered memory through one AXI4 port.
///
/// A command names a segment list and a number of 16-byte beats. A burst is requested only when
/// all its data is in the FIFO and W follows AW, so that a slow producer never blocks the
/// interconnect and an early stop leaves no burst half sent. `done_o` is a pulse when every
/// response has come; `err_*` as in zk_dma_rd. After an error or `stop_i` the FIFO is emptied.
/// List entries are read on the port's read channel.
module zk_dma_wr #(
  parameter int AddrWidth      = 40,
  parameter int BeatsWidth     = 34,
  parameter int MaxOutstanding = 4,   // bursts without a response: power of two, 2 to 8
  parameter int FifoDepth      = 64   // beats: power of two, at least 32
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
  output logic                  ev_beat_o,    // pulse: a beat was written
  // stream
  input  logic                  valid_i,
  output logic                  ready_o,
  input  logic [         127:0] data_i,
  // AXI4 write port, and the read channel for list entries (single beats)
  output logic                  m_axi_awvalid_o,
  input  logic                  m_axi_awready_i,
  output logic [ AddrWidth-1:0] m_axi_awaddr_o,
  output logic [           7:0] m_axi_awlen_o,
  output logic                  m_axi_wvalid_o,
  input  logic                  m_axi_wready_i,
  output logic [         127:0] m_axi_wdata_o,
  output logic                  m_axi_wlast_o,
  input  logic                  m_axi_bvalid_i,
  output logic                  m_axi_bready_o,
  input  logic [           1:0] m_axi_bresp_i,
  output logic                  m_axi_arvalid_o,
  input  logic                  m_axi_arready_i,
  output logic [ AddrWidth-1:0] m_axi_araddr_o,
  input  logic                  m_axi_rvalid_i,
  output logic                  m_axi_rready_o,
  input  logic [         127:0] m_axi_rdata_i,
  input  logic [           1:0] m_axi_rresp_i
);

  import zk_csr_pkg::*;

  if (MaxOutstanding < 2 || MaxOutstanding > 8 || FifoDepth < 32) begin : g_params
    $error("zk_dma_wr: MaxOutstanding must be 2, 4 or 8, FifoDepth at least 32");
  end

  localparam int CountW = $clog2(FifoDepth) + 1;

  typedef enum logic [1:0] {
    Idle,
    Run,
    Stop
  } state_e;

  state_e state_q;
  logic walked_q;
  logic [3:0] outstanding_q;  // bursts requested (or about to be) without a response
  error_code_e err_code_q;
  logic err_list_q;
  logic [AddrWidth-1:0] err_addr_q;

  logic walk_ready, walk_idle, walk_done, walk_err, stopping;
  logic [7:0] walk_code;
  logic [AddrWidth-1:0] walk_addr;
  logic burst_valid, burst_ready, burst_take;
  logic [AddrWidth-1:0] burst_addr;
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
    .ar_valid_o   (m_axi_arvalid_o),
    .ar_ready_i   (m_axi_arready_i),
    .ar_addr_o    (m_axi_araddr_o),
    .r_valid_i    (m_axi_rvalid_i),
    .r_data_i     (m_axi_rdata_i),
    .r_resp_i     (m_axi_rresp_i)
  );
  assign m_axi_rready_o = 1'b1;

  // Data waits here until a burst is whole. Outside a command nothing enters and nothing stays.
  logic fifo_valid, fifo_ready, w_take;
  logic [CountW-1:0] fifo_count, reserved_q, unreserved;

  zk_fifo #(
    .Width(128),
    .Depth(FifoDepth)
  ) u_fifo (
    .clk_i,
    .rst_ni (rst_ni && state_q != Idle),
    .valid_i(valid_i && ready_o),
    .ready_o(fifo_ready),
    .data_i,
    .valid_o(fifo_valid),
    .ready_i(w_take),
    .data_o (m_axi_wdata_o),
    .count_o(fifo_count)
  );
  assign ready_o    = state_q == Run && fifo_ready;
  assign unreserved = fifo_count - reserved_q;

  // Requests.
  logic aw_valid_q, aw_take, len_valid, len_take, len_room, b_take;
  logic [AddrWidth-1:0] aw_addr_q, b_addr;
  logic [3:0] aw_len_q, len;

  assign aw_take    = aw_valid_q && m_axi_awready_i;
  assign burst_ready = !stopping && !aw_valid_q && outstanding_q < 4'(MaxOutstanding) &&
      unreserved >= CountW'(burst_beats);
  assign burst_take = burst_valid && burst_ready;
  assign b_take     = m_axi_bvalid_i && m_axi_bready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_valid_q    <= 1'b0;
      outstanding_q <= '0;
      reserved_q    <= '0;
    end else begin
      if (burst_take) aw_valid_q <= 1'b1;
      else if (aw_take) aw_valid_q <= 1'b0;
      outstanding_q <= outstanding_q + 4'(burst_take) - 4'(b_take);
      reserved_q    <= reserved_q + (burst_take ? CountW'(burst_beats) : '0) - CountW'(w_take);
    end
  end

  always_ff @(posedge clk_i) begin
    if (burst_take) begin
      aw_addr_q <= burst_addr;
      aw_len_q  <= 4'(burst_beats - 1'b1);
    end
  end

  assign m_axi_awvalid_o = aw_valid_q;
  assign m_axi_awaddr_o  = aw_addr_q;
  assign m_axi_awlen_o   = {4'b0, aw_len_q};

  localparam int QueueW = $clog2(MaxOutstanding) + 1;
  logic [QueueW-1:0] len_count, addr_count;

  // Lengths of the bursts whose AW was taken, for W; their addresses, for the responses.
  zk_fifo #(
    .Width(4),
    .Depth(MaxOutstanding)
  ) u_len (
    .clk_i,
    .rst_ni,
    .valid_i(aw_take),
    .ready_o(len_room),
    .data_i (aw_len_q),
    .valid_o(len_valid),
    .ready_i(len_take),
    .data_o (len),
    .count_o(len_count)
  );

  logic b_known, b_room;
  zk_fifo #(
    .Width(AddrWidth),
    .Depth(MaxOutstanding)
  ) u_addr (
    .clk_i,
    .rst_ni,
    .valid_i(aw_take),
    .ready_o(b_room),
    .data_i (aw_addr_q),
    .valid_o(b_known),
    .ready_i(b_take),
    .data_o (b_addr),
    .count_o(addr_count)
  );
  assign m_axi_bready_o = 1'b1;

  // W: the next length is loaded with the last beat, so bursts follow without a gap.
  logic w_active_q, w_last;
  logic [3:0] w_left_q;

  assign m_axi_wvalid_o = w_active_q;
  assign m_axi_wlast_o  = w_left_q == '0;
  assign w_take         = m_axi_wvalid_o && m_axi_wready_i;
  assign w_last         = w_take && m_axi_wlast_o;
  assign len_take       = len_valid && (!w_active_q || w_last);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) w_active_q <= 1'b0;
    else if (len_take) w_active_q <= 1'b1;
    else if (w_last) w_active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (len_take) w_left_q <= len;
    else if (w_take) w_left_q <= w_left_q - 1'b1;
  end

  assign ev_beat_o = w_take;

  // The command.
  logic bad, finished, ended;
  assign bad         = b_take && m_axi_bresp_i[1];
  assign cmd_ready_o = state_q == Idle && !stop_i;
  assign busy_o      = state_q != Idle;
  assign finished    = state_q == Run && walked_q && outstanding_q == '0 && !stop_i;
  assign ended       = stopping && walk_idle && outstanding_q == '0;
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
        err_code_q <= zk_axi_pkg::resp_code(m_axi_bresp_i[0]);
        err_addr_q <= b_addr;
      end else if (walk_err) begin
        err_code_q <= error_code_e'(walk_code);
        err_list_q <= 1'b1;
        err_addr_q <= walk_addr;
      end
    end
  end

  `ZK_ASSERT_STABLE(AwStable_A, m_axi_awvalid_o, m_axi_awready_i, {m_axi_awaddr_o, m_axi_awlen_o})
  `ZK_ASSERT_STABLE(WStable_A, m_axi_wvalid_o, m_axi_wready_i, {m_axi_wdata_o, m_axi_wlast_o})
  `ZK_ASSERT_STABLE(ArStable_A, m_axi_arvalid_o, m_axi_arready_i, m_axi_araddr_o)
  `ZK_ASSERT(WHasData_A, w_active_q |-> fifo_valid)
  `ZK_ASSERT(Reserved_A, reserved_q <= fifo_count)
  `ZK_ASSERT(WalkerIsReady_A, cmd_valid_i && cmd_ready_o |-> walk_ready)
  `ZK_ASSERT(QueueCounts_A, len_count <= addr_count)
  `ZK_ASSERT(Outstanding_A, outstanding_q <= 4'(MaxOutstanding))
  `ZK_ASSERT(ResponseExpected_A, m_axi_bvalid_i |-> outstanding_q != '0 && b_known)
  `ZK_ASSERT(QueuesHaveRoom_A, aw_take |-> len_room && b_room)

endmodule
