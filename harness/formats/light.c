// The directional and point passes of LightTfrags.
#include "harness/formats/light.h"

#include "ee/float.h"

#include <math.h>
#include <string.h>

#define ONE         0x3F800000u
#define COLOUR_BASE 0x47800000u // 65536.0: a byte added to the pattern is 65536 + byte / 128
#define COLOUR_TOP  0x478000FFu

// Every function takes the mistakes to make; with a constant 0 the compiler leaves nothing of them.
#define INLINE static inline __attribute__((always_inline))

static uint32_t host(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float native(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

INLINE uint32_t add(unsigned wrong, uint32_t a, uint32_t b)
{
    return wrong & FMT_LIGHT_HOST_FLOAT ? host(native(a) + native(b)) : ee_float_add(NULL, a, b).bits;
}

INLINE uint32_t sub(unsigned wrong, uint32_t a, uint32_t b)
{
    return wrong & FMT_LIGHT_HOST_FLOAT ? host(native(a) - native(b)) : ee_float_sub(NULL, a, b).bits;
}

INLINE uint32_t mul(unsigned wrong, uint32_t a, uint32_t b)
{
    if (wrong & FMT_LIGHT_HOST_FLOAT)
        return host(native(a) * native(b));
    return wrong & FMT_LIGHT_EXCHANGED ? ee_float_mul(b, a).bits : ee_float_mul(a, b).bits;
}

// (a.x b.x + a.y b.y) + 1.0 (a.z b.z): two additions in this order.
INLINE uint32_t dot(unsigned wrong, const uint32_t a[3], const uint32_t b[3])
{
    uint32_t x = mul(wrong, a[0], b[0]), y = mul(wrong, a[1], b[1]), z = mul(wrong, a[2], b[2]);
    if (!(wrong & FMT_LIGHT_NO_UNIT))
        z = mul(wrong, ONE, z);
    return wrong & FMT_LIGHT_YZ_FIRST ? add(wrong, add(wrong, y, z), x) : add(wrong, add(wrong, x, y), z);
}

INLINE void normal_of(unsigned wrong, const struct fmt_normal_table *table, uint8_t azimuth,
                      uint8_t elevation, uint32_t out[3])
{
    const uint32_t *az = table->cos_sin[azimuth], *el = table->cos_sin[elevation];
    out[0] = sub(wrong, 0, mul(wrong, az[0], el[0]));
    out[1] = sub(wrong, 0, mul(wrong, az[1], el[0]));
    out[2] = add(wrong, 0, el[1]);
    if (!(wrong & FMT_LIGHT_TWO_LANES))
        out[2] = sub(wrong, 0, out[2]);
}

void fmt_light_normal(const struct fmt_normal_table *table, uint8_t azimuth, uint8_t elevation,
                      uint32_t out[3])
{
    normal_of(0, table, azimuth, elevation, out);
}

static void expand(uint16_t c, uint8_t rgba[4])
{
    rgba[0] = (uint8_t)((c & 31) << 3);
    rgba[1] = (uint8_t)((c >> 5 & 31) << 3);
    rgba[2] = (uint8_t)((c >> 10 & 31) << 3);
    rgba[3] = (uint8_t)(c >> 15 << 7);
}

INLINE void blend(unsigned wrong, uint32_t *out, const uint32_t *a, const uint32_t *b, uint32_t w, uint32_t t,
                  unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++)
        out[i] = add(wrong, mul(wrong, a[i], w), mul(wrong, b[i], t));
}

INLINE void normalise(unsigned wrong, uint32_t v[3])
{
    if (wrong & FMT_LIGHT_UNNORMALISED)
        return;
    uint32_t square = dot(wrong, v, v);
    uint32_t q =
        wrong & FMT_LIGHT_HOST_FLOAT ? host(1 / sqrtf(native(square))) : ee_float_rsqrt(ONE, square).bits;
    for (unsigned i = 0; i < 3; i++)
        v[i] = mul(wrong, v[i], q);
}

INLINE struct fmt_light_set choose(unsigned wrong, const struct fmt_light_bank *bank, uint16_t select,
                                   int8_t one)
{
    if (one >= 0)
        return bank->sets[one & 15];
    const struct fmt_light_set *a = &bank->sets[select & 15], *b = &bank->sets[select >> 4 & 15];
    if (!(select & 0xFF00))
        return *a;
    struct fmt_light_set s = {{0}, {0}, {0}, {0}};
    uint32_t t = ee_float_from_int((select >> 4) & 0xFF0, 12), w = sub(wrong, ONE, t);
    blend(wrong, s.colour_a, a->colour_a, b->colour_a, w, t, 4);
    blend(wrong, s.colour_b, a->colour_b, b->colour_b, w, t, 4);
    blend(wrong, s.direction_a, a->direction_a, b->direction_a, w, t, 3);
    blend(wrong, s.direction_b, a->direction_b, b->direction_b, w, t, 3);
    normalise(wrong, s.direction_a);
    normalise(wrong, s.direction_b);
    return s;
}

// max(d, d * back): the back factor is not positive on any retail set.
INLINE uint32_t incidence(unsigned wrong, const uint32_t normal[3], const uint32_t direction[3],
                          uint32_t back)
{
    uint32_t d = dot(wrong, normal, direction);
    if (wrong & FMT_LIGHT_NO_BACK)
        back = 0;
    return ee_float_max(d, mul(wrong, d, add(wrong, 0, back)));
}

// out = base * 1.0 + first * d [+ second * e], each product rounded and then added; the colour lanes stop at
// 255.
INLINE void accumulate(unsigned wrong, uint8_t rgba[4], const uint32_t first[4], uint32_t d,
                       const uint32_t second[4], uint32_t e)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t base = COLOUR_BASE + rgba[i], sum;
        if (wrong & (FMT_LIGHT_HOST_FLOAT | FMT_LIGHT_EXCHANGED)) {
            sum = add(wrong, base, mul(wrong, first[i], d));
            sum = second ? add(wrong, sum, mul(wrong, second[i], e)) : sum;
        } else {
            struct ee_float acc = ee_float_mul(base, ONE);
            acc = ee_float_madd(NULL, acc.bits, acc.conditions & EE_FLOAT_O, first[i], d);
            if (second)
                acc = ee_float_madd(NULL, acc.bits, acc.conditions & EE_FLOAT_O, second[i], e);
            sum = acc.bits;
        }
        rgba[i] = (uint8_t)(i < 3 ? ee_float_min(sum, COLOUR_TOP) : sum);
    }
}

