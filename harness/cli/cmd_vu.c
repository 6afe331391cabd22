// `ps2h vu`: the vector units' assembler and disassembler, and what their commands share.
#include "harness/cli/cmd_vu.h"
#include "harness/cli/parse.h"
#include "harness/file.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_command commands[] = {
    {"asm", "assembles a microprogram", cmd_vu_asm},
    {"dis", "disassembles a microprogram", cmd_vu_dis},
    {"run", "runs a microprogram and shows what it leaves", cmd_vu_run},
    {"programs", "lists or extracts the microprograms of an ELF file", cmd_vu_programs},
    {NULL, NULL, NULL},
};

int cmd_vu(int argc, char **argv)
{
    static const struct cli_group group = {
        .name = "ps2h vu",
        .usage = "Usage: ps2h vu COMMAND [OPTION]...\nVector unit microprograms.\n",
        .commands = commands,
        .examples = "  ps2h vu asm -o transform.bin transform.vsm && ps2h vu dis transform.bin\n"
                    "  ps2h vu run --vi 1=16 --trace loop.vsm\n"
                    "  ps2h vu programs SCUS_972.68\n",
    };
    return cli_run_group(&group, argc, argv);
}

bool cmd_vu_number(const char *text, uint64_t max, uint64_t *value)
{
    return parse_count(text, max, value, NULL) == PS2_OK;
}

static bool is_text(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".vsm") || !strcmp(dot, ".vu") || !strcmp(dot, ".s"));
}

static enum ps2_status assemble(const char *path, const uint8_t *bytes, size_t size,
                                struct vu_assembly *program, struct ps2_error *error)
{
    unsigned line;
    char why[VU_MESSAGE_SIZE];
    if (vu_assemble((const char *)bytes, size, program, &line, why))
        return PS2_OK;
    return ps2_fail(error, PS2_BAD_INPUT, path, line, "line %u: %s", line, why);
}

enum ps2_status cmd_vu_load(const char *path, struct vu_assembly *program, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    enum ps2_status status = file_read(path, FILE_LIMIT, &bytes, &size, error);
    if (status != PS2_OK)
        return status;
    if (is_text(path)) {
        status = assemble(path, bytes, size, program, error);
        free(bytes);
    } else if (size % 8) {
        status = ps2_fail(error, PS2_BAD_INPUT, path, size, "is not a whole number of 8-byte pairs");
        free(bytes);
    } else {
        *program = (struct vu_assembly){(uint32_t *)(void *)bytes, size / 8};
    }
    if (status == PS2_OK && program->pairs > VU1_MICRO_SIZE / 8) {
        free(program->words);
        return ps2_fail(error, PS2_BAD_INPUT, path, VU1_MICRO_SIZE, "is longer than VU1's 2048 pairs");
    }
    return status;
}

// ---- asm

static const char asm_help[] =
    "Usage: ps2h vu asm [-o OUT] FILE\n"
    "Assembles VU code in the syntax of dvp-as: an upper and a lower instruction on each line.\n"
    "\n"
    "  -o, --output FILE   write the pairs to FILE, 8 bytes each, the lower word first\n"
    "\n"
    "Without -o the pairs are printed, one a line: index, upper word, lower word.\n"
    "\n"
    "Examples:\n"
    "  ps2h vu asm transform.vsm\n"
    "  ps2h vu asm -o transform.bin transform.vsm\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

static int write_pairs(const char *path, const struct vu_assembly *program)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return cli_usage_error("%s: cannot be written: %s", path, strerror(errno));
    size_t written = fwrite(program->words, 8, program->pairs, out);
    if (fclose(out) || written != program->pairs)
        return cli_usage_error("%s: cannot be written: %s", path, strerror(errno));
    return PS2_OK;
}

