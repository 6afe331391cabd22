// Playing recorded GIF data.
#include "harness/gs_play.h"

#include <string.h>

#include "harness/file.h"
#include "harness/machine.h"
#include "harness/recording.h"

static enum ps2_status copy_data(const struct recording *recording, struct gs_dump_writer *writer,
                                 struct ps2_error *error)
{
    struct record record;
    size_t at = 0;
    uint32_t count = 0;
    for (bool end = false;;) {
        enum ps2_status status = recording_next(recording, &at, &count, &record, &end, error);
        if (status != PS2_OK || end)
            return status;
        if (record.header.kind == RECORD_GIF)
            gs_dump_transfer(writer, (enum gif_path)(record.header.a - 1), record.data, record.header.size);
    }
}

// The GIF data of a recording as the dump of a GS that starts from reset.
static enum ps2_status dump_recording(struct gs_recording *out, struct ps2_error *error)
{
    struct recording recording = {out->dump.name, out->dump.bytes, out->dump.size};
    struct gs_dump_writer writer = {0};
    struct gs *gs = gs_new(NULL);
    const char *name = out->dump.name;
    out->dump = (struct gs_dump){.name = name};
    out->is_dump = true;
    enum ps2_status status =
        gs ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, name, 0, "not enough memory for a GS");
    if (status == PS2_OK) {
        gs_dump_begin(&writer, gs, NULL, 0, "");
        status = copy_data(&recording, &writer, error);
    }
    if (status == PS2_OK)
        gs_dump_vsync(&writer, gs, 0);
    if (status == PS2_OK && writer.failed)
        status = ps2_fail(error, PS2_BAD_INPUT, name, 0, "not enough memory");
    if (status == PS2_OK)
        status = gs_dump_from_data(&out->dump, name, writer.bytes, writer.size, error);
    else
        gs_dump_writer_free(&writer);
    gs_free(gs);
    recording_free(&recording);
    return status;
}

// ---- captured states

// What a GS and GIF hold as a dump without packets, named as `out` is.
static enum ps2_status dump_machine(struct gs_recording *out, struct ps2 *ps2, uint32_t crc,
                                    struct ps2_error *error)
{
    struct gs_dump_writer writer = {0};
    gs_dump_begin(&writer, ps2->hardware.gs, &ps2->hardware.gif, crc, "");
    if (!writer.failed)
        return gs_dump_from_data(&out->dump, out->dump.name, writer.bytes, writer.size, error);
    gs_dump_writer_free(&writer);
    return ps2_fail(error, PS2_BAD_INPUT, out->dump.name, 0, "not enough memory");
}

static enum ps2_status open_state(struct gs_recording *out, struct ps2_error *error)
{
    struct ps2 *ps2;
    struct ps2_state_info info;
    const char *name = out->dump.name;
    out->is_dump = true;
    enum ps2_status status =
        ps2_new_from_state(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, name, &ps2, &info, error);
    if (status == PS2_OK && info.missing[PS2_PART_GS])
        status = ps2_fail(error, PS2_BAD_INPUT, name, 0, "holds no GS: %s", info.missing[PS2_PART_GS]);
    if (status == PS2_OK)
        status = dump_machine(out, ps2, info.crc, error);
    ps2_free(ps2);
    return status;
}

// A ZIP file begins so; a GIFtag has zeros there, in its reserved bits.
static bool is_zip(const uint8_t *bytes, size_t size)
{
    return size > 4 && !memcmp(bytes, "PK\3\4", 4);
}

