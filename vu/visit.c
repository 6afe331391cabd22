// The state of a unit, field by field, as snapshots see it.
//
// What is not here is wiring (ports, window, observer, configuration) or follows from micro memory (decoded
// pairs, macro operations).
#include "vu/core.h"

#define SHOW(s, field)  visit(context, #field, &(s)->field, sizeof(s)->field, sizeof(s)->field)
#define SHOWS(s, field) visit(context, #field, (s)->field, sizeof(s)->field, sizeof(s)->field[0])

// The pairs of the last cycles by index, counted from 1. One that was overwritten since makes nothing wait.
static void visit_recent(struct vu *vu, vu_visitor *visit, void *context)
{
    uint16_t recent[LATENCY - 1] = {0};
    for (unsigned k = 0; k < LATENCY - 1; k++) {
        const struct pair *pair = vu->recent[k];
        bool here = pair >= vu->pairs && pair <= vu->pairs + vu->micro_mask;
        if (here && !(pair->flags & (PAIR_UNDECODED | PAIR_OUTSIDE)))
            recent[k] = (uint16_t)(pair - vu->pairs + 1);
    }
    visit(context, "recent", recent, sizeof recent, sizeof *recent);
    for (unsigned k = 0; k < LATENCY - 1; k++) {
        uint32_t index = recent[k] - 1u;
        vu->recent[k] = index <= vu->micro_mask ? &vu->pairs[index] : NULL;
        if (vu->recent[k] && vu->recent[k]->flags & PAIR_UNDECODED)
            vu_decode_pair(vu, index);
    }
}

static void visit_written(struct vu *vu, vu_visitor *visit, void *context)
{
    uint8_t before[sizeof vu->written];
    memcpy(before, vu->written, sizeof before);
    SHOWS(vu, written);
    if (!memcmp(before, vu->written, sizeof before))
        return;
    for (uint32_t n = 0; n < sizeof before; n++)
        for (unsigned k = 0; k < 8; k++)
            if ((before[n] ^ vu->written[n]) >> k & 1)
                vu->pairs[8 * n + k] =
                    (struct pair){.flags = vu->written[n] >> k & 1 ? PAIR_UNDECODED : PAIR_OUTSIDE};
}

// Entries as words, without the padding at their ends.
static void visit_flags(struct vu *vu, vu_visitor *visit, void *context)
{
    for (unsigned k = 0; k < PIPE; k++) {
        visit(context, "flag", &vu->flag[k], offsetof(struct flag_entry, assign) + 4, 4);
        visit(context, "clip", &vu->clip[k], offsetof(struct clip_entry, value) + 4, 4);
    }
    SHOW(vu, flag_first);
    SHOW(vu, flag_next);
    SHOW(vu, clip_next);
    visit(context, "mac", &vu->mac, sizeof vu->mac, 4);
    visit(context, "sticky", &vu->sticky, sizeof vu->sticky, 4);
    SHOW(vu, sticky_bits);
    SHOW(vu, cause_div);
}

static void visit_pipelines(struct vu *vu, vu_visitor *visit, void *context)
{
    visit(context, "stale", &vu->stale, sizeof vu->stale.cycle + (2 + STALE) * 2, 2);
    SHOW(vu, target);
    SHOW(vu, link);
    SHOW(vu, cycle);
    SHOW(vu, event);
    SHOW(vu, fdiv.ready);
    SHOW(vu, fdiv.free);
    SHOW(vu, fdiv.value);
    SHOW(vu, fdiv.flags);
    SHOW(vu, efu.ready);
    SHOW(vu, efu.free);
    SHOW(vu, efu.value);
    SHOW(vu, efu.flags);
    SHOW(vu, kick.due);
    SHOW(vu, kick.address);
    SHOW(vu, kick.length);
    visit_flags(vu, visit, context);
    visit_recent(vu, visit, context);
}

static void visit_control(struct vu *vu, vu_visitor *visit, void *context)
{
    SHOW(vu, pc);
    SHOW(vu, next);
    SHOW(vu, ending);
    SHOW(vu, ending_kind);
    SHOW(vu, stop_bits);
    SHOW(vu, running);
    SHOW(vu, until_m);
    SHOW(vu, debug_d);
    SHOW(vu, debug_t);
    SHOW(vu, failed_kick);
    SHOW(vu, limit);
    SHOW(vu, top);
    SHOW(vu, itop);
    SHOW(vu, cmsar0);
}

void vu_visit(struct vu *vu, vu_visitor *visit, void *context)
{
    SHOWS(vu, vf);
    visit(context, "acc_overflowed", &vu->acc_overflowed, sizeof vu->acc_overflowed, 4);
    SHOW(vu, i);
    SHOW(vu, q);
    SHOW(vu, p);
    SHOW(vu, r);
    SHOWS(vu, vi);
    visit_written(vu, visit, context);
    visit_control(vu, visit, context);
    visit_pipelines(vu, visit, context);
    visit(context, "data", vu->data, 16 * ((size_t)vu->data_mask + 1), 4);
}

void vu_cop2_visit(struct vu_cop2 *cop2, vu_visitor *visit, void *context)
{
    SHOW(cop2, at_m_bit);
    SHOW(cop2, fbrst);
    SHOW(cop2, cmsar1);
}

uint8_t *vu_micro_marks(struct vu *vu)
{
    return &vu->micro_marks;
}

void vu_put_micro(struct vu *vu, const void *bytes)
{
    const uint8_t *from = bytes;
    for (size_t n = 0; n <= vu->micro_mask; n++)
        if (memcmp(vu->micro + 8 * n, from + 8 * n, 8)) {
            memcpy(vu->micro + 8 * n, from + 8 * n, 8);
            if (!(vu->pairs[n].flags & PAIR_OUTSIDE))
                vu->pairs[n] = (struct pair){.flags = PAIR_UNDECODED};
        }
}
