// Writing a machine's state: the entries of a save state, as state.md describes them.
#include "harness/state/save.h"

#include "harness/gs_state.h"
#include "harness/machine.h"
#include "harness/state/busy.h"
#include "harness/state/parts.h"
#include "harness/state/work.h"

#include <stdlib.h>
#include <string.h>

// ---- PCSX2 Internal Structures.dat

struct out {
    uint8_t *bytes; // cleared
    size_t size;
};

static void put(struct out *out, const void *data, size_t size)
{
    memcpy(out->bytes + out->size, data, size);
    out->size += size;
}

static void put_word(struct out *out, uint32_t word)
{
    put(out, &word, sizeof word);
}

static void put_clock(struct out *out, uint64_t clock)
{
    put(out, &clock, sizeof clock);
}

static void put_zeros(struct out *out, size_t size)
{
    out->size += size;
}

static void put_tag(struct out *out, const char *name)
{
    char tag[INTERNALS_TAG_SIZE] = {0};
    memcpy(tag, name, strlen(name));
    put(out, tag, sizeof tag);
}

#define EE_RECORD  1160u // while cycle counts have 64 bits
#define IOP_RECORD 952u  // nothing of it is ours: zeros

static uint32_t ee_word(struct ps2 *ps2, size_t index)
{
    uint64_t value[2];
    ee_get(ps2->ee, index, value);
    return (uint32_t)value[0];
}

static void put_ee(struct out *out, struct ps2 *ps2)
{
    size_t start = out->size;
    struct ee_context context;
    ee_save(ps2->ee, &context);
    put(out, context.gpr, sizeof context.gpr);
    put(out, &context.hi, sizeof context.hi);
    put(out, &context.lo, sizeof context.lo);
    for (unsigned n = 0; n < 32; n++)
        put_word(out, ee_word(ps2, EE_REG_COP0 + n));
    put_word(out, context.sa);
    put_word(out, 0); // a machine at rest stands in no delay slot
    put_word(out, context.pc);
    put_word(out, 0);
    for (unsigned n = 0; n < 3; n++)
        put_word(out, ee_word(ps2, EE_REG_PCCR + n));
    out->size = start + INTERNALS_START_CYCLES + 32 * 8;
    put_clock(out, ee_clock(ps2->ee));
    out->size = start + EE_RECORD;
    put_zeros(out, IOP_RECORD);
    put(out, context.fpr, sizeof context.fpr);
    put_word(out, ee_word(ps2, EE_REG_FCR0));
    put_zeros(out, 30 * 4);
    put_word(out, context.fcr31);
    put_word(out, context.acc);
    put_word(out, context.acc_overflowed);
    for (unsigned n = 0; n < EE_TLB_ENTRIES; n++) {
        uint32_t entry[4];
        ee_get_tlb(ps2->ee, n, entry);
        put(out, entry, sizeof entry);
    }
    put_zeros(out, 976 + 2); // cached TLB, two flags
}

static void put_counters(struct out *out, struct ps2 *ps2)
{
    static const uint32_t rates[4] = {EE_CYCLES_BUS, EE_CYCLES_BUS * 16, EE_CYCLES_BUS * 256, EE_CYCLES_LINE};
    struct ee_timers *timers = &ps2->hardware.timers;
    ee_timers_run(timers);
    for (unsigned n = 0; n < EE_TIMERS; n++) {
        const struct ee_timer *t = &timers->timer[n];
        const uint32_t words[6] = {t->count, t->mode, t->comp, t->hold, rates[t->mode & 3], INTC_TIM0 + n};
        put(out, words, sizeof words);
        put_clock(out, ee_clock(ps2->ee));
    }
}

static void put_privileged(struct out *out, const struct gs *gs)
{
    for (unsigned half = 0; half <= 0x1000; half += 0x1000)
        for (unsigned offset = half; offset < half + 0x100; offset += 0x10) {
            uint64_t value = gs_get_privileged(gs, offset);
            memcpy(out->bytes + out->size + offset, &value, sizeof value);
        }
    put_zeros(out, INTERNALS_PRIVILEGED + 4); // the video mode last
}

