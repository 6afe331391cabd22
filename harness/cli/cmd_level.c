// `ps2h level`: finds the subcommand.
#include "harness/cli/levels.h"

static const struct cli_command commands[] = {
    {"info", "what a level holds, by name, offset and size", level_info},
    {"check", "every invariant with its count beside its control", level_check},
    {"unpack", "a level container into a folder", level_unpack},
    {"pack", "a folder into a level container", level_pack},
    {"texture", "one texture as a PNG", level_texture},
    {"mesh", "the terrain as a glTF 2.0 binary", level_mesh},
    {"view", "a picture of the terrain as a PNG", level_view},
    {"light", "the colours of the light pass, and how many vertices it shaded", level_light},
    {"locate", "where its extents lie in captured memory, and what changed there", level_locate},
    {"compare", "what the game wrote into captured memory, beside the host decoder", level_compare},
    {NULL, NULL, NULL},
};

int cmd_level(int argc, char **argv)
{
    static const struct cli_group group = {
        .name = "ps2h level",
        .usage = "Usage: ps2h level COMMAND [OPTION]... LEVEL...\n"
                 "Reads the data of a level: terrain, textures, lights.\n"
                 "A LEVEL is a LEVEL<n>.WAD, a folder of its unpacked files, or a folder of levels.\n",
        .commands = commands,
        .examples = "  ps2h level check LEVEL0.WAD\n"
                    "  ps2h level check --jobs 4 disc/\n"
                    "  ps2h level mesh LEVEL0.WAD -o level0.glb\n"
                    "  ps2h level view LEVEL0.WAD -o level0.png\n",
    };
    return cli_run_group(&group, argc, argv);
}
