// The second VIF unpacker against the captured grids (tests/vectors/vif_unpack.tsv), its rules one by one,
// and the generator of random set-ups; as controls each rule broken.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/random_unpack.h"
#include "tests/support/tsv.h"

enum { RULES = 12 };

struct bench {
    struct unpack_model m, other;
    uint8_t memory[RANDOM_UNPACK_BYTES], other_memory[RANDOM_UNPACK_BYTES];
    struct unpack_model_rules rules;
    struct random_unpack setup;
    bool report;
    unsigned checked, failed;
};

static bool *rule(struct unpack_model_rules *rules, unsigned i)
{
    bool *const all[RULES] = {
        &rules->wl_0_is_256,       &rules->num_0_is_256,  &rules->fills,
        &rules->column_stays_at_3, &rules->mode_2_stores, &rules->mode_3_stores,
        &rules->masked_row_stays,  &rules->v2_repeats,    &rules->v3_reads_on,
        &rules->v3_boundary,       &rules->fill_repeats,  &rules->v4_5_ignores_mode,
    };
    return all[i];
}

static int make_bench(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    for (unsigned i = 0; i < RULES; i++)
        *rule(&b->rules, i) = true;
    *state = b;
    return 0;
}
static int drop_bench(void **state)
{
    free(*state);
    return 0;
}

static void reset(struct bench *b, unsigned unit, int fill)
{
    memset(b->memory, fill, sizeof b->memory);
    unpack_model_init(&b->m, unit, b->memory, unit == 0 ? 256 : 1024);
    b->m.rules = b->rules;
}

