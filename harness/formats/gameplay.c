// Gameplay: the section table and the light bank.
#include "harness/formats/gameplay.h"

#include <string.h>

#define TABLE_SIZE     (4 * FMT_GAMEPLAY_SECTIONS)
#define MAPPINGS_HEAD  0x10    // of the occlusion mappings, before the terrain's
#define ALWAYS_VISIBLE 0x7F80u // the mask's last bit

struct fmt_gameplay_kind fmt_gameplay_kind(unsigned section)
{
    static const struct fmt_gameplay_kind kinds[FMT_GAMEPLAY_SECTIONS] = {
        [0x00 / 4] = {"level settings", 0, 0},
        [0x04 / 4] = {"directional lights", 0x10, 0x40},
        [0x08 / 4] = {"cameras", 0x10, 0x20},
        [0x0C / 4] = {"sound instances", 0x10, 0x90},
        [0x10 / 4] = {"help messages 0", 0, 0},
        [0x14 / 4] = {"help messages 1", 0, 0},
        [0x18 / 4] = {"help messages 2", 0, 0},
        [0x1C / 4] = {"help messages 3", 0, 0},
        [0x20 / 4] = {"help messages 4", 0, 0},
        [0x24 / 4] = {"help messages 5", 0, 0},
        [0x28 / 4] = {"help messages 6", 0, 0},
        [0x2C / 4] = {"help messages 7", 0, 0},
        [0x30 / 4] = {"tie classes", 4, 4},
        [0x34 / 4] = {"tie instances", 0x10, 0x60},
        [0x38 / 4] = {"tie groups", 0, 0},
        [0x3C / 4] = {"shrub classes", 4, 4},
        [0x40 / 4] = {"shrub instances", 0x10, 0x70},
        [0x44 / 4] = {"shrub groups", 0, 0},
        [0x48 / 4] = {"moby classes", 4, 4},
        [0x4C / 4] = {"moby instances", 0x10, 0x88},
        [0x50 / 4] = {"moby groups", 0, 0},
        [0x54 / 4] = {"shared data", 0, 0},
        [0x58 / 4] = {"pvar moby links", 0, 0},
        [0x5C / 4] = {"pvar table", 0, 0},
        [0x60 / 4] = {"pvar data", 0, 0},
        [0x64 / 4] = {"pvar relative links", 0, 0},
        [0x68 / 4] = {"cuboids", 0x10, 0x80},
        [0x6C / 4] = {"spheres", 0x10, 0x80},
        [0x70 / 4] = {"cylinders", 0x10, 0x80},
        [0x74 / 4] = {"pills", 0x10, 0x80},
        [0x78 / 4] = {"paths", 0, 0},
        [0x7C / 4] = {"grind paths", 0, 0},
        [0x80 / 4] = {"point lights", 0, 0},
        [0x84 / 4] = {"environment transitions", 0x10, 0x90},
        [0x88 / 4] = {"camera collision grid", 0, 0},
        [0x8C / 4] = {"environment sample points", 0x10, 0x20},
        [0x90 / 4] = {"occlusion mappings", 0, 0},
        [0x94 / 4] = {"tie ambient colours", 0, 0},
        [0x98 / 4] = {"areas", 0, 0},
    };
    return kinds[section];
}

enum ps2_status fmt_gameplay(struct fmt_span file, struct fmt_gameplay *out, struct ps2_error *error)
{
    if (file.size < TABLE_SIZE)
        return fmt_fail(file, 0, error, "gameplay: %zu bytes, its table has 0x9C", file.size);
    out->file = file;
    for (unsigned i = 0; i < FMT_GAMEPLAY_SECTIONS; i++) {
        uint32_t offset = out->offsets[i] = fmt_u32(file.data + 4 * i);
        if (offset && (offset < TABLE_SIZE || offset >= file.size))
            return fmt_fail(file, 4 * i, error, "gameplay: section %s at 0x%x is outside the %zu bytes here",
                            fmt_gameplay_kind(i).name, offset, file.size);
    }
    return PS2_OK;
}

struct fmt_span fmt_gameplay_section(const struct fmt_gameplay *g, unsigned section)
{
    struct fmt_span part = {NULL, 0, g->file.name, 0};
    uint32_t start = g->offsets[section];
    if (!start)
        return part;
    size_t end = g->file.size;
    for (unsigned i = 0; i < FMT_GAMEPLAY_SECTIONS; i++)
        if (g->offsets[i] > start && g->offsets[i] < end)
            end = g->offsets[i];
    fmt_part(g->file, start, (int64_t)(end - start), fmt_gameplay_kind(section).name, &part, NULL);
    return part;
}

bool fmt_gameplay_closes(const struct fmt_gameplay *g, unsigned section, bool *applies)
{
    struct fmt_gameplay_kind kind = fmt_gameplay_kind(section);
    struct fmt_span s = fmt_gameplay_section(g, section);
    *applies = kind.head && s.data && s.data + s.size != g->file.data + g->file.size;
    if (!*applies || s.size < 4)
        return false;
    int64_t count = fmt_s32(s.data);
    return count >= 0 && ((kind.head + count * kind.record + 15) & ~(int64_t)15) == (int64_t)s.size;
}

uint16_t fmt_occlusion_word(const struct fmt_gameplay *g, uint32_t patch)
{
    struct fmt_span s = fmt_gameplay_section(g, FMT_GAMEPLAY_OCCLUSION);
    uint16_t word = ALWAYS_VISIBLE;
    uint32_t count = s.size >= MAPPINGS_HEAD ? fmt_u32(s.data) : 0;
    for (uint32_t i = 0; i < count && fmt_inside(s, MAPPINGS_HEAD + 8 * (int64_t)i, 8); i++) {
        const uint8_t *mapping = s.data + MAPPINGS_HEAD + 8 * (size_t)i;
        uint32_t bit = fmt_u32(mapping);
        if (fmt_u32(mapping + 4) == patch)
            word = (uint16_t)(bit >> 3 << 8 | 1u << (bit & 7));
    }
    return word;
}

static void words(uint32_t *to, const uint8_t *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = fmt_u32(from + 4 * i);
}

enum ps2_status fmt_light_bank(const struct fmt_gameplay *g, struct fmt_light_bank *out,
                               struct ps2_error *error)
{
    struct fmt_span s = fmt_gameplay_section(g, FMT_GAMEPLAY_LIGHTS);
    memset(out, 0, sizeof *out);
    if (!s.data)
        return fmt_fail(g->file, 4 * FMT_GAMEPLAY_LIGHTS, error, "gameplay: there are no directional lights");
    if (s.size < 0x10)
        return fmt_fail(s, 0, error, "light bank: %zu bytes, its header has 0x10", s.size);
    out->count = fmt_s32(s.data);
    if (out->count < 0 || !fmt_inside(s, 0x10, (int64_t)out->count * 0x40))
        return fmt_fail(s, 0, error, "light bank: %d sets in %zu bytes", out->count, s.size);
    for (int32_t i = 0; i < out->count && i < FMT_LIGHT_SETS_COPIED; i++) {
        const uint8_t *p = s.data + 0x10 + 0x40 * i;
        words(out->sets[i].colour_a, p, 4);
        words(out->sets[i].direction_a, p + 0x10, 4);
        words(out->sets[i].colour_b, p + 0x20, 4);
        words(out->sets[i].direction_b, p + 0x30, 4);
    }
    return PS2_OK;
}
