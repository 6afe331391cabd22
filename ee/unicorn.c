// The unicorn engine: Unicorn's MIPS core runs the instructions it runs right, our bodies the others.
//
// Unicorn sees nothing but code. What it fetches from is an image beside RAM, into which each word is copied
// when it is first reached: as it is when Unicorn may run it, else as a NOP, and the one CODE hook, which is
// called before every instruction, performs our body. All loads and stores are ours, so RAM stays what the
// program wrote, and no other hook is needed. HI, LO, the FPU and the upper halves of the GPRs live in struct
// ee only.
//
// What Unicorn does wrong, and the versions, were measured with 2.0.1: a start PC with a garbage upper half,
// the hook being called for nullified slots, hidden delay-slot flags after a stop, translations that survive
// a store through another mirror. Each has its place below and its part in the self-test (unicorn_test.c).
#include "ee/unicorn.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Segments that RAM's image is mapped at, as Unicorn's 64-bit virtual addresses.
static const uint64_t segments[] = {0, 0x20000000, 0x30000000, 0xffffffff80000000, 0xffffffffa0000000};
#define SEGMENTS (sizeof segments / sizeof *segments)

static const uint32_t nop = 0;

// A word takes about 100 bytes of Unicorn's buffer.
#define MOST_WORDS  (UINT64_C(1) << 20)
#define BLOCK_WORDS 16 // about what is translated again with a word that changed
// What stands for a word not yet decoded: SYSCALL ends a translation at once, and the hook comes before it
// runs.
static const uint32_t unknown = 0x0000000c;

// ---- Unicorn's registers
// -------------------------------------------------------------------------------------------

uint64_t unicorn_gpr(const struct unicorn *u, unsigned n)
{
    uint64_t value = 0;
    if (u->gpr)
        return u->gpr[n];
    uc_reg_read(u->uc, UC_MIPS_REG_0 + (int)n, &value);
    return value;
}

void unicorn_set_gpr(struct unicorn *u, unsigned n, uint64_t value)
{
    if (u->gpr)
        u->gpr[n] = value;
    else
        uc_reg_write(u->uc, UC_MIPS_REG_0 + (int)n, &value);
}

// Written as 128 bits: a body that reads all of them right after a 64-bit store would wait for it to reach
// the cache.
static void pull(struct ee *ee, struct unicorn *u, unsigned n)
{
    typedef uint64_t u64x2 __attribute__((vector_size(16)));
    u64x2 whole = {unicorn_gpr(u, n), ee->gpr[n].d[1]};
    memcpy(&ee->gpr[n], &whole, 16);
}

static void pull_all(struct ee *ee, struct unicorn *u)
{
    for (unsigned n = 1; n < 32; n++)
        pull(ee, u, n);
}

static void push_all(struct ee *ee, struct unicorn *u)
{
    for (unsigned n = 1; n < 32; n++)
        unicorn_set_gpr(u, n, ee->gpr[n].d[0]);
}

static void set_pc(struct unicorn *u, uint32_t address)
{
    uint64_t pc = sext32(address);
    uc_reg_write(u->uc, UC_MIPS_REG_PC, &pc);
}

// ---- records
// ---------------------------------------------------------------------------------------------------------
// `fn` of a record is what the hook calls. It gets and returns what a body does; the result is not used.

static struct unicorn *state(const struct ee *ee)
{
    return ee->unicorn;
}

static bool in_slot(const struct unicorn *u)
{
    return u->now.current && u->now.current->slot && u->now.previous == u->now.current - 1;
}

// Ends this entry into Unicorn; `next` is what runs then, unless the CPU halted.
static const struct insn *leave(struct ee *ee, const struct insn *next)
{
    struct unicorn *u = state(ee);
    u->now.next = next;
    u->now.current = NULL;
    uc_emu_stop(u->uc);
    return next;
}

