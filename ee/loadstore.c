// Loads and stores. A faulting access changes nothing.
#include "ee/bodies.h"

const struct insn *op_lb(struct ee *ee, const struct insn *i)
{
    int8_t value;
    if (bus_read(ee, i, effective(ee, i), sizeof value, GUEST_SIGNED, &value))
        RT.d[0] = (uint64_t)(int64_t)value;
    return i + 1;
}

const struct insn *op_lbu(struct ee *ee, const struct insn *i)
{
    uint8_t value;
    if (bus_read(ee, i, effective(ee, i), sizeof value, GUEST_UNSIGNED, &value))
        RT.d[0] = value;
    return i + 1;
}

const struct insn *op_lh(struct ee *ee, const struct insn *i)
{
    int16_t value;
    if (bus_read(ee, i, effective(ee, i), sizeof value, GUEST_SIGNED, &value))
        RT.d[0] = (uint64_t)(int64_t)value;
    return i + 1;
}

const struct insn *op_lhu(struct ee *ee, const struct insn *i)
{
    uint16_t value;
    if (bus_read(ee, i, effective(ee, i), sizeof value, GUEST_UNSIGNED, &value))
        RT.d[0] = value;
    return i + 1;
}

const struct insn *op_lw(struct ee *ee, const struct insn *i)
{
    int32_t value;
    if (bus_read(ee, i, effective(ee, i), sizeof value, GUEST_SIGNED, &value))
        RT.d[0] = (uint64_t)(int64_t)value;
    return i + 1;
}

const struct insn *op_lwu(struct ee *ee, const struct insn *i)
{
    uint32_t value;
    if (bus_read(ee, i, effective(ee, i), sizeof value, GUEST_UNSIGNED, &value))
        RT.d[0] = value;
    return i + 1;
}

const struct insn *op_ld(struct ee *ee, const struct insn *i)
{
    uint64_t value;
    if (bus_read(ee, i, effective(ee, i), sizeof value, GUEST_UNSIGNED, &value))
        RT.d[0] = value;
    return i + 1;
}

const struct insn *op_sb(struct ee *ee, const struct insn *i)
{
    bus_write(ee, i, effective(ee, i), 1, GUEST_UNSIGNED, &RT.b[0]);
    return i + 1;
}

const struct insn *op_sh(struct ee *ee, const struct insn *i)
{
    bus_write(ee, i, effective(ee, i), 2, GUEST_UNSIGNED, &RT.h[0]);
    return i + 1;
}

const struct insn *op_sw(struct ee *ee, const struct insn *i)
{
    bus_write(ee, i, effective(ee, i), 4, GUEST_UNSIGNED, &RT.w[0]);
    return i + 1;
}

const struct insn *op_sd(struct ee *ee, const struct insn *i)
{
    bus_write(ee, i, effective(ee, i), 8, GUEST_UNSIGNED, &RT.d[0]);
    return i + 1;
}

// LQ and SQ ignore the low four address bits. A fault reports the address as it was formed.
const struct insn *op_lq(struct ee *ee, const struct insn *i)
{
    union ee_reg value;
    if (bus_read(ee, i, effective(ee, i) & ~15u, 16, GUEST_VECTOR, &value))
        RT = value;
    else
        ee->ctl.stop.address = effective(ee, i);
    return i + 1;
}

const struct insn *op_sq(struct ee *ee, const struct insn *i)
{
    if (!bus_write(ee, i, effective(ee, i) & ~15u, 16, GUEST_VECTOR, &RT))
        ee->ctl.stop.address = effective(ee, i);
    return i + 1;
}

const struct insn *op_lwc1(struct ee *ee, const struct insn *i)
{
    bus_read(ee, i, effective(ee, i), 4, GUEST_FLOAT, &ee->fpr[i->rt]);
    return i + 1;
}

const struct insn *op_swc1(struct ee *ee, const struct insn *i)
{
    bus_write(ee, i, effective(ee, i), 4, GUEST_FLOAT, &ee->fpr[i->rt]);
    return i + 1;
}

// The unaligned halves move some bytes of an aligned word or doubleword, and no others: the left ones (LWL,
// SWL, LDL, SDL) those from its start to the address, the right ones those from the address to its end. A
// fault reports the address as it was formed.
static bool read_left(struct ee *ee, const struct insn *i, unsigned size, uint64_t *value)
{
    uint32_t address = effective(ee, i), count = (address & (size - 1)) + 1;
    *value = 0;
    if (ee_read_bytes(ee, i, address & ~(size - 1), count, (uint8_t *)value))
        return true;
    ee->ctl.stop.address = address;
    return false;
}

