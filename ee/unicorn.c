// The unicorn engine: Unicorn's MIPS core runs the instructions it runs right, our bodies the others.
//
// Unicorn sees nothing but code. What it fetches from is an image beside RAM, into which each word is copied
// when it is first reached: as it is when Unicorn may run it, else as a NOP, and the one CODE hook, which is
// called before every instruction, performs our body. All loads and stores are ours, so RAM stays what the
// program wrote, and no other hook is needed. HI, LO, the FPU and the upper halves of the GPRs live in struct
// ee only.
//
// What Unicorn does wrong, and the versions, were measured with 2.0.1: a start PC with a garbage upper half,
// the hook being called for nullified slots, translations that survive a store
// through another mirror. Each has its place below or in unicorn_records.c, and its part in the self-test
// (unicorn_test.c). An exception that Unicorn itself raises in a slot would leave a hidden flag behind, but
// nothing it is trusted with raises one.
#include "ee/unicorn.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Segments that RAM's image is mapped at, as Unicorn's 64-bit virtual addresses.
static const uint64_t segments[] = {0, 0x20000000, 0x30000000, 0xffffffff80000000, 0xffffffffa0000000};
#define SEGMENTS (sizeof segments / sizeof *segments)

// A word takes about 100 bytes of Unicorn's buffer.
#define MOST_WORDS  (UINT64_C(1) << 20)
#define BLOCK_WORDS 16 // about what is translated again with a word that changed
// What stands for a word not yet decoded: SYSCALL ends a translation at once, and the hook comes before it
// runs.
static const uint32_t unknown = 0x0000000c;

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
    struct unicorn *u = ee->unicorn;
    uint32_t index = (uint32_t)(i - ee->code), flags = ee_ops[i->op].flags, slot = 0;
    u->image[index] = unicorn_image_word(ee, i);
    if (flags & BRANCH && i->exec != ee_branch_slow && i->exec != ee_stubbed)
        slot = SLOT | (flags & LIKELY ? SLOT_LIKELY : 0) | (flags & NATIVE ? 0 : SLOT_K1);
    if (index + 1 < ee->ram_size / 4 && i[1].slot != slot) {
        i[1].slot = (uint8_t)slot;
        if (i[1].exec)
            unicorn_choose(ee, &i[1]);
    }
    unicorn_choose(ee, i);
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
    ee->unicorn->image[index] = unknown;
}

static void prepared(struct ee *ee, uint32_t page)
{
    struct unicorn *u = ee->unicorn;
    for (unsigned n = 0; n < EE_PAGE_SIZE / 4; n++)
        u->image[page * (EE_PAGE_SIZE / 4) + n] = unknown;
}

// Decodes up to the end of the block, because every change makes Unicorn translate anew.
static const struct insn *undecoded(struct ee *ee, const struct insn *at)
{
    struct unicorn *u = ee->unicorn;
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
    unicorn_restart(ee, first);
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
    if (LIKELY_FALSE(ee->ctl.retired >= ee->ctl.stop_at) && !unicorn_in_slot(u)) {
        unicorn_leave(ee, i);
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
    struct unicorn *u = ee->unicorn;
    if (!unicorn_enterable(ee, i) || !has_room(u))
        return unicorn_by_body(ee, i);
    struct unicorn_entry outer = u->now;
    uint32_t address = address_of(ee, i);
    if (ee->lockstep)
        ee_lockstep_start(ee, address);
    u->now = (struct unicorn_entry){.next = i, .address = sext32(address), .starting = true};
    unicorn_push_all(ee, u);
    u->depth++;
    uc_emu_start(u->uc, u->now.address, 0, 0, 0);
    u->depth--;
    unicorn_pull_all(ee, u);
    unicorn_announce(ee);
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
    struct unicorn *u = ee->unicorn;
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
        ee->trap[n].fn = unicorn_with_all;
    ee->outside.fn = unicorn_with_all;
    for (unsigned n = 0; n < EE_PAGE_SIZE / 4; n++)
        memcpy(u->traps + n * 4, &unknown, 4);
    u->image[ee->ram_size / 4] = unknown;
    const char *why = open_engine(u);
    return why ? why : unicorn_self_test(ee);
}
