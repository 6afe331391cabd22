// The EE core: instructions a second of small loops, on both engines and as ratios to the yardstick and to
// Unicorn alone (which cannot run EE code, so its loop is the integer one).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicorn/unicorn.h>

#include "ee/ee.h"
#include "tests/support/yard.h"

#define ENTRY 0x80100000u
#define INSNS 10000000u
#define RUNS  9

struct loop {
    const char *name;
    unsigned count;
    uint32_t words[36];
};

// a0 = 0x80200000, t8 = iterations, far more than are run.
static const struct loop loops[] = {
    // addu xor sll or slt subu lw and addiu bne sw
    {"integer", 20, {0x3c048020, 0x3c187fff, 0x3c080123, 0x35084567, 0x24090089, 0x240b0777, 0xac890000,
                     0x01094021, 0x010b5026, 0x000a60c0, 0x01886825, 0x01aa702a, 0x01ae5823, 0x8c8f0000,
                     0x01eb4824, 0x2718ffff, 0x1700fff6, 0xac890004, 0x1000ffff, 0x00000000}},
    // lwc1 lwc1 mul.s add.s madd.s swc1 addiu bne swc1
    {"cop1", 23, {0x3c048020, 0x3c187fff, 0x3c023fc0, 0xac820000, 0x3c024010, 0xac820004,
                  0x3c023f00, 0x44822000, 0x3c023f80, 0x44823000, 0x44803800, 0x46073018,
                  0xc4800000, 0xc4810004, 0x46010082, 0x460410c0, 0x4601015c, 0xe4830008,
                  0x2718ffff, 0x1700fff8, 0xe485000c, 0x1000ffff, 0x00000000}},
    // lq lq paddw paddsh pextlw pand sq addiu bne sq
    {"mmi", 26, {0x3c048020, 0x3c187fff, 0x3c020102, 0x34420304, 0xac820000, 0xac820004, 0xac820008,
                 0xac82000c, 0x3c027ffe, 0x34420005, 0xac820010, 0xac820014, 0xac820018, 0xac82001c,
                 0x78880000, 0x78890010, 0x71095008, 0x71095d08, 0x714b6488, 0x71886c89, 0x7c8c0020,
                 0x2718ffff, 0x1700fff7, 0x7c8d0030, 0x1000ffff, 0x00000000}},
    // What compilers emit: ld sd lw sw lhu, moves by daddu, dsll32/dsra32 pairs, slti, andi, a call-free loop
    // of 17
    {"compiler-like", 24, {0x3c048020, 0x3c187fff, 0x24080003, 0x24090005, 0xfc880000, 0xdc8a0000,
                           0x0140582d, 0x8c8c0010, 0x018b6021, 0xac8c0010, 0x0009683c, 0x000d683f,
                           0x948e0012, 0x29cf0100, 0x31ce00ff, 0x01cf7021, 0x0120482d, 0x252900ff,
                           0xfc8b0008, 0x012e4825, 0x2718ffff, 0x1700fff0, 0x0100502d, 0x00000000}},
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *rates)
{
    qsort(rates, RUNS, sizeof *rates, ascending);
    return rates[RUNS / 2];
}

// Million instructions a second.
static double run_loop(const struct loop *loop, enum ee_engine engine)
{
    double rates[RUNS];
    struct ee *ee = ee_new(&(struct ee_config){.engine = engine}, NULL);
    if (!ee)
        return 0;
    ee_poke(ee, ENTRY, loop->words, loop->count * 4);
    for (unsigned n = 0; n < RUNS; n++) {
        struct guest_stop stop;
        ee_set_pc(ee, ENTRY);
        double start = yard_now();
        ee_run(ee, &(struct guest_limits){.insns = INSNS}, &stop);
        rates[n] = (double)stop.insns / (yard_now() - start) / 1e6;
    }
    ee_free(ee);
    return median(rates);
}

