// A second model of VU0 and VU1 in micro mode, to give another opinion on vu/; slow and plain by choice: one
// cycle after the other, every result in flight an entry of a queue.
//
// Sources: the instruction lists and pipeline pages of israpps/ps2tek:PS2/VU, the assembler of
// unknownbrackets/ps2autotests:tests/vu/assemble (encodings), captured console results (tests/vectors). It
// shares no code with vu/.
//
// What a pair does: all results that are due arrive; a pair whose hazards are not clear waits a cycle; both
// halves read the state before the pair. Results: VF 4 cycles after issue (FMAC, loads, moves alike), VI 1
// (ILW and ILWR 4), MAC, status and clip 4, Q 7 (RSQRT 13) together with its status bits, P by instruction.
// A pair waits for VF lanes and loaded VI registers it reads, FDIV and WAITQ for the divider, EFU and WAITP
// for the EFU until one cycle before its result, XGKICK for the kick before.
//
// Points the sources leave open, and what was chosen here:
//  1. ACC overflow latch: on (rules.acc_latch); known from an emulator only.
//  2. A conditional branch sees a VI as it was before the write of the pair issued one cycle earlier, when
//     that was integer arithmetic, MTIR or the pointer of LQI, LQD, SQI, SQD; of several such writes in a row
//     it sees none (PSI-Rockin/DobieStation#157, a game), or not the last four. Results of flag instructions,
//     ILW, XTOP, XITOP and links are seen at once. JR and JALR always see the newest value (captured for
//     IADDI then JALR).
//  3. A branch in a delay slot: relative to its own address; its link is the pair after its own slot, which
//     is the first branch's target.
//  4. E in the pair after an E pair changes nothing. A branch in the pair after E is forgotten; TPC is the
//     pair after. E wins over D and T where both stop.
//  5. FSSET and FCSET take effect 4 cycles after issue; FSSET wins over an FMAC of its pair (the sticky bits
//     only), FCSET beside CLIP does nothing (PCSX2/pcsx2:pcsx2/VU0microInterp.cpp). What the divider raises
//     in the cycle in which FSSET takes effect stays (pcsx2/VUops.cpp).
//  6. An IALU write while an ILW of the same register is in flight: the later write stays; readers still wait
//     for the ILW. To a branch the loaded value is the one before the IALU write.
//  7. ILW and ILWR with several lanes take the last of x, y, z, w; with none they write nothing
//     (pcsx2/VUops.cpp). FCGET gives 12 bits.
//  8. LQD and SQD with vi00 use address ffff, vi00 stays 0. CLIP ignores the mask field (captured); OPMULA
//  and
//     OPMSUB follow it, and their lane w is fs.w and +0 (zaim9002/ARMSX2-Performance:pcsx2/VUops.cpp). Bit 4
//     of a VI field is ignored. Where the lower half writes the VF that the upper writes with a non-empty
//     mask, the whole lower result is dropped (the pointer of LQI and LQD still moves).
//  9. EFU, WAITP, XGKICK and XTOP do nothing on VU0; MFP loads the masked lanes from quadword 255 (captured,
//     three programs). Reserved encodings do nothing.
// 10. XGKICK issued in cycle t reads quadword k of its packet in cycle t + 3 + 2k, before the pair of that
//     cycle stores: a store two pairs behind XGKICK still changes the first one
//     (jpd002/Play-:tools/VuTest/XgKickTest.cpp, from a game). The unit is busy until the last read. What is
//     left when the program ends is read after the end. A packet without EOP ends after VU_MODEL_KICK_LIMIT
//     quadwords.
// 11. The window of VU1 registers in VU0 data (index bit 10): VF, VI00..15, then status 16, MAC 17, clip 18,
//     R 20, I 21, Q 22, P 23, TPC 26; the rest reads 0. Writes reach VF01..31, and lane x VI01..15 and what
//     CTC2 can write.
// 12. When a program stops for any reason its results in flight arrive.
#ifndef TESTS_MODEL_VU_MODEL_H
#define TESTS_MODEL_VU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VU_MODEL_QUEUE = 64,
    VU_MODEL_STALE = 4,
    VU_MODEL_KICK_LIMIT = 1 << 12,
    VU_MODEL_VU0_BYTES = 4 << 10, // data and micro memory alike
    VU_MODEL_VU1_BYTES = 16 << 10,
};

