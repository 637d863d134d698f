// Written by `cargo run -p zkria-hls-model --features rust-hdl --bin emit_hdl`; do not edit.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off MULTITOP */
/* verilator lint_off WIDTHEXPAND */
/* verilator lint_off WIDTHTRUNC */
module zk_fp_addsub_hdl(clk_i,rst_ni,valid_i,ready_o,op_i,a_i,b_i,tag_i,valid_o,ready_i,p_o,zero_o,tag_o);

    // Module arguments
    input wire  clk_i;
    input wire  rst_ni;
    input wire  valid_i;
    output reg  ready_o;
    input wire  [1:0] op_i;
    input wire  [254:0] a_i;
    input wire  [254:0] b_i;
    input wire  tag_i;
    output reg  valid_o;
    input wire  ready_i;
    output reg  [254:0] p_o;
    output reg  zero_o;
    output reg  tag_o;

    // Constant declarations
    localparam  op_lazy_add = 2'b0;
    localparam  op_final_sub = 2'b10;
    localparam  two_p = 256'h60c89ce5c263405370a08b6d0302b0bb2f02d522d0e3951a7841182db0f9fa8e;
    localparam  not_two_p = 256'h9f37631a3d9cbfac8f5f7492fcfd4f44d0fd2add2f1c6ae587bee7d24f060571;
    localparam  not_p = 256'hcf9bb18d1ece5fd647afba497e7ea7a2687e956e978e3572c3df73e9278302b8;
    localparam  zero = 256'h0;

    // Stub signals
    reg  run_q$d;
    wire  run_q$q;
    reg  run_q$clock;
    reg  second_q$d;
    wire  second_q$q;
    reg  second_q$clock;
    reg  out_valid_q$d;
    wire  out_valid_q$q;
    reg  out_valid_q$clock;
    reg  [2:0] idx_q$d;
    wire  [2:0] idx_q$q;
    reg  idx_q$clock;
    reg  [1:0] op_q$d;
    wire  [1:0] op_q$q;
    reg  op_q$clock;
    reg  tag_q$d;
    wire  tag_q$q;
    reg  tag_q$clock;
    reg  [255:0] a_q$d;
    wire  [255:0] a_q$q;
    reg  a_q$clock;
    reg  [255:0] b_q$d;
    wire  [255:0] b_q$q;
    reg  b_q$clock;
    reg  [255:0] k_q$d;
    wire  [255:0] k_q$q;
    reg  k_q$clock;
    reg  [255:0] r_q$d;
    wire  [255:0] r_q$q;
    reg  r_q$clock;
    reg  [1:0] carry_q$d;
    wire  [1:0] carry_q$q;
    reg  carry_q$clock;
    reg  negative_q$d;
    wire  negative_q$q;
    reg  negative_q$clock;
    reg  a_nonzero_q$d;
    wire  a_nonzero_q$q;
    reg  a_nonzero_q$clock;
    reg  r_nonzero_q$d;
    wire  r_nonzero_q$q;
    reg  r_nonzero_q$clock;

    // Local signals
    reg  accept;
    reg  last_word;
    reg  last_pass;
    reg  done;
    reg  [31:0] x;
    reg  [33:0] sum;
    reg  [31:0] word;
    reg  negative;
    reg  keep_a;

    // Sub module instances
    zk_fp_addsub_hdl$run_q run_q(
        .d(run_q$d),
        .q(run_q$q),
        .clock(run_q$clock)
    );
    zk_fp_addsub_hdl$second_q second_q(
        .d(second_q$d),
        .q(second_q$q),
        .clock(second_q$clock)
    );
    zk_fp_addsub_hdl$out_valid_q out_valid_q(
        .d(out_valid_q$d),
        .q(out_valid_q$q),
        .clock(out_valid_q$clock)
    );
    zk_fp_addsub_hdl$idx_q idx_q(
        .d(idx_q$d),
        .q(idx_q$q),
        .clock(idx_q$clock)
    );
    zk_fp_addsub_hdl$op_q op_q(
        .d(op_q$d),
        .q(op_q$q),
        .clock(op_q$clock)
    );
    zk_fp_addsub_hdl$tag_q tag_q(
        .d(tag_q$d),
        .q(tag_q$q),
        .clock(tag_q$clock)
    );
    zk_fp_addsub_hdl$a_q a_q(
        .d(a_q$d),
        .q(a_q$q),
        .clock(a_q$clock)
    );
    zk_fp_addsub_hdl$b_q b_q(
        .d(b_q$d),
        .q(b_q$q),
        .clock(b_q$clock)
    );
    zk_fp_addsub_hdl$k_q k_q(
        .d(k_q$d),
        .q(k_q$q),
        .clock(k_q$clock)
    );
    zk_fp_addsub_hdl$r_q r_q(
        .d(r_q$d),
        .q(r_q$q),
        .clock(r_q$clock)
    );
    zk_fp_addsub_hdl$carry_q carry_q(
        .d(carry_q$d),
        .q(carry_q$q),
        .clock(carry_q$clock)
    );
    zk_fp_addsub_hdl$negative_q negative_q(
        .d(negative_q$d),
        .q(negative_q$q),
        .clock(negative_q$clock)
    );
    zk_fp_addsub_hdl$a_nonzero_q a_nonzero_q(
        .d(a_nonzero_q$d),
        .q(a_nonzero_q$q),
        .clock(a_nonzero_q$clock)
    );
    zk_fp_addsub_hdl$r_nonzero_q r_nonzero_q(
        .d(r_nonzero_q$d),
        .q(r_nonzero_q$q),
        .clock(r_nonzero_q$clock)
    );

    // Update code
    always @(*) begin
        run_q$clock = clk_i;
        second_q$clock = clk_i;
        out_valid_q$clock = clk_i;
        idx_q$clock = clk_i;
        op_q$clock = clk_i;
        tag_q$clock = clk_i;
        a_q$clock = clk_i;
        b_q$clock = clk_i;
        k_q$clock = clk_i;
        r_q$clock = clk_i;
        carry_q$clock = clk_i;
        negative_q$clock = clk_i;
        a_nonzero_q$clock = clk_i;
        r_nonzero_q$clock = clk_i;
        run_q$d = run_q$q;
        second_q$d = second_q$q;
        out_valid_q$d = out_valid_q$q;
        idx_q$d = idx_q$q;
        op_q$d = op_q$q;
        tag_q$d = tag_q$q;
        a_q$d = a_q$q;
        b_q$d = b_q$q;
        k_q$d = k_q$q;
        r_q$d = r_q$q;
        carry_q$d = carry_q$q;
        negative_q$d = negative_q$q;
        a_nonzero_q$d = a_nonzero_q$q;
        r_nonzero_q$d = r_nonzero_q$q;
        ready_o = ~run_q$q & ~out_valid_q$q;
        accept = valid_i & ~run_q$q & ~out_valid_q$q;
        last_word = idx_q$q == 32'h7;
        last_pass = second_q$q | (op_q$q == op_final_sub);
        done = run_q$q & last_word & last_pass;
        x = a_q$q[(32'h0)+:(32)];
        if (second_q$q) begin
            x = r_q$q[(32'h0)+:(32)];
        end
        sum = ((x) & 34'h3ffffffff) + ((b_q$q[(32'h0)+:(32)]) & 34'h3ffffffff) + ((k_q$q[(32'h0)+:(32)]) & 34'h3ffffffff) + ((carry_q$q) & 34'h3ffffffff);
        word = sum[(32'h0)+:(32)];
        negative = sum[32'h1f];
        if (run_q$q) begin
            idx_q$d = idx_q$q + 32'h1;
            carry_q$d = sum[(32'h20)+:(2)];
            a_q$d = (a_q$q >> 32'h20) | (((a_q$q[(32'h0)+:(32)]) & 256'hffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff) << 32'he0);
            b_q$d = b_q$q >> 32'h20;
            k_q$d = k_q$q >> 32'h20;
            r_q$d = (r_q$q >> 32'h20) | (((word) & 256'hffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff) << 32'he0);
            a_nonzero_q$d = a_nonzero_q$q | |x;
            r_nonzero_q$d = r_nonzero_q$q | |word;
            if (last_word) begin
                second_q$d = 1'b1;
                carry_q$d = 32'h0;
                k_q$d = zero;
                if (negative) begin
                    k_q$d = two_p;
                end
                if (~second_q$q) begin
                    negative_q$d = negative;
                end
            end
        end
        if (accept) begin
            idx_q$d = 32'h0;
            second_q$d = 1'b0;
            op_q$d = op_i;
            tag_q$d = tag_i;
            carry_q$d = 32'h1;
            a_nonzero_q$d = 1'b0;
            r_nonzero_q$d = 1'b0;
            a_q$d = ((a_i) & 256'hffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff);
            b_q$d = ~((b_i) & 256'hffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff);
            k_q$d = zero;
            if (op_i == op_lazy_add) begin
                b_q$d = ((b_i) & 256'hffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff);
                k_q$d = not_two_p;
            end
            if (op_i == op_final_sub) begin
                b_q$d = zero;
                k_q$d = not_p;
            end
        end
        run_q$d = accept | (run_q$q & ~done);
        out_valid_q$d = done | (out_valid_q$q & ~ready_i);
        if (~rst_ni) begin
            run_q$d = 1'b0;
            out_valid_q$d = 1'b0;
        end
        keep_a = (op_q$q == op_final_sub) & negative_q$q;
        p_o = r_q$q[(32'h0)+:(255)];
        zero_o = (op_q$q == op_final_sub) & ~r_nonzero_q$q;
        if (keep_a) begin
            p_o = a_q$q[(32'h0)+:(255)];
            zero_o = ~a_nonzero_q$q;
        end
        valid_o = out_valid_q$q;
        tag_o = tag_q$q;
    end

endmodule // zk_fp_addsub_hdl


module zk_fp_addsub_hdl$a_nonzero_q(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$a_nonzero_q


module zk_fp_addsub_hdl$a_q(d,q,clock);

    // Module arguments
    input wire  [255:0] d;
    output reg  [255:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 256'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$a_q


module zk_fp_addsub_hdl$b_q(d,q,clock);

    // Module arguments
    input wire  [255:0] d;
    output reg  [255:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 256'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$b_q


module zk_fp_addsub_hdl$carry_q(d,q,clock);

    // Module arguments
    input wire  [1:0] d;
    output reg  [1:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 2'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$carry_q


module zk_fp_addsub_hdl$idx_q(d,q,clock);

    // Module arguments
    input wire  [2:0] d;
    output reg  [2:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 3'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$idx_q


module zk_fp_addsub_hdl$k_q(d,q,clock);

    // Module arguments
    input wire  [255:0] d;
    output reg  [255:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 256'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$k_q


module zk_fp_addsub_hdl$negative_q(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$negative_q


module zk_fp_addsub_hdl$op_q(d,q,clock);

    // Module arguments
    input wire  [1:0] d;
    output reg  [1:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 2'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$op_q


module zk_fp_addsub_hdl$out_valid_q(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$out_valid_q


module zk_fp_addsub_hdl$r_nonzero_q(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$r_nonzero_q


module zk_fp_addsub_hdl$r_q(d,q,clock);

    // Module arguments
    input wire  [255:0] d;
    output reg  [255:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 256'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$r_q


module zk_fp_addsub_hdl$run_q(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$run_q


module zk_fp_addsub_hdl$second_q(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$second_q


module zk_fp_addsub_hdl$tag_q(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // zk_fp_addsub_hdl$tag_q
