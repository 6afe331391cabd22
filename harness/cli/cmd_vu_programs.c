// `ps2h vu programs`: the microprograms that an ELF file carries, listed or written to files.
#include "harness/cli/cmd_vu.h"
#include "harness/file.h"
#include "harness/vu_programs.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: ps2h vu programs [OPTION]... ELF\n"
    "Lists the VU microprograms of a PlayStation 2 executable: those its overlay table names, or, without a "
    "table,\n"
    "what the MPG codes in .vutext upload.\n"
    "\n"
    "  --extract N    write program N to a file, as it lies in micro memory from its first byte on\n"
    "  -o, --output FILE\n"
    "                 where to (default: programN.bin)\n"
    "  --json         print an array of {program, micro, size, address, name}\n"
    "\n"
    "A program that is longer than 256 pairs comes in several pieces. Columns: program, first pair and "
    "number of pairs\n"
    "in micro memory, address in EE memory, name.\n"
    "\n"
    "Examples:\n"
    "  ps2h vu programs SCUS_972.68\n"
    "  ps2h vu programs --extract 2 -o tfrag.bin SCUS_972.68 && ps2h vu dis tfrag.bin\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

struct options {
    const char *path, *output;
    bool extract, json;
    uint64_t number;
};

// Returns the exit status, or -1 to go on.
static int take_options(struct options *options, int argc, char **argv)
{
    static const struct option names[] = {{"extract", required_argument, NULL, 'x'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, ":o:", names, NULL)) != -1)
        switch (option) {
        case 'x':
            options->extract = true;
            if (!cmd_vu_number(optarg, UINT32_MAX, &options->number))
                return cli_usage_error("vu programs: --extract %s: not a number", optarg);
            break;
        case 'o':
            options->output = optarg;
            break;
        case 'j':
            options->json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return PS2_OK;
        default:
            return cli_option_error("vu programs", option, argv);
        }
    if (optind + 1 != argc)
        return cli_usage_error("vu programs: give one ELF file; `ps2h vu programs --help` says more");
    options->path = argv[optind];
    return -1;
}

static void list(const struct vu_programs *programs)
{
    printf("program  micro  pairs  address     name\n");
    for (size_t k = 0; k < programs->count; k++) {
        const struct vu_chunk *chunk = &programs->chunks[k];
        printf("%7u  0x%03x  %5u  0x%08x%s%s\n", chunk->program, chunk->micro / 8, chunk->size / 8,
               chunk->address, *chunk->name ? "  " : "", chunk->name);
    }
}

static void list_json(const struct vu_programs *programs)
{
    json_t *array = json_array();
    for (size_t k = 0; k < programs->count; k++) {
        const struct vu_chunk *chunk = &programs->chunks[k];
        json_array_append_new(array,
                              json_pack("{s:i, s:i, s:i, s:o, s:s}", "program", (int)chunk->program, "micro",
                                        (int)chunk->micro, "size", (int)chunk->size, "address",
                                        json_sprintf("0x%08x", chunk->address), "name", chunk->name));
    }
    json_dumpf(array, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(array);
}

static int extract(const struct vu_programs *programs, const struct options *options)
{
    uint8_t image[VU1_MICRO_SIZE] = {0};
    uint32_t first = UINT32_MAX, end = 0;
    char name[32];
    for (size_t k = 0; k < programs->count; k++) {
        const struct vu_chunk *chunk = &programs->chunks[k];
        if (chunk->program != options->number)
            continue;
        memcpy(image + chunk->micro, chunk->bytes, chunk->size);
        first = chunk->micro < first ? chunk->micro : first;
        end = chunk->micro + chunk->size > end ? chunk->micro + chunk->size : end;
    }
    if (!end)
        return cli_usage_error("vu programs: %s has no microprogram %llu", options->path,
                               (unsigned long long)options->number);
    snprintf(name, sizeof name, "program%u.bin", (unsigned)options->number);
    const char *path = options->output ? options->output : name;
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(image + first, 1, end - first, out) != end - first || fclose(out))
        return cli_usage_error("%s: cannot be written: %s", path, strerror(errno));
    printf("%s: %u pairs from pair 0x%03x on\n", path, (end - first) / 8, first / 8);
    return PS2_OK;
}

int cmd_vu_programs(int argc, char **argv)
{
    struct options options = {.path = NULL};
    struct ps2_error error;
    struct vu_programs programs;
    uint8_t *bytes;
    size_t size;
    int status = take_options(&options, argc, argv);
    if (status >= 0)
        return status;
    if (file_read(options.path, FILE_LIMIT, &bytes, &size, &error) != PS2_OK)
        return cli_report(&error);
    if (vu_programs_find(options.path, bytes, size, &programs, &error) != PS2_OK) {
        free(bytes);
        return cli_report(&error);
    }
    status = PS2_OK;
    if (options.extract)
        status = extract(&programs, &options);
    else if (options.json)
        list_json(&programs);
    else
        list(&programs);
    vu_programs_free(&programs);
    free(bytes);
    return status;
}
