// The EE core against every EE row captured on consoles, on both engines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ee/ee.h"
#include "tests/support/ee_vectors.h"

struct product {
    struct ee *ee;
    struct vector_pass pass;
};

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
    struct product *p = context;
    ee_reset(p->ee);
}

// The RAM of m is the product's own.
static bool step(void *context, struct r5900_model *m)
{
    struct product *p = context;
    struct guest_stop stop;
    load(p->ee, m);
    ee_written(p->ee, m->pc, 8);
    ee_step(p->ee, &stop);
    store(p->ee, m);
    return stop.kind == GUEST_LIMIT;
}

static int make(void **state, enum ee_engine engine)
{
    char why[GUEST_MESSAGE_SIZE];
    struct product *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->ee = ee_new(&(struct ee_config){.engine = engine}, why);
    if (!p->ee)
        fail_msg("%s", why);
    p->pass.reset = reset;
    p->pass.runner.context = p;
    p->pass.runner.step = step;
    p->pass.runner.m.ram = ee_ram(p->ee, NULL);
    p->pass.runner.m.scratchpad = ee_scratchpad(p->ee);
    *state = p;
    return 0;
}

static int make_interp(void **state)
{
    return make(state, EE_ENGINE_INTERP);
}

static int make_unicorn(void **state)
{
    return make(state, EE_ENGINE_UNICORN);
}

static int drop(void **state)
{
    struct product *p = *state;
    ee_free(p->ee);
    free(p);
    return 0;
}

static void every_row_agrees(void **state)
{
    struct product *p = *state;
    vectors_assert_all(&p->pass);
}

static void a_spoiled_expectation_is_noticed(void **state)
{
    struct product *p = *state;
    vectors_assert_spoiled(&p->pass);
}

static void an_exchanged_instruction_is_noticed(void **state)
{
    struct product *p = *state;
    vectors_assert_exchanged(&p->pass);
}

#define ON(engine, test)                                                                                     \
    {                                                                                                        \
#test "_on_" #engine, test, make_##engine, drop, NULL                                                \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON(interp, every_row_agrees),
        ON(interp, a_spoiled_expectation_is_noticed),
        ON(interp, an_exchanged_instruction_is_noticed),
        ON(unicorn, every_row_agrees),
        ON(unicorn, a_spoiled_expectation_is_noticed),
        ON(unicorn, an_exchanged_instruction_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
