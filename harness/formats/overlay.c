// Overlay: sections, strings, normal table.
#include "harness/formats/overlay.h"

#include <math.h>

#define RECORD    0x10
#define TOLERANCE 1e-5
#define ONE       0x3F800000

enum ps2_status fmt_overlay_next(struct fmt_span overlay, size_t *at, struct fmt_overlay_section *section,
                                 bool *more, struct ps2_error *error)
{
    *more = false;
    if (*at >= overlay.size)
        return PS2_OK;
    if (overlay.size - *at < RECORD) // trailing padding
        return *at ? PS2_OK
                   : fmt_fail(overlay, 0, error, "overlay: %zu bytes, a section record has 0x10",
                              overlay.size);
    const uint8_t *p = overlay.data + *at;
    *section = (struct fmt_overlay_section){fmt_u32(p), fmt_u32(p + 4), fmt_u32(p + 8), fmt_u32(p + 12), {0}};
    if (section->entry != fmt_u32(overlay.data + 12))
        return PS2_OK;
    enum ps2_status status =
        fmt_part(overlay, (int64_t)*at + RECORD, section->size, "overlay section", &section->bytes, error);
    *more = !status;
    *at += RECORD + (size_t)section->size;
    return status;
}

// How many entries from the start of `p` lie on the curve.
static unsigned on_curve(const uint8_t *p)
{
    for (unsigned i = 0; i < FMT_NORMAL_ENTRIES; i++) {
        double angle = i * (M_PI / 128), c = fmt_float(fmt_u32(p + 8 * i)),
               s = fmt_float(fmt_u32(p + 8 * i + 4));
        if (!(fabs(c - cos(angle)) <= TOLERANCE && fabs(s - sin(angle)) <= TOLERANCE))
            return i;
    }
    return FMT_NORMAL_ENTRIES;
}

enum ps2_status fmt_normal_table(struct fmt_span overlay, struct fmt_normal_table *out,
                                 struct fmt_normal_search *search, struct ps2_error *error)
{
    const size_t size = FMT_NORMAL_ENTRIES * 8;
    *search = (struct fmt_normal_search){0, 0, 0, 0};
    for (size_t at = 0; at + 8 <= overlay.size; at += 4) {
        if (fmt_u32(overlay.data + at) != ONE || fmt_u32(overlay.data + at + 4) != 0)
            continue;
        unsigned good = overlay.size - at >= size ? on_curve(overlay.data + at) : 0;
        if (good < FMT_NORMAL_ENTRIES) {
            search->decoys++;
            search->furthest = good > search->furthest ? good : search->furthest;
        } else if (!search->found++) {
            search->offset = at;
        }
    }
    if (search->found != 1)
        return fmt_fail(
            overlay, search->offset, error,
            "normal table: %u places hold the whole curve (%u start like it; the best has %u of 256)",
            search->found, search->decoys, search->furthest);
    for (unsigned i = 0; i < 2 * FMT_NORMAL_ENTRIES; i++)
        out->cos_sin[i / 2][i % 2] = fmt_u32(overlay.data + search->offset + 4 * i);
    return PS2_OK;
}

static bool printable(uint8_t c)
{
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
}

// Length of the string at `at`, or 0 when no NUL ends it.
static size_t string_length(struct fmt_span s, size_t at)
{
    size_t end = at;
    while (end < s.size && printable(s.data[end]))
        end++;
    return end < s.size && s.data[end] == 0 ? end - at : 0;
}

bool fmt_string_next(struct fmt_span overlay, size_t *at, size_t shortest, struct fmt_span *string)
{
    while (*at < overlay.size) {
        size_t n = string_length(overlay, *at), start = *at;
        *at = start + (n ? n + 1 : 1);
        if (n >= shortest && n)
            return fmt_part(overlay, (int64_t)start, (int64_t)n, "string", string, NULL) == PS2_OK;
        if (!n)
            while (*at < overlay.size && printable(overlay.data[*at - 1]) && printable(overlay.data[*at]))
                (*at)++;
    }
    return false;
}

struct fmt_span fmt_string_pool(struct fmt_span overlay, unsigned *count)
{
    struct fmt_span pool = {NULL, 0, overlay.name, 0};
    *count = 0;
    for (size_t at = 0; at < overlay.size; at += 16) {
        size_t start = at, next = at;
        unsigned n = 0;
        for (size_t length; next < overlay.size && (length = string_length(overlay, next)) > 0; n++)
            next = (next + length + 16) & ~(size_t)15;
        if (n > *count &&
            fmt_part(overlay, (int64_t)start, (int64_t)((next < overlay.size ? next : overlay.size) - start),
                     "string pool", &pool, NULL) == PS2_OK)
            *count = n;
        if (n)
            at = next - 16;
    }
    return pool;
}
