// Checks of the terrain textures (section 5).
#include "harness/check/level.h"

#include <math.h>
#include <stdlib.h>

#define WINDOWS 4 // places that a mip level is compared with: 1 and 2 blocks to each side

static struct fmt_texture_entry entry_at(struct fmt_span index, int64_t at)
{
    return fmt_texture_entry(index, (struct fmt_table){1, (int32_t)at}, 0);
}

// A palette and every level lie in their buffers.
static bool sound(const struct fmt_level *level, const struct fmt_texture_entry *e, struct ps2_error *why)
{
    struct fmt_palette palette;
    struct fmt_span indices;
    unsigned w, h;
    if (fmt_palette(&level->textures, e, false, &palette, why))
        return false;
    for (unsigned mip = 0; mip < fmt_texture_levels(e); mip++)
        if (fmt_texture_level(&level->textures, e, mip, &indices, &w, &h, why))
            return false;
    return true;
}

// Entries hold; control: entries read one word further.
static void entries(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {
        .name = "texture.entries", .unit = "textures", .control = "entries one word further", .need = 1.0};
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX];
    struct fmt_table t = level->core.tfrag_textures;
    for (int32_t i = 0; i < t.count; i++) {
        int64_t at = t.offset + 16 * (int64_t)i;
        struct ps2_error why = {0};
        struct fmt_texture_entry e = entry_at(index, at), shifted;
        check_count(&c, sound(level, &e, &why), &why);
        if (!fmt_inside(index, at + 4, 16))
            continue;
        shifted = entry_at(index, at + 4);
        check_control(&c, sound(level, &shifted, NULL));
    }
    check_list_add(list, &c);
}

// Mean difference per channel between a level and the 2 x 2 box average of its parent.
static double box_difference(const uint8_t *parent, const uint8_t *child, const struct fmt_palette *p,
                             unsigned w, unsigned h)
{
    double sum = 0;
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++)
            for (unsigned k = 0; k < 3; k++) {
                const uint8_t *q = parent + 4 * (size_t)y * w + 2 * x;
                int box =
                    p->rgba[q[0]][k] + p->rgba[q[1]][k] + p->rgba[q[2 * w]][k] + p->rgba[q[2 * w + 1]][k];
                sum += abs(p->rgba[child[(size_t)y * w + x]][k] * 4 - box) / 4.0;
            }
    return sum / (3.0 * w * h);
}

struct mip_checks {
    struct check placement, order;
};

// A stored level is nearer to its parent's box average than the same number of bytes beside it, and
// nearer with the palette's exchange than without. No threshold: images differ, their order does not.
static void one_mip(struct mip_checks *m, struct fmt_span buffer, struct fmt_span parent,
                    struct fmt_span child, unsigned w, unsigned h, const struct fmt_palette *right,
                    const struct fmt_palette *identity)
{
    double d = box_difference(parent.data, child.data, right, w, h), elsewhere[WINDOWS], least = HUGE_VAL;
    double wrong = box_difference(parent.data, child.data, identity, w, h);
    struct ps2_error why;
    for (unsigned k = 0; k < WINDOWS; k++) {
        static const int64_t blocks[WINDOWS] = {-1, 1, -2, 2};
        int64_t at = child.data - buffer.data + blocks[k] * FMT_GS_BLOCK;
        elsewhere[k] = fmt_inside(buffer, at, (int64_t)child.size)
                           ? box_difference(parent.data, buffer.data + at, right, w, h)
                           : HUGE_VAL;
        if (k && elsewhere[k] < least)
            least = elsewhere[k];
    }
    fmt_fail(child, 0, &why,
             "mip level: mean difference %.1f from its parent's box average, %.1f elsewhere, %.1f without "
             "the exchange",
             d, least, wrong);
    check_count(&m->placement, d <= least && d <= elsewhere[0], &why);
    check_control(&m->placement, elsewhere[0] <= least && elsewhere[0] <= d);
    check_count(&m->order, d <= wrong, &why);
    check_control(&m->order, wrong <= d);
}

