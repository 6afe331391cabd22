// The options of every command that names addresses: --symbols, --module, --load-map.
#ifndef CLI_SYMBOL_OPTIONS_H
#define CLI_SYMBOL_OPTIONS_H

#include "harness/cli/cli.h"

#include <getopt.h>

enum { SYMBOL_OPTION_FILE = 0x1000, SYMBOL_OPTION_MODULE, SYMBOL_OPTION_MAP };

// Rows of a getopt_long table.
#define SYMBOL_OPTIONS                                                                                       \
    {"symbols", required_argument, NULL, SYMBOL_OPTION_FILE},                                                \
        {"module", required_argument, NULL, SYMBOL_OPTION_MODULE},                                           \
    {                                                                                                        \
        "load-map", required_argument, NULL, SYMBOL_OPTION_MAP                                               \
    }

#define SYMBOL_OPTIONS_HELP                                                                                  \
    "  --symbols [M=]FILE[:F]  names from FILE, for the overlay M; F is table, ghidra, splat, map,\n"        \
    "                          pcsx2 or elf (default: by content)\n"                                         \
    "  --module M=FILE[@ADDR]  the image of overlay M: memory tells whether it is there\n"                   \
    "  --load-map FILE         lines `M ADDRESS SIZE`: the overlays in memory\n"

#define SYMBOL_USES_MAX 128

struct symbol_options {
    struct symbol_use {
        int option;
        const char *text;
    } uses[SYMBOL_USES_MAX];
    size_t count;
};

// Keeps the option when it is one of these; false otherwise. `text` is not copied.
bool symbol_options_take(struct symbol_options *, int option, const char *text);
// Loads the names, settles which overlays are in memory, and says on standard error when none of those given
// is.
enum ps2_status symbol_options_apply(const struct symbol_options *, struct ps2 *, struct ps2_error *);

#endif
