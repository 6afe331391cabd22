// The unicorn engine's state. Private to ee/.
#ifndef EE_UNICORN_H
#define EE_UNICORN_H

#include "ee/bodies.h"

#include <unicorn/unicorn.h>

// What a branch says of the word behind it.
enum slot_kind {
    SLOT = 1,
    SLOT_LIKELY = 2, // nullified when the branch is not taken, which the hook must see by itself
    SLOT_K1 = 4,     // the branch tests $k1 in place of a coprocessor's condition
};

// One entry into Unicorn, saved around a nested one.
struct unicorn_entry {
    const struct insn *current, *previous; // records of the last two calls of the hook
    const struct insn *next;               // where to go on after uc_emu_start
    uint64_t address;                      // of the first instruction, sign-extended
    uint64_t k1;                           // the guest's value while SLOT_K1 is pending
    bool starting;                         // no hook has been called yet
    bool taken;                            // outcome of the last likely or coprocessor branch
    bool pending;                          // observed: the last instruction is not announced yet ...
    bool pending_in_slot;
    uint32_t pending_pc, pending_word; // ... this one
};

struct unicorn {
    uc_engine *uc;
    struct ee *ee;
    uint64_t *gpr;        // Unicorn's own register file, or NULL when it was not found
    uint32_t *image;      // what Unicorn fetches from: RAM's size, and the guard page
    uint8_t *traps;       // the page of trap addresses
    const char *surprise; // Unicorn did what it never should; its state is not to be trusted any more
    uint64_t translated;  // words that Unicorn translated since it was opened, about
    unsigned depth;       // entries into Unicorn that have not returned
    bool batch;           // translations are dropped for the whole block, not per word
    struct unicorn_entry now;
};

uint64_t unicorn_gpr(const struct unicorn *, unsigned n);
void unicorn_set_gpr(struct unicorn *, unsigned n, uint64_t value);

// ---- unicorn_records.c
void unicorn_pull_all(struct ee *, struct unicorn *); // GPRs from Unicorn to struct ee
void unicorn_push_all(struct ee *, struct unicorn *); // ... and back
void unicorn_set_pc(struct unicorn *, uint32_t address);
// The record that runs sits in the delay slot of the one before.
bool unicorn_in_slot(const struct unicorn *);
// Ends this entry into Unicorn; `next` is what runs then, unless the CPU halted.
const struct insn *unicorn_leave(struct ee *, const struct insn *next);
// Goes on at `next` without leaving Unicorn.
void unicorn_restart(struct ee *, const struct insn *next);
// One instruction, or a branch with its slot, by bodies alone.
const struct insn *unicorn_by_body(struct ee *, const struct insn *);
// `fn` of whatever may move the PC or look at every register: ports, traps, stubs, odd branches.
ee_body unicorn_with_all;
// Unicorn can be entered at this record.
bool unicorn_enterable(const struct ee *, const struct insn *);
// Tells the observer of the last instruction, whose registers are written by now.
void unicorn_announce(struct ee *);
// Chooses `fn` of a decoded record, and the word that Unicorn fetches for it.
void unicorn_choose(struct ee *, struct insn *);
uint32_t unicorn_image_word(const struct ee *, const struct insn *);

// unicorn_gpr.c: the address of Unicorn's 32 GPRs, found by content and proved both ways; NULL when not
// found.
uint64_t *unicorn_find_gpr(uc_engine *);

// unicorn_test.c: NULL, or which of the known failures of Unicorn this build shows.
const char *unicorn_self_test(struct ee *);

#endif
