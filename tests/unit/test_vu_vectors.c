// The VU against what unknownbrackets/ps2autotests recorded on a console: every row of vectors/vu*.tsv,
// through programs like those that made them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tsv.h"
#include "tests/support/vu_program.h"

struct check {
    unsigned rows, differing;
};

static void differs(struct check *check, const struct tsv_row *row, uint32_t got)
{
    if (check->differing++ < 5)
        fprintf(stderr, "%s:%u: got %08x, expected %s\n", row->path, row->line, got,
                tsv_field(row, "expected"));
}

static void run_file(const char *path, tsv_visit *visit, unsigned rows)
{
    char error[TSV_ERROR];
    struct check check = {0, 0};
    if (!tsv_read(path, visit, &check, error))
        fail_msg("%s", error);
    assert_int_equal(check.rows, rows);
    assert_int_equal(check.differing, 0);
}

static void set_lanes(struct vu *vu, unsigned vf, const uint32_t *words)
{
    struct vu_state state;
    vu_get_state(vu, &state);
    memcpy(state.vf[vf], words, 16);
    vu_set_state(vu, &state);
}

static void set_vi(struct vu *vu, unsigned vi, uint32_t value)
{
    struct vu_state state;
    vu_get_state(vu, &state);
    state.vi[vi] = (uint16_t)value;
    vu_set_state(vu, &state);
}

static void upper_case(char *to, const char *from)
{
    while ((*to++ = (char)(*from >= 'a' && *from <= 'z' ? *from - 32 : *from)))
        from++;
}

// iadd, iaddi ... on VU0: the flags must stay as they were.
static void integer_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    uint32_t in[2] = {0, 0}, want = 0, got;
    char op[16], line[128];
    bool fixed = !strcmp(tsv_field(row, "inputs"), "destination vi00");
    upper_case(op, tsv_field(row, "op"));
    if (!fixed)
        assert_int_equal(tsv_words(tsv_field(row, "inputs"), in, 2), 2);
    tsv_words(tsv_field(row, "expected"), &want, 1);
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    set_vi(vu, 1, fixed ? 5 : in[0]);
    set_vi(vu, 2, fixed ? 6 : in[1]);
    const char *immediate =
        !strcmp(op, "IADDIU") || !strcmp(op, "ISUBIU") || !strcmp(op, "IADDI") ? op : NULL;
    unsigned destination = fixed ? 0 : 3;
    if (immediate)
        snprintf(line, sizeof line, "NOP[E] %s VI%02u, VI01, %d\nNOP NOP\n", op, destination, (int16_t)in[1]);
    else
        snprintf(line, sizeof line, "NOP[E] %s VI%02u, VI01, VI02\nNOP NOP\n", op, destination);
    struct vu_state state;
    vu_program_run(vu, line, &state);
    got = state.vi[destination];
    check->rows++;
    if (got != want || state.mac || state.status || state.clip)
        differs(check, row, got);
    vu_free(vu);
}

static void test_integer(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu_integer.tsv", integer_row, 112);
}

// viadd ... as coprocessor 2 operations.
static void macro_integer_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    uint32_t in[2] = {5, 6}, want = 0, got;
    char op[16], line[128];
    upper_case(op, tsv_field(row, "op") + 1);
    bool fixed = !strcmp(tsv_field(row, "inputs"), "destination vi00");
    if (!fixed)
        assert_int_equal(tsv_words(tsv_field(row, "inputs"), in, 2), 2);
    tsv_words(tsv_field(row, "expected"), &want, 1);
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    assert_null(vu_cop2_write_control(&cop2, 1, false, in[0]));
    assert_null(vu_cop2_write_control(&cop2, 2, false, in[1]));
    unsigned destination = fixed ? 0 : 3;
    if (!strcmp(op, "IADDI"))
        snprintf(line, sizeof line, "NOP %s VI%02u, VI01, %d\n", op, destination, fixed ? 6 : (int16_t)in[1]);
    else
        snprintf(line, sizeof line, "NOP %s VI%02u, VI01, VI02\n", op, destination);
    assert_null(vu_cop2_execute(&cop2, vu_program_macro(line)));
    assert_null(vu_cop2_read_control(&cop2, destination, false, &got));
    check->rows++;
    if (got != want)
        differs(check, row, got);
    vu_free(cop2.vu0);
}

