// The machine as snapshots see it: units made of fields, and memories made of pages. Private to harness/.
#ifndef HARNESS_SNAPSHOT_H
#define HARNESS_SNAPSHOT_H

#include "harness/machine.h"

#include <stdatomic.h>

// ---- snapshot_units.c

struct snapshot_unit {
    const char *name;
    // As ee_visit; false when memory runs out.
    bool (*visit)(struct ps2 *, ee_visitor *, void *context);
};
extern const struct snapshot_unit snapshot_units[];
extern const size_t snapshot_unit_count;

enum snapshot_memory_id {
    SNAPSHOT_RAM,
    SNAPSHOT_GS,
    SNAPSHOT_VU0_MICRO,
    SNAPSHOT_VU1_MICRO,
    SNAPSHOT_IOP,
    SNAPSHOT_MEMORIES
};
enum snapshot_mark { PAGE_WRITTEN = 1, PAGE_DIRTY = 2 };

struct snapshot_memory {
    const char *name;
    size_t page_size, page_count; // page_count 0: the machine does not have it
    const uint8_t *bytes;
    const uint8_t *marks; // enum snapshot_mark, a byte for each page
};
struct snapshot_memory snapshot_memory(struct ps2 *, enum snapshot_memory_id);
void snapshot_put_page(struct ps2 *, enum snapshot_memory_id, size_t page, const uint8_t *bytes);
void snapshot_clean_page(struct ps2 *, enum snapshot_memory_id, size_t page);
// The first page from `page` on that has one of the marks, or page_count.
size_t snapshot_next_page(const struct snapshot_memory *, size_t page, uint8_t marks);

// ---- snapshot.c

// One memory of a snapshot: what is not zero.
struct snapshot_pages {
    size_t page_size, page_count, stored;
    uint32_t *place; // of each page in `bytes`, counted from 1; 0: zeros
    uint8_t *bytes;
};

struct ps2_snapshot {
    atomic_uint users;
    uint32_t ram_size;
    bool kernel;
    size_t field_size;
    uint8_t *fields; // of all units, one behind the other
    struct snapshot_pages pages[SNAPSHOT_MEMORIES];
};

// The contents of a page.
const uint8_t *snapshot_page(const struct ps2_snapshot *, enum snapshot_memory_id, size_t page);
// NULL, or why the snapshot cannot be the machine's.
const char *snapshot_mismatch(const struct ps2 *, const struct ps2_snapshot *);

#endif