int cmd_vu_asm(int argc, char **argv)
{
    static const struct option names[] = {
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *output = NULL;
    int option;
    while ((option = getopt_long(argc, argv, ":o:", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(asm_help, stdout);
            return PS2_OK;
        }
        if (option != 'o')
            return cli_option_error("vu asm", option, argv);
        output = optarg;
    }
    if (optind + 1 != argc)
        return cli_usage_error("vu asm: give one file; `ps2h vu asm --help` says more");
    struct ps2_error error;
    struct vu_assembly program;
    uint8_t *bytes;
    size_t size;
    int status = (int)file_read(argv[optind], FILE_LIMIT, &bytes, &size, &error);
    if (status == PS2_OK) {
        status = (int)assemble(argv[optind], bytes, size, &program, &error);
        free(bytes);
    }
    if (status != PS2_OK)
        return cli_report(&error);
    if (output)
        status = write_pairs(output, &program);
    for (size_t k = 0; !output && k < program.pairs; k++)
        printf("%04zx %08x %08x\n", k, program.words[2 * k + 1], program.words[2 * k]);
    free(program.words);
    return status;
}

// ---- dis

static const char dis_help[] =
    "Usage: ps2h vu dis [OPTION]... FILE\n"
    "Prints microcode (pairs of 8 bytes, the lower word first) as assembly that `ps2h vu asm` turns back "
    "into the same\n"
    "bytes.\n"
    "\n"
    "  --words        put the index and the two words behind each pair, as a comment\n"
    "  --json         print an array of {pair, upper, lower, text}\n"
    "\n"
    "Examples:\n"
    "  ps2h vu dis transform.bin\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

struct labels {
    bool *wanted;
    size_t pairs;
    char name[16];
    bool collect;
};

static const char *label_name(void *context, uint32_t pair)
{
    struct labels *labels = context;
    if (pair >= labels->pairs)
        return NULL;
    if (labels->collect)
        labels->wanted[pair] = true;
    snprintf(labels->name, sizeof labels->name, "L%04x", pair);
    return labels->name;
}

static void print_pairs(const struct vu_assembly *program, bool words, bool *wanted)
{
    struct labels labels = {.wanted = wanted, .pairs = program->pairs, .collect = true};
    char text[160];
    for (uint32_t k = 0; k < program->pairs; k++)
        vu_disassemble(k, program->words[2 * k + 1], program->words[2 * k], label_name, &labels, text,
                       sizeof text);
    labels.collect = false;
    for (uint32_t k = 0; k < program->pairs; k++) {
        uint32_t upper = program->words[2 * k + 1], lower = program->words[2 * k];
        vu_disassemble(k, upper, lower, label_name, &labels, text, sizeof text);
        if (wanted[k])
            printf("L%04x:\n", k);
        if (words)
            printf("        %-72s ; %04x %08x %08x\n", text, k, upper, lower);
        else
            printf("        %s\n", text);
    }
}

static void print_json(const struct vu_assembly *program)
{
    json_t *array = json_array();
    char text[160];
    for (uint32_t k = 0; k < program->pairs; k++) {
        uint32_t upper = program->words[2 * k + 1], lower = program->words[2 * k];
        vu_disassemble(k, upper, lower, NULL, NULL, text, sizeof text);
        json_array_append_new(array, json_pack("{s:I, s:o, s:o, s:s}", "pair", (json_int_t)k, "upper",
                                               json_sprintf("0x%08x", upper), "lower",
                                               json_sprintf("0x%08x", lower), "text", text));
    }
    json_dumpf(array, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(array);
}

int cmd_vu_dis(int argc, char **argv)
{
    static const struct option names[] = {{"words", no_argument, NULL, 'w'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool words = false, json = false;
    int option;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(dis_help, stdout);
            return PS2_OK;
        }
        if (option != 'w' && option != 'j')
            return cli_option_error("vu dis", option, argv);
        words = words || option == 'w';
        json = json || option == 'j';
    }
    if (optind + 1 != argc)
        return cli_usage_error("vu dis: give one file; `ps2h vu dis --help` says more");
    struct ps2_error error;
    struct vu_assembly program;
    if (cmd_vu_load(argv[optind], &program, &error) != PS2_OK)
        return cli_report(&error);
    bool *wanted = calloc(program.pairs + 1, 1);
    if (wanted && json)
        print_json(&program);
    else if (wanted)
        print_pairs(&program, words, wanted);
    free(wanted);
    free(program.words);
    return wanted ? PS2_OK : cli_usage_error("vu dis: not enough memory");
}
