// VU model: the pipelines, hazards and the run loop.
#include "tests/model/vu_model.h"

#include <stdlib.h>
#include <string.h>

#include "tests/model/vu_model_private.h"

enum { DRAIN_LIMIT = 4 * VU_MODEL_KICK_LIMIT };
enum { FBRST_D = 4, FBRST_T = 8, STAT_D = 2, STAT_T = 4 };

uint32_t vu_model_pairs(const struct vu_model *m)
{
    return (m->unit == 0 ? VU_MODEL_VU0_BYTES : VU_MODEL_VU1_BYTES) / 8;
}
uint32_t vu_model_quadwords(const struct vu_model *m)
{
    return (m->unit == 0 ? VU_MODEL_VU0_BYTES : VU_MODEL_VU1_BYTES) / 16;
}

static const struct vu_model_rules sound_rules = {
    .vf = 4,
    .ilw = 4,
    .mac = 4,
    .clip = 4,
    .div = 7,
    .rsqrt = 13,
    .efu_early = 1,
    .kick_first = 3,
    .kick_step = 2,
    .acc_latch = true,
    .product_sticky = true,
    .zero_by_exponent = true,
    .stale_pairs = VU_MODEL_STALE,
    .upper_wins = true,
};

void vu_model_init(struct vu_model *m, unsigned unit, uint8_t *micro, uint8_t *data)
{
    *m = (struct vu_model){.unit = unit, .micro = micro, .data = data, .rules = sound_rules};
    m->vf[0][LANE_W] = 0x3f800000;
    size_t bytes = unit == 0 ? VU_MODEL_VU0_BYTES : VU_MODEL_VU1_BYTES;
    memset(micro, 0, bytes);
    memset(data, 0, bytes);
}

void vu_model_start(struct vu_model *m, uint32_t pc)
{
    m->pc = pc & (vu_model_pairs(m) - 1);
    m->next_pc = (m->pc + 1) & (vu_model_pairs(m) - 1);
    m->ending = m->halting = false;
    m->halt = VU_MODEL_RUNNING;
    m->stale_reg = m->stale_count = 0;
    m->vpu_stat &= ~(uint32_t)(STAT_D | STAT_T);
}

struct vu_model_event *vu_model_post(struct vu_model *m, enum vu_model_event_kind kind, unsigned latency)
{
    if (m->queued == VU_MODEL_QUEUE)
        abort();
    struct vu_model_event *event = &m->queue[m->queued++];
    *event = (struct vu_model_event){.ready = m->cycle + latency, .kind = kind};
    return event;
}

void vu_model_write_vf(struct vu_model *m, unsigned reg, unsigned mask, const uint32_t value[4])
{
    if (reg == 0 || mask == 0)
        return;
    struct vu_model_event *event = vu_model_post(m, VU_MODEL_VF, m->rules.vf);
    event->reg = reg;
    event->mask = mask;
    memcpy(event->value, value, sizeof event->value);
}
void vu_model_write_lower_vf(struct vu_model *m, unsigned reg, unsigned mask, const uint32_t value[4])
{
    if (reg != m->upper_vf || !m->rules.upper_wins)
        vu_model_write_vf(m, reg, mask, value);
}

void vu_model_write_vi(struct vu_model *m, unsigned reg, uint16_t value)
{
    if (reg == 0)
        return;
    for (unsigned i = 0; i < m->queued; i++)
        if (m->queue[i].kind == VU_MODEL_VI && m->queue[i].reg == reg)
            m->queue[i].overwritten = true;
    m->vi[reg] = value;
}
// The value with what ILW or ILWR still has in flight.
static uint16_t newest_vi(const struct vu_model *m, unsigned reg)
{
    for (unsigned i = m->queued; i-- > 0;) {
        const struct vu_model_event *e = &m->queue[i];
        if (e->kind == VU_MODEL_VI && e->reg == reg && !e->overwritten)
            return (uint16_t)e->value[0];
    }
    return m->vi[reg];
}

