// Terrain patches into one mesh.
#include "harness/formats/mesh.h"

#include <stdlib.h>
#include <string.h>

struct triangle {
    uint32_t material; // key, see material_key
    uint32_t index[3];
};

struct builder {
    struct fmt_mesh *mesh;
    struct triangle *triangles;
    size_t vertex_room, triangle_room;
};

static bool reserve(void **array, size_t *room, size_t used, size_t more, size_t element)
{
    if (*room - used >= more)
        return true;
    size_t wanted = 2 * *room + more;
    void *grown = realloc(*array, wanted * element);
    if (!grown)
        return false;
    *array = grown;
    *room = wanted;
    return true;
}

static uint32_t material_key(const struct fmt_adgif *a)
{
    return a->texture << 2 | (a->wrap_s & 1) << 1 | (a->wrap_t & 1);
}

static uint8_t doubled(uint8_t c)
{
    return c < 0x80 ? (uint8_t)(2 * c) : 255;
}

static void put_vertex(const struct fmt_patch *p, unsigned entry, const uint8_t *colours,
                       struct fmt_mesh_vertex *out)
{
    struct fmt_vinfo v = fmt_patch_vinfo(p, entry);
    int16_t offset[3];
    float raw[3];
    fmt_patch_position(p, v.position, offset);
    for (unsigned k = 0; k < 3; k++)
        raw[k] = (float)(((double)p->origin[k] + offset[k]) / 1024.0);
    const uint8_t *c = colours + 4 * v.position;
    *out = (struct fmt_mesh_vertex){{raw[0], raw[2], -raw[1]},
                                    {(float)v.s / 4096.0f, (float)v.t / 4096.0f},
                                    {doubled(c[0]), doubled(c[1]), doubled(c[2]), doubled(c[3])}};
}

// Runs alternate their winding.
static void put_run(struct builder *b, const struct fmt_patch *p, const uint8_t *indices,
                    const struct fmt_run *run, uint32_t base)
{
    struct fmt_adgif a = fmt_patch_adgif(p, (unsigned)run->adgif);
    for (unsigned i = 0; i + 2 < run->count; i++) {
        const uint8_t *q = indices + run->first + i;
        unsigned odd = i & 1;
        b->triangles[b->mesh->triangle_count++] =
            (struct triangle){material_key(&a), {base + q[odd], base + q[1 - odd], base + q[2]}};
    }
}

static enum ps2_status put_patch(struct builder *b, const struct fmt_patch *p, unsigned lod,
                                 const uint8_t *colours, struct ps2_error *error)
{
    struct fmt_mesh *m = b->mesh;
    unsigned entries = fmt_patch_vinfo_start(p, 3 - lod), triangles;
    uint32_t base = (uint32_t)m->vertex_count;
    struct fmt_run run;
    enum ps2_status status = fmt_patch_triangles(p, lod, &triangles, error);
    if (status)
        return status;
    if (!reserve((void **)&m->vertices, &b->vertex_room, m->vertex_count, entries, sizeof *m->vertices) ||
        !reserve((void **)&b->triangles, &b->triangle_room, m->triangle_count, triangles,
                 sizeof *b->triangles))
        return fmt_fail(p->data, 0, error, "no memory for the mesh");
    for (unsigned i = 0; i < entries; i++)
        put_vertex(p, i, colours, &m->vertices[m->vertex_count++]);
    for (struct fmt_strips s = fmt_strips_start(p, lod); fmt_strips_next(&s, &run, NULL);)
        put_run(b, p, p->indices[lod].data, &run, base);
    return PS2_OK;
}

static int by_material(const void *a, const void *b)
{
    const struct triangle *x = a, *y = b;
    if (x->material != y->material)
        return x->material < y->material ? -1 : 1;
    return (x > y) - (x < y);
}

static enum ps2_status sort_by_material(struct builder *b, struct ps2_error *error)
{
    struct fmt_mesh *m = b->mesh;
    size_t materials = 0;
    if (m->triangle_count)
        qsort(b->triangles, m->triangle_count, sizeof *b->triangles, by_material);
    for (size_t i = 0; i < m->triangle_count; i++)
        materials += !i || b->triangles[i].material != b->triangles[i - 1].material;
    m->triangles = malloc((m->triangle_count + 1) * sizeof *m->triangles);
    m->materials = malloc((materials + 1) * sizeof *m->materials);
    if (!m->triangles || !m->materials)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "no memory for the mesh");
    for (size_t i = 0; i < m->triangle_count; i++) {
        uint32_t key = b->triangles[i].material;
        if (!i || key != b->triangles[i - 1].material)
            m->materials[m->material_count++] =
                (struct fmt_mesh_material){key >> 2, key >> 1 & 1, key & 1, (uint32_t)i, 0};
        m->materials[m->material_count - 1].count++;
        memcpy(m->triangles[i], b->triangles[i].index, sizeof m->triangles[i]);
    }
    return PS2_OK;
}

enum ps2_status fmt_mesh(const struct fmt_level *level, unsigned lod, const struct fmt_light_bank *bank,
                         const struct fmt_normal_table *table, struct fmt_mesh *mesh, struct ps2_error *error)
{
    struct builder b = {mesh, NULL, 0, 0};
    enum ps2_status status = PS2_OK;
    memset(mesh, 0, sizeof *mesh);
    for (size_t i = 0; !status && i < (size_t)level->terrain.count; i++) {
        struct fmt_patch p;
        struct fmt_span stored = {NULL, 0, NULL, 0};
        struct fmt_light_tally tally = {0, 0, 0};
        uint8_t colours[256 * 4] = {0};
        status = fmt_patch(&level->terrain, i, 0, &p, error);
        if (!status)
            status = fmt_within(error, fmt_patch_verify(&p, error), "tfrag patch %zu", i);
        if (!status)
            status = fmt_patch_colours(&p, &stored, error);
        if (!status)
            memcpy(colours, stored.data, stored.size < sizeof colours ? stored.size : sizeof colours);
        if (!status && bank)
            status = fmt_light_patch(&p, bank, table, colours, &tally, error);
        if (!status)
            status = put_patch(&b, &p, lod, colours, error);
    }
    if (!status)
        status = sort_by_material(&b, error);
    free(b.triangles);
    if (status)
        fmt_mesh_free(mesh);
    return status;
}

void fmt_mesh_free(struct fmt_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    free(mesh->materials);
    memset(mesh, 0, sizeof *mesh);
}
