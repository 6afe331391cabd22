// The clock: one list of everything that happens by itself, and when.
#include "harness/kernel/state.h"

// Lines of vertical blanking in a field (NTSC).
#define VBLANK_LINES 22u

void clock_reset(struct kernel *k)
{
    uint64_t now = ee_clock(k->ee);
    k->vblank_start = k->config.vblank ? now + EE_CYCLES_FIELD : UINT64_MAX;
    k->vblank_end = k->config.vblank ? now + VBLANK_LINES * EE_CYCLES_LINE : UINT64_MAX;
}

static bool fields(struct kernel *k, uint64_t *next, enum ee_intc_cause cause, uint64_t now)
{
    if (*next > now)
        return false;
    *next += ((now - *next) / EE_CYCLES_FIELD + 1) * EE_CYCLES_FIELD;
    ee_intc_raise(k->intc, cause);
    return true;
}

void clock_run(struct kernel *k)
{
    uint64_t now = ee_clock(k->ee);
    if (fields(k, &k->vblank_start, INTC_VBLANK_S, now))
        gs_vsync(k->gs);
    fields(k, &k->vblank_end, INTC_VBLANK_E, now);
    ee_timers_run(k->timers);
    sif_run(k->sif, now);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t clock_next(const struct kernel *k, bool waking)
{
    uint64_t next = alarm_next(k);
    if (!waking || interrupt_wanted(k, HANDLER_INTC, INTC_VBLANK_S) ||
        interrupt_wanted(k, HANDLER_INTC, INTC_GS))
        next = lesser(next, k->vblank_start);
    if (!waking || interrupt_wanted(k, HANDLER_INTC, INTC_VBLANK_E))
        next = lesser(next, k->vblank_end);
    for (unsigned n = 0; n < EE_TIMERS; n++)
        if (!waking || interrupt_wanted(k, HANDLER_INTC, INTC_TIM0 + n))
            next = lesser(next, ee_timer_next(k->timers, n));
    if (!waking || interrupt_wanted(k, HANDLER_DMAC, DMA_SIF0))
        next = lesser(next, sif_next(k->sif));
    return next;
}
