// Sums, products, order and conversion of PlayStation 2 floats, four lanes at once.
//
// Without per-lane shifts in the baseline instruction set, conversions between integers and floats serve as
// shifters: one of a number that fits 24 bits is exact in every rounding mode, one to an integer cuts. No
// float is calculated with.
#include "ee/float_private.h"

#include <stddef.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef int32_t signed4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));

struct lanes {
    ee_float4 bits, conditions;
};

static ee_float4 all(uint32_t x)
{
    return (ee_float4){x, x, x, x};
}

static ee_float4 choose(ee_float4 mask, ee_float4 yes, ee_float4 no)
{
    return (mask & yes) | (~mask & no);
}

static ee_float4 less(ee_float4 a, ee_float4 b)
{
    return (ee_float4)((signed4)a < (signed4)b);
}

static ee_float4 is_zero(ee_float4 x)
{
    return less(x & MAX, all(HIDDEN));
}

static ee_float4 is_negative(ee_float4 x)
{
    return (ee_float4)((signed4)x < 0);
}

// Whether a mask is set in some lane.
static bool any(ee_float4 mask)
{
#ifdef __SSE2__
    return _mm_movemask_ps((__m128)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) >> 31;
#endif
}

// Upper halves of the 64-bit products.
static ee_float4 multiply_high(ee_float4 a, ee_float4 b)
{
#ifdef __SSE2__
    __m128i even = _mm_mul_epu32((__m128i)a, (__m128i)b);
    __m128i odd = _mm_mul_epu32(_mm_srli_epi64((__m128i)a, 32), _mm_srli_epi64((__m128i)b, 32));
    return (ee_float4)_mm_srli_epi64(even, 32) | ((ee_float4)odd & (ee_float4){0, ~0u, 0, ~0u});
#else
    ee_float4 high = {0};
    for (unsigned i = 0; i < 4; i++)
        high[i] = (uint32_t)((uint64_t)a[i] * b[i] >> 32);
    return high;
#endif
}

static ee_float4 to_float(ee_float4 integer)
{
    return (ee_float4) __builtin_convertvector((signed4)integer, float4);
}

static ee_float4 to_integer(ee_float4 bits)
{
    return (ee_float4) __builtin_convertvector((float4)bits, signed4);
}

// Settles the lanes whose word lies outside the range.
static struct lanes out_of_range(ee_float4 wrapped, ee_float4 outside, uint32_t remnant)
{
    ee_float4 over = outside & less(wrapped, all(LOWEST_UNDERFLOW)), under = outside & ~over;
    return (struct lanes){
        choose(over, all(MAX), choose(under, wrapped & remnant, wrapped)),
        (over & EE_FLOAT_O) | (under & EE_FLOAT_U),
    };
}

// The rules are those of add() in float.c.
static inline __attribute__((always_inline)) struct lanes add(const struct ee_float_config *config,
                                                              ee_float4 a, ee_float4 b)
{
    ee_float4 differ = a ^ b, larger = a ^ (differ & less(a & MAX, b & MAX)), smaller = differ ^ larger;
    ee_float4 exponent = larger & EXPONENT, opposite = is_negative(differ);
    // The smaller significand with its guard bit, cut: as a float its exponent is 24 less the distance. A
    // distance above 151 turns the word negative.
    ee_float4 scaled = (smaller & MAX) - exponent + (127 + 24) * HIDDEN;
    ee_float4 cut = to_integer(scaled & ~is_zero(smaller) & ~is_negative(scaled));
    ee_float4 sum = (((larger & FRACTION) | HIDDEN) << 1) + ((cut ^ opposite) - opposite);
    sum &= ~is_zero(larger);
    ee_float4 some = (ee_float4)(sum != 0), sign = larger & SIGN;
    // At most 26 bits, of which the upper 24 count.
    ee_float4 wrapped = to_float(sum & ~(sum >> 24 | sum >> 25)) + exponent - (127 + 24) * HIDDEN;
    ee_float4 outside = some & less(wrapped, all(HIDDEN)), conditions = {0};
    if (__builtin_expect(any(outside), 0)) {
        struct lanes settled =
            out_of_range(wrapped, outside, config && config->flush_underflow ? 0 : FRACTION);
        wrapped = settled.bits;
        conditions = settled.conditions;
    }
    return (struct lanes){(some & (wrapped | sign)) | (a & b & SIGN), conditions};
}

