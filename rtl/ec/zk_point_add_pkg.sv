/// Microcode of zk_point_add: registers of a context, instruction format, the two programs.
///
/// One context holds one addition in eight registers. Instructions of a context issue in order
/// once their registers are settled, so program order is the schedule; it was chosen with the
/// cycle model in hls-model/src/point_add.rs, which carries the same table.
///
/// Ranges: X1, Y1, Z1, X2, Y2 below p. Every product has at most one lazy operand, except
/// y^4 = (y^2)^2 where y^2 < 1.38p: A B = 1.9 <= 2.64.
package zk_point_add_pkg;

  // Read with every top, used by one.
  // verilator lint_off UNUSEDPARAM

  /// Registers. Inputs arrive in order 0 .. 4.
  typedef enum logic [2:0] {
    X1 = 3'd0,
    Y1 = 3'd1,
    Z1 = 3'd2,
    X2 = 3'd3,
    Y2 = 3'd4,
    A  = 3'd5,
    B  = 3'd6,
    C  = 3'd7
  } reg_e;

  typedef enum logic [2:0] {
    MUL    = 3'd0,  // dst = a b
    ADD    = 3'd1,  // dst = a + b mod 2p
    SUB    = 3'd2,  // dst = a - b mod 2p
    FIN    = 3'd3,  // dst = a mod p; b says which zero flag keeps the answer
    OUT    = 3'd4,  // send register a as result word dst; dst[2]: the sum is infinity
    BRANCH = 3'd5   // once a and b are settled: on by the zero flags
  } op_e;

  typedef struct packed {
    op_e        op;
    logic [2:0] dst;
    reg_e       a;
    logic [2:0] b;
  } instr_t;

  typedef logic [5:0] pc_t;

  /// An instruction's unit, decoded at the fetch.
  typedef struct packed {
    logic mul;
    logic addsub;
    logic out;
    logic branch;
    logic last;    // OUT of an addition's last beat
  } kind_t;

  /// b of FIN: no flag, flag "H is 0", flag "r is 0".
  localparam logic [2:0] FLAG_NONE = 3'd0;
  localparam logic [2:0] FLAG_H = 3'd1;
  localparam logic [2:0] FLAG_R = 3'd2;

  /// dst of OUT that says the sum is infinity.
  localparam logic [2:0] OUT_EMPTY = 3'b100;
  /// dst of OUT that ends a finite sum: Z3.
  localparam logic [2:0] OUT_LAST = 3'd2;

  localparam pc_t PC_ADD = 6'd0;
  localparam pc_t PC_CANCEL = 6'd28;
  localparam pc_t PC_DOUBLE = 6'd32;

  // verilator lint_on UNUSEDPARAM

  /// Unit of an instruction.
  function automatic kind_t kind_of(input op_e op, input logic [2:0] dst);
    kind_t k;
    k        = '0;
    k.mul    = op == MUL;
    k.addsub = op inside {ADD, SUB, FIN};
    k.out    = op == OUT;
    k.branch = op == BRANCH;
    k.last   = op == OUT && (dst == OUT_EMPTY || dst == OUT_LAST);
    return k;
  endfunction

  /// Registers that must be settled before an instruction issues: what it reads and what it
  /// writes; all for an addition's last beat, which frees them (H^2 may be on its way when points
  /// cancel).
  function automatic logic [7:0] needs(input instr_t i);
    logic [7:0] need;
    need      = '0;
    need[i.a] = 1'b1;
    unique case (i.op)
      MUL, ADD, SUB: begin
        need[i.b]   = 1'b1;
        need[i.dst] = 1'b1;
      end
      FIN: need[i.dst] = 1'b1;
      BRANCH: need[i.b] = 1'b1;
      default: if (i.dst == OUT_EMPTY || i.dst == OUT_LAST) need = '1;
    endcase
    return need;
  endfunction

  /// The instruction at pc.
  function automatic instr_t microcode(input pc_t pc);
    instr_t i;
    unique case (pc)
      // (X1, Y1, Z1) += (X2, Y2, 1)
      6'd0:  i = '{MUL, A, Z1, Z1};  // Z1^2
      6'd1:  i = '{MUL, B, X2, A};  // U = X2 Z1^2
      6'd2:  i = '{MUL, A, Z1, A};  // Z1^3
      6'd3:  i = '{SUB, B, B, X1};  // H = U - X1
      6'd4:  i = '{MUL, A, Y2, A};  // S = Y2 Z1^3
      6'd5:  i = '{FIN, B, B, FLAG_H};
      6'd6:  i = '{MUL, C, B, B};  // H^2
      6'd7:  i = '{SUB, A, A, Y1};  // r = S - Y1
      6'd8:  i = '{FIN, A, A, FLAG_R};
      6'd9:  i = '{BRANCH, X1, A, B};
      6'd10: i = '{MUL, X1, X1, C};  // V = X1 H^2
      6'd11: i = '{MUL, X2, B, C};  // H^3
      6'd12: i = '{MUL, C, A, A};  // r^2
      6'd13: i = '{MUL, Z1, Z1, B};  // Z3 = Z1 H
      6'd14: i = '{ADD, Y2, X1, X1};  // 2V
      6'd15: i = '{ADD, Y2, Y2, X2};  // 2V + H^3
      6'd16: i = '{ADD, X1, X1, Y2};  // 3V + H^3
      6'd17: i = '{MUL, Y1, Y1, X2};  // Y1 H^3
      6'd18: i = '{SUB, X1, X1, C};  // V - X3 = 3V + H^3 - r^2
      6'd19: i = '{MUL, A, A, X1};  // r (V - X3)
      6'd20: i = '{SUB, C, C, Y2};  // X3 = r^2 - H^3 - 2V
      6'd21: i = '{FIN, C, C, FLAG_NONE};
      6'd22: i = '{FIN, Z1, Z1, FLAG_NONE};
      6'd23: i = '{SUB, A, A, Y1};  // Y3 = r (V - X3) - Y1 H^3
      6'd24: i = '{FIN, A, A, FLAG_NONE};
      6'd25: i = '{OUT, 3'd0, C, 3'd0};
      6'd26: i = '{OUT, 3'd1, A, 3'd0};
      6'd27: i = '{OUT, 3'd2, Z1, 3'd0};

      // H = 0, r != 0: P + (-P)
      6'd28: i = '{OUT, OUT_EMPTY, A, 3'd0};

      // H = 0, r = 0: 2 (X2, Y2, 1)
      6'd32: i = '{MUL, X1, X2, X2};  // x^2
      6'd33: i = '{MUL, B, Y2, Y2};  // y^2
      6'd34: i = '{ADD, Z1, Y2, Y2};  // Z3 = 2y
      6'd35: i = '{FIN, Z1, Z1, FLAG_NONE};
      6'd36: i = '{ADD, A, X1, X1};  // 2 x^2
      6'd37: i = '{MUL, X2, X2, B};  // x y^2
      6'd38: i = '{ADD, A, A, X1};  // M = 3 x^2
      6'd39: i = '{FIN, A, A, FLAG_NONE};
      6'd40: i = '{MUL, B, B, B};  // y^4
      6'd41: i = '{MUL, C, A, A};  // M^2
      6'd42: i = '{ADD, X2, X2, X2};
      6'd43: i = '{ADD, X2, X2, X2};  // S = 4 x y^2
      6'd44: i = '{ADD, Y2, X2, X2};  // 2S
      6'd45: i = '{SUB, C, C, Y2};  // X3 = M^2 - 2S
      6'd46: i = '{SUB, X2, X2, C};  // S - X3
      6'd47: i = '{MUL, A, A, X2};  // M (S - X3)
      6'd48: i = '{FIN, C, C, FLAG_NONE};
      6'd49: i = '{ADD, B, B, B};
      6'd50: i = '{ADD, B, B, B};
      6'd51: i = '{ADD, B, B, B};  // 8 y^4
      6'd52: i = '{SUB, A, A, B};  // Y3
      6'd53: i = '{FIN, A, A, FLAG_NONE};
      6'd54: i = '{OUT, 3'd0, C, 3'd0};
      6'd55: i = '{OUT, 3'd1, A, 3'd0};
      6'd56: i = '{OUT, 3'd2, Z1, 3'd0};

      default: i = '{OUT, OUT_EMPTY, A, 3'd0};
    endcase
    return i;
  endfunction

endpackage
