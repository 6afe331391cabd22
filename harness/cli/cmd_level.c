// `ps2h level`: finds the subcommand.
#include "harness/cli/levels.h"

#include <string.h>

static const struct cli_command commands[] = {
    {"info", "what a level holds, by name, offset and size", level_info},
    {"check", "every invariant with its count beside its control", level_check},
    {"unpack", "a level container into a folder", level_unpack},
    {"pack", "a folder into a level container", level_pack},
    {"texture", "one texture as a PNG", level_texture},
    {"mesh", "the terrain as a glTF 2.0 binary", level_mesh},
    {"light", "the colours of the light pass, and how many vertices it shaded", level_light},
    {NULL, NULL, NULL},
};

static void help(FILE *out)
{
    fputs("Usage: ps2h level COMMAND [OPTION]... LEVEL...\n"
          "Reads the data of a level: terrain, textures, lights.\n"
          "A LEVEL is a LEVEL<n>.WAD, a folder of its unpacked files, or a folder of levels.\n\nCommands:\n",
          out);
    for (const struct cli_command *c = commands; c->name; c++)
        fprintf(out, "  %-9s %s\n", c->name, c->summary);
    fputs("\nExamples:\n"
          "  ps2h level check LEVEL0.WAD\n"
          "  ps2h level check --jobs 4 disc/\n"
          "  ps2h level mesh LEVEL0.WAD -o level0.glb\n\n"
          "`ps2h level COMMAND --help` describes one command.\n",
          out);
}

int cmd_level(int argc, char **argv)
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
    return cli_usage_error("level: there is no command '%s'; `ps2h level --help` lists them", argv[1]);
}
