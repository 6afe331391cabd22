// A unit as a whole: creation, memories, registers from outside.
#include "vu/core.h"

#include <stdlib.h>

static void *allocate(size_t size)
{
    void *p = aligned_alloc(64, (size + 63) & ~(size_t)63);
    if (p)
        memset(p, 0, size);
    return p;
}

struct vu *vu_new(enum vu_unit unit, const struct vu_config *config)
{
    struct vu *vu = allocate(sizeof *vu);
    if (!vu)
        return NULL;
    size_t size = unit == VU_UNIT_0 ? VU0_MICRO_SIZE : VU1_MICRO_SIZE;
    vu->unit = unit;
    vu->micro_mask = (uint32_t)(size / 8 - 1);
    vu->data_mask = (uint32_t)(size / 16 - 1);
    if (config)
        vu->config = *config;
    vu->pairs = allocate(size / 8 * sizeof *vu->pairs);
    vu->macros = allocate(MACRO_ENTRIES * sizeof *vu->macros);
    vu->micro = allocate(size);
    vu->data = allocate(size);
    if (!vu->pairs || !vu->macros || !vu->micro || !vu->data) {
        vu_free(vu);
        return NULL;
    }
    vu_clear_micro(vu);
    vu_reset(vu);
    return vu;
}

void vu_free(struct vu *vu)
{
    if (!vu)
        return;
    free(vu->pairs);
    free(vu->macros);
    free(vu->micro);
    free(vu->data);
    free(vu);
}

void vu_reset(struct vu *vu)
{
    memset(vu->vf, 0, sizeof vu->vf);
    memset(vu->vi, 0, sizeof vu->vi);
    memset(vu->recent, 0, sizeof vu->recent);
    vu->vf[0][3] = 0x3f800000;
    vu->acc_overflowed = splat(0);
    vu->i = vu->q = vu->p = vu->r = 0;
    vu->stale.cycle = 0;
    vu->fdiv = vu->efu = (struct unit){.ready = UINT64_MAX};
    vu->kick = (struct kick){.due = UINT64_MAX};
    vu->clip_next = PIPE;
    vu_flags_reset(vu, 0, 0, 0);
    vu->cycle = 2 * LATENCY; // nothing at cycle 0 is in flight
    vu->limit = UINT64_MAX;
    vu->pc = 0;
    vu->next = 1;
    vu->ending = vu->stop_bits = 0;
    vu->running = vu->failed_kick = false;
    vu->top = vu->itop = vu->cmsar0 = 0;
    vu_set_event(vu);
}

enum vu_unit vu_unit(const struct vu *vu)
{
    return vu->unit;
}

void vu_set_ports(struct vu *vu, const struct vu_ports *ports)
{
    vu->ports = ports ? *ports : (struct vu_ports){.context = NULL};
}

void vu_set_window(struct vu *vu0, struct vu *vu1)
{
    vu0->window = vu1;
}

void vu_set_debug_bits(struct vu *vu, bool d, bool t)
{
    vu->debug_d = d;
    vu->debug_t = t;
}

void vu_observe(struct vu *vu, const struct vu_observer *observer)
{
    vu->observer = observer;
}

void vu_set_top(struct vu *vu, uint16_t top, uint16_t itop)
{
    vu->top = top;
    vu->itop = itop;
}

// ---- memory

const uint8_t *vu_micro(const struct vu *vu, size_t *size)
{
    if (size)
        *size = 8 * ((size_t)vu->micro_mask + 1);
    return vu->micro;
}

uint8_t *vu_data(struct vu *vu, size_t *size)
{
    if (size)
        *size = 16 * ((size_t)vu->data_mask + 1);
    return (uint8_t *)vu->data;
}

// Pairs whose bytes do not change keep their records.
bool vu_write_micro(struct vu *vu, size_t offset, const void *bytes, size_t size)
{
    size_t end = 8 * ((size_t)vu->micro_mask + 1);
    if (offset > end || size > end - offset)
        return false;
    const uint8_t *from = bytes;
    for (size_t at = offset; at < offset + size;) {
        size_t part = 8 - at % 8, left = offset + size - at;
        part = part < left ? part : left;
        struct pair *pair = &vu->pairs[at / 8];
        if (pair->flags & PAIR_OUTSIDE || memcmp(vu->micro + at, from, part)) {
            *pair = (struct pair){.flags = PAIR_UNDECODED};
            memcpy(vu->micro + at, from, part);
            vu->written[at / 64] |= (uint8_t)(1u << at / 8 % 8);
            vu->micro_marks = VU_MICRO_WRITTEN | VU_MICRO_DIRTY;
        }
        from += part;
        at += part;
    }
    return true;
}

