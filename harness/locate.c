// Scans code for functions and scores what they touch.
#include "harness/locate.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_SIZE  0x800u
#define LEAST_VU0   8 // a routine that lights computes; one that saves registers does not
#define MOST_CALLS  64
#define MOST_ROUNDS 8       // of calls that lead to further functions
#define LONGEST     0x4000u // bytes: what is longer is data
#define JR_RA       0x03E00008u

const char *locate_feature_name(enum locate_feature f)
{
    static const char *const names[] = {"normal-table", "scratchpad-table", "scratchpad-output", "dma-8-9",
                                        "vu0"};
    return names[f];
}

struct function {
    struct locate_candidate c;
    uint32_t calls[MOST_CALLS];
    size_t call_count;
    unsigned control; // its own
};

struct scan {
    const struct locate_part *part;
    uint32_t table;
    struct function *functions;
    size_t count, room;
};

static uint32_t word_at(const struct locate_part *p, uint32_t offset)
{
    const uint8_t *b = p->data + offset;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// ---- one function

struct range {
    uint32_t start, size;
};

// The constants of LightTfrags, and for each a matched one: another table of the same size close by, other
// parts of the scratchpad, the SIF's channels.
static unsigned touches(uint32_t value, uint32_t table, bool control)
{
    const struct range real[] = {
        {table, TABLE_SIZE}, {0x70003800, 0x800}, {0x70001000, 0x1000}, {0x1000D000, 0x800}};
    const struct range other[] = {
        {table + 2 * TABLE_SIZE, TABLE_SIZE}, {0x70003000, 0x800}, {0x70000000, 0x1000}, {0x1000C000, 0x800}};
    unsigned bits = 0;
    for (unsigned i = 0; i < 4; i++) {
        const struct range *r = control ? &other[i] : &real[i];
        bits |= (value - r->start < r->size) << i;
    }
    return bits;
}

static bool is_load_or_store(uint32_t opcode)
{
    return opcode >= 0x20 || opcode == 0x1E || opcode == 0x1F || opcode == 0x1A || opcode == 0x1B;
}

struct constants {
    uint32_t value[32];
    bool known[32];
};

static void forget_written(struct constants *k, uint32_t word)
{
    uint8_t written[EE_WRITTEN_MAX];
    for (size_t i = ee_written_registers(word, written); i--;)
        if (written[i] < 32)
            k->known[written[i]] = false;
}

// Follows one instruction; true with the address or constant that it makes.
static bool follow(struct constants *k, uint32_t word, uint32_t *value)
{
    uint32_t opcode = word >> 26, rs = word >> 21 & 31, rt = word >> 16 & 31;
    uint32_t immediate = word & 0xFFFF, extended = (uint32_t)(int16_t)immediate;
    bool makes = false;
    if (opcode == 0x0F) {
        *value = immediate << 16;
        makes = true;
    } else if ((opcode == 0x09 || opcode == 0x19 || opcode == 0x0D) && k->known[rs]) {
        *value = opcode == 0x0D ? k->value[rs] | immediate : k->value[rs] + extended;
        makes = true;
    } else if (is_load_or_store(opcode) && k->known[rs]) {
        *value = k->value[rs] + extended;
        forget_written(k, word);
        return true;
    }
    forget_written(k, word);
    if (makes && rt) {
        k->known[rt] = true;
        k->value[rt] = *value;
    }
    return makes;
}

// COP2 with CO = 1, but for VNOP, VWAITQ and the like, which compute nothing.
static bool computes_on_vu0(uint32_t word)
{
    return word >> 25 == 0x25 && (word & 0x7FF) != 0x2FF && (word & 0x7FF) != 0x3BF;
}

static bool computes_on_fpu(uint32_t word)
{
    return word >> 21 == 0x230 && (word & 0x3F) < 0x20;
}

static void read_function(const struct scan *s, struct function *f)
{
    struct constants k = {{0}, {false}};
    unsigned vu0 = 0, fpu = 0;
    for (uint32_t at = 0; at < f->c.size; at += 4) {
        uint32_t word = word_at(s->part, f->c.address + at - s->part->address), value = 0, target;
        vu0 += computes_on_vu0(word);
        fpu += computes_on_fpu(word);
        if (word >> 26 == 3 && ee_word_target(f->c.address + at, word, &target) && f->call_count < MOST_CALLS)
            f->calls[f->call_count++] = target;
        // LUI alone is half of a constant.
        if (follow(&k, word, &value) && word >> 26 != 0x0F) {
            f->c.own |= touches(value, s->table, false);
            f->control |= touches(value, s->table, true);
        }
    }
    f->c.own |= (vu0 >= LEAST_VU0) << LOCATE_VU0;
    f->control |= (fpu >= LEAST_VU0) << LOCATE_VU0;
}

// ---- all functions

static bool add(struct scan *s, uint32_t start, uint32_t size)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 256;
        struct function *more = realloc(s->functions, room * sizeof *more);
        if (!more)
            return false;
        s->functions = more;
        s->room = room;
    }
    struct function *f = &s->functions[s->count++];
    *f = (struct function){.c = {.address = start, .size = size}};
    read_function(s, f);
    return true;
}

