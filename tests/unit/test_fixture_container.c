// Synthetic levels, outside in: container, data extent, streams, core index, spans, gameplay and overlay,
// each read by offset from the documented layouts and compared with the truth file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "tests/support/fixture_reader.h"

struct opened {
    struct fixture_level *level;
    json_t *truth;
};

static struct opened sound;

static struct opened open_number(uint64_t seed, size_t patches, unsigned number)
{
    struct opened o = {0};
    struct ps2_error error;
    const struct fixture_options options = {seed, patches, number, NULL, false};
    assert_int_equal(fixture_level_build(&options, &o.level, &error), PS2_OK);
    o.truth = truth_of(o.level);
    assert_non_null(o.truth);
    return o;
}

static void close_level(struct opened *o)
{
    json_decref(o->truth);
    fixture_level_free(o->level);
}

static int set_up(void **state)
{
    (void)state;
    sound = open_number(1, 24, 21);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    close_level(&sound);
    return 0;
}

static const struct fixture_file *file(const char *name)
{
    const struct fixture_file *f = fixture_level_file(sound.level, name);
    assert_non_null(f);
    return f;
}

static const json_t *truth(const char *name)
{
    const json_t *t = json_object_get(sound.truth, name);
    assert_non_null(t);
    return t;
}

// Extents that chain from sector 1 to the end of the file.
static unsigned chained(const struct fixture_file *wad)
{
    uint32_t at = 1;
    unsigned found = 0;
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < 10 && !more; i++)
            if (rd32(wad, 0x14 + 8 * i) && rd32(wad, 0x10 + 8 * i) == at) {
                at += rd32(wad, 0x14 + 8 * i);
                found++;
                more = true;
            }
    }
    return (size_t)at * 0x800 == wad->size ? found : 0;
}

static void container_tiles(void **state)
{
    (void)state;
    const struct fixture_file *wad = file("LEVEL21.WAD");
    assert_int_equal(rd32(wad, 0), 0x60);
    assert_int_equal(rd32(wad, 8), 30); // the id is in the header, not in the name
    assert_int_equal(chained(wad), 4);
    assert_int_equal(rd32(wad, 0x34), 0); // no chunk files
    static const char *const names[] = {"data.bin", "sound_bank.bin", "gameplay.wad", "occlusion.bin"};
    for (unsigned i = 0; i < 4; i++) {
        const struct fixture_file *part = file(names[i]);
        size_t offset = (size_t)rd32(wad, 0x10 + 8 * i) * 0x800,
               size = (size_t)rd32(wad, 0x14 + 8 * i) * 0x800;
        assert_true(part->size <= size && size - part->size < 0x800);
        assert_memory_equal(wad->data + offset, part->data, part->size);
    }
}

// Level 4 streams chunks: two more files and sound banks, and a core terrain padded to the largest chunk's.
static void chunk_files(void **state)
{
    (void)state;
    struct opened o = open_number(6, 20, 4);
    const struct fixture_file *wad = fixture_level_file(o.level, "LEVEL4.WAD");
    const struct fixture_file *core = fixture_level_file(o.level, "core_data.bin");
    const json_t *chunks = json_object_get(o.truth, "chunks");
    size_t room = 4 << 20, largest = 0, first = 0;
    uint8_t *out = malloc(room);
    assert_non_null(out);
    assert_int_equal(rd32(wad, 8), 4);
    assert_int_equal(chained(wad), 8);
    for (unsigned i = 0; i < 2; i++) {
        size_t start = (size_t)rd32(wad, 0x30 + 8 * i) * 0x800;
        for (unsigned k = 0; k < 2; k++) {
            const json_t *t = json_object_get(json_array_get(chunks, i), k ? "collision" : "tfrags");
            size_t at = start + rd32(wad, start + 4 * k);
            assert_int_equal(at - start, truth_at(t, 0));
            long size = wad_read(wad->data + at, (size_t)truth_at(t, 1), out, room, WAD_RIGHT);
            assert_int_equal(size, truth_at(t, 2));
            assert_int_equal(crc32(0, out, (uInt)size), truth_at(t, 3));
            if (k == 0) {
                const struct fixture_file block = {"tfrags", out, (size_t)size};
                largest = (size_t)size > largest ? (size_t)size : largest;
                first = i ? first : (size_t)size;
                assert_int_equal(rd32(&block, 0), 0x40);
                assert_int_equal(rd32(&block, 4), i ? 25 : 20);
                if (i == 0)
                    assert_memory_equal(out, core->data, block.size);
            } else
                assert_int_equal(out[0], 0x40);
        }
    }
    free(out);
    assert_true(largest > first);
    assert_true((uint64_t)truth_int(json_object_get(o.truth, "core_index"), "occlusion") >= largest);
    for (size_t i = first; i < largest; i++)
        assert_int_equal(core->data[i], 0);
    close_level(&o);
}

