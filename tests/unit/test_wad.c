// The WAD stream: every packet class, rule by rule, round trips, truncation, and decoders with one wrong
// rule.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/check/check.h"
#include "harness/formats/wad.h"
#include "tests/support/wad_model.h"

struct stream {
    uint8_t bytes[0x12000];
    size_t size;
};

static void start(struct stream *s)
{
    memcpy(s->bytes, "WAD....testdata", 16);
    s->size = 0x10;
}

static void put(struct stream *s, const void *bytes, size_t n)
{
    memcpy(s->bytes + s->size, bytes, n);
    s->size += n;
    fmt_put_u32(s->bytes + 3, (uint32_t)s->size);
}

// `n` literal bytes counting up from `from`, in one packet.
static void put_literals(struct stream *s, unsigned n, uint8_t from)
{
    uint8_t p[300];
    size_t h = 0;
    if (n < 19) {
        p[h++] = (uint8_t)(n - 3);
    } else {
        p[h++] = 0;
        p[h++] = (uint8_t)(n - 18);
    }
    for (unsigned i = 0; i < n; i++)
        p[h++] = (uint8_t)(from + i);
    put(s, p, h);
}

static struct fmt_buffer decoded(const struct stream *s)
{
    struct fmt_buffer out;
    struct ps2_error e = {0};
    int status = fmt_wad_decode(fmt_span_of(s->bytes, s->size, "stream"), 0, &out, &e);
    if (status)
        fail_msg("%s at 0x%llx", e.message, (unsigned long long)e.offset);
    return out;
}

static void expect(const struct stream *s, const void *bytes, size_t n)
{
    struct fmt_buffer out = decoded(s);
    assert_int_equal(out.size, n);
    assert_memory_equal(out.data, bytes, n);
    fmt_buffer_free(&out);
}

static void expect_error(const struct stream *s, const char *rule, uint64_t offset)
{
    struct fmt_buffer out;
    struct ps2_error e = {0};
    assert_int_equal(fmt_wad_decode(fmt_span_of(s->bytes, s->size, "bad.wad"), 0, &out, &e), PS2_BAD_INPUT);
    assert_non_null(strstr(e.message, rule));
    assert_int_equal(e.offset, offset);
    assert_string_equal(e.where, "bad.wad");
    assert_null(out.data);
}

static void literals(void **state)
{
    (void)state;
    struct stream s;
    for (unsigned n = 4; n <= 273; n++) {
        uint8_t want[273];
        for (unsigned i = 0; i < n; i++)
            want[i] = (uint8_t)i;
        start(&s);
        put_literals(&s, n, 0);
        expect(&s, want, n);
    }
}

static void short_matches(void **state)
{
    (void)state;
    struct stream s;
    // 3 bytes from 2 back, two little literals: f = (3-1)<<5 | (1 & 7)<<2 | 2.
    start(&s);
    put_literals(&s, 4, 'a');
    put(&s, "\x46\x00XY", 4);
    expect(&s, "abcdcdcXY", 9);
    // 8 bytes at distance 1 (RLE).
    start(&s);
    put_literals(&s, 4, 'a');
    put(&s, "\xE0\x00", 2);
    expect(&s, "abcddddddddd", 12);
}

static void medium_matches(void **state)
{
    (void)state;
    struct stream s;
    // L = 3 -> 5 bytes, distance 4, one little literal.
    start(&s);
    put_literals(&s, 4, 'a');
    put(&s, "\x23\x0D\x00Z", 4);
    expect(&s, "abcdabcdaZ", 10);
    // Escape: next byte 1 -> L = 32 -> 34 bytes, distance 1.
    char want[38] = "abc";
    memset(want + 3, 'd', 35);
    start(&s);
    put_literals(&s, 4, 'a');
    put(&s, "\x20\x01\x00\x00", 4);
    expect(&s, want, 38);
}

