// A machine with one of the programs of tests/guest/ loaded.
#ifndef TESTS_GUEST_H
#define TESTS_GUEST_H

#include "harness/ps2h.h"

// Fails the running test when the program (of the folder $GUEST, or build/guest) cannot be loaded.
struct ps2 *guest_machine(const char *program, const struct ps2_config *);
uint32_t guest_address(struct ps2 *, const char *symbol);
// Calls with a limit of a million instructions.
enum ps2_status guest_call(struct ps2 *, const char *function, const struct ps2_argument *, size_t count,
                           struct ps2_result *);

#endif
