// The R5900 model against every EE row captured on consoles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/ee_vectors.h"

static int make_pass(void **state)
{
    struct vector_pass *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->runner.m.ram = calloc(1, R5900_RAM_SIZE);
    p->runner.m.scratchpad = calloc(1, R5900_SCRATCHPAD_SIZE);
    assert_non_null(p->runner.m.ram);
    assert_non_null(p->runner.m.scratchpad);
    *state = p;
    return 0;
}

static int drop_pass(void **state)
{
    struct vector_pass *p = *state;
    free(p->runner.m.ram);
    free(p->runner.m.scratchpad);
    free(p);
    return 0;
}

static void every_row_agrees(void **state)
{
    vectors_assert_all(*state);
}

static void a_spoiled_expectation_is_noticed(void **state)
{
    vectors_assert_spoiled(*state);
}

static void an_exchanged_instruction_is_noticed(void **state)
{
    vectors_assert_exchanged(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_agrees, make_pass, drop_pass),
        cmocka_unit_test_setup_teardown(a_spoiled_expectation_is_noticed, make_pass, drop_pass),
        cmocka_unit_test_setup_teardown(an_exchanged_instruction_is_noticed, make_pass, drop_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
