// `ps2h run`: loads programs, calls a function, prints what it did.
#include "harness/cli/parse.h"
#include "harness/cli/run.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LIMIT 1000000000u

// When an option acts. Within a stage they act in the order of the command line.
enum stage {
    AT_ONCE,
    LOADING,  // files into memory
    MAKING,   // buffers, which later options may name
    SETTING,  // everything else before the run
    WATCHING, // observers see nothing of the setting up
    AFTER,
};

static const struct {
    const char *name;
    bool has_value;
    enum stage stage;
    run_action *act;
} options[] = {
    {"engine", true, AT_ONCE, run_engine},
    {"ram", true, AT_ONCE, run_ram},
    {"fcr0", true, AT_ONCE, run_fcr0},
    {"call", true, AT_ONCE, run_call},
    {"limit", true, AT_ONCE, run_limit},
    {"timeout", true, AT_ONCE, run_timeout},
    {"trace", true, AT_ONCE, run_trace},
    {"coverage", true, AT_ONCE, run_coverage},
    {"record", true, AT_ONCE, run_record},
    {"draw", true, AT_ONCE, run_draw},
    {"history", false, AT_ONCE, run_history},
    {"json", false, AT_ONCE, run_json},
    {"kernel", false, AT_ONCE, run_kernel},
    {"vblank", false, AT_ONCE, run_vblank},
    {"symbols", true, AT_ONCE, run_symbols},
    {"module", true, AT_ONCE, run_module},
    {"load-map", true, AT_ONCE, run_load_map},
    {"elf", true, LOADING, run_elf},
    {"load", true, LOADING, run_load},
    {"overlay", true, LOADING, run_overlay},
    {"buf", true, MAKING, run_buf},
    {"arg", true, SETTING, run_arg},
    {"gp", true, SETTING, run_gp},
    {"sp", true, SETTING, run_sp},
    {"reg", true, SETTING, run_reg},
    {"poke", true, SETTING, run_poke},
    {"stub", true, SETTING, run_stub},
    {"watch", true, WATCHING, run_watch_range},
    {"dump", true, AFTER, run_dump},
    {"state", true, AT_ONCE, run_state},
    {"raw", true, LOADING, run_raw},
    {"quiesce", true, AT_ONCE, run_quiesce},
    {"syscalls", true, AT_ONCE, run_syscalls},
    {"save-state", true, AFTER, run_save_state},
};
#define OPTION_COUNT (sizeof options / sizeof *options)

static const char help[] =
    "Usage: ps2h run [OPTION]...\n"
    "Loads programs, calls a function, prints what it returned and what it changed.\n"
    "\n"
    "Loading, in the order given (a later file hides the symbols it overwrites):\n"
    "  --elf FILE            an ELF executable\n"
    "  --overlay FILE        an overlay.bin, by its own section list\n"
    "  --load FILE@ADDR      the bytes of a file\n" STATE_LOAD_HELP
    "Names of what is loaded:\n" SYMBOL_OPTIONS_HELP "Calling:\n"
    "  --call FUNC           what to call; the entry point of the last file when absent\n"
    "  --arg VALUE           the next argument, by the EABI\n"
    "  --buf NAME=SIZE|FILE  fresh memory, zero or the bytes of a file; @NAME is its address\n"
    "  --gp ADDR, --sp ADDR  the global and the stack pointer (default: of the ELF file; below the buffers)\n"
    "  --reg NAME=VALUE      a register\n"
    "  --poke ADDR=HEX|FILE  bytes into memory\n"
    "  --stub FUNC[=VALUE]   FUNC returns VALUE (0) at once\n"
    "  --limit N             stop after N instructions (default 1000000000; 0: never)\n"
    "  --timeout MS          stop after that time\n"
    "Looking:\n"
    "  --watch ADDR:LEN      a table of the accesses to a range\n"
    "  --trace FILE          a line for each instruction ('-': standard output)\n"
    "  --coverage FILE       how often each address ran ('-': standard output)\n"
    "  --history             record the last instructions and accesses for the report of a fault; any of "
    "the\n"
    "                        three above does so too\n"
    "  --record FILE         DMA, VIF codes, microprograms and GIF data with their causes; `ps2h recording` "
    "lists "
    "it\n"
    "  --draw OUT.png        the GS draws; what it shows after the run\n"
    "  --dump ADDR:LEN=FILE  memory after the run, into a file\n"
    "  --save-state FILE     the machine after the run, as a state file\n"
    "  --json                print the result as JSON\n"
    "The machine:\n"
    "  --engine NAME         unicorn (the default), interp, or lockstep: both, stopping where they differ\n"
    "  --syscalls WHAT       hle: served by the kernel model of `ps2h exec` (the default on captured state, "
    "whose\n"
    "                        threads it takes over), what the program prints going to standard error; stub: "
    "they\n"
    "                        return 0; fault: they end the run (the default elsewhere)\n"
    "  --kernel              the same as --syscalls=hle\n"
    "  --vblank              the same, with vertical blanking interrupts\n"
    "  --ram 32|128          megabytes of RAM\n"
    "  --fcr0 VALUE          FPU implementation register (0x2e40; an earlier console has 0x2e30)\n"
    "\n"
    "VALUE: 42, -1, 0xff (32-bit values are sign-extended), f:1.5, f:#3fc00000 (a float by its bits),\n"
    "  q:HEX (128 bits), @NAME[+N] (the address of a buffer or symbol).\n"
    "ADDR, FUNC: a number, or a symbol or buffer [+N]. HEX: pairs of digits; write ./12 for a file of that "
    "name.\n"
    "\n"
    "Examples:\n"
    "  ps2h run --elf game.elf --call add --arg 20 --arg 22\n"
    "  ps2h run --elf game.elf --buf out=64 --call decode --arg @out --arg 64 --dump out:64=decoded.bin\n"
    "  ps2h run --load ram.bin@0 --overlay overlay.bin --call 0x2a3b88 --gp 0x1aeff0 --stub 0x120000=1\n"
    "  ps2h run --load ram.bin@0 --symbols level0=functions.tsv --call level0:Light\n"
    "  ps2h run --elf game.elf --call sum --buf list=list.bin --arg @list --arg 5 --watch list:20\n"
    "  ps2h run --state slot1.p2s --call 0x2a3b88 --arg 1 --quiesce=drain\n"
    "\n"
    "Exit status: 0 the function returned, 2 usage or bad input, 3 it faulted or reached a limit.\n";

