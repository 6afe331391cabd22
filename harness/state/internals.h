// "PCSX2 Internal Structures.dat": where its parts lie. Private to harness/.
//
// The file is a row of structures as the emulator has them in memory, without sizes; 32-byte tags stand
// between some. Its layout changed often and its version numbers do not tell all (PCSX2/pcsx2#7541, #13481),
// so parts are found from their tags and recognised by what is constant in them. Layout:
// PCSX2/pcsx2:pcsx2/{SaveState,VMManager,Memory,GS,Counters,VUmicroMem,Vif,Gif_Unit}.cpp, R5900.h, VU.h.
#ifndef STATE_INTERNALS_H
#define STATE_INTERNALS_H

#include "harness/ps2h.h"

#define INTERNALS_TAG_SIZE   32u
#define INTERNALS_PRIVILEGED 0x2000u // bytes of the GS's privileged block
#define INTERNALS_TLB        48u
#define INTERNALS_COUNTERS   4u
#define INTERNALS_VU_VF      0u // from the position of a unit's VF00
#define INTERNALS_VU_VI      0x200u
#define INTERNALS_VU_SIZE    0x400u

// Offsets from the start of the EE's record.
enum internals_ee {
    INTERNALS_GPR = 0x000,
    INTERNALS_HI = 0x200,
    INTERNALS_LO = 0x210,
    INTERNALS_COP0 = 0x220,
    INTERNALS_SA = 0x2a0,
    INTERNALS_IN_SLOT = 0x2a4,
    INTERNALS_PC = 0x2a8,
    INTERNALS_COUNTERS_PERF = 0x2b0,
    INTERNALS_START_CYCLES = 0x340,
};

// Positions in the file; 0 for what is not there.
struct internals {
    const uint8_t *bytes;
    size_t size;
    uint32_t crc;  // of the game's ELF file
    char elf[128]; // its path; empty when the file has none
    size_t ee, fpu;
    bool wide;            // cycle counts have 64 bits
    bool has_acc_flag;    // the FPU's record ends with ACC's overflow flag
    size_t tlb, tlb_step; // 48 entries that begin with PageMask, EntryHi, EntryLo0, EntryLo1
    size_t counters, counter_step;
    size_t gs_privileged;
    size_t vf[2], acc[2];       // of VU0 and VU1: VF00, which VI follow; ACC
    size_t vif[2], vif_data[2]; // ROW and COL; bytes of an UNPACK whose data have not all come
    uint32_t vif_data_size[2];
};

// What identifies a console. A state of ours may have any of the R5900's.
struct internals_model {
    bool any;
    uint32_t version; // for messages
};

enum ps2_status internals_read(struct internals *, const char *path, const uint8_t *bytes, size_t size,
                               const struct internals_model *, struct ps2_error *);
uint32_t internals_word(const struct internals *, size_t at);
uint64_t internals_cycles(const struct internals *, size_t at); // 32 or 64 bits, as the file has them

#endif
