// Whole programs through the library: output, limits, refusals, and stores to every device window.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/guest.h"

struct text {
    char bytes[4096];
    size_t size;
};

static void collect(void *context, int descriptor, const void *data, size_t size)
{
    struct text *text = context;
    assert_in_range(descriptor, 1, 2);
    assert_true(size < sizeof text->bytes - text->size);
    memcpy(text->bytes + text->size, data, size);
    text->size += size;
}

struct outcome {
    enum ps2_status status;
    struct ps2_error error;
    struct ps2_exec_result result;
    struct text out;
};

static void execute(struct outcome *o, enum ee_engine engine, const char *program, int count,
                    const char *const *arguments)
{
    struct ps2 *ps2 = guest_machine(program, &(struct ps2_config){.engine = engine});
    const struct ps2_exec exec = {.arguments = arguments,
                                  .argument_count = count,
                                  .limits = {.insns = 1000000},
                                  .kernel = {.context = &o->out, .output = collect}};
    memset(o, 0, sizeof *o);
    o->status = ps2_exec(ps2, &exec, &o->result, &o->error);
    ps2_free(ps2);
}

static void a_program_prints_and_ends(void **state)
{
    struct outcome o;
    (void)state;
    execute(&o, EE_ENGINE_INTERP, "hostile.elf", 2, (const char *const[]){"host:hostile.elf", "exit"});
    assert_int_equal(o.status, PS2_OK);
    assert_int_equal(o.result.exit_status, 7);
    assert_int_equal(o.out.size, 4);
    assert_memory_equal(o.out.bytes, "bye\n", 4);
}

static void a_machine_runs_one_program(void **state)
{
    struct ps2_exec_result result;
    struct ps2_error error;
    struct ps2 *ps2 = guest_machine("hello.elf", NULL), *empty;
    (void)state;
    assert_int_equal(ps2_exec(ps2, &(struct ps2_exec){.limits = {.insns = 1000000}}, &result, &error),
                     PS2_OK);
    assert_int_equal(ps2_exec(ps2, &(struct ps2_exec){.limits = {.insns = 1000000}}, &result, &error),
                     PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "already"));
    ps2_free(ps2);
    assert_int_equal(ps2_new(NULL, &empty, &error), PS2_OK);
    assert_int_equal(ps2_exec(empty, &(struct ps2_exec){0}, &result, &error), PS2_BAD_INPUT);
    ps2_free(empty);
}

static void arguments_that_do_not_fit_are_refused(void **state)
{
    static char longest[256 - 17];
    const char *seventeen[17] = {"host:hostile.elf", "exit", longest}, *two[] = {"host:hostile.elf", longest};
    struct outcome o;
    (void)state;
    memset(longest, 'a', sizeof longest - 1);
    execute(&o, EE_ENGINE_INTERP, "hostile.elf", 2, two);
    assert_int_equal(o.status, PS2_OK);
    execute(&o, EE_ENGINE_INTERP, "hostile.elf", 3, seventeen);
    assert_int_equal(o.status, PS2_BAD_INPUT);
    for (unsigned n = 1; n < 17; n++)
        seventeen[n] = "";
    execute(&o, EE_ENGINE_INTERP, "hostile.elf", 16, seventeen);
    assert_int_equal(o.status, PS2_OK);
    execute(&o, EE_ENGINE_INTERP, "hostile.elf", 17, seventeen);
    assert_int_equal(o.status, PS2_BAD_INPUT);
}

// A function that makes one system call.
static enum ps2_status call_system(struct ps2 *ps2, unsigned number, uint32_t a1, struct ps2_result *result)
{
    const uint32_t code[] = {0x24030000u | number, 0x0000000c, 0x03e00008, 0}; // li $3; syscall; jr $31; nop
    const struct ps2_argument arguments[] = {ps2_integer(0), ps2_integer(a1)};
    struct ps2_error error;
    assert_int_equal(ps2_write(ps2, 0x300000, code, sizeof code, NULL), PS2_OK);
    return ps2_call(
        ps2,
        &(struct ps2_call){
            .entry = 0x300000, .arguments = arguments, .argument_count = 2, .limits = {.insns = 10000}},
        result, &error);
}

