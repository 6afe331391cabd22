// The VIF's register and FIFO windows in the shape of the EE's devices.
#include "vif/vif.h"

#include <string.h>

const char *vif_read_device(void *vif, uint32_t address, unsigned size, uint64_t value[2])
{
    uint32_t reg = address & 0xc ? 0 : vif_read_register(vif, address & 0x3f0);
    value[0] = reg >> (address & 3) * 8;
    value[1] = 0;
    if (size < 4)
        value[0] &= (1u << size * 8) - 1;
    return NULL;
}

const char *vif_write_device(void *vif, uint32_t address, unsigned size, const uint64_t value[2])
{
    uint32_t bits = (uint32_t)value[0];
    if (size < 4)
        bits &= (1u << size * 8) - 1;
    if (!(address & 0xc))
        vif_write_register(vif, address & 0x3f0, bits << (address & 3) * 8);
    return NULL;
}

const char *vif_read_fifo(void *vif, uint32_t address, unsigned size, uint64_t value[2])
{
    (void)address;
    uint64_t quadword[1][2];
    if (size != 16)
        return "the VIF FIFO gives quadwords only";
    if (!vif_read(vif, quadword, 1))
        return "the VIF FIFO is empty or leads to the VIF (STAT.FDR)";
    memcpy(value, quadword[0], 16);
    return NULL;
}

const char *vif_write_fifo(void *vif, uint32_t address, unsigned size, const uint64_t value[2])
{
    (void)address;
    uint32_t words[4];
    if (size != 16)
        return "the VIF FIFO takes quadwords only";
    memcpy(words, value, 16);
    return vif_write(vif, words, 4) == 4
               ? NULL
               : "the VIF FIFO is full and nothing empties it, or leads to memory (STAT.FDR)";
}
