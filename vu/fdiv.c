// The divider: DIV, SQRT, RSQRT deliver Q and the D and I flags together, 7 or 13 cycles after they issued.
#include "vu/bodies.h"

enum {
    DIV_LATENCY = 7,
    RSQRT_LATENCY = 13
}; // unknownbrackets/ps2autotests:tests/vu/lower/fdivdelay.expected

static uint32_t fsf(const struct vu *vu, const struct op *op)
{
    return vu->vf[op->s][op->imm & 3];
}

static uint32_t ftf(const struct vu *vu, const struct op *op)
{
    return vu->vf[op->t][op->imm >> 2 & 3];
}

void vu_op_div(struct vu *vu, const struct op *op)
{
    vu_issue_fdiv(vu, ee_float_div(fsf(vu, op), ftf(vu, op)), DIV_LATENCY);
}

void vu_op_sqrt(struct vu *vu, const struct op *op)
{
    vu_issue_fdiv(vu, ee_float_sqrt(ftf(vu, op)), DIV_LATENCY);
}

void vu_op_rsqrt(struct vu *vu, const struct op *op)
{
    vu_issue_fdiv(vu, ee_float_rsqrt(fsf(vu, op), ftf(vu, op)), RSQRT_LATENCY);
}
