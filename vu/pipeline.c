// What a pair leaves in flight: MAC, status and clip flags, the results of divider and EFU, the packet in
// transfer.
#include "vu/core.h"

// ---- flags of the FMACs: seen by instructions four cycles later
// (XDaoFangxiX/ARMSX2-Alpha:autocases_vulat.h, Q2_F_MAC, Q2_F_FMACSTATUS)

// Bit 0 Z, 1 S, 2 U, 3 O: the order of the status register's nibbles.
static uint32_t nibble(uint32_t lane)
{
    return (lane & LANE_Z ? 1u : 0u) | (lane & LANE_S ? 2u : 0u) | (lane & LANE_U ? 4u : 0u) |
           (lane & LANE_O ? 8u : 0u);
}

static uint32_t any_lane(ee_float4 v)
{
    return nibble(v[0] | v[1] | v[2] | v[3]);
}

void vu_land_flags(struct vu *vu, uint64_t cycle)
{
    uint32_t first = vu->flag_first;
    ee_float4 mac = vu->mac, sticky = vu->sticky;
    for (; first != vu->flag_next; first++) {
        const struct flag_entry *e = &vu->flag[first % PIPE];
        if (e->cycle + LATENCY > cycle)
            break;
        if (e->assign < 0) {
            mac = e->mac;
            sticky |= e->mac | e->sticky;
        } else {
            sticky = splat(0);
            vu->sticky_bits = (uint32_t)e->assign;
        }
    }
    vu->flag_first = first;
    vu->mac = mac;
    vu->sticky = sticky;
}

uint32_t vu_mac(struct vu *vu)
{
    vu_land_flags(vu, vu->cycle);
    uint32_t mac = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        uint32_t n = nibble(vu->mac[lane]);
        for (unsigned flag = 0; flag < 4; flag++)
            mac |= (n >> flag & 1) << (4 * flag + 3 - lane);
    }
    return mac;
}

uint32_t vu_status(struct vu *vu)
{
    vu_land_flags(vu, vu->cycle);
    return any_lane(vu->mac) | vu->cause_div | any_lane(vu->sticky) << 6 | vu->sticky_bits;
}

// FSSET replaces all six sticky bits; it takes the FMACs' time, and one of the same pair arrives before it
// (the manual's table; unverified).
void vu_push_sticky(struct vu *vu, uint32_t bits)
{
    push_flags(vu, splat(0), splat(0));
    vu->flag[(vu->flag_next - 1) % PIPE].assign = (int32_t)bits;
}

uint32_t vu_newest_clip(const struct vu *vu)
{
    return vu->clip[(vu->clip_next - 1) % PIPE].value;
}

void vu_push_clip(struct vu *vu, uint32_t value)
{
    vu->clip[vu->clip_next++ % PIPE] = (struct clip_entry){vu->cycle, value & 0xffffff};
}

uint32_t vu_clip(const struct vu *vu)
{
    uint32_t k = vu->clip_next - 1;
    while (vu->clip[k % PIPE].cycle + LATENCY > vu->cycle)
        k--;
    return vu->clip[k % PIPE].value;
}

void vu_flags_reset(struct vu *vu, uint32_t mac, uint32_t status, uint32_t clip)
{
    vu->flag_first = vu->flag_next;
    for (unsigned lane = 0; lane < 4; lane++) {
        uint32_t m = mac >> (3 - lane);
        vu->mac[lane] = (m & 0x1 ? LANE_Z : 0u) | (m & 0x10 ? LANE_S : 0u) | (m & 0x100 ? LANE_U : 0u) |
                        (m & 0x1000 ? LANE_O : 0u);
    }
    vu->sticky = splat(0);
    vu->sticky_bits = status & 0xfc0;
    vu->cause_div = status & 0x30;
    for (unsigned k = 0; k < PIPE; k++)
        vu->clip[k] = (struct clip_entry){0, clip & 0xffffff};
}

// ---- divider and EFU

