// The assembler: dvp-as syntax, upper and lower instruction on one line.
//
// Each instruction is read by walking its row's operand string, so the lower one begins where the upper one's
// operands end. Directives that only matter to a linker or to DMA packing are accepted and ignored.
#include "vu/core.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

struct symbol {
    const char *name;
    size_t length;
    uint32_t pair;
};

struct assembler {
    const char *at, *end; // of the line
    uint32_t *words;
    size_t pairs, room;
    struct symbol *symbols;
    size_t symbol_count, symbol_room;
    bool resolve; // second pass
    char *why;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct assembler *a, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(a->why, VU_MESSAGE_SIZE, format, list);
    va_end(list);
    return false;
}

// ---- words of a line

static void skip_space(struct assembler *a)
{
    while (a->at < a->end && isspace((unsigned char)*a->at))
        a->at++;
}

static bool name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static size_t name_length(const struct assembler *a)
{
    size_t n = 0;
    while (a->at + n < a->end && name_character(a->at[n]))
        n++;
    return n;
}

// Takes `text` if it stands here, whatever its case.
static bool take(struct assembler *a, const char *text)
{
    size_t n = strlen(text);
    skip_space(a);
    if ((size_t)(a->end - a->at) < n || strncasecmp(a->at, text, n))
        return false;
    a->at += n;
    return true;
}

static bool number(struct assembler *a, int64_t low, int64_t high, int64_t *value)
{
    char digits[32];
    size_t n = 0;
    skip_space(a);
    while (a->at + n < a->end && n < sizeof digits - 1 &&
           (isalnum((unsigned char)a->at[n]) || (n == 0 && (*a->at == '-' || *a->at == '+')))) {
        digits[n] = a->at[n];
        n++;
    }
    digits[n] = 0;
    char *rest;
    *value = strtoll(digits, &rest, 0);
    if (!n || *rest)
        return fail(a, "a number is missing");
    if (*value < low || *value > high)
        return fail(a, "%s does not fit: %lld to %lld", digits, (long long)low, (long long)high);
    a->at += n;
    return true;
}

static int lane(char c)
{
    const char *found = c ? strchr("xyzw", tolower((unsigned char)c)) : NULL;
    return found ? (int)(found - "xyzw") : -1;
}

// Lanes in the order x y z w, each at most once.
static unsigned lanes(struct assembler *a)
{
    unsigned mask = 0;
    for (int last = -1; a->at < a->end && lane(*a->at) > last; a->at++) {
        last = lane(*a->at);
        mask |= 8u >> last;
    }
    return mask;
}

static bool reg(struct assembler *a, const char *kind, unsigned count, uint32_t *n)
{
    if (!take(a, kind))
        return fail(a, "a %s register is missing at '%.*s'", kind, (int)(a->end - a->at), a->at);
    *n = 0;
    unsigned digits = 0;
    for (; digits < 2 && a->at < a->end && isdigit((unsigned char)*a->at); digits++)
        *n = *n * 10 + (uint32_t)(*a->at++ - '0');
    return (digits && *n < count) || fail(a, "there is no such %s register", kind);
}

// ---- operands

static bool vf(struct assembler *a, unsigned shift, unsigned dest, uint32_t *word)
{
    uint32_t n;
    if (!reg(a, "VF", 32, &n))
        return false;
    *word |= n << shift;
    unsigned mask = lanes(a);
    return !mask || mask == dest || fail(a, "the lanes of VF%02u are not those of the instruction", n);
}

static bool vf_lane(struct assembler *a, unsigned shift, uint32_t *word, uint32_t *chosen)
{
    uint32_t n;
    if (!reg(a, "VF", 32, &n))
        return false;
    *word |= n << shift;
    if (a->at == a->end || lane(*a->at) < 0)
        return fail(a, "VF%02u needs a lane", n);
    *chosen = (uint32_t)lane(*a->at++);
    return true;
}

static bool lane_operand(struct assembler *a, char letter, uint32_t *word)
{
    uint32_t chosen = 0;
    if (!vf_lane(a, letter == 'f' ? 11 : 16, word, &chosen))
        return false;
    switch (letter) {
    case 'b':
        return (*word & 3) == chosen || fail(a, "the lane is not the one in the name");
    case 'w':
        return chosen == 3 || fail(a, "the lane must be w");
    case 'f':
        *word |= chosen << 21;
        return true;
    default:
        *word |= chosen << 23;
        return true;
    }
}

