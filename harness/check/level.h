// The invariants of a level, each with its matched control, and the totals that a level adds to a disc's.
//
// Source of every rule: reference/level-formats (the section is named at each check). Verdicts: see check.h.
#ifndef CHECK_LEVEL_H
#define CHECK_LEVEL_H

#include "harness/check/check.h"
#include "harness/formats/level.h"

struct check_totals {
    uint64_t levels;
    uint64_t patches, vertices, triangles; // of the patches that pass every rule
    uint64_t adgifs, textures, textures_used;
    uint64_t entries, common_entries, lod_01_links, lod_0_links;  // vertex info
    uint64_t lit, unlit;                                          // vertices by the light pass
    uint64_t classes[FMT_CLASS_KINDS], geometry[FMT_CLASS_KINDS]; // entries; entries with an offset
};

// Runs every group; appends to the list and adds to the totals. PS2_DIFFERENT when a check failed,
// PS2_BAD_INPUT when there is no memory.
enum ps2_status check_level(const struct fmt_level *level, struct check_list *list,
                            struct check_totals *totals, struct ps2_error *error);

// The groups.
void check_container(const struct fmt_level *level, struct check_list *list);
void check_core(const struct fmt_level *level, struct check_list *list, struct check_totals *totals);
void check_textures(const struct fmt_level *level, struct check_list *list);
void check_terrain(const struct fmt_level *level, struct check_list *list, struct check_totals *totals);
void check_gameplay(const struct fmt_level *level, struct check_list *list, struct check_totals *totals);

#endif