// The sector count read as bytes is long enough to hold the header, so only the declared total tells.
static void sector_trap(void **state)
{
    (void)state;
    const struct fixture_file *wad = file("LEVEL21.WAD"), *data = file("data.bin");
    uint32_t sectors = rd32(wad, 0x14), total = 0;
    assert_true(sectors >= 0x58);
    for (unsigned i = 0; i < 11; i++) {
        uint32_t end = rd32(data, 8 * i) + rd32(data, 8 * i + 4);
        total = end != UINT32_MAX && end > total ? end : total;
    }
    assert_int_equal(total, truth_int(sound.truth, "declared_total"));
    assert_true(total <= sectors * 0x800 && sectors * 0x800 - total < 0x800);
    assert_true(total > sectors); // the wrong unit fails
}

static void data_extent_ranges(void **state)
{
    (void)state;
    const struct fixture_file *data = file("data.bin");
    static const struct {
        unsigned slot;
        const char *name;
    } parts[] = {{0, "overlay.bin"}, {1, "core_index.bin"}, {2, "gs_ram.bin"}, {9, "core_data.wad"}};
    for (unsigned i = 0; i < 4; i++) {
        const struct fixture_file *part = file(parts[i].name);
        assert_int_equal(rd32(data, 8 * parts[i].slot + 4), part->size);
        assert_memory_equal(data->data + rd32(data, 8 * parts[i].slot), part->data, part->size);
    }
    for (unsigned i = 4; i < 9; i++)
        assert_memory_equal(data->data + rd32(data, 8 * i), "WAD", 3);
    assert_int_equal(rd32(data, 0x50), 0xffffffff);
    assert_int_equal(rd32(data, 0x54), 0);
    for (unsigned i = 0; i < 10; i++) // no overlap
        for (unsigned k = i + 1; k < 10; k++)
            assert_true(rd32(data, 8 * i) + rd32(data, 8 * i + 4) <= rd32(data, 8 * k));
}

static void global_pairs(void **state)
{
    (void)state;
    const struct fixture_file *global = file("global.wad");
    for (unsigned i = 0; i < 6; i++) {
        const json_t *pair = json_array_get(truth("global_pairs"), i);
        assert_int_equal(rd32(global, 8 * i), truth_at(pair, 0));
        assert_int_equal(rd32(global, 8 * i + 4), truth_at(pair, 1));
        assert_true(rd32(global, 8 * i) + rd32(global, 8 * i + 4) <= global->size);
        assert_true((uint64_t)rd32(global, 8 * i + 4) * 0x800 > global->size); // as sectors it cannot be
    }
}

static long decode(const char *packed, const char *plain, enum wad_mistake mistake, bool *equal)
{
    const struct fixture_file *in = file(packed), *want = file(plain);
    uint8_t *out = malloc(want->size + 4096);
    assert_non_null(out);
    long size = wad_read(in->data, in->size, out, want->size + 4096, mistake);
    *equal = size == (long)want->size && !memcmp(out, want->data, want->size);
    free(out);
    return size;
}

