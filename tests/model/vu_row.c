// Checks VU rows against the VU model: the parts of a program and single operations.
#include "tests/model/vu_row.h"

#include <stdlib.h>
#include <string.h>

enum { UPPER_NOP = 0x2ff, LOWER_NOP = 0x8000033c, FILLER = 0x10000000 };
static const uint32_t E_BIT = 1u << 30, ONE = 0x3f800000;

static void write_label(void *context, uint32_t address, const uint8_t *quadword, uint64_t cycle)
{
    struct vu_row_runner *p = context;
    enum { LABEL_REGISTER = 0x62 };
    uint32_t word[2];
    (void)address;
    (void)cycle;
    for (unsigned i = 0; i < 2; i++)
        word[i] = quadword[4 * i] | (uint32_t)quadword[4 * i + 1] << 8 | (uint32_t)quadword[4 * i + 2] << 16 |
                  (uint32_t)quadword[4 * i + 3] << 24;
    if (quadword[8] == LABEL_REGISTER)
        p->label = (p->label & ~word[1]) | (word[0] & word[1]);
}

void vu_row_reset(struct vu_row_runner *p)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        vu_model_init(&p->vu[unit], unit, p->micro[unit], p->data[unit]);
        p->vu[unit].rules = p->rules;
    }
    p->vu[0].window = &p->vu[1];
    p->vu[1].on_kick = write_label;
    p->vu[1].context = p;
}
void vu_row_init(struct vu_row_runner *p)
{
    vu_model_init(&p->vu[0], 0, p->micro[0], p->data[0]);
    p->rules = p->vu[0].rules;
    vu_row_reset(p);
}

// The word with the replaced instruction exchanged.
static uint32_t exchange(struct vu_row_runner *p, bool upper, uint32_t word)
{
    const struct vu_model_insn *insn = upper ? vu_model_decode_upper(word) : vu_model_decode_lower(word);
    if (insn == NULL || insn != p->replaced)
        return word;
    p->uses++;
    uint32_t control = upper ? word & 0xf8000000 : 0;
    return control | (word & ~insn->mask & 0x07ffffff) | p->replacement->match;
}

void vu_row_begin(struct vu_row_runner *p)
{
    p->count = 0;
}
void vu_row_pair(struct vu_row_runner *p, uint32_t upper, uint32_t lower)
{
    p->upper[p->count] = upper;
    p->lower[p->count++] = lower;
}
void vu_row_fill(struct vu_row_runner *p, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        vu_row_pair(p, UPPER_NOP, FILLER);
}
void vu_row_end(struct vu_row_runner *p)
{
    vu_row_pair(p, UPPER_NOP | E_BIT, FILLER);
    vu_row_fill(p, 1);
}

uint32_t vu_row_upper(const char *name, unsigned mask, unsigned fd, unsigned fs, unsigned ft)
{
    struct vu_model_fields fields = {.mask = mask, .fd = fd, .fs = fs, .ft = ft};
    return vu_model_encode(vu_model_find(true, name), &fields);
}
uint32_t vu_row_lower(const char *name, unsigned mask, unsigned fd, unsigned fs, unsigned ft,
                      uint32_t immediate)
{
    struct vu_model_fields fields = {.mask = mask, .fd = fd, .fs = fs, .ft = ft, .immediate = immediate};
    return vu_model_encode(vu_model_find(false, name), &fields);
}

uint32_t vu_row_fnv(const struct vu_row_runner *p)
{
    uint32_t hash = 0x811c9dc5;
    for (unsigned i = 0; i < 2 * p->count; i++) {
        uint32_t word = i % 2 ? p->upper[i / 2] : p->lower[i / 2];
        for (unsigned k = 0; k < 4; k++)
            hash = (hash ^ (word >> 8 * k & 0xff)) * 0x01000193;
    }
    return hash;
}

