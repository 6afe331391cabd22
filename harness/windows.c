// Where the EE sees the devices: their register windows, and names for those that nobody models.
#include "harness/hardware.h"

#include <stdio.h>
#include <string.h>

// ---- the VIFs

#define VIF0_BASE 0x10003800u
#define VIF1_BASE 0x10003c00u
#define VIF_SIZE  0x400u
#define VIF0_FIFO 0x10004000u
#define VIF1_FIFO 0x10005000u
#define FIFO_SIZE 0x1000u

static const char *vif_register_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    const struct hardware_unit *unit = context;
    uint32_t reg = address & 0xc ? 0 : vif_read_register(unit->h->vif[unit->unit], address & (VIF_SIZE - 4));
    ee_register_read(address, size, reg, value);
    return NULL;
}

static const char *vif_register_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    const struct hardware_unit *unit = context;
    if (address & 0xc)
        return NULL;
    record_store(unit->h->record, address, size, value);
    vif_write_register(unit->h->vif[unit->unit], address & (VIF_SIZE - 4),
                       ee_register_written(address, size, value));
    unit->h->due |= 1u << unit->unit;
    return hardware_settle(unit->h);
}

static const char *vif_fifo_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    const struct hardware_unit *unit = context;
    (void)address;
    if (unit->unit == VIF_UNIT_0 || size != 16)
        return unit->unit == VIF_UNIT_0 ? "the VIF0 FIFO can only be written"
                                        : "the VIF1 FIFO gives quadwords only";
    return vif_read(unit->h->vif[1], (uint64_t(*)[2])value, 1)
               ? NULL
               : "the VIF1 FIFO is empty and nothing fills it";
}

static const char *vif_fifo_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    const struct hardware_unit *unit = context;
    uint32_t words[4];
    if (size != 16)
        return "a VIF FIFO takes quadwords only";
    memcpy(words, value, sizeof words);
    if (hardware_feed_vif(unit, DMA_CHANNELS, address & 0x1fffffff, words, 4) != 4)
        return "the VIF FIFO is full and nothing empties it";
    return hardware_settle(unit->h);
}

// ---- the GIF and the GS: what a store sets free goes on

static const char *after_store(struct hardware *h, const char *why)
{
    hardware_gif_changed(h);
    return why ? why : hardware_settle(h);
}

static const char *gif_window_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    return gif_read_register(&((struct hardware *)context)->gif, address, size, value);
}

static const char *gif_window_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct hardware *h = context;
    record_store(h->record, address, size, value);
    return after_store(h, gif_write_register(&h->gif, address, size, value));
}

// Nothing can be read from there.
static const char *gif_fifo_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    (void)context, (void)address, (void)size;
    value[0] = value[1] = 0;
    return NULL;
}

static const char *gif_fifo_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct hardware *h = context;
    record_path3(h->record, DMA_CHANNELS);
    return after_store(h, gif_write_fifo(&h->gif, address, size, value));
}

static const char *gs_window_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    return gs_read_privileged(((struct hardware *)context)->gs, address, size, value);
}

static const char *gs_window_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct hardware *h = context;
    record_store(h->record, address, size, value);
    return after_store(h, gs_write_privileged(h->gs, address, size, value));
}

// ---- devices that are not modelled

static const struct {
    uint32_t base, size;
    const char *name;
} missing[] = {
    {0x10002000, 0x1000, "an IPU register"},
    {0x10007000, 0x1000, "the IPU FIFO"},
    {0x1000f400, 0x100, "an RDRAM register"},
    {0x1fc00000, 0x400000, "the boot ROM"},
};
#define MISSING (sizeof missing / sizeof *missing)

static const char *refuse(struct hardware *h, const char *what, uint32_t address)
{
    uint32_t physical = address & 0x1fffffff;
    for (unsigned n = 0; n < MISSING; n++)
        if (physical - missing[n].base < missing[n].size) {
            snprintf(h->message, sizeof h->message, "unsupported: %s %s", what, missing[n].name);
            return h->message;
        }
    return "unsupported: a device";
}

static const char *missing_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    (void)size, (void)value;
    return refuse(context, "a load from", address);
}

static const char *missing_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    (void)size, (void)value;
    return refuse(context, "a store to", address);
}

// ---- all of them

bool hardware_add_windows(struct hardware *h)
{
    const struct ee_device devices[] = {
        {EE_INTC_BASE, EE_INTC_SIZE, &h->intc, ee_intc_read, ee_intc_write},
        {EE_TIMERS_BASE, EE_TIMERS_SIZE, &h->timers, ee_timers_read, ee_timers_write},
        {EE_DMAC_CHANNEL_BASE, EE_DMAC_CHANNEL_SIZE, &h->dmac, ee_dmac_read, ee_dmac_write},
        {EE_DMAC_BASE, EE_DMAC_SIZE, &h->dmac, ee_dmac_read, ee_dmac_write},
        {EE_DMAC_ENABLE_BASE, EE_DMAC_ENABLE_SIZE, &h->dmac, ee_dmac_read, ee_dmac_write},
        {GIF_BASE, GIF_SIZE, h, gif_window_read, gif_window_write},
        {VIF0_BASE, VIF_SIZE, &h->units[0], vif_register_read, vif_register_write},
        {VIF1_BASE, VIF_SIZE, &h->units[1], vif_register_read, vif_register_write},
        {VIF0_FIFO, FIFO_SIZE, &h->units[0], vif_fifo_read, vif_fifo_write},
        {VIF1_FIFO, FIFO_SIZE, &h->units[1], vif_fifo_read, vif_fifo_write},
        {GIF_FIFO_BASE, GIF_FIFO_SIZE, h, gif_fifo_read, gif_fifo_write},
        {GS_BASE, GS_SIZE, h, gs_window_read, gs_window_write},
    };
    const unsigned count = sizeof devices / sizeof *devices;
    _Static_assert(sizeof devices / sizeof *devices + MISSING <= HARDWARE_WINDOWS,
                   "one place for each window");
    bool added = true;
    for (unsigned n = 0; n < count + MISSING; n++) {
        const unsigned m = n - count;
        h->windows[n] =
            n < count ? devices[n]
                      : (struct ee_device){missing[m].base, missing[m].size, h, missing_read, missing_write};
        added = added && ee_add_device(h->ee, &h->windows[n]);
    }
    return added;
}
