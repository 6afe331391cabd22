// Lower instructions without memory or a unit of their own: integers, moves, R, flag tests, branches.
#include "vu/bodies.h"

static uint32_t is(const struct vu *vu, const struct op *op)
{
    return vu->vi[op->s];
}

static uint32_t it(const struct vu *vu, const struct op *op)
{
    return vu->vi[op->t];
}

void vu_op_iadd(struct vu *vu, const struct op *op)
{
    put_vi_late(vu, op->d, is(vu, op) + it(vu, op));
}

void vu_op_isub(struct vu *vu, const struct op *op)
{
    put_vi_late(vu, op->d, is(vu, op) - it(vu, op));
}

void vu_op_iand(struct vu *vu, const struct op *op)
{
    put_vi_late(vu, op->d, is(vu, op) & it(vu, op));
}

void vu_op_ior(struct vu *vu, const struct op *op)
{
    put_vi_late(vu, op->d, is(vu, op) | it(vu, op));
}

void vu_op_iaddi(struct vu *vu, const struct op *op)
{
    put_vi_late(vu, op->d, is(vu, op) + (uint32_t)op->imm);
}

void vu_op_isubiu(struct vu *vu, const struct op *op)
{
    put_vi_late(vu, op->d, is(vu, op) - (uint32_t)op->imm);
}

void vu_op_loi(struct vu *vu, const struct op *op)
{
    vu->i = (uint32_t)op->imm;
}

// ---- moves

static uint32_t lane_of_fs(const struct vu *vu, const struct op *op)
{
    return vu->vf[op->s][op->imm & 3];
}

void vu_op_move(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, vu->vf[op->s]);
}

void vu_op_mr32(struct vu *vu, const struct op *op)
{
    ee_float4 v = vu->vf[op->s];
    put_vf(vu, op->d, op->lanes, (ee_float4){v[1], v[2], v[3], v[0]});
}

void vu_op_mtir(struct vu *vu, const struct op *op)
{
    put_vi_late(vu, op->d, lane_of_fs(vu, op));
}

void vu_op_mfir(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, splat((uint32_t)sign_extend(is(vu, op), 16)));
}

void vu_op_mfp(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, splat(vu->p));
}

// On VU0 this encoding loads quadword 255 (XDaoFangxiX/ARMSX2-Alpha:autocases_vulat.h, Q2_VU0EFU).
void vu_op_mfp_vu0(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, vu_load(vu, 255));
}

// ---- R: 23 bits, read as a float from 1.0 to 2.0

static ee_float4 random_float(const struct vu *vu)
{
    return splat(0x3f800000 | vu->r);
}

void vu_op_rget(struct vu *vu, const struct op *op)
{
    put_vf(vu, op->d, op->lanes, random_float(vu));
}

void vu_op_rnext(struct vu *vu, const struct op *op)
{
    vu->r = (vu->r << 1 | ((vu->r >> 4 ^ vu->r >> 22) & 1)) & 0x7fffff;
    put_vf(vu, op->d, op->lanes, random_float(vu));
}

void vu_op_rinit(struct vu *vu, const struct op *op)
{
    vu->r = lane_of_fs(vu, op) & 0x7fffff;
}

void vu_op_rxor(struct vu *vu, const struct op *op)
{
    vu->r ^= lane_of_fs(vu, op) & 0x7fffff;
}

// ---- flag tests

void vu_op_fceq(struct vu *vu, const struct op *op)
{
    put_vi(vu, 1, vu_clip(vu) == (uint32_t)op->imm);
}

void vu_op_fcand(struct vu *vu, const struct op *op)
{
    put_vi(vu, 1, (vu_clip(vu) & (uint32_t)op->imm) != 0);
}

void vu_op_fcor(struct vu *vu, const struct op *op)
{
    put_vi(vu, 1, (vu_clip(vu) | (uint32_t)op->imm) == 0xffffff);
}

void vu_op_fcget(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu_clip(vu) & 0xfff);
}

void vu_op_fcset(struct vu *vu, const struct op *op)
{
    vu_push_clip(vu, (uint32_t)op->imm);
}

void vu_op_fseq(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu_status(vu) == (uint32_t)op->imm);
}

void vu_op_fsand(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu_status(vu) & (uint32_t)op->imm);
}

void vu_op_fsor(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu_status(vu) | (uint32_t)op->imm);
}

void vu_op_fsset(struct vu *vu, const struct op *op)
{
    vu_push_sticky(vu, (uint32_t)op->imm & 0xfc0);
}

void vu_op_fmeq(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu_mac(vu) == is(vu, op));
}

void vu_op_fmand(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu_mac(vu) & is(vu, op));
}

void vu_op_fmor(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu_mac(vu) | is(vu, op));
}

// ---- branches

static void branch(struct vu *vu, uint32_t target, bool taken)
{
    vu->target = taken ? (int32_t)(target & vu->micro_mask) : -1;
    vu->link = 0;
}

// A conditional branch sees a register that the pair issued in the cycle before wrote as it was before that
// write (jpd002/Play-#1347, games; XDaoFangxiX/ARMSX2-Alpha:autocases_vubranch.h Q2_IHAZ), or before the
// first of several such pairs in a row (PSI-Rockin/DobieStation#157, a game). Only put_vi_late makes such
// writes: results of flag tests, loads, XTOP, XITOP and links are seen at once (not captured;
// PCSX2/pcsx2:pcsx2/VUops.cpp, and for flag tests pcsx2/x86/microVU_Analyze.inl).
static int32_t condition(const struct vu *vu, unsigned reg)
{
    if (vu->stale.reg != reg || vu->stale.cycle + 1 != vu->cycle)
        return (int16_t)vu->vi[reg];
    unsigned count = vu->stale.count, back = vu->config.stale_last_only ? 1 : count < STALE ? count : STALE;
    return (int16_t)vu->stale.value[(count - back) % STALE];
}

void vu_op_b(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, true);
}

void vu_op_bal(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, true);
    vu->link = op->d;
}

// JR and JALR see a register written in the pair before
// (unknownbrackets/ps2autotests:tests/vu/lower/branch.expected).
void vu_op_jr(struct vu *vu, const struct op *op)
{
    branch(vu, is(vu, op), true);
}

void vu_op_jalr(struct vu *vu, const struct op *op)
{
    branch(vu, is(vu, op), true);
    vu->link = op->d;
}

void vu_op_ibeq(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, condition(vu, op->s) == condition(vu, op->t));
}

void vu_op_ibne(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, condition(vu, op->s) != condition(vu, op->t));
}

void vu_op_ibltz(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, condition(vu, op->s) < 0);
}

void vu_op_ibgtz(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, condition(vu, op->s) > 0);
}

void vu_op_iblez(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, condition(vu, op->s) <= 0);
}

void vu_op_ibgez(struct vu *vu, const struct op *op)
{
    branch(vu, (uint32_t)op->imm, condition(vu, op->s) >= 0);
}

// ---- VIF and GIF

void vu_op_xtop(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu->top);
}

void vu_op_xitop(struct vu *vu, const struct op *op)
{
    put_vi(vu, op->d, vu->itop);
}

void vu_op_xgkick(struct vu *vu, const struct op *op)
{
    vu_start_kick(vu, is(vu, op));
}
