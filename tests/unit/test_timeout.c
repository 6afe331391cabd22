// The limit of wall-clock time ends a microprogram that the EE waits for, however it was started, with a
// fault that names the unit and the pair.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/machine.h"
#include "tests/support/vu_program.h"

enum { CODE = 0x100000 };

struct start {
    const char *message; // with time; without it ends at its limit of cycles
    const char *without;
    uint32_t words[8];
    uint32_t pc; // of the instruction that waits
};

static const struct start starts[] = {
    {"VU0's microprogram has run out of time (it was at pair 0x",
     "VU0's microprogram does not end",
     {0x00000000, 0x4a000038, 0x03e00008, 0x00000000}, // vcallms 0
     CODE + 4},
    {"VU1's microprogram has run out of time (it was at pair 0x",
     "VU1's microprogram does not end",
     {0x48c0f800, 0x03e00008, 0x00000000}, // ctc2 zero,$vi31
     CODE},
    {"VU1's microprogram has run out of time (it was at pair 0x",
     "VU1's microprogram does not end",
     {0x3c081000, 0x35085000, 0x3c091400, 0x7d090000, 0x03e00008, 0x00000000}, // MSCAL 0 by the FIFO
     CODE + 12},
};

static struct ps2 *machine(enum ee_engine engine, const struct start *s)
{
    struct ps2 *ps2;
    assert_int_equal(ps2_new(&(struct ps2_config){.engine = engine}, &ps2, NULL), PS2_OK);
    assert_int_equal(ps2_write(ps2, CODE, s->words, sizeof s->words, NULL), PS2_OK);
    vu_program_load(ps2->hardware.vu.vu0, "NOP B .+0\nNOP NOP\n");
    vu_program_load(ps2->hardware.vu.vu1, "NOP B .+0\nNOP NOP\n");
    return ps2;
}

// `timeout_ms` 0: none.
static void expect(enum ee_engine engine, const struct start *s, unsigned timeout_ms, uint64_t cycles)
{
    struct ps2 *ps2 = machine(engine, s);
    struct ps2_result result;
    struct ps2_error error = {0};
    const char *message = timeout_ms ? s->message : s->without;
    ps2->hardware.vu.cop2.limit = cycles;
    assert_int_equal(ps2_call(ps2, &(struct ps2_call){.entry = CODE, .limits = {.timeout_ms = timeout_ms}},
                              &result, &error),
                     PS2_GUEST_FAULT);
    assert_int_equal(result.stop.kind, GUEST_FAULT);
    assert_int_equal(result.stop.pc, s->pc);
    if (!strstr(result.stop.message, message))
        fail_msg("'%s'", result.stop.message);
    ps2_free(ps2);
}

static void endless_microprograms_end_in_time(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof starts / sizeof *starts; n++) {
        expect(EE_ENGINE_UNICORN, &starts[n], 20, UINT64_C(1) << 40); // an hour
        expect(EE_ENGINE_INTERP, &starts[n], 20, UINT64_C(1) << 40);
    }
}

// The control: the limit of cycles, which time has no part in, in slices or not.
static void cycles_end_them_without_time(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof starts / sizeof *starts; n++) {
        expect(EE_ENGINE_INTERP, &starts[n], 0, 1000);
        expect(EE_ENGINE_INTERP, &starts[n], 0, 3000000);
    }
}

// A program that is run in slices is the one that runs at once: to the cycle.
static void slices_change_nothing(void **state)
{
    static const char text[] =
        "NOP IADDIU VI01, VI00, 3500\nADD.xyzw VF01, VF01, VF00 IADDIU VI02, VI00, 200\n"
        "MUL.x VF02, VF01, VF01 ISUBIU VI02, VI02, 1\nNOP ESQRT P, VF01x\n"
        "NOP IBNE VI02, VI00, .-2\nNOP DIV Q, VF00w, VF01w\n"
        "NOP ISUBIU VI01, VI01, 1\nNOP NOP\nNOP IBNE VI01, VI00, .-7\nNOP NOP\n"
        "NOP[E] NOP\nNOP NOP\n";
    struct vu *unit[2] = {vu_new(VU_UNIT_1, NULL), vu_new(VU_UNIT_1, NULL)};
    struct vu_cop2 cop2 = {.vu0 = unit[0], .vu1 = unit[0]};
    struct vu_state after[2];
    struct vu_stop stop;
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        vu_program_load(unit[n], text);
        vu_start(unit[n], 0);
    }
    assert_null(vu_cop2_run(&cop2, unit[0], false));
    vu_run(unit[1], 0, false, &stop);
    assert_int_equal(stop.kind, VU_ENDED);
    assert_in_range(stop.cycles, 3 << 20, 100000000);
    for (unsigned n = 0; n < 2; n++)
        vu_get_state(unit[n], &after[n]);
    assert_memory_equal(&after[0], &after[1], sizeof after[0]);
    vu_free(unit[0]);
    vu_free(unit[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_microprograms_end_in_time),
        cmocka_unit_test(cycles_end_them_without_time),
        cmocka_unit_test(slices_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
