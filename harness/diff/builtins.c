// The table of built-in decoders, and what they share.
#include "harness/diff/builtins.h"

#include <stdlib.h>
#include <string.h>

static const char *const light_mistakes[] = {"two-lanes",    "host-float",    "yz-first",
                                             "exchanged",    "no-unit",       "no-back",
                                             "unnormalised", "missing-black", NULL};
static const char *const register_mistakes[] = {"unsigned-k", "wrap-clamped", "mip-base", NULL};
static const char *const unpack_mistakes[] = {"arrival-order", "last-row", "unguarded", NULL};
static const char *const tfrag_mistakes[] = {
    "far-plane",  "centre",    "no-guard", "no-stmod", "unclamped",   "bands",        "parents",
    "one-parent", "own-depth", "fog",      "adc",      "strip-flags", "kick-texture", NULL};
static const char *const texture_mistakes[] = {"identity-palette", "alpha-as-stored", "mip-buffer", NULL};
static const char *const load_mistakes[] = {"block-relative", "occlusion-bits", "unlit", NULL};
static const char *const no_mistakes[] = {NULL};

static const struct diff_builtin builtins[] = {
    {"wad", "a WAD stream (input `stream`) decompressed", decode_wad, no_mistakes},
    {"light", "LightTfrags: vertex colours of each patch (inputs `terrain`, `bank`, `normals`, `points`)",
     decode_light, light_mistakes},
    {"registers", "the ad-gifs of each patch after the level load (parameters `level`, `gs_base`)",
     decode_registers, register_mistakes},
    {"unpack", "VU1 memory after the LOD 0 lists of each patch (parameter `level`)", decode_unpack,
     unpack_mistakes},
    {"tfrag",
     "a frame of terrain: lists, VIF1 words, VU1 memory, packets (inputs `terrain`, `views`, `mask`, "
     "`program`)",
     decode_tfrag, tfrag_mistakes},
    {"load", "all memory after the level load (inputs `memory`, `core`, `bank`, `variables`, `own`)",
     decode_load, load_mistakes},
    {"texture", "terrain textures as R, G, B, A (outputs `level0` to `level3`, parameter `level`)",
     decode_texture, texture_mistakes},
};

const struct diff_builtin *diff_builtins(size_t *count)
{
    *count = sizeof builtins / sizeof *builtins;
    return builtins;
}

const struct diff_builtin *diff_builtin_find(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i].name, name))
            return &builtins[i];
    return NULL;
}

const char *request_parameter(const struct ps2h_request *r, const char *name)
{
    for (size_t i = 0; i < r->parameter_count; i++)
        if (!strcmp(r->parameters[i].name, name))
            return r->parameters[i].value;
    return NULL;
}

const struct ps2h_input *request_input(const struct ps2h_request *r, const char *name)
{
    for (size_t i = 0; i < r->input_count; i++)
        if (!strcmp(r->inputs[i].name, name))
            return &r->inputs[i];
    return NULL;
}

uint32_t request_number(const struct ps2h_request *r, const char *name, uint32_t absent)
{
    const char *text = request_parameter(r, name);
    return text ? (uint32_t)strtoul(text, NULL, 0) : absent;
}

bool request_span(const struct ps2h_request *r, const char *name, struct fmt_span *span)
{
    const struct ps2h_input *input = request_input(r, name);
    if (!input) {
        snprintf(r->message, r->message_size, "needs an input '%s'", name);
        return false;
    }
    *span = fmt_span_of(input->data, input->size, name);
    return true;
}

bool request_level(const struct ps2h_request *r, struct fmt_level *level)
{
    struct ps2_error error;
    const char *path = request_parameter(r, "level");
    if (path)
        return !fmt_level_open(path, level, &error) || !request_fail(r, &error);
    snprintf(r->message, r->message_size, "needs a parameter 'level'");
    return false;
}

bool request_terrain(const struct ps2h_request *r, struct fmt_tfrag_block *block)
{
    struct fmt_span span;
    struct ps2_error error;
    if (!request_span(r, "terrain", &span))
        return false;
    uint32_t address = request_input(r, "terrain")->address;
    return !fmt_tfrag_loaded(span, address, request_number(r, "table", address + 0x40), block, &error) ||
           !request_fail(r, &error);
}

int request_fail(const struct ps2h_request *r, const struct ps2_error *error)
{
    snprintf(r->message, r->message_size, "%s%s%s", error->where, error->where[0] ? ": " : "",
             error->message);
    return 1;
}

unsigned mistake_of(const struct ps2h_request *r, const struct mistake *all, size_t count)
{
    const char *name = request_parameter(r, "wrong");
    for (size_t i = 0; name && i < count; i++)
        if (!strcmp(all[i].name, name))
            return all[i].bit;
    return 0;
}
