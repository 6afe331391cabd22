// The VU against later console captures: every vu_* row of vectors/console.tsv. Programs that the rows only
// name are rebuilt from their description; where the row has the hash of the program, ours must have it too.
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

static struct {
    const char *group;
    void (*visit)(const struct tsv_row *);
    unsigned rows, differing, hashes;
} current;

static void visit_group(const struct tsv_row *row, void *unused)
{
    (void)unused;
    const char *note = tsv_field(row, "note");
    size_t n = strlen(current.group);
    if (strncmp(note, "group ", 6) || strncmp(note + 6, current.group, n) || note[6 + n] != ';')
        return;
    current.rows++;
    current.visit(row);
}

static void run_group(const char *group, void (*visit)(const struct tsv_row *), unsigned rows)
{
    char error[TSV_ERROR];
    current.group = group;
    current.visit = visit;
    current.rows = current.differing = current.hashes = 0;
    if (!tsv_read("tests/vectors/console.tsv", visit_group, NULL, error))
        fail_msg("%s", error);
    assert_int_equal(current.rows, rows);
    assert_int_equal(current.differing, 0);
}

__attribute__((format(printf, 3, 4))) static void expect(const struct tsv_row *row, bool good,
                                                         const char *format, ...)
{
    if (good || current.differing++ >= 8)
        return;
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s:%u: %s: got ", row->path, row->line, current.group);
    vfprintf(stderr, format, list);
    fprintf(stderr, "; expected %s %s\n", tsv_field(row, "expected"), tsv_field(row, "flags"));
    va_end(list);
}

static uint32_t value(const char *text, const char *key)
{
    uint32_t n = 0xbadbad;
    tsv_value(text, key, &n);
    return n;
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
    splat(words, value(state, "acc="));
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
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
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
        expect(row, mac == value(flags, "mac="), "mac %04x", mac);
        expect(row, status == value(flags, "status="), "status %03x", status);
    }
    if (lanes) {
        uint32_t expected[4];
        get(&cop2, 6, words);
        tsv_words(tsv_field(row, "expected"), expected, 4);
        expect(row, !memcmp(words, expected, 16), "%08x %08x %08x %08x", words[0], words[1], words[2],
               words[3]);
    } else if (*op == 'V') {
        sscanf(tsv_field(row, "expected"), "%x", &want);
        uint32_t got = result(&cop2, op);
        expect(row, got == want, "%08x", got);
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
    assert_null(vu_cop2_write_control(&cop2, 16, false, value(tsv_field(row, "state"), "status written ")));
    divide(&cop2, tsv_field(row, "op"), in, count);
    uint32_t q = control(&cop2, 22), status = control(&cop2, 16);
    expect(row, q == value(tsv_field(row, "expected"), "q="), "q %08x", q);
    expect(row, status == value(tsv_field(row, "flags"), "status="), "status %03x", status);
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
    expect(row, state.p == want, "%08x", state.p);
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
        expect(row, status == value(reads, "status="), "status %03x", status);
        expect(row, mac == value(reads, "mac="), "mac %04x", mac);
        expect(row, q == value(reads, "q="), "q %08x", q);
        reads = strchr(reads, ';');
        if (!op || !reads++)
            break;
        step(&cop2, op);
    }
    get(&cop2, 6, words);
    sscanf(strstr(tsv_field(row, "expected"), "vf6=") + 4, "%x %x %x %x", want, want + 1, want + 2, want + 3);
    expect(row, !memcmp(words, want, 16), "vf6.x %08x", words[0]);
    expect(row, control(&cop2, 18) == value(tsv_field(row, "expected"), "clip="), "clip %06x",
           control(&cop2, 18));
    free(ops);
    vu_free(cop2.vu0);
}

static void test_sequences(void **unused)
{
    (void)unused;
    run_group("vu_sticky_macro", sequence_row, 12);
}

// ---- microprograms given as words

