// MMI: lane-wise addition, subtraction, absolute value, maximum, minimum and comparison.
#include "ee/bodies.h"

// Lanes as vectors of 16 bytes; unions stay in the register file's own type.
typedef int8_t s8x16 __attribute__((vector_size(16)));
typedef int16_t s16x8 __attribute__((vector_size(16)));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));

static inline u8x16 bytes_of(const union ee_reg *r)
{
    u8x16 v;
    memcpy(&v, r, 16);
    return v;
}

static inline u16x8 halves_of(const union ee_reg *r)
{
    return (u16x8)bytes_of(r);
}

static inline u32x4 words_of(const union ee_reg *r)
{
    return (u32x4)bytes_of(r);
}

static inline const struct insn *result(struct ee *ee, const struct insn *i, u8x16 v)
{
    memcpy(&RD, &v, 16);
    return i + 1;
}

// Signed overflow of a sum happened where both operands differ in sign from it; the saturated value then is
// the limit on the side of a.
static inline u8x16 saturate8(u8x16 a, u8x16 wrapped, u8x16 overflow)
{
    s8x16 over = (s8x16)overflow < 0;
    return (u8x16)((over & (s8x16)((u8x16)((s8x16)a < 0) ^ 0x7f)) | (~over & (s8x16)wrapped));
}

static inline u16x8 saturate16(u16x8 a, u16x8 wrapped, u16x8 overflow)
{
    s16x8 over = (s16x8)overflow < 0;
    return (u16x8)((over & (s16x8)((u16x8)((s16x8)a < 0) ^ 0x7fff)) | (~over & (s16x8)wrapped));
}

static inline u32x4 saturate32(u32x4 a, u32x4 wrapped, u32x4 overflow)
{
    s32x4 over = (s32x4)overflow < 0;
    return (u32x4)((over & (s32x4)((u32x4)((s32x4)a < 0) ^ 0x7fffffffu)) | (~over & (s32x4)wrapped));
}

const struct insn *op_paddb(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    return result(ee, i, (u8x16)(a + b));
}

const struct insn *op_paddsb(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    u8x16 sum = a + b;
    return result(ee, i, (u8x16)saturate8(a, sum, (a ^ sum) & (b ^ sum)));
}

const struct insn *op_paddub(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    u8x16 sum = a + b;
    return result(ee, i, (u8x16)(sum | (u8x16)(sum < a)));
}

const struct insn *op_psubb(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    return result(ee, i, (u8x16)(a - b));
}

const struct insn *op_psubsb(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    u8x16 sum = a - b;
    return result(ee, i, (u8x16)saturate8(a, sum, (a ^ b) & (a ^ sum)));
}

const struct insn *op_psubub(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    return result(ee, i, (u8x16)((a - b) & (u8x16)(a > b)));
}

const struct insn *op_pceqb(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    return result(ee, i, (u8x16)(a == b));
}

const struct insn *op_pcgtb(struct ee *ee, const struct insn *i)
{
    u8x16 a = bytes_of(&RS), b = bytes_of(&RT);
    return result(ee, i, (u8x16)((s8x16)a > (s8x16)b));
}

const struct insn *op_paddh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    return result(ee, i, (u8x16)(a + b));
}

const struct insn *op_paddsh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    u16x8 sum = a + b;
    return result(ee, i, (u8x16)saturate16(a, sum, (a ^ sum) & (b ^ sum)));
}

const struct insn *op_padduh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    u16x8 sum = a + b;
    return result(ee, i, (u8x16)(sum | (u16x8)(sum < a)));
}

const struct insn *op_psubh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    return result(ee, i, (u8x16)(a - b));
}

const struct insn *op_psubsh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    u16x8 sum = a - b;
    return result(ee, i, (u8x16)saturate16(a, sum, (a ^ b) & (a ^ sum)));
}

const struct insn *op_psubuh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    return result(ee, i, (u8x16)((a - b) & (u16x8)(a > b)));
}

const struct insn *op_pceqh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    return result(ee, i, (u8x16)(a == b));
}

const struct insn *op_pcgth(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    return result(ee, i, (u8x16)((s16x8)a > (s16x8)b));
}

const struct insn *op_pmaxh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    u16x8 mask = (u16x8)((s16x8)a > (s16x8)b);
    return result(ee, i, (u8x16)((a & mask) | (b & ~mask)));
}

const struct insn *op_pminh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    u16x8 mask = (u16x8)((s16x8)a < (s16x8)b);
    return result(ee, i, (u8x16)((a & mask) | (b & ~mask)));
}

// The most negative value gives the most positive one.
const struct insn *op_pabsh(struct ee *ee, const struct insn *i)
{
    u16x8 v = halves_of(&RT), sign = (u16x8)((s16x8)v < 0);
    u16x8 magnitude = (v ^ sign) - sign;
    return result(ee, i, (u8x16)(magnitude + (u16x8)(magnitude == 0x8000)));
}

const struct insn *op_paddw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    return result(ee, i, (u8x16)(a + b));
}

const struct insn *op_paddsw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    u32x4 sum = a + b;
    return result(ee, i, (u8x16)saturate32(a, sum, (a ^ sum) & (b ^ sum)));
}

const struct insn *op_padduw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    u32x4 sum = a + b;
    return result(ee, i, (u8x16)(sum | (u32x4)(sum < a)));
}

const struct insn *op_psubw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    return result(ee, i, (u8x16)(a - b));
}

const struct insn *op_psubsw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    u32x4 sum = a - b;
    return result(ee, i, (u8x16)saturate32(a, sum, (a ^ b) & (a ^ sum)));
}

const struct insn *op_psubuw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    return result(ee, i, (u8x16)((a - b) & (u32x4)(a > b)));
}

const struct insn *op_pceqw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    return result(ee, i, (u8x16)(a == b));
}

const struct insn *op_pcgtw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    return result(ee, i, (u8x16)((s32x4)a > (s32x4)b));
}

const struct insn *op_pmaxw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    u32x4 mask = (u32x4)((s32x4)a > (s32x4)b);
    return result(ee, i, (u8x16)((a & mask) | (b & ~mask)));
}

const struct insn *op_pminw(struct ee *ee, const struct insn *i)
{
    u32x4 a = words_of(&RS), b = words_of(&RT);
    u32x4 mask = (u32x4)((s32x4)a < (s32x4)b);
    return result(ee, i, (u8x16)((a & mask) | (b & ~mask)));
}

// The most negative value gives the most positive one.
const struct insn *op_pabsw(struct ee *ee, const struct insn *i)
{
    u32x4 v = words_of(&RT), sign = (u32x4)((s32x4)v < 0);
    u32x4 magnitude = (v ^ sign) - sign;
    return result(ee, i, (u8x16)(magnitude + (u32x4)(magnitude == 0x80000000u)));
}

// Subtracts in the lower four halfwords, adds in the upper four.
const struct insn *op_padsbh(struct ee *ee, const struct insn *i)
{
    u16x8 a = halves_of(&RS), b = halves_of(&RT);
    const u16x8 lower = {0xffff, 0xffff, 0xffff, 0xffff};
    return result(ee, i, (u8x16)(((a - b) & lower) | ((a + b) & ~lower)));
}
