// The formats of UNPACK as straight loops, one for each: elements become 32-bit lanes.
//
// S repeats its element, V2 gives x y x y (unknownbrackets/ps2autotests:tests/dma/vif/unpack.expected). The w
// of V3 is the element that follows; where that is none of the same quadword is the caller's business.
#include "vif/core.h"

#include <string.h>

typedef int32_t signed_lanes __attribute__((vector_size(16)));
typedef uint16_t halves __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(16)));

#define INLINE __attribute__((always_inline)) static inline

typedef vif_lanes decode_one(const uint8_t *in);

INLINE void store(uint8_t *out, vif_lanes v)
{
    memcpy(out, &v, 16);
}

// `one` is a constant wherever this is called, so the loop holds its body.
INLINE void decode_all(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row, size_t size, decode_one *one)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        store(out + 16 * i, one(in + i * size) + row);
        store(out + 16 * i + 16, one(in + i * size + size) + row);
        store(out + 16 * i + 32, one(in + i * size + 2 * size) + row);
        store(out + 16 * i + 48, one(in + i * size + 3 * size) + row);
    }
    for (; i < n; i++)
        store(out + 16 * i, one(in + i * size) + row);
}

INLINE uint32_t load32(const uint8_t *in)
{
    uint32_t value;
    memcpy(&value, in, 4);
    return value;
}

INLINE uint16_t load16(const uint8_t *in)
{
    uint16_t value;
    memcpy(&value, in, 2);
    return value;
}

INLINE vif_lanes load128(const uint8_t *in)
{
    vif_lanes v;
    memcpy(&v, in, 16);
    return v;
}

INLINE vif_lanes pair(uint32_t x, uint32_t y)
{
    return (vif_lanes){x, y, x, y};
}

// ---- widening: elements to the upper part of a lane, then down by a shift that keeps the sign or not. The
// shuffles are the interleaving ones that every x86-64 has.

INLINE vif_lanes low_halves(vif_lanes v)
{
    return (vif_lanes)__builtin_shufflevector((halves)v, (halves)v, 0, 0, 1, 1, 2, 2, 3, 3);
}

INLINE vif_lanes high_halves(vif_lanes v)
{
    return (vif_lanes)__builtin_shufflevector((halves)v, (halves)v, 4, 4, 5, 5, 6, 6, 7, 7);
}

INLINE vif_lanes low_bytes(vif_lanes v)
{
    return (vif_lanes)__builtin_shufflevector((bytes)v, (bytes)v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7,
                                              7);
}

INLINE vif_lanes high_bytes(vif_lanes v)
{
    return (vif_lanes)__builtin_shufflevector((bytes)v, (bytes)v, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
                                              14, 14, 15, 15);
}

INLINE vif_lanes down(vif_lanes v, int bits, bool sign)
{
    return sign ? (vif_lanes)((signed_lanes)v >> bits) : v >> bits;
}

// ---- one vector

INLINE vif_lanes s32(const uint8_t *in)
{
    uint32_t x = load32(in);
    return pair(x, x);
}

INLINE vif_lanes s16_signed(const uint8_t *in)
{
    uint32_t x = (uint32_t)(int16_t)load16(in);
    return pair(x, x);
}

INLINE vif_lanes s16_unsigned(const uint8_t *in)
{
    return pair(load16(in), load16(in));
}

INLINE vif_lanes s8_signed(const uint8_t *in)
{
    uint32_t x = (uint32_t)(int8_t)in[0];
    return pair(x, x);
}

INLINE vif_lanes s8_unsigned(const uint8_t *in)
{
    return pair(in[0], in[0]);
}

INLINE vif_lanes v2_32(const uint8_t *in)
{
    return pair(load32(in), load32(in + 4));
}

INLINE vif_lanes v2_16_signed(const uint8_t *in)
{
    return pair((uint32_t)(int16_t)load16(in), (uint32_t)(int16_t)load16(in + 2));
}

INLINE vif_lanes v2_16_unsigned(const uint8_t *in)
{
    return pair(load16(in), load16(in + 2));
}

INLINE vif_lanes v2_8_signed(const uint8_t *in)
{
    return pair((uint32_t)(int8_t)in[0], (uint32_t)(int8_t)in[1]);
}

INLINE vif_lanes v2_8_unsigned(const uint8_t *in)
{
    return pair(in[0], in[1]);
}

INLINE vif_lanes four_halves(const uint8_t *in)
{
    uint64_t value;
    memcpy(&value, in, 8);
    return low_halves((vif_lanes)(__attribute__((vector_size(16))) uint64_t){value});
}

INLINE vif_lanes four_16_signed(const uint8_t *in)
{
    return down(four_halves(in), 16, true);
}

INLINE vif_lanes four_16_unsigned(const uint8_t *in)
{
    return down(four_halves(in), 16, false);
}

INLINE vif_lanes four_8_signed(const uint8_t *in)
{
    return down(low_halves(low_bytes((vif_lanes){load32(in)})), 24, true);
}

INLINE vif_lanes four_8_unsigned(const uint8_t *in)
{
    return down(low_halves(low_bytes((vif_lanes){load32(in)})), 24, false);
}

