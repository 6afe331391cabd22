// What a run changed in memory, by comparing with a copy from before.
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

struct ps2_changes {
    struct ps2 *ps2;
    uint8_t *ram, *scratchpad; // the copy
    struct ps2_change *found;
    size_t count, room;
    uint64_t bytes;
};

enum ps2_status ps2_changes_begin(struct ps2 *ps2, struct ps2_changes **out, struct ps2_error *error)
{
    struct ps2_changes *changes = calloc(1, sizeof *changes);
    *out = NULL;
    if (changes) {
        changes->ps2 = ps2;
        changes->ram = malloc(ps2->ram_size);
        changes->scratchpad = malloc(EE_SCRATCHPAD_SIZE);
    }
    if (!changes || !changes->ram || !changes->scratchpad) {
        ps2_changes_free(changes);
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    }
    memcpy(changes->ram, ee_ram(ps2->ee, NULL), ps2->ram_size);
    memcpy(changes->scratchpad, ee_scratchpad(ps2->ee), EE_SCRATCHPAD_SIZE);
    *out = changes;
    return PS2_OK;
}

void ps2_changes_free(struct ps2_changes *changes)
{
    if (!changes)
        return;
    free(changes->ram);
    free(changes->scratchpad);
    free(changes->found);
    free(changes);
}

static bool add(struct ps2_changes *changes, const struct ps2_change *change)
{
    if (changes->count == changes->room) {
        size_t room = changes->room ? changes->room * 2 : 64;
        struct ps2_change *more = realloc(changes->found, room * sizeof *more);
        if (!more)
            return false;
        changes->found = more;
        changes->room = room;
    }
    changes->found[changes->count++] = *change;
    for (uint32_t n = 0; n < change->size; n++)
        changes->bytes += change->old[n] != change->now[n];
    return true;
}

#define BLOCK 4096u

static bool word_differs(const uint8_t *old, const uint8_t *now, uint32_t at)
{
    return memcmp(old + at, now + at, 4) != 0;
}

// Both memories are whole blocks.
static bool compare(struct ps2_changes *changes, uint32_t address, const uint8_t *old, const uint8_t *now,
                    uint32_t size)
{
    uint32_t at = 0;
    while (at < size) {
        if (at % BLOCK == 0 && !memcmp(old + at, now + at, BLOCK)) {
            at += BLOCK;
            continue;
        }
        uint32_t start = at;
        while (at < size && word_differs(old, now, at))
            at += 4;
        if (at == start)
            at += 4;
        else if (!add(changes, &(struct ps2_change){address + start, at - start, old + start, now + start}))
            return false;
    }
    return true;
}

const struct ps2_change *ps2_changes_find(struct ps2_changes *changes, size_t *count, uint64_t *bytes,
                                          struct ps2_error *error)
{
    struct ee *ee = changes->ps2->ee;
    changes->count = 0;
    changes->bytes = 0;
    bool complete =
        compare(changes, 0, changes->ram, ee_ram(ee, NULL), changes->ps2->ram_size) &&
        compare(changes, EE_SCRATCHPAD, changes->scratchpad, ee_scratchpad(ee), EE_SCRATCHPAD_SIZE);
    *count = changes->count;
    *bytes = changes->bytes;
    if (!complete)
        ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory for the list of changes");
    return complete ? changes->found : NULL;
}
