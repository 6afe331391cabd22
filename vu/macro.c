// VU0 as the EE's coprocessor 2: macro operations decoded by the microinstruction tables, transfers, program
// calls.
//
// A called microprogram runs at once, to its end or to an M bit. From an M bit it goes on when the EE next
// has to wait for it: a macro operation or another call, an interlocked read, a second interlocked write, a
// look at VPU_STAT.
#include "vu/bodies.h"

#include <stdio.h>

enum { CMSAR0 = 27, FBRST = 28, VPU_STAT = 29, CMSAR1 = 31 };
enum { DEFAULT_LIMIT = 100000000 };
enum { SLICE = 1 << 20 }; // cycles between two looks at the clock

// Runs a program in slices; true when there was no more time for it.
static bool run_slices(const struct vu_cop2 *cop2, struct vu *vu, bool until_m, struct vu_stop *stop)
{
    uint64_t left = cop2->limit ? cop2->limit : DEFAULT_LIMIT, pairs = 0, cycles = 0;
    bool late = false;
    do {
        vu_run(vu, left < SLICE ? left : SLICE, until_m, stop);
        left -= stop->cycles < left ? stop->cycles : left;
        pairs += stop->pairs;
        cycles += stop->cycles;
        late = stop->kind == VU_LIMIT && cop2->timed_out && cop2->timed_out(cop2->context);
    } while (stop->kind == VU_LIMIT && left && !late);
    stop->pairs = pairs;
    stop->cycles = cycles;
    return late;
}

const char *vu_cop2_run(struct vu_cop2 *cop2, struct vu *vu, bool until_m)
{
    struct vu_stop stop;
    if (cop2->runs)
        cop2->runs(cop2->context, vu->unit, vu->pc);
    bool late = run_slices(cop2, vu, until_m, &stop);
    if (cop2->ran)
        cop2->ran(cop2->context, vu->unit, &stop);
    switch (stop.kind) {
    case VU_LIMIT:
        vu_force_break(vu);
        snprintf(cop2->message, sizeof cop2->message, "VU%u's microprogram %s (it was at pair 0x%x)",
                 vu->unit == VU_UNIT_1, late ? "has run out of time" : "does not end", stop.pc);
        return cop2->message;
    case VU_OUTSIDE:
    case VU_RESERVED:
    case VU_KICK_RUNS:
        memcpy(cop2->message, stop.message, sizeof cop2->message);
        return cop2->message;
    default:
        return NULL;
    }
}

static const char *finish(struct vu_cop2 *cop2)
{
    cop2->at_m_bit = false;
    return cop2->vu0->running ? vu_cop2_run(cop2, cop2->vu0, false) : NULL;
}

// What came before has arrived: the EE waits for it.
static void settle(struct vu *vu)
{
    vu->cycle += 2 * PIPE;
    if (vu->cycle >= vu->event)
        vu_events(vu);
}

static const char *call(struct vu_cop2 *cop2, uint32_t pc)
{
    const char *why = finish(cop2);
    if (why)
        return why;
    vu_start(cop2->vu0, pc);
    why = vu_cop2_run(cop2, cop2->vu0, true);
    cop2->at_m_bit = cop2->vu0->running;
    return why;
}

static uint32_t slot(uint32_t word)
{
    return (word ^ word >> 8 ^ word >> 16) % MACRO_ENTRIES;
}

const char *vu_cop2_execute(void *context, uint32_t word)
{
    struct vu_cop2 *cop2 = context;
    struct vu *vu = cop2->vu0;
    if ((word & 0x3f) == 0x38)
        return call(cop2, field(word, 6, 15));
    if ((word & 0x3f) == 0x39)
        return call(cop2, vu->cmsar0);
    struct macro_entry *entry = &vu->macros[slot(word)];
    if (entry->word != word) {
        uint32_t micro_word;
        bool upper;
        const struct row *row = vu_find_macro(word, &micro_word, &upper);
        if (!row) {
            snprintf(cop2->message, sizeof cop2->message, "VU0 has no macro operation 0x%08x", word);
            return cop2->message;
        }
        vu_decode_op(vu, row, micro_word, 0, &entry->op);
        entry->word = word;
    }
    const char *why = finish(cop2);
    if (why)
        return why;
    settle(vu);
    if (entry->op.exec)
        entry->op.exec(vu, &entry->op);
    return NULL;
}

