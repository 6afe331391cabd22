// `ps2h exec`: runs a whole program.
#include "harness/cli/cli.h"
#include "harness/cli/parse.h"
#include "harness/cli/record_file.h"
#include "harness/cli/symbol_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 16

static const char help[] =
    "Usage: ps2h exec [OPTION]... PROGRAM.elf [-- ARGUMENT...]\n"
    "Runs a program made with ps2sdk, or one like it, under a model of the console's kernel: threads, "
    "semaphores,\n"
    "interrupts, timers, and the file service. Its output goes to standard output.\n"
    "\n"
    "  --root DIR          the program's files (host:, cdrom0:, mass:) are those below DIR; without it, "
    "none\n"
    "  --max-insns N       stop after N instructions (0: never)\n"
    "  --timeout S         stop after S seconds (0: never)\n"
    "  --engine NAME       unicorn (the default), interp, or lockstep: both, stopping where they differ\n"
    "  --no-vblank         no video fields, so no vertical blanking interrupts\n"
    "  --ram 32|128        megabytes of RAM\n"
    "  --fcr0 VALUE        FPU implementation register (0x2e40; an earlier console has 0x2e30)\n"
    "  --stats             print the instructions run to standard error\n"
    "  --record FILE       DMA, VIF codes, microprograms and GIF data with their causes; `ps2h recording` "
    "lists it\n"
    "  --draw OUT.png      the GS draws; what it shows at the end\n"
    "\n"
    "Names of what is loaded:\n" SYMBOL_OPTIONS_HELP "\n"
    "Examples:\n"
    "  ps2h exec hello.elf\n"
    "  ps2h exec game.elf --root disc --timeout 10\n"
    "  ps2h exec tool.elf --root . --max-insns 1000000000 -- -v level.bin\n"
    "\n"
    "Exit status: that of the program; 2 usage or bad input; 3 it faulted, deadlocked or reached a limit.\n";

enum option_number { HELP, ROOT, MAX_INSNS, TIMEOUT, ENGINE, NO_VBLANK, RAM, FCR0, STATS, RECORD, DRAW };

static const struct option options[] = {
    {"help", no_argument, NULL, HELP},
    {"root", required_argument, NULL, ROOT},
    {"max-insns", required_argument, NULL, MAX_INSNS},
    {"timeout", required_argument, NULL, TIMEOUT},
    {"engine", required_argument, NULL, ENGINE},
    {"no-vblank", no_argument, NULL, NO_VBLANK},
    {"ram", required_argument, NULL, RAM},
    {"fcr0", required_argument, NULL, FCR0},
    {"stats", no_argument, NULL, STATS},
    {"record", required_argument, NULL, RECORD},
    {"draw", required_argument, NULL, DRAW},
    SYMBOL_OPTIONS,
    {NULL, 0, NULL, 0},
};

struct command {
    struct ps2_config machine;
    struct ps2_exec exec;
    struct record_file record;
    struct symbol_options symbols;
    const char *picture;
    bool help, stats;
};

static enum ps2_status take(struct command *c, int option, const char *text, struct ps2_error *error)
{
    uint64_t value = 0;
    enum ps2_status status = PS2_OK;
    switch (option) {
    case HELP:
        c->help = true;
        break;
    case ROOT:
        c->exec.kernel.root = text;
        break;
    case MAX_INSNS:
        status = parse_count(text, UINT64_MAX, &c->exec.limits.insns, error);
        break;
    case TIMEOUT:
        status = parse_count(text, UINT32_MAX / 1000, &value, error);
        c->exec.limits.timeout_ms = (unsigned)value * 1000;
        break;
    case ENGINE:
        status = parse_engine(text, &c->machine.engine, error);
        break;
    case NO_VBLANK:
        c->exec.kernel.no_vblank = true;
        break;
    case RAM:
        status = parse_count(text, 128, &value, error);
        if (status == PS2_OK && value != 32 && value != 128)
            return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is neither 32 nor 128 megabytes", text);
        c->machine.ram_size = (uint32_t)value << 20;
        break;
    case FCR0:
        status = parse_fcr0(text, &c->machine.fcr0, error);
        break;
    case STATS:
        c->stats = true;
        break;
    case RECORD:
        c->record.path = text;
        break;
    case DRAW:
        c->picture = text;
        break;
    }
    return status;
}

static void print(void *context, int descriptor, const void *data, size_t size)
{
    (void)context;
    fwrite(data, 1, size, descriptor == 2 ? stderr : stdout);
}

static int run(struct command *c, const char *path, struct ps2 *ps2)
{
    struct ps2_error error;
    struct ps2_exec_result result = {0};
    enum ps2_status status = ps2_load_elf(ps2, path, &error);
    if (status == PS2_OK)
        status = symbol_options_apply(&c->symbols, ps2, &error);
    if (status == PS2_OK)
        status = record_file_begin(&c->record, ps2, &error);
    if (status == PS2_OK && c->picture)
        status = ps2_draw(ps2, &error);
    if (status == PS2_OK)
        status = ps2_exec(ps2, &c->exec, &result, &error);
    fflush(stdout);
    if (status == PS2_GUEST_FAULT && result.stop.kind == GUEST_FAULT)
        ps2_report(ps2, &result.stop, NULL, stderr);
    struct ps2_error later;
    enum ps2_status recorded = record_file_end(&c->record, status == PS2_OK ? &error : &later);
    if (recorded == PS2_OK && c->picture && status != PS2_BAD_INPUT)
        recorded = ps2_save_picture(ps2, c->picture, status == PS2_OK ? &error : &later);
    if (status == PS2_OK)
        status = recorded;
    else if (recorded != PS2_OK)
        cli_report(&later);
    if (status != PS2_OK)
        return cli_report(&error);
    if (c->stats)
        fprintf(stderr, "ps2h: %llu instructions\n", (unsigned long long)result.stop.insns);
    return result.exit_status & 0xff;
}

int cmd_exec(int argc, char **argv)
{
    struct command c = {.exec.kernel.output = print};
    struct ps2_error error;
    struct ps2 *ps2;
    const char *arguments[ARGUMENTS_MAX];
    char name[256];
    int option, index = 0, status;
    while ((option = getopt_long(argc, argv, ":", options, &index)) != -1) {
        if (option == ':' || option == '?')
            return cli_option_error("exec", option, argv);
        if (symbol_options_take(&c.symbols, option, optarg))
            continue;
        if (take(&c, option, optarg, &error) != PS2_OK)
            return cli_usage_error("--%s: %s", options[index].name, error.message);
    }
    if (c.help) {
        fputs(help, stdout);
        return PS2_OK;
    }
    if (optind == argc)
        return cli_usage_error("exec: which program? `ps2h exec --help` describes the command");
    if (argc - optind > ARGUMENTS_MAX)
        return cli_usage_error("exec: a program takes at most %d arguments", ARGUMENTS_MAX - 1);
    const char *path = argv[optind], *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "host:%s", slash ? slash + 1 : path);
    arguments[0] = name;
    for (int n = optind + 1; n < argc; n++)
        arguments[n - optind] = argv[n];
    c.exec.arguments = arguments;
    c.exec.argument_count = argc - optind;
    if (ps2_new(&c.machine, &ps2, &error) != PS2_OK)
        return cli_report(&error);
    status = run(&c, path, ps2);
    ps2_free(ps2);
    return status;
}
