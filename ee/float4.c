// PlayStation 2 arithmetic on four lanes.
#include "ee/float.h"

#include <stddef.h>

static void keep(ee_float4 *bits, ee_float4 *conditions, unsigned i, struct ee_float r)
{
    (*bits)[i] = r.bits;
    if (conditions)
        (*conditions)[i] = r.conditions;
}

ee_float4 ee_float4_add(const struct ee_float_config *config, ee_float4 a, ee_float4 b, ee_float4 *conditions)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        keep(&r, conditions, i, ee_float_add(config, a[i], b[i]));
    return r;
}

ee_float4 ee_float4_sub(const struct ee_float_config *config, ee_float4 a, ee_float4 b, ee_float4 *conditions)
{
    return ee_float4_add(config, a, b ^ 0x80000000, conditions);
}

ee_float4 ee_float4_mul(ee_float4 a, ee_float4 b, ee_float4 *conditions)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        keep(&r, conditions, i, ee_float_mul(a[i], b[i]));
    return r;
}

ee_float4 ee_float4_madd(const struct ee_float_config *config, ee_float4 acc, ee_float4 acc_overflowed,
                         ee_float4 a, ee_float4 b, ee_float4 *conditions, struct ee_float4_product *product)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        keep(&r, conditions, i, ee_float_madd(config, acc[i], acc_overflowed[i], a[i], b[i]));
    if (product)
        product->bits = ee_float4_mul(a, b, &product->conditions);
    return r;
}

ee_float4 ee_float4_msub(const struct ee_float_config *config, ee_float4 acc, ee_float4 acc_overflowed,
                         ee_float4 a, ee_float4 b, ee_float4 *conditions, struct ee_float4_product *product)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        keep(&r, conditions, i, ee_float_msub(config, acc[i], acc_overflowed[i], a[i], b[i]));
    if (product)
        product->bits = ee_float4_mul(a, b, &product->conditions);
    return r;
}

ee_float4 ee_float4_max(ee_float4 a, ee_float4 b)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        r[i] = ee_float_max(a[i], b[i]);
    return r;
}

ee_float4 ee_float4_min(ee_float4 a, ee_float4 b)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        r[i] = ee_float_min(a[i], b[i]);
    return r;
}

ee_float4 ee_float4_from_int(ee_float4 x, unsigned fraction)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        r[i] = ee_float_from_int(x[i], fraction);
    return r;
}

ee_float4 ee_float4_to_int(ee_float4 v, unsigned fraction)
{
    ee_float4 r;
    for (unsigned i = 0; i < 4; i++)
        r[i] = ee_float_to_int(v[i], fraction);
    return r;
}
