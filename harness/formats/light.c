// The directional and point passes of LightTfrags.
#include "harness/formats/light.h"

#include "ee/float.h"

#include <string.h>

#define ONE         0x3F800000u
#define COLOUR_BASE 0x47800000u // 65536.0: a byte added to the pattern is 65536 + byte / 128
#define COLOUR_TOP  0x478000FFu

static uint32_t add(uint32_t a, uint32_t b)
{
    return ee_float_add(NULL, a, b).bits;
}

static uint32_t sub(uint32_t a, uint32_t b)
{
    return ee_float_sub(NULL, a, b).bits;
}

static uint32_t mul(uint32_t a, uint32_t b)
{
    return ee_float_mul(a, b).bits;
}

// (a.x b.x + a.y b.y) + 1.0 (a.z b.z): two additions in this order.
static uint32_t dot(const uint32_t a[3], const uint32_t b[3])
{
    return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(ONE, mul(a[2], b[2])));
}

void fmt_light_normal(const struct fmt_normal_table *table, uint8_t azimuth, uint8_t elevation,
                      uint32_t out[3])
{
    const uint32_t *az = table->cos_sin[azimuth], *el = table->cos_sin[elevation];
    out[0] = sub(0, mul(az[0], el[0]));
    out[1] = sub(0, mul(az[1], el[0]));
    out[2] = sub(0, add(0, el[1]));
}

static void expand(uint16_t c, uint8_t rgba[4])
{
    rgba[0] = (uint8_t)((c & 31) << 3);
    rgba[1] = (uint8_t)((c >> 5 & 31) << 3);
    rgba[2] = (uint8_t)((c >> 10 & 31) << 3);
    rgba[3] = (uint8_t)(c >> 15 << 7);
}

static void blend(uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t w, uint32_t t, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++)
        out[i] = add(mul(a[i], w), mul(b[i], t));
}

static void normalise(uint32_t v[3])
{
    uint32_t q = ee_float_rsqrt(ONE, dot(v, v)).bits;
    for (unsigned i = 0; i < 3; i++)
        v[i] = mul(v[i], q);
}

static struct fmt_light_set choose(const struct fmt_light_bank *bank, uint16_t select, int8_t one)
{
    if (one >= 0)
        return bank->sets[one & 15];
    const struct fmt_light_set *a = &bank->sets[select & 15], *b = &bank->sets[select >> 4 & 15];
    if (!(select & 0xFF00))
        return *a;
    struct fmt_light_set s = {{0}, {0}, {0}, {0}};
    uint32_t t = ee_float_from_int((select >> 4) & 0xFF0, 12), w = sub(ONE, t);
    blend(s.colour_a, a->colour_a, b->colour_a, w, t, 4);
    blend(s.colour_b, a->colour_b, b->colour_b, w, t, 4);
    blend(s.direction_a, a->direction_a, b->direction_a, w, t, 3);
    blend(s.direction_b, a->direction_b, b->direction_b, w, t, 3);
    normalise(s.direction_a);
    normalise(s.direction_b);
    return s;
}

// max(d, d * back): the back factor is not positive on any retail set.
static uint32_t incidence(const uint32_t normal[3], const uint32_t direction[3], uint32_t back)
{
    uint32_t d = dot(normal, direction);
    return ee_float_max(d, mul(d, add(0, back)));
}

// out = base * 1.0 + first * d [+ second * e], each product rounded and then added; the colour lanes stop at
// 255.
static void accumulate(uint8_t rgba[4], const uint32_t first[4], uint32_t d, const uint32_t second[4],
                       uint32_t e)
{
    for (unsigned i = 0; i < 4; i++) {
        struct ee_float acc = ee_float_mul(COLOUR_BASE + rgba[i], ONE);
        acc = ee_float_madd(NULL, acc.bits, acc.conditions & EE_FLOAT_O, first[i], d);
        if (second)
            acc = ee_float_madd(NULL, acc.bits, acc.conditions & EE_FLOAT_O, second[i], e);
        rgba[i] = (uint8_t)(i < 3 ? ee_float_min(acc.bits, COLOUR_TOP) : acc.bits);
    }
}

