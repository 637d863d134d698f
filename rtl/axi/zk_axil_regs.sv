`include "zk_assert.svh"

/// The engine page: AXI4-Lite slave, registers and interrupt.
///
/// One write and one read at a time, each answered OKAY: unknown offsets read as zero and ignore
/// writes, because an error response would stop the CPU. Byte strobes are honoured. The layout
/// is zk_csr_pkg (host/csr/registers.toml).
/// Ring registers are writable only while the engine is disabled and idle (the tail always);
/// writing RING_ENTRIES sets head and tail to zero (`head_clear_o`).
module zk_axil_regs #(
  parameter logic [31:0] BuildHash = 32'h0,
  parameter logic [31:0] Caps0     = 32'h0,
  parameter logic [31:0] Caps1     = 32'h0,
  parameter logic [31:0] Caps2     = 32'h0,
  parameter logic [31:0] Caps3     = 32'h0,
  parameter int          RingWidth = 16,     // a ring has at most 2^RingWidth entries
  parameter int          AddrWidth = 40      // bits of a bus address
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,              // synchronous, active low
  // AXI4-Lite slave
  input  logic                 s_axil_awvalid_i,
  output logic                 s_axil_awready_o,
  input  logic [         15:0] s_axil_awaddr_i,
  input  logic                 s_axil_wvalid_i,
  output logic                 s_axil_wready_o,
  input  logic [         31:0] s_axil_wdata_i,
  input  logic [          3:0] s_axil_wstrb_i,
  output logic                 s_axil_bvalid_o,
  input  logic                 s_axil_bready_i,
  output logic [          1:0] s_axil_bresp_o,
  input  logic                 s_axil_arvalid_i,
  output logic                 s_axil_arready_o,
  input  logic [         15:0] s_axil_araddr_i,
  output logic                 s_axil_rvalid_o,
  input  logic                 s_axil_rready_i,
  output logic [         31:0] s_axil_rdata_o,
  output logic [          1:0] s_axil_rresp_o,
  output logic                 irq_o,               // level
  // to the job control
  output logic                 enable_o,
  output logic                 abort_o,             // pulse
  output logic                 reset_o,             // pulse
  output logic [         63:0] ring_addr_o,
  output logic [  RingWidth:0] ring_entries_o,
  output logic [  RingWidth:0] ring_tail_o,         // top bit: it was beyond any ring
  output logic                 head_clear_o,        // pulse
  output logic                 latch_o,             // pulse
  // from the job control
  input  logic                 soft_reset_i,        // pulse: forget everything
  input  logic                 busy_i,
  input  logic                 resetting_i,
  input  logic                 stopping_i,
  input  logic                 core_busy_i,
  input  logic [          7:0] window_i,
  input  logic [RingWidth-1:0] ring_head_i,
  input  logic                 irq_done_i,          // pulses
  input  logic                 irq_error_i,
  input  logic                 irq_ring_i,          // also clears ENABLE
  input  logic                 err_valid_i,         // pulse: ERR and its details follow
  input  logic [         31:0] err_word_i,
  input  logic [AddrWidth-1:0] err_addr_i,
  input  logic [         63:0] err_cookie_i,
  input  logic [         63:0] cycles_i,
  input  logic [         63:0] additions_i,
  input  logic [         63:0] loads_i,
  input  logic [         63:0] stalls_i,
  input  logic [         63:0] bytes_read_i,
  input  logic [         63:0] bytes_written_i
);

  import zk_csr_pkg::*;

  // Accesses are words: the two lowest address bits do not count.
  logic unused_addr;
  assign unused_addr = ^{s_axil_awaddr_i[1:0], s_axil_araddr_i[1:0]};

  // ---- write channel: AW and W are kept apart, they may come in any order
  logic aw_held_q, w_held_q, b_valid_q, write;
  logic [15:2] aw_addr_q;
  logic [31:0] w_data_q, w_mask_q;

  assign s_axil_awready_o = !aw_held_q;
  assign s_axil_wready_o  = !w_held_q;
  assign s_axil_bvalid_o  = b_valid_q;
  assign s_axil_bresp_o   = 2'b00;
  assign write            = aw_held_q && w_held_q && !b_valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      b_valid_q <= 1'b0;
    end else begin
      if (s_axil_awvalid_i && s_axil_awready_o) aw_held_q <= 1'b1;
      else if (write) aw_held_q <= 1'b0;
      if (s_axil_wvalid_i && s_axil_wready_o) w_held_q <= 1'b1;
      else if (write) w_held_q <= 1'b0;
      if (write) b_valid_q <= 1'b1;
      else if (s_axil_bready_i) b_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_axil_awvalid_i && s_axil_awready_o) aw_addr_q <= s_axil_awaddr_i[15:2];
    if (s_axil_wvalid_i && s_axil_wready_o) begin
      w_data_q <= s_axil_wdata_i;
      for (int i = 0; i < 4; i++) w_mask_q[8*i+:8] <= {8{s_axil_wstrb_i[i]}};
    end
  end

  function automatic logic [31:0] merge(input logic [31:0] old, input logic [31:0] data,
                                        input logic [31:0] mask);
    return (old & ~mask) | (data & mask);
  endfunction

  // Bits set by this write, for w1c and actions.
  logic [31:0] ones;
  logic [11:0] w_reg;
  logic w_page;
  assign ones   = w_data_q & w_mask_q;
  assign w_reg  = {aw_addr_q[11:2], 2'b00};
  assign w_page = write && aw_addr_q[15:12] == '0;

  // ---- registers
  logic enable_q, abort_q, reset_q, head_clear_q, latch_q;
  logic [31:0] scratch_q, err_q;
  logic [2:0] irq_status_q, irq_enable_q, irq_set;
  logic [63:0] ring_addr_q, err_cookie_q;
  logic [RingWidth:0] ring_entries_q, ring_tail_q;
  logic [AddrWidth-1:0] err_addr_q;
  logic irq_q, locked;

  assign irq_set = {irq_ring_i, irq_error_i, irq_done_i};
  assign locked  = enable_q || busy_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || soft_reset_i) begin
      enable_q       <= 1'b0;
      abort_q        <= 1'b0;
      reset_q        <= 1'b0;
      head_clear_q   <= 1'b0;
      latch_q        <= 1'b0;
      scratch_q      <= '0;
      irq_status_q   <= '0;
      irq_enable_q   <= '0;
      irq_q          <= 1'b0;
      ring_addr_q    <= '0;
      ring_entries_q <= '0;
      ring_tail_q    <= '0;
      err_q          <= '0;
      err_addr_q     <= '0;
      err_cookie_q   <= '0;
    end else begin
      abort_q      <= 1'b0;
      reset_q      <= 1'b0;
      head_clear_q <= 1'b0;
      latch_q      <= 1'b0;
      irq_q        <= |(irq_status_q & irq_enable_q);
      irq_status_q <= irq_status_q | irq_set;
      if (w_page) begin
        unique case (w_reg)
          REG_SCRATCH: scratch_q <= merge(scratch_q, w_data_q, w_mask_q);
          REG_CTRL: begin
            if (w_mask_q[CTRL_ENABLE_LSB]) enable_q <= w_data_q[CTRL_ENABLE_LSB];
            abort_q <= ones[CTRL_ABORT_LSB];
            reset_q <= ones[CTRL_RESET_LSB];
          end
          // An event in the cycle of its clearing is kept.
          REG_IRQ_STATUS: irq_status_q <= (irq_status_q & ~ones[2:0]) | irq_set;
          REG_IRQ_ENABLE: begin
            irq_enable_q <= (irq_enable_q & ~w_mask_q[2:0]) | ones[2:0];
          end
          REG_RING_LO: begin
            if (!locked) ring_addr_q[31:0] <= merge(ring_addr_q[31:0], w_data_q, w_mask_q);
          end
          REG_RING_HI: begin
            if (!locked) ring_addr_q[63:32] <= merge(ring_addr_q[63:32], w_data_q, w_mask_q);
          end
          REG_RING_ENTRIES: begin
            if (!locked) begin
              // What does not fit becomes zero, which the job control refuses.
              ring_entries_q <= (ones > 32'(1 << RingWidth)) ? '0 : ones[RingWidth:0];
              ring_tail_q    <= '0;
              head_clear_q   <= 1'b1;
            end
          end
          REG_RING_TAIL: begin
            // An impossible tail stays impossible: no ring has 2^(RingWidth+1) entries.
            ring_tail_q <= (ones[31:RingWidth] != '0) ? '1 : ones[RingWidth:0];
          end
          REG_ERR: begin
            err_q        <= '0;
            err_addr_q   <= '0;
            err_cookie_q <= '0;
          end
          REG_COUNTER_CTRL: latch_q <= ones[COUNTER_CTRL_LATCH_LSB];
          default: ;
        endcase
      end
      if (irq_ring_i) enable_q <= 1'b0;
      if (err_valid_i) begin
        err_q        <= err_word_i;
        err_addr_q   <= err_addr_i;
        err_cookie_q <= err_cookie_i;
      end
    end
  end

  assign irq_o          = irq_q;
  assign enable_o       = enable_q;
  assign abort_o        = abort_q;
  assign reset_o        = reset_q;
  assign ring_addr_o    = ring_addr_q;
  assign ring_entries_o = ring_entries_q;
  assign ring_tail_o    = ring_tail_q;
  assign head_clear_o   = head_clear_q;
  assign latch_o        = latch_q;

  // ---- read channel
  logic ar_held_q, r_valid_q;
  logic [15:2] ar_addr_q;
  logic [31:0] r_data_q, r_data_d;

  assign s_axil_arready_o = !ar_held_q && !r_valid_q;
  assign s_axil_rvalid_o  = r_valid_q;
  assign s_axil_rdata_o   = r_data_q;
  assign s_axil_rresp_o   = 2'b00;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      ar_held_q <= s_axil_arvalid_i && s_axil_arready_o;
      if (ar_held_q) r_valid_q <= 1'b1;
      else if (s_axil_rready_i) r_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_axil_arvalid_i && s_axil_arready_o) ar_addr_q <= s_axil_araddr_i[15:2];
    if (ar_held_q) r_data_q <= r_data_d;
  end

  logic [31:0] status;
  always_comb begin
    status = '0;
    status[STATUS_BUSY_LSB] = busy_i;
    status[STATUS_RESETTING_LSB] = resetting_i;
    status[STATUS_STOPPING_LSB] = stopping_i;
    status[STATUS_CORE_BUSY_LSB] = core_busy_i;
    status[STATUS_WINDOW_LSB+:STATUS_WINDOW_WIDTH] = window_i;
  end

  always_comb begin
    r_data_d = '0;
    if (ar_addr_q[15:12] == '0) begin
      unique case ({
        ar_addr_q[11:2], 2'b00
      })
        REG_ID: r_data_d = ID_VALUE;
        REG_VERSION: r_data_d = {VERSION_MAJOR, VERSION_MINOR};
        REG_BUILD_HASH: r_data_d = BuildHash;
        REG_SCRATCH: r_data_d = scratch_q;
        REG_CAPS0: r_data_d = Caps0;
        REG_CAPS1: r_data_d = Caps1;
        REG_CAPS2: r_data_d = Caps2;
        REG_CAPS3: r_data_d = Caps3;
        REG_CTRL: r_data_d[CTRL_ENABLE_LSB] = enable_q;
        REG_STATUS: r_data_d = status;
        REG_IRQ_STATUS: r_data_d = 32'(irq_status_q);
        REG_IRQ_ENABLE: r_data_d = 32'(irq_enable_q);
        REG_RING_LO: r_data_d = ring_addr_q[31:0];
        REG_RING_HI: r_data_d = ring_addr_q[63:32];
        REG_RING_ENTRIES: r_data_d = 32'(ring_entries_q);
        REG_RING_TAIL: r_data_d = 32'(ring_tail_q);
        REG_RING_HEAD: r_data_d = 32'(ring_head_i);
        REG_ERR: r_data_d = err_q;
        REG_ERR_ADDR_LO: r_data_d = err_addr_q[31:0];
        REG_ERR_ADDR_HI: r_data_d = 32'(err_addr_q[AddrWidth-1:32]);
        REG_ERR_COOKIE_LO: r_data_d = err_cookie_q[31:0];
        REG_ERR_COOKIE_HI: r_data_d = err_cookie_q[63:32];
        REG_CYCLES_LO: r_data_d = cycles_i[31:0];
        REG_CYCLES_HI: r_data_d = cycles_i[63:32];
        REG_ADDITIONS_LO: r_data_d = additions_i[31:0];
        REG_ADDITIONS_HI: r_data_d = additions_i[63:32];
        REG_LOADS_LO: r_data_d = loads_i[31:0];
        REG_LOADS_HI: r_data_d = loads_i[63:32];
        REG_STALLS_LO: r_data_d = stalls_i[31:0];
        REG_STALLS_HI: r_data_d = stalls_i[63:32];
        REG_BYTES_READ_LO: r_data_d = bytes_read_i[31:0];
        REG_BYTES_READ_HI: r_data_d = bytes_read_i[63:32];
        REG_BYTES_WRITTEN_LO: r_data_d = bytes_written_i[31:0];
        REG_BYTES_WRITTEN_HI: r_data_d = bytes_written_i[63:32];
        default: r_data_d = '0;
      endcase
    end
  end

  `ZK_ASSERT_STABLE(BStable_A, s_axil_bvalid_o, s_axil_bready_i, s_axil_bresp_o)
  `ZK_ASSERT_STABLE(RStable_A, s_axil_rvalid_o, s_axil_rready_i, {s_axil_rdata_o, s_axil_rresp_o})
  `ZK_ASSERT(IrqIsLevel_A, irq_o |-> $past(|(irq_status_q & irq_enable_q)))

endmodule
