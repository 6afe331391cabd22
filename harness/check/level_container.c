// Checks of the level container and the data extent (sections 1 and 2).
#include "harness/check/level.h"

#include "harness/formats/wad.h"

#include <stdlib.h>
#include <string.h>

#define TRIALS 200

// Extents tile the file; control: the same sizes dealt to other extents.
static void tiling(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {
        .name = "container.tiling", .unit = "files", .control = "extent sizes shuffled", .need = 1.0};
    struct ps2_error why = {0};
    uint64_t seed = 1;
    uint32_t order[FMT_LEVEL_EXTENT_COUNT];
    unsigned used[FMT_LEVEL_EXTENT_COUNT] = {0}, n = 0;
    check_count(&c, !fmt_level_tiles(level->container, &level->header, &why), &why);
    for (unsigned i = 0; i < FMT_LEVEL_EXTENT_COUNT; i++)
        if (level->header.extents[i].size)
            used[n++] = i;
    for (unsigned t = 0; t < TRIALS; t++) {
        struct fmt_level_header h = level->header;
        check_shuffle(order, n, &seed);
        for (unsigned i = 0; i < n; i++)
            h.extents[used[i]].size = level->header.extents[used[order[i]]].size;
        if (memcmp(&h, &level->header, sizeof h))
            check_control(&c, !fmt_level_tiles(level->container, &h, NULL));
    }
    check_list_add(list, &c);
}

// The data extent's own total ends in its last sector; control: its size as bytes, and at other sector
// counts.
static void unit(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {.name = "container.unit",
                      .unit = "extents",
                      .control = "other sizes, sectors read as bytes among them",
                      .need = 1.0};
    struct fmt_span data = level->files[FMT_FILE_DATA];
    struct fmt_data_header h;
    struct ps2_error why = {0};
    uint64_t seed = 2;
    enum ps2_status status = fmt_data_header(data, &h, &why);
    int64_t declared = status ? 0 : fmt_data_declared(&h);
    check_count(&c, !status && !fmt_data_fits(data, declared, &why), &why);
    for (unsigned t = 0; t < TRIALS; t++) {
        struct fmt_span other = data;
        other.size = t ? FMT_SECTOR * (1 + check_random(&seed) % (2 * data.size / FMT_SECTOR))
                       : data.size / FMT_SECTOR;
        if (other.size != data.size)
            check_control(&c, !fmt_data_fits(other, declared, NULL));
    }
    check_list_add(list, &c);
}

// Ranges inside and apart; control: their sizes shuffled.
static void ranges(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {
        .name = "container.ranges", .unit = "extents", .control = "range sizes shuffled", .need = 1.0};
    struct fmt_span data = level->files[FMT_FILE_DATA];
    struct fmt_data_header h;
    struct ps2_error why = {0};
    uint64_t seed = 3;
    uint8_t header[FMT_DATA_HEADER_SIZE];
    uint32_t order[FMT_DATA_RANGE_COUNT];
    unsigned used[FMT_DATA_RANGE_COUNT], n = 0;
    check_count(&c, !fmt_data_header(data, &h, &why), &why);
    for (unsigned i = 0; i < FMT_DATA_RANGE_COUNT && data.size >= FMT_DATA_HEADER_SIZE; i++)
        if (fmt_u32(data.data + 8 * i + 4))
            used[n++] = i;
    for (unsigned t = 0; t < TRIALS && n > 1; t++) {
        // The ranges are checked against a span of the same size whose first bytes are the shuffled header.
        bool same = true, inside = true;
        memcpy(header, data.data, sizeof header);
        check_shuffle(order, n, &seed);
        for (unsigned i = 0; i < n; i++) {
            memcpy(header + 8 * used[i] + 4, data.data + 8 * used[order[i]] + 4, 4);
            same &= order[i] == i;
        }
        for (unsigned i = 0; i < n; i++) {
            int64_t a = fmt_s32(header + 8 * used[i]), a_size = fmt_s32(header + 8 * used[i] + 4);
            inside &= fmt_inside(data, a, a_size);
            for (unsigned j = 0; j < i; j++) {
                int64_t b = fmt_s32(header + 8 * used[j]), b_size = fmt_s32(header + 8 * used[j] + 4);
                inside &= a + a_size <= b || b + b_size <= a;
            }
        }
        if (!same)
            check_control(&c, inside);
    }
    check_list_add(list, &c);
}

