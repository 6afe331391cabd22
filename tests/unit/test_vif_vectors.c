// The VIFs against what unknownbrackets/ps2autotests recorded on a console: every row of
// vectors/vif_unpack.tsv, with the packets that made them; each kind of row has a wrong packet that must be
// found out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tsv.h"
#include "tests/support/vif_bench.h"

struct check {
    const char *op;
    // Runs a row's packet, or the control's; prints what it left as the columns `expected` and `flags` do.
    void (*run)(const struct tsv_row *, struct vif_bench *, bool wrong, char *expected, char *flags);
    unsigned rows, differing;
    bool wrong;
};

static void check_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    struct vif_bench bench;
    char expected[256], flags[256] = "";
    if (strcmp(tsv_field(row, "op"), check->op))
        return;
    vif_bench_open(&bench, tsv_field(row, "inputs")[3] == '1' ? VIF_UNIT_1 : VIF_UNIT_0);
    check->run(row, &bench, check->wrong, expected, flags);
    bool same = !strcmp(expected, tsv_field(row, "expected")) && !strcmp(flags, tsv_field(row, "flags"));
    if (!same && !check->wrong && check->differing < 5)
        fprintf(stderr, "%s:%u: got %s %s\n", row->path, row->line, expected, flags);
    if (!check->wrong)
        assert_true(vif_idle(bench.vif));
    check->differing += !same;
    check->rows++;
    vif_bench_close(&bench);
}

static void run_rows(struct check check, unsigned rows, unsigned wrong)
{
    char error[TSV_ERROR];
    struct check control = check;
    control.wrong = true;
    if (!tsv_read("tests/vectors/vif_unpack.tsv", check_row, &check, error) ||
        !tsv_read("tests/vectors/vif_unpack.tsv", check_row, &control, error))
        fail_msg("%s", error);
    assert_int_equal(check.rows, rows);
    assert_int_equal(check.differing, 0);
    assert_int_equal(control.differing, wrong);
}

static uint32_t number(const struct tsv_row *row, const char *key)
{
    const char *found = strstr(tsv_field(row, "inputs"), key);
    assert_non_null(found);
    return (uint32_t)strtoul(found + strlen(key), NULL, 10);
}

static char *print_word(char *out, uint32_t word, bool first)
{
    return out + sprintf(out, first ? "%08x" : " %08x", word);
}

static void print_memory(char *out, const struct vif_bench *bench, unsigned quadwords)
{
    for (unsigned n = 0; n < 4 * quadwords; n++)
        out = print_word(out, vif_bench_word(bench, n / 4, n % 4), n == 0);
}

// Eight V4-32 vectors, every lane masked to COL, which is 1 2 3 4: x shows the place in the write cycle.
// Control: the fourth place has the third's COL.
static void run_stcycl(const struct tsv_row *row, struct vif_bench *bench, bool wrong, char *expected,
                       char *flags)
{
    uint32_t packet[48] = {0,          0x01000000 | number(row, "wl=") << 8 | number(row, "cl="),
                           0x20000000, 0xaaaaaaaa,
                           0,          0,
                           0,          0x31000000,
                           1,          2,
                           3,          wrong ? 3 : 4,
                           0,          0,
                           0,          0x7c080000};
    for (uint32_t n = 0; n < 32; n++)
        packet[16 + n] = n;
    bool cut = strstr(tsv_field(row, "state"), "two transfers");
    vif_bench_send(bench, packet, cut ? 32 : 48);
    if (cut)
        vif_bench_send(bench, packet + 32, 16);
    for (unsigned n = 0; n < 64; n++)
        expected[n] = (char)('0' + vif_bench_word(bench, n, 0));
    expected[64] = 0;
    sprintf(flags, "CYCLE=%08x", vif_read_register(bench->vif, VIF_CYCLE));
}