// A bit for each word at which a function may start.
struct marks {
    uint8_t *bits;
    size_t words;
};

static bool marked(const struct marks *m, size_t i)
{
    return m->bits[i / 8] >> i % 8 & 1;
}

static bool mark(struct marks *m, size_t i)
{
    bool fresh = i < m->words && !marked(m, i);
    if (fresh)
        m->bits[i / 8] |= (uint8_t)(1 << i % 8);
    return fresh;
}

// The first word that is not zero behind a return and its delay slot.
static void mark_returns(const struct locate_part *p, struct marks *m)
{
    bool after_return = true;
    for (size_t i = 0; i < m->words; i++) {
        if (after_return && word_at(p, (uint32_t)(4 * i))) {
            mark(m, i);
            after_return = false;
        }
        after_return |= i && word_at(p, (uint32_t)(4 * (i - 1))) == JR_RA;
    }
}

static size_t next_mark(const struct marks *m, size_t from)
{
    size_t i = from;
    while (i < m->words && !marked(m, i))
        i++;
    return i;
}

static bool is_instruction(uint32_t word)
{
    char text[64];
    ee_disassemble(0, word, text, sizeof text);
    return strncmp(text, ".word", 5);
}

// Bytes of the function that starts at word `from`, up to its last return before word `to`; 0 when it has
// none or holds words that are no instructions: then it is data.
static uint32_t extent(const struct locate_part *p, const struct marks *m, size_t from)
{
    size_t ret = from;
    while (ret < m->words && 4 * (ret - from) < LONGEST && word_at(p, (uint32_t)(4 * ret)) != JR_RA)
        ret++;
    if (ret + 1 >= m->words)
        return 0;
    size_t to = next_mark(m, ret + 1), end = to;
    if (4 * (to - from) > LONGEST)
        return 0;
    while (end > from + 1 && word_at(p, (uint32_t)(4 * (end - 2))) != JR_RA)
        end--;
    if (end <= from + 1)
        return 0;
    for (size_t i = from; i < end; i++) {
        if (!is_instruction(word_at(p, (uint32_t)(4 * i))))
            return 0;
    }
    return (uint32_t)(4 * (end - from));
}

// Code does not run on into a function: what is before its first word is the delay slot of a jump, a gap, or
// data. JALs that data seem to hold lead into the middle of functions.
static bool may_start(const struct locate_part *p, size_t i)
{
    if (i < 2)
        return true;
    uint32_t before = word_at(p, (uint32_t)(4 * (i - 1))), jump = word_at(p, (uint32_t)(4 * (i - 2)));
    return !before || !is_instruction(before) || jump == JR_RA || jump >> 26 == 2 || jump >> 16 == 0x1000;
}

