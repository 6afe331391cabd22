// Sets of pages of local memory.
#include "gs/pages.h"

#define PAGE_BLOCKS 32u

// A base within a page shifts the pages over two of memory's.
void gs_add_pages(struct pages *pages, const struct gs_buffer *buffer, const struct gs_rectangle *r)
{
    const struct gs_format *f = buffer->format;
    uint32_t stride = gs_page_stride(buffer), left = r->x0 >> f->page_width, right = r->x1 >> f->page_width;
    for (uint32_t y = r->y0 >> f->page_height; y <= r->y1 >> f->page_height; y++) {
        uint32_t first = buffer->base + (y * stride + left) * PAGE_BLOCKS;
        uint32_t last = buffer->base + (y * stride + right) * PAGE_BLOCKS + PAGE_BLOCKS - 1;
        for (uint32_t page = first / PAGE_BLOCKS; page <= last / PAGE_BLOCKS; page++)
            pages->bits[page % GS_PAGES / 64] |= UINT64_C(1) << page % 64;
    }
}