bool vu_row_run(struct vu_row_runner *p, unsigned unit)
{
    enum { CYCLES = 10000 };
    struct vu_model *m = &p->vu[unit];
    for (unsigned i = 0; i < p->count; i++) {
        bool is_immediate = p->upper[i] >> 31;
        uint32_t upper = exchange(p, true, p->upper[i]);
        uint32_t lower = is_immediate ? p->lower[i] : exchange(p, false, p->lower[i]);
        for (unsigned k = 0; k < 4; k++) {
            m->micro[8 * (size_t)i + k] = (uint8_t)(lower >> 8 * k);
            m->micro[8 * (size_t)i + 4 + k] = (uint8_t)(upper >> 8 * k);
        }
    }
    vu_model_start(m, 0);
    return vu_model_run(m, m->cycle + CYCLES) != VU_MODEL_LIMIT;
}

const char *vu_row_after(const char *text, const char *key)
{
    const char *found = text ? strstr(text, key) : NULL;
    return found ? found + strlen(key) : NULL;
}
size_t vu_row_hex(const char *text, uint32_t *words, size_t room)
{
    size_t count = 0;
    while (text && count < room) {
        text += strspn(text, " ");
        size_t length = strspn(text, "0123456789abcdef");
        if (length == 0 || length > 8)
            break;
        words[count++] = (uint32_t)strtoul(text, NULL, 16);
        text += length;
    }
    return count;
}
bool vu_row_flag(const char *text, const char *key, uint32_t actual)
{
    uint32_t expected;
    return !tsv_value(text, key, &expected) || expected == actual;
}

// "MUL.xyzw" or "CLIPw.xyz" as name and mask.
struct operation {
    char name[12];
    unsigned mask;
};
static struct operation split(const char *op)
{
    static const char lanes[] = "xyzw";
    struct operation o = {0};
    size_t length = strcspn(op, ".");
    memcpy(o.name, op, length < sizeof o.name ? length : sizeof o.name - 1);
    for (op += length; *op; op++)
        if (strchr(lanes, *op))
            o.mask |= 8u >> (strchr(lanes, *op) - lanes);
    return o;
}

// Up to two vectors "x y z w / x y z w"; a single word stands for all lanes.
static bool load_vectors(struct vu_model *m, const char *inputs, unsigned first, unsigned second)
{
    const char *slash = strchr(inputs, '/');
    const char *text[2] = {inputs, slash ? slash + 1 : ""};
    unsigned reg[2] = {first, second};
    for (unsigned v = 0; v < 2; v++) {
        uint32_t words[4] = {0};
        size_t count = vu_row_hex(text[v], words, 4);
        for (unsigned i = 0; i < 4; i++)
            m->vf[reg[v]][i] = count == 4 ? words[i] : words[0];
    }
    return true;
}

static bool flags_agree(const struct vu_model *m, const char *flags)
{
    return vu_row_flag(flags, "mac=", m->mac) && vu_row_flag(flags, "status=", m->status) &&
           vu_row_flag(flags, "clip=", m->clip);
}

// Expected words against a register: one word for all lanes of the mask, or one a lane.
static bool lanes_agree(const char *expected, const uint32_t actual[4], unsigned mask)
{
    uint32_t words[4];
    size_t count = vu_row_hex(expected, words, 4);
    for (unsigned i = 0; i < 4; i++)
        if ((mask >> (3 - i) & 1) && actual[i] != words[count == 4 ? i : 0])
            return false;
    return count == 1 || count == 4;
}

