// Evaluates the expressions of a case file by recursive descent.
#include "harness/diff/expression.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 64 // of brackets

struct cursor {
    const struct diff_scope *scope;
    const char *text, *at;
    unsigned depth;
    enum ps2_status status;
    struct ps2_error *error;
};

static int64_t sum(struct cursor *);

static int64_t refuse(struct cursor *c, const char *why)
{
    if (!c->status)
        c->status = ps2_fail(c->error, PS2_BAD_INPUT, NULL, 0, "'%s', column %zu: %s", c->text,
                             (size_t)(c->at - c->text) + 1, why);
    return 0;
}

static void skip_spaces(struct cursor *c)
{
    while (*c->at == ' ')
        c->at++;
}

static bool take(struct cursor *c, char mark)
{
    skip_spaces(c);
    if (*c->at != mark)
        return false;
    c->at++;
    return true;
}

static void need(struct cursor *c, char mark)
{
    const char why[] = {'\'', mark, '\'', ' ', 'i', 's', ' ', 'm', 'i', 's', 's', 'i', 'n', 'g', 0};
    if (!c->status && !take(c, mark))
        refuse(c, why);
}

static int64_t number(struct cursor *c)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(c->at, &end, 0);
    if (errno || value > INT64_MAX)
        return refuse(c, "the number is too large");
    if (isalnum((unsigned char)*end) || *end == '_')
        return refuse(c, "not a number");
    c->at = end;
    return (int64_t)value;
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || (text[n] && strchr("_.$:", text[n])))
        n++;
    return n;
}

static int64_t load(struct cursor *c, bool is_signed, unsigned size)
{
    int64_t address = sum(c);
    uint8_t bytes[4] = {0};
    need(c, ']');
    if (c->status)
        return 0;
    if (address < 0 || address > UINT32_MAX)
        return refuse(c, "the address is not one of 32 bits");
    if (ps2_read(c->scope->ps2, (uint32_t)address, bytes, size, NULL) != PS2_OK) {
        char why[64];
        snprintf(why, sizeof why, "there is no memory at 0x%08x", (uint32_t)address);
        return refuse(c, why);
    }
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    unsigned shift = 32 - 8 * size;
    return is_signed ? (int32_t)(word << shift) >> shift : (int64_t)word;
}

// TYPE[ at the cursor: moves past it.
static bool take_type(struct cursor *c, bool *is_signed, unsigned *size)
{
    static const struct {
        const char *text;
        bool is_signed;
        unsigned size;
    } types[] = {{"u8[", false, 1}, {"s8[", true, 1},   {"u16[", false, 2},
                 {"s16[", true, 2}, {"u32[", false, 4}, {"s32[", true, 4}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strncmp(c->at, types[i].text, strlen(types[i].text))) {
            c->at += strlen(types[i].text);
            *is_signed = types[i].is_signed;
            *size = types[i].size;
            return true;
        }
    return false;
}

static const struct diff_buffer *buffer(const struct diff_scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->buffer_count; i++)
        if (!strcmp(scope->buffers[i].name, name))
            return &scope->buffers[i];
    return NULL;
}

static bool find(const struct diff_scope *scope, const char *name, uint32_t *value)
{
    struct ps2_symbol symbol;
    const struct diff_buffer *b = buffer(scope, name);
    if (b)
        *value = b->address;
    else if (scope->has_index && !strcmp(name, "i"))
        *value = scope->index;
    else if (scope->has_result && !strcmp(name, "v0"))
        *value = scope->v0;
    else if (scope->has_result && !strcmp(name, "v1"))
        *value = scope->v1;
    else if (ps2_find_symbol(scope->ps2, name, &symbol))
        *value = symbol.address;
    else
        return false;
    return true;
}

static int64_t named(struct cursor *c)
{
    char name[200], why[256];
    size_t length = name_length(c->at);
    uint32_t value = 0;
    bool size = !strncmp(c->at, "size(", 5);
    if (size) {
        c->at += 5;
        length = name_length(c->at);
    }
    if (!length)
        return refuse(c, *c->at ? "a value is missing here" : "the expression ends too early");
    snprintf(name, sizeof name, "%.*s", (int)length, c->at);
    const struct diff_buffer *b = size ? buffer(c->scope, name) : NULL;
    if (size && b)
        value = b->size;
    else if (size || !find(c->scope, name, &value)) {
        snprintf(why, sizeof why, "there is no %s '%s'", size ? "buffer" : "symbol or buffer", name);
        return refuse(c, why);
    }
    c->at += length;
    if (size)
        need(c, ')');
    return value;
}

