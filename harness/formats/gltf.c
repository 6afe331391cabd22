// A mesh as a glTF 2.0 binary: one buffer, one primitive per material, textures as PNG images.
#include "harness/formats/mesh.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum component { UNSIGNED_BYTE = 5121, UNSIGNED_INT = 5125, FLOAT = 5126 };
enum wrap { REPEAT = 10497, CLAMP_TO_EDGE = 33071 };
enum filter { LINEAR = 9729, LINEAR_MIPMAP_NEAREST = 9985 };

struct glb {
    json_t *views, *accessors, *images, *textures, *samplers, *materials, *primitives;
    uint8_t *data;
    size_t size, capacity;
    bool no_memory;
};

// Appends a buffer view, 4-aligned, and returns its number. target 0 leaves it out.
static int add_view(struct glb *g, const void *data, size_t size, int target)
{
    size_t padded = (size + 3) & ~(size_t)3;
    if (g->capacity - g->size < padded) {
        size_t capacity = 2 * g->capacity + padded;
        uint8_t *grown = realloc(g->data, capacity);
        if (!grown) {
            g->no_memory = true;
            return 0;
        }
        g->data = grown;
        g->capacity = capacity;
    }
    memcpy(g->data + g->size, data, size);
    memset(g->data + g->size + size, 0, padded - size);
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)g->size, "byteLength",
                             (json_int_t)size);
    if (target)
        json_object_set_new(view, "target", json_integer(target));
    json_array_append_new(g->views, view);
    g->size += padded;
    return (int)json_array_size(g->views) - 1;
}

static int add_accessor(struct glb *g, int view, size_t offset, enum component component, size_t count,
                        const char *type)
{
    json_array_append_new(g->accessors, json_pack("{s:i, s:I, s:i, s:I, s:s}", "bufferView", view,
                                                  "byteOffset", (json_int_t)offset, "componentType",
                                                  (int)component, "count", (json_int_t)count, "type", type));
    return (int)json_array_size(g->accessors) - 1;
}

static void add_bounds(struct glb *g, int accessor, const struct fmt_mesh *m)
{
    float low[3], high[3];
    memcpy(low, m->vertices[0].position, sizeof low);
    memcpy(high, low, sizeof high);
    for (size_t i = 1; i < m->vertex_count; i++)
        for (unsigned k = 0; k < 3; k++) {
            float v = m->vertices[i].position[k];
            low[k] = v < low[k] ? v : low[k];
            high[k] = v > high[k] ? v : high[k];
        }
    json_t *a = json_array_get(g->accessors, (size_t)accessor);
    json_object_set_new(a, "min", json_pack("[f, f, f]", (double)low[0], (double)low[1], (double)low[2]));
    json_object_set_new(a, "max", json_pack("[f, f, f]", (double)high[0], (double)high[1], (double)high[2]));
}

// The attributes object that every primitive shares.
static json_t *add_vertices(struct glb *g, const struct fmt_mesh *m)
{
    size_t n = m->vertex_count;
    float *positions = malloc(n * 12 + 1), *uvs = malloc(n * 8 + 1);
    uint8_t *colours = malloc(n * 4 + 1);
    json_t *attributes = NULL;
    if (positions && uvs && colours) {
        for (size_t i = 0; i < n; i++) {
            memcpy(positions + 3 * i, m->vertices[i].position, 12);
            memcpy(uvs + 2 * i, m->vertices[i].uv, 8);
            memcpy(colours + 4 * i, m->vertices[i].rgba, 4);
        }
        int position = add_accessor(g, add_view(g, positions, n * 12, 34962), 0, FLOAT, n, "VEC3");
        add_bounds(g, position, m);
        int uv = add_accessor(g, add_view(g, uvs, n * 8, 34962), 0, FLOAT, n, "VEC2");
        int colour = add_accessor(g, add_view(g, colours, n * 4, 34962), 0, UNSIGNED_BYTE, n, "VEC4");
        json_object_set_new(json_array_get(g->accessors, (size_t)colour), "normalized", json_true());
        attributes = json_pack("{s:i, s:i, s:i}", "POSITION", position, "TEXCOORD_0", uv, "COLOR_0", colour);
    } else {
        g->no_memory = true;
    }
    free(positions);
    free(uvs);
    free(colours);
    return attributes;
}

// The image of a level texture, or -1 and an error. *opaque: no texel is transparent.
static int add_image(struct glb *g, const struct fmt_level *level, uint32_t texture, bool *opaque,
                     struct ps2_error *error)
{
    struct fmt_table t = level->core.tfrag_textures;
    struct fmt_image image;
    struct fmt_buffer png;
    char name[32];
    if (texture >= (uint32_t)t.count) {
        ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "an ad-gif names texture %u of %d", texture, t.count);
        return -1;
    }
    struct fmt_texture_entry e = fmt_texture_entry(level->files[FMT_FILE_CORE_INDEX], t, texture);
    if (fmt_within(error, fmt_texture_decode(&level->textures, &e, 0, &image, error), "texture %u", texture))
        return -1;
    *opaque = true;
    for (size_t i = 0; i < (size_t)image.width * image.height; i++)
        *opaque &= image.rgba[4 * i + 3] == 255;
    enum ps2_status status = fmt_png(&image, &png, error);
    fmt_image_free(&image);
    if (status)
        return -1;
    int view = add_view(g, png.data, png.size, 0);
    fmt_buffer_free(&png);
    snprintf(name, sizeof name, "tfrag_%u", texture);
    json_array_append_new(
        g->images, json_pack("{s:s, s:s, s:i}", "name", name, "mimeType", "image/png", "bufferView", view));
    return (int)json_array_size(g->images) - 1;
}