static void read_registers(const char *text, struct vu_state *state)
{
    for (const char *at = strstr(text, "vf"); at; at = strstr(at + 1, "vf")) {
        unsigned n;
        uint32_t v[4];
        if (sscanf(at, "vf%u=%x %x %x %x", &n, v, v + 1, v + 2, v + 3) == 5)
            memcpy(state->vf[n], v, 16);
    }
    const char *vi = strstr(text, "vi1..");
    for (unsigned k = 1; vi && k < 16; k++) {
        if (k == 1)
            vi = strchr(vi, '=') + 1;
        char *end;
        unsigned long n = strtoul(vi, &end, 16);
        if (end == vi)
            break;
        state->vi[k] = (uint16_t)n;
        vi = end;
    }
}

static void expect_registers(const struct tsv_row *row, const struct vu_state *state)
{
    struct vu_state want = *state;
    const char *expected = tsv_field(row, "expected"), *flags = tsv_field(row, "flags");
    read_registers(expected, &want);
    for (unsigned k = 1; k < 4; k++)
        if (strstr(expected, (const char *[]){"", " vi1=", "vi2=", "vi3="}[k]) ||
            (k == 1 && !strncmp(expected, "vi1=", 4)))
            want.vi[k] = (uint16_t)value(expected, (const char *[]){"", "vi1=", "vi2=", "vi3="}[k]);
    for (unsigned k = 1; k < 16; k++)
        expect(row, state->vi[k] == want.vi[k], "vi%u %04x", k, state->vi[k]);
    for (unsigned k = 1; k < 32; k++)
        expect(row, !memcmp(state->vf[k], want.vf[k], 16), "vf%u %08x %08x %08x %08x", k, state->vf[k][0],
               state->vf[k][1], state->vf[k][2], state->vf[k][3]);
    expect(row, state->status == value(flags, "status="), "status %03x", state->status);
    expect(row, state->mac == value(flags, "mac="), "mac %04x", state->mac);
}

static struct vu *sticky_unit; // the programs of this group ran one after another

