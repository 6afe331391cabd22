// The pixel pipeline's course: batches, pixels one by one, and what every stage shares.
#include "gs/pixel.h"

static struct pixel_row find_row(const struct pixel_state *s, const struct gs_buffer *buffer,
                                 const struct gs_batch *batch)
{
    struct run run = gs_run(buffer, batch->x & ~(GS_BATCH - 1), batch->y, GS_BATCH);
    return (struct pixel_row){
        .page = s->memory + (size_t)(run.base & run.mask) * (buffer->format->unit / 8),
        .x = run.x,
        .toggle = run.y ^ run.z,
    };
}

// Pixels outside the batch hold all of their bits.
static void hold(struct pixel_work *w)
{
    uint32_t frame = w->state->frame_hold, z = w->state->z_hold, count = w->end - w->first;
    for (size_t g = w->from; g < w->to; g += GROUP)
        for (size_t n = 0; n < GROUP; n++) {
            uint32_t outside = -(uint32_t)(g + n - w->first >= count);
            w->hold[g + n] = frame | outside;
            w->hold_z[g + n] = z | outside;
        }
}

static void run_stages(struct pixel_work *w, const struct gs_batch *batch)
{
    w->batch = batch;
    w->first = batch->x & (GS_BATCH - 1);
    w->end = w->first + batch->count;
    w->from = w->first & ~(GROUP - 1);
    w->to = (w->end + GROUP - 1) & ~(GROUP - 1);
    hold(w);
    for (bool (*const *stage)(struct pixel_work *) = w->state->stage; *stage; stage++)
        if (!(*stage)(w))
            break;
}

static void take_single(struct gs_batch *one, const struct gs_batch *batch, uint32_t n)
{
    one->x = batch->x + n;
    one->r[0] = batch->r[n];
    one->g[0] = batch->g[n];
    one->b[0] = batch->b[n];
    one->a[0] = batch->a[n];
    one->f[0] = batch->f[n];
    one->coverage[0] = batch->coverage[n];
    one->z[0] = batch->z[n];
    one->u[0] = batch->u[n];
    one->v[0] = batch->v[n];
    one->lod[0] = batch->lod[n];
}

// Frame and Z buffers begin at pages, so that a row of 64 pixels lies in one page of memory.
void gs_pixel_batch(void *work, const struct gs_batch *batch)
{
    struct pixel_work *w = work;
    w->frame_row = find_row(w->state, &w->state->frame, batch);
    w->z_row = find_row(w->state, &w->state->z, batch);
    if (!w->one_by_one) {
        run_stages(w, batch);
        return;
    }
    w->single.y = batch->y;
    w->single.count = 1;
    w->single.varying = batch->varying;
    w->single.flat = batch->flat;
    w->single.flat_z = batch->flat_z;
    w->single.flat_f = batch->flat_f;
    w->single.flat_lod = batch->flat_lod;
    for (size_t n = 0; n < batch->count; n++) {
        take_single(&w->single, batch, n);
        run_stages(w, &w->single);
    }
}
