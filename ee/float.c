// Add, multiply, multiply-add, order and conversion of PlayStation 2 floats, one value at a time.
//
// Evidence: console rows in tests/vectors (ee_fpu_*.tsv, console.tsv); the wording "late console" means that
// only an SCPH-90000 was asked.
#include "ee/float.h"

#include <stddef.h>

#define SIGN     0x80000000u
#define MAX      0x7fffffffu
#define FRACTION 0x007fffffu
#define HIDDEN   0x00800000u

static int exponent(uint32_t x)
{
    return (int)(x >> 23 & 255);
}

// Exponent field 0 is a zero whatever the fraction holds; 255 is an ordinary exponent.
static bool is_zero(uint32_t x)
{
    return !(x & 0x7f800000);
}

static uint32_t significand(uint32_t x)
{
    return (x & FRACTION) | HIDDEN;
}

static int top_bit(uint32_t x)
{
    return 31 - __builtin_clz(x);
}

// x shifted so that its top bit lies at bit 23, which falls away.
static uint32_t fraction_of(uint32_t x, int top)
{
    return (top > 23 ? x >> (top - 23) : x << (23 - top)) & FRACTION;
}

struct ee_float ee_float_add(const struct ee_float_config *config, uint32_t a, uint32_t b)
{
    if (is_zero(a) && is_zero(b))
        return (struct ee_float){a & b & SIGN, 0};
    if (is_zero(a))
        return (struct ee_float){b, 0};
    if (is_zero(b))
        return (struct ee_float){a, 0};
    if (exponent(a) < exponent(b)) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    // One guard bit and no sticky bit: the smaller operand is cut before the sum.
    int distance = exponent(a) - exponent(b);
    int32_t large = (int32_t)(significand(a) << 1);
    int32_t small = distance < 25 ? (int32_t)(significand(b) << 1 >> distance) : 0;
    int32_t sum = (a & SIGN ? -large : large) + (b & SIGN ? -small : small);
    if (sum == 0)
        return (struct ee_float){0, 0};
    uint32_t sign = sum < 0 ? SIGN : 0, magnitude = (uint32_t)(sum < 0 ? -sum : sum);
    int top = top_bit(magnitude), e = exponent(a) + top - 24;
    uint32_t fraction = fraction_of(magnitude, top);
    if (e > 255)
        return (struct ee_float){sign | MAX, EE_FLOAT_O};
    if (e < 1)
        return (struct ee_float){sign | (config && config->flush_underflow ? 0 : fraction), EE_FLOAT_U};
    return (struct ee_float){sign | (uint32_t)e << 23 | fraction, 0};
}

struct ee_float ee_float_sub(const struct ee_float_config *config, uint32_t a, uint32_t b)
{
    return ee_float_add(config, a, b ^ SIGN);
}

struct carry_save {
    uint32_t sum, carry;
};

static struct carry_save csa(uint32_t x, uint32_t y, uint32_t z)
{
    return (struct carry_save){x ^ y ^ z, ((x & y) | (x & z) | (y & z)) << 1};
}

// Row k of the array: a times the Booth digit of bits 2k+1..2k-1 of b; a negative row is complemented and its
// missing unit returned in *unit.
static uint32_t booth_row(uint32_t a, uint32_t b, unsigned k, uint32_t *unit)
{
    static const int digits[8] = {0, 1, 1, 2, -2, -1, -1, 0};
    int digit = digits[(k ? b >> (2 * k - 1) : b << 1) & 7];
    uint32_t row = (uint32_t)(digit < 0 ? -digit : digit) * a << (2 * k);
    *unit = digit < 0 ? 1u << (2 * k) : 0;
    return digit < 0 ? ~row & ~0u << (2 * k) : row;
}

