// `ps2h gs`: finds the subcommand.
#include "harness/cli/gs_commands.h"

#include <stdio.h>
#include <string.h>

static const struct cli_command commands[] = {
    {"list", "registers, transfers and primitives in order", gs_list},
    {"vram", "a buffer or texture of local memory as a PNG", gs_vram},
    {"record", "a GIF stream or dump written as a GS dump", gs_record},
    {NULL, NULL, NULL},
};

static void help(FILE *out)
{
    fputs("Usage: ps2h gs COMMAND FILE [OPTION]...\n"
          "Looks into what the Graphics Synthesizer gets and holds.\n"
          "A FILE is a GS dump (named .gs, .gs.xz or .gs.zst), or else a GIF stream of "
          "quadwords.\n\nCommands:\n",
          out);
    for (const struct cli_command *c = commands; c->name; c++)
        fprintf(out, "  %-7s %s\n", c->name, c->summary);
    fputs("\nExamples:\n"
          "  ps2h gs list frame.gs.xz\n"
          "  ps2h gs vram frame.gs --base 0 --width 640 --height 448 --format PSMCT32 -o frame.png\n"
          "  ps2h gs record packets.bin -o packets.gs.zst\n\n"
          "`ps2h gs COMMAND --help` describes one command.\n",
          out);
}

int cmd_gs(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return PS2_BAD_INPUT;
    }
    if (!strcmp(argv[1], "--help")) {
        help(stdout);
        return PS2_OK;
    }
    for (const struct cli_command *c = commands; c->name; c++)
        if (!strcmp(argv[1], c->name))
            return c->run(argc - 1, argv + 1);
    return cli_usage_error("gs: there is no command '%s'; `ps2h gs --help` lists them", argv[1]);
}
