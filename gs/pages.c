// Sets of pages of local memory.
#include "gs/pages.h"

#define PAGE_BLOCKS 32u

// Pages of memory, counted on beyond its end.
struct row {
    uint32_t first, last;
};

// What one row of a buffer's pages has of a rectangle. A base within a page shifts it over two of memory's.
static struct row row_of(const struct gs_buffer *buffer, const struct gs_rectangle *r, uint32_t y)
{
    uint32_t start = y * gs_page_stride(buffer), shift = buffer->format->page_width;
    return (struct row){
        .first = (buffer->base + (start + (r->x0 >> shift)) * PAGE_BLOCKS) / PAGE_BLOCKS,
        .last = (buffer->base + (start + (r->x1 >> shift)) * PAGE_BLOCKS + PAGE_BLOCKS - 1) / PAGE_BLOCKS,
    };
}

void gs_add_pages(struct pages *pages, const struct gs_buffer *buffer, const struct gs_rectangle *r)
{
    const struct gs_format *f = buffer->format;
    for (uint32_t y = r->y0 >> f->page_height; y <= r->y1 >> f->page_height; y++) {
        const struct row row = row_of(buffer, r, y);
        for (uint32_t page = row.first; page <= row.last; page++)
            pages->bits[page % GS_PAGES / 64] |= UINT64_C(1) << page % 64;
    }
}

void gs_mark_rectangle(struct gs *gs, const struct gs_buffer *buffer, const struct gs_rectangle *r)
{
    const struct gs_format *f = buffer->format;
    for (uint32_t y = r->y0 >> f->page_height; y <= r->y1 >> f->page_height; y++) {
        const struct row row = row_of(buffer, r, y);
        for (uint32_t page = row.first; page <= row.last; page++)
            gs->page_marks[page % GS_PAGES] = GS_PAGE_WRITTEN | GS_PAGE_DIRTY;
    }
}

bool gs_pages_apart(const struct pages *pages, const struct gs_buffer *buffer, const struct gs_rectangle *r)
{
    const struct gs_format *f = buffer->format;
    uint32_t columns = (r->x1 >> f->page_width) - (r->x0 >> f->page_width) + 1;
    uint32_t rows = (r->y1 >> f->page_height) - (r->y0 >> f->page_height) + 1, count = 0;
    for (unsigned n = 0; n < GS_PAGES / 64; n++)
        count += (uint32_t)__builtin_popcountll(pages->bits[n]);
    return count == columns * rows;
}
