// The EE core against every EE row captured on consoles, on both engines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/ee_vectors.h"

struct product {
    struct ee *ee;
    struct vector_pass pass;
};

static int make(void **state, enum ee_engine engine)
{
    char why[GUEST_MESSAGE_SIZE];
    struct product *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->ee = ee_new(&(struct ee_config){.engine = engine}, why);
    if (!p->ee)
        fail_msg("%s", why);
    vectors_use_core(&p->pass, p->ee);
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
