// Reading values from the command line.
#include "harness/cli/parse.h"
#include "harness/file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum ps2_status refuse(struct ps2_error *error, const char *text, const char *why)
{
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' %s", text, why);
}

// 010 is ten: only C reads it as eight.
static int base_of(const char *digits)
{
    return digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
}

enum ps2_status parse_integer(const char *text, uint64_t *value, bool *negative, struct ps2_error *error)
{
    char *end;
    *negative = *text == '-';
    if (!isdigit((unsigned char)text[*negative]))
        return refuse(error, text, "is not a number");
    errno = 0;
    unsigned long long magnitude = strtoull(text + *negative, &end, base_of(text + *negative));
    if (*end)
        return refuse(error, text, "is not a number");
    if (errno || (*negative && magnitude > (uint64_t)INT64_MAX + 1))
        return refuse(error, text, "does not fit in 64 bits");
    *value = *negative ? -(uint64_t)magnitude : magnitude;
    return PS2_OK;
}

enum ps2_status parse_count(const char *text, uint64_t max, uint64_t *value, struct ps2_error *error)
{
    bool negative;
    enum ps2_status status = parse_integer(text, value, &negative, error);
    if (status == PS2_OK && (negative || *value > max))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is not from 0 to %llu", text,
                        (unsigned long long)max);
    return status;
}

// A zero in the machine's settings means its default.
enum ps2_status parse_fcr0(const char *text, uint32_t *value, struct ps2_error *error)
{
    uint64_t number;
    enum ps2_status status = parse_count(text, UINT32_MAX, &number, error);
    if (status == PS2_OK && !number)
        return refuse(error, text, "is no value that a console has");
    if (status == PS2_OK)
        *value = (uint32_t)number;
    return status;
}

static enum ps2_status parse_float(const char *text, uint32_t *bits, struct ps2_error *error)
{
    char *end;
    if (*text == '#') {
        unsigned long pattern = strtoul(text + 1, &end, 16);
        if (strlen(text) != 9 || *end || !isxdigit((unsigned char)text[1]))
            return refuse(error, text, "is not # and eight hexadecimal digits");
        *bits = (uint32_t)pattern;
        return PS2_OK;
    }
    float value = strtof(text, &end);
    if (end == text || *end)
        return refuse(error, text, "is not a floating-point number");
    if (!isfinite(value))
        return refuse(error, text, "is no float of the host; give the bit pattern as f:#HEX");
    memcpy(bits, &value, sizeof *bits);
    return PS2_OK;
}

static enum ps2_status parse_quad(const char *text, union ee_reg *value, struct ps2_error *error)
{
    size_t length = strlen(text);
    if (!length || length > 32 || strspn(text, "0123456789abcdefABCDEF") != length)
        return refuse(error, text, "is not 1 to 32 hexadecimal digits");
    char low[17];
    size_t high_length = length > 16 ? length - 16 : 0;
    snprintf(low, sizeof low, "%s", text + high_length);
    value->d[0] = strtoull(low, NULL, 16);
    snprintf(low, high_length + 1, "%s", text);
    value->d[1] = high_length ? strtoull(low, NULL, 16) : 0;
    return PS2_OK;
}

enum ps2_status parse_value(const struct ps2 *ps2, const char *text, struct ps2_argument *value,
                            struct ps2_error *error)
{
    uint64_t number;
    uint32_t word = 0;
    bool negative;
    enum ps2_status status;
    *value = (struct ps2_argument){0};
    if (!strncmp(text, "f:", 2)) {
        status = parse_float(text + 2, &word, error);
        if (status == PS2_OK)
            *value = ps2_float(word);
    } else if (!strncmp(text, "q:", 2)) {
        value->wide = true;
        status = parse_quad(text + 2, &value->value, error);
    } else if (*text == '@') {
        status = parse_place(ps2, text, &word, error);
        if (status == PS2_OK)
            *value = ps2_integer(word);
    } else {
        status = parse_integer(text, &number, &negative, error);
        if (status == PS2_OK && (negative || number <= INT64_MAX))
            *value = ps2_integer((int64_t)number);
        else if (status == PS2_OK)
            value->value.d[0] = number;
    }
    return status;
}

