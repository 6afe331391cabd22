// The register windows that the kernel fills: the SIF and the serial port.
#include "harness/kernel/state.h"

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

// ---- all of them

bool windows_add(struct kernel *k)
{
    const struct ee_device devices[] = {
        {SIF_REGISTER_BASE, SIF_REGISTER_SIZE, k->sif, sif_read, sif_write},
        {SIF_IOP_BASE, SIF_IOP_SIZE, k->sif, sif_iop_read, sif_iop_write},
        {SIO_BASE, SIO_SIZE, k, sio_read, sio_write},
    };
    _Static_assert(sizeof devices / sizeof *devices == KERNEL_WINDOWS, "one place for each window");
    bool added = true;
    for (unsigned n = 0; n < KERNEL_WINDOWS; n++) {
        k->windows[n] = devices[n];
        added = added && ee_add_device(k->ee, &k->windows[n]);
    }
    return added;
}
