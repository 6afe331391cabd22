// A captured state into a machine.
#include "harness/gs_state.h"
#include "harness/machine.h"
#include "harness/state/busy.h"
#include "harness/state/parts.h"
#include "harness/state/work.h"

#include <string.h>

static uint32_t word(const struct captured *c, size_t at)
{
    return internals_word(&c->in, at);
}

// ---- the EE

static void apply_ee(struct ps2 *ps2, const struct captured *c)
{
    struct ee_context context;
    size_t ee = c->in.ee;
    ee_save(ps2->ee, &context);
    memcpy(context.gpr, c->in.bytes + ee + INTERNALS_GPR, sizeof context.gpr);
    memcpy(&context.hi, c->in.bytes + ee + INTERNALS_HI, sizeof context.hi);
    memcpy(&context.lo, c->in.bytes + ee + INTERNALS_LO, sizeof context.lo);
    context.sa = word(c, ee + INTERNALS_SA) & 15;
    context.pc = word(c, ee + INTERNALS_PC);
    ee_restore(ps2->ee, &context);
    for (unsigned n = 0; n < 32; n++)
        ee_set(ps2->ee, EE_REG_COP0 + n, (uint64_t[]){word(c, ee + INTERNALS_COP0 + 4 * n), 0});
    for (unsigned n = 0; n < 3; n++)
        ee_set(ps2->ee, EE_REG_PCCR + n, (uint64_t[]){word(c, ee + INTERNALS_COUNTERS_PERF + 4 * n), 0});
}

static void apply_fpu(struct ps2 *ps2, const struct captured *c)
{
    struct ee_context context;
    size_t fpu = c->in.fpu;
    ee_save(ps2->ee, &context);
    memcpy(context.fpr, c->in.bytes + fpu, sizeof context.fpr);
    context.fcr31 = word(c, fpu + 128 + 31 * 4);
    context.acc = word(c, fpu + 256);
    context.acc_overflowed = c->in.has_acc_flag && word(c, fpu + 260) & 1;
    ee_restore(ps2->ee, &context);
    ee_set(ps2->ee, EE_REG_FCR0, (uint64_t[]){word(c, fpu + 128), 0});
}

static void apply_tlb(struct ps2 *ps2, const struct captured *c)
{
    for (unsigned n = 0; n < EE_TLB_ENTRIES; n++) {
        uint32_t entry[4];
        memcpy(entry, c->in.bytes + c->in.tlb + n * c->in.tlb_step, sizeof entry);
        ee_set_tlb(ps2->ee, n, entry);
    }
}

// ---- DMAC, INTC, timers

// Channels in mid-work are parked: see work.h.
static void apply_dmac(struct ps2 *ps2, const struct captured *c)
{
    struct ee_dmac *dmac = &ps2->hardware.dmac;
    uint32_t *const common[7] = {&dmac->ctrl, &dmac->stat, &dmac->pcr,  &dmac->sqwc,
                                 &dmac->rbsr, &dmac->rbor, &dmac->stadr};
    ee_dmac_reset(dmac);
    for (unsigned n = 0; n < DMA_CHANNELS; n++)
        for (unsigned r = 0; r < DMA_REGISTERS; r++)
            dmac->channel[n][r] = captured_register(c, captured_channels[n].offset + 16 * r);
    for (unsigned n = 0; n < 7; n++)
        *common[n] = captured_register(c, EE_DMAC_BASE + 16 * n);
    dmac->enable = captured_register(c, EE_DMAC_ENABLE_BASE);
}

// A damaged state may have causes that the INTC lacks.
static void apply_intc(struct ps2 *ps2, const struct captured *c)
{
    const uint32_t causes = (1u << INTC_CAUSES) - 1;
    ps2->hardware.intc.stat = captured_register(c, EE_INTC_BASE) & causes;
    ps2->hardware.intc.mask = captured_register(c, EE_INTC_BASE + 0x10) & causes;
}

#define MODE_CUE 0x80u

// PCSX2 counts in records of its own, which hold the count at a start cycle and the cycles of a tick; what
// eeHwRegs.bin has of the timers may be old.
static uint32_t counter_now(const struct captured *c, size_t at)
{
    uint32_t count = word(c, at), mode = word(c, at + 4), rate = word(c, at + 16);
    size_t cycle = c->in.ee + INTERNALS_START_CYCLES + 32 * (c->in.wide ? 8 : 4);
    bool by_line = (mode & 3) == 3;
    if (!(mode & MODE_CUE) || by_line || !rate || c->in.counter_step == 40)
        return count;
    uint64_t passed = internals_cycles(&c->in, cycle) - internals_cycles(&c->in, at + 24);
    return count + (uint32_t)passed / rate;
}

