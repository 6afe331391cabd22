// The state of the CPU and its on-chip devices, field by field, as snapshots see it.
//
// What is not here is wiring (ports, devices, stubs, the observer), follows from RAM (decoded words), or is
// meaningless between runs (struct run_control but for its count).
#include "ee/core.h"
#include "ee/dmac.h"

#define SHOW(s, field)  visit(context, #field, &(s)->field, sizeof(s)->field, sizeof(s)->field)
#define SHOWS(s, field) visit(context, #field, (s)->field, sizeof(s)->field, sizeof(s)->field[0])

void ee_visit(struct ee *ee, ee_visitor *visit, void *context)
{
    visit(context, "gpr", ee->gpr, 32 * sizeof *ee->gpr, sizeof *ee->gpr);
    SHOW(ee, hi);
    SHOW(ee, lo);
    SHOW(ee, sa);
    SHOW(ee, pc);
    SHOWS(ee, fpr);
    SHOW(ee, acc);
    SHOW(ee, acc_overflowed);
    SHOW(ee, fcr31);
    SHOW(ee, condition_time);
    SHOW(ee, old_condition);
    SHOW(ee, condition_extended);
    SHOWS(ee, cop0);
    SHOW(ee, pccr);
    SHOWS(ee, pcr);
    SHOW(&ee->ctl, retired);
    SHOW(ee, skipped);
    SHOW(ee, event);
    SHOW(ee, count_base);
    SHOW(ee, pcr_base);
    visit(context, "tlb", ee->tlb, sizeof ee->tlb, 4); // four words an entry
    visit(context, "scratchpad", ee->scratchpad, EE_SCRATCHPAD_SIZE, 4);
}

void ee_intc_visit(struct ee_intc *intc, ee_device_visitor *visit, void *context)
{
    SHOW(intc, stat);
    SHOW(intc, mask);
}

void ee_timers_visit(struct ee_timers *timers, ee_device_visitor *visit, void *context)
{
    for (unsigned n = 0; n < EE_TIMERS; n++) {
        struct ee_timer *t = &timers->timer[n];
        SHOW(t, count);
        SHOW(t, comp);
        SHOW(t, hold);
        SHOW(t, mode);
        SHOW(t, since);
    }
}

void ee_dmac_visit(struct ee_dmac *dmac, ee_device_visitor *visit, void *context)
{
    visit(context, "channel", dmac->channel, sizeof dmac->channel, sizeof dmac->channel[0][0]);
    SHOW(dmac, ctrl);
    SHOW(dmac, stat);
    SHOW(dmac, pcr);
    SHOW(dmac, sqwc);
    SHOW(dmac, rbsr);
    SHOW(dmac, rbor);
    SHOW(dmac, stadr);
    SHOW(dmac, enable);
    SHOW(dmac, ready);
    for (unsigned n = 0; n < DMA_CHANNELS; n++) // without the padding at the end
        visit(context, "progress", &dmac->progress[n], offsetof(struct ee_dma_progress, tag_due) + 1, 1);
}
