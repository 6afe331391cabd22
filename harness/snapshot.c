// Snapshots: a machine's state taken, and put back at the cost of what changed since.
//
// A machine knows the snapshot that its clean pages agree with (`base`) and keeps it alive, so only dirty
// pages have to be put back when that one is restored. For another one it is every page that either of the
// two has ever written: all others are zero in both.
#include "harness/snapshot.h"

#include "harness/kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

// No page is larger than VU1's micro memory.
static const uint8_t zeros[VU1_MICRO_SIZE];

const uint8_t *snapshot_page(const struct ps2_snapshot *s, enum snapshot_memory_id id, size_t page)
{
    const struct snapshot_pages *p = &s->pages[id];
    return p->place[page] ? p->bytes + (p->place[page] - 1) * p->page_size : zeros;
}

// ---- fields

static void count_field(void *context, const char *name, void *data, size_t size, unsigned width)
{
    (void)name, (void)data, (void)width;
    *(size_t *)context += size;
}

static void save_field(void *context, const char *name, void *data, size_t size, unsigned width)
{
    uint8_t **to = context;
    (void)name, (void)width;
    memcpy(*to, data, size);
    *to += size;
}

static void load_field(void *context, const char *name, void *data, size_t size, unsigned width)
{
    const uint8_t **from = context;
    (void)name, (void)width;
    if (size == 4) // most of them, and a call of memcpy would cost more than all else
        memcpy(data, *from, 4);
    else if (size == 1)
        memcpy(data, *from, 1);
    else
        memcpy(data, *from, size);
    *from += size;
}

static bool visit_all(struct ps2 *ps2, ee_visitor *visit, void *context)
{
    bool done = true;
    for (size_t n = 0; done && n < snapshot_unit_count; n++)
        done = snapshot_units[n].visit(ps2, visit, context);
    return done;
}

static bool save_fields(struct ps2 *ps2, struct ps2_snapshot *s)
{
    if (!visit_all(ps2, count_field, &s->field_size))
        return false;
    s->fields = malloc(s->field_size);
    uint8_t *to = s->fields;
    return to && visit_all(ps2, save_field, &to);
}

// ---- pages

static bool is_zero(const struct snapshot_memory *m, size_t page)
{
    return !memcmp(m->bytes + page * m->page_size, zeros, m->page_size);
}

static bool save_pages(struct ps2 *ps2, enum snapshot_memory_id id, struct snapshot_pages *p)
{
    const struct snapshot_memory m = snapshot_memory(ps2, id);
    p->page_size = m.page_size;
    p->page_count = m.page_count;
    p->place = calloc(m.page_count + 1, sizeof *p->place);
    if (!p->place)
        return false;
    for (size_t n = 0; (n = snapshot_next_page(&m, n, PAGE_WRITTEN)) < m.page_count; n++)
        if (!is_zero(&m, n))
            p->place[n] = (uint32_t)++p->stored;
    p->bytes = malloc(p->stored * m.page_size + 1);
    for (size_t n = 0; p->bytes && n < m.page_count; n++)
        if (p->place[n])
            memcpy(p->bytes + (p->place[n] - 1) * m.page_size, m.bytes + n * m.page_size, m.page_size);
    return p->bytes;
}

static void clean_pages(struct ps2 *ps2, enum snapshot_memory_id id)
{
    const struct snapshot_memory m = snapshot_memory(ps2, id);
    for (size_t n = 0; (n = snapshot_next_page(&m, n, PAGE_DIRTY)) < m.page_count; n++)
        snapshot_clean_page(ps2, id, n);
}

static void restore_dirty_pages(struct ps2 *ps2, const struct ps2_snapshot *s, enum snapshot_memory_id id)
{
    const struct snapshot_memory m = snapshot_memory(ps2, id);
    for (size_t n = 0; (n = snapshot_next_page(&m, n, PAGE_DIRTY)) < m.page_count; n++) {
        snapshot_put_page(ps2, id, n, snapshot_page(s, id, n));
        snapshot_clean_page(ps2, id, n);
    }
}

