// Observers: the watch table, the trace, coverage, several at once, and what a run changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/guest.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const uint32_t list[] = {1, 2, 3};

static struct ps2 *sum_machine(const struct ps2_config *config, struct ps2_argument arguments[2])
{
    struct ps2 *ps2 = guest_machine("basic.elf", config);
    uint32_t address;
    assert_int_equal(ps2_allocate(ps2, "list", sizeof list, &address, NULL), PS2_OK);
    assert_int_equal(ps2_write(ps2, address, list, sizeof list, NULL), PS2_OK);
    arguments[0] = ps2_integer(address);
    arguments[1] = ps2_integer(COUNT(list));
    return ps2;
}

// What `touch` does, in the order of the table: offset, size, kind, write, first instruction, count.
static const struct ps2_watch_row touched[] = {
    {0, 1, GUEST_UNSIGNED, false, 4, 1},  {0, 1, GUEST_SIGNED, false, 0, 1},
    {2, 2, GUEST_UNSIGNED, false, 12, 1}, {2, 2, GUEST_SIGNED, false, 8, 1},
    {4, 4, GUEST_UNSIGNED, false, 20, 1}, {4, 4, GUEST_SIGNED, false, 16, 1},
    {4, 4, GUEST_PART, false, 44, 2},     {8, 8, GUEST_UNSIGNED, false, 24, 1},
    {12, 4, GUEST_FLOAT, false, 28, 1},   {12, 4, GUEST_FLOAT, true, 80, 1},
    {16, 16, GUEST_VECTOR, false, 40, 1}, {32, 16, GUEST_VECTOR, true, 52, 1},
    {48, 8, GUEST_UNSIGNED, true, 56, 1}, {56, 4, GUEST_UNSIGNED, true, 60, 1},
    {60, 2, GUEST_UNSIGNED, true, 64, 1}, {62, 1, GUEST_UNSIGNED, true, 68, 1},
};

static bool same_row(const struct ps2_watch_row *a, const struct ps2_watch_row *b, uint32_t base,
                     int64_t shift)
{
    return a->offset == b->offset + shift && a->size == b->size && a->kind == b->kind &&
           a->write == b->write && a->first_pc == b->first_pc + base && a->count == b->count;
}

static void the_watch_table_tells_every_kind_of_access(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_watch *watch;
    struct ps2_result result;
    uint32_t space = guest_address(ps2, "space");
    size_t count;
    uint64_t lost;
    // The function sees another mirror than the one watched.
    const struct ps2_argument argument = ps2_integer(space | 0x20000000);
    assert_int_equal(ps2_watch_new(ps2, space, 64, &watch, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, "touch", &argument, 1, &result), PS2_OK);
    const struct ps2_watch_row *rows = ps2_watch_rows(watch, &count, &lost);
    assert_int_equal(count, COUNT(touched));
    assert_int_equal(lost, 0);
    for (size_t n = 0; n < count; n++)
        if (!same_row(&rows[n], &touched[n], guest_address(ps2, "touch"), 0))
            fail_msg("row %zu: offset %lld size %u kind %u write %d pc %08x count %llu", n,
                     (long long)rows[n].offset, rows[n].size, rows[n].kind, rows[n].write, rows[n].first_pc,
                     (unsigned long long)rows[n].count);
    ps2_watch_free(watch);
    ps2_free(ps2);
}

static void a_watch_sees_only_what_touches_its_range(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_watch *inside, *outside;
    struct ps2_result result;
    uint32_t space = guest_address(ps2, "space");
    size_t count;
    uint64_t lost;
    const struct ps2_argument argument = ps2_integer(space);
    assert_int_equal(ps2_watch_new(ps2, space + 31, 2, &inside, NULL), PS2_OK);
    assert_int_equal(ps2_watch_new(ps2, space + 63, 1, &outside, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, "touch", &argument, 1, &result), PS2_OK);
    const struct ps2_watch_row *rows = ps2_watch_rows(inside, &count, &lost);
    assert_int_equal(count, 2); // the last byte of the load, the first of the store
    assert_int_equal(rows[0].offset, -15);
    assert_int_equal(rows[1].offset, 1);
    ps2_watch_rows(outside, &count, &lost);
    assert_int_equal(count, 0);
    ps2_watch_free(inside);
    ps2_watch_free(outside);
    ps2_free(ps2);
}

