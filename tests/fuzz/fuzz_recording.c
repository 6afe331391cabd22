// Fuzz target: damaged recordings, read, listed and decoded: each is refused or ends, and nothing else is
// read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/recording.h"
#include "harness/vif_dis.h"
#include "tests/support/mutate.h"

enum { ROOM = 4096 };

struct maker {
    uint8_t bytes[ROOM];
    size_t size;
};

static void add(struct maker *m, uint32_t kind, uint32_t cause, uint32_t a, uint32_t b, const void *data,
                uint32_t size)
{
    const struct record_header header = {.kind = kind, .size = size, .cause = cause, .a = a, .b = b};
    memcpy(m->bytes + m->size, &header, sizeof header);
    memcpy(m->bytes + m->size + sizeof header, data, size);
    m->size += sizeof header + (size + 15) / 16 * 16;
}

static void make(struct maker *m)
{
    static const uint32_t stream[] = {0x01000404, 0x60040000, 1,          2,          3, 4, 0,
                                      0x20000000, 5,          0x14000000, 0x4a010000, 6, 7};
    const struct record_dma dma = {.tag_address = 0x100000, .address = 0x100010, .quadwords = 3};
    const struct record_vu_end end = {.pairs = 4, .cycles = 4};
    const uint64_t value[2] = {1, 0};
    memset(m, 0, sizeof *m);
    memcpy(m->bytes, RECORDING_MAGIC, 16);
    m->size = 16;
    add(m, RECORD_VIF_STATE, RECORDING_NO_CAUSE, 1, VIF_CYCLE, value, 16);
    add(m, RECORD_DMA, RECORDING_NO_CAUSE, 1, RECORDING_HAS_TAG, &dma, sizeof dma);
    add(m, RECORD_VIF_DATA, 1, 1, 0x100008, stream, sizeof stream);
    add(m, RECORD_VIF_CODE, 2, 1, 0x14000000, stream, 0);
    add(m, RECORD_VU_START, 3, 1, 0, stream, 0);
    add(m, RECORD_GIF, 4, 1, 0, value, 16);
    add(m, RECORD_VU_END, 4, 1, 4, &end, sizeof end);
    add(m, RECORD_STORE, RECORDING_NO_CAUSE, 0x10003c10, 1, value, 16);
}

static void visit(void *context, const struct vif_dis_entry *entry)
{
    *(unsigned long *)context += entry->write_count;
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000, refused = 0, listed = 0, writes = 0;
    struct mutator mutator = {UINT64_C(0x123456789abcdef)};
    static struct maker seed;
    make(&seed);
    for (unsigned long run = 0; run < runs; run++) {
        struct recording recording = {.name = "fuzz", .bytes = malloc(ROOM)};
        struct ps2_error error = {0};
        if (!recording.bytes)
            return 2;
        memcpy(recording.bytes, seed.bytes, seed.size);
        recording.size = mutate(&mutator, recording.bytes, seed.size);
        uint8_t *exact = realloc(recording.bytes, recording.size ? recording.size : 1);
        recording.bytes = exact ? exact : recording.bytes;
        if (recording_is(recording.bytes, recording.size)) {
            const struct vif_dis_options options = {.unit = run % 4 ? VIF_UNIT_1 : VIF_UNIT_0};
            enum ps2_status status = vif_dis_recording(&recording, &options, visit, &writes, &error);
            if (status != PS2_OK && (status != PS2_BAD_INPUT || !error.message[0])) {
                printf("fuzz_recording: run %lu: status %d without a message\n", run, (int)status);
                return 1;
            }
            listed += status == PS2_OK;
            refused += status != PS2_OK;
        }
        recording_free(&recording);
    }
    printf("fuzz_recording: %lu runs, %lu listed, %lu refused, %lu quadwords unpacked\n", runs, listed,
           refused, writes);
    return runs >= 1000 && (!listed || !refused || !writes); // one of them missing would test nothing
}
