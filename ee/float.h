// PlayStation 2 single-precision arithmetic on bit patterns, shared by the EE FPU and both VUs.
//
// Every operation returns the 32 result bits and the conditions it raises; what a unit does with the
// conditions (FCR31, MAC, status) is the unit's business. Exponent field 0 is a zero, 255 an ordinary
// exponent, results are cut, not rounded. Values and conditions are those of the console rows in
// tests/vectors; what only one console or nobody was asked is marked in the sources and, where it may matter,
// a field of struct ee_float_config.
#ifndef EE_FLOAT_H
#define EE_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

// Conditions raised by one operation. Z and S are not here: they can be read off the result (Z is "exponent
// field of the result is zero", which also holds for an underflow remnant).
enum ee_float_condition {
    EE_FLOAT_U = 1, // underflow: the result was below 2^-126
    EE_FLOAT_O = 2, // overflow: the result was saturated to +-MAX
    EE_FLOAT_D = 4, // division of a non-zero value by zero
    EE_FLOAT_I = 8, // 0/0, or a root of a negative pattern
};

struct ee_float {
    uint32_t bits;
    uint32_t conditions; // enum ee_float_condition
};

// What the captures leave open. A NULL configuration means the defaults. Read on rare paths only.
struct ee_float_config {
    // An add/sub underflow gives a clean signed zero. Default: exponent field 0, the normalised fraction
    // stays.
    bool flush_underflow;
    // A multiply-add does not care that ACC came from an overflow. Default: it returns ACC and raises O.
    bool no_acc_latch;
    // A multiply-add whose product underflows raises U. Default: only its sum can.
    bool mac_product_u;
};

struct ee_float ee_float_add(const struct ee_float_config *, uint32_t a, uint32_t b);
struct ee_float ee_float_sub(const struct ee_float_config *, uint32_t a, uint32_t b);
// a is fs and b is ft: the multiplier is not commutative.
struct ee_float ee_float_mul(uint32_t a, uint32_t b);
// acc + a*b, or acc - a*b. acc_overflowed: the last write to ACC raised O.
struct ee_float ee_float_madd(const struct ee_float_config *, uint32_t acc, bool acc_overflowed, uint32_t a,
                              uint32_t b);
struct ee_float ee_float_msub(const struct ee_float_config *, uint32_t acc, bool acc_overflowed, uint32_t a,
                              uint32_t b);
struct ee_float ee_float_div(uint32_t a, uint32_t b);
struct ee_float ee_float_sqrt(uint32_t b);
struct ee_float ee_float_rsqrt(uint32_t a, uint32_t b); // a / sqrt(|b|)

// Sign-magnitude order, no flush; the chosen operand is copied.
uint32_t ee_float_max(uint32_t a, uint32_t b);
uint32_t ee_float_min(uint32_t a, uint32_t b);
// c.eq, c.lt, c.le: every pattern with exponent field 0 counts as zero.
bool ee_float_equal(uint32_t a, uint32_t b);
bool ee_float_less(uint32_t a, uint32_t b);

// Fixed point with `fraction` (0, 4, 12 or 15) fraction bits. To integer: truncates, saturates.
uint32_t ee_float_from_int(uint32_t x, unsigned fraction);
uint32_t ee_float_to_int(uint32_t v, unsigned fraction);

// Exact 48-bit product of two 24-bit significands less what the multiplier array loses (0 or 2^15).
uint64_t ee_float_sigmul(uint32_t a, uint32_t b);

// Four lanes at once.

typedef uint32_t ee_float4 __attribute__((vector_size(16)));

// `conditions` may be NULL; otherwise it gets, per lane, enum ee_float_condition.
ee_float4 ee_float4_add(const struct ee_float_config *, ee_float4 a, ee_float4 b, ee_float4 *conditions);
ee_float4 ee_float4_sub(const struct ee_float_config *, ee_float4 a, ee_float4 b, ee_float4 *conditions);
ee_float4 ee_float4_mul(ee_float4 a, ee_float4 b, ee_float4 *conditions);
// acc_overflowed: per lane all ones or zero. product (may be NULL): per lane the bare product a*b before the
// sum, as the VU's sticky flags need it; its underflow shows as exponent field 0 with product_conditions U.
struct ee_float4_product {
    ee_float4 bits, conditions;
};
ee_float4 ee_float4_madd(const struct ee_float_config *, ee_float4 acc, ee_float4 acc_overflowed, ee_float4 a,
                         ee_float4 b, ee_float4 *conditions, struct ee_float4_product *product);
ee_float4 ee_float4_msub(const struct ee_float_config *, ee_float4 acc, ee_float4 acc_overflowed, ee_float4 a,
                         ee_float4 b, ee_float4 *conditions, struct ee_float4_product *product);
ee_float4 ee_float4_max(ee_float4 a, ee_float4 b);
ee_float4 ee_float4_min(ee_float4 a, ee_float4 b);
ee_float4 ee_float4_from_int(ee_float4 x, unsigned fraction);
ee_float4 ee_float4_to_int(ee_float4 v, unsigned fraction);

#endif
