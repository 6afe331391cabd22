// Checks VU rows that carry a whole microprogram, and the delays of the divider.
#include <stdlib.h>
#include <string.h>

#include "tests/model/vu_row.h"

enum { UPPER_NOP = 0x2ff, LOWER_NOP = 0x8000033c };
static const uint32_t ONE = 0x3f800000;

static bool read_pairs(struct vu_row_runner *p, const char *text)
{
    vu_row_begin(p);
    while (text && *text && *text != ';') {
        char *end;
        uint32_t upper = (uint32_t)strtoul(text, &end, 16);
        if (*end != ':')
            return false;
        uint32_t lower = (uint32_t)strtoul(end + 1, &end, 16);
        vu_row_pair(p, upper, lower);
        text = end + strspn(end, " ");
    }
    // Some lists stop at the E bit.
    vu_row_fill(p, 1);
    return p->count > 1;
}

static void read_vf(struct vu_model *m, const char *text)
{
    static const char *const keys[] = {"vf4=", "vf5=", "vf7=", "vf8=", "vf9="};
    static const unsigned regs[] = {4, 5, 7, 8, 9};
    for (unsigned i = 0; i < 5; i++)
        vu_row_hex(vu_row_after(text, keys[i]), m->vf[regs[i]], 4);
}

static bool vi_agree(const struct vu_model *m, const char *expected)
{
    uint32_t words[8];
    size_t count = vu_row_hex(vu_row_after(expected, "vi1..8="), words, 8);
    for (unsigned i = 0; i < count; i++)
        if (m->vi[i + 1] != words[i])
            return false;
    return vu_row_flag(expected, "vi1=", m->vi[1]) && vu_row_flag(expected, "vi2=", m->vi[2]) &&
           vu_row_flag(expected, "vi3=", m->vi[3]);
}

static bool vf_agrees(const struct vu_model *m, const char *expected, const char *key, unsigned reg)
{
    uint32_t words[4];
    size_t count = vu_row_hex(vu_row_after(expected, key), words, 4);
    return count == 0 || (count == 4 && memcmp(words, m->vf[reg], sizeof words) == 0);
}

// The nibble of status that MAC determines.
static uint32_t status_of(uint32_t mac)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < 4; i++)
        if (mac >> 4 * i & 15)
            status |= 1u << i;
    return status;
}

static bool tpc_agrees(const struct vu_model *m, const char *expected)
{
    const char *tpc = vu_row_after(expected, "tpc=");
    return tpc == NULL || strtoul(tpc, NULL, 10) == m->pc;
}

bool vu_row_program(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    uint32_t words[8] = {0};
    if (!read_pairs(p, vu_row_after(row->state, "upper:lower = ")))
        return false;
    size_t count = vu_row_hex(vu_row_after(row->inputs, "vi1..8="), words, 8);
    for (unsigned i = 0; i < count; i++)
        m->vi[i + 1] = (uint16_t)words[i];
    read_vf(m, row->inputs);
    for (unsigned i = 0; i < 4 && strstr(row->state, "= deadbeef before"); i++)
        m->vf[6][i] = m->vf[7][i] = 0xdeadbeef;
    tsv_value(row->state, "FBRST=", &m->fbrst);
    m->q = ONE;
    m->status = status_of(m->mac);
    return vu_row_run(p, 0) && tpc_agrees(m, row->expected) &&
           vu_row_flag(row->expected, "vpu_stat=", m->vpu_stat) && vi_agree(m, row->expected) &&
           vf_agrees(m, row->expected, "vf6=", 6) && vf_agrees(m, row->expected, "vf7=", 7) &&
           vu_row_flag(row->expected, "clip=", m->clip) && vu_row_flag(row->expected, "q=", m->q) &&
           vu_row_flag(row->flags, "status=", m->status) && vu_row_flag(row->flags, "mac=", m->mac);
}

// The programs of unknownbrackets/ps2autotests:tests/vu/lower/fdivdelay: Q is 1, VF16.w 4, VF17.w 16; MULq
// into VF01, VF02, ... watches Q.
struct delay {
    struct vu_row_runner *p;
    const char *op;
    unsigned next; // VF of the next MULq
};

static uint32_t divide(const struct delay *d, unsigned divisor)
{
    enum { LANE_W = 3 };
    return vu_row_lower(d->op, 0, 0, 0, divisor, 0) | LANE_W << 21 | LANE_W << 23;
}
static uint32_t watch(struct delay *d)
{
    return vu_row_upper("MULq", 15, d->next++, 0, 0);
}
static void add_watches(struct delay *d, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        vu_row_pair(d->p, watch(d), LOWER_NOP);
}
static void add_wait(struct delay *d, unsigned divisor)
{
    vu_row_pair(d->p, watch(d), divide(d, divisor));
    vu_row_pair(d->p, watch(d), vu_row_lower("WAITQ", 0, 0, 0, 0, 0));
    add_watches(d, 1);
}

// MADD into VF30, some pairs, CLIP of VF30 which stalls.
static void add_stall(struct delay *d, unsigned gap, bool branches)
{
    vu_row_pair(d->p, UPPER_NOP, divide(d, 16));
    uint32_t lower = branches ? vu_row_lower("IBLTZ", 0, 0, 0, 0, 0x7fe) : LOWER_NOP;
    vu_row_pair(d->p, vu_row_upper("MADD", 15, 30, 23, 0), lower);
    for (unsigned i = 0; i < gap; i++)
        vu_row_pair(d->p, vu_row_upper("MULq", 15, 0, 0, 0), LOWER_NOP);
    vu_row_pair(d->p, vu_row_upper("CLIP", 0, 0, 30, 30), LOWER_NOP);
    add_watches(d, 14);
}

static bool add_delay_program(struct delay *d, const char *name)
{
    if (strncmp(name, "single waitq", 12) == 0) {
        add_wait(d, 16);
    } else if (strncmp(name, "multiple waitq", 14) == 0) {
        add_wait(d, 16);
        add_wait(d, 17);
    } else if (strncmp(name, "single delayed", 14) == 0) {
        vu_row_pair(d->p, UPPER_NOP, divide(d, 16));
        add_watches(d, 14);
    } else if (strncmp(name, "multiple delayed", 16) == 0) {
        vu_row_pair(d->p, UPPER_NOP, divide(d, 16));
        if (strncmp(name, "multiple delayed (2)", 20) == 0)
            add_watches(d, 1);
        vu_row_pair(d->p, UPPER_NOP, divide(d, 17));
        add_watches(d, 15 - d->next);
    } else if (strncmp(name, "stalled with branch", 19) == 0) {
        add_stall(d, 0, true);
    } else if (strncmp(name, "stalled (", 9) == 0) {
        add_stall(d, (unsigned)strtoul(name + 9, NULL, 10), false);
    } else {
        return false;
    }
    return true;
}

bool vu_row_fdiv_delay(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    struct delay d = {.p = p, .op = row->op, .next = 1};
    const char *number = vu_row_after(row->state, "MULq #"), *name = vu_row_after(row->state, "program \"");
    uint32_t expected[4];
    m->q = ONE;
    m->vf[16][3] = 0x40800000;
    m->vf[17][3] = 0x41800000;
    vu_row_begin(p);
    if (number == NULL || name == NULL || !add_delay_program(&d, name))
        return false;
    vu_row_end(p);
    unsigned reg = (unsigned)strtoul(number, NULL, 10);
    return vu_row_run(p, 0) && vu_row_hex(row->expected, expected, 4) == 4 && reg < 32 &&
           memcmp(expected, m->vf[reg], sizeof expected) == 0;
}
