// Checks of the terrain (section 7): every rule of the lists beside the same reading with that rule broken,
// and every count of a header beside the header of another patch.
#include "harness/check/level.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 4 // shuffles per control

struct terrain {
    const struct fmt_level *level;
    struct check_list *list;
    size_t count;
    struct fmt_patch *patches;
    bool *walked; // lists walk
    bool *sound;  // and every rule holds
    uint32_t *order;
    uint64_t seed;
};

static enum ps2_status read_patch(const struct terrain *t, size_t i, unsigned wrong, struct fmt_patch *patch,
                                  struct ps2_error *why)
{
    enum ps2_status status = fmt_patch(&t->level->terrain, i, wrong, patch, why);
    return status ? status : fmt_within(why, fmt_patch_verify(patch, why), "tfrag patch %zu", i);
}

// Patches whose lists walk and whose every rule holds; control: their data counted from the block.
static void soundness(struct terrain *t)
{
    struct check c = {
        .name = "tfrag.sound", .unit = "patches", .control = "data counted from the block", .need = 1.0};
    for (size_t i = 0; i < t->count; i++) {
        struct fmt_patch patch;
        struct ps2_error why = {0};
        t->walked[i] = !fmt_patch(&t->level->terrain, i, 0, &t->patches[i], &why);
        t->sound[i] =
            t->walked[i] && !fmt_within(&why, fmt_patch_verify(&t->patches[i], &why), "tfrag patch %zu", i);
        check_count(&c, t->sound[i], &why);
        check_control(&c, !read_patch(t, i, FMT_WRONG_BLOCK_RELATIVE, &patch, NULL));
    }
    check_list_add(t->list, &c);
}

// What each rule of the walk is worth: of the sound patches, how many would be sound with that one rule
// broken.
static void rules(struct terrain *t)
{
    static const struct {
        const char *name, *control;
        unsigned wrong;
    } kinds[] = {
        {"tfrag.vif_format", "format from the immediate", FMT_WRONG_FORMAT_IN_IMMEDIATE},
        {"tfrag.vif_padding", "payload padded to 2 bytes", FMT_WRONG_PAD_TO_2},
        {"tfrag.vif_payload", "STROW and others without payload", FMT_WRONG_NO_PAYLOAD},
        {"tfrag.guards", "arrays told apart by address alone", FMT_WRONG_UNGUARDED},
        {"tfrag.banking", "lists banked by arrival", FMT_WRONG_BY_ARRIVAL},
    };
    struct fmt_patch patch;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct check c = {.name = kinds[k].name, .unit = "patches", .control = kinds[k].control, .need = 1.0};
        for (size_t i = 0; i < t->count; i++) {
            if (!t->sound[i])
                continue;
            check_count(&c, true, NULL);
            check_control(&c, !read_patch(t, i, kinds[k].wrong, &patch, NULL));
        }
        check_list_add(t->list, &c);
    }
}

// A claim of each patch's header and what its lists hold.
typedef unsigned (*patch_number)(const struct fmt_patch *);

static unsigned claim_positions(const struct fmt_patch *p)
{
    return p->header.vert_count;
}
static unsigned claim_triangles(const struct fmt_patch *p)
{
    return p->header.tri_count;
}
static unsigned found_triangles(const struct fmt_patch *p)
{
    unsigned n;
    return fmt_patch_triangles(p, 0, &n, NULL) ? UINT32_MAX : n;
}
static unsigned claim_adgifs(const struct fmt_patch *p)
{
    return p->header.texture_count;
}
static unsigned found_adgifs(const struct fmt_patch *p)
{
    return p->adgifs.count;
}
static unsigned claim_entries(const struct fmt_patch *p)
{
    const struct fmt_vu_header *v = &p->vu;
    return v->common_positions + v->common_extra + v->lod_01_positions + v->lod_01_extra +
           v->lod_0_positions + v->lod_0_extra;
}
static unsigned origin_digest(const int32_t o[3])
{
    return (uint32_t)o[0] * 31 + (uint32_t)o[1] * 7 + (uint32_t)o[2];
}
static unsigned claim_origin(const struct fmt_patch *p)
{
    int32_t beside[4];
    return fmt_patch_light_origin(p, beside, NULL) ? 0 : origin_digest(beside);
}
static unsigned found_origin(const struct fmt_patch *p)
{
    return origin_digest(p->origin);
}
static unsigned claim_colours(const struct fmt_patch *p)
{
    return p->header.rgba_size;
}
static unsigned found_colours(const struct fmt_patch *p)
{
    return (fmt_patch_position_count(p) + 3) / 4;
}
static unsigned claim_light_end(const struct fmt_patch *p)
{
    return p->header.light_end;
}
static unsigned found_light_end(const struct fmt_patch *p)
{
    return (p->header.light_ofs + 0x10u + 8u * fmt_patch_position_count(p) + 15u) & ~15u;
}