enum ps2_status gs_recording_open(struct gs_recording *recording, const char *path, struct ps2_error *error)
{
    *recording = (struct gs_recording){.is_dump = gs_dump_is_name(path), .dump.name = path};
    if (recording->is_dump)
        return gs_dump_open(&recording->dump, path, error);
    enum ps2_status status =
        file_read(path, FILE_LIMIT, &recording->dump.bytes, &recording->dump.size, error);
    if (status == PS2_OK && is_zip(recording->dump.bytes, recording->dump.size)) {
        gs_dump_free(&recording->dump);
        recording->dump = (struct gs_dump){.name = path};
        return open_state(recording, error);
    }
    if (status == PS2_OK && recording_is(recording->dump.bytes, recording->dump.size))
        return dump_recording(recording, error);
    if (status == PS2_OK && recording->dump.size % 16)
        return ps2_fail(error, PS2_BAD_INPUT, path, recording->dump.size,
                        "does not end with a whole quadword");
    return status;
}

void gs_recording_free(struct gs_recording *recording)
{
    gs_dump_free(&recording->dump);
}

// A second SIGNAL would wait for an EE that is not there.
static void let_go(struct gif *gif, struct gs *gs)
{
    const uint64_t clear[2] = {gs_field_mask(GS_CSR_SIGNAL), 0};
    if (gs)
        gs_write_privileged(gs, GS_BASE + GS_CSR, 8, clear);
    gif_resume(gif);
}

static void play_data(struct gif *gif, const struct gs_player *player, const struct gs_dump_packet *packet,
                      size_t at)
{
    for (size_t n = 0; n < packet->size; n += 16) {
        uint64_t quadword[2];
        memcpy(quadword, packet->data + n, sizeof quadword);
        if (player->quadword)
            player->quadword(player->context, at + n);
        gif_write(gif, packet->path, quadword, 1);
        if (gif->stalled)
            let_go(gif, player->gs);
    }
}

static void play_packet(struct gif *gif, const struct gs_player *player, const struct gs_dump *dump,
                        const struct gs_dump_packet *packet)
{
    if (packet->kind == GS_DUMP_TRANSFER)
        play_data(gif, player, packet, (size_t)(packet->data - dump->bytes));
    else if (player->gs && packet->kind == GS_DUMP_REGISTERS)
        gs_dump_restore_privileged(player->gs, packet->data);
    else if (player->gs && packet->kind == GS_DUMP_VSYNC)
        gs_vsync(player->gs);
}

static enum ps2_status play_dump(const struct gs_dump *dump, struct gif *gif, const struct gs_player *player,
                                 struct ps2_error *error)
{
    struct gs_dump_packet packet;
    size_t at = dump->packets;
    for (;;) {
        enum ps2_status status = gs_dump_next(dump, &at, &packet, error);
        if (status != PS2_OK || packet.kind == GS_DUMP_END)
            return status;
        if (player->packet && !player->packet(player->context, &packet))
            return PS2_OK;
        play_packet(gif, player, dump, &packet);
    }
}

static enum ps2_status play_stream(const struct gs_dump *stream, struct gif *gif,
                                   const struct gs_player *player, struct ps2_error *error)
{
    const struct gif_channel *channel = &gif->path[GIF_PATH3];
    struct gs_dump_packet packet = {
        .kind = GS_DUMP_TRANSFER, .path = GIF_PATH3, .data = stream->bytes, .size = stream->size};
    play_data(gif, player, &packet, 0);
    if (channel->left)
        return ps2_fail(error, PS2_BAD_INPUT, stream->name, stream->size, "ends %u %s before its packet does",
                        channel->left, channel->tag.format == GIF_REGLIST ? "values" : "quadwords");
    if (channel->open)
        return ps2_fail(error, PS2_BAD_INPUT, stream->name, stream->size, "ends without an EOP tag");
    return PS2_OK;
}

enum ps2_status gs_play(const struct gs_recording *recording, const struct gs_sink *sink,
                        const struct gs_player *player, struct ps2_error *error)
{
    struct gif gif;
    enum ps2_status status;
    gif_init(&gif, sink, NULL);
    gif.recorded = true;
    if (recording->is_dump) {
        gs_dump_restore(&recording->dump, player->gs, &gif);
        status = play_dump(&recording->dump, &gif, player, error);
    } else {
        status = play_stream(&recording->dump, &gif, player, error);
    }
    gif_free(&gif);
    return status;
}
