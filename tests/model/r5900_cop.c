// R5900 model: COP0 as user code sees it, and the coprocessor 2 encodings, which stop.
//
// The registers are plain storage apart from these: Random, Count, BadVAddr, PRId and BadPAddr ignore writes,
// registers the manual reserves read as zero, and the performance counters (register 25) stand still. Random
// programs use EPC and ErrorEPC only.
#include "tests/model/r5900_private.h"

enum { COP0_STATUS = 12, COP0_DEBUG = 24 };
enum {
    STATUS_EXL = 1 << 1,
    STATUS_ERL = 1 << 2,
    STATUS_KSU = 3 << 3,
    STATUS_EIE = 1 << 16,
    STATUS_EDI = 1 << 17,
};

static bool in_list(unsigned index, const uint8_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == index)
            return true;
    return false;
}
static bool reserved(unsigned index)
{
    static const uint8_t list[] = {7, 17, 18, 19, 20, 21, 22, 26, 27, 31};
    return in_list(index, list, sizeof list);
}
static bool read_only(unsigned index)
{
    static const uint8_t list[] = {1, 8, 9, 15, 23};
    return in_list(index, list, sizeof list);
}

static void mfc0(struct r5900_model *m, uint32_t word)
{
    if (rd(word) == COP0_DEBUG)
        r5900_fault(m, R5900_STOP_PRIVILEGED, 0);
    else
        set64(m, rt(word), reserved(rd(word)) ? 0 : sign32(m->cop0[rd(word)]));
}
static void mtc0(struct r5900_model *m, uint32_t word)
{
    if (rd(word) == COP0_DEBUG)
        r5900_fault(m, R5900_STOP_PRIVILEGED, 0);
    else if (!reserved(rd(word)) && !read_only(rd(word)))
        m->cop0[rd(word)] = get32(m, rt(word));
}

// PCCR keeps the bits of 800ffbfe; PCR0 and PCR1 keep all (console captures, group ee_perf_regs).
static void mfps(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), sign32(m->pccr));
}
static void mtps(struct r5900_model *m, uint32_t word)
{
    m->pccr = get32(m, rt(word)) & 0x800ffbfe;
}
static void mfpc(struct r5900_model *m, uint32_t word)
{
    set64(m, rt(word), sign32(m->pcr[word >> 1 & 1]));
}
static void mtpc(struct r5900_model *m, uint32_t word)
{
    m->pcr[word >> 1 & 1] = get32(m, rt(word));
}

// EI and DI work in kernel mode, at exception or error level, or when EDI allows them.
static bool may_switch_interrupts(const struct r5900_model *m)
{
    uint32_t status = m->cop0[COP0_STATUS];
    return (status & (STATUS_EDI | STATUS_EXL | STATUS_ERL)) || !(status & STATUS_KSU);
}
static void ei(struct r5900_model *m, uint32_t word)
{
    (void)word;
    if (may_switch_interrupts(m))
        m->cop0[COP0_STATUS] |= STATUS_EIE;
}
static void di(struct r5900_model *m, uint32_t word)
{
    (void)word;
    if (may_switch_interrupts(m))
        m->cop0[COP0_STATUS] &= ~(uint32_t)STATUS_EIE;
}
static void privileged(struct r5900_model *m, uint32_t word)
{
    (void)word;
    r5900_fault(m, R5900_STOP_PRIVILEGED, 0);
}

static void cop2(struct r5900_model *m, uint32_t word)
{
    (void)word;
    r5900_fault(m, R5900_STOP_COP2, 0);
}

#define OPCODE(n) (uint32_t)(n) << 26, 0xfc000000u
#define MOVE(n)   0x40000000u | (n) << 21, 0xffe00000u
#define PERF(n)   0x4000c800u | (n), 0xffe0f801u
#define C0(n)     0x42000000u | (n), 0xfe00003fu

// The performance rows come before the general moves, which match them too.
const struct r5900_insn r5900_cop_insns[] = {
    {"mfps", PERF(0), "t", R5900_CLASS_SYSTEM, mfps},
    {"mfpc", PERF(1), "t,r", R5900_CLASS_SYSTEM, mfpc},
    {"mtps", PERF(4u << 21), "t", R5900_CLASS_SYSTEM, mtps},
    {"mtpc", PERF(4u << 21 | 1), "t,r", R5900_CLASS_SYSTEM, mtpc},
    {"mfc0", MOVE(0x00), "t,c", R5900_CLASS_SYSTEM, mfc0},
    {"mtc0", MOVE(0x04), "t,c", R5900_CLASS_SYSTEM, mtc0},
    {"tlbr", C0(0x01), "", R5900_CLASS_SYSTEM, privileged},
    {"tlbwi", C0(0x02), "", R5900_CLASS_SYSTEM, privileged},
    {"tlbwr", C0(0x06), "", R5900_CLASS_SYSTEM, privileged},
    {"tlbp", C0(0x08), "", R5900_CLASS_SYSTEM, privileged},
    {"eret", C0(0x18), "", R5900_CLASS_SYSTEM, privileged},
    {"ei", C0(0x38), "", R5900_CLASS_SYSTEM, ei},
    {"di", C0(0x39), "", R5900_CLASS_SYSTEM, di},
    {"cop2", OPCODE(0x12), "", R5900_CLASS_COP2, cop2},
    {"lqc2", OPCODE(0x36), "b", R5900_CLASS_COP2, cop2},
    {"sqc2", OPCODE(0x3e), "b", R5900_CLASS_COP2, cop2},
    {0},
};