enum vu_model_stop {
    VU_MODEL_RUNNING,
    VU_MODEL_END,   // E bit
    VU_MODEL_D,     // D bit, enabled in FBRST
    VU_MODEL_T,     // T bit, enabled in FBRST
    VU_MODEL_LIMIT, // the cycle count reached the limit
};

enum vu_model_event_kind {
    VU_MODEL_VF,     // VF[reg] lanes of mask
    VU_MODEL_VI,     // VI[reg], from ILW and ILWR
    VU_MODEL_FMAC,   // MAC and status
    VU_MODEL_FDIV,   // Q and status
    VU_MODEL_EFU,    // P
    VU_MODEL_CLIP,   // six bits shifted in
    VU_MODEL_STICKY, // FSSET
    VU_MODEL_FCSET,
};

// A result in flight. It arrives at the start of cycle `ready`.
struct vu_model_event {
    uint64_t ready;
    enum vu_model_event_kind kind;
    unsigned reg, mask;
    uint32_t value[4]; // VF lanes; else value[0]
    uint32_t flags;    // FMAC: MAC bits; FDIV: I and D as status bits 4 and 5
    uint32_t sticky;   // FMAC: sticky bits raised beyond those of MAC, as status bits 6..9
    bool overwritten;  // VI: a later instruction has written the register
};

struct vu_model_kick {
    bool active;
    uint64_t next;    // cycle of the next read
    uint32_t address; // quadword
    uint32_t left;    // quadwords of the current tag's data
    bool last_tag;    // EOP of the current tag
    uint32_t total;
};

// One issued pair, for a trace.
struct vu_model_pair {
    uint32_t pc; // pairs
    uint32_t upper, lower;
    uint64_t cycle; // of issue
    unsigned stalls;
};

// Cycles from issue to result, and rules that can be broken to show that a check notices.
struct vu_model_rules {
    unsigned vf, ilw, mac, clip, div, rsqrt;
    unsigned efu_more;  // on top of each instruction's own latency
    unsigned efu_early; // by how much the EFU is free before its result
    // Choice 10: cycles from XGKICK to the first read, and from read to read. Step 0: all is read at once.
    unsigned kick_first, kick_step;
    bool acc_latch;
    bool product_sticky;   // a multiply-add's product raises sticky bits of its own
    bool zero_by_exponent; // Z tests the exponent field alone
    unsigned stale_pairs;  // how many writes in a row a branch does not see, at most VU_MODEL_STALE
    bool upper_wins;       // a VF written by both halves
};

struct vu_model {
    unsigned unit; // 0 or 1
    uint32_t vf[32][4];
    uint16_t vi[16];
    uint32_t acc[4];
    bool acc_overflow[4];
    uint32_t q, p, i, r; // r: 23 bits
    uint32_t mac, status, clip;
    uint32_t pc;              // TPC, in pairs
    uint32_t fbrst, vpu_stat; // as VU0's bits: FBRST D enable 4, T enable 8; VPU_STAT D stop 2, T stop 4
    uint16_t top, itop;
    uint8_t *micro, *data;   // owned by the caller, VU_MODEL_VUn_BYTES each
    struct vu_model *window; // VU1 behind VU0's data space, or NULL
    struct vu_model_rules rules;

    uint64_t cycle;     // of the next issue; grows over programs
    uint64_t end_cycle; // cycle after the last issue
    uint64_t pairs;     // issued since init

    void (*on_pair)(void *context, const struct vu_model_pair *pair);
    // A quadword of a kicked packet: its address (quadwords) and 16 bytes in memory order.
    void (*on_kick)(void *context, uint32_t address, const uint8_t *quadword, uint64_t cycle);
    void *context;