static void a_call_works_after_one_that_never_returned(void **state)
{
    enum { EXIT = 4, SET_ALARM = 24, EXIT_THREAD = 35, EXIT_DELETE = 36, GET_ID = 47, SLEEP = 50 };
    static const unsigned ends[] = {SLEEP, EXIT_THREAD, EXIT_DELETE, EXIT};
    struct ps2_result result;
    (void)state;
    for (enum ee_engine engine = EE_ENGINE_UNICORN; engine <= EE_ENGINE_INTERP; engine++) {
        struct ps2 *ps2 = guest_machine("basic.elf", &(struct ps2_config){.engine = engine});
        assert_int_equal(ps2_attach_kernel(ps2, &(struct ps2_kernel){.no_vblank = true}, NULL), PS2_OK);
        for (unsigned n = 0; n < 1200; n++) {
            call_system(ps2, ends[n % 4], 0, &result);
            assert_int_equal(result.stop.kind, n % 4 ? GUEST_EXITED : GUEST_FAULT);
            assert_true(n % 4 || strstr(result.stop.message, "deadlock"));
            call_system(ps2, SET_ALARM, 0x0ffff008, &result);
            assert_non_null(strstr(result.stop.message, "the interrupt handler at 0x0ffff008"));
            assert_int_equal(call_system(ps2, GET_ID, 0, &result), PS2_OK);
            assert_int_equal(result.v0.d[0], 1);
        }
        ps2_free(ps2);
    }
}

static void a_limit_ends_a_program(void **state)
{
    struct outcome o;
    (void)state;
    execute(&o, EE_ENGINE_UNICORN, "hostile.elf", 2, (const char *const[]){"host:hostile.elf", "loop"});
    assert_int_equal(o.status, PS2_GUEST_FAULT);
    assert_int_equal(o.result.stop.kind, GUEST_LIMIT);
}

// Both engines: the same end, at the same instruction, with the same output.
static void store(uint32_t address, uint32_t value)
{
    char place[12], word[12];
    static struct outcome one, other;
    const char *const arguments[] = {"host:hostile.elf", place, word};
    snprintf(place, sizeof place, "%08x", address);
    snprintf(word, sizeof word, "%08x", value);
    execute(&one, EE_ENGINE_INTERP, "hostile.elf", 3, arguments);
    execute(&other, EE_ENGINE_UNICORN, "hostile.elf", 3, arguments);
    if (one.status != PS2_OK && one.status != PS2_GUEST_FAULT)
        fail_msg("0x%08x = 0x%08x: status %d", address, value, one.status);
    if (one.status != other.status || one.result.stop.insns != other.result.stop.insns ||
        one.out.size != other.out.size || memcmp(one.out.bytes, other.out.bytes, one.out.size) ||
        strcmp(one.error.message, other.error.message))
        fail_msg("0x%08x = 0x%08x: the engines differ: %s; %s", address, value, one.error.message,
                 other.error.message);
    if (one.status == PS2_GUEST_FAULT)
        assert_true(one.error.message[0] != 0);
}

static void stores_to_device_windows_are_contained(void **state)
{
    // Registers that exist, every 16 bytes; then samples of whatever else lies there.
    static const struct {
        uint32_t base, size, step;
    } windows[] = {
        {0x10000000, 0x40, 0x10},         {0x10000800, 0x40, 0x10},
        {0x10001000, 0x40, 0x10},         {0x10001800, 0x40, 0x10},
        {0x10002000, 0x6000, 0x1000},     {0x10008000, 0xa0, 0x10},
        {0x1000a000, 0x30, 0x10},         {0x1000c000, 0x30, 0x10},
        {0x1000c400, 0x30, 0x10},         {0x1000d400, 0x90, 0x10},
        {0x1000e000, 0x80, 0x10},         {0x1000f000, 0x30, 0x10},
        {0x1000f100, 0x100, 0x40},        {0x1000f200, 0x80, 0x10},
        {0x1000f400, 0x200, 0x40},        {0x11000000, 0x10000, 0x4000},
        {0x12000000, 0x2000, 0x800},      {0x13000000, 0x1000000, 0x400000},
        {0x1c000000, 0x400000, 0x100000}, {0x1e000000, 0x2000000, 0x800000},
        {0xbf800000, 0x1000, 0x800},
    };
    (void)state;
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
        for (uint32_t offset = 0; offset < windows[w].size; offset += windows[w].step) {
            store(windows[w].base + offset, 0xffffffff);
            store(windows[w].base + offset, 0x00000180);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_prints_and_ends),
        cmocka_unit_test(a_machine_runs_one_program),
        cmocka_unit_test(arguments_that_do_not_fit_are_refused),
        cmocka_unit_test(a_call_works_after_one_that_never_returned),
        cmocka_unit_test(a_limit_ends_a_program),
        cmocka_unit_test(stores_to_device_windows_are_contained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
