// Options that describe a rectangle of the GS's local memory.
#ifndef CLI_GS_RECTANGLE_H
#define CLI_GS_RECTANGLE_H

#include "harness/cli/cli.h"
#include "harness/gs_picture.h"

struct rectangle_options {
    uint64_t base, width, height, stride;
    const struct gs_format *format;
    char *clut;
    bool alpha;
};

#define RECTANGLE_SHORT "b:w:s:f:c:a"
#define RECTANGLE_LONG                                                                                       \
    {"base", required_argument, NULL, 'b'}, {"width", required_argument, NULL, 'w'},                         \
        {"height", required_argument, NULL, 'h'}, {"stride", required_argument, NULL, 's'},                  \
        {"format", required_argument, NULL, 'f'}, {"clut", required_argument, NULL, 'c'},                    \
    {                                                                                                        \
        "alpha", no_argument, NULL, 'a'                                                                      \
    }
#define RECTANGLE_HELP                                                                                       \
    "  -b, --base N          base in blocks of 256 bytes, as in TBP0 (FRAME.FBP times 32; default 0)\n"      \
    "  -w, --width N         width of the picture in pixels\n"                                               \
    "      --height N        its height (default: the width)\n"                                              \
    "  -s, --stride N        buffer width in pixels, a multiple of 64 (default: the width, rounded up)\n"    \
    "  -f, --format PSM      PSMCT32, PSMT8, ...\n"                                                          \
    "  -c, --clut BASE[:PSM[:CSA]]   palette of an indexed format, laid out as CSM1: its base in blocks, "   \
    "PSMCT32\n"                                                                                              \
    "                        (default), PSMCT16 or PSMCT16S, and first entry / 16. Without it indices are "  \
    "grey\n"                                                                                                 \
    "  -a, --alpha           keep alpha, 0x80 being opaque (default: all is opaque)\n"

// Takes one of the options above; false when `option` is none of them.
bool rectangle_option(struct rectangle_options *, int option, char *text, enum ps2_status *,
                      struct ps2_error *);
bool rectangle_given(const struct rectangle_options *); // any of them
// Fills in the defaults and says what is missing or wrong.
enum ps2_status rectangle_check(struct rectangle_options *, struct ps2_error *);
// After playing: loads the palette and makes the picture.
enum ps2_status rectangle_save(const struct rectangle_options *, struct gs *, const char *path,
                               struct ps2_error *);

#endif
