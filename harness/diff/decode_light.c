// LightTfrags as a decoder: from guest memory before the call to the colours of every patch.
//
// Inputs: `terrain`, guest memory with the terrain after the level load; `bank`, the 16 directional sets;
// `normals`, the table of 256 pairs; `points`, the 8 point lights, when there are any. Parameter `table`: the
// address of the patch table when it is not 0x40 past the start of `terrain`. Parameter `sets`: how many of
// the bank's sets the level has (16), which only the mistake missing-black looks at. Output n is patch n.
#include <string.h>

#include "harness/diff/builtins.h"
#include "harness/formats/light.h"

static const struct mistake mistakes[] = {
    {"two-lanes", FMT_LIGHT_TWO_LANES},       {"host-float", FMT_LIGHT_HOST_FLOAT},
    {"yz-first", FMT_LIGHT_YZ_FIRST},         {"exchanged", FMT_LIGHT_EXCHANGED},
    {"no-unit", FMT_LIGHT_NO_UNIT},           {"no-back", FMT_LIGHT_NO_BACK},
    {"unnormalised", FMT_LIGHT_UNNORMALISED}, {"missing-black", FMT_LIGHT_MISSING_BLACK}};

struct scene {
    const struct ps2h_request *request;
    struct fmt_tfrag_block block;
    struct fmt_light_bank bank;
    struct fmt_normal_table normals;
};

static void words(uint32_t *out, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = fmt_u32(bytes + 4 * i);
}

static bool take_banks(struct scene *s)
{
    struct fmt_span bank, normals, points = {NULL, 0, NULL, 0}, part;
    const struct ps2h_request *r = s->request;
    struct ps2_error error;
    if (!request_span(r, "bank", &bank) || !request_span(r, "normals", &normals) ||
        (request_input(r, "points") && !request_span(r, "points", &points)))
        return false;
    if (fmt_part(bank, 0, sizeof s->bank.sets, "16 light sets", &part, &error) ||
        fmt_part(normals, 0, sizeof s->normals.cos_sin, "256 pairs", &part, &error) ||
        (points.size && fmt_part(points, 0, sizeof s->bank.points, "8 point lights", &part, &error)))
        return !request_fail(r, &error);
    words(s->bank.sets[0].colour_a, bank.data, sizeof s->bank.sets / 4);
    words(s->normals.cos_sin[0], normals.data, sizeof s->normals.cos_sin / 4);
    if (points.size)
        words(s->bank.points[0].colour, points.data, sizeof s->bank.points / 4);
    s->bank.count = (int32_t)request_number(r, "sets", FMT_LIGHT_SETS);
    s->bank.wrong = mistake_of(r, mistakes, sizeof mistakes / sizeof *mistakes);
    return true;
}

static bool light(const struct scene *s, struct ps2h_output *o)
{
    struct fmt_patch patch = {.header = {.data = 0}};
    struct fmt_light_tally tally = {0, 0, 0};
    struct ps2_error error;
    uint8_t rgba[256 * 4];
    if (o->index >= (uint32_t)s->block.count) {
        ps2_fail(&error, PS2_BAD_INPUT, NULL, 0, "there is no patch %u, the terrain has %d", o->index,
                 s->block.count);
        return !request_fail(s->request, &error);
    }
    patch.header = fmt_patch_header(&s->block, o->index);
    if (fmt_patch_data(&s->block, &patch, &error) ||
        fmt_light_patch(&patch, &s->bank, &s->normals, rgba, &tally, &error)) {
        fmt_within(&error, PS2_BAD_INPUT, "patch %u", o->index);
        return !request_fail(s->request, &error);
    }
    o->length = 4u * tally.vertices;
    memcpy(o->data, rgba, o->length < o->size ? o->length : o->size);
    return true;
}

int decode_light(const struct ps2h_request *r)
{
    struct scene s = {.request = r};
    if (!take_banks(&s) || !request_terrain(r, &s.block))
        return 1;
    for (size_t i = 0; i < r->output_count; i++)
        if (!light(&s, &r->outputs[i]))
            return 1;
    return 0;
}
