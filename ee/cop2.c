// Coprocessor 2 instructions, which leave through the port: moves and macro operations.
#include "ee/bodies.h"

static const struct insn *refused(struct ee *ee, const struct insn *i, const char *why)
{
    ee_fault_message(ee, i, GUEST_FAULT_COP2, why);
    return i + 1;
}

// Bit 0 of the moves: wait for the running microprogram first.
static bool interlock(const struct insn *i)
{
    return i->word & 1;
}

const struct insn *op_qmfc2(struct ee *ee, const struct insn *i)
{
    uint64_t value[2];
    const char *why = ee->cop2 ? ee->cop2->read(ee->cop2->context, i->rd, interlock(i), value) : NULL;
    if (!ee->cop2 || why)
        return refused(ee, i, why);
    RT.d[0] = value[0];
    RT.d[1] = value[1];
    return i + 1;
}

const struct insn *op_qmtc2(struct ee *ee, const struct insn *i)
{
    const char *why = ee->cop2 ? ee->cop2->write(ee->cop2->context, i->rd, interlock(i), RT.d) : NULL;
    return !ee->cop2 || why ? refused(ee, i, why) : i + 1;
}

// The low word is sign-extended, as MFC1 does; VI registers are 16 bits and come without a sign.
const struct insn *op_cfc2(struct ee *ee, const struct insn *i)
{
    uint32_t value;
    const char *why =
        ee->cop2 ? ee->cop2->read_control(ee->cop2->context, i->rd, interlock(i), &value) : NULL;
    if (!ee->cop2 || why)
        return refused(ee, i, why);
    RT.d[0] = sext32(value);
    return i + 1;
}

// What may run a microprogram tells its PC, for whoever records that.
const struct insn *op_ctc2(struct ee *ee, const struct insn *i)
{
    ee->pc = address_of(ee, i);
    const char *why =
        ee->cop2 ? ee->cop2->write_control(ee->cop2->context, i->rd, interlock(i), RT.w[0]) : NULL;
    return !ee->cop2 || why ? refused(ee, i, why) : i + 1;
}

const struct insn *op_cop2(struct ee *ee, const struct insn *i)
{
    ee->pc = address_of(ee, i);
    const char *why = ee->cop2 ? ee->cop2->execute(ee->cop2->context, i->word) : NULL;
    return !ee->cop2 || why ? refused(ee, i, why) : i + 1;
}
