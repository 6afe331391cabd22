// ps2_fail: status, place and message, and a NULL error.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/ps2h.h"

static void fail_fills_every_field(void **state)
{
    (void)state;
    struct ps2_error e = {0};
    assert_int_equal(ps2_fail(&e, PS2_BAD_INPUT, "a.elf", 0x34, "bad %s", "magic"), PS2_BAD_INPUT);
    assert_int_equal(e.status, PS2_BAD_INPUT);
    assert_string_equal(e.where, "a.elf");
    assert_int_equal(e.offset, 0x34);
    assert_string_equal(e.message, "bad magic");
    assert_int_equal(ps2_fail(NULL, PS2_GUEST_FAULT, NULL, 0, "x"), PS2_GUEST_FAULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fail_fills_every_field)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
