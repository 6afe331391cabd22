// `ps2h gif list`: the packets of a GIF stream or GS dump, decoded register by register.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/gs_print.h"
#include "harness/gs_play.h"

static const char help[] =
    "Usage: ps2h gif list FILE [--json]\n"
    "Lists GIF packets: tags, registers with their fields, vertices, image data.\n"
    "\n"
    "FILE is a GS dump (named .gs, .gs.xz or .gs.zst), a recording (`ps2h exec --record`), or else a stream "
    "of\n"
    "quadwords as PATH3 gets it. Each line begins with the offset in the (uncompressed) file; of a "
    "recording, in "
    "the\n"
    "dump that `ps2h gs record` makes of it.\n"
    "\n"
    "  --json     print an array: tags as {at, path, tag}, registers as {at, path, register, value, "
    "fields},\n"
    "             image data as {at, path, image}: how many 64-bit values\n"
    "\n"
    "Examples:\n"
    "  ps2h gif list packet.bin\n"
    "  ps2h gif list frame.gs.xz --json\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input, such as a stream that ends inside a packet.\n";

struct list {
    struct gs_listing listing;
    size_t at;
    // Image data, gathered over the quadwords of a packet
    size_t image_at, image_count;
    enum gif_path image_path;
};

static void end_image(struct list *list)
{
    if (!list->image_count)
        return;
    if (list->listing.json)
        gs_listing_item(&list->listing,
                        json_pack("{s:I, s:i, s:I}", "at", (json_int_t)list->image_at, "path",
                                  (int)list->image_path + 1, "image", (json_int_t)list->image_count));
    else
        printf("%08zx   %zu quadwords of image data\n", list->image_at, list->image_count / 2);
    list->image_count = 0;
}

static const char *const formats[] = {"PACKED", "REGLIST", "IMAGE"};

static const char *descriptor_name(const struct gif_tag *tag, unsigned n)
{
    static const char *const names[] = {"PRIM",   "RGBAQ",  "ST",      "UV",      "XYZF2", "XYZ2",
                                        "TEX0_1", "TEX0_2", "CLAMP_1", "CLAMP_2", "FOG",   "-",
                                        "XYZF3",  "XYZ3",   "A+D",     "NOP"};
    return names[tag->regs >> 4 * n & 15];
}

static json_t *tag_json(const struct gif_tag *tag)
{
    json_t *regs = json_array();
    for (unsigned n = 0; n < tag->nreg && tag->format != GIF_IMAGE; n++)
        json_array_append_new(regs, json_string(descriptor_name(tag, n)));
    return json_pack("{s:i, s:b, s:b, s:i, s:s, s:o}", "NLOOP", tag->nloop, "EOP", tag->eop, "PRE", tag->pre,
                     "PRIM", tag->prim, "FLG", formats[tag->format], "REGS", regs);
}

static void print_tag(const struct list *list, enum gif_path path, const struct gif_tag *tag)
{
    printf("%08zx PATH%d %s NLOOP=%u%s", list->at, path + 1, formats[tag->format], tag->nloop,
           tag->eop ? " EOP" : "");
    if (tag->pre)
        printf(" PRE");
    for (unsigned n = 0; n < tag->nreg && tag->format != GIF_IMAGE; n++)
        printf("%s%s", n ? " " : " REGS=", descriptor_name(tag, n));
    putchar('\n');
}

static void on_tag(void *context, enum gif_path path, const uint64_t quadword[2])
{
    struct list *list = context;
    struct gif_tag tag = gif_tag(quadword);
    end_image(list);
    if (list->listing.json)
        gs_listing_item(&list->listing, json_pack("{s:I, s:i, s:o}", "at", (json_int_t)list->at, "path",
                                                  path + 1, "tag", tag_json(&tag)));
    else
        print_tag(list, path, &tag);
}

static bool on_write(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    struct list *list = context;
    char text[GS_TEXT_SIZE], name[8];
    end_image(list);
    if (list->listing.json)
        gs_listing_item(&list->listing, json_pack("{s:I, s:i, s:s, s:o, s:o}", "at", (json_int_t)list->at,
                                                  "path", path + 1, "register", gs_number_name(number, name),
                                                  "value", json_sprintf("0x%016" PRIx64, value), "fields",
                                                  gs_fields_json(gs_register_info(number), value)));
    else
        printf("%08zx   %s\n", list->at, gs_register_text(number, value, text, sizeof text));
    return true;
}

static void on_image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    struct list *list = context;
    (void)values;
    if (!list->image_count || list->image_path != path) {
        end_image(list);
        list->image_at = list->at;
        list->image_path = path;
    }
    list->image_count += count;
}

static void on_quadword(void *context, size_t at)
{
    ((struct list *)context)->at = at;
}

static enum ps2_status list_packets(struct list *list, const char *path, struct ps2_error *error)
{
    struct gs_recording recording;
    const struct gs_sink sink = {.context = list, .tag = on_tag, .write = on_write, .image = on_image};
    const struct gs_player player = {.context = list, .quadword = on_quadword};
    enum ps2_status status = gs_recording_open(&recording, path, error);
    if (status == PS2_OK) {
        status = gs_play(&recording, &sink, &player, error);
        end_image(list);
        gs_listing_end(&list->listing);
    }
    gs_recording_free(&recording);
    return status;
}

static int gif_list(int argc, char **argv)
{
    struct list list = {0};
    struct ps2_error error;
    const char *path;
    int status = gs_take_listing_options(argc, argv, "gif list", help, &list.listing, &path);
    if (status >= 0)
        return status;
    status = (int)list_packets(&list, path, &error);
    fflush(stdout);
    return status == PS2_OK ? PS2_OK : cli_report(&error);
}

int cmd_gif(int argc, char **argv)
{
    static const struct cli_command commands[] = {
        {"list", "tags, registers, vertices and image data in order", gif_list},
        {NULL, NULL, NULL},
    };
    static const struct cli_group group = {
        .name = "ps2h gif",
        .usage = "Usage: ps2h gif COMMAND FILE [OPTION]...\nGIF packets.\n",
        .commands = commands,
        .examples = "  ps2h gif list packet.bin\n",
    };
    return cli_run_group(&group, argc, argv);
}
