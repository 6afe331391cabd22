// Loads what --symbols, --module and --load-map name, in that order, whatever the command line's.
#include "harness/cli/symbol_options.h"

#include "harness/cli/parse.h"

#include <stdlib.h>
#include <string.h>

bool symbol_options_take(struct symbol_options *o, int option, const char *text)
{
    if (option < SYMBOL_OPTION_FILE || option > SYMBOL_OPTION_MAP)
        return false;
    if (o->count < SYMBOL_USES_MAX)
        o->uses[o->count] = (struct symbol_use){option, text};
    o->count++;
    return true;
}

// Cuts `MODULE=` off, unless the sign belongs to a path.
static char *take_module(char *text, char **rest)
{
    char *equals = strchr(text, '=');
    bool module = equals && equals > text && !memchr(text, '/', (size_t)(equals - text));
    if (module)
        *equals = 0;
    *rest = module ? equals + 1 : text;
    return module ? text : NULL;
}

static enum ps2_status load_symbols(struct ps2 *ps2, char *text, struct ps2_error *error)
{
    char *path, *module = take_module(text, &path), *colon = strrchr(path, ':');
    enum ps2_symbol_format format = colon ? ps2_symbol_format_find(colon + 1) : PS2_SYMBOLS_ANY;
    if (format)
        *colon = 0;
    return ps2_load_symbols(ps2, path, format, module, error);
}

static enum ps2_status match_module(struct ps2 *ps2, char *text, struct ps2_error *error)
{
    char *path, *module = take_module(text, &path), *at = strrchr(path, '@');
    uint32_t address = 0;
    if (!module)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                        "--module: '%s' is not of the form MODULE=FILE[@ADDRESS]", text);
    if (at) {
        *at = 0;
        enum ps2_status status = parse_place(ps2, at + 1, &address, error);
        if (status)
            return status;
    }
    return ps2_match_module(ps2, module, path, at ? &address : NULL, error);
}

static enum ps2_status apply(struct ps2 *ps2, const struct symbol_use *use, struct ps2_error *error)
{
    char *copy = strdup(use->text);
    if (!copy)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    enum ps2_status status = use->option == SYMBOL_OPTION_FILE     ? load_symbols(ps2, copy, error)
                             : use->option == SYMBOL_OPTION_MODULE ? match_module(ps2, copy, error)
                                                                   : ps2_load_map(ps2, copy, error);
    free(copy);
    return status;
}

static void warn_when_absent(const struct ps2 *ps2)
{
    struct ps2_module nearest;
    if (ps2_nearest_module(ps2, &nearest))
        fprintf(stderr, "ps2h: none of the modules is in memory; of %s, the nearest, %u of %u words are\n",
                nearest.name, nearest.equal, nearest.compared);
}

enum ps2_status symbol_options_apply(const struct symbol_options *o, struct ps2 *ps2, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    if (o->count > SYMBOL_USES_MAX)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                        "more than %d times --symbols, --module and --load-map", SYMBOL_USES_MAX);
    for (int option = SYMBOL_OPTION_FILE; option <= SYMBOL_OPTION_MAP; option++)
        for (size_t n = 0; !status && n < o->count; n++)
            if (o->uses[n].option == option)
                status = apply(ps2, &o->uses[n], error);
    if (!status)
        warn_when_absent(ps2);
    return status ? status : ps2_settle_symbols(ps2, error);
}
