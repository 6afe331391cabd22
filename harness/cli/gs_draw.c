// `ps2h gs draw`, `ps2h gs vram`: what the GS drew, or any rectangle of its memory, as a PNG.
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/gs_commands.h"
#include "harness/cli/gs_rectangle.h"
#include "harness/cli/gs_steps.h"
#include "harness/cli/parse.h"
#include "harness/cli/progress.h"
#include "harness/gs_play.h"

#define INPUT_HELP                                                                                           \
    "FILE is a GS dump (named .gs, .gs.xz or .gs.zst), a captured state (.p2s), which is shown as it is,\n"  \
    "a recording (--record of `ps2h run` and `ps2h exec`), or else a GIF stream of quadwords, both played\n" \
    "from empty memory.\n"

static const char draw_help[] =
    "Usage: ps2h gs draw FILE [OPTION]... [-o OUT.png]\n"
    "Plays FILE on the GS and writes the picture that it leaves.\n"
    "\n" INPUT_HELP "\n"
    "  -o, --output OUT.png  the picture\n"
    "  -n, --frame N         stop at the Nth vsync of a dump (0: its first state; default: at its end)\n"
    "      --show WHAT       display: the merged read circuits; frame: the buffer drawn to last, as far as\n"
    "                        its scissor reaches (default: the display when it is on, else the frame)\n"
    "  -d, --step-draws DIR  a line for each draw, primitives between two changes of the GS's registers, "
    "and\n"
    "                        a picture of its frame in DIR, which is made\n"
    "      --workers N       threads that draw (default 1); the picture is the same\n"
    "      --progress S      a line on standard error every S seconds that says how far the file has been\n"
    "                        played (default 10; 0: never)\n"
    "      --json            with --step-draws: an array of objects\n"
    "      --help            this text\n"
    "\n"
    "Instead of --show, a rectangle of local memory:\n" RECTANGLE_HELP "\n"
    "Examples:\n"
    "  ps2h gs draw frame.gs.xz -o frame.png\n"
    "  ps2h gs draw slot1.p2s -o shown.png\n"
    "  ps2h gs draw packets.bin --show frame -o frame.png --step-draws steps\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

static const char vram_help[] =
    "Usage: ps2h gs vram FILE --width N --format PSM [OPTION]... -o OUT.png\n"
    "Shows a rectangle of the GS's local memory after FILE has been played.\n"
    "\n" INPUT_HELP "\n" RECTANGLE_HELP
    "  -n, --vsyncs N        stop after N vsyncs of a dump (0: its first state)\n"
    "  -o, --output OUT.png  the file to write\n"
    "      --help            this text\n"
    "\n"
    "Examples:\n"
    "  ps2h gs vram frame.gs --base 0 --width 640 --height 448 --format PSMCT32 -o frame.png\n"
    "  ps2h gs vram frame.gs.xz --base 0x2c00 --width 128 --format PSMT8 --clut 0x2e00 -o texture.png\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

struct view {
    const char *command, *help, *path, *output, *steps_folder;
    struct rectangle_options rectangle;
    enum gs_picture_kind kind;
    uint64_t frame, frames_seen, workers;
    bool stops, json, of_memory; // of_memory: the rectangle is required
    struct gs_steps steps;
    struct progress progress;
    struct gs *gs;
};

// ---- options

static const struct option names[] = {
    RECTANGLE_LONG,
    {"frame", required_argument, NULL, 'n'},
    {"vsyncs", required_argument, NULL, 'n'},
    {"show", required_argument, NULL, 'S'},
    {"step-draws", required_argument, NULL, 'd'},
    {"workers", required_argument, NULL, 'W'},
    {"progress", required_argument, NULL, 'P'},
    {"output", required_argument, NULL, 'o'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, '?' + 1},
    {NULL, 0, NULL, 0},
};

static enum ps2_status take_show(struct view *view, const char *text, struct ps2_error *error)
{
    if (text[0] == 'd')
        view->kind = GS_PICTURE_DISPLAY;
    else
        view->kind = GS_PICTURE_FRAME;
    if (strcmp(text, "display") && strcmp(text, "frame"))
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "--show: '%s' is neither display nor frame", text);
    return PS2_OK;
}

static enum ps2_status take_progress(struct view *view, const char *text, struct ps2_error *error)
{
    uint64_t seconds;
    enum ps2_status status = parse_count(text, 3600, &seconds, error);
    if (status == PS2_OK)
        view->progress.seconds = (unsigned)seconds;
    return status;
}