static void put_unit(struct out *out, const struct ps2 *ps2, unsigned n)
{
    const struct vector_units *units = &ps2->hardware.vu;
    struct vu_state state;
    uint32_t stat = work_has_unit(ps2->work, 0) | (uint32_t)work_has_unit(ps2->work, 1) << 8;
    vu_get_state(n ? units->vu1 : units->vu0, &state);
    const uint32_t special[16] = {state.status,
                                  state.mac,
                                  state.clip,
                                  0,
                                  state.r,
                                  state.i,
                                  state.q,
                                  state.p,
                                  0,
                                  0,
                                  state.tpc,
                                  n ? 0 : state.cmsar0,
                                  n ? 0 : units->cop2.fbrst,
                                  n ? 0 : stat,
                                  0,
                                  n ? 0 : units->cop2.cmsar1};
    put(out, state.acc, sizeof state.acc);
    put(out, state.vf, sizeof state.vf);
    for (unsigned k = 0; k < 32; k++) {
        put_word(out, k < 16 ? state.vi[k] : special[k - 16]);
        put_zeros(out, 12);
    }
    put_word(out, state.q);
    put_zeros(out, 12);
    if (n) {
        put_word(out, state.p);
        put_zeros(out, 12);
    }
}

#define VIF_RECORD 144u

static void put_vif(struct out *out, const struct ps2 *ps2, unsigned n)
{
    size_t size;
    const uint8_t *data = work_vif_data(ps2->work, n, &size);
    put_tag(out, n ? "VIF1dma" : "VIF0dma");
    put_word(out, 0);
    for (unsigned k = 0; k < 8; k++)
        put_word(out, vif_read_register(ps2->hardware.vif[n], VIF_R0 + 0x10 * k));
    put_zeros(out, VIF_RECORD - 32);
    put_word(out, (uint32_t)size);
    if (size)
        put(out, data, size);
}

static void put_internals(struct out *out, struct ps2 *ps2)
{
    put_tag(out, "BIOS");
    put_zeros(out, 4 + 256);
    put_zeros(out, 4 + 4 + 1); // no game is known
    put_tag(out, "cpuRegs");
    put_ee(out, ps2);
    put_tag(out, "Cycles");
    put_zeros(out, 36);
    put_tag(out, "EE-Subsystems");
    put_counters(out, ps2);
    put_privileged(out, ps2->hardware.gs);
    put_tag(out, "vuMicroRegs");
    put_unit(out, ps2, 0);
    put_unit(out, ps2, 1);
    put_vif(out, ps2, 0);
    put_vif(out, ps2, 1);
    put_tag(out, "IOP-Subsystems");
}

// ---- eeHwRegs.bin

#define HARDWARE 0x10000u

static void set_register(uint8_t *hardware, uint32_t address, uint32_t value)
{
    memcpy(hardware + (address & 0xffff), &value, sizeof value);
}

static void fill_dmac(uint8_t *hardware, const struct ps2 *ps2)
{
    const struct ee_dmac *dmac = &ps2->hardware.dmac;
    const uint32_t common[7] = {dmac->ctrl, dmac->stat, dmac->pcr,  dmac->sqwc,
                                dmac->rbsr, dmac->rbor, dmac->stadr};
    for (unsigned n = 0; n < DMA_CHANNELS; n++)
        for (unsigned r = 0; r < DMA_REGISTERS; r++) {
            bool parked = r == DMA_CHCR && work_has_channel(ps2->work, n);
            set_register(hardware, captured_channels[n].offset + 16 * r,
                         dmac->channel[n][r] | (parked ? CHCR_STR : 0));
        }
    for (unsigned n = 0; n < 7; n++)
        set_register(hardware, EE_DMAC_BASE + 16 * n, common[n]);
    set_register(hardware, EE_DMAC_ENABLE_BASE, dmac->enable);
    set_register(hardware, EE_DMAC_ENABLE_BASE + 0x70, dmac->enable);
}

static void fill_timers(uint8_t *hardware, const struct ps2 *ps2)
{
    for (unsigned n = 0; n < EE_TIMERS; n++) {
        const struct ee_timer *t = &ps2->hardware.timers.timer[n];
        const uint32_t words[4] = {t->count, t->mode, t->comp, t->hold};
        for (unsigned r = 0; r < 4; r++)
            set_register(hardware, EE_TIMERS_BASE + 0x800 * n + 0x10 * r, words[r]);
    }
}

static void fill_hardware(uint8_t *hardware, struct ps2 *ps2)
{
    struct hardware *h = &ps2->hardware;
    uint64_t stat[2];
    fill_timers(hardware, ps2);
    fill_dmac(hardware, ps2);
    set_register(hardware, EE_INTC_BASE, h->intc.stat);
    set_register(hardware, EE_INTC_BASE + 0x10, h->intc.mask);
    gif_read_register(&h->gif, GIF_BASE + 0x20, 4, stat);
    set_register(hardware, GIF_BASE + 0x20, (uint32_t)stat[0] | work_gif_stat(ps2->work));
    for (unsigned n = 0; n < 2; n++) {
        uint32_t base = n ? VIF1_BASE : VIF0_BASE;
        for (uint32_t offset = 0; offset < VIF_REGISTERS_SIZE; offset += 0x10)
            set_register(hardware, base + offset, vif_read_register(h->vif[n], offset));
        set_register(hardware, base, vif_read_register(h->vif[n], VIF_STAT) | work_vif_stat(ps2->work, n));
    }
}

