// Symbol files of one name a line: splat's symbol_addrs.txt and PCSX2's .sym.
//
// splat: `NAME = ADDRESS; // KEY:VALUE...` (ethteck/splat:docs/Adding-Symbols.md). Of the keys, type, size,
// segment and ignore matter here. PCSX2: `ADDRESS NAME[,SIZE]`, both numbers hexadecimal, and `ADDRESS
// .dbl:SIZE` for the size of data (PCSX2/pcsx2:pcsx2/DebugTools/SymbolImporter.cpp). A file of armips ends
// with the byte 0x1A.
#include "harness/symbols_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_comment(const char *line)
{
    return !*line || *line == '#' || *line == ';' || !strncmp(line, "//", 2);
}

// ---- splat

// Cuts `NAME = ADDRESS;` apart; what follows is left in *rest.
static bool split_assignment(char *line, char **name, uint32_t *address, char **rest)
{
    char *equals = strchr(line, '='), *end = equals ? strchr(equals, ';') : NULL;
    if (!end)
        return false;
    *equals = *end = 0;
    *name = symbols_trim(line);
    *rest = symbols_trim(end + 1);
    return **name && symbols_number(symbols_trim(equals + 1), 0, address);
}

bool symbols_is_splat(char *line)
{
    char *name, *rest;
    uint32_t address;
    return split_assignment(line, &name, &address, &rest);
}

static enum ps2_symbol_kind splat_kind(const char *type)
{
    if (!strcmp(type, "func"))
        return PS2_SYMBOL_FUNCTION;
    return !strcmp(type, "label") || !strcmp(type, "jtbl_label") ? PS2_SYMBOL_LABEL : PS2_SYMBOL_OBJECT;
}

// One `KEY:VALUE`; words without a colon are remarks.
static enum ps2_status take_attribute(struct symbol_reader *r, char *word, struct symbol_entry *e,
                                      bool *ignore)
{
    char *value = strchr(word, ':');
    if (!value)
        return PS2_OK;
    *value++ = 0;
    if (!strcmp(word, "type"))
        e->kind = splat_kind(value);
    else if (!strcmp(word, "segment"))
        e->module = value;
    else if (!strcmp(word, "ignore"))
        *ignore = !strcasecmp(value, "true");
    else if (!strcmp(word, "size") && !symbols_number(value, 0, &e->size))
        return symbols_fail(r, "'%s' is not a size", value);
    return PS2_OK;
}

enum ps2_status symbols_read_splat(struct symbol_reader *r)
{
    enum ps2_status status = PS2_OK;
    for (char *line, *save = NULL; !status && (line = symbols_line(r));) {
        struct symbol_entry e = {.kind = PS2_SYMBOL_LABEL};
        char *name, *rest;
        bool ignore = false;
        line = symbols_trim(line);
        if (is_comment(line))
            continue;
        if (!split_assignment(line, &name, &e.address, &rest))
            return symbols_fail(r, "is not of the form NAME = ADDRESS;");
        if (*rest && strncmp(rest, "//", 2))
            return symbols_fail(r, "'%s' follows the address where a comment could", rest);
        e.name = name;
        for (char *word = strtok_r(rest, "/ \t", &save); !status && word; word = strtok_r(NULL, " \t", &save))
            status = take_attribute(r, word, &e, &ignore);
        if (!status && !ignore)
            status = symbols_add(r, e);
    }
    return status;
}

// ---- PCSX2

static bool split_pcsx2(char *line, uint32_t *address, char **value)
{
    size_t digits = strspn(line, "0123456789abcdefABCDEF");
    if (!digits || digits > 8 || !isblank((unsigned char)line[digits]))
        return false;
    line[digits] = 0;
    *value = symbols_trim(line + digits + 1);
    return **value && symbols_number(line, 16, address);
}

bool symbols_is_pcsx2(char *line)
{
    uint32_t address;
    char *value;
    return split_pcsx2(line, &address, &value) && !strpbrk(value, " \t");
}

// `.byt`, `.wrd`, `.dbl` and `.asc` say how long the data is that the line before gave a name.
static enum ps2_status take_directive(struct symbol_reader *r, uint32_t address, const char *directive)
{
    const char *size = strchr(directive, ':');
    uint32_t value;
    if (!size || !symbols_number(size + 1, 16, &value))
        return symbols_fail(r, "'%s' is not a directive with a size", directive);
    struct symbol_entry *last = r->count ? &r->entries[r->count - 1] : NULL;
    if (last && last->address == address && !last->size) {
        last->size = value;
        last->kind = PS2_SYMBOL_OBJECT;
    }
    return PS2_OK;
}

static enum ps2_status take_label(struct symbol_reader *r, uint32_t address, char *value)
{
    struct symbol_entry e = {.name = value, .address = address, .kind = PS2_SYMBOL_LABEL};
    char *comma = strrchr(value, ',');
    if (comma && symbols_number(comma + 1, 16, &e.size)) {
        *comma = 0;
        e.kind = PS2_SYMBOL_FUNCTION;
    }
    return symbols_add(r, e);
}

enum ps2_status symbols_read_pcsx2(struct symbol_reader *r)
{
    enum ps2_status status = PS2_OK;
    for (char *line, *value; !status && (line = symbols_line(r));) {
        uint32_t address;
        line = symbols_trim(line);
        if (is_comment(line) || !strcmp(line, "\x1a"))
            continue;
        if (!split_pcsx2(line, &address, &value))
            return symbols_fail(r, "is not of the form ADDRESS NAME");
        if (*value == '.')
            status = take_directive(r, address, value);
        else if (address || strcmp(value, "0")) // the line that some files begin with
            status = take_label(r, address, value);
    }
    return status;
}
