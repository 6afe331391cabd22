// Making an EE core, its registers, and the guest CPU interface over it.
#include "ee/bodies.h"

#include <stdio.h>
#include <stdlib.h>

#define FCR31_RESET 0x01000001u

void ee_reset(struct ee *ee)
{
    memset(ee->gpr, 0, sizeof ee->gpr);
    memset(&ee->hi, 0, sizeof ee->hi);
    memset(&ee->lo, 0, sizeof ee->lo);
    memset(ee->fpr, 0, sizeof ee->fpr);
    ee->acc = ee->sa = 0;
    ee->acc_overflowed = false;
    ee->fcr31 = FCR31_RESET;
    ee->pc = 0;
    ee->event = UINT64_MAX;
    ee->condition_time = ee->ctl.retired - 16; // long ago
    ee->condition_extended = false;
    ee_cop0_reset(ee);
}

static bool set_up(struct ee *ee)
{
    if (!ee_memory_new(ee))
        return false;
    ee->code[ee->ram_size / 4] = (struct insn){.fn = ee_outside, .exec = ee_outside};
    ee->outside = (struct insn){.fn = ee_outside, .exec = ee_outside};
    for (unsigned n = 0; n < EE_TRAP_COUNT; n++)
        ee->trap[n] = (struct insn){.fn = ee_trapped, .exec = ee_trapped};
    ee_map_pages(ee);
    return true;
}

struct ee *ee_new(const struct ee_config *config, char *why)
{
    struct ee *ee = calloc(1, sizeof *ee);
    const char *problem = NULL;
    if (!ee)
        problem = "out of memory";
    if (ee) {
        ee->cpu.ops = &ee_guest_ops;
        ee->config = config ? *config : (struct ee_config){0};
        ee->arithmetic = ee->config.arithmetic;
        ee->ram_size = ee->config.ram_size ? ee->config.ram_size : EE_RAM_SIZE;
        ee->config.fcr0 = ee->config.fcr0 ? ee->config.fcr0 : 0x2e40;
        ee->engine = ee->config.engine == EE_ENGINE_INTERP ? &ee_interp : &ee_unicorn;
        if (ee->ram_size != EE_RAM_SIZE && ee->ram_size != EE_RAM_SIZE_LARGE)
            problem = "RAM is 32 or 128 MiB";
        else if (!set_up(ee))
            problem = "out of memory";
        else
            ee_reset(ee);
        if (!problem && ee->engine == &ee_unicorn)
            problem = ee_unicorn_new(ee);
        if (!problem && ee->config.engine == EE_ENGINE_LOCKSTEP)
            problem = ee_lockstep_new(ee);
    }
    if (!problem)
        return ee;
    if (why)
        snprintf(why, GUEST_MESSAGE_SIZE, "%s", problem);
    ee_free(ee);
    return NULL;
}

void ee_free(struct ee *ee)
{
    if (!ee)
        return;
    ee_lockstep_free(ee);
    if (ee->engine && ee->engine->free)
        ee->engine->free(ee);
    ee_memory_free(ee);
    free(ee->stubs);
    free(ee);
}

struct guest_cpu *ee_cpu(struct ee *ee)
{
    return &ee->cpu;
}

void ee_set_ports(struct ee *ee, const struct ee_ports *ports)
{
    ee->ports = *ports;
    ee_lockstep_conditions(ee);
}

void ee_set_cop2(struct ee *ee, const struct ee_cop2 *cop2)
{
    ee->cop2 = ee->condition = cop2;
    ee_lockstep_conditions(ee);
}

// ---- clock
// ---------------------------------------------------------------------------------------------------------

uint64_t ee_retired(const struct ee *ee)
{
    return ee->ctl.retired;
}

uint64_t ee_clock(const struct ee *ee)
{
    return ee->ctl.retired + ee->skipped;
}

void ee_skip(struct ee *ee, uint64_t cycles)
{
    ee->skipped += cycles;
}

void ee_set_event(struct ee *ee, uint64_t clock)
{
    ee->event = clock;
    ee->ctl.end = NULL; // the driver looks at the mark anew
    ee->ctl.stop_at = 0;
}

// ---- registers
// -----------------------------------------------------------------------------------------------------

union ee_reg *ee_gpr(struct ee *ee, unsigned index)
{
    return &ee->gpr[index];
}

uint32_t *ee_fpr(struct ee *ee, unsigned index)
{
    return &ee->fpr[index];
}

