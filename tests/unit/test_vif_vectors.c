// The VIFs against what unknownbrackets/ps2autotests recorded on a console: every row of vectors/vif_*.tsv,
// with the packets that made them; each group has a wrong unit that must be found out.
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
    unsigned rows, differing;
    bool wrong; // run the control
};

static void run_file(const char *path, tsv_visit *visit, unsigned rows, unsigned wrong)
{
    char error[TSV_ERROR];
    struct check check = {0}, control = {.wrong = true};
    if (!tsv_read(path, visit, &check, error) || !tsv_read(path, visit, &control, error))
        fail_msg("%s", error);
    assert_int_equal(check.rows, rows);
    assert_int_equal(check.differing, 0);
    assert_int_equal(control.differing, wrong);
}

static void compare(struct check *check, const struct tsv_row *row, const char *got, const char *column)
{
    const char *expected = tsv_field(row, column);
    if (!strcmp(got, expected))
        return;
    if (!check->wrong && check->differing < 5)
        fprintf(stderr, "%s:%u: got %s, expected %s\n", row->path, row->line, got, expected);
    check->differing++;
}

static uint32_t number(const struct tsv_row *row, const char *column, int base)
{
    return (uint32_t)strtoul(tsv_field(row, column), NULL, base);
}

static enum vif_unit unit_of(const struct tsv_row *row)
{
    return *tsv_field(row, "unit") == '1' ? VIF_UNIT_1 : VIF_UNIT_0;
}

static void print_words(char *out, const struct vif_bench *bench, unsigned quadwords)
{
    for (unsigned n = 0; n < 4 * quadwords; n++)
        out += sprintf(out, n ? " %08x" : "%08x", vif_bench_word(bench, n / 4, n % 4));
}

// Eight V4-32 vectors, every lane masked to COL, which is 1 2 3 4: memory shows the place in the write cycle.
// Cut in the middle of the data or not. Control: mask and COL go by the place without the limit of four.
static void stcycl_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    struct vif_bench bench;
    uint32_t cl = number(row, "cl", 10), wl = number(row, "wl", 10);
    uint32_t packet[48] = {0,          0x01000000 | wl << 8 | cl,
                           0x20000000, 0xaaaaaaaa,
                           0,          0,
                           0,          0x31000000,
                           1,          2,
                           3,          4,
                           0,          0,
                           0,          0x7c080000};
    char got[65] = "";
    for (uint32_t n = 0; n < 32; n++)
        packet[16 + n] = n;
    if (check->wrong)
        packet[11] = 0; // as if the fourth place had no COL
    vif_bench_open(&bench, unit_of(row));
    bool cut = !strcmp(tsv_field(row, "cut"), "truncated");
    vif_bench_send(&bench, packet, cut ? 32 : 48);
    if (cut)
        vif_bench_send(&bench, packet + 32, 16);
    for (unsigned n = 0; n < 64; n++)
        got[n] = (char)('0' + vif_bench_word(&bench, n, 0));
    compare(check, row, got, "columns");
    assert_int_equal(vif_read_register(bench.vif, VIF_CYCLE), number(row, "cycle", 16));
    assert_true(vif_idle(bench.vif));
    check->rows++;
    vif_bench_close(&bench);
}

static unsigned rows_with(const char *path, char digit)
{
    unsigned rows = 0;
    char line[512];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        const char *columns = strrchr(line, '\t');
        rows += columns - line > 64 && memchr(columns - 64, digit, 64);
    }
    fclose(file);
    return rows;
}

static void skipping_and_filling_grid(void **state)
{
    (void)state;
    const char *path = "tests/vectors/vif_stcycl.tsv";
    unsigned fourth = rows_with(path, '4');
    assert_in_range(fourth, 200, 400);
    run_file(path, stcycl_row, 504, fourth);
}

// Four V4-32 vectors of 0..15 with ROW 0x1000. Control: modes 2 and 3 do what 1 and 0 do.
static void stmod_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    struct vif_bench bench;
    uint32_t mode = number(row, "stmod", 10);
    bool masked = *tsv_field(row, "mask");
    uint32_t packet[28] = {0,          0,
                           0x01000404, 0x30000000,
                           0x1000,     0x1000,
                           0x1000,     0x1000,
                           0x20000000, number(row, "mask", 16),
                           0x05000000, masked ? 0x7c040000 : 0x6c040000};
    char got[256];
    packet[10] |= check->wrong && mode >= 2 ? 3 - mode : mode;
    for (uint32_t n = 0; n < 16; n++)
        packet[12 + n] = n;
    vif_bench_open(&bench, unit_of(row));
    vif_bench_send(&bench, packet, 28);
    print_words(got, &bench, 4);
    compare(check, row, got, "memory");
    char *out = got;
    for (unsigned n = 0; n < 4; n++)
        out += sprintf(out, n ? " %08x" : "%08x", vif_read_register(bench.vif, VIF_R0 + 16 * n));
    compare(check, row, got, "row");
    if (!check->wrong)
        assert_int_equal(vif_read_register(bench.vif, VIF_MODE), number(row, "mode", 16));
    check->rows++;
    vif_bench_close(&bench);
}

static void addition_grid(void **state)
{
    (void)state;
    // In memory both rows of mode 2 and the masked one of mode 3 are wrong then, in ROW all four.
    run_file("tests/vectors/vif_stmod.tsv", stmod_row, 16, 2 * (3 + 4));
}

static void unpack_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    struct vif_bench bench;
    uint32_t packet[8] = {0};
    char got[64];
    assert_int_equal(tsv_words(tsv_field(row, "packet"), packet, 8), 6);
    if (check->wrong)
        packet[1] ^= 0x4000; // sign and zero extension exchanged
    vif_bench_open(&bench, unit_of(row));
    memset(bench.memory, 0xff, 16);
    vif_bench_send(&bench, packet, 8);
    print_words(got, &bench, 1);
    compare(check, row, got, "memory");
    check->rows++;
    vif_bench_close(&bench);
}

static void formats(void **state)
{
    (void)state;
    // All but the 32-bit formats and V4-5 have a sign: 8 formats, 2 ways, 2 units.
    run_file("tests/vectors/vif_unpack.tsv", unpack_row, 42, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_and_filling_grid),
        cmocka_unit_test(addition_grid),
        cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
