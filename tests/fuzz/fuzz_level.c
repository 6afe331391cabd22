// Fuzzes every level structure: counts, offsets and sizes of a synthetic level damaged and read again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/fixture.h"
#include "harness/check/level.h"
#include "harness/formats/light_memory.h"
#include "harness/formats/mesh.h"
#include "harness/formats/wad.h"

enum { WHOLE_EVERY = 400 };

struct subject {
    uint8_t *bytes;
    struct fmt_span span;
};

struct level {
    struct subject container, data, index, core, gs_ram, gameplay, overlay;
};

static uint64_t seed = 4;

static uint64_t next(void)
{
    return check_random(&seed);
}

static struct subject copy_of(const struct fixture_level *level, const char *name)
{
    const struct fixture_file *file = fixture_level_file(level, name);
    struct subject s = {malloc(file->size), {NULL, 0, NULL, 0}};
    memcpy(s.bytes, file->data, file->size);
    s.span = fmt_span_of(s.bytes, file->size, file->name);
    return s;
}

// What was overwritten, to be put back.
struct damage {
    struct subject *subject;
    size_t at;
    uint8_t old[4];
};

// Overwrites a word of [low, high) with something likely to hurt.
static struct damage hurt(struct subject *s, size_t low, size_t high)
{
    static const uint32_t values[] = {0,      1,          0x7F,       0xFF,       0x7FFF,
                                      0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFF0};
    uint64_t r = next();
    high = high < s->span.size ? high : s->span.size;
    struct damage d = {s, (low + (r >> 8) % (high - low - 3)) & ~(size_t)(r & 1 ? 3 : 1), {0}};
    memcpy(d.old, s->bytes + d.at, 4);
    uint32_t old = fmt_u32(d.old);
    switch (r >> 4 & 3) {
    case 0:
        fmt_put_u32(s->bytes + d.at, values[(r >> 32) % 10]);
        break;
    case 1:
        fmt_put_u32(s->bytes + d.at, old + (uint32_t)((int32_t)((r >> 32) % 65) - 32));
        break;
    case 2:
        fmt_put_u32(s->bytes + d.at, (uint32_t)(r >> 32) % (uint32_t)(s->span.size * 2));
        break;
    default:
        fmt_put_u16(s->bytes + d.at, (uint16_t)(r >> 32));
    }
    return d;
}

static void heal(const struct damage *d)
{
    memcpy(d->subject->bytes + d->at, d->old, 4);
}

static unsigned read_container(struct level *l)
{
    struct fmt_level_header h;
    struct fmt_span extent;
    struct fmt_chunk chunk;
    unsigned errors = fmt_level_header(l->container.span, &h, NULL) != PS2_OK;
    if (errors)
        return errors;
    errors += fmt_level_tiles(l->container.span, &h, NULL) != PS2_OK;
    for (unsigned i = 0; i < FMT_LEVEL_EXTENT_COUNT; i++) {
        errors += fmt_level_extent(l->container.span, &h, i, &extent, NULL) != PS2_OK;
        if (extent.size)
            fmt_chunk(extent, &chunk, NULL);
    }
    return errors;
}

static unsigned read_data(struct level *l)
{
    struct fmt_data_header h;
    struct fmt_span part;
    unsigned errors = fmt_data_header(l->data.span, &h, NULL) != PS2_OK;
    for (unsigned i = 0; !errors && i < FMT_DATA_RANGE_COUNT; i++)
        errors += fmt_data_range(l->data.span, &h, i, &part, NULL) != PS2_OK;
    return errors + (fmt_data_fits(l->data.span, fmt_data_declared(&h), NULL) != PS2_OK);
}

static unsigned read_index(struct level *l)
{
    struct fmt_core_index c;
    unsigned errors = fmt_core_index(l->index.span, &c, NULL) != PS2_OK;
    size_t count;
    if (errors)
        return errors;
    errors += fmt_core_regions(l->index.span, &c, NULL) != PS2_OK;
    errors += fmt_core_chain(l->index.span, &c, NULL) != PS2_OK;
    errors += fmt_core_fits(l->index.span, &c, l->core.span.size, NULL) != PS2_OK;
    int64_t *starts = fmt_core_starts(l->index.span, &c, &count);
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++)
        for (int32_t i = 0; i < fmt_class_table(&c, kind).count; i++)
            fmt_core_end(starts, count, fmt_class_entry(l->index.span, &c, kind, (size_t)i).offset);
    free(starts);
    for (int32_t i = 0; i < c.gs_ram.count; i++)
        fmt_gs_ram_entry(l->index.span, &c, (size_t)i);
    const struct fmt_texture_source source = {l->core.span, l->gs_ram.span, c.textures_base};
    for (int32_t i = 0; i < c.tfrag_textures.count && i < 4; i++) {
        struct fmt_texture_entry e = fmt_texture_entry(l->index.span, c.tfrag_textures, (size_t)i);
        const struct fmt_adgif a = {0, -137, 4, 0, 0, {0}};
        uint64_t registers[5];
        struct fmt_span indices;
        unsigned w, h;
        struct fmt_palette palette;
        errors += fmt_palette(&source, &e, false, &palette, NULL) != PS2_OK;
        for (unsigned level = 0; level < FMT_MIP_COUNT; level++)
            errors += fmt_texture_level(&source, &e, level, &indices, &w, &h, NULL) != PS2_OK;
        fmt_gs_registers(&e, &a, 0x2000, registers);
    }
    return errors;
}

