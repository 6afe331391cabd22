// System calls, breaks, traps, and the instructions that do nothing a program can see.
#include "ee/bodies.h"

// SYNC, PREF and CACHE: the model has neither caches nor a write buffer.
const struct insn *op_none(struct ee *ee, const struct insn *i)
{
    (void)ee;
    return i + 1;
}

const struct insn *op_reserved(struct ee *ee, const struct insn *i)
{
    ee_fault(ee, i, GUEST_FAULT_RESERVED, 0);
    return i + 1;
}

const struct insn *op_break(struct ee *ee, const struct insn *i)
{
    ee_fault(ee, i, GUEST_FAULT_BREAK, 0);
    return i + 1;
}

// The port sees the PC behind the instruction and may move it; the call counts as retired when it returns.
const struct insn *op_syscall(struct ee *ee, const struct insn *i)
{
    if (!ee->ports.syscall) {
        ee_fault(ee, i, GUEST_FAULT_SYSCALL, 0);
        return i + 1;
    }
    return ee_call_port(ee, i, ee->ports.syscall, ee->ports.context, address_of(ee, i) + 4, 1);
}

static const struct insn *trap_if(struct ee *ee, const struct insn *i, bool condition)
{
    if (condition)
        ee_fault(ee, i, GUEST_FAULT_TRAP, 0);
    return i + 1;
}

const struct insn *op_tge(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, (int64_t)RS.d[0] >= (int64_t)RT.d[0]);
}

const struct insn *op_tgeu(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, RS.d[0] >= RT.d[0]);
}

const struct insn *op_tlt(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, (int64_t)RS.d[0] < (int64_t)RT.d[0]);
}

const struct insn *op_tltu(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, RS.d[0] < RT.d[0]);
}

const struct insn *op_teq(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, RS.d[0] == RT.d[0]);
}

const struct insn *op_tne(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, RS.d[0] != RT.d[0]);
}

const struct insn *op_tgei(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, (int64_t)RS.d[0] >= i->imm);
}

const struct insn *op_tgeiu(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, RS.d[0] >= (uint64_t)(int64_t)i->imm);
}

const struct insn *op_tlti(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, (int64_t)RS.d[0] < i->imm);
}

const struct insn *op_tltiu(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, RS.d[0] < (uint64_t)(int64_t)i->imm);
}

const struct insn *op_teqi(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, (int64_t)RS.d[0] == i->imm);
}

const struct insn *op_tnei(struct ee *ee, const struct insn *i)
{
    return trap_if(ee, i, (int64_t)RS.d[0] != i->imm);
}
