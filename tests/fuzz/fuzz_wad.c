// Fuzzes the WAD decoder: streams of random packets and damaged real ones, compared with the plain model.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/check/check.h"
#include "harness/formats/wad.h"
#include "tests/support/wad_model.h"

enum { MOST = 1 << 16 };

enum { STREAMS = 64, PLAIN = 600 };

struct stream {
    uint8_t bytes[PLAIN + 100];
    size_t size;
};

// Real streams of some hundred bytes of few values, so that every packet class occurs.
static bool encode(struct stream *streams, uint64_t *seed)
{
    for (unsigned k = 0; k < STREAMS; k++) {
        uint8_t plain[PLAIN];
        struct fmt_buffer packed;
        for (size_t i = 0; i < sizeof plain; i++)
            plain[i] = (uint8_t)(check_random(seed) % (2 + k % 7));
        if (fmt_wad_encode(plain, 1 + check_random(seed) % sizeof plain, "fuzz", &packed, NULL))
            return false;
        memcpy(streams[k].bytes, packed.data, packed.size);
        streams[k].size = packed.size;
        fmt_buffer_free(&packed);
    }
    return true;
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
    uint64_t seed = 1;
    static struct stream streams[STREAMS];
    uint8_t *model = malloc(MOST * 2), stream[sizeof streams->bytes];
    if (!model || !encode(streams, &seed))
        return 1;
    for (unsigned long run = 0; run < runs; run++) {
        uint64_t r = check_random(&seed);
        size_t n = 0x10 + r % 400;
        struct fmt_buffer out;
        if (r & 1 << 20) {
            const struct stream *real = &streams[(r >> 24) % STREAMS];
            n = real->size;
            memcpy(stream, real->bytes, n);
            for (unsigned i = r >> 30 & 3; i; i--)
                stream[0x10 + check_random(&seed) % (n - 0x10)] = (uint8_t)check_random(&seed);
            n -= (r >> 40) % 8 == 0 ? check_random(&seed) % (n - 0x10) : 0;
        } else {
            for (size_t i = 0; i < n; i++)
                stream[i] = (uint8_t)check_random(&seed);
            stream[0x10] &= 0x0F;
        }
        memcpy(stream, "WAD", 3);
        fmt_put_u32(stream + 3, (r >> 44) % 16 ? (uint32_t)n : (uint32_t)check_random(&seed));
        // A heap copy of the exact size, so that the sanitizer sees every byte past the end.
        uint8_t *exact = malloc(n);
        memcpy(exact, stream, n);
        enum ps2_status status = fmt_wad_decode(fmt_span_of(exact, n, "fuzz"), r >> 50, &out, NULL);
        if (fmt_u32(exact + 3) == n) {
            long size = wad_model_decode(exact, n, 0, model, MOST * 2, NULL);
            if ((size < 0) != (status != PS2_OK) ||
                (!status && ((size_t)size != out.size || memcmp(model, out.data, out.size)))) {
                fprintf(stderr, "fuzz_wad: run %lu: the decoder and the model disagree\n", run);
                return 1;
            }
        }
        if (!status)
            fmt_buffer_free(&out);
        free(exact);
    }
    printf("fuzz_wad: %lu runs\n", runs);
    free(model);
    return 0;
}