// An interlocked read waits for the end of the program, an interlocked write also for an M bit (EE Core
// manual, QMFC2.I and QMTC2.I; unverified).
static const char *wait(struct vu_cop2 *cop2, bool interlock, bool write)
{
    struct vu *vu = cop2->vu0;
    const char *why = NULL;
    if (interlock && vu->running && !write)
        why = finish(cop2);
    else if (interlock && vu->running && !cop2->at_m_bit)
        why = vu_cop2_run(cop2, vu, true);
    if (interlock && write)
        cop2->at_m_bit = false;
    if (!vu->running)
        settle(vu);
    return why;
}

const char *vu_cop2_read(void *context, unsigned vf, bool interlock, uint64_t value[2])
{
    struct vu_cop2 *cop2 = context;
    const char *why = wait(cop2, interlock, false);
    memcpy(value, &cop2->vu0->vf[vf & 31], 16);
    return why;
}

const char *vu_cop2_write(void *context, unsigned vf, bool interlock, const uint64_t value[2])
{
    struct vu_cop2 *cop2 = context;
    const char *why = wait(cop2, interlock, true);
    memcpy(&cop2->vu0->vf[vf & 31 ? vf & 31 : VF_SINK], value, 16);
    return why;
}

static uint32_t unit_status(const struct vu *vu)
{
    return vu ? (vu->running ? 1u : 0u) | vu->stop_bits : 0u;
}

// Reading 19 gives the revision and 24 0xc0c on the captured console, 23, 25 and 28 give zero
// (unknownbrackets/ps2autotests:tests/cpu/vu0_macro/transfer.expected).
const char *vu_cop2_read_control(void *context, unsigned vi, bool interlock, uint32_t *value)
{
    struct vu_cop2 *cop2 = context;
    struct vu *vu = cop2->vu0;
    const char *why = wait(cop2, interlock, false);
    if (!why && vi == VPU_STAT)
        why = finish(cop2);
    switch (vi) {
    case 19:
        *value = 0x2e30;
        break;
    case 24:
        *value = 0xc0c;
        break;
    case FBRST:
        *value = cop2->fbrst;
        break;
    case VPU_STAT:
        *value = unit_status(vu) | unit_status(cop2->vu1) << 8;
        break;
    case CMSAR1:
        *value = cop2->cmsar1;
        break;
    default:
        *value = vi < 16 ? vu->vi[vi] : vu_control(vu, vi);
        break;
    }
    return why;
}

// FBRST: bit 0 force break, 1 reset, 2 and 3 the enables of D and T; VU1's from bit 8 on. A reset clears the
// enables, which then read as zero (transfer.expected: ffffffff written, 0 read).
static void write_fbrst(struct vu_cop2 *cop2, uint32_t value)
{
    struct vu *units[2] = {cop2->vu0, cop2->vu1};
    cop2->fbrst = value & 0xc0c;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t bits = value >> 8 * k;
        if (bits & 2)
            cop2->fbrst &= ~(0xcu << 8 * k);
        if (!units[k])
            continue;
        if (bits & 2)
            vu_reset(units[k]);
        else if (bits & 1)
            vu_force_break(units[k]);
        vu_set_debug_bits(units[k], cop2->fbrst >> 8 * k & 4, cop2->fbrst >> 8 * k & 8);
    }
}

static const char *start_vu1(struct vu_cop2 *cop2, uint32_t pc)
{
    cop2->cmsar1 = pc & 0xffff;
    if (!cop2->vu1)
        return NULL;
    // Where nothing was written nothing runs (tests/cpu/vu0_macro/transfer starts VU1 at ffff and goes on).
    vu_start(cop2->vu1, cop2->cmsar1);
    if (cop2->vu1->pairs[cop2->vu1->pc].flags & PAIR_OUTSIDE) {
        vu_force_break(cop2->vu1);
        return NULL;
    }
    const char *why = vu_cop2_run(cop2, cop2->vu1, false);
    return why || !cop2->ran_vu1 ? why : cop2->ran_vu1(cop2->context);
}

const char *vu_cop2_write_control(void *context, unsigned vi, bool interlock, uint32_t value)
{
    struct vu_cop2 *cop2 = context;
    const char *why = wait(cop2, interlock, true);
    if (why)
        return why;
    if (vi == CMSAR1)
        return start_vu1(cop2, value);
    if (vi == FBRST)
        write_fbrst(cop2, value);
    else if (vi >= 16)
        vu_set_control(cop2->vu0, vi, value);
    else if (vi)
        cop2->vu0->vi[vi] = (uint16_t)value;
    return NULL;
}

bool vu_cop2_condition(void *context)
{
    const struct vu_cop2 *cop2 = context;
    return cop2->vu1 && cop2->vu1->running;
}