// The claim equals what is found; control: the claim of another patch.
static void counts(struct terrain *t)
{
    static const struct {
        const char *name;
        patch_number claim, found;
        bool lead;
    } numbers[] = {
        {"tfrag.vert_count", claim_positions, fmt_patch_position_count, false},
        {"tfrag.tri_count", claim_triangles, found_triangles, false},
        {"tfrag.texture_count", claim_adgifs, found_adgifs, false},
        {"tfrag.vertex_info", claim_entries, fmt_patch_vinfo_count, false},
        {"tfrag.light_origin", claim_origin, found_origin, true},
        {"tfrag.rgba_size", claim_colours, found_colours, true},
        {"tfrag.light_end", claim_light_end, found_light_end, true},
    };
    for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        struct check c = {.name = numbers[k].name,
                          .unit = "patches",
                          .control = "header of another patch",
                          .need = 1.0,
                          .lead = numbers[k].lead};
        for (size_t i = 0; i < t->count; i++) {
            unsigned claim = numbers[k].claim(&t->patches[i]);
            struct ps2_error why;
            ps2_fail(&why, PS2_BAD_INPUT, t->level->terrain.span.name, t->patches[i].data.origin,
                     "tfrag patch %zu: %s claims %u, %u found", i, numbers[k].name, claim,
                     t->walked[i] ? numbers[k].found(&t->patches[i]) : 0);
            check_count(&c, t->walked[i] && claim == numbers[k].found(&t->patches[i]), &why);
        }
        for (unsigned round = 0; round < ROUNDS && t->count > 1; round++) {
            check_shuffle(t->order, t->count, &t->seed);
            for (size_t i = 0; i < t->count; i++)
                if (t->walked[i] && t->order[i] != i)
                    check_control(&c, numbers[k].claim(&t->patches[t->order[i]]) ==
                                          numbers[k].found(&t->patches[i]));
        }
        check_list_add(t->list, &c);
    }
}

// Links of LOD entries; control: a random byte as the first parent.
static void links(struct terrain *t)
{
    struct check c = {
        .name = "tfrag.parents", .unit = "LOD entries", .control = "random parents", .need = 1.0};
    for (size_t i = 0; i < t->count; i++) {
        const struct fmt_patch *p = &t->patches[i];
        unsigned common = p->vinfo[0].count, lod_0 = fmt_patch_vinfo_start(p, FMT_LOD_0);
        unsigned entries = fmt_patch_vinfo_count(p), positions = fmt_patch_position_count(p);
        for (unsigned e = common; t->walked[i] && e < entries; e++) {
            struct fmt_parents parents;
            unsigned limit = e < lod_0 ? common : entries;
            bool has = fmt_patch_parents(p, e, &parents);
            check_count(&c, has && parents.p1 < limit && parents.p2 < positions, NULL);
            check_control(&c, (check_random(&t->seed) & 0xFF) < limit);
        }
    }
    check_list_add(t->list, &c);
}

