// The core index: header, class and texture tables, region bounds.
#include "harness/formats/core.h"

#include <stdlib.h>
#include <string.h>

#define TEXTURE_ENTRY_SIZE 0x10
#define GS_RAM_ENTRY_SIZE  0x10

static struct fmt_table table_at(const uint8_t *p)
{
    return (struct fmt_table){fmt_s32(p), fmt_s32(p + 4)};
}

static void read_header(const uint8_t *p, struct fmt_core_index *c)
{
    *c = (struct fmt_core_index){
        .gs_ram = table_at(p),
        .tfrags = fmt_s32(p + 0x08),
        .occlusion = fmt_s32(p + 0x0C),
        .sky = fmt_s32(p + 0x10),
        .collision = fmt_s32(p + 0x14),
        .moby_classes = table_at(p + 0x18),
        .tie_classes = table_at(p + 0x20),
        .shrub_classes = table_at(p + 0x28),
        .tfrag_textures = table_at(p + 0x30),
        .moby_textures = table_at(p + 0x38),
        .tie_textures = table_at(p + 0x40),
        .shrub_textures = table_at(p + 0x48),
        .particle_textures = table_at(p + 0x50),
        .fx_textures = table_at(p + 0x58),
        .textures_base = fmt_s32(p + 0x60),
        .particle_bank = fmt_s32(p + 0x64),
        .fx_bank = fmt_s32(p + 0x68),
        .particle_defs = fmt_s32(p + 0x6C),
        .sound_remap = fmt_s32(p + 0x70),
        .unknown_0x74 = fmt_s32(p + 0x74),
        .ratchet_seqs = fmt_s32(p + 0x78),
        .scene_view_size = fmt_s32(p + 0x7C),
        .moby_texture_index = fmt_s32(p + 0x80),
        .moby_gs_stash_count = fmt_s32(p + 0x84),
        .core_data_compressed = fmt_s32(p + 0x88),
        .core_data_size = fmt_s32(p + 0x8C),
        .chrome_texture = fmt_s32(p + 0x90),
        .chrome_palette = fmt_s32(p + 0x94),
        .glass_texture = fmt_s32(p + 0x98),
        .glass_palette = fmt_s32(p + 0x9C),
        .unknown_0xa0 = fmt_s32(p + 0xA0),
        .heightmap = fmt_s32(p + 0xA4),
        .occlusion_octant = fmt_s32(p + 0xA8),
        .moby_gs_stash = fmt_s32(p + 0xAC),
        .occlusion_radius_0xb0 = fmt_s32(p + 0xB0),
        .moby_sound_remap = fmt_s32(p + 0xB4),
        .occlusion_radius_0xb8 = fmt_s32(p + 0xB8),
    };
}

struct fmt_named_table fmt_texture_table(const struct fmt_core_index *core, unsigned which)
{
    const struct fmt_named_table tables[] = {
        {"tfrag", core->tfrag_textures}, {"moby", core->moby_textures},         {"tie", core->tie_textures},
        {"shrub", core->shrub_textures}, {"particle", core->particle_textures}, {"fx", core->fx_textures},
    };
    return which < sizeof tables / sizeof *tables ? tables[which] : (struct fmt_named_table){NULL, {0, 0}};
}

static enum ps2_status table_fits(struct fmt_span index, const char *name, struct fmt_table t, size_t stride,
                                  struct ps2_error *error)
{
    if (t.count < 0 || (t.count && (t.offset < FMT_CORE_TABLES ||
                                    !fmt_inside(index, t.offset, (int64_t)t.count * (int64_t)stride))))
        return fmt_fail(index, 0, error,
                        "core index: %s table, %d entries at 0x%x, is outside the %zu bytes here", name,
                        t.count, (unsigned)t.offset, index.size);
    return PS2_OK;
}

