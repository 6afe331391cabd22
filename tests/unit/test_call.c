// Calling: arguments where the console's compiler looks for them, results, stubs, limits, faults.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/guest.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void integers_fill_registers_then_the_stack(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("eabi.elf", NULL);
    struct ps2_argument arguments[10];
    struct ps2_result result;
    for (int n = 0; n < 10; n++)
        arguments[n] = ps2_integer(n + 1);
    assert_int_equal(guest_call(ps2, "ninth_and_tenth", arguments, 10, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 36 + 90 + 10000);
    ps2_free(ps2);
}

static void floats_fill_registers_then_the_stack(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("eabi.elf", NULL);
    struct ps2_argument arguments[11];
    struct ps2_result result;
    for (int n = 0; n < 11; n++)
        arguments[n] = ps2_float(bits((float)n));
    assert_int_equal(guest_call(ps2, "eighth_float", arguments, 8, &result), PS2_OK);
    assert_int_equal(result.f0, bits(7));
    arguments[9] = ps2_integer(-1);
    arguments[10] = ps2_float(bits(100));
    assert_int_equal(guest_call(ps2, "floats_on_stack", arguments, 11, &result), PS2_OK);
    assert_int_equal(result.f0, bits(8 - 100));
    ps2_free(ps2);
}

static void integers_and_floats_are_counted_apart(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("eabi.elf", NULL);
    struct ps2_result result;
    const struct ps2_argument arguments[] = {ps2_integer(0),
                                             ps2_float(0),
                                             ps2_integer(0),
                                             ps2_integer(0),
                                             ps2_integer(0),
                                             ps2_integer(0),
                                             ps2_integer(0),
                                             ps2_integer(0),
                                             ps2_integer(0),
                                             ps2_float(0),
                                             ps2_integer(-5),
                                             ps2_float(0),
                                             ps2_integer(INT64_C(1) << 40)};
    assert_int_equal(guest_call(ps2, "mixed", arguments, COUNT(arguments), &result), PS2_OK);
    assert_int_equal((int64_t)result.v0.d[0], -5 - (INT64_C(1) << 40));
    ps2_free(ps2);
}

