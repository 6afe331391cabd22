// The EE's on-chip devices as register windows: INTC and timers. The DMAC is in ee/dmac.h.
//
// They know nothing of the machine: whoever makes one says when its interrupt line may have changed, and
// gives the clock. Addresses, bits and write behaviour: EE User's Manual, chapters 3 (INTC) and 4 (timers).
#ifndef EE_DEVICES_H
#define EE_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Snapshots: see ee_visit in ee/ee.h. Each device has a function that shows its state.
typedef void ee_device_visitor(void *context, const char *name, void *data, size_t size, unsigned width);

// ---- INTC

enum ee_intc_cause {
    INTC_GS,
    INTC_SBUS,
    INTC_VBLANK_S,
    INTC_VBLANK_E,
    INTC_VIF0,
    INTC_VIF1,
    INTC_VU0,
    INTC_VU1,
    INTC_IPU,
    INTC_TIM0,
    INTC_TIM1,
    INTC_TIM2,
    INTC_TIM3,
    INTC_SFIFO,
    INTC_VU0WD,
    INTC_CAUSES
};

#define EE_INTC_BASE 0x1000f000u
#define EE_INTC_SIZE 0x20u

struct ee_intc {
    uint32_t stat, mask;
    void *context;
    void (*changed)(void *context); // stat or mask changed
};
void ee_intc_visit(struct ee_intc *, ee_device_visitor *, void *context);
void ee_intc_raise(struct ee_intc *, enum ee_intc_cause);
// Causes that are raised and enabled, one bit each.
uint32_t ee_intc_pending(const struct ee_intc *);
// For struct ee_device; the context is the struct ee_intc.
const char *ee_intc_read(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *ee_intc_write(void *, uint32_t address, unsigned size, const uint64_t value[2]);

// ---- timers

#define EE_TIMERS       4
#define EE_TIMERS_BASE  0x10000000u
#define EE_TIMERS_SIZE  0x2000u
#define EE_CYCLES_BUS   2u     // CPU cycles in one of the bus clock
#define EE_CYCLES_LINE  18743u // CPU cycles in one line of NTSC video: 294.912 MHz / 15.734 kHz
#define EE_CYCLES_FIELD (EE_CYCLES_LINE * 525u / 2u)

struct ee_timer {
    uint16_t count, comp, hold;
    uint16_t mode;
    uint64_t since; // clock at which `count` was reached
};

struct ee_timers {
    struct ee_timer timer[EE_TIMERS];
    struct ee_intc *intc;
    void *context;
    uint64_t (*clock)(void *context); // CPU cycles
    void (*changed)(void *context);   // ee_timers_next may give another answer
};
void ee_timers_visit(struct ee_timers *, ee_device_visitor *, void *context);
// Brings flags and interrupts up to date.
void ee_timers_run(struct ee_timers *);
// Clock of the timer's next interrupt, UINT64_MAX without one.
uint64_t ee_timer_next(const struct ee_timers *, unsigned n);
const char *ee_timers_read(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *ee_timers_write(void *, uint32_t address, unsigned size, const uint64_t value[2]);

// ---- register access

// The 32-bit register value as a load of `size` bytes at `address` sees it.
void ee_register_read(uint32_t address, unsigned size, uint32_t reg, uint64_t value[2]);
// What a store puts on the register's 32 lines; a store narrower than the register drives the others low.
uint32_t ee_register_written(uint32_t address, unsigned size, const uint64_t value[2]);

#endif