void vu_model_write_ialu(struct vu_model *m, unsigned reg, uint16_t value)
{
    if (reg == 0)
        return;
    bool goes_on = m->stale_count != 0 && reg == m->stale_reg && m->cycle == m->stale_cycle + 1;
    unsigned count = goes_on ? m->stale_count : 0;
    for (unsigned i = VU_MODEL_STALE - 1; i > 0; i--)
        m->stale_value[i] = m->stale_value[i - 1];
    m->stale_value[0] = newest_vi(m, reg);
    m->stale_reg = reg;
    m->stale_count = count == VU_MODEL_STALE ? count : count + 1;
    m->stale_cycle = m->cycle;
    vu_model_write_vi(m, reg, value);
}
void vu_model_load_vi(struct vu_model *m, unsigned reg, uint16_t value)
{
    if (reg == 0)
        return;
    struct vu_model_event *event = vu_model_post(m, VU_MODEL_VI, m->rules.ilw);
    event->reg = reg;
    event->value[0] = value;
}

// The status nibble Z S U O is the OR over the lanes of MAC.
static uint32_t status_of_mac(uint32_t mac)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < 4; i++)
        if (mac >> 4 * i & 15)
            status |= 1u << i;
    return status;
}

static void arrive(struct vu_model *m, const struct vu_model_event *e)
{
    switch (e->kind) {
    case VU_MODEL_VF:
        for (unsigned i = 0; i < LANES; i++)
            if (has_lane(e->mask, i))
                m->vf[e->reg][i] = e->value[i];
        break;
    case VU_MODEL_VI:
        if (!e->overwritten)
            m->vi[e->reg] = (uint16_t)e->value[0];
        break;
    case VU_MODEL_FMAC:
        m->mac = e->flags;
        m->status &= ~(uint32_t)STATUS_FMAC;
        m->status |= status_of_mac(e->flags) | status_of_mac(e->flags) << STICKY_SHIFT | e->sticky;
        break;
    case VU_MODEL_FDIV:
        m->q = e->value[0];
        m->status &= ~(uint32_t)STATUS_FDIV;
        m->status |= e->flags | e->flags << STICKY_SHIFT;
        break;
    case VU_MODEL_EFU:
        m->p = e->value[0];
        break;
    case VU_MODEL_CLIP:
        m->clip = (m->clip << 6 | e->value[0]) & 0xffffff;
        break;
    case VU_MODEL_STICKY:
        m->status = (m->status & ~(uint32_t)STATUS_STICKY) | e->value[0];
        break;
    case VU_MODEL_FCSET:
        m->clip = e->value[0];
        break;
    }
}

// What is due in this cycle, in the order of issue, the divider last; then the read of a kicked packet.
static void tick(struct vu_model *m)
{
    unsigned kept = 0;
    const struct vu_model_event *divide = NULL;
    struct vu_model_event held;
    for (unsigned i = 0; i < m->queued; i++) {
        if (m->queue[i].ready > m->cycle) {
            m->queue[kept++] = m->queue[i];
        } else if (m->queue[i].kind == VU_MODEL_FDIV) {
            held = m->queue[i];
            divide = &held;
        } else {
            arrive(m, &m->queue[i]);
        }
    }
    if (divide)
        arrive(m, divide);
    m->queued = kept;
    vu_model_kick_tick(m);
}

static bool vf_in_flight(const struct vu_model *m, unsigned reg, unsigned mask)
{
    for (unsigned i = 0; i < m->queued; i++)
        if (m->queue[i].kind == VU_MODEL_VF && m->queue[i].reg == reg && (m->queue[i].mask & mask))
            return true;
    return false;
}
static bool vi_in_flight(const struct vu_model *m, unsigned reg)
{
    for (unsigned i = 0; i < m->queued; i++)
        if (m->queue[i].kind == VU_MODEL_VI && m->queue[i].reg == reg)
            return true;
    return false;
}