static void a_watch_table_grows(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_watch *watch;
    struct ps2_result result;
    size_t count;
    uint64_t lost;
    const struct ps2_argument arguments[] = {ps2_integer(0x00300000), ps2_integer(0xff), ps2_integer(5000)};
    assert_int_equal(ps2_watch_new(ps2, 0x00300000, 4096, &watch, NULL), PS2_OK);
    for (unsigned n = 0; n < 3; n++)
        assert_int_equal(guest_call(ps2, "fill", arguments, 3, &result), PS2_OK);
    const struct ps2_watch_row *rows = ps2_watch_rows(watch, &count, &lost);
    assert_int_equal(count, 4096);
    for (size_t n = 0; n < count; n++) {
        assert_int_equal(rows[n].offset, n);
        assert_int_equal(rows[n].count, 3);
    }
    ps2_watch_free(watch);
    ps2_free(ps2);
}

static const char trace_of_sum[] =
    "00100008 18a00006 blez a1,0x100024\n"
    "0010000c 00001025+ move v0,zero ; v0=0000000000000000\n"
    "00100010 8c830000 lw v1,0(a0) ; v1=0000000000000001 ld4[01ffffc0]=00000001\n"
    "00100014 24a5ffff addiu a1,a1,-1 ; a1=0000000000000000\n"
    "00100018 00431021 addu v0,v0,v1 ; v0=0000000000000001\n"
    "0010001c 1ca0fffc bgtz a1,0x100010\n"
    "00100020 24840004+ addiu a0,a0,4 ; a0=0000000001ffffc4\n"
    "00100024 03e00008 jr ra\n"
    "00100028 00000000+ nop\n";

static char *trace_call(struct ps2 *ps2, const char *function, const struct ps2_argument *arguments,
                        size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct ps2_trace *trace;
    struct ps2_result result;
    assert_int_equal(ps2_trace_new(ps2, out, &trace, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, function, arguments, count, &result), PS2_OK);
    ps2_trace_free(trace);
    fclose(out);
    return text;
}

static void the_trace_has_a_line_for_each_instruction(void **state)
{
    (void)state;
    static const enum ee_engine engines[] = {EE_ENGINE_INTERP, EE_ENGINE_UNICORN, EE_ENGINE_LOCKSTEP};
    for (size_t e = 0; e < COUNT(engines); e++) {
        struct ps2_argument arguments[2];
        struct ps2 *ps2 = sum_machine(&(struct ps2_config){.engine = engines[e]}, arguments);
        arguments[1] = ps2_integer(1);
        char *text = trace_call(ps2, "sum", arguments, 2);
        assert_string_equal(text, trace_of_sum);
        free(text);
        ps2_free(ps2);
    }
}

static void the_trace_shows_wide_registers_floats_and_links(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    const struct ps2_argument argument = ps2_integer(guest_address(ps2, "space"));
    char *text = trace_call(ps2, "touch", &argument, 1);
    assert_non_null(
        strstr(text, "lq t3,16(a0) ; t3=00000000000000000000000000000000 ld16[00100100]=0000000000000000"
                     "0000000000000000\n"));
    assert_non_null(strstr(text, "add.s $f0,$f1,$f2 ; f0=3f800000 fcr31=01000001\n"));
    assert_non_null(strstr(text, "swc1 $f0,12(a0) ; st4[001000fc]=3f800000\n"));
    free(text);
    text = trace_call(ps2, "outer", NULL, 0);
    char link[64];
    snprintf(link, sizeof link, "jal 0x%x ; ra=%016x\n", guest_address(ps2, "helper"),
             guest_address(ps2, "outer") + 16);
    assert_non_null(strstr(text, link));
    assert_non_null(strstr(text, "sd ra,0(sp) ; st8[01ffffb0]=000000000ffff000\n"));
    free(text);
    ps2_free(ps2);
}

