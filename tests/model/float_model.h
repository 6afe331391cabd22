// A second PlayStation 2 arithmetic, typed from the published description without regard to speed, to check
// ee/float with; each of its rules can be broken on request, to show that a check notices.
#ifndef TESTS_MODEL_FLOAT_MODEL_H
#define TESTS_MODEL_FLOAT_MODEL_H

#include "ee/float.h"

enum float_operation {
    FLOAT_ADD,
    FLOAT_SUB,
    FLOAT_MUL,
    FLOAT_MADD,
    FLOAT_MSUB,
    FLOAT_DIV,
    FLOAT_SQRT, // of b
    FLOAT_RSQRT,
    FLOAT_MAX,
    FLOAT_MIN,
    FLOAT_EQUAL, // 0 or 1
    FLOAT_LESS,
    FLOAT_LESS_EQUAL,
    FLOAT_FROM_INT, // of a; b is the number of fraction bits
    FLOAT_TO_INT,
    FLOAT_OPERATIONS,
};

enum float_fault {
    FLOAT_SOUND,
    // Sums.
    FLOAT_GUARD_0,
    FLOAT_GUARD_2,
    FLOAT_GUARD_3,
    FLOAT_GUARD_UNLIMITED,
    FLOAT_SUM_NEAREST,
    FLOAT_SUM_FLUSHED,
    FLOAT_SUM_INFINITE, // overflow gives 7f800000
    FLOAT_TOP_BINADE_OVERFLOWS,
    FLOAT_DENORMALS_COUNT,
    FLOAT_NEGATIVE_ZERO_SUM, // x - x takes the sign of the first operand
    // Products.
    FLOAT_PRODUCT_EXACT,
    FLOAT_PRODUCT_SWAPPED,
    FLOAT_PRODUCT_ALWAYS_LESS,
    FLOAT_PRODUCT_REMNANT,
    FLOAT_PRODUCT_ZERO_UNDERFLOWS,
    FLOAT_PRODUCT_OVERFLOW_ADDED,
    FLOAT_PRODUCT_UNDERFLOW_RAISES,
    FLOAT_FUSED,
    // Quotients and roots.
    FLOAT_QUOTIENT_CUT,
    FLOAT_QUOTIENT_NEAREST,
    FLOAT_QUOTIENT_RANGE_RAISES,
    FLOAT_QUOTIENT_D_FOR_ALL,
    FLOAT_ROOT_CUT,
    FLOAT_ROOT_NEAREST,
    FLOAT_ROOT_SIGN_KEPT,
    FLOAT_ROOT_NEGATIVE_ZERO,
    FLOAT_ROOT_ZERO_RAISES_NOTHING,
    FLOAT_RSQRT_SIGN_OF_BOTH,
    FLOAT_RSQRT_ONE_CONDITION,
    FLOAT_RSQRT_ROUNDED_ONCE,
    // Order and conversion.
    FLOAT_ORDER_ZEROS_EQUAL,
    FLOAT_ORDER_TWOS_COMPLEMENT,
    FLOAT_COMPARE_UNFLUSHED,
    FLOAT_CONVERT_NEAREST,
    FLOAT_CONVERT_WRAPS,
    FLOAT_FAULTS,
};

struct ee_float float_model(enum float_fault fault, enum float_operation operation, uint32_t acc, uint32_t a,
                            uint32_t b);

// What the multiplier array gives for two 24-bit significands.
uint64_t float_model_sigmul(uint32_t a, uint32_t b);

extern const char *const float_fault_names[FLOAT_FAULTS];

#endif
