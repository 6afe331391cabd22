// Sums, products, order and conversion of PlayStation 2 floats, one value at a time.
#include "ee/float_private.h"

#include <stddef.h>

static uint32_t significand(uint32_t x)
{
    return (x & FRACTION) | HIDDEN;
}

static struct ee_float out_of_range(uint32_t sign, uint32_t wrapped, uint32_t remnant)
{
    if ((int32_t)wrapped < (int32_t)LOWEST_UNDERFLOW)
        return (struct ee_float){sign | MAX, EE_FLOAT_O};
    return (struct ee_float){sign | (wrapped & remnant), EE_FLOAT_U};
}

static struct ee_float add(const struct ee_float_config *config, uint32_t a, uint32_t b)
{
    // Which operand is the larger one and whether the signs differ cannot be predicted: masks instead of
    // branches.
    uint32_t exchange = (a ^ b) & (0 - (uint32_t)((a & MAX) < (b & MAX)));
    uint32_t larger = a ^ exchange, smaller = b ^ exchange, opposite = 0 - ((a ^ b) >> 31);
    uint32_t exponent = larger & EXPONENT, distance = (exponent - (smaller & EXPONENT)) >> 23;
    if (!(smaller & EXPONENT))
        return (struct ee_float){exponent ? larger : a & b & SIGN, 0};
    // One guard bit and no sticky bit: the smaller operand is cut before the sum.
    uint32_t cut = distance < 25 ? significand(smaller) << 1 >> distance : 0;
    uint32_t sum = (significand(larger) << 1) + ((cut ^ opposite) - opposite);
    if (!sum)
        return (struct ee_float){0, 0};
    uint32_t zeros = (uint32_t)__builtin_clz(sum); // 7 when the top bit is where it was
    uint32_t wrapped = (sum << zeros >> 8) + exponent + (6 - zeros) * HIDDEN;
    if ((int32_t)wrapped < (int32_t)HIDDEN)
        return out_of_range(larger & SIGN, wrapped, config && config->flush_underflow ? 0 : FRACTION);
    return (struct ee_float){(larger & SIGN) | wrapped, 0};
}

// The array's loss of 2^15 changes the result only by a borrow from bit 23, the lowest that a result can
// hold, which bits 15..22 of the product let through when all are clear; and there is no loss when the rows
// that can cause it, those of bits 0..15 of b, are all zero.
static struct ee_float multiply(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & SIGN;
    if (!(a & EXPONENT) || !(b & EXPONENT))
        return (struct ee_float){sign, 0};
    uint64_t product = (uint64_t)significand(a) * significand(b);
    if (!(product & 0x7f8000) && b & 0xffff)
        product = ee_float_sigmul(significand(a), significand(b));
    uint32_t m = (uint32_t)(product >> 23), carry = m >> 24;
    uint32_t wrapped = (m >> carry) + (a & EXPONENT) + (b & EXPONENT) + (carry - 128) * HIDDEN;
    if ((int32_t)wrapped < (int32_t)HIDDEN)
        return out_of_range(sign, wrapped, 0);
    return (struct ee_float){sign | wrapped, 0};
}

struct ee_float ee_float_add(const struct ee_float_config *config, uint32_t a, uint32_t b)
{
    return add(config, a, b);
}

struct ee_float ee_float_sub(const struct ee_float_config *config, uint32_t a, uint32_t b)
{
    return add(config, a, b ^ SIGN);
}

struct ee_float ee_float_mul(uint32_t a, uint32_t b)
{
    return multiply(a, b);
}

// The product is formed and cut first, then added: not fused. An overflow of the product wins over whatever
// ACC holds; then an ACC that itself came from an overflow is returned as it is (unverified: emulator sources
// only).
static struct ee_float accumulate(const struct ee_float_config *config, uint32_t acc, bool acc_overflowed,
                                  uint32_t a, uint32_t b, uint32_t flip)
{
    struct ee_float product = multiply(a, b);
    product.bits ^= flip;
    if (product.conditions & EE_FLOAT_O)
        return product;
    if (acc_overflowed && !(config && config->no_acc_latch))
        return (struct ee_float){acc, EE_FLOAT_O};
    struct ee_float sum = add(config, acc, product.bits);
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
    return x & EXPONENT ? x : 0;
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
    uint32_t magnitude = x & SIGN ? 0 - x : x, zeros = (uint32_t)__builtin_clz(magnitude);
    return (x & SIGN) | ((magnitude << zeros >> 8) + (127 + 30 - zeros - fraction) * HIDDEN);
}

uint32_t ee_float_to_int(uint32_t v, unsigned fraction)
{
    int e = (int)(v >> 23 & 255) - 127 + (int)fraction;
    if (!(v & EXPONENT) || e < 0)
        return 0;
    if (e >= 31)
        return v & SIGN ? SIGN : MAX;
    uint32_t magnitude = e > 23 ? significand(v) << (e - 23) : significand(v) >> (23 - e);
    return v & SIGN ? 0 - magnitude : magnitude;
}
