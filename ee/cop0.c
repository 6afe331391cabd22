// COP0 as programs see it: status, clock, performance counters, TLB registers.
//
// Address translation is fixed to the map that the console's kernel sets up, so TLB entries are kept and read
// back but translate nothing.
#include "ee/bodies.h"

enum cop0_register {
    INDEX,
    RANDOM,
    ENTRYLO0,
    ENTRYLO1,
    CONTEXT,
    PAGEMASK,
    WIRED,
    BADVADDR = 8,
    COUNT,
    ENTRYHI,
    COMPARE,
    STATUS,
    CAUSE,
    EPC,
    PRID,
    CONFIG,
    BADPADDR = 23,
    DEBUG,
    PERF,
    TAGLO = 28,
    TAGHI,
    ERROREPC,
};

#define STATUS_EXL (1u << 1)
#define STATUS_ERL (1u << 2)
#define STATUS_KSU (3u << 3)
#define STATUS_EIE (1u << 16)
#define STATUS_EDI (1u << 17)

// What MTC0 can change, by register; the rest is read-only or reads zero. EE Core User's Manual, chapter 4.
static const uint32_t writable[32] = {
    [INDEX] = 0x8000003f,    [ENTRYLO0] = 0x83ffffff, [ENTRYLO1] = 0x03ffffff, [CONTEXT] = 0xff800000,
    [PAGEMASK] = 0x01ffe000, [WIRED] = 0x3f,          [COUNT] = 0xffffffff,    [ENTRYHI] = 0xffffe0ff,
    [COMPARE] = 0xffffffff,  [STATUS] = 0xf0c79c1f,   [EPC] = 0xffffffff,      [CONFIG] = 0x00073007,
    [DEBUG] = 0xffffffff,    [TAGLO] = 0xffffffff,    [TAGHI] = 0xffffffff,    [ERROREPC] = 0xffffffff,
};

// PCCR: CTE 31; EVENT1 19..15, U1 S1 K1 EXL1 14..11; EVENT0 9..5, U0 S0 K0 EXL0 4..1. Mask captured:
// tests/vectors/console.tsv, group ee_perf_regs.
#define PCCR_WRITABLE 0x800ffbfeu
#define PCCR_CTE      0x80000000u

void ee_cop0_reset(struct ee *ee)
{
    memset(ee->cop0, 0, sizeof ee->cop0);
    memset(ee->tlb, 0, sizeof ee->tlb);
    // Coprocessors 0..2 usable, interrupts on, user mode: what the kernel gives a program.
    ee->cop0[STATUS] = 0x70030c11;
    ee->cop0[PRID] = ee->config.prid ? ee->config.prid : 0x2e43;
    ee->cop0[CONFIG] = 0x00073440; // caches 16 and 8 KiB, on
    ee->cop0[RANDOM] = 47;
    ee->pccr = ee->pcr[0] = ee->pcr[1] = 0;
    ee->count_base = ee->pcr_base = ee->ctl.retired + ee->skipped;
}

static uint64_t clock_at(const struct ee *ee, const struct insn *i)
{
    return (i ? now(ee, i) : ee->ctl.retired) + ee->skipped;
}

static bool counter_runs(const struct ee *ee, unsigned n)
{
    uint32_t control = ee->pccr >> (10 * n), status = ee->cop0[STATUS];
    unsigned event = control >> 5 & 31;
    if (!(ee->pccr & PCCR_CTE) || event == 0 || event > 15)
        return false;
    if (status & STATUS_EXL)
        return control & 2;
    switch (status & (STATUS_KSU | STATUS_ERL)) {
    case 0:
        return control & 4; // kernel
    case 1 << 3:
        return control & 8; // supervisor
    case 2 << 3:
        return control & 16; // user
    }
    return false;
}

// Brings the counters up to date. Whatever the event, they advance with the clock: the model knows no caches.
static void count(struct ee *ee, const struct insn *i)
{
    uint64_t clock = clock_at(ee, i);
    for (unsigned n = 0; n < 2; n++)
        if (counter_runs(ee, n))
            ee->pcr[n] += (uint32_t)(clock - ee->pcr_base);
    ee->pcr_base = clock;
}

void ee_cop0_settle(struct ee *ee)
{
    count(ee, NULL);
}

uint32_t ee_cop0_read(struct ee *ee, const struct insn *i, unsigned index)
{
    if (index == COUNT)
        return ee->cop0[COUNT] + (uint32_t)(clock_at(ee, i) - ee->count_base);
    return ee->cop0[index];
}

const struct insn *op_mfc0(struct ee *ee, const struct insn *i)
{
    unsigned index = i->word >> 11 & 31;
    RT.d[0] = sext32(ee_cop0_read(ee, i, index));
    return i + 1;
}

static void status_changed(struct ee *ee)
{
    if (ee->ports.status_changed)
        ee->ports.status_changed(ee->ports.context, ee);
}

const struct insn *op_mtc0(struct ee *ee, const struct insn *i)
{
    unsigned index = i->word >> 11 & 31;
    uint32_t mask = writable[index];
    count(ee, i); // a change of mode starts or stops the counters
    if (index == COUNT)
        ee->count_base = clock_at(ee, i);
    ee->cop0[index] = (ee->cop0[index] & ~mask) | (RT.w[0] & mask);
    if (index == STATUS || index == COUNT || index == COMPARE)
        status_changed(ee);
    if (index == WIRED)
        ee->cop0[RANDOM] = 47;
    return i + 1;
}

