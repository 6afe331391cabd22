// Machines from captured state, for every command that takes one.
#include "harness/cli/state_load.h"

#include "harness/cli/parse.h"

#include <string.h>

enum ps2_status state_parse_quiesce(const char *text, enum ps2_quiesce *quiesce, struct ps2_error *error)
{
    static const char *const names[] = {
        [PS2_QUIESCE_REFUSE] = "refuse", [PS2_QUIESCE_DRAIN] = "drain", [PS2_QUIESCE_RESET] = "reset"};
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
        if (!strcmp(text, names[n])) {
            *quiesce = (enum ps2_quiesce)n;
            return PS2_OK;
        }
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is none of refuse, drain and reset", text);
}

enum ps2_status state_load_machine(struct state_load *state, const struct ps2_config *config,
                                   struct ps2 **ps2, struct ps2_error *error)
{
    if (!state->path)
        return ps2_new(config, ps2, error);
    enum ps2_status status = ps2_new_from_state(config, state->path, ps2, &state->info, error);
    return status == PS2_OK ? ps2_quiesce(*ps2, state->quiesce, error) : status;
}

enum ps2_status state_load_raw(struct ps2 *ps2, char *text, struct ps2_error *error)
{
    const char *path = parse_split(text, strchr(text, '='), "PART=FILE", error);
    if (!path)
        return PS2_BAD_INPUT;
    enum ps2_part part = ps2_part_find(text);
    if (part == PS2_PARTS)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "there is no part '%s'", text);
    return ps2_load_part(ps2, part, path, error);
}
