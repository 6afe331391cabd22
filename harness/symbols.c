// Symbols of the loaded modules: by name, and by the address they cover.
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

// A symbol of a file that gives no sizes reaches to the next one, but no further than most functions do.
#define LONGEST_GUESS 0x4000u

// Of symbols at one address the one that sorts last names it.
static int compare(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    if (x->physical != y->physical)
        return x->physical < y->physical ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->global != y->global)
        return x->global ? 1 : -1;
    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    return strcmp(x->name, y->name);
}

static uint32_t left_in_range(const struct module *module, uint32_t physical)
{
    for (size_t r = 0; r < module->range_count; r++)
        if (physical - module->ranges[r].address < module->ranges[r].size)
            return module->ranges[r].size - (physical - module->ranges[r].address);
    return 0;
}

// Gives each symbol without a size the bytes up to the next one, or to the end of its range; labels inside a
// function with a size get none, so that the function names its code.
static void find_extents(struct symbol *symbols, size_t count, const struct module *module)
{
    uint32_t function_end = 0, next = UINT32_MAX, here = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        if (symbols[i].extent && symbols[i].kind == PS2_SYMBOL_FUNCTION)
            function_end = symbols[i].physical + symbols[i].extent;
        symbols[i].inner = !symbols[i].extent && symbols[i].physical < function_end;
    }
    for (size_t i = count; i-- > 0;) {
        struct symbol *symbol = &symbols[i];
        if (symbol->physical != here) {
            next = here;
            here = symbol->physical;
        }
        if (symbol->extent || symbol->inner)
            continue;
        symbol->extent = module->named_only ? LONGEST_GUESS : left_in_range(module, here);
        if (next - here < symbol->extent)
            symbol->extent = next - here;
        else
            symbol->guessed = module->named_only;
    }
}

// Restores what ps2_symbol_at needs after symbols of the sorted table went.
static void find_covers(struct ps2 *ps2)
{
    size_t cover = SIZE_MAX;
    for (size_t i = 0; i < ps2->symbol_count; i++) {
        if (ps2->symbols[i].extent)
            cover = i;
        ps2->symbols[i].cover = cover;
    }
}

void symbols_index(struct ps2 *ps2)
{
    if (ps2->symbol_count)
        qsort(ps2->symbols, ps2->symbol_count, sizeof *ps2->symbols, compare);
    find_covers(ps2);
}

static bool make_symbol(struct symbol *out, const struct image_symbol *from, size_t module)
{
    *out = (struct symbol){.name = strdup(from->name),
                           .module = module,
                           .address = from->address,
                           .physical = ps2_physical(from->address),
                           .extent = from->size,
                           .kind = from->kind,
                           .global = from->global};
    return out->name;
}

enum ps2_status symbols_append(struct ps2 *ps2, size_t module, const struct image_symbol *symbols,
                               size_t count, struct ps2_error *error)
{
    if (!count)
        return PS2_OK;
    struct symbol *more = realloc(ps2->symbols, (ps2->symbol_count + count) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, ps2->modules[module].name, 0, "out of memory for symbols");
    ps2->symbols = more;
    struct symbol *added = more + ps2->symbol_count;
    size_t made = 0;
    while (made < count && make_symbol(&added[made], &symbols[made], module))
        made++;
    qsort(added, made, sizeof *added, compare);
    find_extents(added, made, &ps2->modules[module]);
    ps2->symbol_count += made;
    if (made < count)
        return ps2_fail(error, PS2_BAD_INPUT, ps2->modules[module].name, 0, "out of memory for symbols");
    return PS2_OK;
}

enum ps2_status symbols_add_list(struct ps2 *ps2, size_t module, const struct image_symbol *symbols,
                                 size_t count, struct ps2_error *error)
{
    enum ps2_status status = symbols_append(ps2, module, symbols, count, error);
    symbols_index(ps2);
    return status;
}

enum ps2_status ps2_add_symbol(struct ps2 *ps2, const struct ps2_symbol *symbol, struct ps2_error *error)
{
    const char *module = symbol->module ? symbol->module : "symbols";
    size_t index = 0;
    while (index < ps2->module_count && strcmp(ps2->modules[index].name, module))
        index++;
    if (index == ps2->module_count)
        index = module_add(ps2, module);
    if (index == SIZE_MAX)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    const struct image_symbol added = {symbol->name, symbol->address, symbol->size, symbol->kind, true};
    return symbols_add_list(ps2, index, &added, 1, error);
}

