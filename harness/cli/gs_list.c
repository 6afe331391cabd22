// `ps2h gs list`: what a recording tells the GS, in order: registers, transfers, primitives.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/gs_commands.h"
#include "harness/cli/gs_print.h"
#include "harness/gs_play.h"

static const char help[] =
    "Usage: ps2h gs list FILE [--json]\n"
    "Runs a recording on the GS and lists registers as they are written, transfers as they begin, and\n"
    "primitives with window coordinates, colours (RRGGBBAA) and texture coordinates as they are drawn.\n"
    "PRIM, RGBAQ, ST, UV, FOG and the vertex registers appear in the primitives only.\n"
    "\n"
    "FILE is a GS dump (named .gs, .gs.xz or .gs.zst), a recording (--record of `ps2h run` and\n"
    "`ps2h exec`), or else a stream of quadwords as PATH3 gets it.\n"
    "\n"
    "  --json     print an array of objects with `at` and one of `register`, `transfer`, `draw`, `event`\n"
    "\n"
    "Examples:\n"
    "  ps2h gs list frame.gs.zst\n"
    "  ps2h gs list packet.bin --json\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

struct list {
    struct gs_listing listing;
    struct gs *gs;
    struct gs_sink to_gs;
    size_t at;
};

// ---- transfers

// One end of a transfer, as BITBLTBUF and TRXPOS describe it.
struct end {
    char format[16];
    unsigned base, width, x, y;
};

static struct end end_of(const struct gs *gs, bool source)
{
    static const struct gs_field_info psm[] = {{"DPSM", GS_BITBLTBUF_DPSM, GS_FORMAT},
                                               {"SPSM", GS_BITBLTBUF_SPSM, GS_FORMAT}};
    uint64_t blt = gs_get(gs, GS_BITBLTBUF), pos = gs_get(gs, GS_TRXPOS);
    struct end end = {
        .base = (unsigned)gs_field(blt, source ? GS_BITBLTBUF_SBP : GS_BITBLTBUF_DBP),
        .width = (unsigned)gs_field(blt, source ? GS_BITBLTBUF_SBW : GS_BITBLTBUF_DBW),
        .x = (unsigned)gs_field(pos, source ? GS_TRXPOS_SSAX : GS_TRXPOS_DSAX),
        .y = (unsigned)gs_field(pos, source ? GS_TRXPOS_SSAY : GS_TRXPOS_DSAY),
    };
    gs_field_text(&psm[source], blt, end.format, sizeof end.format);
    return end;
}

static json_t *end_json(const struct gs *gs, bool source)
{
    struct end end = end_of(gs, source);
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "format", end.format, "base", (int)end.base, "width",
                     (int)end.width, "x", (int)end.x, "y", (int)end.y);
}

static void print_end(const struct gs *gs, bool source)
{
    struct end end = end_of(gs, source);
    printf(" %s %s 0x%04x width %u at %u, %u", source ? "from" : "to", end.format, end.base, end.width, end.x,
           end.y);
}

static void list_transfer(struct list *list, uint64_t trxdir)
{
    static const char *const kinds[] = {"upload", "download", "copy", "off"};
    unsigned xdir = (unsigned)gs_field(trxdir, GS_TRXDIR_XDIR);
    uint64_t size = gs_get(list->gs, GS_TRXREG);
    unsigned width = (unsigned)gs_field(size, GS_TRXREG_RRW),
             height = (unsigned)gs_field(size, GS_TRXREG_RRH);
    bool from = xdir == 1 || xdir == 2, to = xdir == 0 || xdir == 2;
    if (list->listing.json) {
        json_t *transfer =
            json_pack("{s:s, s:i, s:i}", "kind", kinds[xdir], "width", (int)width, "height", (int)height);
        if (from)
            json_object_set_new(transfer, "from", end_json(list->gs, true));
        if (to)
            json_object_set_new(transfer, "to", end_json(list->gs, false));
        gs_listing_item(&list->listing,
                        json_pack("{s:I, s:o}", "at", (json_int_t)list->at, "transfer", transfer));
        return;
    }
    printf("%08zx %s", list->at, xdir == 3 ? "transfer off" : kinds[xdir]);
    if (xdir != 3)
        printf(" %ux%u", width, height);
    if (from)
        print_end(list->gs, true);
    if (to)
        print_end(list->gs, false);
    putchar('\n');
}