    // The pipelines.
    struct vu_model_event queue[VU_MODEL_QUEUE];
    unsigned queued;
    uint64_t fdiv_free, efu_free; // first cycle in which the unit takes an instruction
    struct vu_model_kick kick;
    uint32_t next_pc;
    bool ending, halting;
    enum vu_model_stop halt;
    // VI written by stale_count integer instructions in a row, the last in cycle stale_cycle, which a branch
    // one cycle later does not see; the values before each, the last first.
    unsigned stale_reg, stale_count;
    uint16_t stale_value[VU_MODEL_STALE];
    uint64_t stale_cycle;

    // Scratch of the pair being issued.
    bool taken;
    uint32_t target;
    unsigned upper_vf; // VF that the upper half writes, or 0
};

enum vu_model_class {
    VU_MODEL_ARITHMETIC, // writes MAC
    VU_MODEL_PLAIN,      // writes a VF or clip, no MAC (upper) or is a move, integer or flag instruction
    VU_MODEL_LOAD,
    VU_MODEL_STORE,
    VU_MODEL_BRANCH, // conditional
    VU_MODEL_JUMP,   // B, BAL, JR, JALR
    VU_MODEL_FDIV_OP,
    VU_MODEL_EFU_OP,
    VU_MODEL_WAIT,
    VU_MODEL_KICK,
};

// One row of the instruction table. operands has one letter per field that the instruction uses:
//   m  destination mask, bits 24..21        b  broadcast lane, bits 1..0
//   D  fd: VF written                       N  ft: VF written                A  ACC written
//   S  fs: VF read, lanes of mask           T  ft: VF read, lanes of mask    B  ft: VF read, lane b
//   F  fs: VF read, lane bits 22..21        G  ft: VF read, lane bits 24..23
//   R  fs: VF read, lanes of MR32           C  fs: xyz and ft: w of CLIP     O  fs and ft: lanes of the outer
//   product X  fs: VF read, lanes xy   Z  xz   3  xyz   4  xyzw (EFU) d  fd: VI written          s  fs: VI
//   read    t  ft: VI read    n  ft: VI written u  fs: VI read, written    v  ft: VI read, written 1  VI01
//   written c  signed imm5   k  signed imm11   l  imm15   j  imm12   x  imm24
struct vu_model_insn {
    const char *name;
    bool upper;
    uint32_t match, mask;
    const char *operands;
    enum vu_model_class class;
    bool vu1_only;
    void (*body)(struct vu_model *m, const struct vu_model_insn *insn, uint32_t word);
    int operation, source; // for bodies that several rows share
};

// The row of a word, or NULL when the encoding is reserved. Bits 31..27 of an upper word are not looked at.
const struct vu_model_insn *vu_model_decode_upper(uint32_t word);
const struct vu_model_insn *vu_model_decode_lower(uint32_t word);

// Row i in a fixed order, upper rows first, or NULL past the end.
const struct vu_model_insn *vu_model_insn(size_t i);
const struct vu_model_insn *vu_model_find(bool upper, const char *name);

// Values for the fields of an instruction; only those that its operands name are used.
struct vu_model_fields {
    unsigned fd, fs, ft, mask, bc, fsf, ftf;
    uint32_t immediate;
};
uint32_t vu_model_encode(const struct vu_model_insn *insn, const struct vu_model_fields *fields);

// Everything zero but VF00; memories zeroed; no callbacks; the right rules.
void vu_model_init(struct vu_model *m, unsigned unit, uint8_t *micro, uint8_t *data);

// Prepares a program that begins at pair pc.
void vu_model_start(struct vu_model *m, uint32_t pc);

// Runs until the program stops or m->cycle is at least limit; drains unless the limit stopped it.
enum vu_model_stop vu_model_run(struct vu_model *m, uint64_t limit);

// Lets everything in flight arrive, as at the end of a program.
void vu_model_drain(struct vu_model *m);

// Issues one pair (after its stalls); VU_MODEL_RUNNING while the program goes on.
enum vu_model_stop vu_model_step(struct vu_model *m);

#endif
