/// Stands in for zk_point_add in the proof of the lane: any adder that keeps the rules of its
/// ports. It takes five beats for a free context, gives three words or "empty" for a context that
/// has all its operands, in any order and after any time. Undriven names are free (sby sets them
/// to any value in any cycle).
// verilog_lint: waive-start module-filename
module zk_point_add #(
  parameter int NumCtx = 2,
  parameter int TagW   = 11
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            in_valid_i,
  output logic            in_ready_o,
  input  logic [   254:0] in_word_i,
  input  logic [TagW-1:0] in_tag_i,
  output logic            out_valid_o,
  input  logic            out_ready_i,
  output logic [   254:0] out_word_o,
  output logic [TagW-1:0] out_tag_o,
  output logic            out_empty_o,
  output logic [     1:0] out_idx_o,
  output logic            out_last_o,
  output logic            ev_double_o,
  output logic            ev_cancel_o
);

  // Free choices.
  logic take, give, empty, pause;
  logic [NumCtx-1:0] pick;
  logic [254:0] word;

  logic [NumCtx-1:0] used_q, whole_q;  // in use; has all operands
  logic [TagW-1:0] tag_q[NumCtx];
  logic [2:0] beat_q;
  logic [NumCtx-1:0] filling_q, free;
  logic giving_q, empty_q;
  logic [1:0] idx_q;
  logic [TagW-1:0] out_tag_q;
  logic first, start, out_end;

  assign free       = ~used_q & (used_q + 1'b1);
  assign in_ready_o = take && (beat_q != '0 || !(&used_q));
  assign first      = in_valid_i && in_ready_o && beat_q == '0;
  // Results begin for one whole context; it is free from then on.
  assign start      = give && !giving_q && (pick & whole_q & used_q) == pick && $onehot(pick);

  assign out_valid_o = giving_q && !pause;
  assign out_word_o  = word;
  assign out_tag_o   = out_tag_q;
  assign out_empty_o = empty_q;
  assign out_idx_o   = idx_q;
  assign out_last_o  = idx_q == 2'd2;
  assign out_end     = out_valid_o && out_ready_i && (empty_q || out_last_o);

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < NumCtx; i++) begin
      if (first && free[i]) tag_q[i] <= in_tag_i;
      if (start && pick[i]) out_tag_q <= tag_q[i];
    end
    if (!rst_ni) begin
      used_q    <= '0;
      whole_q   <= '0;
      filling_q <= '0;
      beat_q    <= '0;
      giving_q  <= 1'b0;
    end else begin
      if (first) filling_q <= free;
      used_q  <= (used_q | (first ? free : '0)) & ~(start ? pick : '0);
      whole_q <= (whole_q | ((in_valid_i && in_ready_o && beat_q == 3'd4) ? filling_q : '0)) &
                 ~(start ? pick : '0);
      if (in_valid_i && in_ready_o) beat_q <= (beat_q == 3'd4) ? '0 : beat_q + 1'b1;
      giving_q <= start || (giving_q && !out_end);
    end
    if (start) begin
      idx_q   <= '0;
      empty_q <= empty;
    end else if (out_valid_o && out_ready_i) begin
      idx_q <= idx_q + 1'b1;
    end
  end

  // Not part of the question.
  assign ev_double_o = 1'b0;
  assign ev_cancel_o = 1'b0;
  logic unused_word;
  assign unused_word = ^in_word_i;

endmodule
