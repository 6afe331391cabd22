// Division and square root of PlayStation 2 floats: one radix-2 digit recurrence (SRT) with a carry-save
// remainder.
//
// 25 digits of -1, 0 or +1, no rounding, and a remainder that is never corrected: a result is the truncated
// one or one unit above.
#include "ee/float.h"

#define SIGN     0x80000000u
#define MAX      0x7fffffffu
#define FRACTION 0x007fffffu
#define HIDDEN   0x00800000u

static int exponent(uint32_t x)
{
    return (int)(x >> 23 & 255);
}

static uint32_t significand(uint32_t x)
{
    return (x & FRACTION) | HIDDEN;
}

struct remainder {
    uint32_t sum, carry;
};

// The digit is read off the top of the remainder; the low 24 bits of the sum word are not added but merged.
static int select_digit(struct remainder r)
{
    int32_t v = (int32_t)(((r.sum & 0xff000000) + r.carry) | (r.sum & 0x00ffffff));
    return v >= 0x800000 ? 1 : v < -0x1000000 ? -1 : 0;
}

// One step: takes digit q times the subtrahend off, doubles the remainder, and returns the next digit. With q
// = 0 the next digit is chosen before the two words are compressed.
static int step(struct remainder *r, int q, uint32_t subtrahend)
{
    uint32_t t = q > 0 ? ~subtrahend : q < 0 ? subtrahend : 0, s = r->sum, c = r->carry + (q > 0);
    struct remainder next = {s ^ c ^ t, ((s & c) | (s & t) | (c & t)) << 1};
    int digit = select_digit(q ? next : *r);
    r->sum = next.sum << 1;
    r->carry = next.carry << 1;
    return digit;
}

static uint32_t quotient(uint32_t n, uint32_t d)
{
    struct remainder r = {n << 2, 0};
    int32_t result = 0;
    for (int i = 0, q = 1; i < 25; i++) {
        result = 2 * result + q;
        q = step(&r, q, d << 2);
    }
    return (uint32_t)result;
}

static uint32_t root(uint32_t radicand)
{
    struct remainder r = {radicand, 0};
    int32_t result = 0;
    for (int i = 0, q = 1; i < 25; i++) {
        int32_t trial = result + q * (1 << (24 - i));
        result += q * (1 << (25 - i));
        q = step(&r, q, (uint32_t)trial);
    }
    return (uint32_t)result;
}

struct ee_float ee_float_div(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & SIGN;
    if (!exponent(b))
        return (struct ee_float){sign | MAX, exponent(a) ? EE_FLOAT_D : EE_FLOAT_I};
    if (!exponent(a))
        return (struct ee_float){sign, 0};
    uint32_t q = quotient(significand(a), significand(b));
    int carry = (int)(q >> 24), e = exponent(a) - exponent(b) + 126 + carry;
    // Neither end raises anything (late console).
    if (e > 255)
        return (struct ee_float){sign | MAX, 0};
    if (e < 1)
        return (struct ee_float){sign, 0};
    return (struct ee_float){sign | (uint32_t)e << 23 | (q >> carry & FRACTION), 0};
}

struct ee_float ee_float_sqrt(uint32_t b)
{
    uint32_t conditions = b & SIGN ? EE_FLOAT_I : 0;
    if (!exponent(b))
        return (struct ee_float){0, conditions};
    uint32_t q = root(significand(b) << (exponent(b) & 1 ? 1 : 2));
    return (struct ee_float){(uint32_t)(exponent(b) + 127) >> 1 << 23 | (q >> 2 & FRACTION), conditions};
}

// Two steps: the root is cut to 24 bits before the division. I and D can be raised together.
struct ee_float ee_float_rsqrt(uint32_t a, uint32_t b)
{
    struct ee_float root_of_b = ee_float_sqrt(b), result = ee_float_div(a, root_of_b.bits);
    result.conditions |= root_of_b.conditions;
    return result;
}
