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
        cmocka_unit_test(a_limit_ends_a_program),
        cmocka_unit_test(stores_to_device_windows_are_contained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
