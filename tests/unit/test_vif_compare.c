// Random UNPACKs through the VIF and through the second unpacker: the same memory, ROW and words consumed.
// VIF_SETUPS sets the number of set-ups of each kind (default 20000), by turns on VIF0 and VIF1, VIF_SEED the
// first seed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/random_unpack.h"
#include "vif/core.h"

enum { TEXT = 1024, BEHIND = 8, FORMATS = 16, RULES = 12 };
static const uint32_t INTERRUPT = 1u << 31; // of a VIFcode: the unit stops behind it

struct bench {
    struct vu *vu[2];
    struct vif *vif[2];
    struct unpack_model model;
    struct unpack_model_rules rules;
    uint8_t memory[RANDOM_UNPACK_BYTES]; // of the model
    struct random_unpack setup;
    size_t consumed, model_consumed;
    // Called when the product has taken the code and no data, to make a control. May be NULL.
    void (*tamper)(struct vif *, const void *control);
    const void *control;
    uint64_t setups, quadwords, cut, by_format[FORMATS];
};

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static int open_bench(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    for (unsigned unit = 0; unit < 2; unit++) {
        b->vu[unit] = vu_new((enum vu_unit)unit, NULL);
        b->vif[unit] = vif_new((enum vif_unit)unit, b->vu[unit]);
        assert_non_null(b->vif[unit]);
    }
    unpack_model_init(&b->model, 1, b->memory, sizeof b->memory / 16);
    b->rules = b->model.rules;
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *b = *state;
    for (unsigned unit = 0; unit < 2; unit++) {
        vif_free(b->vif[unit]);
        vu_free(b->vu[unit]);
    }
    free(b);
    return 0;
}

// ---- the two sides

static void load_product(struct bench *b)
{
    const struct random_unpack *u = &b->setup;
    struct vif *vif = b->vif[u->unit];
    size_t size;
    vif_reset(vif);
    uint8_t *memory = vu_data(b->vu[u->unit], &size);
    memcpy(memory, u->memory, size);
    vif_set_register(vif, VIF_CYCLE, (uint32_t)u->wl << 8 | u->cl);
    vif_set_register(vif, VIF_MODE, u->mode);
    vif_set_register(vif, VIF_MASK, u->mask);
    vif_set_register(vif, VIF_TOPS, u->tops);
    for (uint32_t n = 0; n < 4; n++) {
        vif_set_register(vif, VIF_R0 + 16 * n, u->row[n]);
        vif_set_register(vif, VIF_C0 + 16 * n, u->col[n]);
    }
}

// The data in the set-up's parts and some words behind it, which stay in the FIFO.
static void run_product(struct bench *b)
{
    const struct random_unpack *u = &b->setup;
    struct vif *vif = b->vif[u->unit];
    uint32_t code = u->code | INTERRUPT;
    load_product(b);
    vif_seek(vif, (u->first_word + 3) % 4);
    vif_write(vif, &code, 1);
    if (b->tamper)
        b->tamper(vif, b->control);
    size_t sent = 0, end = u->words + BEHIND, taken = 0;
    for (unsigned n = 0; n <= u->cuts; n++) {
        size_t to = n < u->cuts ? u->cut[n] : end;
        taken += vif_write(vif, u->data + sent, to - sent);
        sent = to;
    }
    b->consumed = taken - vif->held;
}

static void run_model(struct bench *b)
{
    const struct random_unpack *u = &b->setup;
    size_t size;
    vu_data(b->vu[u->unit], &size);
    unpack_model_init(&b->model, u->unit, b->memory, size / 16);
    b->model.rules = b->rules;
    random_unpack_load(u, &b->model);
    b->model_consumed = unpack_model_run(&b->model, u->code, u->data, RANDOM_UNPACK_WORDS);
}

// ---- what differs

static void describe(const struct random_unpack *u, char text[TEXT])
{
    char name[VIF_TEXT_SIZE];
    vif_disassemble((enum vif_unit)u->unit, u->code, name, sizeof name);
    int used = snprintf(
        text, TEXT,
        "VIF%u %08x %s, CL %u WL %u, MODE %u, MASK %08x, TOPS %x, data begins at word %u, %zu words, cut",
        u->unit, u->code, name, u->cl, u->wl, u->mode, u->mask, u->tops, u->first_word, u->words);
    for (unsigned n = 0; n < u->cuts; n++)
        used += snprintf(text + used, TEXT - (size_t)used, " %u", u->cut[n]);
    snprintf(text + used, TEXT - (size_t)used, ": ");
}

