// Lines, and the walk along a line, which borders of antialiased triangles use too.
//
// A line ends where it leaves the diamond around a pixel (PCSX2/pcsx2#13297; 188 captured lines agree,
// ARMSX2/ARMSX2#660). Values are those of the exact line at the pixel on the longer axis, kept within what
// their registers hold; that they are rounded down is unverified.
#include "gs/raster_line.h"

// ---- the walk

bool gs_line_shape(struct gs_line *line, const struct gs_raster *raster, const int32_t x[2],
                   const int32_t y[2])
{
    int32_t dx = x[1] - x[0], dy = y[1] - y[0];
    int32_t wide = dx < 0 ? -dx : dx, high = dy < 0 ? -dy : dy;
    line->raster = raster;
    line->tall = wide < high;
    line->length = line->tall ? high : wide;
    line->sign = (line->tall ? dy : dx) < 0 ? -1 : 1;
    line->start = line->tall ? y[0] : x[0];
    line->other = line->tall ? x[0] : y[0];
    line->by = line->tall ? dx : dy;
    return line->length > 0;
}

static struct gs_ramp ramp(const struct gs_line *line, int64_t from, int64_t to)
{
    int64_t distance = (int64_t)line->sign * (16 * line->at - line->start);
    return gs_ramp(from * line->length + (to - from) * distance, 16 * (to - from), line->length);
}

static struct gs_ramp place(const struct gs_line *line)
{
    int64_t distance = (int64_t)line->sign * (16 * line->at - line->start), length = line->length;
    return gs_ramp(2 * (line->other * length + line->by * distance) + 16 * length, 32 * (int64_t)line->by,
                   32 * length);
}

static int64_t value_of(const struct gs_vertex *v, unsigned n)
{
    return n == GS_FOG_CHANNEL ? v->f : n == GS_LINE_Z ? v->z : v->rgbaq >> (8 * n) & 0xff;
}

static void start_values(struct gs_line *line, const struct gs_vertex *const v[2], const int32_t stq[3][2])
{
    const struct gs_raster *raster = line->raster;
    line->varying = raster->needs & (GS_NEEDS_FOG | GS_NEEDS_Z | GS_NEEDS_TEXTURE);
    line->varying |= raster->gouraud ? raster->needs & GS_NEEDS_COLOUR : 0;
    for (unsigned n = GS_RED; n <= GS_LINE_Z; n++)
        line->value[n] = ramp(line, value_of(v[0], n), value_of(v[1], n));
    if (line->varying & GS_NEEDS_TEXTURE)
        for (unsigned k = 0; k < 3; k++) {
            int64_t scale = raster->uv ? 1 : 4;
            line->value[GS_LINE_S + k] = ramp(line, scale * stq[k][0], scale * stq[k][1]);
        }
}

// Pixels lie within the ends on the other axis, but for one at either end and one beside.
static bool passes(const struct gs_line *line)
{
    const struct gs_raster *raster = line->raster;
    int32_t low = line->tall ? raster->x0 : raster->y0, high = line->tall ? raster->x1 : raster->y1;
    int32_t a = line->other, b = line->other + line->by;
    return (a > b ? a : b) >= 16 * (low - 3) && (a < b ? a : b) <= 16 * (high + 3);
}

bool gs_line_start(struct gs_line *line, int32_t first, int32_t last, const struct gs_vertex *const v[2],
                   const struct gs_vertex *flat, const int32_t stq[3][2])
{
    const struct gs_raster *raster = line->raster;
    int32_t low = line->tall ? raster->y0 : raster->x0, high = line->tall ? raster->y1 : raster->x1;
    line->at = (int32_t)gs_clamp(first, line->sign > 0 ? low : INT32_MIN, line->sign > 0 ? INT32_MAX : high);
    line->last = (int32_t)gs_clamp(last, line->sign > 0 ? INT32_MIN : low, line->sign > 0 ? high : INT32_MAX);
    if ((line->last - line->at) * line->sign < 0 || !passes(line))
        return false;
    gs_flat_batch(&line->batch, raster, flat);
    line->place = place(line);
    start_values(line, v, stq);
    return true;
}

bool gs_line_next(struct gs_line *line)
{
    if (line->at == line->last)
        return false;
    line->at += line->sign;
    gs_ramp_next(&line->place);
    for (unsigned n = 0; n < (line->varying & GS_NEEDS_TEXTURE ? GS_LINE_VALUES : GS_LINE_S); n++)
        gs_ramp_next(&line->value[n]);
    return true;
}

static uint32_t level(const struct gs_line *line, unsigned channel)
{
    return (uint32_t)gs_clamp(line->value[channel].value, 0, 255);
}