// ---- GS.bin and gsClut.bin

static void fill_gs(uint8_t *state, struct ps2 *ps2)
{
    uint32_t memory = gs_state_memory(GS_DUMP_VERSION);
    gs_state_write(ps2->hardware.gs, state);
    memcpy(state + memory, gs_memory(ps2->hardware.gs), GS_MEMORY_SIZE);
    gs_state_write_paths(&ps2->hardware.gif, state + memory + GS_MEMORY_SIZE);
}

// ---- all of it

// What the entries have no place for.
static const char *cannot_hold(const struct ps2 *ps2)
{
    const struct hardware *h = &ps2->hardware;
    if (vu_running(h->vu.vu0) || vu_running(h->vu.vu1))
        return "a vector unit runs a program";
    if (!vif_idle(h->vif[0]) || !vif_idle(h->vif[1]))
        return "a VIF is in the middle of a code";
    if (h->gif.fifo_count || h->gif.kicked_count)
        return "the GIF holds data that wait";
    if (gs_transfer_left(h->gs))
        return "the GS is in the middle of a transfer";
    return NULL;
}

static enum ps2_status add_memories(struct archive *zip, const char *path, struct ps2 *ps2,
                                    struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (unsigned part = 0; status == PS2_OK && part < PS2_PARTS; part++) {
        enum state_entry_id id = part_entry((enum ps2_part)part);
        if (id != STATE_ENTRIES && id != STATE_GS)
            status = zip_add(zip, path, state_entry_name(id), part_bytes(ps2, (enum ps2_part)part),
                             part_size(ps2, (enum ps2_part)part), error);
    }
    return status;
}

static enum ps2_status add_rest(struct archive *zip, const char *path, struct ps2 *ps2, uint8_t *buffer,
                                struct ps2_error *error)
{
    struct out out = {.bytes = buffer};
    uint8_t version[36] = {0};
    const uint32_t number = STATE_OUR_VERSION;
    memcpy(version, &number, sizeof number);
    memcpy(version + 4, STATE_OUR_NAME " " PS2_VERSION, sizeof STATE_OUR_NAME " " PS2_VERSION);
    enum ps2_status status =
        zip_add(zip, path, state_entry_name(STATE_VERSION), version, sizeof version, error);
    put_internals(&out, ps2);
    if (status == PS2_OK)
        status = zip_add(zip, path, state_entry_name(STATE_INTERNALS), out.bytes, out.size, error);
    memset(buffer, 0, HARDWARE);
    fill_hardware(buffer, ps2);
    if (status == PS2_OK)
        status = zip_add(zip, path, state_entry_name(STATE_EE_HARDWARE), buffer, HARDWARE, error);
    fill_gs(buffer, ps2);
    if (status == PS2_OK)
        status = zip_add(zip, path, state_entry_name(STATE_GS), buffer,
                         gs_state_memory(GS_DUMP_VERSION) + GS_MEMORY_SIZE + GS_STATE_TAIL, error);
    memcpy(buffer, gs_clut_bases(ps2->hardware.gs), 8);
    memcpy(buffer + 8, gs_clut(ps2->hardware.gs), 0x400);
    if (status == PS2_OK)
        status = zip_add(zip, path, state_entry_name(STATE_GS_CLUT), buffer, 0x408, error);
    return status;
}

// Room for GS.bin, and for the structures with what a VIF had of an UNPACK: never more than the entry has.
#define BUFFER (GS_MEMORY_SIZE + (5u << 20))

enum ps2_status ps2_save_state(struct ps2 *ps2, const char *path, struct ps2_error *error)
{
    const char *why = cannot_hold(ps2);
    if (why)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "a state file cannot hold that %s", why);
    uint8_t *buffer = calloc(1, BUFFER);
    if (!buffer)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "out of memory");
    struct archive *zip = zip_create(path, error);
    enum ps2_status status = zip ? add_memories(zip, path, ps2, error) : PS2_BAD_INPUT;
    if (status == PS2_OK)
        status = add_rest(zip, path, ps2, buffer, error);
    if (zip)
        status = zip_end(zip, path, status, error);
    free(buffer);
    return status;
}
