// `ps2h level locate`, and from the state's side `ps2h state locate`: where the extents of a level lie in
// captured memory.
#include "harness/cli/json_text.h"
#include "harness/cli/levels.h"
#include "harness/cli/memory_source.h"
#include "harness/cli/state_commands.h"
#include "harness/formats/extents.h"

#include <getopt.h>

#define WHAT_IS_SHOWN                                                                                        \
    "Finds the extents of a level in captured memory by their contents, and says what the game changed "     \
    "there:\n"                                                                                               \
    "bytes that are equal, pointers (words that grew by one address, the most common one), bytes of other "  \
    "words\n"                                                                                                \
    "that differ. `windows` of 16 bytes are looked for; `agree` says how many lie where one address puts "   \
    "them,\n"                                                                                                \
    "`control` the same for the windows reversed. An extent is found when a quarter agree, and more than "   \
    "twice\n"                                                                                                \
    "the control.\n\n"
#define EXIT_STATUS                                                                                          \
    "\nExit status: 0 an extent was found, 1 none, 2 usage, a level or a memory that cannot be read.\n"

static const char help[] =
    "Usage: ps2h level locate LEVEL --state STATE|--memory FILE [OPTION]...\n" WHAT_IS_SHOWN
    "  -s, --state STATE   a captured state: a save state of PCSX2, or one of ps2harness\n"
    "  -m, --memory FILE   an image of EE memory from address 0\n"
    "      --json          prints JSON\n"
    "      --help          this text\n\n"
    "Examples:\n"
    "  ps2h level locate LEVEL0.WAD --state slot1.p2s\n"
    "  ps2h level locate level0 --memory ee_ram.bin\n" EXIT_STATUS;

static const char state_help[] =
    "Usage: ps2h state locate STATE LEVEL [OPTION]...\n" WHAT_IS_SHOWN "      --json   prints JSON\n"
    "      --help   this text\n\n"
    "Examples:\n"
    "  ps2h state locate slot1.p2s LEVEL0.WAD\n" EXIT_STATUS;

static void print(const struct fmt_extents *extents)
{
    puts("extent                address       size  windows  agree  control      equal  pointers   changed");
    for (size_t n = 0; n < extents->count; n++) {
        const struct fmt_extent *e = &extents->list[n];
        if (e->found)
            printf("%-20s 0x%08x %10zu %8u %6u %8u %10u %9u %9u\n", e->name, e->address, e->data.size,
                   e->windows, e->votes, e->control, e->equal, e->pointers, e->changed);
        else
            printf("%-20s not found  %10zu %8u %6u %8u\n", e->name, e->data.size, e->windows, e->votes,
                   e->control);
    }
}

static void print_json(const struct fmt_extents *extents)
{
    json_t *list = json_array();
    for (size_t n = 0; n < extents->count; n++) {
        const struct fmt_extent *e = &extents->list[n];
        json_t *object =
            json_pack("{s:s,s:I,s:i,s:i,s:i}", "extent", e->name, "size", (json_int_t)e->data.size, "windows",
                      (int)e->windows, "agree", (int)e->votes, "control", (int)e->control);
        if (e->found)
            json_object_update_new(object, json_pack("{s:I,s:I,s:I,s:I,s:I}", "address",
                                                     (json_int_t)e->address, "equal", (json_int_t)e->equal,
                                                     "pointers", (json_int_t)e->pointers, "base",
                                                     (json_int_t)e->base, "changed", (json_int_t)e->changed));
        json_array_append_new(list, object);
    }
    json_dumpf(list, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(list);
}

static enum ps2_status locate(struct memory_source *memory, const char *path, bool json,
                              struct ps2_error *error)
{
    struct fmt_level level;
    struct fmt_extents extents;
    size_t found = 0;
    enum ps2_status status = fmt_level_open(path, &level, error);
    if (status)
        return status;
    status = memory_source_open(memory, error);
    if (!status)
        status = fmt_find_extents(&level, memory->span, &extents, error);
    for (size_t n = 0; !status && n < extents.count; n++)
        found += extents.list[n].found;
    if (!status && json)
        print_json(&extents);
    else if (!status)
        print(&extents);
    if (!status && !found)
        status =
            ps2_fail(error, PS2_DIFFERENT, memory->span.name, 0, "nothing of the level is in this memory");
    memory_source_close(memory);
    fmt_level_close(&level);
    return status;
}

static int run(struct memory_source *memory, const char *path, bool json)
{
    struct ps2_error error;
    return locate(memory, path, json, &error) ? cli_report(&error) : PS2_OK;
}

int level_locate(int argc, char **argv)
{
    struct memory_source memory = {0};
    bool json = false;
    int status = memory_source_options(argc, argv, "level locate", help, &memory, &json);
    if (status >= 0)
        return status;
    if (argc - optind != 1)
        return cli_usage_error("level locate: give one level; see `ps2h level locate --help`");
    return run(&memory, argv[optind], json);
}

int state_locate(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'J'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool json = false;
    for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(state_help, stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("state locate", c, argv);
        json = true;
    }
    if (argc - optind != 2)
        return cli_usage_error("state locate: give a state and a level; see `ps2h state locate --help`");
    return run(&(struct memory_source){.state = argv[optind]}, argv[optind + 1], json);
}
