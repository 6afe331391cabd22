// Symbol files with columns: tables of decompilations (TSV, CSV) and the tables that Ghidra exports.
//
// The first line that is no comment names the columns; any that is not known is skipped. A field may stand in
// quotes, a quote in it is doubled or, as Ghidra writes it, behind a backslash, as is a comma
// (NationalSecurityAgency/ghidra: GTableToCSV.java). Ghidra's tables (of symbols and of functions) are
// recognised by the column Location: hexadecimal, with the address space before it, which for an overlay is
// the overlay's name and two colons.
#include "harness/symbols_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum column { NAME, ADDRESS, SIZE, END, KIND, MODULE, COLUMNS };

#define FIELDS_MAX 64

struct table {
    bool ghidra;
    char separator;
    int at[COLUMNS]; // which field of a line; -1: none
    size_t width;    // fields of a line up to the last that is needed
    struct row {
        char *field[COLUMNS]; // empty when there is none
        size_t line;
    } * rows;
    size_t count, room;
};

// ---- fields

// Cuts a field off and unquotes it in place. *rest: behind its separator, or NULL after the last. NULL: a
// quote is not closed.
static char *field_of(char **rest, char separator)
{
    char *in = *rest, *start = in, *out = in;
    if (*in == '"') {
        for (in++; *in && (*in != '"' || in[1] == '"'); in++) {
            in += (*in == '\\' && (in[1] == '"' || in[1] == ',')) || *in == '"';
            *out++ = *in;
        }
        if (*in != '"' || (in[1] && in[1] != separator))
            return NULL;
        in++;
    } else {
        in += strcspn(in, (const char[]){separator, 0});
        out = in;
    }
    *rest = *in ? in + 1 : NULL;
    *out = 0;
    return symbols_trim(start);
}

// The fields of a line, or -1.
static int split(char *line, char separator, char *fields[FIELDS_MAX])
{
    int count = 0;
    for (char *rest = line; rest && count < FIELDS_MAX; count++)
        if (!(fields[count] = field_of(&rest, separator)))
            return -1;
    return count;
}

// ---- the line of names

// Equal but for case and for what is neither a letter nor a digit.
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a && !isalnum((unsigned char)*a))
            a++;
        if (tolower((unsigned char)*a) != *b || !*b)
            return !*a && !*b;
    }
}

static enum column column_of(const char *name, bool *ghidra)
{
    static const struct {
        const char *name;
        enum column column;
    } names[] = {{"name", NAME},
                 {"symbol", NAME},
                 {"label", NAME},
                 {"function", NAME},
                 {"symbolname", NAME},
                 {"functionname", NAME},
                 {"location", ADDRESS},
                 {"address", ADDRESS},
                 {"addr", ADDRESS},
                 {"start", ADDRESS},
                 {"startaddress", ADDRESS},
                 {"vaddr", ADDRESS},
                 {"vram", ADDRESS},
                 {"entry", ADDRESS},
                 {"size", SIZE},
                 {"length", SIZE},
                 {"functionsize", SIZE},
                 {"end", END},
                 {"endaddress", END},
                 {"type", KIND},
                 {"kind", KIND},
                 {"module", MODULE},
                 {"overlay", MODULE},
                 {"segment", MODULE}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (same_name(name, names[n].name)) {
            *ghidra |= !strcmp(names[n].name, "location");
            return names[n].column;
        }
    return COLUMNS;
}

static bool read_header(char *line, struct table *t)
{
    char *fields[FIELDS_MAX];
    *t = (struct table){.separator = strchr(line, '\t') ? '\t' : ',', .at = {-1, -1, -1, -1, -1, -1}};
    int count = split(line, t->separator, fields);
    for (int n = 0; n < count; n++) {
        enum column c = column_of(fields[n], &t->ghidra);
        if (c < COLUMNS && t->at[c] < 0)
            t->at[c] = n;
    }
    for (enum column c = NAME; c <= ADDRESS; c++)
        if (t->at[c] >= (int)t->width)
            t->width = (size_t)t->at[c] + 1;
    return t->at[NAME] >= 0 && t->at[ADDRESS] >= 0;
}

enum ps2_symbol_format symbols_table_format(char *line)
{
    struct table t;
    if (!read_header(line, &t))
        return PS2_SYMBOLS_ANY;
    return t.ghidra ? PS2_SYMBOLS_GHIDRA : PS2_SYMBOLS_TABLE;
}

// ---- rows

static enum ps2_status add_row(struct symbol_reader *r, struct table *t, char *line)
{
    char *fields[FIELDS_MAX], *nothing = line + strlen(line);
    int count = split(line, t->separator, fields);
    if (count < 0)
        return symbols_fail(r, "has a quote that is not closed where its field ends");
    if ((size_t)count < t->width)
        return symbols_fail(r, "has %d fields, and the address or the name is in number %zu", count,
                            t->width);
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 1024;
        struct row *more = realloc(t->rows, room * sizeof *more);
        if (!more)
            return symbols_fail(r, "out of memory");
        t->rows = more;
        t->room = room;
    }
    struct row *row = &t->rows[t->count++];
    *row = (struct row){.line = r->line};
    for (enum column c = 0; c < COLUMNS; c++)
        row->field[c] = t->at[c] >= 0 && t->at[c] < count ? fields[t->at[c]] : nothing;
    return PS2_OK;
}

