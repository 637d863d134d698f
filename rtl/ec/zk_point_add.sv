`include "zk_assert.svh"

/// Jacobian (X1, Y1, Z1) += affine (X2, Y2): one lane's adder on two word-serial multipliers.
///
/// An addition takes five input beats X1, Y1, Z1, X2, Y2 (all below p, Z1 not 0, the affine
/// point not infinity; in_tag_i goes with the first) and gives three result beats X3, Y3, Z3
/// below p, or one beat with out_empty_o when the sum is infinity. Results leave in the order of
/// arrival. Equal points are doubled, ev_double_o; opposite ones cancel, ev_cancel_o.
///
/// NumCtx additions run interleaved. Each owns eight registers and issues its microcode
/// (zk_point_add_pkg) in order, one instruction a cycle among all, the oldest addition first.
/// Grant, read the register file, unit; unit, write stage, register file: each an edge.
/// Model and schedule: hls-model/src/point_add.rs
module zk_point_add #(
  parameter int NumCtx = 2,  // 1 .. 8
  parameter int TagW = 11
) (
  input  logic            clk_i,
  input  logic            rst_ni,       // synchronous, active low
  input  logic            in_valid_i,
  output logic            in_ready_o,
  input  zk_pkg::fp_t     in_word_i,
  input  logic [TagW-1:0] in_tag_i,
  output logic            out_valid_o,
  input  logic            out_ready_i,
  output zk_pkg::fp_t     out_word_o,
  output logic [TagW-1:0] out_tag_o,
  output logic            out_empty_o,  // the sum is infinity; out_word_o means nothing
  output logic [     1:0] out_idx_o,    // 0 X3, 1 Y3, 2 Z3
  output logic            out_last_o,
  output logic            ev_double_o,
  output logic            ev_cancel_o
);
  import zk_pkg::fp_t;
  import zk_point_add_pkg::*;

  localparam int CtxW = (NumCtx > 1) ? $clog2(NumCtx) : 1;
  localparam int NumRegs = 8;

  if (NumCtx < 1 || NumCtx > 8) begin : g_num_ctx
    $error("zk_point_add: NumCtx must be 1 .. 8");
  end

  typedef logic [CtxW-1:0] ctx_t;

  // A register of a context, and the zero flag its new value decides.
  typedef struct packed {
    ctx_t       ctx;
    logic [2:0] dst;
    logic [2:0] flag;
  } dest_t;

  function automatic ctx_t next_ctx(input ctx_t c);
    return (c == ctx_t'(NumCtx - 1)) ? '0 : ctx_t'(c + 1'b1);
  endfunction

  // ------------------------------------------------------------ contexts

  logic [NumCtx-1:0] active_q;  // holds an addition
  logic [NumCtx-1:0] fetched_q;  // instr_q is valid
  instr_t [NumCtx-1:0] instr_q;
  logic [NumCtx-1:0][NumRegs-1:0] need_q;  // instr_q decoded: needs()
  kind_t [NumCtx-1:0] kind_q;  // instr_q decoded: kind_of
  pc_t [NumCtx-1:0] pc_q;  // of the instruction after instr_q
  logic [NumCtx-1:0][NumRegs-1:0] busy_q;  // a value is on its way to the register
  logic [NumCtx-1:0] h_zero_q, r_zero_q;
  logic [NumCtx-1:0][TagW-1:0] tag_q;
  ctx_t head_q;  // oldest addition
  ctx_t tail_q;  // takes the next one
  logic [2:0] beat_q;  // next input beat

  // Result of the arbitration below.
  logic grant, grant_last, in_accept, wr_accept;
  ctx_t   grant_ctx;
  instr_t grant_instr;
  kind_t grant_kind;
  dest_t  wr_dest;
  logic wr_fin, wr_zero;

  // ------------------------------------------------------------ issue

  logic mul0_ready, mul1_ready, as_ready;
  logic mul0_free, mul1_free, as_free, out_free;
  logic out_valid_q;
  // Register read stage: the granted instruction and, one-hot, where it goes.
  logic rd_mul0_q, rd_mul1_q, rd_as_q, rd_out_q;
  ctx_t   rd_ctx_q;
  instr_t rd_instr_q;

  // A unit stays ready until it is fed, so ready now is ready in the read stage.
  assign mul0_free = mul0_ready && !rd_mul0_q;
  assign mul1_free = mul1_ready && !rd_mul1_q;
  assign as_free   = as_ready && !rd_as_q;
  assign out_free  = !out_valid_q && !rd_out_q;

  logic mul_free;
  logic [NumCtx-1:0] can_issue;
  assign mul_free = mul0_free || mul1_free;
  always_comb begin
    for (int c = 0; c < NumCtx; c++) begin
      logic settled, unit_free;
      settled = (busy_q[c] & need_q[c]) == '0;
      // Results keep the order of arrival.
      unit_free = (kind_q[c].mul && mul_free) || (kind_q[c].addsub && as_free) ||
          (kind_q[c].out && out_free && head_q == ctx_t'(c)) || kind_q[c].branch;
      can_issue[c] = fetched_q[c] && settled && unit_free;
    end
  end

  // The oldest addition first: it has the most behind it and frees its context soonest.
  always_comb begin
    ctx_t c;
    grant     = 1'b0;
    grant_ctx = '0;
    c         = head_q;
    for (int k = 0; k < NumCtx; k++) begin
      if (!grant && can_issue[c]) begin
        grant     = 1'b1;
        grant_ctx = c;
      end
      c = next_ctx(c);
    end
    grant_instr = instr_q[grant_ctx];
    grant_kind  = kind_q[grant_ctx];
    grant_last  = grant && grant_kind.last;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_mul0_q <= 1'b0;
      rd_mul1_q <= 1'b0;
      rd_as_q   <= 1'b0;
      rd_out_q  <= 1'b0;
    end else begin
      rd_mul0_q <= grant && grant_kind.mul && mul0_free;
      rd_mul1_q <= grant && grant_kind.mul && !mul0_free;
      rd_as_q   <= grant && grant_kind.addsub;
      rd_out_q  <= grant && grant_kind.out;
    end
    rd_ctx_q   <= grant_ctx;
    rd_instr_q <= grant_instr;
  end

  // ------------------------------------------------------------ context state

  logic branch, taken, cancel, double;
  assign branch = grant && grant_kind.branch;
  assign taken  = branch && h_zero_q[grant_ctx];
  assign double = taken && r_zero_q[grant_ctx];
  assign cancel = taken && !r_zero_q[grant_ctx];

  logic in_first, in_done;
  assign in_first = in_accept && beat_q == 3'd0;
  assign in_done  = in_accept && beat_q == 3'd4;

  for (genvar c = 0; c < NumCtx; c++) begin : g_ctx
    logic mine, opens, writes;
    assign mine   = grant && grant_ctx == ctx_t'(c);
    assign opens  = in_first && tail_q == ctx_t'(c);
    assign writes = wr_accept && wr_dest.ctx == ctx_t'(c);

    instr_t next;
    assign next = microcode(pc_q[c]);

    logic [NumRegs-1:0] busy_d;
    always_comb begin
      busy_d = busy_q[c];
      if (mine && (kind_q[c].mul || kind_q[c].addsub)) busy_d[instr_q[c].dst] = 1'b1;
      if (opens) busy_d = 8'b0001_1111;
      if (writes) busy_d[wr_dest.dst] = 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        active_q[c]  <= 1'b0;
        fetched_q[c] <= 1'b0;
        busy_q[c]    <= '0;
      end else begin
        active_q[c] <= opens || (active_q[c] && !(mine && grant_last));
        busy_q[c]   <= busy_d;
        if (opens || (mine && (grant_last || taken))) begin
          fetched_q[c] <= 1'b0;
        end else begin
          fetched_q[c] <= active_q[c];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (opens) begin
        pc_q[c]  <= PC_ADD;
        tag_q[c] <= in_tag_i;
      end else if (mine && taken) begin
        pc_q[c] <= double ? PC_DOUBLE : PC_CANCEL;
      end else if (mine || (active_q[c] && !fetched_q[c])) begin
        pc_q[c]    <= pc_q[c] + 6'd1;
        instr_q[c] <= next;
        need_q[c]  <= needs(next);
        kind_q[c]  <= kind_of(next.op, next.dst);
      end
      if (writes && wr_fin && wr_dest.flag == FLAG_H) h_zero_q[c] <= wr_zero;
      if (writes && wr_fin && wr_dest.flag == FLAG_R) r_zero_q[c] <= wr_zero;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q      <= '0;
      tail_q      <= '0;
      beat_q      <= '0;
      ev_double_o <= 1'b0;
      ev_cancel_o <= 1'b0;
    end else begin
      if (grant_last) head_q <= next_ctx(head_q);
      if (in_done) tail_q <= next_ctx(tail_q);
      if (in_accept) beat_q <= in_done ? 3'd0 : beat_q + 3'd1;
      ev_double_o <= double;
      ev_cancel_o <= cancel;
    end
  end

  // ------------------------------------------------------------ register file

  (* ram_style = "distributed" *)
  fp_t regs[NumRegs << CtxW];

  logic wr_q;
  logic [CtxW+2:0] wr_addr_q;
  fp_t wr_word_q, rd_a, rd_b;

  assign rd_a = regs[{rd_ctx_q, rd_instr_q.a}];
  assign rd_b = regs[{rd_ctx_q, rd_instr_q.b}];

  always_ff @(posedge clk_i) begin
    if (wr_q) regs[wr_addr_q] <= wr_word_q;
  end

  // ------------------------------------------------------------ units

  logic mul0_valid, mul1_valid, as_valid, mul0_take, mul1_take, as_take, as_zero;
  fp_t mul0_p, mul1_p, as_p;
  dest_t mul0_dest, mul1_dest, as_dest, rd_dest;
  zk_pkg::addsub_op_e as_op;

  logic [2:0] rd_flag;
  assign rd_flag = (rd_instr_q.op == FIN) ? rd_instr_q.b : FLAG_NONE;
  assign rd_dest = '{ctx: rd_ctx_q, dst: rd_instr_q.dst, flag: rd_flag};

  always_comb begin
    unique case (rd_instr_q.op)
      ADD: as_op = zk_pkg::LAZY_ADD;
      SUB: as_op = zk_pkg::LAZY_SUB;
      default: as_op = zk_pkg::FINAL_SUB;
    endcase
  end

  zk_fp_mul_ws #(
    .tag_t(dest_t)
  ) u_mul0 (
    .clk_i,
    .rst_ni,
    .valid_i(rd_mul0_q),
    .ready_o(mul0_ready),
    .a_i    (rd_a),
    .b_i    (rd_b),
    .tag_i  (rd_dest),
    .valid_o(mul0_valid),
    .ready_i(mul0_take),
    .p_o    (mul0_p),
    .tag_o  (mul0_dest)
  );

  zk_fp_mul_ws #(
    .tag_t(dest_t)
  ) u_mul1 (
    .clk_i,
    .rst_ni,
    .valid_i(rd_mul1_q),
    .ready_o(mul1_ready),
    .a_i    (rd_a),
    .b_i    (rd_b),
    .tag_i  (rd_dest),
    .valid_o(mul1_valid),
    .ready_i(mul1_take),
    .p_o    (mul1_p),
    .tag_o  (mul1_dest)
  );

  zk_fp_addsub_ws #(
    .tag_t(dest_t)
  ) u_addsub (
    .clk_i,
    .rst_ni,
    .valid_i(rd_as_q),
    .ready_o(as_ready),
    .op_i   (as_op),
    .a_i    (rd_a),
    .b_i    (rd_b),
    .tag_i  (rd_dest),
    .valid_o(as_valid),
    .ready_i(as_take),
    .p_o    (as_p),
    .zero_o (as_zero),
    .tag_o  (as_dest)
  );

  // ------------------------------------------------------------ write stage

  // Results first: they are a few cycles in an addition's 600 and cannot starve the input.
  fp_t wr_word;
  assign mul0_take  = mul0_valid;
  assign mul1_take  = mul1_valid && !mul0_valid;
  assign as_take    = as_valid && !mul0_valid && !mul1_valid;
  assign in_ready_o = (beat_q != 3'd0 || !active_q[tail_q]) && !mul0_valid && !mul1_valid &&
                      !as_valid;
  assign in_accept  = in_valid_i && in_ready_o;
  assign wr_accept  = mul0_valid || mul1_valid || as_valid || in_accept;
  assign wr_fin     = as_take;
  assign wr_zero    = as_zero;

  always_comb begin
    wr_word = in_word_i;
    wr_dest = '{ctx: tail_q, dst: beat_q, flag: FLAG_NONE};
    if (mul0_valid) begin
      wr_word = mul0_p;
      wr_dest = mul0_dest;
    end else if (mul1_valid) begin
      wr_word = mul1_p;
      wr_dest = mul1_dest;
    end else if (as_valid) begin
      wr_word = as_p;
      wr_dest = as_dest;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= 1'b0;
    end else begin
      wr_q <= wr_accept;
    end
    wr_addr_q <= {wr_dest.ctx, wr_dest.dst};
    wr_word_q <= wr_word;
  end

  // ------------------------------------------------------------ results

  fp_t out_word_q;
  logic [TagW-1:0] out_tag_q;
  logic [2:0] out_dst_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q <= 1'b0;
    end else begin
      out_valid_q <= rd_out_q || (out_valid_q && !out_ready_i);
    end
    if (rd_out_q) begin
      out_word_q <= rd_a;
      out_tag_q  <= tag_q[rd_ctx_q];
      out_dst_q  <= rd_instr_q.dst;
    end
  end

  assign out_valid_o = out_valid_q;
  assign out_word_o  = out_word_q;
  assign out_tag_o   = out_tag_q;
  assign out_empty_o = out_dst_q[2];
  assign out_idx_o   = out_dst_q[1:0];
  assign out_last_o  = out_dst_q[2] || out_dst_q[1:0] == 2'd2;

  // ------------------------------------------------------------ checks

  `ZK_ASSERT(InRange, in_accept |-> in_word_i < zk_pkg::FP_P)
  `ZK_ASSERT(InNotInfinity, (in_accept && beat_q == 3'd2) |-> in_word_i != '0)
  `ZK_ASSERT(OutRange, (out_valid_o && !out_empty_o) |-> out_word_o < zk_pkg::FP_P)
  `ZK_ASSERT(Mul0Fed, rd_mul0_q |-> mul0_ready)
  `ZK_ASSERT(Mul1Fed, rd_mul1_q |-> mul1_ready)
  `ZK_ASSERT(AddsubFed, rd_as_q |-> as_ready)
  `ZK_ASSERT(OutFree, rd_out_q |-> !out_valid_q)
  `ZK_ASSERT(OneUnit, $onehot0({rd_mul0_q, rd_mul1_q, rd_as_q, rd_out_q}))
  `ZK_ASSERT(FreeIsQuiet, active_q[tail_q] || busy_q[tail_q] == '0)
  `ZK_ASSERT_STABLE(OutStable, out_valid_o, out_ready_i, {out_word_o, out_tag_o, out_empty_o,
                                                          out_idx_o, out_last_o})
  `ZK_COVER(Doubled, double)
  `ZK_COVER(Cancelled, cancel)

endmodule