static enum ps2_status act(struct run *run, size_t option, char *text, struct ps2_error *error)
{
    enum ps2_status status = options[option].act(run, text, error);
    // A message about a file names the file; one about an option's value names the option.
    if (status != PS2_OK && error && !error->where[0]) {
        struct ps2_error inner = *error;
        ps2_fail(error, status, NULL, inner.offset, "--%s: %s", options[option].name, inner.message);
    }
    return status;
}

static enum ps2_status act_stage(struct run *run, enum stage stage, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (size_t n = 0; status == PS2_OK && n < run->use_count; n++)
        if (options[run->uses[n].option].stage == stage)
            status = act(run, (size_t)run->uses[n].option, run->uses[n].text, error);
    return status;
}

static enum ps2_status take_option(struct run *run, int option, char *text, struct ps2_error *error)
{
    if (options[option].stage == AT_ONCE)
        return act(run, (size_t)option, text, error);
    struct run_use *more = realloc(run->uses, (run->use_count + 1) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    run->uses = more;
    more[run->use_count++] = (struct run_use){option, text};
    return PS2_OK;
}

// -1: go on; otherwise the exit status.
static int take_options(struct run *run, int argc, char **argv)
{
    struct option names[OPTION_COUNT + 2] = {{"help", no_argument, NULL, OPTION_COUNT}};
    struct ps2_error error;
    int option;
    for (size_t n = 0; n < OPTION_COUNT; n++)
        names[n + 1] = (struct option){options[n].name,
                                       options[n].has_value ? required_argument : no_argument, NULL, (int)n};
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (option == ':' || option == '?')
            return cli_option_error("run", option, argv);
        if (option == (int)OPTION_COUNT) {
            fputs(help, stdout);
            return PS2_OK;
        }
        if (take_option(run, option, optarg, &error) != PS2_OK)
            return cli_report(&error);
    }
    if (optind < argc)
        return cli_usage_error("run: '%s' is not an option; `ps2h run --help` lists them", argv[optind]);
    return -1;
}

static enum ps2_status find_entry(struct run *run, struct ps2_error *error)
{
    size_t count = ps2_module_count(run->ps2);
    if (run->call_name) {
        enum ps2_status status = parse_place(run->ps2, run->call_name, &run->call.entry, error);
        if (status != PS2_OK && error) {
            struct ps2_error inner = *error;
            ps2_fail(error, status, NULL, 0, "--call: %s", inner.message);
        }
        return status;
    }
    while (count-- > 0)
        if (ps2_module(run->ps2, count).has_entry) {
            run->call.entry = ps2_module(run->ps2, count).entry;
            return PS2_OK;
        }
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "run: nothing to call; give --elf FILE, or --call FUNC");
}

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

