// Multiply, divide, multiply-accumulate and HI/LO moves of both pipes. Pipe 1 uses the upper halves of HI and
// LO.
#include "ee/bodies.h"

// LO gets the low word of the product, HI the high one, both sign-extended; rd gets LO.
static const struct insn *product(struct ee *ee, const struct insn *i, unsigned pipe, uint64_t value)
{
    ee->lo.d[pipe] = sext32((uint32_t)value);
    ee->hi.d[pipe] = sext32((uint32_t)(value >> 32));
    RD.d[0] = ee->lo.d[pipe];
    return i + 1;
}

static uint64_t accumulator(const struct ee *ee, unsigned pipe)
{
    return (uint64_t)(uint32_t)ee->hi.d[pipe] << 32 | (uint32_t)ee->lo.d[pipe];
}

static uint64_t signed_product(const struct ee *ee, const struct insn *i)
{
    return (uint64_t)((int64_t)(int32_t)RS.w[0] * (int32_t)RT.w[0]);
}

static uint64_t unsigned_product(const struct ee *ee, const struct insn *i)
{
    return (uint64_t)RS.w[0] * RT.w[0];
}

static const struct insn *divide_signed(struct ee *ee, const struct insn *i, unsigned pipe)
{
    int32_t quotient, remainder;
    divide_words((int32_t)RS.w[0], (int32_t)RT.w[0], &quotient, &remainder);
    ee->lo.d[pipe] = sext32((uint32_t)quotient);
    ee->hi.d[pipe] = sext32((uint32_t)remainder);
    return i + 1;
}

static const struct insn *divide_unsigned(struct ee *ee, const struct insn *i, unsigned pipe)
{
    uint32_t a = RS.w[0], b = RT.w[0];
    ee->lo.d[pipe] = sext32(b ? a / b : UINT32_MAX);
    ee->hi.d[pipe] = sext32(b ? a % b : a);
    return i + 1;
}

const struct insn *op_mult(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 0, signed_product(ee, i));
}

const struct insn *op_multu(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 0, unsigned_product(ee, i));
}

const struct insn *op_madd(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 0, accumulator(ee, 0) + signed_product(ee, i));
}

const struct insn *op_maddu(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 0, accumulator(ee, 0) + unsigned_product(ee, i));
}

const struct insn *op_div(struct ee *ee, const struct insn *i)
{
    return divide_signed(ee, i, 0);
}

const struct insn *op_divu(struct ee *ee, const struct insn *i)
{
    return divide_unsigned(ee, i, 0);
}

const struct insn *op_mfhi(struct ee *ee, const struct insn *i)
{
    RD.d[0] = ee->hi.d[0];
    return i + 1;
}

const struct insn *op_mflo(struct ee *ee, const struct insn *i)
{
    RD.d[0] = ee->lo.d[0];
    return i + 1;
}

const struct insn *op_mthi(struct ee *ee, const struct insn *i)
{
    ee->hi.d[0] = RS.d[0];
    return i + 1;
}

const struct insn *op_mtlo(struct ee *ee, const struct insn *i)
{
    ee->lo.d[0] = RS.d[0];
    return i + 1;
}

const struct insn *op_mult1(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 1, signed_product(ee, i));
}

const struct insn *op_multu1(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 1, unsigned_product(ee, i));
}

const struct insn *op_madd1(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 1, accumulator(ee, 1) + signed_product(ee, i));
}

const struct insn *op_maddu1(struct ee *ee, const struct insn *i)
{
    return product(ee, i, 1, accumulator(ee, 1) + unsigned_product(ee, i));
}

const struct insn *op_div1(struct ee *ee, const struct insn *i)
{
    return divide_signed(ee, i, 1);
}

const struct insn *op_divu1(struct ee *ee, const struct insn *i)
{
    return divide_unsigned(ee, i, 1);
}

const struct insn *op_mfhi1(struct ee *ee, const struct insn *i)
{
    RD.d[0] = ee->hi.d[1];
    return i + 1;
}

const struct insn *op_mflo1(struct ee *ee, const struct insn *i)
{
    RD.d[0] = ee->lo.d[1];
    return i + 1;
}

const struct insn *op_mthi1(struct ee *ee, const struct insn *i)
{
    ee->hi.d[1] = RS.d[0];
    return i + 1;
}

const struct insn *op_mtlo1(struct ee *ee, const struct insn *i)
{
    ee->lo.d[1] = RS.d[0];
    return i + 1;
}