// Goes on at `next` without leaving Unicorn. From 2.1 a nested run makes Unicorn leave all the same; `slice`
// then enters it anew at `next`.
static void restart(struct ee *ee, const struct insn *next)
{
    struct unicorn *u = state(ee);
    u->now.next = next;
    u->now.current = NULL;
    set_pc(u, address_of(ee, next));
}

static const struct insn *faulted(struct ee *ee, const struct insn *i)
{
    ee->ctl.stop.in_slot = in_slot(state(ee));
    return leave(ee, i);
}

static const struct insn *native(struct ee *ee, const struct insn *i)
{
    ee->ctl.retired++;
    return i;
}

// Bodies that touch no GPR and cannot fault.
static const struct insn *without_gpr(struct ee *ee, const struct insn *i)
{
    i->exec(ee, i);
    ee->ctl.retired++;
    return i;
}

// Bodies by the GPRs they read and write.
static const struct insn *with_gpr(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    uint32_t flags = ee_ops[i->op].flags;
    if (flags & R_RS)
        pull(ee, u, i->rs);
    if (flags & R_RT && i->rt != EE_SINK)
        pull(ee, u, i->rt);
    if (flags & R_RD && i->rd != EE_SINK)
        pull(ee, u, i->rd);
    i->exec(ee, i);
    if (LIKELY_FALSE(ee->ctl.halted))
        return faulted(ee, i);
    if (flags & W_RT && i->rt != EE_SINK)
        unicorn_set_gpr(u, i->rt, ee->gpr[i->rt].d[0]);
    else if (flags & W_RD && i->rd != EE_SINK)
        unicorn_set_gpr(u, i->rd, ee->gpr[i->rd].d[0]);
    ee->ctl.retired++;
    return i;
}

// The frequent shapes, with fewer tests.
static const struct insn *load(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    pull(ee, u, i->rs);
    i->exec(ee, i);
    if (LIKELY_FALSE(ee->ctl.halted))
        return faulted(ee, i);
    unicorn_set_gpr(u, i->rt, ee->gpr[i->rt].d[0]);
    ee->ctl.retired++;
    return i;
}

static const struct insn *store(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    pull(ee, u, i->rs);
    pull(ee, u, i->rt);
    i->exec(ee, i);
    if (LIKELY_FALSE(ee->ctl.halted))
        return faulted(ee, i);
    ee->ctl.retired++;
    return i;
}

static const struct insn *three_registers(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    pull(ee, u, i->rs);
    pull(ee, u, i->rt);
    i->exec(ee, i);
    unicorn_set_gpr(u, i->rd, ee->gpr[i->rd].d[0]);
    ee->ctl.retired++;
    return i;
}

// One instruction, or a branch with its slot, by bodies alone.
static const struct insn *by_body(struct ee *ee, const struct insn *i)
{
    if (!i->exec)
        ee_decode(ee, &ee->code[i - ee->code]);
    uint32_t pc = address_of(ee, i), word = i->word;
    if (ee_ops[i->op].flags & BRANCH && i->exec != ee_stubbed)
        return ee_branch_slow(ee, i);
    ee->ctl.run = i;
    const struct insn *next = i->exec(ee, i);
    if (!ee->ctl.halted && next == i + 1) {
        ee->ctl.retired++;
        ee_notify(ee, pc, word, false);
    }
    return next;
}

// Address 0 cannot be entered (uc_emu_start takes it for its end): what stands there is run by bodies.
static bool enterable(const struct ee *ee, const struct insn *i)
{
    return i != &ee->outside && address_of(ee, i) != 0;
}

// Goes on at `next`, in this entry into Unicorn.
static const struct insn *redirect(struct ee *ee, const struct insn *next)
{
    struct unicorn *u = state(ee);
    while (!ee->ctl.halted && ee->ctl.retired < ee->ctl.stop_at && !enterable(ee, next))
        next = by_body(ee, next);
    push_all(ee, u);
    if (ee->ctl.halted || !enterable(ee, next))
        return leave(ee, next);
    restart(ee, next);
    return next;
}

