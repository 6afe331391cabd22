// Random programs on the EE core and on the model: what differs, in words.
#include "tests/support/ee_random.h"

#include <stdio.h>
#include <string.h>

enum { STATUS = 12, EPC = 14, ERROR_EPC = 30, BEFORE = 12 };

// Model and product in one order: what the model has, under the product's numbers.
static void model_register(const struct r5900_model *m, unsigned index, uint64_t value[2])
{
    value[0] = value[1] = 0;
    if (index < 32)
        memcpy(value, m->gpr[index].d, 16);
    else if (index == EE_REG_HI || index == EE_REG_LO)
        memcpy(value, index == EE_REG_HI ? m->hi.d : m->lo.d, 16);
    else if (index >= EE_REG_FPR && index < EE_REG_FPR + 32)
        value[0] = m->fpr[index - EE_REG_FPR];
    else if (index >= EE_REG_COP0 && index < EE_REG_COP0 + 32)
        value[0] = m->cop0[index - EE_REG_COP0];
    else
        value[0] = index == EE_REG_SA      ? m->sa
                   : index == EE_REG_PC    ? m->pc
                   : index == EE_REG_FCR0  ? m->fcr0
                   : index == EE_REG_FCR31 ? m->fcr31
                   : index == EE_REG_ACC   ? m->acc
                   : index == EE_REG_PCCR  ? m->pccr
                   : index == EE_REG_PCR0  ? m->pcr[0]
                   : index == EE_REG_PCR1  ? m->pcr[1]
                                           : 0;
}

// The COP0 registers that random programs use; the others are not the model's subject.
static bool is_compared(unsigned index)
{
    unsigned cop0 = index - EE_REG_COP0;
    return cop0 >= 32 || cop0 == STATUS || cop0 == EPC || cop0 == ERROR_EPC;
}

bool rig_registers_differ(const struct rig *rig, char *text, size_t size)
{
    size_t registers;
    const struct guest_register *names = ee_registers(&registers);
    struct ee_context c;
    for (unsigned n = 0; n < registers; n++) {
        uint64_t product[2], model[2];
        if (!names[n].name || !is_compared(n))
            continue;
        ee_get(rig->ee, n, product);
        model_register(&rig->model, n, model);
        if (product[0] == model[0] && product[1] == model[1])
            continue;
        snprintf(text, size, "%s is %016llx_%016llx, the model has %016llx_%016llx", names[n].name,
                 (unsigned long long)product[1], (unsigned long long)product[0], (unsigned long long)model[1],
                 (unsigned long long)model[0]);
        return true;
    }
    ee_save(rig->ee, &c);
    if (c.acc_overflowed != rig->model.acc_overflow) {
        snprintf(text, size, "ACC's overflow latch is %d, the model has %d", c.acc_overflowed,
                 rig->model.acc_overflow);
        return true;
    }
    return false;
}

bool rig_regions_differ(struct rig *rig, char *text, size_t size)
{
    for (unsigned i = 0; i < RANDOM_REGIONS; i++) {
        struct random_region region = random_program_region(&rig->program, i);
        const uint8_t *model = r5900_model_pointer(&rig->model, region.address, region.size);
        const uint8_t *product =
            region.address == EE_SCRATCHPAD ? ee_scratchpad(rig->ee) : ee_ram(rig->ee, NULL) + region.address;
        if (memcmp(product, model, region.size) == 0)
            continue;
        size_t n = 0;
        while (product[n] == model[n])
            n++;
        snprintf(text, size, "memory at %08x is %02x, the model has %02x", region.address + (uint32_t)n,
                 product[n], model[n]);
        return true;
    }
    return false;
}

// ---- stops

static enum r5900_stop_kind kind_of_fault(enum guest_fault fault)
{
    switch (fault) {
    case GUEST_FAULT_READ:
    case GUEST_FAULT_WRITE:
        return R5900_STOP_UNMAPPED;
    case GUEST_FAULT_MISALIGNED_READ:
    case GUEST_FAULT_MISALIGNED_WRITE:
        return R5900_STOP_MISALIGNED;
    case GUEST_FAULT_FETCH:
        return R5900_STOP_FETCH_UNMAPPED;
    case GUEST_FAULT_RESERVED:
        return R5900_STOP_RESERVED;
    case GUEST_FAULT_OVERFLOW:
        return R5900_STOP_OVERFLOW;
    case GUEST_FAULT_TRAP:
        return R5900_STOP_TRAP;
    case GUEST_FAULT_BREAK:
        return R5900_STOP_BREAK;
    case GUEST_FAULT_SYSCALL:
        return R5900_STOP_SYSCALL;
    case GUEST_FAULT_COP2:
        return R5900_STOP_COP2;
    case GUEST_FAULT_ENGINES:
    case GUEST_FAULT_NONE:
    case GUEST_FAULT_PORT:
        break;
    }
    return R5900_STOP_NONE;
}