// Five bits each become the upper five of a byte, the single bit the uppermost.
INLINE vif_lanes one_5(const uint8_t *in)
{
    uint32_t v = load16(in);
    return (vif_lanes){v << 3 & 0xf8, v >> 2 & 0xf8, v >> 7 & 0xf8, v >> 8 & 0x80};
}

// ---- sixteen bytes of packet at a time

// Sixteen 8-bit elements.
INLINE void store_bytes(uint8_t *out, vif_lanes v, vif_lanes row, bool sign)
{
    vif_lanes low = low_bytes(v), high = high_bytes(v);
    store(out, down(low_halves(low), 24, sign) + row);
    store(out + 16, down(high_halves(low), 24, sign) + row);
    store(out + 32, down(low_halves(high), 24, sign) + row);
    store(out + 48, down(high_halves(high), 24, sign) + row);
}

// Returns how many vectors it did.
INLINE size_t fours_8(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row, bool sign)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        store_bytes(out + 16 * i, load128(in + 4 * i), row, sign);
    return i;
}

INLINE size_t twos_16(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row, bool sign)
{
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        vif_lanes v = load128(in + 8 * i);
        store(out + 16 * i, down(low_halves(v), 16, sign) + row);
        store(out + 16 * i + 16, down(high_halves(v), 16, sign) + row);
    }
    return i;
}

// x and y, z and w become bytes of a half, then the halves are joined.
INLINE size_t eights_5(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        halves v = (halves)load128(in + 2 * i);
        halves xy = (v << 3 & 0xf8) | (v << 6 & 0xf800), zw = (v >> 7 & 0xf8) | (v & 0x8000);
        store_bytes(out + 16 * i, (vif_lanes)__builtin_shufflevector(xy, zw, 0, 8, 1, 9, 2, 10, 3, 11), row,
                    false);
        store_bytes(out + 16 * i + 64, (vif_lanes)__builtin_shufflevector(xy, zw, 4, 12, 5, 13, 6, 14, 7, 15),
                    row, false);
    }
    return i;
}

// ---- the formats

static void decode_s32(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 4, s32);
}

static void decode_s16_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 2, s16_signed);
}

static void decode_s16_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 2, s16_unsigned);
}

static void decode_s8_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 1, s8_signed);
}

static void decode_s8_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 1, s8_unsigned);
}

static void decode_v2_32(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 8, v2_32);
}

static void decode_v2_16_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 4, v2_16_signed);
}

static void decode_v2_16_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 4, v2_16_unsigned);
}

static void decode_v2_8_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 2, v2_8_signed);
}

static void decode_v2_8_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 2, v2_8_unsigned);
}

static void decode_v3_32(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 12, load128);
}

static void decode_v3_16_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 6, four_16_signed);
}

static void decode_v3_16_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 6, four_16_unsigned);
}

static void decode_v3_8_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 3, four_8_signed);
}

static void decode_v3_8_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 3, four_8_unsigned);
}

static void decode_v4_32(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    decode_all(out, in, n, row, 16, load128);
}

static void decode_v4_16_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    size_t done = twos_16(out, in, n, row, true);
    decode_all(out + 16 * done, in + 8 * done, n - done, row, 8, four_16_signed);
}

static void decode_v4_16_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    size_t done = twos_16(out, in, n, row, false);
    decode_all(out + 16 * done, in + 8 * done, n - done, row, 8, four_16_unsigned);
}

static void decode_v4_8_signed(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    size_t done = fours_8(out, in, n, row, true);
    decode_all(out + 16 * done, in + 4 * done, n - done, row, 4, four_8_signed);
}

static void decode_v4_8_unsigned(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    size_t done = fours_8(out, in, n, row, false);
    decode_all(out + 16 * done, in + 4 * done, n - done, row, 4, four_8_unsigned);
}

static void decode_v4_5(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row)
{
    size_t done = eights_5(out, in, n, row);
    decode_all(out + 16 * done, in + 2 * done, n - done, row, 2, one_5);
}

const struct vif_format vif_formats[16] = {
    [0x0] = {"S-32", 4, 4, {decode_s32, decode_s32}},
    [0x1] = {"S-16", 2, 2, {decode_s16_signed, decode_s16_unsigned}},
    [0x2] = {"S-8", 1, 1, {decode_s8_signed, decode_s8_unsigned}},
    [0x4] = {"V2-32", 8, 4, {decode_v2_32, decode_v2_32}},
    [0x5] = {"V2-16", 4, 2, {decode_v2_16_signed, decode_v2_16_unsigned}},
    [0x6] = {"V2-8", 2, 1, {decode_v2_8_signed, decode_v2_8_unsigned}},
    [0x8] = {"V3-32", 12, 4, {decode_v3_32, decode_v3_32}},
    [0x9] = {"V3-16", 6, 2, {decode_v3_16_signed, decode_v3_16_unsigned}},
    [0xa] = {"V3-8", 3, 1, {decode_v3_8_signed, decode_v3_8_unsigned}},
    [0xc] = {"V4-32", 16, 4, {decode_v4_32, decode_v4_32}},
    [0xd] = {"V4-16", 8, 2, {decode_v4_16_signed, decode_v4_16_unsigned}},
    [0xe] = {"V4-8", 4, 1, {decode_v4_8_signed, decode_v4_8_unsigned}},
    [0xf] = {"V4-5", 2, 2, {decode_v4_5, decode_v4_5}},
};