static void streams_decode(void **state)
{
    (void)state;
    bool equal;
    decode("core_data.wad", "core_data.bin", WAD_RIGHT, &equal);
    assert_true(equal);
    decode("gameplay.wad", "gameplay.bin", WAD_RIGHT, &equal);
    assert_true(equal);
    for (enum wad_mistake m = WAD_BLOCK_COPY; m <= WAD_FAR_SHORT; m++) {
        decode("core_data.wad", "core_data.bin", m, &equal);
        assert_false(equal);
    }
}

static void every_packet_form(void **state)
{
    (void)state;
    const json_t *census = json_object_get(truth("wad"), "core_data"), *value;
    const char *name;
    json_object_foreach((json_t *)(uintptr_t)census, name, value)
    {
        if (json_is_integer(value))
            assert_true(json_integer_value(value) > 0);
    }
    const json_t *little = json_object_get(census, "little");
    for (unsigned k = 0; k < 4; k++)
        for (unsigned n = 0; n < 4; n++)
            assert_true(truth_at(json_array_get(little, k), n) > 0);
}

static void core_index_chain(void **state)
{
    (void)state;
    const struct fixture_file *index = file("core_index.bin"), *core = file("core_data.bin");
    const json_t *t = truth("core_index");
    static const unsigned at[] = {0x18, 0x20, 0x28, 0x30, 0x38, 0x40, 0x48, 0x50, 0x58};
    static const unsigned size[] = {32, 32, 48, 16, 16, 16, 16, 16, 16};
    uint32_t next = 0xc0;
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(rd32(index, at[i] + 4), next);
        next += rd32(index, at[i]) * size[i];
    }
    assert_int_equal(rd32(index, 4), next); // the GS table ends the chain
    assert_int_not_equal(rd32(index, 0x2c) + rd32(index, 0x28) * 32,
                         rd32(index, 0x34)); // shrub at 0x20 breaks it
    assert_true(rd32(index, 0x08) < rd32(index, 0x0c) && rd32(index, 0x0c) < rd32(index, 0x10));
    assert_true(rd32(index, 0x10) < rd32(index, 0x14) && rd32(index, 0x14) < rd32(index, 0x60));
    assert_int_equal(rd32(index, 0x88), file("core_data.wad")->size);
    assert_int_equal(rd32(index, 0x8c), core->size);
    assert_int_equal(rd32(index, 0x60), truth_int(t, "textures_base"));
    assert_int_equal(rd32(index, 0x0c), truth_int(t, "occlusion"));
    assert_int_equal(rd32(index, 0x84), truth_int(sound.truth, "gs_stash"));
    assert_int_equal(rd32(index, 0), truth_int(sound.truth, "gs_entries"));
    assert_int_equal(rd32(index, 0x6c), rd32(index, 4) + 16 * (rd32(index, 0) + rd32(index, 0x84)));
}

static void class_tables(void **state)
{
    (void)state;
    const struct fixture_file *index = file("core_index.bin"), *core = file("core_data.bin");
    static const char *const kinds[] = {"moby class", "tie class", "shrub class"};
    static const unsigned size[] = {32, 32, 48};
    for (unsigned k = 0; k < 3; k++) {
        const json_t *list = json_object_get(truth("classes"), kinds[k]);
        uint32_t count = rd32(index, 0x18 + 8 * k), table = rd32(index, 0x1c + 8 * k);
        assert_int_equal(count, json_array_size(list));
        for (uint32_t i = 0; i < count; i++) {
            const json_t *class = json_array_get(list, i);
            uint32_t entry = table + i * size[k], offset = rd32(index, entry);
            assert_int_equal(offset, truth_at(class, 0));
            assert_int_equal(rd32(index, entry + 4), truth_at(class, 1));
            assert_true(offset < core->size);
            if (k == 1)
                assert_int_equal(rd16(core, offset + 0x44), rd32(index, entry + 4)); // a tie names its class
            if (k == 2)
                assert_int_equal(rd16(index, entry + 0x20) != 0, truth_at(class, 2));
            if (k == 2 && offset)
                assert_int_equal(rd32(core, offset + 0x1c) != 0, truth_at(class, 2));
            if (k == 0)
                assert_int_equal(rd8(index, entry + 0x10), 0xff);
        }
    }
}

