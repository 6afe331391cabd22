// GS dumps: layouts of every version, packets, compression, and refusals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/gs_dump.h"
#include "tests/support/mutate.h"

static struct gs *random_gs(uint64_t seed)
{
    struct mutator m = {seed};
    struct gs *gs = gs_new(NULL);
    assert_non_null(gs);
    for (unsigned n = 0; n < GS_NUMBERS; n++)
        gs_set(gs, n, (uint64_t)mutate_random(&m) << 32 | mutate_random(&m));
    gs_set(gs, GS_PRMODECONT, 1);
    gs_set(gs, GS_UV, mutate_random(&m));
    gs_set(gs, GS_FOG, gs_put(GS_FOG_F, mutate_random(&m)));
    for (unsigned offset = 0; offset < 0x1100; offset += offset == 0xf0 ? 0xf10 : 0x10)
        gs_set_privileged(gs, offset, (uint64_t)mutate_random(&m) << 32 | mutate_random(&m));
    for (size_t n = 0; n < GS_MEMORY_SIZE; n += 64)
        gs_memory(gs)[n] = (uint8_t)mutate_random(&m);
    return gs;
}

static bool in_state(unsigned number)
{
    static const uint8_t kept[] = {0x00, 0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x14,
                                   0x15, 0x18, 0x19, 0x1a, 0x1c, 0x22, 0x34, 0x35, 0x36, 0x37, 0x3b,
                                   0x3d, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49,
                                   0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50, 0x51, 0x52, 0x53};
    return memchr(kept, (int)number, sizeof kept);
}

static void assert_same(struct gs *a, struct gs *b)
{
    for (unsigned n = 0; n < GS_NUMBERS; n++)
        if (in_state(n))
            assert_true(gs_get(a, n) == gs_get(b, n));
    for (unsigned offset = 0; offset < 0x1100; offset += offset == 0xf0 ? 0xf10 : 0x10)
        assert_true(gs_get_privileged(a, offset) == gs_get_privileged(b, offset));
    assert_memory_equal(gs_memory(a), gs_memory(b), GS_MEMORY_SIZE);
}

static struct gs_dump_writer make_dump(struct gs *gs, const struct gif *gif)
{
    struct gs_dump_writer writer = {0};
    const uint64_t tag[2] = {0x8000, 0};
    gs_dump_begin(&writer, gs, gif, 0x12345678, "SCUS-97268");
    for (enum gif_path path = GIF_PATH1; path < GIF_PATHS; path++)
        gs_dump_transfer(&writer, path, tag, sizeof tag);
    gs_dump_read_fifo(&writer, 99);
    gs_dump_vsync(&writer, gs, 1);
    assert_false(writer.failed);
    return writer;
}

static void check_packets(const struct gs_dump *dump)
{
    struct gs_dump_packet packet;
    size_t at = dump->packets;
    for (enum gif_path path = GIF_PATH1; path < GIF_PATHS; path++) {
        assert_int_equal(gs_dump_next(dump, &at, &packet, NULL), PS2_OK);
        assert_int_equal(packet.kind, GS_DUMP_TRANSFER);
        assert_int_equal(packet.path, path);
        assert_int_equal(packet.size, 16);
        assert_int_equal(packet.data[1], 0x80);
    }
    assert_int_equal(gs_dump_next(dump, &at, &packet, NULL), PS2_OK);
    assert_true(packet.kind == GS_DUMP_READ && packet.value == 99);
    assert_int_equal(gs_dump_next(dump, &at, &packet, NULL), PS2_OK);
    assert_true(packet.kind == GS_DUMP_REGISTERS && packet.size == 0x2000);
    assert_int_equal(gs_dump_next(dump, &at, &packet, NULL), PS2_OK);
    assert_true(packet.kind == GS_DUMP_VSYNC && packet.value == 1);
    assert_int_equal(gs_dump_next(dump, &at, &packet, NULL), PS2_OK);
    assert_int_equal(packet.kind, GS_DUMP_END);
}

static void what_is_written_is_read_in_every_compression(void **state)
{
    static const char *const ends[] = {".gs", ".gs.xz", ".gs.zst"};
    static const uint8_t magic[3][4] = {
        {0xff, 0xff, 0xff, 0xff}, {0xfd, '7', 'z', 'X'}, {0x28, 0xb5, 0x2f, 0xfd}};
    struct gs *gs = random_gs(11), *back = gs_new(NULL);
    struct gs_dump_writer writer = make_dump(gs, NULL);
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        char path[] = "/tmp/gs_dump_XXXXXX.gs.zst";
        uint8_t start[4];
        struct gs_dump dump;
        int fd = mkstemps(path, 7);
        assert_true(fd >= 0);
        close(fd);
        unlink(path);
        strcpy(path + strlen(path) - 7, ends[n]);
        assert_true(gs_dump_is_name(path));
        assert_int_equal(gs_dump_save(&writer, path, NULL), PS2_OK);
        FILE *file = fopen(path, "rb");
        assert_int_equal(fread(start, 1, 4, file), 4);
        fclose(file);
        assert_memory_equal(start, magic[n], 4);
        assert_int_equal(gs_dump_open(&dump, path, NULL), PS2_OK);
        unlink(path);
        assert_int_equal(dump.size, writer.size);
        assert_string_equal(dump.serial, "SCUS-97268");
        assert_int_equal(dump.crc, 0x12345678);
        gs_reset(back);
        gs_dump_restore(&dump, back, NULL);
        assert_same(gs, back);
        gs_set(back, GS_TEST_1, ~gs_get(back, GS_TEST_1)); // the control
        assert_true(gs_get(gs, GS_TEST_1) != gs_get(back, GS_TEST_1));
        check_packets(&dump);
        gs_dump_free(&dump);
    }
    gs_dump_writer_free(&writer);
    gs_free(gs);
    gs_free(back);
}

