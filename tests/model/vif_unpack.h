// A second VIF unpacker, element by element, to give another opinion on vif/; slow and plain by choice.
//
// Sources: the format pictures of israpps/ps2tek:PS2/VIF, console results of
// unknownbrackets/ps2autotests:tests/dma/vif (stcycl, stmod, unpack). It shares no code with vif/.
//
// A write cycle is WL quadwords (0 is 256). CL >= WL, skipping: every quadword takes data, then CL - WL are
// left out. CL < WL, filling: the first CL take data, the others none; addresses are contiguous. The row of
// MASK and the COL of a quadword is its place in the write cycle, at most 3.
//
// Points the sources leave open, and what was chosen here:
//  1. The w of V3: the next element of the same 16 bytes of the source, as read from the words given, also
//     beyond the data of the UNPACK; 0 where the three elements end on a 16-byte boundary of the source, or
//     the words given end. Reported from a console, not in the captures.
//  2. A lane that takes data in a fill write repeats the lane of the last quadword unpacked by this UNPACK,
//     or 0 before the first; MODE applies to it. (With CL = 0 no element is consumed.)
//  3. V4-5 ignores MODE (known from an emulator).
//  4. Format 3, 7 and 11 of CMD bits 3..0 do not exist: nothing is consumed or written.
//  5. Each UNPACK begins a new write cycle.
//  6. VIF0 ignores FLG. Addresses wrap in the unit's data memory: 256 or 1024 quadwords.
#ifndef TESTS_MODEL_VIF_UNPACK_H
#define TESTS_MODEL_VIF_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Rules that can be broken to show that a check notices.
struct unpack_model_rules {
    bool wl_0_is_256;
    bool num_0_is_256;
    bool fills;             // CL < WL is a filling write
    bool column_stays_at_3; // not modulo 4
    bool mode_2_stores;     // ROW follows the sum
    bool mode_3_stores;     // ROW follows the data
    bool masked_row_stays;  // a lane from ROW is not stored back
    bool v2_repeats;        // x y x y
    bool v3_reads_on;       // choice 1
    bool v3_boundary;       // choice 1
    bool fill_repeats;      // choice 2
    bool v4_5_ignores_mode; // choice 3
};

struct unpack_model {
    unsigned unit; // 0 or 1
    uint8_t cl, wl;
    uint32_t mask;
    unsigned mode;
    uint32_t row[4], col[4]; // lanes x y z w; COL by place in the write cycle
    uint16_t tops;
    uint8_t *memory;     // the unit's data memory, owned by the caller
    size_t quadwords;    // its size, a power of two
    unsigned first_word; // place of the first data word in its quadword of the source, 0..3
    struct unpack_model_rules rules;
};

// Registers zero, CYCLE 0101, the right rules.
void unpack_model_init(struct unpack_model *m, unsigned unit, uint8_t *memory, size_t quadwords);

// Data words that an UNPACK VIFcode takes.
size_t unpack_model_words(const struct unpack_model *m, uint32_t code);

// Executes an UNPACK VIFcode whose data begins at data[0]; `words` is how many words the caller can show,
// which may be more than it takes (choice 1). Returns the words consumed; when `words` is less, nothing is
// done.
size_t unpack_model_run(struct unpack_model *m, uint32_t code, const uint32_t *data, size_t words);

#endif
