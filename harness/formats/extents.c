// Windows, votes, and what differs.
#include "harness/formats/extents.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW       16u
#define WINDOWS_MOST 1024u
#define LEAST_KINDS  6u // different bytes in a window: fewer say little
#define TABLE_BITS   16u

// The kernel's memory, where no level is loaded.
#define LEAST_ADDRESS 0x80000u

struct window {
    uint8_t bytes[WINDOW];
    uint16_t extent;
    bool control;
    uint32_t offset; // in the extent
    struct window *next;
};

struct vote {
    uint32_t extent; // doubled, with 1 for the control
    uint32_t address;
};

struct search {
    struct fmt_extents *extents;
    struct window *windows;
    size_t window_count, window_room;
    struct window **table;
    struct vote *votes;
    size_t vote_count, vote_room;
};

static uint32_t hash(const uint8_t *p)
{
    uint64_t a, b;
    memcpy(&a, p, 8);
    memcpy(&b, p + 8, 8);
    return (uint32_t)((a * UINT64_C(0x9E3779B97F4A7C15) ^ b * UINT64_C(0xC2B2AE3D27D4EB4F)) >>
                      (64 - TABLE_BITS));
}

// ---- the extents of a level

static void add_extent(struct fmt_extents *e, const char *name, struct fmt_span span, int64_t offset,
                       int64_t size)
{
    if (e->count == FMT_EXTENTS_MAX || size < (int64_t)WINDOW || !fmt_inside(span, offset, size))
        return;
    struct fmt_extent *x = &e->list[e->count++];
    *x = (struct fmt_extent){.data = span};
    x->data.data += offset;
    x->data.size = (size_t)size;
    x->data.origin += (uint64_t)offset;
    snprintf(x->name, sizeof x->name, "%s", name);
}

static void add_file(struct fmt_extents *e, const struct fmt_level *level, unsigned file, const char *name)
{
    add_extent(e, name, level->files[file], 0, (int64_t)level->files[file].size);
}

static enum ps2_status add_overlay(struct fmt_extents *e, struct fmt_span overlay, struct ps2_error *error)
{
    struct fmt_overlay_section section;
    size_t at = 0;
    bool more = overlay.size > 0;
    enum ps2_status status = PS2_OK;
    while (!status && more) {
        status = fmt_overlay_next(overlay, &at, &section, &more, error);
        if (status || !more)
            break;
        char name[32];
        snprintf(name, sizeof name, "overlay 0x%08x", section.destination);
        add_extent(e, name, section.bytes, 0, (int64_t)section.bytes.size);
    }
    return status;
}

static enum ps2_status list_extents(const struct fmt_level *level, struct fmt_extents *e,
                                    struct ps2_error *error)
{
    const struct fmt_core_index *core = &level->core;
    struct fmt_span data = level->files[FMT_FILE_CORE_DATA];
    const int32_t ends[] = {core->tfrags, core->occlusion, core->sky, core->collision, core->textures_base};
    static const char *const names[] = {"terrain", "occlusion", "sky", "collision"};
    for (unsigned n = 0; n < 4; n++)
        add_extent(e, names[n], data, ends[n], (int64_t)ends[n + 1] - ends[n]);
    add_extent(e, "textures and classes", data, ends[4], (int64_t)data.size - ends[4]);
    add_file(e, level, FMT_FILE_CORE_INDEX, "core index");
    add_file(e, level, FMT_FILE_GAMEPLAY, "gameplay");
    add_file(e, level, FMT_FILE_SOUND_BANK, "sound bank");
    return add_overlay(e, level->files[FMT_FILE_OVERLAY], error);
}

// ---- windows

static bool is_telling(const uint8_t *bytes)
{
    bool seen[256] = {false};
    unsigned kinds = 0;
    for (unsigned n = 0; n < WINDOW; n++) {
        kinds += !seen[bytes[n]];
        seen[bytes[n]] = true;
    }
    return kinds >= LEAST_KINDS;
}

static bool add_window(struct search *s, uint16_t extent, bool control, uint32_t offset, const uint8_t *bytes)
{
    if (s->window_count == s->window_room) {
        size_t room = s->window_room ? 2 * s->window_room : 4096;
        struct window *more = realloc(s->windows, room * sizeof *more);
        if (!more)
            return false;
        s->windows = more;
        s->window_room = room;
    }
    struct window *w = &s->windows[s->window_count++];
    *w = (struct window){.extent = extent, .control = control, .offset = offset};
    for (unsigned n = 0; n < WINDOW; n++)
        w->bytes[n] = bytes[control ? WINDOW - 1 - n : n];
    return true;
}

// At most WINDOWS_MOST from all over the extent.
static bool take_windows(struct search *s, uint16_t extent)
{
    struct fmt_extent *e = &s->extents->list[extent];
    size_t step = (e->data.size / WINDOWS_MOST + WINDOW) / WINDOW * WINDOW;
    for (size_t at = 0; at + WINDOW <= e->data.size; at += step) {
        const uint8_t *bytes = e->data.data + at;
        if (!is_telling(bytes))
            continue;
        if (!add_window(s, extent, false, (uint32_t)at, bytes) ||
            !add_window(s, extent, true, (uint32_t)at, bytes))
            return false;
    }
    return true;
}

// What occurs twice on the disc tells no address.
static bool is_known(const struct search *s, const struct window *w)
{
    for (const struct window *other = s->table[hash(w->bytes)]; other; other = other->next)
        if (other->control == w->control && !memcmp(other->bytes, w->bytes, WINDOW))
            return true;
    return false;
}

