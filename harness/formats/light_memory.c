// Comparison of lit colours with an EE memory image.
#include "harness/formats/light_memory.h"

#include <string.h>

// The light records of patch i and their offset from the patch table.
static enum ps2_status records_of(const struct fmt_level *level, size_t i, struct fmt_patch *p,
                                  struct fmt_span *records, int64_t *at, struct ps2_error *error)
{
    enum ps2_status status = fmt_patch(&level->terrain, i, 0, p, error);
    if (!status)
        status = fmt_patch_light_records(p, records, error);
    if (!status)
        *at = records->data - level->terrain.span.data - level->terrain.table_offset;
    return status;
}

// True when every patch's records stand where this table address puts them.
static bool fits(const struct fmt_level *level, struct fmt_span memory, int64_t table)
{
    for (size_t i = 0; i < (size_t)level->terrain.count; i++) {
        struct fmt_patch p;
        struct fmt_span records;
        int64_t at;
        if (records_of(level, i, &p, &records, &at, NULL) ||
            !fmt_inside(memory, table + at, (int64_t)records.size) ||
            memcmp(memory.data + table + at, records.data, records.size))
            return false;
    }
    return true;
}

enum ps2_status fmt_light_locate(const struct fmt_level *level, struct fmt_span memory, uint64_t *address,
                                 struct ps2_error *error)
{
    struct fmt_patch p;
    struct fmt_span key = {NULL, 0, NULL, 0};
    int64_t key_at = 0;
    unsigned found = 0;
    // The patch with the most records makes the most telling key.
    for (size_t i = 0; i < (size_t)level->terrain.count; i++) {
        struct fmt_span records;
        int64_t at;
        enum ps2_status status = records_of(level, i, &p, &records, &at, error);
        if (status)
            return status;
        if (records.size > key.size)
            key = records, key_at = at;
    }
    if (!key.size)
        return ps2_fail(error, PS2_BAD_INPUT, level->path, 0,
                        "the terrain has no light records to search for");
    const uint8_t *end = memory.data + memory.size;
    for (const uint8_t *q = memory.data; (q = memmem(q, (size_t)(end - q), key.data, key.size)); q++) {
        int64_t table = q - memory.data - key_at;
        if (table < 0 || !fits(level, memory, table))
            continue;
        *address = (uint64_t)table;
        found++;
    }
    if (found != 1)
        return ps2_fail(error, PS2_BAD_INPUT, memory.name, 0,
                        "the level's light records are %s in the memory image",
                        found ? "more than once" : "not");
    return PS2_OK;
}

enum ps2_status fmt_light_compare(const struct fmt_level *level, const struct fmt_light_bank *bank,
                                  const struct fmt_normal_table *table, struct fmt_span memory,
                                  struct fmt_light_comparison *out, struct ps2_error *error)
{
    memset(out, 0, sizeof *out);
    enum ps2_status status = fmt_light_locate(level, memory, &out->address, error);
    for (size_t i = 0; !status && i < (size_t)level->terrain.count; i++) {
        struct fmt_patch p;
        struct fmt_span game;
        struct fmt_light_tally tally = {0, 0, 0};
        uint8_t host[256 * 4] = {0};
        status = fmt_patch(&level->terrain, i, 0, &p, error);
        if (!status)
            status = fmt_light_patch(&p, bank, table, host, &tally, error);
        int64_t at = p.data.data - level->terrain.span.data - level->terrain.table_offset + p.header.rgba_ofs;
        if (!status)
            status = fmt_part(memory, (int64_t)out->address + at, 4 * (int64_t)tally.vertices,
                              "colours of a patch", &game, error);
        for (unsigned k = 0; !status && k < 4 * tally.vertices; k++) {
            if (game.data[k] == host[k]) {
                out->equal++;
                continue;
            }
            if (!out->different++)
                out->first_patch = (unsigned)i, out->first_vertex = k / 4;
            out->histogram[game.data[k] - host[k] + 255]++;
        }
        out->patches++;
        out->vertices += tally.vertices;
    }
    return status;
}
