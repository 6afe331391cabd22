// Random microprograms run by the vector units and by the second model of them.
#include "tests/support/vu_compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/vu_random.h"

enum { WILD_PAIRS = 60, WILD_CYCLES = 400, SHOWN = 10, FBRST_D = 4, FBRST_T = 8 };

static bool differ(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool differ(char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, VU_COMPARE_TEXT, format, list);
    va_end(list);
    return true;
}

// ---- records

static void note_pair(struct vu_compare_record *r, const struct vu_compare_pair *pair)
{
    if (r->pair_count < VU_COMPARE_PAIRS) {
        r->pairs[r->pair_count] = *pair;
        r->pairs[r->pair_count].cycle -= r->from;
    }
    r->pair_count++;
}

static void note_quadword(struct vu_compare_record *r, const uint64_t quadword[2])
{
    if (r->quadword_count < VU_COMPARE_QUADWORDS)
        memcpy(r->quadwords[r->quadword_count], quadword, 16);
    r->quadword_count++;
    r->checksum = (r->checksum ^ quadword[0]) * 0x9e3779b97f4a7c15 + quadword[1];
}

static void product_pair(void *context, struct vu *vu, const struct vu_event *e)
{
    (void)vu;
    struct vu_compare *c = context;
    note_pair(&c->product, &(struct vu_compare_pair){e->pc, e->upper, e->lower, e->cycle, e->stalls});
}

static void second_pair(void *context, const struct vu_model_pair *p)
{
    struct vu_compare *c = context;
    note_pair(&c->second, &(struct vu_compare_pair){p->pc, p->upper, p->lower, p->cycle, p->stalls});
}

static void second_kick(void *context, uint32_t address, const uint8_t *bytes, uint64_t cycle)
{
    (void)address;
    (void)cycle;
    struct vu_compare *c = context;
    uint64_t quadword[2];
    memcpy(quadword, bytes, 16);
    note_quadword(&c->second, quadword);
}

// Quadwords of data behind a GIF tag: NLOOP, and NREG registers (0 is 16) each in PACKED, half as many in
// REGLIST.
static uint32_t data_of_tag(uint64_t tag)
{
    uint32_t loops = tag & 0x7fff, format = tag >> 58 & 3, registers = tag >> 60 ? (uint32_t)(tag >> 60) : 16;
    return format > 1 ? loops : format == 1 ? (loops * registers + 1) / 2 : loops * registers;
}

static bool product_kick(void *context, const uint64_t quadword[2])
{
    struct vu_compare *c = context;
    note_quadword(&c->product, quadword);
    if (c->packet.left) {
        c->packet.left--;
    } else {
        c->packet.left = data_of_tag(quadword[0]);
        c->packet.last = quadword[0] >> 15 & 1;
    }
    bool over = (!c->packet.left && c->packet.last) || ++c->packet.total == VU_MODEL_KICK_LIMIT;
    if (over)
        memset(&c->packet, 0, sizeof c->packet);
    return over;
}

// ---- the two sides

struct vu_compare *vu_compare_new(const struct vu_config *config)
{
    struct vu_compare *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->vu[0] = vu_new(VU_UNIT_0, config);
    c->vu[1] = vu_new(VU_UNIT_1, config);
    if (!c->vu[0] || !c->vu[1]) {
        vu_compare_free(c);
        return NULL;
    }
    for (unsigned k = 0; k < 2; k++) {
        vu_model_init(&c->model[k], k, c->micro[k], c->data[k]);
        c->rules[k] = c->model[k].rules;
    }
    vu_set_window(c->vu[0], c->vu[1]);
    vu_set_ports(c->vu[1], &(struct vu_ports){c, product_kick});
    return c;
}

void vu_compare_free(struct vu_compare *c)
{
    if (!c)
        return;
    vu_free(c->vu[0]);
    vu_free(c->vu[1]);
    free(c);
}

void vu_compare_make(struct vu_compare *c, const struct random_vu_options *options)
{
    random_vu_make(&c->program, options);
}