static int64_t factor(struct cursor *c)
{
    bool is_signed;
    unsigned size;
    int64_t value;
    skip_spaces(c);
    if (c->status || ++c->depth > MOST_DEPTH)
        return refuse(c, "nested too deeply");
    if (take(c, '-')) {
        if (__builtin_sub_overflow((int64_t)0, factor(c), &value))
            return refuse(c, "the negative does not fit in 64 bits");
    } else if (take(c, '(')) {
        value = sum(c);
        need(c, ')');
    } else if (take_type(c, &is_signed, &size)) {
        value = load(c, is_signed, size);
    } else if (isdigit((unsigned char)*c->at)) {
        value = number(c);
    } else {
        value = named(c);
    }
    c->depth--;
    return value;
}

static int64_t product(struct cursor *c)
{
    int64_t value = factor(c);
    while (!c->status) {
        bool times = take(c, '*'), over = !times && take(c, '/');
        if (!times && !over && !take(c, '%'))
            return value;
        int64_t next = factor(c);
        if (!times && next <= 0)
            return refuse(c, "the divisor is not positive");
        if (times && __builtin_mul_overflow(value, next, &value))
            return refuse(c, "the product does not fit in 64 bits");
        if (!times)
            value = over ? value / next : value % next;
    }
    return 0;
}

static int64_t sum(struct cursor *c)
{
    int64_t value = product(c);
    while (!c->status) {
        bool plus = take(c, '+');
        if (!plus && !take(c, '-'))
            return value;
        int64_t next = product(c);
        if (plus ? __builtin_add_overflow(value, next, &value) : __builtin_sub_overflow(value, next, &value))
            return refuse(c, "the sum does not fit in 64 bits");
    }
    return value;
}

static enum ps2_status finish(struct cursor *c)
{
    skip_spaces(c);
    if (!c->status && *c->at)
        refuse(c, "something is left over here");
    return c->status;
}

enum ps2_status diff_evaluate(const struct diff_scope *scope, const char *text, int64_t *out,
                              struct ps2_error *error)
{
    struct cursor c = {.scope = scope, .text = text, .at = text, .error = error};
    *out = sum(&c);
    return finish(&c);
}

enum ps2_status diff_evaluate_word(const struct diff_scope *scope, const char *text, uint32_t *out,
                                   struct ps2_error *error)
{
    int64_t value;
    enum ps2_status status = diff_evaluate(scope, text, &value, error);
    if (!status && (value < 0 || value > UINT32_MAX))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is %lld, not from 0 to 0xffffffff", text,
                        (long long)value);
    *out = (uint32_t)value;
    return status;
}

// A decimal number with a point, in the host's float: the nearest value, which the guest's format has too.
static bool decimal(const char *text, uint32_t *bits)
{
    char *end;
    const char *digits = text + (*text == '-');
    float value = strtof(text, &end);
    if (!isdigit((unsigned char)*digits) || !strchr(text, '.') || end == text || *end)
        return false;
    memcpy(bits, &value, sizeof *bits);
    return (*bits & 0x7F800000) != 0x7F800000;
}

enum ps2_status diff_argument(const struct diff_scope *scope, const char *text, struct ps2_argument *out,
                              struct ps2_error *error)
{
    struct cursor c = {.scope = scope, .text = text, .at = text, .error = error};
    uint32_t bits;
    if (decimal(text, &bits)) {
        *out = ps2_float(bits);
        return PS2_OK;
    }
    bool is_float = !strncmp(text, "bits(", 5), wide = !strncmp(text, "quad(", 5);
    c.at += is_float || wide ? 5 : 0;
    int64_t value = sum(&c), high = value;
    if (wide) {
        need(&c, ',');
        value = c.status ? 0 : sum(&c);
    }
    if (is_float || wide)
        need(&c, ')');
    *out = is_float ? ps2_float((uint32_t)value) : ps2_integer(value);
    if (wide) {
        out->wide = true;
        out->value.d[0] = (uint64_t)value;
        out->value.d[1] = (uint64_t)high;
    }
    return finish(&c);
}