// The offsets that user reports and parallel-gs's reader give for version 8.
static void registers_lie_where_other_readers_look(void **state)
{
    struct gs *gs = gs_new(NULL);
    struct gs_dump dump;
    gs_set(gs, GS_PRIM, 0x11);
    gs_set(gs, GS_TRXREG, 0x22);
    gs_set(gs, GS_XYOFFSET_1, 0x33);
    gs_set(gs, GS_ZBUF_1 + 1, 0x44);
    gs_set(gs, GS_FOG, gs_put(GS_FOG_F, 0x55));
    gs_memory(gs)[0] = 0x66;
    struct gs_dump_writer writer = make_dump(gs, NULL);
    (void)state;
    assert_int_equal(gs_dump_from_data(&dump, "x", writer.bytes, writer.size, NULL), PS2_OK);
    const uint8_t *s = dump.bytes + dump.state;
    assert_int_equal(dump.state, 8 + 36 + 10);
    assert_int_equal(s[0], 8);
    assert_int_equal(s[4], 0x11);
    assert_int_equal(s[4 + 13 * 8], 0x22);
    assert_int_equal(s[124], 0x33);
    assert_int_equal(s[316 - 8], 0x44);
    assert_int_equal(s[316 + 20], 0x55);
    assert_int_equal(s[364], 0x66);
    assert_int_equal(dump.privileged - dump.state, 4194752);
    gs_dump_free(&dump);
    gs_free(gs);
}

// Rearranges a dump of version 8 as another version has it.
static size_t as_version(const struct gs_dump_writer *from, unsigned version, uint8_t *out)
{
    const uint8_t *s = from->bytes + 8 + 36 + 10;
    uint8_t *at = out;
    uint32_t size = 4194752 + (version <= 6 ? 24 : version == 9 ? 61 : 0);
    const uint32_t words[] = {0x87654321, size, version}; // the old header
    memcpy(at, words, sizeof words);
    at += sizeof words;
    s += 4;
    memcpy(at, s, 8);
    at += 8;
    if (version <= 6) { // PRMODE
        memset(at, 0xee, 8);
        at += 8;
    }
    memcpy(at, s + 8, 112);
    at += 112;
    s += 120;
    for (unsigned n = 0; n < 24; n++, s += 8) {
        memcpy(at, s, 8);
        at += 8;
        if (version <= 6 && n % 12 == 2) { // TEX2
            memset(at, 0xdd, 8);
            at += 8;
        }
    }
    memcpy(at, s, 48);
    at += 48;
    s += 48;
    if (version == 9) {
        memset(at, 0xcc, 61);
        at += 61;
    }
    size_t rest = (size_t)(from->bytes + from->size - s);
    memcpy(at, s, rest);
    return (size_t)(at - out) + rest;
}

static void old_and_new_states_are_read(void **state)
{
    struct gs *gs = random_gs(12), *back = gs_new(NULL);
    struct gs_dump_writer writer = make_dump(gs, NULL);
    (void)state;
    for (unsigned version = 5; version <= 9; version++) {
        struct gs_dump dump;
        uint8_t *bytes = malloc(writer.size + 1000);
        size_t size = as_version(&writer, version, bytes);
        assert_int_equal(gs_dump_from_data(&dump, "old", bytes, size, NULL), PS2_OK);
        assert_int_equal(dump.state_version, version);
        assert_int_equal(dump.crc, 0x87654321);
        gs_dump_restore(&dump, back, NULL);
        assert_same(gs, back);
        if (version <= 6) {
            assert_true(gs_get(back, GS_PRMODE) == 0xeeeeeeeeeeeeeeee);
            assert_true(gs_get(back, GS_TEX2_2) == 0xdddddddddddddddd);
        }
        check_packets(&dump);
        gs_dump_free(&dump);
    }
    gs_dump_writer_free(&writer);
    gs_free(gs);
    gs_free(back);
}

static bool write_register(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    (void)path;
    return gs_write(context, number, value);
}