// Lane x reads fs.y and ft.z, y fs.z and ft.x, z fs.x and ft.y, w fs.w.
static bool outer_product_waits(const struct vu_model *m, unsigned fs, unsigned ft, unsigned mask)
{
    static const unsigned from_fs[LANES] = {LANE_Y, LANE_Z, LANE_X, LANE_W};
    static const unsigned from_ft[LANE_W] = {LANE_Z, LANE_X, LANE_Y};
    for (unsigned i = 0; i < LANES; i++) {
        if (!has_lane(mask, i))
            continue;
        if (vf_in_flight(m, fs, lane_bit(from_fs[i])) ||
            (i != LANE_W && vf_in_flight(m, ft, lane_bit(from_ft[i]))))
            return true;
    }
    return false;
}

// Whether the register that an operand reads is in flight.
static bool operand_waits(const struct vu_model *m, char letter, uint32_t word)
{
    unsigned mask = field_mask(word), fs = field_fs(word), ft = field_ft(word);
    switch (letter) {
    case 'S':
        return vf_in_flight(m, fs, mask);
    case 'T':
        return vf_in_flight(m, ft, mask);
    case 'B':
        return vf_in_flight(m, ft, lane_bit(word & 3));
    case 'F':
        return vf_in_flight(m, fs, lane_bit(field_fsf(word)));
    case 'G':
        return vf_in_flight(m, ft, lane_bit(field_ftf(word)));
    case 'R': // x from y, y from z, z from w, w from x
        return vf_in_flight(m, fs, (mask >> 1 | mask << 3) & MASK_XYZW);
    case 'C':
        return vf_in_flight(m, fs, MASK_XYZ) || vf_in_flight(m, ft, lane_bit(LANE_W));
    case 'O':
        return outer_product_waits(m, fs, ft, mask);
    case 'X':
        return vf_in_flight(m, fs, lane_bit(LANE_X) | lane_bit(LANE_Y));
    case 'Z':
        return vf_in_flight(m, fs, lane_bit(LANE_X) | lane_bit(LANE_Z));
    case '3':
        return vf_in_flight(m, fs, MASK_XYZ);
    case '4':
        return vf_in_flight(m, fs, MASK_XYZW);
    case 's':
    case 'u':
        return vi_in_flight(m, field_is(word));
    case 't':
    case 'v':
        return vi_in_flight(m, field_it(word));
    default:
        return false;
    }
}

static bool operands_wait(const struct vu_model *m, const struct vu_model_insn *insn, uint32_t word)
{
    for (const char *letter = insn->operands; *letter; letter++)
        if (operand_waits(m, *letter, word))
            return true;
    return false;
}

static bool unit_is_busy(const struct vu_model *m, const struct vu_model_insn *insn)
{
    bool waits_q = insn->body == vu_model_nop && insn->class == VU_MODEL_WAIT && !insn->vu1_only;
    bool waits_p = insn->body == vu_model_nop && insn->class == VU_MODEL_WAIT && insn->vu1_only;
    if (insn->class == VU_MODEL_FDIV_OP || waits_q)
        return m->cycle < m->fdiv_free;
    if (insn->class == VU_MODEL_EFU_OP || waits_p)
        return m->cycle < m->efu_free;
    return insn->class == VU_MODEL_KICK && m->kick.active;
}

