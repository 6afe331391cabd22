// A plain decoder of WAD packets, with switches for wrong rules.
#include "tests/support/wad_model.h"

#include <string.h>

struct reader {
    const uint8_t *data;
    size_t at, size;
    int failed;
};

static unsigned next(struct reader *r)
{
    if (r->at < r->size)
        return r->data[r->at++];
    r->failed = 1;
    return 0;
}

static long copy(uint8_t *out, long n, size_t capacity, long distance, long count, unsigned wrong)
{
    if (distance <= 0 || distance > n || (size_t)(n + count) > capacity)
        return -1;
    if (wrong & WAD_MODEL_BLOCK_COPY) {
        memmove(out + n, out + n - distance, (size_t)count);
        return n + count;
    }
    for (long i = 0; i < count; i++, n++)
        out[n] = out[n - distance];
    return n;
}

static long take(struct reader *r, uint8_t *out, long n, size_t capacity, long count)
{
    for (; count > 0; count--) {
        if ((size_t)n >= capacity)
            return -1;
        out[n++] = (uint8_t)next(r);
    }
    return n;
}

static void align(struct reader *r)
{
    size_t block = (r->at - 0x10 + 0xFFF) / 0x1000;
    r->at = 0x10 + block * 0x1000;
    if (r->at > r->size)
        r->at = r->size;
}

long wad_model_decode(const uint8_t *stream, size_t size, unsigned wrong, uint8_t *out, size_t capacity,
                      struct wad_model_census *census)
{
    struct wad_model_census none, *c = census ? census : &none;
    struct reader r = {stream, 0x10, size, 0};
    long n = 0;
    int was_literal = 0;
    memset(c, 0, sizeof *c);
    while (r.at < r.size && n >= 0 && !r.failed) {
        unsigned f = next(&r), second_last, last;
        long length, distance;
        if (f < 0x10) {
            if (was_literal)
                return -1;
            was_literal = 1;
            c->literal_short += f > 0;
            c->literal_long += f == 0;
            n = take(&r, out, n, capacity, f ? (long)f + 3 : (long)next(&r) + 18);
            continue;
        }
        was_literal = 0;
        if (f < 0x40) {
            int far = f < 0x20;
            unsigned mask = far ? 7 : 0x1F, short_form = (f & mask) != 0;
            length = short_form ? (long)(f & mask) : (long)(next(&r) + mask);
            second_last = next(&r);
            last = next(&r);
            distance = (long)last * 0x40 + (second_last >> 2);
            if (far && !(f & 8) && distance == 0) {
                if (length != 1) {
                    c->marker++;
                    if (!(wrong & WAD_MODEL_NO_SKIP))
                        align(&r);
                    continue;
                }
                c->spacer++;
                if (!(wrong & WAD_MODEL_MARKER_LITTLE))
                    n = take(&r, out, n, capacity, second_last & 3);
                continue;
            }
            if (far)
                distance += 0x4000 + (f & 8 ? wrong & WAD_MODEL_A_0x800 ? 0x800 : 0x4000 : 0);
            else
                distance++;
            c->far_short += far && short_form;
            c->far_long += far && !short_form;
            c->medium_short += !far && short_form;
            c->medium_long += !far && !short_form;
            length += 2;
        } else {
            second_last = f;
            last = next(&r);
            length = (long)(f >> 5) + 1;
            distance = (long)last * 8 + (f >> 2 & 7) + 1;
            c->short_match++;
        }
        c->overlap += distance < length;
        n = copy(out, n, capacity, distance, length, wrong);
        unsigned little = (wrong & WAD_MODEL_LAST_BYTE ? last : second_last) & 3;
        c->little[little]++;
        if (n >= 0 && !(wrong & WAD_MODEL_NO_LITTLE))
            n = take(&r, out, n, capacity, little);
    }
    return r.failed ? -1 : n;
}
