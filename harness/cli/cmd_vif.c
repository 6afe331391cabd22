// `ps2h vif dis`: a VIF stream or DMA chain as codes, with their places and what they did.
#include "harness/cli/cli.h"
#include "harness/cli/parse.h"
#include "harness/file.h"
#include "harness/machine.h"
#include "harness/state/rewrite.h"
#include "harness/vif_dis.h"

#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: ps2h vif dis [OPTION]... FILE\n"
    "Lists the VIF codes of a stream, of a DMA chain or of a recording (`ps2h exec --record`): address,\n"
    "word, meaning; behind an UNPACK the quadwords that it wrote to VU memory, with the decoded values.\n"
    "\n"
    "  --elf          FILE is an ELF executable; otherwise it is the stream itself, or raw memory\n"
    "  --state        FILE is a captured state, whose RAM is meant\n"
    "  --base ADDR    FILE is raw memory: its first byte lies at ADDR (0)\n"
    "  --start PLACE  address of the first word, a number or a symbol of the file [+N] (start of FILE)\n"
    "  --size N       bytes of the stream (up to the end of FILE or of the section)\n"
    "  --chain PLACE  list the source chain whose first DMA tag lies at PLACE\n"
    "  --no-tte       chain: the upper halves of the tags are not sent to the VIF\n"
    "  --unit N       VIF0 or VIF1 (1)\n"
    "  --cycle N      the CYCLE register before the first code (0x0101)\n"
    "  --tops N       the TOPS register before the first code (0)\n"
    "  --codes        leave out what UNPACK wrote\n"
    "  --json         print an array of {address, code, text, words} and, where they apply, {data}, "
    "{writes},\n"
    "                 {top, itop}; of tags {address, tag, text, qwc, target}\n"
    "\n"
    "Microprograms are not run. `fill` marks a quadword that took no data (STCYCL with WL greater than CL).\n"
    "\n"
    "Examples:\n"
    "  ps2h vif dis packet.bin\n"
    "  ps2h vif dis --elf --start packet --size 64 game.elf\n"
    "  ps2h vif dis --state --chain 0x5a0000 slot1.p2s\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

struct arguments {
    const char *path, *base, *start, *size, *chain, *unit, *cycle, *tops;
    bool elf, state, codes, json;
    struct vif_dis_options list;
    struct image image;
    struct recording recording;
    struct ps2 *ps2;
    bool printed, recorded;
};

static int take_options(struct arguments *a, int argc, char **argv)
{
    static const struct option names[] = {
        {"elf", no_argument, NULL, 'e'},         {"state", no_argument, NULL, 'S'},
        {"base", required_argument, NULL, 'b'},  {"start", required_argument, NULL, 's'},
        {"size", required_argument, NULL, 'n'},  {"chain", required_argument, NULL, 'c'},
        {"no-tte", no_argument, NULL, 'T'},      {"unit", required_argument, NULL, 'u'},
        {"cycle", required_argument, NULL, 'y'}, {"tops", required_argument, NULL, 't'},
        {"codes", no_argument, NULL, 'C'},       {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0},
    };
    const struct {
        int option;
        const char **text;
        bool *flag;
    } places[] = {
        {'e', NULL, &a->elf},   {'S', NULL, &a->state}, {'b', &a->base, NULL},         {'s', &a->start, NULL},
        {'n', &a->size, NULL},  {'c', &a->chain, NULL}, {'T', NULL, &a->list.no_tags}, {'u', &a->unit, NULL},
        {'y', &a->cycle, NULL}, {'t', &a->tops, NULL},  {'C', NULL, &a->codes},        {'j', NULL, &a->json},
    };
    int option;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return PS2_OK;
        }
        if (option == ':' || option == '?')
            return cli_option_error("vif dis", option, argv);
        for (size_t n = 0; n < sizeof places / sizeof *places; n++)
            if (places[n].option == option && places[n].text)
                *places[n].text = optarg;
            else if (places[n].option == option)
                *places[n].flag = true;
    }
    if (a->state && (a->elf || a->base))
        return cli_usage_error("vif dis: --state goes with neither --elf nor --base");
    if (optind + 1 != argc)
        return cli_usage_error("vif dis: give one file; `ps2h vif dis --help` says more");
    a->path = argv[optind];
    return -1;
}

static enum ps2_status number(const char *text, uint64_t max, uint64_t otherwise, uint64_t *value,
                              struct ps2_error *error)
{
    *value = otherwise;
    return text ? parse_count(text, max, value, error) : PS2_OK;
}

static enum ps2_status open_image(struct arguments *a, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    uint64_t base;
    enum ps2_status status = number(a->base, UINT32_MAX, 0, &base, error);
    if (status == PS2_OK)
        status = a->state ? state_extract_bytes(a->path, "ee-ram", &bytes, &size, error)
                          : file_read(a->path, FILE_LIMIT, &bytes, &size, error);
    if (status != PS2_OK)
        return status;
    const char *name = file_name(a->path);
    a->recorded = recording_is(bytes, size);
    if (a->recorded) {
        a->recording = (struct recording){name, bytes, size};
        return a->elf || a->start || a->size || a->chain || a->base
                   ? ps2_fail(error, PS2_BAD_INPUT, a->path, 0, "is a recording, which is listed as a whole")
                   : PS2_OK;
    }
    status = a->elf ? image_from_elf(&a->image, name, bytes, size, EE_RAM_SIZE_LARGE, error)
                    : image_from_raw(&a->image, name, bytes, size, (uint32_t)base, EE_RAM_SIZE_LARGE, error);
    a->list.start = (uint32_t)base;
    return status == PS2_OK ? machine_load(a->ps2, &a->image, error) : status;
}