static bool read_right(struct ee *ee, const struct insn *i, unsigned size, uint64_t *value)
{
    uint32_t address = effective(ee, i);
    *value = 0;
    return ee_read_bytes(ee, i, address, size - (address & (size - 1)), (uint8_t *)value);
}

// LWL always sign-extends; LWR does when it loads the whole word, and otherwise leaves the upper word alone.
// Captured: unknownbrackets/ps2autotests:tests/cpu/ee/lsu.expected.
const struct insn *op_lwl(struct ee *ee, const struct insn *i)
{
    uint32_t shift = 24 - 8 * (effective(ee, i) & 3);
    uint64_t value;
    if (read_left(ee, i, 4, &value))
        RT.d[0] = sext32((uint32_t)value << shift | (RT.w[0] & ((1u << shift) - 1)));
    return i + 1;
}

const struct insn *op_lwr(struct ee *ee, const struct insn *i)
{
    uint32_t shift = 8 * (effective(ee, i) & 3);
    uint64_t value;
    if (!read_right(ee, i, 4, &value))
        return i + 1;
    if (shift == 0)
        RT.d[0] = sext32((uint32_t)value);
    else
        RT.w[0] = (uint32_t)value | (RT.w[0] & ~(UINT32_MAX >> shift));
    return i + 1;
}

const struct insn *op_ldl(struct ee *ee, const struct insn *i)
{
    uint32_t shift = 56 - 8 * (effective(ee, i) & 7);
    uint64_t value;
    if (read_left(ee, i, 8, &value))
        RT.d[0] = value << shift | (RT.d[0] & ((UINT64_C(1) << shift) - 1));
    return i + 1;
}

const struct insn *op_ldr(struct ee *ee, const struct insn *i)
{
    uint32_t shift = 8 * (effective(ee, i) & 7);
    uint64_t value;
    if (read_right(ee, i, 8, &value))
        RT.d[0] = value | (RT.d[0] & ~(UINT64_MAX >> shift));
    return i + 1;
}

static const struct insn *write_left(struct ee *ee, const struct insn *i, unsigned size)
{
    uint32_t address = effective(ee, i), count = (address & (size - 1)) + 1;
    if (!ee_write_bytes(ee, i, address & ~(size - 1), count, RT.b + size - count))
        ee->ctl.stop.address = address;
    return i + 1;
}

static const struct insn *write_right(struct ee *ee, const struct insn *i, unsigned size)
{
    uint32_t address = effective(ee, i);
    ee_write_bytes(ee, i, address, size - (address & (size - 1)), RT.b);
    return i + 1;
}

const struct insn *op_swl(struct ee *ee, const struct insn *i)
{
    return write_left(ee, i, 4);
}

const struct insn *op_swr(struct ee *ee, const struct insn *i)
{
    return write_right(ee, i, 4);
}

const struct insn *op_sdl(struct ee *ee, const struct insn *i)
{
    return write_left(ee, i, 8);
}

const struct insn *op_sdr(struct ee *ee, const struct insn *i)
{
    return write_right(ee, i, 8);
}

static const struct insn *no_cop2(struct ee *ee, const struct insn *i, const char *why)
{
    ee_fault_message(ee, i, GUEST_FAULT_COP2, why);
    return i + 1;
}

const struct insn *op_lqc2(struct ee *ee, const struct insn *i)
{
    uint64_t value[2];
    if (!ee->cop2)
        return no_cop2(ee, i, NULL);
    if (bus_read(ee, i, effective(ee, i) & ~15u, 16, GUEST_VECTOR, value)) {
        const char *why = ee->cop2->write(ee->cop2->context, i->rt, false, value);
        if (why)
            return no_cop2(ee, i, why);
    }
    return i + 1;
}

const struct insn *op_sqc2(struct ee *ee, const struct insn *i)
{
    uint64_t value[2];
    if (!ee->cop2)
        return no_cop2(ee, i, NULL);
    const char *why = ee->cop2->read(ee->cop2->context, i->rt, false, value);
    if (why)
        return no_cop2(ee, i, why);
    bus_write(ee, i, effective(ee, i) & ~15u, 16, GUEST_VECTOR, value);
    return i + 1;
}
