// Checks VU rows of latencies and memory, whose programs are written anew from their description
// (tests/vectors/console.tsv, group vu_latency_memory) and compared with the published hash of their words.
#include <stdlib.h>
#include <string.h>

#include "tests/model/vu_row.h"

enum { UPPER_NOP = 0x2ff, X, Y, Z, W, LANES = 4, SAMPLES = 31 };
enum { LANE_X, LANE_Y, LANE_Z, LANE_W };
enum { WAIT = 70, SENTINEL = 959, PROFILE = 964, FIRST_RESULT = 513 };

static const uint32_t sentinel = 0xdeadbeef;

static void put_quadword(uint8_t *data, unsigned quadword, const uint32_t words[4])
{
    for (unsigned i = 0; i < 16; i++)
        data[16 * (size_t)quadword + i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}
static void get_quadword(const uint8_t *data, unsigned quadword, uint32_t words[4])
{
    memset(words, 0, 4 * sizeof *words);
    for (unsigned i = 0; i < 16; i++)
        words[i / 4] |= (uint32_t)data[16 * (size_t)quadword + i] << 8 * (i % 4);
}

// VF04..VF09 of profile 0.
static const uint32_t profile[6][4] = {
    {0x40000000, 0x41000000, 0x41800000, 0x3f800000}, {0x3f800000, 0x3f800000, 0x3f800000, 0x00000000},
    {0xc0de0006, 0xc0de1006, 0xc0de2006, 0xc0de3006}, {0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef},
    {0x3f800000, 0x00000000, 0x00000000, 0x40000000}, {0x40400000, 0x40800000, 0x3f800000, 0x40800000},
};

static void load_profile(struct vu_row_runner *p)
{
    for (unsigned reg = 1; reg < 32; reg++)
        for (unsigned i = 0; i < LANES; i++)
            p->vu[0].vf[reg][i] = reg >= 4 && reg < 10 ? profile[reg - 4][i] : sentinel;
    p->vu[0].q = 0x7eed0022;
    for (unsigned k = 0; k < 256; k++)
        put_quadword(p->data[0], k,
                     (uint32_t[]){0xa0000000 + k, 0xa0000000 + k, 0xa0000000 + k, 0xa0000000 + k});
    for (unsigned k = 0; k < 1024; k++)
        put_quadword(p->data[1], k,
                     (uint32_t[]){0xb0000000 + k, 0xb0000000 + k, 0xb0000000 + k, 0xb0000000 + k});
    put_quadword(p->data[1], SENTINEL, (uint32_t[]){sentinel, sentinel, sentinel, sentinel});
    for (unsigned i = 0; i < 6; i++)
        put_quadword(p->data[1], PROFILE + i, profile[i]);
    // The registers of VU1 as the window shows them.
    for (unsigned reg = 1; reg < 32; reg++)
        for (unsigned i = 0; i < LANES; i++)
            p->vu[1].vf[reg][i] = 0xf0000000 + ((i + 1) << 24) + reg;
    for (unsigned reg = 1; reg < 16; reg++)
        p->vu[1].vi[reg] = (uint16_t)(reg * 0x101);
}

// What VU1 programs begin with.
static void add_prologue(struct vu_row_runner *p)
{
    for (unsigned reg = 1; reg < 32; reg++)
        vu_row_pair(p, UPPER_NOP, vu_row_lower("LQ", 15, 0, 0, reg, SENTINEL));
    for (unsigned i = 0; i < 6; i++)
        vu_row_pair(p, UPPER_NOP, vu_row_lower("LQ", 15, 0, 0, 4 + i, PROFILE + i));
    vu_row_fill(p, 4);
}

static uint32_t fields(const char *name, unsigned fs, unsigned fsf, unsigned ft, unsigned ftf)
{
    struct vu_model_fields f = {.fs = fs, .fsf = fsf, .ft = ft, .ftf = ftf};
    return vu_model_encode(vu_model_find(false, name), &f);
}

static uint32_t divide(const char *name, bool is_new)
{
    if (strcmp(name, "DIV") == 0)
        return fields(name, 4, is_new ? LANE_Y : LANE_X, 5, is_new ? LANE_Y : LANE_X);
    if (strcmp(name, "SQRT") == 0)
        return fields(name, 0, 0, 4, is_new ? LANE_Z : LANE_W);
    return fields(name, 4, is_new ? LANE_X : LANE_Y, 4, is_new ? LANE_Z : LANE_W);
}

// The lane of the one-operand instructions; the vector ones have none.
static uint32_t elementary(const char *name, bool is_new)
{
    unsigned lane = LANE_X;
    if (strcmp(name, "ESQRT") == 0 || strcmp(name, "ERSQRT") == 0)
        lane = LANE_W;
    if (strcmp(name, "ESIN") == 0 || strcmp(name, "EATAN") == 0 || strcmp(name, "EEXP") == 0)
        lane = LANE_Z;
    const struct vu_model_insn *insn = vu_model_find(false, name);
    return insn ? fields(name, is_new ? 9 : 8, strchr(insn->operands, 'F') ? lane : 0, 0, 0) : 0;
}

static void add_q_program(struct vu_row_runner *p, const char *op)
{
    struct vu_model_fields f = {.mask = 8};
    const struct vu_model_insn *add = vu_model_find(true, "ADDq");
    vu_row_pair(p, UPPER_NOP, divide(op, false));
    vu_row_fill(p, WAIT);
    for (unsigned j = 0; j < SAMPLES; j++) {
        f.fd = j + 1;
        vu_row_fill(p, 1);
        p->upper[p->count - 1] = vu_model_encode(add, &f);
        if (j == 0)
            p->lower[p->count - 1] = divide(op, true);
    }
    vu_row_end(p);
}

static void add_p_program(struct vu_row_runner *p, const char *op, unsigned first)
{
    add_prologue(p);
    vu_row_pair(p, UPPER_NOP, elementary(op, false));
    vu_row_fill(p, WAIT);
    vu_row_pair(p, UPPER_NOP, elementary(op, true));
    vu_row_fill(p, first - 1);
    for (unsigned j = 0; j < SAMPLES; j++)
        vu_row_pair(p, UPPER_NOP, vu_row_lower("MFP", 8, 0, 0, j + 1, 0));
    for (unsigned j = 0; j < SAMPLES; j++)
        vu_row_pair(p, UPPER_NOP, vu_row_lower("SQ", 15, 0, j + 1, 0, FIRST_RESULT + j));
    vu_row_end(p);
}

struct flag_pair {
    uint32_t upper, lower;
};
static struct flag_pair flag_operation(const char *kind, bool is_new)
{
    struct flag_pair pair = {UPPER_NOP, 0x10000000};
    bool by_zero = (strncmp(kind, "DIVZERO_CLR", 11) == 0) != is_new;
    if (strncmp(kind, "MAC", 3) == 0 || strncmp(kind, "FMACSTATUS", 10) == 0)
        pair.upper = vu_row_upper("MUL", 15, is_new ? 21 : 20, is_new ? 5 : 4, is_new ? 5 : 4);
    else if (strncmp(kind, "INVALID", 7) == 0 && is_new)
        pair.lower = fields("DIV", 5, LANE_W, 5, LANE_W);
    else
        pair.lower = fields("DIV", 4, LANE_X, 5, by_zero && strncmp(kind, "INVALID", 7) ? LANE_W : LANE_X);
    return pair;
}

static void add_flag_program(struct vu_row_runner *p, const char *kind, unsigned first)
{
    bool reads_mac = strncmp(kind, "MAC", 3) == 0;
    struct flag_pair old = flag_operation(kind, false), new = flag_operation(kind, true);
    vu_row_pair(p, UPPER_NOP, vu_row_lower("FSSET", 0, 0, 0, 0, 0));
    vu_row_fill(p, 8);
    vu_row_pair(p, old.upper, old.lower);
    vu_row_fill(p, WAIT);
    vu_row_pair(p, new.upper, new.lower);
    vu_row_fill(p, first - 1);
    for (unsigned j = 1; j <= (reads_mac ? 14u : 15u); j++)
        vu_row_pair(p, UPPER_NOP,
                    reads_mac ? vu_row_lower("FMAND", 0, 0, 15, j, 0)
                              : vu_row_lower("FSAND", 0, 0, 0, j, 0xfff));
    vu_row_end(p);
}

static void add_truncated(struct vu_row_runner *p, uint32_t old, uint32_t new, unsigned distance)
{
    vu_row_pair(p, UPPER_NOP, old);
    vu_row_fill(p, WAIT);
    vu_row_pair(p, UPPER_NOP, new);
    if (distance > 0) {
        vu_row_fill(p, distance - 1);
        vu_row_end(p);
    } else {
        p->upper[p->count - 1] |= 1u << 30;
        vu_row_fill(p, 1);
    }
}

static void add_memory_program(struct vu_row_runner *p, bool stores)
{
    if (stores) {
        vu_row_pair(p, UPPER_NOP, vu_row_lower("SQ", 15, 0, 6, 1, 0));
        vu_row_fill(p, 6);
    }
    vu_row_pair(p, UPPER_NOP, vu_row_lower("LQ", 15, 0, stores ? 2 : 1, 7, 0));
    vu_row_fill(p, 6);
    vu_row_end(p);
}

static bool hash_agrees(const struct vu_row_runner *p, const char *state)
{
    uint32_t fnv;
    return tsv_value(state, "fnv ", &fnv) && fnv == vu_row_fnv(p);
}

static bool samples_agree(const struct vu_row_runner *p, unsigned unit, const char *expected)
{
    uint32_t words[SAMPLES], vi[15];
    if (vu_row_hex(vu_row_after(expected, "samples="), words, SAMPLES) != SAMPLES)
        return false;
    for (unsigned j = 0; j < SAMPLES; j++) {
        uint32_t stored[4];
        get_quadword(p->data[1], FIRST_RESULT + j, stored);
        if (words[j] != (unit == 1 ? stored[0] : p->vu[0].vf[j + 1][0]))
            return false;
    }
    // Rows of VU1 give the integer registers of VU0.
    size_t count = vu_row_hex(vu_row_after(expected, "vi1..15="), vi, 15);
    for (unsigned i = 0; unit == 0 && i < count; i++)
        if (p->vu[0].vi[i + 1] != vi[i])
            return false;
    return unit == 1 || vu_row_flag(expected, "q=", p->vu[0].q);
}

// Quadwords listed after "dump(qw a,b,..)=".
static bool dump_agrees(const struct vu_row_runner *p, const char *expected)
{
    const char *list = vu_row_after(expected, "dump(qw "), *words = vu_row_after(list, ")=");
    if (words == NULL)
        return true;
    for (; *list != ')'; list += strspn(list, ",")) {
        char *end;
        uint32_t actual[4], wanted[4];
        get_quadword(p->data[1], (unsigned)strtoul(list, &end, 10), actual);
        list = end;
        if (vu_row_hex(words, wanted, 4) != 4 || memcmp(actual, wanted, sizeof actual) != 0)
            return false;
        words += 4 * 9 + strspn(words, " ");
    }
    return true;
}

static unsigned number_after(const char *text, const char *key)
{
    const char *found = vu_row_after(text, key);
    return found ? (unsigned)strtoul(found, NULL, 10) : 0;
}

static bool flags_agree(const struct vu_row_runner *p, const struct vu_row_text *row)
{
    const struct vu_model *m = &p->vu[0];
    return vu_row_flag(row->flags, "status=", m->status) && vu_row_flag(row->flags, "mac=", m->mac) &&
           vu_row_flag(row->flags, "clip=", m->clip) && number_after(row->flags, "tpc=") == m->pc;
}

static bool latency_row(struct vu_row_runner *p, const struct vu_row_text *row, unsigned unit)
{
    unsigned first = number_after(row->state, "first sample distance ");
    char name[24] = {0};
    const char *from = row->inputs + strlen(unit == 1 ? "Q2_P_" : "Q2_Q_");
    strncat(name, from, strcspn(from, "_") < sizeof name ? strcspn(from, "_") : sizeof name - 1);
    if (strstr(row->op, "QLat"))
        add_q_program(p, name);
    else if (strstr(row->op, "PLat"))
        add_p_program(p, name, first);
    else
        add_flag_program(p, from, first);
    return hash_agrees(p, row->state) && vu_row_run(p, unit) && samples_agree(p, unit, row->expected) &&
           (unit == 1 || flags_agree(p, row));
}

static bool truncated_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    unsigned distance = number_after(row->inputs, "_D");
    bool status = strstr(row->inputs, "STATUS") != NULL;
    add_truncated(p, fields("DIV", 4, LANE_X, 5, LANE_X),
                  status ? fields("DIV", 4, LANE_X, 5, LANE_W) : divide("DIV", true), distance);
    return hash_agrees(p, row->state) && vu_row_run(p, 0) && samples_agree(p, 0, row->expected) &&
           flags_agree(p, row);
}