static void an_unfinished_packet_goes_on_after_a_restore(void **state)
{
    struct gs *gs = gs_new(NULL), *back = gs_new(NULL);
    const struct gs_sink sink = {.context = back, .write = write_register};
    struct gs_sink first = gs_sink(gs);
    struct gs_dump dump;
    struct gif gif, later;
    const uint64_t packet[] = {
        0x8002 | UINT64_C(2) << 60, 0x12, 1, 0x40000000, 2, 0, /**/ 3, 0x41000000, 4, 0};
    (void)state;
    gif_init(&gif, &first, NULL);
    gif_init(&later, &sink, NULL);
    gif_write(&gif, GIF_PATH2, packet, 4); // ends before the last RGBAQ
    struct gs_dump_writer writer = make_dump(gs, &gif);
    assert_int_equal(gs_dump_from_data(&dump, "x", writer.bytes, writer.size, NULL), PS2_OK);
    gs_dump_restore(&dump, back, &later);
    assert_int_equal(gif_active(&later), GIF_PATH2);
    gif_write(&later, GIF_PATH2, packet + 8, 1);
    assert_true(gs_get(back, GS_RGBAQ) == (UINT64_C(0x41000000) << 32 | 4));
    assert_int_equal(gif_active(&later), GIF_PATHS);
    gs_dump_free(&dump);
    gif_free(&gif);
    gif_free(&later);
    gs_free(gs);
    gs_free(back);
}

static void an_old_path1_transfer_ends_with_its_packet(void **state)
{
    struct gs *gs = gs_new(NULL);
    struct gs_dump_writer writer = {0};
    const uint64_t data[] = {0x8001 | UINT64_C(1) << 60, 0xf, 0, 0, 7, 7, 7, 7};
    struct gs_dump_packet packet;
    struct gs_dump dump;
    (void)state;
    gs_dump_begin(&writer, gs, NULL, 0, "");
    size_t at = writer.size;
    gs_dump_transfer(&writer, GIF_PATH1, data, sizeof data);
    writer.bytes[at + 1] = 0;
    assert_int_equal(gs_dump_from_data(&dump, "x", writer.bytes, writer.size, NULL), PS2_OK);
    assert_int_equal(gs_dump_next(&dump, &at, &packet, NULL), PS2_OK);
    assert_int_equal(packet.size, 32);
    assert_int_equal(at, dump.size);
    gs_dump_free(&dump);
    gs_free(gs);
}

static void damaged_dumps_are_refused(void **state)
{
    struct gs *gs = gs_new(NULL);
    struct gs_dump_writer writer = make_dump(gs, NULL);
    static const struct {
        size_t at;
        uint32_t value;
        const char *why;
    } cases[] = {
        {4, 7, "header of an impossible size"},        {4, 0x7fffffff, "header of an impossible size"},
        {12, 0x7fffffff, "ends before its state"},     {12, 4194751, "a GS state of 4194751 bytes where"},
        {54, 4, "unsupported: GS state of version 4"}, {54, 10, "unsupported: GS state of version 10"},
    };
    struct ps2_error error;
    struct gs_dump dump;
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        uint8_t *bytes = malloc(writer.size);
        memcpy(bytes, writer.bytes, writer.size);
        memcpy(bytes + cases[n].at, &cases[n].value, 4);
        assert_int_equal(gs_dump_from_data(&dump, "bad.gs", bytes, writer.size, &error), PS2_BAD_INPUT);
        assert_non_null(strstr(error.message, cases[n].why));
        gs_dump_free(&dump);
    }
    for (size_t size = 0; size < writer.size; size += 1 + size / 2) { // cut anywhere
        uint8_t *bytes = malloc(size + 1);
        memcpy(bytes, writer.bytes, size);
        assert_int_equal(gs_dump_from_data(&dump, "cut.gs", bytes, size, &error),
                         size < 4194752 + 54 + 0x2000 ? PS2_BAD_INPUT : PS2_OK);
        gs_dump_free(&dump);
    }
    gs_dump_writer_free(&writer);
    gs_free(gs);
}

static void damaged_packets_are_refused(void **state)
{
    static const struct {
        uint8_t bytes[8];
        size_t size;
        const char *why;
    } cases[] = {
        {{4}, 8, "unknown kind"},
        {{0, 1, 17, 0, 0, 0}, 8, "ends inside"},
        {{0, 4, 0, 0, 0, 0}, 6, "unknown path"},
        {{0, 1, 2, 0, 0, 0}, 8, "whole number of quadwords"},
        {{1}, 1, "ends inside"},
        {{2, 0, 0, 0}, 4, "ends inside"},
        {{3}, 8, "ends inside"},
    };
    struct ps2_error error;
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        uint8_t bytes[8];
        struct gs_dump_packet packet;
        memcpy(bytes, cases[n].bytes, sizeof bytes);
        struct gs_dump dump = {.name = "bad.gs", .bytes = bytes, .size = cases[n].size};
        size_t at = 0;
        assert_int_equal(gs_dump_next(&dump, &at, &packet, &error), PS2_BAD_INPUT);
        assert_non_null(strstr(error.message, cases[n].why));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_in_every_compression),
        cmocka_unit_test(registers_lie_where_other_readers_look),
        cmocka_unit_test(old_and_new_states_are_read),
        cmocka_unit_test(an_unfinished_packet_goes_on_after_a_restore),
        cmocka_unit_test(an_old_path1_transfer_ends_with_its_packet),
        cmocka_unit_test(damaged_dumps_are_refused),
        cmocka_unit_test(damaged_packets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
