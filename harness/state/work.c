// Half-done work of a captured state: guards before the devices, draining, dropping.
#include "harness/state/work.h"

#include "harness/machine.h"
#include "harness/state/busy.h"

#include <stdlib.h>
#include <string.h>

#define GUARDS (HARDWARE_WINDOWS + 4) // every window of the devices, and the vector units' memories

struct guard {
    struct work *work;
    struct ee_device *device; // whose functions are replaced
    struct ee_device original;
};

struct work {
    struct ps2 *ps2;
    struct ps2_busy busy[PS2_BUSY_MAX];
    size_t busy_count;
    uint32_t vif_stat[2], gif_stat;
    uint8_t *vif_data[2];
    size_t vif_data_size[2];
    bool guarded;
    struct guard guards[GUARDS];
    size_t guard_count;
    struct ee_cop2 cop2; // stands before VU0
    char message[GUEST_MESSAGE_SIZE];
};

static const struct ps2_busy *find(const struct work *work, enum ps2_part part, unsigned channel)
{
    for (size_t n = 0; work && n < work->busy_count; n++)
        if (work->busy[n].part == part && work->busy[n].channel == channel)
            return &work->busy[n];
    return NULL;
}

bool work_has_channel(const struct work *work, enum ee_dma_channel channel)
{
    return find(work, PS2_PART_DMAC, channel) != NULL;
}

bool work_has_unit(const struct work *work, unsigned vu)
{
    return find(work, vu ? PS2_PART_VU1 : PS2_PART_VU0, 0) != NULL;
}

uint32_t work_vif_stat(const struct work *work, unsigned vif)
{
    return work && find(work, vif ? PS2_PART_VIF1 : PS2_PART_VIF0, 0) ? work->vif_stat[vif] : 0;
}

uint32_t work_gif_stat(const struct work *work)
{
    return find(work, PS2_PART_GIF, 0) ? work->gif_stat : 0;
}

const uint8_t *work_vif_data(const struct work *work, unsigned vif, size_t *size)
{
    *size = work ? work->vif_data_size[vif] : 0;
    return *size ? work->vif_data[vif] : NULL;
}

// ---- guards

static const struct ps2_busy *busy_vif(const struct work *work, unsigned vif)
{
    const struct ps2_busy *busy = find(work, vif ? PS2_PART_VIF1 : PS2_PART_VIF0, 0);
    if (!busy)
        busy = find(work, vif ? PS2_PART_VU1 : PS2_PART_VU0, 0);
    return busy || !vif ? busy : find(work, PS2_PART_GIF, 0);
}

static const struct ps2_busy *busy_channel(const struct work *work, uint32_t offset)
{
    for (unsigned n = 0; n < DMA_CHANNELS; n++) {
        if (offset - captured_channels[n].offset >= 0x400)
            continue;
        const struct ps2_busy *busy = find(work, PS2_PART_DMAC, n);
        if (busy)
            return busy;
        if (n == DMA_GIF)
            return find(work, PS2_PART_GIF, 0);
        return n <= DMA_VIF1 ? busy_vif(work, n) : NULL;
    }
    return NULL;
}

// The work that an access to the physical address would meet, or NULL.
static const struct ps2_busy *touched(const struct work *work, uint32_t address)
{
    switch (address >> 12) {
    case 0x10003:
        if (address < VIF0_BASE)
            return find(work, PS2_PART_GIF, 0);
        return busy_vif(work, address >= VIF1_BASE);
    case 0x10004:
        return busy_vif(work, 0);
    case 0x10005:
        return busy_vif(work, 1);
    case 0x10006:
        return find(work, PS2_PART_GIF, 0);
    }
    if (address - EE_DMAC_CHANNEL_BASE < EE_DMAC_CHANNEL_SIZE)
        return busy_channel(work, address & 0xffff);
    if (address >> 16 == 0x1100)
        return find(work, address & 0x8000 ? PS2_PART_VU1 : PS2_PART_VU0, 0);
    return NULL;
}

static const char *refuse(struct work *work, const struct ps2_busy *busy)
{
    snprintf(work->message, sizeof work->message, "captured in mid-work (--quiesce): %s", busy->what);
    return work->message;
}

static const char *guard_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    const struct guard *guard = context;
    const struct ps2_busy *busy = touched(guard->work, address & 0x1fffffff);
    return busy ? refuse(guard->work, busy)
                : guard->original.read(guard->original.context, address, size, value);
}