// P lands after the end: the program of the row, or the one before it, and then a reader of P.
static bool truncated_p_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    bool reads = strstr(row->op, "PRead") != NULL;
    add_prologue(p);
    add_truncated(p, elementary("ESADD", false), elementary("ESADD", true), number_after(row->inputs, "_D"));
    if ((!reads && !hash_agrees(p, row->state)) || !vu_row_run(p, 1))
        return false;
    vu_row_begin(p);
    vu_row_pair(p, UPPER_NOP, vu_row_lower("MFP", 15, 0, 0, 7, 0));
    vu_row_pair(p, UPPER_NOP, vu_row_lower("SQ", 15, 0, 7, 0, FIRST_RESULT - 1));
    vu_row_end(p);
    return vu_row_run(p, 1) && dump_agrees(p, row->expected);
}

static bool vu0_memory_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    uint32_t vi[15];
    size_t count = vu_row_hex(vu_row_after(row->state, "vi1..15="), vi, 15);
    for (unsigned i = 0; i < count; i++)
        p->vu[0].vi[i + 1] = (uint16_t)vi[i];
    add_memory_program(p, strstr(row->inputs, "_SQ_") != NULL);
    return hash_agrees(p, row->state) && vu_row_run(p, 0) && samples_agree(p, 0, row->expected);
}

