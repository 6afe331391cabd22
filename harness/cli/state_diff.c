// `ps2h state diff`: what differs between two captured states.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/json_text.h"
#include "harness/cli/parse.h"
#include "harness/cli/state_commands.h"
#include "harness/cli/state_fields.h"
#include "harness/cli/state_load.h"
#include "harness/cli/symbol_options.h"
#include "harness/state/compare.h"

static const char help[] =
    "Usage: ps2h state diff A B [OPTION]...\n"
    "Lists what differs between two captured states: registers with both values, and the ranges of each "
    "memory\n"
    "with their bytes, for RAM with the symbol.\n"
    "\n"
    "  --elf FILE               symbols of an ELF executable\n"
    "  --layout ADDR:LEN=FILE   in this range of RAM, the fields of each row instead of bytes. FILE has a "
    "field a\n"
    "                           line, `TYPE [NAME] [mask=N]` or `skip N`; TYPE is u8, u16, u32, u64, s8, "
    "s16,\n"
    "                           s32 or f32. The layout repeats to the end of the range\n"
    "  --part PART              only this part of the state (as `ps2h state info` names them); again for "
    "more\n"
    "  --limit N                at most N lines for each part (default 100; 0: all)\n"
    "  --json                   print it as JSON\n"
    "\n"
    "Names of what the second state holds:\n" SYMBOL_OPTIONS_HELP "\n"
    "Examples:\n"
    "  ps2h state diff before.p2s after.p2s --elf game.elf\n"
    "  ps2h state diff before.p2s after.p2s --symbols functions.tsv --module level0=overlay.bin\n"
    "  ps2h state diff before.p2s after.p2s --part ee-ram --layout 0x201800:0x400=colours.txt\n"
    "\n"
    "Exit status: 0 nothing differs, 1 something does, 2 usage or bad input.\n";

#define SHOWN 16u // bytes of a range that are printed

struct side {
    struct state_load load;
    struct ps2 *ps2;
};

struct diff {
    struct side sides[2];
    const char *elf;
    struct symbol_options symbols;
    struct state_fields fields;
    uint32_t chosen; // bits by part; 0: all
    uint64_t limit, shown;
    uint64_t count; // of the part that is compared
    uint64_t total;
    bool json;
    json_t *list;
};

// ---- printing

static void print_bytes(const uint8_t *bytes, uint32_t size)
{
    for (uint32_t n = 0; n < size && n < SHOWN; n++)
        printf("%02x", bytes[n]);
    if (size > SHOWN)
        printf("...");
}

// Where a range is: an address of the EE with its symbol, or an offset in another memory.
static uint32_t place(const struct state_difference *d)
{
    return d->part == PS2_PART_SCRATCHPAD ? EE_SCRATCHPAD + d->at : d->at;
}

static void print_value(unsigned bits, const uint64_t value[2])
{
    if (bits == 128)
        printf("0x%016" PRIx64 "%016" PRIx64, value[1], value[0]);
    else
        printf("0x%0*" PRIx64, (int)bits / 4, value[0]);
}

static void print(const struct diff *diff, const struct state_difference *d)
{
    char symbol[256] = "";
    printf("%-13s ", ps2_part_name(d->part));
    if (d->name[0]) {
        printf("%s ", d->name);
        print_value(d->bits, d->old);
        printf(" -> ");
        print_value(d->bits, d->now);
        puts("");
        return;
    }
    if (d->part == PS2_PART_EE_RAM)
        ps2_symbol_text(diff->sides[1].ps2, d->at, symbol, sizeof symbol);
    printf(symbol[0] ? "0x%08" PRIx32 " <%s> %" PRIu32 " bytes " : "0x%08" PRIx32 "%s %" PRIu32 " bytes ",
           place(d), symbol, d->size);
    print_bytes(d->old_bytes, d->size);
    printf(" -> ");
    print_bytes(d->now_bytes, d->size);
    puts("");
}

static json_t *hex_bytes(const uint8_t *bytes, uint32_t size)
{
    char text[2 * SHOWN + 1] = "";
    for (uint32_t n = 0; n < size && n < SHOWN; n++)
        snprintf(text + 2 * n, 3, "%02x", bytes[n]);
    return json_string(text);
}

static json_t *hex_value(unsigned bits, const uint64_t value[2])
{
    return bits == 128 ? json_sprintf("0x%016" PRIx64 "%016" PRIx64, value[1], value[0])
                       : json_sprintf("0x%0*" PRIx64, (int)bits / 4, value[0]);
}

static json_t *to_json(const struct diff *diff, const struct state_difference *d)
{
    char symbol[256] = "";
    const char *part = ps2_part_name(d->part);
    if (d->name[0])
        return json_pack("{s:s, s:s, s:o, s:o}", "part", part, "name", d->name, "old",
                         hex_value(d->bits, d->old), "new", hex_value(d->bits, d->now));
    if (d->part == PS2_PART_EE_RAM)
        ps2_symbol_text(diff->sides[1].ps2, d->at, symbol, sizeof symbol);
    return json_pack("{s:s, s:o, s:s, s:I, s:o, s:o}", "part", part, "address",
                     json_sprintf("0x%08" PRIx32, place(d)), "symbol", symbol, "size", (json_int_t)d->size,
                     "old", hex_bytes(d->old_bytes, d->size), "new", hex_bytes(d->now_bytes, d->size));
}