void vu_compare_make_wild(struct vu_compare *c, unsigned unit, uint64_t seed)
{
    struct vu_random random = {(seed + 1) * 0x9e3779b97f4a7c15};
    struct random_vu_program *p = &c->program;
    struct vu_state state = {.mac = 0};
    size_t size;
    *p = (struct random_vu_program){.unit = unit, .limit = WILD_CYCLES};
    p->fbrst = vu_random_draw(&random) & (FBRST_D | FBRST_T);
    for (size_t i = 0; i < sizeof p->data; i++)
        p->data[i] = (uint8_t)vu_random_draw(&random);
    vu_random_state(&random, &state);
    memcpy(p->vf, state.vf, sizeof p->vf);
    memset(p->vf[0], 0, 12);
    p->vf[0][3] = 0x3f800000;
    memcpy(p->acc, state.acc, sizeof p->acc);
    memcpy(p->vi, state.vi, sizeof p->vi);
    p->q = state.q;
    p->p = state.p;
    p->i = state.i;
    p->r = state.r;
    p->status = state.status;
    p->clip = state.clip;
    p->top = (uint16_t)(vu_random_draw(&random) & 0x3ff);
    p->itop = (uint16_t)(vu_random_draw(&random) & 0x3ff);
    vu_clear_micro(c->vu[unit]);
    vu_random_program(&random, c->vu[unit], WILD_PAIRS);
    const uint8_t *micro = vu_micro(c->vu[unit], &size);
    memcpy(p->micro, micro, size);
    for (uint32_t k = 0; k < WILD_PAIRS; k++)
        if (vu_random_draw(&random) % 64 == 0)
            p->micro[8 * k + 7] |= 1u << (3 + vu_random_draw(&random) % 3); // T, D, M
}

static void state_of_program(const struct random_vu_program *p, struct vu_state *state)
{
    *state = (struct vu_state){.mac = p->mac,
                               .status = p->status,
                               .clip = p->clip,
                               .r = p->r,
                               .i = p->i,
                               .q = p->q,
                               .p = p->p,
                               .top = p->top,
                               .itop = p->itop};
    memcpy(state->vf, p->vf, sizeof state->vf);
    memcpy(state->acc, p->acc, sizeof state->acc);
    memcpy(state->vi, p->vi, sizeof state->vi);
}

static void load_product(struct vu_compare *c)
{
    const struct random_vu_program *p = &c->program;
    struct vu_state state;
    state_of_program(p, &state);
    for (unsigned unit = 0; unit < 2; unit++) {
        size_t size;
        vu_reset(c->vu[unit]);
        memcpy(vu_data(c->vu[unit], &size), p->data, unit ? sizeof p->data : VU_MODEL_VU0_BYTES);
        vu_set_state(c->vu[unit], &state);
    }
    struct vu *vu = c->vu[p->unit];
    vu_write_micro(vu, 0, p->micro, p->unit ? sizeof p->micro : VU_MODEL_VU0_BYTES);
    vu_set_debug_bits(vu, p->fbrst & FBRST_D, p->fbrst & FBRST_T);
    vu_start(vu, p->entry);
    memset(&c->packet, 0, sizeof c->packet);
}

static void load_second(struct vu_compare *c)
{
    struct random_vu_program *p = &c->program;
    unsigned unit = p->unit;
    for (unsigned k = 0; k < 2; k++) {
        vu_model_init(&c->model[k], k, c->micro[k], c->data[k]);
        c->model[k].rules = c->rules[k];
        p->unit = k;
        random_vu_load(p, &c->model[k]);
    }
    p->unit = unit;
    c->model[0].window = &c->model[1];
    c->model[unit].context = c;
    c->model[unit].on_pair = second_pair;
    c->model[unit].on_kick = second_kick;
}