uint32_t *ee_cop0(struct ee *ee, unsigned index)
{
    return &ee->cop0[index];
}

uint32_t ee_pc(const struct ee *ee)
{
    return ee->pc;
}

void ee_set_pc(struct ee *ee, uint32_t pc)
{
    ee->pc = pc;
}

const struct guest_register *ee_registers(size_t *count)
{
    static const struct guest_register registers[EE_REG_COUNT] = {
        {"zero", 128},    {"at", 128},     {"v0", 128},      {"v1", 128},     {"a0", 128},
        {"a1", 128},      {"a2", 128},     {"a3", 128},      {"t0", 128},     {"t1", 128},
        {"t2", 128},      {"t3", 128},     {"t4", 128},      {"t5", 128},     {"t6", 128},
        {"t7", 128},      {"s0", 128},     {"s1", 128},      {"s2", 128},     {"s3", 128},
        {"s4", 128},      {"s5", 128},     {"s6", 128},      {"s7", 128},     {"t8", 128},
        {"t9", 128},      {"k0", 128},     {"k1", 128},      {"gp", 128},     {"sp", 128},
        {"fp", 128},      {"ra", 128},     {"hi", 128},      {"lo", 128},     {"sa", 32},
        {"pc", 32},       {"fcr0", 32},    {"fcr31", 32},    {"acc", 32},     {NULL, 0},
        {"f0", 32},       {"f1", 32},      {"f2", 32},       {"f3", 32},      {"f4", 32},
        {"f5", 32},       {"f6", 32},      {"f7", 32},       {"f8", 32},      {"f9", 32},
        {"f10", 32},      {"f11", 32},     {"f12", 32},      {"f13", 32},     {"f14", 32},
        {"f15", 32},      {"f16", 32},     {"f17", 32},      {"f18", 32},     {"f19", 32},
        {"f20", 32},      {"f21", 32},     {"f22", 32},      {"f23", 32},     {"f24", 32},
        {"f25", 32},      {"f26", 32},     {"f27", 32},      {"f28", 32},     {"f29", 32},
        {"f30", 32},      {"f31", 32},     {"index", 32},    {"random", 32},  {"entrylo0", 32},
        {"entrylo1", 32}, {"context", 32}, {"pagemask", 32}, {"wired", 32},   {"c0_7", 32},
        {"badvaddr", 32}, {"count", 32},   {"entryhi", 32},  {"compare", 32}, {"status", 32},
        {"cause", 32},    {"epc", 32},     {"prid", 32},     {"config", 32},  {"c0_17", 32},
        {"c0_18", 32},    {"c0_19", 32},   {"c0_20", 32},    {"c0_21", 32},   {"c0_22", 32},
        {"badpaddr", 32}, {"debug", 32},   {"perf", 32},     {"c0_26", 32},   {"c0_27", 32},
        {"taglo", 32},    {"taghi", 32},   {"errorepc", 32}, {"c0_31", 32},   {"pccr", 32},
        {"pcr0", 32},     {"pcr1", 32},
    };
    *count = EE_REG_COUNT;
    return registers;
}

// The 32-bit registers that lie in one place each; NULL for the others.
static uint32_t *word_register(struct ee *ee, size_t index)
{
    switch (index) {
    case EE_REG_SA:
        return &ee->sa;
    case EE_REG_PC:
        return &ee->pc;
    case EE_REG_FCR0:
        return &ee->config.fcr0;
    case EE_REG_FCR31:
        return &ee->fcr31;
    case EE_REG_ACC:
        return &ee->acc;
    case EE_REG_PCCR:
        return &ee->pccr;
    case EE_REG_PCR0:
        return &ee->pcr[0];
    case EE_REG_PCR1:
        return &ee->pcr[1];
    }
    if (index >= EE_REG_FPR && index < EE_REG_FPR + 32)
        return &ee->fpr[index - EE_REG_FPR];
    if (index >= EE_REG_COP0 && index < EE_REG_COP0 + 32)
        return &ee->cop0[index - EE_REG_COP0];
    return NULL;
}

static union ee_reg *wide_register(struct ee *ee, size_t index)
{
    return index < 32 ? &ee->gpr[index] : index == EE_REG_HI ? &ee->hi : index == EE_REG_LO ? &ee->lo : NULL;
}