static bool branch_target(struct assembler *a, int64_t *offset)
{
    skip_space(a);
    if (a->at + 1 < a->end && *a->at == '.' && (a->at[1] == '+' || a->at[1] == '-')) {
        a->at++;
        if (!number(a, -1023, 1024, offset))
            return false;
        *offset -= 1;
        return true;
    }
    size_t n = name_length(a);
    if (!n)
        return fail(a, "a branch target is missing");
    for (const struct symbol *s = a->symbols; s < a->symbols + a->symbol_count; s++)
        if (s->length == n && !memcmp(s->name, a->at, n)) {
            *offset = (int64_t)s->pair - (int64_t)a->pairs - 1;
            a->at += n;
            return (*offset >= -1024 && *offset < 1024) || fail(a, "the branch is too far");
        }
    *offset = 0;
    if (a->resolve)
        return fail(a, "there is no label %.*s", (int)n, a->at);
    a->at += n;
    return true;
}

static bool immediate(struct assembler *a, char letter, uint32_t *word)
{
    int64_t n;
    switch (letter) {
    case '1': // an offset may be left out: (VI01)
        skip_space(a);
        n = 0;
        if (a->at < a->end && *a->at != '(' && !number(a, -1024, 1023, &n))
            return false;
        *word |= (uint32_t)n & 0x7ff;
        return true;
    case '2':
        if (!number(a, 0, 0xfff, &n))
            return false;
        *word |= ((uint32_t)n & 0x800) << 10 | ((uint32_t)n & 0x7ff);
        return true;
    case '3':
        if (!number(a, -16, 15, &n))
            return false;
        *word |= ((uint32_t)n & 31) << 6;
        return true;
    case '4':
        if (!number(a, 0, 0xffffff, &n))
            return false;
        *word |= (uint32_t)n;
        return true;
    case '5':
        if (!number(a, 0, 0x7fff, &n))
            return false;
        *word |= ((uint32_t)n & 0x7800) << 10 | ((uint32_t)n & 0x7ff);
        return true;
    default:
        if (!branch_target(a, &n))
            return false;
        *word |= (uint32_t)n & 0x7ff;
        return true;
    }
}

static bool operand(struct assembler *a, char letter, unsigned dest, uint32_t *word)
{
    uint32_t n;
    char literal[2] = {letter, 0};
    switch (letter) {
    case 'D':
        return vf(a, 6, dest, word);
    case 'S':
        return vf(a, 11, dest, word);
    case 'T':
        return vf(a, 16, dest, word);
    case 'b':
    case 'w':
    case 'f':
    case 'g':
        return lane_operand(a, letter, word);
    case 'J':
    case 'K':
    case 'L':
        if (!reg(a, "VI", 16, &n))
            return false;
        *word |= n << (letter == 'J' ? 16 : letter == 'K' ? 11 : 6);
        return true;
    case 'v':
        return (reg(a, "VI", 16, &n) && n == 1) || fail(a, "the register must be VI01");
    case 'A':
        if (!take(a, "ACC"))
            return fail(a, "ACC is missing");
        n = lanes(a);
        return !n || n == dest || fail(a, "the lanes of ACC are not those of the instruction");
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case 'p':
        return immediate(a, letter, word);
    default:
        return take(a, literal) || fail(a, "'%c' is missing", letter);
    }
}

// ---- instructions

// Matches a name against a row's; `?` takes a lane into the word.
static bool same_name(const char *name, size_t length, const char *row_name, uint32_t *bits)
{
    *bits = 0;
    for (; length && *row_name; length--, name++, row_name++) {
        if (*row_name == '?') {
            if (lane(*name) < 0)
                return false;
            *bits = (uint32_t)lane(*name);
        } else if (tolower((unsigned char)*name) != tolower((unsigned char)*row_name)) {
            return false;
        }
    }
    return !length && !*row_name;
}