// Whatever may move the PC or look at every register: ports, traps, stubs, branches with an odd slot or
// target.
static const struct insn *with_all(struct ee *ee, const struct insn *i)
{
    pull_all(ee, state(ee));
    return redirect(ee, i->exec(ee, i));
}

// A register jump to where Unicorn has no code, or through a register with anything but the sign in its upper
// word, which Unicorn would take for part of the address, goes the slow way, slot and all.
static const struct insn *register_jump(struct ee *ee, const struct insn *i)
{
    uint64_t value = unicorn_gpr(state(ee), i->rs);
    uint32_t target = (uint32_t)value, segment = ee->ctl.segment;
    const struct insn *record = ee_record(ee, target);
    ee->ctl.segment = segment;
    if (record != &ee->outside && target != 0 && value == sext32(target))
        return native(ee, i);
    pull_all(ee, state(ee));
    return redirect(ee, ee_branch_slow(ee, i));
}

static bool decide(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    if (ee_ops[i->op].flags & R_RS)
        pull(ee, u, i->rs);
    if (ee_ops[i->op].flags & R_RT)
        pull(ee, u, i->rt);
    return u->now.taken = ee_branch_taken(ee, i);
}

// The hook is called for the slot of a likely branch even if it is nullified, so the outcome must be known
// there.
static const struct insn *likely_branch(struct ee *ee, const struct insn *i)
{
    decide(ee, i);
    return native(ee, i);
}

// The image holds BNE or BNEL $k1, $0. $k1 gets its value back before the slot runs.
static const struct insn *coprocessor_branch(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    u->now.k1 = unicorn_gpr(u, 27);
    unicorn_set_gpr(u, 27, decide(ee, i));
    return native(ee, i);
}

static ee_body *plain_entry(const struct ee *ee, const struct insn *i);

static const struct insn *special_slot(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    if (in_slot(u)) {
        if (i->slot & SLOT_K1)
            unicorn_set_gpr(u, 27, u->now.k1);
        if (i->slot & SLOT_LIKELY && !u->now.taken)
            return i;
    }
    return plain_entry(ee, i)(ee, i);
}

static void announce(struct ee *ee)
{
    struct unicorn *u = state(ee);
    if (!u->now.pending)
        return;
    u->now.pending = false;
    pull_all(ee, u);
    ee_notify(ee, u->now.pending_pc, u->now.pending_word, u->now.pending_in_slot);
}

// While an observer is attached. What Unicorn runs itself has written its registers by the next call of the
// hook.
static const struct insn *watched(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    announce(ee);
    if (ee->lockstep && !in_slot(u)) {
        pull_all(ee, u);
        ee_lockstep_boundary(ee, address_of(ee, i));
        if (ee->ctl.halted)
            return leave(ee, i);
    }
    uint64_t before = ee->ctl.retired;
    ee_body *exec = i->exec;
    struct unicorn_entry *now_ = &u->now;
    now_->pending_pc = address_of(ee, i);
    now_->pending_word = i->word;
    now_->pending_in_slot = in_slot(u);
    const struct insn *next = (i->slot & (SLOT_LIKELY | SLOT_K1) ? special_slot : plain_entry(ee, i))(ee, i);
    now_->pending = ee->ctl.retired == before + 1 && exec != ee_branch_slow && exec != ee_stubbed;
    return next;
}