static void far_matches(void **state)
{
    (void)state;
    struct stream *s = malloc(sizeof *s);
    start(s);
    for (unsigned i = 0; i < 125; i++) {
        put_literals(s, 268, (uint8_t)(i * 7));
        put(s, "\x11\x00\x00", 3);
    }
    // 33,500 bytes so far. L = 2 -> 4 bytes from 0x4000 + 0x40*2 + 3 back; escape 5 -> L = 12 -> 14 bytes, A
    // = 1.
    put(s, "\x12\x0C\x02", 3);
    put(s, "\x18\x05\x07\x00zzz", 7);
    struct fmt_buffer out = decoded(s);
    assert_int_equal(out.size, 33500 + 4 + 14 + 3);
    assert_memory_equal(out.data + 33500, out.data + 33500 - 0x4083, 4);
    assert_memory_equal(out.data + 33504, out.data + 33504 - 0x8001, 14);
    assert_memory_equal(out.data + 33518, "zzz", 3);
    fmt_buffer_free(&out);
    free(s);
}

static void spacers_carry_little_literals(void **state)
{
    (void)state;
    struct stream s;
    start(&s);
    put(&s,
        "\x11\x03\x00"
        "abc",
        6);
    put(&s, "\x11\x00\x00", 3);
    put(&s,
        "\x11\x01\x00"
        "d",
        4);
    expect(&s, "abcd", 4);
}

// The marker's low bits are not little literals, and padding is not looked at; both block sizes are read.
static void markers_skip_to_the_block_boundary(void **state)
{
    (void)state;
    for (unsigned block = 0x1000; block <= 0x2000; block += 0x1000) {
        struct stream s;
        start(&s);
        put_literals(&s, 4, 'a');
        size_t at = block == 0x1000 ? 0 : 0x1000;
        while (s.size - 0x10 < at)
            put(&s, "\x40\x00", 2);
        put(&s, "\x12\x00\x00", 3);
        while (s.size < 0x10 + block)
            put(&s, "\xEE", 1);
        put_literals(&s, 4, 'w');
        struct fmt_buffer out = decoded(&s);
        assert_memory_equal(out.data + out.size - 5, "dwxyz", 5);
        fmt_buffer_free(&out);
    }
    struct stream s; // a marker exactly before a boundary skips nothing
    start(&s);
    put_literals(&s, 5, 'a');
    while (s.size - 0x10 < 0xFFC)
        put(&s, "\x40\x00", 2);
    put(&s, "\x41\x00", 1);
    s.size -= 1;
    put(&s, "\x12\x00\x00", 3);
    while (s.size < 0x1010)
        put(&s, "\xEE", 1);
    put_literals(&s, 4, 'w');
    struct fmt_buffer out = decoded(&s);
    assert_memory_equal(out.data + out.size - 4, "wxyz", 4);
    fmt_buffer_free(&out);
}

static void broken_rules(void **state)
{
    (void)state;
    struct stream s;
    start(&s);
    put_literals(&s, 4, 'a');
    put(&s, "\x54\x00", 2); // distance 6 of 4
    expect_error(&s, "before the first decoded byte", 0x15);
    start(&s);
    put_literals(&s, 4, 'a');
    put_literals(&s, 4, 'a');
    expect_error(&s, "literal packet follows", 0x15);
    start(&s);
    put(&s, "\x05", 1);
    expect_error(&s, "ends inside", 0x10);
    start(&s);
    put_literals(&s, 4, 'a');
    s.bytes[0] = 'X';
    expect_error(&s, "not with \"WAD\"", 0);
    s.bytes[0] = 'W';
    fmt_put_u32(s.bytes + 3, 8);
    expect_error(&s, "declared length 8", 3);
    s.size = 9;
    expect_error(&s, "header", 0);
}

