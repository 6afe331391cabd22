// The ad-gifs of every patch as the level load leaves them, from the level's files.
//
// Parameters: `level`, a LEVEL<n>.WAD or a folder; `gs_base`, the texture area's first block in GS memory.
// Output n is all ad-gifs of patch n: their data halves are the load's, the rest is the disc's.
#include <string.h>

#include "harness/diff/builtins.h"
#include "harness/formats/level.h"

#define ADGIF_SIZE 0x50

enum { UNSIGNED_K = 1, WRAP_CLAMPED = 2, MIP_BASE = 4 };
static const struct mistake mistakes[] = {
    {"unsigned-k", UNSIGNED_K}, {"wrap-clamped", WRAP_CLAMPED}, {"mip-base", MIP_BASE}};

static void put_u64(uint8_t *p, uint64_t v)
{
    fmt_put_u32(p, (uint32_t)v);
    fmt_put_u32(p + 4, (uint32_t)(v >> 32));
}

static enum ps2_status build(const struct fmt_level *level, const struct fmt_patch *patch, unsigned i,
                             uint32_t base, unsigned wrong, uint8_t *out, struct ps2_error *error)
{
    struct fmt_adgif adgif = fmt_patch_adgif(patch, i);
    struct fmt_table table = level->core.tfrag_textures;
    uint64_t registers[5];
    if (adgif.texture >= (uint32_t)table.count)
        return fmt_fail(patch->data, patch->adgifs.at, error, "ad-gif %u: texture %u of %d", i, adgif.texture,
                        table.count);
    struct fmt_texture_entry entry =
        fmt_texture_entry(level->files[FMT_FILE_CORE_INDEX], table, adgif.texture);
    if ((wrong & UNSIGNED_K) && adgif.lod_bias < 0)
        adgif.lod_bias = 0x7FF; // 4096 + K does not fit, and is taken for the largest bias
    if (wrong & WRAP_CLAMPED)
        adgif.wrap_s = adgif.wrap_t = 1;
    fmt_gs_registers(&entry, &adgif, base, registers);
    if (wrong & MIP_BASE)
        registers[3] -= (uint64_t)(base & 0x3FFF) << 20;
    memcpy(out, patch->adgifs.data + ADGIF_SIZE * i, ADGIF_SIZE);
    for (unsigned k = 0; k < 5; k++)
        put_u64(out + 16 * k, registers[k]);
    return PS2_OK;
}

static enum ps2_status decode_patch(const struct fmt_level *level, struct ps2h_output *o, uint32_t base,
                                    unsigned wrong, struct ps2_error *error)
{
    struct fmt_patch patch;
    if (o->index >= (uint32_t)level->terrain.count)
        return ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "there is no patch %u, the level has %d",
                        o->index, level->terrain.count);
    enum ps2_status status = fmt_patch(&level->terrain, o->index, 0, &patch, error);
    for (unsigned i = 0; !status && i < patch.adgifs.count; i++) {
        uint8_t bytes[ADGIF_SIZE];
        status = build(level, &patch, i, base, wrong, bytes, error);
        if ((size_t)ADGIF_SIZE * (i + 1) <= o->size)
            memcpy(o->data + ADGIF_SIZE * i, bytes, ADGIF_SIZE);
    }
    o->length = status ? 0 : (size_t)ADGIF_SIZE * patch.adgifs.count;
    return status;
}

int decode_registers(const struct ps2h_request *r)
{
    struct fmt_level level;
    struct ps2_error error;
    uint32_t base = request_number(r, "gs_base", 0);
    unsigned wrong = mistake_of(r, mistakes, sizeof mistakes / sizeof *mistakes);
    if (!request_level(r, &level))
        return 1;
    enum ps2_status status = PS2_OK;
    for (size_t i = 0; !status && i < r->output_count; i++)
        status = decode_patch(&level, &r->outputs[i], base, wrong, &error);
    fmt_level_close(&level);
    return status ? request_fail(r, &error) : 0;
}
