// `ps2h state save`: a machine made of files, written as a state file.
#include <stdio.h>
#include <string.h>

#include "harness/cli/parse.h"
#include "harness/cli/state_commands.h"
#include "harness/cli/state_load.h"

static const char help[] =
    "Usage: ps2h state save [OPTION]... -o FILE\n"
    "Makes a machine of captured state, raw memories and programs, and writes it as a state file: a ZIP "
    "file\n"
    "with the entries of a save state, compressed by deflate.\n"
    "\n" STATE_LOAD_HELP "  --elf FILE            an ELF executable\n"
    "  --overlay FILE        an overlay.bin, by its own section list\n"
    "  --load FILE@ADDR      the bytes of a file\n"
    "  --ram 32|128          megabytes of RAM of a machine without captured RAM\n"
    "  -o, --output FILE     the file to write\n"
    "\n"
    "Examples:\n"
    "  ps2h state save --raw ee-ram=ee_ram.bin --raw scratchpad=spr.bin -o state.p2s\n"
    "  ps2h state save --state slot1.p2s --quiesce=drain -o drained.p2s\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input, 3 what was in mid-work cannot be drained.\n";

struct save {
    struct ps2_config config;
    struct state_load state;
    struct {
        int option;
        char *text;
    } files[64]; // what is loaded, in order
    size_t file_count;
    const char *output;
    struct ps2 *ps2;
};

static enum ps2_status load(struct save *save, int option, char *text, struct ps2_error *error)
{
    uint32_t address;
    const char *place;
    switch (option) {
    case 'r':
        return state_load_raw(save->ps2, text, error);
    case 'e':
        return ps2_load_elf(save->ps2, text, error);
    case 'v':
        return ps2_load_overlay(save->ps2, text, error);
    default:
        place = parse_split(text, strrchr(text, '@'), "FILE@ADDR", error);
        if (!place || parse_place(save->ps2, place, &address, error) != PS2_OK)
            return PS2_BAD_INPUT;
        return ps2_load_raw(save->ps2, text, address, error);
    }
}

static enum ps2_status run(struct save *save, struct ps2_error *error)
{
    enum ps2_status status = state_load_machine(&save->state, &save->config, &save->ps2, error);
    for (size_t n = 0; status == PS2_OK && n < save->file_count; n++)
        status = load(save, save->files[n].option, save->files[n].text, error);
    return status == PS2_OK ? ps2_save_state(save->ps2, save->output, error) : status;
}

static enum ps2_status take(struct save *save, int option, char *text, struct ps2_error *error)
{
    switch (option) {
    case 's':
        save->state.path = text;
        return PS2_OK;
    case 'q':
        return state_parse_quiesce(text, &save->state.quiesce, error);
    case 'm':
        if (strcmp(text, "32") && strcmp(text, "128"))
            return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is neither 32 nor 128 megabytes", text);
        save->config.ram_size = text[0] == '3' ? EE_RAM_SIZE : EE_RAM_SIZE_LARGE;
        return PS2_OK;
    case 'o':
        save->output = text;
        return PS2_OK;
    default:
        if (save->file_count == sizeof save->files / sizeof *save->files)
            return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "these are too many files");
        save->files[save->file_count].option = option;
        save->files[save->file_count++].text = text;
        return PS2_OK;
    }
}

int state_save(int argc, char **argv)
{
    static const struct option names[] = {
        {"state", required_argument, NULL, 's'},   {"raw", required_argument, NULL, 'r'},
        {"quiesce", required_argument, NULL, 'q'}, {"elf", required_argument, NULL, 'e'},
        {"overlay", required_argument, NULL, 'v'}, {"load", required_argument, NULL, 'l'},
        {"ram", required_argument, NULL, 'm'},     {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    struct save save = {.output = NULL};
    struct ps2_error error;
    int option;
    while ((option = getopt_long(argc, argv, ":o:", names, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return PS2_OK;
        }
        if (option == ':' || option == '?')
            return cli_option_error("state save", option, argv);
        if (take(&save, option, optarg, &error) != PS2_OK)
            return cli_report(&error);
    }
    if (optind != argc || !save.output)
        return cli_usage_error("state save: give options and -o FILE; `ps2h state save --help` says more");
    enum ps2_status status = run(&save, &error);
    ps2_free(save.ps2);
    return status == PS2_OK ? PS2_OK : cli_report(&error);
}
