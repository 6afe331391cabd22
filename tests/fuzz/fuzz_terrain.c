// Fuzzes the terrain decoders: damaged blocks walked, verified, lit, morphed and triangulated.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/check.h"
#include "harness/formats/light.h"
#include "harness/formats/lod.h"
#include "harness/formats/mesh.h"
#include "harness/formats/packet.h"
#include "tests/support/terrain.h"

static struct terrain terrain;
static struct fmt_morphed positions[FMT_PATCH_MOST];
static struct fmt_drawn_entry entries[FMT_PATCH_MOST];
static struct fmt_light_bank bank;
static struct fmt_normal_table table;
static struct fmt_vu_patch vu;
static struct fmt_view view_context;
static size_t words;

static void count_words(void *context, const uint32_t *data, size_t count, bool known)
{
    (void)context, (void)data, (void)known;
    words += count;
}

// What TfragProc and the microprogram make of a sound patch, with a view of random bits.
static void draw(const struct fmt_patch *p, const struct fmt_lod *lod, uint64_t r)
{
    const struct fmt_sink sink = {NULL, count_words};
    uint8_t mask[FMT_OCCLUSION_MASK];
    struct fmt_cull cull;
    uint64_t seed = r;
    memset(mask, 0xFF, sizeof mask);
    for (unsigned i = 0; i < 16; i++)
        view_context.matrix[i / 4][i % 4] = (uint32_t)check_random(&seed);
    for (unsigned i = 0; i < 4 * FMT_VU_CONSTANTS; i++)
        view_context.constants[i / 4][i % 4] = (uint32_t)check_random(&seed);
    view_context.draw_distance = view_context.slope[0] = view_context.slope[1] = 0x7FFFFFFF;
    unsigned wrong = r & 1 ? 0 : 1u << (r >> 4) % 13;
    if (fmt_cull(&view_context, lod, mask, p, wrong, &cull, NULL))
        return;
    cull.mode = (enum fmt_lod_mode)(r >> 8) % 6;
    fmt_chain_patch(&sink, p, fmt_cull_mscal(&cull), wrong, NULL);
    if (fmt_vu_unpack(p, fmt_cull_mscal(&cull), &vu, NULL))
        return;
    fmt_vu_morph(p, &view_context, cull.mode, wrong, &vu);
    fmt_vu_packets(&sink, p, &view_context, cull.mode, wrong, &vu, NULL);
}

// Everything a caller may do with a patch, sound or not as each function's contract says.
static void use(const struct fmt_patch *p, uint64_t r)
{
    struct fmt_light_tally tally = {0, 0, 0};
    uint8_t rgba[256 * 4];
    int16_t box[8][3];
    struct fmt_texture_sphere sphere;
    struct fmt_run run;
    unsigned n;
    for (unsigned lod = 0; lod < 3; lod++) {
        fmt_patch_triangles(p, lod, &n, NULL);
        for (struct fmt_strips s = fmt_strips_start(p, lod); fmt_strips_next(&s, &run, NULL);)
            fmt_patch_adgif(p, (unsigned)run.adgif);
    }
    fmt_light_patch(p, &bank, &table, rgba, &tally, NULL);
    fmt_patch_clip_box(p, box, NULL);
    for (unsigned i = 0; i < p->header.texture_sphere_count; i++)
        fmt_patch_texture_sphere(p, i, &sphere, NULL);
    if (fmt_patch_verify(p, NULL))
        return;
    struct fmt_lod lod = fmt_lod((uint32_t)r);
    const struct fmt_lod_view view = {{(uint32_t)r, (uint32_t)(r >> 8), (uint32_t)(r >> 16)},
                                      (uint32_t)(r >> 24)};
    fmt_morph_patch(p, &lod, r >> 40 & 3, &view, positions, entries);
    draw(p, &lod, r);
    fmt_lod_choose(&lod, p->header.base_only, (uint32_t)r, p->header.sphere[3]);
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000, walked = 0, sound = 0;
    uint64_t seed = 9;
    struct terrain_patch specs[3] = {
        {.positions = {9, 5, 7}, .extras = {3, 2, 6}, .adgifs = 3, .trailing_row = true},
        {.positions = {8, 4, 11}, .adgifs = 2, .origin = {-5, 6, 7}},
        {.positions = {6, 0, 0}, .extras = {2, 0, 0}, .adgifs = 1, .no_row = true}};
    terrain_build(&terrain, specs, 3);
    // An exact copy on the heap, so that the sanitizer sees every byte past the end; cut short now and then.
    for (unsigned long i = 0; i < runs; i++) {
        uint64_t r = check_random(&seed);
        size_t size = r % 8 ? terrain.size : terrain.size - (r >> 8) % terrain.size;
        uint8_t *bytes = malloc(size ? size : 1);
        memcpy(bytes, terrain.bytes, size);
        for (unsigned k = (r >> 32) % 5; k && size; k--) {
            uint64_t m = check_random(&seed);
            // Headers get half of the damage: they hold the offsets and counts.
            size_t at = m & 1 ? (m >> 8) % (size < 0x100 ? size : 0x100) : (m >> 8) % size;
            bytes[at] = m & 2 ? (uint8_t)(m >> 56) : (uint8_t)(bytes[at] + (m & 4 ? 1 : -1));
        }
        struct fmt_tfrag_block block;
        if (!fmt_tfrag_block(fmt_span_of(bytes, size, "fuzz"), &block, NULL))
            for (size_t p = 0; p < (size_t)block.count && p < 4; p++) {
                struct fmt_patch patch;
                unsigned wrong = r >> 40 & 7 ? 0 : 1u << (r >> 44 & 7);
                if (fmt_patch(&block, p, wrong, &patch, NULL))
                    continue;
                walked++;
                sound += !fmt_patch_verify(&patch, NULL);
                use(&patch, check_random(&seed));
            }
        free(bytes);
    }
    printf("fuzz_terrain: %lu runs, %lu patches walked, %lu sound\n", runs, walked, sound);
    return walked && sound && sound < walked && words ? 0 : 1;
}
