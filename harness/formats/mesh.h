// A level's terrain as one triangle mesh, and that mesh as a glTF 2.0 binary.
#ifndef FORMATS_MESH_H
#define FORMATS_MESH_H

#include "harness/formats/level.h"
#include "harness/formats/light.h"

// World units, Y up (x, z, -y of the game's Z up).
struct fmt_mesh_vertex {
    float position[3];
    float uv[2];
    uint8_t rgba[4]; // 255 = 1.0; brighter than 1.0 is clamped
};

struct fmt_mesh_material {
    uint32_t texture;       // of the terrain texture table
    uint8_t wrap_s, wrap_t; // 0 repeat, 1 clamp
    uint32_t first, count;  // triangles in order of material
};

struct fmt_mesh {
    struct fmt_mesh_vertex *vertices;
    size_t vertex_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
    struct fmt_mesh_material *materials;
    size_t material_count;
};

// Triangles of LOD 0, 1 or 2 of every patch, sorted by material. With a bank and a table (both or neither
// NULL) the colours are those of the light pass, otherwise the stored placeholders. A patch that breaks a
// rule is an error.
enum ps2_status fmt_mesh(const struct fmt_level *level, unsigned lod, const struct fmt_light_bank *bank,
                         const struct fmt_normal_table *table, struct fmt_mesh *mesh,
                         struct ps2_error *error);
void fmt_mesh_free(struct fmt_mesh *mesh);

// The mesh and its textures (PNG) as one .glb.
enum ps2_status fmt_glb(const struct fmt_level *level, const struct fmt_mesh *mesh, struct fmt_buffer *out,
                        struct ps2_error *error);

#endif
