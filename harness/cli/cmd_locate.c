// ps2h locate: ranks the functions of an overlay or a memory image that may be LightTfrags.
#include <getopt.h>
#include <stdlib.h>

#include <jansson.h>

#include "harness/cli/cli.h"
#include "harness/cli/json_text.h"
#include "harness/cli/levels.h"
#include "harness/cli/memory_source.h"
#include "harness/cli/symbol_options.h"
#include "harness/formats/overlay.h"
#include "harness/locate.h"

#define MOST_PARTS 64

static void help(FILE *out)
{
    fputs("Usage: ps2h locate [OPTION]... FILE\n"
          "Ranks the functions of a level overlay (overlay.bin) that may be the terrain lighting: they use "
          "the\n"
          "normal table, which is found by content, the scratchpad at 0x70003800 and 0x70001000, its DMA\n"
          "channels, and compute on VU0. Beside each score stands that of a matched control: the same count "
          "for\n"
          "constants that no light routine uses. A best score no higher than the control's has found "
          "nothing.\n\n"
          "  -m, --memory  FILE is an image of EE memory from address 0, not an overlay\n"
          "  -s, --state   FILE is a captured state: a save state of PCSX2, or one of ps2harness\n"
          "  -n, --top N   so many candidates (10)\n"
          "      --json    prints JSON\n"
          "      --help    this text\n"
          "\n"
          "Names of what is loaded:\n" SYMBOL_OPTIONS_HELP "\n"
          "Examples:\n"
          "  ps2h locate level0/overlay.bin\n"
          "  ps2h locate --state slot1.p2s --top 3\n\n"
          "Exit status: 0 a function stands out, 1 none does, 2 usage or bad input.\n",
          out);
}

struct image {
    struct fmt_span file;
    struct locate_part parts[MOST_PARTS];
    size_t count;
};

static enum ps2_status split(struct image *image, bool memory, struct ps2_error *error)
{
    struct fmt_overlay_section section;
    size_t at = 0;
    bool more = true;
    enum ps2_status status = PS2_OK;
    if (memory) {
        image->parts[image->count++] = (struct locate_part){0, image->file.data, image->file.size};
        return PS2_OK;
    }
    while (!status && image->count < MOST_PARTS) {
        status = fmt_overlay_next(image->file, &at, &section, &more, error);
        if (status || !more)
            break;
        image->parts[image->count++] =
            (struct locate_part){section.destination, section.bytes.data, section.bytes.size};
    }
    return status;
}

static enum ps2_status find_table(const struct image *image, uint32_t *address, struct ps2_error *error)
{
    struct fmt_normal_table table;
    struct fmt_normal_search search;
    enum ps2_status status = fmt_normal_table(image->file, &table, &search, error);
    if (status)
        return status;
    for (size_t i = 0; i < image->count; i++) {
        size_t start = (size_t)(image->parts[i].data - image->file.data);
        if (search.offset - start < image->parts[i].size) {
            *address = image->parts[i].address + (uint32_t)(search.offset - start);
            return PS2_OK;
        }
    }
    return ps2_fail(error, PS2_BAD_INPUT, image->file.name, search.offset,
                    "the normal table lies in no section");
}

static void features(unsigned bits, const char *mark, FILE *out)
{
    for (unsigned f = 0; f < LOCATE_FEATURES; f++)
        if (bits >> f & 1)
            fprintf(out, " %s%s", locate_feature_name((enum locate_feature)f), mark);
}

static void print(const struct locate_result *r, unsigned top, const struct ps2 *names)
{
    printf("normal table at 0x%08x; %zu functions; best score %u, best control %u%s\n", r->table, r->count,
           r->best, r->best_control, r->best > r->best_control ? "" : ": nothing found");
    puts("score  control  address     bytes  features (* of a called function)");
    for (size_t i = 0; i < r->count && i < top && r->candidates[i].score; i++) {
        const struct locate_candidate *c = &r->candidates[i];
        printf("%5u  %7u  0x%08x  %5u ", c->score, c->controls, c->address, c->size);
        features(c->own, "", stdout);
        features(c->called & ~c->own, "*", stdout);
        char name[200];
        if (*ps2_symbol_text(names, c->address, name, sizeof name))
            printf("  <%s>", name);
        putchar('\n');
    }
}