// The seed of ACC, then the operation.
static bool fmac_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    enum { FIRST = 1, SECOND, SEED, UNIT, RESULT = 6 };
    struct vu_model *m = &p->vu[0];
    struct operation o = split(row->op[0] == 'V' ? row->op + 1 : row->op);
    bool seed_only = strcmp(row->op, "(seed only)") == 0, seeds = strstr(row->state, "then V") != NULL;
    bool by_product = strstr(row->state, "then VMULA") != NULL;
    uint32_t acc = 0;
    load_vectors(m, row->inputs, FIRST, SECOND);
    tsv_value(row->state, "acc=", &acc);
    for (unsigned i = 0; i < 4; i++) {
        m->vf[SEED][i] = m->acc[i] = acc;
        m->vf[UNIT][i] = by_product ? ONE : 0;
    }
    vu_row_begin(p);
    if (seeds)
        vu_row_pair(p, vu_row_upper(by_product ? "MULA" : "ADDA", 15, 0, SEED, UNIT), LOWER_NOP);
    if (!seed_only)
        vu_row_pair(p, vu_row_upper(o.name, o.mask, RESULT, FIRST, SECOND), LOWER_NOP);
    vu_row_end(p);
    if (!vu_row_run(p, 0))
        return false;
    bool to_acc = seed_only || o.name[strlen(o.name) - 1] == 'A';
    unsigned mask = seed_only ? 15 : o.mask;
    return lanes_agree(row->expected, to_acc ? m->acc : m->vf[RESULT], mask) && flags_agree(m, row->flags);
}

static void add_divide(struct vu_row_runner *p, const char *name, const char *inputs)
{
    uint32_t words[2] = {0};
    size_t count = vu_row_hex(inputs, words, 2);
    // The operand of SQRT is ft.
    p->vu[0].vf[1][0] = words[0];
    p->vu[0].vf[2][0] = count == 2 ? words[1] : words[0];
    vu_row_pair(p, UPPER_NOP, vu_row_lower(name, 0, 0, 1, 2, 0));
}

static bool divide_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    tsv_value(row->state, "status written ", &m->status);
    vu_row_begin(p);
    add_divide(p, row->op + 1, row->inputs);
    vu_row_end(p);
    return vu_row_run(p, 0) && vu_row_flag(row->expected, "q=", m->q) && flags_agree(m, row->flags);
}

static bool efu_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    enum { LANE_Z = 2 };
    struct vu_model *m = &p->vu[1];
    load_vectors(m, row->inputs, 1, 2);
    vu_row_begin(p);
    uint32_t op = vu_row_lower(row->op, 0, 0, 1, 0, 0);
    bool scalar = strstr(row->state, "scalar") != NULL;
    vu_row_pair(p, UPPER_NOP, scalar ? op | LANE_Z << 21 : op);
    vu_row_pair(p, UPPER_NOP, vu_row_lower("WAITP", 0, 0, 0, 0, 0));
    vu_row_pair(p, UPPER_NOP, vu_row_lower("MFP", 15, 0, 0, 2, 0));
    vu_row_end(p);
    return vu_row_run(p, 1) && lanes_agree(row->expected, m->vf[2], 15);
}

// One operation of a sequence.
static bool sequence_step(struct vu_row_runner *p, const char *text)
{
    struct vu_model *m = &p->vu[0];
    if (strncmp(text, "nop", 3) == 0)
        return true;
    uint32_t value;
    if (tsv_value(text, "CTC2 ", &value)) {
        m->status = (m->status & 0x3f) | (value & 0xfc0);
        return true;
    }
    char op[16] = {0};
    strncat(op, text + 1, strcspn(text + 1, " ") < sizeof op ? strcspn(text + 1, " ") : sizeof op - 1);
    const char *inputs = text + 1 + strlen(op);
    struct operation o = split(op);
    vu_row_begin(p);
    if (o.mask == 0) {
        add_divide(p, o.name, inputs);
    } else if (strcmp(o.name, "CLIPw") == 0) {
        load_vectors(m, inputs, 1, 2);
        tsv_value(inputs, "w=", &m->vf[2][3]);
        vu_row_pair(p, vu_row_upper("CLIP", 0, 0, 1, 2), LOWER_NOP);
    } else {
        load_vectors(m, inputs, 1, 2);
        vu_row_pair(p, vu_row_upper(o.name, o.mask, 6, 1, 2), LOWER_NOP);
    }
    vu_row_end(p);
    return vu_row_run(p, 0);
}