static void coverage_counts_each_instruction(void **state)
{
    (void)state;
    struct ps2_argument arguments[2];
    struct ps2 *ps2 = sum_machine(NULL, arguments);
    struct ps2_coverage *coverage;
    struct ps2_result result;
    uint32_t sum = guest_address(ps2, "sum");
    static const uint64_t counts[] = {1, 1, 3, 3, 3, 3, 3, 1, 1, 0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ps2_coverage_new(ps2, &coverage, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, "sum", arguments, 2, &result), PS2_OK);
    for (size_t n = 0; n < COUNT(counts); n++)
        assert_int_equal(ps2_coverage_count(coverage, sum + 4 * (uint32_t)n), counts[n]);
    assert_int_equal(result.stop.insns, 19);
    ps2_coverage_write(coverage, out);
    fclose(out);
    assert_non_null(
        strstr(text, "# sum\t9\t9\t19\n00100008\t1\tsum\n0010000c\t1\tsum+0x4\n00100010\t3\tsum+0x8\n"));
    free(text);
    ps2_coverage_free(coverage);
    ps2_free(ps2);
}

// Counts what it sees; the test's own observer beside the others.
static void count_insn(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    (void)pc, (void)word, (void)in_slot;
    ++*(unsigned *)context;
}

static void observers_come_and_go_without_disturbing_each_other(void **state)
{
    (void)state;
    struct ps2_argument arguments[2];
    struct ps2 *ps2 = sum_machine(NULL, arguments);
    unsigned counted = 0;
    const struct guest_observer counter = {.context = &counted, .insn = count_insn};
    struct ps2_watch *watch;
    struct ps2_result result;
    size_t count;
    uint64_t lost;
    assert_int_equal(ps2_watch_new(ps2, (uint32_t)arguments[0].value.d[0], 12, &watch, NULL), PS2_OK);
    assert_int_equal(ps2_attach(ps2, &counter, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, "sum", arguments, 2, &result), PS2_OK);
    assert_int_equal(counted, 19);
    ps2_watch_rows(watch, &count, &lost);
    assert_int_equal(count, 3);
    ps2_watch_free(watch);
    assert_int_equal(guest_call(ps2, "sum", arguments, 2, &result), PS2_OK);
    assert_int_equal(counted, 38);
    ps2_detach(ps2, &counter);
    assert_int_equal(guest_call(ps2, "sum", arguments, 2, &result), PS2_OK);
    assert_int_equal(counted, 38);
    ps2_free(ps2);
}

static void what_a_run_changed_is_found(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", NULL);
    struct ps2_changes *changes;
    struct ps2_result result;
    size_t count;
    uint64_t bytes;
    assert_int_equal(ps2_changes_begin(ps2, &changes, NULL), PS2_OK);
    assert_null(ps2_changes_find(changes, &count, &bytes, NULL));
    assert_int_equal(count, 0);
    const struct ps2_argument fills[][3] = {
        {ps2_integer(EE_RAM_SIZE - 3), ps2_integer(0x11), ps2_integer(3)},
        {ps2_integer(0x00300ffe), ps2_integer(0x22), ps2_integer(5)},
        {ps2_integer(EE_SCRATCHPAD), ps2_integer(0x33), ps2_integer(1)},
        {ps2_integer(0x00400000), ps2_integer(0), ps2_integer(64)}, // changes nothing
    };
    for (size_t n = 0; n < COUNT(fills); n++)
        assert_int_equal(guest_call(ps2, "fill", fills[n], 3, &result), PS2_OK);
    const struct ps2_change *found = ps2_changes_find(changes, &count, &bytes, NULL);
    assert_int_equal(count, 3);
    assert_int_equal(bytes, 3 + 5 + 1);
    assert_int_equal(found[0].address, 0x00300ffc);
    assert_int_equal(found[0].size, 8);
    assert_memory_equal(found[0].old, "\0\0\0\0\0\0\0\0", 8);
    assert_memory_equal(found[0].now, "\0\0\x22\x22\x22\x22\x22\0", 8);
    assert_int_equal(found[1].address, EE_RAM_SIZE - 4);
    assert_int_equal(found[2].address, EE_SCRATCHPAD);
    ps2_changes_free(changes);
    ps2_free(ps2);
}