// A vertex is lit when a set that it names exists.
static bool lit(const struct fmt_light_bank *bank, uint16_t select, int8_t one)
{
    int32_t sets = bank->count < FMT_LIGHT_SETS_COPIED ? bank->count : FMT_LIGHT_SETS_COPIED;
    if (one >= 0)
        return (one & 15) < sets;
    return (select & 15) < sets || ((select & 0xFF00) && (select >> 4 & 15) < sets);
}

INLINE void light_vertex(unsigned wrong, const struct fmt_light_bank *bank,
                         const struct fmt_normal_table *table, const struct fmt_light_record *record,
                         int8_t dir_lights_one, uint8_t rgba[4])
{
    uint32_t normal[3];
    struct fmt_light_set s = choose(wrong, bank, record->select, dir_lights_one);
    normal_of(wrong, table, record->azimuth, record->elevation, normal);
    expand(record->colour, rgba);
    uint32_t a = incidence(wrong, normal, s.direction_a, s.colour_a[3]);
    uint32_t b = incidence(wrong, normal, s.direction_b, s.colour_b[3]);
    s.colour_a[3] = s.colour_b[3] = 0;
    accumulate(wrong, rgba, s.colour_a, a, s.colour_b, b);
    if ((wrong & FMT_LIGHT_MISSING_BLACK) && !lit(bank, record->select, dir_lights_one))
        memset(rgba, 0, 3);
}

void fmt_light_vertex(const struct fmt_light_bank *bank, const struct fmt_normal_table *table,
                      const struct fmt_light_record *record, int8_t dir_lights_one, uint8_t rgba[4])
{
    if (bank->wrong)
        light_vertex(bank->wrong, bank, table, record, dir_lights_one, rgba);
    else
        light_vertex(0, bank, table, record, dir_lights_one, rgba);
}

// The mistakes are those of the directional pass.
void fmt_light_point(const struct fmt_point_light *light, const uint32_t normal[3], const int32_t origin[3],
                     const int16_t position[3], uint8_t rgba[4])
{
    uint32_t v[3], radius = light->position[3];
    for (unsigned i = 0; i < 3; i++) {
        uint32_t at = add(0, ee_float_from_int((uint32_t)position[i] << 2, 12),
                          ee_float_from_int((uint32_t)origin[i] << 2, 12));
        v[i] = sub(0, at, light->position[i]);
    }
    uint32_t d2 = dot(0, v, v);
    if (sub(0, mul(0, radius, radius), d2) >> 31)
        return;
    uint32_t distance = ee_float_sqrt(d2).bits;
    uint32_t fade = mul(0, sub(0, ONE, mul(0, ee_float_div(ONE, radius).bits, distance)),
                        ee_float_div(ONE, distance).bits);
    for (unsigned i = 0; i < 3; i++)
        v[i] = mul(0, v[i], fade);
    uint32_t d = dot(0, normal, v);
    accumulate(0, rgba, light->colour, ee_float_max(d, mul(0, d, light->colour[3])), NULL, 0);
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