static void texture_mips(const struct fmt_level *level, const struct fmt_texture_entry *e,
                         struct mip_checks *m)
{
    struct fmt_palette right, identity;
    struct fmt_span parent, child;
    unsigned w, h, pw, ph;
    if (fmt_palette(&level->textures, e, false, &right, NULL) ||
        fmt_palette(&level->textures, e, true, &identity, NULL))
        return;
    for (unsigned mip = 1; mip < fmt_texture_levels(e); mip++) {
        if (fmt_texture_level(&level->textures, e, mip - 1, &parent, &pw, &ph, NULL) ||
            fmt_texture_level(&level->textures, e, mip, &child, &w, &h, NULL) || pw != 2 * w || ph != 2 * h)
            return;
        one_mip(m, mip < 2 ? level->textures.core_data : level->textures.gs_ram, parent, child, w, h, &right,
                &identity);
    }
}

// Opaque textures, and textures of more than eight colours. Control: the palette one byte further.
static void looks(const struct fmt_level *level, struct check_list *list)
{
    struct check opaque = {.name = "texture.opaque",
                           .unit = "textures",
                           .control = "palette a byte further",
                           .need = 0.5,
                           .lead = true};
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX], pixels, stored;
    struct fmt_table t = level->core.tfrag_textures;
    for (int32_t i = 0; i < t.count; i++) {
        struct fmt_texture_entry e = fmt_texture_entry(index, t, (size_t)i);
        unsigned w, h;
        if (fmt_texture_level(&level->textures, &e, 0, &pixels, &w, &h, NULL) ||
            fmt_part(level->textures.gs_ram, (int64_t)e.palette * FMT_GS_BLOCK, 1025, "palette", &stored,
                     NULL))
            continue;
        bool right = true, shifted = true;
        for (size_t k = 0; k < pixels.size; k++) {
            unsigned at = 4u * fmt_csm1(pixels.data[k]) + 3;
            right &= stored.data[at] >= 0x80;
            shifted &= stored.data[at + 1] >= 0x80;
        }
        check_count(&opaque, right, NULL);
        check_control(&opaque, shifted);
    }
    check_list_add(list, &opaque);
}

// The gs_ram table names a known format and bytes inside; control: entries one word further.
static bool known_entry(const struct fmt_level *level, const uint8_t *p)
{
    int32_t psm = fmt_s32(p);
    return (psm == 0 || psm == 1 || psm == 0x13) && fmt_s16(p + 4) > 0 && fmt_s16(p + 6) > 0 &&
           fmt_inside(level->files[FMT_FILE_GS_RAM], fmt_s32(p + 12), 1);
}

static void gs_ram_table(const struct fmt_level *level, struct check_list *list)
{
    struct check c = {.name = "gs_ram.table",
                      .unit = "entries",
                      .control = "entries one word further",
                      .need = 1.0,
                      .lead = true};
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX];
    struct fmt_table t = level->core.gs_ram;
    for (int32_t i = 0; i < t.count; i++) {
        const uint8_t *p = index.data + t.offset + 16 * (size_t)i;
        check_count(&c, known_entry(level, p), NULL);
        if (p + 20 <= index.data + index.size)
            check_control(&c, known_entry(level, p + 4));
    }
    check_list_add(list, &c);
}

void check_textures(const struct fmt_level *level, struct check_list *list)
{
    struct mip_checks m = {
        {.name = "texture.mips", .unit = "mip levels", .control = "a block before", .need = 0.99},
        {.name = "texture.csm1",
         .unit = "mip levels",
         .control = "palette without the exchange",
         .need = 0.95},
    };
    struct fmt_table t = level->core.tfrag_textures;
    if (!level->files[FMT_FILE_GS_RAM].size)
        return;
    gs_ram_table(level, list);
    entries(level, list);
    for (int32_t i = 0; i < t.count; i++) {
        struct fmt_texture_entry e = fmt_texture_entry(level->files[FMT_FILE_CORE_INDEX], t, (size_t)i);
        texture_mips(level, &e, &m);
    }
    check_list_add(list, &m.placement);
    check_list_add(list, &m.order);
    looks(level, list);
}
