/// Proof bench of zk_axil_regs: AXI4-Lite response rules, read-back, and no lost interrupt.
///
/// A small model beside the block holds what a master may expect: one response for each request,
/// SCRATCH as last written under its strobes, interrupt bits that only a written one clears.
module axil_regs (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        awvalid_i,
  input logic [15:0] awaddr_i,
  input logic        wvalid_i,
  input logic [31:0] wdata_i,
  input logic [ 3:0] wstrb_i,
  input logic        bready_i,
  input logic        arvalid_i,
  input logic [15:0] araddr_i,
  input logic        rready_i,
  input logic        soft_reset_i,
  input logic        busy_i,
  input logic [ 2:0] event_i        // done, error, ring
);
  import zk_csr_pkg::*;

  logic awready, wready, bvalid, arready, rvalid, irq, enable;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;
  zk_axil_regs dut (
    .clk_i,
    .rst_ni,
    .s_axil_awvalid_i(awvalid_i),
    .s_axil_awready_o(awready),
    .s_axil_awaddr_i (awaddr_i),
    .s_axil_wvalid_i (wvalid_i),
    .s_axil_wready_o (wready),
    .s_axil_wdata_i  (wdata_i),
    .s_axil_wstrb_i  (wstrb_i),
    .s_axil_bvalid_o (bvalid),
    .s_axil_bready_i (bready_i),
    .s_axil_bresp_o  (bresp),
    .s_axil_arvalid_i(arvalid_i),
    .s_axil_arready_o(arready),
    .s_axil_araddr_i (araddr_i),
    .s_axil_rvalid_o (rvalid),
    .s_axil_rready_i (rready_i),
    .s_axil_rdata_o  (rdata),
    .s_axil_rresp_o  (rresp),
    .irq_o           (irq),
    .enable_o        (enable),
    .abort_o         (),
    .reset_o         (),
    .ring_addr_o     (),
    .ring_entries_o  (),
    .ring_tail_o     (),
    .head_clear_o    (),
    .latch_o         (),
    .soft_reset_i,
    .busy_i,
    .resetting_i     (1'b0),
    .stopping_i      (1'b0),
    .core_busy_i     (1'b0),
    .window_i        (8'd0),
    .ring_head_i     ('0),
    .irq_done_i      (event_i[0]),
    .irq_error_i     (event_i[1]),
    .irq_ring_i      (event_i[2]),
    .err_valid_i     (1'b0),
    .err_word_i      ('0),
    .err_addr_i      ('0),
    .err_cookie_i    ('0),
    .cycles_i        ('0),
    .additions_i     ('0),
    .loads_i         ('0),
    .stalls_i        ('0),
    .bytes_read_i    ('0),
    .bytes_written_i ('0)
  );

  // ---- the model: requests held, responses owed
  logic aw_held_q, w_held_q, b_owed_q, ar_held_q, r_owed_q;
  logic [15:0] aw_addr_q, ar_addr_q;
  logic [31:0] w_data_q, w_mask_q, scratch_q, expected_q;
  logic [2:0] status_q, enable_q;
  logic irq_q;
  logic write, write_here;
  logic [2:0] ones;
  assign write      = aw_held_q && w_held_q && !b_owed_q;
  assign write_here = write && aw_addr_q[15:12] == '0;
  assign ones       = w_data_q[2:0] & w_mask_q[2:0];

  always_ff @(posedge clk_i) begin
    if (awvalid_i && awready) aw_addr_q <= awaddr_i;
    if (wvalid_i && wready) begin
      w_data_q <= wdata_i;
      w_mask_q <= {{8{wstrb_i[3]}}, {8{wstrb_i[2]}}, {8{wstrb_i[1]}}, {8{wstrb_i[0]}}};
    end
    if (arvalid_i && arready) ar_addr_q <= araddr_i;
    if (ar_held_q) expected_q <= scratch_q;
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      b_owed_q  <= 1'b0;
      ar_held_q <= 1'b0;
      r_owed_q  <= 1'b0;
    end else begin
      aw_held_q <= (awvalid_i && awready) || (aw_held_q && !write);
      w_held_q  <= (wvalid_i && wready) || (w_held_q && !write);
      b_owed_q  <= write || (b_owed_q && !bready_i);
      ar_held_q <= arvalid_i && arready;
      r_owed_q  <= ar_held_q || (r_owed_q && !rready_i);
    end
    if (!rst_ni || soft_reset_i) begin
      scratch_q <= '0;
      status_q  <= '0;
      enable_q  <= '0;
      irq_q     <= 1'b0;
    end else begin
      if (write_here && {aw_addr_q[11:2], 2'b00} == REG_SCRATCH) begin
        scratch_q <= (scratch_q & ~w_mask_q) | (w_data_q & w_mask_q);
      end
      if (write_here && {aw_addr_q[11:2], 2'b00} == REG_IRQ_ENABLE) begin
        enable_q <= (enable_q & ~w_mask_q[2:0]) | ones;
      end
      if (write_here && {aw_addr_q[11:2], 2'b00} == REG_IRQ_STATUS) begin
        status_q <= (status_q & ~ones) | event_i;
      end else begin
        status_q <= status_q | event_i;
      end
      irq_q <= |(status_q & enable_q);
    end
  end

  // ---- history
  logic started_q = 1'b0;
  logic run_q = 1'b0;
  logic bvalid_q, bready_q, rvalid_q, rready_q;
  logic [31:0] rdata_q;
  logic [1:0] bresp_q, rresp_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    run_q     <= rst_ni;
    bvalid_q  <= bvalid;
    bready_q  <= bready_i;
    bresp_q   <= bresp;
    rvalid_q  <= rvalid;
    rready_q  <= rready_i;
    rdata_q   <= rdata;
    rresp_q   <= rresp;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    if (run_q && rst_ni) begin
      // One response for each request, none without, all OKAY.
      assert (bvalid == b_owed_q);
      assert (rvalid == r_owed_q);
      assert (!bvalid || bresp == 2'b00);
      assert (!rvalid || rresp == 2'b00);
      // Requests are taken unless one of the kind is in hand.
      assert (awready == !aw_held_q);
      assert (wready == !w_held_q);
      assert (arready == !(ar_held_q || r_owed_q));
      assert (!(ar_held_q && r_owed_q));
      // A stalled response holds.
      if (bvalid_q && !bready_q) assert (bvalid && bresp == bresp_q);
      if (rvalid_q && !rready_q) assert (rvalid && rdata == rdata_q && rresp == rresp_q);
      // Read-back, and nothing beyond the page.
      if (rvalid && ar_addr_q[15:2] == {4'd0, REG_SCRATCH[11:2]}) assert (rdata == expected_q);
      if (rvalid && ar_addr_q[15:12] != '0) assert (rdata == '0);
      // Interrupts: an event in the very cycle of its clearing stays.
      assert (irq == irq_q);
      assert (dut.irq_status_q == status_q);

      // Where the block keeps the same (for the induction).
      assert (dut.irq_enable_q == enable_q && dut.scratch_q == scratch_q);
      assert (dut.ar_held_q == ar_held_q);
      if (aw_held_q) assert (dut.aw_addr_q == aw_addr_q[15:2]);
      if (w_held_q) assert (dut.w_data_q == w_data_q && dut.w_mask_q == w_mask_q);
      if (ar_held_q) assert (dut.ar_addr_q == ar_addr_q[15:2]);
    end
  end

endmodule
