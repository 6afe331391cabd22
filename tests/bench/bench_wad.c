// Decoding speed of WAD streams beside zlib's inflate on the same data, in the same run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <zlib.h>

#include "harness/check/check.h"
#include "harness/formats/wad.h"

enum { SIZE = 8 << 20, ROUNDS = 9 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Half dithered gradients (texture indices), half small-delta 16-bit records (vertices): it packs to about 57
// %, as core data does.
static void fill(uint8_t *data)
{
    uint64_t seed = 99;
    for (size_t i = 0; i < SIZE; i++) {
        uint64_t r = check_random(&seed);
        if (i < 0x20000 || r % 12 == 0)
            data[i] = (uint8_t)(r >> 8);
        else if (i >> 16 & 1)
            data[i] = data[i - 64 - (r % 12 == 1) * (r >> 40) % 1900];
        else
            data[i] = data[i - 0x7000 + (r % 12 == 1) * (r >> 40) % 0x6000];
    }
}

int main(void)
{
    uint8_t *data = malloc(SIZE), *inflated = malloc(SIZE);
    uLongf deflated_size = compressBound(SIZE);
    uint8_t *deflated = malloc(deflated_size);
    struct fmt_buffer packed, out;
    struct ps2_error e;
    fill(data);
    double t = now();
    if (fmt_wad_encode(data, SIZE, "bench", &packed, &e) ||
        compress2(deflated, &deflated_size, data, SIZE, 6) != Z_OK)
        return 1;
    double ours = 1e9, theirs = 1e9;
    t = now();
    if (fmt_wad_encode(data, SIZE, "bench", &out, &e))
        return 1;
    double encode = now() - t;
    fmt_buffer_free(&out);
    for (int i = 0; i < ROUNDS; i++) {
        uLongf size = SIZE;
        t = now();
        if (fmt_wad_decode(fmt_buffer_span(&packed, "bench"), SIZE, &out, &e) || out.size != SIZE)
            return 1;
        double d = now() - t;
        ours = d < ours ? d : ours;
        if (memcmp(out.data, data, SIZE))
            return 1;
        fmt_buffer_free(&out);
        t = now();
        if (uncompress(inflated, &size, deflated, deflated_size) != Z_OK || size != SIZE)
            return 1;
        d = now() - t;
        theirs = d < theirs ? d : theirs;
    }
    double megabytes = SIZE / 1e6;
    printf("wad: decode %.0f MB/s (packed to %.1f %%), zlib inflate %.0f MB/s (%.1f %%): %.2f times; encode "
           "%.0f MB/s\n",
           megabytes / ours, 100.0 * (double)packed.size / SIZE, megabytes / theirs,
           100.0 * (double)deflated_size / SIZE, theirs / ours, megabytes / encode);
    fmt_buffer_free(&packed);
    free(data);
    free(inflated);
    free(deflated);
    return 0;
}
