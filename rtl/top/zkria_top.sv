/// The whole engine: register page, job control, DMA and MSM core.
///
/// s_axil: AXI4-Lite slave, the 4 KiB engine page (zk_csr_pkg). m_axi_pts, m_axi_scl: read-only
/// AXI4 masters for points and scalars; m_axi_res: master for jobs, results and status. 128 bits
/// of data, INCR bursts of at most 16 beats, one ID, whole beats only (WSTRB all ones). irq_o is a
/// level. The parameters are reported in CAPS, and the driver follows CAPS.
module zkria_top #(
  parameter int          NumLanes   = 8,      // adders, windows of one pass: 1 to 15
  parameter int          WindowBits = 11,     // window width c
  parameter int          NumCtx     = 2,      // additions in flight in one lane
  parameter int          Depth      = 256,    // points between dispatcher and slowest lane
  parameter int          CountWidth = 28,     // a job has n < 2^CountWidth
  parameter int          AddrWidth  = 40,     // bits of a bus address
  parameter bit          Coherent   = 1'b0,   // HPC ports (AxCACHE and CAPS follow)
  parameter logic [31:0] BuildHash  = 32'h0
) (
  input logic clk_i,
  input logic rst_ni, // synchronous, active low

  input  logic        s_axil_awvalid_i,
  output logic        s_axil_awready_o,
  input  logic [15:0] s_axil_awaddr_i,
  input  logic        s_axil_wvalid_i,
  output logic        s_axil_wready_o,
  input  logic [31:0] s_axil_wdata_i,
  input  logic [ 3:0] s_axil_wstrb_i,
  output logic        s_axil_bvalid_o,
  input  logic        s_axil_bready_i,
  output logic [ 1:0] s_axil_bresp_o,
  input  logic        s_axil_arvalid_i,
  output logic        s_axil_arready_o,
  input  logic [15:0] s_axil_araddr_i,
  output logic        s_axil_rvalid_o,
  input  logic        s_axil_rready_i,
  output logic [31:0] s_axil_rdata_o,
  output logic [ 1:0] s_axil_rresp_o,

  output logic                 m_axi_pts_arvalid_o,
  input  logic                 m_axi_pts_arready_i,
  output logic [AddrWidth-1:0] m_axi_pts_araddr_o,
  output logic [          7:0] m_axi_pts_arlen_o,
  output logic [          2:0] m_axi_pts_arsize_o,
  output logic [          1:0] m_axi_pts_arburst_o,
  output logic [          3:0] m_axi_pts_arcache_o,
  output logic [          2:0] m_axi_pts_arprot_o,
  input  logic                 m_axi_pts_rvalid_i,
  output logic                 m_axi_pts_rready_o,
  input  logic [        127:0] m_axi_pts_rdata_i,
  input  logic [          1:0] m_axi_pts_rresp_i,
  input  logic                 m_axi_pts_rlast_i,

  output logic                 m_axi_scl_arvalid_o,
  input  logic                 m_axi_scl_arready_i,
  output logic [AddrWidth-1:0] m_axi_scl_araddr_o,
  output logic [          7:0] m_axi_scl_arlen_o,
  output logic [          2:0] m_axi_scl_arsize_o,
  output logic [          1:0] m_axi_scl_arburst_o,
  output logic [          3:0] m_axi_scl_arcache_o,
  output logic [          2:0] m_axi_scl_arprot_o,
  input  logic                 m_axi_scl_rvalid_i,
  output logic                 m_axi_scl_rready_o,
  input  logic [        127:0] m_axi_scl_rdata_i,
  input  logic [          1:0] m_axi_scl_rresp_i,
  input  logic                 m_axi_scl_rlast_i,

  output logic                 m_axi_res_arvalid_o,
  input  logic                 m_axi_res_arready_i,
  output logic [AddrWidth-1:0] m_axi_res_araddr_o,
  output logic [          7:0] m_axi_res_arlen_o,
  output logic [          2:0] m_axi_res_arsize_o,
  output logic [          1:0] m_axi_res_arburst_o,
  output logic [          3:0] m_axi_res_arcache_o,
  output logic [          2:0] m_axi_res_arprot_o,
  input  logic                 m_axi_res_rvalid_i,
  output logic                 m_axi_res_rready_o,
  input  logic [        127:0] m_axi_res_rdata_i,
  input  logic [          1:0] m_axi_res_rresp_i,
  input  logic                 m_axi_res_rlast_i,
  output logic                 m_axi_res_awvalid_o,
  input  logic                 m_axi_res_awready_i,
  output logic [AddrWidth-1:0] m_axi_res_awaddr_o,
  output logic [          7:0] m_axi_res_awlen_o,
  output logic [          2:0] m_axi_res_awsize_o,
  output logic [          1:0] m_axi_res_awburst_o,
  output logic [          3:0] m_axi_res_awcache_o,
  output logic [          2:0] m_axi_res_awprot_o,
  output logic                 m_axi_res_wvalid_o,
  input  logic                 m_axi_res_wready_i,
  output logic [        127:0] m_axi_res_wdata_o,
  output logic [         15:0] m_axi_res_wstrb_o,
  output logic                 m_axi_res_wlast_o,
  input  logic                 m_axi_res_bvalid_i,
  output logic                 m_axi_res_bready_o,
  input  logic [          1:0] m_axi_res_bresp_i,

  output logic irq_o
);

  import zk_csr_pkg::*;

  localparam int NumWindows = (zk_pkg::SCALAR_BITS + WindowBits - 1) / WindowBits;
  localparam int RingWidth = 16;
  localparam int BeatsWidth = (CountWidth + 2 > WindowBits + 11) ? CountWidth + 2 : WindowBits + 11;
  localparam logic [3:0] Cache =
      Coherent ? zk_axi_pkg::CACHE_COHERENT : zk_axi_pkg::CACHE_NONCOHERENT;

  localparam logic [31:0] Caps0 = (32'(PROFILE_COMPACT) << CAPS0_PROFILE_LSB) |
      (32'(NumLanes) << CAPS0_LANES_LSB) | (32'(WindowBits) << CAPS0_WINDOW_BITS_LSB) |
      (32'(NumLanes) << CAPS0_BANKS_LSB);
  localparam logic [31:0] Caps1 = (32'(NumWindows) << CAPS1_WINDOWS_LSB) |
      (32'(zk_pkg::FP_BITS) << CAPS1_LOG2_R_LSB) | (32'(Coherent) << CAPS1_COHERENT_LSB);
  localparam logic [31:0] Caps2 = (32'(AddrWidth) << CAPS2_ADDR_WIDTH_LSB) |
      (32'(CountWidth) << CAPS2_COUNT_WIDTH_LSB) | (32'd32 << CAPS2_SEG_WIDTH_LSB) |
      (32'(RingWidth) << CAPS2_RING_WIDTH_LSB);

  // ---- register page
  logic enable, abort, soft_reset_request, head_clear, latch, soft_reset;
  logic [63:0] ring_addr;
  logic [RingWidth:0] ring_entries, ring_tail;
  logic [RingWidth-1:0] ring_head;
  logic busy, resetting, stopping, core_busy;
  logic [7:0] window;
  logic irq_done, irq_error, irq_ring, err_valid;
  logic [31:0] err_word;
  logic [AddrWidth-1:0] err_addr;
  logic [63:0] err_cookie;
  logic [63:0] cycles, additions, loads, stalls, bytes_read, bytes_written;

  zk_axil_regs #(
    .BuildHash(BuildHash),
    .Caps0    (Caps0),
    .Caps1    (Caps1),
    .Caps2    (Caps2),
    .Caps3    (32'h0),
    .RingWidth(RingWidth),
    .AddrWidth(AddrWidth)
  ) u_regs (
    .clk_i,
    .rst_ni,
    .s_axil_awvalid_i,
    .s_axil_awready_o,
    .s_axil_awaddr_i,
    .s_axil_wvalid_i,
    .s_axil_wready_o,
    .s_axil_wdata_i,
    .s_axil_wstrb_i,
    .s_axil_bvalid_o,
    .s_axil_bready_i,
    .s_axil_bresp_o,
    .s_axil_arvalid_i,
    .s_axil_arready_o,
    .s_axil_araddr_i,
    .s_axil_rvalid_o,
    .s_axil_rready_i,
    .s_axil_rdata_o,
    .s_axil_rresp_o,
    .irq_o,
    .enable_o       (enable),
    .abort_o        (abort),
    .reset_o        (soft_reset_request),
    .ring_addr_o    (ring_addr),
    .ring_entries_o (ring_entries),
    .ring_tail_o    (ring_tail),
    .head_clear_o   (head_clear),
    .latch_o        (latch),
    .soft_reset_i   (soft_reset),
    .busy_i         (busy),
    .resetting_i    (resetting),
    .stopping_i     (stopping),
    .core_busy_i    (core_busy),
    .window_i       (window),
    .ring_head_i    (ring_head),
    .irq_done_i     (irq_done),
    .irq_error_i    (irq_error),
    .irq_ring_i     (irq_ring),
    .err_valid_i    (err_valid),
    .err_word_i     (err_word),
    .err_addr_i     (err_addr),
    .err_cookie_i   (err_cookie),
    .cycles_i       (cycles),
    .additions_i    (additions),
    .loads_i        (loads),
    .stalls_i       (stalls),
    .bytes_read_i   (bytes_read),
    .bytes_written_i(bytes_written)
  );

  // ---- job control
  logic count_clear, count_run, count_latch;
  logic core_rst_n, core_start_valid, core_start_ready, core_done;
  logic [31:0] core_start_n;
  logic [7:0] core_start_window;
  logic [3:0] core_start_num_windows;
  logic [2:0] dma_cmd_valid, dma_cmd_ready, dma_busy, dma_done, dma_err_list;
  logic [2:0][63:0] dma_list;
  logic [2:0][BeatsWidth-1:0] dma_beats;
  logic dma_stop;
  logic [2:0][7:0] dma_err_code;
  logic [2:0][AddrWidth-1:0] dma_err_addr;

  // The result master: job control (ring) or result writer (dma), never both.
  logic port;
  logic ring_arvalid, ring_rready, ring_awvalid, ring_wvalid, ring_bready;
  logic [AddrWidth-1:0] ring_araddr, ring_awaddr;
  logic [7:0] ring_arlen;
  logic [127:0] ring_wdata;
  logic wr_arvalid, wr_rready, wr_awvalid, wr_wvalid, wr_wlast, wr_bready;
  logic [AddrWidth-1:0] wr_araddr, wr_awaddr;
  logic [7:0] wr_awlen;
  logic [127:0] wr_wdata;

  zk_job_ctrl #(
    .NumLanes  (NumLanes),
    .WindowBits(WindowBits),
    .NumWindows(NumWindows),
    .CountWidth(CountWidth),
    .RingWidth (RingWidth),
    .AddrWidth (AddrWidth),
    .BeatsWidth(BeatsWidth)
  ) u_job_ctrl (
    .clk_i,
    .rst_ni,
    .enable_i                (enable),
    .abort_i                 (abort),
    .reset_i                 (soft_reset_request),
    .ring_addr_i             (ring_addr),
    .ring_entries_i          (ring_entries),
    .ring_tail_i             (ring_tail),
    .head_clear_i            (head_clear),
    .soft_reset_o            (soft_reset),
    .busy_o                  (busy),
    .resetting_o             (resetting),
    .stopping_o              (stopping),
    .window_o                (window),
    .ring_head_o             (ring_head),
    .irq_done_o              (irq_done),
    .irq_error_o             (irq_error),
    .irq_ring_o              (irq_ring),
    .err_valid_o             (err_valid),
    .err_word_o              (err_word),
    .err_addr_o              (err_addr),
    .err_cookie_o            (err_cookie),
    .count_clear_o           (count_clear),
    .count_run_o             (count_run),
    .count_latch_o           (count_latch),
    .core_rst_no             (core_rst_n),
    .core_start_valid_o      (core_start_valid),
    .core_start_ready_i      (core_start_ready),
    .core_start_n_o          (core_start_n),
    .core_start_window_o     (core_start_window),
    .core_start_num_windows_o(core_start_num_windows),
    .core_done_i             (core_done),
    .dma_cmd_valid_o         (dma_cmd_valid),
    .dma_cmd_ready_i         (dma_cmd_ready),
    .dma_list_o              (dma_list),
    .dma_beats_o             (dma_beats),
    .dma_stop_o              (dma_stop),
    .dma_busy_i              (dma_busy),
    .dma_done_i              (dma_done),
    .dma_err_code_i          (dma_err_code),
    .dma_err_list_i          (dma_err_list),
    .dma_err_addr_i          (dma_err_addr),
    .port_o                  (port),
    .m_axi_arvalid_o         (ring_arvalid),
    .m_axi_arready_i         (port && m_axi_res_arready_i),
    .m_axi_araddr_o          (ring_araddr),
    .m_axi_arlen_o           (ring_arlen),
    .m_axi_rvalid_i          (port && m_axi_res_rvalid_i),
    .m_axi_rready_o          (ring_rready),
    .m_axi_rdata_i           (m_axi_res_rdata_i),
    .m_axi_rresp_i           (m_axi_res_rresp_i),
    .m_axi_rlast_i           (m_axi_res_rlast_i),
    .m_axi_awvalid_o         (ring_awvalid),
    .m_axi_awready_i         (port && m_axi_res_awready_i),
    .m_axi_awaddr_o          (ring_awaddr),
    .m_axi_wvalid_o          (ring_wvalid),
    .m_axi_wready_i          (port && m_axi_res_wready_i),
    .m_axi_wdata_o           (ring_wdata),
    .m_axi_bvalid_i          (port && m_axi_res_bvalid_i),
    .m_axi_bready_o          (ring_bready),
    .m_axi_bresp_i           (m_axi_res_bresp_i)
  );

  // ---- DMA
  logic [2:0] ev_read;
  logic ev_write;
  logic pts_valid, pts_ready, scl_valid, scl_ready, res_valid, res_ready;
  logic [127:0] pts_data, scl_data, res_data;

  zk_dma_rd #(
    .AddrWidth (AddrWidth),
    .BeatsWidth(BeatsWidth)
  ) u_dma_pts (
    .clk_i,
    .rst_ni,
    .cmd_valid_i    (dma_cmd_valid[0]),
    .cmd_ready_o    (dma_cmd_ready[0]),
    .cmd_list_i     (dma_list[0]),
    .cmd_beats_i    (dma_beats[0]),
    .stop_i         (dma_stop),
    .busy_o         (dma_busy[0]),
    .done_o         (dma_done[0]),
    .err_code_o     (dma_err_code[0]),
    .err_list_o     (dma_err_list[0]),
    .err_addr_o     (dma_err_addr[0]),
    .ev_beat_o      (ev_read[0]),
    .valid_o        (pts_valid),
    .ready_i        (pts_ready),
    .data_o         (pts_data),
    .m_axi_arvalid_o(m_axi_pts_arvalid_o),
    .m_axi_arready_i(m_axi_pts_arready_i),
    .m_axi_araddr_o (m_axi_pts_araddr_o),
    .m_axi_arlen_o  (m_axi_pts_arlen_o),
    .m_axi_rvalid_i (m_axi_pts_rvalid_i),
    .m_axi_rready_o (m_axi_pts_rready_o),
    .m_axi_rdata_i  (m_axi_pts_rdata_i),
    .m_axi_rresp_i  (m_axi_pts_rresp_i),
    .m_axi_rlast_i  (m_axi_pts_rlast_i)
  );

  zk_dma_rd #(
    .AddrWidth (AddrWidth),
    .BeatsWidth(BeatsWidth)
  ) u_dma_scl (
    .clk_i,
    .rst_ni,
    .cmd_valid_i    (dma_cmd_valid[1]),
    .cmd_ready_o    (dma_cmd_ready[1]),
    .cmd_list_i     (dma_list[1]),
    .cmd_beats_i    (dma_beats[1]),
    .stop_i         (dma_stop),
    .busy_o         (dma_busy[1]),
    .done_o         (dma_done[1]),
    .err_code_o     (dma_err_code[1]),
    .err_list_o     (dma_err_list[1]),
    .err_addr_o     (dma_err_addr[1]),
    .ev_beat_o      (ev_read[1]),
    .valid_o        (scl_valid),
    .ready_i        (scl_ready),
    .data_o         (scl_data),
    .m_axi_arvalid_o(m_axi_scl_arvalid_o),
    .m_axi_arready_i(m_axi_scl_arready_i),
    .m_axi_araddr_o (m_axi_scl_araddr_o),
    .m_axi_arlen_o  (m_axi_scl_arlen_o),
    .m_axi_rvalid_i (m_axi_scl_rvalid_i),
    .m_axi_rready_o (m_axi_scl_rready_o),
    .m_axi_rdata_i  (m_axi_scl_rdata_i),
    .m_axi_rresp_i  (m_axi_scl_rresp_i),
    .m_axi_rlast_i  (m_axi_scl_rlast_i)
  );

  zk_dma_wr #(
    .AddrWidth (AddrWidth),
    .BeatsWidth(BeatsWidth)
  ) u_dma_res (
    .clk_i,
    .rst_ni,
    .cmd_valid_i    (dma_cmd_valid[2]),
    .cmd_ready_o    (dma_cmd_ready[2]),
    .cmd_list_i     (dma_list[2]),
    .cmd_beats_i    (dma_beats[2]),
    .stop_i         (dma_stop),
    .busy_o         (dma_busy[2]),
    .done_o         (dma_done[2]),
    .err_code_o     (dma_err_code[2]),
    .err_list_o     (dma_err_list[2]),
    .err_addr_o     (dma_err_addr[2]),
    .ev_beat_o      (ev_write),
    .valid_i        (res_valid),
    .ready_o        (res_ready),
    .data_i         (res_data),
    .m_axi_awvalid_o(wr_awvalid),
    .m_axi_awready_i(!port && m_axi_res_awready_i),
    .m_axi_awaddr_o (wr_awaddr),
    .m_axi_awlen_o  (wr_awlen),
    .m_axi_wvalid_o (wr_wvalid),
    .m_axi_wready_i (!port && m_axi_res_wready_i),
    .m_axi_wdata_o  (wr_wdata),
    .m_axi_wlast_o  (wr_wlast),
    .m_axi_bvalid_i (!port && m_axi_res_bvalid_i),
    .m_axi_bready_o (wr_bready),
    .m_axi_bresp_i  (m_axi_res_bresp_i),
    .m_axi_arvalid_o(wr_arvalid),
    .m_axi_arready_i(!port && m_axi_res_arready_i),
    .m_axi_araddr_o (wr_araddr),
    .m_axi_rvalid_i (!port && m_axi_res_rvalid_i),
    .m_axi_rready_o (wr_rready),
    .m_axi_rdata_i  (m_axi_res_rdata_i),
    .m_axi_rresp_i  (m_axi_res_rresp_i)
  );

  assign m_axi_res_arvalid_o = port ? ring_arvalid : wr_arvalid;
  assign m_axi_res_araddr_o  = port ? ring_araddr : wr_araddr;
  assign m_axi_res_arlen_o   = port ? ring_arlen : 8'd0;
  assign m_axi_res_rready_o  = port ? ring_rready : wr_rready;
  assign m_axi_res_awvalid_o = port ? ring_awvalid : wr_awvalid;
  assign m_axi_res_awaddr_o  = port ? ring_awaddr : wr_awaddr;
  assign m_axi_res_awlen_o   = port ? 8'd0 : wr_awlen;
  assign m_axi_res_wvalid_o  = port ? ring_wvalid : wr_wvalid;
  assign m_axi_res_wdata_o   = port ? ring_wdata : wr_wdata;
  assign m_axi_res_wlast_o   = port || wr_wlast;
  assign m_axi_res_wstrb_o   = '1;
  assign m_axi_res_bready_o  = port ? ring_bready : wr_bready;
  assign ev_read[2]          = m_axi_res_rvalid_i && m_axi_res_rready_o;

  assign m_axi_pts_arsize_o  = zk_axi_pkg::SIZE_BEAT;
  assign m_axi_pts_arburst_o = zk_axi_pkg::BURST_INCR;
  assign m_axi_pts_arcache_o = Cache;
  assign m_axi_pts_arprot_o  = zk_axi_pkg::PROT_DATA;
  assign m_axi_scl_arsize_o  = zk_axi_pkg::SIZE_BEAT;
  assign m_axi_scl_arburst_o = zk_axi_pkg::BURST_INCR;
  assign m_axi_scl_arcache_o = Cache;
  assign m_axi_scl_arprot_o  = zk_axi_pkg::PROT_DATA;
  assign m_axi_res_arsize_o  = zk_axi_pkg::SIZE_BEAT;
  assign m_axi_res_arburst_o = zk_axi_pkg::BURST_INCR;
  assign m_axi_res_arcache_o = Cache;
  assign m_axi_res_arprot_o  = zk_axi_pkg::PROT_DATA;
  assign m_axi_res_awsize_o  = zk_axi_pkg::SIZE_BEAT;
  assign m_axi_res_awburst_o = zk_axi_pkg::BURST_INCR;
  assign m_axi_res_awcache_o = Cache;
  assign m_axi_res_awprot_o  = zk_axi_pkg::PROT_DATA;

  // ---- core
  logic [NumLanes-1:0] ev_add, ev_load, ev_stall;
  logic unused_res_last;  // the writer knows its length

  zk_msm_core #(
    .NumLanes  (NumLanes),
    .WindowBits(WindowBits),
    .NumCtx    (NumCtx),
    .Depth     (Depth)
  ) u_core (
    .clk_i,
    .rst_ni             (core_rst_n),
    .start_valid_i      (core_start_valid),
    .start_ready_o      (core_start_ready),
    .start_n_i          (core_start_n),
    .start_window_i     (core_start_window),
    .start_num_windows_i(core_start_num_windows),
    .pts_valid_i        (pts_valid),
    .pts_ready_o        (pts_ready),
    .pts_data_i         (pts_data),
    .scl_valid_i        (scl_valid),
    .scl_ready_o        (scl_ready),
    .scl_data_i         (scl_data),
    .res_valid_o        (res_valid),
    .res_ready_i        (res_ready),
    .res_data_o         (res_data),
    .res_last_o         (unused_res_last),
    .busy_o             (core_busy),
    .done_o             (core_done),
    .ev_add_o           (ev_add),
    .ev_load_o          (ev_load),
    .ev_stall_o         (ev_stall)
  );

  zk_counters #(
    .NumLanes(NumLanes)
  ) u_counters (
    .clk_i,
    .rst_ni         (rst_ni && !soft_reset),
    .clear_i        (count_clear),
    .run_i          (count_run),
    .latch_i        (count_latch || latch),
    .ev_add_i       (ev_add),
    .ev_load_i      (ev_load),
    .ev_stall_i     (ev_stall),
    .ev_read_i      (ev_read),
    .ev_write_i     (ev_write),
    .cycles_o       (cycles),
    .additions_o    (additions),
    .loads_o        (loads),
    .stalls_o       (stalls),
    .bytes_read_o   (bytes_read),
    .bytes_written_o(bytes_written)
  );

endmodule