static void count_fourths(const struct tsv_row *row, void *context)
{
    unsigned *rows = context;
    *rows += !strcmp(tsv_field(row, "op"), "stcycl") && strchr(tsv_field(row, "expected"), '4');
}

static void skipping_and_filling_grid(void **state)
{
    (void)state;
    char error[TSV_ERROR];
    unsigned fourths = 0;
    assert_true(tsv_read("tests/vectors/vif_unpack.tsv", count_fourths, &fourths, error));
    assert_in_range(fourths, 200, 400);
    run_rows((struct check){.op = "stcycl", .run = run_stcycl}, 504, fourths);
}

// Four V4-32 vectors of 0..15 with ROW 0x1000. Control: modes 2 and 3 do what 1 and 0 do.
static void run_stmod(const struct tsv_row *row, struct vif_bench *bench, bool wrong, char *expected,
                      char *flags)
{
    uint32_t mode = number(row, "mode="), mask = 0;
    assert_true(tsv_value(tsv_field(row, "inputs"), "mask=", &mask));
    uint32_t packet[28] = {0,          0,      0x01000404, 0x30000000,
                           0x1000,     0x1000, 0x1000,     0x1000,
                           0x20000000, mask,   0x05000000, mask ? 0x7c040000 : 0x6c040000};
    packet[10] |= wrong && mode >= 2 ? 3 - mode : mode;
    for (uint32_t n = 0; n < 16; n++)
        packet[12 + n] = n;
    vif_bench_send(bench, packet, 28);
    print_memory(expected, bench, 4);
    flags += sprintf(flags, "row=");
    for (unsigned n = 0; n < 4; n++)
        flags = print_word(flags, vif_read_register(bench->vif, VIF_R0 + 16 * n), n == 0);
    sprintf(flags, " mode=%08x", wrong ? mode : vif_read_register(bench->vif, VIF_MODE));
}

static void addition_grid(void **state)
{
    (void)state;
    run_rows((struct check){.op = "stmod", .run = run_stmod}, 16, 8);
}

// One vector. Control: sign and zero extension exchanged.
static void run_unpack(const struct tsv_row *row, struct vif_bench *bench, bool wrong, char *expected,
                       char *flags)
{
    (void)flags;
    uint32_t packet[8] = {0x01000404};
    assert_int_equal(tsv_words(tsv_field(row, "inputs") + 4, packet + 1, 7), 5);
    packet[1] ^= wrong ? 0x4000 : 0;
    memset(bench->memory, 0xff, 16);
    vif_bench_send(bench, packet, 8);
    print_memory(expected, bench, 1);
}

static void formats(void **state)
{
    (void)state;
    // All but the 32-bit formats and V4-5 have a sign: 8 formats, 2 ways, 2 units.
    run_rows((struct check){.op = "unpack", .run = run_unpack}, 42, 32);
}

// 4 KiB from one element: WL 0. Control: WL 2.
static void run_set(const struct tsv_row *row, struct vif_bench *bench, bool wrong, char *expected,
                    char *flags)
{
    const uint32_t packet[16] = {0x31000000, 0xffeeddcc, 0xbbaa9988, 0x77665544,
                                 0x33221100, 0x20000000, 0xaaaaaaaa, 0x01000001 | wrong << 9,
                                 0x72000000};
    (void)row;
    memset(bench->memory, 0xff, 4096);
    vif_bench_send(bench, packet, 16);
    for (unsigned n = 0; n < 4; n++)
        expected = print_word(expected, vif_bench_word(bench, n / 2 * 255, n / 2 * 2 + n % 2), n == 0);
    strcpy(flags, "expected = words 0, 1, 1022, 1023");
}

static void set(void **state)
{
    (void)state;
    run_rows((struct check){.op = "unpack set", .run = run_set}, 2, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_and_filling_grid),
        cmocka_unit_test(addition_grid),
        cmocka_unit_test(formats),
        cmocka_unit_test(set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