// Whether numbers without 0x are hexadecimal in a column: one has a letter, or is an address of eight digits
// that begins with 0.
static bool is_hexadecimal(const struct table *t, enum column column)
{
    for (size_t n = 0; n < t->count; n++) {
        const char *text = t->rows[n].field[column];
        size_t length = strlen(text);
        if (strspn(text, "0123456789abcdefABCDEF") == length &&
            (strpbrk(text, "abcdefABCDEF") || (length == 8 && *text == '0')))
            return true;
    }
    return false;
}

// Kinds by the words that decompilations and Ghidra use; false for what is at no address of the memory:
// parameters, local variables, names of classes and libraries.
static bool kind_of(const char *text, enum ps2_symbol_kind *out)
{
    static const struct {
        const char *text;
        enum ps2_symbol_kind kind;
    } kinds[] = {{"", PS2_SYMBOL_FUNCTION},
                 {"function", PS2_SYMBOL_FUNCTION},
                 {"func", PS2_SYMBOL_FUNCTION},
                 {"f", PS2_SYMBOL_FUNCTION},
                 {"thunk", PS2_SYMBOL_FUNCTION},
                 {"thunkfunction", PS2_SYMBOL_FUNCTION},
                 {"code", PS2_SYMBOL_FUNCTION},
                 {"data", PS2_SYMBOL_OBJECT},
                 {"object", PS2_SYMBOL_OBJECT},
                 {"datalabel", PS2_SYMBOL_OBJECT},
                 {"variable", PS2_SYMBOL_OBJECT},
                 {"label", PS2_SYMBOL_LABEL},
                 {"instructionlabel", PS2_SYMBOL_LABEL}};
    static const char *const elsewhere[] = {"parameter",   "localvar",  "globalvar", "globalregistervar",
                                            "class",       "namespace", "library",   "externalfunction",
                                            "externaldata"};
    *out = PS2_SYMBOL_OBJECT;
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++)
        if (same_name(text, kinds[n].text))
            *out = kinds[n].kind;
    for (size_t n = 0; n < sizeof elsewhere / sizeof *elsewhere; n++)
        if (same_name(text, elsewhere[n]))
            return false;
    return true;
}

// Cuts `SPACE:ADDRESS` or `OVERLAY::ADDRESS` apart.
static char *take_space(char *text, const char **module)
{
    char *colon = strrchr(text, ':');
    if (!colon)
        return text;
    if (colon > text && colon[-1] == ':') {
        colon[-1] = 0;
        *module = text;
    }
    return colon + 1;
}

struct radixes {
    int address, size, end;
};

static enum ps2_status take_row(struct symbol_reader *r, const struct table *t, const struct row *row,
                                struct radixes radix)
{
    struct symbol_entry e = {.name = row->field[NAME],
                             .module = *row->field[MODULE] ? row->field[MODULE] : NULL};
    char *address = row->field[ADDRESS];
    uint32_t end = 0;
    r->line = row->line;
    if (!kind_of(row->field[KIND], &e.kind))
        return PS2_OK;
    if (t->ghidra)
        address = take_space(address, &e.module);
    if (!symbols_number(address, radix.address, &e.address))
        return symbols_fail(r, "'%s' is not an address", address);
    if (*row->field[SIZE] && !symbols_number(row->field[SIZE], radix.size, &e.size))
        return symbols_fail(r, "'%s' is not a size", row->field[SIZE]);
    if (*row->field[END]) {
        if (!symbols_number(row->field[END], radix.end, &end) || end < e.address)
            return symbols_fail(r, "'%s' is not an end", row->field[END]);
        e.size = end - e.address;
    }
    return symbols_add(r, e);
}

static enum ps2_status read_rows(struct symbol_reader *r, struct table *t)
{
    enum ps2_status status = PS2_OK;
    bool header = false;
    for (char *line; !status && (line = symbols_line(r));) {
        if (!line[strspn(line, " \t")] || *line == '#' || *line == ';')
            continue;
        if (header)
            status = add_row(r, t, line);
        else if (!read_header(line, t))
            return symbols_fail(r, "names no columns for names (name, symbol, label, function) and addresses "
                                   "(address, start, location)");
        header = true;
    }
    return status;
}

enum ps2_status symbols_read_table(struct symbol_reader *r)
{
    struct table t = {0};
    enum ps2_status status = read_rows(r, &t);
    struct radixes radix = {t.ghidra || is_hexadecimal(&t, ADDRESS) ? 16 : 0,
                            is_hexadecimal(&t, SIZE) ? 16 : 0, is_hexadecimal(&t, END) ? 16 : 0};
    for (size_t n = 0; !status && n < t.count; n++)
        status = take_row(r, &t, &t.rows[n], radix);
    free(t.rows);
    return status;
}

enum ps2_status symbols_read_ghidra(struct symbol_reader *r)
{
    return symbols_read_table(r);
}
