// Extents of a level in captured memory: found by content at their addresses, and what a load changed is
// counted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/level.h"
#include "harness/formats/extents.h"
#include "tests/support/p2s_maker.h"
#include "tests/support/scratch.h"

enum { PATCHES = 20 };

static struct scratch_level scratch;
static struct fmt_level level;
static uint8_t *ram;
static size_t ram_size;

static int load(void **state)
{
    (void)state;
    scratch_level_build(&scratch, PATCHES, NULL, true);
    const uint8_t *memory = scratch_level_file(&scratch, "ee_ram.bin", &ram_size);
    ram = malloc(ram_size);
    if (!ram || fmt_level_open(scratch.folder, &level, NULL) != PS2_OK)
        return 1;
    memcpy(ram, memory, ram_size);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    fmt_level_close(&level);
    free(ram);
    scratch_level_free(&scratch);
    return 0;
}

static struct fmt_extents find(void)
{
    struct fmt_extents e;
    struct ps2_error error;
    if (fmt_find_extents(&level, fmt_span_of(ram, ram_size, "ram"), &e, &error) != PS2_OK)
        fail_msg("%s", error.message);
    return e;
}

static const struct fmt_extent *named(const struct fmt_extents *e, const char *name)
{
    for (size_t n = 0; n < e->count; n++)
        if (!strcmp(e->list[n].name, name))
            return &e->list[n];
    fail_msg("no extent %s", name);
    return NULL;
}

static void extents_are_found_where_the_load_put_them(void **state)
{
    (void)state;
    struct fmt_extents e = find();
    const struct fmt_extent *terrain = named(&e, "terrain"), *gameplay = named(&e, "gameplay");
    assert_true(terrain->found && gameplay->found);
    assert_int_equal(terrain->address, scratch.level->addresses.terrain + (uint32_t)level.core.tfrags);
    assert_int_equal(gameplay->address, scratch.level->addresses.gameplay);
    assert_int_equal(gameplay->equal, gameplay->data.size);
    // The load turns each patch's data offset into an address; ad-gifs and colours are other changes.
    assert_int_equal(terrain->pointers, PATCHES);
    assert_true(terrain->changed && terrain->equal < terrain->data.size);
    unsigned overlays = 0;
    for (size_t n = 0; n < e.count; n++) {
        const struct fmt_extent *x = &e.list[n];
        assert_true(x->control <= 1);
        if (strncmp(x->name, "overlay 0x", 10) || !x->windows)
            continue;
        assert_true(x->found);
        assert_int_equal(x->address, strtoul(x->name + 8, NULL, 16));
        overlays++;
    }
    assert_true(overlays >= 2);
}

static void what_is_not_there_is_not_found(void **state)
{
    (void)state;
    struct fmt_extents e = find();
    assert_false(named(&e, "sky")->found);
    assert_false(named(&e, "textures and classes")->found);
    assert_true(named(&e, "textures and classes")->windows > 100);
    // The same memory with its words in other places.
    for (size_t at = 0; at + 8 <= ram_size; at += 8) {
        uint32_t word;
        memcpy(&word, ram + at, 4);
        memcpy(ram + at, ram + at + 4, 4);
        memcpy(ram + at + 4, &word, 4);
    }
    e = find();
    for (size_t n = 0; n < e.count; n++)
        assert_false(e.list[n].found);
    size_t size;
    memcpy(ram, scratch_level_file(&scratch, "ee_ram.bin", &size), ram_size);
}

static void one_byte_is_one_difference(void **state)
{
    (void)state;
    struct fmt_extents before = find();
    const struct fmt_extent *gameplay = named(&before, "gameplay"), *terrain = named(&before, "terrain");
    const uint32_t places[] = {gameplay->address + 0x123,
                               terrain->address + (uint32_t)terrain->data.size - 1};
    for (unsigned n = 0; n < 2; n++) {
        ram[places[n]] ^= 0x40;
        struct fmt_extents after = find();
        ram[places[n]] ^= 0x40;
        const struct fmt_extent *a = named(&after, n ? "terrain" : "gameplay"), *b = n ? terrain : gameplay;
        assert_int_equal(a->address, b->address);
        assert_int_equal(a->equal, b->equal - 1);
        assert_int_equal(a->changed, b->changed + 1);
        assert_int_equal(a->pointers, b->pointers);
    }
}

static void an_extent_at_the_end_of_memory_is_no_trouble(void **state)
{
    (void)state;
    struct fmt_extents e = find();
    size_t whole = ram_size, end = named(&e, "terrain")->address + named(&e, "terrain")->data.size;
    ram_size = end;
    e = find();
    assert_true(named(&e, "terrain")->found);
    ram_size = end - 1;
    e = find();
    assert_false(named(&e, "terrain")->found);
    ram_size = 10;
    e = find();
    assert_false(named(&e, "terrain")->found);
    ram_size = whole;
}

// The whole way: a save state made by a second hand, read, searched.
static void extents_are_found_in_a_save_state(void **state)
{
    (void)state;
    struct p2s_contents contents;
    struct ps2 *ps2;
    char path[512];
    size_t size;
    uint32_t held;
    p2s_contents_make(&contents, 3);
    assert_int_equal(contents.ram_size, ram_size);
    memcpy(contents.ram, ram, ram_size);
    uint8_t *data = p2s_make(&contents, &(struct p2s_options){.layout = P2S_9A59, .method = ZIP_ZSTD}, &size);
    snprintf(path, sizeof path, "%s/level.p2s", scratch.folder);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
    assert_int_equal(ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &ps2, NULL), PS2_OK);
    assert_int_equal(ps2_load_state(ps2, path, NULL, NULL), PS2_OK);
    struct fmt_extents e, before = find();
    const uint8_t *loaded = ee_ram(ps2_ee(ps2), &held);
    assert_int_equal(fmt_find_extents(&level, fmt_span_of(loaded, held, "state"), &e, NULL), PS2_OK);
    assert_true(named(&e, "terrain")->found);
    assert_int_equal(named(&e, "terrain")->address, named(&before, "terrain")->address);
    assert_int_equal(named(&e, "terrain")->equal, named(&before, "terrain")->equal);
    ps2_free(ps2);
    free(data);
    p2s_contents_free(&contents);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents_are_found_where_the_load_put_them),
        cmocka_unit_test(what_is_not_there_is_not_found),
        cmocka_unit_test(one_byte_is_one_difference),
        cmocka_unit_test(an_extent_at_the_end_of_memory_is_no_trouble),
        cmocka_unit_test(extents_are_found_in_a_save_state),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
