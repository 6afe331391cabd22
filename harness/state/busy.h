// The DMA channels of a captured state. Private to harness/.
#ifndef STATE_BUSY_H
#define STATE_BUSY_H

#include "ee/dmac.h"
#include "harness/state/captured.h"

struct captured_channel {
    uint32_t offset; // of its registers in eeHwRegs.bin
    const char *name;
};
extern const struct captured_channel captured_channels[DMA_CHANNELS];

#endif
