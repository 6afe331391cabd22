// Running a microprogram: issue with stalls, the two halves of each pair, branches, and what stops it.
//
// A pair costs one lookup of its record. What reads must wait for is found by comparing its registers with
// what the last three cycles' pairs write; anything else that wants attention (a result that arrives, a
// quadword of a packet, the cycle limit, the end) is folded into one cycle number, vu->event.
#include "vu/core.h"

#include <stdio.h>

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static const struct pair no_pair;

// Cycles until every lane that the pair reads has been written: results come four cycles after they issued.
static unsigned stall(const struct pair *pair, const struct pair *const recent[LATENCY - 1])
{
    for (unsigned age = 0; age < LATENCY - 1; age++) {
        uint64_t both = pair->reads & recent[age]->writes;
        if (both >> 32)
            return LATENCY - 1 - age;
        for (unsigned r = 0; both && r < 4; r++)
            for (unsigned w = 0; w < 2; w++)
                if (pair->read[r].vf == recent[age]->write[w].vf &&
                    pair->read[r].lanes & recent[age]->write[w].lanes)
                    return LATENCY - 1 - age;
    }
    return 0;
}

static void wait_for_kick(struct vu *vu)
{
    while (vu->kick.due != UINT64_MAX) {
        if (vu->kick.due >= vu->cycle)
            vu->cycle = vu->kick.due + 1;
        vu_read_kick(vu);
    }
}

// Moves the clock to the cycle in which the pair issues. False: it does not, and `kind` says why.
__attribute__((noinline)) static bool
issue(struct vu *vu, uint32_t pc, const struct pair *const recent[LATENCY - 1], enum vu_stop_kind *kind)
{
    struct pair *pair = &vu->pairs[pc];
    if (vu->cycle >= vu->limit) {
        *kind = VU_LIMIT;
        return false;
    }
    if (vu->ending && --vu->ending == 0) {
        *kind = vu->ending_kind;
        return false;
    }
    if (pair->flags & PAIR_UNDECODED)
        vu_decode_pair(vu, pc);
    if (pair->flags & (PAIR_OUTSIDE | PAIR_RESERVED)) {
        *kind = pair->flags & PAIR_OUTSIDE ? VU_OUTSIDE : VU_RESERVED;
        return false;
    }
    vu->cycle += stall(pair, recent);
    if (pair->flags & PAIR_FDIV && vu->fdiv.free > vu->cycle)
        vu->cycle = vu->fdiv.free;
    if (pair->flags & PAIR_EFU && vu->efu.free > vu->cycle)
        vu->cycle = vu->efu.free;
    if (pair->flags & PAIR_KICK)
        wait_for_kick(vu);
    vu_events(vu);
    if (vu->failed_kick)
        *kind = VU_KICK_RUNS;
    return !vu->failed_kick;
}

// The earlier of two stops counts.
static void mark_end(struct vu *vu, uint8_t pairs, enum vu_stop_kind kind)
{
    if (vu->ending && vu->ending <= pairs)
        return;
    vu->ending = pairs;
    vu->ending_kind = kind;
    vu_set_event(vu);
}

// E stops behind the next pair. D and T stop at once, but a branch still gets its slot and its outcome
// (XDaoFangxiX/ARMSX2-Alpha:autocases_vubranch.h, Q1); with E in one pair, as PCSX2/pcsx2:
// pcsx2/VU0microInterp.cpp has it (not captured). An M bit there is not seen (unverified).
static void stop_bits(struct vu *vu, uint32_t flags)
{
    uint8_t debug_pairs = flags & PAIR_BRANCH ? 2 : 1;
    if (flags & PAIR_E)
        mark_end(vu, 2, VU_ENDED);
    if (flags & PAIR_D && vu->debug_d)
        mark_end(vu, debug_pairs, VU_D_BIT);
    if (flags & PAIR_T && vu->debug_t)
        mark_end(vu, debug_pairs, VU_T_BIT);
    if (flags & PAIR_M && vu->until_m && !vu->ending)
        mark_end(vu, 1, VU_M_BIT);
}

// What only some pairs need; returns the pair after the next one. A branch in a delay slot takes effect after
// one pair of the first branch's target, and links behind that pair (unverified; games:
// PSI-Rockin/DobieStation#169).
__attribute__((noinline)) static uint32_t after(struct vu *vu, const struct pair *pair, uint32_t next)
{
    uint32_t following = (next + 1) & vu->micro_mask;
    if (pair->flags & PAIR_HELD)
        put_vf(vu, pair->write[1].vf, pair->write[1].lanes, vu->vf[VF_HELD]);
    if (pair->flags & PAIR_BRANCH) {
        if (vu->link)
            put_vi(vu, vu->link, following);
        if (vu->target >= 0)
            following = (uint32_t)vu->target;
    }
    if (pair->flags & (PAIR_E | PAIR_M | PAIR_D | PAIR_T))
        stop_bits(vu, pair->flags);
    return following;
}