static ee_body *plain_entry(const struct ee *ee, const struct insn *i)
{
    uint32_t flags = ee_ops[i->op].flags, gprs = flags & (R_RS | R_RT | R_RD | W_RT | W_RD);
    (void)ee;
    if (i->exec == ee_stubbed || i->exec == ee_branch_slow || i->exec == op_syscall || i->exec == op_eret)
        return with_all;
    if (i->exec == op_jr || i->exec == op_jalr)
        return register_jump;
    if (flags & BRANCH && !(flags & NATIVE))
        return coprocessor_branch;
    if (flags & LIKELY)
        return likely_branch;
    if (flags & NATIVE)
        return native;
    if (gprs == (R_RS | W_RT) && flags & LOAD && i->rt != EE_SINK)
        return load;
    if (gprs == (R_RS | R_RT) && flags & STORE)
        return store;
    if (gprs == (R_RS | R_RT | W_RD) && i->rd != EE_SINK && i->exec != op_add && i->exec != op_sub &&
        i->exec != op_dadd && i->exec != op_dsub)
        return three_registers;
    if (gprs == 0 && !(flags & (LOAD | STORE | ENDS | COP2)))
        return without_gpr;
    return with_gpr;
}

static void choose(struct ee *ee, struct insn *i)
{
    if (ee->observer)
        i->fn = watched;
    else
        i->fn = i->slot & (SLOT_LIKELY | SLOT_K1) ? special_slot : plain_entry(ee, i);
}

// ADDU and SUBU with $0 are moves to Unicorn, which takes a register for sign-extended already. SLL by 0 does
// what the R5900 does: the low word, sign-extended.
static uint32_t as_shift(const struct insn *i)
{
    uint32_t rs = i->word >> 21 & 31, rt = i->word >> 16 & 31;
    if (i->exec == op_addu && rs == 0)
        return rt << 16 | (i->word & 0xf800);
    if ((i->exec == op_addu || i->exec == op_subu) && rt == 0)
        return rs << 16 | (i->word & 0xf800);
    return i->word;
}

// What Unicorn is given for a word.
static uint32_t image_word(const struct ee *ee, const struct insn *i)
{
    const struct ee_op *op = &ee_ops[i->op];
    ee_body *entry = plain_entry(ee, i);
    if (entry == coprocessor_branch)
        return (op->flags & LIKELY ? 0x57600000 : 0x17600000) | (i->word & 0xffff); // BNEL, BNE $k1, $0
    if (entry == native || entry == likely_branch || entry == register_jump)
        return as_shift(i) & ~op->zero;
    return nop;
}

// ---- translations
// ------------------------------------------------------------------------------------------------------

// All segments map the same host memory, and Unicorn finds translations by where that lies: one call drops
// them for all.
static void drop(struct unicorn *u, uint32_t index, uint32_t count)
{
    uint64_t start = (uint64_t)index * 4;
    uc_ctl_remove_cache(u->uc, start, start + (uint64_t)count * 4);
}

static void decoded(struct ee *ee, struct insn *i)
{
    struct unicorn *u = state(ee);
    uint32_t index = (uint32_t)(i - ee->code), flags = ee_ops[i->op].flags, slot = 0;
    u->image[index] = image_word(ee, i);
    if (flags & BRANCH && i->exec != ee_branch_slow && i->exec != ee_stubbed)
        slot = SLOT | (flags & LIKELY ? SLOT_LIKELY : 0) | (flags & NATIVE ? 0 : SLOT_K1);
    if (index + 1 < ee->ram_size / 4 && i[1].slot != slot) {
        i[1].slot = (uint8_t)slot;
        if (i[1].exec)
            choose(ee, &i[1]);
    }
    choose(ee, i);
    // A slot always together with its branch, because nothing can be restarted from a slot.
    if (slot && !i[1].exec)
        ee_decode(ee, &i[1]);
    if (!u->batch) {
        u->translated += BLOCK_WORDS;
        drop(u, index, 1);
    }
}

// Translations stay: the hook comes before each instruction, finds its record undecoded, and drops them then.
static void forgotten(struct ee *ee, uint32_t index)
{
    state(ee)->image[index] = unknown;
}

static void prepared(struct ee *ee, uint32_t page)
{
    struct unicorn *u = state(ee);
    for (unsigned n = 0; n < EE_PAGE_SIZE / 4; n++)
        u->image[page * (EE_PAGE_SIZE / 4) + n] = unknown;
}

