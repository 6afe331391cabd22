// Snapshots see all of a vector unit: every field is shown or named here as wiring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/cover.h"
#include "vu/core.h"

static void the_unit_is_shown(void **state)
{
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct cover c = COVER_NEW(*vu);
    (void)state;
    vu_visit(vu, cover_shown, &c);
    COVER_WIRING(&c, vu->recent); // shown by number
    COVER_WIRING(&c, vu->unit);
    COVER_WIRING(&c, vu->micro_mask);
    COVER_WIRING(&c, vu->data_mask);
    COVER_WIRING(&c, vu->config);
    COVER_WIRING(&c, vu->ports);
    COVER_WIRING(&c, vu->window);
    COVER_WIRING(&c, vu->observer);
    COVER_WIRING(&c, vu->macros);
    COVER_WIRING(&c, vu->pairs);
    COVER_WIRING(&c, vu->micro);
    COVER_WIRING(&c, vu->micro_marks);
    COVER_WIRING(&c, vu->data);
    assert_int_equal(cover_gap(&c), sizeof *vu);
    cover_free(&c);
    vu_free(vu);
}

static void coprocessor_2_is_shown(void **state)
{
    struct vu_cop2 cop2 = {0};
    struct cover c = COVER_NEW(cop2);
    (void)state;
    vu_cop2_visit(&cop2, cover_shown, &c);
    COVER_WIRING(&c, cop2.vu0);
    COVER_WIRING(&c, cop2.vu1);
    COVER_WIRING(&c, cop2.limit);
    COVER_WIRING(&c, cop2.context);
    COVER_WIRING(&c, cop2.ran_vu1);
    COVER_WIRING(&c, cop2.runs);
    COVER_WIRING(&c, cop2.ran);
    COVER_WIRING(&c, cop2.timed_out);
    COVER_WIRING(&c, cop2.message);
    assert_int_equal(cover_gap(&c), sizeof cop2);
    cover_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_is_shown),
        cmocka_unit_test(coprocessor_2_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