// The targets of JAL in functions; true when one was new.
static bool mark_calls(const struct locate_part *p, struct marks *m)
{
    bool fresh = false;
    for (size_t from = next_mark(m, 0), to; from < m->words; from = to) {
        to = next_mark(m, from + 1);
        uint32_t size = extent(p, m, from), target;
        for (uint32_t at = 4 * (uint32_t)from; at < 4 * from + size; at += 4) {
            uint32_t word = word_at(p, at);
            if (word >> 26 == 3 && ee_word_target(p->address + at, word, &target))
                fresh |= (target - p->address) / 4 < m->words && may_start(p, (target - p->address) / 4) &&
                         mark(m, (target - p->address) / 4);
        }
    }
    return fresh;
}

static bool scan_part(struct scan *s)
{
    const struct locate_part *p = s->part;
    struct marks m = {calloc(p->size / 32 + 1, 1), p->size / 4};
    bool done = m.bits;
    if (done)
        mark_returns(p, &m);
    for (unsigned round = 0; done && round < MOST_ROUNDS && mark_calls(p, &m); round++)
        ;
    for (size_t from = done ? next_mark(&m, 0) : m.words, to; done && from < m.words; from = to) {
        to = next_mark(&m, from + 1);
        uint32_t size = extent(p, &m, from);
        done = !size || add(s, p->address + 4 * (uint32_t)from, size);
    }
    free(m.bits);
    return done;
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = ((const struct function *)a)->c.address, y = ((const struct function *)b)->c.address;
    return (x > y) - (x < y);
}

static int by_score(const void *a, const void *b)
{
    const struct locate_candidate *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : (x->address > y->address) - (x->address < y->address);
}

static const struct function *find(const struct scan *s, uint32_t address)
{
    const struct function key = {.c = {.address = address}};
    return bsearch(&key, s->functions, s->count, sizeof key, by_address);
}

static unsigned score(unsigned own, unsigned called)
{
    return 2u * (unsigned)__builtin_popcount(own) + (unsigned)__builtin_popcount(called & ~own);
}

static void rate(const struct scan *s, struct function *f)
{
    unsigned control = 0;
    for (size_t i = 0; i < f->call_count; i++) {
        const struct function *callee = find(s, f->calls[i]);
        f->c.called |= callee ? callee->c.own : 0;
        control |= callee ? callee->control : 0;
    }
    f->c.control = f->control | control;
    f->c.score = score(f->c.own, f->c.called);
    f->c.controls = score(f->control, control);
}

enum ps2_status locate_light(const struct locate_part *parts, size_t count, uint32_t table,
                             struct locate_result *out, struct ps2_error *error)
{
    struct scan s = {.table = table};
    bool done = true;
    *out = (struct locate_result){.table = table};
    for (size_t i = 0; done && i < count; i++) {
        s.part = &parts[i];
        done = scan_part(&s);
    }
    if (done && s.count)
        out->candidates = malloc(s.count * sizeof *out->candidates);
    if (!out->candidates) {
        free(s.functions);
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                        done && !s.count ? "no function was found" : "out of memory");
    }
    qsort(s.functions, s.count, sizeof *s.functions, by_address);
    for (size_t i = 0; i < s.count; i++) {
        rate(&s, &s.functions[i]);
        const struct locate_candidate *c = &s.functions[i].c;
        out->candidates[out->count++] = *c;
        out->best = c->score > out->best ? c->score : out->best;
        out->best_control = c->controls > out->best_control ? c->controls : out->best_control;
    }
    qsort(out->candidates, out->count, sizeof *out->candidates, by_score);
    free(s.functions);
    return PS2_OK;
}

void locate_free(struct locate_result *r)
{
    free(r->candidates);
    *r = (struct locate_result){0};
}
