// Division and square root of PlayStation 2 floats: one radix-2 digit recurrence (SRT) with a carry-save
// remainder.
//
// 25 digits of -1, 0 or +1, no rounding, and a remainder that is never corrected: a result is the truncated
// one or one unit above (captured on both known consoles: ee_fpu_muldiv.tsv, ee_fpu_sqrt.tsv, group
// ee_fpu_divunit of console.tsv).
#include "ee/float_private.h"

// The remainder as two words to be added, and the next digit as two masks: all ones in `plus` for +1, in
// `minus` for -1, in neither for 0. No processor predicts branches on such digits, and in general registers
// compilers turn the masks back into branches; hence vectors, of which the first lane counts.
typedef ee_float4 word;
typedef int32_t signed_word __attribute__((vector_size(16)));

struct recurrence {
    word sum, carry, plus, minus;
};

static word all(uint32_t x)
{
    return (word){x, x, x, x};
}

static struct recurrence start(uint32_t remainder)
{
    return (struct recurrence){all(remainder), all(0), all(~0u), all(0)}; // the first digit is always +1
}

static word digit(const struct recurrence *r)
{
    return r->minus - r->plus;
}

// What the digit is selected by: the upper 8 bits of the sum word are added, the others merged.
static word estimate(word sum, word carry)
{
    return ((sum & 0xff000000) + carry) | (sum & 0x00ffffff);
}

// Takes the digit times the divisor off the remainder, doubles what is left and selects the next digit, which
// is +1 from 2^23 up, -1 below -2^24. After a digit 0 it is selected before the two words are compressed. A
// root's divisor depends on the sign of the digit.
static inline __attribute__((always_inline)) void step(struct recurrence *r, word plus_divisor,
                                                       word minus_divisor)
{
    word s = r->sum, c = r->carry - r->plus; // a complement's missing unit
    word t = (~plus_divisor & r->plus) + (minus_divisor & r->minus), some = r->plus | r->minus;
    word half = s ^ c, sum = half ^ t, carry = (s & c) | (half & t);
    carry += carry;
    signed_word v = (signed_word)((estimate(sum, carry) & some) + (estimate(s, c) & ~some));
    r->sum = sum + sum;
    r->carry = carry + carry;
    r->plus = (word)(v >= (signed_word)all(0x800000));
    r->minus = (word)(v < (signed_word)all(0 - 0x1000000u));
}

// 25 bits of n / d, of which the first is 1 when n >= d.
static uint32_t quotient(uint32_t n, uint32_t d)
{
    struct recurrence r = start(n << 2);
    word divisor = all(d << 2), result = digit(&r);
    for (int i = 1; i < 25; i++) {
        step(&r, divisor, divisor);
        result += result + digit(&r);
    }
    return result[0];
}

// 26 bits of the root, for a radicand of 25 or 26 bits. The divisor of a digit is the root before it, and
// half of the digit's own weight.
static uint32_t root(uint32_t radicand)
{
    struct recurrence r = start(radicand);
    word before = all(0), result = all(1u << 25);
    for (word half = all(1u << 24); half[0] > 1; half >>= 1) {
        step(&r, before + half, before - half);
        before = result;
        result += (half & r.plus) - (half & r.minus);
    }
    return result[0];
}

struct ee_float ee_float_div(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & SIGN;
    if (!(b & EXPONENT))
        return (struct ee_float){sign | MAX, a & EXPONENT ? EE_FLOAT_D : EE_FLOAT_I};
    if (!(a & EXPONENT))
        return (struct ee_float){sign, 0};
    uint32_t q = quotient((a & FRACTION) | HIDDEN, (b & FRACTION) | HIDDEN), carry = q >> 24;
    int e = (int)(a >> 23 & 255) - (int)(b >> 23 & 255) + 126 + (int)carry;
    // Neither end raises anything (late console).
    if (e > 255)
        return (struct ee_float){sign | MAX, 0};
    if (e < 1)
        return (struct ee_float){sign, 0};
    return (struct ee_float){sign | (uint32_t)e << 23 | (q >> carry & FRACTION), 0};
}

struct ee_float ee_float_sqrt(uint32_t b)
{
    uint32_t conditions = b & SIGN ? EE_FLOAT_I : 0, e = b >> 23 & 255;
    if (!e)
        return (struct ee_float){0, conditions};
    uint32_t q = root(((b & FRACTION) | HIDDEN) << (e & 1 ? 1 : 2));
    return (struct ee_float){(e + 127) >> 1 << 23 | (q >> 2 & FRACTION), conditions};
}

// Two steps: the root is cut to 24 bits before the division. I and D can be raised together.
struct ee_float ee_float_rsqrt(uint32_t a, uint32_t b)
{
    struct ee_float root_of_b = ee_float_sqrt(b), result = ee_float_div(a, root_of_b.bits);
    result.conditions |= root_of_b.conditions;
    return result;
}
