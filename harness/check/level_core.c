// Checks of the core index (sections 3, 4 and 6).
#include "harness/check/level.h"

#include "harness/formats/wad.h"

#include <stdlib.h>
#include <string.h>

#define TRIALS 400

static uint32_t random_word(struct fmt_span index, uint64_t *seed)
{
    return fmt_u32(index.data + 4 * (check_random(seed) % (index.size / 4)));
}

// Regions ascend and end inside; control: five words of the index at random.
static void regions(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {
        .name = "core.regions", .unit = "indexes", .control = "random words of the index", .need = 1.0};
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX];
    struct ps2_error why = {0};
    uint64_t seed = 11;
    check_count(&c, !fmt_core_regions(index, &level->core, &why), &why);
    for (unsigned t = 0; t < TRIALS; t++) {
        struct fmt_core_index w = level->core;
        w.tfrags = (int32_t)random_word(index, &seed);
        w.occlusion = (int32_t)random_word(index, &seed);
        w.sky = (int32_t)random_word(index, &seed);
        w.collision = (int32_t)random_word(index, &seed);
        w.textures_base = (int32_t)random_word(index, &seed);
        check_control(&c, !fmt_core_regions(index, &w, NULL));
    }
    check_list_add(list, &c);
}

// Tables chain; control: every other entry size, table by table.
static void chain(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {
        .name = "core.chain", .unit = "table joins", .control = "other entry sizes", .need = 1.0};
    const struct fmt_core_index *i = &level->core;
    const struct {
        struct fmt_table table;
        int64_t stride;
        int32_t next;
    } joins[] = {
        {i->moby_classes, 0x20, i->tie_classes.offset},
        {i->tie_classes, 0x20, i->shrub_classes.offset},
        {i->shrub_classes, 0x30, i->tfrag_textures.offset},
        {i->tfrag_textures, 0x10, i->moby_textures.offset},
        {i->moby_textures, 0x10, i->tie_textures.offset},
        {i->tie_textures, 0x10, i->shrub_textures.offset},
    };
    struct ps2_error why = {0};
    fmt_core_chain(level->files[FMT_FILE_CORE_INDEX], i, &why);
    for (unsigned k = 0; k < sizeof joins / sizeof *joins; k++) {
        int64_t start = joins[k].table.offset, count = joins[k].table.count;
        check_count(&c, start + count * joins[k].stride == joins[k].next, &why);
        for (int64_t stride = 4; stride <= 64 && count; stride += 4)
            if (stride != joins[k].stride)
                check_control(&c, start + count * stride == joins[k].next);
    }
    check_list_add(list, &c);
}

// The stream's two sizes stand in the header; control: every other word of the header.
static void sizes(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {.name = "core.sizes", .unit = "sizes", .control = "other header words", .need = 1.0};
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX], stream = level->files[FMT_FILE_CORE_STREAM];
    struct fmt_wad_header header = {0, {0}};
    struct ps2_error why;
    uint32_t decoded = (uint32_t)level->files[FMT_FILE_CORE_DATA].size;
    fmt_fail(index, 0x88, &why, "core index: declares %d and %d bytes of core data",
             level->core.core_data_compressed, level->core.core_data_size);
    check_count(&c, (uint32_t)level->core.core_data_size == decoded, &why);
    if (stream.size && !fmt_wad_header(stream, &header, NULL))
        check_count(&c, (uint32_t)level->core.core_data_compressed == header.length, &why);
    for (unsigned at = 0; at < FMT_CORE_HEADER_SIZE; at += 4)
        if (at != 0x88 && at != 0x8C)
            check_control(&c,
                          fmt_u32(index.data + at) == decoded || fmt_u32(index.data + at) == header.length);
    check_list_add(list, &c);
}

// Class offsets are 0 or inside core data past the terrain; control: the other words of the entries.
static void classes(const struct fmt_level *level, struct check_list *list, struct check_totals *totals)
{
    struct check c = {.name = "core.class_offsets",
                      .unit = "classes",
                      .control = "words of the texture slots",
                      .need = 1.0};
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX];
    int64_t size = (int64_t)level->files[FMT_FILE_CORE_DATA].size;
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++) {
        struct fmt_table t = fmt_class_table(&level->core, kind);
        totals->classes[kind] += (uint64_t)t.count;
        for (size_t i = 0; i < (size_t)t.count; i++) {
            struct fmt_class entry = fmt_class_entry(index, &level->core, kind, i);
            struct ps2_error why;
            uint64_t at = (uint64_t)t.offset + i * fmt_class_stride(kind);
            fmt_fail(index, at, &why, "%s class %zu (number %d): offset 0x%x is outside core data",
                     fmt_class_kind_name(kind), i, entry.number, (unsigned)entry.offset);
            check_count(&c, entry.offset >= 0 && entry.offset < size, &why);
            totals->geometry[kind] += entry.offset > 0 && entry.offset < size;
            int32_t slots = fmt_s32(index.data + at + 0x10);
            check_control(&c, slots >= 0 && slots < size);
        }
    }
    check_list_add(list, &c);
}

struct bounds {
    int64_t first, last;
};

static bool apart(const struct bounds *b)
{
    for (unsigned i = 0; i < FMT_CLASS_KINDS; i++)
        for (unsigned j = 0; j < i; j++)
            if (b[i].first <= b[j].last && b[j].first <= b[i].last)
                return false;
    return true;
}

// The three kinds' spans do not overlap; control: the same offsets dealt to other kinds.
static void spans(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {.name = "core.class_spans",
                      .unit = "indexes",
                      .control = "offsets dealt to other kinds",
                      .need = 1.0};
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX];
    size_t most = 0, n = 0, starts[FMT_CLASS_KINDS + 1];
    uint64_t seed = 13;
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++)
        most += (size_t)fmt_class_table(&level->core, kind).count;
    int32_t *offsets = malloc((most + 1) * sizeof *offsets);
    uint32_t *order = malloc((most + 1) * sizeof *order);
    list->incomplete |= !offsets || !order;
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS && offsets && order; kind++) {
        starts[kind] = n;
        for (size_t i = 0; i < (size_t)fmt_class_table(&level->core, kind).count; i++) {
            int32_t offset = fmt_class_entry(index, &level->core, kind, i).offset;
            if (offset)
                offsets[n++] = offset;
        }
    }
    starts[FMT_CLASS_KINDS] = n;
    for (unsigned t = 0; t <= TRIALS && n && order; t++) {
        struct bounds b[FMT_CLASS_KINDS];
        check_shuffle(order, n, &seed);
        for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++) {
            b[kind] = (struct bounds){INT64_MAX, -1};
            for (size_t i = starts[kind]; i < starts[kind + 1]; i++) {
                int64_t offset = offsets[t ? order[i] : i];
                b[kind].first = offset < b[kind].first ? offset : b[kind].first;
                b[kind].last = offset > b[kind].last ? offset : b[kind].last;
            }
        }
        if (t)
            check_control(&c, apart(b));
        else
            check_count(&c, apart(b), NULL);
    }
    free(offsets);
    free(order);
    check_list_add(list, &c);
}

void check_core(const struct fmt_level *level, struct check_list *list, struct check_totals *totals)
{
    regions(level, list);
    chain(level, list);
    sizes(level, list);
    classes(level, list, totals);
    spans(level, list);
}
