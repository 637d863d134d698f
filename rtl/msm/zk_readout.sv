`include "zk_assert.svh"

/// Reads all buckets of a batch as a stream and empties them.
///
/// Order: windows (lanes) ascending, buckets 1 to 2^WindowBits - 1, X, Y, Z; a word is two beats,
/// low half first; an empty bucket is six zero beats. One beat a cycle. `start_i` is a pulse
/// while the lanes rest; `active_o` is high until the last beat was taken, which `done_o` marks.
/// Model: hls-model/src/readout.rs
module zk_readout #(
  parameter  int NumLanes   = 8,
  parameter  int WindowBits = 11,
  localparam int LaneW      = NumLanes > 1 ? $clog2(NumLanes) : 1
) (
  input  logic       clk_i,
  input  logic       rst_ni,               // synchronous, active low
  input  logic       start_i,
  input  logic [3:0] start_num_windows_i,  // 1 to NumLanes
  output logic       active_o,
  output logic       done_o,

  // To the lanes: read `addr_o` in the lane marked by `re_o`, whose full bit is looked at in the
  // same cycle; its coordinate `sel_o` is looked at one cycle later or more.
  output logic [  NumLanes-1:0]        re_o,
  output logic [  NumLanes-1:0]        clear_o,
  output logic [WindowBits-1:0]        addr_o,
  output logic [           1:0]        sel_o,
  input  logic [  NumLanes-1:0]        full_i,
  input  logic [  NumLanes-1:0][254:0] word_i,

  output logic         res_valid_o,
  input  logic         res_ready_i,
  output logic [127:0] res_data_o,
  output logic         res_last_o
);

  // Stage 0: the bucket to read next. Its three words stay in the bank's output registers, so
  // one read serves three words.
  logic ask_q;
  logic [LaneW-1:0] lane_q;
  logic [3:0] left_q;  // windows still to start reading
  logic [WindowBits-1:0] bucket_q;

  // Stage 1: the bucket that the bank holds, and its coordinate.
  logic held_q, held_full_q, held_last_q;
  logic [LaneW-1:0] held_lane_q;
  logic [1:0] coord_q;

  // Stage 2: a word on its way out.
  logic out_q, half_q, out_last_q;
  logic [254:0] word_q;

  logic out_free, take, read;

  // A word leaves stage 1 as the previous one's second beat leaves stage 2.
  assign out_free = !out_q || (half_q && res_ready_i);
  assign take = held_q && out_free;
  assign read = ask_q && (!held_q || (take && coord_q == 2'd2));

  logic last_bucket;
  assign last_bucket = &bucket_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ask_q  <= 1'b0;
      held_q <= 1'b0;
      out_q  <= 1'b0;
      half_q <= 1'b0;
    end else begin
      if (start_i) ask_q <= 1'b1;
      else if (read && last_bucket && left_q == 4'd1) ask_q <= 1'b0;

      if (read) held_q <= 1'b1;
      else if (take && coord_q == 2'd2) held_q <= 1'b0;

      if (out_free) out_q <= held_q;
      if (res_valid_o && res_ready_i) half_q <= !half_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      lane_q   <= '0;
      left_q   <= start_num_windows_i;
      bucket_q <= {{(WindowBits - 1) {1'b0}}, 1'b1};
    end else if (read) begin
      bucket_q <= bucket_q + 1'b1;
      if (last_bucket) begin
        bucket_q <= {{(WindowBits - 1) {1'b0}}, 1'b1};
        lane_q   <= lane_q + 1'b1;
        left_q   <= left_q - 1'b1;
      end
    end

    if (read) begin
      held_lane_q <= lane_q;
      held_full_q <= full_i[lane_q];
      held_last_q <= last_bucket && left_q == 4'd1;
    end
    if (read) coord_q <= 2'd0;
    else if (take) coord_q <= coord_q + 1'b1;

    if (take) begin
      word_q     <= held_full_q ? word_i[held_lane_q] : '0;
      out_last_q <= held_last_q && coord_q == 2'd2;
    end
  end

  always_comb begin
    re_o = '0;
    re_o[lane_q] = read;
  end

  assign clear_o = re_o;
  assign addr_o = bucket_q;
  assign sel_o = coord_q;

  assign res_valid_o = out_q;
  assign res_data_o = half_q ? {1'b0, word_q[254:128]} : word_q[127:0];
  assign res_last_o = out_last_q && half_q;
  assign active_o = ask_q || held_q || out_q;
  assign done_o = res_valid_o && res_ready_i && res_last_o;

  `ZK_ASSERT_STABLE(ResStable_A, res_valid_o, res_ready_i, {res_data_o, res_last_o})
  `ZK_ASSERT(StartAtRest_A, start_i |-> !active_o)
  `ZK_ASSERT(LastIsLast_A, done_o |-> !ask_q && !held_q)

endmodule
