// Assertion macros. They use the names clk_i and rst_ni of the module they stand in, are silent
// during reset, and vanish in synthesis (SYNTHESIS or YOSYS defined).
//
// `ZK_ASSERT(name, prop)                      prop holds at every clock edge; may use |-> and |=>
// `ZK_ASSERT_STABLE(name, valid, ready, data) a stalled beat holds: valid stays, data does not change
// `ZK_COVER(name, prop)                       prop was seen
`ifndef ZK_ASSERT_SVH
`define ZK_ASSERT_SVH

`ifdef SYNTHESIS
`define ZK_NO_ASSERT
`endif
`ifdef YOSYS
`define ZK_NO_ASSERT
`endif

`ifdef ZK_NO_ASSERT
`define ZK_ASSERT(name, prop)
`define ZK_ASSERT_STABLE(name, valid, ready, data)
`define ZK_COVER(name, prop)
`else
`define ZK_ASSERT(name, prop) \
  name: assert property (@(posedge clk_i) disable iff (!rst_ni) (prop)) \
    else $error("%m: assertion failed");
`define ZK_ASSERT_STABLE(name, valid, ready, data) \
  name: assert property (@(posedge clk_i) disable iff (!rst_ni) \
      ((valid) && !(ready)) |=> ((valid) && $stable(data))) \
    else $error("%m: stalled beat changed");
`define ZK_COVER(name, prop) \
  name: cover property (@(posedge clk_i) disable iff (!rst_ni) (prop));
`endif

`endif
