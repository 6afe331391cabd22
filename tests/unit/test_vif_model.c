// The unpacker against a second one written without sight of it (tests/model/vif_unpack.h), on random UNPACKs
// in random pieces. VIF_MODEL_RUNS sets how many (20,000).
//
// Where no source decides between the two, the model does what the unit does: a filling write's data lanes
// take 0.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/random_unpack.h"
#include "tests/support/vif_bench.h"

enum { FEATURES = RANDOM_UNPACK_V3_W | RANDOM_UNPACK_FILL_DATA | RANDOM_UNPACK_V4_5_MODE };

struct pair {
    struct vif_bench bench;
    struct unpack_model model;
    struct random_unpack setup;
    uint8_t memory[RANDOM_UNPACK_BYTES]; // the model's
    size_t size;
};

static void open_pair(struct pair *pair, enum vif_unit unit)
{
    vif_bench_open(&pair->bench, unit);
    vu_data(pair->bench.vu, &pair->size);
    unpack_model_init(&pair->model, unit == VIF_UNIT_1, pair->memory, pair->size / 16);
    pair->model.rules.fill_repeats = false;
}

// The words behind the data, up to the end of their quadword, become codes without a consequence. Returns how
// many words of `data` there are then.
static size_t end_quadword(struct random_unpack *u)
{
    size_t count = u->words;
    while ((u->first_word + count) % 4)
        u->data[count++] &= 0xffffff;
    return count;
}

static void set_unit(struct pair *pair)
{
    const struct random_unpack *u = &pair->setup;
    struct vif *vif = pair->bench.vif;
    vif_set_register(vif, VIF_CYCLE, (uint32_t)u->wl << 8 | u->cl);
    vif_set_register(vif, VIF_MASK, u->mask);
    vif_set_register(vif, VIF_MODE, u->mode);
    vif_set_register(vif, VIF_TOPS, u->tops);
    for (unsigned n = 0; n < 4; n++) {
        vif_set_register(vif, VIF_R0 + 16 * n, u->row[n]);
        vif_set_register(vif, VIF_C0 + 16 * n, u->col[n]);
    }
    memcpy(pair->bench.memory, u->memory, pair->size);
}

static void run_unit(struct pair *pair, size_t count)
{
    const struct random_unpack *u = &pair->setup;
    size_t at = 0;
    set_unit(pair);
    vif_seek(pair->bench.vif, (u->first_word + 3) % 4);
    vif_bench_send(&pair->bench, &u->code, 1);
    for (unsigned n = 0; n < u->cuts; at = u->cut[n++])
        vif_bench_send(&pair->bench, u->data + at, u->cut[n] - at);
    vif_bench_send(&pair->bench, u->data + at, count - at);
}

// Whether both take as many words and leave the same memory and ROW.
static bool agree(struct pair *pair, unsigned long run)
{
    struct random_unpack *u = &pair->setup;
    const struct random_unpack_options options = {
        .seed = run, .unit = pair->model.unit, .features = FEATURES};
    random_unpack_make(u, &options);
    random_unpack_load(u, &pair->model);
    size_t count = end_quadword(u);
    run_unit(pair, count);
    enum vif_unit unit = pair->model.unit ? VIF_UNIT_1 : VIF_UNIT_0;
    if (vif_code_words(unit, u->code, (uint32_t)u->wl << 8 | u->cl) != u->words ||
        unpack_model_run(&pair->model, u->code, u->data, count) != u->words)
        return false;
    for (unsigned n = 0; n < 4; n++)
        if (vif_read_register(pair->bench.vif, VIF_R0 + 16 * n) != pair->model.row[n])
            return false;
    return vif_idle(pair->bench.vif) && !memcmp(pair->bench.memory, pair->memory, pair->size);
}

static void two_unpackers_agree(void **state)
{
    (void)state;
    const char *text = getenv("VIF_MODEL_RUNS");
    unsigned long runs = text ? strtoul(text, NULL, 0) : 20000;
    static struct pair pairs[2];
    open_pair(&pairs[0], VIF_UNIT_0);
    open_pair(&pairs[1], VIF_UNIT_1);
    for (unsigned long run = 0; run < runs; run++)
        if (!agree(&pairs[run % 4 != 0], run)) {
            const struct random_unpack *u = &pairs[run % 4 != 0].setup;
            fail_msg("run %lu: VIF%u %08x CL %u WL %u MASK %08x MODE %u", run, u->unit, u->code, u->cl, u->wl,
                     u->mask, u->mode);
        }
    vif_bench_close(&pairs[0].bench);
    vif_bench_close(&pairs[1].bench);
}

// Every rule of the model broken in turn: the comparison must notice.
static void each_broken_rule_is_noticed(void **state)
{
    (void)state;
    enum { RULES = sizeof(struct unpack_model_rules) / sizeof(bool) };
    static struct pair pair;
    for (size_t rule = 0; rule < RULES; rule++) {
        bool rules[RULES], noticed = false;
        open_pair(&pair, VIF_UNIT_1);
        memcpy(rules, &pair.model.rules, sizeof rules);
        rules[rule] = !rules[rule];
        memcpy(&pair.model.rules, rules, sizeof rules);
        for (unsigned run = 0; run < 3000 && !noticed; run++)
            noticed = !agree(&pair, run);
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
