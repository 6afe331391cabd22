// S, T and Q in integers. Private to gs/.
//
// The rules are those fitted to captures of one SCPH-30001 (ARMSX2/ARMSX2#691): S, T and Q of a primitive
// share an exponent E and are counted in 2^(E - 14); at a pixel they are counts of 2^(E - 16).
#ifndef GS_PERSPECTIVE_H
#define GS_PERSPECTIVE_H

#include "gs/batch.h"

// Counts of pixels are below 2^36 also in slivers: gradients, at most 2^47 of the 2^-14 that the walk counts,
// are 2^-18 off over at most 2^17 sixteenths of a pixel.

struct gs_stq {
    int exponent;
    int32_t value[3][3]; // S, T, Q of each vertex
};
struct gs_stq gs_stq(const struct gs_vertex *, unsigned count);
// The same, or with PRIM.FST in place of S and T the vertices' U and V.
struct gs_stq gs_coordinates(const struct gs_raster *, const struct gs_vertex *, unsigned count);

// Q is 1 at all vertices.
bool gs_stq_affine(const struct gs_vertex[3]);
// S or, with `t`, T in units 14 bits below the leading one of the largest; returns the unit's exponent.
int gs_stq_axis(const struct gs_vertex[3], bool t, int64_t grains[3]);

// 1/q is mantissa / 2^(exponent + 16): fifteen bits below the leading one, rounded up from 0.3 (179/256 are
// added).
struct gs_reciprocal {
    uint32_t mantissa;
    int exponent; // floor(log2(q))
};
extern const uint16_t gs_reciprocals[256];
// For d of 18 bits: floor(2^33 / d + 179/256), by a table, a Newton step whose result is less than 1/4 too
// small, and the remainder.
static inline uint32_t gs_mantissa(uint32_t d)
{
    uint64_t seed = gs_reciprocals[d >> 9 & 255] + 65536u;
    int64_t missing = (INT64_C(1) << 34) - (int64_t)(seed * d);
    uint64_t times_256 = (seed << 7) + (uint64_t)((int64_t)seed * missing >> 27) + 179;
    uint32_t mantissa = (uint32_t)(times_256 >> 8);
    return mantissa + ((UINT64_C(1) << 41) + 179 * (uint64_t)d >= (mantissa + 1) * ((uint64_t)d << 8));
}

struct gs_reciprocal gs_reciprocal_large(uint64_t q);

// 1/0 is taken as 1/1: unverified.
static inline struct gs_reciprocal gs_reciprocal(uint64_t q)
{
    if (q >> 18)
        return gs_reciprocal_large(q);
    int exponent = 31 - __builtin_clz((uint32_t)q | 1);
    return (struct gs_reciprocal){gs_mantissa((uint32_t)(q | !q) << (17 - exponent)), exponent};
}

#define GS_TEXEL_LIMIT (1u << 30)

// s / q in sixteenths of a texel of a texture of 2^size texels, toward zero.
static inline int32_t gs_texel(int64_t s, bool q_negative, struct gs_reciprocal r, unsigned size)
{
    uint64_t magnitude = s < 0 ? -(uint64_t)s : (uint64_t)s;
    uint64_t texel = magnitude * r.mantissa >> (r.exponent + 12 - (int)size);
    texel = texel < GS_TEXEL_LIMIT ? texel : GS_TEXEL_LIMIT;
    return (s < 0) != q_negative ? -(int32_t)texel : (int32_t)texel;
}

// Level of detail in sixteenths, of |Q| = q * 2^(exponent - 16). Q of 0 is taken as q = 1: unverified.
int32_t gs_lod(const struct gs_raster *, uint64_t q, int exponent);

#endif
