`include "zk_assert.svh"

/// Runs the job ring: fetches a job, drives core and DMA batch by batch, writes the status.
///
/// A job's windows are done NumLanes at a time; every batch reads all points and scalars again,
/// the result list goes on through all batches. On an error or abort the core is held in reset
/// while the three DMA blocks end their outstanding transfers; then the status is written as after
/// success, and the next job starts clean. A reset request ends the same way, but without a
/// status: everything behind the register page is forgotten.
/// The ring port (`m_axi_*`) is used only while no result transfer runs (`port_o`), so that it
/// shares a master with zk_dma_wr by a plain multiplexer.
module zk_job_ctrl #(
  parameter int NumLanes   = 8,
  parameter int WindowBits = 11,
  parameter int NumWindows = 24,
  parameter int CountWidth = 28,  // a job has n < 2^CountWidth; at most 32
  parameter int RingWidth  = 16,
  parameter int AddrWidth  = 40,
  parameter int BeatsWidth = 34   // beats of a DMA command, at least CountWidth + 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,             // synchronous, active low
  // registers
  input  logic                  enable_i,
  input  logic                  abort_i,
  input  logic                  reset_i,
  input  logic [          63:0] ring_addr_i,
  input  logic [   RingWidth:0] ring_entries_i,
  input  logic [   RingWidth:0] ring_tail_i,
  input  logic                  head_clear_i,
  output logic                  soft_reset_o,
  output logic                  busy_o,
  output logic                  resetting_o,
  output logic                  stopping_o,
  output logic [           7:0] window_o,
  output logic [ RingWidth-1:0] ring_head_o,
  output logic                  irq_done_o,
  output logic                  irq_error_o,
  output logic                  irq_ring_o,
  output logic                  err_valid_o,
  output logic [          31:0] err_word_o,
  output logic [ AddrWidth-1:0] err_addr_o,
  output logic [          63:0] err_cookie_o,
  // counters
  output logic                  count_clear_o,
  output logic                  count_run_o,
  output logic                  count_latch_o,
  // core
  output logic                  core_rst_no,
  output logic                  core_start_valid_o,
  input  logic                  core_start_ready_i,
  output logic [          31:0] core_start_n_o,
  output logic [           7:0] core_start_window_o,
  output logic [           3:0] core_start_num_windows_o,
  input  logic                  core_done_i,
  // DMA: 0 points, 1 scalars, 2 result
  output logic [           2:0] dma_cmd_valid_o,
  input  logic [           2:0] dma_cmd_ready_i,
  output logic [     2:0][63:0] dma_list_o,
  output logic [2:0][BeatsWidth-1:0] dma_beats_o,
  output logic                  dma_stop_o,
  input  logic [           2:0] dma_busy_i,
  input  logic [           2:0] dma_done_i,
  input  logic [      2:0][7:0] dma_err_code_i,
  input  logic [           2:0] dma_err_list_i,
  input  logic [2:0][AddrWidth-1:0] dma_err_addr_i,
  // ring port
  output logic                  port_o,
  output logic                  m_axi_arvalid_o,
  input  logic                  m_axi_arready_i,
  output logic [ AddrWidth-1:0] m_axi_araddr_o,
  output logic [           7:0] m_axi_arlen_o,
  input  logic                  m_axi_rvalid_i,
  output logic                  m_axi_rready_o,
  input  logic [         127:0] m_axi_rdata_i,
  input  logic [           1:0] m_axi_rresp_i,
  input  logic                  m_axi_rlast_i,
  output logic                  m_axi_awvalid_o,
  input  logic                  m_axi_awready_i,
  output logic [ AddrWidth-1:0] m_axi_awaddr_o,
  output logic                  m_axi_wvalid_o,
  input  logic                  m_axi_wready_i,
  output logic [         127:0] m_axi_wdata_o,
  input  logic                  m_axi_bvalid_i,
  output logic                  m_axi_bready_o,
  input  logic [           1:0] m_axi_bresp_i
);

  import zk_csr_pkg::*;

  if (NumLanes < 1 || NumLanes > 15) begin : g_lanes
    $error("zk_job_ctrl: NumLanes must be 1 to 15");
  end
  if (CountWidth > 32 || BeatsWidth < CountWidth + 2 || BeatsWidth < WindowBits + 11) begin : g_n
    $error("zk_job_ctrl: BeatsWidth too small, or CountWidth above 32");
  end

  typedef enum logic [3:0] {
    Idle,
    RingCheck,
    FetchAddr,
    FetchData,
    JobCheck,
    Batch,
    Run,
    Drain,
    Halt,
    StatusAddr,
    StatusData,
    StatusReply,
    Finish,
    Forget
  } state_e;

  state_e state_q, state_d;

  // ---- ring
  logic [RingWidth-1:0] head_q;
  logic [RingWidth:0] head_next;
  logic [AddrWidth-1:0] slot;
  logic ring_ok, reset_q, abort_q;

  assign head_next = (RingWidth + 1)'(head_q) + 1'b1;
  assign slot      = ring_addr_i[AddrWidth-1:0] + AddrWidth'({head_q, 6'b0});
  // The ring must not wrap around the address space either.
  logic [AddrWidth:0] ring_end;
  assign ring_end = {1'b0, ring_addr_i[AddrWidth-1:0]} + (AddrWidth + 1)'({ring_entries_i, 6'b0});
  assign ring_ok  = ring_addr_i[5:0] == '0 && ring_addr_i[63:AddrWidth] == '0 &&
      ring_entries_i >= (RingWidth + 1)'(2) && ring_tail_i < ring_entries_i &&
      (!ring_end[AddrWidth] || ring_end[AddrWidth-1:0] == '0);

  // ---- job: the first 48 bytes; beat 3 is ours to write
  logic [1:0] beat_q;
  logic [63:0] points_q, scalars_q, result_q, cookie_q, reserved_q;
  logic [31:0] n_q;
  logic [7:0] window_q, windows_left_q;
  logic [15:0] flags_q;
  logic [8:0] last_window;
  error_code_e job_code;

  assign last_window = {1'b0, window_q} + {1'b0, windows_left_q};
  always_comb begin
    job_code = ERR_NONE;
    if (flags_q != '0 || reserved_q != '0) job_code = ERR_JOB_RESERVED;
    else if (windows_left_q == '0 || last_window > 9'(NumWindows)) job_code = ERR_JOB_WINDOWS;
    else if (33'(n_q) >= 33'(1) << CountWidth) job_code = ERR_JOB_COUNT;
  end

  // ---- batch
  logic [3:0] batch;
  logic empty, core_done_q, last_batch;
  logic [2:0] cmd_q;  // commands still to be given
  logic start_q;
  logic [2:0] dma_done_q;
  assign batch      = (windows_left_q > 8'(NumLanes)) ? 4'(NumLanes) : windows_left_q[3:0];
  assign last_batch = windows_left_q <= 8'(NumLanes);
  assign empty      = n_q == '0;

  // Result beats: windows * (2^c - 1) buckets * 6 beats, without a multiplier.
  logic [BeatsWidth-1:0] six;
  assign six = BeatsWidth'({windows_left_q, 2'b0}) + BeatsWidth'({windows_left_q, 1'b0});

  // ---- error: the first one of a job stands
  error_code_e err_code_q, new_code;
  unit_e err_unit_q, new_unit;
  logic [AddrWidth-1:0] err_addr_q, new_addr;
  logic failed, new_err;
  assign failed = err_code_q != ERR_NONE;

  always_comb begin
    new_err  = 1'b0;
    new_code = ERR_NONE;
    new_unit = UNIT_NONE;
    new_addr = '0;
    unique case (state_q)
      RingCheck: begin
        new_err  = !ring_ok;
        new_code = ERR_RING_CONFIG;
        new_unit = UNIT_RING;
        new_addr = ring_addr_i[AddrWidth-1:0];
      end
      FetchData: begin
        new_err  = m_axi_rvalid_i && m_axi_rresp_i[1];
        new_code = zk_axi_pkg::resp_code(m_axi_rresp_i[0]);
        new_unit = UNIT_JOB_FETCH;
        new_addr = slot;
      end
      JobCheck: begin
        new_err  = job_code != ERR_NONE;
        new_code = job_code;
        new_unit = UNIT_JOB_FETCH;
        new_addr = slot;
      end
      Run, Drain: begin
        for (int i = 2; i >= 0; i--) begin
          if (dma_done_i[i] && dma_err_code_i[i] != '0) begin
            new_err  = 1'b1;
            new_code = error_code_e'(dma_err_code_i[i]);
            // Units of the three transfers stand in pairs: list, then data.
            new_unit = unit_e'(8'(UNIT_POINTS_LIST) + 8'(2 * i) + 8'(!dma_err_list_i[i]));
            new_addr = dma_err_addr_i[i];
          end
        end
        if (abort_q && !new_err) begin
          new_err  = 1'b1;
          new_code = ERR_ABORTED;
        end
      end
      StatusReply: begin
        new_err  = m_axi_bvalid_i && m_axi_bresp_i[1];
        new_code = zk_axi_pkg::resp_code(m_axi_bresp_i[0]);
        new_unit = UNIT_STATUS_WRITE;
        new_addr = slot;
      end
      default: ;
    endcase
  end

  logic [31:0] status;
  always_comb begin
    status = '0;
    status[JOB_STATUS_CODE_LSB+:JOB_STATUS_CODE_WIDTH] = err_code_q;
    status[JOB_STATUS_UNIT_LSB+:JOB_STATUS_UNIT_WIDTH] = err_unit_q;
    status[JOB_STATUS_WINDOW_LSB+:JOB_STATUS_WINDOW_WIDTH] = failed ? window_q : '0;
    status[JOB_STATUS_ERROR_LSB] = failed;
    status[JOB_STATUS_DONE_LSB] = 1'b1;
  end

  // ---- the sequence
  logic cmds_given, batch_done, quiet;
  assign cmds_given = cmd_q == '0 && !start_q;
  assign batch_done = cmds_given && core_done_q && dma_done_q[0] && dma_done_q[1];
  assign quiet      = dma_busy_i == '0;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle: begin
        if (reset_q) state_d = Forget;
        else if (enable_i && ring_tail_i != {1'b0, head_q}) state_d = RingCheck;
      end
      RingCheck:  state_d = ring_ok ? FetchAddr : Idle;
      FetchAddr:  if (m_axi_arready_i) state_d = FetchData;
      FetchData: begin
        if (m_axi_rvalid_i && m_axi_rlast_i) begin
          state_d = JobCheck;
          if (failed || new_err) state_d = StatusAddr;
          if (reset_q) state_d = Forget;
        end
      end
      JobCheck:   state_d = new_err ? StatusAddr : Batch;
      Batch:      state_d = Run;
      Run: begin
        if (new_err || reset_q) state_d = Halt;
        else if (batch_done) state_d = last_batch ? Drain : Batch;
      end
      Drain: begin
        if (new_err || reset_q) state_d = Halt;
        else if (dma_done_q[2]) state_d = StatusAddr;
      end
      Halt:       if (quiet) state_d = reset_q ? Forget : StatusAddr;
      StatusAddr: if (m_axi_awready_i) state_d = StatusData;
      StatusData: if (m_axi_wready_i) state_d = StatusReply;
      StatusReply: begin
        if (m_axi_bvalid_i) state_d = reset_q ? Forget : Finish;
      end
      Finish:     state_d = Idle;
      Forget:     state_d = Idle;
      default:    state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= Idle;
      head_q     <= '0;
      reset_q    <= 1'b0;
      abort_q    <= 1'b0;
      cmd_q      <= '0;
      start_q    <= 1'b0;
      err_code_q <= ERR_NONE;
    end else begin
      state_q <= state_d;
      if (reset_i) reset_q <= 1'b1;
      else if (state_q == Forget) reset_q <= 1'b0;
      // An abort belongs to the job in progress; after its status is on the way it is too late.
      if (state_q inside {Idle, StatusAddr, StatusData, StatusReply, Finish, Forget})
        abort_q <= 1'b0;
      else if (abort_i) abort_q <= 1'b1;

      if (head_clear_i || state_q == Forget) head_q <= '0;
      else if (state_q == Finish) begin
        head_q <= (head_next == ring_entries_i) ? '0 : head_next[RingWidth-1:0];
      end

      if (state_q == Batch) begin
        // The result command spans all batches and is given with the first.
        cmd_q[1:0] <= {2{!empty}};
        cmd_q[2]   <= !dma_busy_i[2];
        start_q    <= 1'b1;
      end else if (state_q == Halt) begin
        cmd_q   <= '0;
        start_q <= 1'b0;
      end else begin
        cmd_q <= cmd_q & ~(dma_cmd_valid_o & dma_cmd_ready_i);
        if (core_start_ready_i) start_q <= 1'b0;
      end

      if (state_q inside {Idle, Forget}) err_code_q <= ERR_NONE;
      else if (new_err && !failed) err_code_q <= new_code;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      cookie_q   <= '0;
      window_q   <= '0;
      beat_q     <= '0;
      err_unit_q <= UNIT_NONE;
      err_addr_q <= '0;
    end else if (new_err && !failed) begin
      err_unit_q <= new_unit;
      err_addr_q <= new_addr;
    end
    if (state_q == FetchData && m_axi_rvalid_i) begin
      beat_q <= beat_q + 1'b1;
      unique case (beat_q)
        2'd0: {scalars_q, points_q} <= m_axi_rdata_i;
        2'd1: {flags_q, windows_left_q, window_q, n_q, result_q} <= m_axi_rdata_i;
        2'd2: {reserved_q, cookie_q} <= m_axi_rdata_i;
        default: ;
      endcase
    end
    if (state_q == Run && batch_done && !last_batch && !new_err && !reset_q) begin
      window_q       <= window_q + 8'(NumLanes);
      windows_left_q <= windows_left_q - 8'(NumLanes);
    end
    if (state_q == Batch) begin
      core_done_q     <= 1'b0;
      dma_done_q[1:0] <= {2{empty}};
    end else begin
      if (core_done_i) core_done_q <= 1'b1;
      if (dma_done_i[0]) dma_done_q[0] <= 1'b1;
      if (dma_done_i[1]) dma_done_q[1] <= 1'b1;
    end
    if (state_q == JobCheck) dma_done_q[2] <= 1'b0;
    else if (dma_done_i[2]) dma_done_q[2] <= 1'b1;
  end

  // ---- outputs
  assign busy_o       = state_q != Idle;
  assign resetting_o  = reset_q;
  assign stopping_o   = state_q == Halt;
  assign window_o     = window_q;
  assign ring_head_o  = head_q;
  assign soft_reset_o = state_q == Forget;

  assign irq_done_o   = state_q == Finish;
  assign irq_error_o  = state_q == Finish && failed;
  assign irq_ring_o   = state_q == RingCheck && !ring_ok;
  // A ring error has no job, so it is reported at once; any other when its job ends.
  assign err_valid_o  = irq_ring_o || irq_error_o;
  assign err_addr_o   = irq_ring_o ? new_addr : err_addr_q;
  // A job that could not be read has no cookie to tell.
  logic unread;
  assign unread = err_unit_q == UNIT_JOB_FETCH && err_code_q inside {ERR_BUS_SLAVE, ERR_BUS_DECODE};
  assign err_cookie_o = (irq_ring_o || unread) ? '0 : cookie_q;
  always_comb begin
    err_word_o = status;
    err_word_o[JOB_STATUS_DONE_LSB] = 1'b0;
    if (irq_ring_o) begin
      err_word_o = '0;
      err_word_o[JOB_STATUS_CODE_LSB+:JOB_STATUS_CODE_WIDTH] = ERR_RING_CONFIG;
      err_word_o[JOB_STATUS_UNIT_LSB+:JOB_STATUS_UNIT_WIDTH] = UNIT_RING;
      err_word_o[JOB_STATUS_ERROR_LSB] = 1'b1;
    end
  end

  assign count_clear_o = state_q == RingCheck;
  assign count_run_o   = state_q inside {FetchAddr, FetchData, JobCheck, Batch, Run, Drain, Halt};
  // One cycle after the last counted one: events are counted a cycle late.
  assign count_latch_o = state_q == StatusReply && m_axi_bvalid_i;

  // The core is reset together with its streams: with a failed job and with everything.
  assign core_rst_no = rst_ni && state_q != Halt && state_q != Forget;
  assign core_start_valid_o = start_q && state_q == Run;
  assign core_start_n_o = n_q;
  assign core_start_window_o = window_q;
  assign core_start_num_windows_o = batch;

  // Readers wait for the core's start, so that no beat meets a core that is not listening.
  assign dma_cmd_valid_o[0] = cmd_q[0] && state_q == Run && !start_q;
  assign dma_cmd_valid_o[1] = cmd_q[1] && state_q == Run && !start_q;
  assign dma_cmd_valid_o[2] = cmd_q[2] && state_q == Run;
  assign dma_list_o = {result_q, scalars_q, points_q};
  assign dma_beats_o[0] = BeatsWidth'({n_q, 2'b0});
  assign dma_beats_o[1] = BeatsWidth'({n_q, 1'b0});
  assign dma_beats_o[2] = (six << WindowBits) - six;
  assign dma_stop_o = state_q == Halt;

  assign port_o = !(state_q inside {Batch, Run, Drain, Halt});
  assign m_axi_arvalid_o = state_q == FetchAddr;
  assign m_axi_araddr_o = slot;
  assign m_axi_arlen_o = 8'd3;
  assign m_axi_rready_o = 1'b1;
  assign m_axi_awvalid_o = state_q == StatusAddr;
  assign m_axi_awaddr_o = slot + AddrWidth'(48);
  assign m_axi_wvalid_o = state_q == StatusData;
  assign m_axi_wdata_o = {32'b0, status, 64'(err_addr_q)};
  assign m_axi_bready_o = 1'b1;

  `ZK_ASSERT_STABLE(ArStable_A, m_axi_arvalid_o, m_axi_arready_i, m_axi_araddr_o)
  `ZK_ASSERT_STABLE(AwStable_A, m_axi_awvalid_o, m_axi_awready_i, m_axi_awaddr_o)
  `ZK_ASSERT_STABLE(WStable_A, m_axi_wvalid_o, m_axi_wready_i, m_axi_wdata_o)
  `ZK_ASSERT(HeadInRing_A, busy_o && ring_ok |-> (RingWidth + 1)'(head_q) < ring_entries_i)
  `ZK_ASSERT(PortAlone_A, port_o |-> dma_busy_i == '0)

endmodule
