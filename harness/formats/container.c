// The level container: sector-unit header, byte-unit data extent, chunk extents.
#include "harness/formats/container.h"

#include "harness/formats/wad.h"

const char *fmt_level_extent_name(unsigned extent)
{
    static const char *const names[FMT_LEVEL_EXTENT_COUNT] = {
        "data.bin",   "sound_bank.bin", "gameplay.bin",     "occlusion.bin",    "chunk0.bin",
        "chunk1.bin", "chunk2.bin",     "chunk_sound0.bin", "chunk_sound1.bin", "chunk_sound2.bin",
    };
    return names[extent];
}

const char *fmt_data_range_name(unsigned range)
{
    static const char *const names[FMT_DATA_RANGE_COUNT] = {
        "overlay.bin",    "core_index.bin",          "gs_ram.bin",
        "hud_header.bin", "hud_bank0.wad",           "hud_bank1.wad",
        "hud_bank2.wad",  "hud_bank3.wad",           "hud_bank4.wad",
        "core_data.wad",  "transition_textures.wad",
    };
    return names[range];
}

enum ps2_status fmt_level_header(struct fmt_span file, struct fmt_level_header *header,
                                 struct ps2_error *error)
{
    if (file.size < FMT_LEVEL_HEADER_SIZE)
        return fmt_fail(file, 0, error, "level header: %zu bytes, the header has 0x60", file.size);
    const uint8_t *p = file.data;
    header->header_size = fmt_s32(p);
    if (header->header_size == 0x68)
        return fmt_fail(file, 0, error,
                        "unsupported: a level header of 0x68 bytes (another build of the game)");
    if (header->header_size != FMT_LEVEL_HEADER_SIZE)
        return fmt_fail(file, 0, error, "level header: header_size is 0x%x, not 0x60", header->header_size);
    header->sector = fmt_s32(p + 4);
    header->level_id = fmt_s32(p + 8);
    header->reverb = fmt_s32(p + 12);
    for (unsigned i = 0; i < FMT_LEVEL_EXTENT_COUNT; i++) {
        struct fmt_sectors *s = &header->extents[i];
        *s = (struct fmt_sectors){fmt_s32(p + 0x10 + 8 * i), fmt_s32(p + 0x14 + 8 * i)};
        if (s->size == 0)
            continue;
        if (s->offset < 1 ||
            !fmt_inside(file, (int64_t)s->offset * FMT_SECTOR, (int64_t)s->size * FMT_SECTOR))
            return fmt_fail(file, 0x10 + 8 * i, error,
                            "level header: %s at sector %d, %d sectors, is outside the %zu bytes of the file",
                            fmt_level_extent_name(i), s->offset, s->size, file.size);
    }
    return PS2_OK;
}

void fmt_level_header_write(const struct fmt_level_header *header, uint8_t out[FMT_LEVEL_HEADER_SIZE])
{
    fmt_put_u32(out, (uint32_t)header->header_size);
    fmt_put_u32(out + 4, (uint32_t)header->sector);
    fmt_put_u32(out + 8, (uint32_t)header->level_id);
    fmt_put_u32(out + 12, (uint32_t)header->reverb);
    for (unsigned i = 0; i < FMT_LEVEL_EXTENT_COUNT; i++) {
        fmt_put_u32(out + 0x10 + 8 * i, (uint32_t)header->extents[i].offset);
        fmt_put_u32(out + 0x14 + 8 * i, (uint32_t)header->extents[i].size);
    }
}

enum ps2_status fmt_level_extent(struct fmt_span file, const struct fmt_level_header *header, unsigned extent,
                                 struct fmt_span *out, struct ps2_error *error)
{
    struct fmt_sectors s = header->extents[extent];
    return fmt_part(file, (int64_t)s.offset * FMT_SECTOR, (int64_t)s.size * FMT_SECTOR,
                    fmt_level_extent_name(extent), out, error);
}

enum ps2_status fmt_level_tiles(struct fmt_span file, const struct fmt_level_header *header,
                                struct ps2_error *error)
{
    int64_t at = 1;
    bool used[FMT_LEVEL_EXTENT_COUNT] = {false};
    for (;;) {
        int next = -1, left = -1;
        for (int i = 0; i < FMT_LEVEL_EXTENT_COUNT; i++) {
            if (used[i] || !header->extents[i].size)
                continue;
            left = i;
            if (header->extents[i].offset == at)
                next = i;
        }
        if (left < 0)
            break;
        if (next < 0)
            return fmt_fail(
                file, 0x10 + 8 * (uint64_t)left, error,
                "level header: extents do not tile the file: none starts at sector %lld, %s at %d",
                (long long)at, fmt_level_extent_name((unsigned)left), header->extents[left].offset);
        used[next] = true;
        at += header->extents[next].size;
    }
    if (at * FMT_SECTOR != (int64_t)file.size)
        return fmt_fail(file, 0x10, error, "level header: extents end at sector %lld, the file has %zu bytes",
                        (long long)at, file.size);
    return PS2_OK;
}

