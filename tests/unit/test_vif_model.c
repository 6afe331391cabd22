// The unpacker against a second one written without sight of it (tests/model/vif_unpack.h), on random UNPACKs
// in random pieces. VIF_MODEL_RUNS sets how many (20,000).
//
// Where nothing decides between the two, the model does what the unit does: a filling write's data lanes take
// 0.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/vif_unpack.h"
#include "tests/support/mutate.h"
#include "tests/support/vif_bench.h"

enum { MOST_WORDS = 1024 + 8 };

static struct mutator randoms = {0x9e3779b97f4a7c15};

struct setup {
    enum vif_unit unit;
    uint32_t code, cycle, mask, mode, tops, row[4], col[4];
    unsigned first_word;        // place of the code in its quadword
    uint32_t words[MOST_WORDS]; // the code, its data, and what follows up to the end of the quadword
    size_t count, data;
};

static uint32_t draw(uint32_t below)
{
    return mutate_random(&randoms) % below;
}

// Small cycles mostly: large ones seldom reach their end.
static uint32_t draw_cycle(void)
{
    uint32_t kind = draw(8);
    if (kind == 0)
        return draw(0x10000);
    if (kind < 3)
        return 0x0101 * draw(5);
    return draw(9) << 8 | draw(9);
}

static uint32_t draw_mask(void)
{
    return draw(4) ? mutate_random(&randoms) : 0x55555555 * draw(4);
}

static uint32_t draw_code(void)
{
    static const uint8_t formats[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15};
    uint32_t num = draw(8) ? draw(24) : draw(256);
    return (0x60 | draw(2) << 4 | formats[draw(13)]) << 24 | num << 16 | draw(0x10000);
}

static void draw_setup(struct setup *s)
{
    s->unit = draw(4) ? VIF_UNIT_1 : VIF_UNIT_0;
    s->code = draw_code();
    s->cycle = draw_cycle();
    s->mask = draw_mask();
    s->mode = draw(4);
    s->tops = draw(0x400);
    s->first_word = draw(4);
    for (unsigned n = 0; n < 4; n++) {
        s->row[n] = mutate_random(&randoms);
        s->col[n] = mutate_random(&randoms);
    }
}

static void draw_words(struct setup *s, size_t data)
{
    s->data = data;
    s->words[0] = s->code;
    s->count = 1 + data;
    for (size_t n = 1; n < s->count; n++)
        s->words[n] = mutate_random(&randoms);
    while ((s->first_word + s->count) % 4) // codes without a consequence, with bits that w can show
        s->words[s->count++] = draw(0x1000000);
}

static void run_unit(struct vif_bench *bench, const struct setup *s, bool cut)
{
    static const uint16_t offsets[] = {VIF_CYCLE, VIF_MASK, VIF_MODE, VIF_TOPS};
    const uint32_t values[] = {s->cycle, s->mask, s->mode, s->tops};
    for (unsigned n = 0; n < 4; n++) {
        vif_set_register(bench->vif, offsets[n], values[n]);
        vif_set_register(bench->vif, VIF_R0 + 16 * n, s->row[n]);
        vif_set_register(bench->vif, VIF_C0 + 16 * n, s->col[n]);
    }
    vif_seek(bench->vif, s->first_word);
    for (size_t at = 0, part; at < s->count; at += part) {
        part = cut ? 1 + draw((uint32_t)(s->count - at)) : s->count;
        vif_bench_send(bench, s->words + at, part);
    }
}

static void set_model(struct unpack_model *model, const struct setup *s)
{
    model->cl = s->cycle & 0xff;
    model->wl = (uint8_t)(s->cycle >> 8);
    model->mask = s->mask;
    model->mode = s->mode;
    model->tops = (uint16_t)s->tops;
    model->first_word = (s->first_word + 1) % 4;
    memcpy(model->row, s->row, 16);
    memcpy(model->col, s->col, 16);
}

struct pair {
    struct vif_bench bench;
    struct unpack_model model;
    uint8_t memory[0x4000];
    size_t size;
};

static void open_pair(struct pair *pair, enum vif_unit unit)
{
    vif_bench_open(&pair->bench, unit);
    vu_data(pair->bench.vu, &pair->size);
    memset(pair->memory, 0, pair->size);
    unpack_model_init(&pair->model, unit == VIF_UNIT_1, pair->memory, pair->size / 16);
    pair->model.rules.fill_repeats = false;
}

// Whether both leave the same memory and ROW.
static bool agree(struct pair *pair, struct setup *s, bool cut)
{
    set_model(&pair->model, s);
    size_t data = unpack_model_words(&pair->model, s->code);
    if (data != vif_code_words(s->unit, s->code, s->cycle))
        return false;
    draw_words(s, data);
    run_unit(&pair->bench, s, cut);
    if (unpack_model_run(&pair->model, s->code, s->words + 1, s->count - 1) != data)
        return false;
    for (unsigned n = 0; n < 4; n++)
        if (vif_read_register(pair->bench.vif, VIF_R0 + 16 * n) != pair->model.row[n])
            return false;
    return vif_idle(pair->bench.vif) && !memcmp(pair->bench.memory, pair->memory, pair->size);
}

static void report(const struct setup *s, unsigned long run)
{
    fprintf(stderr, "run %lu: VIF%d %08x CYCLE %04x MASK %08x MODE %u TOPS %x, code at word %u\n", run,
            s->unit == VIF_UNIT_1, s->code, s->cycle, s->mask, s->mode, s->tops, s->first_word);
}

static void two_unpackers_agree(void **state)
{
    (void)state;
    const char *text = getenv("VIF_MODEL_RUNS");
    unsigned long runs = text ? strtoul(text, NULL, 0) : 20000;
    static struct pair pairs[2];
    static struct setup s;
    open_pair(&pairs[0], VIF_UNIT_0);
    open_pair(&pairs[1], VIF_UNIT_1);
    for (unsigned long run = 0; run < runs; run++) {
        draw_setup(&s);
        if (!agree(&pairs[s.unit == VIF_UNIT_1], &s, run % 2)) {
            report(&s, run);
            fail();
        }
    }
    vif_bench_close(&pairs[0].bench);
    vif_bench_close(&pairs[1].bench);
}

// Every rule of the model broken in turn: the comparison must notice within some hundred runs.
static void each_broken_rule_is_noticed(void **state)
{
    (void)state;
    static struct pair pair;
    static struct setup s;
    const size_t rules = sizeof(struct unpack_model_rules) / sizeof(bool);
    for (size_t rule = 0; rule < rules; rule++) {
        bool broken[sizeof(struct unpack_model_rules) / sizeof(bool)], noticed = false;
        open_pair(&pair, VIF_UNIT_1);
        memcpy(broken, &pair.model.rules, sizeof broken);
        broken[rule] = !broken[rule];
        memcpy(&pair.model.rules, broken, sizeof broken);
        for (unsigned run = 0; run < 3000 && !noticed; run++) {
            draw_setup(&s);
            s.unit = VIF_UNIT_1;
            noticed = !agree(&pair, &s, true);
        }
        if (!noticed)
            fail_msg("rule %zu can be broken without notice", rule);
        vif_bench_close(&pair.bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_unpackers_agree),
        cmocka_unit_test(each_broken_rule_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