// The GS drops a pixel whose alpha is below 0x60 of 0x80 and does not cull; the colours are lit already.
static void add_material(struct glb *g, const struct fmt_mesh_material *m, int image, bool opaque)
{
    char name[48];
    int sampler = m->wrap_s * 2 + m->wrap_t;
    snprintf(name, sizeof name, "tfrag_%u_%s%s", m->texture, m->wrap_s ? "c" : "r", m->wrap_t ? "c" : "r");
    json_array_append_new(g->textures, json_pack("{s:i, s:i}", "sampler", sampler, "source", image));
    json_t *material =
        json_pack("{s:s, s:{s:{s:i}, s:f, s:f}, s:b, s:{s:{}}}", "name", name, "pbrMetallicRoughness",
                  "baseColorTexture", "index", (int)json_array_size(g->textures) - 1, "metallicFactor", 0.0,
                  "roughnessFactor", 1.0, "doubleSided", 1, "extensions", "KHR_materials_unlit");
    if (!opaque) {
        json_object_set_new(material, "alphaMode", json_string("MASK"));
        json_object_set_new(material, "alphaCutoff", json_real(0.75));
    }
    json_array_append_new(g->materials, material);
}

static enum ps2_status add_primitives(struct glb *g, const struct fmt_level *level, const struct fmt_mesh *m,
                                      json_t *attributes, struct ps2_error *error)
{
    int view = add_view(g, m->triangles, m->triangle_count * 12, 34963), image = -1;
    bool opaque = true;
    for (size_t i = 0; i < m->material_count && !g->no_memory; i++) {
        const struct fmt_mesh_material *material = &m->materials[i];
        if (!i || material->texture != material[-1].texture)
            image = add_image(g, level, material->texture, &opaque, error);
        if (image < 0)
            return PS2_BAD_INPUT;
        add_material(g, material, image, opaque);
        int indices = add_accessor(g, view, 12 * (size_t)material->first, UNSIGNED_INT,
                                   3 * (size_t)material->count, "SCALAR");
        json_array_append_new(g->primitives, json_pack("{s:O, s:i, s:i, s:i}", "attributes", attributes,
                                                       "indices", indices, "material", (int)i, "mode", 4));
    }
    return PS2_OK;
}

static json_t *document(struct glb *g)
{
    for (int i = 0; i < 4; i++)
        json_array_append_new(g->samplers, json_pack("{s:i, s:i, s:i, s:i}", "magFilter", (int)LINEAR,
                                                     "minFilter", (int)LINEAR_MIPMAP_NEAREST, "wrapS",
                                                     (int)(i & 2 ? CLAMP_TO_EDGE : REPEAT), "wrapT",
                                                     (int)(i & 1 ? CLAMP_TO_EDGE : REPEAT)));
    return json_pack("{s:{s:s, s:s}, s:[s], s:i, s:[{s:[i]}], s:[{s:s, s:i}], s:[{s:s, s:O}], s:O, s:O, s:O, "
                     "s:O, s:O, s:O, "
                     "s:[{s:I}]}",
                     "asset", "version", "2.0", "generator", "ps2harness", "extensionsUsed",
                     "KHR_materials_unlit", "scene", 0, "scenes", "nodes", 0, "nodes", "name", "terrain",
                     "mesh", 0, "meshes", "name", "terrain", "primitives", g->primitives, "materials",
                     g->materials, "textures", g->textures, "images", g->images, "samplers", g->samplers,
                     "accessors", g->accessors, "bufferViews", g->views, "buffers", "byteLength",
                     (json_int_t)g->size);
}

// Header, JSON chunk (padded with spaces), binary chunk.
static enum ps2_status assemble(struct glb *g, struct fmt_buffer *out, struct ps2_error *error)
{
    json_t *root = document(g);
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    size_t n = text ? strlen(text) : 0, padded = (n + 3) & ~(size_t)3, total = 12 + 8 + padded + 8 + g->size;
    uint8_t *file = text && !g->no_memory && total <= UINT32_MAX ? malloc(total) : NULL;
    if (file) {
        const uint32_t head[5] = {0x46546C67, 2, (uint32_t)total, (uint32_t)padded, 0x4E4F534A};
        for (unsigned i = 0; i < 5; i++)
            fmt_put_u32(file + 4 * i, head[i]);
        memcpy(file + 20, text, n);
        memset(file + 20 + n, ' ', padded - n);
        fmt_put_u32(file + 20 + padded, (uint32_t)g->size);
        fmt_put_u32(file + 24 + padded, 0x004E4942);
        memcpy(file + 28 + padded, g->data, g->size);
        *out = (struct fmt_buffer){file, total};
    }
    free(text);
    return file ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, "", 0, "glTF: no memory, or more than 4 GiB");
}

enum ps2_status fmt_glb(const struct fmt_level *level, const struct fmt_mesh *mesh, struct fmt_buffer *out,
                        struct ps2_error *error)
{
    *out = (struct fmt_buffer){NULL, 0};
    if (!mesh->triangle_count)
        return ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "the terrain has no triangles");
    struct glb g = {json_array(),
                    json_array(),
                    json_array(),
                    json_array(),
                    json_array(),
                    json_array(),
                    json_array(),
                    NULL,
                    0,
                    0,
                    false};
    json_t *attributes = add_vertices(&g, mesh);
    enum ps2_status status = attributes ? add_primitives(&g, level, mesh, attributes, error)
                                        : ps2_fail(error, PS2_BAD_INPUT, "", 0, "glTF: no memory");
    if (!status)
        status = assemble(&g, out, error);
    json_t *parts[] = {attributes, g.views,    g.accessors, g.images,
                       g.textures, g.samplers, g.materials, g.primitives};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        json_decref(parts[i]);
    free(g.data);
    return status;
}