// The array multiplier adds rows 0..7 with carry-save adders that lack part of the low-order logic.
// Everything above bit 15 is exact, so that it is enough to form bit 15 as the array does.
uint64_t ee_float_sigmul(uint32_t a, uint32_t b)
{
    uint32_t r[8], unit[8];
    for (unsigned k = 0; k < 8; k++)
        r[k] = booth_row(a, b, k, &unit[k]);
    struct carry_save x = csa(r[1], r[2], r[3]), y = csa(r[4] & ~0x7ffu, r[5] & ~0xfffu, r[6]);
    y.carry |= unit[6] | (r[5] & 0x800);
    r[7] |= (r[5] & 0x400) + unit[5];
    struct carry_save z = csa(r[0], x.sum, x.carry), v = csa(r[7], y.sum, y.carry);
    struct carry_save w = csa(z.carry, v.sum, v.carry);
    struct carry_save last = csa(z.sum, w.sum, w.carry);
    uint32_t low = (last.sum & ~0x7fffu) + ((last.carry + unit[7]) & ~0x7fffu);
    uint64_t product = (uint64_t)a * b;
    return (low ^ product) & 0x8000 ? product - 0x8000 : product;
}

struct ee_float ee_float_mul(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & SIGN;
    if (is_zero(a) || is_zero(b))
        return (struct ee_float){sign, 0};
    uint32_t m = (uint32_t)(ee_float_sigmul(significand(a), significand(b)) >> 23);
    int carry = (int)(m >> 24), e = exponent(a) + exponent(b) - 127 + carry;
    if (e > 255)
        return (struct ee_float){sign | MAX, EE_FLOAT_O};
    if (e < 1)
        return (struct ee_float){sign, EE_FLOAT_U};
    return (struct ee_float){sign | (uint32_t)e << 23 | (m >> carry & FRACTION), 0};
}

// The product is formed and cut first, then added: not fused. An overflow of the product wins over whatever
// ACC holds; then an ACC that itself came from an overflow is returned as it is (unverified: emulator sources
// only).
static struct ee_float accumulate(const struct ee_float_config *config, uint32_t acc, bool acc_overflowed,
                                  uint32_t a, uint32_t b, uint32_t flip)
{
    struct ee_float product = ee_float_mul(a, b);
    product.bits ^= flip;
    if (product.conditions & EE_FLOAT_O)
        return product;
    if (acc_overflowed && !(config && config->no_acc_latch))
        return (struct ee_float){acc, EE_FLOAT_O};
    struct ee_float sum = ee_float_add(config, acc, product.bits);
    if (config && config->mac_product_u)
        sum.conditions |= product.conditions;
    return sum;
}

struct ee_float ee_float_madd(const struct ee_float_config *config, uint32_t acc, bool acc_overflowed,
                              uint32_t a, uint32_t b)
{
    return accumulate(config, acc, acc_overflowed, a, b, 0);
}

struct ee_float ee_float_msub(const struct ee_float_config *config, uint32_t acc, bool acc_overflowed,
                              uint32_t a, uint32_t b)
{
    return accumulate(config, acc, acc_overflowed, a, b, SIGN);
}

// Sign-magnitude order as two's complement order.
static int32_t ordered(uint32_t x)
{
    return (int32_t)(x & SIGN ? ~x ^ SIGN : x);
}

uint32_t ee_float_max(uint32_t a, uint32_t b)
{
    return ordered(a) > ordered(b) ? a : b;
}

uint32_t ee_float_min(uint32_t a, uint32_t b)
{
    return ordered(a) < ordered(b) ? a : b;
}

static uint32_t flushed(uint32_t x)
{
    return is_zero(x) ? 0 : x;
}

bool ee_float_equal(uint32_t a, uint32_t b)
{
    return flushed(a) == flushed(b);
}

bool ee_float_less(uint32_t a, uint32_t b)
{
    return ordered(flushed(a)) < ordered(flushed(b));
}

uint32_t ee_float_from_int(uint32_t x, unsigned fraction)
{
    if (x == 0)
        return 0;
    uint32_t sign = x & SIGN, magnitude = sign ? 0 - x : x;
    int top = top_bit(magnitude);
    return sign | (uint32_t)(127 + top - (int)fraction) << 23 | fraction_of(magnitude, top);
}

uint32_t ee_float_to_int(uint32_t v, unsigned fraction)
{
    int e = exponent(v) - 127 + (int)fraction;
    if (is_zero(v) || e < 0)
        return 0;
    if (e >= 31)
        return v & SIGN ? SIGN : MAX;
    uint32_t magnitude = e > 23 ? significand(v) << (e - 23) : significand(v) >> (23 - e);
    return v & SIGN ? 0 - magnitude : magnitude;
}
