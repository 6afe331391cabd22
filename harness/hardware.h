// The console's devices around the EE, connected with each other and with the CPU's ports. Private to
// harness/.
//
// Everything runs at once inside the access that starts it, but for what has to wait: a VIF for the GIF, the
// GIF's channel for its mask, a channel for room. What another device sets free is noted in `due` and taken
// up when the device that runs is done: see hardware_settle.
#ifndef HARNESS_HARDWARE_H
#define HARNESS_HARDWARE_H

#include "ee/devices.h"
#include "ee/dmac.h"
#include "gs/gs.h"
#include "harness/record.h"
#include "harness/vu0.h"
#include "vif/vif.h"

#define HARDWARE_WINDOWS 24

struct hardware {
    struct ee *ee;
    struct ee_intc intc;
    struct ee_timers timers;
    struct ee_dmac dmac;
    struct vector_units vu;
    struct vif *vif[2];
    struct gif gif;
    struct gs *gs;
    struct hardware_unit { // the context of a VIF's ports
        struct hardware *h;
        enum vif_unit unit;
    } units[2];
    struct ee_device windows[HARDWARE_WINDOWS];
    unsigned due; // DMA channels whose device may go on, one bit each
    bool settling;
    // Whoever takes the interrupts, told when a line or the next timer event may have changed. May be NULL.
    void *listener;
    void (*changed)(void *listener);
    struct ps2_record *record;        // NULL: nothing is recorded
    char trouble[GUEST_MESSAGE_SIZE]; // what went wrong inside a device that cannot report it; empty: nothing
    char message[GUEST_MESSAGE_SIZE];
};

// Connects everything to `ee`, which must not have devices or ports yet. False when memory runs out; then
// there is nothing to free. The structure must outlive the CPU and stay where it is.
bool hardware_new(struct hardware *, struct ee *ee);
void hardware_free(struct hardware *);
bool hardware_cpcond(void *hardware); // for struct ee_ports
// Takes up what became free. NULL, or the error that the guest's access has to report.
const char *hardware_settle(struct hardware *);
// The GIF's state may have changed: VIF1 may wait for that.
void hardware_gif_changed(struct hardware *);

// Words for a VIF from `address`; as vif_write. `channel`: DMA_CHANNELS for its FIFO.
size_t hardware_feed_vif(const struct hardware_unit *, enum ee_dma_channel, uint32_t address,
                         const uint32_t *words, size_t count);
// Tells the recorder everything from now on; NULL ends that.
void hardware_record(struct hardware *, struct ps2_record *, const struct vif_observer *);

// ---- windows.c
bool hardware_add_windows(struct hardware *);

#endif
