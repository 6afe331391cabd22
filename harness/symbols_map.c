// The map file of GNU ld (-Map) as a symbol file.
//
// From "Linker script and memory map" on: output sections begin in the first column, input sections behind
// one blank, both followed by an address, a size and (input) a file; symbols stand on lines of their own,
// `ADDRESS NAME` or `ADDRESS NAME = EXPRESSION`. A long name puts what follows it on the next line. A symbol
// belongs to the input section it lies in, whose end it does not pass. Output sections that overlap are
// overlays: each makes a module.
#include "harness/symbols_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BEGINNING "Linker script and memory map"

bool symbols_is_map(const char *text)
{
    return strstr(text, BEGINNING) != NULL;
}

struct output {
    char *name; // in the text; emptied unless the section is an overlay
    uint32_t start, size;
    bool overlay;
};

struct map {
    struct output *outputs;
    size_t count;
    char *output; // name of the current output section, or NULL
    // The input section that symbols belong to.
    const char *section;
    uint32_t start, size;
    // A section's name that waits for the next line.
    char *waiting;
    bool waiting_output;
};

static enum ps2_symbol_kind kind_of(const char *section)
{
    if (!section)
        return PS2_SYMBOL_LABEL;
    return strncmp(section, ".text", 5) && strncmp(section, ".init", 5) && strncmp(section, ".fini", 5)
               ? PS2_SYMBOL_OBJECT
               : PS2_SYMBOL_FUNCTION;
}

// The next word, or NULL; *rest moves behind it.
static char *word_of(char **rest)
{
    char *start = *rest + strspn(*rest, " \t"), *end = start + strcspn(start, " \t");
    if (!*start)
        return NULL;
    *rest = *end ? end + 1 : end;
    *end = 0;
    return start;
}

// ld prints 64 bits for some targets: sign-extended addresses.
static bool hexadecimal(const char *word, uint32_t *out)
{
    char *end;
    if (!word || strncmp(word, "0x", 2) || !isxdigit((unsigned char)word[2]))
        return false;
    *out = (uint32_t)strtoull(word + 2, &end, 16);
    return !*end;
}

static enum ps2_status take_section(struct symbol_reader *r, struct map *m, char *name, bool output,
                                    uint32_t start, uint32_t size)
{
    m->section = name;
    m->start = start;
    m->size = size;
    if (!output)
        return PS2_OK;
    m->output = NULL;
    // Sections at address 0 are not in memory: debugging information, comments.
    if (!start || !size)
        return PS2_OK;
    struct output *more = realloc(m->outputs, (m->count + 1) * sizeof *more);
    if (!more)
        return symbols_fail(r, "out of memory");
    m->outputs = more;
    m->output = name;
    more[m->count++] = (struct output){name, start, size, false};
    return PS2_OK;
}

// Cuts the name off the rest of a symbol's line; false when there is none.
static bool take_name(char *rest, char **name)
{
    rest = symbols_trim(rest);
    if (!strncmp(rest, "PROVIDE", 7) && strchr(rest, '('))
        rest = strchr(rest, '(') + 1;
    char *equals = strstr(rest, " = ");
    if (equals)
        *equals = 0;
    *name = symbols_trim(rest);
    return isalpha((unsigned char)**name) || (**name && strchr("_$~", **name));
}

static enum ps2_status take_symbol(struct symbol_reader *r, struct map *m, uint32_t address, char *rest)
{
    char *name;
    if (!take_name(rest, &name))
        return PS2_OK;
    bool inside = m->section && address - m->start < m->size;
    // The size is how far it reaches at most, until the names behind it are known.
    return symbols_add(r, (struct symbol_entry){.name = name,
                                                .module = m->output,
                                                .address = address,
                                                .size = inside ? m->size - (address - m->start) : 0,
                                                .kind = kind_of(inside ? m->section : NULL)});
}

static enum ps2_status take_line(struct symbol_reader *r, struct map *m, char *line)
{
    bool output = *line && !isblank((unsigned char)*line);
    bool named = output || (*line && !isblank((unsigned char)line[1]));
    uint32_t address, size;
    char *rest = line, *name = named ? word_of(&rest) : m->waiting;
    if (!named)
        output = m->waiting_output;
    m->waiting = NULL;
    char *first = word_of(&rest);
    if (named && name && !first) {
        m->waiting = name;
        m->waiting_output = output;
    }
    if (!hexadecimal(first, &address))
        return PS2_OK;
    rest += strspn(rest, " \t");
    if (strncmp(rest, "0x", 2))
        return named ? PS2_OK : take_symbol(r, m, address, rest);
    return name && hexadecimal(word_of(&rest), &size) ? take_section(r, m, name, output, address, size)
                                                      : PS2_OK;
}

static int by_start(const void *a, const void *b)
{
    const struct output *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : strcmp(x->name, y->name);
}

static void find_overlays(struct map *m)
{
    size_t widest = 0;
    if (m->count)
        qsort(m->outputs, m->count, sizeof *m->outputs, by_start);
    for (size_t i = 1; i < m->count; i++) {
        struct output *before = &m->outputs[widest], *o = &m->outputs[i];
        if (o->start - before->start < before->size)
            o->overlay = before->overlay = true;
        if ((uint64_t)o->start + o->size >= (uint64_t)before->start + before->size)
            widest = i;
    }
    for (size_t i = 0; i < m->count; i++)
        if (!m->outputs[i].overlay)
            m->outputs[i].name[0] = 0;
}

// Each symbol ends where the next one begins; only overlays are modules.
static void finish(struct symbol_reader *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct symbol_entry *e = &r->entries[i], *next = i + 1 < r->count ? e + 1 : NULL;
        if (next && next->address > e->address && next->address - e->address < e->size)
            e->size = next->address - e->address;
        if (e->module)
            e->module = *e->module ? e->module + (*e->module == '.') : NULL;
    }
}

enum ps2_status symbols_read_map(struct symbol_reader *r)
{
    struct map m = {0};
    enum ps2_status status = PS2_OK;
    char *line = symbols_line(r);
    while (line && strcmp(symbols_trim(line), BEGINNING))
        line = symbols_line(r);
    while (!status && (line = symbols_line(r)) && strcmp(line, "Cross Reference Table"))
        status = take_line(r, &m, line);
    find_overlays(&m);
    finish(r);
    free(m.outputs);
    return status;
}
