// `ps2h recording`: what `--record` wrote, record by record, each with its cause.
#include "harness/cli/cli.h"
#include "harness/recording.h"

#include "vif/vif.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: ps2h recording [OPTION]... FILE\n"
    "Lists what `ps2h exec --record` or `ps2h run --record` wrote: DMA transfers, VIF data and codes, runs "
    "of\n"
    "microprograms, GIF data, stores to the registers of VIF, GIF and GS. A line begins with the record's "
    "number and\n"
    "ends with its cause: another record, and the instruction inside which it happened.\n"
    "\n"
    "  --json   print an array of {record, kind, cause, pc, clock} and what the kind has; cause is null "
    "where the\n"
    "           EE itself was it\n"
    "\n"
    "`ps2h vif dis FILE` decodes the VIF data, `ps2h gif list FILE` the GIF data.\n"
    "\n"
    "Examples:\n"
    "  ps2h exec game.elf --record frame.rec && ps2h recording frame.rec\n"
    "  ps2h recording --json frame.rec | jq '.[] | select(.kind == \"gif\")'\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

static const char *const kinds[RECORD_KINDS] = {NULL,     "dma", "vif data", "vif code",  "vu start",
                                                "vu end", "gif", "store",    "vif state", "vu memory"};
static const char *const channels[] = {"VIF0", "VIF1", "GIF",  "IPU_FROM", "IPU_TO",
                                       "SIF0", "SIF1", "SIF2", "SPR_FROM", "SPR_TO"};
static const char *const tags[] = {"REFE", "CNT", "NEXT", "REF", "REFS", "CALL", "RET", "END"};

static struct record_dma dma_of(const struct record *record)
{
    struct record_dma dma;
    memcpy(&dma, record->data, sizeof dma);
    return dma;
}

static struct record_vu_end end_of(const struct record *record)
{
    struct record_vu_end end;
    memcpy(&end, record->data, sizeof end);
    return end;
}

static uint64_t value_of(const struct record *record)
{
    uint64_t value;
    memcpy(&value, record->data, sizeof value);
    return value;
}

// ---- text

static void describe_dma(const struct record *record, char *out, size_t size)
{
    struct record_dma dma = dma_of(record);
    const char *way = record->header.b & RECORDING_TO_MEMORY ? "to" : "from";
    if (record->header.b & RECORDING_HAS_TAG)
        snprintf(out, size, "%s %s at 0x%08x, %u quadwords %s 0x%08x", channels[record->header.a],
                 tags[dma.tag[0] >> 28 & 7], dma.tag_address, dma.quadwords, way, dma.address);
    else
        snprintf(out, size, "%s %u quadwords %s 0x%08x", channels[record->header.a], dma.quadwords, way,
                 dma.address);
}

static void describe(const struct record *record, char *out, size_t size)
{
    const struct record_header *header = &record->header;
    char text[VIF_TEXT_SIZE];
    *out = 0;
    switch (header->kind) {
    case RECORD_DMA:
        describe_dma(record, out, size);
        break;
    case RECORD_VIF_DATA:
        snprintf(out, size, "VIF%u %u words from 0x%08x", header->a, header->size / 4, header->b);
        break;
    case RECORD_VIF_CODE:
        vif_disassemble(header->a ? VIF_UNIT_1 : VIF_UNIT_0, header->b, text, sizeof text);
        snprintf(out, size, "VIF%u %s", header->a, text);
        break;
    case RECORD_VU_START:
        snprintf(out, size, "VU%u pair 0x%x", header->a, header->b);
        break;
    case RECORD_VU_END: {
        struct record_vu_end end = end_of(record);
        snprintf(out, size, "VU%u pair 0x%x, %s, %llu pairs, %llu cycles", header->a, header->b,
                 end.stop <= VU_KICK_RUNS ? vu_stop_name((enum vu_stop_kind)end.stop) : "?",
                 (unsigned long long)end.pairs, (unsigned long long)end.cycles);
        break;
    }
    case RECORD_GIF:
        snprintf(out, size, "PATH%u %u quadwords", header->a, header->size / 16);
        break;
    case RECORD_STORE:
        snprintf(out, size, "0x%08x = 0x%llx", header->a, (unsigned long long)value_of(record));
        break;
    case RECORD_VIF_STATE:
        snprintf(out, size, "VIF%u +0x%02x = 0x%x", header->a, header->b, (uint32_t)value_of(record));
        break;
    case RECORD_VU_MEMORY:
        snprintf(out, size, "VU%u %u bytes %s", header->a, header->size, header->b ? "after" : "before");
        break;
    }
}

