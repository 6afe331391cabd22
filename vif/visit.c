// The state of a VIF, field by field, as snapshots see it. Ports, observer and the VU behind it are wiring.
#include "vif/core.h"

#define SHOW(s, field)  visit(context, #field, &(s)->field, sizeof(s)->field, sizeof(s)->field)
#define SHOWS(s, field) visit(context, #field, (s)->field, sizeof(s)->field, sizeof(s)->field[0])

// The code in progress by its place in the table, counted from 1.
static void visit_op(struct vif *vif, vif_visitor *visit, void *context)
{
    uint8_t op = vif->op ? (uint8_t)(vif->op - vif_code_rows + 1) : 0;
    visit(context, "op", &op, sizeof op, sizeof op);
    vif->op = op && op <= vif_code_count ? &vif_code_rows[op - 1] : NULL;
}

// Likewise the format, twice: signed and unsigned.
static void visit_format(struct unpack *u, vif_visitor *visit, void *context)
{
    enum { FORMATS = sizeof vif_formats / sizeof *vif_formats };
    uint8_t format = 0;
    if (u->format)
        format = (uint8_t)(1 + 2 * (u->format - vif_formats) + (u->decode == u->format->decode[1]));
    visit(context, "unpack.format", &format, sizeof format, sizeof format);
    u->format = format && format <= 2 * FORMATS ? &vif_formats[(format - 1) / 2] : NULL;
    u->decode = u->format ? u->format->decode[(format - 1) % 2] : NULL;
}

static void visit_unpack(struct vif *vif, vif_visitor *visit, void *context)
{
    visit_format(&vif->unpack, visit, context);
    SHOW(vif, unpack.cl);
    SHOW(vif, unpack.wl);
    SHOW(vif, unpack.mode);
    SHOW(vif, unpack.address);
    SHOW(vif, unpack.position);
    SHOW(vif, unpack.data_left);
    SHOW(vif, unpack.masked);
    SHOW(vif, unpack.linear);
    SHOWS(vif, unpack.data);
    SHOWS(vif, unpack.row);
    SHOWS(vif, unpack.keep);
    SHOWS(vif, unpack.col);
    SHOWS(vif, unpack.stage);
    SHOW(vif, unpack.staged);
    SHOW(vif, unpack.skip);
}

static void visit_registers(struct vif *vif, vif_visitor *visit, void *context)
{
    SHOW(vif, stat);
    SHOW(vif, err);
    SHOW(vif, mark);
    SHOW(vif, cycle);
    SHOW(vif, mode);
    SHOW(vif, num);
    SHOW(vif, mask);
    SHOW(vif, code);
    SHOW(vif, itops);
    SHOW(vif, base);
    SHOW(vif, ofst);
    SHOW(vif, tops);
    SHOW(vif, itop);
    SHOW(vif, top);
    visit(context, "row", &vif->row, sizeof vif->row, 4);
    SHOWS(vif, col);
}

void vif_visit(struct vif *vif, vif_visitor *visit, void *context)
{
    visit_registers(vif, visit, context);
    SHOW(vif, phase);
    visit_op(vif, visit, context);
    SHOW(vif, left);
    SHOW(vif, micro);
    SHOW(vif, position);
    SHOW(vif, arriving);
    SHOW(vif, gif_full);
    SHOW(vif, stop_requested);
    SHOW(vif, serving);
    SHOWS(vif, direct);
    SHOW(vif, direct_count);
    visit_unpack(vif, visit, context);
    SHOWS(vif, fifo);
    SHOWS(vif, places);
    SHOW(vif, held);
    visit(context, "back", vif->back, sizeof vif->back, 8);
    SHOW(vif, back_count);
}