// Strip indices name entries of their LOD; control: the strips of another patch over this patch's entries.
static void indices(struct terrain *t)
{
    struct check c = {
        .name = "tfrag.indices", .unit = "indices", .control = "indices of another patch", .need = 1.0};
    if (t->count)
        check_shuffle(t->order, t->count, &t->seed);
    for (size_t i = 0; i < t->count; i++) {
        const struct fmt_patch *p = &t->patches[i], *other = &t->patches[t->order[i]];
        for (unsigned lod = 0; t->walked[i] && lod < 3; lod++) {
            unsigned limit = fmt_patch_vinfo_start(p, 3 - lod);
            for (unsigned k = 0; k < p->indices[lod].count; k++)
                check_count(&c, p->indices[lod].data[k] < limit, NULL);
            for (unsigned k = 0; t->walked[t->order[i]] && other != p && k < other->indices[lod].count; k++)
                check_control(&c, other->indices[lod].data[k] < limit);
        }
    }
    check_list_add(t->list, &c);
}

// Ad-gifs: texture in the table, register bytes, signed bias. Controls: the field 16 bytes further, or read
// unsigned.
static void adgifs(struct terrain *t, struct check_totals *totals)
{
    static const uint8_t registers[5] = {0x06, 0x14, 0x08, 0x34, 0x36};
    struct check texture = {.name = "tfrag.adgif_texture",
                            .unit = "ad-gifs",
                            .control = "word of the next register",
                            .need = 1.0};
    struct check address = {
        .name = "tfrag.adgif_registers", .unit = "ad-gifs", .control = "a quadword further", .need = 1.0};
    struct check bias = {
        .name = "tfrag.lod_bias", .unit = "ad-gifs", .control = "read unsigned", .need = 1.0, .lead = true};
    uint32_t textures = (uint32_t)t->level->core.tfrag_textures.count;
    bool *used = calloc(textures + 1u, sizeof *used);
    t->list->incomplete |= !used;
    for (size_t i = 0; i < t->count; i++) {
        const struct fmt_patch *p = &t->patches[i];
        for (unsigned k = 0; t->walked[i] && k < p->adgifs.count; k++) {
            const uint8_t *stored = p->adgifs.data + 0x50 * k;
            struct fmt_adgif a = fmt_patch_adgif(p, k);
            struct ps2_error why;
            fmt_fail(p->data, (uint64_t)(stored - p->data.data), &why,
                     "tfrag patch %zu: ad-gif %u names texture %u of %u", i, k, a.texture, textures);
            check_count(&texture, a.texture < textures, &why);
            check_control(&texture, fmt_u32(stored + 0x10) < textures);
            check_count(&address, !memcmp(a.registers, registers, 5), NULL);
            check_control(&address, stored[0x18] == 0x06 && stored[0x28] == 0x14 && stored[0x38] == 0x08);
            // Retail biases are -137 .. -89 sixteenths.
            check_count(&bias, a.lod_bias < 0 && a.lod_bias >= -256, NULL);
            check_control(&bias, (fmt_u32(stored + 0x10) & 0xFFF) < 256);
            if (used && a.texture < textures)
                used[a.texture] = true;
            totals->adgifs++;
        }
    }
    for (uint32_t i = 0; used && i < textures; i++)
        totals->textures_used += used[i];
    totals->textures += textures;
    free(used);
    check_list_add(t->list, &texture);
    check_list_add(t->list, &address);
    check_list_add(t->list, &bias);
}

// Distance from the sphere's centre at most the radius, with one world unit and 1 % of room.
static bool in_sphere(const struct fmt_patch *p, const int32_t origin[3], const uint32_t sphere[4],
                      unsigned i)
{
    int16_t offset[3];
    double d2 = 0, r = fmt_float(sphere[3]) * 1.01 + 1024;
    fmt_patch_position(p, i, offset);
    for (unsigned k = 0; k < 3; k++) {
        double d = (double)origin[k] + offset[k] - fmt_float(sphere[k]);
        d2 += d * d;
    }
    return d2 <= r * r;
}

