// A first program on the interpreter: loads, stores, a branch with its slot, the return to the trap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ee/ee.h"

static void a_loop_sums_and_returns(void **state)
{
    (void)state;
    static const uint32_t code[] = {0x00001021, 0x00441021, 0x1480fffe, 0x2484ffff, 0x03e00008, 0xac020100};
    struct ee *ee = ee_new(NULL, NULL);
    struct guest_stop stop;
    assert_non_null(ee);
    ee_poke(ee, 0x100000, code, sizeof code);
    ee_gpr(ee, EE_A0)->d[0] = 10;
    ee_gpr(ee, EE_RA)->d[0] = EE_TRAP_BASE;
    ee_set_pc(ee, 0x100000);
    ee_run(ee, &(struct guest_limits){.insns = 1000}, &stop);
    assert_int_equal(stop.kind, GUEST_RETURNED);
    assert_int_equal(ee_gpr(ee, EE_V0)->d[0], 55);
    assert_int_equal(stop.insns, 1 + 11 * 3 + 2);
    uint32_t stored;
    assert_int_equal(ee_peek(ee, 0xa0000100, &stored, 4), 4);
    assert_int_equal(stored, 55);
    ee_free(ee);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_loop_sums_and_returns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
