// Sets of pages of local memory: what a primitive may read and write. Private to gs/.
#ifndef GS_PAGES_H
#define GS_PAGES_H

#include "gs/core.h"

#define GS_PAGES GS_MEMORY_PAGES

struct pages {
    uint64_t bits[GS_PAGES / 64];
};

void gs_add_pages(struct pages *, const struct gs_buffer *, const struct gs_rectangle *);

// Whether the pages of a rectangle, all of `pages`, are so many different ones. For a base at a page.
bool gs_pages_apart(const struct pages *, const struct gs_buffer *, const struct gs_rectangle *);

static inline bool gs_pages_meet(const struct pages *a, const struct pages *b)
{
    uint64_t both = 0;
    for (unsigned n = 0; n < GS_PAGES / 64; n++)
        both |= a->bits[n] & b->bits[n];
    return both;
}

static inline void gs_unite_pages(struct pages *a, const struct pages *b)
{
    for (unsigned n = 0; n < GS_PAGES / 64; n++)
        a->bits[n] |= b->bits[n];
}

#endif
