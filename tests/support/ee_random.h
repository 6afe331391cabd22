// Random programs run by the EE core and by the model, and what differs between the two.
#ifndef TESTS_SUPPORT_EE_RANDOM_H
#define TESTS_SUPPORT_EE_RANDOM_H

#include "ee/ee.h"
#include "tests/model/random_program.h"

enum { RIG_MIRRORS = 5, RIG_TEXT = 4096, RIG_ROWS = 512 };

// An instruction that retired, or a data access.
struct rig_event {
    uint32_t pc, word; // or the address
    uint8_t size;      // 0: an instruction
    bool write, in_slot;
    uint64_t value[2];
};
struct rig_trace {
    struct rig_event *events;
    size_t count, room;
    bool next_in_slot; // of the model
};

struct rig {
    struct ee *ee;
    struct r5900_model model;
    struct random_program program;
    struct guest_observer observer;
    struct rig_trace product_trace, model_trace;
    struct guest_stop stop; // of the product
    bool cpcond;
    // Called when both are loaded, to make a control of the run. May be NULL.
    void (*tamper)(struct rig *);
    // What the run covered.
    unsigned programs, observed, faults;
    unsigned entered[RIG_MIRRORS]; // programs by the mirror they start in
    uint64_t retired;
    bool reached[RIG_ROWS]; // rows of ee_ops that an observed program has run or stopped at
};

// NULL when the core cannot be made; `why` says the reason.
struct rig *rig_new(const struct ee_config *config, char why[GUEST_MESSAGE_SIZE]);
void rig_free(struct rig *);

// Makes the program of a seed and runs it on both; every fourth seed with observers. `text` becomes empty, or
// says what differs first, with the instructions around it.
void rig_check(struct rig *, uint64_t seed, char text[RIG_TEXT]);

// Compares all of RAM, for once in a while: programs write to their regions only.
bool rig_memory_equal(const struct rig *);

// ---- between ee_random.c and ee_random_compare.c
// Puts the program into both.
void rig_load(struct rig *);
// True, with the first difference in `text`, when the registers, the regions, the stops, the traces differ.
bool rig_registers_differ(const struct rig *, char *text, size_t size);
bool rig_regions_differ(struct rig *, char *text, size_t size);
bool rig_stops_differ(const struct rig *, char *text, size_t size);
bool rig_traces_differ(const struct rig *, char *text, size_t size);
// Runs the loaded program again by single steps; appends where the registers first differ.
void rig_locate(struct rig *, char *text, size_t size);

#endif
