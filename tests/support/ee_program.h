// Small programs for the EE core: making one on every engine, and calling a piece of code.
#ifndef TESTS_SUPPORT_EE_PROGRAM_H
#define TESTS_SUPPORT_EE_PROGRAM_H

#include "ee/ee.h"
#include "tests/model/r5900.h"

// An instruction by its name and fields, encoded by the model's table: OP("addiu", .rs = 4, .rt = 2,
// .immediate = 1). Floating-point registers: fd is .sa, fs is .rd, ft is .rt.
#define OP(name, ...) program_word(name, (struct r5900_fields){__VA_ARGS__})
#define NOP           0u
#define JR_RA         0x03e00008u

#define PROGRAM_CODE 0x00100000u
#define PROGRAM_DATA 0x00140000u

extern const uint32_t program_mirrors[5];

uint32_t program_word(const char *name, struct r5900_fields fields);

// cmocka fixtures: *state is a struct ee on that engine.
int program_make_interp(void **state);
int program_make_unicorn(void **state);
int program_make_lockstep(void **state);
int program_drop(void **state);
// A test on all engines, in a cmocka table.
#define ON_EVERY_ENGINE(test)                                                                                \
    {#test "_on_interp", test, program_make_interp, program_drop, NULL},                                     \
        {#test "_on_unicorn", test, program_make_unicorn, program_drop, NULL},                               \
    {                                                                                                        \
#test "_on_lockstep", test, program_make_lockstep, program_drop, NULL                                \
    }

// Puts the words at an address and runs them from there with $ra at trap 0; limit 0 means 10000 instructions.
struct guest_stop program_run(struct ee *, uint32_t address, const uint32_t *words, size_t count,
                              uint64_t limit);
#define RUN(ee, address, words) program_run(ee, address, words, sizeof(words) / sizeof *(words), 0)

#endif
