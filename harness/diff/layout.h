// The fields of an output: a layout that repeats to its end.
//
// Each field is text: `TYPE [NAME] [mask=N] [ulps=N]`, or `skip N` for N bytes that are not compared. TYPE is
// u8, u16, u32, u64, s8, s16, s32 or f32. A mask says which bits count. ulps allows a float to be so many
// representable values away.
#ifndef DIFF_LAYOUT_H
#define DIFF_LAYOUT_H

#include "harness/diff/diff.h"

struct diff_field {
    char name[48]; // empty for one without
    enum diff_type type;
    uint32_t offset, skip; // skip: bytes of a gap; 0 for a field
    uint64_t mask;
    uint32_t ulps;
};

struct diff_layout {
    struct diff_field *fields;
    size_t field_count;
    uint32_t size; // 0: no layout, every byte is a field
};

// Adds a field at the end. False, with `why` filled, when the text is none.
bool layout_add(struct diff_layout *, const char *text, char *why, size_t why_size);
void layout_free(struct diff_layout *);
unsigned layout_type_size(enum diff_type);
const char *layout_type_name(enum diff_type);
// Guest floats in order: the distance between two patterns in representable values.
int64_t layout_ulps(uint32_t a, uint32_t b);

// Compares one element and adds to the tally. True when this was the first difference; then `first` has
// field, row, address, type and both values.
bool layout_compare(const struct diff_layout *, uint32_t address, const uint8_t *guest, const uint8_t *host,
                    const uint8_t *known, size_t size, struct diff_tally *, bool have_first,
                    struct diff_first *first);

#endif
