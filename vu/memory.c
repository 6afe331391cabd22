// Data memory: loads and stores, wrapping, and the window through which VU0 sees VU1's registers.
#include "vu/bodies.h"

// VU0's data space has its memory in every 0x400 quadwords with bit 10 clear, and the other unit's registers
// with it set (XDaoFangxiX/ARMSX2-Alpha:autocases_vulat.h, Q4_VU0).
static bool in_window(const struct vu *vu, uint32_t index)
{
    return vu->unit == VU_UNIT_0 && index & 0x400;
}

// 32 vectors, then the integer registers and the control registers up to TPC in lane x, written as CTC2
// writes them (the other lanes, the rest and the writes of control registers: unverified).
enum { WINDOW_CONTROL = 16, WINDOW_END = 27 };

static ee_float4 window_load(struct vu *other, uint32_t index)
{
    if (!other)
        return splat(0);
    if (index < 32)
        return other->vf[index];
    uint32_t n = index - 32;
    if (n >= WINDOW_END)
        return splat(0);
    return (ee_float4){n < WINDOW_CONTROL ? other->vi[n] : vu_control(other, n), 0, 0, 0};
}

static void window_store(struct vu *other, uint32_t index, unsigned lanes, ee_float4 value)
{
    if (!other)
        return;
    uint32_t n = index & 31;
    if (index < 32)
        put_vf(other, n ? n : VF_SINK, lanes, value);
    else if (lanes & 8 && n >= WINDOW_CONTROL && n < WINDOW_END)
        vu_set_control(other, n, value[0]);
    else if (lanes & 8 && n && n < WINDOW_CONTROL)
        other->vi[n] = (uint16_t)value[0];
}

ee_float4 vu_load(struct vu *vu, uint32_t index)
{
    if (in_window(vu, index))
        return window_load(vu->window, index & 63);
    return vu->data[index & vu->data_mask];
}

void vu_store(struct vu *vu, uint32_t index, unsigned lanes, ee_float4 value)
{
    if (in_window(vu, index)) {
        window_store(vu->window, index & 63, lanes, value);
        return;
    }
    ee_float4 *place = &vu->data[index & vu->data_mask];
    *place = blend(vu_lane_masks[lanes], value, *place);
}

static uint32_t base_s(const struct vu *vu, const struct op *op)
{
    return (uint16_t)(vu->vi[op->s] + op->imm);
}

static uint32_t base_t(const struct vu *vu, const struct op *op)
{
    return (uint16_t)(vu->vi[op->t] + op->imm);
}

void vu_op_lq(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, vu_load(vu, base_s(vu, op)));
}

void vu_op_sq(struct vu *vu, const struct op *op)
{
    vu_store(vu, base_t(vu, op), op->lanes, vu->vf[op->s]);
}

void vu_op_lqi(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, vu_load(vu, vu->vi[op->s]));
    put_vi_late(vu, op->s ? op->s : VI_SINK, vu->vi[op->s] + 1u);
}

// The counted address of VI00 is -1, though VI00 stays zero.
void vu_op_lqd(struct vu *vu, const struct op *op)
{
    uint16_t address = (uint16_t)(vu->vi[op->s] - 1);
    put_vf(vu, op->d, op->lanes, vu_load(vu, address));
    put_vi_late(vu, op->s ? op->s : VI_SINK, address);
}

void vu_op_sqi(struct vu *vu, const struct op *op)
{
    vu_store(vu, vu->vi[op->t], op->lanes, vu->vf[op->s]);
    put_vi_late(vu, op->d, vu->vi[op->t] + 1u);
}

void vu_op_sqd(struct vu *vu, const struct op *op)
{
    uint16_t address = (uint16_t)(vu->vi[op->t] - 1);
    vu_store(vu, address, op->lanes, vu->vf[op->s]);
    put_vi_late(vu, op->d, address);
}

// With several lanes named the last one counts (unverified).
void vu_op_ilw(struct vu *vu, const struct op *op)
{
    ee_float4 v = vu_load(vu, base_s(vu, op));
    put_vi(vu, op->d, v[3 - __builtin_ctz(op->lanes)]);
}

void vu_op_isw(struct vu *vu, const struct op *op)
{
    vu_store(vu, base_s(vu, op), op->lanes, splat(vu->vi[op->t]));
}