// EI and DI work in kernel mode, or where Status.EDI lets user code do it.
static const struct insn *set_eie(struct ee *ee, const struct insn *i, uint32_t value)
{
    uint32_t status = ee->cop0[STATUS];
    if (status & (STATUS_EDI | STATUS_EXL | STATUS_ERL) || !(status & STATUS_KSU)) {
        ee->cop0[STATUS] = (status & ~STATUS_EIE) | value;
        status_changed(ee);
    }
    return i + 1;
}

const struct insn *op_ei(struct ee *ee, const struct insn *i)
{
    return set_eie(ee, i, STATUS_EIE);
}

const struct insn *op_di(struct ee *ee, const struct insn *i)
{
    return set_eie(ee, i, 0);
}

static const char *return_from_exception(void *context, struct ee *ee)
{
    (void)context;
    uint32_t level = ee->cop0[STATUS] & STATUS_ERL ? STATUS_ERL : STATUS_EXL;
    ee_set_pc(ee, ee->cop0[level == STATUS_ERL ? ERROREPC : EPC]);
    ee->cop0[STATUS] &= ~level;
    status_changed(ee);
    return NULL;
}

const struct insn *op_eret(struct ee *ee, const struct insn *i)
{
    count(ee, i);
    return ee_call_port(ee, i, return_from_exception, NULL, address_of(ee, i) + 4, 1);
}

// ---- performance counters: any even counter number is 0, any odd one 1
// --------------------------------------------

static unsigned counter_of(const struct insn *i)
{
    return i->word >> 1 & 1;
}

const struct insn *op_mfps(struct ee *ee, const struct insn *i)
{
    RT.d[0] = sext32(ee->pccr);
    return i + 1;
}

// MTPS to any register number but 0 does nothing, though MFPS reads PCCR by each of them:
// unknownbrackets/ps2autotests:tests/cpu/ee_cop0/performance.expected.
const struct insn *op_mtps(struct ee *ee, const struct insn *i)
{
    count(ee, i);
    if (!(i->word >> 1 & 31))
        ee->pccr = RT.w[0] & PCCR_WRITABLE;
    return i + 1;
}

const struct insn *op_mfpc(struct ee *ee, const struct insn *i)
{
    count(ee, i);
    RT.d[0] = sext32(ee->pcr[counter_of(i)]);
    return i + 1;
}

const struct insn *op_mtpc(struct ee *ee, const struct insn *i)
{
    count(ee, i);
    ee->pcr[counter_of(i)] = RT.w[0];
    return i + 1;
}

// ---- TLB
// -----------------------------------------------------------------------------------------------------------

static void tlb_write(struct ee *ee, unsigned index)
{
    if (index < 48)
        ee->tlb[index] = (struct ee_tlb){ee->cop0[PAGEMASK],
                                         ee->cop0[ENTRYHI] & ~ee->cop0[PAGEMASK],
                                         {ee->cop0[ENTRYLO0], ee->cop0[ENTRYLO1]}};
}

const struct insn *op_tlbwi(struct ee *ee, const struct insn *i)
{
    tlb_write(ee, ee->cop0[INDEX] & 63);
    return i + 1;
}

const struct insn *op_tlbwr(struct ee *ee, const struct insn *i)
{
    tlb_write(ee, ee->cop0[RANDOM]);
    ee->cop0[RANDOM] = ee->cop0[RANDOM] > ee->cop0[WIRED] ? ee->cop0[RANDOM] - 1 : 47;
    return i + 1;
}

const struct insn *op_tlbr(struct ee *ee, const struct insn *i)
{
    unsigned index = ee->cop0[INDEX] & 63;
    if (index < 48) {
        ee->cop0[PAGEMASK] = ee->tlb[index].mask;
        ee->cop0[ENTRYHI] = ee->tlb[index].hi;
        ee->cop0[ENTRYLO0] = ee->tlb[index].lo[0];
        ee->cop0[ENTRYLO1] = ee->tlb[index].lo[1];
    }
    return i + 1;
}

const struct insn *op_tlbp(struct ee *ee, const struct insn *i)
{
    uint32_t wanted = ee->cop0[ENTRYHI];
    ee->cop0[INDEX] = 0x80000000u;
    for (unsigned n = 0; n < 48; n++) {
        const struct ee_tlb *t = &ee->tlb[n];
        bool global = t->lo[0] & t->lo[1] & 1;
        bool same_page = !((wanted ^ t->hi) & 0xffffe000u & ~t->mask);
        if (same_page && (global || !((wanted ^ t->hi) & 0xff)) && (t->hi | t->lo[0] | t->lo[1])) {
            ee->cop0[INDEX] = n;
            break;
        }
    }
    return i + 1;
}

void ee_get_tlb(const struct ee *ee, unsigned index, uint32_t entry[4])
{
    const struct ee_tlb *t = &ee->tlb[index];
    const uint32_t words[4] = {t->mask, t->hi, t->lo[0], t->lo[1]};
    memcpy(entry, words, sizeof words);
}

void ee_set_tlb(struct ee *ee, unsigned index, const uint32_t entry[4])
{
    ee->tlb[index] = (struct ee_tlb){entry[0], entry[1], {entry[2], entry[3]}};
}
