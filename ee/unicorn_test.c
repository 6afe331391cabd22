// The start-up test of the unicorn engine: small programs, one for each way in which Unicorn is known to fail
// silently.
//
// Every program is called in every segment and must return with the stated values, count and stop; so the one
// after a fault also shows that nothing of the fault stays behind.
#include "ee/unicorn.h"

#include <stdio.h>

#define CODE 0x00100000u
#define DATA 0x00100800u

struct program {
    const char *hazard; // what it means when the program goes wrong
    enum guest_stop_kind kind;
    uint64_t v0;
    uint64_t insns;
    uint32_t words[16];
};

// a0 = 2^40, a1 = 5, a2 = DATA in the segment that runs, a3 = the same through segment 0x20000000, k1 =
// 0x1234.
static const struct program programs[] = {
    {"the start PC is not put right",
     GUEST_RETURNED,
     7,
     3,
     {0x24020007, 0x03e00008, 0x00000000}}, // li v0,7; jr ra; nop
    {"registers are not 64 bits wide",
     GUEST_RETURNED,
     6,
     6,
     // slt v0,a1,a0; addu v1,a0,a1; bnez a0,+2; addu v0,v0,v1; li v0,0; jr ra; nop
     {0x00a4102a, 0x00851821, 0x14800002, 0x00431021, 0x24020000, 0x03e00008, 0x24420000}},
    {"the slot of an untaken likely branch runs",
     GUEST_RETURNED,
     1,
     6,
     // li v0,1; beql a0,zero,+2; li v0,9; bnel zero,zero,+2; lbu v0,0(a2); nop; jr ra; nop
     {0x24020001, 0x50800002, 0x24020009, 0x54000002, 0x90c20000, 0x00000000, 0x03e00008, 0x00000000}},
    {"a fault in a delay slot is missed",
     GUEST_FAULT,
     5,
     2,
     {0x24020005, 0x14800002, 0x8cc20001}}, // li v0,5; bnez a0,+2; lw v0,1(a2)
    {"a fault in a delay slot leaves a flag behind",
     GUEST_RETURNED,
     8,
     4,
     {0x24020007, 0x24420001, 0x03e00008, 0x00000000}},
    {"a coprocessor branch loses $k1",
     GUEST_RETURNED,
     0x2468,
     9,
     // c.eq.s f0,f0; nop; nop; bc1t +2; addu v0,k1,zero; li v0,0; bc1tl +1 (falls on); addu v0,v0,k1; jr ra;
     // nop
     {0x46000032, 0, 0, 0x45010002, 0x03601021, 0x24020000, 0x45030001, 0x005b1021, 0x03e00008, 0x00000000}},
    {"a store through another mirror does not change code",
     GUEST_RETURNED,
     9,
     8,
     // lui t0,0x2402; ori t0,t0,9; sw t0,-0x7ec(a3) [= word 5]; nop; nop; li v0,1; jr ra; nop
     {0x3c082402, 0x35080009, 0xace8f814, 0x00000000, 0x00000000, 0x24020001, 0x03e00008, 0x00000000}},
    {"an instruction is run by the wrong core",
     GUEST_RETURNED,
     25,
     7,
     // mult v0,a1,a1; madd1 v1,a1,zero; sra t1,a0,1 (0); daddu v0,v0,t1; div zero,a1,zero; jr ra; nop
     {0x00a51018, 0x70a01820, 0x00044843, 0x0049102d, 0x00a0001a, 0x03e00008, 0x00000000}},
};

static const char *run(struct ee *ee, const struct program *p, uint32_t segment)
{
    struct guest_stop stop;
    ee_poke(ee, segment + CODE, p->words, sizeof p->words);
    ee_gpr(ee, EE_A0)->d[0] = UINT64_C(1) << 40;
    ee_gpr(ee, EE_A0 + 1)->d[0] = 5;
    ee_gpr(ee, EE_A0 + 2)->d[0] = sext32(segment + DATA);
    ee_gpr(ee, EE_A0 + 3)->d[0] = 0x20000000 + DATA;
    ee_gpr(ee, 27)->d[0] = 0x1234;
    ee_gpr(ee, EE_RA)->d[0] = EE_TRAP_BASE;
    ee_set_pc(ee, segment + CODE);
    ee_run(ee, &(struct guest_limits){.insns = 100}, &stop);
    bool right = stop.kind == p->kind && ee_gpr(ee, EE_V0)->d[0] == p->v0 && stop.insns == p->insns &&
                 ee_gpr(ee, 27)->d[0] == 0x1234 && (p->kind != GUEST_FAULT || stop.in_slot);
    return right ? NULL : p->hazard;
}

const char *unicorn_self_test(struct ee *ee)
{
    static const uint32_t segments[] = {0, 0x20000000, 0x30000000, 0x80000000, 0xa0000000};
    static const uint32_t zero[16];
    const char *why = NULL;
    for (unsigned s = 0; s < 5 && !why; s++)
        for (unsigned n = 0; n < sizeof programs / sizeof *programs && !why; n++)
            why = run(ee, &programs[n], segments[s]);
    ee_poke(ee, CODE, zero, sizeof zero);
    ee_reset(ee);
    ee->ctl.retired = 0;
    return why;
}
