// Walks a list of VIF1 codes as level data stores them: codes and payloads, without executing anything.
//
// Source: reference/level-formats, section 7.4. An address is in quadwords of VU1 data memory.
#ifndef FORMATS_VIF_LIST_H
#define FORMATS_VIF_LIST_H

#include "harness/formats/span.h"

enum fmt_vif_command {
    FMT_VIF_NOP = 0x00,
    FMT_VIF_STCYCL = 0x01,
    FMT_VIF_STMOD = 0x05,
    FMT_VIF_STMASK = 0x20,
    FMT_VIF_STROW = 0x30,
    FMT_VIF_STCOL = 0x31,
    FMT_VIF_MPG = 0x4A,
    FMT_VIF_DIRECT = 0x50,
    FMT_VIF_DIRECTHL = 0x51,
};

// One code and the place of its payload in the list.
struct fmt_vif_code {
    size_t offset; // of the code word
    uint8_t command;
    uint16_t num; // 0 in the word is 256
    uint16_t immediate;
    size_t payload, payload_size; // padding to 4 bytes included
    // UNPACK only:
    bool unpack, is_unsigned;
    uint8_t vn, vl; // components - 1; 0 = 32, 1 = 16, 2 = 8, 3 = 5 bits
    uint16_t address;
};

// Deliberately wrong readings, one rule each, so that a check can show that the rule matters. 0 is the right
// reading.
enum fmt_wrong {
    FMT_WRONG_FORMAT_IN_IMMEDIATE = 1 << 0, // vn, vl from the immediate's low bits
    FMT_WRONG_PAD_TO_2 = 1 << 1,            // unpack payload padded to 2 bytes
    FMT_WRONG_NO_PAYLOAD = 1 << 2,          // STROW, MPG, DIRECT, ... taken as bare words
    FMT_WRONG_BLOCK_RELATIVE = 1 << 3,      // patch data counted from the block
    FMT_WRONG_LAST_ROW = 1 << 4,            // origin from the last row without the 2048.0 lanes, in any list
    FMT_WRONG_UNGUARDED = 1 << 5,           // V4_8 arrays told apart by address alone
    FMT_WRONG_BY_ARRIVAL = 1 << 6,          // strips and indices banked in order of arrival
};

// Reads the code at *at and moves *at past its payload. Rules: a code and its payload lie in the list; the
// command and the unpack format exist.
enum ps2_status fmt_vif_next(struct fmt_span list, size_t *at, struct fmt_vif_code *code, unsigned wrong,
                             struct ps2_error *error);

#endif