static void test_macro_integer(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu0_macro_integer.tsv", macro_integer_row, 74);
}

static void transfer_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    uint32_t want[4], got = 0, value;
    unsigned index;
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    const char *op = tsv_field(row, "op"), *inputs = tsv_field(row, "inputs");
    tsv_words(tsv_field(row, "expected"), want, 4);
    check->rows++;
    if (sscanf(inputs, "vi%u %x", &index, &value) == 2 && !strcmp(op, "ctc2+cfc2")) {
        assert_null(vu_cop2_write_control(&cop2, index, false, value));
        if (index == 19) // not writable: the value of the captured console
            assert_int_equal(want[0], 0x2e30);
        assert_null(vu_cop2_read_control(&cop2, index, false, &got));
    } else if (strstr(op, "TPC")) {
        struct vu_text text = {.length = 0};
        vu_text_fill(&text, 0xe8 / 8);
        vu_text_add(&text, "NOP[E] NOP\nNOP NOP\nNOP NOP\n");
        vu_program_load(cop2.vu0, text.text);
        assert_null(vu_cop2_execute(&cop2, 0x4a000038));
        assert_null(vu_cop2_read_control(&cop2, 26, false, &got));
    } else { // a quadword through the port and back
        uint64_t out[2], in[2] = {(uint64_t)want[0] << 32 | want[0], (uint64_t)want[0] << 32 | want[0]};
        bool zero = strstr(op, "$0") != NULL;
        if (zero)
            in[0] = in[1] = ~UINT64_C(0);
        assert_null(vu_cop2_write(&cop2, 5, false, in));
        assert_null(vu_cop2_read(&cop2, 5, false, out));
        assert_memory_equal(in, out, 16); // that the EE's $0 stays zero is the EE's affair
        got = want[0];
    }
    if (got != want[0])
        differs(check, row, got);
    vu_free(cop2.vu0);
}

static void test_macro_transfer(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu0_macro_transfer.tsv", transfer_row, 21);
}

static void efu_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    uint32_t in[4] = {0}, want = 0, vector[4];
    const char *op = tsv_field(row, "op");
    bool scalar = strstr(tsv_field(row, "state"), "scalar") != NULL;
    size_t count = tsv_words(tsv_field(row, "inputs"), in, 4);
    assert_int_equal(count, scalar ? 1 : 4);
    tsv_words(tsv_field(row, "expected"), &want, 1);
    for (unsigned k = 0; k < 4; k++)
        vector[k] = scalar ? (k == 2 ? in[0] : 0xdeadbeef) : in[k];
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vu_state state;
    char text[160];
    set_lanes(vu, 1, vector);
    snprintf(text, sizeof text, "NOP %s P, VF01%s\nNOP WAITP\nNOP[E] MFP.w VF02, P\nNOP NOP\n", op,
             scalar ? "z" : "");
    vu_program_run(vu, text, &state);
    check->rows++;
    if (state.vf[2][3] != want || state.p != want || state.status || state.mac)
        differs(check, row, state.vf[2][3]);
    vu_free(vu);
}

static void test_efu(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu_efu.tsv", efu_row, 53);
}

static void random_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    uint32_t value = 0, want[4], r = 0;
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    const char *op = tsv_field(row, "op");
    tsv_words(tsv_field(row, "expected"), want, 4);
    tsv_value(tsv_field(row, "state"), "R=", &r);
    struct vu_state state;
    vu_get_state(vu, &state);
    state.r = r;
    state.vf[1][1] = tsv_words(tsv_field(row, "inputs"), &value, 1) ? value : 0;
    vu_set_state(vu, &state);
    if (!strcmp(op, "RNEXT"))
        vu_program_run(vu, "NOP[E] RNEXT.xyzw VF02, R\nNOP NOP\n", &state);
    else if (!strcmp(op, "RINIT+RGET"))
        vu_program_run(vu, "NOP RINIT R, VF01y\nNOP[E] RGET.xyzw VF02, R\nNOP NOP\n", &state);
    else
        vu_program_run(vu, "NOP RXOR R, VF01y\nNOP[E] RGET.xyzw VF02, R\nNOP NOP\n", &state);
    check->rows++;
    if (memcmp(state.vf[2], want, 16))
        differs(check, row, state.vf[2][0]);
    vu_free(vu);
}

static void test_random(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu_random.tsv", random_row, 23);
}

