// The level load as a decoder: the whole memory after it, from the memory before it and the level's files.
//
// Inputs: `memory`, all of it before the call; `core` and `gameplay`, where the files lie in it; `bank`,
// where the light bank goes; `variables`, the fixture's: u32 address of the patch table, u32 patches, f32 6L,
// 4L, 2L; any number of `own`, the routine's own memory, which is not compared. Parameters: `level`, a
// LEVEL<n>.WAD or a folder; `gs_base`, the texture area's first block in GS memory. Output `memory`: a byte
// that the load has no business with is expected to be as before.
#include <string.h>

#include "harness/diff/builtins.h"
#include "harness/formats/light.h"
#include "harness/formats/lod.h"

#define ADGIF_SIZE 0x50

enum { BLOCK_RELATIVE = 1, OCCLUSION_BITS = 2, NO_RELIGHT = 4 };
static const struct mistake mistakes[] = {
    {"block-relative", BLOCK_RELATIVE}, {"occlusion-bits", OCCLUSION_BITS}, {"unlit", NO_RELIGHT}};

struct load {
    const struct ps2h_request *r;
    struct ps2h_output *o;
    uint32_t address; // of the memory
    struct fmt_level level;
    struct fmt_gameplay gameplay;
    struct fmt_light_bank bank;
    struct fmt_normal_table normals;
    uint32_t block, table, gs_base; // addresses of the terrain and its patches
    unsigned wrong;
    struct ps2_error error;
};

// A place in the memory, or NULL after an error.
static uint8_t *place(struct load *l, uint64_t address, uint64_t size)
{
    if (address >= l->address && address - l->address + size <= l->o->size)
        return l->o->data + (address - l->address);
    ps2_fail(&l->error, PS2_BAD_INPUT, NULL, address, "0x%llx is outside the input 'memory'",
             (unsigned long long)address);
    return NULL;
}

static bool forget(struct load *l, uint64_t address, uint64_t size)
{
    uint8_t *at = place(l, address, size);
    if (at)
        memset(l->o->known + (at - l->o->data), 0, size);
    return at;
}

static bool words(struct load *l, uint64_t address, const uint32_t *values, size_t count)
{
    uint8_t *at = place(l, address, 4 * count);
    for (size_t i = 0; at && i < count; i++)
        fmt_put_u32(at + 4 * i, values[i]);
    return at;
}

// ---- a patch

static bool put_header(struct load *l, unsigned index, const struct fmt_patch *p, uint16_t occlusion)
{
    uint8_t *at = place(l, (uint64_t)l->table + FMT_PATCH_HEADER_SIZE * index, FMT_PATCH_HEADER_SIZE);
    if (!at)
        return false;
    fmt_put_u32(at + 0x10, (uint32_t)p->header.data + (l->wrong & BLOCK_RELATIVE ? l->block : l->table));
    at[0x35] = 0; // lit
    fmt_put_u16(at + 0x36, 0xFFFF);
    fmt_put_u16(at + 0x3A, occlusion);
    return true;
}

static bool put_adgifs(struct load *l, const struct fmt_patch *p)
{
    struct fmt_table table = l->level.core.tfrag_textures;
    uint8_t *at = place(l, (uint64_t)l->table + (uint32_t)p->header.data + p->adgifs.at,
                        (uint64_t)ADGIF_SIZE * p->adgifs.count);
    for (unsigned i = 0; at && i < p->adgifs.count; i++) {
        struct fmt_adgif adgif = fmt_patch_adgif(p, i);
        uint64_t registers[5];
        if (adgif.texture >= (uint32_t)table.count)
            return !fmt_fail(p->data, p->adgifs.at, &l->error, "ad-gif %u: texture %u of %d", i,
                             adgif.texture, table.count);
        struct fmt_texture_entry entry =
            fmt_texture_entry(l->level.files[FMT_FILE_CORE_INDEX], table, adgif.texture);
        fmt_gs_registers(&entry, &adgif, l->gs_base, registers);
        for (unsigned k = 0; k < 5; k++) {
            fmt_put_u32(at + ADGIF_SIZE * i + 16 * k, (uint32_t)registers[k]);
            fmt_put_u32(at + ADGIF_SIZE * i + 16 * k + 4, (uint32_t)(registers[k] >> 32));
        }
    }
    return at;
}

