// Random UNPACK set-ups for comparing two unpackers; each is a function of its seed and options.
//
// Without features a set-up keeps to what the sources settle; each feature adds what vif_unpack.h lists as
// open.
#ifndef TESTS_MODEL_RANDOM_UNPACK_H
#define TESTS_MODEL_RANDOM_UNPACK_H

#include "tests/model/vif_unpack.h"

enum random_unpack_feature {
    RANDOM_UNPACK_V3_W = 1 << 0,      // V3 with a w that is written from the source (choice 1)
    RANDOM_UNPACK_FILL_DATA = 1 << 1, // data lanes in fill writes (2)
    RANDOM_UNPACK_V4_5_MODE = 1 << 2, // V4-5 with MODE not 0 (3)
    RANDOM_UNPACK_RESERVED = 1 << 3,  // the formats that do not exist (4)
    RANDOM_UNPACK_ALL = (1 << 4) - 1,
};

struct random_unpack_options {
    uint64_t seed;
    unsigned unit;
    unsigned features; // of enum random_unpack_feature
};

enum {
    RANDOM_UNPACK_BYTES = 16 << 10, // of VU1; VU0 uses the first 4 KiB
    RANDOM_UNPACK_WORDS = 1024 + 8, // an UNPACK takes at most 1024
    RANDOM_UNPACK_CUTS = 8,
};

struct random_unpack {
    unsigned unit;
    uint32_t code; // the VIFcode
    uint8_t cl, wl;
    uint32_t mask, row[4], col[4];
    unsigned mode;
    uint16_t tops;
    unsigned first_word; // place in its source quadword of data[0]; the VIFcode is one word before
    size_t words;        // data words that the UNPACK takes
    uint32_t data[RANDOM_UNPACK_WORDS]; // those, and what follows them in the source
    // Places at which a transfer may be cut, in words of data, ascending; the source arrives in cuts + 1
    // parts.
    unsigned cuts, cut[RANDOM_UNPACK_CUTS];
    uint8_t memory[RANDOM_UNPACK_BYTES]; // before
};

void random_unpack_make(struct random_unpack *u, const struct random_unpack_options *options);

// Puts registers and memory into a model that unpack_model_init has prepared.
void random_unpack_load(const struct random_unpack *u, struct unpack_model *m);

#endif
