// Makes PCSX2 save states (.p2s) from a description, by the layouts of several of its versions, for tests of
// readers.
//
// Written from the sources of PCSX2/pcsx2 (pcsx2/SaveState.cpp, R5900.h, VUmicroMem.cpp, Vif.cpp, Memory.cpp,
// GS/GSState.cpp), not from a reader. What a reader must not depend on (counters, pipelines, IOP) is filled
// with bytes that resemble nothing.
#ifndef TESTS_P2S_MAKER_H
#define TESTS_P2S_MAKER_H

#include "tests/support/zip_maker.h"

enum {
    P2S_RAM = 32 << 20,
    P2S_RAM_LARGE = 128 << 20,
    P2S_GS_MEMORY = 4 << 20,
    P2S_ENTRIES = 18,
};

// How `PCSX2 Internal Structures.dat` is laid out; the number is the high half of the save version.
enum p2s_layout {
    P2S_9A0B = 0x9A0B, // 32-bit cycles, VU registers alone, no flags behind the TLB
    P2S_9A2C = 0x9A2C, // 32-bit cycles, EE record of 984 bytes, flags and serial behind the TLB
    P2S_9A34 = 0x9A34, // 32-bit cycles, EE record of 1008 bytes
    P2S_9A4B = 0x9A4B, // game and executable behind the BIOS, small TLB entries, flag of the accumulator
    P2S_9A59 = 0x9A59, // the same with 64-bit cycles: EE record of 1160 bytes
};

// Registers of a drawing context of the GS, in the order of its state.
enum { P2S_CONTEXT_REGISTERS = 12, P2S_ENVIRONMENT_REGISTERS = 15 };

struct p2s_contents {
    uint32_t gpr[32][4], hi[4], lo[4];
    uint32_t cop0[32], sa, delay_slot, pc, code, perf[4];
    uint32_t fpr[32], fcr[32], acc;
    uint32_t tlb[48][4]; // PageMask, EntryHi, EntryLo0, EntryLo1
    uint32_t vu_acc[2][4], vf[2][32][4], vi[2][32], q[2], p;
    uint32_t vif_row[2][4], vif_column[2][4];
    uint32_t unpack_bytes[2]; // of an UNPACK that the state was saved in the middle of
    uint8_t scratchpad[0x4000];
    uint8_t vu_data[2][0x4000], vu_program[2][0x4000]; // VU0: the first 4 KiB
    uint8_t hardware[0x10000];
    uint8_t gs_privileged[0x2000];
    uint64_t gs_environment[P2S_ENVIRONMENT_REGISTERS]; // PRIM .. TRXREG, TRXREG again
    uint64_t gs_context[2][P2S_CONTEXT_REGISTERS];      // XYOFFSET .. ZBUF
    uint64_t gs_rgbaq, gs_st, gs_xyz;
    uint32_t gs_uv, gs_fog, gs_transfer_x, gs_transfer_y, gs_q;
    uint8_t *ram, *gs_memory; // owned
    size_t ram_size;
};

// Every field gets a value that no other has (within its width), no unit is busy, and the registers that a
// state is recognised by are right. `seed` makes another state. p2s_contents_free frees what it owns.
void p2s_contents_make(struct p2s_contents *, uint32_t seed);
void p2s_contents_free(struct p2s_contents *);

struct p2s_options {
    enum p2s_layout layout;
    unsigned minor;       // low half of the save version
    const char *emulator; // NULL: a version entry of 4 bytes
    unsigned gs_version;  // 6, 7, 8 (when 0) or 9
    enum zip_method method;
    bool mixed;             // stored, deflate and zstd in turn instead
    bool streamed;          // entries whose sizes follow them
    unsigned order;         // of the entries: 0 as PCSX2 writes them, otherwise a permutation by this number
    const char *without;    // names of entries that are left out, separated by '|'
    const char *spoilt_tag; // of the internal structures: written with one letter wrong
};

// The file, to be freed by the caller.
uint8_t *p2s_make(const struct p2s_contents *, const struct p2s_options *, size_t *size);
// The internal structures alone, and GS.bin alone.
uint8_t *p2s_make_internal(const struct p2s_contents *, const struct p2s_options *, size_t *size);
uint8_t *p2s_make_gs(const struct p2s_contents *, unsigned version, size_t *size);

#endif
