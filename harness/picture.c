// Draws a mesh: near clipping, a depth buffer, perspective-correct textures, four samples a pixel.
#include "harness/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE       0.63 // tangent of the view's half angle to each side
#define NEAR_PLANE 0.03 // world units: the first game's 32 raw units
#define SOLID      191  // least alpha that is drawn: the first game's alpha test, 0x60 of 0x80
enum { SAMPLES = 2, LANES = 6, CORNERS = 4 };

static const uint8_t sky[3] = {96, 128, 168};

// A vertex in front of the camera: x to the right, y down, z the depth. Lanes: u, v, red, green, blue, alpha.
struct corner {
    double at[3], lanes[LANES];
};

// What is drawn on: `width` x `height` samples. `nearest` holds the inverse of each sample's depth.
struct canvas {
    unsigned width, height;
    float *nearest;
    uint8_t (*rgb)[3];
};

struct brush {
    struct fmt_image levels[FMT_MIP_COUNT];
    unsigned level_count;
    bool clamp[2];
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalise(double v[3])
{
    double length = sqrt(dot(v, v));
    for (unsigned k = 0; k < 3; k++)
        v[k] /= length;
}

// The mesh is Y up.
static void to_world(const float in[3], double out[3])
{
    out[0] = (double)in[0];
    out[1] = -(double)in[2];
    out[2] = (double)in[1];
}

// ---- cameras

struct picture_camera picture_look(const double from[3], const double to[3])
{
    struct picture_camera c = {0};
    double *right = c.axes[0], *down = c.axes[1], *forward = c.axes[2];
    for (unsigned k = 0; k < 3; k++) {
        c.position[k] = from[k];
        forward[k] = to[k] - from[k];
    }
    normalise(forward);
    bool upright = forward[0] == 0 && forward[1] == 0;
    right[0] = upright ? 1 : forward[1];
    right[1] = upright ? 0 : -forward[0];
    right[2] = 0;
    normalise(right);
    down[0] = forward[1] * right[2] - forward[2] * right[1];
    down[1] = forward[2] * right[0] - forward[0] * right[2];
    down[2] = forward[0] * right[1] - forward[1] * right[0];
    return c;
}

struct picture_camera picture_overview(const struct fmt_mesh *mesh)
{
    double least[3] = {0}, most[3] = {0}, from[3], centre[3], radius = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double p[3];
        to_world(mesh->vertices[i].position, p);
        for (unsigned k = 0; k < 3; k++) {
            least[k] = i && least[k] < p[k] ? least[k] : p[k];
            most[k] = i && most[k] > p[k] ? most[k] : p[k];
        }
    }
    for (unsigned k = 0; k < 3; k++) {
        centre[k] = (least[k] + most[k]) / 2;
        radius += (most[k] - least[k]) * (most[k] - least[k]) / 4;
    }
    radius = sqrt(radius) + 1;
    from[0] = centre[0] - 0.6 * radius;
    from[1] = centre[1] - 1.1 * radius;
    from[2] = centre[2] + 1.0 * radius;
    return picture_look(from, centre);
}

// ---- textures

static void brush_free(struct brush *b)
{
    for (unsigned i = 0; i < b->level_count; i++)
        fmt_image_free(&b->levels[i]);
}

static enum ps2_status brush_load(const struct fmt_level *level, const struct fmt_mesh_material *m,
                                  struct brush *b, struct ps2_error *error)
{
    struct fmt_texture_entry entry = fmt_texture_entry(level->files[FMT_FILE_CORE_INDEX],
                                                       fmt_texture_table(&level->core, 0).table, m->texture);
    unsigned count = fmt_texture_levels(&entry);
    *b = (struct brush){.clamp = {m->wrap_s == 1, m->wrap_t == 1}};
    for (; b->level_count < count; b->level_count++) {
        enum ps2_status status =
            fmt_texture_decode(&level->textures, &entry, b->level_count, &b->levels[b->level_count], error);
        if (status)
            return status;
    }
    return PS2_OK;
}

static unsigned texel_index(double coordinate, unsigned size, bool clamp)
{
    double scaled = floor(coordinate * size);
    if (clamp)
        return scaled < 0 ? 0 : scaled >= size ? size - 1 : (unsigned)scaled;
    return (unsigned)(scaled - size * floor(scaled / size));
}

static const uint8_t *texel(const struct brush *b, unsigned level, const double uv[2])
{
    const struct fmt_image *image = &b->levels[level];
    unsigned x = texel_index(uv[0], image->width, b->clamp[0]),
             y = texel_index(uv[1], image->height, b->clamp[1]);
    return image->rgba + 4 * ((size_t)y * image->width + x);
}

