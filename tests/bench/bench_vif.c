// The VIF: bytes that UNPACK writes to VU memory, beside memcpy of as many bytes to the same place in the
// same run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/yard.h"
#include "vif/vif.h"

enum { RUNS = 40, ROUNDS = 20, PACKETS = 64, VECTORS = 240, ROOM = 1 << 17 };

struct stream {
    const char *name;
    uint32_t unpack, bits; // of a vector
    uint32_t head[8];
    size_t head_words;
    double least; // share of memcpy asked for
};

static const struct stream streams[] = {
    {"V4-32", 0x6c, 128, {0x01000101, 0x05000000}, 2, 0.5},
    {"V3-16 STMOD 1", 0x69, 48, {0x01000101, 0x05000001, 0x30000000, 100, 200, 300, 400}, 7, 1 / 3.0},
    {"V4-8", 0x6e, 32, {0x01000101, 0x05000000}, 2, 1 / 3.0},
    {"V4-5", 0x6f, 16, {0x01000101, 0x05000000}, 2, 1 / 3.0},
    // Not asked for: a mask with COL in w, and every second quadword skipped.
    {"V4-16 masked", 0x7d, 64, {0x01000101, 0x05000000, 0x20000000, 0x80808080}, 4, 0},
    {"V4-16 skipping", 0x6d, 64, {0x01000102, 0x05000000}, 2, 0},
};

static size_t build(const struct stream *stream, uint32_t *words)
{
    size_t count = stream->head_words;
    memcpy(words, stream->head, 4 * count);
    for (uint32_t packet = 0; packet < PACKETS; packet++) {
        words[count++] = stream->unpack << 24 | VECTORS << 16 | packet % 2 * VECTORS;
        for (uint32_t n = 0; n < (VECTORS * stream->bits + 31) / 32; n++)
            words[count++] = (packet * 7919 + n) * 2654435761u;
    }
    while (count % 4)
        words[count++] = 0;
    return count;
}

static double unpack_time(struct vif *vif, const uint32_t *words, size_t count)
{
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = yard_now();
        for (int round = 0; round < ROUNDS; round++)
            if (vif_write(vif, words, count) != count)
                abort();
        double time = yard_now() - start;
        best = time < best ? time : best;
    }
    return best;
}

// The bytes of the V4-32 stream from where they lie to where UNPACK puts them.
static double memcpy_time(uint8_t *memory, const uint32_t *words)
{
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = yard_now();
        for (int round = 0; round < ROUNDS; round++)
            for (size_t packet = 0; packet < PACKETS; packet++) {
                memcpy(memory + packet % 2 * 16 * VECTORS, words + 3 + packet * (4 * VECTORS + 1),
                       16 * VECTORS);
                __asm__ volatile("" : : "r"(memory) : "memory");
            }
        double time = yard_now() - start;
        best = time < best ? time : best;
    }
    return best;
}

int main(void)
{
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vif *vif = vu ? vif_new(VIF_UNIT_1, vu) : NULL;
    uint32_t *words = calloc(ROOM, sizeof *words);
    if (!vif || !words)
        abort();
    size_t size;
    double bytes = 16.0 * VECTORS * PACKETS * ROUNDS;
    build(&streams[0], words);
    double copy = memcpy_time(vu_data(vu, &size), words);
    printf("vif: memcpy                 %8.0f MB/s\n", bytes / copy / 1e6);
    for (const struct stream *s = streams; s < streams + sizeof streams / sizeof *streams; s++) {
        double time = unpack_time(vif, words, build(s, words));
        printf("vif: %-15s written %8.0f MB/s, %.2f of memcpy", s->name, bytes / time / 1e6, copy / time);
        printf(s->least > 0 ? " (at least %.2f)\n" : "\n", s->least);
    }
    free(words);
    vif_free(vif);
    vu_free(vu);
}