void ee_get(struct ee *ee, size_t index, uint64_t value[2])
{
    if (index >= EE_REG_COP0)
        ee_cop0_settle(ee);
    const union ee_reg *wide = wide_register(ee, index);
    const uint32_t *word = word_register(ee, index);
    value[0] = wide ? wide->d[0] : word ? *word : 0;
    value[1] = wide ? wide->d[1] : 0;
    if (index == EE_REG_COP0 + 9)
        value[0] = ee_cop0_read(ee, NULL, 9);
}

void ee_set(struct ee *ee, size_t index, const uint64_t value[2])
{
    union ee_reg *wide = wide_register(ee, index);
    uint32_t *word = word_register(ee, index);
    if (index >= EE_REG_COP0)
        ee_cop0_settle(ee);
    if (wide && index != 0) {
        wide->d[0] = value[0];
        wide->d[1] = value[1];
    } else if (word) {
        *word = (uint32_t)value[0];
    }
    if (index == EE_REG_SA)
        ee->sa &= 15;
    if (index == EE_REG_ACC)
        ee->acc_overflowed = false;
    if (index == EE_REG_COP0 + 9)
        ee->count_base = ee_clock(ee);
}

void ee_save(struct ee *ee, struct ee_context *c)
{
    memcpy(c->gpr, ee->gpr, sizeof c->gpr);
    memcpy(c->fpr, ee->fpr, sizeof c->fpr);
    c->hi = ee->hi;
    c->lo = ee->lo;
    c->acc = ee->acc;
    c->acc_overflowed = ee->acc_overflowed;
    c->fcr31 = ee->fcr31;
    c->sa = ee->sa;
    c->pc = ee->pc;
}

void ee_restore(struct ee *ee, const struct ee_context *c)
{
    memcpy(ee->gpr, c->gpr, sizeof c->gpr);
    memcpy(ee->fpr, c->fpr, sizeof c->fpr);
    ee->hi = c->hi;
    ee->lo = c->lo;
    ee->acc = c->acc;
    ee->acc_overflowed = c->acc_overflowed;
    ee->fcr31 = c->fcr31;
    ee->sa = c->sa;
    ee->pc = c->pc;
}

// ---- the guest CPU interface
// -----------------------------------------------------------------------------------------

static struct ee *ee_of(struct guest_cpu *cpu)
{
    return (struct ee *)cpu;
}

static const char *guest_engine(struct guest_cpu *cpu)
{
    struct ee *ee = ee_of(cpu);
    return ee->lockstep ? "lockstep" : ee->engine->name;
}

static void guest_run(struct guest_cpu *cpu, const struct guest_limits *limits, struct guest_stop *stop)
{
    ee_run(ee_of(cpu), limits, stop);
}

static void guest_step(struct guest_cpu *cpu, struct guest_stop *stop)
{
    ee_step(ee_of(cpu), stop);
}

static void guest_get(struct guest_cpu *cpu, size_t index, uint64_t value[2])
{
    ee_get(ee_of(cpu), index, value);
}

static void guest_set(struct guest_cpu *cpu, size_t index, const uint64_t value[2])
{
    ee_set(ee_of(cpu), index, value);
}

static uint32_t guest_pc(struct guest_cpu *cpu)
{
    return ee_of(cpu)->pc;
}

static void guest_set_pc(struct guest_cpu *cpu, uint32_t pc)
{
    ee_of(cpu)->pc = pc;
}

static size_t guest_peek(struct guest_cpu *cpu, uint32_t address, void *out, size_t size)
{
    return ee_peek(ee_of(cpu), address, out, size);
}

static size_t guest_poke(struct guest_cpu *cpu, uint32_t address, const void *in, size_t size)
{
    return ee_poke(ee_of(cpu), address, in, size);
}

static void guest_observe(struct guest_cpu *cpu, const struct guest_observer *observer)
{
    ee_observe(ee_of(cpu), observer);
}

static size_t guest_disassemble(uint32_t pc, const void *bytes, char *out, size_t out_size)
{
    uint32_t word;
    memcpy(&word, bytes, 4);
    ee_disassemble(pc, word, out, out_size);
    return 4;
}

const struct guest_cpu_ops ee_guest_ops = {
    .architecture = "R5900",
    .engine = guest_engine,
    .run = guest_run,
    .step = guest_step,
    .registers = ee_registers,
    .get = guest_get,
    .set = guest_set,
    .pc = guest_pc,
    .set_pc = guest_set_pc,
    .peek = guest_peek,
    .poke = guest_poke,
    .observe = guest_observe,
    .disassemble = guest_disassemble,
};
