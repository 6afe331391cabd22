// The arithmetic of the terrain microprogram from the builder's model of a patch to GS register writes.
#include "tests/support/terrain_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/bytes.h"
#include "fixtures/ps2_float.h"
#include "tests/support/fixture_reader.h"

#define ONE 0x3f800000u

enum { POSITIONS = 160, ENTRIES = 160 };

struct quad {
    uint32_t lane[4];
};

struct entry {
    unsigned s, t, position;
    int first_parent, second_parent;
};

struct patch {
    const json_t *truth;
    unsigned positions[3], primaries[3], extras[3]; // by tier
    struct quad at[POSITIONS], colour[POSITIONS];
    struct entry entries[ENTRIES];
    struct quad matrix[4], constants[15]; // 656 to 670
};

static const struct quad *constant(const struct patch *p, unsigned quadword)
{
    return &p->constants[quadword - 656];
}

// The value of a pattern that is no denormal; exponent 255 is an ordinary one.
static double value_of(uint32_t bits)
{
    int e = (int)(bits >> 23 & 255);
    double v = e ? ldexp((bits & 0x7fffff) | 0x800000, e - 150) : 0;
    return bits >> 31 ? -v : v;
}

static uint32_t fixed(uint32_t bits, double scale)
{
    double v = trunc(value_of(bits) * scale);
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? 0x80000000u : (uint32_t)(int32_t)v;
}

static struct quad read_quad(const uint8_t *bytes)
{
    struct quad q;
    memcpy(q.lane, bytes, sizeof q.lane);
    return q;
}

static unsigned first_entry(const struct patch *p, unsigned tier)
{
    unsigned n = 0;
    for (unsigned t = 0; t < tier; t++)
        n += p->primaries[t] + p->extras[t];
    return n;
}

static void read_patch(struct patch *p, const json_t *truth, const uint8_t *view)
{
    const json_t *tiers = json_object_get(truth, "tiers"), *positions = json_object_get(truth, "positions");
    const json_t *lit = json_object_get(truth, "lit"), *entries = json_object_get(truth, "entries");
    const json_t *origin = json_object_get(truth, "origin");
    memset(p, 0, sizeof *p);
    p->truth = truth;
    for (unsigned t = 0; t < 3; t++) {
        const json_t *tier = json_array_get(tiers, t);
        p->positions[t] = (unsigned)truth_at(tier, 0);
        p->primaries[t] = (unsigned)truth_at(tier, 1);
        p->extras[t] = (unsigned)truth_at(tier, 2);
    }
    for (size_t i = 0; i < json_array_size(positions) / 3; i++) {
        for (unsigned k = 0; k < 3; k++)
            p->at[i].lane[k] = fx_real_bits(
                (double)(truth_at(origin, k) + truth_at(positions, 3 * i + k))); // 24 bits: exact
        for (unsigned k = 0; k < 4; k++)
            p->colour[i].lane[k] = (uint32_t)truth_at(lit, 4 * i + k);
    }
    for (size_t i = 0; i < json_array_size(entries) / 5; i++)
        p->entries[i] =
            (struct entry){(unsigned)truth_at(entries, 5 * i), (unsigned)truth_at(entries, 5 * i + 1),
                           (unsigned)truth_at(entries, 5 * i + 2), (int)truth_at(entries, 5 * i + 3),
                           (int)truth_at(entries, 5 * i + 4)};
    for (unsigned i = 0; i < 4; i++)
        p->matrix[i] = read_quad(view + 16 * i);
    for (unsigned i = 0; i < 15; i++)
        p->constants[i] = read_quad(view + 0x40 + 16 * i);
}

// ---- arithmetic

static struct quad transform(const struct patch *p, struct quad v)
{
    struct quad out;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t sum = fx_float_mul(p->matrix[3].lane[k], ONE);
        for (unsigned i = 0; i < 3; i++)
            sum = fx_float_add(sum, fx_float_mul(p->matrix[i].lane[k], v.lane[i]));
        out.lane[k] = sum;
    }
    return out;
}

static struct quad colour_floats(struct quad c)
{
    for (unsigned k = 0; k < 4; k++)
        c.lane[k] = fx_real_bits(c.lane[k]);
    return c;
}

// (a + b) * t.x + own * t.y
static struct quad mix(struct quad a, struct quad b, struct quad own, const uint32_t t[2])
{
    for (unsigned k = 0; k < 4; k++)
        own.lane[k] = fx_float_add(fx_float_mul(fx_float_add(a.lane[k], b.lane[k]), t[0]),
                                   fx_float_mul(own.lane[k], t[1]));
    return own;
}

