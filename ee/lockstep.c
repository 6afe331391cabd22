// The lockstep engine: Unicorn runs the program, and the interpreter repeats every instruction on the same
// memory.
//
// The interpreter is a second CPU whose RAM is the first one's. At each boundary outside a delay slot it runs
// what the first CPU has retired since the last one, an instruction or a branch with its slot: what that
// loads is still there, and what it stores is stored again. Then all registers, the PC, the count and the
// list of accesses with their values must agree. What leaves through a port cannot happen twice, so there the
// second CPU takes over the first one's state.
#include "ee/bodies.h"

#include <stdio.h>
#include <stdlib.h>

#define ACCESSES 64 // more than a branch and its slots can make between two comparisons

struct log {
    unsigned count;
    struct guest_access access[ACCESSES];
};

struct lockstep {
    struct ee *second;
    struct guest_observer first_observer, second_observer;
    const struct guest_observer *user; // what the caller attached
    struct log first_log, second_log;
    unsigned depth; // runs nested in ports
    bool stale;     // a nested run has left the second CPU elsewhere
};

static void record(struct log *log, const struct guest_access *a)
{
    if (log->count < ACCESSES)
        log->access[log->count] = *a;
    log->count++;
}

static void second_access(void *context, const struct guest_access *a)
{
    struct lockstep *l = context;
    record(&l->second_log, a);
}

static void first_access(void *context, const struct guest_access *a)
{
    struct lockstep *l = context;
    record(&l->first_log, a);
    if (l->user && l->user->access)
        l->user->access(l->user->context, a);
}

static void first_insn(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    struct lockstep *l = context;
    if (l->user->insn)
        l->user->insn(l->user->context, pc, word, in_slot);
}

static bool differ(char *out, const char *name, uint64_t a1, uint64_t a0, uint64_t b1, uint64_t b0)
{
    if (a0 == b0 && a1 == b1)
        return false;
    snprintf(out, GUEST_MESSAGE_SIZE, "engines differ: %s is %016llx%016llx, interpreted %016llx%016llx",
             name, (unsigned long long)a1, (unsigned long long)a0, (unsigned long long)b1,
             (unsigned long long)b0);
    return true;
}

// The first register that differs, in words; false when none does. The PC is compared by the next
// instruction.
static bool registers_differ(struct ee *a, struct ee *b, char *out)
{
    size_t count;
    const struct guest_register *names = ee_registers(&count);
    for (size_t n = 1; n < count; n++) {
        uint64_t x[2], y[2];
        ee_get(a, n, x);
        ee_get(b, n, y);
        if (n == EE_REG_PC || n == EE_REG_COP0 + 9)
            continue;
        if (differ(out, names[n].name ? names[n].name : "?", x[1], x[0], y[1], y[0]))
            return true;
    }
    return differ(out, "acc overflow", 0, a->acc_overflowed, 0, b->acc_overflowed);
}

static bool accesses_differ(const struct log *a, const struct log *b, char *out)
{
    for (unsigned n = 0; n < ACCESSES && (n < a->count || n < b->count); n++) {
        static const struct guest_access none;
        const struct guest_access *x = n < a->count ? &a->access[n] : &none;
        const struct guest_access *y = n < b->count ? &b->access[n] : &none;
        if (x->pc == y->pc && x->address == y->address && x->size == y->size && x->write == y->write &&
            x->value[0] == y->value[0] && x->value[1] == y->value[1])
            continue;
        snprintf(out, GUEST_MESSAGE_SIZE,
                 "engines differ: %s %08x size %u value %llx, interpreted %s %08x size %u value %llx",
                 x->write ? "write" : "read", x->address, x->size, (unsigned long long)x->value[0],
                 y->write ? "write" : "read", y->address, y->size, (unsigned long long)y->value[0]);
        return true;
    }
    return false;
}

static void take_over(struct ee *a, struct ee *b, uint32_t pc)
{
    struct ee_context context;
    ee_save(a, &context);
    ee_restore(b, &context);
    b->pc = pc;
    memcpy(b->cop0, a->cop0, sizeof b->cop0);
    memcpy(b->tlb, a->tlb, sizeof b->tlb);
    memcpy(b->pcr, a->pcr, sizeof b->pcr);
    b->pccr = a->pccr;
    b->count_base = a->count_base;
    b->pcr_base = a->pcr_base;
    b->skipped = a->skipped;
    b->ctl.retired = a->ctl.retired;
    b->condition_time = a->condition_time;
    b->condition_extended = a->condition_extended;
    b->old_condition = a->old_condition;
    ee_forget_all(b);
}

// Whether what the second CPU stands at, or stopped at, leaves through one of the first one's ports.
static bool is_port(struct ee *a, struct ee *b, const struct guest_stop *stop)
{
    const struct insn *i = ee_record(b, b->pc);
    for (unsigned n = 0; n < a->stub_count; n++)
        if (i == &b->code[a->stubs[n].index])
            return true;
    if (i >= b->trap && i < b->trap + EE_TRAP_COUNT)
        return true;
    if (!stop || stop->kind != GUEST_FAULT)
        return false;
    if (stop->fault == GUEST_FAULT_SYSCALL || stop->fault == GUEST_FAULT_COP2 ||
        stop->fault == GUEST_FAULT_PORT)
        return true;
    return (stop->fault == GUEST_FAULT_READ || stop->fault == GUEST_FAULT_WRITE) &&
           ee_device_at(a, stop->address);
}