// ---- primitives

static double window(const struct gs *gs, unsigned context, uint16_t place, enum gs_field offset)
{
    return ((double)place - (double)gs_field(gs_get(gs, GS_XYOFFSET_1 + context), offset)) / 16;
}

static uint32_t colour(uint64_t rgbaq)
{
    return (uint32_t)(gs_field(rgbaq, GS_RGBAQ_R) << 24 | gs_field(rgbaq, GS_RGBAQ_G) << 16 |
                      gs_field(rgbaq, GS_RGBAQ_B) << 8 | gs_field(rgbaq, GS_RGBAQ_A));
}

// The fields that a primitive's attributes make matter, under the names of their registers.
static json_t *vertex_json(const struct gs *gs, uint16_t prim, const struct gs_vertex *v)
{
    unsigned context = (unsigned)gs_field(prim, GS_PRIM_CTXT);
    json_t *vertex = json_pack("{s:f, s:f, s:I, s:o}", "x", window(gs, context, v->x, GS_XYOFFSET_OFX), "y",
                               window(gs, context, v->y, GS_XYOFFSET_OFY), "z", (json_int_t)v->z, "rgba",
                               json_sprintf("%08" PRIx32, colour(v->rgbaq)));
    if (gs_field(prim, GS_PRIM_TME) && gs_field(prim, GS_PRIM_FST)) {
        json_object_update_new(vertex, gs_fields_json(gs_register_info(GS_UV), v->uv));
    } else if (gs_field(prim, GS_PRIM_TME)) {
        json_t *rgbaq = gs_fields_json(gs_register_info(GS_RGBAQ), v->rgbaq);
        json_object_update_new(vertex, gs_fields_json(gs_register_info(GS_ST), v->st));
        json_object_set(vertex, "Q", json_object_get(rgbaq, "Q"));
        json_decref(rgbaq);
    }
    if (gs_field(prim, GS_PRIM_FGE))
        json_object_set_new(vertex, "f", json_integer(v->f));
    return vertex;
}

static void print_vertex(const struct gs *gs, uint16_t prim, const struct gs_vertex *v)
{
    static const struct gs_field_info q = {"Q", GS_RGBAQ_Q, GS_FLOAT};
    unsigned context = (unsigned)gs_field(prim, GS_PRIM_CTXT);
    char text[GS_TEXT_SIZE], q_text[32];
    printf("           %g, %g z=0x%" PRIx32 " rgba=%08" PRIx32, window(gs, context, v->x, GS_XYOFFSET_OFX),
           window(gs, context, v->y, GS_XYOFFSET_OFY), v->z, colour(v->rgbaq));
    if (gs_field(prim, GS_PRIM_TME) && gs_field(prim, GS_PRIM_FST))
        printf(" %s", gs_register_text(GS_UV, v->uv, text, sizeof text) + 3);
    else if (gs_field(prim, GS_PRIM_TME))
        printf(" %s Q=%s", gs_register_text(GS_ST, v->st, text, sizeof text) + 3,
               gs_field_text(&q, v->rgbaq, q_text, sizeof q_text));
    if (gs_field(prim, GS_PRIM_FGE))
        printf(" f=%u", v->f);
    putchar('\n');
}