// The files of a folder are the container's; control: another file's bytes.
static void members(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {
        .name = "container.members", .unit = "files", .control = "bytes 0x100 further", .need = 1.0};
    struct fmt_span data;
    struct fmt_data_header h;
    static const unsigned pairs[][2] = {{FMT_DATA_OVERLAY, FMT_FILE_OVERLAY},
                                        {FMT_DATA_CORE_INDEX, FMT_FILE_CORE_INDEX},
                                        {FMT_DATA_GS_RAM, FMT_FILE_GS_RAM},
                                        {FMT_DATA_CORE_DATA, FMT_FILE_CORE_STREAM}};
    if (fmt_level_extent(level->container, &level->header, FMT_LEVEL_DATA, &data, NULL) ||
        fmt_data_header(data, &h, NULL))
        return;
    for (unsigned i = 0; i < 4; i++) {
        struct fmt_span part, file = level->files[pairs[i][1]];
        struct ps2_error why = {0};
        if (!file.size || !level->owned[pairs[i][1]].data ||
            fmt_data_range(data, &h, pairs[i][0], &part, NULL))
            continue;
        bool same = part.size == file.size && !memcmp(part.data, file.data, file.size);
        fmt_fail(file, 0, &why, "the file is not the container's %s", fmt_data_range_name(pairs[i][0]));
        check_count(&c, same, &why);
        for (unsigned t = 1; t <= 20 && part.size > 0x100 * t; t++)
            check_control(&c, part.size == file.size &&
                                  !memcmp(part.data + 0x100 * t, file.data, file.size - 0x100 * t));
    }
    check_list_add(list, &c);
}

// A stream decodes to the file that the folder keeps decoded; without one, it decodes. Control: the stream
// with one byte changed.
static void one_stream(const struct fmt_level *level, unsigned stream, unsigned file, struct check *c)
{
    struct fmt_span stored = level->files[stream], kept = level->files[file];
    struct fmt_buffer out;
    struct ps2_error why = {0};
    uint64_t seed = 5 + stream;
    if (!stored.size)
        return;
    enum ps2_status status = fmt_wad_decode(stored, kept.size, &out, &why);
    bool same = !status && out.size == kept.size && !memcmp(out.data, kept.data, out.size);
    if (!status)
        fmt_fail(stored, 0, &why, "the stream decodes to %zu bytes that are not those of the decoded file",
                 out.size);
    check_count(c, same, &why);
    fmt_buffer_free(&out);
    // Enough of the start to tell: the streams are long and every control decodes one.
    size_t window = stored.size < 0x4000 ? stored.size : 0x4000;
    uint8_t *copy = malloc(window + 1);
    for (unsigned t = 0; t < 20 && copy && window > 0x20; t++) {
        memcpy(copy, stored.data, window);
        copy[0x10 + check_random(&seed) % (window - 0x10)] ^= (uint8_t)(1 + check_random(&seed) % 255);
        fmt_put_u32(copy + 3, (uint32_t)window);
        bool equal = !fmt_wad_decode(fmt_span_of(copy, window, "control"), 0, &out, NULL) &&
                     out.size <= kept.size && !memcmp(out.data, kept.data, out.size);
        check_control(c, equal);
        fmt_buffer_free(&out);
    }
    free(copy);
}

static void streams(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {.name = "wad.streams", .unit = "streams", .control = "one byte changed", .need = 1.0};
    one_stream(level, FMT_FILE_CORE_STREAM, FMT_FILE_CORE_DATA, &c);
    one_stream(level, FMT_FILE_GAMEPLAY_STREAM, FMT_FILE_GAMEPLAY, &c);
    check_list_add(list, &c);
}

void check_container(const struct fmt_level *level, struct check_list *list)
{
    if (level->container.size) {
        tiling(level, list);
        members(level, list);
    }
    if (level->files[FMT_FILE_DATA].size >= FMT_SECTOR) {
        unit(level, list);
        ranges(level, list);
    }
    streams(level, list);
}
