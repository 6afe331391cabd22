// Random VU microprograms for comparing two implementations; each is a function of its seed and options.
//
// Without features a program keeps to what the sources settle, so that any two right implementations agree;
// each feature adds constellations that vu_model.h lists as open, or that need more of the caller. A program
// ends by its E bit; loops are counted, everything else goes forward. Registers: VI08 is written by ILW and
// ILWR only, VI09 holds jump targets and kick addresses, VI10..VI13 addresses around quadword 160, VI14
// counts loops, VI15 holds links; the others are free.
#ifndef TESTS_MODEL_RANDOM_VU_H
#define TESTS_MODEL_RANDOM_VU_H

#include "tests/model/vu_model.h"

enum random_vu_feature {
    RANDOM_VU_FLAG_WRITES = 1 << 0, // FSSET and FCSET close to FMACs, CLIPs, FDIVs and flag reads (choice 5)
    RANDOM_VU_SLOT_BRANCHES = 1 << 1,   // branches in delay slots (3)
    RANDOM_VU_STALE_CHAINS = 1 << 2,    // branches behind chains of writes of their VI (2)
    RANDOM_VU_ILW_OVERWRITTEN = 1 << 3, // writes of a VI while its ILW is in flight (6)
    RANDOM_VU_DOUBLE_WRITES = 1 << 4,   // both halves write the same VF (8)
    RANDOM_VU_STOP_BITS = 1 << 5,       // D and T enabled in FBRST: a program may stop early
    RANDOM_VU_KICK = 1 << 6,            // VU1: XGKICK of packets that no store touches
    RANDOM_VU_KICK_RACE = 1 << 7,       // stores may change a packet being sent (10); includes KICK
    RANDOM_VU_WINDOW = 1 << 8,          // VU0: addresses with bit 10, which reach the registers of VU1 (11)
    RANDOM_VU_ODD = 1 << 9, // VI00 as a counting pointer, ILW of several lanes, bit 4 of VI fields,
                            // VU1's instructions on VU0, a branch in the slot of E (4, 7, 8, 9)
    RANDOM_VU_ALL = (1 << 10) - 1,
};

struct random_vu_options {
    uint64_t seed;
    unsigned unit;
    unsigned pairs;    // length, 10..400; 0 draws it
    unsigned features; // of enum random_vu_feature
};

struct random_vu_program {
    unsigned unit;
    uint32_t entry;
    unsigned pairs; // emitted
    uint64_t limit; // cycles that no program of this generator reaches
    unsigned fbrst; // as in struct vu_model

    // Initial state. mac is consistent with the low four bits of status.
    uint32_t vf[32][4], acc[4], q, p, i, r, mac, status, clip;
    uint16_t vi[16], top, itop;
    uint8_t micro[VU_MODEL_VU1_BYTES], data[VU_MODEL_VU1_BYTES];
};

void random_vu_make(struct random_vu_program *program, const struct random_vu_options *options);

// Puts memories and registers into a model that vu_model_init has prepared, and starts it.
void random_vu_load(const struct random_vu_program *program, struct vu_model *m);

#endif
