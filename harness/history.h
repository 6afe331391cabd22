// The last events of a run, kept for the report of a fault. Private to harness/.
#ifndef HARNESS_HISTORY_H
#define HARNESS_HISTORY_H

#include "harness/ps2h.h"

#define HISTORY_SIZE 16

struct ps2_history {
    struct ps2 *ps2;
    struct guest_observer observer;
    struct guest_access accesses[HISTORY_SIZE]; // rings: the entry of event n is n % HISTORY_SIZE
    uint32_t pcs[HISTORY_SIZE];
    uint64_t access_count, pc_count;
};

#endif
