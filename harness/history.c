// Recording the last accesses and instructions of a run.
#include "harness/history.h"

#include <stdlib.h>

static void on_access(void *context, const struct guest_access *access)
{
    struct ps2_history *history = context;
    history->accesses[history->access_count++ % HISTORY_SIZE] = *access;
}

static void on_insn(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    struct ps2_history *history = context;
    (void)word;
    (void)in_slot;
    history->pcs[history->pc_count++ % HISTORY_SIZE] = pc;
}

enum ps2_status ps2_history_new(struct ps2 *ps2, struct ps2_history **out, struct ps2_error *error)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    (*out)->ps2 = ps2;
    (*out)->observer = (struct guest_observer){*out, on_access, on_insn};
    enum ps2_status status = ps2_attach(ps2, &(*out)->observer, error);
    if (status != PS2_OK) {
        ps2_history_free(*out);
        *out = NULL;
    }
    return status;
}

void ps2_history_free(struct ps2_history *history)
{
    if (history)
        ps2_detach(history->ps2, &history->observer);
    free(history);
}
