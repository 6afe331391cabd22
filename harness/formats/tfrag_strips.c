// Strip lists: records into runs of a GS triangle strip.
//
// A record is {s8 count, s8 packet flag, s8 ad-gif offset in quadwords, pad}. The first record's count is
// always biased by 128 and its ad-gif is loaded; after it, a positive count continues the packet, a negative
// one (biased) loads an ad-gif or, with a negative flag, kicks the packet first and loads one only when its
// offset is not negative; 0 ends.
#include "harness/formats/tfrag.h"

#define ADGIF_QW 5

struct fmt_strips fmt_strips_start(const struct fmt_patch *patch, unsigned lod)
{
    return (struct fmt_strips){patch, lod, 0, 0, -1};
}

static bool stop(const struct fmt_strips *s, struct ps2_error *error, const char *rule)
{
    const struct fmt_array *a = &s->patch->strips[s->lod];
    fmt_fail(s->patch->data, a->at + 4u * s->record, error, "LOD %u strips: record %u: %s", s->lod, s->record,
             rule);
    return false;
}

bool fmt_strips_next(struct fmt_strips *s, struct fmt_run *run, struct ps2_error *error)
{
    const struct fmt_array *records = &s->patch->strips[s->lod];
    if (error)
        error->status = PS2_OK;
    if (s->record >= records->count)
        return records->count ? stop(s, error, "no end record before it") : false;
    const uint8_t *r = records->data + 4u * s->record;
    int8_t x = (int8_t)r[0], y = (int8_t)r[1], z = (int8_t)r[2];
    bool first = s->record == 0;
    if (!x)
        return false;
    if (first && x > 0)
        return stop(s, error, "the first count is not biased");
    *run = (struct fmt_run){s->first, x > 0 ? (unsigned)x : (unsigned)(x + 128), s->adgif, false, false};
    if (x < 0) {
        run->kick = !first && y < 0;
        run->loaded = first || y >= 0 || z >= 0;
    }
    if (run->loaded) {
        if (z < 0 || z % ADGIF_QW || z / ADGIF_QW >= s->patch->adgifs.count)
            return stop(s, error, "its ad-gif offset names no ad-gif");
        run->adgif = z / ADGIF_QW;
    }
    if (run->count > s->patch->indices[s->lod].count - run->first)
        return stop(s, error, "the index array ends inside its run");
    s->first += run->count;
    s->adgif = run->adgif;
    s->record++;
    return true;
}

enum ps2_status fmt_patch_triangles(const struct fmt_patch *patch, unsigned lod, unsigned *triangles,
                                    struct ps2_error *error)
{
    struct fmt_run run;
    struct ps2_error why = {.status = PS2_OK};
    struct fmt_strips strips = fmt_strips_start(patch, lod);
    *triangles = 0;
    while (fmt_strips_next(&strips, &run, &why))
        *triangles += run.count > 2 ? run.count - 2 : 0;
    if (why.status && error)
        *error = why;
    return why.status;
}