void vu_clear_micro(struct vu *vu)
{
    memset(vu->micro, 0, 8 * ((size_t)vu->micro_mask + 1));
    for (uint32_t k = 0; k <= vu->micro_mask; k++)
        vu->pairs[k] = (struct pair){.flags = PAIR_OUTSIDE};
    memset(vu->written, 0, sizeof vu->written);
    vu->micro_marks = VU_MICRO_WRITTEN | VU_MICRO_DIRTY;
}

// ---- registers

// By CFC2 number; what is not listed reads as zero.
uint32_t vu_control(struct vu *vu, unsigned index)
{
    switch (index) {
    case 16:
        return vu_status(vu);
    case 17:
        return vu_mac(vu);
    case 18:
        return vu_clip(vu);
    case 20:
        return vu->r;
    case 21:
        return vu->i;
    case 22:
        return vu->q;
    case 23:
        return vu->p;
    case 26:
        return vu->pc;
    case 27:
        return vu->cmsar0;
    default:
        return 0;
    }
}

// Status takes only its sticky bits, MAC nothing (unknownbrackets/ps2autotests:
// tests/cpu/vu0_macro/transfer.expected).
void vu_set_control(struct vu *vu, unsigned index, uint32_t value)
{
    switch (index) {
    case 16:
        vu_land_flags(vu, vu->cycle);
        vu->sticky = splat(0);
        vu->sticky_bits = value & 0xfc0;
        break;
    case 18:
        for (unsigned k = 0; k < PIPE; k++)
            vu->clip[k] = (struct clip_entry){0, value & 0xffffff};
        break;
    case 20:
        vu->r = value & 0x7fffff;
        break;
    case 21:
        vu->i = value;
        break;
    case 22:
        vu->q = value;
        break;
    case 27:
        vu->cmsar0 = (uint16_t)value;
        break;
    default:
        break;
    }
}

void vu_get_state(struct vu *vu, struct vu_state *state)
{
    if (!vu->running)
        vu_flush(vu);
    memset(state, 0, sizeof *state); // states are compared as bytes
    for (unsigned k = 0; k < 32; k++)
        memcpy(state->vf[k], &vu->vf[k], sizeof state->vf[k]);
    memcpy(state->acc, &vu->vf[VF_ACC], sizeof state->acc);
    memcpy(state->vi, vu->vi, sizeof state->vi);
    for (unsigned lane = 0; lane < 4; lane++)
        state->acc_overflowed |= vu->acc_overflowed[lane] ? 8u >> lane : 0;
    state->mac = vu_mac(vu);
    state->status = vu_status(vu);
    state->clip = vu_clip(vu);
    state->r = vu->r;
    state->i = vu->i;
    state->q = vu->q;
    state->p = vu->p;
    state->tpc = vu->pc;
    state->top = vu->top;
    state->itop = vu->itop;
    state->cmsar0 = vu->cmsar0;
}

void vu_set_state(struct vu *vu, const struct vu_state *state)
{
    vu_flush(vu);
    for (unsigned k = 1; k < 32; k++)
        memcpy(&vu->vf[k], state->vf[k], sizeof state->vf[k]);
    memcpy(&vu->vf[VF_ACC], state->acc, sizeof state->acc);
    memcpy(vu->vi, state->vi, sizeof state->vi);
    vu->vi[0] = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        vu->acc_overflowed[lane] = state->acc_overflowed & 8u >> lane ? ~0u : 0;
    vu_flags_reset(vu, state->mac, state->status, state->clip);
    vu->r = state->r & 0x7fffff;
    vu->i = state->i;
    vu->q = state->q;
    vu->p = state->p;
    vu->pc = state->tpc & vu->micro_mask;
    vu->next = (vu->pc + 1) & vu->micro_mask;
    vu->top = state->top;
    vu->itop = state->itop;
    vu->cmsar0 = state->cmsar0;
}