static const struct row *find_name(const struct row *rows, size_t count, const char *name, size_t length,
                                   uint32_t *bits)
{
    for (const struct row *r = rows; r < rows + count; r++)
        if (same_name(name, length, r->name, bits))
            return r;
    return NULL;
}

static bool end_flags(struct assembler *a, uint32_t *word)
{
    if (!take(a, "["))
        return true;
    for (; a->at < a->end && *a->at != ']'; a->at++) {
        const char *found = strchr("IEMDT", toupper((unsigned char)*a->at));
        if (*a->at == ',' || *a->at == ' ')
            continue;
        if (!found)
            return fail(a, "'%c' is none of the bits I E M D T", *a->at);
        *word |= UPPER_I >> (found - "IEMDT");
    }
    return take(a, "]") || fail(a, "']' is missing");
}

static bool destination(struct assembler *a, const struct row *row, uint32_t *word)
{
    uint32_t usual = row->match & 0x01e00000;
    if (!(row->flags & DEST)) {
        *word |= usual;
        return true;
    }
    if (a->at < a->end && *a->at == '.') {
        a->at++;
        *word |= lanes(a) << 21;
    } else {
        *word |= usual ? usual : 0x01e00000;
    }
    return a->at == a->end || !name_character(*a->at) ||
           fail(a, "the destination lanes are not x, y, z, w in order");
}

static bool raw_word(struct assembler *a, uint32_t *word)
{
    int64_t n;
    if (!number(a, 0, 0xffffffff, &n))
        return false;
    *word = (uint32_t)n;
    return true;
}

static bool instruction(struct assembler *a, const struct row *rows, size_t count, uint32_t *word)
{
    size_t length = 0;
    uint32_t lane_bits;
    skip_space(a);
    if (take(a, ".word"))
        return raw_word(a, word);
    while (a->at + length < a->end && isalnum((unsigned char)a->at[length]))
        length++;
    const struct row *row = find_name(rows, count, a->at, length, &lane_bits);
    if (!row)
        return fail(a, "there is no %s instruction %.*s", rows == vu_upper_rows ? "upper" : "lower",
                    length > 40 ? 40 : (int)length, a->at);
    a->at += length;
    *word = (row->match & ~0x01e00000u) | lane_bits;
    if (!destination(a, row, word) || (rows == vu_upper_rows && !end_flags(a, word)))
        return false;
    unsigned dest = field(*word, 21, 4);
    for (const char *c = row->operands; *c; c++)
        if (!operand(a, *c, dest, word))
            return false;
    return true;
}

static bool immediate_i(struct assembler *a, uint32_t *word)
{
    char text[48];
    skip_space(a);
    size_t n = 0;
    while (a->at + n < a->end && n < sizeof text - 1 && !isspace((unsigned char)a->at[n])) {
        text[n] = a->at[n];
        n++;
    }
    text[n] = 0;
    a->at += n;
    char *rest;
    if (!strncasecmp(text, "0x", 2)) {
        unsigned long long bits = strtoull(text, &rest, 16);
        *word = (uint32_t)bits;
        return (n && !*rest && bits <= 0xffffffff) || fail(a, "LOI needs a number");
    }
    float value = strtof(text, &rest); // a constant of the source text, not guest arithmetic
    memcpy(word, &value, 4);
    return (n && !*rest) || fail(a, "LOI needs a number");
}

static bool pair(struct assembler *a)
{
    uint32_t upper, lower = LOWER_NOP;
    if (!instruction(a, vu_upper_rows, vu_upper_count, &upper))
        return false;
    skip_space(a);
    if (a->at == a->end)
        return fail(a, "the lower instruction is missing");
    size_t length = name_length(a);
    if (length == 3 && take(a, "loi")) {
        upper |= UPPER_I;
        if (!immediate_i(a, &lower))
            return false;
    } else if (length == 3 && take(a, "nop")) {
        lower = LOWER_NOP;
    } else if (!instruction(a, vu_lower_rows, vu_lower_count, &lower)) {
        return false;
    }
    skip_space(a);
    if (a->at != a->end)
        return fail(a, "what follows the instruction is not understood: '%.*s'", (int)(a->end - a->at),
                    a->at);
    if (a->pairs == a->room) {
        size_t room = a->room ? 2 * a->room : 256;
        uint32_t *words = realloc(a->words, room * 8);
        if (!words)
            return fail(a, "out of memory");
        a->words = words;
        a->room = room;
    }
    a->words[2 * a->pairs] = lower;
    a->words[2 * a->pairs + 1] = upper;
    a->pairs++;
    return true;
}

