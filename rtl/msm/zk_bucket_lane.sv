`include "zk_assert.svh"

/// One window's lane: its buckets, its point adder and the control between them.
///
/// A token is a non-zero digit whose point's coordinates the lane reads from the dispatcher.
/// Its bucket empty: load (x, y, 1). Full: read the bank, give bucket and point to the adder,
/// which writes the sum back later; until then the bucket is in flight and a token that meets it
/// waits (`ev_stall_o`). Loads and the read of the next token's bucket and x happen while the
/// adder works, so that a context that becomes free is filled at once.
///
/// The bank does one thing a cycle: clearing and read-out (the core sees to it that the lane
/// rests then), else the adder's write-back, else the token. The adder never waits for it.
/// Model: hls-model/src/bucket_lane.rs
module zk_bucket_lane #(
  parameter int WindowBits = 11,
  parameter int NumCtx     = 2    // additions in flight in the adder
) (
  input logic clk_i,
  input logic rst_ni, // synchronous, active low

  // Token and operand, see zk_dispatch.
  input  logic                  tok_valid_i,
  input  logic [WindowBits-1:0] tok_digit_i,
  output logic                  tok_pop_o,
  output logic                  op_req_o,
  output logic                  op_sel_o,
  input  logic                  op_gnt_i,
  input  logic                  op_valid_i,
  input  logic [         254:0] op_data_i,

  // Clearing of full bits after reset, and read-out. `ro_word_o` is the coordinate `ro_sel_i`
  // of the bucket read last; `full_o` is that of `own_addr_i` in the same cycle.
  input  logic                  own_i,        // clearing or reading out: own_* have the bank
  input  logic [WindowBits-1:0] own_addr_i,
  input  logic                  own_clear_i,
  input  logic                  own_re_i,
  input  logic [           1:0] ro_sel_i,
  output logic [         254:0] ro_word_o,
  output logic                  full_o,

  output logic idle_o,     // no token and no addition
  output logic ev_add_o,   // an addition starts
  output logic ev_load_o,  // an empty bucket is loaded
  output logic ev_stall_o  // a token waits for its bucket's addition to end
);

  // The adder may free a context up to one result before we have written it.
  localparam int NumBusy = NumCtx + 1;

  typedef logic [WindowBits-1:0] bucket_t;
  typedef enum logic [1:0] {
    Decode,
    Load,
    Add
  } state_e;
  typedef enum logic [1:0] {
    OpAsk,
    OpWait,
    OpHave
  } op_state_e;

  // ---------------------------------------------------------------- adder

  logic add_valid, add_ready;
  logic sum_valid, sum_empty, sum_last, sum_end;
  logic [254:0] add_word, sum_word;
  logic [1:0] sum_idx;
  bucket_t sum_tag;
  logic unused_double, unused_cancel;

  zk_point_add #(
    .NumCtx(NumCtx),
    .TagW  (WindowBits)
  ) u_add (
    .clk_i,
    .rst_ni,
    .in_valid_i (add_valid),
    .in_ready_o (add_ready),
    .in_word_i  (add_word),
    .in_tag_i   (tok_digit_i),
    .out_valid_o(sum_valid),
    .out_ready_i(1'b1),
    .out_word_o (sum_word),
    .out_tag_o  (sum_tag),
    .out_empty_o(sum_empty),
    .out_idx_o  (sum_idx),
    .out_last_o (sum_last),
    .ev_double_o(unused_double),
    .ev_cancel_o(unused_cancel)
  );

  assign sum_end = sum_valid && (sum_last || sum_empty);

  // ---------------------------------------------------------------- buckets in flight

  logic [NumBusy-1:0] busy_valid_q, busy_hit, busy_take;
  bucket_t busy_tag_q[NumBusy];
  logic busy_room, issue;

  for (genvar i = 0; i < NumBusy; i++) begin : g_busy
    assign busy_hit[i] = busy_valid_q[i] && busy_tag_q[i] == tok_digit_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_valid_q[i] <= 1'b0;
      else if (issue && busy_take[i]) busy_valid_q[i] <= 1'b1;
      else if (sum_end && busy_tag_q[i] == sum_tag) busy_valid_q[i] <= 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (issue && busy_take[i]) busy_tag_q[i] <= tok_digit_i;
    end
  end

  assign busy_take = ~busy_valid_q & (busy_valid_q + 1'b1);  // the lowest free entry
  assign busy_room = !(&busy_valid_q);

  // ---------------------------------------------------------------- token

  state_e state_q;
  logic [2:0] beat_q;  // next word to the adder: X1, Y1, Z1, x2, y2
  op_state_e op_state_q;
  logic op_sel_q;
  logic [254:0] op_q;
  logic op_have, op_take, decode, load_x, load_y, full;

  assign op_have = op_state_q == OpHave;
  assign decode  = state_q == Decode && tok_valid_i && busy_hit == '0 && !sum_valid;
  assign load_x  = state_q == Load && op_have && !op_sel_q && !sum_valid;
  assign load_y  = state_q == Load && op_have && op_sel_q && !sum_valid;

  always_comb begin
    add_valid = 1'b0;
    if (state_q == Add) begin
      if (beat_q == 3'd0) add_valid = busy_room;
      else add_valid = beat_q < 3'd3 || op_have;
    end
  end

  assign issue = add_valid && add_ready && beat_q == 3'd0;
  assign op_take = load_x || load_y || (add_valid && add_ready && beat_q >= 3'd3);
  assign tok_pop_o = op_take && op_sel_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Decode;
      beat_q  <= '0;
    end else begin
      unique case (state_q)
        Decode: if (decode) state_q <= full ? Add : Load;
        Load: if (load_y) state_q <= Decode;
        Add: begin
          if (add_valid && add_ready) begin
            beat_q <= beat_q + 1'b1;
            if (beat_q == 3'd4) begin
              beat_q  <= '0;
              state_q <= Decode;
            end
          end
        end
        default: state_q <= Decode;
      endcase
    end
  end

  // Every token needs x, then y: the fetch does not wait for the decision what to do with them.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      op_state_q <= OpAsk;
      op_sel_q   <= 1'b0;
    end else begin
      unique case (op_state_q)
        OpAsk:   if (op_gnt_i) op_state_q <= OpWait;
        OpWait:  if (op_valid_i) op_state_q <= OpHave;
        OpHave: begin
          if (op_take) begin
            op_state_q <= OpAsk;
            op_sel_q   <= !op_sel_q;
          end
        end
        default: op_state_q <= OpAsk;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (op_valid_i) op_q <= op_data_i;
  end

  assign op_req_o = tok_valid_i && op_state_q == OpAsk;
  assign op_sel_o = op_sel_q;

  // ---------------------------------------------------------------- bank

  bucket_t addr;
  logic re, full_we;
  logic [2:0] we;
  logic [254:0] x, y, z;

  always_comb begin
    addr    = tok_digit_i;
    re      = decode && full;
    we      = {load_y, load_y, load_x};
    full_we = load_y;
    if (own_i) begin
      addr    = own_addr_i;
      re      = own_re_i;
      we      = '0;
      full_we = own_clear_i;
    end else if (sum_valid) begin
      addr    = sum_tag;
      re      = 1'b0;
      we      = sum_empty ? '0 : 3'b001 << sum_idx;
      full_we = sum_empty;
    end
  end

  zk_bucket_bank #(
    .WindowBits(WindowBits),
    .WordBits  (255)
  ) u_bank (
    .clk_i,
    .addr_i   (addr),
    .re_i     (re),
    .we_i     (we),
    .xy_i     (sum_valid ? sum_word : op_q),
    .z_i      (sum_valid ? sum_word : zk_pkg::FP_ONE),
    .x_o      (x),
    .y_o      (y),
    .z_o      (z),
    .full_we_i(full_we),
    .full_i   (!own_i && !sum_valid),
    .full_o   (full)
  );

  // Adder and read-out share one multiplexer: they never run together.
  logic [1:0] word_sel;
  assign word_sel = own_i ? ro_sel_i : (beat_q < 3'd3 ? beat_q[1:0] : 2'd3);

  always_comb begin
    unique case (word_sel)
      2'd0: add_word = x;
      2'd1: add_word = y;
      2'd2: add_word = z;
      default: add_word = op_q;
    endcase
  end

  assign ro_word_o = add_word;
  assign full_o = full;

  assign idle_o = state_q == Decode && !tok_valid_i && busy_valid_q == '0;
  assign ev_add_o = issue;
  assign ev_load_o = load_y;
  assign ev_stall_o = state_q == Decode && tok_valid_i && busy_hit != '0;

  // ---------------------------------------------------------------- checks

`ifndef ZK_NO_ASSERT
  // Full bits set minus full bits cleared, and the entry that a result belongs to.
  logic [WindowBits:0] num_full_q;
  logic [NumBusy-1:0] sum_hit;
  logic drop;

  assign drop = own_i ? own_clear_i && own_re_i && full : sum_valid && sum_empty;
  for (genvar i = 0; i < NumBusy; i++) begin : g_sum_hit
    assign sum_hit[i] = busy_valid_q[i] && busy_tag_q[i] == sum_tag;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) num_full_q <= '0;
    else num_full_q <= num_full_q + (WindowBits + 1)'(load_y) - (WindowBits + 1)'(drop);
  end
`endif

  `ZK_ASSERT_STABLE(AddStable_A, add_valid, add_ready, {add_word, tok_digit_i})
  `ZK_ASSERT(NoReadInFlight_A, (re && !own_i) |-> busy_hit == '0)
  `ZK_ASSERT(InFlightUnique_A, issue |-> busy_hit == '0 && busy_room)
  `ZK_ASSERT(SumInFlight_A, sum_valid |-> $onehot(sum_hit))
  `ZK_ASSERT(LoadOnlyEmpty_A, load_y |-> !full)
  `ZK_ASSERT(SumOnlyFull_A, sum_valid |-> full)
  `ZK_ASSERT(OwnOnlyIdle_A, own_i |-> idle_o && !sum_valid)
  // Read-out finds as many full buckets as were loaded and not cancelled.
  `ZK_ASSERT(Conservation_A, $fell(own_i) |-> num_full_q == '0)
  `ZK_ASSERT(TokenHeld_A, state_q != Decode |-> tok_valid_i)

endmodule
