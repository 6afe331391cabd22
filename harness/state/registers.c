// The registers of a machine's parts, by number.
#include "harness/state/registers.h"

#include <stdio.h>
#include <string.h>

#include "harness/machine.h"
#include "harness/state/work.h"

static bool set(struct state_register *out, unsigned bits, uint64_t low, uint64_t high)
{
    out->bits = bits;
    out->value[0] = low;
    out->value[1] = high;
    return true;
}

static bool name(struct state_register *out, const char *text)
{
    snprintf(out->name, sizeof out->name, "%s", text);
    return true;
}

// ---- the EE: its own list of registers, the FPU's apart

static bool ee_one(struct ps2 *ps2, size_t index, struct state_register *out)
{
    size_t count;
    const struct guest_register *registers = ee_registers(&count);
    ee_get(ps2->ee, index, out->value);
    out->bits = registers[index].bits;
    return registers[index].name ? name(out, registers[index].name)
                                 : snprintf(out->name, sizeof out->name, "cop0_%zu", index - EE_REG_COP0) > 0;
}

static bool ee_register_at(struct ps2 *ps2, size_t n, struct state_register *out)
{
    size_t index = n < EE_REG_FCR0 ? n : n - EE_REG_FCR0 + EE_REG_COP0;
    return index < EE_REG_COUNT && ee_one(ps2, index, out);
}

static bool fpu_register_at(struct ps2 *ps2, size_t n, struct state_register *out)
{
    static const uint8_t first[] = {EE_REG_FCR0, EE_REG_FCR31, EE_REG_ACC};
    size_t index = n < sizeof first ? first[n] : n - sizeof first + EE_REG_FPR;
    return index < EE_REG_COP0 && ee_one(ps2, index, out);
}

static bool tlb_register_at(const struct ps2 *ps2, size_t n, struct state_register *out)
{
    static const char *const fields[4] = {"PageMask", "EntryHi", "EntryLo0", "EntryLo1"};
    uint32_t entry[4];
    if (n >= EE_TLB_ENTRIES * 4)
        return false;
    ee_get_tlb(ps2->ee, (unsigned)(n / 4), entry);
    snprintf(out->name, sizeof out->name, "entry %zu %s", n / 4, fields[n % 4]);
    return set(out, 32, entry[n % 4], 0);
}

// ---- its devices

static bool dmac_register_at(const struct ps2 *ps2, size_t n, struct state_register *out)
{
    static const struct {
        const char *name;
        unsigned index;
    } fields[] = {{"CHCR", DMA_CHCR}, {"MADR", DMA_MADR}, {"QWC", DMA_QWC},  {"TADR", DMA_TADR},
                  {"ASR0", DMA_ASR0}, {"ASR1", DMA_ASR1}, {"SADR", DMA_SADR}};
    static const char *const common[] = {"D_CTRL", "D_STAT", "D_PCR",   "D_SQWC",
                                         "D_RBSR", "D_RBOR", "D_STADR", "D_ENABLE"};
    const struct ee_dmac *dmac = &ps2->hardware.dmac;
    const uint32_t values[] = {dmac->ctrl, dmac->stat, dmac->pcr,   dmac->sqwc,
                               dmac->rbsr, dmac->rbor, dmac->stadr, dmac->enable};
    const size_t per = sizeof fields / sizeof *fields;
    if (n >= DMA_CHANNELS * per + 8)
        return false;
    if (n >= DMA_CHANNELS * per)
        return name(out, common[n - DMA_CHANNELS * per]) && set(out, 32, values[n - DMA_CHANNELS * per], 0);
    unsigned channel = (unsigned)(n / per), index = fields[n % per].index;
    bool parked = index == DMA_CHCR && work_has_channel(ps2->work, channel);
    snprintf(out->name, sizeof out->name, "D%u_%s", channel, fields[n % per].name);
    return set(out, 32, dmac->channel[channel][index] | (parked ? CHCR_STR : 0), 0);
}

static bool intc_register_at(const struct ps2 *ps2, size_t n, struct state_register *out)
{
    const struct ee_intc *intc = &ps2->hardware.intc;
    return n < 2 && name(out, n ? "I_MASK" : "I_STAT") && set(out, 32, n ? intc->mask : intc->stat, 0);
}

static bool timer_register_at(const struct ps2 *ps2, size_t n, struct state_register *out)
{
    static const char *const fields[4] = {"COUNT", "MODE", "COMP", "HOLD"};
    if (n >= EE_TIMERS * 4)
        return false;
    const struct ee_timer *t = &ps2->hardware.timers.timer[n / 4];
    const uint16_t values[4] = {t->count, t->mode, t->comp, t->hold};
    snprintf(out->name, sizeof out->name, "T%zu_%s", n / 4, fields[n % 4]);
    return set(out, 16, values[n % 4], 0);
}

