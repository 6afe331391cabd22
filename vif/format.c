// The formats of UNPACK as straight loops, one for each: elements become 32-bit lanes.
//
// S repeats its element, V2 gives x y x y (unknownbrackets/ps2autotests:tests/dma/vif/unpack.expected). The w
// of V3 is the element that follows; where that is none of the same quadword is the caller's business.
#include "vif/core.h"

#include <string.h>

typedef int32_t signed_lanes __attribute__((vector_size(16)));
typedef uint16_t halves __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(16)));

typedef vif_lanes decode_one(const uint8_t *in);

// `one` is a constant wherever this is called, so the loop holds its body.
__attribute__((always_inline)) static inline void decode_all(uint8_t *out, const uint8_t *in, size_t n,
                                                             size_t size, decode_one *one)
{
    for (size_t i = 0; i < n; i++) {
        vif_lanes v = one(in + i * size);
        memcpy(out + 16 * i, &v, 16);
    }
}

static inline uint32_t load32(const uint8_t *in)
{
    uint32_t value;
    memcpy(&value, in, 4);
    return value;
}

static inline uint16_t load16(const uint8_t *in)
{
    uint16_t value;
    memcpy(&value, in, 2);
    return value;
}

static inline vif_lanes pair(uint32_t x, uint32_t y)
{
    return (vif_lanes){x, y, x, y};
}

// Four 16-bit elements, each in the upper half of its lane.
static inline vif_lanes four_halves(const uint8_t *in)
{
    uint64_t value;
    memcpy(&value, in, 8);
    halves h = (halves)(__attribute__((vector_size(16))) uint64_t){value};
    return (vif_lanes)__builtin_shufflevector(h, h, 0, 0, 1, 1, 2, 2, 3, 3);
}

// Four 8-bit elements, each in the upper byte of its lane.
static inline vif_lanes four_bytes(const uint8_t *in)
{
    bytes b = (bytes)(vif_lanes){load32(in)};
    return (vif_lanes)__builtin_shufflevector(b, b, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
}

static inline vif_lanes s32(const uint8_t *in)
{
    uint32_t x = load32(in);
    return pair(x, x);
}

static inline vif_lanes s16_signed(const uint8_t *in)
{
    uint32_t x = (uint32_t)(int16_t)load16(in);
    return pair(x, x);
}

static inline vif_lanes s16_unsigned(const uint8_t *in)
{
    return pair(load16(in), load16(in));
}

static inline vif_lanes s8_signed(const uint8_t *in)
{
    uint32_t x = (uint32_t)(int8_t)in[0];
    return pair(x, x);
}

static inline vif_lanes s8_unsigned(const uint8_t *in)
{
    return pair(in[0], in[0]);
}

static inline vif_lanes v2_32(const uint8_t *in)
{
    return pair(load32(in), load32(in + 4));
}

static inline vif_lanes v2_16_signed(const uint8_t *in)
{
    return pair((uint32_t)(int16_t)load16(in), (uint32_t)(int16_t)load16(in + 2));
}

static inline vif_lanes v2_16_unsigned(const uint8_t *in)
{
    return pair(load16(in), load16(in + 2));
}

static inline vif_lanes v2_8_signed(const uint8_t *in)
{
    return pair((uint32_t)(int8_t)in[0], (uint32_t)(int8_t)in[1]);
}

static inline vif_lanes v2_8_unsigned(const uint8_t *in)
{
    return pair(in[0], in[1]);
}

static inline vif_lanes v4_32(const uint8_t *in)
{
    vif_lanes v;
    memcpy(&v, in, 16);
    return v;
}

static inline vif_lanes v4_16_signed(const uint8_t *in)
{
    return (vif_lanes)((signed_lanes)four_halves(in) >> 16);
}

static inline vif_lanes v4_16_unsigned(const uint8_t *in)
{
    return four_halves(in) >> 16;
}

static inline vif_lanes v4_8_signed(const uint8_t *in)
{
    return (vif_lanes)((signed_lanes)four_bytes(in) >> 24);
}

static inline vif_lanes v4_8_unsigned(const uint8_t *in)
{
    return four_bytes(in) >> 24;
}

// Five bits each become the upper five of a byte, the single bit the uppermost.
static inline vif_lanes v4_5(const uint8_t *in)
{
    uint32_t value = load16(in);
    vif_lanes v = pair(value, value);
    return (v << 3 & (vif_lanes){0xf8, 0, 0, 0}) | (v >> 2 & (vif_lanes){0, 0xf8, 0, 0}) |
           (v >> 7 & (vif_lanes){0, 0, 0xf8, 0}) | (v >> 8 & (vif_lanes){0, 0, 0, 0x80});
}

static void decode_s32(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 4, s32);
}

static void decode_s16_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 2, s16_signed);
}

static void decode_s16_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 2, s16_unsigned);
}

static void decode_s8_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 1, s8_signed);
}

static void decode_s8_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 1, s8_unsigned);
}

static void decode_v2_32(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 8, v2_32);
}

static void decode_v2_16_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 4, v2_16_signed);
}

static void decode_v2_16_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 4, v2_16_unsigned);
}

static void decode_v2_8_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 2, v2_8_signed);
}

static void decode_v2_8_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 2, v2_8_unsigned);
}

static void decode_v3_32(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 12, v4_32);
}

static void decode_v3_16_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 6, v4_16_signed);
}

static void decode_v3_16_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 6, v4_16_unsigned);
}

static void decode_v3_8_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 3, v4_8_signed);
}

static void decode_v3_8_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 3, v4_8_unsigned);
}

static void decode_v4_32(uint8_t *out, const uint8_t *in, size_t n)
{
    memcpy(out, in, 16 * n);
}

static void decode_v4_16_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 8, v4_16_signed);
}

static void decode_v4_16_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 8, v4_16_unsigned);
}

static void decode_v4_8_signed(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 4, v4_8_signed);
}

static void decode_v4_8_unsigned(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 4, v4_8_unsigned);
}

static void decode_v4_5(uint8_t *out, const uint8_t *in, size_t n)
{
    decode_all(out, in, n, 2, v4_5);
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
