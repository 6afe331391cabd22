// `ps2h dis`: the R5900 code of a file as assembly, with symbols.
#include "harness/cli/cli.h"
#include "harness/cli/parse.h"
#include "harness/cli/symbol_options.h"
#include "harness/file.h"
#include "harness/image.h"
#include "harness/machine.h"
#include "harness/state/rewrite.h"

#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: ps2h dis [OPTION]... FILE\n"
    "Prints the code of an ELF executable, an overlay or a raw file as R5900 assembly.\n"
    "\n"
    "  --start ADDR   the first address (a number, or a symbol of the file [+N])\n"
    "  --end ADDR     the address after the last\n"
    "  --base ADDR    FILE is raw: its first byte lies at ADDR\n"
    "  --overlay      FILE is an overlay.bin\n"
    "  --state        FILE is a captured state, whose RAM is meant; needs --start and --end\n"
    "  --json         print an array of {address, word, text, symbol}\n"
    "\n"
    "Names of what is loaded:\n" SYMBOL_OPTIONS_HELP "\n"
    "Without --start and --end: the executable sections of an ELF file, the section of an overlay that holds "
    "the\n"
    "entry point, all of a raw file. With them, any section or segment of the file.\n"
    "\n"
    "Examples:\n"
    "  ps2h dis game.elf --start main --end main+0x40\n"
    "  ps2h dis code.bin --base 0x100000\n"
    "  ps2h dis --overlay overlay.bin --symbols functions.tsv --start LightTfrags\n"
    "  ps2h dis --state slot1.p2s --start 0x2a3b88 --end 0x2a3c00\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

struct dis {
    const char *path, *start_text, *end_text, *base_text;
    bool overlay, state, json;
    struct symbol_options symbols;
    uint32_t start, end;
    struct image image;
    struct ps2 *ps2;
    json_t *array;
};