static json_t *feature_names(unsigned bits)
{
    json_t *list = json_array();
    for (unsigned f = 0; f < LOCATE_FEATURES; f++)
        if (bits >> f & 1)
            json_array_append_new(list, json_string(locate_feature_name((enum locate_feature)f)));
    return list;
}

static json_t *candidate_json(const struct locate_candidate *c, const struct ps2 *names)
{
    char name[200];
    json_t *object =
        json_pack("{s:I,s:I,s:i,s:i,s:o,s:o}", "address", (json_int_t)c->address, "size", (json_int_t)c->size,
                  "score", (int)c->score, "control", (int)c->controls, "features", feature_names(c->own),
                  "called", feature_names(c->called & ~c->own));
    if (*ps2_symbol_text(names, c->address, name, sizeof name))
        json_object_set_new(object, "symbol", json_text(name));
    return object;
}

static void print_json(const struct locate_result *r, unsigned top, const struct ps2 *names)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->count && i < top && r->candidates[i].score; i++)
        json_array_append_new(list, candidate_json(&r->candidates[i], names));
    json_t *root = json_pack("{s:I,s:I,s:i,s:i,s:o}", "normal_table", (json_int_t)r->table, "functions",
                             (json_int_t)r->count, "best", (int)r->best, "best_control", (int)r->best_control,
                             "candidates", list);
    json_dumpf(root, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(root);
}

// A machine with the image in memory, for names.
static enum ps2_status load_names(const struct image *image, const struct symbol_options *symbols,
                                  struct ps2 **out, struct ps2_error *error)
{
    enum ps2_status status = ps2_new(&(struct ps2_config){.ram_size = EE_RAM_SIZE_LARGE}, out, error);
    for (size_t i = 0; !status && symbols->count && i < image->count; i++)
        status = ps2_write(*out, image->parts[i].address, image->parts[i].data, image->parts[i].size, error);
    return status ? status : symbol_options_apply(symbols, *out, error);
}

static enum ps2_status locate(struct memory_source *source, bool memory, bool json, unsigned top,
                              const struct symbol_options *symbols, struct ps2_error *error)
{
    struct image image = {0};
    struct locate_result result = {0};
    uint32_t table = 0;
    struct ps2 *names = NULL;
    enum ps2_status status = memory_source_open(source, error);
    image.file = source->span;
    if (!status)
        status = split(&image, memory, error);
    if (!status)
        status = find_table(&image, &table, error);
    if (!status)
        status = load_names(&image, symbols, &names, error);
    if (!status)
        status = locate_light(image.parts, image.count, table, &result, error);
    if (!status && json)
        print_json(&result, top, names);
    else if (!status)
        print(&result, top, names);
    if (!status && result.best <= result.best_control)
        status =
            ps2_fail(error, PS2_DIFFERENT, image.file.name, 0, "no function stands out from the control");
    locate_free(&result);
    ps2_free(names);
    memory_source_close(source);
    return status;
}

int cmd_locate(int argc, char **argv)
{
    static const struct option options[] = {{"memory", no_argument, NULL, 'm'},
                                            {"state", no_argument, NULL, 's'},
                                            {"top", required_argument, NULL, 'n'},
                                            {"json", no_argument, NULL, 'J'},
                                            {"help", no_argument, NULL, 'h'},
                                            SYMBOL_OPTIONS,
                                            {NULL, 0, NULL, 0}};
    struct ps2_error error;
    unsigned top = 10;
    bool memory = false, state = false, json = false;
    struct symbol_options symbols = {0};
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":msn:", options, NULL)) != -1;) {
        if (c == 'h') {
            help(stdout);
            return PS2_OK;
        }
        if (c == '?' || c == ':')
            return cli_option_error("locate", c, argv);
        if (c == 'n' && !levels_number(optarg, "--top", 1, 100000, &top))
            return PS2_BAD_INPUT;
        symbol_options_take(&symbols, c, optarg);
        memory |= c == 'm';
        state |= c == 's';
        json |= c == 'J';
    }
    if (optind + 1 != argc)
        return cli_usage_error("locate: give one file; see `ps2h locate --help`");
    if (memory && state)
        return cli_usage_error("locate: the file is --memory or --state, not both");
    struct memory_source source = {.memory = state ? NULL : argv[optind],
                                   .state = state ? argv[optind] : NULL};
    return locate(&source, memory || state, json, top, &symbols, &error) ? cli_report(&error) : PS2_OK;
}
