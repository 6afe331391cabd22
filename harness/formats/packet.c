// The microprogram's GS packets: textures, strips, vertices.
#include "harness/formats/packet.h"

#include "harness/formats/real.h"

#define EOP        0x8000u
#define JUDGEMENTS 0x3FFFFu // of the last three vertices
#define ADGIF_SIZE 0x50

// Constants by the microprogram's quadword numbers.
#define Q(view, number) ((view)->constants[(number)-656])

struct emitter {
    const struct fmt_sink *sink;
    const struct fmt_patch *patch;
    const struct fmt_view *view;
    const struct fmt_vu_patch *vu;
    unsigned wrong;
    bool judged;    // the mode tests its vertices against the guard band
    unsigned flags; // judgements, the newest in the low six bits
};

static void quad(const struct emitter *e, const uint32_t words[4])
{
    e->sink->put(e->sink->context, words, 4, true);
}

static void texture(const struct emitter *e, unsigned adgif)
{
    const uint8_t *data = e->patch->adgifs.data + (size_t)ADGIF_SIZE * adgif;
    quad(e, Q(e->view, 660));
    for (unsigned i = 0; i < ADGIF_SIZE; i += 16) {
        const uint32_t words[4] = {fmt_u32(data + i), fmt_u32(data + i + 4), fmt_u32(data + i + 8),
                                   fmt_u32(data + i + 12)};
        quad(e, words);
    }
}

// Against the guard band, before the divide.
static void judge(struct emitter *e, const uint32_t p[4])
{
    uint32_t scaled[4];
    for (unsigned i = 0; i < 4; i++)
        scaled[i] = real_mul(p[i], Q(e->view, 662)[i]);
    e->flags = (e->flags << 6 | real_clip(scaled, scaled[3])) & JUDGEMENTS;
}

static bool dropped(const struct emitter *e)
{
    return e->judged && (e->wrong & FMT_TERRAIN_ADC ? e->flags & 0x3F : e->flags);
}

// Screen position and depth, fog and ADC, in 1/16.
static void project(const struct emitter *e, const uint32_t p[4], uint32_t q, uint32_t out[4])
{
    const struct fmt_view *view = e->view;
    for (unsigned i = 0; i < 4; i++)
        out[i] = real_add(i < 3 ? real_mul(p[i], q) : p[i], Q(view, 661)[i]);
    if (!(e->wrong & FMT_TERRAIN_FOG))
        out[3] = ee_float_max(ee_float_min(out[3], Q(view, 656)[2]), Q(view, 656)[1]);
    if (dropped(e))
        out[3] = real_add(out[3], Q(view, 656)[3]);
    for (unsigned i = 0; i < 4; i++)
        out[i] = ee_float_to_int(out[i], 4);
}

static void vertex(struct emitter *e, unsigned index)
{
    const struct fmt_vu_entry *entry = &e->vu->entries[index];
    const struct fmt_vu_vertex *v = &e->vu->vertices[entry->position];
    uint32_t p[4], xyzf[4], colour[4], point[3];
    for (unsigned i = 0; i < 4; i++) {
        p[i] = v->position[i];
        colour[i] = e->vu->transformed ? ee_float_to_int(real_mul(v->colour[i], Q(e->view, 664)[i]), 0)
                                       : v->colour[i];
    }
    if (!e->vu->transformed) {
        for (unsigned i = 0; i < 3; i++)
            point[i] = ee_float_from_int(v->position[i], 0);
        real_transform(e->view->matrix, point, p);
    }
    uint32_t q = ee_float_div(Q(e->view, 656)[0], p[3]).bits, bias = Q(e->view, 657)[2];
    const uint32_t st[3] = {real_mul(real_sub(entry->s, bias), q), real_mul(real_sub(entry->t, bias), q),
                            real_mul(REAL_ONE, q)};
    const uint32_t unread = 0;
    judge(e, p);
    project(e, p, q, xyzf);
    e->sink->put(e->sink->context, st, 3, true);
    e->sink->put(e->sink->context, &unread, 1, false);
    quad(e, colour);
    quad(e, xyzf);
}

static void strip(struct emitter *e, const uint8_t *indices, unsigned count, bool last)
{
    const uint32_t *tag = Q(e->view, 658);
    const uint32_t words[4] = {count | (last ? EOP : 0), tag[1], tag[2], tag[3]};
    quad(e, words);
    if (!(e->wrong & FMT_TERRAIN_STRIP_FLAGS))
        e->flags = 0;
    for (unsigned i = 0; i < count; i++)
        vertex(e, indices[i]);
}

enum ps2_status fmt_vu_packets(const struct fmt_sink *sink, const struct fmt_patch *patch,
                               const struct fmt_view *view, enum fmt_lod_mode mode, unsigned wrong,
                               const struct fmt_vu_patch *vu, struct ps2_error *error)
{
    struct emitter e = {.sink = sink, .patch = patch, .view = view, .vu = vu, .wrong = wrong};
    struct ps2_error why = {.status = PS2_OK};
    unsigned lod = fmt_lod_lists(mode);
    struct fmt_strips strips = fmt_strips_start(patch, lod);
    struct fmt_run run, following;
    e.judged = mode == FMT_MODE_LOD_2 || mode == FMT_MODE_LOD_0;
    for (bool more = fmt_strips_next(&strips, &run, &why); more; run = following) {
        more = fmt_strips_next(&strips, &following, &why);
        if (run.loaded && !(run.kick && (wrong & FMT_TERRAIN_KICK)))
            texture(&e, (unsigned)run.adgif);
        strip(&e, patch->indices[lod].data + run.first, run.count, !more || following.kick);
    }
    if (why.status && error)
        *error = why;
    return why.status;
}