static const char *guard_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    const struct guard *guard = context;
    const struct ps2_busy *busy = touched(guard->work, address & 0x1fffffff);
    return busy ? refuse(guard->work, busy)
                : guard->original.write(guard->original.context, address, size, value);
}

static void guard_device(struct work *work, struct ee_device *device)
{
    if (!device->read)
        return;
    struct guard *guard = &work->guards[work->guard_count++];
    *guard = (struct guard){work, device, *device};
    device->context = guard;
    device->read = guard_read;
    device->write = guard_write;
}

// ---- coprocessor 2: VU0, and what of VU1 its control registers reach

enum { VI_FBRST = 28, VI_VPU_STAT, VI_CMSAR1 = 31 };

static const char *guard_vu(struct work *work, bool of_vu1)
{
    const struct ps2_busy *busy = find(work, PS2_PART_VU0, 0);
    if (!busy && of_vu1)
        busy = find(work, PS2_PART_VU1, 0);
    return busy ? refuse(work, busy) : NULL;
}

static struct vu_cop2 *units(struct work *work)
{
    return &work->ps2->hardware.vu.cop2;
}

static const char *cop2_execute(void *context, uint32_t word)
{
    const char *why = guard_vu(context, false);
    return why ? why : vu_cop2_execute(units(context), word);
}

static const char *cop2_read(void *context, unsigned vf, bool interlock, uint64_t value[2])
{
    const char *why = guard_vu(context, false);
    return why ? why : vu_cop2_read(units(context), vf, interlock, value);
}

static const char *cop2_write(void *context, unsigned vf, bool interlock, const uint64_t value[2])
{
    const char *why = guard_vu(context, false);
    return why ? why : vu_cop2_write(units(context), vf, interlock, value);
}

static const char *cop2_read_control(void *context, unsigned vi, bool interlock, uint32_t *value)
{
    const char *why = guard_vu(context, vi == VI_VPU_STAT);
    return why ? why : vu_cop2_read_control(units(context), vi, interlock, value);
}

static const char *cop2_write_control(void *context, unsigned vi, bool interlock, uint32_t value)
{
    const char *why = guard_vu(context, vi == VI_FBRST || vi == VI_CMSAR1);
    return why ? why : vu_cop2_write_control(units(context), vi, interlock, value);
}

static bool cop2_condition(void *context)
{
    struct work *work = context;
    return find(work, PS2_PART_VU1, 0) || vu_cop2_condition(units(work));
}

// ---- life

enum ps2_status work_new(struct ps2 *ps2, const struct captured *c, struct work **out,
                         struct ps2_error *error)
{
    struct work *work = calloc(1, sizeof *work);
    bool enough = work != NULL;
    for (unsigned n = 0; enough && n < 2; n++) {
        size_t size;
        const uint8_t *data = captured_vif_data(c, n, &size);
        work->vif_stat[n] = captured_register(c, n ? VIF1_BASE : VIF0_BASE);
        work->vif_data[n] = size ? malloc(size) : NULL;
        work->vif_data_size[n] = size;
        enough = !size || work->vif_data[n];
        if (size && enough)
            memcpy(work->vif_data[n], data, size);
    }
    if (!enough) {
        work_free(work);
        return ps2_fail(error, PS2_BAD_INPUT, c->file.name, 0, "out of memory");
    }
    work->ps2 = ps2;
    work->gif_stat = captured_register(c, GIF_BASE + 0x20);
    work->busy_count = c->info.busy_count;
    memcpy(work->busy, c->info.busy, sizeof work->busy);
    *out = work;
    return PS2_OK;
}

void work_park(struct work *work)
{
    struct hardware *h = &work->ps2->hardware;
    for (unsigned n = 0; n < DMA_CHANNELS; n++)
        if (work_has_channel(work, n))
            h->dmac.channel[n][DMA_CHCR] &= ~(uint32_t)CHCR_STR;
    for (unsigned n = 0; n < HARDWARE_WINDOWS; n++)
        guard_device(work, &h->windows[n]);
    for (unsigned n = 0; n < 4; n++)
        guard_device(work, &h->vu.devices[n]);
    work->cop2 = (struct ee_cop2){.context = work,
                                  .execute = cop2_execute,
                                  .read = cop2_read,
                                  .write = cop2_write,
                                  .read_control = cop2_read_control,
                                  .write_control = cop2_write_control,
                                  .condition = cop2_condition};
    ee_set_cop2(h->ee, &work->cop2);
    work->guarded = true;
}

