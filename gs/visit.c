// The state of the GIF and the GS, field by field, as snapshots see it. Ports and sinks are wiring; local
// memory goes by pages.
#include "gs/core.h"

#include <stdlib.h>
#include <string.h>

#define SHOW(s, field)  visit(context, #field, &(s)->field, sizeof(s)->field, sizeof(s)->field)
#define SHOWS(s, field) visit(context, #field, (s)->field, sizeof(s)->field, sizeof(s)->field[0])

static void visit_queue(struct gs *gs, gs_visitor *visit, void *context)
{
    for (unsigned n = 0; n < sizeof gs->queue / sizeof *gs->queue; n++) {
        struct gs_vertex *v = &gs->queue[n];
        SHOW(v, rgbaq);
        SHOW(v, st);
        SHOW(v, uv);
        SHOW(v, z);
        SHOW(v, x);
        SHOW(v, y);
        SHOW(v, f);
    }
    SHOW(gs, queued);
}

static void visit_transfer(struct transfer *t, gs_visitor *visit, void *context)
{
    uint8_t psm = t->buffer.format->psm;
    SHOW(t, direction);
    visit(context, "transfer.psm", &psm, sizeof psm, sizeof psm);
    if (gs_format(psm))
        t->buffer.format = gs_format(psm);
    SHOW(t, buffer.base);
    SHOW(t, buffer.width);
    SHOW(t, left);
    SHOW(t, top);
    SHOW(t, width);
    SHOW(t, height);
    SHOW(t, x);
    SHOW(t, y);
    SHOWS(t, carry);
    SHOW(t, carry_size);
}

void gs_visit(struct gs *gs, gs_visitor *visit, void *context)
{
    gs_drain(gs);
    SHOWS(gs, reg);
    SHOWS(gs, privileged);
    SHOW(gs, signal_waits);
    SHOW(gs, signal);
    visit_queue(gs, visit, context);
    visit_transfer(&gs->transfer, visit, context);
    SHOWS(gs, clut);
    SHOWS(gs, cbp);
    gs->changed = gs->clut_changed = true; // what drawing remembers of them
}

static void visit_path(struct gif_channel *path, gs_visitor *visit, void *context)
{
    SHOWS(path, raw);
    SHOW(path, tag.nloop);
    SHOW(path, tag.eop);
    SHOW(path, tag.pre);
    SHOW(path, tag.prim);
    SHOW(path, tag.format);
    SHOW(path, tag.nreg);
    SHOW(path, tag.regs);
    SHOW(path, left);
    SHOW(path, reg);
    SHOW(path, open);
    SHOW(path, refused);
    SHOW(path, hl);
}

// The packets that wait, in memory that exists only since one had to.
static bool visit_kicked(struct gif *gif, gs_visitor *visit, void *context)
{
    size_t count = gif->kicked_count;
    visit(context, "kicked_count", &count, sizeof count, sizeof count);
    if (count && !gif->kicked)
        gif->kicked = malloc(GIF_KICK_QUADWORDS * sizeof *gif->kicked);
    if (count && !gif->kicked)
        return false;
    gif->kicked_count = count;
    if (count)
        visit(context, "kicked", gif->kicked, count * sizeof *gif->kicked, 8);
    return true;
}

bool gif_visit(struct gif *gif, gs_visitor *visit, void *context)
{
    for (unsigned n = 0; n < GIF_PATHS; n++)
        visit_path(&gif->path[n], visit, context);
    SHOW(gif, last);
    SHOW(gif, q);
    SHOW(gif, mask_mode);
    SHOW(gif, mask_vif);
    SHOW(gif, intermittent);
    SHOW(gif, stopped);
    SHOW(gif, stalled);
    SHOW(gif, from_gs);
    SHOW(gif, overrun);
    SHOW(gif, recorded);
    SHOW(gif, serving);
    visit(context, "fifo", gif->fifo, sizeof gif->fifo, 8);
    SHOW(gif, fifo_count);
    SHOW(gif, kick.left);
    SHOW(gif, kick.eop);
    return visit_kicked(gif, visit, context);
}

// ---- local memory

uint8_t *gs_page_marks(struct gs *gs)
{
    gs_drain(gs); // pages are marked before they are drawn
    return gs->page_marks;
}

void gs_written(struct gs *gs)
{
    memset(gs->page_marks, GS_PAGE_WRITTEN | GS_PAGE_DIRTY, sizeof gs->page_marks);
}