// The address of a name alone, or of a number.
static bool find_place(const struct ps2 *ps2, const char *text, uint32_t *address, struct ps2_error *error)
{
    struct ps2_symbol symbol;
    uint64_t number;
    if (isdigit((unsigned char)*text)) {
        if (parse_count(text, UINT32_MAX, &number, error) != PS2_OK)
            return false;
        *address = (uint32_t)number;
        return true;
    }
    if (!ps2_find_symbol(ps2, text, &symbol)) {
        refuse(error, text, "is neither an address nor a symbol");
        return false;
    }
    *address = symbol.address;
    return true;
}

enum ps2_status parse_place(const struct ps2 *ps2, const char *text, uint32_t *address,
                            struct ps2_error *error)
{
    const char *name = *text == '@' ? text + 1 : text, *plus = strrchr(name, '+');
    uint64_t offset;
    if (find_place(ps2, name, address, error))
        return PS2_OK;
    if (!plus || parse_count(plus + 1, UINT32_MAX, &offset, NULL) != PS2_OK)
        return PS2_BAD_INPUT;
    char *base = strndup(name, (size_t)(plus - name));
    bool found = base && find_place(ps2, base, address, error);
    free(base);
    *address += (uint32_t)offset;
    return found ? PS2_OK : PS2_BAD_INPUT;
}

char *parse_split(char *text, char *separator, const char *form, struct ps2_error *error)
{
    if (!separator) {
        ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is not of the form %s", text, form);
        return NULL;
    }
    *separator = 0;
    return separator + 1;
}

enum ps2_status parse_range(const struct ps2 *ps2, char *text, uint32_t *address, uint32_t *size,
                            struct ps2_error *error)
{
    uint64_t length;
    const char *rest = parse_split(text, strrchr(text, ':'), "ADDR:LEN", error);
    if (!rest)
        return PS2_BAD_INPUT;
    enum ps2_status status = parse_place(ps2, text, address, error);
    if (status == PS2_OK)
        status = parse_count(rest, UINT32_MAX, &length, error);
    if (status == PS2_OK && !length)
        return refuse(error, rest, "is an empty length");
    if (status == PS2_OK)
        *size = (uint32_t)length;
    return status;
}

static unsigned digit(char c)
{
    return (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
}

bool parse_bytes(const char *text, uint8_t *out, size_t *size)
{
    size_t length = strlen(text);
    if (!length || length % 2 || strspn(text, "0123456789abcdefABCDEF") != length)
        return false;
    for (size_t n = 0; n < length / 2; n++)
        out[n] = (uint8_t)(digit(text[2 * n]) << 4 | digit(text[2 * n + 1]));
    *size = length / 2;
    return true;
}

enum ps2_status parse_engine(const char *text, enum ee_engine *engine, struct ps2_error *error)
{
    static const struct {
        const char *name;
        enum ee_engine engine;
    } engines[] = {
        {"interp", EE_ENGINE_INTERP}, {"unicorn", EE_ENGINE_UNICORN}, {"lockstep", EE_ENGINE_LOCKSTEP}};
    for (size_t n = 0; n < sizeof engines / sizeof *engines; n++)
        if (!strcmp(text, engines[n].name)) {
            *engine = engines[n].engine;
            return PS2_OK;
        }
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                    "there is no engine '%s'; there are interp, unicorn and lockstep", text);
}

enum ps2_status parse_contents(const char *text, uint8_t **data, size_t *size, struct ps2_error *error)
{
    *data = malloc(strlen(text) + 1);
    if (!*data)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    if (parse_bytes(text, *data, size))
        return PS2_OK;
    free(*data);
    *data = NULL;
    if (access(text, F_OK))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                        "'%s' is neither pairs of hexadecimal digits nor the name of a file", text);
    enum ps2_status status = file_read(text, FILE_LIMIT, data, size, error);
    if (status != PS2_OK || *size)
        return status;
    free(*data);
    *data = NULL;
    return ps2_fail(error, PS2_BAD_INPUT, text, 0, "is empty");
}
