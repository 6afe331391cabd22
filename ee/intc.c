// INTC: the interrupt controller's two registers.
#include "ee/devices.h"

#define CAUSES ((1u << INTC_CAUSES) - 1)

void ee_register_read(uint32_t address, unsigned size, uint32_t reg, uint64_t value[2])
{
    value[0] = reg >> (address & 3) * 8;
    value[1] = 0;
    if (size < 4)
        value[0] &= (1u << size * 8) - 1;
}

uint32_t ee_register_written(uint32_t address, unsigned size, const uint64_t value[2])
{
    uint32_t low = (uint32_t)value[0];
    if (size < 4)
        low &= (1u << size * 8) - 1;
    return low << (address & 3) * 8;
}

void ee_intc_raise(struct ee_intc *intc, enum ee_intc_cause cause)
{
    intc->stat |= 1u << cause;
    intc->changed(intc->context);
}

uint32_t ee_intc_pending(const struct ee_intc *intc)
{
    return intc->stat & intc->mask;
}

const char *ee_intc_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    const struct ee_intc *intc = context;
    ee_register_read(address, size, address & 0x10 ? intc->mask : intc->stat, value);
    if (address & 0xc)
        value[0] = 0;
    return NULL;
}

// I_STAT: ones clear. I_MASK: ones toggle.
const char *ee_intc_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct ee_intc *intc = context;
    uint32_t bits = ee_register_written(address, size, value) & CAUSES;
    if (address & 0xc)
        return NULL;
    if (address & 0x10)
        intc->mask ^= bits;
    else
        intc->stat &= ~bits;
    intc->changed(intc->context);
    return NULL;
}