// The start PC's upper half is garbage up to 2.1.2: the first fetch fails and is repeated at the right place.
static void put_pc_right(uc_engine *uc, uint32_t number, void *user)
{
    (void)number;
    (void)user;
    uc_reg_write(uc, UC_MIPS_REG_PC, &(uint64_t){0x100000});
}

static double run_bare_unicorn(const struct loop *loop)
{
    static const unsigned iterations = 0x80000;
    uc_engine *uc;
    uc_hook hook;
    double rates[RUNS];
    uint32_t words[36];
    memcpy(words, loop->words, sizeof words);
    words[0] = 0x3c040020;                    // low memory
    words[1] = 0x3c180000 | iterations >> 16; // and an end
    if (uc_open(UC_ARCH_MIPS, UC_MODE_MIPS64 | UC_MODE_LITTLE_ENDIAN, &uc))
        return 0;
    uc_hook_add(uc, &hook, UC_HOOK_INTR, (void *)(uintptr_t)put_pc_right, NULL, 1, 0);
    uc_mem_map(uc, 0, 4 << 20, UC_PROT_ALL);
    uc_mem_write(uc, 0x100000, words, loop->count * 4);
    for (unsigned n = 0; n < RUNS; n++) {
        double start = yard_now();
        uc_emu_start(uc, 0x100000, 0x100000 + (loop->count - 2) * 4, 0, 0);
        rates[n] = iterations * 11.0 / (yard_now() - start) / 1e6;
    }
    uc_close(uc);
    return median(rates);
}

// Resident kilobytes of this process.
static long resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%*d %ld", &pages) != 1)
            pages = 0;
        fclose(f);
    }
    return pages * 4;
}

// A million calls of a function of four instructions: microseconds each, and what the process grew by.
static double call_time(enum ee_engine engine, long *growth)
{
    static const uint32_t code[] = {0x24420001, 0x24420001, 0x03e00008, 0x00000000};
    static const unsigned calls = 1000000;
    struct guest_stop stop;
    struct ee *ee = ee_new(&(struct ee_config){.engine = engine}, NULL);
    if (!ee)
        return 0;
    ee_poke(ee, 0x100000, code, sizeof code);
    ee_set_pc(ee, 0x100000);
    ee_gpr(ee, EE_RA)->d[0] = EE_TRAP_BASE;
    ee_run(ee, NULL, &stop);
    long before = resident();
    double start = yard_now();
    for (unsigned n = 0; n < calls; n++) {
        ee_gpr(ee, EE_RA)->d[0] = EE_TRAP_BASE;
        ee_set_pc(ee, 0x100000);
        ee_run(ee, NULL, &stop);
    }
    double time = (yard_now() - start) / calls * 1e6;
    *growth = resident() - before;
    ee_free(ee);
    return time;
}

int main(void)
{
    double yard = yard_dispatch();
    printf("ee: yardstick %.0f M dispatches/s\n", yard);
    for (size_t n = 0; n < sizeof loops / sizeof *loops; n++) {
        double interp = run_loop(&loops[n], EE_ENGINE_INTERP),
               unicorn = run_loop(&loops[n], EE_ENGINE_UNICORN);
        printf("ee %-14s interp %6.1f M insn/s (%.2f of the yardstick)  unicorn %6.1f (%.2f)\n",
               loops[n].name, interp, interp / yard, unicorn, unicorn / yard);
    }
    double bare = run_bare_unicorn(&loops[0]);
    printf("ee integer        bare Unicorn, no hook, %.1f M insn/s (%.2f)\n", bare, bare / yard);
    long interp_growth = 0, unicorn_growth = 0;
    double interp = call_time(EE_ENGINE_INTERP, &interp_growth);
    double unicorn = call_time(EE_ENGINE_UNICORN, &unicorn_growth);
    printf("ee call           interp %.3f us  unicorn %.3f us; after a million calls %+ld and %+ld kB "
           "resident\n",
           interp, unicorn, interp_growth, unicorn_growth);
    return 0;
}