static void triace_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    uint32_t in[2] = {0, 0}, want = 0;
    char lane = *(strchr(tsv_field(row, "op"), '.') + 1), text[160];
    tsv_words(tsv_field(row, "expected"), &want, 1);
    size_t count = tsv_words(tsv_field(row, "inputs"), in, 2);
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    uint32_t vector[4] = {in[0], in[0], in[0], in[0]};
    memcpy(vu_data(vu, NULL) + 16, vector, 16);
    struct vu_state state;
    if (count == 1)
        snprintf(text, sizeof text, "NOP[E] LQ.%c VF02, 1(VI00)\nNOP NOP\n", lane);
    else
        snprintf(
            text, sizeof text,
            "NOP LQ.xyzw VF01, 1(VI00)\nNOP LOI 0x%08x\n%.4s.%c VF02, VF01, I NOP\nNOP[E] NOP\nNOP NOP\n",
            in[1], tsv_field(row, "op"), lane);
    vu_program_run(vu, text, &state);
    check->rows++;
    uint32_t got = state.vf[2][strchr("xyzw", lane) - "xyzw"];
    if (got != want)
        differs(check, row, got);
    vu_free(vu);
}

static void test_triace(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu_triace.tsv", triace_row, 8);
}

// ---- CLIP

static uint32_t clip_after(const char *pairs, unsigned issue)
{
    uint32_t v[4], w;
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    struct vu_text text = {.length = 0};
    struct vu_state state;
    vu_get_state(vu, &state);
    unsigned n = 0;
    for (const char *at = pairs; at; n++) {
        int got = sscanf(at, " %x,%x,%x,%x w=%x", &v[0], &v[1], &v[2], &v[3], &w);
        if (got != 5)
            got = sscanf(at, " %x %x %x %x / w=%x", &v[0], &v[1], &v[2], &v[3], &w);
        if (got != 5) // the whole other operand
            got = sscanf(at, " %x %x %x %x / %*x %*x %*x %x", &v[0], &v[1], &v[2], &v[3], &w);
        assert_int_equal(got, 5);
        memcpy(state.vf[1 + n], v, 16);
        state.vf[17 + n][3] = w;
        at = strchr(at, ';');
        at = at ? at + 1 : NULL;
    }
    vu_set_state(vu, &state);
    for (unsigned k = 0; k < n || k <= issue; k++) {
        if (k < n)
            vu_text_add(&text, "CLIPw.xyz VF%02u, VF%02uw ", 1 + k, 17 + k);
        else
            vu_text_add(&text, "NOP ");
        vu_text_add(&text, k == issue ? "FCGET VI01\n" : "NOP\n");
    }
    vu_text_add(&text, "NOP[E] NOP\nNOP NOP\n");
    vu_program_run(vu, text.text, &state);
    vu_free(vu);
    return state.vi[1];
}

static void clip_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    uint32_t want = 0;
    unsigned issue = 4;
    tsv_words(tsv_field(row, "expected"), &want, 1);
    const char *cycle = strstr(tsv_field(row, "state"), "issued in cycle ");
    if (cycle)
        issue = (unsigned)atoi(cycle + 16);
    uint32_t got = clip_after(tsv_field(row, "inputs"), issue);
    check->rows++;
    if (got != want)
        differs(check, row, got);
}

static void test_clip(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu_clip.tsv", clip_row, 20);
}

// ---- the divider's delays: programs of the shape that fdivdelay has, Q = 1 first, VF16.w = 4, VF17.w = 16

static void add_fdiv(struct vu_text *t, const char *op, unsigned vf)
{
    if (!strcmp(op, "SQRT"))
        vu_text_add(t, "SQRT Q, VF%uw\n", vf);
    else
        vu_text_add(t, "%s Q, VF00w, VF%uw\n", op, vf);
}

static void add_multiplies(struct vu_text *t, unsigned from, unsigned to)
{
    for (unsigned k = from; k <= to; k++)
        vu_text_add(t, "MULq.xyzw VF%02u, VF00, Q NOP\n", k);
}

