// Watching a range: which offsets were accessed, how wide, in which direction and by which kind of
// instruction.
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

struct ps2_watch {
    struct ps2 *ps2;
    struct guest_observer observer;
    uint32_t physical, size;
    // An open-addressed table while the guest runs: a row with count 0 is free. `rows` is twice the used ones
    // at least.
    struct ps2_watch_row *rows, *sorted;
    size_t room, used;
    uint64_t lost;
};

#define FIRST_ROOM 64

static bool same_key(const struct ps2_watch_row *a, const struct ps2_watch_row *b)
{
    return a->offset == b->offset && a->size == b->size && a->kind == b->kind && a->write == b->write;
}

static struct ps2_watch_row *slot_of(struct ps2_watch_row *rows, size_t room, const struct ps2_watch_row *key)
{
    uint64_t hash = ((uint64_t)key->offset * 64 + key->size * 16u + key->kind * 2u + key->write) *
                    UINT64_C(0x9e3779b97f4a7c15);
    size_t n = (size_t)(hash >> 32) & (room - 1);
    while (rows[n].count && !same_key(&rows[n], key))
        n = (n + 1) & (room - 1);
    return &rows[n];
}

static bool grow(struct ps2_watch *watch)
{
    struct ps2_watch_row *rows = calloc(watch->room * 2, sizeof *rows);
    if (!rows)
        return false;
    for (size_t n = 0; n < watch->room; n++)
        if (watch->rows[n].count)
            *slot_of(rows, watch->room * 2, &watch->rows[n]) = watch->rows[n];
    free(watch->rows);
    watch->rows = rows;
    watch->room *= 2;
    return true;
}

static void on_access(void *context, const struct guest_access *access)
{
    struct ps2_watch *watch = context;
    int64_t offset = (int64_t)ps2_physical(access->address) - watch->physical;
    if (offset >= watch->size || offset + access->size <= 0)
        return;
    struct ps2_watch_row key = {offset, access->size, access->kind, access->write, access->pc, 0};
    struct ps2_watch_row *row = slot_of(watch->rows, watch->room, &key);
    if (!row->count) {
        if ((watch->used + 1) * 2 > watch->room) {
            if (!grow(watch)) {
                watch->lost++;
                return;
            }
            row = slot_of(watch->rows, watch->room, &key);
        }
        *row = key;
        watch->used++;
    }
    row->count++;
}

enum ps2_status ps2_watch_new(struct ps2 *ps2, uint32_t address, uint32_t size, struct ps2_watch **out,
                              struct ps2_error *error)
{
    struct ps2_watch *watch = calloc(1, sizeof *watch);
    *out = NULL;
    if (watch)
        watch->rows = calloc(FIRST_ROOM, sizeof *watch->rows);
    if (!watch || !watch->rows) {
        free(watch);
        return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "out of memory");
    }
    watch->ps2 = ps2;
    watch->physical = ps2_physical(address);
    watch->size = size;
    watch->room = FIRST_ROOM;
    watch->observer = (struct guest_observer){.context = watch, .access = on_access};
    enum ps2_status status = ps2_attach(ps2, &watch->observer, error);
    if (status == PS2_OK)
        *out = watch;
    else
        ps2_watch_free(watch);
    return status;
}

void ps2_watch_free(struct ps2_watch *watch)
{
    if (!watch)
        return;
    ps2_detach(watch->ps2, &watch->observer);
    free(watch->rows);
    free(watch->sorted);
    free(watch);
}

static int compare(const void *a, const void *b)
{
    const struct ps2_watch_row *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->write != y->write)
        return x->write ? 1 : -1;
    return (int)x->kind - (int)y->kind;
}

const struct ps2_watch_row *ps2_watch_rows(struct ps2_watch *watch, size_t *count, uint64_t *lost)
{
    *lost = watch->lost;
    *count = 0;
    free(watch->sorted);
    watch->sorted = malloc((watch->used ? watch->used : 1) * sizeof *watch->sorted);
    if (!watch->sorted)
        return NULL;
    for (size_t n = 0; n < watch->room; n++)
        if (watch->rows[n].count)
            watch->sorted[(*count)++] = watch->rows[n];
    qsort(watch->sorted, *count, sizeof *watch->sorted, compare);
    return watch->sorted;
}