static void a_report_shows_code_registers_and_history(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("faults.elf", NULL);
    struct ps2_history *history;
    struct ps2_result result;
    char *text = NULL, line[512];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(ps2_history_new(ps2, &history, NULL), PS2_OK);
    assert_int_equal(guest_call(ps2, "recurse", NULL, 0, &result), PS2_GUEST_FAULT);
    ps2_stop_text(ps2, &result.stop, line, sizeof line);
    assert_non_null(strstr(line, "<recurse+0x8>, address 0xffffffc0: store to an address where nothing is"));
    ps2_report(ps2, &result.stop, history, out);
    fclose(out);
    assert_non_null(strstr(text, "sq       ra,0(sp)"));
    assert_non_null(strstr(text, "  > "));
    assert_non_null(strstr(text, "    sp 0000000000000000_ffffffffffffffc0"));
    assert_non_null(strstr(text, "    write 16 bytes at 0x000fffc0: "));
    free(text);
    ps2_history_free(history);
    ps2_free(ps2);
}

// Changes one register behind the comparison's back, as a faulty engine would.
static void spoil(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    struct ee *second = ee_lockstep_second(context);
    (void)pc;
    (void)word;
    (void)in_slot;
    ee_gpr(second, 16)->d[0] = 0x5555;
}

static void a_difference_of_the_engines_shows_both_states(void **state)
{
    (void)state;
    struct ps2 *ps2 = guest_machine("basic.elf", &(struct ps2_config){.engine = EE_ENGINE_LOCKSTEP});
    struct guest_observer observer = {.context = ps2_ee(ps2), .insn = spoil};
    struct ps2_result result;
    char *text = NULL;
    size_t size;
    ee_observe(ps2_ee(ps2), &observer);
    assert_int_equal(guest_call(ps2, "outer", NULL, 0, &result), PS2_GUEST_FAULT);
    assert_int_equal(result.stop.fault, GUEST_FAULT_ENGINES);
    FILE *out = open_memstream(&text, &size);
    ps2_report(ps2, &result.stop, NULL, out);
    fclose(out);
    assert_non_null(strstr(text, "registers:"));
    assert_non_null(strstr(text, "registers of the interpreted CPU:"));
    assert_non_null(strstr(text, "    s0 0000000000000000_0000000000005555"));
    free(text);
    ps2_free(ps2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_watch_table_tells_every_kind_of_access),
        cmocka_unit_test(a_watch_sees_only_what_touches_its_range),
        cmocka_unit_test(a_watch_table_grows),
        cmocka_unit_test(the_trace_has_a_line_for_each_instruction),
        cmocka_unit_test(the_trace_shows_wide_registers_floats_and_links),
        cmocka_unit_test(coverage_counts_each_instruction),
        cmocka_unit_test(observers_come_and_go_without_disturbing_each_other),
        cmocka_unit_test(what_a_run_changed_is_found),
        cmocka_unit_test(a_report_shows_code_registers_and_history),
        cmocka_unit_test(a_difference_of_the_engines_shows_both_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