enum ps2_status fmt_core_index(struct fmt_span index, struct fmt_core_index *out, struct ps2_error *error)
{
    if (index.size < FMT_CORE_HEADER_SIZE)
        return fmt_fail(index, 0, error, "core index: %zu bytes, the header has 0xBC", index.size);
    read_header(index.data, out);
    enum ps2_status status = table_fits(index, "gs_ram", out->gs_ram, GS_RAM_ENTRY_SIZE, error);
    for (unsigned kind = 0; !status && kind < FMT_CLASS_KINDS; kind++)
        status = table_fits(index, fmt_class_kind_name(kind), fmt_class_table(out, kind),
                            fmt_class_stride(kind), error);
    for (unsigned i = 0; !status && fmt_texture_table(out, i).name; i++) {
        struct fmt_named_table t = fmt_texture_table(out, i);
        status = table_fits(index, t.name, t.table, TEXTURE_ENTRY_SIZE, error);
    }
    if (!status && out->ratchet_seqs && !fmt_inside(index, out->ratchet_seqs, FMT_SEQUENCES * 4))
        status =
            fmt_fail(index, 0x78, error, "core index: ratchet_seqs at 0x%x is outside the %zu bytes here",
                     (unsigned)out->ratchet_seqs, index.size);
    return status;
}

enum ps2_status fmt_core_regions(struct fmt_span index, const struct fmt_core_index *core,
                                 struct ps2_error *error)
{
    static const char *const names[] = {"tfrags",    "occlusion",     "sky",
                                        "collision", "textures_base", "the end"};
    static const uint64_t fields[] = {0x08, 0x0C, 0x10, 0x14, 0x60, 0x8C};
    const int32_t starts[] = {core->tfrags,    core->occlusion,     core->sky,
                              core->collision, core->textures_base, core->core_data_size};
    if (core->tfrags < 0)
        return fmt_fail(index, 0x08, error, "core index: tfrags is %d", core->tfrags);
    for (unsigned i = 1; i < 6; i++)
        if (starts[i - 1] >= starts[i])
            return fmt_fail(index, fields[i], error, "core index: regions do not ascend: %s at %d, %s at %d",
                            names[i - 1], starts[i - 1], names[i], starts[i]);
    return PS2_OK;
}

enum ps2_status fmt_core_chain(struct fmt_span index, const struct fmt_core_index *core,
                               struct ps2_error *error)
{
    // The order and sizes of reference/level-formats, section 3, invariant 2; the texture tables behind the
    // first four follow by the same arithmetic.
    const struct link {
        const char *name;
        struct fmt_table table;
        size_t stride;
    } chain[] = {
        {"moby classes", core->moby_classes, 0x20},     {"tie classes", core->tie_classes, 0x20},
        {"shrub classes", core->shrub_classes, 0x30},   {"tfrag textures", core->tfrag_textures, 0x10},
        {"moby textures", core->moby_textures, 0x10},   {"tie textures", core->tie_textures, 0x10},
        {"shrub textures", core->shrub_textures, 0x10},
    };
    for (unsigned i = 1; i < sizeof chain / sizeof *chain; i++) {
        const struct link *a = &chain[i - 1], *b = &chain[i];
        int64_t end = a->table.offset + (int64_t)a->table.count * (int64_t)a->stride;
        if (end != b->table.offset)
            return fmt_fail(
                index, 0x18 + 8 * i, error,
                "core index: %s, %d entries of 0x%zx at 0x%x, end at 0x%llx, but %s start at 0x%x", a->name,
                a->table.count, a->stride, (unsigned)a->table.offset, (unsigned long long)end, b->name,
                (unsigned)b->table.offset);
    }
    return PS2_OK;
}

enum ps2_status fmt_core_fits(struct fmt_span index, const struct fmt_core_index *core, size_t core_data_size,
                              struct ps2_error *error)
{
    if (core->core_data_size < 0 || (size_t)core->core_data_size != core_data_size)
        return fmt_fail(index, 0x8C, error, "core index: declares %d bytes of core data, %zu are here",
                        core->core_data_size, core_data_size);
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++) {
        struct fmt_table t = fmt_class_table(core, kind);
        for (size_t i = 0; i < (size_t)t.count; i++) {
            struct fmt_class c = fmt_class_entry(index, core, kind, i);
            if (c.offset < 0 || (size_t)c.offset >= core_data_size)
                return fmt_fail(index, (uint64_t)t.offset + i * fmt_class_stride(kind), error,
                                "core index: %s class %zu (number %d) at 0x%x is outside core data",
                                fmt_class_kind_name(kind), i, c.number, (unsigned)c.offset);
        }
    }
    return PS2_OK;
}

struct fmt_table fmt_class_table(const struct fmt_core_index *core, enum fmt_class_kind kind)
{
    return kind == FMT_MOBY ? core->moby_classes : kind == FMT_TIE ? core->tie_classes : core->shrub_classes;
}