// Starts as a reader knows them, with and without the sequence table: the last class must differ.
static void span_bounds(void **state)
{
    (void)state;
    const struct fixture_file *index = file("core_index.bin"), *core = file("core_data.bin");
    const json_t *spans = truth("spans");
    uint32_t table = rd32(index, 0x78), first = UINT32_MAX;
    unsigned sequences = 0;
    for (unsigned i = 0; i < 256; i++)
        if (rd32(index, table + 4 * i)) {
            sequences++;
            first = rd32(index, table + 4 * i) < first ? rd32(index, table + 4 * i) : first;
        }
    assert_int_equal(sequences, truth_int(truth("rare"), "sequences"));
    assert_int_equal(rd16(core, first), 0x7cf6);
    const json_t *last = NULL;
    for (size_t i = 0; i < json_array_size(spans); i++) {
        const json_t *span = json_array_get(spans, i);
        if (i + 1 < json_array_size(spans))
            assert_int_equal(truth_at(span, 3), truth_at(json_array_get(spans, i + 1), 2));
        if (truth_at(span, 2) < first)
            last = span;
    }
    assert_string_equal(json_string_value(json_array_get(last, 0)), "shrub class");
    assert_int_equal(truth_at(last, 3), first);
    assert_true(core->size - first > 10000); // bounding it by the end of the lump takes this much too much
}

static void gameplay_table(void **state)
{
    (void)state;
    const struct fixture_file *game = file("gameplay.bin");
    const json_t *sections = json_object_get(truth("gameplay"), "sections");
    for (unsigned i = 0; i < 39; i++) {
        assert_int_equal(rd32(game, 4 * i), truth_at(json_array_get(sections, i), 1));
        assert_true(rd32(game, 4 * i) < game->size);
    }
    assert_int_equal(rd32(game, 0x9c), 0);
    assert_int_equal(rd32(game, 0x8c), 160);
    assert_int_equal(rd32(game, 0x00), 160 + 0x10 + 5 * 0x20);
    assert_int_equal(rd32(game, 0x10), rd32(game, 0) + 0x80);
    uint32_t lights = rd32(game, 4), transitions = rd32(game, 0x84), cameras = rd32(game, 8);
    assert_int_equal(lights + 0x10 + rd32(game, lights) * 0x40, transitions);
    assert_int_equal(transitions + 0x10 + rd32(game, transitions) * 0x90, cameras);
    assert_int_equal(cameras + 0x10 + rd32(game, cameras) * 0x20, rd32(game, 0xc));
    assert_int_equal(rd32(game, 0x88) + 0x4010, rd32(game, 0x80));
    assert_int_equal(rd32(game, lights), truth_int(truth("lights"), "count"));
    const json_t *sets = json_object_get(truth("lights"), "sets");
    for (uint32_t i = 0; i < rd32(game, lights); i++)
        for (unsigned k = 0; k < 16; k++)
            assert_int_equal(rd32(game, lights + 0x10 + 0x40 * i + 4 * k),
                             truth_at(json_array_get(sets, i), k));
}

static void overlay_sections(void **state)
{
    (void)state;
    const struct fixture_file *overlay = file("overlay.bin");
    const json_t *sections = json_object_get(truth("overlay"), "sections");
    uint32_t at = 0, count = 0, entry = rd32(overlay, 12);
    assert_int_equal(rd32(overlay, 0), 0x1a7c80);
    assert_int_equal(entry, truth_int(truth("overlay"), "entry"));
    for (; at < overlay->size && rd32(overlay, at + 12) == entry; count++) {
        const json_t *s = json_array_get(sections, count);
        assert_int_equal(at + 16, truth_at(s, 1));
        assert_int_equal(rd32(overlay, at), truth_at(s, 2));
        assert_int_equal(rd32(overlay, at + 4), truth_at(s, 3));
        assert_int_equal(rd32(overlay, at + 8), truth_at(s, 4));
        at += 16 + rd32(overlay, at + 4);
    }
    assert_int_equal(count, 7);
    assert_true(at + 16 < overlay->size); // an eighth record follows, with another entry point
    uint32_t text = (uint32_t)truth_at(json_array_get(sections, 6), 2);
    assert_true(entry >= text && entry < text + (uint32_t)truth_at(json_array_get(sections, 6), 3));
}

