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

// unicorn_gpr.c: the address of Unicorn's 32 GPRs, found by content and proved both ways; NULL when not
// found.
uint64_t *unicorn_find_gpr(uc_engine *);

// unicorn_test.c: NULL, or which of the known failures of Unicorn this build shows.
const char *unicorn_self_test(struct ee *);

#endif
