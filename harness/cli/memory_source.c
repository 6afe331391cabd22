// Reads an image of EE memory, or a captured state for its RAM.
#include "harness/cli/memory_source.h"

#include "harness/cli/cli.h"
#include "harness/file.h"

#include <getopt.h>
#include <stdlib.h>

static enum ps2_status open_state(struct memory_source *m, struct ps2_error *error)
{
    struct ps2_state_info info;
    uint32_t size;
    enum ps2_status status = ps2_state_info(m->state, &info, error);
    if (!status && info.missing[PS2_PART_EE_RAM])
        status = ps2_fail(error, PS2_BAD_INPUT, m->state, 0, "holds no EE memory: %s",
                          info.missing[PS2_PART_EE_RAM]);
    if (!status)
        status = ps2_new(&(struct ps2_config){.ram_size = info.ram_size, .engine = EE_ENGINE_INTERP}, &m->ps2,
                         error);
    if (!status)
        status = ps2_load_state(m->ps2, m->state, NULL, error);
    if (status)
        return status;
    const uint8_t *ram = ee_ram(ps2_ee(m->ps2), &size);
    m->span = fmt_span_of(ram, size, m->state);
    return PS2_OK;
}

enum ps2_status memory_source_open(struct memory_source *m, struct ps2_error *error)
{
    size_t size;
    if (m->state)
        return open_state(m, error);
    enum ps2_status status = file_read(m->memory, FILE_LIMIT, &m->bytes, &size, error);
    m->span = fmt_span_of(m->bytes, status ? 0 : size, m->memory);
    return status;
}

void memory_source_close(struct memory_source *m)
{
    free(m->bytes);
    ps2_free(m->ps2);
}

int memory_source_options(int argc, char **argv, const char *command, const char *help,
                          struct memory_source *source, bool *json)
{
    static const struct option options[] = {{"state", required_argument, NULL, 's'},
                                            {"memory", required_argument, NULL, 'm'},
                                            {"json", no_argument, NULL, 'J'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":s:m:", options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error(command, c, argv);
        if (c == 's')
            source->state = optarg;
        if (c == 'm')
            source->memory = optarg;
        *json |= c == 'J';
    }
    if (!source->state == !source->memory)
        return cli_usage_error("%s: give one level, and --state or --memory; see `ps2h %s --help`", command,
                               command);
    return -1;
}
