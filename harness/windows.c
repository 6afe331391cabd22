// Where the EE sees the devices: their register and memory windows, and names for those that nobody models.
#include "harness/hardware.h"

#include <stdio.h>
#include <string.h>

// ---- the vector units' memories; VU0's appear four times (unverified)

#define VU_WINDOW 0x4000u

static struct vu *unit_at(const struct hardware *h, uint32_t address)
{
    return address & 0x8000 ? h->vu.vu1 : h->vu.vu0;
}

static const char *vu_memory_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    struct vu *vu = unit_at(context, address);
    size_t length;
    const uint8_t *memory = address & VU_WINDOW ? vu_data(vu, &length) : vu_micro(vu, &length);
    memcpy(value, memory + (address & (VU_WINDOW - 1) & (length - 1)), size);
    return NULL;
}

static const char *vu_memory_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct vu *vu = unit_at(context, address);
    size_t length;
    uint8_t *memory = vu_data(vu, &length); // as large as micro memory
    uint32_t offset = address & (VU_WINDOW - 1) & (uint32_t)(length - 1);
    if (address & VU_WINDOW)
        memcpy(memory + offset, value, size);
    else
        vu_write_micro(vu, offset, value, size);
    return NULL;
}

// ---- devices that are not modelled

static const struct {
    uint32_t base, size;
    const char *name;
} missing[] = {
    {0x10002000, 0x1000, "an IPU register"},  {0x10003000, 0x800, "a GIF register"},
    {0x10003800, 0x400, "a VIF0 register"},   {0x10003c00, 0x400, "a VIF1 register"},
    {0x10004000, 0x1000, "the VIF0 FIFO"},    {0x10005000, 0x1000, "the VIF1 FIFO"},
    {0x10006000, 0x1000, "the GIF FIFO"},     {0x10007000, 0x1000, "the IPU FIFO"},
    {0x1000f400, 0x100, "an RDRAM register"}, {0x12000000, 0x2000, "a GS register"},
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
        {0x11000000, 4 * VU_WINDOW, h, vu_memory_read, vu_memory_write},
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
