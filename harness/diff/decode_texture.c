// Textures as a decoder: every mip level of the terrain textures as R, G, B, A, from the level's files.
//
// Parameter `level`: a LEVEL<n>.WAD or a folder. Outputs: `level0` to `level3`, element n being terrain
// texture n; of a texture without that level nothing is compared.
#include <string.h>

#include "harness/diff/builtins.h"
#include "harness/formats/level.h"

enum { IDENTITY_PALETTE = 1, ALPHA_AS_STORED = 2, MIP_BUFFER = 4 };
static const struct mistake mistakes[] = {
    {"identity-palette", IDENTITY_PALETTE}, {"alpha-as-stored", ALPHA_AS_STORED}, {"mip-buffer", MIP_BUFFER}};

static enum ps2_status palette(const struct fmt_texture_source *source, const struct fmt_texture_entry *entry,
                               unsigned wrong, struct fmt_palette *out, struct ps2_error *error)
{
    struct fmt_span stored = {NULL, 0, NULL, 0};
    enum ps2_status status = fmt_palette(source, entry, wrong & IDENTITY_PALETTE, out, error);
    if (!status && (wrong & ALPHA_AS_STORED))
        status = fmt_part(source->gs_ram, (int64_t)entry->palette * FMT_GS_BLOCK, sizeof out->rgba, "palette",
                          &stored, error);
    for (unsigned i = 0; !status && (wrong & ALPHA_AS_STORED) && i < 256; i++)
        out->rgba[i][3] = stored.data[4 * fmt_csm1((uint8_t)i) + 3];
    return status;
}

static enum ps2_status decode(const struct fmt_level *level, struct ps2h_output *o, unsigned mip,
                              unsigned wrong, struct ps2_error *error)
{
    struct fmt_texture_source source = level->textures;
    struct fmt_table table = level->core.tfrag_textures;
    struct fmt_palette colours;
    struct fmt_span indices;
    unsigned width, height;
    if (o->index >= (uint32_t)table.count)
        return ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "there is no texture %u, the level has %d",
                        o->index, table.count);
    struct fmt_texture_entry entry = fmt_texture_entry(level->files[FMT_FILE_CORE_INDEX], table, o->index);
    if (mip >= fmt_texture_levels(&entry)) {
        memset(o->known, 0, o->size);
        return PS2_OK;
    }
    enum ps2_status status = palette(&source, &entry, wrong, &colours, error);
    if (wrong & MIP_BUFFER)
        source.gs_ram = source.core_data;
    if (!status)
        status = fmt_texture_level(&source, &entry, mip, &indices, &width, &height, error);
    if (status)
        return fmt_within(error, status, "texture %u", o->index);
    o->length = 4 * indices.size;
    for (size_t i = 0; i < indices.size && 4 * i < o->size; i++)
        memcpy(o->data + 4 * i, colours.rgba[indices.data[i]], 4);
    return PS2_OK;
}

static bool mip_of(const struct ps2h_request *r, const char *name, unsigned *mip)
{
    if (strncmp(name, "level", 5) || name[5] < '0' || name[5] >= '0' + FMT_MIP_COUNT || name[6]) {
        snprintf(r->message, r->message_size, "knows no output '%s'", name);
        return false;
    }
    *mip = (unsigned)(name[5] - '0');
    return true;
}

int decode_texture(const struct ps2h_request *r)
{
    struct fmt_level level;
    struct ps2_error error;
    enum ps2_status status = PS2_OK;
    unsigned mip, wrong = mistake_of(r, mistakes, sizeof mistakes / sizeof *mistakes);
    bool known = true;
    if (!request_level(r, &level))
        return 1;
    for (size_t i = 0; known && !status && i < r->output_count; i++) {
        known = mip_of(r, r->outputs[i].name, &mip);
        if (known)
            status = decode(&level, &r->outputs[i], mip, wrong, &error);
    }
    fmt_level_close(&level);
    return status ? request_fail(r, &error) : !known;
}