static bool sequence_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    m->q = ONE;
    for (unsigned i = 0; i < 4; i++)
        m->vf[6][i] = ONE;
    const char *op = row->inputs, *flags = row->flags;
    for (unsigned read = 0; flags; read++) {
        if (read > 0) {
            if (!sequence_step(p, op + strspn(op, " |")))
                return false;
            op += strspn(op, " |");
            op += strcspn(op, "|");
        }
        char now[64] = {0};
        strncat(now, flags, strcspn(flags, ";") < sizeof now ? strcspn(flags, ";") : sizeof now - 1);
        if (!flags_agree(m, now) || !vu_row_flag(now, "q=", m->q))
            return false;
        flags = vu_row_after(flags, ";");
    }
    return lanes_agree(vu_row_after(row->expected, "vf6="), m->vf[6], 15) &&
           vu_row_flag(row->expected, "clip=", m->clip);
}

// "iadd" and "viadd" with register or immediate operands.
static bool integer_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    char name[12] = {0};
    const char *op = row->op[0] == 'v' ? row->op + 1 : row->op;
    for (size_t i = 0; op[i] && i + 1 < sizeof name; i++)
        name[i] = (char)(op[i] - 'a' + 'A');
    uint32_t words[2] = {0}, expected;
    if (vu_row_hex(row->expected, &expected, 1) != 1)
        return false;
    bool to_zero = strstr(row->inputs, "destination vi00") != NULL;
    if (!to_zero && vu_row_hex(row->inputs, words, 2) != 2)
        return false;
    bool immediate = name[strlen(name) - 1] == 'I' || name[strlen(name) - 1] == 'U';
    unsigned destination = to_zero ? 0 : 3;
    m->vi[1] = (uint16_t)words[0];
    m->vi[2] = (uint16_t)words[1];
    vu_row_begin(p);
    vu_row_pair(p, UPPER_NOP, vu_row_lower(name, 0, destination, 1, immediate ? destination : 2, words[1]));
    vu_row_end(p);
    return vu_row_run(p, 0) && m->vi[destination] == expected && m->status == 0 && m->mac == 0;
}

static bool random_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    char name[8] = {0};
    strncat(name, row->op, strcspn(row->op, "+") < sizeof name ? strcspn(row->op, "+") : sizeof name - 1);
    m->r = 0x555555; // RINIT does not depend on it
    tsv_value(row->state, "R=", &m->r);
    vu_row_hex(row->inputs, &m->vf[1][0], 1);
    bool reads = strcmp(name, "RNEXT") == 0 || strcmp(name, "RGET") == 0;
    vu_row_begin(p);
    vu_row_pair(p, UPPER_NOP, vu_row_lower(name, 15, 0, reads ? 0 : 1, 2, 0));
    if (!reads)
        vu_row_pair(p, UPPER_NOP, vu_row_lower("RGET", 15, 0, 0, 2, 0));
    vu_row_end(p);
    return vu_row_run(p, 0) && lanes_agree(row->expected, m->vf[2], 15);
}

// CLIPs in consecutive pairs and FCGET in the pair that the state names.
static bool clip_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    const char *cycle_text = vu_row_after(row->state, "FCGET issued in cycle "), *text = row->inputs;
    unsigned cycle = cycle_text ? (unsigned)strtoul(cycle_text, NULL, 10) : 4, clips = 0;
    uint32_t expected;
    vu_row_begin(p);
    for (; text; text = vu_row_after(text, " ; "), clips++) {
        uint32_t *vector = m->vf[2 * clips + 1], *limit = m->vf[2 * clips + 2];
        for (unsigned i = 0; i < 4; i++, text += strspn(text, " ,")) {
            vector[i] = (uint32_t)strtoul(text, NULL, 16);
            text += 8;
        }
        if (!tsv_value(text, "w=", &limit[3]))
            return false;
        vu_row_pair(p, vu_row_upper("CLIP", 0, 0, 2 * clips + 1, 2 * clips + 2), FILLER);
    }
    while (p->count <= cycle)
        vu_row_fill(p, 1);
    p->lower[cycle] = vu_row_lower("FCGET", 0, 0, 0, 1, 0);
    vu_row_end(p);
    return vu_row_run(p, 0) && vu_row_hex(row->expected, &expected, 1) == 1 && m->vi[1] == expected;
}

