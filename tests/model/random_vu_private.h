// Shared by the parts of the generator of random VU microprograms.
#ifndef TESTS_MODEL_RANDOM_VU_PRIVATE_H
#define TESTS_MODEL_RANDOM_VU_PRIVATE_H

#include "tests/model/random_private.h"
#include "tests/model/random_vu.h"

enum { VI_LOADED = 8, VI_JUMP = 9, VI_BASE = 10, VI_BASES = 4, VI_COUNT = 14, VI_LINK = 15 };
enum { RECENT = 8, VU_MAX_ROWS = 120 };

// What a pair writes, to be read again soon.
struct vu_recent {
    unsigned vf[2], vi;
    bool ialu; // vi was written by integer arithmetic
};

struct vu_generator {
    struct generator numbers; // its random numbers and float patterns
    struct random_vu_program *program;
    unsigned features;
    uint32_t position; // pair
    uint32_t label;    // position of the last place that a jump may arrive at
    unsigned depth;    // of items
    bool in_loop, in_call;
    bool fdiv_pending;
    unsigned arithmetic_share;       // of 8 upper halves, how many write MAC
    struct vu_recent recent[RECENT]; // 0 is the newest
    const struct vu_model_insn *upper_arithmetic[VU_MAX_ROWS], *upper_plain[VU_MAX_ROWS];
    const struct vu_model_insn *lower[VU_MODEL_KICK + 1][VU_MAX_ROWS];
    const struct vu_model_insn *flag_readers[VU_MAX_ROWS];
    unsigned flag_reader_count, upper_arithmetic_count, upper_plain_count, lower_count[VU_MODEL_KICK + 1];
};

static inline bool has_feature(const struct vu_generator *g, unsigned feature)
{
    return (g->features & feature) != 0;
}

// random_vu_pair.c
void vu_collect_rows(struct vu_generator *g);
void vu_emit(struct vu_generator *g, uint32_t upper, uint32_t lower);
void vu_emit_pair(struct vu_generator *g);                  // any pair without a branch
void vu_emit_lower(struct vu_generator *g, uint32_t lower); // with a random upper half
uint32_t vu_random_upper(struct vu_generator *g);
uint32_t vu_nop_upper(void);
uint32_t vu_nop_lower(void);
uint32_t vu_lower(const char *name, unsigned fd, unsigned fs, unsigned ft, uint32_t immediate);
unsigned vu_draw_vi(struct vu_generator *g); // to read
// A conditional branch over `offset` pairs, not yet emitted; its hazards are those of the next pair.
uint32_t vu_random_branch(struct vu_generator *g, uint32_t offset);
void vu_emit_flag_write(struct vu_generator *g);

#endif
