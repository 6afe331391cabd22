// `ps2h gs`: finds the subcommand.
#include "harness/cli/gs_commands.h"

static const struct cli_command commands[] = {
    {"list", "registers, transfers and primitives in order", gs_list},
    {"draw", "the picture that was drawn, or one for each draw", gs_draw},
    {"vram", "a buffer or texture of local memory as a PNG", gs_vram},
    {"record", "a GIF stream or dump written as a GS dump", gs_record},
    {NULL, NULL, NULL},
};

int cmd_gs(int argc, char **argv)
{
    static const struct cli_group group = {
        .name = "ps2h gs",
        .usage =
            "Usage: ps2h gs COMMAND FILE [OPTION]...\n"
            "Looks into what the Graphics Synthesizer gets and holds.\n"
            "A FILE is a GS dump (named .gs, .gs.xz or .gs.zst), a captured state (.p2s), a recording of a\n"
            "run, or else a GIF stream of quadwords.\n",
        .commands = commands,
        .examples =
            "  ps2h gs list frame.gs.xz\n"
            "  ps2h gs draw frame.gs.xz -o frame.png\n"
            "  ps2h gs draw slot1.p2s -o shown.png\n"
            "  ps2h gs vram frame.gs --base 0 --width 640 --height 448 --format PSMCT32 -o frame.png\n"
            "  ps2h gs record packets.bin -o packets.gs.zst\n",
    };
    return cli_run_group(&group, argc, argv);
}