// "MULi.y a b", and "LQ.x" which is a load of the word.
static bool triace_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    struct vu_model *m = &p->vu[0];
    struct operation o = split(row->op);
    uint32_t words[2] = {0};
    size_t count = vu_row_hex(row->inputs, words, 2);
    vu_row_begin(p);
    if (count == 1) {
        for (unsigned i = 0; i < 16; i++)
            m->data[i] = (uint8_t)(words[0] >> 8 * (i % 4));
        vu_row_pair(p, UPPER_NOP, vu_row_lower("LQ", o.mask, 0, 0, 2, 0));
    } else {
        for (unsigned i = 0; i < 4; i++)
            m->vf[1][i] = words[0];
        vu_row_pair(p, UPPER_NOP | 1u << 31, words[1]);
        vu_row_pair(p, vu_row_upper(o.name, o.mask, 2, 1, 0), LOWER_NOP);
    }
    vu_row_end(p);
    return vu_row_run(p, 0) && lanes_agree(row->expected, m->vf[2], o.mask);
}

bool vu_row_is_vu(const struct tsv_row *row)
{
    const char *note = tsv_field(row, "note");
    const char *file = strrchr(row->path, '/');
    if (note)
        return strncmp(note, "group vu_", 9) == 0;
    // The transfers of macro mode are the EE's.
    bool is_macro_transfer = strstr(row->path, "vu0_macro_transfer") != NULL;
    return file && strncmp(file + 1, "vu", 2) == 0 && !is_macro_transfer;
}

static bool console_row(struct vu_row_runner *p, const struct vu_row_text *row)
{
    const char *group = vu_row_after(row->note, "group vu_");
    if (strncmp(group, "fmac", 4) == 0 || strncmp(group, "madda", 5) == 0)
        return fmac_row(p, row);
    if (strncmp(group, "fdiv_flags", 10) == 0)
        return divide_row(p, row);
    if (strncmp(group, "efu", 3) == 0)
        return efu_row(p, row);
    if (strncmp(group, "sticky_macro", 12) == 0)
        return sequence_row(p, row);
    if (strncmp(group, "latency_memory", 14) == 0)
        return vu_row_timing(p, row);
    return vu_row_program(p, row);
}

bool vu_row_agrees(struct vu_row_runner *p, const struct tsv_row *line)
{
    struct vu_row_text row = {
        .op = tsv_field(line, "op"),
        .inputs = tsv_field(line, "inputs"),
        .state = tsv_field(line, "state"),
        .expected = tsv_field(line, "expected"),
        .flags = tsv_field(line, "flags"),
        .note = tsv_field(line, "note"),
    };
    uint32_t mac = p->vu[0].mac;
    vu_row_reset(p);
    if (row.note && strstr(row.note, "vu_sticky_micro")) {
        p->vu[0].mac = mac;
        return vu_row_program(p, &row);
    }
    if (row.note)
        return console_row(p, &row);
    if (strstr(line->path, "vu_efu"))
        return efu_row(p, &row);
    if (strstr(line->path, "vu_clip"))
        return clip_row(p, &row);
    if (strstr(line->path, "vu_random"))
        return random_row(p, &row);
    if (strstr(line->path, "vu_triace"))
        return triace_row(p, &row);
    if (strstr(line->path, "vu_fdivdelay"))
        return vu_row_fdiv_delay(p, &row);
    return integer_row(p, &row);
}
