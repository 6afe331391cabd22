// `ps2h state extract` and `ps2h state poke`: bytes out of a state file, and into one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/parse.h"
#include "harness/cli/state_commands.h"
#include "harness/file.h"
#include "harness/state/rewrite.h"

static const char extract_help[] =
    "Usage: ps2h state extract STATE WHAT -o FILE\n"
    "Writes a memory or an entry of a captured state as a file.\n"
    "\n"
    "WHAT is ee-ram, scratchpad, vu0-mem, vu0-micro, vu1-mem, vu1-micro or gs-mem, or the name of an entry "
    "of\n"
    "the ZIP file, as Screenshot.png.\n"
    "\n"
    "  -o, --output FILE   the file to write\n"
    "\n"
    "Examples:\n"
    "  ps2h state extract slot1.p2s ee-ram -o ee_ram.bin\n"
    "  ps2h state extract slot1.p2s 'PCSX2 Internal Structures.dat' -o internals.bin\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

static const char poke_help[] =
    "Usage: ps2h state poke STATE PLACE=HEX|FILE... -o FILE\n"
    "Writes a save state with other bytes in its memories. All its other entries stay as they are; they are\n"
    "compressed by deflate.\n"
    "\n"
    "PLACE is an address of the EE (RAM in any mirror, or the scratchpad), or PART+OFFSET with one of "
    "ee-ram,\n"
    "scratchpad, vu0-mem, vu0-micro, vu1-mem, vu1-micro and gs-mem. HEX is pairs of digits; write ./12 for "
    "a\n"
    "file of that name.\n"
    "\n"
    "  -o, --output FILE   the file to write\n"
    "\n"
    "Examples:\n"
    "  ps2h state poke slot1.p2s 0x00123450=01000000 -o slot3.p2s\n"
    "  ps2h state poke slot1.p2s vu1-micro+0=program.bin gs-mem+0x1000=ff -o slot3.p2s\n"
    "\n"
    "Exit status: 0 fine, 2 usage or bad input.\n";

// The operands behind the options; -1 to go on, else the exit status.
static int take_options(int argc, char **argv, const char *command, const char *help, const char **output)
{
    static const struct option names[] = {
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, ":o:", names, NULL)) != -1)
        switch (option) {
        case 'o':
            *output = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            return PS2_OK;
        default:
            return cli_option_error(command, option, argv);
        }
    return -1;
}

int state_extract(int argc, char **argv)
{
    const char *output = NULL;
    struct ps2_error error;
    uint8_t *data;
    size_t size;
    int status = take_options(argc, argv, "state extract", extract_help, &output);
    if (status >= 0)
        return status;
    if (optind + 2 != argc || !output)
        return cli_usage_error(
            "state extract: give a state, what, and -o FILE; `ps2h state extract --help` says more");
    enum ps2_status read = state_extract_bytes(argv[optind], argv[optind + 1], &data, &size, &error);
    if (read == PS2_OK) {
        read = file_write(output, data, size, &error);
        free(data);
    }
    return read == PS2_OK ? PS2_OK : cli_report(&error);
}

// ---- poking

static enum ps2_status parse_address(struct state_poke *poke, uint64_t address, struct ps2_error *error)
{
    uint32_t physical = ps2_physical((uint32_t)address);
    if (physical - EE_SCRATCHPAD < EE_SCRATCHPAD_SIZE) {
        poke->part = PS2_PART_SCRATCHPAD;
        poke->offset = physical - EE_SCRATCHPAD;
        return PS2_OK;
    }
    poke->part = PS2_PART_EE_RAM;
    poke->offset = physical;
    if (physical < EE_RAM_SIZE_LARGE)
        return PS2_OK;
    return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "nothing can be poked at 0x%08x", (uint32_t)address);
}

static enum ps2_status parse_target(struct state_poke *poke, char *text, struct ps2_error *error)
{
    uint64_t number = 0;
    char *plus = strchr(text, '+');
    if (text[0] >= '0' && text[0] <= '9') {
        enum ps2_status status = parse_count(text, UINT32_MAX, &number, error);
        return status == PS2_OK ? parse_address(poke, number, error) : status;
    }
    if (plus)
        *plus = 0;
    poke->part = ps2_part_find(text);
    if (poke->part == PS2_PARTS)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is neither an address nor a memory", text);
    enum ps2_status status = plus ? parse_count(plus + 1, UINT32_MAX, &number, error) : PS2_OK;
    poke->offset = (uint32_t)number;
    return status;
}

static enum ps2_status parse_poke(struct state_poke *poke, uint8_t **bytes, char *text,
                                  struct ps2_error *error)
{
    const char *contents = parse_split(text, strchr(text, '='), "PLACE=HEX or PLACE=FILE", error);
    if (!contents)
        return PS2_BAD_INPUT;
    enum ps2_status status = parse_target(poke, text, error);
    if (status != PS2_OK)
        return status;
    status = parse_contents(contents, bytes, &poke->size, error);
    poke->bytes = *bytes;
    return status;
}

int state_poke(int argc, char **argv)
{
    const char *output = NULL;
    struct ps2_error error;
    int status = take_options(argc, argv, "state poke", poke_help, &output);
    if (status >= 0)
        return status;
    if (optind + 2 > argc || !output)
        return cli_usage_error(
            "state poke: give a state, PLACE=HEX, and -o FILE; `ps2h state poke --help` says more");
    size_t count = (size_t)(argc - optind - 1), n = 0;
    struct state_poke *pokes = calloc(count, sizeof *pokes);
    uint8_t **bytes = calloc(count, sizeof *bytes);
    enum ps2_status done =
        pokes && bytes ? PS2_OK : ps2_fail(&error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    for (; done == PS2_OK && n < count; n++)
        done = parse_poke(&pokes[n], &bytes[n], argv[optind + 1 + (int)n], &error);
    if (done == PS2_OK)
        done = state_rewrite(argv[optind], pokes, count, output, &error);
    while (bytes && n-- > 0)
        free(bytes[n]);
    free(bytes);
    free(pokes);
    return done == PS2_OK ? PS2_OK : cli_report(&error);
}