static bool past(uint32_t w, uint32_t threshold)
{
    return value_of(w) < value_of(threshold);
}

// ---- passes

static void transform_tier(struct patch *p, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++) {
        p->at[i] = transform(p, p->at[i]);
        p->colour[i] = colour_floats(p->colour[i]);
    }
}

static void morph(struct terrain_model *m, struct patch *p, unsigned tier, bool collapse)
{
    const struct quad *edge = constant(p, tier == 1 ? 666 : 667),
                      *offset = constant(p, tier == 1 ? 668 : 669);
    for (unsigned i = first_entry(p, tier), end = i + p->primaries[tier]; i < end; i++) {
        struct entry *own = &p->entries[i];
        const struct entry *parent = &p->entries[own->first_parent];
        unsigned a = parent->position, b = (unsigned)own->second_parent, at = own->position;
        bool first = past(p->at[a].lane[3], edge->lane[3]), second = past(p->at[b].lane[3], edge->lane[3]);
        m->one_past += collapse && first != second;
        if (collapse && first && second) {
            *own = *parent;
            m->collapsed++;
            continue;
        }
        struct quad here = transform(p, p->at[at]);
        uint32_t t[2];
        for (unsigned k = 0; k < 2; k++) {
            t[k] = fx_float_add(fx_float_mul(edge->lane[k], here.lane[3]), offset->lane[k]);
            t[k] = fx_float_min(fx_float_max(t[k], 0), constant(p, 657)->lane[k]);
        }
        m->stayed += value_of(t[0]) == 0;
        m->moved += value_of(t[1]) == 0;
        m->morphed += value_of(t[0]) > 0 && value_of(t[1]) > 0;
        p->at[at] = mix(p->at[a], p->at[b], here, t);
        p->colour[at] = mix(p->colour[a], p->colour[b], colour_floats(p->colour[at]), t);
    }
}

static void replace_extras(struct terrain_model *m, struct patch *p, unsigned tier)
{
    uint32_t edge = constant(p, tier == 1 ? 666 : 667)->lane[3];
    for (unsigned i = first_entry(p, tier) + p->primaries[tier], end = i + p->extras[tier]; i < end; i++) {
        struct entry *own = &p->entries[i];
        const struct entry *parent = &p->entries[own->first_parent];
        if (past(p->at[own->second_parent].lane[3], edge) && past(p->at[parent->position].lane[3], edge)) {
            *own = *parent;
            m->collapsed++;
        }
    }
}

static void run_passes(struct terrain_model *m, struct patch *p, uint32_t mode)
{
    unsigned common = p->positions[0];
    mode = mode == 0x12 ? 0x10 : mode;
    transform_tier(p, 0, common);
    if (mode == 0x08 || mode == 0x0a || mode == 0x0e)
        morph(m, p, 1, mode == 0x08);
    if (mode == 0x08)
        replace_extras(m, p, 1);
    if (mode == 0x10)
        transform_tier(p, common, p->positions[1]);
    if (mode == 0x0e || mode == 0x10)
        morph(m, p, 2, mode == 0x0e);
    if (mode == 0x0e)
        replace_extras(m, p, 2);
}

// ---- strips

static void put(struct terrain_model *m, uint8_t number, uint64_t value)
{
    assert_true(m->count < MODEL_WRITES);
    m->writes[m->count++] = (struct terrain_write){number, value};
}

static void put_adgif(struct terrain_model *m, const struct patch *p, size_t index)
{
    static const uint8_t numbers[5] = {0x06, 0x14, 0x08, 0x34, 0x36};
    const json_t *registers = json_object_get(p->truth, "registers");
    for (size_t i = 0; i < 5; i++)
        put(m, numbers[i],
            (uint64_t)truth_at(registers, 10 * index + 2 * i) |
                (uint64_t)truth_at(registers, 10 * index + 2 * i + 1) << 32);
}

// Six bits as CLIP makes them, from patterns compared as numbers.
static unsigned judge(const struct patch *p, struct quad at)
{
    const struct quad *scale = constant(p, 662);
    double w = fabs(value_of(fx_float_mul(at.lane[3], scale->lane[3])));
    unsigned bits = 0;
    for (unsigned k = 0; k < 3; k++) {
        double v = value_of(fx_float_mul(at.lane[k], scale->lane[k]));
        bits |= (unsigned)(v > w) << 2 * k | (unsigned)(v < -w) << (2 * k + 1);
    }
    return bits;
}

