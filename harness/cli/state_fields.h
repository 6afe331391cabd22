// A range of RAM that has a layout: its differences as fields.
#ifndef CLI_STATE_FIELDS_H
#define CLI_STATE_FIELDS_H

#include "harness/diff/layout.h"
#include "harness/state/compare.h"

struct state_fields {
    uint32_t address, size; // of the range; 0: there is none
    struct diff_layout layout;
};

// ADDR:LEN=FILE. Cuts `text`. state_fields_free is due whether or not it succeeded.
enum ps2_status state_fields_read(struct state_fields *, struct ps2 *, char *text, struct ps2_error *);
void state_fields_free(struct state_fields *);
// Reports a range of RAM: what lies outside the layout's as it is, what lies inside by its fields.
void state_fields_split(const struct state_fields *, const struct state_difference *,
                        state_difference_found *, void *context);

#endif