static bool printable(const struct fixture_file *f, uint32_t at, unsigned least)
{
    unsigned n = 0;
    while (rd8(f, at + n) >= 0x20 && rd8(f, at + n) < 0x7f)
        n++;
    return n >= least && rd8(f, at + n) == 0;
}

// A scan at every multiple of 16 finds the tails of long strings as well, so it finds more than there are.
static void overlay_strings(void **state)
{
    (void)state;
    const struct fixture_file *overlay = file("overlay.bin");
    const json_t *strings = json_object_get(truth("overlay"), "strings");
    size_t count = json_array_size(strings), scanned = 0;
    uint32_t first = (uint32_t)truth_at(json_array_get(strings, 0), 0);
    const json_t *final = json_array_get(strings, count - 1);
    assert_int_equal(first, 0x20);
    for (size_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)truth_at(json_array_get(strings, i), 0);
        assert_int_equal(at % 16, 0);
        assert_true(printable(overlay, at, (unsigned)truth_at(json_array_get(strings, i), 1)));
    }
    for (uint32_t at = first; at <= (uint32_t)truth_at(final, 0); at += 16)
        scanned += printable(overlay, at, 1);
    assert_true(scanned > count);
    struct opened other = open_number(99, 30, 20);
    const struct fixture_file *second = fixture_level_file(other.level, "overlay.bin");
    assert_memory_equal(overlay->data + 0x10, second->data + 0x10, 0x1220 - 0x10); // the same on every level
    assert_true(memcmp(overlay->data + 0x1220, second->data + 0x1220, 0x100) != 0);
    close_level(&other);
}

static bool curve_at(const struct fixture_file *f, uint32_t at, unsigned entries)
{
    // cos and sin of i * pi/128 by rotation, which is exact enough for this comparison
    double c = 1, s = 0;
    const double step_c = 0.99969881869620425, step_s = 0.024541228522912288;
    for (unsigned i = 0; i < entries; i++) {
        double dc = rd_real(f, at + 8 * i) - c, ds = rd_real(f, at + 8 * i + 4) - s,
               next = c * step_c - s * step_s;
        if (dc > 1e-6 || dc < -1e-6 || ds > 1e-6 || ds < -1e-6)
            return false;
        s = c * step_s + s * step_c;
        c = next;
    }
    return true;
}

static void normal_table(void **state)
{
    (void)state;
    const struct fixture_file *overlay = file("overlay.bin");
    unsigned starts = 0, tables = 0, short_tables = 0;
    for (uint32_t at = 0; at + 2048 <= overlay->size; at += 4)
        if (rd32(overlay, at) == 0x3f800000 && rd32(overlay, at + 4) == 0) {
            starts++;
            short_tables += curve_at(overlay, at, 32);
            if (curve_at(overlay, at, 256)) {
                tables++;
                assert_int_equal(at, truth_int(truth("normal_table"), "offset"));
            }
        }
    assert_int_equal(tables, 1);
    assert_true(short_tables >= 3); // checking 32 entries finds the truncated and the corrupted copy too
    assert_true(starts >= 7);
    assert_int_equal(truth_int(truth("normal_table"), "offset") % 8, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(container_tiles),   cmocka_unit_test(chunk_files),
        cmocka_unit_test(sector_trap),       cmocka_unit_test(data_extent_ranges),
        cmocka_unit_test(global_pairs),      cmocka_unit_test(streams_decode),
        cmocka_unit_test(every_packet_form), cmocka_unit_test(core_index_chain),
        cmocka_unit_test(class_tables),      cmocka_unit_test(span_bounds),
        cmocka_unit_test(gameplay_table),    cmocka_unit_test(overlay_sections),
        cmocka_unit_test(overlay_strings),   cmocka_unit_test(normal_table),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