static uint32_t word(const struct bench *b, size_t i)
{
    const uint8_t *at = b->memory + 4 * i;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static unsigned number(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    return found ? (unsigned)strtoul(found + strlen(key), NULL, 10) : 0;
}

static bool stcycl_agrees(struct bench *b, const char *inputs, const char *expected)
{
    uint32_t data[32];
    for (unsigned i = 0; i < 32; i++)
        data[i] = i;
    b->m.cl = (uint8_t)number(inputs, "cl=");
    b->m.wl = (uint8_t)number(inputs, "wl=");
    b->m.mask = 0xaaaaaaaa;
    for (unsigned i = 0; i < 4; i++)
        b->m.col[i] = i + 1;
    if (unpack_model_run(&b->m, 0x7c080000, data, 32) > 32)
        return false;
    for (unsigned i = 0; i < 64; i++)
        for (unsigned lane = 0; lane < 4; lane++)
            if (word(b, 4 * i + lane) != (uint32_t)(expected[i] - '0'))
                return false;
    return strlen(expected) == 64;
}

static bool stmod_agrees(struct bench *b, const char *inputs, const char *expected, const char *flags)
{
    uint32_t data[16], words[16], row[4];
    for (unsigned i = 0; i < 16; i++)
        data[i] = i;
    b->m.cl = b->m.wl = 4;
    b->m.mode = number(inputs, "mode=");
    tsv_value(inputs, "mask=", &b->m.mask);
    for (unsigned i = 0; i < 4; i++)
        b->m.row[i] = 0x1000;
    bool masks = b->m.mask != 0;
    size_t taken = unpack_model_run(&b->m, masks ? 0x7c040000 : 0x6c040000, data, 16);
    if (taken != 16 || tsv_words(expected, words, 16) != 16)
        return false;
    for (unsigned i = 0; i < 16; i++)
        if (word(b, i) != words[i])
            return false;
    const char *text = strstr(flags, "row=") + strlen("row=");
    for (unsigned i = 0; i < 4; i++)
        row[i] = (uint32_t)strtoul(text + 9 * (size_t)i, NULL, 16);
    return memcmp(row, b->m.row, sizeof row) == 0;
}

// The VIFcode and its data; four words of memory.
static bool unpack_agrees(struct bench *b, const char *inputs, const char *expected)
{
    uint32_t code_and_data[5] = {0}, words[4];
    size_t count = tsv_words(inputs + strlen("vif0"), code_and_data, 5);
    b->m.cl = b->m.wl = 4;
    b->m.first_word = 2;
    if (count != 5 || tsv_words(expected, words, 4) != 4 ||
        unpack_model_run(&b->m, code_and_data[0], code_and_data + 1, 4) > 4)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (word(b, i) != words[i])
            return false;
    return true;
}

// 256 quadwords of one write cycle from the packet's four, of which two words are left for data.
static bool set_agrees(struct bench *b, const char *expected)
{
    static const uint32_t col[4] = {0xffeeddcc, 0xbbaa9988, 0x77665544, 0x33221100};
    static const size_t places[4] = {0, 1, 1022, 1023};
    uint32_t words[4];
    const uint32_t none = 0;
    b->m.cl = 1;
    b->m.wl = 0;
    b->m.mask = 0xaaaaaaaa;
    memcpy(b->m.col, col, sizeof col);
    if (tsv_words(expected, words, 4) != 4 || unpack_model_run(&b->m, 0x72000000, &none, 1) != 1)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (word(b, places[i]) != words[i])
            return false;
    return true;
}

static void check_row(const struct tsv_row *row, void *context)
{
    struct bench *b = context;
    const char *op = tsv_field(row, "op"), *inputs = tsv_field(row, "inputs");
    const char *expected = tsv_field(row, "expected");
    reset(b, strncmp(inputs, "vif1", 4) == 0, strncmp(op, "unpack", 6) == 0 ? 0xff : 0);
    bool agrees = false;
    if (strcmp(op, "stcycl") == 0)
        agrees = stcycl_agrees(b, inputs, expected);
    else if (strcmp(op, "stmod") == 0)
        agrees = stmod_agrees(b, inputs, expected, tsv_field(row, "flags"));
    else if (strcmp(op, "unpack") == 0)
        agrees = unpack_agrees(b, inputs, expected);
    else if (strcmp(op, "unpack set") == 0)
        agrees = set_agrees(b, expected);
    b->checked++;
    b->failed += !agrees;
    if (!agrees && b->report)
        print_error("%s:%u: %s %s disagrees\n", row->path, row->line, op, inputs);
}

static void read_rows(struct bench *b)
{
    char error[TSV_ERROR];
    b->checked = b->failed = 0;
    if (!tsv_read("tests/vectors/vif_unpack.tsv", check_row, b, error))
        fail_msg("%s", error);
}

static void every_row_agrees(void **state)
{
    struct bench *b = *state;
    b->report = true;
    read_rows(b);
    assert_int_equal(b->failed, 0);
    assert_int_equal(b->checked, 564);
}

// The first eight rules are those that the captures show.
static void a_broken_rule_is_noticed_by_the_captures(void **state)
{
    struct bench *b = *state;
    for (unsigned i = 0; i < 8; i++) {
        *rule(&b->rules, i) = false;
        read_rows(b);
        *rule(&b->rules, i) = true;
        if (b->failed == 0)
            fail_msg("broken rule %u agrees with every row", i);
    }
}

static void run_both(struct bench *b, uint64_t seed, unsigned unit, unsigned features)
{
    const struct random_unpack_options options = {.seed = seed, .unit = unit, .features = features};
    random_unpack_make(&b->setup, &options);
    reset(b, unit, 0);
    unpack_model_init(&b->other, unit, b->other_memory, b->m.quadwords);
    random_unpack_load(&b->setup, &b->m);
    random_unpack_load(&b->setup, &b->other);
    unpack_model_run(&b->m, b->setup.code, b->setup.data, RANDOM_UNPACK_WORDS);
    unpack_model_run(&b->other, b->setup.code, b->setup.data, RANDOM_UNPACK_WORDS);
}
static bool results_agree(const struct bench *b)
{
    return memcmp(b->memory, b->other_memory, 16 * b->m.quadwords) == 0 &&
           memcmp(b->m.row, b->other.row, sizeof b->m.row) == 0;
}

static void a_broken_rule_shows_in_random_setups(void **state)
{
    enum { MOST = 1000 };
    struct bench *b = *state;
    for (unsigned i = 0; i < RULES; i++) {
        // Those that are open need their feature.
        unsigned features = i < 8 ? 0 : RANDOM_UNPACK_ALL;
        unsigned seed = 0;
        *rule(&b->rules, i) = false;
        do
            run_both(b, seed, seed & 1, features);
        while (results_agree(b) && ++seed < MOST);
        *rule(&b->rules, i) = true;
        if (seed == MOST)
            fail_msg("no set-up shows broken rule %u", i);
    }
}

// Without a feature what is open does not matter.
static void plain_setups_do_not_depend_on_open_choices(void **state)
{
    struct bench *b = *state;
    for (unsigned i = 8; i < RULES; i++)
        *rule(&b->rules, i) = false;
    for (unsigned seed = 0; seed < 2000; seed++) {
        run_both(b, seed, seed & 1, 0);
        if (!results_agree(b))
            fail_msg("seed %u: code %08x CYCLE %u %u mask %08x", seed, (unsigned)b->setup.code, b->setup.cl,
                     b->setup.wl, (unsigned)b->setup.mask);
    }
}

static void setups_reach_everything(void **state)
{
    struct bench *b = *state;
    unsigned formats[16] = {0}, modes[4] = {0}, wraps = 0, skips = 0, fills = 0, masked = 0, unmasked = 0;
    unsigned whole = 0, tops = 0, cut = 0;
    for (unsigned seed = 0; seed < 1000; seed++) {
        const struct random_unpack_options options = {.seed = seed, .unit = 1, .features = RANDOM_UNPACK_ALL};
        random_unpack_make(&b->setup, &options);
        const struct random_unpack *u = &b->setup;
        unsigned wl = u->wl == 0 ? 256 : u->wl, num = u->code >> 16 & 0xff;
        assert_true(u->words <= RANDOM_UNPACK_WORDS - 4);
        formats[u->code >> 24 & 15]++;
        modes[u->mode]++;
        skips += u->cl > wl;
        fills += u->cl < wl;
        whole += num == 0;
        wraps += (u->code & 0x3ff) + num > 1024;
        tops += u->code >> 15 & 1;
        masked += u->code >> 28 & 1;
        unmasked += !(u->code >> 28 & 1);
        for (unsigned i = 0; i < u->cuts; i++)
            assert_true(u->cut[i] <= u->words && (i == 0 || u->cut[i - 1] <= u->cut[i]));
        cut += u->cuts != 0;
    }
    for (unsigned i = 0; i < 16; i++)
        assert_true(formats[i] != 0);
    for (unsigned i = 0; i < 4; i++)
        assert_true(modes[i] != 0);
    assert_true(wraps && skips && fills && masked && unmasked && whole && tops && cut);
}

static void words_are_counted_per_format(void **state)
{
    struct bench *b = *state;
    reset(b, 1, 0);
    static const struct {
        uint32_t code;
        size_t words;
    } cases[] = {{0x60030000, 3}, {0x61030000, 2}, {0x62030000, 1}, {0x62050000, 2}, {0x65030000, 3},
                 {0x66030000, 2}, {0x68030000, 9}, {0x69030000, 5}, {0x6a030000, 3}, {0x6c000000, 1024},
                 {0x6d030000, 6}, {0x6e030000, 3}, {0x6f030000, 2}, {0x63030000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(unpack_model_words(&b->m, cases[i].code), cases[i].words);
    // Filling: two of every five quadwords take data.
    b->m.cl = 2;
    b->m.wl = 5;
    assert_int_equal(unpack_model_words(&b->m, 0x6c0b0000), 4 * 5);
    // Less data than that: nothing happens.
    uint32_t data[20];
    memset(data, 0x11, sizeof data);
    assert_int_equal(unpack_model_run(&b->m, 0x6c0b0000, data, 19), 20);
    assert_int_equal(word(b, 0), 0);
    assert_int_equal(unpack_model_run(&b->m, 0x6c0b0000, data, 20), 20);
    assert_int_equal(word(b, 0), 0x11111111);
}

static void addresses_add_tops_and_wrap(void **state)
{
    struct bench *b = *state;
    const uint32_t data[2] = {5, 6};
    reset(b, 1, 0);
    b->m.tops = 0x3f0;
    unpack_model_run(&b->m, 0x6002800f, data, 2);
    assert_int_equal(word(b, 4 * 0x3ff), 5);
    assert_int_equal(word(b, 0), 6);
    reset(b, 0, 0);
    b->m.tops = 0x3f0;
    unpack_model_run(&b->m, 0x600280ff, data, 2);
    assert_int_equal(word(b, 4 * 0xff), 5);
    assert_int_equal(word(b, 0), 6);
}

// ran-j/PS2Recomp#237: two V3-16, the first ends inside a quadword of the source, the second with it.
static void w_of_v3_is_the_next_element(void **state)
{
    struct bench *b = *state;
    const uint32_t data[4] = {0x20001, 0x40003, 0x60005, 0x7};
    reset(b, 1, 0xff);
    b->m.first_word = 1;
    unpack_model_run(&b->m, 0x69020000, data, 4);
    const uint32_t expected[8] = {1, 2, 3, 4, 4, 5, 6, 0};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(word(b, i), expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_agrees, make_bench, drop_bench),
        cmocka_unit_test_setup_teardown(a_broken_rule_is_noticed_by_the_captures, make_bench, drop_bench),
        cmocka_unit_test_setup_teardown(a_broken_rule_shows_in_random_setups, make_bench, drop_bench),
        cmocka_unit_test_setup_teardown(plain_setups_do_not_depend_on_open_choices, make_bench, drop_bench),
        cmocka_unit_test_setup_teardown(setups_reach_everything, make_bench, drop_bench),
        cmocka_unit_test_setup_teardown(words_are_counted_per_format, make_bench, drop_bench),
        cmocka_unit_test_setup_teardown(addresses_add_tops_and_wrap, make_bench, drop_bench),
        cmocka_unit_test_setup_teardown(w_of_v3_is_the_next_element, make_bench, drop_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
