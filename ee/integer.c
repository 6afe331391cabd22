// Integer arithmetic, logic and shifts. 32-bit operations use the low words only and sign-extend their
// result.
#include "ee/bodies.h"

// The trapping forms: a fault leaves the destination alone.
static const struct insn *trapping32(struct ee *ee, const struct insn *i, union ee_reg *destination,
                                     int32_t a, int32_t b, bool subtract)
{
    int32_t result;
    if (subtract ? __builtin_sub_overflow(a, b, &result) : __builtin_add_overflow(a, b, &result))
        ee_fault(ee, i, GUEST_FAULT_OVERFLOW, 0);
    else
        destination->d[0] = sext32((uint32_t)result);
    return i + 1;
}

static const struct insn *trapping64(struct ee *ee, const struct insn *i, union ee_reg *destination,
                                     int64_t a, int64_t b, bool subtract)
{
    int64_t result;
    if (subtract ? __builtin_sub_overflow(a, b, &result) : __builtin_add_overflow(a, b, &result))
        ee_fault(ee, i, GUEST_FAULT_OVERFLOW, 0);
    else
        destination->d[0] = (uint64_t)result;
    return i + 1;
}

const struct insn *op_add(struct ee *ee, const struct insn *i)
{
    return trapping32(ee, i, &RD, (int32_t)RS.w[0], (int32_t)RT.w[0], false);
}

const struct insn *op_addi(struct ee *ee, const struct insn *i)
{
    return trapping32(ee, i, &RT, (int32_t)RS.w[0], i->imm, false);
}

const struct insn *op_sub(struct ee *ee, const struct insn *i)
{
    return trapping32(ee, i, &RD, (int32_t)RS.w[0], (int32_t)RT.w[0], true);
}

const struct insn *op_dadd(struct ee *ee, const struct insn *i)
{
    return trapping64(ee, i, &RD, (int64_t)RS.d[0], (int64_t)RT.d[0], false);
}

const struct insn *op_daddi(struct ee *ee, const struct insn *i)
{
    return trapping64(ee, i, &RT, (int64_t)RS.d[0], i->imm, false);
}

const struct insn *op_dsub(struct ee *ee, const struct insn *i)
{
    return trapping64(ee, i, &RD, (int64_t)RS.d[0], (int64_t)RT.d[0], true);
}

const struct insn *op_addu(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32(RS.w[0] + RT.w[0]);
    return i + 1;
}

const struct insn *op_subu(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32(RS.w[0] - RT.w[0]);
    return i + 1;
}

const struct insn *op_addiu(struct ee *ee, const struct insn *i)
{
    RT.d[0] = sext32(RS.w[0] + (uint32_t)i->imm);
    return i + 1;
}

const struct insn *op_daddu(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RS.d[0] + RT.d[0];
    return i + 1;
}

const struct insn *op_dsubu(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RS.d[0] - RT.d[0];
    return i + 1;
}

const struct insn *op_daddiu(struct ee *ee, const struct insn *i)
{
    RT.d[0] = RS.d[0] + (uint64_t)(int64_t)i->imm;
    return i + 1;
}

const struct insn *op_and(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RS.d[0] & RT.d[0];
    return i + 1;
}

const struct insn *op_or(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RS.d[0] | RT.d[0];
    return i + 1;
}

const struct insn *op_xor(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RS.d[0] ^ RT.d[0];
    return i + 1;
}

const struct insn *op_nor(struct ee *ee, const struct insn *i)
{
    RD.d[0] = ~(RS.d[0] | RT.d[0]);
    return i + 1;
}

const struct insn *op_andi(struct ee *ee, const struct insn *i)
{
    RT.d[0] = RS.d[0] & (uint32_t)i->imm;
    return i + 1;
}

const struct insn *op_ori(struct ee *ee, const struct insn *i)
{
    RT.d[0] = RS.d[0] | (uint32_t)i->imm;
    return i + 1;
}

const struct insn *op_xori(struct ee *ee, const struct insn *i)
{
    RT.d[0] = RS.d[0] ^ (uint32_t)i->imm;
    return i + 1;
}

const struct insn *op_lui(struct ee *ee, const struct insn *i)
{
    RT.d[0] = sext32((uint32_t)i->imm);
    return i + 1;
}

const struct insn *op_slt(struct ee *ee, const struct insn *i)
{
    RD.d[0] = (int64_t)RS.d[0] < (int64_t)RT.d[0];
    return i + 1;
}

const struct insn *op_sltu(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RS.d[0] < RT.d[0];
    return i + 1;
}

const struct insn *op_slti(struct ee *ee, const struct insn *i)
{
    RT.d[0] = (int64_t)RS.d[0] < i->imm;
    return i + 1;
}

const struct insn *op_sltiu(struct ee *ee, const struct insn *i)
{
    RT.d[0] = RS.d[0] < (uint64_t)(int64_t)i->imm;
    return i + 1;
}

const struct insn *op_sll(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32(RT.w[0] << i->sa);
    return i + 1;
}

const struct insn *op_srl(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32(RT.w[0] >> i->sa);
    return i + 1;
}

const struct insn *op_sra(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32((uint32_t)((int32_t)RT.w[0] >> i->sa));
    return i + 1;
}

const struct insn *op_sllv(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32(RT.w[0] << (RS.w[0] & 31));
    return i + 1;
}

const struct insn *op_srlv(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32(RT.w[0] >> (RS.w[0] & 31));
    return i + 1;
}

const struct insn *op_srav(struct ee *ee, const struct insn *i)
{
    RD.d[0] = sext32((uint32_t)((int32_t)RT.w[0] >> (RS.w[0] & 31)));
    return i + 1;
}

const struct insn *op_dsll(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RT.d[0] << i->sa;
    return i + 1;
}

const struct insn *op_dsrl(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RT.d[0] >> i->sa;
    return i + 1;
}

const struct insn *op_dsra(struct ee *ee, const struct insn *i)
{
    RD.d[0] = (uint64_t)((int64_t)RT.d[0] >> i->sa);
    return i + 1;
}

const struct insn *op_dsll32(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RT.d[0] << (i->sa + 32);
    return i + 1;
}

const struct insn *op_dsrl32(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RT.d[0] >> (i->sa + 32);
    return i + 1;
}

const struct insn *op_dsra32(struct ee *ee, const struct insn *i)
{
    RD.d[0] = (uint64_t)((int64_t)RT.d[0] >> (i->sa + 32));
    return i + 1;
}

const struct insn *op_dsllv(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RT.d[0] << (RS.w[0] & 63);
    return i + 1;
}

const struct insn *op_dsrlv(struct ee *ee, const struct insn *i)
{
    RD.d[0] = RT.d[0] >> (RS.w[0] & 63);
    return i + 1;
}

const struct insn *op_dsrav(struct ee *ee, const struct insn *i)
{
    RD.d[0] = (uint64_t)((int64_t)RT.d[0] >> (RS.w[0] & 63));
    return i + 1;
}

const struct insn *op_movz(struct ee *ee, const struct insn *i)
{
    if (RT.d[0] == 0)
        RD.d[0] = RS.d[0];
    return i + 1;
}

const struct insn *op_movn(struct ee *ee, const struct insn *i)
{
    if (RT.d[0] != 0)
        RD.d[0] = RS.d[0];
    return i + 1;
}