static void apply_timers(struct ps2 *ps2, const struct captured *c)
{
    struct ee_timers *timers = &ps2->hardware.timers;
    for (unsigned n = 0; n < EE_TIMERS; n++) {
        uint32_t base = EE_TIMERS_BASE + 0x800 * n;
        size_t at = c->in.counters + n * c->in.counter_step;
        bool own = c->in.counters != 0;
        timers->timer[n] = (struct ee_timer){
            .count = (uint16_t)(own ? counter_now(c, at) : captured_register(c, base)),
            .mode = (uint16_t)(own ? word(c, at + 4) : captured_register(c, base + 0x10)),
            .comp = (uint16_t)(own ? word(c, at + 8) : captured_register(c, base + 0x20)),
            .hold = (uint16_t)(own ? word(c, at + 12) : captured_register(c, base + 0x30)),
            .since = ee_clock(ps2->ee),
        };
    }
    timers->changed(timers->context);
}

// ---- vector units

enum vi {
    VI_STATUS = 16,
    VI_MAC,
    VI_CLIP,
    VI_R = 20,
    VI_I,
    VI_Q,
    VI_P,
    VI_TPC = 26,
    VI_CMSAR0,
    VI_FBRST,
    VI_CMSAR1 = 31,
};

// TPC counts pairs; in the oldest layout, whose ACC stands 20 bytes before VF, bytes (unverified).
static void apply_unit(struct ps2 *ps2, const struct captured *c, unsigned n)
{
    struct vector_units *units = &ps2->hardware.vu;
    struct vu *vu = n ? units->vu1 : units->vu0;
    struct vu_state state = {.tpc = 0};
    size_t vf = c->in.vf[n];
    uint32_t vi[32];
    for (unsigned k = 0; k < 32; k++)
        vi[k] = word(c, vf + INTERNALS_VU_VI + 16 * k);
    memcpy(state.vf, c->in.bytes + vf, sizeof state.vf);
    memcpy(state.acc, c->in.bytes + c->in.acc[n], sizeof state.acc);
    for (unsigned k = 0; k < 16; k++)
        state.vi[k] = (uint16_t)vi[k];
    state.status = vi[VI_STATUS] & 0xfff;
    state.mac = vi[VI_MAC] & 0xffff;
    state.clip = vi[VI_CLIP] & 0xffffff;
    state.r = vi[VI_R];
    state.i = vi[VI_I];
    state.q = vi[VI_Q];
    state.p = vi[VI_P];
    state.tpc = vf - c->in.acc[n] == 16 ? vi[VI_TPC] : vi[VI_TPC] / 8;
    state.cmsar0 = (uint16_t)(n ? 0 : vi[VI_CMSAR0]);
    vu_reset(vu);
    vu_set_state(vu, &state);
    if (n)
        return;
    units->cop2.fbrst = vi[VI_FBRST] & 0xc0c;
    units->cop2.cmsar1 = vi[VI_CMSAR1] & 0xffff;
    vu_set_debug_bits(units->vu0, vi[VI_FBRST] & 4, vi[VI_FBRST] & 8);
    vu_set_debug_bits(units->vu1, vi[VI_FBRST] & 0x400, vi[VI_FBRST] & 0x800);
}

// ---- VIFs, GIF, GS

// ROW and COL are kept in the unit's record, and in eeHwRegs.bin only where a program stored them.
static void apply_vif(struct ps2 *ps2, const struct captured *c, unsigned n)
{
    struct vif *vif = ps2->hardware.vif[n];
    uint32_t base = n ? VIF1_BASE : VIF0_BASE;
    vif_reset(vif);
    for (uint32_t offset = 0; offset < VIF_REGISTERS_SIZE; offset += 0x10)
        vif_set_register(vif, offset, captured_register(c, base + offset));
    for (unsigned k = 0; c->in.vif[n] && k < 8; k++)
        vif_set_register(vif, VIF_R0 + 0x10 * k, word(c, c->in.vif[n] + 4 * k));
}

#define GIF_STAT (GIF_BASE + 0x20)
#define MSKPATH3 (VIF1_BASE + 0xf0)

static void apply_gif(struct ps2 *ps2, const struct captured *c)
{
    struct gif *gif = &ps2->hardware.gif;
    uint32_t stat = captured_register(c, GIF_STAT);
    gif->mask_mode = stat & 1;
    gif->mask_vif = stat & 2;
    gif->intermittent = stat & 4;
    gif->stopped = stat & 8;
    gif->from_gs = stat >> 12 & 1;
}

static void apply_gs(struct ps2 *ps2, const struct captured *c)
{
    const uint8_t *state = c->file.entries[STATE_GS].bytes;
    gs_reset(ps2->hardware.gs);
    gs_state_read(ps2->hardware.gs, state, c->info.gs_version);
    memcpy(gs_memory(ps2->hardware.gs), state + c->gs_memory, GS_MEMORY_SIZE);
    gs_written(ps2->hardware.gs);
    gs_state_read_paths(&ps2->hardware.gif, state + c->gs_memory + GS_MEMORY_SIZE);
}

