// What the registers make of the pixel pipeline: its stages and their constants.
#include "gs/pixel_state.h"

#define Z_CODES 0x30u

// What the stages depend on, besides their constants.
struct plan {
    const struct gs *gs;
    const struct gs_choices *choices;
    struct pixel_state *s;
    unsigned context;
    uint64_t test, alpha;
    bool surface; // lines and triangles: attributes differ between pixels
    bool textured, gouraud, fogged, antialiased;
    bool frame_16, writes_frame;
    bool tests_z, writes_z, tests_alpha, tests_frame, blends, dithers;
};

static uint64_t in_context(const struct plan *p, enum gs_number number)
{
    return p->gs->reg[number + p->context];
}

// ---- buffers

struct gs_rectangle gs_scissor(const struct gs *gs, unsigned context)
{
    uint64_t scissor = gs->reg[GS_SCISSOR_1 + context];
    return (struct gs_rectangle){
        .x0 = (uint32_t)gs_field(scissor, GS_SCISSOR_SCAX0),
        .y0 = (uint32_t)gs_field(scissor, GS_SCISSOR_SCAY0),
        .x1 = (uint32_t)gs_field(scissor, GS_SCISSOR_SCAX1),
        .y1 = (uint32_t)gs_field(scissor, GS_SCISSOR_SCAY1),
    };
}

// A frame has a colour or Z format of 16 bits or more; with other codes nothing is drawn (unverified).
static bool set_frame(struct plan *p)
{
    uint64_t frame = in_context(p, GS_FRAME_1);
    const struct gs_format *format = gs_format((unsigned)gs_field(frame, GS_FRAME_PSM));
    uint32_t width = (uint32_t)gs_field(frame, GS_FRAME_FBW);
    if (!format || format->bits < 16)
        return false;
    p->s->frame = (struct gs_buffer){
        .format = format,
        .base = (uint32_t)gs_field(frame, GS_FRAME_FBP) * 32,
        .width = !width && p->choices->frame_width_0_is_1 ? 1 : width,
    };
    p->s->frame_hold = (uint32_t)gs_field(frame, GS_FRAME_FBMSK) | (format->bits == 24 ? ALPHA : 0);
    p->frame_16 = format->bits == 16;
    p->writes_frame = ~p->s->frame_hold & (p->frame_16 ? 0x80f8f8f8 : UINT32_MAX);
    p->s->fba = gs_field(in_context(p, GS_FBA_1), GS_FBA_FBA);
    return true;
}

// Whether frame and Z buffer can share a layout: 32 and 24 bits, 16, and 16S (PCSX2/pcsx2#14698).
static bool unlike(const struct gs_format *frame, const struct gs_format *z)
{
    return frame->layout != z->layout;
}

// PCSX2/pcsx2#5569 tells of frames in Z formats that exchange layouts with the Z buffer.
static const struct gs_format *z_format(const struct plan *p, unsigned psm)
{
    const struct gs_format *format = gs_format(psm | Z_CODES), *frame = p->s->frame.format;
    if (!format || (p->choices->unlike_z_off && unlike(frame, format)))
        return NULL;
    return frame->z && p->choices->z_frame_swaps ? gs_format(psm) : format;
}

// Without ZTE there is neither test nor write (three emulators, captures). A code without a format is no Z
// buffer (unverified).
static void set_z(struct plan *p)
{
    uint64_t zbuf = in_context(p, GS_ZBUF_1);
    const struct gs_format *format = z_format(p, (unsigned)gs_field(zbuf, GS_ZBUF_PSM));
    unsigned ztst = (unsigned)gs_field(p->test, GS_TEST_ZTST);
    bool on = format && gs_field(p->test, GS_TEST_ZTE);
    p->tests_z = on && ztst >= 2;
    p->writes_z = on && !gs_field(zbuf, GS_ZBUF_ZMSK);
    p->s->uses_z = p->tests_z || p->writes_z;
    p->s->z_greater = ztst == 3;
    p->s->z = p->s->frame;
    p->s->z_most = UINT32_MAX;
    if (!on)
        return;
    p->s->z.format = format;
    p->s->z.base = (uint32_t)gs_field(zbuf, GS_ZBUF_ZBP) * 32;
    p->s->z_most = UINT32_MAX >> (32 - format->bits);
    p->s->z_hold = format->bits == 24 ? ALPHA : 0;
}

// ---- tests

// AFAIL 3 spares alpha in 32-bit frames alone, elsewhere it is 1 (PCSX2/pcsx2#9652, captures).
static void set_alpha_fail(struct plan *p)
{
    enum { KEEP, FRAME_ONLY, Z_ONLY, RGB_ONLY };
    unsigned afail = (unsigned)gs_field(p->test, GS_TEST_AFAIL);
    bool spares_alpha = afail == RGB_ONLY && p->s->frame.format->bits == 32;
    p->s->alpha_fail_hold = afail == KEEP || afail == Z_ONLY ? UINT32_MAX : spares_alpha ? ALPHA : 0;
    p->s->alpha_fail_z = afail == Z_ONLY ? 0 : UINT32_MAX;
}

