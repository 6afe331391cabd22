// `ps2h gs record`: a GIF stream or dump written as a GS dump.
#include <getopt.h>
#include <stdio.h>

#include "harness/cli/gs_commands.h"
#include "harness/gs_play.h"

static const char help[] =
    "Usage: ps2h gs record FILE -o DUMP\n"
    "Writes a GS dump in PCSX2's format (state version 8): the state before, then the data of FILE.\n"
    "\n"
    "FILE is a GIF stream of quadwords or a recording (--record of `ps2h run` and `ps2h exec`), which\n"
    "starts from a GS just reset and ends with a vsync, a GS dump, whose packets are kept as they are, or a\n"
    "captured state (.p2s), which has none. The name of DUMP ends in .gs, .gs.xz or .gs.zst and says how it\n"
    "is compressed.\n"
    "\n"
    "  -o, --output DUMP   the file to write\n"
    "\n"
    "Examples:\n"
    "  ps2h gs record packets.bin -o packets.gs.zst\n"
    "  ps2h gs record frame.gs.xz -o frame.gs\n"
    "  ps2h gs record slot1.p2s -o state.gs.zst\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

static enum ps2_status copy_packets(const struct gs_dump *dump, struct gs *gs, struct gs_dump_writer *writer,
                                    struct ps2_error *error)
{
    struct gs_dump_packet packet;
    size_t at = dump->packets;
    for (;;) {
        enum ps2_status status = gs_dump_next(dump, &at, &packet, error);
        if (status != PS2_OK || packet.kind == GS_DUMP_END)
            return status;
        if (packet.kind == GS_DUMP_TRANSFER)
            gs_dump_transfer(writer, packet.path, packet.data, packet.size);
        else if (packet.kind == GS_DUMP_READ)
            gs_dump_read_fifo(writer, packet.value);
        else if (packet.kind == GS_DUMP_REGISTERS)
            gs_dump_restore_privileged(gs, packet.data);
        else
            gs_dump_vsync(writer, gs, packet.value);
    }
}

static enum ps2_status fill(const struct gs_recording *recording, struct gs *gs,
                            struct gs_dump_writer *writer, struct ps2_error *error)
{
    const struct gs_dump *dump = &recording->dump;
    const struct gs_sink sink = gs_sink(gs);
    struct gif gif;
    if (!recording->is_dump) {
        // Played once so that a stream that is none is refused; the dump holds the state before.
        gs_dump_begin(writer, gs, NULL, 0, "");
        gs_dump_transfer(writer, GIF_PATH3, dump->bytes, dump->size);
        gs_dump_vsync(writer, gs, 0);
        return gs_play(recording, &sink, &(struct gs_player){.gs = gs}, error);
    }
    gif_init(&gif, &sink, NULL);
    gs_dump_restore(dump, gs, &gif);
    gs_dump_begin(writer, gs, &gif, dump->crc, dump->serial);
    gif_free(&gif);
    return copy_packets(dump, gs, writer, error);
}

static enum ps2_status record(const char *path, const char *output, struct ps2_error *error)
{
    struct gs_recording recording;
    struct gs_dump_writer writer = {0};
    enum ps2_status status = gs_recording_open(&recording, path, error);
    struct gs *gs = gs_new(NULL);
    if (status == PS2_OK && !gs)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "not enough memory for a GS");
    if (status == PS2_OK)
        status = fill(&recording, gs, &writer, error);
    if (status == PS2_OK)
        status = gs_dump_save(&writer, output, error);
    gs_dump_writer_free(&writer);
    gs_free(gs);
    gs_recording_free(&recording);
    return status;
}

int gs_record(int argc, char **argv)
{
    static const struct option names[] = {
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *output = NULL;
    struct ps2_error error;
    int option;
    while ((option = getopt_long(argc, argv, ":o:", names, NULL)) != -1)
        switch (option) {
        case 'o':
            output = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            return PS2_OK;
        case ':':
            return cli_usage_error("gs record: %s needs a value", argv[optind - 1]);
        default:
            return cli_usage_error("gs record: there is no option %s; `ps2h gs record --help` lists them",
                                   argv[optind - 1]);
        }
    if (optind + 1 != argc || !output)
        return cli_usage_error("gs record: give one file and -o DUMP; `ps2h gs record --help` says more");
    if (!gs_dump_is_name(output))
        return cli_usage_error("gs record: the name '%s' ends neither in .gs, .gs.xz nor .gs.zst", output);
    return record(argv[optind], output, &error) == PS2_OK ? PS2_OK : cli_report(&error);
}