// ---- triangles

// Twice the signed area of a, b and the point.
static double edge(const double a[2], const double b[2], double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

// The mip level at which a texel is about as large as a sample.
static unsigned choose_level(const struct brush *b, const struct corner *c[3], double samples)
{
    double u[2], v[2];
    for (unsigned k = 0; k < 2; k++) {
        u[k] = c[k + 1]->lanes[0] - c[0]->lanes[0];
        v[k] = c[k + 1]->lanes[1] - c[0]->lanes[1];
    }
    double texels = fabs(u[0] * v[1] - u[1] * v[0]) * b->levels[0].width * b->levels[0].height;
    unsigned level = 0;
    for (; level + 1 < b->level_count && texels > 2 * samples; level++)
        texels /= 4;
    return level;
}

static void put_sample(struct canvas *canvas, size_t at, const struct brush *b, unsigned level, double depth,
                       const double lanes[LANES])
{
    const uint8_t *t = texel(b, level, lanes);
    if ((float)(1 / depth) <= canvas->nearest[at] || t[3] < SOLID)
        return;
    canvas->nearest[at] = (float)(1 / depth);
    for (unsigned k = 0; k < 3; k++)
        canvas->rgb[at][k] = (uint8_t)(t[k] * lanes[2 + k] / 255);
}

// First and last sample of a range that the canvas has. False when there is none.
static bool overlap(double least, double most, unsigned size, unsigned *first, unsigned *last)
{
    if (!(most >= 0 && least < size))
        return false;
    *first = least > 0 ? (unsigned)least : 0;
    *last = most < size - 1 ? (unsigned)most : size - 1;
    return true;
}

// Corners before the near plane. Returns whether a sample lay inside.
static bool draw_triangle(struct canvas *canvas, const struct brush *b, const struct corner *c[3])
{
    double p[3][2], scale = canvas->width / (2 * SIDE);
    for (unsigned i = 0; i < 3; i++) {
        p[i][0] = canvas->width / 2.0 + scale * c[i]->at[0] / c[i]->at[2];
        p[i][1] = canvas->height / 2.0 + scale * c[i]->at[1] / c[i]->at[2];
    }
    double area = edge(p[0], p[1], p[2][0], p[2][1]);
    unsigned x[2], y[2];
    if (area == 0 ||
        !overlap(fmin(p[0][0], fmin(p[1][0], p[2][0])), fmax(p[0][0], fmax(p[1][0], p[2][0])), canvas->width,
                 &x[0], &x[1]) ||
        !overlap(fmin(p[0][1], fmin(p[1][1], p[2][1])), fmax(p[0][1], fmax(p[1][1], p[2][1])), canvas->height,
                 &y[0], &y[1]))
        return false;
    unsigned level = choose_level(b, c, fabs(area));
    bool inside = false;
    for (unsigned j = y[0]; j <= y[1]; j++)
        for (unsigned i = x[0]; i <= x[1]; i++) {
            double w[3], lanes[LANES], inverse = 0;
            for (unsigned k = 0; k < 3; k++)
                w[k] = edge(p[(k + 1) % 3], p[(k + 2) % 3], i + 0.5, j + 0.5) / area;
            if (w[0] < 0 || w[1] < 0 || w[2] < 0)
                continue;
            for (unsigned k = 0; k < 3; k++)
                inverse += w[k] /= c[k]->at[2];
            for (unsigned n = 0; n < LANES; n++)
                lanes[n] = (w[0] * c[0]->lanes[n] + w[1] * c[1]->lanes[n] + w[2] * c[2]->lanes[n]) / inverse;
            put_sample(canvas, (size_t)j * canvas->width + i, b, level, 1 / inverse, lanes);
            inside = true;
        }
    return inside;
}

static struct corner between(const struct corner *a, const struct corner *b)
{
    struct corner c;
    double t = (NEAR_PLANE - a->at[2]) / (b->at[2] - a->at[2]);
    for (unsigned k = 0; k < 3; k++)
        c.at[k] = a->at[k] + t * (b->at[k] - a->at[k]);
    for (unsigned k = 0; k < LANES; k++)
        c.lanes[k] = a->lanes[k] + t * (b->lanes[k] - a->lanes[k]);
    c.at[2] = NEAR_PLANE;
    return c;
}

// What of a triangle lies before the near plane: up to 4 corners.
static unsigned clip(const struct corner in[3], struct corner out[CORNERS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++) {
        const struct corner *a = &in[i], *b = &in[(i + 1) % 3];
        bool a_before = a->at[2] >= NEAR_PLANE, b_before = b->at[2] >= NEAR_PLANE;
        if (a_before)
            out[count++] = *a;
        if (a_before != b_before)
            out[count++] = between(a, b);
    }
    return count;
}

static struct corner project(const struct fmt_mesh_vertex *v, const struct picture_camera *camera)
{
    struct corner c;
    double world[3];
    to_world(v->position, world);
    for (unsigned k = 0; k < 3; k++)
        world[k] -= camera->position[k];
    for (unsigned k = 0; k < 3; k++)
        c.at[k] = dot(world, camera->axes[k]);
    c.lanes[0] = (double)v->uv[0];
    c.lanes[1] = (double)v->uv[1];
    for (unsigned k = 0; k < 4; k++)
        c.lanes[2 + k] = v->rgba[k];
    return c;
}

static bool draw_clipped(struct canvas *canvas, const struct brush *b, const struct corner in[3])
{
    struct corner corners[CORNERS];
    unsigned count = clip(in, corners);
    bool drawn = false;
    for (unsigned k = 2; k < count; k++)
        drawn |=
            draw_triangle(canvas, b, (const struct corner *[3]){&corners[0], &corners[k - 1], &corners[k]});
    return drawn;
}

// ---- the picture

static bool canvas_new(struct canvas *canvas, unsigned width, unsigned height)
{
    canvas->width = SAMPLES * width;
    canvas->height = SAMPLES * height;
    size_t count = (size_t)canvas->width * canvas->height;
    canvas->nearest = calloc(count, sizeof *canvas->nearest);
    canvas->rgb = malloc(count * sizeof *canvas->rgb);
    for (size_t i = 0; canvas->rgb && i < count; i++)
        memcpy(canvas->rgb[i], sky, 3);
    return canvas->nearest && canvas->rgb;
}

static void canvas_free(struct canvas *canvas)
{
    free(canvas->nearest);
    free(canvas->rgb);
}

// The mean of each pixel's samples.
static void reduce(const struct canvas *canvas, struct fmt_image *out, struct picture_tally *tally)
{
    size_t covered = 0, samples = (size_t)canvas->width * canvas->height;
    for (size_t i = 0; i < samples; i++)
        covered += canvas->nearest[i] > 0;
    tally->covered = (double)covered / (double)samples;
    for (unsigned y = 0; y < out->height; y++)
        for (unsigned x = 0; x < out->width; x++) {
            uint8_t *to = out->rgba + 4 * ((size_t)y * out->width + x);
            for (unsigned k = 0; k < 3; k++) {
                unsigned sum = 0;
                for (unsigned n = 0; n < SAMPLES * SAMPLES; n++)
                    sum += canvas->rgb[(size_t)(SAMPLES * y + n / SAMPLES) * canvas->width + SAMPLES * x +
                                       n % SAMPLES][k];
                to[k] = (uint8_t)((sum + SAMPLES * SAMPLES / 2) / (SAMPLES * SAMPLES));
            }
            to[3] = 255;
        }
}

static enum ps2_status draw_material(struct canvas *canvas, const struct fmt_level *level,
                                     const struct fmt_mesh *mesh, const struct fmt_mesh_material *m,
                                     const struct picture_camera *camera, struct picture_tally *tally,
                                     struct ps2_error *error)
{
    struct brush b;
    enum ps2_status status = brush_load(level, m, &b, error);
    for (size_t i = m->first; !status && i < (size_t)m->first + m->count; i++) {
        struct corner corners[3];
        for (unsigned k = 0; k < 3; k++)
            corners[k] = project(&mesh->vertices[mesh->triangles[i][k]], camera);
        tally->triangles += draw_clipped(canvas, &b, corners);
    }
    brush_free(&b);
    return status;
}

enum ps2_status picture_draw(const struct fmt_level *level, const struct fmt_mesh *mesh,
                             const struct picture_camera *camera, unsigned width, unsigned height,
                             struct fmt_image *out, struct picture_tally *tally, struct ps2_error *error)
{
    struct canvas canvas = {0};
    enum ps2_status status = PS2_OK;
    *tally = (struct picture_tally){0, 0};
    *out = (struct fmt_image){malloc((size_t)4 * width * height), width, height};
    if (!canvas_new(&canvas, width, height) || !out->rgba)
        status = ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "no memory for a picture");
    for (size_t i = 0; !status && i < mesh->material_count; i++)
        status = draw_material(&canvas, level, mesh, &mesh->materials[i], camera, tally, error);
    if (!status)
        reduce(&canvas, out, tally);
    else
        fmt_image_free(out);
    canvas_free(&canvas);
    return status;
}
