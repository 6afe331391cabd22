// The ps2h program: finds the command named by the first argument and runs it.
#include "harness/cli/cli.h"

#include <ctype.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct cli_command commands[] = {
    {"run", "calls a function of an ELF file, overlay or memory image", cmd_run},
    {"exec", "runs a whole program under a model of the console's kernel", cmd_exec},
    {"conformance", "runs every program of a folder and compares its output", cmd_conformance},
    {"diff", "compares guest routines with host decoders", cmd_diff},
    {"dis", "disassembles R5900 code with symbols", cmd_dis},
    {"state", "looks into captured states and makes them", cmd_state},
    {"fixture", "builds a synthetic level", cmd_fixture},
    {"vif", "lists VIF streams and DMA chains", cmd_vif},
    {"vu", "assembles, disassembles and runs vector unit code", cmd_vu},
    {"gif", "lists the packets of a GIF stream", cmd_gif},
    {"gs", "shows local memory, lists what the GS is told, writes GS dumps", cmd_gs},
    {"locate", "ranks the functions that may be the terrain lighting", cmd_locate},
    {"recording", "lists what --record of run and exec wrote", cmd_recording},
    {"level", "reads, checks and exports level data", cmd_level},
    {NULL, NULL, NULL},
};

int cli_usage_error(const char *format, ...)
{
    va_list arguments;
    fputs("ps2h: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return PS2_BAD_INPUT;
}

// A short option among several in one argument is known by optopt alone; a long one by its argument, and
// getopt sets optopt as well when it has a value that it does not take.
int cli_option_error(const char *command, int found, char **argv)
{
    const char *name = argv[optind - 1];
    char letter[] = {'-', (char)optopt, 0};
    if (found == '?' && isgraph(optopt) && !(name[0] == '-' && name[1] == '-' && strchr(name, '=')))
        name = letter;
    if (found == ':')
        return cli_usage_error("%s: %s needs a value", command, name);
    return cli_usage_error("%s: there is no option %s; `ps2h %s --help` lists them", command, name, command);
}

int cli_report(const struct ps2_error *error)
{
    if (error->where[0])
        fprintf(stderr, "ps2h: %s:0x%llx: %s\n", error->where, (unsigned long long)error->offset,
                error->message);
    else
        fprintf(stderr, "ps2h: %s\n", error->message);
    return (int)error->status;
}

static int run(int argc, char **argv)
{
    static const struct cli_group group = {
        .name = "ps2h",
        .usage = "Usage: ps2h COMMAND [OPTION]...\n"
                 "Runs PlayStation 2 game routines and compares host decoders with them.\n",
        .commands = commands,
        .examples =
            "  ps2h run --elf game.elf --call add --arg 20 --arg 22\n"
            "  ps2h dis game.elf --start main --end main+0x40\n"
            "  ps2h fixture level demo && ps2h level check demo\n"
            "\n"
            "Exit status: 0 fine, 1 a difference or a failed check, 2 usage or bad input, 3 the guest "
            "faulted.\n",
    };
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts("ps2h " PS2_VERSION);
        return PS2_OK;
    }
    return cli_run_group(&group, argc, argv);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error like a full disk
    opterr = 0;
    int status = run(argc, argv);
    if (fflush(stdout) || ferror(stdout))
        return cli_usage_error("standard output cannot be written");
    return status;
}