static void observe(struct vu *vu, uint32_t pc, uint64_t before)
{
    struct vu_event event = {.pc = pc, .cycle = vu->cycle, .stalls = (unsigned)(vu->cycle - before)};
    memcpy(&event.lower, vu->micro + 8 * (size_t)pc, 4);
    memcpy(&event.upper, vu->micro + 8 * (size_t)pc + 4, 4);
    vu->observer->pair(vu->observer->context, vu, &event);
}

static inline __attribute__((always_inline)) enum vu_stop_kind loop(struct vu *vu, uint64_t *pairs,
                                                                    bool observed)
{
    const struct pair *recent[LATENCY - 1] = {vu->recent[0], vu->recent[1], vu->recent[2]};
    uint32_t pc = vu->pc, next = vu->next;
    enum vu_stop_kind kind = VU_ENDED;
    uint64_t count = 0;
    for (;; count++) {
        const struct pair *pair = &vu->pairs[pc];
        uint64_t writes = recent[0]->writes | recent[1]->writes | recent[2]->writes;
        uint64_t before = vu->cycle;
        if (UNLIKELY((pair->reads & writes) || pair->flags & PAIR_ISSUE || before >= vu->event)) {
            const struct pair *const list[LATENCY - 1] = {recent[0], recent[1], recent[2]};
            if (!issue(vu, pc, list, &kind))
                break;
            for (unsigned k = 0; k < LATENCY - 1 && before + k < vu->cycle; k++) {
                recent[2] = recent[1];
                recent[1] = recent[0];
                recent[0] = &no_pair;
            }
        }
        pair->op[0].exec(vu, &pair->op[0]);
        if (pair->op[1].exec)
            pair->op[1].exec(vu, &pair->op[1]);
        uint32_t following = (next + 1) & vu->micro_mask;
        if (UNLIKELY(pair->flags & PAIR_AFTER))
            following = after(vu, pair, next);
        if (observed)
            observe(vu, pc, before);
        vu->cycle++;
        pc = next;
        next = following;
        recent[2] = recent[1];
        recent[1] = recent[0];
        recent[0] = pair;
    }
    vu->pc = pc;
    vu->next = next;
    memcpy(vu->recent, recent, sizeof recent);
    *pairs = count;
    return kind;
}

static void explain(const struct vu *vu, struct vu_stop *stop)
{
    unsigned unit = vu->unit == VU_UNIT_1;
    uint32_t words[2];
    memcpy(words, vu->micro + 8 * (size_t)stop->pc, 8);
    stop->message[0] = 0;
    if (stop->kind == VU_OUTSIDE)
        snprintf(stop->message, sizeof stop->message,
                 "VU%u ran to pair 0x%x, which no program was written to", unit, stop->pc);
    if (stop->kind == VU_RESERVED)
        snprintf(stop->message, sizeof stop->message,
                 "VU%u has no instruction for pair 0x%x: upper %08x lower %08x", unit, stop->pc, words[1],
                 words[0]);
    if (stop->kind == VU_KICK_RUNS)
        snprintf(stop->message, sizeof stop->message,
                 "VU%u kicked a packet that does not end (%u quadwords read)", unit, vu->kick.length);
}

void vu_start(struct vu *vu, uint32_t pc)
{
    vu_flush(vu);
    vu->pc = pc & vu->micro_mask;
    vu->next = (vu->pc + 1) & vu->micro_mask;
    vu->ending = 0;
    vu->failed_kick = false;
    vu->stop_bits = 0;
    vu->running = true;
}

void vu_run(struct vu *vu, uint64_t cycles, bool until_m, struct vu_stop *stop)
{
    if (!vu->running)
        vu_start(vu, vu->pc);
    uint64_t from = vu->cycle;
    vu->until_m = until_m;
    vu->limit = cycles ? from + cycles : UINT64_MAX;
    vu_set_event(vu);
    for (unsigned k = 0; k < LATENCY - 1; k++)
        if (!vu->recent[k])
            vu->recent[k] = &no_pair;
    *stop = (struct vu_stop){.kind = VU_ENDED};
    stop->kind = vu->observer ? loop(vu, &stop->pairs, true) : loop(vu, &stop->pairs, false);
    stop->pc = vu->pc;
    stop->cycles = vu->cycle - from;
    vu->limit = UINT64_MAX;
    explain(vu, stop);
    if (stop->kind != VU_LIMIT && stop->kind != VU_M_BIT) {
        vu->running = false;
        vu->stop_bits = stop->kind == VU_D_BIT ? 2 : stop->kind == VU_T_BIT ? 4 : 0;
        vu->failed_kick = false;
        vu_flush(vu);
        if (stop->kind == VU_ENDED && vu->failed_kick) {
            stop->kind = VU_KICK_RUNS;
            explain(vu, stop);
        }
    }
}

void vu_force_break(struct vu *vu)
{
    vu->running = false;
    vu->ending = 0;
    vu_flush(vu);
}

bool vu_running(const struct vu *vu)
{
    return vu->running;
}

const char *vu_stop_name(enum vu_stop_kind kind)
{
    static const char *const names[] = {"ended", "D bit",   "T bit",    "M bit",
                                        "limit", "outside", "reserved", "endless kick"};
    return names[kind];
}