// A load to quadword 512, or a store and its copy to quadword 513, at the address in the name.
static bool vu1_memory_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    bool stores = strstr(row->inputs, "_SQ_") != NULL;
    unsigned index = number_after(row->inputs, stores ? "_SQ_" : "_LQ_");
    if (strstr(row->inputs, "READBACK")) {
        // Through the window: VU0 stores VF06 to VF03 of VU1.
        p->vu[0].vi[1] = 0x403;
        add_memory_program(p, true);
        if (!vu_row_run(p, 0))
            return false;
        vu_row_begin(p);
        vu_row_pair(p, UPPER_NOP, vu_row_lower("SQ", 15, 0, 3, 0, 512));
        vu_row_fill(p, 4);
        vu_row_end(p);
        return hash_agrees(p, row->state) && vu_row_run(p, 1) && dump_agrees(p, row->expected);
    }
    add_prologue(p);
    vu_row_pair(
        p, UPPER_NOP,
        vu_row_lower(index >> 15 ? "ISUBIU" : "IADDIU", 0, 0, 0, 1, index >> 15 ? 0x10000 - index : index));
    if (stores) {
        vu_row_pair(p, UPPER_NOP, vu_row_lower("SQ", 15, 0, 6, 1, 0));
        index &= 0x3ff;
    }
    vu_row_pair(p, UPPER_NOP, vu_row_lower("IADDIU", 0, 0, 0, 2, index & 0x3ff));
    vu_row_pair(p, UPPER_NOP, vu_row_lower("LQ", 15, 0, stores ? 2 : 1, 7, 0));
    vu_row_pair(p, UPPER_NOP, vu_row_lower("SQ", 15, 0, 7, 0, stores ? 513 : 512));
    vu_row_end(p);
    return vu_row_run(p, 1) && dump_agrees(p, row->expected);
}

