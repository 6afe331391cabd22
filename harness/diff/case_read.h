// The pieces from which a case file is read. Private to harness/diff/. Each function takes a node into `into`
// and returns false after a failure, as the `take` of struct yaml_key.
#ifndef DIFF_CASE_READ_H
#define DIFF_CASE_READ_H

#include "harness/diff/case.h"
#include "harness/diff/yaml.h"

bool case_take_value(struct yaml *, struct fy_node *, void *into); // struct case_value
bool case_take_text(struct yaml *, struct fy_node *, void *into);  // char *

struct case_value_list {
    struct case_value *values;
    size_t count;
};
bool case_add_value(struct yaml *, struct fy_node *, void *into); // struct case_value_list

// ---- case_symbols.c: into struct diff_case
bool case_take_symbol_files(struct yaml *, struct fy_node *, void *into);
bool case_take_modules(struct yaml *, struct fy_node *, void *into);
bool case_take_load_map(struct yaml *, struct fy_node *, void *into);

// ---- case_regions.c: into struct diff_case
bool case_take_buffers(struct yaml *, struct fy_node *, void *into);
bool case_take_pokes(struct yaml *, struct fy_node *, void *into);
bool case_take_inputs(struct yaml *, struct fy_node *, void *into);
bool case_take_outputs(struct yaml *, struct fy_node *, void *into);

#endif
