// PS2 arithmetic on bit patterns in few words, for decoders that do much of it. Private to harness/formats/.
#ifndef FORMATS_REAL_H
#define FORMATS_REAL_H

#include <stddef.h>

#include "ee/float.h"

#define REAL_ONE 0x3F800000u

static inline uint32_t real_add(uint32_t a, uint32_t b)
{
    return ee_float_add(NULL, a, b).bits;
}

static inline uint32_t real_sub(uint32_t a, uint32_t b)
{
    return ee_float_sub(NULL, a, b).bits;
}

// a is fs and b is ft: the multiplier is not commutative.
static inline uint32_t real_mul(uint32_t a, uint32_t b)
{
    return ee_float_mul(a, b).bits;
}

static inline uint32_t real_from_int(int32_t v)
{
    return ee_float_from_int((uint32_t)v, 0);
}

// Truncates and saturates.
static inline int32_t real_to_int(uint32_t v)
{
    return (int32_t)ee_float_to_int(v, 0);
}

static inline uint32_t real_magnitude(uint32_t v)
{
    return v & 0x7FFFFFFF;
}

// x * row 0 + y * row 1 + z * row 2 + row 3, as the vector units sum it: from row 3, the row being the first
// factor.
static inline void real_transform(const uint32_t rows[4][4], const uint32_t v[3], uint32_t out[4])
{
    for (unsigned lane = 0; lane < 4; lane++) {
        struct ee_float acc = ee_float_mul(rows[3][lane], REAL_ONE);
        for (unsigned k = 0; k < 3; k++)
            acc = ee_float_madd(NULL, acc.bits, acc.conditions & EE_FLOAT_O, rows[k][lane], v[k]);
        out[lane] = acc.bits;
    }
}

// What CLIP makes of x, y, z against w: bit 2n is lane n above, bit 2n + 1 below. Exponent 0 counts as zero.
static inline unsigned real_clip(const uint32_t v[3], uint32_t w)
{
    unsigned bits = 0;
    w = real_magnitude(w) >> 23 ? real_magnitude(w) : 0;
    for (unsigned lane = 0; lane < 3; lane++) {
        uint32_t a = real_magnitude(v[lane]);
        if (a >> 23 && a > w)
            bits |= (v[lane] >> 31 ? 2u : 1u) << 2 * lane;
    }
    return bits;
}

#endif