static enum ps2_status read_arguments(struct arguments *a, struct ps2_error *error)
{
    uint64_t unit = 1, cycle = 0, tops = 0;
    enum ps2_status status = ps2_new(&(struct ps2_config){.ram_size = EE_RAM_SIZE_LARGE}, &a->ps2, error);
    if (status == PS2_OK)
        status = open_image(a, error);
    if (status == PS2_OK && (a->elf || a->state) && !a->start && !a->chain)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "%s needs --start or --chain",
                        a->elf ? "--elf" : "--state");
    if (status == PS2_OK && (a->start || a->chain))
        status = parse_place(a->ps2, a->chain ? a->chain : a->start, &a->list.start, error);
    if (status == PS2_OK)
        status = number(a->size, UINT32_MAX, 0, &a->list.size, error);
    if (status == PS2_OK)
        status = number(a->unit, 1, 1, &unit, error);
    if (status == PS2_OK)
        status = number(a->cycle, 0xffff, 0x0101, &cycle, error);
    if (status == PS2_OK)
        status = number(a->tops, 0x3ff, 0, &tops, error);
    a->list.chain = a->chain;
    a->list.unit = unit ? VIF_UNIT_1 : VIF_UNIT_0;
    a->list.cycle = (uint32_t)cycle;
    a->list.tops = (uint32_t)tops;
    return status;
}

static void print_line(void *context, const struct vif_dis_entry *entry)
{
    const struct arguments *a = context;
    printf("%08x  %08x  %s", entry->address, entry->code, entry->text);
    for (size_t n = 0; n < entry->data_count; n++)
        printf(" %08x", entry->data[n]);
    if (entry->starts)
        printf("  (TOP 0x%x, ITOP 0x%x)", entry->top, entry->itop);
    putchar('\n');
    for (size_t n = 0; n < entry->write_count && !a->codes; n++) {
        const struct vif_dis_write *write = &entry->writes[n];
        printf("                    [%03x] %08x %08x %08x %08x%s\n", write->quadword, write->words[0],
               write->words[1], write->words[2], write->words[3], write->fill ? " fill" : "");
    }
}

static json_t *word_array(const uint32_t *words, size_t count)
{
    json_t *array = json_array();
    for (size_t n = 0; n < count; n++)
        json_array_append_new(array, json_sprintf("0x%08x", words[n]));
    return array;
}

static json_t *write_array(const struct vif_dis_entry *entry)
{
    json_t *array = json_array();
    for (size_t n = 0; n < entry->write_count; n++)
        json_array_append_new(array, json_pack("{s:i, s:b, s:o}", "quadword", (int)entry->writes[n].quadword,
                                               "fill", entry->writes[n].fill, "words",
                                               word_array(entry->writes[n].words, 4)));
    return array;
}

static void print_json(void *context, const struct vif_dis_entry *entry)
{
    struct arguments *a = context;
    json_t *object = json_pack("{s:o, s:o, s:s, s:I}", "address", json_sprintf("0x%08x", entry->address),
                               entry->is_tag ? "tag" : "code", json_sprintf("0x%08x", entry->code), "text",
                               entry->text, entry->is_tag ? "qwc" : "words", (json_int_t)entry->words);
    if (entry->is_tag)
        json_object_set_new(object, "target", json_sprintf("0x%08x", entry->target));
    if (entry->data_count)
        json_object_set_new(object, "data", word_array(entry->data, entry->data_count));
    if (entry->write_count && !a->codes)
        json_object_set_new(object, "writes", write_array(entry));
    if (entry->starts) {
        json_object_set_new(object, "top", json_integer(entry->top));
        json_object_set_new(object, "itop", json_integer(entry->itop));
    }
    fputs(a->printed ? ",\n" : "\n", stdout);
    json_dumpf(object, stdout, 0);
    json_decref(object);
    a->printed = true;
}

static int dis(int argc, char **argv)
{
    struct arguments a = {0};
    struct ps2_error error;
    int status = take_options(&a, argc, argv);
    if (status < 0) {
        status = (int)read_arguments(&a, &error);
        if (status == PS2_OK) {
            fputs(a.json ? "[" : "", stdout);
            vif_dis_visit *visit = a.json ? print_json : print_line;
            status = (int)(a.recorded ? vif_dis_recording(&a.recording, &a.list, visit, &a, &error)
                                      : vif_dis(&a.image, &a.list, visit, &a, &error));
            fputs(a.json ? "\n]\n" : "", stdout);
        }
        fflush(stdout);
        if (status != PS2_OK)
            cli_report(&error);
    }
    image_free(&a.image);
    recording_free(&a.recording);
    ps2_free(a.ps2);
    return status;
}

int cmd_vif(int argc, char **argv)
{
    static const struct cli_command commands[] = {
        {"dis", "lists the codes of a stream or DMA chain", dis},
        {NULL, NULL, NULL},
    };
    static const struct cli_group group = {
        .name = "ps2h vif",
        .usage = "Usage: ps2h vif COMMAND [OPTION]...\nVIF streams.\n",
        .commands = commands,
        .examples = "  ps2h vif dis packet.bin\n",
    };
    return cli_run_group(&group, argc, argv);
}
