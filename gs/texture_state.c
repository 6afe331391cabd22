// What TEX0, TEX1, CLAMP, MIPTBP and TEXA make of the texture unit.
#include "gs/pixel_state.h"

// Codes without a format are read as PSMCT32 (unverified).
static const struct gs_format *texture_format(uint64_t tex0)
{
    const struct gs_format *format = gs_format((unsigned)gs_field(tex0, GS_TEX0_PSM));
    return format ? format : gs_format(GS_PSMCT32);
}

// The manual limits TW and TH to 10; PCSX2 takes more for 0 (unverified).
static unsigned size_of(uint64_t tex0, enum gs_field field, const struct gs_choices *choices)
{
    unsigned size = (unsigned)gs_field(tex0, field);
    return size <= 10 ? size : choices->huge_texture_is_1 ? 0 : 10;
}

struct texture_size gs_texture_size(uint64_t tex0, const struct gs_choices *choices)
{
    return (struct texture_size){size_of(tex0, GS_TEX0_TW, choices), size_of(tex0, GS_TEX0_TH, choices)};
}

// The limits of regions shrink with the level as the size does.
static struct axis find_axis(unsigned mode, unsigned size, unsigned least, unsigned most, unsigned level)
{
    int16_t last = (int16_t)(size > level ? (1 << (size - level)) - 1 : 0);
    struct axis region = {INT16_MIN, INT16_MAX, (int16_t)(least >> level), (int16_t)(most >> level)};
    switch (mode) {
    case 0: // REPEAT
        return (struct axis){INT16_MIN, INT16_MAX, last, 0};
    case 1: // CLAMP
        return (struct axis){0, last, -1, 0};
    case 2: // REGION_CLAMP
        return (struct axis){region.keep, region.set, -1, 0};
    default: // REGION_REPEAT: MIN is a mask, MAX bits that are set
        return region;
    }
}

static struct gs_buffer level_buffer(const struct gs *gs, unsigned context, unsigned level)
{
    static const enum gs_field bases[] = {GS_MIPTBP_TBP_A, GS_MIPTBP_TBP_B, GS_MIPTBP_TBP_C};
    static const enum gs_field widths[] = {GS_MIPTBP_TBW_A, GS_MIPTBP_TBW_B, GS_MIPTBP_TBW_C};
    uint64_t tex0 = gs->reg[GS_TEX0_1 + context];
    uint64_t mip = gs->reg[(level < 4 ? GS_MIPTBP1_1 : GS_MIPTBP2_1) + context];
    struct gs_buffer buffer = {.format = texture_format(tex0),
                               .base = (uint32_t)gs_field(tex0, GS_TEX0_TBP0),
                               .width = (uint32_t)gs_field(tex0, GS_TEX0_TBW)};
    if (level) {
        buffer.base = (uint32_t)gs_field(mip, bases[(level - 1) % 3]);
        buffer.width = (uint32_t)gs_field(mip, widths[(level - 1) % 3]);
    }
    return buffer;
}

// The greatest coordinate that an axis can give.
static uint32_t reach(struct axis axis)
{
    return axis.keep < 0 ? (uint32_t)axis.most : (uint32_t)(axis.keep | axis.set);
}

static void set_level(const struct gs *gs, unsigned context, unsigned number, struct texture_size size,
                      struct texture *t, struct pages *read)
{
    uint64_t clamp = gs->reg[GS_CLAMP_1 + context];
    struct gs_buffer buffer = level_buffer(gs, context, number);
    unsigned page_units = buffer.format->page_width + buffer.format->page_height;
    struct level *l = &t->level[number];
    l->base = buffer.base << (page_units - 5);
    l->stride = gs_page_stride(&buffer);
    l->u =
        find_axis((unsigned)gs_field(clamp, GS_CLAMP_WMS), size.width,
                  (unsigned)gs_field(clamp, GS_CLAMP_MINU), (unsigned)gs_field(clamp, GS_CLAMP_MAXU), number);
    l->v =
        find_axis((unsigned)gs_field(clamp, GS_CLAMP_WMT), size.height,
                  (unsigned)gs_field(clamp, GS_CLAMP_MINV), (unsigned)gs_field(clamp, GS_CLAMP_MAXV), number);
    gs_add_pages(read, &buffer, &(struct gs_rectangle){0, 0, reach(l->u), reach(l->v)});
}

static int32_t signed_k(uint64_t tex1)
{
    return (int32_t)((gs_field(tex1, GS_TEX1_K) ^ 0x800) - 0x800);
}

// MMIN: bit 2 or the value 1 filter texels; from 2 on levels are chosen, two by the odd values.
static void set_filter(uint64_t tex1, bool uv, struct texture *t)
{
    unsigned mmin = (unsigned)gs_field(tex1, GS_TEX1_MMIN), mxl = (unsigned)gs_field(tex1, GS_TEX1_MXL);
    t->magnify_linear = gs_field(tex1, GS_TEX1_MMAG);
    t->minify_linear = mmin == 1 || mmin & 4;
    t->mips = mmin >= 2 && mxl > 0;
    t->between = mmin & 1;
    t->last = mxl < LEVELS ? (int32_t)mxl : (int32_t)LEVELS - 1;
    t->fixed_lod = uv || gs_field(tex1, GS_TEX1_LCM);
    t->lod = t->fixed_lod ? signed_k(tex1) : 0;
}

bool gs_texture_needs_lod(const struct texture *t)
{
    return !t->fixed_lod && (t->mips || t->magnify_linear != t->minify_linear);
}

void gs_find_texture(const struct gs *gs, unsigned context, bool uv, const struct gs_choices *choices,
                     struct texture *t, struct pages *read)
{
    uint64_t tex0 = gs->reg[GS_TEX0_1 + context], texa = gs->reg[GS_TEXA];
    const struct gs_format *format = texture_format(tex0);
    unsigned page_units = format->page_width + format->page_height;
    t->memory = gs->memory;
    t->format = format;
    t->places = gs_places(format);
    t->z = format->z ? 24u << (page_units - 5) : 0;
    t->ta0 = (uint32_t)gs_field(texa, GS_TEXA_TA0) << 24;
    t->ta1 = (uint32_t)gs_field(texa, GS_TEXA_TA1) << 24;
    t->aem = gs_field(texa, GS_TEXA_AEM);
    gs_choose_gather(t);
    set_filter(gs->reg[GS_TEX1_1 + context], uv, t);
    for (unsigned level = 0; level <= (t->mips ? (unsigned)t->last : 0); level++)
        set_level(gs, context, level, gs_texture_size(tex0, choices), t, read);
}
