// Symbol files of every format: recognised by content, read, and their names added to the machine.
#include "harness/symbols_file.h"

#include "harness/file.h"
#include "harness/machine.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- what the readers share

char *symbols_line(struct symbol_reader *r)
{
    char *line = r->at, *end = line ? strchr(line, '\n') : NULL;
    if (!line || (!*line && !end))
        return r->at = NULL;
    r->at = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    else
        end = line + strlen(line);
    if (end > line && end[-1] == '\r')
        end[-1] = 0;
    r->line++;
    return line;
}

char *symbols_trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = 0;
    return text;
}

enum ps2_status symbols_fail(struct symbol_reader *r, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ps2_fail(r->error, PS2_BAD_INPUT, r->path, 0, "line %zu: %s", r->line, message);
}

enum ps2_status symbols_add(struct symbol_reader *r, struct symbol_entry e)
{
    for (const char *c = e.name; *c; c++)
        if (*c < ' ' || *c > '~')
            return symbols_fail(r, "a name has the byte 0x%02x, which is not printable", (uint8_t)*c);
    if (!*e.name)
        return symbols_fail(r, "a name is empty");
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 1024;
        struct symbol_entry *more = realloc(r->entries, room * sizeof *more);
        if (!more)
            return symbols_fail(r, "out of memory");
        r->entries = more;
        r->room = room;
    }
    e.line = r->line;
    r->entries[r->count++] = e;
    return PS2_OK;
}

bool symbols_number(const char *text, int base, uint32_t *out)
{
    char *end;
    bool prefixed = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!base)
        base = prefixed ? 16 : 10; // a leading zero is not octal
    if (!isxdigit((unsigned char)*text) || (prefixed && base != 16))
        return false;
    unsigned long long value = strtoull(text, &end, base);
    *out = (uint32_t)value;
    return !*end && value <= UINT32_MAX;
}

// ---- formats

static const struct {
    const char *name;
    symbols_read *read; // NULL: not a text
} formats[] = {
    [PS2_SYMBOLS_ANY] = {"any", NULL},
    [PS2_SYMBOLS_ELF] = {"elf", NULL},
    [PS2_SYMBOLS_TABLE] = {"table", symbols_read_table},
    [PS2_SYMBOLS_GHIDRA] = {"ghidra", symbols_read_ghidra},
    [PS2_SYMBOLS_SPLAT] = {"splat", symbols_read_splat},
    [PS2_SYMBOLS_MAP] = {"map", symbols_read_map},
    [PS2_SYMBOLS_PCSX2] = {"pcsx2", symbols_read_pcsx2},
};
#define FORMATS (sizeof formats / sizeof *formats)

enum ps2_symbol_format ps2_symbol_format_find(const char *name)
{
    size_t n = FORMATS - 1;
    while (n && strcmp(formats[n].name, name) != 0)
        n--;
    return (enum ps2_symbol_format)n;
}

// By the first line that is neither empty nor a comment.
static enum ps2_symbol_format format_of_line(const char *line)
{
    char *copy = strdup(line);
    enum ps2_symbol_format format = copy ? symbols_table_format(copy) : PS2_SYMBOLS_ANY;
    if (copy && !format && symbols_is_splat(strcpy(copy, line)))
        format = PS2_SYMBOLS_SPLAT;
    if (copy && !format && symbols_is_pcsx2(symbols_trim(strcpy(copy, line))))
        format = PS2_SYMBOLS_PCSX2;
    free(copy);
    return format;
}

static enum ps2_status recognise(struct symbol_reader *r, enum ps2_symbol_format *format)
{
    struct symbol_reader look = {.path = r->path, .error = r->error};
    if (symbols_is_map(r->at)) {
        *format = PS2_SYMBOLS_MAP;
        return PS2_OK;
    }
    char *copy = strdup(r->at), *line;
    if (!copy)
        return symbols_fail(r, "out of memory");
    look.at = copy;
    do
        line = symbols_line(&look);
    while (line && (!line[strspn(line, " \t")] || *line == '#' || *line == ';' || !strncmp(line, "//", 2)));
    *format = line ? format_of_line(line) : PS2_SYMBOLS_ANY;
    free(copy);
    if (!line)
        return ps2_fail(r->error, PS2_BAD_INPUT, r->path, 0, "names nothing");
    r->line = look.line;
    if (!*format)
        return symbols_fail(
            r, "begins no form of symbol file that is known: a table with a line of column names, "
               "symbol_addrs.txt, a linker map, a .sym file of PCSX2, an ELF file");
    r->line = 0;
    return PS2_OK;
}

