// The inside of the GS: its state, and what its parts offer each other. Private to gs/.
#ifndef GS_CORE_H
#define GS_CORE_H

#include "gs/gs.h"

// ---- transfers

enum transfer_direction { TRANSFER_OFF, TRANSFER_UP, TRANSFER_DOWN };

#define GS_SPAN 2048u // coordinates wrap here

// What TRXDIR latched, and how far the transfer is.
struct transfer {
    enum transfer_direction direction;
    struct gs_buffer buffer;
    uint32_t left, top, width, height;
    uint32_t x, y;    // the next pixel, from left and top
    uint8_t carry[2]; // bytes of a 24-bit pixel that the last value began
    uint8_t carry_size;
};

struct gs {
    struct gs_ports ports;
    uint64_t reg[GS_NUMBERS];
    uint64_t privileged[32]; // by offset / 16; those from 0x1000 on follow at 16
    bool signal_waits;       // a second SIGNAL came before the first was cleared
    uint64_t signal;         // ... its value
    struct gs_vertex queue[3];
    unsigned queued;
    struct transfer transfer;
    uint16_t clut[512];
    uint32_t cbp[2]; // CBP0, CBP1
    uint8_t *memory;
    struct drawing *drawing; // NULL: primitives are not drawn
    bool changed;            // registers or palette, since a primitive was drawn
    bool clut_changed;
    uint8_t page_marks[GS_MEMORY_PAGES]; // enum gs_page_mark
};

void gs_start_transfer(struct gs *); // TRXDIR was written
// Move the next `count` pixels of the transfer, or as many as it has left, from or to a packed stream.
void gs_put_stream(struct gs *, const uint8_t *data, size_t count);
void gs_get_stream(struct gs *, uint8_t *data, size_t count);
void gs_load_clut(struct gs *, uint64_t tex0);
// All entries that TEX0's format can select, as colours.
void gs_clut_colours(const struct gs *, uint64_t tex0, uint64_t texa, uint32_t colours[256]);
void gs_draw_primitive(struct gs *, const struct gs_primitive *);
void gs_draw_free(struct gs *);
void gs_drain(struct gs *); // draws what is queued
void gs_clear_queue(struct gs *);
// XYZ2, XYZF2 or, without `kick`, XYZ3, XYZF3 was written.
void gs_push_vertex(struct gs *, uint32_t z, bool kick);
bool gs_signal(struct gs *, uint64_t value);
void gs_finish(struct gs *);
void gs_label(struct gs *, uint64_t value);
void gs_reset_privileged(struct gs *);

// ---- runs of pixels

// A pixel's unit in its page is x[x] ^ y[y], of the coordinates in the page.
struct places {
    uint16_t x[128], y[128];
};
const struct places *gs_places(const struct gs_format *);
uint32_t gs_page_stride(const struct gs_buffer *); // pages in a row

// Places of pixels on one row of one page: pixel n is at unit
// ((base + (x[n] ^ y)) ^ z) & mask of local memory, a unit being 32, 16, 8 or 4 bits.
struct run {
    const struct gs_format *format;
    uint32_t base, y, z, mask;
    const uint16_t *x;
    uint32_t count;
};
// The run that begins at (x, y), at most `count` pixels, ending with the page.
struct run gs_run(const struct gs_buffer *, uint32_t x, uint32_t y, uint32_t count);

static inline uint32_t gs_run_unit(const struct run *run, uint32_t n)
{
    return ((run->base + (run->x[n] ^ run->y)) ^ run->z) & run->mask;
}

// ---- pages that are written
//
// Everything that writes local memory marks the pages first, a run or a rectangle at a time: see gs.h.

struct gs_rectangle {
    uint32_t x0, y0, x1, y1; // inclusive
};
void gs_mark_rectangle(struct gs *, const struct gs_buffer *, const struct gs_rectangle *);

static inline void gs_mark_run(struct gs *gs, const struct run *run)
{
    unsigned page_units = run->format->page_width + run->format->page_height; // as a power of two
    uint32_t last = run->base + (1u << page_units) - 1; // a base within a page gives two
    gs->page_marks[(run->base >> page_units) % GS_MEMORY_PAGES] = GS_PAGE_WRITTEN | GS_PAGE_DIRTY;
    gs->page_marks[(last >> page_units) % GS_MEMORY_PAGES] = GS_PAGE_WRITTEN | GS_PAGE_DIRTY;
}

#endif
