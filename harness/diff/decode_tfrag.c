// TfragProc and the terrain microprogram as a decoder: one answer for every output that it knows by name.
//
// Inputs: `terrain`, guest memory with the terrain after the level load; `views`, contexts one behind the
// other; `mask`, the occlusion mask; `program`, the microprogram with its VIF codes. For each view in turn
// the guest calls TfragProc and sends its chain. Outputs, of which a case has some:
//
//   relight, clip   of the last view: u16 count, u16 patches
//   paging          of the last view: u32 count, zero, and for each patch the address and number of its
//   ad-gifs vif             the words of VIF1 memory          VU1's memory before each run of a microprogram
//   morphed         ... and after each run: vertex info, positions and colours where a mode morphs
//   packets         the quadwords of PATH1
#include <stdlib.h>
#include <string.h>

#include "harness/diff/builtins.h"
#include "harness/diff/tfrag_memory.h"
#include "harness/formats/packet.h"

static const struct mistake mistakes[] = {{"far-plane", FMT_TERRAIN_FAR_PLANE},
                                          {"centre", FMT_TERRAIN_CENTRE},
                                          {"no-guard", FMT_TERRAIN_NO_GUARD},
                                          {"no-stmod", FMT_TERRAIN_NO_STMOD},
                                          {"unclamped", FMT_TERRAIN_UNCLAMPED},
                                          {"bands", FMT_TERRAIN_BANDS},
                                          {"parents", FMT_TERRAIN_PARENTS},
                                          {"one-parent", FMT_TERRAIN_ONE_PARENT},
                                          {"own-depth", FMT_TERRAIN_OWN},
                                          {"fog", FMT_TERRAIN_FOG},
                                          {"adc", FMT_TERRAIN_ADC},
                                          {"strip-flags", FMT_TERRAIN_STRIP_FLAGS},
                                          {"kick-texture", FMT_TERRAIN_KICK}};

enum { RELIGHT_MOST = 511 }; // entries of the list

// What the request asks for; NULL what it does not.
struct answers {
    struct ps2h_output *relight, *clip, *paging, *vif, *memory, *morphed, *packets;
};

struct scene {
    struct fmt_tfrag_block block;
    struct fmt_span views, program;
    const uint8_t *mask;
    struct fmt_lod lod;
    unsigned wrong;
    struct answers out;
    struct fmt_vu_patch *vu;
    struct fmt_view view;
    unsigned list_counts[2]; // relight, clip
    uint32_t paging_count;
    uint32_t top; // the input buffer of the next run
};

// ---- outputs

static void put(struct ps2h_output *o, const void *bytes, size_t size, bool known)
{
    if (o->length + size <= o->size) {
        memcpy(o->data + o->length, bytes, size);
        memset(o->known + o->length, known ? 0xFF : 0, size);
    }
    o->length += size;
}

static void put_words(void *context, const uint32_t *words, size_t count, bool known)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4];
        fmt_put_u32(bytes, words[i]);
        put(context, bytes, 4, known);
    }
}

// A list of u16 behind its count.
static void add_index(struct ps2h_output *o, unsigned *count, uint16_t index)
{
    uint8_t bytes[2];
    fmt_put_u16(bytes, index);
    put(o, bytes, 2, true);
    fmt_put_u16(bytes, (uint16_t)++ * count);
    if (o->size >= 2)
        memcpy(o->data, bytes, 2);
}

static void add_paging(struct scene *s, const struct fmt_patch_header *h)
{
    const uint32_t words[2] = {(uint32_t)h->data + h->tex_ofs, h->texture_count};
    uint8_t bytes[4];
    put_words(s->out.paging, words, 2, true);
    fmt_put_u32(bytes, ++s->paging_count);
    if (s->out.paging->size >= 4)
        memcpy(s->out.paging->data, bytes, 4);
}

static void start_lists(struct scene *s)
{
    const uint8_t zeros[8] = {0};
    struct ps2h_output *const lists[] = {s->out.relight, s->out.clip, s->out.paging};
    for (unsigned i = 0; i < 3; i++)
        if (lists[i]) {
            lists[i]->length = 0;
            put(lists[i], zeros, i == 2 ? 8 : 2, true);
        }
    s->list_counts[0] = s->list_counts[1] = s->paging_count = 0;
}

// ---- a patch

static void list_patch(struct scene *s, const struct fmt_patch_header *h, const struct fmt_cull *c,
                       uint16_t index)
{
    bool relight = h->relight || h->point_lights != 0xFFFF;
    if (s->out.relight && relight && s->list_counts[0] < RELIGHT_MOST)
        add_index(s->out.relight, &s->list_counts[0], index);
    if (s->out.clip && c->visibility == FMT_CLIPPED)
        add_index(s->out.clip, &s->list_counts[1], index);
    if (s->out.paging && fmt_cull_pages(c, h))
        add_paging(s, h);
}