static void report(struct ee *a, const char *message)
{
    a->ctl.stop_at = 0;
    ee_fault_message(a, a->ctl.run, GUEST_FAULT_ENGINES, message);
}

// Lets the second CPU catch up; `next` is where the first one goes on. False when it had to take over.
static bool catch_up(struct ee *a, struct ee *b, uint32_t next)
{
    // A stub or trap retires nothing, but has run when the first CPU stands elsewhere.
    while (b->ctl.retired < a->ctl.retired || (b->pc != next && is_port(a, b, NULL))) {
        struct guest_stop stop;
        bool port = is_port(a, b, NULL);
        if (!port) {
            ee_step(b, &stop);
            port = is_port(a, b, &stop);
        }
        if (port) {
            take_over(a, b, next);
            return false;
        }
        if (stop.kind == GUEST_FAULT)
            break;
    }
    return true;
}

void ee_lockstep_boundary(struct ee *a, uint32_t next)
{
    struct lockstep *l = a->lockstep;
    struct ee *b = l->second;
    char message[GUEST_MESSAGE_SIZE];
    bool different = false;
    if (l->stale) {
        take_over(a, b, next);
        l->stale = false;
    } else if (catch_up(a, b, next)) {
        different = accesses_differ(&l->first_log, &l->second_log, message) ||
                    registers_differ(a, b, message) || differ(message, "pc", 0, next, 0, b->pc) ||
                    differ(message, "count", 0, a->ctl.retired, 0, b->ctl.retired);
    }
    l->first_log.count = l->second_log.count = 0;
    if (different)
        report(a, message);
}

// The first CPU faulted: so must the second, in the same way.
static void compare_faults(struct ee *a)
{
    struct lockstep *l = a->lockstep;
    struct ee *b = l->second;
    struct guest_stop *x = &a->ctl.stop, y;
    char message[GUEST_MESSAGE_SIZE];
    if (x->fault == GUEST_FAULT_ENGINES || x->fault == GUEST_FAULT_PORT)
        return;
    do
        ee_step(b, &y);
    while (y.kind != GUEST_FAULT && b->ctl.retired <= a->ctl.retired);
    if (is_port(a, b, &y))
        return;
    snprintf(message, sizeof message,
             "engines differ: fault %d at %08x slot %d address %08x, interpreted %d %08x %d %08x", x->fault,
             x->pc, x->in_slot, x->address, y.kind == GUEST_FAULT ? (int)y.fault : -1, y.pc, y.in_slot,
             y.address);
    if (y.kind != GUEST_FAULT || x->fault != y.fault || x->pc != y.pc || x->in_slot != y.in_slot ||
        x->address != y.address || registers_differ(a, b, message))
        report(a, message);
}

// The driver's events may have moved everything since the last slice.
void ee_lockstep_start(struct ee *ee, uint32_t pc)
{
    struct lockstep *l = ee->lockstep;
    take_over(ee, l->second, pc);
    l->first_log.count = l->second_log.count = 0;
    l->stale = false;
    l->depth++;
}

void ee_lockstep_end(struct ee *ee, const struct insn *next)
{
    if (ee->ctl.halted && ee->ctl.stop.kind == GUEST_FAULT)
        compare_faults(ee);
    else if (!ee->ctl.halted)
        ee_lockstep_boundary(ee, address_of(ee, next));
    ee->lockstep->stale = --ee->lockstep->depth > 0;
}

// The second CPU leaves through no port, but its branches test the same signals.
void ee_lockstep_conditions(struct ee *ee)
{
    struct ee *second = ee_lockstep_second(ee);
    if (!second)
        return;
    second->ports = (struct ee_ports){.context = ee->ports.context, .cpcond = ee->ports.cpcond};
    second->condition = ee->condition;
}

void ee_lockstep_free(struct ee *ee)
{
    struct lockstep *l = ee->lockstep;
    if (!l)
        return;
    if (l->second) {
        ee_memory_share(l->second, NULL);
        ee_free(l->second);
    }
    free(l);
    ee->lockstep = NULL;
}

struct ee *ee_lockstep_second(struct ee *ee)
{
    return ee->lockstep ? ee->lockstep->second : NULL;
}

const struct guest_observer *ee_lockstep_observer(struct ee *ee, const struct guest_observer *user)
{
    struct lockstep *l = ee->lockstep;
    l->user = user;
    l->first_observer.insn = user ? first_insn : NULL;
    return &l->first_observer;
}

const char *ee_lockstep_new(struct ee *ee)
{
    struct lockstep *l = ee->lockstep = calloc(1, sizeof *l);
    struct ee_config config = ee->config;
    config.engine = EE_ENGINE_INTERP;
    if (!l || !(l->second = ee_new(&config, NULL)))
        return "out of memory";
    l->first_observer = (struct guest_observer){.context = l, .access = first_access};
    l->second_observer = (struct guest_observer){.context = l, .access = second_access};
    ee_memory_share(l->second, ee);
    ee_observe(l->second, &l->second_observer);
    ee_observe(ee, NULL);
    return NULL;
}