static bool paint_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    for (unsigned reg = 1; reg < 32; reg++)
        put_quadword(p->data[1], 900 + reg, p->vu[1].vf[reg]);
    memset(p->vu[1].vf[1], 0, sizeof p->vu[1].vf - sizeof p->vu[1].vf[0]);
    for (unsigned reg = 1; reg < 32; reg++)
        vu_row_pair(p, UPPER_NOP, vu_row_lower("LQ", 15, 0, 0, reg, 900 + reg));
    for (unsigned reg = 1; reg < 16; reg++)
        vu_row_pair(p, UPPER_NOP, vu_row_lower("IADDIU", 0, 0, 0, reg, reg * 0x101));
    vu_row_fill(p, 4);
    vu_row_end(p);
    return hash_agrees(p, row->state) && vu_row_run(p, 1) && dump_agrees(p, row->expected) &&
           p->vu[1].vf[31][LANE_W] == 0xf400001f;
}

static void kick_at(struct vu_row_runner *p, unsigned address)
{
    vu_row_pair(p, UPPER_NOP, vu_row_lower("IADDIU", 0, 0, 0, 1, address));
    vu_row_pair(p, UPPER_NOP, vu_row_lower("XGKICK", 0, 0, 1, 0, 0));
    vu_row_fill(p, 80);
}