static enum ps2_status take_option(struct view *view, int option, char *text, struct ps2_error *error)
{
    enum ps2_status status;
    if (rectangle_option(&view->rectangle, option, text, &status, error))
        return status;
    switch (option) {
    case 'n':
        view->stops = true;
        return parse_count(text, UINT32_MAX, &view->frame, error);
    case 'S':
        return take_show(view, text, error);
    case 'W':
        return parse_count(text, 64, &view->workers, error);
    case 'P':
        return take_progress(view, text, error);
    case 'd':
        view->steps_folder = text;
        break;
    case 'o':
        view->output = text;
        break;
    default:
        view->json = true;
        break;
    }
    return PS2_OK;
}

static int take_options(struct view *view, int argc, char **argv)
{
    struct ps2_error error;
    int option;
    while ((option = getopt_long(argc, argv, ":" RECTANGLE_SHORT "n:d:o:", names, NULL)) != -1) {
        if (option == '?' + 1) {
            fputs(view->help, stdout);
            return PS2_OK;
        }
        if (option == ':' || option == '?')
            return cli_option_error(view->command, option, argv);
        if (take_option(view, option, optarg, &error) != PS2_OK)
            return cli_report(&error);
    }
    if (optind + 1 != argc || (!view->output && !view->steps_folder))
        return cli_usage_error("%s: give one file and -o; `ps2h %s --help` says more", view->command,
                               view->command);
    view->path = view->progress.name = argv[optind];
    if ((view->of_memory || rectangle_given(&view->rectangle)) &&
        rectangle_check(&view->rectangle, &error) != PS2_OK)
        return cli_report(&error);
    return -1;
}

// ---- playing

// Ends the playing once enough vsyncs have been seen.
static bool on_packet(void *context, const struct gs_dump_packet *packet)
{
    struct view *view = context;
    if (view->stops && view->frames_seen == view->frame)
        return false;
    view->frames_seen += packet->kind == GS_DUMP_VSYNC;
    return true;
}

static void on_quadword(void *context, size_t at)
{
    struct view *view = context;
    view->steps.at = at;
    progress_show(&view->progress, at);
}

static void on_draw(void *context, struct gs *gs, const struct gs_primitive *primitive)
{
    gs_steps_draw(&((struct view *)context)->steps, gs, primitive);
}

static enum ps2_status play(struct view *view, struct ps2_error *error)
{
    struct gs_recording recording;
    struct gs_sink sink = gs_sink(view->gs);
    const struct gs_player player = {
        .context = view, .gs = view->gs, .packet = on_packet, .quadword = on_quadword};
    enum ps2_status status = PS2_OK;
    if (view->steps_folder)
        status = gs_steps_begin(&view->steps, view->gs, view->steps_folder, view->json, &sink, error);
    if (status != PS2_OK)
        return status;
    status = gs_recording_open(&recording, view->path, error);
    if (status == PS2_OK)
        status = gs_play(&recording, &sink, &player, error);
    gs_recording_free(&recording);
    if (view->steps_folder && status == PS2_OK)
        status = gs_steps_end(&view->steps, error);
    if (status == PS2_OK && view->stops && view->frames_seen < view->frame)
        return ps2_fail(error, PS2_BAD_INPUT, view->path, 0, "has only %" PRIu64 " vsyncs",
                        view->frames_seen);
    return status;
}

static enum ps2_status show(struct view *view, struct ps2_error *error)
{
    enum ps2_status status = play(view, error);
    if (status != PS2_OK || !view->output)
        return status;
    if (rectangle_given(&view->rectangle))
        return rectangle_save(&view->rectangle, view->gs, view->output, error);
    return gs_picture_save(view->gs, view->kind, view->output, error);
}

static int run_view(struct view *view, int argc, char **argv)
{
    struct ps2_error error;
    int status = take_options(view, argc, argv);
    if (status >= 0)
        return status;
    view->gs = gs_new(&(struct gs_ports){.context = view, .draw = view->steps_folder ? on_draw : NULL});
    if (!view->gs || !gs_draw_enable(view->gs, NULL) ||
        (view->workers && !gs_set_workers(view->gs, (unsigned)view->workers)))
        return cli_usage_error("%s: not enough memory for a GS", view->command);
    status = (int)show(view, &error);
    gs_free(view->gs);
    fflush(stdout);
    return status == PS2_OK ? PS2_OK : cli_report(&error);
}

int gs_draw(int argc, char **argv)
{
    struct view view = {.command = "gs draw", .help = draw_help, .progress.seconds = 10};
    return run_view(&view, argc, argv);
}

int gs_vram(int argc, char **argv)
{
    struct view view = {.command = "gs vram", .help = vram_help, .of_memory = true, .progress.seconds = 10};
    return run_view(&view, argc, argv);
}