size_t fmt_class_stride(enum fmt_class_kind kind)
{
    return kind == FMT_SHRUB ? 0x30 : 0x20;
}

const char *fmt_class_kind_name(enum fmt_class_kind kind)
{
    static const char *const names[] = {"moby", "tie", "shrub"};
    return names[kind];
}

struct fmt_class fmt_class_entry(struct fmt_span index, const struct fmt_core_index *core,
                                 enum fmt_class_kind kind, size_t i)
{
    const uint8_t *p = index.data + fmt_class_table(core, kind).offset + i * fmt_class_stride(kind);
    struct fmt_class c = {fmt_s32(p), fmt_s32(p + 4), fmt_u32(p + 8), fmt_u32(p + 12), {0}, {0}};
    memcpy(c.textures, p + 0x10, 16);
    for (unsigned k = 0; kind == FMT_SHRUB && k < 8; k++)
        c.billboard[k] = fmt_s16(p + 0x20 + 2 * k);
    return c;
}

unsigned fmt_class_plausible(struct fmt_span index, const struct fmt_core_index *core,
                             enum fmt_class_kind kind, size_t stride)
{
    struct fmt_table t = fmt_class_table(core, kind);
    unsigned n = 0;
    for (size_t i = 0; i < (size_t)t.count && fmt_inside(index, t.offset + (int64_t)(i * stride), 8); i++) {
        const uint8_t *p = index.data + t.offset + i * stride;
        int32_t offset = fmt_s32(p), number = fmt_s32(p + 4);
        n += offset > 0 && offset < core->core_data_size && number >= 0 && number < 0x4000;
    }
    return n;
}

struct fmt_texture_entry fmt_texture_entry(struct fmt_span index, struct fmt_table table, size_t i)
{
    const uint8_t *p = index.data + table.offset + i * TEXTURE_ENTRY_SIZE;
    return (struct fmt_texture_entry){fmt_s32(p),      fmt_s16(p + 4),  fmt_s16(p + 6), fmt_s16(p + 8),
                                      fmt_s16(p + 10), fmt_s16(p + 12), fmt_s16(p + 14)};
}

struct fmt_gs_ram_entry fmt_gs_ram_entry(struct fmt_span index, const struct fmt_core_index *core, size_t i)
{
    const uint8_t *p = index.data + core->gs_ram.offset + i * GS_RAM_ENTRY_SIZE;
    return (struct fmt_gs_ram_entry){fmt_s32(p), fmt_s16(p + 4), fmt_s16(p + 6), fmt_s32(p + 8),
                                     fmt_s32(p + 12)};
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *fmt_core_starts(struct fmt_span index, const struct fmt_core_index *core, size_t *count)
{
    size_t most = 8 + FMT_SEQUENCES, n = 0;
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++)
        most += (size_t)fmt_class_table(core, kind).count;
    int64_t *starts = malloc(most * sizeof *starts);
    *count = 0;
    if (!starts)
        return NULL;
    const int32_t fixed[] = {core->tfrags,    core->occlusion,     core->sky,
                             core->collision, core->textures_base, core->core_data_size};
    for (unsigned i = 0; i < 6; i++)
        starts[n++] = fixed[i];
    // The notes name moby_sound_remap both as a bound of data blocks and as an index offset: it bounds a
    // block only where it cannot be an index offset (unverified).
    if (core->moby_sound_remap > 0 && (size_t)core->moby_sound_remap >= index.size)
        starts[n++] = core->moby_sound_remap;
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++)
        for (size_t i = 0; i < (size_t)fmt_class_table(core, kind).count; i++) {
            int32_t offset = fmt_class_entry(index, core, kind, i).offset;
            if (offset)
                starts[n++] = offset;
        }
    for (size_t i = 0; core->ratchet_seqs && i < FMT_SEQUENCES; i++) {
        int32_t offset = fmt_s32(index.data + core->ratchet_seqs + 4 * i);
        if (offset)
            starts[n++] = offset;
    }
    qsort(starts, n, sizeof *starts, by_value);
    for (size_t i = 0; i < n; i++)
        if (!*count || starts[*count - 1] != starts[i])
            starts[(*count)++] = starts[i];
    return starts;
}

int64_t fmt_core_end(const int64_t *starts, size_t count, int64_t offset)
{
    for (size_t i = 0; i < count; i++)
        if (starts[i] > offset)
            return starts[i];
    return offset;
}
