// What the unicorn engine does at each instruction: which ones Unicorn runs itself, how a body gets its
// registers from there, and how control leaves and comes back.
#include "ee/unicorn.h"

#include <string.h>

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

void unicorn_pull_all(struct ee *ee, struct unicorn *u)
{
    for (unsigned n = 1; n < 32; n++)
        pull(ee, u, n);
}

void unicorn_push_all(struct ee *ee, struct unicorn *u)
{
    for (unsigned n = 1; n < 32; n++)
        unicorn_set_gpr(u, n, ee->gpr[n].d[0]);
}

void unicorn_set_pc(struct unicorn *u, uint32_t address)
{
    uint64_t pc = sext32(address);
    uc_reg_write(u->uc, UC_MIPS_REG_PC, &pc);
}

// ---- records
// ---------------------------------------------------------------------------------------------------------
// `fn` of a record is what the hook calls. It gets and returns what a body does; the result is not used.

bool unicorn_in_slot(const struct unicorn *u)
{
    return u->now.current && u->now.current->slot && u->now.previous == u->now.current - 1;
}

// Ends this entry into Unicorn; `next` is what runs then, unless the CPU halted.
const struct insn *unicorn_leave(struct ee *ee, const struct insn *next)
{
    struct unicorn *u = ee->unicorn;
    u->now.next = next;
    u->now.current = NULL;
    uc_emu_stop(u->uc);
    return next;
}

// Goes on at `next` without leaving Unicorn. From 2.1 a nested run makes Unicorn leave all the same; `slice`
// then enters it anew at `next`.
void unicorn_restart(struct ee *ee, const struct insn *next)
{
    struct unicorn *u = ee->unicorn;
    u->now.next = next;
    u->now.current = NULL;
    unicorn_set_pc(u, address_of(ee, next));
}

static const struct insn *faulted(struct ee *ee, const struct insn *i)
{
    ee->ctl.stop.in_slot = unicorn_in_slot(ee->unicorn);
    return unicorn_leave(ee, i);
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
    struct unicorn *u = ee->unicorn;
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
    struct unicorn *u = ee->unicorn;
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
    struct unicorn *u = ee->unicorn;
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
    struct unicorn *u = ee->unicorn;
    pull(ee, u, i->rs);
    pull(ee, u, i->rt);
    i->exec(ee, i);
    unicorn_set_gpr(u, i->rd, ee->gpr[i->rd].d[0]);
    ee->ctl.retired++;
    return i;
}

// One instruction, or a branch with its slot, by bodies alone.
const struct insn *unicorn_by_body(struct ee *ee, const struct insn *i)
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
bool unicorn_enterable(const struct ee *ee, const struct insn *i)
{
    return i != &ee->outside && address_of(ee, i) != 0;
}

// Goes on at `next`, in this entry into Unicorn.
static const struct insn *redirect(struct ee *ee, const struct insn *next)
{
    struct unicorn *u = ee->unicorn;
    while (!ee->ctl.halted && ee->ctl.retired < ee->ctl.stop_at && !unicorn_enterable(ee, next))
        next = unicorn_by_body(ee, next);
    unicorn_push_all(ee, u);
    if (ee->ctl.halted || !unicorn_enterable(ee, next))
        return unicorn_leave(ee, next);
    unicorn_restart(ee, next);
    return next;
}

// Whatever may move the PC or look at every register: ports, traps, stubs, branches with an odd slot or
// target.
const struct insn *unicorn_with_all(struct ee *ee, const struct insn *i)
{
    unicorn_pull_all(ee, ee->unicorn);
    return redirect(ee, i->exec(ee, i));
}

// A register jump to where Unicorn has no code, or through a register with anything but the sign in its upper
// word, which Unicorn would take for part of the address, goes the slow way, slot and all.
static const struct insn *register_jump(struct ee *ee, const struct insn *i)
{
    uint64_t value = unicorn_gpr(ee->unicorn, i->rs);
    uint32_t target = (uint32_t)value, segment = ee->ctl.segment;
    const struct insn *record = ee_record(ee, target);
    ee->ctl.segment = segment;
    if (record != &ee->outside && target != 0 && value == sext32(target))
        return native(ee, i);
    unicorn_pull_all(ee, ee->unicorn);
    return redirect(ee, ee_branch_slow(ee, i));
}

static bool decide(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = ee->unicorn;
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
    struct unicorn *u = ee->unicorn;
    u->now.k1 = unicorn_gpr(u, 27);
    unicorn_set_gpr(u, 27, decide(ee, i));
    return native(ee, i);
}

static ee_body *plain_entry(const struct ee *ee, const struct insn *i);

static const struct insn *special_slot(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = ee->unicorn;
    if (unicorn_in_slot(u)) {
        if (i->slot & SLOT_K1)
            unicorn_set_gpr(u, 27, u->now.k1);
        if (i->slot & SLOT_LIKELY && !u->now.taken)
            return i;
    }
    return plain_entry(ee, i)(ee, i);
}

void unicorn_announce(struct ee *ee)
{
    struct unicorn *u = ee->unicorn;
    if (!u->now.pending)
        return;
    u->now.pending = false;
    unicorn_pull_all(ee, u);
    ee_notify(ee, u->now.pending_pc, u->now.pending_word, u->now.pending_in_slot);
}

// While an observer is attached. What Unicorn runs itself has written its registers by the next call of the
// hook.
static const struct insn *watched(struct ee *ee, const struct insn *i)
{
    struct unicorn *u = ee->unicorn;
    unicorn_announce(ee);
    if (ee->lockstep && !unicorn_in_slot(u)) {
        unicorn_pull_all(ee, u);
        ee_lockstep_boundary(ee, address_of(ee, i));
        if (ee->ctl.halted)
            return unicorn_leave(ee, i);
    }
    uint64_t before = ee->ctl.retired;
    ee_body *exec = i->exec;
    struct unicorn_entry *now_ = &u->now;
    now_->pending_pc = address_of(ee, i);
    now_->pending_word = i->word;
    now_->pending_in_slot = unicorn_in_slot(u);
    const struct insn *next = (i->slot & (SLOT_LIKELY | SLOT_K1) ? special_slot : plain_entry(ee, i))(ee, i);
    now_->pending = ee->ctl.retired == before + 1 && exec != ee_branch_slow && exec != ee_stubbed;
    return next;
}

static ee_body *plain_entry(const struct ee *ee, const struct insn *i)
{
    uint32_t flags = ee_ops[i->op].flags, gprs = flags & (R_RS | R_RT | R_RD | W_RT | W_RD);
    (void)ee;
    if (i->exec == ee_stubbed || i->exec == ee_branch_slow || i->exec == op_syscall || i->exec == op_eret)
        return unicorn_with_all;
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

void unicorn_choose(struct ee *ee, struct insn *i)
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
uint32_t unicorn_image_word(const struct ee *ee, const struct insn *i)
{
    const struct ee_op *op = &ee_ops[i->op];
    ee_body *entry = plain_entry(ee, i);
    if (entry == coprocessor_branch)
        return (op->flags & LIKELY ? 0x57600000 : 0x17600000) | (i->word & 0xffff); // BNEL, BNE $k1, $0
    if (entry == native || entry == likely_branch || entry == register_jump)
        return as_shift(i) & ~op->zero;
    return 0; // NOP
}