static int take_options(struct dis *dis, int argc, char **argv)
{
    static const struct option names[] = {
        {"start", required_argument, NULL, 's'},
        {"end", required_argument, NULL, 'e'},
        {"base", required_argument, NULL, 'b'},
        {"overlay", no_argument, NULL, 'o'},
        {"state", no_argument, NULL, 't'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        SYMBOL_OPTIONS,
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1)
        switch (option) {
        case 's':
            dis->start_text = optarg;
            break;
        case 'e':
            dis->end_text = optarg;
            break;
        case 'b':
            dis->base_text = optarg;
            break;
        case 'o':
            dis->overlay = true;
            break;
        case 't':
            dis->state = true;
            break;
        case 'j':
            dis->json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return PS2_OK;
        default:
            if (!symbol_options_take(&dis->symbols, option, optarg))
                return cli_option_error("dis", option, argv);
        }
    if (optind + 1 != argc)
        return cli_usage_error("dis: give one file; `ps2h dis --help` says more");
    if (dis->base_text && dis->overlay)
        return cli_usage_error("dis: an overlay says itself where it lies: --base or --overlay, not both");
    if (dis->state && (dis->base_text || dis->overlay || !dis->start_text || !dis->end_text))
        return cli_usage_error("dis: --state goes with --start and --end alone");
    dis->path = argv[optind];
    return -1;
}

static enum ps2_status open_image(struct dis *dis, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    uint32_t base = 0;
    enum ps2_status status = PS2_OK;
    if (dis->base_text)
        status = parse_place(dis->ps2, dis->base_text, &base, error);
    if (status == PS2_OK)
        status = dis->state ? state_extract_bytes(dis->path, "ee-ram", &bytes, &size, error)
                            : file_read(dis->path, FILE_LIMIT, &bytes, &size, error);
    if (status != PS2_OK)
        return status;
    if (dis->base_text || dis->state)
        status = image_from_raw(&dis->image, dis->path, bytes, size, base, EE_RAM_SIZE_LARGE, error);
    else if (dis->overlay)
        status = image_from_overlay(&dis->image, dis->path, bytes, size, EE_RAM_SIZE_LARGE, error);
    else
        status = image_from_elf(&dis->image, dis->path, bytes, size, EE_RAM_SIZE_LARGE, error);
    return status == PS2_OK ? machine_load(dis->ps2, &dis->image, error) : status;
}

static void print_line(struct dis *dis, uint32_t address, uint32_t word)
{
    char text[96], name[200], target_name[200] = "";
    uint32_t target;
    vector_units_disassemble(address, word, text, sizeof text);
    ps2_symbol_text(dis->ps2, address, name, sizeof name);
    if (ee_word_target(address, word, &target))
        ps2_symbol_text(dis->ps2, target, target_name, sizeof target_name);
    char *tab = strchr(text, '\t');
    if (dis->json) {
        if (tab)
            *tab = ' ';
        json_array_append_new(dis->array,
                              json_pack("{s:o, s:o, s:s, s:s, s:s}", "address",
                                        json_sprintf("0x%08x", address), "word", json_sprintf("0x%08x", word),
                                        "text", text, "symbol", name, "target", target_name));
        return;
    }
    if (name[0] && !strchr(name, '+'))
        printf("\n%08x <%s>:\n", address, name);
    printf("%8x:\t%08x \t%s%s%s%s\n", address, word, text, target_name[0] ? " <" : "", target_name,
           target_name[0] ? ">" : "");
}

// `bytes` hold the words from `address` on; those of [start, end) are printed. Returns how many.
static size_t print_words(struct dis *dis, uint32_t address, const uint8_t *bytes, size_t size)
{
    size_t printed = 0;
    for (size_t at = 0; at + 4 <= size; at += 4) {
        uint32_t word, here = address + (uint32_t)at;
        if (here < dis->start || here >= dis->end)
            continue;
        memcpy(&word, bytes + at, 4);
        print_line(dis, here, word);
        printed++;
    }
    return printed;
}

static size_t print_code(struct dis *dis)
{
    size_t printed = 0;
    for (size_t n = 0; n < dis->image.code_count; n++) {
        const struct image_code *code = &dis->image.code[n];
        if (!dis->json)
            printf("\nDisassembly of section %s:\n", code->name);
        printed += print_words(dis, code->address, dis->image.bytes + code->offset, code->size);
    }
    return printed;
}

static size_t print_segments(struct dis *dis)
{
    size_t printed = 0;
    for (size_t n = 0; n < dis->image.segment_count; n++) {
        const struct image_segment *segment = &dis->image.segments[n];
        uint32_t skip = -segment->address & 3;
        if (skip < segment->size)
            printed += print_words(dis, segment->address + skip, dis->image.bytes + segment->offset + skip,
                                   segment->size - skip);
    }
    return printed;
}

static enum ps2_status disassemble(struct dis *dis, struct ps2_error *error)
{
    enum ps2_status status = ps2_new(&(struct ps2_config){.ram_size = EE_RAM_SIZE_LARGE}, &dis->ps2, error);
    if (status == PS2_OK)
        status = open_image(dis, error);
    if (status == PS2_OK)
        status = symbol_options_apply(&dis->symbols, dis->ps2, error);
    dis->end = UINT32_MAX;
    if (status == PS2_OK && dis->start_text)
        status = parse_place(dis->ps2, dis->start_text, &dis->start, error);
    if (status == PS2_OK && dis->end_text)
        status = parse_place(dis->ps2, dis->end_text, &dis->end, error);
    if (status != PS2_OK)
        return status;
    dis->array = json_array();
    size_t printed = dis->start_text || dis->end_text ? print_segments(dis) : print_code(dis);
    if (!printed)
        return ps2_fail(error, PS2_BAD_INPUT, dis->path, dis->start, "has no word from 0x%08x to 0x%08x",
                        dis->start, dis->end);
    if (dis->json) {
        json_dumpf(dis->array, stdout, JSON_INDENT(1));
        putchar('\n');
    }
    return PS2_OK;
}

int cmd_dis(int argc, char **argv)
{
    struct dis dis = {0};
    struct ps2_error error;
    int status = take_options(&dis, argc, argv);
    if (status < 0) {
        status = (int)disassemble(&dis, &error);
        fflush(stdout);
        if (status != PS2_OK)
            cli_report(&error);
    }
    json_decref(dis.array);
    image_free(&dis.image);
    ps2_free(dis.ps2);
    return status;
}