static void lift(struct work *work)
{
    for (size_t n = 0; n < work->guard_count; n++)
        *work->guards[n].device = work->guards[n].original;
    work->guard_count = 0;
    if (work->guarded)
        ee_set_cop2(work->ps2->ee, &work->ps2->hardware.vu.port);
    work->guarded = false;
}

void work_free(struct work *work)
{
    if (!work)
        return;
    lift(work);
    free(work->vif_data[0]);
    free(work->vif_data[1]);
    free(work);
}

// ---- draining

// A code is begun anew with the data that had come: PCSX2 keeps those of an UNPACK until all are there, and a
// code that waits has done nothing. How far another code got, no register tells.
static const char *drain_vif(struct work *work, unsigned n)
{
    struct hardware *h = &work->ps2->hardware;
    uint32_t stat = work_vif_stat(work, n), code = vif_read_register(h->vif[n], VIF_CODE);
    if (!stat && !work->vif_data_size[n])
        return NULL;
    if (!vif_is_unpack(code) && !(stat & (VIF_STAT_VEW | VIF_STAT_VGW)))
        return "the state does not tell how far the VIF's code had got; only --quiesce=reset goes on from "
               "here";
    uint32_t word;
    bool fed = hardware_feed_vif(&h->units[n], DMA_CHANNELS, 0, &code, 1) == 1;
    for (size_t at = 0; fed && at + 4 <= work->vif_data_size[n]; at += 4) {
        memcpy(&word, work->vif_data[n] + at, sizeof word);
        fed = hardware_feed_vif(&h->units[n], DMA_CHANNELS, 0, &word, 1) == 1;
    }
    return fed ? hardware_settle(h) : "the VIF does not take its own data again";
}

static const char *drain_unit(struct work *work, unsigned n)
{
    struct hardware *h = &work->ps2->hardware;
    struct vu *vu = n ? h->vu.vu1 : h->vu.vu0;
    struct vu_state state;
    if (!work_has_unit(work, n))
        return NULL;
    vu_get_state(vu, &state);
    vu_start(vu, state.tpc);
    const char *why = vu_cop2_run(&h->vu.cop2, vu, false);
    return why ? why : hardware_settle(h);
}

// The IOP's channels wait for an IOP that is not there: they stay as they were.
static const char *drain_channel(struct work *work, enum ee_dma_channel n)
{
    struct ee_dmac *dmac = &work->ps2->hardware.dmac;
    if (!work_has_channel(work, n))
        return NULL;
    dmac->channel[n][DMA_CHCR] |= CHCR_STR;
    if (n >= DMA_SIF0 && n <= DMA_SIF2)
        return NULL;
    const char *why = ee_dmac_begin(dmac, n);
    return why ? why : hardware_settle(&work->ps2->hardware);
}

// A channel that the DMAC or what it feeds holds up would go on at some moment of the call.
static const char *held_up(const struct work *work)
{
    for (unsigned n = 0; n < DMA_CHANNELS; n++)
        if (work_has_channel(work, (enum ee_dma_channel)n) && !(n >= DMA_SIF0 && n <= DMA_SIF2) &&
            work->ps2->hardware.dmac.channel[n][DMA_CHCR] & CHCR_STR)
            return "a DMA channel is held up; only --quiesce=reset goes on from here";
    return NULL;
}

static const char *drain(struct work *work)
{
    const char *why = NULL;
    for (unsigned n = 0; !why && n < 2; n++)
        why = drain_unit(work, n);
    for (unsigned n = 0; !why && n < 2; n++)
        why = drain_vif(work, n);
    for (unsigned n = 0; !why && n < DMA_CHANNELS; n++)
        why = drain_channel(work, (enum ee_dma_channel)n);
    return why ? why : held_up(work);
}

static void drop(struct work *work)
{
    struct gif *gif = &work->ps2->hardware.gif;
    for (unsigned n = 0; n < GIF_PATHS; n++) {
        gif->path[n].open = false;
        gif->path[n].left = 0;
    }
}

enum ps2_status ps2_quiesce(struct ps2 *ps2, enum ps2_quiesce how, struct ps2_error *error)
{
    struct work *work = ps2->work;
    enum ps2_status status = PS2_OK;
    if (!work || how == PS2_QUIESCE_REFUSE)
        return PS2_OK;
    lift(work);
    if (how == PS2_QUIESCE_RESET) {
        drop(work);
    } else {
        const char *why = drain(work);
        if (why)
            status = ps2_fail(error, PS2_GUEST_FAULT, NULL, 0, "what was in mid-work cannot end: %s", why);
    }
    ps2->work = NULL;
    work_free(work);
    return status;
}
