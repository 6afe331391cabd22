// Calls ee/float by the name of the operation.
#include "tests/support/float_run.h"

#include <stddef.h>
#include <string.h>

struct ee_float float_scalar(enum float_operation operation, uint32_t acc, uint32_t a, uint32_t b)
{
    switch (operation) {
    case FLOAT_ADD:
        return ee_float_add(NULL, a, b);
    case FLOAT_SUB:
        return ee_float_sub(NULL, a, b);
    case FLOAT_MUL:
        return ee_float_mul(a, b);
    case FLOAT_MADD:
        return ee_float_madd(NULL, acc, false, a, b);
    case FLOAT_MSUB:
        return ee_float_msub(NULL, acc, false, a, b);
    case FLOAT_DIV:
        return ee_float_div(a, b);
    case FLOAT_SQRT:
        return ee_float_sqrt(b);
    case FLOAT_RSQRT:
        return ee_float_rsqrt(a, b);
    case FLOAT_MAX:
        return (struct ee_float){ee_float_max(a, b), 0};
    case FLOAT_MIN:
        return (struct ee_float){ee_float_min(a, b), 0};
    case FLOAT_EQUAL:
        return (struct ee_float){ee_float_equal(a, b), 0};
    case FLOAT_LESS:
        return (struct ee_float){ee_float_less(a, b), 0};
    case FLOAT_LESS_EQUAL:
        return (struct ee_float){!ee_float_less(b, a), 0};
    case FLOAT_FROM_INT:
        return (struct ee_float){ee_float_from_int(a, b), 0};
    default:
        return (struct ee_float){ee_float_to_int(a, b), 0};
    }
}

bool float_has_lanes(enum float_operation operation)
{
    switch (operation) {
    case FLOAT_ADD:
    case FLOAT_SUB:
    case FLOAT_MUL:
    case FLOAT_MADD:
    case FLOAT_MSUB:
    case FLOAT_MAX:
    case FLOAT_MIN:
    case FLOAT_FROM_INT:
    case FLOAT_TO_INT:
        return true;
    default:
        return false;
    }
}

static ee_float4 apply(enum float_operation operation, ee_float4 acc, ee_float4 a, ee_float4 b,
                       ee_float4 *conditions)
{
    ee_float4 none = {0};
    switch (operation) {
    case FLOAT_ADD:
        return ee_float4_add(NULL, a, b, conditions);
    case FLOAT_SUB:
        return ee_float4_sub(NULL, a, b, conditions);
    case FLOAT_MUL:
        return ee_float4_mul(a, b, conditions);
    case FLOAT_MADD:
        return ee_float4_madd(NULL, acc, none, a, b, conditions, NULL);
    case FLOAT_MSUB:
        return ee_float4_msub(NULL, acc, none, a, b, conditions, NULL);
    case FLOAT_MAX:
        return ee_float4_max(a, b);
    case FLOAT_MIN:
        return ee_float4_min(a, b);
    case FLOAT_FROM_INT:
        return ee_float4_from_int(a, b[0]);
    default:
        return ee_float4_to_int(a, b[0]);
    }
}

void float_lanes(enum float_operation operation, const uint32_t acc[4], const uint32_t a[4],
                 const uint32_t b[4], struct ee_float results[4])
{
    ee_float4 x, y, z, conditions = {0};
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    memcpy(&z, acc, sizeof z);
    ee_float4 bits = apply(operation, z, x, y, &conditions);
    for (unsigned i = 0; i < 4; i++)
        results[i] = (struct ee_float){bits[i], conditions[i]};
}
