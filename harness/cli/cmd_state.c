// `ps2h state`: finds the subcommand.
#include "harness/cli/state_commands.h"

static const struct cli_command commands[] = {
    {"info", "what a captured state holds, lacks, and was doing", state_info},
    {"extract", "a memory or an entry of one, as a file", state_extract},
    {"diff", "what differs between two", state_diff},
    {"locate", "where the extents of a level lie in one", state_locate},
    {"poke", "one with other bytes, as a new file", state_poke},
    {"save", "a machine made of files, as a state file", state_save},
    {NULL, NULL, NULL},
};

int cmd_state(int argc, char **argv)
{
    static const struct cli_group group = {
        .name = "ps2h state",
        .usage =
            "Usage: ps2h state COMMAND ...\n"
            "Looks into captured states and makes them.\n"
            "A STATE is a save state of PCSX2 (.p2s), a file of `ps2h state save`, or a GS dump (named .gs,\n"
            ".gs.xz or .gs.zst), of which the initial state counts.\n",
        .commands = commands,
        .examples = "  ps2h state info slot1.p2s\n"
                    "  ps2h state extract slot1.p2s ee-ram -o ee_ram.bin\n"
                    "  ps2h state diff slot1.p2s slot2.p2s\n"
                    "  ps2h state poke slot1.p2s 0x00123450=01000000 -o slot3.p2s\n",
    };
    return cli_run_group(&group, argc, argv);
}
