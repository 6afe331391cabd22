// Random programs on the EE core and on the model: loading, running, comparing the outcome.
#include "tests/support/ee_random.h"
#include "ee/core.h" // the instruction table

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS = 12, EPC = 14, ERROR_EPC = 30 };

static bool cpcond(void *context)
{
    const struct rig *rig = context;
    return rig->cpcond;
}

struct rig *rig_new(const struct ee_config *config, char why[GUEST_MESSAGE_SIZE])
{
    struct rig *rig = calloc(1, sizeof *rig);
    uint8_t *ram = calloc(1, R5900_RAM_SIZE), *scratchpad = calloc(1, R5900_SCRATCHPAD_SIZE);
    if (rig && ram && scratchpad)
        rig->ee = ee_new(config, why);
    if (!rig || !rig->ee) {
        free(ram);
        free(scratchpad);
        free(rig);
        return NULL;
    }
    r5900_model_init(&rig->model, ram, scratchpad);
    ee_set_ports(rig->ee, &(struct ee_ports){.context = rig, .cpcond = cpcond});
    return rig;
}

void rig_free(struct rig *rig)
{
    if (!rig)
        return;
    ee_free(rig->ee);
    free(rig->model.ram);
    free(rig->model.scratchpad);
    free(rig->product_trace.events);
    free(rig->model_trace.events);
    free(rig);
}

// ---- loading

static void load_product(struct rig *rig)
{
    const struct random_program *p = &rig->program;
    struct ee_context c = {.acc = p->acc, .fcr31 = p->fcr31, .sa = p->sa, .pc = p->entry};
    memcpy(c.gpr, p->gpr, sizeof c.gpr);
    memcpy(&c.hi, &p->hi, sizeof c.hi);
    memcpy(&c.lo, &p->lo, sizeof c.lo);
    memcpy(c.fpr, p->fpr, sizeof c.fpr);
    ee_reset(rig->ee);
    ee_restore(rig->ee, &c);
    for (unsigned i = 0; i < RANDOM_REGIONS; i++) {
        struct random_region region = random_program_region(p, i);
        ee_poke(rig->ee, region.address, region.bytes, region.size);
    }
}

void rig_load(struct rig *rig)
{
    struct r5900_model *m = &rig->model;
    load_product(rig);
    r5900_model_init(m, m->ram, m->scratchpad);
    m->cop0[STATUS] = *ee_cop0(rig->ee, STATUS);
    m->cpcond0 = rig->cpcond;
    random_program_load(&rig->program, m);
    if (rig->tamper)
        rig->tamper(rig);
}

// ---- running

static const char *reached_stop(void *context, struct ee *ee)
{
    const struct rig *rig = context;
    ee_set_pc(ee, rig->program.stop);
    ee_exit(ee);
    return NULL;
}

static void add_event(struct rig_trace *trace, const struct rig_event *event)
{
    if (trace->count == trace->room) {
        size_t room = trace->room ? 2 * trace->room : 4096;
        struct rig_event *more = realloc(trace->events, room * sizeof *more);
        if (!more)
            abort();
        trace->events = more;
        trace->room = room;
    }
    trace->events[trace->count++] = *event;
}

static void product_access(void *context, const struct guest_access *a)
{
    struct rig *rig = context;
    struct rig_event e = {.pc = a->pc,
                          .word = a->address,
                          .size = a->size,
                          .write = a->write,
                          .value = {a->value[0], a->value[1]}};
    add_event(&rig->product_trace, &e);
}

static void product_insn(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    struct rig *rig = context;
    rig->reached[ee_find_op(word)] = true;
    add_event(&rig->product_trace, &(struct rig_event){.pc = pc, .word = word, .in_slot = in_slot});
}

static void model_access(void *context, const struct r5900_access *a)
{
    struct rig *rig = context;
    struct rig_event e = {.pc = a->pc,
                          .word = a->address,
                          .size = (uint8_t)a->size,
                          .write = a->is_write,
                          .value = {a->value.d[0], a->value.d[1]}};
    add_event(&rig->model_trace, &e);
}

// By now the model stands at the instruction after the one that retired.
static void model_retire(void *context, uint32_t pc, uint32_t word, const struct r5900_insn *insn)
{
    struct rig *rig = context;
    (void)insn;
    add_event(&rig->model_trace,
              &(struct rig_event){.pc = pc, .word = word, .in_slot = rig->model_trace.next_in_slot});
    rig->model_trace.next_in_slot = rig->model.in_slot;
}

static void observe(struct rig *rig)
{
    rig->observer = (struct guest_observer){.context = rig, .access = product_access, .insn = product_insn};
    rig->product_trace.count = rig->model_trace.count = 0;
    rig->model_trace.next_in_slot = false;
    ee_observe(rig->ee, &rig->observer);
    rig->model.context = rig;
    rig->model.on_access = model_access;
    rig->model.on_retire = model_retire;
}

static void run(struct rig *rig)
{
    const struct random_program *p = &rig->program;
    ee_set_stub(rig->ee, p->stop, reached_stop, rig);
    ee_run(rig->ee, &(struct guest_limits){.insns = p->limit}, &rig->stop);
    ee_set_stub(rig->ee, p->stop, NULL, NULL);
    r5900_model_run(&rig->model, p->stop, p->limit);
}

static void count(struct rig *rig, bool observed)
{
    static const uint8_t mirror[16] = {[2] = 1, [3] = 2, [8] = 3, [10] = 4};
    uint32_t word;
    if (rig->stop.kind == GUEST_FAULT && ee_peek(rig->ee, rig->stop.pc, &word, 4) == 4)
        rig->reached[ee_find_op(word)] = true;
    rig->programs++;
    rig->observed += observed;
    rig->faults += rig->stop.kind == GUEST_FAULT;
    rig->entered[mirror[rig->program.entry >> 28]]++;
    rig->retired += rig->model.retired;
}

void rig_check(struct rig *rig, uint64_t seed, char text[RIG_TEXT])
{
    bool observed = seed % 4 == 0;
    struct random_options options = {.seed = seed, .features = RANDOM_ALL & ~(unsigned)RANDOM_STOPS};
    random_program_make(&rig->program, &options);
    rig->cpcond = seed >> 2 & 1;
    rig_load(rig);
    if (observed)
        observe(rig);
    run(rig);
    count(rig, observed);
    char what[512] = "";
    bool differ = rig_stops_differ(rig, what, sizeof what) || rig_registers_differ(rig, what, sizeof what) ||
                  rig_regions_differ(rig, what, sizeof what) ||
                  (observed && rig_traces_differ(rig, what, sizeof what));
    if (observed)
        ee_observe(rig->ee, NULL);
    text[0] = '\0';
    if (differ) {
        int used = snprintf(text, RIG_TEXT, "seed %llu, entry %08x%s: %s\n", (unsigned long long)seed,
                            rig->program.entry, observed ? ", observed" : "", what);
        rig_locate(rig, text + used, RIG_TEXT - (size_t)used);
    }
}

bool rig_memory_equal(const struct rig *rig)
{
    return memcmp(ee_ram(rig->ee, NULL), rig->model.ram, R5900_RAM_SIZE) == 0;
}