static void show(void *context, const struct state_difference *d)
{
    struct diff *diff = context;
    diff->count++;
    if (diff->limit && ++diff->shown > diff->limit)
        return;
    if (diff->json)
        json_array_append_new(diff->list, to_json(diff, d));
    else
        print(diff, d);
}

// A range of RAM, less what a layout covers; that as fields.
static void found(void *context, const struct state_difference *d)
{
    struct diff *diff = context;
    if (d->part == PS2_PART_EE_RAM && !d->name[0])
        state_fields_split(&diff->fields, d, show, diff);
    else
        show(diff, d);
}

// ---- comparing

static void compare(struct diff *diff)
{
    for (unsigned part = 0; part < PS2_PARTS; part++) {
        const char *name = ps2_part_name((enum ps2_part)part);
        if (diff->chosen && !(diff->chosen >> part & 1))
            continue;
        diff->count = diff->shown = 0;
        unsigned side = diff->sides[0].load.info.missing[part] ? 0 : 1;
        if (diff->sides[side].load.info.missing[part]) {
            if (!diff->json)
                printf("%-13s not compared: %s lacks it\n", name, diff->sides[side].load.path);
            continue;
        }
        state_compare_part(diff->sides[0].ps2, diff->sides[1].ps2, (enum ps2_part)part, found, diff);
        if (!diff->json && diff->limit && diff->count > diff->limit)
            printf("%-13s ... %" PRIu64 " more\n", name, diff->count - diff->limit);
        diff->total += diff->count;
    }
}

// Symbols come from the program as loaded; the state's memory then takes its place.
static enum ps2_status load_side(struct diff *diff, struct side *side, struct ps2_error *error)
{
    struct ps2_config config = {.engine = EE_ENGINE_INTERP};
    enum ps2_status status = ps2_state_info(side->load.path, &side->load.info, error);
    config.ram_size = side->load.info.ram_size;
    if (status == PS2_OK)
        status = ps2_new(&config, &side->ps2, error);
    if (status == PS2_OK && diff->elf)
        status = ps2_load_elf(side->ps2, diff->elf, error);
    return status == PS2_OK ? ps2_load_state(side->ps2, side->load.path, &side->load.info, error) : status;
}

static enum ps2_status run(struct diff *diff, char *layout, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (unsigned n = 0; status == PS2_OK && n < 2; n++)
        status = load_side(diff, &diff->sides[n], error);
    // Overlays are those of the later state.
    if (status == PS2_OK)
        status = symbol_options_apply(&diff->symbols, diff->sides[1].ps2, error);
    if (status == PS2_OK && layout)
        status = state_fields_read(&diff->fields, diff->sides[1].ps2, layout, error);
    if (status != PS2_OK)
        return status;
    if (diff->json)
        diff->list = json_array();
    compare(diff);
    if (diff->json) {
        json_t *object = json_pack("{s:I, s:o}", "differences", (json_int_t)diff->total, "list", diff->list);
        json_dumpf(object, stdout, JSON_INDENT(1));
        puts("");
        json_decref(object);
    } else if (!diff->total) {
        puts("nothing differs");
    }
    return diff->total ? PS2_DIFFERENT : PS2_OK;
}

static enum ps2_status choose(struct diff *diff, const char *text, struct ps2_error *error)
{
    enum ps2_part part = ps2_part_find(text);
    if (part == PS2_PARTS)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "there is no part '%s'", text);
    diff->chosen |= 1u << part;
    return PS2_OK;
}

int state_diff(int argc, char **argv)
{
    static const struct option names[] = {{"elf", required_argument, NULL, 'e'},
                                          {"layout", required_argument, NULL, 'l'},
                                          {"part", required_argument, NULL, 'p'},
                                          {"limit", required_argument, NULL, 'n'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          SYMBOL_OPTIONS,
                                          {NULL, 0, NULL, 0}};
    struct diff diff = {.limit = 100};
    struct ps2_error error;
    char *layout = NULL;
    int option;
    enum ps2_status status = PS2_OK;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1 && status == PS2_OK)
        switch (option) {
        case 'e':
            diff.elf = optarg;
            break;
        case 'l':
            layout = optarg;
            break;
        case 'p':
            status = choose(&diff, optarg, &error);
            break;
        case 'n':
            status = parse_count(optarg, UINT32_MAX, &diff.limit, &error);
            break;
        case 'j':
            diff.json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return PS2_OK;
        default:
            if (!symbol_options_take(&diff.symbols, option, optarg))
                return cli_option_error("state diff", option, argv);
        }
    if (status != PS2_OK)
        return cli_report(&error);
    if (optind + 2 != argc)
        return cli_usage_error("state diff: give two states; `ps2h state diff --help` says more");
    for (unsigned n = 0; n < 2; n++)
        diff.sides[n].load.path = argv[optind + (int)n];
    status = run(&diff, layout, &error);
    for (unsigned n = 0; n < 2; n++)
        ps2_free(diff.sides[n].ps2);
    state_fields_free(&diff.fields);
    return status == PS2_OK || status == PS2_DIFFERENT ? (int)status : cli_report(&error);
}