// Positions lie in their patch's sphere, the one absolute source. Controls: the last row as the origin; and
// for the light records, which name each position's place, the next record.
static void places(struct terrain *t)
{
    struct check sphere = {
        .name = "tfrag.spheres", .unit = "positions", .control = "the last row as the origin", .need = 1.0};
    struct check named = {.name = "tfrag.light_places",
                          .unit = "positions",
                          .control = "the next light record",
                          .need = 1.0,
                          .lead = true};
    for (size_t i = 0; i < t->count; i++) {
        const struct fmt_patch *p = &t->patches[i];
        struct fmt_patch wrong;
        struct fmt_span records = {NULL, 0, NULL, 0};
        struct ps2_error why;
        if (!t->walked[i])
            continue;
        bool control = !fmt_patch(&t->level->terrain, i, FMT_WRONG_LAST_ROW, &wrong, NULL);
        bool lit = !fmt_patch_light_records(p, &records, NULL) &&
                   p->header.vert_count == fmt_patch_position_count(p);
        fmt_fail(p->data, 0, &why, "tfrag patch %zu: a position lies outside its bounding sphere", i);
        for (unsigned k = 0; k < fmt_patch_position_count(p); k++) {
            check_count(&sphere, in_sphere(p, p->origin, p->header.sphere, k), &why);
            if (control)
                check_control(&sphere, in_sphere(p, wrong.origin, p->header.sphere, k));
            if (lit)
                check_count(&named, fmt_light_record(records, k).position_ofs == fmt_patch_position_at(p, k),
                            NULL);
            if (lit && k)
                check_control(&named,
                              fmt_light_record(records, k - 1).position_ofs == fmt_patch_position_at(p, k));
        }
    }
    check_list_add(t->list, &sphere);
    check_list_add(t->list, &named);
}

// The disc stores no run-time light: no whole-patch set, no point lights. Control: the fields beside them.
static void run_time_fields(struct terrain *t)
{
    struct check c = {.name = "tfrag.no_runtime_lights",
                      .unit = "patches",
                      .control = "the bytes beside",
                      .need = 1.0,
                      .lead = true};
    for (size_t i = 0; i < t->count; i++) {
        const struct fmt_patch_header *h = &t->patches[i].header;
        check_count(&c, h->dir_lights_one == -1 && h->point_lights == 0xFFFF, NULL);
        check_control(&c, h->relight == 0xFF && h->clip_box_ofs == 0xFFFF);
    }
    check_list_add(t->list, &c);
}

static void add_totals(const struct terrain *t, struct check_totals *totals)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct fmt_patch *p = &t->patches[i];
        unsigned triangles;
        if (!t->sound[i] || fmt_patch_triangles(p, 0, &triangles, NULL))
            continue;
        totals->patches++;
        totals->vertices += fmt_patch_position_count(p);
        totals->triangles += triangles;
        totals->entries += fmt_patch_vinfo_count(p);
        totals->common_entries += p->vinfo[FMT_COMMON].count;
        totals->lod_01_links += p->vinfo[FMT_LOD_01].count;
        totals->lod_0_links += p->vinfo[FMT_LOD_0].count;
    }
}

void check_terrain(const struct fmt_level *level, struct check_list *list, struct check_totals *totals)
{
    size_t n = (size_t)level->terrain.count;
    struct terrain t = {level,
                        list,
                        n,
                        calloc(n + 1, sizeof *t.patches),
                        calloc(n + 1, 1),
                        calloc(n + 1, 1),
                        calloc(n + 1, sizeof *t.order),
                        21};
    if (t.patches && t.walked && t.sound && t.order) {
        soundness(&t);
        rules(&t);
        counts(&t);
        links(&t);
        indices(&t);
        adgifs(&t, totals);
        places(&t);
        run_time_fields(&t);
        add_totals(&t, totals);
    } else {
        list->incomplete = true;
    }
    free(t.patches);
    free(t.walked);
    free(t.sound);
    free(t.order);
}
