/// Types and constants shared by every block of the `compact` engine.
///
/// FP_MODULUS stands here once; every other field constant is computed from it at elaboration, so
/// a wrong modulus gives wrong sums everywhere instead of a mixture that half works.
/// Field values are in Montgomery form, R = 2^255, fifteen words of 17 bits.
package zk_pkg;

  // A package offers constants; no top uses all of them.
  // verilator lint_off UNUSEDPARAM

  // ---------------------------------------------------------------- field

  /// BN254 base field modulus p (254 bits, p / 2^252 = 3.02).
  localparam logic [253:0] FP_MODULUS =
      254'h30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47;

  /// Bits of a field value and of log2 R.
  localparam int unsigned FP_BITS = 255;
  /// Bits of one multiplier word: an unsigned DSP48E2 tile takes 26 x 17.
  localparam int unsigned FP_WORD_BITS = 17;
  /// Words of a field value.
  localparam int unsigned FP_WORDS = 15;

  /// A field value, below 2p wherever it is "lazy", below p once stored.
  typedef logic [FP_BITS-1:0] fp_t;
  /// One multiplier word.
  typedef logic [FP_WORD_BITS-1:0] fp_word_t;
  /// A memory word: a field value, zero-extended.
  typedef logic [255:0] word256_t;

  /// k * p in 256 bits; the caller keeps k * p below 2^256 (k <= 5).
  function automatic word256_t fp_multiple(input int unsigned k);
    word256_t acc;
    acc = '0;
    for (int unsigned i = 0; i < k; i++) acc = acc + word256_t'(FP_MODULUS);
    return acc;
  endfunction

  /// 2^n mod p by n modular doublings.
  function automatic fp_t fp_pow2(input int unsigned n);
    word256_t acc;
    acc = word256_t'(1);
    for (int unsigned i = 0; i < n; i++) begin
      acc = {acc[254:0], 1'b0};
      if (acc >= word256_t'(FP_MODULUS)) acc = acc - word256_t'(FP_MODULUS);
    end
    return fp_t'(acc);
  endfunction

  /// -p^-1 mod 2^17 by Newton's iteration; five rounds take one correct bit to 32.
  function automatic fp_word_t fp_neg_inverse();
    fp_word_t x;
    x = fp_word_t'(1);
    for (int unsigned i = 0; i < 5; i++) begin
      x = fp_word_t'(x * fp_word_t'(fp_word_t'(2) - fp_word_t'(FP_MODULUS[16:0] * x)));
    end
    return fp_word_t'(-x);
  endfunction

  /// p as a field-sized value.
  localparam fp_t FP_P = fp_t'(FP_MODULUS);
  /// 2p, the bound of lazy values.
  localparam fp_t FP_2P = fp_t'(fp_multiple(2));
  /// One in Montgomery form: 2^255 mod p.
  localparam fp_t FP_ONE = fp_pow2(FP_BITS);
  /// N' = -p^-1 mod 2^17.
  localparam fp_word_t FP_NPRIME = fp_neg_inverse();

  /// Operation of zk_fp_addsub_ws.
  typedef enum logic [1:0] {
    /// a + b mod 2p; operands and result below 2p.
    LAZY_ADD  = 2'd0,
    /// a - b mod 2p; operands and result below 2p.
    LAZY_SUB  = 2'd1,
    /// a mod p; operand below 2p, result below p, b ignored.
    FINAL_SUB = 2'd2
  } addsub_op_e;

  // ---------------------------------------------------------------- MSM

  /// Bits of one unsigned window c.
  localparam int unsigned WINDOW_BITS = 11;
  /// Windows of a 256-bit scalar: the top one has 3 bits.
  localparam int unsigned NUM_WINDOWS = 24;
  /// Buckets of a window; bucket 0 is never used.
  localparam int unsigned NUM_BUCKETS = 1 << WINDOW_BITS;
  /// Bits of a scalar.
  localparam int unsigned SCALAR_BITS = 256;
  /// Bits of a stream beat.
  localparam int unsigned BEAT_BITS = 128;

  /// One window's digit, which is its bucket index.
  typedef logic [WINDOW_BITS-1:0] digit_t;
  /// One stream beat.
  typedef logic [BEAT_BITS-1:0] beat_t;

  // verilator lint_on UNUSEDPARAM

endpackage
