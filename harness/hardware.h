// The console's devices around the EE, connected with each other and with the CPU's ports. Private to
// harness/.
#ifndef HARNESS_HARDWARE_H
#define HARNESS_HARDWARE_H

#include "ee/devices.h"
#include "ee/dmac.h"
#include "harness/vu0.h"

#define HARDWARE_WINDOWS 20

struct hardware {
    struct ee *ee;
    struct ee_intc intc;
    struct ee_timers timers;
    struct ee_dmac dmac;
    struct vector_units vu;
    struct ee_device windows[HARDWARE_WINDOWS];
    // Whoever takes the interrupts, told when a line or the next timer event may have changed. May be NULL.
    void *listener;
    void (*changed)(void *listener);
    char message[GUEST_MESSAGE_SIZE];
};

// Connects everything to `ee`, which must not have devices or ports yet. False when memory runs out; then
// there is nothing to free. The structure must outlive the CPU and stay where it is.
bool hardware_new(struct hardware *, struct ee *ee);
void hardware_free(struct hardware *);
bool hardware_cpcond(void *hardware); // for struct ee_ports

// ---- windows.c
bool hardware_add_windows(struct hardware *);

#endif