// UV toward zero, as triangles have it.
static int32_t coordinate(const struct gs_ramp *ramp)
{
    return (int32_t)ramp->value + (ramp->value < 0 && ramp->rest);
}

static void fill(struct gs_line *line)
{
    struct gs_batch *batch = &line->batch;
    if (line->varying & GS_NEEDS_COLOUR)
        batch->flat = level(line, GS_RED) | level(line, GS_GREEN) << 8 | level(line, GS_BLUE) << 16 |
                      level(line, GS_ALPHA) << 24;
    batch->flat_f = (uint8_t)level(line, GS_FOG_CHANNEL);
    batch->flat_z = (uint32_t)gs_clamp(line->value[GS_LINE_Z].value, 0, UINT32_MAX);
    batch->varying = line->varying & GS_NEEDS_TEXTURE;
    if (batch->varying && line->raster->uv) {
        batch->u[0] = coordinate(&line->value[GS_LINE_S]);
        batch->v[0] = coordinate(&line->value[GS_LINE_T]);
    } else if (batch->varying) {
        const int64_t stq[3] = {line->value[GS_LINE_S].value, line->value[GS_LINE_T].value,
                                line->value[GS_LINE_Q].value};
        gs_project(line->raster, line->exponent, stq, batch, 0);
        batch->flat_lod = batch->lod[0];
    }
    batch->varying |= line->raster->antialiased ? GS_NEEDS_COVERAGE : 0;
}

void gs_line_plot(struct gs_line *line, int32_t beside)
{
    const struct gs_raster *raster = line->raster;
    int32_t other = (int32_t)line->place.value + beside;
    int32_t x = line->tall ? other : line->at, y = line->tall ? line->at : other;
    if (x < raster->x0 || x > raster->x1 || y < raster->y0 || y > raster->y1 || gs_row_skipped(raster, y))
        return;
    fill(line);
    line->batch.x = (uint32_t)x;
    line->batch.y = (uint32_t)y;
    line->batch.count = 1;
    raster->batch(raster->context, &line->batch);
}

// ---- lines

// `major`, `minor`: from the pixel's centre, in sixteenths.
static bool leaves_diamond(int32_t major, int32_t minor, int sign)
{
    int32_t distance = (major < 0 ? -major : major) + (minor < 0 ? -minor : minor);
    return distance >= 8 && major * sign > 0 && (distance > 8 || minor >= 0);
}

static int32_t off_centre(int32_t v)
{
    return v - 16 * gs_near_pixel(v);
}

// The line's own pixel and its neighbour on the other side of the exact line share what there is to cover.
// Also nothing is drawn (captures, gs-prim).
static void plot_both(struct gs_line *line)
{
    int64_t beyond = line->place.rest - line->place.divisor / 2;
    int64_t far = 0xffff * (beyond < 0 ? -beyond : beyond) / line->place.divisor;
    line->batch.coverage[0] = (uint8_t)((0xffff - far) >> 9);
    gs_line_plot(line, 0);
    line->batch.coverage[0] = (uint8_t)(far >> 9);
    gs_line_plot(line, beyond < 0 ? -1 : 1);
}

void gs_raster_line(const struct gs_raster *raster, const struct gs_vertex v[2])
{
    const int32_t x[2] = {v[0].x - raster->ofx, v[1].x - raster->ofx};
    const int32_t y[2] = {v[0].y - raster->ofy, v[1].y - raster->ofy};
    const struct gs_vertex *const ends[2] = {&v[0], &v[1]};
    struct gs_stq stq = gs_coordinates(raster, v, 2);
    const int32_t corners[3][2] = {{stq.value[0][0], stq.value[0][1]},
                                   {stq.value[1][0], stq.value[1][1]},
                                   {stq.value[2][0], stq.value[2][1]}};
    struct gs_line line;
    if (!gs_line_shape(&line, raster, x, y))
        return;
    int32_t end = line.start + line.sign * line.length, other_end = line.other + line.by;
    int32_t first = gs_near_pixel(line.start), last = gs_near_pixel(end);
    if (leaves_diamond(off_centre(line.start), off_centre(line.other), line.sign))
        first += line.sign;
    if (!leaves_diamond(off_centre(end), off_centre(other_end), line.sign))
        last -= line.sign;
    if ((last - first) * line.sign < 0)
        return;
    line.exponent = stq.exponent;
    if (!gs_line_start(&line, first, last, ends, &v[1], corners))
        return;
    do {
        if (raster->antialiased)
            plot_both(&line);
        else
            gs_line_plot(&line, 0);
    } while (gs_line_next(&line));
}