static enum ps2_status send(struct scene *s, const struct fmt_patch *patch, const struct fmt_cull *c,
                            struct ps2_error *error)
{
    const struct fmt_sink vif = {s->out.vif, put_words}, packets = {s->out.packets, put_words};
    uint8_t mscal = fmt_cull_mscal(c);
    bool drawn = c->visibility == FMT_DRAWN;
    enum ps2_status status = fmt_vu_unpack(patch, mscal, s->vu, error);
    if (!status && s->out.vif)
        status = fmt_chain_patch(&vif, patch, mscal, s->wrong, error);
    if (!status && s->out.memory)
        tfrag_memory(s->out.memory, patch, &s->view, mscal, s->vu, s->top);
    if (!status && drawn)
        fmt_vu_morph(patch, &s->view, c->mode, s->wrong, s->vu);
    if (!status && s->out.morphed)
        tfrag_morphed(s->out.morphed, patch, drawn ? c->mode : FMT_MODE_LOD_0, s->vu, s->top);
    if (!status && s->out.packets && drawn)
        status = fmt_vu_packets(&packets, patch, &s->view, c->mode, s->wrong, s->vu, error);
    s->top = FMT_VU_BUFFER - s->top;
    return status;
}

// One pass sends what is drawn, the next what is clipped.
static enum ps2_status visit(struct scene *s, unsigned index, enum fmt_visibility pass,
                             struct ps2_error *error)
{
    struct fmt_patch patch;
    struct fmt_cull c = {.visibility = FMT_CULLED};
    enum ps2_status status = fmt_patch(&s->block, index, 0, &patch, error);
    if (!status)
        status = fmt_within(error, fmt_patch_verify(&patch, error), "tfrag patch %u", index);
    if (!status)
        status = fmt_cull(&s->view, &s->lod, s->mask, &patch, s->wrong, &c, error);
    if (status || c.visibility == FMT_CULLED)
        return status;
    if (pass == FMT_DRAWN)
        list_patch(s, &patch.header, &c, (uint16_t)index);
    return c.visibility == pass ? send(s, &patch, &c, error) : PS2_OK;
}

static enum ps2_status draw(struct scene *s, struct ps2_error *error)
{
    const struct fmt_sink vif = {s->out.vif, put_words};
    enum ps2_status status = PS2_OK;
    start_lists(s);
    s->top = 0;
    if (s->out.vif)
        fmt_chain_start(&vif, &s->view, s->program);
    // MSCAL 0 runs before BASE and OFFSET.
    if (s->out.memory)
        tfrag_memory_start(s->out.memory, &s->view);
    if (s->out.morphed)
        tfrag_unknown(s->out.morphed);
    for (enum fmt_visibility pass = FMT_DRAWN; !status && pass <= FMT_CLIPPED; pass++)
        for (int32_t i = 0; !status && i < s->block.count; i++)
            status = visit(s, (unsigned)i, pass, error);
    if (s->out.vif)
        fmt_chain_end(&vif);
    return status;
}

// ---- the request

static bool take_outputs(const struct ps2h_request *r, struct answers *a)
{
    const struct {
        const char *name;
        struct ps2h_output **place;
    } known[] = {{"relight", &a->relight}, {"clip", &a->clip},     {"paging", &a->paging},
                 {"vif", &a->vif},         {"memory", &a->memory}, {"morphed", &a->morphed},
                 {"packets", &a->packets}};
    for (size_t i = 0; i < r->output_count; i++) {
        size_t k = 0;
        while (k < 7 && strcmp(known[k].name, r->outputs[i].name))
            k++;
        if (k == 7) {
            snprintf(r->message, r->message_size, "knows no output '%s'", r->outputs[i].name);
            return false;
        }
        *known[k].place = &r->outputs[i];
        r->outputs[i].length = 0;
    }
    return true;
}

static bool take_inputs(const struct ps2h_request *r, struct scene *s)
{
    struct fmt_span mask, part;
    struct ps2_error error;
    if (!request_terrain(r, &s->block) || !request_span(r, "views", &s->views) ||
        !request_span(r, "mask", &mask) || (s->out.vif && !request_span(r, "program", &s->program)))
        return false;
    if (fmt_part(mask, 0, FMT_OCCLUSION_MASK, "occlusion mask", &part, &error))
        return !request_fail(r, &error);
    s->mask = part.data;
    s->lod = fmt_lod(s->block.lod_distance);
    s->wrong = mistake_of(r, mistakes, sizeof mistakes / sizeof *mistakes);
    return true;
}

int decode_tfrag(const struct ps2h_request *r)
{
    struct scene s = {.wrong = 0};
    struct ps2_error error;
    if (!take_outputs(r, &s.out) || !take_inputs(r, &s))
        return 1;
    enum ps2_status status = PS2_OK;
    s.vu = malloc(sizeof *s.vu);
    if (!s.vu)
        status = ps2_fail(&error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    for (size_t at = 0; !status && at < s.views.size; at += FMT_VIEW_SIZE) {
        status = fmt_view(s.views, (int64_t)at, &s.view, &error);
        if (!status)
            status = draw(&s, &error);
    }
    free(s.vu);
    return status ? request_fail(r, &error) : 0;
}
