// The interpreter's loop, the driver that both engines share, and the records that are not instructions.
#include "ee/bodies.h"

#include <stdio.h>
#include <time.h>

// Instructions between two looks at the wall clock.
#define SLICE 65536

const struct insn *ee_record(struct ee *ee, uint32_t address)
{
    // RAM's mirrors are 256 MiB apart: user, uncached, accelerated, KSEG0, KSEG1.
    bool mirror = 0x050d >> (address >> 28) & 1;
    uint32_t offset = address & 0x0fffffff;
    if (mirror && !(address & 3)) {
        if (offset < ee->ram_size) {
            ee->ctl.segment = address - offset;
            ee_prepare_page(ee, offset >> EE_PAGE_SHIFT);
            return &ee->code[offset / 4];
        }
        if (offset - EE_TRAP_BASE < EE_TRAP_COUNT * 4) {
            ee->ctl.nowhere = address;
            return &ee->trap[(offset - EE_TRAP_BASE) / 4];
        }
    }
    ee->ctl.nowhere = address;
    return &ee->outside;
}

static const char *describe(enum guest_fault fault)
{
    switch (fault) {
    case GUEST_FAULT_NONE:
        break;
    case GUEST_FAULT_READ:
        return "load from an address where nothing is";
    case GUEST_FAULT_WRITE:
        return "store to an address where nothing is";
    case GUEST_FAULT_MISALIGNED_READ:
        return "misaligned load";
    case GUEST_FAULT_MISALIGNED_WRITE:
        return "misaligned store";
    case GUEST_FAULT_FETCH:
        return "no code can be here";
    case GUEST_FAULT_RESERVED:
        return "reserved instruction";
    case GUEST_FAULT_OVERFLOW:
        return "integer overflow";
    case GUEST_FAULT_TRAP:
        return "trap instruction";
    case GUEST_FAULT_BREAK:
        return "break instruction";
    case GUEST_FAULT_SYSCALL:
        return "system call, and nothing serves it";
    case GUEST_FAULT_COP2:
        return "coprocessor 2 instruction, and there is no coprocessor";
    case GUEST_FAULT_ENGINES:
        return "the engines differ";
    case GUEST_FAULT_PORT:
        return "refused by the machine";
    }
    return "";
}

static void halt(struct ee *ee, const struct insn *i, enum guest_stop_kind kind)
{
    ee->ctl.retired = now(ee, i);
    ee->ctl.run = i;
    ee->ctl.end = NULL;
    ee->ctl.halted = true;
    ee->pc = address_of(ee, i);
    ee->ctl.stop = (struct guest_stop){.kind = kind, .pc = ee->pc};
}

void ee_fault_message(struct ee *ee, const struct insn *i, enum guest_fault fault, const char *message)
{
    halt(ee, i, GUEST_FAULT);
    ee->ctl.stop.fault = fault;
    snprintf(ee->ctl.stop.message, sizeof ee->ctl.stop.message, "%s", message ? message : describe(fault));
}

void ee_fault(struct ee *ee, const struct insn *i, enum guest_fault fault, uint32_t address)
{
    ee_fault_message(ee, i, fault, NULL);
    ee->ctl.stop.address = address;
}

const struct insn *ee_outside(struct ee *ee, const struct insn *i)
{
    ee_fault(ee, i, GUEST_FAULT_FETCH, address_of(ee, i));
    return i;
}

const struct insn *ee_call_port(struct ee *ee, const struct insn *i, const char *(*port)(void *, struct ee *),
                                void *context, uint32_t next, unsigned retires)
{
    ee->ctl.retired = now(ee, i);
    ee->ctl.run = i;
    ee->pc = next;
    const char *why = port(context, ee);
    if (why) {
        ee_fault_message(ee, i, GUEST_FAULT_PORT, why);
        return i;
    }
    ee->ctl.retired += retires;
    const struct insn *target = ee_record(ee, ee->pc);
    ee->ctl.run = target;
    ee->ctl.end = ee->ctl.halted ? NULL : target + (int64_t)(ee->ctl.stop_at - ee->ctl.retired);
    return target;
}

struct trap_call {
    const struct ee_ports *ports;
    unsigned n;
};

static const char *call_trap(void *context, struct ee *ee)
{
    const struct trap_call *call = context;
    return call->ports->trap(call->ports->context, ee, call->n);
}

const struct insn *ee_trapped(struct ee *ee, const struct insn *i)
{
    struct trap_call call = {&ee->ports, (unsigned)(i - ee->trap)};
    if (call.n == 0) {
        halt(ee, i, GUEST_RETURNED);
        return i;
    }
    if (!ee->ports.trap)
        return ee_outside(ee, i);
    return ee_call_port(ee, i, call_trap, &call, ee->ctl.nowhere, 0);
}

const struct insn *ee_stubbed(struct ee *ee, const struct insn *i)
{
    const struct stub *s = ee->stubs;
    while (s->index != (uint32_t)(i - ee->code))
        s++;
    return ee_call_port(ee, i, s->call, s->context, GPR(EE_RA).w[0], 0);
}

// ---- observing
// -----------------------------------------------------------------------------------------------------