static uint32_t fetch(const struct vu_model *m, uint32_t pc, bool upper)
{
    const uint8_t *at = m->micro + 8 * (size_t)pc + (upper ? 4 : 0);
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// A pair as fetched; lower is NULL where the lower word is an immediate, reserved or absent on this unit.
struct pair {
    uint32_t upper_word, lower_word;
    bool i, e, d, t;
    const struct vu_model_insn *upper, *lower;
};

static struct pair fetch_pair(const struct vu_model *m)
{
    struct pair p = {.upper_word = fetch(m, m->pc, true), .lower_word = fetch(m, m->pc, false)};
    p.i = p.upper_word >> 31 & 1;
    p.e = p.upper_word >> 30 & 1;
    p.d = p.upper_word >> 28 & 1;
    p.t = p.upper_word >> 27 & 1;
    p.upper = vu_model_decode_upper(p.upper_word);
    p.lower = p.i ? NULL : vu_model_decode_lower(p.lower_word);
    if (p.lower && p.lower->vu1_only && m->unit == 0)
        p.lower = NULL;
    return p;
}

static bool must_wait(const struct vu_model *m, const struct pair *p)
{
    if (p->upper && operands_wait(m, p->upper, p->upper_word))
        return true;
    return p->lower && (operands_wait(m, p->lower, p->lower_word) || unit_is_busy(m, p->lower));
}

// The VF that an upper instruction writes, or 0.
static unsigned written_vf(const struct pair *p)
{
    if (p->upper == NULL)
        return 0;
    const char *operands = p->upper->operands;
    if (strchr(operands, 'm') && field_mask(p->upper_word) == 0)
        return 0;
    if (strchr(operands, 'D'))
        return field_fd(p->upper_word);
    return strchr(operands, 'N') ? field_ft(p->upper_word) : 0;
}

// Upper before lower: FSSET comes behind the FMAC in the queue, and so wins. FCSET beside CLIP is dropped.
static void execute(struct vu_model *m, const struct pair *p)
{
    bool drops_lower =
        p->upper && p->lower && p->upper->body == vu_model_clip && p->lower->body == vu_model_fcset;
    m->taken = false;
    m->upper_vf = written_vf(p);
    if (p->upper)
        p->upper->body(m, p->upper, p->upper_word);
    if (p->lower && !drops_lower)
        p->lower->body(m, p->lower, p->lower_word);
    if (p->i)
        m->i = p->lower_word;
}

static bool is_branch(const struct pair *p)
{
    return p->lower && (p->lower->class == VU_MODEL_BRANCH || p->lower->class == VU_MODEL_JUMP);
}

// Whether the program stops after the pair that has just been executed, and why.
static enum vu_model_stop stop_after(struct vu_model *m, const struct pair *p)
{
    bool d = p->d && (m->fbrst & FBRST_D), t = p->t && (m->fbrst & FBRST_T);
    if (m->ending)
        return VU_MODEL_END;
    m->ending = p->e;
    if (m->halting)
        return m->halt;
    if (!d && !t)
        return VU_MODEL_RUNNING;
    m->vpu_stat |= (d ? STAT_D : 0u) | (t ? STAT_T : 0u);
    m->halt = d ? VU_MODEL_D : VU_MODEL_T;
    m->halting = is_branch(p);
    return m->halting ? VU_MODEL_RUNNING : m->halt;
}

enum vu_model_stop vu_model_step(struct vu_model *m)
{
    struct pair p = fetch_pair(m);
    struct vu_model_pair trace = {.pc = m->pc, .upper = p.upper_word, .lower = p.lower_word};
    tick(m);
    while (must_wait(m, &p)) {
        trace.stalls++;
        m->cycle++;
        tick(m);
    }
    execute(m, &p);
    trace.cycle = m->cycle++;
    m->end_cycle = m->cycle;
    m->pairs++;
    enum vu_model_stop stop = stop_after(m, &p);
    m->pc = m->next_pc;
    m->next_pc = (m->taken ? m->target : m->pc + 1) & (vu_model_pairs(m) - 1);
    if (m->on_pair)
        m->on_pair(m->context, &trace);
    return stop;
}

void vu_model_drain(struct vu_model *m)
{
    for (unsigned i = 0; i < DRAIN_LIMIT && (m->queued || m->kick.active); i++) {
        tick(m);
        m->cycle++;
    }
}

enum vu_model_stop vu_model_run(struct vu_model *m, uint64_t limit)
{
    enum vu_model_stop stop = VU_MODEL_RUNNING;
    while (stop == VU_MODEL_RUNNING) {
        if (m->cycle >= limit)
            return VU_MODEL_LIMIT;
        stop = vu_model_step(m);
    }
    vu_model_drain(m);
    return stop;
}
