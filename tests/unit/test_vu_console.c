// The VU's arithmetic and flags against later console captures: macro operations and the EFU, every such row
// of vectors/console.tsv.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/vu_program.h"
#include "tests/support/vu_rows.h"

static const struct vu_config *config; // of every unit made here; a control sets it

static void run_group(const char *group, vu_row *visit, unsigned rows)
{
    unsigned seen;
    assert_int_equal(vu_rows_run(group, visit, &seen, false), 0);
    assert_int_equal(seen, rows);
}

// ---- coprocessor 2

static void put(struct vu_cop2 *cop2, unsigned vf, const uint32_t words[4])
{
    uint64_t quadword[2];
    memcpy(quadword, words, 16);
    assert_null(vu_cop2_write(cop2, vf, false, quadword));
}

static void get(struct vu_cop2 *cop2, unsigned vf, uint32_t words[4])
{
    uint64_t quadword[2];
    assert_null(vu_cop2_read(cop2, vf, false, quadword));
    memcpy(words, quadword, 16);
}

static uint32_t control(struct vu_cop2 *cop2, unsigned index)
{
    uint32_t n;
    assert_null(vu_cop2_read_control(cop2, index, false, &n));
    return n;
}

__attribute__((format(printf, 2, 3))) static void macro(struct vu_cop2 *cop2, const char *format, ...)
{
    char text[128];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *why = vu_cop2_execute(cop2, vu_program_macro(text));
    if (why)
        fail_msg("%s: %s", text, why);
}

static void splat(uint32_t words[4], uint32_t word)
{
    for (unsigned k = 0; k < 4; k++)
        words[k] = word;
}

static void load_acc(struct vu_cop2 *cop2, const char *state)
{
    uint32_t words[4];
    splat(words, vu_rows_value(state, "acc="));
    put(cop2, 1, words);
    splat(words, strstr(state, "VMULA") ? 0x3f800000 : 0);
    put(cop2, 2, words);
    macro(cop2, "%s.xyzw ACC, VF01, VF02 NOP\n", strstr(state, "VMULA") ? "MULA" : "ADDA");
}

// VF06 = the value, or ACC moved there by MADD -0, +0.
static uint32_t result(struct vu_cop2 *cop2, const char *op)
{
    uint32_t words[4];
    if (op[strcspn(op, ".") - 1] == 'A') {
        splat(words, 0x80000000);
        put(cop2, 1, words);
        splat(words, 0);
        put(cop2, 2, words);
        macro(cop2, "MADD.xyzw VF06, VF01, VF02 NOP\n");
    }
    get(cop2, 6, words);
    return words[0];
}

static void fmac_operation(struct vu_cop2 *cop2, const char *op)
{
    bool acc = op[strcspn(op, ".") - 1] == 'A';
    macro(cop2, "%s %s, VF04, VF05 NOP\n", op + 1, acc ? "ACC" : "VF06");
}

static void fmac_row(const struct tsv_row *row)
{
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, config)};
    const char *op = tsv_field(row, "op"), *state = tsv_field(row, "state"), *flags = tsv_field(row, "flags");
    uint32_t in[8] = {0}, want = 0, words[4], mac, status;
    size_t count = tsv_words(tsv_field(row, "inputs"), in, 8);
    bool lanes = count == 8;
    if (strstr(state, "acc="))
        load_acc(&cop2, state);
    if (lanes)
        put(&cop2, 4, in);
    else
        splat(words, in[0]), put(&cop2, 4, words);
    if (lanes)
        put(&cop2, 5, in + 4);
    else
        splat(words, in[1]), put(&cop2, 5, words);
    if (*op == 'V')
        fmac_operation(&cop2, op);
    mac = control(&cop2, 17);
    status = control(&cop2, 16);
    if (*flags) {
        vu_rows_expect(row, mac == vu_rows_value(flags, "mac="), "mac %04x", mac);
        vu_rows_expect(row, status == vu_rows_value(flags, "status="), "status %03x", status);
    }
    if (lanes) {
        uint32_t expected[4];
        get(&cop2, 6, words);
        tsv_words(tsv_field(row, "expected"), expected, 4);
        vu_rows_expect(row, !memcmp(words, expected, 16), "%08x %08x %08x %08x", words[0], words[1], words[2],
                       words[3]);
    } else if (*op == 'V') {
        sscanf(tsv_field(row, "expected"), "%x", &want);
        uint32_t got = result(&cop2, op);
        vu_rows_expect(row, got == want, "%08x", got);
    }
    vu_free(cop2.vu0);
}

static void test_fmac(void **unused)
{
    (void)unused;
    run_group("vu_fmac_range", fmac_row, 51);
    run_group("vu_fmac_zero_sign", fmac_row, 33);
    run_group("vu_fmac_underflow", fmac_row, 56);
    run_group("vu_fmac_overflow", fmac_row, 6);
    run_group("vu_madda", fmac_row, 8);
}

// Control: a model that flushes what underflows does not give the captured rows.
static void test_control_flushed_underflow(void **unused)
{
    (void)unused;
    unsigned rows;
    config = &(struct vu_config){.arithmetic = {.flush_underflow = true}};
    assert_in_range(vu_rows_run("vu_fmac_underflow", fmac_row, &rows, true), 20, rows);
    config = NULL;
}

