// VU model: data memory, the window of VU1's registers, and the packets that XGKICK sends.
#include <string.h>

#include "tests/model/vu_model_private.h"

enum { WINDOW_BIT = 0x400, WINDOW_VI = 32, WINDOW_MASK = 63 };

static uint8_t *word_of(const struct vu_model *m, uint32_t index, unsigned lane)
{
    return m->data + 16 * (size_t)(index & (vu_model_quadwords(m) - 1)) + 4 * lane;
}
static uint32_t get32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool is_window(const struct vu_model *m, uint16_t index)
{
    return m->unit == 0 && (index & WINDOW_BIT);
}

static uint32_t control_register(const struct vu_model *m, unsigned reg)
{
    switch (reg) {
    case 16:
        return m->status;
    case 17:
        return m->mac;
    case 18:
        return m->clip;
    case 20:
        return m->r;
    case 21:
        return m->i;
    case 22:
        return m->q;
    case 23:
        return m->p;
    case 26:
        return m->pc;
    default:
        return reg < 16 ? m->vi[reg] : 0;
    }
}

static uint32_t read_window(const struct vu_model *vu1, unsigned index, unsigned lane)
{
    if (vu1 == NULL)
        return 0;
    if (index < WINDOW_VI)
        return vu1->vf[index][lane];
    return lane == LANE_X ? control_register(vu1, index - WINDOW_VI) : 0;
}

// As CTC2 writes them.
static void write_control(struct vu_model *vu1, unsigned reg, uint32_t value)
{
    switch (reg) {
    case 16:
        vu1->status = (vu1->status & ~(uint32_t)STATUS_STICKY) | (value & STATUS_STICKY);
        break;
    case 18:
        vu1->clip = value & 0xffffff;
        break;
    case 20:
        vu1->r = value & 0x7fffff;
        break;
    case 21:
        vu1->i = value;
        break;
    case 22:
        vu1->q = value;
        break;
    }
}

static void write_window(struct vu_model *vu1, unsigned index, unsigned lane, uint32_t value)
{
    if (vu1 == NULL || index == 0)
        return;
    if (index < WINDOW_VI)
        vu1->vf[index][lane] = value;
    else if (lane == LANE_X && index > WINDOW_VI && index < WINDOW_VI + 16)
        vu1->vi[index - WINDOW_VI] = (uint16_t)value;
    else if (lane == LANE_X)
        write_control(vu1, index - WINDOW_VI, value);
}

uint32_t vu_model_read(const struct vu_model *m, uint16_t index, unsigned lane)
{
    if (is_window(m, index))
        return read_window(m->window, index & WINDOW_MASK, lane);
    return get32(word_of(m, index, lane));
}

void vu_model_write(struct vu_model *m, uint16_t index, unsigned lane, uint32_t value)
{
    if (is_window(m, index)) {
        write_window(m->window, index & WINDOW_MASK, lane, value);
        return;
    }
    uint8_t *at = word_of(m, index, lane);
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

// Quadwords of data behind a GIFtag. NREG 0 is 16; PACKED, REGLIST, IMAGE (and 3, which is IMAGE).
static uint32_t tag_quadwords(const uint8_t *tag)
{
    uint32_t loops = get32(tag) & 0x7fff, format = get32(tag + 4) >> 26 & 3, registers = tag[7] >> 4;
    if (registers == 0)
        registers = 16;
    if (format == 0)
        return loops * registers;
    if (format == 1)
        return (loops * registers + 1) / 2;
    return loops;
}

static void kick_read(struct vu_model *m)
{
    struct vu_model_kick *kick = &m->kick;
    const uint8_t *quadword = word_of(m, kick->address, 0);
    if (m->on_kick)
        m->on_kick(m->context, kick->address, quadword, m->cycle);
    if (kick->left == 0) {
        kick->left = tag_quadwords(quadword);
        kick->last_tag = quadword[1] & 0x80;
    } else {
        kick->left--;
    }
    kick->address = (kick->address + 1) & (vu_model_quadwords(m) - 1);
    kick->total++;
    kick->next += m->rules.kick_step;
    kick->active = !(kick->left == 0 && kick->last_tag) && kick->total != VU_MODEL_KICK_LIMIT;
}

void vu_model_kick_start(struct vu_model *m, uint16_t address)
{
    m->kick = (struct vu_model_kick){
        .active = true,
        .next = m->cycle + m->rules.kick_first,
        .address = address & (vu_model_quadwords(m) - 1),
    };
    while (m->rules.kick_step == 0 && m->kick.active)
        kick_read(m);
}

void vu_model_kick_tick(struct vu_model *m)
{
    if (m->kick.active && m->cycle >= m->kick.next)
        kick_read(m);
}
