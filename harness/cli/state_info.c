// `ps2h state info`: what a captured state is, holds, lacks, and was doing.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/json_text.h"
#include "harness/cli/state_commands.h"
#include "harness/cli/symbol_options.h"

static const char help[] =
    "Usage: ps2h state info STATE [OPTION]...\n"
    "Reads and checks a captured state, and tells which version of what wrote it, the EE's PC, which parts "
    "it\n"
    "holds, why others are missing, and which devices were in the middle of something.\n"
    "\n"
    "  --json                print it as JSON\n"
    "\n"
    "Names of what is loaded:\n" SYMBOL_OPTIONS_HELP "\n"
    "Examples:\n"
    "  ps2h state info slot1.p2s\n"
    "  ps2h state info slot1.p2s --symbols functions.tsv\n"
    "\n"
    "Exit status: 0 fine, 2 usage, or the file is no state or a damaged one.\n";

static void print_parts(const struct ps2_state_info *info)
{
    printf("parts            ");
    for (unsigned part = 0, shown = 0; part < PS2_PARTS; part++)
        if (!info->missing[part])
            printf("%s%s", shown++ ? (shown % 8 == 1 ? "\n                 " : " ") : "",
                   ps2_part_name((enum ps2_part)part));
    puts("");
    for (unsigned part = 0; part < PS2_PARTS; part++)
        if (info->missing[part])
            printf("missing          %s: %s\n", ps2_part_name((enum ps2_part)part), info->missing[part]);
    for (size_t n = 0; n < info->busy_count; n++)
        printf("in mid-work      %s\n", info->busy[n].what);
}

static void print(const struct ps2_state_info *info, const char *symbol)
{
    printf("kind             %s\n", info->kind);
    if (info->version)
        printf("save version     0x%08" PRIx32 "\n", info->version);
    if (info->writer[0])
        printf("written by       %s\n", info->writer);
    if (info->elf[0])
        printf("game             %s\n", info->elf);
    if (info->crc)
        printf("game CRC         0x%08" PRIx32 "\n", info->crc);
    if (info->gs_version)
        printf("GS version       %" PRIu32 "\n", info->gs_version);
    if (info->ram_size)
        printf("RAM              %" PRIu32 " MiB\n", info->ram_size >> 20);
    if (!info->missing[PS2_PART_EE])
        printf("pc               0x%08" PRIx32 "%s%s%s%s%s\n", info->pc, *symbol ? " <" : "", symbol,
               *symbol ? ">" : "", info->in_slot ? ", in a delay slot" : "",
               info->in_exception ? ", in an exception handler" : "");
    if (info->threads)
        printf("threads          %u, of which %d runs\n", info->threads, info->running);
    else if (!info->missing[PS2_PART_EE_RAM])
        puts("threads          the kernel's table was not found");
    print_parts(info);
}

static json_t *to_json(const struct ps2_state_info *info, const char *symbol)
{
    json_t *parts = json_array(), *missing = json_object(), *busy = json_array();
    for (unsigned part = 0; part < PS2_PARTS; part++) {
        const char *name = ps2_part_name((enum ps2_part)part);
        if (info->missing[part])
            json_object_set_new(missing, name, json_string(info->missing[part]));
        else
            json_array_append_new(parts, json_string(name));
    }
    for (size_t n = 0; n < info->busy_count; n++)
        json_array_append_new(busy, json_pack("{s:s, s:s}", "part", ps2_part_name(info->busy[n].part), "what",
                                              info->busy[n].what));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:s, s:b, s:b, s:i, s:i, s:o, s:o, s:o}",
                     "kind", info->kind, "save_version", json_sprintf("0x%08" PRIx32, info->version),
                     "written_by", json_text(info->writer), "game", json_text(info->elf), "game_crc",
                     json_sprintf("0x%08" PRIx32, info->crc), "gs_version", (json_int_t)info->gs_version,
                     "ram_size", (json_int_t)info->ram_size, "pc", json_sprintf("0x%08" PRIx32, info->pc),
                     "symbol", symbol, "in_delay_slot", info->in_slot, "in_exception", info->in_exception,
                     "threads", (int)info->threads, "running_thread", info->running, "parts", parts,
                     "missing", missing, "mid_work", busy);
}

// The name of PC; memory is needed where overlays share it.
static enum ps2_status name_pc(const char *path, const struct ps2_state_info *info,
                               const struct symbol_options *symbols, char *out, size_t size,
                               struct ps2_error *error)
{
    struct ps2 *ps2;
    if (!symbols->count)
        return PS2_OK;
    enum ps2_status status =
        ps2_new_from_state(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, path, &ps2, NULL, error);
    if (status == PS2_OK)
        status = symbol_options_apply(symbols, ps2, error);
    if (status == PS2_OK && !info->missing[PS2_PART_EE])
        ps2_symbol_text(ps2, info->pc, out, size);
    ps2_free(ps2);
    return status;
}

int state_info(int argc, char **argv)
{
    static const struct option names[] = {{"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          SYMBOL_OPTIONS,
                                          {NULL, 0, NULL, 0}};
    struct ps2_state_info info;
    struct symbol_options symbols = {.count = 0};
    char symbol[256] = "";
    struct ps2_error error;
    bool json = false;
    int option;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1)
        switch (option) {
        case 'j':
            json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return PS2_OK;
        default:
            if (!symbol_options_take(&symbols, option, optarg))
                return cli_option_error("state info", option, argv);
        }
    if (optind + 1 != argc)
        return cli_usage_error("state info: give one state; `ps2h state info --help` says more");
    if (ps2_state_info(argv[optind], &info, &error) != PS2_OK ||
        name_pc(argv[optind], &info, &symbols, symbol, sizeof symbol, &error) != PS2_OK)
        return cli_report(&error);
    if (!json) {
        print(&info, symbol);
        return PS2_OK;
    }
    json_t *object = to_json(&info, symbol);
    json_dumpf(object, stdout, JSON_INDENT(1));
    puts("");
    json_decref(object);
    return PS2_OK;
}
