// Fuzz target: the reader of GS dumps. Packets in every run, headers and states in one of 256, for their
// size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gs_play.h"
#include "tests/support/mutate.h"

enum { PACKETS = 96, HEAD = 512 };

struct fuzz {
    struct mutator m;
    struct gs *gs;
    struct gs_dump_writer whole;
    unsigned long packets, refused, loaded, refused_headers;
    bool broken;
};

static bool has_reason(const struct ps2_error *error)
{
    return error->status == PS2_BAD_INPUT && error->message[0] && !strcmp(error->where, "fuzz.gs");
}

static size_t make_packets(struct gs_dump_writer *writer)
{
    static const uint64_t data[] = {0x8001 | UINT64_C(1) << 60, 0xe, 5, 1};
    gs_dump_transfer(writer, GIF_PATH1, data, sizeof data);
    gs_dump_transfer(writer, GIF_PATH3, data, sizeof data);
    gs_dump_read_fifo(writer, 7);
    return writer->size;
}

static void walk(struct fuzz *f, uint8_t *bytes, size_t size)
{
    const struct gs_dump dump = {.name = "fuzz.gs", .bytes = bytes, .size = size};
    struct gs_dump_packet packet;
    struct ps2_error error = {0};
    for (size_t at = 0, before = 0;; before = at) {
        if (gs_dump_next(&dump, &at, &packet, &error) != PS2_OK) {
            f->refused++;
            f->broken |= !has_reason(&error);
            return;
        }
        if (packet.kind == GS_DUMP_END)
            return;
        f->packets++;
        f->broken |= at <= before || at > size ||
                     (packet.size && packet.data && packet.data + packet.size > bytes + size);
    }
}

static void run_packets(struct fuzz *f, const struct gs_dump_writer *seed)
{
    uint8_t *bytes = malloc(PACKETS); // so that the sanitizer sees its end
    memcpy(bytes, seed->bytes, seed->size);
    walk(f, bytes, mutate(&f->m, bytes, seed->size));
    free(bytes);
}

static void run_whole(struct fuzz *f)
{
    uint8_t *bytes = malloc(f->whole.size);
    size_t size = f->whole.size;
    struct gs_recording recording = {.is_dump = true};
    struct ps2_error error = {0};
    const struct gs_sink sink = gs_sink(f->gs);
    memcpy(bytes, f->whole.bytes, size);
    mutate(&f->m, bytes, mutate_random(&f->m) % 2 ? HEAD : 64);
    if (mutate_random(&f->m) % 8 == 0)
        size = mutate_random(&f->m) % size;
    if (gs_dump_from_data(&recording.dump, "fuzz.gs", bytes, size, &error) == PS2_OK) {
        f->loaded++;
        error = (struct ps2_error){0};
        if (gs_play(&recording, &sink, &(struct gs_player){.gs = f->gs}, &error) != PS2_OK)
            f->broken |= !has_reason(&error);
    } else {
        f->refused_headers++;
        f->broken |= !has_reason(&error);
    }
    gs_recording_free(&recording);
}

int main(int argc, char **argv)
{
    static struct fuzz f;
    struct gs_dump_writer seed = {0};
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    f.m.state = 0x9e3779b97f4a7c15;
    f.gs = gs_new(NULL);
    if (!f.gs)
        return 2;
    gs_dump_begin(&f.whole, f.gs, NULL, 1, "SERIAL");
    make_packets(&f.whole);
    make_packets(&seed);
    for (unsigned long run = 0; run < runs && !f.broken; run++) {
        run_packets(&f, &seed);
        if (run % 256 == 0)
            run_whole(&f);
        if (f.broken)
            printf("fuzz_gs_dump: run %lu broke a promise\n", run);
    }
    printf("fuzz_gs_dump: %lu runs, %lu packets, %lu refused; %lu dumps loaded, %lu refused\n", runs,
           f.packets, f.refused, f.loaded, f.refused_headers);
    gs_dump_writer_free(&f.whole);
    gs_dump_writer_free(&seed);
    gs_free(f.gs);
    return f.broken || (runs >= 10000 && !(f.packets && f.refused && f.loaded && f.refused_headers));
}
