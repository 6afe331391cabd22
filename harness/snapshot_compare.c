// Whole states hashed and compared, and a call that two machines run from one state.
#include "harness/snapshot.h"

#include <inttypes.h>
#include <string.h>

// ---- hashing

#define LANES 4

// Four independent chains, so that the multiplier is always busy.
struct hash {
    uint64_t lane[LANES];
};

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static void hash_bytes(struct hash *h, const void *data, size_t size)
{
    const uint8_t *from = data;
    uint64_t lane[LANES], word[LANES];
    memcpy(lane, h->lane, sizeof lane);
    for (; size >= sizeof word; size -= sizeof word, from += sizeof word) {
        memcpy(word, from, sizeof word);
        for (unsigned k = 0; k < LANES; k++)
            lane[k] = mix(lane[k], word[k]);
    }
    memset(word, 0, sizeof word);
    memcpy(word, from, size);
    word[LANES - 1] ^= (uint64_t)(size + 1) << 56;
    for (unsigned k = 0; k < LANES; k++)
        h->lane[k] = mix(lane[k], word[k]);
}

static uint64_t hash_end(const struct hash *h)
{
    uint64_t end = 0;
    for (unsigned k = 0; k < LANES; k++)
        end = mix(end, h->lane[k]);
    return end ^ end >> 32;
}

static void hash_field(void *context, const char *name, void *data, size_t size, unsigned width)
{
    (void)name, (void)width;
    hash_bytes(context, data, size);
}

// Memory for waiting packets runs out only where there are none yet, which a hash does not ask for.
static void hash_units(struct ps2 *ps2, struct hash *h)
{
    for (size_t n = 0; n < snapshot_unit_count; n++)
        snapshot_units[n].visit(ps2, hash_field, h);
}

uint64_t ps2_state_hash(struct ps2 *ps2)
{
    struct hash h = {{1, 2, 3, 4}};
    hash_units(ps2, &h);
    for (unsigned n = 0; n < SNAPSHOT_MEMORIES; n++) {
        const struct snapshot_memory m = snapshot_memory(ps2, (enum snapshot_memory_id)n);
        hash_bytes(&h, m.bytes ? m.bytes : (const uint8_t *)"", m.page_count * m.page_size);
    }
    return hash_end(&h);
}

uint64_t ps2_dirty_hash(struct ps2 *ps2, size_t *pages)
{
    struct hash h = {{1, 2, 3, 4}};
    *pages = 0;
    hash_units(ps2, &h);
    for (unsigned id = 0; id < SNAPSHOT_MEMORIES; id++) {
        const struct snapshot_memory m = snapshot_memory(ps2, (enum snapshot_memory_id)id);
        for (size_t n = 0; (n = snapshot_next_page(&m, n, PAGE_DIRTY)) < m.page_count; n++) {
            hash_bytes(&h, &(uint64_t[2]){id, n}, sizeof(uint64_t[2]));
            hash_bytes(&h, m.bytes + n * m.page_size, m.page_size);
            ++*pages;
        }
    }
    return hash_end(&h);
}

// ---- comparing

struct comparison {
    const struct ps2_snapshot *snapshot;
    const uint8_t *at; // the snapshot's next field
    const char *unit;
    struct ps2_error *error;
    bool different;
};

// Most significant digit first.
static void digits(char *out, const uint8_t *value, size_t size)
{
    for (size_t n = 0; n < size; n++)
        snprintf(out + 2 * n, 3, "%02x", value[size - 1 - n]);
}

static void tell(struct comparison *c, const char *name, size_t element, bool many, const uint8_t *now,
                 const uint8_t *then, size_t size)
{
    char index[24] = "", is[33], was[33];
    size = size < 16 ? size : 16;
    digits(is, now, size);
    digits(was, then, size);
    if (many)
        snprintf(index, sizeof index, "[%zu]", element);
    c->different = true;
    ps2_fail(c->error, PS2_DIFFERENT, NULL, element, "states differ: %s %s%s is %s, in the snapshot %s",
             c->unit, name, index, is, was);
}

static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t size)
{
    size_t n = 0;
    while (n < size && a[n] == b[n])
        n++;
    return n;
}