static bool build_table(struct search *s)
{
    s->table = calloc((size_t)1 << TABLE_BITS, sizeof *s->table);
    for (size_t n = 0; s->table && n < s->window_count; n++) {
        struct window *w = &s->windows[n], **slot = &s->table[hash(w->bytes)];
        if (is_known(s, w))
            continue;
        s->extents->list[w->extent].windows += !w->control;
        w->next = *slot;
        *slot = w;
    }
    return s->table;
}

// ---- votes

static bool add_vote(struct search *s, const struct window *w, uint32_t address)
{
    if (address < w->offset)
        return true;
    if (s->vote_count == s->vote_room) {
        size_t room = s->vote_room ? 2 * s->vote_room : 4096;
        struct vote *more = realloc(s->votes, room * sizeof *more);
        if (!more)
            return false;
        s->votes = more;
        s->vote_room = room;
    }
    s->votes[s->vote_count++] = (struct vote){2u * w->extent + w->control, address - w->offset};
    return true;
}

static bool scan(struct search *s, struct fmt_span memory)
{
    for (size_t at = 0; at + WINDOW <= memory.size; at += 4) {
        const uint8_t *here = memory.data + at;
        for (const struct window *w = s->table[hash(here)]; w; w = w->next)
            if (!memcmp(w->bytes, here, WINDOW) && !add_vote(s, w, (uint32_t)at))
                return false;
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct vote *x = a, *y = b;
    if (x->extent != y->extent)
        return x->extent < y->extent ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void count_votes(struct search *s, struct fmt_span memory)
{
    if (s->vote_count)
        qsort(s->votes, s->vote_count, sizeof *s->votes, by_address);
    for (size_t first = 0, n = 1; n <= s->vote_count; n++) {
        const struct vote *v = &s->votes[first];
        if (n < s->vote_count && !by_address(v, &s->votes[n]))
            continue;
        struct fmt_extent *e = &s->extents->list[v->extent / 2];
        unsigned votes = (unsigned)(n - first);
        first = n;
        if (v->extent % 2) {
            e->control = votes > e->control ? votes : e->control;
        } else if (votes > e->votes && fmt_inside(memory, v->address, (int64_t)e->data.size)) {
            e->votes = votes;
            e->address = v->address;
        }
    }
}

// ---- what differs

// What was added to a word that may have been an offset and become an address; 0: it has not.
static uint32_t added_to(uint32_t disc, uint32_t held, size_t memory_size)
{
    uint32_t added = held - disc;
    return added >= LEAST_ADDRESS && added < memory_size && held > disc && held < memory_size ? added : 0;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// The address that was added to most words, at least two.
static bool find_base(struct fmt_extent *e, const uint8_t *ram, size_t memory_size)
{
    uint32_t *added = malloc((e->data.size / 4 + 1) * sizeof *added);
    size_t count = 0, best = 1;
    for (size_t at = 0; added && at + 4 <= e->data.size; at += 4) {
        added[count] = added_to(fmt_u32(e->data.data + at), fmt_u32(ram + at), memory_size);
        count += added[count] != 0;
    }
    if (count)
        qsort(added, count, sizeof *added, by_value);
    for (size_t first = 0, n = 1; n <= count; n++) {
        if (n < count && added[n] == added[first])
            continue;
        if (n - first > best) {
            best = n - first;
            e->base = added[first];
        }
        first = n;
    }
    bool done = added != NULL;
    free(added);
    return done;
}

static bool compare(struct fmt_extent *e, struct fmt_span memory)
{
    const uint8_t *disc = e->data.data, *ram = memory.data + e->address;
    if (!find_base(e, ram, memory.size))
        return false;
    for (size_t at = 0; at < e->data.size; at += 4) {
        size_t width = e->data.size - at < 4 ? e->data.size - at : 4;
        uint32_t equal = 0;
        for (size_t n = 0; n < width; n++)
            equal += disc[at + n] == ram[at + n];
        e->equal += equal;
        if (equal == width)
            continue;
        if (width == 4 && e->base &&
            added_to(fmt_u32(disc + at), fmt_u32(ram + at), memory.size) == e->base) {
            e->pointers++;
            continue;
        }
        if (!e->changed)
            e->first_change = (uint32_t)at;
        e->changed += (uint32_t)width - equal;
    }
    return true;
}

enum ps2_status fmt_find_extents(const struct fmt_level *level, struct fmt_span memory,
                                 struct fmt_extents *out, struct ps2_error *error)
{
    struct search s = {.extents = out};
    *out = (struct fmt_extents){.count = 0};
    if (memory.size > UINT32_MAX)
        return fmt_fail(memory, 0, error, "is larger than the console's memory");
    enum ps2_status status = list_extents(level, out, error);
    bool done = !status;
    for (size_t n = 0; done && n < out->count; n++)
        done = take_windows(&s, (uint16_t)n);
    done = done && build_table(&s) && scan(&s, memory);
    if (done)
        count_votes(&s, memory);
    for (size_t n = 0; done && n < out->count; n++) {
        struct fmt_extent *e = &out->list[n];
        e->found = e->votes && 4 * e->votes >= e->windows && e->votes > 2 * e->control;
        done = !e->found || compare(e, memory);
    }
    free(s.windows);
    free(s.table);
    free(s.votes);
    if (!status && !done)
        status = ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "out of memory");
    return status;
}