// ---- lines

static bool define(struct assembler *a, const char *name, size_t length)
{
    if (a->resolve)
        return true;
    for (const struct symbol *s = a->symbols; s < a->symbols + a->symbol_count; s++)
        if (s->length == length && !memcmp(s->name, name, length))
            return fail(a, "label %.*s is defined twice", (int)length, name);
    if (a->symbol_count == a->symbol_room) {
        size_t room = a->symbol_room ? 2 * a->symbol_room : 32;
        struct symbol *symbols = realloc(a->symbols, room * sizeof *symbols);
        if (!symbols)
            return fail(a, "out of memory");
        a->symbols = symbols;
        a->symbol_room = room;
    }
    a->symbols[a->symbol_count++] = (struct symbol){name, length, (uint32_t)a->pairs};
    return true;
}

static bool ignored_directive(const char *name, size_t length)
{
    static const char *const names[] = {
        ".vu",         ".align",      ".p2align", ".global", ".globl", ".section", ".text",
        ".vutext",     ".name",       ".type",    ".size",   ".file",  ".endmpg",  ".mpg",
        ".dmapackvif", ".enddmadata", "mpg",      "dmaret",  "dmacnt", "dmaend",   ".init_vf_all"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strlen(names[k]) == length && !strncasecmp(names[k], name, length))
            return true;
    return false;
}

static bool line(struct assembler *a)
{
    for (;;) {
        skip_space(a);
        size_t n = name_length(a);
        if (!n || a->at + n == a->end || a->at[n] != ':')
            break;
        if (!define(a, a->at, n))
            return false;
        a->at += n + 1;
    }
    if (a->at == a->end)
        return true;
    size_t n = name_length(a);
    if (ignored_directive(a->at, n))
        return true;
    if (*a->at == '.' && strncasecmp(a->at, ".word", 5))
        return fail(a, "there is no directive %.*s", n > 40 ? 40 : (int)n, a->at);
    return pair(a);
}

// Comments become blanks, so that columns and lines stay.
static void blank_comments(char *text, size_t size)
{
    bool block = false, rest = false;
    for (size_t k = 0; k < size; k++) {
        bool two = k + 1 < size;
        if (text[k] == '\n') {
            rest = false;
            continue;
        }
        if (block && two && text[k] == '*' && text[k + 1] == '/') {
            text[k] = text[k + 1] = ' ';
            block = false;
            k++;
            continue;
        }
        if (!block && !rest && two && text[k] == '/' && text[k + 1] == '*')
            block = true;
        if (!block && (text[k] == ';' || text[k] == '#' || (two && text[k] == '/' && text[k + 1] == '/')))
            rest = true;
        if (block || rest)
            text[k] = ' ';
    }
}

static bool pass(struct assembler *a, const char *text, size_t size, unsigned *line_number)
{
    a->pairs = 0;
    *line_number = 0;
    for (const char *from = text; from < text + size;) {
        const char *end = memchr(from, '\n', (size_t)(text + size - from));
        if (!end)
            end = text + size;
        ++*line_number;
        a->at = from;
        a->end = end;
        if (!line(a))
            return false;
        from = end + 1;
    }
    return true;
}

bool vu_assemble(const char *text, size_t size, struct vu_assembly *out, unsigned *line_number, char *why)
{
    *out = (struct vu_assembly){NULL, 0};
    struct assembler a = {.why = why};
    *line_number = 0;
    char *copy = malloc(size + 1);
    if (!copy)
        return fail(&a, "out of memory");
    memcpy(copy, text, size);
    blank_comments(copy, size);
    bool ok = pass(&a, copy, size, line_number);
    a.resolve = true;
    ok = ok && pass(&a, copy, size, line_number);
    free(copy);
    free(a.symbols);
    if (!ok) {
        free(a.words);
        return false;
    }
    *out = (struct vu_assembly){a.words, a.pairs};
    return true;
}
