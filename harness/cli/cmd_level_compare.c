// `ps2h level compare`: what the game wrote into a loaded level, beside what the host decoder makes of the
// disc.
#include "harness/cli/json_text.h"
#include "harness/cli/level_memory.h"
#include "harness/cli/memory_source.h"

#include <unistd.h>

static const char help[] =
    "Usage: ps2h level compare LEVEL --state STATE|--memory FILE [OPTION]...\n"
    "Finds the terrain of a level in captured memory by its light records, which a load leaves as they "
    "are, and\n"
    "compares every colour byte that the game has written there with the light pass of the host "
    "decoder, in PS2\n"
    "arithmetic. Differences are counted by size.\n\n"
    "  -s, --state STATE   a captured state: a save state of PCSX2, or one of `ps2h state save`\n"
    "  -m, --memory FILE   an image of EE memory from address 0\n"
    "      --json          an object\n"
    "      --help          this text\n\n"
    "Examples:\n"
    "  ps2h level compare LEVEL0.WAD --state slot1.p2s\n"
    "  ps2h level compare level0 --memory ee_ram.bin --json\n\n"
    "Exit status: 0 equal, 1 a byte differs, 2 usage, a level or a memory that cannot be used.\n";

static enum ps2_status compare(const char *path, void *context, FILE *out, json_t **json,
                               struct ps2_error *error)
{
    struct memory_source *memory = context;
    struct fmt_level level;
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    enum ps2_status status = fmt_level_open(path, &level, error);
    if (status)
        return status;
    status = fmt_level_lights(&level, &bank, &table, error);
    if (!status && json)
        *json = json_pack("{s:o}", "level", json_text(path));
    if (!status)
        status = memory_source_open(memory, error);
    if (!status)
        status = level_memory_compare(&level, &bank, &table, memory->span, out, json ? *json : NULL, error);
    memory_source_close(memory);
    fmt_level_close(&level);
    return status;
}

int level_compare(int argc, char **argv)
{
    struct memory_source memory = {0};
    struct level_options o = {NULL, 0, 1, false};
    int status = memory_source_options(argc, argv, "level compare", help, &memory, &o.json);
    if (status >= 0)
        return status;
    size_t found;
    o.paths = argv + optind;
    o.path_count = argc - optind;
    levels_free(levels_expand(o.paths, o.path_count, &found));
    if (found != 1)
        return cli_usage_error("level compare: give one level; see `ps2h level compare --help`");
    return levels_run(&o, compare, &memory);
}
