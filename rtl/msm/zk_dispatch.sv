`include "zk_assert.svh"

/// Cuts scalars into digits and hands every lane its stream of non-zero digits.
///
/// Points come as four 128-bit beats (x low, x high, y low, y high), scalars as two. Both
/// coordinates go to one RAM of `Depth` points that all lanes share; one digit per lane goes to
/// that lane's FIFO of the same depth. Window `start_window_i + k` belongs to lane k; lanes past
/// `start_num_windows_i`, and every lane for a point at infinity (0, 0), get digit 0.
///
/// A lane sees its next non-zero digit on `tok_*`; zeros are dropped, one a cycle. It reads the
/// coordinates of that token through the one read port of the RAM: `op_req_i` with `op_sel_i`
/// (0 x, 1 y) until `op_gnt_o`, round-robin over lanes; the word is on `op_data_o` in the next
/// cycle, marked by `op_valid_o`. `tok_pop_i` gives the token up. A RAM entry is free once all
/// lanes are past it.
///
/// Four cycles a point at best. Model: hls-model/src/dispatch.rs
module zk_dispatch #(
  parameter int NumLanes   = 8,
  parameter int WindowBits = 11,
  parameter int Depth      = 256  // points, a power of two
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

  output logic [NumLanes-1:0]                 tok_valid_o,
  output logic [NumLanes-1:0][WindowBits-1:0] tok_digit_o,
  input  logic [NumLanes-1:0]                 tok_pop_i,
  input  logic [NumLanes-1:0]                 op_req_i,
  input  logic [NumLanes-1:0]                 op_sel_i,
  output logic [NumLanes-1:0]                 op_gnt_o,
  output logic [NumLanes-1:0]                 op_valid_o,
  output logic [       254:0]                 op_data_o
);

  localparam int PtrW = $clog2(Depth);

  if (Depth < 2 || Depth != (1 << PtrW)) begin : g_depth
    $error("zk_dispatch: Depth must be a power of two, at least 2");
  end
  if (NumLanes < 1 || NumLanes > 15) begin : g_lanes
    $error("zk_dispatch: NumLanes must be 1 to 15");
  end

  // Pointers carry one bit more than an address, so that full and empty differ.
  typedef logic [PtrW:0] ptr_t;

  // ---------------------------------------------------------------- batch

  logic [31:0] pts_left_q, scl_left_q;
  logic [7:0] window_q;
  logic [NumLanes-1:0] lane_on_q;
  logic [NumLanes-1:0] lane_empty;
  logic start, push;

  assign start_ready_o = pts_left_q == '0 && (&lane_empty);
  assign start = start_valid_i && start_ready_o;

  // ---------------------------------------------------------------- scalars

  logic [255:0] scl_q;
  logic scl_half_q, scl_full_q, scl_beat;

  assign scl_ready_o = scl_left_q != '0 && !scl_full_q;
  assign scl_beat = scl_valid_i && scl_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      scl_left_q <= '0;
      scl_half_q <= 1'b0;
      scl_full_q <= 1'b0;
    end else begin
      if (start) scl_left_q <= start_n_i;
      if (scl_beat) begin
        scl_half_q <= !scl_half_q;
        if (scl_half_q) begin
          scl_full_q <= 1'b1;
          scl_left_q <= scl_left_q - 1'b1;
        end
      end
      if (push) scl_full_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (scl_beat) scl_q <= {scl_data_i, scl_q[255:128]};
  end

  // The scalar moves right by whole windows, one stage for each bit of the window number.
  logic [255:0] cut;

  always_comb begin
    cut = scl_q;
    for (int unsigned i = 0; i < 8; i++) begin
      if (window_q[i]) cut = ((WindowBits << i) < 256) ? cut >> (WindowBits << i) : '0;
    end
  end

  // The digits of all lanes; past the top of the scalar they are zero.
  localparam int SpanBits = NumLanes * WindowBits;
  logic [SpanBits-1:0] span;
  assign span = SpanBits'(cut);

  // ---------------------------------------------------------------- points

  // Beat 0 and 2 are the low halves, kept for one beat; beats 1 and 3 write the RAM.
  logic [1:0] beat_q;
  logic [127:0] low_q;
  logic zero_q;  // every beat of this point so far was zero
  logic pts_beat, space_q, infinity;
  ptr_t wr_q;

  // The last beat waits for its scalar. Room is looked at before the first write of a point
  // only, from a register: the last push is at least two cycles old by then.
  assign pts_ready_o = pts_left_q != '0 && (beat_q != 2'd1 || space_q) &&
                       (beat_q != 2'd3 || scl_full_q);
  assign pts_beat = pts_valid_i && pts_ready_o;
  assign push = pts_beat && beat_q == 2'd3;
  assign infinity = zero_q && pts_data_i == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pts_left_q <= '0;
      beat_q     <= '0;
      wr_q       <= '0;
    end else begin
      if (start) pts_left_q <= start_n_i;
      if (pts_beat) beat_q <= beat_q + 1'b1;
      if (push) begin
        wr_q       <= wr_q + 1'b1;
        pts_left_q <= pts_left_q - 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      window_q <= start_window_i;
      for (int unsigned k = 0; k < NumLanes; k++) lane_on_q[k] <= k < 32'(start_num_windows_i);
    end
    if (pts_beat) begin
      low_q  <= pts_data_i;
      zero_q <= (beat_q == 2'd0 || zero_q) && pts_data_i == '0;
    end
  end

  // ---------------------------------------------------------------- lanes

  logic [NumLanes-1:0][PtrW-1:0] tok_idx;
  logic [NumLanes-1:0] lane_full;

  for (genvar k = 0; k < NumLanes; k++) begin : g_lane
    (* ram_style = "distributed" *)
    logic [WindowBits-1:0] digits[Depth];
    logic [WindowBits-1:0] digit_in, digit_out;

    assign digit_in = (lane_on_q[k] && !infinity) ? span[k*WindowBits+:WindowBits] : '0;

    always_ff @(posedge clk_i) begin
      if (push) digits[wr_q[PtrW-1:0]] <= digit_in;
    end

    // rd_q is the next entry to look at; the token register holds the last non-zero one.
    ptr_t rd_q, idx_q;
    logic valid_q, look;
    logic [WindowBits-1:0] digit_q;

    assign digit_out = digits[rd_q[PtrW-1:0]];
    assign look = (!valid_q || tok_pop_i[k]) && rd_q != wr_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        rd_q    <= '0;
        valid_q <= 1'b0;
      end else begin
        if (look) begin
          rd_q    <= rd_q + 1'b1;
          valid_q <= digit_out != '0;
        end else if (tok_pop_i[k]) begin
          valid_q <= 1'b0;
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (look) begin
        digit_q <= digit_out;
        idx_q   <= rd_q;
      end
    end

    ptr_t oldest, used;
    assign oldest = valid_q ? idx_q : rd_q;
    assign used = wr_q - oldest;
    assign lane_full[k] = used[PtrW];
    assign lane_empty[k] = rd_q == wr_q && !valid_q;

    assign tok_valid_o[k] = valid_q;
    assign tok_digit_o[k] = digit_q;
    assign tok_idx[k] = idx_q[PtrW-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) space_q <= 1'b0;
    else space_q <= lane_full == '0;
  end

  // ---------------------------------------------------------------- shared read port

  // Lanes above the one served last go first, then all from lane 0.
  logic [NumLanes-1:0] above_q;
  logic [NumLanes-1:0] first, gnt;
  logic [PtrW-1:0] rd_idx;
  logic rd_sel;

  assign first = ((op_req_i & above_q) != '0) ? (op_req_i & above_q) : op_req_i;
  assign gnt = first & (~first + 1'b1);
  assign op_gnt_o = gnt;

  always_comb begin
    rd_idx = '0;
    rd_sel = 1'b0;
    for (int unsigned k = 0; k < NumLanes; k++) begin
      if (gnt[k]) begin
        rd_idx = rd_idx | tok_idx[k];
        rd_sel = rd_sel | op_sel_i[k];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      above_q    <= '0;
      op_valid_o <= '0;
    end else begin
      op_valid_o <= gnt;
      if (gnt != '0) above_q <= ~(gnt | (gnt - 1'b1));
    end
  end

  zk_ram_sdp #(
    .Width(255),
    .Depth(2 * Depth)
  ) u_points (
    .clk_i,
    .we_i   (pts_beat && beat_q[0]),
    .waddr_i({wr_q[PtrW-1:0], beat_q[1]}),
    .wdata_i({pts_data_i[126:0], low_q}),
    .re_i   (gnt != '0),
    .raddr_i({rd_idx, rd_sel}),
    .rdata_o(op_data_o)
  );

  // ---------------------------------------------------------------- checks

  `ZK_ASSERT(NoOverflow_A, push |-> lane_full == '0)
  `ZK_ASSERT(NoUnderflow_A, (tok_pop_i & ~tok_valid_o) == '0)
  `ZK_ASSERT(OneGrant_A, $onehot0(gnt) && (gnt & ~op_req_i) == '0)
  `ZK_ASSERT(GrantIfAsked_A, op_req_i != '0 |-> gnt != '0)
  `ZK_ASSERT(ReadsApart_A, (pts_beat && beat_q[0] && gnt != '0) |-> rd_idx != wr_q[PtrW-1:0])
  `ZK_ASSERT(ScalarsNotBehind_A, pts_left_q == '0 |-> scl_left_q == '0 && !scl_full_q)
  for (genvar k = 0; k < NumLanes; k++) begin : g_stable
    `ZK_ASSERT_STABLE(TokStable_A, tok_valid_o[k], tok_pop_i[k], tok_digit_o[k])
    `ZK_ASSERT(TokNotZero_A, tok_valid_o[k] |-> tok_digit_o[k] != '0)
  end

endmodule
