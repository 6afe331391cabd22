// Textures: palettes, mip levels, pixels, PNG, GS registers.
#include "harness/formats/texture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

uint8_t fmt_csm1(uint8_t i)
{
    return (uint8_t)((i & 0xE7) | (i & 0x08) << 1 | (i & 0x10) >> 1);
}

uint8_t fmt_alpha(uint8_t a)
{
    return a < 0x80 ? (uint8_t)(2 * a) : 255;
}

enum ps2_status fmt_palette(const struct fmt_texture_source *source, const struct fmt_texture_entry *entry,
                            bool identity, struct fmt_palette *out, struct ps2_error *error)
{
    struct fmt_span stored;
    enum ps2_status status = fmt_part(source->gs_ram, (int64_t)entry->palette * FMT_GS_BLOCK, 1024,
                                      "texture palette", &stored, error);
    for (unsigned i = 0; !status && i < 256; i++) {
        const uint8_t *c = stored.data + 4 * (identity ? i : fmt_csm1((uint8_t)i));
        uint8_t rgba[4] = {c[0], c[1], c[2], fmt_alpha(c[3])};
        memcpy(out->rgba[i], rgba, 4);
    }
    return status;
}

static bool power_of_two(int16_t n)
{
    return n > 0 && !(n & (n - 1));
}

unsigned fmt_texture_levels(const struct fmt_texture_entry *entry)
{
    return entry->mip3 == -1 ? 3 : FMT_MIP_COUNT;
}

enum ps2_status fmt_texture_level(const struct fmt_texture_source *source,
                                  const struct fmt_texture_entry *entry, unsigned level,
                                  struct fmt_span *indices, unsigned *width, unsigned *height,
                                  struct ps2_error *error)
{
    static const char *const names[] = {"texture level 0", "texture level 1", "texture level 2",
                                        "texture level 3"};
    if (!power_of_two(entry->width) || !power_of_two(entry->height))
        return fmt_fail(source->core_data, 0, error, "texture: %d x %d are not powers of two", entry->width,
                        entry->height);
    if (level >= fmt_texture_levels(entry))
        return fmt_fail(source->core_data, 0, error, "texture: there is no mip level %u, it has %u", level,
                        fmt_texture_levels(entry));
    int64_t w = entry->width, h = entry->height;
    int64_t at = (int64_t)source->textures_base + entry->offset;
    if (entry->offset < 0)
        return fmt_fail(source->core_data, 0, error, "texture: pixel offset %d", entry->offset);
    *width = (unsigned)(w >> level ? w >> level : 1);
    *height = (unsigned)(h >> level ? h >> level : 1);
    if (level == 1)
        at += w * h;
    if (level >= 2)
        at = (int64_t)(level == 2 ? entry->mip2 : entry->mip3) * FMT_GS_BLOCK;
    return fmt_part(level < 2 ? source->core_data : source->gs_ram, at, (int64_t)*width * *height,
                    names[level], indices, error);
}

enum ps2_status fmt_texture_decode(const struct fmt_texture_source *source,
                                   const struct fmt_texture_entry *entry, unsigned level,
                                   struct fmt_image *out, struct ps2_error *error)
{
    struct fmt_palette palette;
    struct fmt_span indices;
    *out = (struct fmt_image){NULL, 0, 0};
    enum ps2_status status = fmt_palette(source, entry, false, &palette, error);
    if (!status)
        status = fmt_texture_level(source, entry, level, &indices, &out->width, &out->height, error);
    if (status)
        return status;
    out->rgba = malloc(indices.size * 4);
    if (!out->rgba)
        return fmt_fail(source->core_data, 0, error, "texture: no memory for %zu pixels", indices.size);
    for (size_t i = 0; i < indices.size; i++)
        memcpy(out->rgba + 4 * i, palette.rgba[indices.data[i]], 4);
    return PS2_OK;
}

void fmt_image_free(struct fmt_image *image)
{
    free(image->rgba);
    *image = (struct fmt_image){NULL, 0, 0};
}

enum ps2_status fmt_png(const struct fmt_image *image, struct fmt_buffer *out, struct ps2_error *error)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = image->width,
                     .height = image->height,
                     .format = PNG_FORMAT_RGBA};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
    *out = (struct fmt_buffer){malloc(size), 0};
    if (!out->data || !png_image_write_to_memory(&png, out->data, &size, 0, image->rgba, 0, NULL)) {
        fmt_buffer_free(out);
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "PNG of %u x %u: %s", image->width, image->height,
                        png.message);
    }
    out->size = size;
    return PS2_OK;
}

static unsigned log2_of(int16_t n)
{
    unsigned bits = 0;
    while (n >> (bits + 1) > 0)
        bits++;
    return bits;
}

void fmt_gs_registers(const struct fmt_texture_entry *entry, const struct fmt_adgif *adgif, uint32_t base,
                      uint64_t out[5])
{
    uint64_t w = (uint64_t)entry->width;
    uint64_t tbw = w >> 6 ? w >> 6 : 1, tbw1 = w >> 7 ? w >> 7 : 1;
    uint64_t cbp = ((uint32_t)entry->palette + base) & 0x3FFF;
    uint64_t tbp2 = ((uint32_t)entry->mip2 + base) & 0x3FFF, tbp3 = ((uint32_t)entry->mip3 + base) & 0x3FFF;
    // TBW, PSM = PSMT8, TW, TH, TCC, CBP, CLD = 4.
    out[0] = tbw << 14 | (uint64_t)0x13 << 20 | (uint64_t)log2_of(entry->width) << 26 |
             (uint64_t)log2_of(entry->height) << 30 | (uint64_t)1 << 34 | cbp << 37 | (uint64_t)4 << 61;
    // MXL, MMAG = 1, MMIN, K.
    out[1] = (uint64_t)((entry->levels - 1) & 7) << 2 | 1 << 5 | (uint64_t)(adgif->min_filter & 7) << 6 |
             (uint64_t)((uint16_t)adgif->lod_bias & 0xFFF) << 32;
    out[2] =
        (uint64_t)(adgif->wrap_s & 3) | (uint64_t)(adgif->wrap_t & 3) << 2 | (uint64_t)adgif->texture << 24;
    // The texture buffers of levels 1 (paged in per frame), 2 and 3.
    out[3] = tbw1 << 14 | tbp2 << 20 | (uint64_t)1 << 34 | tbp3 << 40 | (uint64_t)1 << 54;
    out[4] = 0;
}