// A stream that is cut anywhere is an error, with its header left alone; and with the header corrected too,
// unless the cut lies between packets, where fewer bytes come out.
static void truncation_at_every_byte(void **state)
{
    (void)state;
    uint8_t data[3000];
    uint64_t seed = 7;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = i > 40 && check_random(&seed) % 8 ? data[i - 1 - check_random(&seed) % 40]
                                                    : (uint8_t)check_random(&seed);
    struct fmt_buffer packed, out;
    struct ps2_error e;
    assert_int_equal(fmt_wad_encode(data, sizeof data, "t", &packed, &e), PS2_OK);
    size_t cut_between = 0;
    for (size_t n = 0; n < packed.size; n++) {
        uint8_t *cut = malloc(n + 1);
        memcpy(cut, packed.data, n);
        assert_int_equal(fmt_wad_decode(fmt_span_of(cut, n, "cut"), 0, &out, &e), PS2_BAD_INPUT);
        if (n >= 0x10) {
            fmt_put_u32(cut + 3, (uint32_t)n);
            if (fmt_wad_decode(fmt_span_of(cut, n, "cut"), 0, &out, &e) == PS2_OK) {
                assert_true(out.size < sizeof data);
                assert_memory_equal(out.data, data, out.size);
                fmt_buffer_free(&out);
                cut_between++;
            }
        }
        free(cut);
    }
    assert_in_range(cut_between, 1, packed.size / 2);
    fmt_buffer_free(&packed);
}

// Data of every texture: random, runs, near and far repeats.
static size_t random_data(uint8_t *data, size_t most, uint64_t *seed)
{
    size_t n = 0, size = check_random(seed) % most;
    while (n < size) {
        uint64_t r = check_random(seed);
        size_t run = 1 + (r >> 8) % (r % 5 == 0 ? 400 : 12);
        size_t back = n ? 1 + (r >> 20) % (n < 40000 ? n : 40000) : 0;
        if (r % 3 == 1 && n)
            back = 1 + (r >> 20) % (n < 20 ? n : 20);
        for (size_t i = 0; i < run && n < size; i++, n++)
            data[n] = r % 3 && back ? data[n - back] : (uint8_t)check_random(seed);
    }
    return size;
}

static void round_trips(void **state)
{
    (void)state;
    enum { MOST = 120000 };
    uint8_t *data = malloc(MOST), *model = malloc(MOST + 1000);
    struct wad_model_census total = {0};
    uint64_t seed = 2025;
    for (int i = 0; i < 120; i++) {
        size_t n = random_data(data, i % 3 ? 3000 : MOST, &seed);
        struct fmt_buffer packed, out;
        struct ps2_error e;
        struct wad_model_census c;
        assert_int_equal(fmt_wad_encode(data, n, "roundtrip", &packed, &e), PS2_OK);
        assert_int_equal(fmt_wad_decode(fmt_buffer_span(&packed, "p"), i & 1 ? n : 0, &out, &e), PS2_OK);
        assert_int_equal(out.size, n);
        assert_memory_equal(out.data, data, n);
        assert_int_equal(wad_model_decode(packed.data, packed.size, 0, model, MOST + 1000, &c), n);
        assert_memory_equal(model, data, n);
        total.literal_short += c.literal_short, total.literal_long += c.literal_long;
        total.far_short += c.far_short, total.far_long += c.far_long, total.medium_short += c.medium_short;
        total.medium_long += c.medium_long, total.short_match += c.short_match, total.spacer += c.spacer;
        total.marker += c.marker, total.overlap += c.overlap;
        for (int k = 0; k < 4; k++)
            total.little[k] += c.little[k];
        fmt_buffer_free(&packed);
        fmt_buffer_free(&out);
    }
    const unsigned *counts = &total.literal_short;
    for (size_t i = 0; i < sizeof total / sizeof *counts; i++)
        assert_true(counts[i] > 0);
    free(data);
    free(model);
}