static void on_draw(void *context, struct gs *gs, const struct gs_primitive *primitive)
{
    struct list *list = context;
    char text[GS_TEXT_SIZE];
    if (!list->listing.json) {
        printf("%08zx draw %s\n", list->at,
               gs_register_text(GS_PRIM, primitive->prim, text, sizeof text) + 5);
        for (unsigned n = 0; n < primitive->count; n++)
            print_vertex(gs, primitive->prim, &primitive->vertex[n]);
        return;
    }
    json_t *vertices = json_array();
    for (unsigned n = 0; n < primitive->count; n++)
        json_array_append_new(vertices, vertex_json(gs, primitive->prim, &primitive->vertex[n]));
    json_t *draw = gs_fields_json(gs_register_info(GS_PRIM), primitive->prim);
    json_object_set_new(draw, "vertices", vertices);
    gs_listing_item(&list->listing, json_pack("{s:I, s:o}", "at", (json_int_t)list->at, "draw", draw));
}

// ---- registers and the rest

static bool shown_in_primitives(unsigned number)
{
    return number <= GS_XYZ2 || (number >= GS_FOG && number <= GS_XYZ3);
}

static void list_register(struct list *list, uint8_t number, uint64_t value)
{
    char text[GS_TEXT_SIZE], name[8];
    if (list->listing.json)
        gs_listing_item(&list->listing,
                        json_pack("{s:I, s:s, s:o, s:o}", "at", (json_int_t)list->at, "register",
                                  gs_number_name(number, name), "value", json_sprintf("0x%016" PRIx64, value),
                                  "fields", gs_fields_json(gs_register_info(number), value)));
    else
        printf("%08zx %s\n", list->at, gs_register_text(number, value, text, sizeof text));
}

static bool on_write(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    struct list *list = context;
    if (number == GS_TRXDIR)
        list_transfer(list, value);
    else if (number != GS_HWREG && !shown_in_primitives(number))
        list_register(list, number, value);
    return list->to_gs.write(list->to_gs.context, path, number, value);
}

static void on_image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    struct list *list = context;
    list->to_gs.image(list->to_gs.context, path, values, count);
}

static void on_quadword(void *context, size_t at)
{
    ((struct list *)context)->at = at;
}

static bool on_packet(void *context, const struct gs_dump_packet *packet)
{
    struct list *list = context;
    const char *event = packet->kind == GS_DUMP_VSYNC ? "vsync, field" : "read by the host, quadwords";
    if (packet->kind != GS_DUMP_VSYNC && packet->kind != GS_DUMP_READ)
        return true;
    if (list->listing.json)
        gs_listing_item(&list->listing, json_pack("{s:I, s:s, s:I}", "at", (json_int_t)packet->at, "event",
                                                  event, "value", (json_int_t)packet->value));
    else
        printf("%08zx %s %" PRIu32 "\n", packet->at, event, packet->value);
    return true;
}

static enum ps2_status run_list(struct list *list, const char *path, struct ps2_error *error)
{
    struct gs_recording recording;
    const struct gs_sink sink = {.context = list, .write = on_write, .image = on_image};
    enum ps2_status status = gs_recording_open(&recording, path, error);
    list->gs = gs_new(&(struct gs_ports){.context = list, .draw = on_draw});
    if (status == PS2_OK && !list->gs)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "not enough memory for a GS");
    if (status == PS2_OK) {
        const struct gs_player player = {
            .context = list, .gs = list->gs, .quadword = on_quadword, .packet = on_packet};
        list->to_gs = gs_sink(list->gs);
        status = gs_play(&recording, &sink, &player, error);
        gs_listing_end(&list->listing);
    }
    gs_free(list->gs);
    gs_recording_free(&recording);
    return status;
}

int gs_list(int argc, char **argv)
{
    struct list list = {0};
    struct ps2_error error;
    const char *path;
    int status = gs_take_listing_options(argc, argv, "gs list", help, &list.listing, &path);
    if (status >= 0)
        return status;
    status = (int)run_list(&list, path, &error);
    fflush(stdout);
    return status == PS2_OK ? PS2_OK : cli_report(&error);
}