enum ps2_status fmt_data_header(struct fmt_span data, struct fmt_data_header *header, struct ps2_error *error)
{
    if (data.size < FMT_DATA_HEADER_SIZE)
        return fmt_fail(data, 0, error, "data extent: %zu bytes, its header has 0x58", data.size);
    for (unsigned i = 0; i < FMT_DATA_RANGE_COUNT; i++) {
        struct fmt_range *r = &header->ranges[i];
        *r = (struct fmt_range){fmt_s32(data.data + 8 * i), fmt_s32(data.data + 8 * i + 4)};
        if (r->size == 0)
            continue;
        if (r->offset < FMT_DATA_HEADER_SIZE || !fmt_inside(data, r->offset, r->size))
            return fmt_fail(data, 8 * i, error,
                            "data extent: %s at 0x%x, %d bytes, is outside the %zu bytes here",
                            fmt_data_range_name(i), (unsigned)r->offset, r->size, data.size);
        for (unsigned j = 0; j < i; j++) {
            const struct fmt_range *o = &header->ranges[j];
            if (o->size && r->offset < o->offset + o->size && o->offset < r->offset + r->size)
                return fmt_fail(data, 8 * i, error, "data extent: %s at 0x%x overlaps %s at 0x%x",
                                fmt_data_range_name(i), (unsigned)r->offset, fmt_data_range_name(j),
                                (unsigned)o->offset);
        }
    }
    return PS2_OK;
}

enum ps2_status fmt_data_range(struct fmt_span data, const struct fmt_data_header *header, unsigned range,
                               struct fmt_span *out, struct ps2_error *error)
{
    struct fmt_range r = header->ranges[range];
    return fmt_part(data, r.size ? r.offset : 0, r.size, fmt_data_range_name(range), out, error);
}

int64_t fmt_data_declared(const struct fmt_data_header *header)
{
    int64_t end = FMT_DATA_HEADER_SIZE;
    for (unsigned i = 0; i < FMT_DATA_RANGE_COUNT; i++) {
        const struct fmt_range *r = &header->ranges[i];
        if (r->size && (int64_t)r->offset + r->size > end)
            end = (int64_t)r->offset + r->size;
    }
    return end;
}

enum ps2_status fmt_data_fits(struct fmt_span data, int64_t declared, struct ps2_error *error)
{
    int64_t slack = (int64_t)data.size - declared;
    if (slack < 0 || slack >= FMT_SECTOR)
        return fmt_fail(
            data, 0, error,
            "data extent: declares %lld bytes, %zu are here (ratio %.1f; 2048 means a sector count read "
            "as bytes)",
            (long long)declared, data.size, data.size ? (double)declared / (double)data.size : 0.0);
    return PS2_OK;
}

enum ps2_status fmt_pair(struct fmt_span file, size_t index, enum fmt_unit unit, struct fmt_span *out,
                         struct ps2_error *error)
{
    *out = (struct fmt_span){NULL, 0, file.name, 0};
    if (index >= file.size / 8)
        return PS2_OK;
    const uint8_t *p = file.data + index * 8;
    int64_t first = file.size >= 8 ? fmt_s32(file.data) * (int64_t)unit : 0;
    if (!fmt_s32(p + 4) || (int64_t)index * 8 >= first)
        return PS2_OK;
    return fmt_within(
        error,
        fmt_part(file, (int64_t)fmt_s32(p) * unit, (int64_t)fmt_s32(p + 4) * unit, "its bytes", out, error),
        "pair table: entry %zu", index);
}

enum ps2_status fmt_pairs_check(struct fmt_span file, enum fmt_unit unit, size_t *count,
                                struct ps2_error *error)
{
    struct fmt_span a, b;
    enum ps2_status status = PS2_OK;
    for (*count = 0; !(status = fmt_pair(file, *count, unit, &a, error)) && a.size; ++*count)
        ;
    for (size_t i = 0; !status && i < *count; i++) {
        status = fmt_pair(file, i, unit, &a, error);
        if (!status && a.data < file.data + 8 * *count)
            return fmt_fail(file, 8 * i, error, "pair table: entry %zu starts inside the table", i);
        for (size_t j = 0; !status && j < i; j++) {
            status = fmt_pair(file, j, unit, &b, error);
            if (!status && a.data < b.data + b.size && b.data < a.data + a.size)
                return fmt_fail(file, 8 * i, error, "pair table: entry %zu overlaps entry %zu", i, j);
        }
    }
    return status;
}

static enum ps2_status chunk_part(struct fmt_span extent, unsigned slot, const char *name,
                                  struct fmt_span *out, struct ps2_error *error)
{
    struct fmt_wad_header header;
    int32_t offset = fmt_s32(extent.data + 4 * slot);
    *out = (struct fmt_span){NULL, 0, extent.name, 0};
    if (offset <= 0)
        return PS2_OK;
    enum ps2_status status = fmt_part(extent, offset, (int64_t)extent.size - offset, name, out, error);
    if (!status)
        status = fmt_wad_header(*out, &header, error);
    if (!status)
        out->size = header.length;
    return fmt_within(error, status, "chunk %s", name);
}

enum ps2_status fmt_chunk(struct fmt_span extent, struct fmt_chunk *out, struct ps2_error *error)
{
    if (extent.size < 8)
        return fmt_fail(extent, 0, error, "chunk: %zu bytes, its header has 8", extent.size);
    enum ps2_status status = chunk_part(extent, 0, "terrain", &out->tfrags, error);
    return status ? status : chunk_part(extent, 1, "collision", &out->collision, error);
}