static void print_record(const struct record *record)
{
    char text[160];
    describe(record, text, sizeof text);
    printf("%u %s %s", record->index, kinds[record->header.kind], text);
    if (record->header.cause != RECORDING_NO_CAUSE)
        printf(", by %u", record->header.cause);
    if (record->header.kind != RECORD_VIF_STATE)
        printf(", pc 0x%08x", record->header.pc);
    putchar('\n');
}

// ---- JSON

static void add(json_t *object, const char *name, uint64_t value)
{
    json_object_set_new(object, name, json_integer((json_int_t)value));
}

static void add_own(json_t *object, const struct record *record)
{
    const struct record_header *header = &record->header;
    if (header->kind == RECORD_DMA) {
        struct record_dma dma = dma_of(record);
        json_object_set_new(object, "channel", json_string(channels[header->a]));
        json_object_set_new(object, "to_memory", json_boolean(header->b & RECORDING_TO_MEMORY));
        if (header->b & RECORDING_HAS_TAG) {
            json_object_set_new(object, "tag", json_string(tags[dma.tag[0] >> 28 & 7]));
            add(object, "tag_address", dma.tag_address);
        }
        add(object, "address", dma.address);
        add(object, "quadwords", dma.quadwords);
    } else if (header->kind == RECORD_STORE) {
        add(object, "address", header->a);
        json_object_set_new(object, "value", json_sprintf("0x%llx", (unsigned long long)value_of(record)));
    } else if (header->kind == RECORD_GIF) {
        add(object, "path", header->a);
        add(object, "quadwords", header->size / 16);
    } else {
        add(object, "unit", header->a);
    }
    if (header->kind == RECORD_VIF_DATA) {
        add(object, "address", header->b);
        add(object, "words", header->size / 4);
    } else if (header->kind == RECORD_VIF_CODE) {
        char text[VIF_TEXT_SIZE];
        vif_disassemble(header->a ? VIF_UNIT_1 : VIF_UNIT_0, header->b, text, sizeof text);
        json_object_set_new(object, "code", json_sprintf("0x%08x", header->b));
        json_object_set_new(object, "text", json_string(text));
    } else if (header->kind == RECORD_VU_START || header->kind == RECORD_VU_END) {
        add(object, "pair", header->b);
    } else if (header->kind == RECORD_VIF_STATE) {
        add(object, "register", header->b);
        add(object, "value", value_of(record));
    }
    if (header->kind == RECORD_VU_END) {
        struct record_vu_end end = end_of(record);
        const char *name = end.stop <= VU_KICK_RUNS ? vu_stop_name((enum vu_stop_kind)end.stop) : "?";
        json_object_set_new(object, "stop", json_string(name));
        add(object, "pairs", end.pairs);
        add(object, "cycles", end.cycles);
    }
}

static void print_json(const struct record *record)
{
    const struct record_header *header = &record->header;
    json_t *object = json_object();
    add(object, "record", record->index);
    json_object_set_new(object, "kind", json_string(kinds[header->kind]));
    json_object_set_new(object, "cause",
                        header->cause == RECORDING_NO_CAUSE ? json_null() : json_integer(header->cause));
    json_object_set_new(object, "pc", json_sprintf("0x%08x", header->pc));
    add(object, "clock", header->clock);
    add_own(object, record);
    fputs(record->index ? ",\n" : "\n", stdout);
    json_dumpf(object, stdout, 0);
    json_decref(object);
}

static enum ps2_status list(const char *path, bool json, struct ps2_error *error)
{
    struct recording recording;
    struct record record;
    size_t at = 0;
    uint32_t count = 0;
    enum ps2_status status = recording_open(&recording, path, error);
    if (json && status == PS2_OK)
        fputs("[", stdout);
    for (bool end = false; status == PS2_OK && !end;) {
        status = recording_next(&recording, &at, &count, &record, &end, error);
        if (status == PS2_OK && !end)
            (json ? print_json : print_record)(&record);
    }
    if (json && recording.bytes)
        fputs("\n]\n", stdout);
    recording_free(&recording);
    return status;
}

int cmd_recording(int argc, char **argv)
{
    static const struct option names[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct ps2_error error;
    bool json = false;
    int option;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return PS2_OK;
        }
        if (option != 'j')
            return cli_option_error("recording", option, argv);
        json = true;
    }
    if (optind + 1 != argc)
        return cli_usage_error("recording: which file? `ps2h recording --help` describes the command");
    enum ps2_status status = list(argv[optind], json, &error);
    fflush(stdout);
    return status == PS2_OK ? PS2_OK : cli_report(&error);
}
