// Several observers on one CPU: the CPU sees one that passes each event on in order.
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

static void fan_access(void *context, const struct guest_access *access)
{
    const struct ps2 *ps2 = context;
    for (size_t n = 0; n < ps2->observer_count; n++)
        if (ps2->observers[n]->access)
            ps2->observers[n]->access(ps2->observers[n]->context, access);
}

static void fan_insn(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    const struct ps2 *ps2 = context;
    for (size_t n = 0; n < ps2->observer_count; n++)
        if (ps2->observers[n]->insn)
            ps2->observers[n]->insn(ps2->observers[n]->context, pc, word, in_slot);
}

// One observer is attached as it is: nothing lies between it and the CPU.
static void attach_all(struct ps2 *ps2)
{
    if (ps2->observer_count > 1) {
        ps2->fan = (struct guest_observer){ps2, fan_access, fan_insn};
        ee_observe(ps2->ee, &ps2->fan);
    } else {
        ee_observe(ps2->ee, ps2->observer_count ? ps2->observers[0] : NULL);
    }
}

enum ps2_status ps2_attach(struct ps2 *ps2, const struct guest_observer *observer, struct ps2_error *error)
{
    const struct guest_observer **more = realloc(ps2->observers, (ps2->observer_count + 1) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    more[ps2->observer_count++] = observer;
    ps2->observers = more;
    attach_all(ps2);
    return PS2_OK;
}

void ps2_detach(struct ps2 *ps2, const struct guest_observer *observer)
{
    size_t kept = 0;
    for (size_t n = 0; n < ps2->observer_count; n++)
        if (ps2->observers[n] != observer)
            ps2->observers[kept++] = ps2->observers[n];
    ps2->observer_count = kept;
    attach_all(ps2);
}
