// `ps2h fixture`: builds synthetic game data to test decoders and the harness with.
#include "fixtures/fixture.h"
#include "harness/cli/cli.h"
#include "harness/cli/parse.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PATCHES = 24, DEFAULT_LEVEL = 21 };

#define STACK 0x01fff000u // below the end of RAM, where the console's programs have theirs

static void print_help(void)
{
    puts("Usage: ps2h fixture level DIR [OPTION]...\n"
         "Builds a complete synthetic level in DIR: the container LEVEL<n>.WAD, the files an\n"
         "extractor makes of it, and truth.json, which says what is in them.\n"
         "The same options give the same bytes everywhere.\n\n"
         "  --seed N      seed number (default 1)\n"
         "  --patches N   terrain patches, 12 to 4096 (default 24; a retail level has 833)\n"
         "  --level N     file number, 0 to 26 (default 21, which holds id 30)\n"
         "  --plant NAME  build in a deliberate fault; `--plant list` describes all of them\n"
         "  --memory      write ee_ram.bin too: the console's memory after the level load; and\n"
         "                views.bin: ten views to draw it from\n"
         "  --state       write level.state too: the same as a captured state, the EE waiting at the "
         "overlay's entry\n"
         "  --json        print the file sizes as JSON\n"
         "  --help        print this text\n\n"
         "Examples:\n"
         "  ps2h fixture level small\n"
         "  ps2h fixture level retail --patches 833 --seed 7\n"
         "  ps2h fixture level broken --plant tri-count\n"
         "\n"
         "Exit status: 0 fine, 2 usage or bad input.");
}

static int list_plants(void)
{
    size_t count;
    const struct fixture_plant *plants = fixture_plants(&count);
    for (size_t i = 0; i < count; i++)
        printf("%-20s %s\n", plants[i].name, plants[i].summary);
    return PS2_OK;
}

static int print_files(const struct fixture_level *level, bool json)
{
    size_t count;
    const struct fixture_file *files = fixture_level_files(level, &count);
    json_t *sizes = json_object();
    for (size_t i = 0; i < count; i++) {
        json_object_set_new(sizes, files[i].name, json_integer((json_int_t)files[i].size));
        if (!json)
            printf("%-16s %10zu\n", files[i].name, files[i].size);
    }
    if (json && !json_dumpf(sizes, stdout, JSON_INDENT(2)))
        putchar('\n');
    json_decref(sizes);
    return PS2_OK;
}

// The overlay's first record ends with its entry point.
static uint32_t entry_of(const struct fixture_level *level)
{
    const struct fixture_file *overlay = fixture_level_file(level, "overlay.bin");
    uint32_t entry;
    memcpy(&entry, (const uint8_t *)overlay->data + 12, sizeof entry);
    return entry;
}

static enum ps2_status save_state(const struct fixture_level *level, const char *directory,
                                  struct ps2_error *error)
{
    const struct fixture_file *memory = fixture_level_file(level, "ee_ram.bin");
    struct ps2 *ps2;
    char *path;
    if (asprintf(&path, "%s/level.state", directory) < 0)
        return ps2_fail(error, PS2_BAD_INPUT, directory, 0, "out of memory");
    enum ps2_status status = ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &ps2, error);
    if (!status)
        status = ps2_write(ps2, 0, memory->data, memory->size, error);
    if (!status) {
        ee_set_pc(ps2_ee(ps2), entry_of(level));
        *ee_gpr(ps2_ee(ps2), EE_SP) = (union ee_reg){.d = {STACK, 0}};
        status = ps2_save_state(ps2, path, error);
    }
    ps2_free(ps2);
    free(path);
    return status;
}

static int build_level(const struct fixture_options *options, const char *directory, bool state, bool json)
{
    struct ps2_error error;
    struct fixture_level *level;
    if (fixture_level_build(options, &level, &error))
        return cli_report(&error);
    enum ps2_status saved = fixture_level_save(level, directory, &error);
    if (!saved && state)
        saved = save_state(level, directory, &error);
    int status = saved ? cli_report(&error) : print_files(level, json);
    fixture_level_free(level);
    return status;
}

static int run_level(int argc, char **argv)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'},
        {"patches", required_argument, NULL, 'p'},
        {"level", required_argument, NULL, 'l'},
        {"plant", required_argument, NULL, 'f'},
        {"memory", no_argument, NULL, 'm'},
        {"state", no_argument, NULL, 'S'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct fixture_options chosen = {.seed = 1, .patches = DEFAULT_PATCHES, .level = DEFAULT_LEVEL};
    struct ps2_error error;
    bool json = false, state = false;
    int which = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, &which)) != -1;) {
        uint64_t number = 0;
        if ((c == 's' || c == 'p' || c == 'l') && parse_count(optarg, UINT64_MAX, &number, &error) != PS2_OK)
            return cli_report(&error);
        switch (c) {
        case 's':
            chosen.seed = number;
            break;
        case 'p':
            chosen.patches = (size_t)number;
            break;
        case 'l':
            chosen.level = number < FIXTURE_LEVELS ? (unsigned)number : FIXTURE_LEVELS;
            break;
        case 'f':
            chosen.plant = optarg;
            break;
        case 'm':
            chosen.memory = true;
            break;
        case 'S':
            chosen.memory = state = true;
            break;
        case 'j':
            json = true;
            break;
        case 'h':
            print_help();
            return PS2_OK;
        default:
            return cli_option_error("fixture level", c, argv);
        }
    }
    if (chosen.plant && !strcmp(chosen.plant, "list"))
        return list_plants();
    if (argc - optind != 1)
        return cli_usage_error("usage: ps2h fixture level DIR [OPTION]...; `ps2h fixture --help` says more");
    return build_level(&chosen, argv[optind], state, json);
}

int cmd_fixture(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        print_help();
        return PS2_OK;
    }
    if (argc > 1 && !strcmp(argv[1], "level"))
        return run_level(argc - 1, argv + 1);
    return cli_usage_error("`ps2h fixture level DIR` is what there is to build; see `ps2h fixture --help`");
}