// ATST as limits that the alpha must keep to.
static void set_alpha_test(struct plan *p)
{
    enum { NEVER, ALWAYS, LESS, LEQUAL, EQUAL, GEQUAL, GREATER, NOTEQUAL };
    int aref = (int)gs_field(p->test, GS_TEST_AREF);
    unsigned atst = (unsigned)gs_field(p->test, GS_TEST_ATST);
    struct pixel_state *s = p->s;
    p->tests_alpha = gs_field(p->test, GS_TEST_ATE) && atst != ALWAYS;
    s->alpha_least = atst == EQUAL || atst == GEQUAL || atst == NOTEQUAL ? aref
                     : atst == GREATER                                   ? aref + 1
                                                                         : 0;
    s->alpha_most = atst == NEVER                                         ? -1
                    : atst == LESS                                        ? aref - 1
                    : atst == LEQUAL || atst == EQUAL || atst == NOTEQUAL ? aref
                                                                          : 255;
    s->alpha_invert = atst == NOTEQUAL ? UINT32_MAX : 0;
    set_alpha_fail(p);
}

// With a 24-bit frame DATE lets nothing pass (PCSX2/pcsx2#5569, captures; three emulators ignore it).
static bool set_frame_test(struct plan *p)
{
    bool date = gs_field(p->test, GS_TEST_DATE), no_alpha = p->s->frame.format->bits == 24;
    p->tests_frame = date && !no_alpha;
    p->s->date_wanted = (uint32_t)gs_field(p->test, GS_TEST_DATM) << 31;
    return !date || !no_alpha || p->choices->date24_passes;
}

// ---- colours

static void set_colour(struct plan *p, uint16_t prim)
{
    uint64_t tex0 = in_context(p, GS_TEX0_1), fog = p->gs->reg[GS_FOGCOL];
    p->textured = gs_field(prim, GS_PRIM_TME);
    p->gouraud = p->surface && gs_field(prim, GS_PRIM_IIP);
    p->fogged = gs_field(prim, GS_PRIM_FGE);
    p->antialiased = p->surface && gs_field(prim, GS_PRIM_AA1);
    p->s->tfx = (uint8_t)gs_field(tex0, GS_TEX0_TFX);
    p->s->tcc = gs_field(tex0, GS_TEX0_TCC);
    p->s->fog = p->choices->fog;
    p->s->fog_colour = (uint32_t)fog & RGB;
    p->s->alpha_is_coverage = !gs_field(prim, GS_PRIM_ABE);
}

// Rows of two periods; alpha is not dithered (console captures reported in ARMSX2/ARMSX2#660).
static void set_dither(struct plan *p)
{
    uint64_t dimx = p->gs->reg[GS_DIMX];
    p->dithers = gs_field(p->gs->reg[GS_DTHE], GS_DTHE_DTHE) && (p->frame_16 || !p->choices->dither16_only);
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < GROUP; x++) {
            unsigned entry = (unsigned)(dimx >> 4 * (4 * y + x % 4)) & 7;
            for (unsigned k = 0; k < CHANNELS; k++)
                p->s->dither[y][CHANNELS * x + k] = (int16_t)(k < 3 ? (int)(entry ^ 4) - 4 : 0);
        }
}

static void set_blend(struct plan *p, uint16_t prim)
{
    struct pixel_state *s = p->s;
    p->blends = gs_field(prim, GS_PRIM_ABE) || p->antialiased;
    s->a = (enum blend_colour)gs_field(p->alpha, GS_ALPHA_A);
    s->b = (enum blend_colour)gs_field(p->alpha, GS_ALPHA_B);
    s->c = (enum blend_factor)gs_field(p->alpha, GS_ALPHA_C);
    s->d = (enum blend_colour)gs_field(p->alpha, GS_ALPHA_D);
    s->fix = (int16_t)gs_field(p->alpha, GS_ALPHA_FIX);
}

static bool blend_reads_frame(const struct pixel_state *s)
{
    return s->a == BLEND_FRAME || s->b == BLEND_FRAME || s->c == BLEND_FRAME_ALPHA || s->d == BLEND_FRAME;
}

// ---- the list of stages

static void add(struct pixel_state *s, unsigned *count, bool (*stage)(struct pixel_work *))
{
    s->stage[(*count)++] = stage;
    s->stage[*count] = NULL;
}

// A pixel that fails the depth or frame test is not worth a colour; the tests' order cannot be seen.
static void add_tests(struct plan *p, unsigned *n)
{
    struct pixel_state *s = p->s;
    bool blends_frame = p->writes_frame && p->blends && blend_reads_frame(s);
    if (s->uses_z)
        add(s, n, gs_pixel_z_source);
    if (p->tests_z)
        add(s, n, s->z.format->bits == 16 ? gs_pixel_depth_16 : gs_pixel_depth_32);
    if (p->tests_frame || blends_frame)
        add(s, n, p->frame_16 ? gs_pixel_frame_16 : gs_pixel_frame_32);
    if (p->tests_frame)
        add(s, n, gs_pixel_date);
}

