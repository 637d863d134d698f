// The functions that Rust calls; see sim/src/dut.rs.
#include "zkria_dut.h"

extern "C" {
void zkria_dut_free(ZkriaDut* dut) { delete dut; }
// Both return 1 once an assertion or $error has fired, else 0.
int zkria_dut_settle(ZkriaDut* dut) {
  dut->settle();
  return dut->failed();
}
int zkria_dut_tick(ZkriaDut* dut) {
  dut->tick();
  return dut->failed();
}
uint32_t zkria_dut_ports(const ZkriaDut* dut, const ZkriaPort** first) {
  *first = dut->ports().data();
  return static_cast<uint32_t>(dut->ports().size());
}
int zkria_dut_trace_open(ZkriaDut* dut, const char* path) { return dut->trace_open(path); }
void zkria_dut_trace_close(ZkriaDut* dut) { dut->trace_close(); }
}
