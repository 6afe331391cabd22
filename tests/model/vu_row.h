// Checks VU rows of the vector files against the VU model.
#ifndef TESTS_MODEL_VU_ROW_H
#define TESTS_MODEL_VU_ROW_H

#include "tests/model/vu_model.h"
#include "tests/support/tsv.h"

// Two units to run rows on. With `replaced` set, every occurrence of that instruction in a program is made
// `replacement` (of the same operands) and counted in `uses`.
struct vu_row_runner {
    struct vu_model vu[2];
    uint8_t micro[2][VU_MODEL_VU1_BYTES], data[2][VU_MODEL_VU1_BYTES];
    struct vu_model_rules rules; // of both units
    const struct vu_model_insn *replaced, *replacement;
    unsigned uses;
    // The program being written, in pairs.
    uint32_t upper[512], lower[512];
    unsigned count;
    uint32_t label; // LABEL of the GS, written by kicked packets
};

void vu_row_init(struct vu_row_runner *p);

// Whether the row is about a VU.
bool vu_row_is_vu(const struct tsv_row *row);

// Whether the model gives what a VU row says. False for a row that is not understood. Rows of
// vu_sticky_micro and of VU1 inherit state from the row before, so that a file is read in order.
bool vu_row_agrees(struct vu_row_runner *p, const struct tsv_row *row);

// The rest is shared by the files that check rows.

struct vu_row_text {
    const char *op, *inputs, *state, *expected, *flags, *note;
};

void vu_row_reset(struct vu_row_runner *p); // units as after init, LABEL kept
void vu_row_begin(struct vu_row_runner *p);
void vu_row_pair(struct vu_row_runner *p, uint32_t upper, uint32_t lower);
void vu_row_fill(struct vu_row_runner *p, unsigned count); // pairs that do nothing
void vu_row_end(struct vu_row_runner *p);                  // the E bit pair and one more
uint32_t vu_row_upper(const char *name, unsigned mask, unsigned fd, unsigned fs, unsigned ft);
uint32_t vu_row_lower(const char *name, unsigned mask, unsigned fd, unsigned fs, unsigned ft,
                      uint32_t immediate);
uint32_t vu_row_fnv(const struct vu_row_runner *p);      // of the program written
bool vu_row_run(struct vu_row_runner *p, unsigned unit); // from pair 0 to the E bit
const char *vu_row_after(const char *text, const char *key);
size_t vu_row_hex(const char *text, uint32_t *words, size_t room);    // words up to anything else
bool vu_row_flag(const char *text, const char *key, uint32_t actual); // true where the key is absent

bool vu_row_program(struct vu_row_runner *p, const struct vu_row_text *row); // vu_row_program.c
bool vu_row_timing(struct vu_row_runner *p, const struct vu_row_text *row);  // vu_row_timing.c
bool vu_row_fdiv_delay(struct vu_row_runner *p, const struct vu_row_text *row);

#endif