static void sticky_program_row(const struct tsv_row *row)
{
    struct vu_state state;
    vu_get_state(sticky_unit, &state);
    // The rows left out of the file ran in between: take over what the row itself tells of the MAC before.
    read_registers(tsv_field(row, "inputs"), &state);
    memset(state.vi, 0, sizeof state.vi);
    state.status = state.clip = 0;
    state.q = 0x3f800000;
    if (strstr(tsv_field(row, "note"), "WRITE_MASK"))
        state.mac = 0x0808;
    vu_set_state(sticky_unit, &state);
    size_t pairs = vu_program_load_hex(sticky_unit, strstr(tsv_field(row, "state"), "lower = ") + 8);
    static const uint32_t nop[2] = {0x8000033c, 0x2ff}; // behind the E bit; the row does not show it
    vu_write_micro(sticky_unit, 8 * pairs, nop, 8);
    struct vu_stop stop = vu_program_go(sticky_unit, 0);
    vu_get_state(sticky_unit, &state);
    expect(row, stop.kind == VU_ENDED, "stop %s", vu_stop_name(stop.kind));
    expect(row, state.q == value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
    expect_registers(row, &state);
}

static void test_sticky_programs(void **unused)
{
    (void)unused;
    sticky_unit = vu_new(VU_UNIT_0, NULL);
    run_group("vu_sticky_micro", sticky_program_row, 6);
    vu_free(sticky_unit);
}

static void branch_row(const struct tsv_row *row)
{
    const char *text = tsv_field(row, "state"), *expected = tsv_field(row, "expected");
    struct vu_cop2 cop2 = {.vu0 = vu_new(VU_UNIT_0, NULL)};
    struct vu_state state;
    vu_get_state(cop2.vu0, &state);
    read_registers(tsv_field(row, "inputs"), &state);
    for (unsigned k = 0; k < 8; k++)
        state.vf[6 + k / 4][k % 4] = 0xdeadbeef;
    vu_set_state(cop2.vu0, &state);
    assert_null(vu_cop2_write_control(&cop2, 28, false, value(text, "FBRST=")));
    vu_program_load_hex(cop2.vu0, strstr(text, "lower = ") + 8);
    assert_null(vu_cop2_execute(&cop2, 0x4a000038));
    uint32_t stat = control(&cop2, 29), tpc = control(&cop2, 26), clip = control(&cop2, 18);
    unsigned want_tpc = 0;
    sscanf(strstr(expected, "tpc="), "tpc=%u", &want_tpc);
    vu_get_state(cop2.vu0, &state);
    expect(row, tpc == want_tpc, "tpc %u", tpc);
    expect(row, stat == value(expected, "vpu_stat="), "vpu_stat %x", stat);
    expect(row, clip == value(expected, "clip="), "clip %06x", clip);
    expect_registers(row, &state);
    vu_free(cop2.vu0);
}

static void test_branch_programs(void **unused)
{
    (void)unused;
    run_group("vu_branch_micro", branch_row, 46);
}

// ---- latency and memory programs, rebuilt

static uint32_t label_register; // the GS's LABEL id half, which the kicked packets write

struct packet {
    unsigned left;
    bool last;
};

static bool kick(void *context, const uint64_t quadword[2])
{
    struct packet *packet = context;
    if (!packet->left) {
        packet->left = quadword[0] & 0x7fff;
        packet->last = quadword[0] >> 15 & 1;
    } else {
        packet->left--;
        uint32_t mask = (uint32_t)(quadword[0] >> 32);
        if (quadword[1] == 0x62)
            label_register = (label_register & ~mask) | ((uint32_t)quadword[0] & mask);
    }
    return !packet->left && packet->last;
}

struct bench {
    struct vu *vu0, *vu1;
    struct packet packet;
};
static struct bench rig;

static void profile(struct vu *vu)
{
    static const uint32_t known[6][4] = {
        {0x40000000, 0x41000000, 0x41800000, 0x3f800000},
        {0x3f800000, 0x3f800000, 0x3f800000, 0},
        {0xc0de0006, 0xc0de1006, 0xc0de2006, 0xc0de3006},
        {0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef},
        {0x3f800000, 0, 0, 0x40000000},
        {0x40400000, 0x40800000, 0x3f800000, 0x40800000},
    };
    struct vu_state state;
    size_t size;
    vu_get_state(vu, &state);
    for (unsigned k = 1; k < 32; k++)
        for (unsigned lane = 0; lane < 4; lane++)
            state.vf[k][lane] = k >= 4 && k < 10 ? known[k - 4][lane] : 0xdeadbeef;
    memset(state.vi, 0, sizeof state.vi);
    state.status = state.mac = state.clip = state.p = 0;
    state.q = 0x7eed0022;
    vu_set_state(vu, &state);
    uint32_t *data = (uint32_t *)(void *)vu_data(vu, &size);
    for (uint32_t k = 0; k < size / 4; k++)
        data[k] = (size == VU0_MICRO_SIZE ? 0xa0000000 : 0xb0000000) + k / 4;
}

static uint32_t fnv(const struct vu *vu, size_t pairs)
{
    uint32_t hash = 0x811c9dc5;
    const uint8_t *bytes = vu_micro(vu, NULL);
    for (size_t k = 0; k < 8 * pairs; k++)
        hash = (hash ^ bytes[k]) * 0x01000193;
    return hash;
}

static void add_end(struct vu_text *t)
{
    vu_text_add(t, "NOP[E] IADDIU VI00, VI00, 0\nNOP IADDIU VI00, VI00, 0\n");
}

static const char *name_of(const struct tsv_row *row)
{
    return tsv_field(row, "inputs");
}

static unsigned first_distance(const struct tsv_row *row)
{
    unsigned n = 0;
    sscanf(strstr(tsv_field(row, "state"), "first sample distance "), "first sample distance %u", &n);
    return n;
}

static void run_rebuilt(const struct tsv_row *row, struct vu *vu, const struct vu_text *text,
                        struct vu_state *state)
{
    size_t pairs = vu_program_load(vu, text->text);
    uint32_t hash = value(tsv_field(row, "state"), "fnv ");
    bool unit0 = !strncmp(tsv_field(row, "op"), "VU0", 3);
    current.hashes += fnv(vu, pairs) == hash;
    if (unit0)
        expect(row, fnv(vu, pairs) == hash, "a program of %zu pairs with hash %08x", pairs, fnv(vu, pairs));
    vu_get_state(vu, state);
    const char *vi = strstr(tsv_field(row, "state"), "vi1..15=");
    read_registers(vi, state);
    vu_set_state(vu, state);
    struct vu_stop stop = vu_program_go(vu, 0);
    expect(row, stop.kind == VU_ENDED, "stop %s", vu_stop_name(stop.kind));
    vu_get_state(vu, state);
}

static void expect_samples(const struct tsv_row *row, const struct vu_state *state)
{
    const char *at = strstr(tsv_field(row, "expected"), "samples=") + 8;
    for (unsigned k = 1; k < 32; k++) {
        char *end;
        uint32_t want = (uint32_t)strtoul(at, &end, 16);
        expect(row, state->vf[k][0] == want, "sample %u %08x", k, state->vf[k][0]);
        at = end;
    }
}

static void q_latency(const struct tsv_row *row)
{
    static const char *const ops[3][2] = {{"DIV Q, VF04x, VF05x", "DIV Q, VF04y, VF05y"},
                                          {"SQRT Q, VF04w", "SQRT Q, VF04z"},
                                          {"RSQRT Q, VF04y, VF04w", "RSQRT Q, VF04x, VF04z"}};
    unsigned which = strstr(name_of(row), "_DIV") ? 0 : strstr(name_of(row), "_SQRT") ? 1 : 2;
    struct vu_text t = {.length = 0};
    struct vu_state state;
    profile(rig.vu0);
    vu_text_add(&t, "NOP %s\n", ops[which][0]);
    vu_text_fill(&t, 70);
    for (unsigned k = 1; k < 32; k++)
        vu_text_add(&t, "ADDq.x VF%02u, VF00, Q %s\n", k, k == 1 ? ops[which][1] : "IADDIU VI00, VI00, 0");
    add_end(&t);
    run_rebuilt(row, rig.vu0, &t, &state);
    expect(row, state.q == value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
    expect_samples(row, &state);
}

static void efu_operation(struct vu_text *t, const char *op, size_t length, unsigned vf)
{
    static const char *const scalar[] = {"ESQRTw", "ERSQRTw", "ESINz", "EATANz", "EEXPz", "ERCPRx"};
    for (unsigned k = 0; k < 6; k++)
        if (strlen(scalar[k]) == length + 1 && !strncmp(scalar[k], op, length)) {
            vu_text_add(t, "NOP %.*s P, VF%02u%c\n", (int)length, op, vf, scalar[k][length]);
            return;
        }
    // The recorded programs leave the destination field empty, which an assembler fills.
    char text[64];
    uint32_t upper, lower;
    snprintf(text, sizeof text, "NOP %.*s P, VF%02u\n", (int)length, op, vf);
    vu_program_pair(text, &upper, &lower);
    vu_text_add(t, "NOP .word 0x%08x\n", lower & ~0x01e00000u);
}

static void p_latency(const struct tsv_row *row)
{
    const char *op = name_of(row) + strlen("Q2_P_");
    struct vu_text t = {.length = 0};
    struct vu_state state;
    profile(rig.vu1);
    efu_operation(&t, op, strcspn(op, "_"), 8);
    vu_text_fill(&t, 70);
    efu_operation(&t, op, strcspn(op, "_"), 9);
    vu_text_fill(&t, first_distance(row) - 1);
    for (unsigned k = 1; k < 32; k++)
        vu_text_add(&t, "NOP MFP.x VF%02u, P\n", k);
    add_end(&t);
    run_rebuilt(row, rig.vu1, &t, &state);
    expect_samples(row, &state);
}

static void flag_latency(const struct tsv_row *row)
{
    static const struct {
        const char *name, *first, *second, *read;
        unsigned last;
    } kinds[] = {
        {"DIVZERO_SET", "NOP DIV Q, VF04x, VF05x", "NOP DIV Q, VF04x, VF05w", "FSAND VI%02u, 0xfff", 15},
        {"DIVZERO_CLR", "NOP DIV Q, VF04x, VF05w", "NOP DIV Q, VF04x, VF05x", "FSAND VI%02u, 0xfff", 15},
        {"INVALID_SET", "NOP DIV Q, VF04x, VF05x", "NOP DIV Q, VF05w, VF05w", "FSAND VI%02u, 0xfff", 15},
        {"FMACSTATUS", "MUL.xyzw VF20, VF04, VF04 IADDIU VI00, VI00, 0",
         "MUL.xyzw VF21, VF05, VF05 IADDIU VI00, VI00, 0", "FSAND VI%02u, 0xfff", 15},
        {"MAC", "MUL.xyzw VF20, VF04, VF04 IADDIU VI00, VI00, 0",
         "MUL.xyzw VF21, VF05, VF05 IADDIU VI00, VI00, 0", "FMAND VI%02u, VI15", 14},
    };
    unsigned k = 0;
    while (!strstr(name_of(row), kinds[k].name))
        k++;
    struct vu_text t = {.length = 0};
    struct vu_state state, want;
    profile(rig.vu0);
    vu_text_add(&t, "NOP FSSET 0\n");
    vu_text_fill(&t, 8);
    vu_text_add(&t, "%s\n", kinds[k].first);
    vu_text_fill(&t, 70);
    vu_text_add(&t, "%s\n", kinds[k].second);
    vu_text_fill(&t, first_distance(row) - 1);
    for (unsigned n = 1; n <= kinds[k].last; n++) {
        vu_text_add(&t, "NOP ");
        if (kinds[k].last == 14)
            vu_text_add(&t, "FMAND VI%02u, VI15\n", n);
        else
            vu_text_add(&t, "FSAND VI%02u, 0xfff\n", n);
    }
    add_end(&t);
    run_rebuilt(row, rig.vu0, &t, &state);
    want = state;
    read_registers(strstr(tsv_field(row, "expected"), "vi1..15="), &want);
    for (unsigned n = 1; n < 16; n++)
        expect(row, state.vi[n] == want.vi[n], "vi%u %04x", n, state.vi[n]);
    expect(row, state.q == value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
    expect(row, state.status == value(tsv_field(row, "flags"), "status="), "status %03x", state.status);
    expect(row, state.mac == value(tsv_field(row, "flags"), "mac="), "mac %04x", state.mac);
}

// The program ends while a result is in flight; VU1's P is read by the next program (PRead).
static void truncated(const struct tsv_row *row)
{
    bool p = strstr(name_of(row), "_P_D") != NULL, status = strstr(name_of(row), "STATUS") != NULL;
    struct vu *vu = p ? rig.vu1 : rig.vu0;
    unsigned delay = (unsigned)atoi(strstr(name_of(row), "_D") + 2);
    struct vu_text t = {.length = 0};
    struct vu_state state;
    const char *second = p ? "ESADD P, VF09" : status ? "DIV Q, VF04x, VF05w" : "DIV Q, VF04y, VF05y";
    profile(vu);
    vu_text_add(&t, "NOP %s\n", p ? "ESADD P, VF08" : "DIV Q, VF04x, VF05x");
    vu_text_fill(&t, 70);
    vu_text_add(&t, "NOP%s %s\n", delay ? "" : "[E]", second);
    vu_text_fill(&t, delay ? delay - 1 : 0);
    vu_text_add(&t, "NOP%s IADDIU VI00, VI00, 0\n", delay ? "[E]" : "");
    if (delay)
        vu_text_fill(&t, 1);
    run_rebuilt(row, vu, &t, &state);
    if (p)
        return;
    expect(row, state.q == value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
    expect(row, state.status == value(tsv_field(row, "flags"), "status="), "status %03x", state.status);
}

static void expect_dump(const struct tsv_row *row, struct vu *vu)
{
    const char *at = strstr(tsv_field(row, "expected"), "dump(qw ");
    const uint8_t *data = vu_data(vu, NULL);
    unsigned place[4];
    if (!at)
        return;
    assert_int_equal(sscanf(at, "dump(qw %u,%u,%u,%u)=", &place[0], &place[1], &place[2], &place[3]), 4);
    at = strchr(at, '=') + 1;
    for (unsigned k = 0; k < 16; k++) {
        char *end;
        uint32_t got, want = (uint32_t)strtoul(at, &end, 16);
        memcpy(&got, data + place[k / 4] * 16 + k % 4 * 4, 4);
        expect(row, got == want, "quadword %u word %u %08x", place[k / 4], k % 4, got);
        at = end;
    }
}

// As the rows of the truncated programs are not all in the file, the value in flight is made here.
static void read_p(const struct tsv_row *row)
{
    struct vu_state state;
    profile(rig.vu1);
    vu_program_run(rig.vu1, "NOP[E] ESADD P, VF09\nNOP NOP\n", &state);
    vu_program_run(
        rig.vu1, "NOP MFP.xyzw VF07, P\nNOP IADDIU VI01, VI00, 512\nNOP[E] SQ.xyzw VF07, 0(VI01)\nNOP NOP\n",
        &state);
    expect_dump(row, rig.vu1);
}

static void vu0_efu(const struct tsv_row *row)
{
    struct vu_text t = {.length = 0};
    struct vu_state state;
    profile(rig.vu0);
    efu_operation(&t, name_of(row) + strlen("Q2_VU0EFU_"), strlen(name_of(row)) - strlen("Q2_VU0EFU_"), 9);
    vu_text_fill(&t, 70);
    vu_text_add(&t, "NOP MFP.x VF01, P\n");
    vu_text_fill(&t, 8);
    add_end(&t);
    run_rebuilt(row, rig.vu0, &t, &state);
    expect_samples(row, &state);
}

static void paint_vu1(void)
{
    struct vu_state state;
    vu_get_state(rig.vu1, &state);
    for (uint32_t k = 1; k < 32; k++)
        for (uint32_t lane = 0; lane < 4; lane++)
            state.vf[k][lane] = 0xf1000000 + 0x01000000 * lane + k;
    for (unsigned k = 1; k < 16; k++)
        state.vi[k] = (uint16_t)(0x101 * k);
    vu_set_state(rig.vu1, &state);
}

static void vu0_memory(const struct tsv_row *row)
{
    struct vu_text t = {.length = 0};
    struct vu_state state;
    bool store = strstr(name_of(row), "_SQ_") != NULL;
    profile(rig.vu0);
    paint_vu1();
    if (store) {
        vu_text_add(&t, "NOP SQ.xyzw VF06, 0(VI01)\n");
        vu_text_fill(&t, 6);
        vu_text_add(&t, "NOP LQ.xyzw VF07, 0(VI02)\n");
    } else {
        vu_text_add(&t, "NOP LQ.xyzw VF07, 0(VI01)\n");
    }
    vu_text_fill(&t, 6);
    add_end(&t);
    run_rebuilt(row, rig.vu0, &t, &state);
    expect_samples(row, &state);
    expect_dump(row, rig.vu0);
}

// The index of the name; 65535 and 1029 wrap.
static void vu1_memory(const struct tsv_row *row)
{
    struct vu_text t = {.length = 0};
    struct vu_state state;
    unsigned index = (unsigned)atoi(strrchr(name_of(row), '_') + 1);
    if (strstr(name_of(row), "READBACK")) { // what VU0 stored into VF03 through its window
        profile(rig.vu0);
        profile(rig.vu1);
        vu_program_run(rig.vu0,
                       "NOP IADDIU VI01, VI00, 0x403\nNOP SQ.xyzw VF06, 0(VI01)\nNOP[E] NOP\nNOP NOP\n",
                       &state);
        vu_program_run(rig.vu1, "NOP IADDIU VI01, VI00, 512\nNOP[E] SQ.xyzw VF03, 0(VI01)\nNOP NOP\n",
                       &state);
        expect_dump(row, rig.vu1);
        return;
    }
    profile(rig.vu1);
    if (index < 0x8000)
        vu_text_add(&t, "NOP IADDIU VI01, VI00, %u\n", index);
    else
        vu_text_add(&t, "NOP ISUBIU VI01, VI00, %u\n", 0x10000 - index);
    vu_text_fill(&t, 4);
    if (strstr(name_of(row), "_SQ_")) {
        vu_text_add(&t,
                    "NOP SQ.xyzw VF06, 0(VI01)\nNOP IADDIU VI02, VI00, %u\nNOP LQ.xyzw VF07, 0(VI02)\n"
                    "NOP IADDIU VI03, VI00, 513\n",
                    index & 0x3ff);
    } else {
        vu_text_add(&t, "NOP LQ.xyzw VF07, 0(VI01)\nNOP IADDIU VI03, VI00, 512\n");
    }
    vu_text_add(&t, "NOP SQ.xyzw VF07, 0(VI03)\n");
    add_end(&t);
    run_rebuilt(row, rig.vu1, &t, &state);
    expect_dump(row, rig.vu1);
}

static void painted(const struct tsv_row *row)
{
    struct vu_text t = {.length = 0};
    struct vu_state state;
    profile(rig.vu1);
    for (uint32_t k = 1; k < 32; k++) {
        uint32_t words[4] = {0xf1000000 + k, 0xf2000000 + k, 0xf3000000 + k, 0xf4000000 + k};
        memcpy(vu_data(rig.vu1, NULL) + (900 + k) * 16, words, 16);
        vu_text_add(&t, "NOP LQ.xyzw VF%02u, %u(VI00)\n", k, 900 + k);
    }
    vu_text_fill(&t, 4);
    add_end(&t);
    run_rebuilt(row, rig.vu1, &t, &state);
    expect_dump(row, rig.vu1);
    for (uint32_t k = 1; k < 32; k++)
        expect(row, state.vf[k][2] == 0xf3000000 + k, "vf%u %08x", k, state.vf[k][2]);
}

static void kicked(const struct tsv_row *row)
{
    struct vu_text t = {.length = 0};
    struct vu_state state;
    unsigned start = strstr(name_of(row), "CTRL") ? 100 : strstr(name_of(row), "TAG") ? 1021 : 1023;
    profile(rig.vu1);
    for (const char *at = strstr(tsv_field(row, "state"), "qw"); at; at = strstr(at + 1, "qw")) {
        unsigned place;
        uint32_t v[4];
        if (sscanf(at, "qw%u=%x %x %x %x", &place, v, v + 1, v + 2, v + 3) == 5)
            memcpy(vu_data(rig.vu1, NULL) + place * 16, v, 16);
    }
    vu_text_add(&t, "NOP IADDIU VI01, VI00, 200\nNOP IADDIU VI02, VI00, %u\nNOP XGKICK VI01\n", start);
    vu_text_fill(&t, 80);
    vu_text_add(&t, "NOP XGKICK VI02\n");
    add_end(&t);
    run_rebuilt(row, rig.vu1, &t, &state);
    uint32_t want = 0;
    sscanf(strstr(tsv_field(row, "expected"), "->"), "->%x", &want);
    expect(row, label_register == want, "label %08x", label_register);
    expect_dump(row, rig.vu1);
}

static void latency_row(const struct tsv_row *row)
{
    static const struct {
        const char *op;
        void (*visit)(const struct tsv_row *);
    } kinds[] = {{"VU0 QLat", q_latency},    {"VU1 PLat", p_latency},  {"VU0 Flag", flag_latency},
                 {"VU0 Trunc", truncated},   {"VU1 Trunc", truncated}, {"VU1 PRead", read_p},
                 {"VU0 Vu0Efu", vu0_efu},    {"VU1 Paint", painted},   {"VU0 Vu0Mem", vu0_memory},
                 {"VU1 Vu1Mem", vu1_memory}, {"VU1 Xgkick", kicked}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (!strcmp(tsv_field(row, "op"), kinds[k].op)) {
            kinds[k].visit(row);
            return;
        }
    fail_msg("what is %s", tsv_field(row, "op"));
}

static void test_latency_and_memory(void **unused)
{
    (void)unused;
    rig.vu0 = vu_new(VU_UNIT_0, NULL);
    rig.vu1 = vu_new(VU_UNIT_1, NULL);
    vu_set_window(rig.vu0, rig.vu1);
    vu_set_ports(rig.vu1, &(struct vu_ports){.context = &rig.packet, .kick = kick});
    run_group("vu_latency_memory", latency_row, 96);
    print_message("%u programs have the recorded hash\n", current.hashes);
    vu_free(rig.vu0);
    vu_free(rig.vu1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fmac),
        cmocka_unit_test(test_fdiv),
        cmocka_unit_test(test_efu),
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_sticky_programs),
        cmocka_unit_test(test_branch_programs),
        cmocka_unit_test(test_latency_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