// Forgets the symbols that `unwanted` picks.
static void forget(struct ps2 *ps2, bool (*unwanted)(const struct symbol *, const void *),
                   const void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < ps2->symbol_count; i++) {
        struct symbol *symbol = &ps2->symbols[i];
        if (unwanted(symbol, context))
            free(symbol->name);
        else
            ps2->symbols[kept++] = *symbol;
    }
    if (kept == ps2->symbol_count)
        return;
    ps2->symbol_count = kept;
    find_covers(ps2);
}

struct region {
    size_t module;
    uint32_t physical, size;
};

static bool of_others_in(const struct symbol *symbol, const void *context)
{
    const struct region *region = context;
    return symbol->module != region->module && symbol->physical - region->physical < region->size;
}

static bool of_module(const struct symbol *symbol, const void *context)
{
    return symbol->module == *(const size_t *)context;
}

void symbols_forget(struct ps2 *ps2, size_t except_module, uint32_t physical, uint32_t size)
{
    forget(ps2, of_others_in, &(struct region){except_module, physical, size});
}

void symbols_forget_module(struct ps2 *ps2, size_t module)
{
    forget(ps2, of_module, &module);
}

// The first symbol at the address or above it.
static size_t first_from(const struct ps2 *ps2, uint32_t physical)
{
    size_t low = 0, high = ps2->symbol_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ps2->symbols[middle].physical < physical)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool symbols_in_range(const struct ps2 *ps2, size_t module, uint32_t physical, uint32_t size)
{
    for (size_t i = first_from(ps2, physical); i < ps2->symbol_count; i++) {
        if (ps2->symbols[i].physical - physical >= size)
            return false;
        if (ps2->symbols[i].module == module)
            return true;
    }
    return false;
}

void symbols_free(struct ps2 *ps2)
{
    for (size_t i = 0; i < ps2->symbol_count; i++)
        free(ps2->symbols[i].name);
    free(ps2->symbols);
}

static struct ps2_symbol public_symbol(const struct ps2 *ps2, const struct symbol *symbol)
{
    return (struct ps2_symbol){symbol->name, ps2->modules[symbol->module].name, symbol->address,
                               symbol->extent, symbol->kind};
}

static bool is_better(const struct symbol *a, const struct symbol *b)
{
    if (a->module != b->module)
        return a->module > b->module;
    if (a->kind != b->kind)
        return a->kind > b->kind;
    return a->global && !b->global;
}

bool ps2_find_symbol(const struct ps2 *ps2, const char *name, struct ps2_symbol *out)
{
    const struct symbol *best = NULL;
    for (size_t i = 0; i < ps2->symbol_count; i++) {
        const struct symbol *symbol = &ps2->symbols[i];
        const char *module = ps2->modules[symbol->module].name;
        size_t prefix = strlen(module);
        bool same = !strcmp(symbol->name, name) || (!strncmp(name, module, prefix) && name[prefix] == ':' &&
                                                    !strcmp(symbol->name, name + prefix + 1));
        if (same && (!best || is_better(symbol, best)))
            best = symbol;
    }
    if (best)
        *out = public_symbol(ps2, best);
    return best;
}

// The symbol whose extent holds the address, or NULL.
static const struct symbol *symbol_covering(const struct ps2 *ps2, uint32_t physical)
{
    size_t low = 0, high = ps2->symbol_count; // the first symbol above the address
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ps2->symbols[middle].physical <= physical)
            low = middle + 1;
        else
            high = middle;
    }
    size_t cover = low ? ps2->symbols[low - 1].cover : SIZE_MAX;
    if (cover == SIZE_MAX || physical - ps2->symbols[cover].physical >= ps2->symbols[cover].extent)
        return NULL;
    return &ps2->symbols[cover];
}

bool ps2_symbol_at(const struct ps2 *ps2, uint32_t address, struct ps2_symbol *out)
{
    const struct symbol *symbol = symbol_covering(ps2, ps2_physical(address));
    if (symbol)
        *out = public_symbol(ps2, symbol);
    return symbol;
}

const char *ps2_symbol_text(const struct ps2 *ps2, uint32_t address, char *out, size_t out_size)
{
    if (out_size)
        out[0] = 0;
    const struct symbol *symbol = symbol_covering(ps2, ps2_physical(address));
    if (!symbol)
        return out;
    const struct module *module = &ps2->modules[symbol->module];
    uint32_t offset = ps2_physical(address) - symbol->physical;
    int used = snprintf(out, out_size, "%s%s%s", module->overlay ? module->name : "",
                        module->overlay ? ":" : "", symbol->name);
    if (offset && used >= 0 && (size_t)used < out_size)
        snprintf(out + used, out_size - (size_t)used, "+0x%x", offset);
    return out;
}