static void apply_clut(struct ps2 *ps2, const struct captured *c)
{
    const uint8_t *bytes = c->file.entries[STATE_GS_CLUT].bytes;
    memcpy(gs_clut_bases(ps2->hardware.gs), bytes, 8);
    memcpy(gs_clut(ps2->hardware.gs), bytes + 8, 0x400);
}

// ---- all of them

static void apply_save_state(struct ps2 *ps2, const struct captured *c)
{
    for (unsigned part = 0; part < PS2_PARTS; part++) {
        size_t size;
        const uint8_t *bytes = captured_memory(c, (enum ps2_part)part, &size);
        if (bytes && part != PS2_PART_GS_MEM)
            part_fill(ps2, (enum ps2_part)part, bytes, size);
    }
    static const struct {
        enum ps2_part part;
        void (*apply)(struct ps2 *, const struct captured *);
    } steps[] = {
        {PS2_PART_EE, apply_ee},     {PS2_PART_FPU, apply_fpu},   {PS2_PART_TLB, apply_tlb},
        {PS2_PART_DMAC, apply_dmac}, {PS2_PART_INTC, apply_intc}, {PS2_PART_TIMERS, apply_timers},
    };
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++)
        if (captured_has(c, steps[n].part))
            steps[n].apply(ps2, c);
    for (unsigned n = 0; n < 2; n++) {
        if (captured_has(c, n ? PS2_PART_VU1 : PS2_PART_VU0))
            apply_unit(ps2, c, n);
        if (captured_has(c, n ? PS2_PART_VIF1 : PS2_PART_VIF0))
            apply_vif(ps2, c, n);
    }
    if (captured_has(c, PS2_PART_GS))
        apply_gs(ps2, c);
    if (captured_has(c, PS2_PART_GS_CLUT))
        apply_clut(ps2, c);
    if (captured_has(c, PS2_PART_GS_PRIVILEGED))
        gs_dump_restore_privileged(ps2->hardware.gs, c->in.bytes + c->in.gs_privileged);
    if (captured_has(c, PS2_PART_GIF))
        apply_gif(ps2, c);
}

static void apply(struct ps2 *ps2, const struct captured *c)
{
    gif_reset(&ps2->hardware.gif);
    if (c->is_dump)
        gs_dump_restore(&c->dump, ps2->hardware.gs, &ps2->hardware.gif);
    else
        apply_save_state(ps2, c);
}

// Calls go on below the captured stack pointer, and so do buffers, where there is RAM: above it everything
// may be in use.
static void take_stack(struct ps2 *ps2)
{
    uint32_t sp = ee_gpr(ps2->ee, EE_SP)->w[0], physical = ps2_physical(sp);
    bool in_ram = physical >= STACK_GAP && physical <= ps2->ram_size;
    ps2->captured_sp = in_ram || physical - EE_SCRATCHPAD <= EE_SCRATCHPAD_SIZE ? sp : 0;
    if (in_ram)
        ps2->free_top = physical & ~63u;
}

enum ps2_status captured_put(struct ps2 *ps2, const struct captured *c, struct ps2_state_info *info,
                             struct ps2_error *error)
{
    struct work *work = NULL;
    if (c->info.ram_size && c->info.ram_size != ps2->ram_size)
        return ps2_fail(error, PS2_BAD_INPUT, c->file.name, 0, "holds %u MiB of RAM, but the machine has %u",
                        c->info.ram_size >> 20, ps2->ram_size >> 20);
    enum ps2_status status = c->info.busy_count ? work_new(ps2, c, &work, error) : PS2_OK;
    if (status != PS2_OK)
        return status;
    work_free(ps2->work);
    ps2->work = work;
    apply(ps2, c);
    if (work)
        work_park(work);
    if (captured_has(c, PS2_PART_EE))
        take_stack(ps2);
    ps2->captured = captured_has(c, PS2_PART_EE) && captured_has(c, PS2_PART_EE_RAM);
    if (info)
        *info = c->info;
    return PS2_OK;
}

enum ps2_status ps2_load_state(struct ps2 *ps2, const char *path, struct ps2_state_info *info,
                               struct ps2_error *error)
{
    struct captured c;
    enum ps2_status status = captured_open(&c, path, error);
    if (status == PS2_OK)
        status = captured_put(ps2, &c, info, error);
    captured_close(&c);
    return status;
}

enum ps2_status ps2_new_from_state(const struct ps2_config *config, const char *path, struct ps2 **out,
                                   struct ps2_state_info *info, struct ps2_error *error)
{
    struct captured c;
    struct ps2_config chosen = config ? *config : (struct ps2_config){0};
    enum ps2_status status = captured_open(&c, path, error);
    *out = NULL;
    if (!chosen.ram_size)
        chosen.ram_size = c.info.ram_size;
    if (status == PS2_OK)
        status = ps2_new(&chosen, out, error);
    if (status == PS2_OK)
        status = captured_put(*out, &c, info, error);
    captured_close(&c);
    if (status != PS2_OK) {
        ps2_free(*out);
        *out = NULL;
    }
    return status;
}
