// Text: a small printf over the file service, and the memory functions that the compiler wants.
#include "ps2.h"

void *memcpy(void *to, const void *from, size_t size)
{
    uint8_t *t = to;
    for (const uint8_t *f = from; size; size--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int value, size_t size)
{
    for (uint8_t *t = to; size; size--)
        *t++ = (uint8_t)value;
    return to;
}

int equal_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

struct line {
    char text[512];
    int length;
};

static void put(struct line *line, char c)
{
    if (line->length < (int)sizeof line->text)
        line->text[line->length++] = c;
}

static void put_hex(struct line *line, uint64_t value, int digits)
{
    int shift = 60;
    while (shift >= digits * 4 && shift > 0 && !(value >> shift & 15))
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        put(line, "0123456789abcdef"[value >> shift & 15]);
}

static void put_decimal(struct line *line, uint32_t value)
{
    char digits[10];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count > 0)
        put(line, digits[--count]);
}

void print(const char *format, ...)
{
    __builtin_va_list arguments;
    struct line line = {.length = 0};
    __builtin_va_start(arguments, format);
    for (; *format; format++) {
        int width = 0, wide = 0, number;
        if (*format != '%') {
            put(&line, *format);
            continue;
        }
        for (format++; *format >= '0' && *format <= '9'; format++)
            width = width * 10 + *format - '0';
        for (; *format == 'l'; format++)
            wide++;
        switch (*format) {
        case 's':
            for (const char *s = __builtin_va_arg(arguments, const char *); *s; s++)
                put(&line, *s);
            break;
        case 'c':
            put(&line, (char)__builtin_va_arg(arguments, int));
            break;
        case 'x':
            put_hex(&line,
                    wide == 2 ? __builtin_va_arg(arguments, uint64_t) : __builtin_va_arg(arguments, uint32_t),
                    width);
            break;
        case 'u':
            put_decimal(&line, __builtin_va_arg(arguments, uint32_t));
            break;
        case 'd':
            number = __builtin_va_arg(arguments, int);
            if (number < 0)
                put(&line, '-');
            put_decimal(&line, number < 0 ? 0u - (uint32_t)number : (uint32_t)number);
            break;
        default:
            put(&line, *format);
        }
    }
    __builtin_va_end(arguments);
    write(1, line.text, line.length);
}