static bool vif_register_at(const struct ps2 *ps2, unsigned unit, size_t n, struct state_register *out)
{
    static const struct {
        const char *name;
        uint32_t offset;
    } fields[] = {{"STAT", VIF_STAT},    {"ERR", VIF_ERR},      {"MARK", VIF_MARK}, {"CYCLE", VIF_CYCLE},
                  {"MODE", VIF_MODE},    {"NUM", VIF_NUM},      {"MASK", VIF_MASK}, {"CODE", VIF_CODE},
                  {"ITOPS", VIF_ITOPS},  {"BASE", VIF_BASE},    {"OFST", VIF_OFST}, {"TOPS", VIF_TOPS},
                  {"ITOP", VIF_ITOP},    {"TOP", VIF_TOP},      {"R0", VIF_R0},     {"R1", VIF_R0 + 0x10},
                  {"R2", VIF_R0 + 0x20}, {"R3", VIF_R0 + 0x30}, {"C0", VIF_C0},     {"C1", VIF_C0 + 0x10},
                  {"C2", VIF_C0 + 0x20}, {"C3", VIF_C0 + 0x30}};
    if (n >= sizeof fields / sizeof *fields)
        return false;
    uint32_t captured = n ? 0 : work_vif_stat(ps2->work, unit);
    snprintf(out->name, sizeof out->name, "VIF%u_%s", unit, fields[n].name);
    return set(out, 32, vif_read_register(ps2->hardware.vif[unit], fields[n].offset) | captured, 0);
}

// ---- vector units

static bool vu_register_at(const struct ps2 *ps2, unsigned unit, size_t n, struct state_register *out)
{
    static const char *const names[] = {"status", "mac", "clip", "r",      "i",
                                        "q",      "p",   "tpc",  "cmsar0", "running"};
    struct vu *vu = unit ? ps2->hardware.vu.vu1 : ps2->hardware.vu.vu0;
    struct vu_state s;
    vu_get_state(vu, &s);
    const uint32_t values[] = {s.status, s.mac, s.clip, s.r,      s.i,
                               s.q,      s.p,   s.tpc,  s.cmsar0, work_has_unit(ps2->work, unit)};
    if (n < 33) {
        const uint32_t *v = n < 32 ? s.vf[n] : s.acc;
        snprintf(out->name, sizeof out->name, n < 32 ? "vf%02zu" : "acc", n);
        return set(out, 128, v[0] | (uint64_t)v[1] << 32, v[2] | (uint64_t)v[3] << 32);
    }
    if (n < 49) {
        snprintf(out->name, sizeof out->name, "vi%02zu", n - 33);
        return set(out, 16, s.vi[n - 33], 0);
    }
    return n < 49 + sizeof names / sizeof *names && name(out, names[n - 49]) &&
           set(out, 32, values[n - 49], 0);
}

// ---- GIF and GS

static bool gif_register_at(struct ps2 *ps2, size_t n, struct state_register *out)
{
    struct gif *gif = &ps2->hardware.gif;
    uint64_t stat[2];
    gif_read_register(gif, GIF_BASE + 0x20, 4, stat);
    return n < 2 && name(out, n ? "Q" : "GIF_STAT") &&
           set(out, 32, n ? gif->q : stat[0] | work_gif_stat(ps2->work), 0);
}

static bool gs_register_at(const struct ps2 *ps2, size_t n, struct state_register *out)
{
    const struct gs_register_info *info = gs_register_info((unsigned)n);
    if (n >= GS_HWREG)
        return false;
    if (info)
        name(out, info->name);
    else
        snprintf(out->name, sizeof out->name, "0x%02zx", n);
    return set(out, 64, gs_get(ps2->hardware.gs, (unsigned)n), 0);
}

static bool privileged_register_at(const struct ps2 *ps2, size_t n, struct state_register *out)
{
    if (n >= 32)
        return false;
    unsigned offset = (unsigned)((n & 15) << 4 | (n & 16) << 8);
    const struct gs_register_info *info = gs_privileged_info(offset);
    if (info)
        name(out, info->name);
    else
        snprintf(out->name, sizeof out->name, "0x1200%04x", offset);
    return set(out, 64, gs_get_privileged(ps2->hardware.gs, offset), 0);
}

static bool clut_register_at(const struct ps2 *ps2, size_t n, struct state_register *out)
{
    if (n >= 2 + 512)
        return false;
    if (n < 2) {
        snprintf(out->name, sizeof out->name, "CBP%zu", n);
        return set(out, 32, gs_clut_bases(ps2->hardware.gs)[n], 0);
    }
    snprintf(out->name, sizeof out->name, "clut[%zu]", n - 2);
    return set(out, 16, gs_clut(ps2->hardware.gs)[n - 2], 0);
}

bool state_register(struct ps2 *ps2, enum ps2_part part, size_t n, struct state_register *out)
{
    *out = (struct state_register){.bits = 0};
    switch (part) {
    case PS2_PART_EE:
        return ee_register_at(ps2, n, out);
    case PS2_PART_FPU:
        return fpu_register_at(ps2, n, out);
    case PS2_PART_TLB:
        return tlb_register_at(ps2, n, out);
    case PS2_PART_DMAC:
        return dmac_register_at(ps2, n, out);
    case PS2_PART_INTC:
        return intc_register_at(ps2, n, out);
    case PS2_PART_TIMERS:
        return timer_register_at(ps2, n, out);
    case PS2_PART_VIF0:
    case PS2_PART_VIF1:
        return vif_register_at(ps2, part == PS2_PART_VIF1, n, out);
    case PS2_PART_VU0:
    case PS2_PART_VU1:
        return vu_register_at(ps2, part == PS2_PART_VU1, n, out);
    case PS2_PART_GIF:
        return gif_register_at(ps2, n, out);
    case PS2_PART_GS:
        return gs_register_at(ps2, n, out);
    case PS2_PART_GS_PRIVILEGED:
        return privileged_register_at(ps2, n, out);
    case PS2_PART_GS_CLUT:
        return clut_register_at(ps2, n, out);
    default:
        return false;
    }
}
