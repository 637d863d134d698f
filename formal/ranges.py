"""Integer proofs with z3: the ranges that the hardware's words stand for.

Each claim is stated as its negation; z3 must find no integers that satisfy it. A second run with
a deliberately wrong bound must find some, so that an empty set of assumptions cannot pass.
Called by tools/formal.py like the sby proofs.
"""

import sys

from z3 import And, If, Int, Not, Or, Solver, sat, unsat

P = 0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47
WORD = 2**32
WORDS = 8
R = 2**255


def check(name, assumptions, claim, expect=unsat):
    """Whether `claim` follows (or, with `expect=sat`, does not)."""
    solver = Solver()
    solver.set("timeout", 120_000)
    solver.add(*assumptions, Not(claim))
    verdict = solver.check()
    ok = verdict == expect
    print(f"  {name}: {'proved' if ok and expect == unsat else verdict if not ok else 'refuted'}")
    return ok


def words(name):
    """Eight 32-bit words and their value."""
    parts = [Int(f"{name}{i}") for i in range(WORDS)]
    return parts, sum(part * WORD**i for i, part in enumerate(parts))


def word_serial():
    """Adding word by word with a carry gives the sum modulo 2^256.

    From addsub_spec::add: word and carry of every position are the quotient and remainder of
    x + y + z + carry. The identity telescopes, so it holds for any words.
    """
    (x, x_value), (y, y_value), (z, z_value), (s, s_value) = map(words, "xyzs")
    carry = [Int(f"c{i}") for i in range(WORDS + 1)]
    step = [
        carry[i + 1] * WORD + s[i] == x[i] + y[i] + z[i] + carry[i] for i in range(WORDS)
    ]
    total = s_value + carry[WORDS] * 2**256 == x_value + y_value + z_value + carry[0]
    return [check("words add up", step, total)]


def two_passes(bound=2 * P):
    """The passes of zk_fp_addsub_ws give the residue in its range.

    `first` is a 256-bit word whose top bit is read as a sign: the sums lie in
    (-2p, 2p), which 256 bits hold in two's complement because 2p < 2^255.
    """
    a, b, first, wraps = Int("a"), Int("b"), Int("first"), Int("wraps")
    operands = [0 <= a, a < bound, 0 <= b, b < bound, 0 <= first, first < 2**256]
    negative = first >= 2**255

    def wrapped(value):  # value modulo 2^256
        return first == value + wraps * 2**256

    def corrected(result):  # first + 2p when negative, modulo 2^256
        up = first + 2 * P
        return result == If(negative, If(up >= 2**256, up - 2**256, up), first)

    r = Int("r")
    ok = []
    add = operands + [wrapped(a + b - 2 * P), corrected(r)]
    ok.append(
        check("LAZY_ADD", add, And(0 <= r, r < 2 * P, Or(r == a + b, r == a + b - 2 * P)))
    )
    sub = operands + [wrapped(a - b), corrected(r)]
    ok.append(check("LAZY_SUB", sub, And(0 <= r, r < 2 * P, Or(r == a - b, r == a - b + 2 * P))))
    final = operands + [wrapped(a - P), r == If(negative, a, first)]
    ok.append(check("FINAL_SUB", final, And(0 <= r, r < P, Or(r == a, r == a - P))))
    # The bound matters: operands up to 2p + 1 must break it.
    loose = [0 <= a, a <= 2 * P + 1, 0 <= b, b <= 2 * P + 1, *operands[4:]]
    ok.append(
        check("LAZY_ADD, operands too large", loose + [wrapped(a + b - 2 * P), corrected(r)],
              r < 2 * P, sat)
    )
    return ok


def product_range():
    """A product without final subtraction is below (A B p / R + 1) p.

    Montgomery's result is (a b + m p) / R exactly, with 0 <= m < R. z3 does not multiply unknowns
    well, so t stands for a b, which is all that is known of it: 0 <= t < A B p^2.
    """
    t, m, result = Int("t"), Int("m"), Int("result")
    exact = [result * R == t + m * P, 0 <= t, 0 <= m, m < R]
    ok = []
    # A B = 2.64: one lazy operand (below 2p) and one below 1.32 p, or less.
    ok.append(check("A B = 2.64 gives < 2p", exact + [100 * t <= 264 * P * P], result < 2 * P))
    ok.append(check("A B = 2 gives < 1.76p", exact + [t < 2 * P * P], 100 * result < 176 * P))
    ok.append(check("A B = 1 gives < 1.38p", exact + [t < P * P], 100 * result < 138 * P))
    ok.append(check("A B = 4 passes 2p", exact + [t < 4 * P * P], result < 2 * P, sat))
    ok.append(check("A B = 4 still fits 255 bits", exact + [t < 4 * P * P], result < R))
    return ok


def main():
    results = word_serial() + two_passes() + product_range()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
