/// Proof bench of zk_bucket_lane: no bucket is lost, filled twice or read while in flight.
///
/// A free constant picks one bucket. Loads into it minus sums that cancelled and read-outs that
/// cleared it are its full bit; while an addition of it runs, it is full and there is just one.
/// The adder is any block with the ports' rules (point_add_any.sv); the bucket index has 3 bits.
module bucket_lane #(
  parameter int WindowBits = 3,
  parameter int NumCtx     = 2
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  tok_valid_i,
  input logic [WindowBits-1:0] tok_digit_i,
  input logic                  op_gnt_i,
  input logic                  op_valid_i,
  input logic [         254:0] op_data_i,
  input logic                  own_i,
  input logic [WindowBits-1:0] own_addr_i,
  input logic                  own_clear_i,
  input logic                  own_re_i,
  input logic [WindowBits-1:0] bucket_i      // the watched bucket, constant
);

  logic tok_pop, idle, ev_add, ev_load, ev_stall, full_here;
  zk_bucket_lane #(
    .WindowBits(WindowBits),
    .NumCtx    (NumCtx)
  ) dut (
    .clk_i,
    .rst_ni,
    .tok_valid_i,
    .tok_digit_i,
    .tok_pop_o  (tok_pop),
    .op_req_o   (),
    .op_sel_o   (),
    .op_gnt_i,
    .op_valid_i,
    .op_data_i,
    .own_i,
    .own_addr_i,
    .own_clear_i,
    .own_re_i,
    .ro_sel_i   (2'd0),
    .ro_word_o  (),
    .full_o     (full_here),
    .idle_o     (idle),
    .ev_add_o   (ev_add),
    .ev_load_o  (ev_load),
    .ev_stall_o (ev_stall)
  );

  logic started_q = 1'b0;
  logic cleared_q = 1'b0;  // out of reset for a cycle
  logic tok_held_q;
  logic [WindowBits-1:0] digit_q, bucket_q;
  logic [1:0] count_q;  // loads minus cancelled sums minus clearings
  logic loaded, dropped, full;

  assign full    = dut.u_bank.full[bucket_i];
  assign loaded  = ev_load && tok_digit_i == bucket_i;
  assign dropped = own_i ? own_clear_i && own_addr_i == bucket_i && full
                         : dut.sum_valid && dut.sum_empty && dut.sum_tag == bucket_i;

  always_ff @(posedge clk_i) begin
    started_q  <= 1'b1;
    cleared_q  <= started_q;
    tok_held_q <= rst_ni && tok_valid_i && !tok_pop;
    digit_q    <= tok_digit_i;
    bucket_q   <= bucket_i;
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + 2'(loaded) - 2'(dropped);
  end

  // Additions of the watched bucket: as the lane books them, and as the adder has them.
  logic [2:0] booked, in_adder;
  always_comb begin
    booked = '0;
    for (int i = 0; i < dut.NumBusy; i++) begin
      booked = booked + 3'(dut.busy_valid_q[i] && dut.busy_tag_q[i] == bucket_i);
    end
    in_adder = 3'(dut.u_add.giving_q && dut.u_add.out_tag_q == bucket_i);
    for (int i = 0; i < NumCtx; i++) begin
      in_adder = in_adder + 3'(dut.u_add.used_q[i] && dut.u_add.tag_q[i] == bucket_i);
    end
  end

  logic here, filling;
  assign here    = tok_valid_i && tok_digit_i == bucket_i;
  assign filling = dut.state_q == 2'd2 && dut.beat_q != '0;

  always_comb begin
    // Reset once; then the bucket is empty (the core clears all of them before it starts).
    assume (rst_ni == started_q);
    if (started_q && !cleared_q) assume (!full);
    if (started_q) assume (bucket_i == bucket_q);
    // The dispatcher holds a token until it is popped; the core reads out only when all rests.
    if (tok_held_q) assume (tok_valid_i && tok_digit_i == digit_q);
    if (own_i) assume (idle && !dut.sum_valid);

    if (started_q) begin
      // Conservation.
      assert (count_q == 2'(full));
      // One addition of a bucket at a time, known to the lane, and its bucket stays full.
      assert (booked <= 1 && booked == in_adder);
      assert (booked == 0 || full);
      if (loaded) assert (!full);
      if (dut.sum_valid && dut.sum_tag == bucket_i) assert (full && booked == 1);
      // No read for an addition while one runs, and stalls only then.
      if (dut.re && !own_i && dut.addr == bucket_i) assert (booked == 0 && full);
      if (ev_stall && here) assert (booked == 1);
      // What rests has no addition inside.
      if (idle) assert (in_adder == 0);

      // Where the token stands (for the induction).
      assert (dut.state_q <= 2'd2);
      assert (dut.state_q == 2'd0 || tok_valid_i);
      assert (dut.state_q == 2'd2 || dut.beat_q == '0);
      assert (dut.beat_q <= 3'd4 && dut.beat_q == dut.u_add.beat_q);
      assert (dut.state_q != 2'd0 || !dut.op_sel_q);
      if (dut.state_q == 2'd2) assert (dut.op_sel_q == (dut.beat_q == 3'd4));
      if (dut.state_q == 2'd1 && here) assert (booked == 0 && !full);
      if (dut.state_q == 2'd2 && here) assert (full && booked == 3'(filling));
      assert ($countones(dut.u_add.used_q & ~dut.u_add.whole_q) == 32'(filling));
      for (int i = 0; i < NumCtx; i++) begin
        if (dut.u_add.used_q[i] && !dut.u_add.whole_q[i]) begin
          assert (dut.u_add.filling_q == NumCtx'(1 << i));
          assert (dut.u_add.tag_q[i] == tok_digit_i);
        end
        if (!dut.u_add.used_q[i]) assert (!dut.u_add.whole_q[i]);
      end
      if (dut.u_add.giving_q) assert (dut.u_add.empty_q || dut.u_add.idx_q <= 2'd2);
    end
  end

endmodule
