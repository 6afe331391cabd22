// Drawing: from a primitive and the registers to the rasteriser and the pixel pipeline.
//
// With workers, primitives are queued with the registers that they were drawn with, and drawn together before
// anything looks at memory. Each worker draws, in order, the rows that are its own, so that the picture is
// the same. What may read memory that is still to be drawn waits for the queue; what reads its own pixels, or
// reaches a pixel by two rows, is drawn alone.
#include "gs/pixel_state.h"
#include "gs/team.h"

#include <stdlib.h>

#define SCENES 16u
#define JOBS   512u
#define BAND   32u // rows

// Registers, resolved.
struct scene {
    struct gs_raster raster;
    struct pixel_state state;
};

struct job {
    struct gs_primitive primitive;
    unsigned scene;
};

struct drawing {
    struct gs_choices choices;
    struct scene scene[SCENES];
    unsigned current; // the scene that the next primitive may have
    uint16_t prim;    // ... if its PRIM is this
    bool visible;     // anything drawn changes memory
    bool may_meet;    // what is read may be what is written
    uint64_t palette_tex0, palette_texa;
    struct pixel_pages pages;

    struct team *team; // NULL: nothing is queued
    unsigned workers;
    struct pixel_work *work; // one each
    struct job job[JOBS];
    unsigned jobs;
    struct pixel_pages used;   // by the jobs
    struct gs_buffer frame, z; // theirs
    bool uses_z;               // else z is anything
};

bool gs_draw_enable(struct gs *gs, const struct gs_choices *choices)
{
    struct drawing *d = gs->drawing;
    if (!d) {
        d = calloc(1, sizeof *d);
        if (!d)
            return false;
        d->workers = 1;
        d->work = calloc(1, sizeof *d->work);
        if (!d->work) {
            free(d);
            return false;
        }
    }
    gs->drawing = d;
    gs_drain(gs);
    d->choices = choices ? *choices : (struct gs_choices){0};
    gs->changed = gs->clut_changed = true;
    return true;
}

void gs_draw_free(struct gs *gs)
{
    if (!gs->drawing)
        return;
    gs_team_free(gs->drawing->team);
    free(gs->drawing->work);
    free(gs->drawing);
}

bool gs_set_workers(struct gs *gs, unsigned count)
{
    struct drawing *d = gs->drawing;
    count = count < 1 ? 1 : count > TEAM_MOST ? TEAM_MOST : count;
    if (!d)
        return false;
    gs_drain(gs);
    struct pixel_work *work = calloc(count, sizeof *work);
    struct team *team = count > 1 ? gs_team_new(count) : NULL;
    if (!work || (count > 1 && !team)) {
        gs_team_free(team);
        free(work);
        return false;
    }
    gs_team_free(d->team);
    free(d->work);
    d->team = team;
    d->work = work;
    d->workers = count;
    return true;
}

// ---- drawing what is resolved

// The rows from y0 to y1 of a primitive.
static void draw_rows(struct pixel_work *work, const struct scene *scene, const struct gs_primitive *p,
                      int32_t y0, int32_t y1)
{
    struct gs_raster raster = scene->raster;
    raster.context = work;
    raster.y0 = y0 > raster.y0 ? y0 : raster.y0;
    raster.y1 = y1 < raster.y1 ? y1 : raster.y1;
    work->state = &scene->state;
    if (raster.y0 <= raster.y1)
        gs_rasterise(&raster, p);
}

// The pixels within the scissor that the primitive can touch, those of antialiased edges included. False when
// there are none.
static bool bounds(const struct gs_raster *r, const struct gs_primitive *p, struct gs_rectangle *where)
{
    int32_t x0 = r->x1, y0 = r->y1, x1 = r->x0, y1 = r->y0;
    for (unsigned n = 0; n < p->count; n++) {
        int32_t x = (p->vertex[n].x - r->ofx) >> 4, y = (p->vertex[n].y - r->ofy) >> 4;
        x0 = x - 1 < x0 ? x - 1 : x0;
        y0 = y - 1 < y0 ? y - 1 : y0;
        x1 = x + 2 > x1 ? x + 2 : x1;
        y1 = y + 2 > y1 ? y + 2 : y1;
    }
    x0 = x0 > r->x0 ? x0 : r->x0;
    y0 = y0 > r->y0 ? y0 : r->y0;
    x1 = x1 < r->x1 ? x1 : r->x1;
    y1 = y1 < r->y1 ? y1 : r->y1;
    *where = (struct gs_rectangle){(uint32_t)x0, (uint32_t)y0, (uint32_t)x1, (uint32_t)y1};
    return x0 <= x1 && y0 <= y1;
}

// The bands of rows that are a worker's own, of all jobs.
static void draw_bands(void *context, unsigned worker)
{
    struct drawing *d = context;
    d->work[worker].one_by_one = false;
    for (unsigned n = 0; n < d->jobs; n++) {
        const struct scene *scene = &d->scene[d->job[n].scene];
        struct gs_rectangle where;
        if (!bounds(&scene->raster, &d->job[n].primitive, &where))
            continue;
        uint32_t band = where.y0 / BAND, last = where.y1 / BAND;
        for (band += (worker + d->workers - band % d->workers) % d->workers; band <= last; band += d->workers)
            draw_rows(&d->work[worker], scene, &d->job[n].primitive, (int32_t)(band * BAND),
                      (int32_t)(band * BAND + BAND - 1));
    }
}

void gs_drain(struct gs *gs)
{
    struct drawing *d = gs->drawing;
    if (!d || !d->jobs)
        return;
    gs_team_run(d->team, draw_bands, d);
    d->jobs = 0;
    d->used = (struct pixel_pages){0};
    d->uses_z = false;
}

// ---- registers