static unsigned read_gameplay(struct level *l)
{
    struct fmt_gameplay g;
    struct fmt_light_bank bank;
    unsigned errors = fmt_gameplay(l->gameplay.span, &g, NULL) != PS2_OK;
    for (unsigned s = 0; !errors && s < FMT_GAMEPLAY_SECTIONS; s++) {
        bool applies;
        fmt_gameplay_closes(&g, s, &applies);
    }
    return errors ? errors : fmt_light_bank(&g, &bank, NULL) != PS2_OK;
}

static unsigned read_overlay(struct level *l)
{
    struct fmt_overlay_section s;
    size_t at = 0;
    bool more = true;
    enum ps2_status status = PS2_OK;
    while (!(status = fmt_overlay_next(l->overlay.span, &at, &s, &more, NULL)) && more)
        ;
    return status != PS2_OK;
}

// The places that hold counts, offsets and sizes.
static unsigned one_run(struct level *l, unsigned which)
{
    struct damage d[3];
    unsigned count = 1 + next() % 3, errors = 0;
    for (unsigned i = 0; i < count; i++)
        switch (which) {
        case 0:
            d[i] = hurt(&l->container, 0, FMT_LEVEL_HEADER_SIZE);
            break;
        case 1:
            d[i] = hurt(&l->data, 0, FMT_DATA_HEADER_SIZE);
            break;
        case 2:
            d[i] = hurt(&l->index, 0, next() & 1 ? FMT_CORE_HEADER_SIZE : l->index.span.size);
            break;
        case 3:
            d[i] = hurt(&l->gameplay, 0, next() & 1 ? FMT_GAMEPLAY_SECTIONS * 4 : l->gameplay.span.size);
            break;
        default:
            d[i] = hurt(&l->overlay, 0, next() & 1 ? 16 : l->overlay.span.size);
        }
    switch (which) {
    case 0:
        errors = read_container(l);
        break;
    case 1:
        errors = read_data(l);
        break;
    case 2:
        errors = read_index(l);
        break;
    case 3:
        errors = read_gameplay(l);
        break;
    default:
        errors = read_overlay(l);
    }
    while (count)
        heal(&d[--count]);
    return errors;
}

// A whole level with a little damage, through every check, the light pass and the mesh. Slow, so it is run
// rarely.
static unsigned whole(struct level *l)
{
    struct damage d[4];
    struct fmt_level level;
    struct check_list list = {NULL, 0, false};
    struct check_totals totals;
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    struct fmt_mesh mesh;
    struct subject *subjects[] = {&l->index, &l->core, &l->core, &l->gs_ram, &l->gameplay, &l->overlay};
    unsigned count = 1 + next() % 4;
    for (unsigned i = 0; i < count; i++) {
        struct subject *s = subjects[next() % 6];
        // The terrain block comes first in core data, and the tables come first in the others.
        d[i] = hurt(s, 0, next() & 1 ? 0x1000 : 0x8000);
    }
    struct fmt_span files[FMT_LEVEL_FILES] = {
        [FMT_FILE_CORE_INDEX] = l->index.span, [FMT_FILE_CORE_DATA] = l->core.span,
        [FMT_FILE_GS_RAM] = l->gs_ram.span,    [FMT_FILE_GAMEPLAY] = l->gameplay.span,
        [FMT_FILE_OVERLAY] = l->overlay.span,  [FMT_FILE_DATA] = l->data.span,
    };
    memset(&totals, 0, sizeof totals);
    unsigned refused = fmt_level_from_files("fuzz", files, &level, NULL) != PS2_OK;
    if (!refused) {
        refused = check_level(&level, &list, &totals, NULL) != PS2_OK;
        bool lit = !fmt_level_lights(&level, &bank, &table, NULL);
        if (!fmt_mesh(&level, next() % 3, lit ? &bank : NULL, &table, &mesh, NULL)) {
            struct fmt_buffer glb;
            if (!fmt_glb(&level, &mesh, &glb, NULL))
                fmt_buffer_free(&glb);
            fmt_mesh_free(&mesh);
        }
        check_list_free(&list);
        fmt_level_close(&level);
    }
    while (count)
        heal(&d[--count]);
    return refused;
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000, refused[5] = {0};
    const struct fixture_options options = {.seed = 1, .patches = 12, .level = 21};
    struct fixture_level *fixture;
    if (fixture_level_build(&options, &fixture, NULL))
        return 1;
    struct level l = {copy_of(fixture, "LEVEL21.WAD"),    copy_of(fixture, "data.bin"),
                      copy_of(fixture, "core_index.bin"), copy_of(fixture, "core_data.bin"),
                      copy_of(fixture, "gs_ram.bin"),     copy_of(fixture, "gameplay.bin"),
                      copy_of(fixture, "overlay.bin")};
    fixture_level_free(fixture);
    unsigned long levels = 0, levels_refused = 0;
    for (unsigned long i = 0; i < runs; i++) {
        refused[i % 5] += one_run(&l, i % 5) != 0;
        if (i % WHOLE_EVERY == 0) {
            levels++;
            levels_refused += whole(&l);
        }
    }
    printf("fuzz_level: %lu runs; refused: container %lu, data %lu, index %lu, gameplay %lu, overlay %lu; "
           "%lu of %lu whole levels\n",
           runs, refused[0], refused[1], refused[2], refused[3], refused[4], levels_refused, levels);
    struct subject *all = &l.container;
    for (unsigned i = 0; i < 7; i++)
        free(all[i].bytes);
    for (unsigned i = 0; i < 5; i++)
        if (runs >= 1000 && !refused[i])
            return 1;
    return 0;
}