// The packet at quadword 200, then the one that the row lists after it.
static bool kick_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    unsigned under_test = 200, tags = 0;
    for (const char *text = row->state; (text = vu_row_after(text, "qw")) != NULL;) {
        uint32_t words[4];
        unsigned quadword = (unsigned)strtoul(text, NULL, 10);
        if (vu_row_hex(vu_row_after(text, "="), words, 4) != 4)
            return false;
        put_quadword(p->data[1], quadword, words);
        if (words[1] == 0x10000000 && tags++ == 1)
            under_test = quadword;
    }
    const char *label = vu_row_after(row->expected, "->");
    kick_at(p, 200);
    kick_at(p, under_test);
    vu_row_end(p);
    return vu_row_run(p, 1) && dump_agrees(p, row->expected) && label && strtoul(label, NULL, 16) == p->label;
}

// ELENG or ESQRT and MFP on VU0, which has no EFU.
static bool absent_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    const char *name = vu_row_after(row->inputs, "VU0EFU_");
    vu_row_pair(p, UPPER_NOP, elementary(name, false));
    vu_row_fill(p, WAIT);
    vu_row_pair(p, UPPER_NOP, vu_row_lower("MFP", 8, 0, 0, 1, 0));
    vu_row_fill(p, 8);
    vu_row_end(p);
    return vu_row_run(p, 0) && samples_agree(p, 0, row->expected) && flags_agree(p, row);
}

bool vu_row_timing(struct vu_row_runner *p, const struct vu_row_text *row)
{
    load_profile(p);
    vu_row_begin(p);
    unsigned unit = row->op[2] == '1';
    if (strstr(row->op, "Lat") || strstr(row->op, "Flag")) {
        if (strstr(row->inputs, "_F_MAC"))
            p->vu[0].vi[15] = 0xffff;
        return latency_row(p, row, unit);
    }
    if (strstr(row->op, "PRead") || (unit == 1 && strstr(row->op, "Trunc")))
        return truncated_p_row(p, row);
    if (strstr(row->op, "Trunc"))
        return truncated_row(p, row);
    if (strstr(row->op, "Vu0Mem"))
        return vu0_memory_row(p, row);
    if (strstr(row->op, "Vu1Mem"))
        return vu1_memory_row(p, row);
    if (strstr(row->op, "Paint"))
        return paint_row(p, row);
    if (strstr(row->op, "Xgkick"))
        return kick_row(p, row);
    return strstr(row->op, "Vu0Efu") && absent_row(p, row);
}