// Both to `limit` cycles at most; afterwards nothing is in flight.
static void run_both(struct vu_compare *c, uint64_t limit, bool observed)
{
    static const enum vu_stop_kind kinds[] = {VU_LIMIT, VU_ENDED, VU_D_BIT, VU_T_BIT, VU_LIMIT};
    const struct vu_observer observer = {c, product_pair};
    struct vu *vu = c->vu[c->program.unit];
    struct vu_model *m = &c->model[c->program.unit];
    struct vu_stop stop;
    load_product(c);
    load_second(c);
    if (c->tamper)
        c->tamper(c);
    memset(&c->product, 0, sizeof c->product);
    memset(&c->second, 0, sizeof c->second);
    c->product.from = vu->cycle;
    c->second.from = m->cycle;
    vu_observe(vu, observed ? &observer : NULL);
    vu_run(vu, limit, false, &stop);
    vu_observe(vu, NULL);
    if (stop.kind == VU_LIMIT)
        vu_force_break(vu);
    c->product.stop = stop.kind;
    c->product.pair_count = stop.pairs;
    c->product.cycles = stop.cycles;
    c->second.stop = kinds[vu_model_run(m, c->second.from + limit)];
    c->second.cycles = m->end_cycle - c->second.from;
    vu_model_drain(m);
}

// ---- what differs

