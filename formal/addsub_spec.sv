/// The two passes of zk_fp_addsub_ws, word by word, in one step.
package addsub_spec;

  typedef logic [7:0][31:0] words_t;

  /// A pass: its words, and the carry into each of them (and out of the last).
  typedef struct packed {
    logic [8:0][1:0] carry;
    words_t          words;
  } pass_t;

  /// x + y + z + carry, 32 bits at a time.
  function automatic pass_t add(input words_t x, input words_t y, input words_t z,
                                input logic [1:0] carry);
    pass_t pass;
    logic [33:0] sum;
    pass.carry[0] = carry;
    for (int i = 0; i < 8; i++) begin
      sum = 34'(x[i]) + 34'(y[i]) + 34'(z[i]) + 34'(pass.carry[i]);
      pass.words[i] = sum[31:0];
      pass.carry[i+1] = sum[33:32];
    end
    return pass;
  endfunction

  /// Second addend of the first pass: b, ~b (a - b = a + ~b + 1), or nothing.
  function automatic words_t second_operand(input zk_pkg::addsub_op_e op, input zk_pkg::fp_t b);
    if (op == zk_pkg::LAZY_ADD) return 256'(b);
    if (op == zk_pkg::LAZY_SUB) return ~256'(b);
    return '0;
  endfunction

  /// Constant of the first pass: -2p - 1, nothing, or -p - 1.
  function automatic words_t first_constant(input zk_pkg::addsub_op_e op);
    if (op == zk_pkg::LAZY_ADD) return ~256'(zk_pkg::FP_2P);
    if (op == zk_pkg::LAZY_SUB) return '0;
    return ~256'(zk_pkg::FP_P);
  endfunction

  /// a + b - 2p, a - b, or a - p, in two's complement.
  function automatic pass_t first_pass(input zk_pkg::addsub_op_e op, input zk_pkg::fp_t a,
                                       input zk_pkg::fp_t b);
    return add(256'(a), second_operand(op, b), first_constant(op), 2'd1);
  endfunction

  /// Constant of the second pass: 2p when the first went below zero.
  function automatic words_t second_constant(input pass_t first);
    return first.words[7][31] ? 256'(zk_pkg::FP_2P) : 256'd0;
  endfunction

  /// The second pass.
  function automatic pass_t second_pass(input pass_t first);
    return add(first.words, '0, second_constant(first), 2'd0);
  endfunction

  /// The result of an operation.
  function automatic words_t result(input zk_pkg::addsub_op_e op, input zk_pkg::fp_t a,
                                    input zk_pkg::fp_t b);
    pass_t first, second;
    first  = first_pass(op, a, b);
    second = second_pass(first);
    if (op != zk_pkg::FINAL_SUB) return second.words;
    return first.words[7][31] ? words_t'(256'(a)) : first.words;
  endfunction

endpackage