// The entries past the last vertex are whatever the routine had left over.
static bool put_colours(struct load *l, const struct fmt_patch *p)
{
    struct fmt_light_tally tally = {0, 0, 0};
    struct fmt_patch loaded = *p;
    uint8_t rgba[256 * 4];
    uint64_t address = (uint64_t)l->table + (uint32_t)p->header.data + p->header.rgba_ofs;
    uint32_t size = 16u * p->header.rgba_size, lit = 4u * p->header.vert_count;
    uint8_t *at = place(l, address, size);
    loaded.header.point_lights = 0xFFFF;
    if (!at || (l->wrong & NO_RELIGHT))
        return at;
    if (lit > size || fmt_light_patch(&loaded, &l->bank, &l->normals, rgba, &tally, &l->error))
        return false;
    memcpy(at, rgba, lit);
    return forget(l, address + lit, size - lit);
}

static bool put_terrain(struct load *l)
{
    for (int32_t i = 0; i < l->level.terrain.count; i++) {
        struct fmt_patch p;
        uint16_t occlusion = fmt_occlusion_word(&l->gameplay, (uint32_t)i);
        if (l->wrong & OCCLUSION_BITS)
            occlusion = (uint16_t)((occlusion & 0xFF00) | 0x80 >> __builtin_ctz(occlusion & 0xFF));
        if (fmt_patch(&l->level.terrain, (size_t)i, 0, &p, &l->error) ||
            fmt_within(&l->error, fmt_patch_verify(&p, &l->error), "tfrag patch %d", i) ||
            !put_header(l, (unsigned)i, &p, occlusion) || !put_adgifs(l, &p) || !put_colours(l, &p))
            return false;
    }
    return true;
}

// ---- what is not terrain

static bool put_bank(struct load *l, uint32_t address)
{
    // A set is sixteen words in the order of its members.
    return words(l, address, l->bank.sets[0].colour_a, sizeof l->bank.sets / 4);
}

static bool put_variables(struct load *l, uint32_t address)
{
    static const uint32_t times[3] = {6, 4, 2};
    uint32_t values[5] = {l->table, (uint32_t)l->level.terrain.count};
    for (unsigned i = 0; i < 3; i++)
        values[2 + i] = fmt_lod_times(l->level.terrain.lod_distance, times[i]);
    return words(l, address, values, 5);
}

static bool forget_own(struct load *l)
{
    for (size_t i = 0; i < l->r->input_count; i++)
        if (!strcmp(l->r->inputs[i].name, "own") && !forget(l, l->r->inputs[i].address, l->r->inputs[i].size))
            return false;
    return true;
}

// ---- the request

static bool start(struct load *l, const struct ps2h_input *memory)
{
    if (l->r->output_count != 1 || strcmp(l->o->name, "memory") || l->o->address != memory->address ||
        l->o->size != memory->size) {
        snprintf(l->r->message, l->r->message_size, "makes one output 'memory', in the place of its input");
        return false;
    }
    memcpy(l->o->data, memory->data, memory->size);
    l->address = memory->address;
    return true;
}

static bool load(struct load *l, const struct ps2h_input *core, const struct ps2h_input *bank,
                 const struct ps2h_input *variables)
{
    const struct fmt_level *level = &l->level;
    l->block = core->address + (uint32_t)level->core.tfrags;
    l->table = l->block + (uint32_t)level->terrain.table_offset;
    return !fmt_level_need(level, FMT_FILE_GAMEPLAY, &l->error) &&
           !fmt_gameplay(level->files[FMT_FILE_GAMEPLAY], &l->gameplay, &l->error) &&
           !fmt_level_lights(level, &l->bank, &l->normals, &l->error) && put_bank(l, bank->address) &&
           put_variables(l, variables->address) && put_terrain(l) && forget_own(l);
}

int decode_load(const struct ps2h_request *r)
{
    static const char *const names[] = {"memory", "core", "bank", "variables"};
    const struct ps2h_input *inputs[4];
    struct load l = {.r = r, .o = r->outputs, .gs_base = request_number(r, "gs_base", 0)};
    l.wrong = mistake_of(r, mistakes, sizeof mistakes / sizeof *mistakes);
    for (unsigned i = 0; i < 4; i++)
        if (!(inputs[i] = request_input(r, names[i]))) {
            snprintf(r->message, r->message_size, "needs an input '%s'", names[i]);
            return 1;
        }
    if (!start(&l, inputs[0]) || !request_level(r, &l.level))
        return 1;
    bool done = load(&l, inputs[1], inputs[2], inputs[3]);
    fmt_level_close(&l.level);
    return done ? 0 : request_fail(r, &l.error);
}
