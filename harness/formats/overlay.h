// The level overlay: its section list, its string pool, and the normal table found by content.
//
// Source: reference/level-formats, sections 8.2 and 19.
#ifndef FORMATS_OVERLAY_H
#define FORMATS_OVERLAY_H

#include "harness/formats/span.h"

#define FMT_NORMAL_ENTRIES 256

struct fmt_overlay_section {
    uint32_t destination, size, type,
        entry; // type: ELF section type, 1 PROGBITS, 8 NOBITS (which carries bytes too)
    struct fmt_span bytes;
};

// Section at *at of the overlay; moves *at past it. *more becomes false at the end of the list, which is the
// end of the file or a record whose entry point differs from the first one's (0 for *at at the start).
enum ps2_status fmt_overlay_next(struct fmt_span overlay, size_t *at, struct fmt_overlay_section *section,
                                 bool *more, struct ps2_error *error);

struct fmt_normal_table {
    uint32_t cos_sin[FMT_NORMAL_ENTRIES][2]; // float bits; entry i at angle i pi / 128
};

struct fmt_normal_search {
    size_t offset;     // of the table
    unsigned found;    // tables that hold the whole curve
    unsigned decoys;   // places that start (1.0, 0.0) and fail
    unsigned furthest; // entries that the best decoy got right
};

// Searches every 4-aligned offset for (1.0, 0.0) and then all 256 entries of the curve within 1e-5; the
// stored values are kept. Fails when there is none, or more than one.
enum ps2_status fmt_normal_table(struct fmt_span overlay, struct fmt_normal_table *out,
                                 struct fmt_normal_search *search, struct ps2_error *error);

// The next run of at least `shortest` printable bytes that ends with a NUL, from *at on. False at the end.
bool fmt_string_next(struct fmt_span overlay, size_t *at, size_t shortest, struct fmt_span *string);
// The pool: the longest chain of 16-aligned strings in which each starts at the first 16-aligned offset after
// the one before it. *count strings.
struct fmt_span fmt_string_pool(struct fmt_span overlay, unsigned *count);

#endif
