// The vertex queue: from vertices to primitives.
#include "gs/core.h"

void gs_clear_queue(struct gs *gs)
{
    gs->queued = 0;
}

// PRMODE gives all but the shape when PRMODECONT.AC is 0.
static uint16_t attributes(const struct gs *gs)
{
    uint64_t from =
        gs_field(gs->reg[GS_PRMODECONT], GS_PRMODECONT_AC) ? gs->reg[GS_PRIM] : gs->reg[GS_PRMODE];
    return (uint16_t)(gs_put(GS_PRIM_PRIM, gs->reg[GS_PRIM]) | (from & gs_field_mask(GS_PRIM_ATTRIBUTES)));
}

static void draw(struct gs *gs, unsigned count)
{
    struct gs_primitive primitive = {.prim = attributes(gs), .count = (uint8_t)count};
    if (!gs->ports.draw && !gs->drawing)
        return;
    for (unsigned n = 0; n < count; n++)
        primitive.vertex[n] = gs->queue[n];
    if (gs->drawing)
        gs_draw_primitive(gs, &primitive);
    if (gs->ports.draw)
        gs->ports.draw(gs->ports.context, gs, &primitive);
}

static unsigned vertices_of(enum gs_shape shape)
{
    static const uint8_t vertices[] = {
        [GS_POINT] = 1,          [GS_LINE] = 2,         [GS_LINE_STRIP] = 2, [GS_TRIANGLE] = 3,
        [GS_TRIANGLE_STRIP] = 3, [GS_TRIANGLE_FAN] = 3, [GS_SPRITE] = 2,     [GS_NO_SHAPE] = 1};
    return vertices[shape];
}

// What of the full queue the next primitive uses again.
static void retire(struct gs *gs, enum gs_shape shape)
{
    switch (shape) {
    case GS_LINE_STRIP:
        gs->queue[0] = gs->queue[1];
        gs->queued = 1;
        break;
    case GS_TRIANGLE_STRIP:
        gs->queue[0] = gs->queue[1];
        gs->queue[1] = gs->queue[2];
        gs->queued = 2;
        break;
    case GS_TRIANGLE_FAN:
        gs->queue[1] = gs->queue[2];
        gs->queued = 2;
        break;
    default:
        gs->queued = 0;
        break;
    }
}

// A vertex without a kick moves the queue all the same (ran-j/PS2Recomp#197).
void gs_push_vertex(struct gs *gs, uint32_t z, bool kick)
{
    enum gs_shape shape = (enum gs_shape)gs_field(gs->reg[GS_PRIM], GS_PRIM_PRIM);
    uint64_t place = gs->reg[GS_XYZ2];
    gs->queue[gs->queued++] = (struct gs_vertex){
        .rgbaq = gs->reg[GS_RGBAQ],
        .st = gs->reg[GS_ST],
        .uv = (uint32_t)gs->reg[GS_UV],
        .z = z,
        .x = (uint16_t)gs_field(place, GS_XYZ_X),
        .y = (uint16_t)gs_field(place, GS_XYZ_Y),
        .f = (uint8_t)gs_field(gs->reg[GS_FOG], GS_FOG_F),
    };
    if (gs->queued < vertices_of(shape))
        return;
    if (kick && shape != GS_NO_SHAPE)
        draw(gs, vertices_of(shape));
    retire(gs, shape);
}
