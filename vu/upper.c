// Upper instructions: the FMAC arithmetic on four lanes with its flags, conversions, CLIP.
#include "vu/bodies.h"

const ee_float4 vu_lane_masks[16] = {
    {0, 0, 0, 0},     {0, 0, 0, ~0u},     {0, 0, ~0u, 0},     {0, 0, ~0u, ~0u},
    {0, ~0u, 0, 0},   {0, ~0u, 0, ~0u},   {0, ~0u, ~0u, 0},   {0, ~0u, ~0u, ~0u},
    {~0u, 0, 0, 0},   {~0u, 0, 0, ~0u},   {~0u, 0, ~0u, 0},   {~0u, 0, ~0u, ~0u},
    {~0u, ~0u, 0, 0}, {~0u, ~0u, 0, ~0u}, {~0u, ~0u, ~0u, 0}, {~0u, ~0u, ~0u, ~0u},
};

static ee_float4 fs(const struct vu *vu, const struct op *op)
{
    return vu->vf[op->s];
}

static ee_float4 ft(const struct vu *vu, const struct op *op)
{
    return vu->vf[op->t];
}

static ee_float4 scalar(const struct vu *vu, const struct op *op)
{
    uint32_t word;
    memcpy(&word, (const char *)vu + op->scalar, 4);
    return splat(word);
}

// Lanes outside the destination read as zero in MAC (XDaoFangxiX/ARMSX2-Alpha:autocases_vusticky.h).
static void put(struct vu *vu, const struct op *op, ee_float4 result, ee_float4 conditions)
{
    put_vf(vu, op->d, op->lanes, result);
    push_flags(vu, flags_of(result, conditions) & vu_lane_masks[op->lanes], splat(0));
}

// ACC remembers per lane that its last value came from an overflow.
static void put_acc(struct vu *vu, const struct op *op, ee_float4 result, ee_float4 conditions)
{
    ee_float4 overflowed = (ee_float4)((conditions & EE_FLOAT_O) != 0);
    vu->acc_overflowed = blend(vu_lane_masks[op->lanes], overflowed, vu->acc_overflowed);
    put(vu, op, result, conditions);
}

static inline void add(struct vu *vu, const struct op *op, ee_float4 b)
{
    ee_float4 conditions, r = ee_float4_add(&vu->config.arithmetic, fs(vu, op), b, &conditions);
    put(vu, op, r, conditions);
}

static inline void sub(struct vu *vu, const struct op *op, ee_float4 b)
{
    ee_float4 conditions, r = ee_float4_sub(&vu->config.arithmetic, fs(vu, op), b, &conditions);
    put(vu, op, r, conditions);
}

static inline void mul(struct vu *vu, const struct op *op, ee_float4 b)
{
    ee_float4 conditions, r = ee_float4_mul(fs(vu, op), b, &conditions);
    put(vu, op, r, conditions);
}

static inline void adda(struct vu *vu, const struct op *op, ee_float4 b)
{
    ee_float4 conditions, r = ee_float4_add(&vu->config.arithmetic, fs(vu, op), b, &conditions);
    put_acc(vu, op, r, conditions);
}

static inline void suba(struct vu *vu, const struct op *op, ee_float4 b)
{
    ee_float4 conditions, r = ee_float4_sub(&vu->config.arithmetic, fs(vu, op), b, &conditions);
    put_acc(vu, op, r, conditions);
}

static inline void mula(struct vu *vu, const struct op *op, ee_float4 b)
{
    ee_float4 conditions, r = ee_float4_mul(fs(vu, op), b, &conditions);
    put_acc(vu, op, r, conditions);
}

// A multiply-add's MAC and cause bits describe the sum; the bare product's Z, S and U become sticky as well
// (zaim9002/ARMSX2-Performance:autocases_vuzsign.h, 28 rows).
static inline void multiply_add(struct vu *vu, const struct op *op, ee_float4 a, ee_float4 b, bool subtract)
{
    const struct ee_float_config *config = &vu->config.arithmetic;
    ee_float4 conditions, r, mask = vu_lane_masks[op->lanes];
    struct ee_float4_product product;
    r = subtract ? ee_float4_msub(config, vu->vf[VF_ACC], vu->acc_overflowed, a, b, &conditions, &product)
                 : ee_float4_madd(config, vu->vf[VF_ACC], vu->acc_overflowed, a, b, &conditions, &product);
    put_vf(vu, op->d, op->lanes, r);
    if (op->d == VF_ACC)
        vu->acc_overflowed = blend(mask, (ee_float4)((conditions & EE_FLOAT_O) != 0), vu->acc_overflowed);
    push_flags(vu, flags_of(r, conditions) & mask,
               flags_of(product.bits, product.conditions & LANE_U) & mask);
}

