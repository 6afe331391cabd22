// The elementary function unit of VU1: each operation delivers P after its own latency and raises no flag.
//
// Steps, operand orders and constants are pinned by console sweeps (unknownbrackets/ps2autotests:
// tests/vu/lower/efu.expected; zaim9002/ARMSX2-Performance:autocases_efu_band.h, autocases_efu_sweep.h); the
// order within p4*v and p5*v of EEXP is not pinned. Latencies: XDaoFangxiX/ARMSX2-Alpha:autocases_vulat.h.
#include "vu/bodies.h"

#define ONE  0x3f800000u
#define PI_4 0x3f490fdbu

struct term {
    uint32_t a, b;
};

static uint32_t mul(uint32_t a, uint32_t b)
{
    return ee_float_mul(a, b).bits;
}

// ACC = a*b of the first term, then ACC += a*b of each other.
static uint32_t chain(const struct vu *vu, const struct term *terms, unsigned count)
{
    struct ee_float acc = ee_float_mul(terms[0].a, terms[0].b);
    for (unsigned k = 1; k < count; k++)
        acc = ee_float_madd(&vu->config.arithmetic, acc.bits, acc.conditions & EE_FLOAT_O, terms[k].a,
                            terms[k].b);
    return acc.bits;
}

static uint32_t sum_of_squares(const struct vu *vu, ee_float4 v)
{
    return chain(vu, (struct term[]){{v[0], v[0]}, {v[1], v[1]}, {v[2], v[2]}}, 3);
}

static uint32_t arctangent(const struct vu *vu, uint32_t from, uint32_t to)
{
    static const uint32_t coefficient[8] = {0x3f7ffff5, 0xbeaaa61c, 0x3e4c40a6, 0xbe0e6c63,
                                            0x3dc577df, 0xbd6501c4, 0x3cb31652, 0xbb84d7e7};
    uint32_t difference = ee_float_sub(&vu->config.arithmetic, from, to).bits;
    uint32_t sum = ee_float_add(&vu->config.arithmetic, from, to).bits;
    uint32_t t = ee_float_div(difference, sum).bits, square = mul(t, t), power = t;
    struct term terms[9] = {{coefficient[0], t}};
    for (unsigned k = 1; k < 8; k++) {
        power = k == 1 ? mul(square, t) : mul(power, square);
        terms[k < 7 ? k : 8] = (struct term){power, coefficient[k]};
    }
    terms[7] = (struct term){ONE, PI_4};
    return chain(vu, terms, 9);
}

static uint32_t sine(const struct vu *vu, uint32_t v)
{
    static const uint32_t coefficient[5] = {0x3f800000, 0xbe2aaaa4, 0x3c08873e, 0xb94fb21f, 0x362e9c14};
    uint32_t square = mul(v, v), power = v;
    struct term terms[5] = {{v, coefficient[0]}};
    for (unsigned k = 1; k < 5; k++) {
        power = k == 1 ? mul(square, v) : mul(power, square);
        terms[k] = (struct term){power, coefficient[k]};
    }
    return chain(vu, terms, 5);
}

// exp(-v)
static uint32_t exponential(const struct vu *vu, uint32_t v)
{
    static const uint32_t coefficient[6] = {0x3e7fffa8, 0x3d0007f4, 0x3b29d3ff,
                                            0x3933e553, 0x36b63510, 0x353961ac};
    struct term terms[7] = {{v, coefficient[0]}};
    uint32_t power = v;
    for (unsigned k = 1; k < 6; k++) {
        power = mul(power, v);
        terms[k < 5 ? k : 6] = (struct term){power, coefficient[k]};
    }
    terms[5] = (struct term){ONE, ONE};
    uint32_t s = chain(vu, terms, 7);
    s = mul(s, s);
    return ee_float_div(ONE, mul(s, s)).bits;
}

static uint32_t fsf(const struct vu *vu, const struct op *op)
{
    return vu->vf[op->s][op->imm & 3];
}

void vu_op_esadd(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, sum_of_squares(vu, vu->vf[op->s]), 11);
}

void vu_op_ersadd(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, ee_float_div(ONE, sum_of_squares(vu, vu->vf[op->s])).bits, 18);
}

void vu_op_eleng(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, ee_float_sqrt(sum_of_squares(vu, vu->vf[op->s])).bits, 18);
}

void vu_op_erleng(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, ee_float_rsqrt(ONE, sum_of_squares(vu, vu->vf[op->s])).bits, 24);
}

void vu_op_eatanxy(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, arctangent(vu, vu->vf[op->s][1], vu->vf[op->s][0]), 54);
}

void vu_op_eatanxz(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, arctangent(vu, vu->vf[op->s][2], vu->vf[op->s][0]), 54);
}

void vu_op_esum(struct vu *vu, const struct op *op)
{
    ee_float4 v = vu->vf[op->s];
    vu_issue_efu(vu, chain(vu, (struct term[]){{v[0], ONE}, {v[1], ONE}, {v[2], ONE}, {v[3], ONE}}, 4), 12);
}

void vu_op_esqrt(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, ee_float_sqrt(fsf(vu, op)).bits, 12);
}

void vu_op_ersqrt(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, ee_float_rsqrt(ONE, fsf(vu, op)).bits, 18);
}

void vu_op_ercpr(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, ee_float_div(ONE, fsf(vu, op)).bits, 12);
}

void vu_op_esin(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, sine(vu, fsf(vu, op)), 29);
}

void vu_op_eatan(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, arctangent(vu, fsf(vu, op), ONE), 54);
}

void vu_op_eexp(struct vu *vu, const struct op *op)
{
    vu_issue_efu(vu, exponential(vu, fsf(vu, op)), 44);
}