static bool lanes_differ(const char *name, const uint32_t a[4], const uint32_t b[4], char *text)
{
    return memcmp(a, b, 16) != 0 &&
           differ(text, "%s is %08x %08x %08x %08x, the second model has %08x %08x %08x %08x", name, a[0],
                  a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
}

static bool word_differs(const char *name, uint32_t a, uint32_t b, char *text)
{
    return a != b && differ(text, "%s is %x, the second model has %x", name, a, b);
}

static bool states_differ(struct vu *vu, const struct vu_model *m, char *text)
{
    struct vu_state s;
    vu_get_state(vu, &s);
    uint32_t overflowed = 0;
    for (unsigned k = 0; k < 4; k++)
        overflowed |= m->acc_overflow[k] ? 8u >> k : 0;
    for (unsigned k = 0; k < 32; k++) {
        char name[8];
        snprintf(name, sizeof name, "VF%02u", k);
        if (lanes_differ(name, s.vf[k], m->vf[k], text))
            return true;
    }
    for (unsigned k = 0; k < 16; k++)
        if (s.vi[k] != m->vi[k])
            return differ(text, "VI%02u is %04x, the second model has %04x", k, s.vi[k], m->vi[k]);
    return lanes_differ("ACC", s.acc, m->acc, text) ||
           word_differs("ACC's overflow", s.acc_overflowed, overflowed, text) ||
           word_differs("MAC", s.mac, m->mac, text) || word_differs("status", s.status, m->status, text) ||
           word_differs("clip", s.clip, m->clip, text) || word_differs("R", s.r, m->r, text) ||
           word_differs("I", s.i, m->i, text) || word_differs("Q", s.q, m->q, text) ||
           word_differs("P", s.p, m->p, text) || word_differs("TPC", s.tpc, m->pc, text);
}

static bool memories_differ(struct vu *vu, const struct vu_model *m, char *text)
{
    size_t size, at = 0;
    const uint8_t *data = vu_data(vu, &size);
    if (memcmp(data, m->data, size) == 0)
        return false;
    while (data[at] == m->data[at])
        at++;
    return differ(text, "data memory at quadword %03zx byte %zu is %02x, the second model has %02x", at / 16,
                  at % 16, data[at], m->data[at]);
}

static bool kicks_differ(const struct vu_compare_record *a, const struct vu_compare_record *b, char *text)
{
    size_t k = 0;
    if (a->quadword_count == b->quadword_count && a->checksum == b->checksum)
        return false;
    while (k < VU_COMPARE_QUADWORDS && k < a->quadword_count && k < b->quadword_count &&
           memcmp(a->quadwords[k], b->quadwords[k], 16) == 0)
        k++;
    return differ(text, "kicked quadwords: %llu, the second model has %llu; from number %zu on they differ",
                  (unsigned long long)a->quadword_count, (unsigned long long)b->quadword_count, k);
}

// A program whose last pair issues just before the limit has stopped for the model, and is at the limit for
// the unit.
static bool stops_differ(const struct vu_compare_record *a, const struct vu_compare_record *b, char *text)
{
    bool same_stop = a->stop == b->stop || a->stop == VU_LIMIT;
    return (!same_stop || a->cycles != b->cycles || a->pair_count != b->pair_count) &&
           differ(text,
                  "stopped by %s after %llu pairs, %llu cycles; the second model by %s after %llu, %llu",
                  vu_stop_name(a->stop), (unsigned long long)a->pair_count, (unsigned long long)a->cycles,
                  vu_stop_name(b->stop), (unsigned long long)b->pair_count, (unsigned long long)b->cycles);
}

static void print_pair(const struct vu_compare_pair *p, char *out, size_t size)
{
    char line[160];
    vu_disassemble(p->pc, p->upper, p->lower, NULL, NULL, line, sizeof line);
    snprintf(out, size, "    %6llu (%u) %03x: %08x:%08x %s", (unsigned long long)p->cycle, p->stalls, p->pc,
             p->upper, p->lower, line);
}

static bool same_pair(const struct vu_compare_pair *a, const struct vu_compare_pair *b)
{
    return a->pc == b->pc && a->upper == b->upper && a->lower == b->lower && a->cycle == b->cycle &&
           a->stalls == b->stalls;
}

// Traces: the first pair that issued elsewhere or at another time.
static bool traces_differ(const struct vu_compare *c, char *text)
{
    const struct vu_compare_record *a = &c->product, *b = &c->second;
    char product[256], second[256];
    for (size_t k = 0; k < VU_COMPARE_PAIRS && k < a->pair_count && k < b->pair_count; k++) {
        if (same_pair(&a->pairs[k], &b->pairs[k]))
            continue;
        print_pair(&a->pairs[k], product, sizeof product);
        print_pair(&b->pairs[k], second, sizeof second);
        return differ(text, "pair %zu of the trace (cycle, stalls, pair):\n%s\nthe second model\n%s", k,
                      product, second);
    }
    return false;
}

static bool sides_differ(struct vu_compare *c, bool observed, char *text)
{
    unsigned unit = c->program.unit;
    return (observed && traces_differ(c, text)) || stops_differ(&c->product, &c->second, text) ||
           states_differ(c->vu[unit], &c->model[unit], text) ||
           memories_differ(c->vu[unit], &c->model[unit], text) ||
           (unit == 0 && states_differ(c->vu[1], &c->model[1], text)) ||
           kicks_differ(&c->product, &c->second, text);
}

// Runs 1, 2, 3 ... cycles until something differs: the last pair did it.
static void locate(struct vu_compare *c, char text[VU_COMPARE_TEXT])
{
    uint64_t most = c->product.cycles > c->second.cycles ? c->product.cycles : c->second.cycles;
    char whole[VU_COMPARE_TEXT];
    memcpy(whole, text, sizeof whole);
    for (uint64_t cycles = 1; cycles <= most; cycles++) {
        run_both(c, cycles, true);
        if (sides_differ(c, true, text))
            break;
        memcpy(text, whole, sizeof whole);
    }
    size_t used = strlen(text), count = c->second.pair_count;
    used += (size_t)snprintf(text + used, VU_COMPARE_TEXT - used, "\nthe last pairs (cycle, stalls, pair):");
    for (size_t k = count > SHOWN ? count - SHOWN : 0; k < count && k < VU_COMPARE_PAIRS; k++) {
        char line[256];
        print_pair(&c->second.pairs[k], line, sizeof line);
        used += (size_t)snprintf(text + used, VU_COMPARE_TEXT - used, "\n%s", line);
    }
}

bool vu_compare_differs(struct vu_compare *c, char text[VU_COMPARE_TEXT])
{
    bool observed = c->programs % 2;
    text[0] = 0;
    run_both(c, c->program.limit, observed);
    c->programs++;
    c->pairs += c->second.pair_count;
    c->quadwords += c->second.quadword_count;
    c->stops[c->second.stop]++;
    return sides_differ(c, observed, text);
}

bool vu_compare_run(struct vu_compare *c, char text[VU_COMPARE_TEXT])
{
    if (!vu_compare_differs(c, text))
        return true;
    locate(c, text);
    return false;
}