// Decodes up to the end of the block, because every change makes Unicorn translate anew.
static const struct insn *undecoded(struct ee *ee, const struct insn *at)
{
    struct unicorn *u = state(ee);
    struct insn *first = &ee->code[at - ee->code], *i = first, *end = ee->code + ee->ram_size / 4;
    u->batch = true;
    for (bool more = true; more && i < end && i - first < 1024; i++) {
        if (!i->exec)
            ee_decode(ee, i);
        more = !(ee_ops[i->op].flags & (BRANCH | ENDS)) && i->exec != ee_stubbed && i + 1 < end && !i[1].exec;
    }
    u->batch = false;
    u->translated += BLOCK_WORDS + (uint64_t)(i - first);
    drop(u, (uint32_t)(first - ee->code), (uint32_t)(i - first) + 1);
    restart(ee, first);
    return first;
}

// ---- hooks
// ---------------------------------------------------------------------------------------------------------------

static void on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct unicorn *u = user;
    struct ee *ee = u->ee;
    uint32_t offset = (uint32_t)address & 0x0fffffff;
    const struct insn *i;
    (void)uc;
    (void)size;
    if (LIKELY_TRUE(offset < ee->ram_size)) {
        i = &ee->code[offset / 4];
        ee->ctl.segment = (uint32_t)address - offset;
    } else {
        i = ee_record(ee, (uint32_t)address); // a trap, or the guard page behind RAM
    }
    u->now.starting = false;
    u->now.previous = u->now.current;
    u->now.current = i;
    ee->ctl.run = i;
    if (LIKELY_FALSE(ee->ctl.retired >= ee->ctl.stop_at) && !in_slot(u)) {
        leave(ee, i);
        return;
    }
    i->fn(ee, i);
}

// Up to 2.1.2 uc_emu_start leaves garbage in the upper half of the PC. As KX, SX and UX are 0 the first fetch
// then always ends here, before any instruction ran, and the PC is put right.
static void on_interrupt(uc_engine *uc, uint32_t number, void *user)
{
    struct unicorn *u = user;
    (void)number;
    if (u->now.starting) {
        u->now.starting = false;
        uc_reg_write(uc, UC_MIPS_REG_PC, &u->now.address);
        return;
    }
    u->surprise = "Unicorn raised an exception for an instruction it was trusted with";
    uc_emu_stop(uc);
}

static bool on_invalid(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
    struct unicorn *u = user;
    (void)type;
    (void)address;
    (void)size;
    (void)value;
    u->surprise = "Unicorn fetched from where there is no code";
    uc_emu_stop(uc);
    return false;
}

// ---- running
// -------------------------------------------------------------------------------------------------------------

static const char *open_engine(struct unicorn *u)
{
    struct ee *ee = u->ee;
    uc_hook hook;
    if (uc_open(UC_ARCH_MIPS, UC_MODE_MIPS64 | UC_MODE_LITTLE_ENDIAN, &u->uc))
        return "Unicorn cannot open a MIPS64 little-endian engine";
    // Up to 2.1.2 this selects a MIPS32 core with 64-bit registers, from 2.1.3 on the MIPS64 core 5Kc.
    if (uc_ctl_set_cpu_model(u->uc, UC_CPU_MIPS64_5KC))
        return "Unicorn has no MIPS64 5Kc model";
    for (unsigned n = 0; n < SEGMENTS; n++)
        if (uc_mem_map_ptr(u->uc, segments[n], ee->ram_size + EE_PAGE_SIZE, UC_PROT_READ | UC_PROT_EXEC,
                           u->image) ||
            uc_mem_map_ptr(u->uc, segments[n] + EE_TRAP_BASE, EE_PAGE_SIZE, UC_PROT_READ | UC_PROT_EXEC,
                           u->traps))
            return "Unicorn cannot map the code image";
    if (uc_hook_add(u->uc, &hook, UC_HOOK_CODE, (void *)(uintptr_t)on_code, u, 1, 0) ||
        uc_hook_add(u->uc, &hook, UC_HOOK_INTR, (void *)(uintptr_t)on_interrupt, u, 1, 0) ||
        uc_hook_add(u->uc, &hook, UC_HOOK_MEM_INVALID, (void *)(uintptr_t)on_invalid, u, 1, 0))
        return "Unicorn cannot add the hooks";
    u->gpr = unicorn_find_gpr(u->uc);
    return NULL;
}