static enum ps2_status attach(struct run *run, struct ps2_error *error)
{
    enum ps2_status status = act_stage(run, WATCHING, error);
    if (status == PS2_OK && run->coverage_path)
        status = ps2_coverage_new(run->ps2, &run->coverage, error);
    if (status == PS2_OK && run->trace_path) {
        run->trace_file = is_stdout(run->trace_path) ? stdout : fopen(run->trace_path, "w");
        if (!run->trace_file)
            return ps2_fail(error, PS2_BAD_INPUT, run->trace_path, 0, "cannot be written: %s",
                            strerror(errno));
        status = ps2_trace_new(run->ps2, run->trace_file, &run->trace, error);
    }
    if (status == PS2_OK)
        status = record_file_begin(&run->record, run->ps2, error);
    if (status == PS2_OK && (run->history || run->watch_count || run->coverage || run->trace))
        status = ps2_history_new(run->ps2, &run->recorded, error);
    return status;
}

// Closes a file that was written; "-" is standard output.
static enum ps2_status finish_file(FILE *file, const char *path, struct ps2_error *error)
{
    bool failed = ferror(file) != 0;
    if ((file == stdout ? fflush(file) : fclose(file)) != 0 || failed)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", strerror(errno));
    return PS2_OK;
}

static enum ps2_status write_coverage(struct run *run, struct ps2_error *error)
{
    FILE *file = is_stdout(run->coverage_path) ? stdout : fopen(run->coverage_path, "w");
    if (!file)
        return ps2_fail(error, PS2_BAD_INPUT, run->coverage_path, 0, "cannot be written: %s",
                        strerror(errno));
    ps2_coverage_write(run->coverage, file);
    return finish_file(file, run->coverage_path, error);
}

// Everything that is wanted of a finished run, whether it returned or faulted.
static enum ps2_status finish(struct run *run, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    FILE *trace = run->trace_file;
    run->trace_file = NULL;
    if (trace)
        status = finish_file(trace, run->trace_path, error);
    if (status == PS2_OK)
        status = record_file_end(&run->record, error);
    if (status == PS2_OK && run->coverage)
        status = write_coverage(run, error);
    if (status == PS2_OK)
        status = run->json ? run_print_json(run, error) : run_print(run, error);
    if (status == PS2_OK && run->picture_path)
        status = ps2_save_picture(run->ps2, run->picture_path, error);
    return status == PS2_OK ? act_stage(run, AFTER, error) : status;
}

static enum ps2_status run_machine(struct run *run, struct ps2_error *error)
{
    if (run->json && (is_stdout(run->trace_path) || is_stdout(run->coverage_path)))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                        "run: with --json, --trace and --coverage need a file: '-' would mix with it");
    enum ps2_status status = state_load_machine(&run->state, &run->config, &run->ps2, error);
    if (status == PS2_OK && run->picture_path)
        status = ps2_draw(run->ps2, error);
    for (enum stage stage = LOADING; status == PS2_OK && stage < WATCHING; stage++) {
        status = act_stage(run, stage, error);
        if (status == PS2_OK && stage == LOADING)
            status = symbol_options_apply(&run->symbols, run->ps2, error);
    }
    if (status == PS2_OK)
        status = find_entry(run, error);
    if (status == PS2_OK)
        status = run_serve_syscalls(run, error);
    if (status == PS2_OK)
        status = ps2_changes_begin(run->ps2, &run->changes, error);
    if (status == PS2_OK)
        status = attach(run, error);
    if (status != PS2_OK) // also when what the state was doing faulted: there is no run to show
        return status;
    status = ps2_call(run->ps2, &run->call, &run->result, error);
    if (status != PS2_OK && status != PS2_GUEST_FAULT)
        return status;
    struct ps2_error later;
    enum ps2_status finished = finish(run, status == PS2_OK ? error : &later);
    if (status == PS2_OK)
        return finished;
    if (finished != PS2_OK)
        cli_report(&later);
    return status;
}

static void free_run(struct run *run)
{
    for (size_t n = 0; n < run->watch_count; n++)
        ps2_watch_free(run->watches[n].watch);
    ps2_history_free(run->recorded);
    ps2_coverage_free(run->coverage);
    ps2_trace_free(run->trace);
    if (run->trace_file && run->trace_file != stdout)
        fclose(run->trace_file);
    record_file_end(&run->record, NULL);
    ps2_changes_free(run->changes);
    ps2_free(run->ps2);
    free(run->watches);
    free(run->arguments);
    free(run->uses);
}

int cmd_run(int argc, char **argv)
{
    struct run run = {.call.limits.insns = DEFAULT_LIMIT};
    struct ps2_error error;
    int status = take_options(&run, argc, argv);
    if (status < 0) {
        status = (int)run_machine(&run, &error);
        fflush(stdout);
        if (status != PS2_OK)
            cli_report(&error);
    }
    free_run(&run);
    return status;
}
