// `ps2h level light`: runs the light pass on the host, says how much it shaded, and compares it with EE
// memory.
#include "harness/cli/json_text.h"
#include "harness/cli/level_memory.h"
#include "harness/cli/memory_source.h"
#include "harness/file.h"
#include "harness/formats/light.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static void help(FILE *out)
{
    fputs("Usage: ps2h level light LEVEL... [OPTION]...\n"
          "Computes every terrain colour from its light record and the level's light bank, in PS2 "
          "arithmetic, and says\n"
          "how many vertices the pass shaded; a vertex that names only sets the bank lacks keeps its base "
          "colour.\n\n"
          "  -m, --memory FILE   compare with an image of EE memory (from address 0): the terrain is found "
          "by content and\n"
          "                      every colour byte compared; says where the light bank is\n"
          "  -o, --output FILE   write the colours, 4 bytes a vertex, patch by patch (one level)\n"
          "  -j, --jobs N        levels at a time (default 1)\n"
          "      --json          one object per level\n"
          "      --help          this text\n\n"
          "Examples:\n"
          "  ps2h level light LEVEL0.WAD\n"
          "  ps2h level light LEVEL0.WAD --memory eeMemory.bin\n\n"
          "Exit status: 0 lit (and equal), 1 nothing lit or a byte differs, 2 a level cannot be read.\n",
          out);
}

struct request {
    const char *memory, *output;
};

static enum ps2_status light_patches(const struct fmt_level *level, const struct fmt_light_bank *bank,
                                     const struct fmt_normal_table *table, struct fmt_light_tally *tally,
                                     struct fmt_buffer *colours, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    size_t used = 0;
    *colours = (struct fmt_buffer){malloc((size_t)level->terrain.count * 1024 + 1), 0};
    if (!colours->data)
        return ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "no memory for the colours");
    for (size_t i = 0; !status && i < (size_t)level->terrain.count; i++) {
        struct fmt_patch p;
        unsigned before = tally->vertices;
        status = fmt_patch(&level->terrain, i, 0, &p, error);
        if (!status)
            status = fmt_within(error, fmt_light_patch(&p, bank, table, colours->data + used, tally, error),
                                "tfrag patch %zu", i);
        used += 4 * (tally->vertices - before);
    }
    colours->size = used;
    return status;
}

static enum ps2_status compare(const struct fmt_level *level, const struct fmt_light_bank *bank,
                               const struct fmt_normal_table *table, const char *path, FILE *out,
                               json_t *json, struct ps2_error *error)
{
    struct memory_source memory = {.memory = path};
    enum ps2_status status = memory_source_open(&memory, error);
    if (!status)
        status = level_memory_compare(level, bank, table, memory.span, out, json, error);
    memory_source_close(&memory);
    return status;
}

static enum ps2_status light_level(const struct fmt_level *level, const struct request *r, FILE *out,
                                   json_t **json, struct ps2_error *error)
{
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    struct fmt_light_tally tally = {0, 0, 0};
    struct fmt_buffer colours = {NULL, 0};
    enum ps2_status status = fmt_level_lights(level, &bank, &table, error);
    if (!status)
        status = light_patches(level, &bank, &table, &tally, &colours, error);
    if (!status && json)
        *json = json_pack("{s:o, s:i, s:i, s:i, s:i}", "level", json_text(level->path), "sets", bank.count,
                          "vertices", (int)tally.vertices, "lit", (int)tally.lit, "base_colour",
                          (int)tally.missing);
    else if (!status)
        fprintf(out, "%s: %d light sets; lit %u of %u vertices, %u keep their base colour\n", level->path,
                bank.count, tally.lit, tally.vertices, tally.missing);
    if (!status && r->output)
        status = file_write(r->output, colours.data, colours.size, error);
    fmt_buffer_free(&colours);
    if (!status && r->memory)
        status = compare(level, &bank, &table, r->memory, out, json ? *json : NULL, error);
    if (!status && tally.vertices && !tally.lit)
        status = ps2_fail(error, PS2_DIFFERENT, level->path, 0, "the light pass shaded no vertex");
    return status;
}

static enum ps2_status light_one(const char *path, void *context, FILE *out, json_t **json,
                                 struct ps2_error *error)
{
    struct fmt_level level;
    enum ps2_status status = fmt_level_open(path, &level, error);
    if (status)
        return status;
    status = light_level(&level, context, out, json, error);
    fmt_level_close(&level);
    return status;
}

int level_light(int argc, char **argv)
{
    static const struct option options[] = {
        {"memory", required_argument, NULL, 'm'}, {"output", required_argument, NULL, 'o'},
        {"jobs", required_argument, NULL, 'j'},   {"json", no_argument, NULL, 'J'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    struct request r = {NULL, NULL};
    struct level_options o = {NULL, 0, 1, false};
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":m:o:j:", options, NULL)) != -1;) {
        if (c == 'h') {
            help(stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("level light", c, argv);
        if (c == 'j' && !levels_number(optarg, "--jobs", 1, 256, &o.jobs))
            return PS2_BAD_INPUT;
        if (c == 'm')
            r.memory = optarg;
        if (c == 'o')
            r.output = optarg;
        o.json |= c == 'J';
    }
    if (optind == argc)
        return cli_usage_error("level light: no level given; see `ps2h level light --help`");
    o.paths = argv + optind;
    o.path_count = argc - optind;
    size_t found;
    levels_free(levels_expand(o.paths, o.path_count, &found));
    if (found > 1 && (r.output || r.memory))
        return cli_usage_error("level light: --output and --memory take one level");
    return levels_run(&o, light_one, &r);
}