static void close_engine(struct unicorn *u)
{
    if (u->uc)
        uc_close(u->uc);
    u->uc = NULL;
    u->gpr = NULL;
    u->translated = 0;
}

// Unicorn 2.0.1 keeps every translation in a buffer of 1 GiB, also those that were dropped, and crashes when
// it is full. So the engine is made anew long before, when no entry is open; where that cannot be, bodies run
// the program.
static bool has_room(struct unicorn *u)
{
    if (u->uc && u->translated >= MOST_WORDS && u->depth == 0) {
        close_engine(u);
        if (open_engine(u))
            close_engine(u);
    }
    return u->uc && u->translated < 4 * MOST_WORDS;
}

static const struct insn *slice(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = state(ee);
    if (!enterable(ee, i) || !has_room(u))
        return by_body(ee, i);
    struct unicorn_entry outer = u->now;
    uint32_t address = address_of(ee, i);
    if (ee->lockstep)
        ee_lockstep_start(ee, address);
    u->now = (struct unicorn_entry){.next = i, .address = sext32(address), .starting = true};
    push_all(ee, u);
    u->depth++;
    uc_emu_start(u->uc, u->now.address, 0, 0, 0);
    u->depth--;
    pull_all(ee, u);
    announce(ee);
    const struct insn *next = u->now.next;
    if (u->now.current && !u->surprise)
        u->surprise = "Unicorn stopped by itself";
    if (u->surprise && !ee->ctl.halted)
        ee_fault_message(ee, u->now.current ? u->now.current : i, GUEST_FAULT_PORT, u->surprise);
    u->now = outer;
    if (!ee->ctl.halted)
        ee->ctl.run = next;
    if (ee->lockstep)
        ee_lockstep_end(ee, next);
    return next;
}

static void *map(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void unicorn_free(struct ee *ee)
{
    struct unicorn *u = state(ee);
    if (!u)
        return;
    close_engine(u);
    if (u->image)
        munmap(u->image, ee->ram_size + EE_PAGE_SIZE);
    if (u->traps)
        munmap(u->traps, EE_PAGE_SIZE);
    free(u);
    ee->unicorn = NULL;
}

const struct engine_ops ee_unicorn = {.name = "unicorn",
                                      .undecoded = undecoded,
                                      .slice = slice,
                                      .decoded = decoded,
                                      .forgotten = forgotten,
                                      .prepared = prepared,
                                      .free = unicorn_free};

const char *ee_unicorn_new(struct ee *ee)
{
    struct unicorn *u = ee->unicorn = calloc(1, sizeof *u);
    if (!u)
        return "out of memory";
    u->ee = ee;
    u->image = map(ee->ram_size + EE_PAGE_SIZE);
    u->traps = map(EE_PAGE_SIZE);
    if (!u->image || !u->traps)
        return "out of memory";
    for (unsigned n = 0; n < EE_TRAP_COUNT; n++)
        ee->trap[n].fn = with_all;
    ee->outside.fn = with_all;
    for (unsigned n = 0; n < EE_PAGE_SIZE / 4; n++)
        memcpy(u->traps + n * 4, &unknown, 4);
    u->image[ee->ram_size / 4] = unknown;
    const char *why = open_engine(u);
    return why ? why : unicorn_self_test(ee);
}
