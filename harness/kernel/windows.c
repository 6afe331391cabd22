// The register windows of the machine that the kernel fills: devices it has, and names for those that nobody
// models.
#include "harness/kernel/state.h"

#include <string.h>

// ---- SIO: the serial port on which programs print messages for their makers

#define SIO_BASE 0x1000f100u
#define SIO_SIZE 0x100u
#define SIO_TX   0x1000f180u

// Status reads as ready, input as empty.
static const char *sio_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    (void)context;
    ee_register_read(address, size, 0, value);
    return NULL;
}

static const char *sio_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    const struct kernel *k = context;
    uint8_t byte = (uint8_t)value[0];
    (void)size;
    if ((address & 0x1fffffff) == SIO_TX && k->config.output)
        k->config.output(k->config.context, 2, &byte, 1);
    return NULL;
}

// ---- devices that are not modelled

static const struct {
    uint32_t base, size;
    const char *name;
} missing[] = {
    {0x10002000, 0x1000, "an IPU register"},   {0x10003000, 0x800, "a GIF register"},
    {0x10003800, 0x400, "a VIF0 register"},    {0x10003c00, 0x400, "a VIF1 register"},
    {0x10004000, 0x1000, "the VIF0 FIFO"},     {0x10005000, 0x1000, "the VIF1 FIFO"},
    {0x10006000, 0x1000, "the GIF FIFO"},      {0x10007000, 0x1000, "the IPU FIFO"},
    {0x1000f400, 0x100, "an RDRAM register"},  {0x11000000, 0x4000, "VU0's micro memory"},
    {0x1fc00000, 0x400000, "the boot ROM"},
};
#define MISSING (sizeof missing / sizeof *missing)

static const char *refuse(struct kernel *k, const char *what, uint32_t address)
{
    uint32_t physical = address & 0x1fffffff;
    for (unsigned n = 0; n < MISSING; n++)
        if (physical - missing[n].base < missing[n].size)
            return kernel_message(k, "unsupported: %s %s", what, missing[n].name);
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

bool windows_add(struct kernel *k)
{
    const struct ee_device devices[] = {
        {EE_INTC_BASE, EE_INTC_SIZE, &k->intc, ee_intc_read, ee_intc_write},
        {EE_TIMERS_BASE, EE_TIMERS_SIZE, &k->timers, ee_timers_read, ee_timers_write},
        {EE_DMAC_CHANNEL_BASE, EE_DMAC_CHANNEL_SIZE, &k->dmac, ee_dmac_read, ee_dmac_write},
        {EE_DMAC_BASE, EE_DMAC_SIZE, &k->dmac, ee_dmac_read, ee_dmac_write},
        {EE_DMAC_ENABLE_BASE, EE_DMAC_ENABLE_SIZE, &k->dmac, ee_dmac_read, ee_dmac_write},
        {SIF_REGISTER_BASE, SIF_REGISTER_SIZE, k->sif, sif_read, sif_write},
        {SIF_IOP_BASE, SIF_IOP_SIZE, k->sif, sif_iop_read, sif_iop_write},
        {SIO_BASE, SIO_SIZE, k, sio_read, sio_write},
    };
    const unsigned count = sizeof devices / sizeof *devices;
    _Static_assert(sizeof devices / sizeof *devices + MISSING == KERNEL_WINDOWS, "one place for each window");
    bool added = true;
    for (unsigned n = 0; n < count; n++) {
        k->windows[n] = devices[n];
        added = added && ee_add_device(k->ee, &k->windows[n]);
    }
    // A window that the machine has filled already stays as it is.
    for (unsigned n = 0; n < MISSING; n++) {
        k->windows[count + n] =
            (struct ee_device){missing[n].base, missing[n].size, k, missing_read, missing_write};
        ee_add_device(k->ee, &k->windows[count + n]);
    }
    return added;
}