static void restore_all_pages(struct ps2 *ps2, const struct ps2_snapshot *s, enum snapshot_memory_id id)
{
    const struct snapshot_memory m = snapshot_memory(ps2, id);
    for (size_t n = 0; n < m.page_count; n++)
        if (m.marks[n] || s->pages[id].place[n]) {
            snapshot_put_page(ps2, id, n, snapshot_page(s, id, n));
            snapshot_clean_page(ps2, id, n);
        }
}

// ---- the whole

static void set_base(struct ps2 *ps2, struct ps2_snapshot *s)
{
    if (ps2->base == s)
        return;
    if (s)
        atomic_fetch_add(&s->users, 1);
    ps2_snapshot_free(ps2->base);
    ps2->base = s;
}

void ps2_snapshot_free(struct ps2_snapshot *s)
{
    if (!s || atomic_fetch_sub(&s->users, 1) > 1)
        return;
    for (unsigned n = 0; n < SNAPSHOT_MEMORIES; n++) {
        free(s->pages[n].place);
        free(s->pages[n].bytes);
    }
    free(s->fields);
    free(s);
}

const char *snapshot_mismatch(const struct ps2 *ps2, const struct ps2_snapshot *s)
{
    if (ps2->ram_size != s->ram_size)
        return "the machine has not as much RAM as the snapshot";
    if (!ps2->kernel != !s->kernel)
        return s->kernel ? "the snapshot has a kernel and the machine has none"
                         : "the machine has a kernel and the snapshot has none";
    return NULL;
}

static enum ps2_status refuse(struct ps2_error *error, const char *why)
{
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "snapshot: %s", why);
}

enum ps2_status ps2_snapshot_take(struct ps2 *ps2, struct ps2_snapshot **out, struct ps2_error *error)
{
    *out = NULL;
    if (ps2->calls)
        return refuse(error, "the machine is running");
    if (ps2->kernel && kernel_files_open(ps2->kernel))
        return refuse(error, "the program has files open on the host");
    struct ps2_snapshot *s = calloc(1, sizeof *s);
    if (!s)
        return refuse(error, "out of memory");
    atomic_init(&s->users, 1);
    s->ram_size = ps2->ram_size;
    s->kernel = ps2->kernel;
    bool done = save_fields(ps2, s);
    for (unsigned n = 0; done && n < SNAPSHOT_MEMORIES; n++)
        done = save_pages(ps2, (enum snapshot_memory_id)n, &s->pages[n]);
    if (!done) {
        ps2_snapshot_free(s);
        return refuse(error, "out of memory");
    }
    for (unsigned n = 0; n < SNAPSHOT_MEMORIES; n++)
        clean_pages(ps2, (enum snapshot_memory_id)n);
    set_base(ps2, s);
    *out = s;
    return PS2_OK;
}

// Micro memory comes before the fields of its unit: see vu_visit.
enum ps2_status ps2_snapshot_restore(struct ps2 *ps2, struct ps2_snapshot *s, struct ps2_error *error)
{
    const char *why = ps2->calls ? "the machine is running" : snapshot_mismatch(ps2, s);
    const uint8_t *from = s->fields;
    if (why)
        return refuse(error, why);
    for (unsigned n = 0; n < SNAPSHOT_MEMORIES; n++)
        if (ps2->base == s)
            restore_dirty_pages(ps2, s, (enum snapshot_memory_id)n);
        else
            restore_all_pages(ps2, s, (enum snapshot_memory_id)n);
    if (ps2->kernel)
        kernel_close_files(ps2->kernel);
    bool done = visit_all(ps2, load_field, &from);
    set_base(ps2, done ? s : NULL);
    return done ? PS2_OK : refuse(error, "out of memory");
}