void vu_issue_fdiv(struct vu *vu, struct ee_float result, unsigned latency)
{
    uint32_t d = result.conditions & EE_FLOAT_D ? 0x20u : 0, i = result.conditions & EE_FLOAT_I ? 0x10u : 0;
    vu->fdiv = (struct unit){vu->cycle + latency, vu->cycle + latency, result.bits, d | i};
    vu_set_event(vu);
}

void vu_issue_efu(struct vu *vu, uint32_t value, unsigned latency)
{
    uint64_t ready = vu->cycle + latency;
    if (vu->efu.ready != UINT64_MAX) // due in the next cycle; nothing reads P in this one
        vu->p = vu->efu.value;
    vu->efu = (struct unit){ready, vu->config.efu_full_wait ? ready : ready - 1, value, 0};
    vu_set_event(vu);
}

static void land_fdiv(struct vu *vu)
{
    vu_land_flags(vu, vu->fdiv.ready); // an FSSET before it must not erase what is raised now
    vu->q = vu->fdiv.value;
    vu->cause_div = vu->fdiv.flags;
    vu->sticky_bits |= vu->fdiv.flags << 6;
    vu->fdiv.ready = UINT64_MAX;
}

static void land_efu(struct vu *vu)
{
    vu->p = vu->efu.value;
    vu->efu.ready = UINT64_MAX;
}

// ---- XGKICK

// No packet is longer: the largest GIF tag has 32767 loops of 16 quadwords.
enum { KICK_LIMIT = 1 << 20 };

static unsigned kick_cycles(const struct vu *vu)
{
    return vu->config.kick_cycles ? vu->config.kick_cycles : 2;
}

void vu_start_kick(struct vu *vu, uint32_t address)
{
    if (!vu->ports.kick)
        return;
    unsigned delay = vu->config.kick_delay ? vu->config.kick_delay : 1;
    vu->kick = (struct kick){vu->cycle + delay + kick_cycles(vu) - 1, address & vu->data_mask, 0};
    while (vu->config.instant_kick && vu->kick.due != UINT64_MAX)
        vu_read_kick(vu);
    vu_set_event(vu);
}

void vu_read_kick(struct vu *vu)
{
    struct kick *kick = &vu->kick;
    uint64_t quadword[2];
    memcpy(quadword, &vu->data[kick->address], 16);
    kick->address = (kick->address + 1) & vu->data_mask;
    kick->due += kick_cycles(vu);
    bool last = vu->ports.kick(vu->ports.context, quadword);
    if (!last && ++kick->length >= KICK_LIMIT)
        vu->failed_kick = last = true;
    if (last)
        kick->due = UINT64_MAX;
}

// ---- the clock

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void vu_set_event(struct vu *vu)
{
    uint64_t kick = vu->kick.due == UINT64_MAX ? UINT64_MAX : vu->kick.due + 1;
    vu->event = earlier(earlier(vu->fdiv.ready, vu->efu.ready), earlier(kick, vu->limit));
    if (vu->ending || vu->failed_kick)
        vu->event = 0;
}

void vu_events(struct vu *vu)
{
    if (vu->fdiv.ready <= vu->cycle)
        land_fdiv(vu);
    if (vu->efu.ready <= vu->cycle)
        land_efu(vu);
    while (vu->kick.due < vu->cycle)
        vu_read_kick(vu);
    vu_set_event(vu);
}

// A result in flight still arrives when the program has ended (XDaoFangxiX/ARMSX2-Alpha:autocases_vulat.h,
// Q2_TRUNC).
void vu_flush(struct vu *vu)
{
    uint64_t last = vu->cycle + LATENCY;
    if (vu->fdiv.ready != UINT64_MAX && vu->fdiv.ready > last)
        last = vu->fdiv.ready;
    if (vu->efu.ready != UINT64_MAX && vu->efu.ready > last)
        last = vu->efu.ready;
    vu->cycle = last;
    while (vu->kick.due != UINT64_MAX)
        vu_read_kick(vu);
    vu_events(vu);
    vu_land_flags(vu, vu->cycle);
    for (unsigned k = 0; k < LATENCY - 1; k++)
        vu->recent[k] = NULL;
}
