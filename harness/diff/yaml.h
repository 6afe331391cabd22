// Reading YAML with errors that name the line: mappings by a table of keys, scalars with ${NAME} replaced.
#ifndef DIFF_YAML_H
#define DIFF_YAML_H

#include <libfyaml.h>

#include "harness/ps2h.h"

struct yaml_variable {
    char *name, *value;
};

// The first failure fills `error`; from then on every function returns false.
struct yaml {
    const char *path;
    struct fy_document *document; // refers to the text
    uint8_t *text;
    struct yaml_variable *variables;
    size_t variable_count;
    enum ps2_status status;
    struct ps2_error *error;
};

struct yaml_key {
    const char *name;
    bool (*take)(struct yaml *, struct fy_node *value, void *into);
    bool required;
};

// Reads and parses the file. `yaml->path` and `yaml->error` are set by the caller.
bool yaml_open(struct yaml *);
void yaml_close(struct yaml *); // keeps the status and the error

// Fails with "line N: message"; returns false.
bool yaml_fail(struct yaml *, const struct fy_node *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The line on which a node starts, counted from 1.
int yaml_line(const struct fy_node *);

// Takes each key of a mapping by the table (which ends with a NULL name). An unknown key fails with the
// nearest known one, as does a key that is there twice or a required one that is missing. `what` names the
// mapping in messages.
bool yaml_mapping(struct yaml *, struct fy_node *, const char *what, const struct yaml_key *keys, void *into);
// Calls `take` for each element. A node that is no sequence counts as a sequence of one.
bool yaml_sequence(struct yaml *, struct fy_node *,
                   bool (*take)(struct yaml *, struct fy_node *element, void *into), void *into);
// A scalar's text with every ${NAME} replaced, owned by the caller; NULL after a failure.
char *yaml_text(struct yaml *, struct fy_node *);
// A scalar that is a whole number from 0 to `most`.
bool yaml_number(struct yaml *, struct fy_node *, uint64_t most, uint64_t *out);
// Gives a variable its value unless it has one already. Copies both.
bool yaml_set(struct yaml *, const char *name, const char *value);
// Grows an array by one cleared element and returns that; NULL after a failure.
void *yaml_grow(struct yaml *, void *array, size_t *count, size_t element);
// The name of the list, ended by NULL, that is nearest to `text`.
const char *yaml_nearest(const char *text, const char *const *names);

#endif