static void divide(struct vu_cop2 *cop2, const char *op, const uint32_t in[2], size_t count)
{
    uint32_t words[4];
    splat(words, in[0]);
    put(cop2, 4, words);
    splat(words, in[count - 1]);
    put(cop2, 5, words);
    if (count == 1)
        macro(cop2, "NOP %s Q, VF05x\n", op + 1);
    else
        macro(cop2, "NOP %s Q, VF04x, VF05x\n", op + 1);
}

static void fdiv_row(const struct tsv_row *row)
{
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    uint32_t in[2] = {0};
    size_t count = tsv_words(tsv_field(row, "inputs"), in, 2);
    assert_null(
        vu_cop2_write_control(&cop2, 16, false, vu_rows_value(tsv_field(row, "state"), "status written ")));
    divide(&cop2, tsv_field(row, "op"), in, count);
    uint32_t q = control(&cop2, 22), status = control(&cop2, 16);
    vu_rows_expect(row, q == vu_rows_value(tsv_field(row, "expected"), "q="), "q %08x", q);
    vu_rows_expect(row, status == vu_rows_value(tsv_field(row, "flags"), "status="), "status %03x", status);
    vu_free(cop2.vu0);
}

static void test_fdiv(void **unused)
{
    (void)unused;
    run_group("vu_fdiv_flags", fdiv_row, 377);
}

static void efu_row(const struct tsv_row *row)
{
    uint32_t in[4] = {0}, want = 0;
    bool scalar = strstr(tsv_field(row, "state"), "scalar") != NULL;
    tsv_words(tsv_field(row, "inputs"), in, 4);
    tsv_words(tsv_field(row, "expected"), &want, 1);
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vu_state state;
    char text[160];
    vu_get_state(vu, &state);
    memcpy(state.vf[1], in, 16);
    vu_set_state(vu, &state);
    snprintf(text, sizeof text, "NOP[E] %s P, VF01%s\nNOP NOP\n", tsv_field(row, "op"), scalar ? "x" : "");
    vu_program_run(vu, text, &state);
    vu_rows_expect(row, state.p == want, "%08x", state.p);
    vu_free(vu);
}

static void test_efu(void **unused)
{
    (void)unused;
    run_group("vu_efu", efu_row, 566);
}

// ---- sequences of macro operations, read after each

static void step(struct vu_cop2 *cop2, char *op)
{
    uint32_t v[8];
    char name[32];
    int at = 0;
    while (*op == ' ')
        op++;
    sscanf(op, "%31s%n", name, &at);
    if (!strcmp(name, "nop"))
        return;
    if (!strcmp(name, "CTC2")) {
        sscanf(op + at, "%x->status", &v[0]);
        assert_null(vu_cop2_write_control(cop2, 16, false, v[0]));
    } else if (!strcmp(name, "VDIV") || !strcmp(name, "VRSQRT") || !strcmp(name, "VSQRT")) {
        int count = sscanf(op + at, "%x %x", &v[0], &v[1]);
        divide(cop2, name, v, (size_t)count);
    } else if (sscanf(op + at, "%x %x %x %x / %x %x %x %x", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6,
                      v + 7) == 8) {
        put(cop2, 4, v);
        put(cop2, 5, v + 4);
        fmac_operation(cop2, name);
    } else if (sscanf(op + at, "%x %x %x %x / w=%x", v, v + 1, v + 2, v + 3, v + 7) == 5) {
        put(cop2, 4, v);
        put(cop2, 5, v + 4);
        macro(cop2, "CLIPw.xyz VF04, VF05w NOP\n");
    } else {
        fail_msg("what is %s", op);
    }
}

static void sequence_row(const struct tsv_row *row)
{
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    uint32_t one[4], words[4], want[4];
    char *ops = strdup(tsv_field(row, "inputs")), *save = NULL;
    const char *reads = tsv_field(row, "flags");
    splat(one, 0x3f800000);
    put(&cop2, 6, one);
    put(&cop2, 4, one);
    macro(&cop2, "ADD.x VF05, VF04, VF04 NOP\n");
    macro(&cop2, "NOP DIV Q, VF04x, VF04x\n");
    assert_null(vu_cop2_write_control(&cop2, 16, false, 0));
    for (char *op = strtok_r(ops, "|", &save);; op = strtok_r(NULL, "|", &save)) {
        uint32_t status = control(&cop2, 16), mac = control(&cop2, 17), q = control(&cop2, 22);
        vu_rows_expect(row, status == vu_rows_value(reads, "status="), "status %03x", status);
        vu_rows_expect(row, mac == vu_rows_value(reads, "mac="), "mac %04x", mac);
        vu_rows_expect(row, q == vu_rows_value(reads, "q="), "q %08x", q);
        reads = strchr(reads, ';');
        if (!op || !reads++)
            break;
        step(&cop2, op);
    }
    get(&cop2, 6, words);
    sscanf(strstr(tsv_field(row, "expected"), "vf6=") + 4, "%x %x %x %x", want, want + 1, want + 2, want + 3);
    vu_rows_expect(row, !memcmp(words, want, 16), "vf6.x %08x", words[0]);
    vu_rows_expect(row, control(&cop2, 18) == vu_rows_value(tsv_field(row, "expected"), "clip="), "clip %06x",
                   control(&cop2, 18));
    free(ops);
    vu_free(cop2.vu0);
}

static void test_sequences(void **unused)
{
    (void)unused;
    run_group("vu_sticky_macro", sequence_row, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fmac),      cmocka_unit_test(test_control_flushed_underflow),
        cmocka_unit_test(test_fdiv),      cmocka_unit_test(test_efu),
        cmocka_unit_test(test_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