static void words_are_sign_extended_and_longer_values_kept(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("eabi.elf", NULL);
    struct ps2_result result;
    assert_int_equal(ps2_integer(0x80000000).value.d[0], 0xffffffff80000000u);
    assert_int_equal(ps2_integer(INT64_C(0x100000000)).value.d[0], 0x100000000u);
    const struct ps2_argument wide[] = {ps2_integer(-1), ps2_integer(INT64_MAX)};
    assert_int_equal(guest_call(ps2, "wide_argument", wide, 2, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], INT64_MAX - 1);
    const struct ps2_argument high = ps2_integer(0xfffffff0);
    assert_int_equal(guest_call(ps2, "unsigned_argument", &high, 1, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 0x0fffffff);
    assert_int_equal(guest_call(ps2, "is_negative", &high, 1, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 1);
    // The control: the same word without its sign is not what a compiler expects.
    const struct ps2_argument unextended = {.value.d[0] = 0xfffffff0};
    assert_int_equal(guest_call(ps2, "is_negative", &unextended, 1, &result), PS2_OK);
    assert_int_not_equal(result.v0.d[0], 1);
    ps2_free(ps2);
}

static void quadwords_go_in_and_come_out(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_result result;
    const struct ps2_argument arguments[] = {
        {.wide = true, .value.d = {0x0000000200000001, 0x0000000400000003}},
        {.wide = true, .value.d = {0x0000001000000010, 0xffffffff00000010}},
    };
    assert_int_equal(guest_call(ps2, "add_words", arguments, 2, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 0x0000001200000011);
    assert_int_equal(result.v0.d[1], 0x0000000300000013);
    ps2_free(ps2);
}

static void gp_comes_from_the_program(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_result result;
    assert_int_equal(guest_call(ps2, "next_count", NULL, 0, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 42);
    const struct ps2_call wrong = {.entry = guest_address(ps2, "next_count"), .has_gp = true, .gp = 0x400000};
    assert_int_equal(ps2_call(ps2, &wrong, &result, NULL), PS2_OK);
    assert_int_equal(result.v0.d[0], 1);
    ps2_free(ps2);
}

static void a_stub_returns_at_once(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_result result;
    assert_int_equal(guest_call(ps2, "outer", NULL, 0, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 101);
    assert_int_equal(ps2_stub(ps2, guest_address(ps2, "helper"), ps2_integer(7).value, 0, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, "outer", NULL, 0, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 8);
    assert_int_equal(ps2_stub(ps2, guest_address(ps2, "helper"), ps2_integer(9).value, 0, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, "outer", NULL, 0, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 10);
    assert_int_equal(ps2_stub(ps2, 0x12000000, ps2_integer(0).value, 0, NULL), PS2_BAD_INPUT);
    assert_int_equal(ps2_stub(ps2, 0x100002, ps2_integer(0).value, 0, NULL), PS2_BAD_INPUT);
    ps2_free(ps2);
}

static void bad_calls_are_refused_before_they_run(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_argument arguments[9] = {0};
    struct ps2_result result;
    struct ps2_error error;
    static const uint32_t entries[] = {0x02000000, 0x12000000, 0x70000000, 0x00100002, 0xfffffffc};
    for (size_t n = 0; n < COUNT(entries); n++)
        assert_int_equal(ps2_call(ps2, &(struct ps2_call){.entry = entries[n]}, &result, &error),
                         PS2_BAD_INPUT);
    const struct ps2_call nowhere = {
        .entry = 0x100000, .arguments = arguments, .argument_count = 9, .has_sp = true, .sp = 0x02001000};
    assert_int_equal(ps2_call(ps2, &nowhere, &result, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "no memory at 0x02000ff0"));
    ps2_free(ps2);
}

// Function, kind of stop, fault, offset of the faulting instruction in the function (or an absolute address).
static const struct {
    const char *function;
    enum guest_stop_kind kind;
    enum guest_fault fault;
    bool absolute;
    uint32_t pc, address;
    bool in_slot;
    uint64_t insns;
} faults[] = {
    {"loop", GUEST_LIMIT, GUEST_FAULT_NONE, false, 0, 0, false, 1000000},
    {"jump_to_nowhere", GUEST_FAULT, GUEST_FAULT_FETCH, true, 0x12000000, 0x12000000, false, 3},
    {"jump_misaligned", GUEST_FAULT, GUEST_FAULT_FETCH, true, 0x00100002, 0x00100002, false, 4},
    {"run_off_ram", GUEST_FAULT, GUEST_FAULT_FETCH, true, 0x02000000, 0x02000000, false, 5},
    {"read_outside", GUEST_FAULT, GUEST_FAULT_READ, false, 8, 0x0a000010, true, 2},
    {"write_in_slot", GUEST_FAULT, GUEST_FAULT_MISALIGNED_WRITE, false, 8, 0xffffffff, true, 2},
    {"overflow", GUEST_FAULT, GUEST_FAULT_OVERFLOW, false, 8, 0, true, 2},
    {"stop_here", GUEST_FAULT, GUEST_FAULT_BREAK, false, 0, 0, false, 0},
    {"call_system", GUEST_FAULT, GUEST_FAULT_SYSCALL, false, 4, 0, false, 1},
    {"trap_here", GUEST_FAULT, GUEST_FAULT_TRAP, false, 0, 0, false, 0},
    {"reserved", GUEST_FAULT, GUEST_FAULT_RESERVED, false, 0, 0, false, 0},
    {"coprocessor", GUEST_FAULT, GUEST_FAULT_COP2, false, 0, 0, false, 0},
};

static void check_fault(size_t n, const struct ps2_config *config)
{
    struct ps2 *ps2 = guest_machine("faults.elf", config);
    struct ps2_result result;
    enum ps2_status status = guest_call(ps2, faults[n].function, NULL, 0, &result);
    uint32_t pc = faults[n].pc + (faults[n].absolute ? 0 : guest_address(ps2, faults[n].function));
    if (status != PS2_GUEST_FAULT || result.stop.kind != faults[n].kind ||
        result.stop.fault != faults[n].fault || result.stop.pc != pc ||
        (faults[n].address && result.stop.address != faults[n].address) ||
        result.stop.in_slot != faults[n].in_slot || result.stop.insns != faults[n].insns)
        fail_msg("%s: kind %d fault %d pc %08x address %08x slot %d after %llu", faults[n].function,
                 result.stop.kind, result.stop.fault, result.stop.pc, result.stop.address,
                 result.stop.in_slot, (unsigned long long)result.stop.insns);
    ps2_free(ps2);
}

static void every_fault_is_reported_where_it_happens(void **state)
{
    (void)state;
    static const enum ee_engine engines[] = {EE_ENGINE_INTERP, EE_ENGINE_UNICORN, EE_ENGINE_LOCKSTEP};
    for (size_t e = 0; e < COUNT(engines); e++)
        for (size_t n = 0; n < COUNT(faults); n++)
            check_fault(n, &(struct ps2_config){.engine = engines[e]});
}

static void a_program_sees_what_it_stores_over_itself(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("faults.elf", NULL);
    struct ps2_result result;
    assert_int_equal(guest_call(ps2, "store_over_itself", NULL, 0, &result), PS2_OK);
    assert_int_equal(result.v0.d[0], 2);
    assert_int_equal(guest_call(ps2, "destroy_itself", NULL, 0, &result), PS2_GUEST_FAULT);
    assert_int_equal(result.stop.kind, GUEST_FAULT);
    ps2_free(ps2);
}

static void the_clock_stops_a_loop(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("faults.elf", NULL);
    struct ps2_result result;
    const struct ps2_call call = {.entry = guest_address(ps2, "loop"), .limits = {.timeout_ms = 20}};
    assert_int_equal(ps2_call(ps2, &call, &result, NULL), PS2_GUEST_FAULT);
    assert_int_equal(result.stop.kind, GUEST_TIMEOUT);
    ps2_free(ps2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_fill_registers_then_the_stack),
        cmocka_unit_test(floats_fill_registers_then_the_stack),
        cmocka_unit_test(integers_and_floats_are_counted_apart),
        cmocka_unit_test(words_are_sign_extended_and_longer_values_kept),
        cmocka_unit_test(quadwords_go_in_and_come_out),
        cmocka_unit_test(gp_comes_from_the_program),
        cmocka_unit_test(a_stub_returns_at_once),
        cmocka_unit_test(bad_calls_are_refused_before_they_run),
        cmocka_unit_test(every_fault_is_reported_where_it_happens),
        cmocka_unit_test(a_program_sees_what_it_stores_over_itself),
        cmocka_unit_test(the_clock_stops_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
