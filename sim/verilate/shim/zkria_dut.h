// The C border between a Verilated top and Rust: one object, its ports as named memory.
#ifndef ZKRIA_DUT_H
#define ZKRIA_DUT_H

#include <cstdint>
#include <memory>
#include <vector>

#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

extern "C" struct ZkriaPort {
  const char* name;
  void* data;       // uint8_t, uint16_t, uint32_t, uint64_t or little-endian uint32_t words
  uint32_t bits;    // width of the port
  uint32_t output;  // 1 for an output of the top
};

// What every shim shares; the generated part knows the type of its top.
class ZkriaDut {
 public:
  virtual ~ZkriaDut() = default;
  // Evaluates with the clock low, so that outputs answer to the inputs just set.
  virtual void settle() = 0;
  // One rising edge.
  virtual void tick() = 0;
  virtual bool trace_open(const char* path) = 0;
  virtual void trace_close() = 0;

  bool failed() const { return ctx_.gotError(); }
  const std::vector<ZkriaPort>& ports() const { return ports_; }

 protected:
  explicit ZkriaDut(uint32_t seed) {
    // Registers without a reset start random: nothing may rely on their first value.
    ctx_.randReset(2);
    ctx_.randSeed(static_cast<int>(seed & 0x7fffffffU));
    ctx_.fatalOnError(false);  // a failed assertion is reported to Rust, not an abort
#if VM_TRACE
    ctx_.traceEverOn(true);
#endif
  }
  VerilatedContext ctx_;
  std::vector<ZkriaPort> ports_;
};

template <class Top>
class ZkriaDutOf : public ZkriaDut {
 public:
  explicit ZkriaDutOf(uint32_t seed) : ZkriaDut(seed), top_(new Top(&ctx_)) {}
  ~ZkriaDutOf() override {
    trace_close();
    top_->final();
  }
  void settle() override {
    top_->clk_i = 0;
    top_->eval();
    dump();
  }
  void tick() override {
    top_->clk_i = 1;
    top_->eval();
    dump();
    top_->clk_i = 0;
  }
  bool trace_open(const char* path) override {
#if VM_TRACE
    trace_.reset(new VerilatedFstC);
    top_->trace(trace_.get(), 99);
    trace_->open(path);
    return trace_->isOpen();
#else
    (void)path;
    return false;
#endif
  }
  void trace_close() override {
#if VM_TRACE
    if (trace_) trace_->close();
    trace_.reset();
#endif
  }

 protected:
  std::unique_ptr<Top> top_;

 private:
  void dump() {
    ctx_.timeInc(1);
#if VM_TRACE
    if (trace_) trace_->dump(ctx_.time());
#endif
  }
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> trace_;
#endif
};

#endif