// The rules are those of multiply() in float.c. The significands lie at the top of their words, so that the
// upper half of the product holds its bits 47..16. Bits 22..16 alone are looked at: too many products pass,
// none too few.
static inline __attribute__((always_inline)) struct lanes multiply(ee_float4 a, ee_float4 b)
{
    ee_float4 high = multiply_high(a << 8 | SIGN, b << 8 | SIGN), zero = is_zero(a) | is_zero(b);
    ee_float4 doubtful = (ee_float4)((high & 0x7f) == 0) & (ee_float4)((b & 0xffff) != 0) & ~zero;
    if (__builtin_expect(any(doubtful), 0)) {
        typedef uint16_t half8 __attribute__((vector_size(16)));
        ee_float4 product = (ee_float4)((half8)a * (half8)b);
        high -= ee_float4_array_bit15(a, b) & ~(product >> 15); // the loss, where it borrows from bit 16
    }
    ee_float4 carry = is_negative(high);
    high += high & ~carry;
    ee_float4 wrapped = (high >> 8) + (a & EXPONENT) + (b & EXPONENT) - (carry << 23) - 128 * HIDDEN;
    ee_float4 outside = less(wrapped, all(HIDDEN)) & ~zero, conditions = {0};
    if (__builtin_expect(any(outside), 0)) {
        struct lanes settled = out_of_range(wrapped, outside, 0);
        wrapped = settled.bits;
        conditions = settled.conditions;
    }
    return (struct lanes){(wrapped & ~zero) | ((a ^ b) & SIGN), conditions};
}

// The rules are those of accumulate() in float.c.
static inline __attribute__((always_inline)) struct lanes accumulate(const struct ee_float_config *config,
                                                                     ee_float4 acc, ee_float4 acc_overflowed,
                                                                     struct lanes product)
{
    struct lanes sum = add(config, acc, product.bits);
    ee_float4 over = (ee_float4)(product.conditions == EE_FLOAT_O);
    if (config && config->mac_product_u)
        sum.conditions |= product.conditions;
    if (__builtin_expect(any(over | acc_overflowed), 0)) {
        ee_float4 latched = config && config->no_acc_latch ? all(0) : acc_overflowed;
        sum.bits = choose(over, product.bits, choose(latched, acc, sum.bits));
        sum.conditions = choose(over | latched, all(EE_FLOAT_O), sum.conditions);
    }
    return sum;
}

static ee_float4 give(struct lanes lanes, ee_float4 *conditions)
{
    if (conditions)
        *conditions = lanes.conditions;
    return lanes.bits;
}

ee_float4 ee_float4_add(const struct ee_float_config *config, ee_float4 a, ee_float4 b, ee_float4 *conditions)
{
    return give(add(config, a, b), conditions);
}

ee_float4 ee_float4_sub(const struct ee_float_config *config, ee_float4 a, ee_float4 b, ee_float4 *conditions)
{
    return give(add(config, a, b ^ SIGN), conditions);
}

ee_float4 ee_float4_mul(ee_float4 a, ee_float4 b, ee_float4 *conditions)
{
    return give(multiply(a, b), conditions);
}

ee_float4 ee_float4_madd(const struct ee_float_config *config, ee_float4 acc, ee_float4 acc_overflowed,
                         ee_float4 a, ee_float4 b, ee_float4 *conditions, struct ee_float4_product *product)
{
    struct lanes bare = multiply(a, b);
    if (product)
        *product = (struct ee_float4_product){bare.bits, bare.conditions};
    return give(accumulate(config, acc, acc_overflowed, bare), conditions);
}

ee_float4 ee_float4_msub(const struct ee_float_config *config, ee_float4 acc, ee_float4 acc_overflowed,
                         ee_float4 a, ee_float4 b, ee_float4 *conditions, struct ee_float4_product *product)
{
    struct lanes bare = multiply(a, b);
    if (product)
        *product = (struct ee_float4_product){bare.bits, bare.conditions};
    bare.bits ^= SIGN;
    return give(accumulate(config, acc, acc_overflowed, bare), conditions);
}

// Sign-magnitude order as two's complement order.
static ee_float4 ordered(ee_float4 x)
{
    return x ^ (is_negative(x) & MAX);
}

ee_float4 ee_float4_max(ee_float4 a, ee_float4 b)
{
    return choose(less(ordered(a), ordered(b)), b, a);
}

ee_float4 ee_float4_min(ee_float4 a, ee_float4 b)
{
    return choose(less(ordered(a), ordered(b)), a, b);
}

ee_float4 ee_float4_from_int(ee_float4 x, unsigned fraction)
{
    ee_float4 negative = is_negative(x), magnitude = (x ^ negative) - negative;
    ee_float4 excess = magnitude >> 24; // clear as many low bits as there are here
    excess |= excess >> 1;
    excess |= excess >> 2;
    excess |= excess >> 4;
    ee_float4 scaled = (to_float(magnitude & ~excess) & MAX) - fraction * HIDDEN;
    return (scaled & (ee_float4)(x != 0)) | (x & SIGN);
}

ee_float4 ee_float4_to_int(ee_float4 v, unsigned fraction)
{
    ee_float4 fits = less(v & MAX, all((127 + 31 - fraction) * HIDDEN));
    ee_float4 limit = is_negative(v) ^ MAX;
    return choose(fits, to_integer((v & fits & ~is_zero(v)) + (fits & fraction * HIDDEN)), limit);
}
