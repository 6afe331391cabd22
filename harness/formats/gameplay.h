// The gameplay file: its table of 39 section offsets, and the light bank.
//
// Source: reference/level-formats, sections 8.1 and 10. The file is one WAD stream; these functions take it
// decoded.
#ifndef FORMATS_GAMEPLAY_H
#define FORMATS_GAMEPLAY_H

#include "harness/formats/span.h"

#define FMT_GAMEPLAY_SECTIONS  39
#define FMT_GAMEPLAY_LIGHTS    1 // section numbers: byte offset in the table / 4
#define FMT_GAMEPLAY_OCCLUSION 36
#define FMT_LIGHT_SETS         16
#define FMT_LIGHT_SETS_COPIED  12 // a level load copies at most so many
#define FMT_POINT_LIGHTS       8

struct fmt_gameplay {
    struct fmt_span file;
    uint32_t offsets[FMT_GAMEPLAY_SECTIONS]; // 0 = absent
};

// How a section's size follows from its contents, for those that are known.
struct fmt_gameplay_kind {
    const char *name;
    uint16_t head;   // bytes before the records; 0 = size unknown
    uint16_t record; // bytes per record, counted by the s32 at the section's start
};

// Reads the table. Rule: every offset lies in the file, past the table.
enum ps2_status fmt_gameplay(struct fmt_span file, struct fmt_gameplay *out, struct ps2_error *error);
struct fmt_gameplay_kind fmt_gameplay_kind(unsigned section);
// From the section's start to the next section's (or the file's end); size 0 when absent.
struct fmt_span fmt_gameplay_section(const struct fmt_gameplay *gameplay, unsigned section);
// The section's size by its count, rounded up to 16, is the distance to the next section. Only for a kind
// with a known size that is present and not last.
bool fmt_gameplay_closes(const struct fmt_gameplay *gameplay, unsigned section, bool *applies);

// Header 0x3A of a terrain patch after the level load: byte of the occlusion mask << 8 | bit in it, by the
// section of occlusion mappings; 0x7F80, the bit that is always set, for a patch that has none.
uint16_t fmt_occlusion_word(const struct fmt_gameplay *gameplay, uint32_t patch);

// Float bits. A colour's w is the back factor.
struct fmt_light_set {
    uint32_t colour_a[4], direction_a[4], colour_b[4], direction_b[4];
};
struct fmt_point_light {
    uint32_t colour[4];   // r, g, b, back factor
    uint32_t position[4]; // x, y, z (world units), radius
};
// The run-time bank: sets past the level's count are zero.
struct fmt_light_bank {
    int32_t count; // sets in the file
    struct fmt_light_set sets[FMT_LIGHT_SETS];
    struct fmt_point_light points[FMT_POINT_LIGHTS]; // filled at run time only; zero here
    unsigned wrong; // enum fmt_light_wrong: mistakes that lighting with it makes on purpose
};
enum ps2_status fmt_light_bank(const struct fmt_gameplay *gameplay, struct fmt_light_bank *out,
                               struct ps2_error *error);

#endif