static void add_colour(struct plan *p, unsigned *n)
{
    static bool (*const functions[])(struct pixel_work *) = {gs_pixel_modulate, gs_pixel_decal,
                                                             gs_pixel_highlight, gs_pixel_highlight2};
    add(p->s, n, gs_pixel_colour);
    if (p->textured)
        add(p->s, n, functions[p->s->tfx]);
    if (p->fogged)
        add(p->s, n, gs_pixel_fog);
    if (p->antialiased)
        add(p->s, n, gs_pixel_coverage);
    if (p->tests_alpha)
        add(p->s, n, gs_pixel_alpha_test);
}

static void add_output(struct plan *p, unsigned *n)
{
    struct pixel_state *s = p->s;
    if (p->writes_frame && (p->blends || p->dithers)) {
        add(s, n, p->blends ? gs_pixel_blend : gs_pixel_unblended);
        if (p->blends && gs_field(p->gs->reg[GS_PABE], GS_PABE_PABE))
            add(s, n, gs_pixel_pabe);
        if (p->dithers)
            add(s, n, gs_pixel_dither);
        add(s, n, gs_field(p->gs->reg[GS_COLCLAMP], GS_COLCLAMP_CLAMP) ? gs_pixel_clamp : gs_pixel_wrap);
    }
    if (p->writes_frame)
        add(s, n, p->frame_16 ? gs_pixel_store_16 : gs_pixel_store_32);
    if (p->writes_z)
        add(s, n, s->z.format->bits == 16 ? gs_pixel_store_z_16 : gs_pixel_store_z_32);
}

// Colours count where the frame is written or alpha decides about Z.
static void set_stages(struct plan *p)
{
    unsigned count = 0;
    bool coloured = p->writes_frame || p->tests_alpha || p->antialiased;
    struct pixel_state *s = p->s;
    add_tests(p, &count);
    if (coloured)
        add_colour(p, &count);
    add_output(p, &count);
    s->partial = s->frame_hold || p->tests_z || p->tests_frame || p->tests_alpha;
    s->partial_z = s->z_hold || p->tests_z || p->tests_frame || p->tests_alpha || p->antialiased;
    s->needs = (coloured && p->gouraud ? GS_NEEDS_COLOUR : 0u) | (p->surface && s->uses_z ? GS_NEEDS_Z : 0u) |
               (coloured && p->fogged && p->surface ? GS_NEEDS_FOG : 0u) |
               (coloured && p->textured ? GS_NEEDS_TEXTURE : 0u) |
               (coloured && p->textured && gs_texture_needs_lod(&s->texture) ? GS_NEEDS_LOD : 0u) |
               (p->antialiased ? GS_NEEDS_COVERAGE : 0u);
}

static void set_pages(const struct plan *p, struct pixel_pages *pages)
{
    struct gs_rectangle scissor = gs_scissor(p->gs, p->context);
    gs_add_pages(&pages->frame, &p->s->frame, &scissor);
    pages->folded = !gs_pages_apart(&pages->frame, &p->s->frame, &scissor);
    if (p->s->uses_z) {
        gs_add_pages(&pages->z, &p->s->z, &scissor);
        pages->folded |= !gs_pages_apart(&pages->z, &p->s->z, &scissor);
    }
}

static bool is_surface(uint16_t prim)
{
    unsigned shape = (unsigned)gs_field(prim, GS_PRIM_PRIM);
    return shape != GS_POINT && shape != GS_SPRITE;
}

bool gs_find_pixel_state(const struct gs *gs, uint16_t prim, const struct gs_choices *choices,
                         struct pixel_state *s, struct pixel_pages *pages)
{
    unsigned context = (unsigned)gs_field(prim, GS_PRIM_CTXT);
    struct plan p = {
        .gs = gs,
        .choices = choices,
        .s = s,
        .context = context,
        .test = gs->reg[GS_TEST_1 + context],
        .alpha = gs->reg[GS_ALPHA_1 + context],
        .surface = is_surface(prim),
    };
    bool never = gs_field(p.test, GS_TEST_ZTE) && !gs_field(p.test, GS_TEST_ZTST);
    *pages = (struct pixel_pages){0};
    s->memory = gs->memory;
    if (!set_frame(&p) || never || !set_frame_test(&p))
        return false;
    set_z(&p);
    set_alpha_test(&p);
    set_colour(&p, prim);
    set_dither(&p);
    set_blend(&p, prim);
    if (p.textured)
        gs_find_texture(gs, context, gs_field(prim, GS_PRIM_FST), choices, &s->texture, &pages->texture);
    set_stages(&p);
    set_pages(&p, pages);
    return p.writes_frame || p.writes_z;
}
