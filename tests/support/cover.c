// Marks the bytes of a structure and looks for gaps.
#include "tests/support/cover.h"

#include <stdbool.h>

struct cover cover_new(const void *unit, size_t size, size_t alignment)
{
    return (struct cover){unit, size, alignment, calloc(size, 1)};
}

void cover_free(struct cover *c)
{
    free(c->seen);
}

void cover_wiring(struct cover *c, const void *data, size_t size)
{
    uintptr_t at = (uintptr_t)data - (uintptr_t)c->base;
    for (size_t n = 0; n < size && at < c->size; n++)
        if (at + n < c->size)
            c->seen[at + n] = 1;
}

void cover_shown(void *cover, const char *name, void *data, size_t size, unsigned width)
{
    (void)name, (void)width;
    cover_wiring(cover, data, size);
}

// Padding is shorter than the alignment of what follows.
static bool is_padding(const struct cover *c, size_t length, size_t end)
{
    for (size_t alignment = 2; alignment <= c->alignment; alignment *= 2)
        if (length < alignment && end % alignment == 0)
            return true;
    return false;
}

size_t cover_gap(const struct cover *c)
{
    for (size_t at = 0, end; at < c->size; at = end + 1) {
        for (end = at; end < c->size && !c->seen[end];)
            end++;
        if (end > at && !is_padding(c, end - at, end))
            return at;
    }
    return c->size;
}
