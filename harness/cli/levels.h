// What the level commands share: naming one level or many, running them side by side, printing in order.
#ifndef CLI_LEVELS_H
#define CLI_LEVELS_H

#include "harness/cli/cli.h"
#include "harness/formats/level.h"

#include <jansson.h>
#include <stdio.h>

// One level's work. Text goes to `out` (a memory stream); with --json the result goes to *json instead.
// Returns an exit status; an error is filled in when it is not PS2_OK.
typedef enum ps2_status (*level_work)(const char *path, void *context, FILE *out, json_t **json,
                                      struct ps2_error *error);

struct level_options {
    char **paths;
    int path_count;
    unsigned jobs;
    bool json;
};

// Paths as given, with every folder of levels replaced by its levels in name order. NULL-terminated, owned.
char **levels_expand(char **paths, int count, size_t *found);
void levels_free(char **paths);

// Runs the work on every level, `jobs` at a time, prints results in order and progress on standard error when
// there is more than one. Returns the worst status.
int levels_run(const struct level_options *options, level_work work, void *context);

// Reads a decimal or 0x number; false and a message when it is none or outside low..high.
bool levels_number(const char *text, const char *what, unsigned low, unsigned high, unsigned *out);

int level_info(int argc, char **argv);
int level_check(int argc, char **argv);
int level_unpack(int argc, char **argv);
int level_pack(int argc, char **argv);
int level_texture(int argc, char **argv);
int level_mesh(int argc, char **argv);
int level_view(int argc, char **argv);
int level_light(int argc, char **argv);
int level_compare(int argc, char **argv);
int level_locate(int argc, char **argv);

#endif