// The product's stop in the model's words. It has one word for both faults of a fetch, and when a program is
// at its end and at its limit at once it names the limit.
static struct r5900_stop product_stop(const struct rig *rig)
{
    const struct guest_stop *s = &rig->stop;
    const struct r5900_stop *model = &rig->model.stop;
    struct r5900_stop stop = {.pc = s->pc, .in_slot = s->in_slot, .address = s->address};
    if (s->kind == GUEST_FAULT)
        stop.kind = kind_of_fault(s->fault);
    else if (s->kind == GUEST_EXITED)
        stop.kind = R5900_STOP_ADDRESS;
    else if (s->kind == GUEST_LIMIT)
        stop.kind = s->pc == rig->program.stop ? R5900_STOP_ADDRESS : R5900_STOP_LIMIT;
    if (stop.kind == R5900_STOP_FETCH_UNMAPPED && model->kind == R5900_STOP_FETCH_MISALIGNED)
        stop.kind = R5900_STOP_FETCH_MISALIGNED;
    return stop;
}

bool rig_stops_differ(const struct rig *rig, char *text, size_t size)
{
    struct r5900_stop product = product_stop(rig), model = rig->model.stop;
    if (product.kind == model.kind && product.pc == model.pc && product.in_slot == model.in_slot &&
        product.address == model.address && rig->stop.insns == rig->model.retired)
        return false;
    snprintf(
        text, size,
        "stopped by %s (%s) at %08x%s, address %08x, after %llu; the model by %s at %08x%s, address %08x, "
        "after %llu",
        r5900_model_stop_name(product.kind), rig->stop.message, product.pc,
        product.in_slot ? " in a slot" : "", product.address, (unsigned long long)rig->stop.insns,
        r5900_model_stop_name(model.kind), model.pc, model.in_slot ? " in a slot" : "", model.address,
        (unsigned long long)rig->model.retired);
    return true;
}

// ---- traces

static void print_event(const struct rig_trace *trace, size_t n, char text[160])
{
    const struct rig_event *e = &trace->events[n];
    char insn[80];
    if (n >= trace->count) {
        snprintf(text, 160, "nothing more");
    } else if (e->size == 0) {
        ee_disassemble(e->pc, e->word, insn, sizeof insn);
        snprintf(text, 160, "%08x %s%s", e->pc, insn, e->in_slot ? " in a slot" : "");
    } else {
        snprintf(text, 160, "%08x %s %u at %08x: %016llx_%016llx", e->pc, e->write ? "writes" : "reads",
                 e->size, e->word, (unsigned long long)e->value[1], (unsigned long long)e->value[0]);
    }
}

static bool same_event(const struct rig_event *a, const struct rig_event *b)
{
    return a->pc == b->pc && a->word == b->word && a->size == b->size && a->write == b->write &&
           a->in_slot == b->in_slot && a->value[0] == b->value[0] && a->value[1] == b->value[1];
}

bool rig_traces_differ(const struct rig *rig, char *text, size_t size)
{
    const struct rig_trace *p = &rig->product_trace, *m = &rig->model_trace;
    size_t n = 0;
    while (n < p->count && n < m->count && same_event(&p->events[n], &m->events[n]))
        n++;
    if (n == p->count && n == m->count)
        return false;
    char product[160], model[160];
    print_event(p, n, product);
    print_event(m, n, model);
    snprintf(text, size, "event %zu of the trace: %s; the model: %s", n, product, model);
    return true;
}

// ---- locating

struct recent {
    struct {
        uint32_t pc, word;
    } insn[BEFORE];
    unsigned count;
};

static void remember(void *context, uint32_t pc, uint32_t word, const struct r5900_insn *insn)
{
    struct recent *r = context;
    (void)insn;
    r->insn[r->count++ % BEFORE].pc = pc;
    r->insn[(r->count - 1) % BEFORE].word = word;
}

static void print_recent(const struct recent *r, char *text, size_t size)
{
    size_t used = 0;
    for (unsigned n = r->count > BEFORE ? r->count - BEFORE : 0; n < r->count && used < size; n++) {
        char insn[80];
        uint32_t pc = r->insn[n % BEFORE].pc, word = r->insn[n % BEFORE].word;
        ee_disassemble(pc, word, insn, sizeof insn);
        used += (size_t)snprintf(text + used, size - used, "    %08x: %08x %s\n", pc, word, insn);
    }
}

void rig_locate(struct rig *rig, char *text, size_t size)
{
    struct recent recent = {.count = 0};
    char what[256];
    rig_load(rig);
    rig->model.context = &recent;
    rig->model.on_access = NULL;
    rig->model.on_retire = remember;
    while (rig->model.retired < rig->program.limit && rig->model.pc != rig->program.stop) {
        struct guest_stop stop;
        ee_step(rig->ee, &stop);
        bool halted = r5900_model_step(&rig->model) != R5900_STOP_NONE;
        if (rig_registers_differ(rig, what, sizeof what)) {
            int used = snprintf(text, size, "by single steps, after %llu instructions: %s\n",
                                (unsigned long long)rig->model.retired, what);
            print_recent(&recent, text + used, size - (size_t)used);
            return;
        }
        if (halted || stop.kind != GUEST_LIMIT)
            break;
    }
    int used = snprintf(text, size, "by single steps nothing differs; the last instructions were\n");
    print_recent(&recent, text + used, size - (size_t)used);
}