// No packet the encoder writes crosses a write block: the next block starts a packet of its own.
static void packets_stay_inside_blocks(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    uint8_t *data = malloc(SIZE), *model = malloc(SIZE);
    uint64_t seed = 3;
    for (size_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)check_random(&seed);
    struct fmt_buffer packed;
    struct ps2_error e;
    assert_int_equal(fmt_wad_encode(data, SIZE, "blocks", &packed, &e), PS2_OK);
    for (size_t at = 0x10 + 0x2000; at < packed.size; at += 0x2000)
        assert_int_equal(packed.data[at - 1], 0xEE);
    struct wad_model_census c;
    assert_int_equal(wad_model_decode(packed.data, packed.size, 0, model, SIZE, &c), SIZE);
    assert_int_equal(c.marker, packed.size / 0x2000);
    fmt_buffer_free(&packed);
    free(data);
    free(model);
}

// The fast decoder and the plain one agree on random packets, right or broken; each wrong rule shows.
static void wrong_rules_are_caught(void **state)
{
    (void)state;
    enum { ROUNDS = 3000, CAPACITY = 1 << 20 };
    static const unsigned wrong[] = {WAD_MODEL_A_0x800,   WAD_MODEL_BLOCK_COPY, WAD_MODEL_NO_SKIP,
                                     WAD_MODEL_NO_LITTLE, WAD_MODEL_LAST_BYTE,  WAD_MODEL_MARKER_LITTLE};
    unsigned caught[6] = {0}, decoded_streams = 0;
    uint8_t *model = malloc(CAPACITY);
    struct stream *s = malloc(sizeof *s);
    uint64_t seed = 11;
    for (int round = 0; round < ROUNDS; round++) {
        start(s);
        put_literals(s, 200, (uint8_t)round);
        for (int i = 0; i < 190 && round % 4 == 0; i++) {
            put(s, "\x2F\x00\x00", 3);
            put_literals(s, 273, (uint8_t)i);
        }
        for (unsigned i = 0; i < 60; i++) {
            uint8_t p[8];
            uint64_t r = check_random(&seed);
            memcpy(p, &r, 8);
            if (p[0] < 0x20 && p[2] == 0 && p[1] < 4)
                p[2] = 1;
            if (round % 2)
                p[2] &= 0x3F;
            p[0] = p[0] < 0x10 ? (p[0] | 0x40) : p[0];
            if (r % 50 == 0)
                memcpy(p, r % 100 ? "\x11\x02\x00zzzzz" : "\x13\x00\x00\x40\x00\x40\x00\x40", 8);
            put(s, p, 5 + r % 4);
        }
        struct fmt_buffer out;
        struct ps2_error e;
        long n = wad_model_decode(s->bytes, s->size, 0, model, CAPACITY, NULL);
        int status = fmt_wad_decode(fmt_span_of(s->bytes, s->size, "s"), 0, &out, &e);
        assert_int_equal(n < 0, status != PS2_OK);
        if (status)
            continue;
        decoded_streams++;
        assert_int_equal(out.size, n);
        assert_memory_equal(out.data, model, out.size);
        for (unsigned w = 0; w < 6; w++) {
            long m = wad_model_decode(s->bytes, s->size, wrong[w], model, CAPACITY, NULL);
            caught[w] += m != n || memcmp(model, out.data, out.size) != 0;
        }
        fmt_buffer_free(&out);
    }
    assert_true(decoded_streams > 20);
    for (unsigned w = 0; w < 6; w++)
        if (!caught[w])
            fail_msg("wrong rule %u decodes every stream alike", wrong[w]);
    free(model);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals),
        cmocka_unit_test(short_matches),
        cmocka_unit_test(medium_matches),
        cmocka_unit_test(far_matches),
        cmocka_unit_test(spacers_carry_little_literals),
        cmocka_unit_test(markers_skip_to_the_block_boundary),
        cmocka_unit_test(broken_rules),
        cmocka_unit_test(truncation_at_every_byte),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(packets_stay_inside_blocks),
        cmocka_unit_test(wrong_rules_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
