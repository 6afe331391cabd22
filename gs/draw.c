// Drawing: from a primitive and the registers to the rasteriser and the pixel pipeline.
#include "gs/pixel_state.h"

#include <stdlib.h>

struct drawing {
    struct gs_choices choices;
    uint16_t prim; // that `raster` and `state` are for
    bool visible;  // anything drawn changes memory
    bool may_meet; // what is read may be what is written
    uint64_t palette_tex0, palette_texa;
    struct gs_raster raster;
    struct pixel_state state;
    struct pixel_pages pages;
    struct pixel_work work;
};

bool gs_draw_enable(struct gs *gs, const struct gs_choices *choices)
{
    if (!gs->drawing)
        gs->drawing = calloc(1, sizeof *gs->drawing);
    if (!gs->drawing)
        return false;
    gs->drawing->choices = choices ? *choices : (struct gs_choices){0};
    gs->changed = gs->clut_changed = true;
    return true;
}

void gs_draw_free(struct gs *gs)
{
    free(gs->drawing);
}

// ---- registers

static void set_raster(const struct gs *gs, uint16_t prim, struct drawing *d)
{
    unsigned context = (unsigned)gs_field(prim, GS_PRIM_CTXT);
    uint64_t offset = gs->reg[GS_XYOFFSET_1 + context], tex1 = gs->reg[GS_TEX1_1 + context];
    struct gs_rectangle scissor = gs_scissor(gs, context);
    struct texture_size size = gs_texture_size(gs->reg[GS_TEX0_1 + context], &d->choices);
    bool uv = gs_field(prim, GS_PRIM_FST);
    d->raster = (struct gs_raster){
        .needs = d->state.needs,
        .ofx = (int32_t)gs_field(offset, GS_XYOFFSET_OFX),
        .ofy = (int32_t)gs_field(offset, GS_XYOFFSET_OFY),
        .x0 = (int32_t)scissor.x0,
        .y0 = (int32_t)scissor.y0,
        .x1 = (int32_t)scissor.x1,
        .y1 = (int32_t)scissor.y1,
        .skip_rows = (uint8_t)gs_field(gs->reg[GS_SCANMSK], GS_SCANMSK_MSK),
        .gouraud = gs_field(prim, GS_PRIM_IIP),
        .uv = uv,
        .textured = gs_field(prim, GS_PRIM_TME),
        .fogged = gs_field(prim, GS_PRIM_FGE),
        .antialiased = gs_field(prim, GS_PRIM_AA1),
        .tw = (uint8_t)size.width,
        .th = (uint8_t)size.height,
        .fixed_lod = uv || gs_field(tex1, GS_TEX1_LCM),
        .l = (uint8_t)gs_field(tex1, GS_TEX1_L),
        .k = (int32_t)((gs_field(tex1, GS_TEX1_K) ^ 0x800) - 0x800),
        .context = &d->work,
        .batch = gs_pixel_batch,
    };
}

static void set_palette(struct gs *gs, unsigned context, struct drawing *d)
{
    uint64_t tex0 = gs->reg[GS_TEX0_1 + context], texa = gs->reg[GS_TEXA];
    if (!gs->clut_changed && tex0 == d->palette_tex0 && texa == d->palette_texa)
        return;
    gs_clut_colours(gs, tex0, texa, d->state.texture.palette);
    d->palette_tex0 = tex0;
    d->palette_texa = texa;
    gs->clut_changed = false;
}

static void resolve(struct gs *gs, uint16_t prim, struct drawing *d)
{
    d->visible = gs_find_pixel_state(gs, prim, &d->choices, &d->state, &d->pages);
    if (d->state.needs & GS_NEEDS_TEXTURE && d->state.texture.format->bits < 16)
        set_palette(gs, (unsigned)gs_field(prim, GS_PRIM_CTXT), d);
    d->may_meet = gs_pages_meet(&d->pages.frame, &d->pages.z) ||
                  gs_pages_meet(&d->pages.frame, &d->pages.texture) ||
                  gs_pages_meet(&d->pages.z, &d->pages.texture);
    set_raster(gs, prim, d);
    d->prim = prim;
    d->work.state = &d->state;
    gs->changed = false;
}

// ---- primitives

// The pixels within the scissor that the primitive can touch, those of antialiased edges included.
static struct gs_rectangle bounds(const struct gs_raster *r, const struct gs_primitive *p)
{
    int32_t x0 = r->x1, y0 = r->y1, x1 = r->x0, y1 = r->y0;
    for (unsigned n = 0; n < p->count; n++) {
        int32_t x = (p->vertex[n].x - r->ofx) >> 4, y = (p->vertex[n].y - r->ofy) >> 4;
        x0 = x - 1 < x0 ? x - 1 : x0;
        y0 = y - 1 < y0 ? y - 1 : y0;
        x1 = x + 2 > x1 ? x + 2 : x1;
        y1 = y + 2 > y1 ? y + 2 : y1;
    }
    return (struct gs_rectangle){
        .x0 = (uint32_t)(x0 > r->x0 ? x0 : r->x0),
        .y0 = (uint32_t)(y0 > r->y0 ? y0 : r->y0),
        .x1 = (uint32_t)(x1 < r->x1 ? x1 : r->x1),
        .y1 = (uint32_t)(y1 < r->y1 ? y1 : r->y1),
    };
}

// Whether the primitive may read what it writes: then its pixels are drawn one by one, in the rasteriser's
// order. (What the console's page buffers do then depends on timing: unverified.)
static bool meets(const struct drawing *d, const struct gs_rectangle *where)
{
    struct pages frame = {0}, z = {0};
    if (!d->may_meet)
        return false;
    gs_add_pages(&frame, &d->state.frame, where);
    if (d->state.uses_z)
        gs_add_pages(&z, &d->state.z, where);
    return gs_pages_meet(&frame, &z) || gs_pages_meet(&frame, &d->pages.texture) ||
           gs_pages_meet(&z, &d->pages.texture);
}

void gs_draw_primitive(struct gs *gs, const struct gs_primitive *p)
{
    struct drawing *d = gs->drawing;
    if (gs->changed || p->prim != d->prim)
        resolve(gs, p->prim, d);
    if (!d->visible || d->raster.x0 > d->raster.x1 || d->raster.y0 > d->raster.y1)
        return;
    struct gs_rectangle where = bounds(&d->raster, p);
    d->state.one_by_one = meets(d, &where);
    gs_mark_rectangle(gs, &d->state.frame, &where);
    if (d->state.uses_z)
        gs_mark_rectangle(gs, &d->state.z, &where);
    gs_rasterise(&d->raster, p);
}