static enum ps2_status read_text(struct symbol_reader *r, size_t size, enum ps2_symbol_format format)
{
    size_t length = strlen(r->at);
    if (length < size)
        return ps2_fail(r->error, PS2_BAD_INPUT, r->path, length, "is no text: it has a byte 0");
    if (!strncmp(r->at, "\xef\xbb\xbf", 3))
        r->at += 3;
    enum ps2_status status = format ? PS2_OK : recognise(r, &format);
    return status ? status : formats[format].read(r);
}

// ---- into the machine

static int by_module(const void *a, const void *b)
{
    const struct symbol_entry *x = a, *y = b;
    int order = x->module && y->module ? strcmp(x->module, y->module) : !!x->module - !!y->module;
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static enum ps2_status add_group(struct ps2 *ps2, const struct symbol_reader *r, size_t first, size_t count,
                                 const char *module)
{
    struct image_symbol *symbols = malloc(count * sizeof *symbols);
    const char *own = r->entries[first].module, *name = own ? own : module ? module : r->path;
    size_t index = symbols ? module_named(ps2, name, own || module) : SIZE_MAX;
    enum ps2_status status = PS2_OK;
    if (index == SIZE_MAX)
        status = ps2_fail(r->error, PS2_BAD_INPUT, r->path, 0, "out of memory for symbols");
    for (size_t n = 0; !status && n < count; n++) {
        const struct symbol_entry *e = &r->entries[first + n];
        symbols[n] = (struct image_symbol){e->name, e->address, e->size, e->kind, true};
    }
    if (!status)
        status = symbols_append(ps2, index, symbols, count, r->error);
    free(symbols);
    return status;
}

static enum ps2_status add_entries(struct ps2 *ps2, struct symbol_reader *r, const char *module)
{
    size_t modules = 0;
    if (r->count)
        qsort(r->entries, r->count, sizeof *r->entries, by_module);
    for (size_t n = 1; n < r->count; n++)
        modules += r->entries[n].module &&
                   (!r->entries[n - 1].module || strcmp(r->entries[n].module, r->entries[n - 1].module) != 0);
    if (modules > SYMBOL_MODULES_MAX)
        return ps2_fail(r->error, PS2_BAD_INPUT, r->path, 0, "names %zu modules; %d are allowed", modules,
                        SYMBOL_MODULES_MAX);
    enum ps2_status status = PS2_OK;
    for (size_t first = 0, n = 1; !status && n <= r->count; n++) {
        const char *a = r->entries[first].module, *b = n < r->count ? r->entries[n].module : NULL;
        if (n < r->count && (a == b || (a && b && !strcmp(a, b))))
            continue;
        status = add_group(ps2, r, first, n - first, module);
        first = n;
    }
    symbols_index(ps2);
    return status;
}

static enum ps2_status load_text(struct ps2 *ps2, const char *path, enum ps2_symbol_format format,
                                 const char *module, uint8_t *bytes, size_t size, struct ps2_error *error)
{
    char *text = realloc(bytes, size + 1);
    struct symbol_reader r = {.path = path, .at = text, .error = error};
    if (!text) {
        free(bytes);
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "out of memory");
    }
    text[size] = 0;
    enum ps2_status status = read_text(&r, size, format);
    if (!status)
        status = add_entries(ps2, &r, module);
    free(r.entries);
    free(text);
    return status;
}

static enum ps2_status load_elf(struct ps2 *ps2, const char *path, const char *module, uint8_t *bytes,
                                size_t size, struct ps2_error *error)
{
    struct image image;
    enum ps2_status status = image_from_elf(&image, path, bytes, size, EE_RAM_SIZE_LARGE, error);
    if (!status && !image.symbol_count)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "has no symbols");
    size_t index = status ? 0 : module_named(ps2, module ? module : path, module);
    if (index == SIZE_MAX)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "out of memory");
    if (!status)
        status = symbols_add_list(ps2, index, image.symbols, image.symbol_count, error);
    image_free(&image);
    return status;
}

enum ps2_status ps2_load_symbols_data(struct ps2 *ps2, const char *name, const void *data, size_t size,
                                      enum ps2_symbol_format format, const char *module,
                                      struct ps2_error *error)
{
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        return ps2_fail(error, PS2_BAD_INPUT, name, 0, "out of memory");
    if (size)
        memcpy(bytes, data, size);
    bool elf = size >= 4 && !memcmp(bytes,
                                    "\x7f"
                                    "ELF",
                                    4);
    if (format == PS2_SYMBOLS_ELF || (!format && elf))
        return load_elf(ps2, name, module, bytes, size, error);
    return load_text(ps2, name, format, module, bytes, size, error);
}

enum ps2_status ps2_load_symbols(struct ps2 *ps2, const char *path, enum ps2_symbol_format format,
                                 const char *module, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    enum ps2_status status = file_read(path, FILE_LIMIT, &bytes, &size, error);
    if (!status) {
        status = ps2_load_symbols_data(ps2, path, bytes, size, format, module, error);
        free(bytes);
    }
    return status;
}
