// The vector files on the EE core: its registers carried over from and to the model's, its RAM shared.
#include <string.h>

#include "tests/support/ee_vectors.h"

static void load(struct ee *ee, const struct r5900_model *m)
{
    struct ee_context c = {.acc = m->acc, .fcr31 = m->fcr31, .sa = m->sa, .pc = m->pc};
    memcpy(c.gpr, m->gpr, sizeof c.gpr);
    memcpy(&c.hi, &m->hi, sizeof c.hi);
    memcpy(&c.lo, &m->lo, sizeof c.lo);
    memcpy(c.fpr, m->fpr, sizeof c.fpr);
    c.acc_overflowed = m->acc_overflow;
    ee_restore(ee, &c);
    ee_set(ee, EE_REG_FCR0, (const uint64_t[2]){m->fcr0, 0});
}

static void store(struct ee *ee, struct r5900_model *m)
{
    struct ee_context c;
    ee_save(ee, &c);
    memcpy(m->gpr, c.gpr, sizeof c.gpr);
    memcpy(&m->hi, &c.hi, sizeof c.hi);
    memcpy(&m->lo, &c.lo, sizeof c.lo);
    memcpy(m->fpr, c.fpr, sizeof c.fpr);
    m->acc = c.acc;
    m->acc_overflow = c.acc_overflowed;
    m->fcr31 = c.fcr31;
    m->sa = c.sa;
    m->pc = c.pc;
}

static void reset(void *context)
{
    ee_reset(context);
}

// The RAM of m is the product's own.
static bool step(void *context, struct r5900_model *m)
{
    struct guest_stop stop;
    load(context, m);
    ee_written(context, m->pc, 8);
    ee_step(context, &stop);
    store(context, m);
    return stop.kind == GUEST_LIMIT;
}

void vectors_use_core(struct vector_pass *p, struct ee *ee)
{
    p->reset = reset;
    p->runner.context = ee;
    p->runner.step = step;
    p->runner.m.ram = ee_ram(ee, NULL);
    p->runner.m.scratchpad = ee_scratchpad(ee);
}