static void fdiv_program(struct vu_text *t, const char *op, const char *name, unsigned stalls)
{
    vu_text_add(t, "NOP DIV Q, VF00w, VF00w\nNOP WAITQ\nNOP LOI 4.0\nMULi.w VF16, VF00, I LOI 16.0\n"
                   "MULi.w VF17, VF00, I NOP\n");
    if (strstr(name, "waitq")) {
        unsigned rounds = strstr(name, "multiple") ? 2 : 1;
        for (unsigned k = 0; k < rounds; k++) {
            vu_text_add(t, "MULq.xyzw VF%02u, VF00, Q ", 3 * k + 1);
            add_fdiv(t, op, 16 + k);
            vu_text_add(t, "MULq.xyzw VF%02u, VF00, Q WAITQ\nMULq.xyzw VF%02u, VF00, Q NOP\n", 3 * k + 2,
                        3 * k + 3);
        }
        return;
    }
    vu_text_add(t, "NOP ");
    add_fdiv(t, op, 16);
    if (strstr(name, "delayed (1)")) {
        vu_text_add(t, "NOP ");
        add_fdiv(t, op, 17);
        add_multiplies(t, 1, 14);
    } else if (strstr(name, "delayed (2)")) {
        add_multiplies(t, 1, 1);
        vu_text_add(t, "NOP ");
        add_fdiv(t, op, 17);
        add_multiplies(t, 2, 14);
    } else if (strstr(name, "stalled")) {
        bool branch = strstr(name, "branch") != NULL;
        vu_text_add(t, "MADD.xyzw VF30, VF23, VF00 %s\n", branch ? "IBLTZ VI00, .-1" : "NOP");
        for (unsigned k = 0; k < stalls; k++)
            vu_text_add(t, "MULq.xyzw VF00, VF00, Q NOP\n");
        vu_text_add(t, "CLIPw.xyz VF30, VF30w NOP\n");
        add_multiplies(t, 1, 14);
    } else {
        add_multiplies(t, 1, 14);
    }
}

static void fdiv_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    const char *name = tsv_field(row, "state"), *stalls = strstr(name, "stalled (");
    uint32_t want[4];
    unsigned reg = (unsigned)atoi(strchr(name, '#') + 1);
    assert_int_equal(tsv_words(tsv_field(row, "expected"), want, 4), 4);
    struct vu_text text = {.length = 0};
    fdiv_program(&text, tsv_field(row, "op"), name, stalls ? (unsigned)atoi(stalls + 9) : 0);
    vu_text_add(&text, "NOP[E] NOP\nNOP NOP\n");
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    struct vu_state state;
    vu_program_run(vu, text.text, &state);
    check->rows++;
    if (memcmp(state.vf[reg], want, 16))
        differs(check, row, state.vf[reg][3]);
    vu_free(vu);
}

static void test_fdiv_delay(void **unused)
{
    (void)unused;
    run_file("tests/vectors/vu_fdivdelay.tsv", fdiv_row, 225);
}

// A wrong model must be noticed: the same programs one pair late do not give the recorded values.
static void late_fdiv_row(const struct tsv_row *row, void *context)
{
    struct check *check = context;
    if (strstr(tsv_field(row, "state"), "single delayed") == NULL)
        return;
    uint32_t want[4];
    unsigned reg = (unsigned)atoi(strchr(tsv_field(row, "state"), '#') + 1);
    tsv_words(tsv_field(row, "expected"), want, 4);
    struct vu_text text = {.length = 0};
    fdiv_program(&text, tsv_field(row, "op"), "single delayed", 0);
    char *first = strstr(text.text, "MULq.xyzw VF01");
    memmove(first + 8, first, strlen(first) + 1);
    memcpy(first, "NOP NOP\n", 8);
    struct vu *vu = vu_new(VU_UNIT_0, NULL);
    struct vu_state state;
    text.length += 8;
    vu_text_add(&text, "NOP[E] NOP\nNOP NOP\n");
    vu_program_run(vu, text.text, &state);
    check->rows++;
    check->differing += memcmp(state.vf[reg], want, 16) != 0;
    vu_free(vu);
}

static void test_control_late_by_one(void **unused)
{
    (void)unused;
    char error[TSV_ERROR];
    struct check check = {0, 0};
    assert_true(tsv_read("tests/vectors/vu_fdivdelay.tsv", late_fdiv_row, &check, error));
    assert_in_range(check.differing, 1, check.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer),
        cmocka_unit_test(test_macro_integer),
        cmocka_unit_test(test_efu),
        cmocka_unit_test(test_macro_transfer),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_triace),
        cmocka_unit_test(test_clip),
        cmocka_unit_test(test_fdiv_delay),
        cmocka_unit_test(test_control_late_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