static bool results_differ(const struct bench *b, char *text, size_t size)
{
    const struct random_unpack *u = &b->setup;
    struct vif *vif = b->vif[u->unit];
    size_t bytes, at = 0;
    const uint8_t *memory = vu_data(b->vu[u->unit], &bytes);
    if (b->consumed != b->model_consumed) {
        snprintf(text, size, "%zu words consumed, the second unpacker consumes %zu", b->consumed,
                 b->model_consumed);
        return true;
    }
    for (uint32_t n = 0; n < 4; n++) {
        uint32_t row = vif_read_register(vif, VIF_R0 + 16 * n);
        if (row != b->model.row[n]) {
            snprintf(text, size, "ROW lane %u is %08x, the second unpacker has %08x", n, row,
                     b->model.row[n]);
            return true;
        }
    }
    if (memcmp(memory, b->memory, bytes) == 0)
        return false;
    while (memory[at] == b->memory[at])
        at++;
    snprintf(text, size, "quadword %03zx byte %zu is %02x, the second unpacker has %02x", at / 16, at % 16,
             memory[at], b->memory[at]);
    return true;
}

static bool differs(struct bench *b, unsigned unit, uint64_t seed, unsigned features, char text[TEXT])
{
    const struct random_unpack_options options = {.seed = seed, .unit = unit, .features = features};
    random_unpack_make(&b->setup, &options);
    run_product(b);
    run_model(b);
    b->setups++;
    b->quadwords += vif_code_num(b->setup.code);
    b->cut += b->setup.cuts != 0;
    b->by_format[b->setup.code >> 24 & 15]++;
    describe(&b->setup, text);
    size_t used = strlen(text);
    return results_differ(b, text + used, TEXT - used);
}

static void run(struct bench *b, unsigned features)
{
    char text[TEXT];
    uint64_t first = setting("VIF_SEED", 1), setups = setting("VIF_SETUPS", 20000);
    unsigned differing = 0;
    for (uint64_t n = 0; n < setups && differing < 5; n++)
        if (differs(b, n % 2, first + n, features, text)) {
            differing++;
            print_error("seed %llu: %s\n", (unsigned long long)(first + n), text);
        }
    print_message("%llu set-ups, %llu quadwords, %llu arrive in parts\n", (unsigned long long)b->setups,
                  (unsigned long long)b->quadwords, (unsigned long long)b->cut);
    assert_int_equal(differing, 0);
    for (unsigned n = 0; n < FORMATS && setups >= 1000; n++)
        assert_true(b->by_format[n] != 0 || !vif_formats[n].decode[0]);
}

static void settled_unpacks_write_alike(void **state)
{
    run(*state, 0);
}

// Filling writes with data lanes: the VIF takes 0 there, the second unpacker can.
static void unpacks_with_every_feature_write_alike(void **state)
{
    struct bench *b = *state;
    b->rules.fill_repeats = false;
    run(b, RANDOM_UNPACK_ALL);
}

// ---- controls

static bool is_noticed(struct bench *b, unsigned most)
{
    char text[TEXT];
    for (uint64_t seed = 1; seed <= most; seed++)
        if (differs(b, seed % 2, seed, RANDOM_UNPACK_ALL, text))
            return true;
    return false;
}

static bool *rule(struct unpack_model_rules *r, unsigned n)
{
    bool *const all[RULES] = {&r->wl_0_is_256,       &r->num_0_is_256,  &r->fills,
                              &r->column_stays_at_3, &r->mode_2_stores, &r->mode_3_stores,
                              &r->masked_row_stays,  &r->v2_repeats,    &r->v3_reads_on,
                              &r->v3_boundary,       &r->fill_repeats,  &r->v4_5_ignores_mode};
    return all[n];
}

static void a_changed_rule_is_noticed(void **state)
{
    struct bench *b = *state;
    b->rules.fill_repeats = false;
    assert_false(is_noticed(b, 200));
    for (unsigned n = 0; n < RULES; n++) {
        *rule(&b->rules, n) ^= true;
        if (!is_noticed(b, 5000))
            fail_msg("rule %u the other way round makes no difference", n);
        *rule(&b->rules, n) ^= true;
    }
}

// The decoder of a row of the format table exchanged for that of the next row whose vectors are not longer,
// or where there is none for the one that extends the other way.
static void exchange_decoder(struct vif *vif, const void *control)
{
    const struct vif_format *row = control;
    if (vif->phase != PHASE_DATA || vif->unpack.format != row)
        return;
    unsigned zero = vif->code >> 14 & 1, at = (unsigned)(row - vif_formats);
    vif->unpack.decode = row->decode[!zero];
    for (unsigned n = FORMATS - 1; n > 0; n--) {
        const struct vif_format *other = &vif_formats[(at + n) % FORMATS];
        if (other->decode[zero] && other->size <= row->size)
            vif->unpack.decode = other->decode[zero];
    }
}

static void another_decoder_is_noticed(void **state)
{
    struct bench *b = *state;
    b->rules.fill_repeats = false;
    b->tamper = exchange_decoder;
    for (unsigned n = 0; n < FORMATS; n++) {
        b->control = &vif_formats[n];
        if (vif_formats[n].decode[0] && !is_noticed(b, 2000))
            fail_msg("%s with another decoder makes no difference", vif_formats[n].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(settled_unpacks_write_alike, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(unpacks_with_every_feature_write_alike, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(a_changed_rule_is_noticed, open_bench, close_bench),
        cmocka_unit_test_setup_teardown(another_decoder_is_noticed, open_bench, close_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
