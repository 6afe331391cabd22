// The R5900 model's own floating-point arithmetic on bit patterns: no NaN, no infinity, no denormal,
// truncation.
#ifndef TESTS_MODEL_R5900_FLOAT_H
#define TESTS_MODEL_R5900_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

// A result and the conditions that the operation raised: O, U, I, D of FCR31.
struct r5900_float {
    uint32_t value;
    bool overflow, underflow, invalid, divide_by_zero;
};

struct r5900_float r5900_float_add(uint32_t a, uint32_t b);
struct r5900_float r5900_float_sub(uint32_t a, uint32_t b);
// a is fs and b is ft; the order matters to the last bit.
struct r5900_float r5900_float_mul(uint32_t a, uint32_t b);
// acc + a * b, or acc - a * b; acc_overflow says that acc is the saturated result of an overflow.
struct r5900_float r5900_float_mac(uint32_t acc, bool acc_overflow, uint32_t a, uint32_t b, bool subtract);
struct r5900_float r5900_float_div(uint32_t a, uint32_t b);
struct r5900_float r5900_float_sqrt(uint32_t b);
struct r5900_float r5900_float_rsqrt(uint32_t a, uint32_t b);

uint32_t r5900_float_max(uint32_t a, uint32_t b);
uint32_t r5900_float_min(uint32_t a, uint32_t b);
bool r5900_float_equal(uint32_t a, uint32_t b);
bool r5900_float_less(uint32_t a, uint32_t b);
uint32_t r5900_float_from_int(uint32_t x);
uint32_t r5900_float_to_int(uint32_t a);

#endif
