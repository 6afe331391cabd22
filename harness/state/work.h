// What a captured state left half done: kept apart until somebody decides, and shut off from the guest.
// Private to harness/.
//
// Channels in mid-work lie in the DMAC without CHCR.STR, so that nothing takes them up.
#ifndef STATE_WORK_H
#define STATE_WORK_H

#include "ee/dmac.h"
#include "harness/state/captured.h"

struct work;

// Copies what it needs; nothing in the machine changes before work_park.
enum ps2_status work_new(struct ps2 *, const struct captured *, struct work **, struct ps2_error *);
// Takes the channels out of the DMAC, which holds the state now, and puts guards before the devices.
void work_park(struct work *);
// Takes the guards away. NULL is allowed.
void work_free(struct work *);

// ---- for saving; NULL is a machine without such work

bool work_has_channel(const struct work *, enum ee_dma_channel);
bool work_has_unit(const struct work *, unsigned vu);
// STAT as captured; 0 when the unit was idle.
uint32_t work_vif_stat(const struct work *, unsigned vif);
uint32_t work_gif_stat(const struct work *);
const uint8_t *work_vif_data(const struct work *, unsigned vif, size_t *size);

#endif