void fmt_light_vertex(const struct fmt_light_bank *bank, const struct fmt_normal_table *table,
                      const struct fmt_light_record *record, int8_t dir_lights_one, uint8_t rgba[4])
{
    uint32_t normal[3];
    struct fmt_light_set s = choose(bank, record->select, dir_lights_one);
    fmt_light_normal(table, record->azimuth, record->elevation, normal);
    expand(record->colour, rgba);
    uint32_t a = incidence(normal, s.direction_a, s.colour_a[3]);
    uint32_t b = incidence(normal, s.direction_b, s.colour_b[3]);
    s.colour_a[3] = s.colour_b[3] = 0;
    accumulate(rgba, s.colour_a, a, s.colour_b, b);
}

void fmt_light_point(const struct fmt_point_light *light, const uint32_t normal[3], const int32_t origin[3],
                     const int16_t position[3], uint8_t rgba[4])
{
    uint32_t v[3], radius = light->position[3];
    for (unsigned i = 0; i < 3; i++) {
        uint32_t at = add(ee_float_from_int((uint32_t)position[i] << 2, 12),
                          ee_float_from_int((uint32_t)origin[i] << 2, 12));
        v[i] = sub(at, light->position[i]);
    }
    uint32_t d2 = dot(v, v);
    if (sub(mul(radius, radius), d2) >> 31)
        return;
    uint32_t distance = ee_float_sqrt(d2).bits;
    uint32_t fade =
        mul(sub(ONE, mul(ee_float_div(ONE, radius).bits, distance)), ee_float_div(ONE, distance).bits);
    for (unsigned i = 0; i < 3; i++)
        v[i] = mul(v[i], fade);
    uint32_t d = dot(normal, v);
    accumulate(rgba, light->colour, ee_float_max(d, mul(d, light->colour[3])), NULL, 0);
}

static enum ps2_status point_pass(const struct fmt_patch *patch, const struct fmt_light_bank *bank,
                                  const struct fmt_normal_table *table, const struct fmt_light_record *record,
                                  const int32_t origin[4], uint8_t rgba[4], struct ps2_error *error)
{
    struct fmt_span p;
    int16_t position[3];
    uint32_t normal[3];
    uint32_t nibbles = patch->header.point_lights | 0xF0000u;
    if ((nibbles & 0xF) == 0xF)
        return PS2_OK;
    enum ps2_status status =
        fmt_part(patch->data, record->position_ofs, 6, "position of a light record", &p, error);
    if (status)
        return status;
    for (unsigned i = 0; i < 3; i++)
        position[i] = fmt_s16(p.data + 2 * i);
    fmt_light_normal(table, record->azimuth, record->elevation, normal);
    for (; (nibbles & 0xF) != 0xF; nibbles >>= 4) {
        // Slots 8..14 lie past the bank (unverified what the game reads there).
        if ((nibbles & 0xF) >= FMT_POINT_LIGHTS)
            return fmt_fail(patch->data, patch->header.light_ofs, error, "point light %u of %d",
                            nibbles & 0xF, FMT_POINT_LIGHTS);
        fmt_light_point(&bank->points[nibbles & 0xF], normal, origin, position, rgba);
    }
    return PS2_OK;
}

// A vertex is lit when a set that it names exists.
static bool lit(const struct fmt_light_bank *bank, uint16_t select, int8_t one)
{
    int32_t sets = bank->count < FMT_LIGHT_SETS_COPIED ? bank->count : FMT_LIGHT_SETS_COPIED;
    if (one >= 0)
        return (one & 15) < sets;
    return (select & 15) < sets || ((select & 0xFF00) && (select >> 4 & 15) < sets);
}

enum ps2_status fmt_light_patch(const struct fmt_patch *patch, const struct fmt_light_bank *bank,
                                const struct fmt_normal_table *table, uint8_t *rgba,
                                struct fmt_light_tally *tally, struct ps2_error *error)
{
    struct fmt_span records;
    int32_t origin[4];
    int8_t one = patch->header.dir_lights_one;
    enum ps2_status status = fmt_patch_light_records(patch, &records, error);
    if (!status)
        status = fmt_patch_light_origin(patch, origin, error);
    for (unsigned i = 0; !status && i < patch->header.vert_count; i++) {
        struct fmt_light_record record = fmt_light_record(records, i);
        fmt_light_vertex(bank, table, &record, one, rgba + 4 * i);
        status = point_pass(patch, bank, table, &record, origin, rgba + 4 * i, error);
        tally->vertices++;
        if (lit(bank, record.select, one))
            tally->lit++;
        else
            tally->missing++;
    }
    return status;
}