void vu_op_add(struct vu *vu, const struct op *op)
{
    add(vu, op, ft(vu, op));
}

void vu_op_add_s(struct vu *vu, const struct op *op)
{
    add(vu, op, scalar(vu, op));
}

void vu_op_sub(struct vu *vu, const struct op *op)
{
    sub(vu, op, ft(vu, op));
}

void vu_op_sub_s(struct vu *vu, const struct op *op)
{
    sub(vu, op, scalar(vu, op));
}

void vu_op_mul(struct vu *vu, const struct op *op)
{
    mul(vu, op, ft(vu, op));
}

void vu_op_mul_s(struct vu *vu, const struct op *op)
{
    mul(vu, op, scalar(vu, op));
}

void vu_op_madd(struct vu *vu, const struct op *op)
{
    multiply_add(vu, op, fs(vu, op), ft(vu, op), false);
}

void vu_op_madd_s(struct vu *vu, const struct op *op)
{
    multiply_add(vu, op, fs(vu, op), scalar(vu, op), false);
}

void vu_op_msub(struct vu *vu, const struct op *op)
{
    multiply_add(vu, op, fs(vu, op), ft(vu, op), true);
}

void vu_op_msub_s(struct vu *vu, const struct op *op)
{
    multiply_add(vu, op, fs(vu, op), scalar(vu, op), true);
}

void vu_op_adda(struct vu *vu, const struct op *op)
{
    adda(vu, op, ft(vu, op));
}

void vu_op_adda_s(struct vu *vu, const struct op *op)
{
    adda(vu, op, scalar(vu, op));
}

void vu_op_suba(struct vu *vu, const struct op *op)
{
    suba(vu, op, ft(vu, op));
}

void vu_op_suba_s(struct vu *vu, const struct op *op)
{
    suba(vu, op, scalar(vu, op));
}

void vu_op_mula(struct vu *vu, const struct op *op)
{
    mula(vu, op, ft(vu, op));
}

void vu_op_mula_s(struct vu *vu, const struct op *op)
{
    mula(vu, op, scalar(vu, op));
}

// Products for the outer product: lane x is fs.y * ft.z, and so on around; lane w is fs.w * +0
// (zaim9002/ARMSX2-Performance:pcsx2/VUops.cpp, whose authors measure on a console; no capture is published).
static ee_float4 yzx(ee_float4 v)
{
    return (ee_float4){v[1], v[2], v[0], v[3]};
}

static ee_float4 zxy0(ee_float4 v)
{
    return (ee_float4){v[2], v[0], v[1], 0};
}

void vu_op_opmula(struct vu *vu, const struct op *op)
{
    ee_float4 conditions, r = ee_float4_mul(yzx(fs(vu, op)), zxy0(ft(vu, op)), &conditions);
    put_acc(vu, op, r, conditions);
}

void vu_op_opmsub(struct vu *vu, const struct op *op)
{
    multiply_add(vu, op, yzx(fs(vu, op)), zxy0(ft(vu, op)), true);
}

void vu_op_max(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_max(fs(vu, op), ft(vu, op)));
}

void vu_op_max_s(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_max(fs(vu, op), scalar(vu, op)));
}

void vu_op_mini(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_min(fs(vu, op), ft(vu, op)));
}

void vu_op_mini_s(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_min(fs(vu, op), scalar(vu, op)));
}

void vu_op_abs(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, fs(vu, op) & 0x7fffffff);
}

void vu_op_itof0(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_from_int(fs(vu, op), 0));
}

void vu_op_itof4(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_from_int(fs(vu, op), 4));
}

void vu_op_itof12(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_from_int(fs(vu, op), 12));
}

void vu_op_itof15(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_from_int(fs(vu, op), 15));
}

void vu_op_ftoi0(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_to_int(fs(vu, op), 0));
}

void vu_op_ftoi4(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_to_int(fs(vu, op), 4));
}

void vu_op_ftoi12(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_to_int(fs(vu, op), 12));
}

void vu_op_ftoi15(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, ee_float4_to_int(fs(vu, op), 15));
}

// Magnitudes compare as integers; exponent field 0 counts as zero; the destination mask does not matter
// (unknownbrackets/ps2autotests:tests/vu/upper/clip.expected, autocases_vubranch.h Q7).
void vu_op_clip(struct vu *vu, const struct op *op)
{
    ee_float4 v = fs(vu, op);
    uint32_t w = vu->vf[op->t][3] & 0x7fffffff, bits = 0;
    w = w >> 23 ? w : 0;
    for (unsigned lane = 0; lane < 3; lane++) {
        uint32_t a = v[lane] & 0x7fffffff;
        if (a >> 23 && a > w)
            bits |= (v[lane] >> 31 ? 2u : 1u) << 2 * lane;
    }
    vu_push_clip(vu, vu_newest_clip(vu) << 6 | bits);
}