static void set_raster(const struct gs *gs, uint16_t prim, const struct drawing *d, struct scene *scene)
{
    unsigned context = (unsigned)gs_field(prim, GS_PRIM_CTXT);
    uint64_t offset = gs->reg[GS_XYOFFSET_1 + context], tex1 = gs->reg[GS_TEX1_1 + context];
    struct gs_rectangle scissor = gs_scissor(gs, context);
    struct texture_size size = gs_texture_size(gs->reg[GS_TEX0_1 + context], &d->choices);
    bool uv = gs_field(prim, GS_PRIM_FST);
    scene->raster = (struct gs_raster){
        .needs = scene->state.needs,
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
        .batch = gs_pixel_batch,
    };
}

static void set_palette(struct gs *gs, unsigned context, struct drawing *d, struct scene *scene)
{
    uint64_t tex0 = gs->reg[GS_TEX0_1 + context], texa = gs->reg[GS_TEXA];
    if (!gs->clut_changed && tex0 == d->palette_tex0 && texa == d->palette_texa)
        return;
    gs_clut_colours(gs, tex0, texa, scene->state.texture.palette);
    d->palette_tex0 = tex0;
    d->palette_texa = texa;
    gs->clut_changed = false;
}

// A scene that no job has. The palette stays from the last.
static struct scene *next_scene(struct gs *gs, struct drawing *d)
{
    unsigned last = d->current;
    if (d->jobs && d->current == SCENES - 1)
        gs_drain(gs);
    d->current = d->jobs ? last + 1 : 0;
    if (d->current != last)
        d->scene[d->current] = d->scene[last];
    return &d->scene[d->current];
}

static void resolve(struct gs *gs, uint16_t prim, struct drawing *d)
{
    struct scene *scene = next_scene(gs, d);
    d->visible = gs_find_pixel_state(gs, prim, &d->choices, &scene->state, &d->pages);
    if (scene->state.needs & GS_NEEDS_TEXTURE && scene->state.texture.format->bits < 16)
        set_palette(gs, (unsigned)gs_field(prim, GS_PRIM_CTXT), d, scene);
    d->may_meet = gs_pages_meet(&d->pages.frame, &d->pages.z) ||
                  gs_pages_meet(&d->pages.frame, &d->pages.texture) ||
                  gs_pages_meet(&d->pages.z, &d->pages.texture);
    set_raster(gs, prim, d, scene);
    d->prim = prim;
    gs->changed = false;
}

// ---- primitives

// Whether the primitive may read what it writes: then its pixels are drawn one by one, in the rasteriser's
// order. (What the console's page buffers do then depends on timing: unverified.)
static bool meets(const struct drawing *d, const struct pixel_state *s, const struct gs_rectangle *where)
{
    struct pages frame = {0}, z = {0};
    if (!d->may_meet)
        return false;
    gs_add_pages(&frame, &s->frame, where);
    if (s->uses_z)
        gs_add_pages(&z, &s->z, where);
    return gs_pages_meet(&frame, &z) || gs_pages_meet(&frame, &d->pages.texture) ||
           gs_pages_meet(&z, &d->pages.texture);
}

static bool same_buffer(const struct gs_buffer *a, const struct gs_buffer *b)
{
    return a->format == b->format && a->base == b->base && a->width == b->width;
}

// Jobs have their frame and Z buffer in common, so that a row is the same memory to all of them, and do not
// read what one of them writes.
static bool fits_jobs(const struct drawing *d, const struct pixel_state *s)
{
    const struct pixel_pages *new = &d->pages, *old = &d->used;
    return same_buffer(&d->frame, &s->frame) && (!d->uses_z || !s->uses_z || same_buffer(&d->z, &s->z)) &&
           !gs_pages_meet(&old->frame, &new->z) && !gs_pages_meet(&old->z, &new->frame) &&
           !gs_pages_meet(&old->frame, &new->texture) && !gs_pages_meet(&old->z, &new->texture) &&
           !gs_pages_meet(&old->texture, &new->frame) && !gs_pages_meet(&old->texture, &new->z);
}

static void add_job(struct gs *gs, struct drawing *d, const struct gs_primitive *p)
{
    const struct pixel_state *s = &d->scene[d->current].state;
    if (d->jobs == JOBS || (d->jobs && !fits_jobs(d, s)))
        gs_drain(gs);
    d->job[d->jobs++] = (struct job){.primitive = *p, .scene = d->current};
    gs_unite_pages(&d->used.texture, &d->pages.texture);
    gs_unite_pages(&d->used.frame, &d->pages.frame);
    gs_unite_pages(&d->used.z, &d->pages.z);
    d->frame = s->frame;
    if (s->uses_z)
        d->z = s->z;
    d->uses_z |= s->uses_z;
}

static void mark(struct gs *gs, const struct pixel_state *s, const struct gs_rectangle *where)
{
    gs_mark_rectangle(gs, &s->frame, where);
    if (s->uses_z)
        gs_mark_rectangle(gs, &s->z, where);
}

void gs_draw_primitive(struct gs *gs, const struct gs_primitive *p)
{
    struct drawing *d = gs->drawing;
    if (gs->changed || p->prim != d->prim)
        resolve(gs, p->prim, d);
    const struct scene *scene = &d->scene[d->current];
    struct gs_rectangle where;
    if (!d->visible || !bounds(&scene->raster, p, &where))
        return;
    mark(gs, &scene->state, &where);
    if (d->team && !d->may_meet && !d->pages.folded) {
        add_job(gs, d, p);
        return;
    }
    gs_drain(gs);
    d->work->one_by_one = meets(d, &scene->state, &where);
    draw_rows(d->work, scene, p, scene->raster.y0, scene->raster.y1);
}
