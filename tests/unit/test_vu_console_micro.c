// The VU's pipelines, branches and memory against later console captures: microprograms, every such row of
// vectors/console.tsv. Programs that the rows only name are rebuilt from their description; VU0's must have
// the hash that the row gives.
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

static void run_group(const char *group, vu_row *visit, unsigned rows)
{
    unsigned seen;
    assert_int_equal(vu_rows_run(group, visit, &seen, false), 0);
    assert_int_equal(seen, rows);
}

static uint32_t control(struct vu_cop2 *cop2, unsigned index)
{
    uint32_t n;
    assert_null(vu_cop2_read_control(cop2, index, false, &n));
    return n;
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
            want.vi[k] = (uint16_t)vu_rows_value(expected, (const char *[]){"", "vi1=", "vi2=", "vi3="}[k]);
    for (unsigned k = 1; k < 16; k++)
        vu_rows_expect(row, state->vi[k] == want.vi[k], "vi%u %04x", k, state->vi[k]);
    for (unsigned k = 1; k < 32; k++)
        vu_rows_expect(row, !memcmp(state->vf[k], want.vf[k], 16), "vf%u %08x %08x %08x %08x", k,
                       state->vf[k][0], state->vf[k][1], state->vf[k][2], state->vf[k][3]);
    vu_rows_expect(row, state->status == vu_rows_value(flags, "status="), "status %03x", state->status);
    vu_rows_expect(row, state->mac == vu_rows_value(flags, "mac="), "mac %04x", state->mac);
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
    vu_rows_expect(row, stop.kind == VU_ENDED, "stop %s", vu_stop_name(stop.kind));
    vu_rows_expect(row, state.q == vu_rows_value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
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
    assert_null(vu_cop2_write_control(&cop2, 28, false, vu_rows_value(text, "FBRST=")));
    vu_program_load_hex(cop2.vu0, strstr(text, "lower = ") + 8);
    assert_null(vu_cop2_execute(&cop2, 0x4a000038));
    uint32_t stat = control(&cop2, 29), tpc = control(&cop2, 26), clip = control(&cop2, 18);
    unsigned want_tpc = 0;
    sscanf(strstr(expected, "tpc="), "tpc=%u", &want_tpc);
    vu_get_state(cop2.vu0, &state);
    vu_rows_expect(row, tpc == want_tpc, "tpc %u", tpc);
    vu_rows_expect(row, stat == vu_rows_value(expected, "vpu_stat="), "vpu_stat %x", stat);
    vu_rows_expect(row, clip == vu_rows_value(expected, "clip="), "clip %06x", clip);
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
    uint32_t hash = vu_rows_value(tsv_field(row, "state"), "fnv ");
    bool unit0 = !strncmp(tsv_field(row, "op"), "VU0", 3);
    if (unit0)
        vu_rows_expect(row, fnv(vu, pairs) == hash, "a program of %zu pairs with hash %08x", pairs,
                       fnv(vu, pairs));
    vu_get_state(vu, state);
    const char *vi = strstr(tsv_field(row, "state"), "vi1..15=");
    read_registers(vi, state);
    vu_set_state(vu, state);
    struct vu_stop stop = vu_program_go(vu, 0);
    vu_rows_expect(row, stop.kind == VU_ENDED, "stop %s", vu_stop_name(stop.kind));
    vu_get_state(vu, state);
}

static void expect_samples(const struct tsv_row *row, const struct vu_state *state)
{
    const char *at = strstr(tsv_field(row, "expected"), "samples=") + 8;
    for (unsigned k = 1; k < 32; k++) {
        char *end;
        uint32_t want = (uint32_t)strtoul(at, &end, 16);
        vu_rows_expect(row, state->vf[k][0] == want, "sample %u %08x", k, state->vf[k][0]);
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
    vu_rows_expect(row, state.q == vu_rows_value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
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
        vu_rows_expect(row, state.vi[n] == want.vi[n], "vi%u %04x", n, state.vi[n]);
    vu_rows_expect(row, state.q == vu_rows_value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
    vu_rows_expect(row, state.status == vu_rows_value(tsv_field(row, "flags"), "status="), "status %03x",
                   state.status);
    vu_rows_expect(row, state.mac == vu_rows_value(tsv_field(row, "flags"), "mac="), "mac %04x", state.mac);
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
    vu_rows_expect(row, state.q == vu_rows_value(tsv_field(row, "expected"), "q="), "q %08x", state.q);
    vu_rows_expect(row, state.status == vu_rows_value(tsv_field(row, "flags"), "status="), "status %03x",
                   state.status);
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
        vu_rows_expect(row, got == want, "quadword %u word %u %08x", place[k / 4], k % 4, got);
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
        vu_rows_expect(row, state.vf[k][2] == 0xf3000000 + k, "vf%u %08x", k, state.vf[k][2]);
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
    vu_rows_expect(row, label_register == want, "label %08x", label_register);
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
    vu_free(rig.vu0);
    vu_free(rig.vu1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sticky_programs),
        cmocka_unit_test(test_branch_programs),
        cmocka_unit_test(test_latency_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