// Behind a difference the fields may not be the same any more.
static void compare_field(void *context, const char *name, void *data, size_t size, unsigned width)
{
    struct comparison *c = context;
    const uint8_t *now = data, *end = c->snapshot->fields + c->snapshot->field_size;
    if (c->different)
        return;
    if (size > (size_t)(end - c->at) || memcmp(now, c->at, size)) {
        size_t room = (size_t)(end - c->at) < size ? (size_t)(end - c->at) : size;
        size_t element = first_difference(now, c->at, room) / width;
        if ((element + 1) * width <= room)
            tell(c, name, element, size > width, now + element * width, c->at + element * width, width);
        else
            c->different = ps2_fail(c->error, PS2_DIFFERENT, NULL, 0,
                                    "states differ: the snapshot has no %s %s", c->unit, name);
    }
    c->at += size;
}

static void compare_page(struct comparison *c, const struct snapshot_memory *m, size_t page,
                         const uint8_t *then)
{
    const uint8_t *now = m->bytes + page * m->page_size;
    if (c->different || !memcmp(now, then, m->page_size))
        return;
    size_t word = first_difference(now, then, m->page_size) / 4 * 4;
    char at[24];
    snprintf(at, sizeof at, "at 0x%zx", page * m->page_size + word);
    c->unit = m->name;
    tell(c, at, page * m->page_size + word, false, now + word, then + word, 4);
}

static void compare_memory(struct ps2 *ps2, struct comparison *c, enum snapshot_memory_id id)
{
    const struct snapshot_memory m = snapshot_memory(ps2, id);
    for (size_t n = 0; n < m.page_count; n++)
        if (m.marks[n] || c->snapshot->pages[id].place[n])
            compare_page(c, &m, n, snapshot_page(c->snapshot, id, n));
}

enum ps2_status ps2_snapshot_compare(struct ps2 *ps2, const struct ps2_snapshot *s, struct ps2_error *error)
{
    struct comparison c = {.snapshot = s, .at = s->fields, .error = error};
    const char *why = snapshot_mismatch(ps2, s);
    if (why)
        return ps2_fail(error, PS2_DIFFERENT, NULL, 0, "states differ: %s", why);
    for (size_t n = 0; !c.different && n < snapshot_unit_count; n++) {
        c.unit = snapshot_units[n].name;
        snapshot_units[n].visit(ps2, compare_field, &c);
    }
    for (unsigned n = 0; !c.different && n < SNAPSHOT_MEMORIES; n++)
        compare_memory(ps2, &c, (enum snapshot_memory_id)n);
    return c.different ? PS2_DIFFERENT : PS2_OK;
}

// ---- a call on two machines

static enum ps2_status same_stop(const struct ps2_result *a, const struct ps2_result *b,
                                 struct ps2_error *error)
{
    const struct guest_stop *x = &a->stop, *y = &b->stop;
    if (x->kind == y->kind && x->fault == y->fault && x->pc == y->pc && x->address == y->address &&
        x->in_slot == y->in_slot && x->insns == y->insns)
        return PS2_OK;
    return ps2_fail(error, PS2_DIFFERENT, NULL, x->pc,
                    "calls differ: stop %d, fault %d at 0x%08x after %" PRIu64
                    " instructions, second %d, %d at 0x%08x after %" PRIu64,
                    x->kind, x->fault, x->pc, x->insns, y->kind, y->fault, y->pc, y->insns);
}

enum ps2_status ps2_call_both(struct ps2 *first, struct ps2 *second, const struct ps2_call *call,
                              struct ps2_result *result, struct ps2_error *error)
{
    struct ps2_snapshot *s;
    struct ps2_result other = {0};
    *result = other;
    enum ps2_status status = ps2_snapshot_take(first, &s, error);
    if (status != PS2_OK)
        return status;
    status = ps2_snapshot_restore(second, s, error);
    ps2_snapshot_free(s);
    if (status != PS2_OK)
        return status;
    enum ps2_status called = ps2_call(first, call, result, error);
    if (called == PS2_BAD_INPUT)
        return called;
    ps2_call(second, call, &other, NULL);
    status = same_stop(result, &other, error);
    if (status == PS2_OK)
        status = ps2_snapshot_take(first, &s, error);
    if (status != PS2_OK)
        return status;
    status = ps2_snapshot_compare(second, s, error);
    ps2_snapshot_free(s);
    return status == PS2_OK ? called : status;
}