static void put_vertex(struct terrain_model *m, const struct patch *p, const struct entry *e,
                       bool transformed, unsigned judgements)
{
    const struct quad *screen = constant(p, 661), *fog = constant(p, 656);
    struct quad at = transformed ? p->at[e->position] : transform(p, p->at[e->position]);
    struct quad colour = p->colour[e->position];
    const uint32_t st[3] = {fx_float_sub(0x45000000 + e->s, constant(p, 657)->lane[2]),
                            fx_float_sub(0x45000000 + e->t, constant(p, 657)->lane[2]), ONE};
    uint32_t q = fx_float_div(fog->lane[0], at.lane[3]), textured[3];
    for (unsigned k = 0; k < 3; k++) {
        at.lane[k] = fx_float_mul(at.lane[k], q);
        textured[k] = fx_float_mul(st[k], q);
    }
    for (unsigned k = 0; k < 4; k++)
        at.lane[k] = fx_float_add(at.lane[k], screen->lane[k]);
    at.lane[3] = fx_float_max(fx_float_min(at.lane[3], fog->lane[2]), fog->lane[1]);
    m->least_fog += at.lane[3] == fog->lane[2];
    m->most_fog += at.lane[3] == fog->lane[1];
    if (judgements)
        at.lane[3] = fx_float_add(at.lane[3], fog->lane[3]);
    uint64_t rgba = 0;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t c =
            transformed ? fixed(fx_float_mul(colour.lane[k], constant(p, 664)->lane[k]), 1) : colour.lane[k];
        rgba |= (uint64_t)(c & 255) << 8 * k;
        at.lane[k] = fixed(at.lane[k], 16);
    }
    put(m, 0x02, textured[0] | (uint64_t)textured[1] << 32);
    put(m, 0x01, rgba | (uint64_t)textured[2] << 32);
    bool adc = at.lane[3] >> 15 & 1;
    m->dropped += adc;
    put(m, adc ? 0x0c : 0x04,
        (at.lane[0] & 0xffff) | (uint64_t)(at.lane[1] & 0xffff) << 16 |
            (uint64_t)(at.lane[2] >> 4 & 0xffffff) << 32 | (uint64_t)(at.lane[3] >> 4 & 0xff) << 56);
}

// The vertex-info entries of the strips of an LOD, in order, from its triangles: a strip's first three, then
// the new corner of each.
static unsigned strip_entry(const json_t *triangles, size_t first, unsigned k)
{
    size_t triangle = first + (k < 3 ? 0 : k - 2);
    const int64_t corner[3] = {truth_at(triangles, 4 * triangle), truth_at(triangles, 4 * triangle + 1),
                               truth_at(triangles, 4 * triangle + 2)};
    return (unsigned)corner[k < 3 ? k : 2];
}

void terrain_model_draw(struct terrain_model *m, const json_t *truth, uint32_t mode,
                        const uint8_t view[FIXTURE_VIEW_SIZE])
{
    static struct patch p;
    size_t lod = mode == 0x06 ? 2 : mode == 0x08 || mode == 0x0a ? 1 : 0, triangle = 0;
    bool transformed = mode >= 0x08 && mode <= 0x12 && mode != 0x0c;
    bool clip = mode == 0x06 || mode == 0x0c || mode == 0x12 || mode == 0x14;
    const json_t *strips = json_array_get(json_object_get(truth, "strips"), lod);
    const json_t *triangles = json_array_get(json_object_get(truth, "triangles"), lod);
    int64_t texture = -1;
    read_patch(&p, truth, view);
    if (transformed)
        run_passes(m, &p, mode);
    for (size_t s = 0; s < json_array_size(strips) / 3; s++) {
        unsigned count = (unsigned)truth_at(strips, 3 * s), judgements = 0;
        if (truth_at(strips, 3 * s + 1) != texture)
            put_adgif(m, &p, (size_t)(texture = truth_at(strips, 3 * s + 1)));
        put(m, 0x00, 0x7c);
        for (unsigned k = 0; k < count; k++) {
            const struct entry *e = &p.entries[strip_entry(triangles, triangle, k)];
            judgements = (judgements << 6 |
                          judge(&p, transformed ? p.at[e->position] : transform(&p, p.at[e->position]))) &
                         0x3ffff;
            put_vertex(m, &p, e, transformed, clip ? judgements : 0);
        }
        triangle += count - 2;
    }
}