void ee_notify(struct ee *ee, uint32_t pc, uint32_t word, bool in_slot)
{
    if (ee->observer && ee->observer->insn)
        ee->observer->insn(ee->observer->context, pc, word, in_slot);
}

static void notify_branch(struct ee *ee)
{
    const struct insn *branch = ee->watched_branch;
    ee->watched_branch = NULL;
    if (branch)
        ee_notify(ee, ee->watched_pc, branch->word, false);
}

// What `fn` is while an observer is attached. A branch performs its slot, but retires before it: it is
// announced when the slot starts, with its link written.
static const struct insn *watched(struct ee *ee, const struct insn *i)
{
    bool in_slot = ee->watched_branch;
    uint32_t pc = address_of(ee, i), word = i->word;
    ee_body *exec = i->exec;
    notify_branch(ee);
    if (exec == ee_branch_slow || exec == ee_stubbed)
        return exec(ee, i);
    if (ee_ops[i->op].flags & BRANCH) {
        ee->watched_branch = i;
        ee->watched_pc = pc;
        const struct insn *next = exec(ee, i);
        notify_branch(ee);
        return next;
    }
    const struct insn *next = exec(ee, i);
    if (!ee->ctl.halted || ee->ctl.stop.kind != GUEST_FAULT)
        ee_notify(ee, pc, word, in_slot);
    return next;
}

void ee_observe(struct ee *ee, const struct guest_observer *observer)
{
    ee->observer = ee->lockstep ? ee_lockstep_observer(ee, observer) : observer;
    ee->watched_branch = NULL;
    ee_forget_all(ee);
    ee_map_pages(ee);
}

// ---- running
// -------------------------------------------------------------------------------------------------------

static const struct insn *interpret(struct ee *ee, const struct insn *i)
{
    while (i < ee->ctl.end)
        i = i->fn(ee, i);
    return i;
}

static const struct insn *undecoded(struct ee *ee, const struct insn *i)
{
    ee_decode(ee, &ee->code[i - ee->code]);
    return i->fn(ee, i);
}

static void decoded(struct ee *ee, struct insn *i)
{
    i->fn = ee->observer ? watched : i->exec;
}

const struct engine_ops ee_interp = {
    .name = "interp", .undecoded = undecoded, .slice = interpret, .decoded = decoded};

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static const char *call_event(void *context, struct ee *ee)
{
    (void)context;
    ee->event = UINT64_MAX;
    return ee->ports.event ? ee->ports.event(ee->ports.context, ee) : NULL;
}

bool ee_timed_out(const struct ee *ee)
{
    return ee->deadline && milliseconds() >= ee->deadline;
}

// Runs slices until something stops the CPU for good.
static void drive(struct ee *ee, uint64_t limit)
{
    const struct insn *i = ee_record(ee, ee->pc);
    ee->ctl.run = i;
    while (!ee->ctl.halted) {
        if (ee->event <= ee->ctl.retired + ee->skipped) {
            i = ee_call_port(ee, i, call_event, NULL, address_of(ee, i), 0);
        } else if (ee->ctl.retired >= limit) {
            halt(ee, i, GUEST_LIMIT);
        } else if (ee_timed_out(ee)) {
            halt(ee, i, GUEST_TIMEOUT);
        } else {
            ee->ctl.stop_at = lesser(lesser(limit, ee->ctl.retired + SLICE), ee->event - ee->skipped);
            ee->ctl.end = i + (ee->ctl.stop_at - ee->ctl.retired);
            i = ee->engine->slice(ee, i);
            if (!ee->ctl.halted) {
                ee->ctl.retired = now(ee, i);
                ee->ctl.run = i;
            }
        }
    }
}

void ee_run(struct ee *ee, const struct guest_limits *limits, struct guest_stop *stop)
{
    // A port may run the CPU: what the outer run goes on with is kept here.
    struct run_control outer = ee->ctl;
    uint64_t start = ee->ctl.retired, outer_deadline = ee->deadline;
    uint64_t limit = limits && limits->insns ? start + limits->insns : UINT64_MAX;
    if (limits && limits->timeout_ms)
        ee->deadline = milliseconds() + limits->timeout_ms;
    if (outer_deadline && outer_deadline < ee->deadline)
        ee->deadline = outer_deadline;
    ee->ctl.halted = false;
    drive(ee, limit < start ? UINT64_MAX : limit);
    ee->deadline = outer_deadline;
    if (ee->ctl.stop.kind == GUEST_EXITED)
        ee->ctl.stop.pc = ee->pc;
    *stop = ee->ctl.stop;
    stop->insns = ee->ctl.retired - start;
    outer.retired = ee->ctl.retired;
    ee->ctl = outer;
}

void ee_step(struct ee *ee, struct guest_stop *stop)
{
    ee_run(ee, &(struct guest_limits){.insns = 1}, stop);
}

void ee_exit(struct ee *ee)
{
    ee->ctl.end = NULL;
    ee->ctl.halted = true;
    ee->ctl.stop = (struct guest_stop){.kind = GUEST_EXITED, .pc = ee->pc};
}
