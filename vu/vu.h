// The vector units VU0 and VU1: one model for both, VU0's macro mode as coprocessor 2, assembler and
// disassembler.
//
// A microprogram is a row of pairs (an upper and a lower instruction, 8 bytes, lower word first). Program
// addresses in this interface are pair indices. Registers are bit patterns; vectors are x, y, z, w.
#ifndef VU_VU_H
#define VU_VU_H

#include "ee/float.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vu;

enum vu_unit { VU_UNIT_0, VU_UNIT_1 };

#define VU0_MICRO_SIZE  0x1000u // bytes; data memory is as large
#define VU1_MICRO_SIZE  0x4000u
#define VU_MESSAGE_SIZE 160

// What no capture settles. All zero means the defaults.
struct vu_config {
    struct ee_float_config arithmetic;
    // XGKICK reads the whole packet at once. Default: the transfer starts `kick_delay` cycles after the
    // instruction and takes `kick_cycles` a quadword, read in the last of them; a second XGKICK waits.
    // Evidence: PCSX2/pcsx2#7535, #4767, #5048, jpd002/Play-:tools/VuTest/XgKickTest.cpp (games).
    bool instant_kick;
    // 0 means 1 and 2. A store of the pair in the reading cycle is still seen.
    unsigned kick_delay, kick_cycles;
    // WAITP and the next EFU operation wait for the whole latency. Default: one cycle less, the throughput
    // column of the VU manual's instruction table (unverified; only MFP's own time is captured).
    bool efu_full_wait;
    // A branch directly after several pairs in a row that each wrote its register sees the value before the
    // last of them. Default: before the first, at most four back. Evidence for the default:
    // PSI-Rockin/DobieStation#157 (a game).
    bool stale_last_only;
    // ISW and ISWR wait four cycles for a register that an integer instruction wrote. Default: one cycle, as
    // all readers. Evidence for the wait: jpd002/Play-:tools/VuTest/XgKickTest2.cpp (a game); against it: the
    // manual's table.
    bool isw_waits;
};

// How a unit calls up. `kick` gets a packet's quadwords one at a time, the two halves in memory order, and
// returns true when the packet ends with it. NULL: XGKICK is over at once and reads nothing.
struct vu_ports {
    void *context;
    bool (*kick)(void *context, const uint64_t quadword[2]);
};

enum vu_stop_kind {
    VU_ENDED,     // E bit
    VU_D_BIT,     // D bit while FBRST enables it
    VU_T_BIT,     // T bit likewise
    VU_M_BIT,     // M bit, when asked to stop there
    VU_LIMIT,     // the cycle limit; run again to go on
    VU_OUTSIDE,   // the program ran to a pair that was never written
    VU_RESERVED,  // an encoding the unit does not have
    VU_KICK_RUNS, // a kicked packet does not end
};

struct vu_stop {
    enum vu_stop_kind kind;
    uint32_t pc;                   // pair that would run next, or the one refused
    uint64_t pairs, cycles;        // since the run began
    char message[VU_MESSAGE_SIZE]; // one line in words for the last three kinds, else empty
};

// Everything a program or the EE can see of a unit that rests. mac, status, clip are the newest flags.
struct vu_state {
    uint32_t vf[32][4], acc[4];
    uint32_t acc_overflowed; // bit per lane, x = 8: the last write to ACC overflowed
    uint16_t vi[16];
    uint32_t mac, status, clip, r, i, q, p;
    uint32_t tpc; // pair index
    uint16_t top, itop, cmsar0;
};

// One executed pair, for a tracer. The unit's registers are those after the pair.
struct vu_event {
    uint32_t pc, upper, lower;
    uint64_t cycle;  // in which the pair issued, since the unit was made
    unsigned stalls; // cycles it waited
};
struct vu_observer {
    void *context;
    void (*pair)(void *context, struct vu *, const struct vu_event *);
};

// NULL when memory runs out. `config` may be NULL.
struct vu *vu_new(enum vu_unit, const struct vu_config *);
void vu_free(struct vu *);
// Registers and pipelines to reset; memories stay.
void vu_reset(struct vu *);
enum vu_unit vu_unit(const struct vu *);
void vu_set_ports(struct vu *, const struct vu_ports *);
// VU1's registers appear in VU0's data space from quadword 0x400 on. NULL: zeros there.
void vu_set_window(struct vu *vu0, struct vu *vu1);
void vu_set_debug_bits(struct vu *, bool d, bool t); // FBRST's DE and TE of this unit

// ---- memory

// Micro memory, read only: writes go through vu_write_micro, which forgets what was decoded. False when the
// range leaves the memory.
const uint8_t *vu_micro(const struct vu *, size_t *size);
bool vu_write_micro(struct vu *, size_t offset, const void *bytes, size_t size);
void vu_clear_micro(struct vu *); // as if nothing was ever written
uint8_t *vu_data(struct vu *, size_t *size);

// ---- registers; setting them lets everything in flight arrive first

void vu_get_state(struct vu *, struct vu_state *);
void vu_set_state(struct vu *, const struct vu_state *);
void vu_set_top(struct vu *, uint16_t top, uint16_t itop); // what XTOP and XITOP read

// ---- running

void vu_start(struct vu *, uint32_t pc);
bool vu_running(const struct vu *);
// Runs a started program until it stops, at most `cycles` (0: no limit). Without a running program it goes on
// at TPC (MSCNT). `until_m`: an M bit stops too.
void vu_run(struct vu *, uint64_t cycles, bool until_m, struct vu_stop *);
void vu_observe(struct vu *, const struct vu_observer *); // NULL detaches; the observer must outlive the run
void vu_force_break(struct vu *); // FBRST FB: the program stops, what is in flight arrives
const char *vu_stop_name(enum vu_stop_kind);

// ---- VU0 as coprocessor 2 of the EE. Shapes and messages are those of struct ee_cop2: NULL is success.

struct vu_cop2 {
    struct vu *vu0, *vu1; // vu1 may be NULL
    uint64_t limit;       // cycles a microprogram may take; 0 means 100,000,000
    void *context;
    const char *(*ran_vu1)(void *context); // CMSAR1 started VU1, which has run; may be NULL
    // Before and after every run of a program of either unit; may be NULL.
    void (*runs)(void *context, enum vu_unit, uint32_t pc);
    void (*ran)(void *context, enum vu_unit, const struct vu_stop *);
    bool (*timed_out)(void *context); // asked now and then: the program has to stop; may be NULL
    bool at_m_bit;                    // the program waits at an M bit that no transfer has used yet
    uint32_t fbrst;                   // the enable bits
    uint32_t cmsar1;                  // as last written
    char message[VU_MESSAGE_SIZE];
};
// Runs a started program of either unit to its end, or to an M bit when asked; NULL, or why that cannot be.
const char *vu_cop2_run(struct vu_cop2 *, struct vu *, bool until_m);
const char *vu_cop2_execute(void *cop2, uint32_t word);
const char *vu_cop2_read(void *cop2, unsigned vf, bool interlock, uint64_t value[2]);
const char *vu_cop2_write(void *cop2, unsigned vf, bool interlock, const uint64_t value[2]);
const char *vu_cop2_read_control(void *cop2, unsigned vi, bool interlock, uint32_t *value);
const char *vu_cop2_write_control(void *cop2, unsigned vi, bool interlock, uint32_t value);
bool vu_cop2_condition(void *cop2);

// ---- snapshots

// Shows every field of the state between runs to `visit`, always in the same order: `size` bytes at `data`,
// in elements of `width` bytes. What `visit` writes there is the state afterwards. Micro memory, which
// changes seldom, is apart: it has to be put back first.
typedef void vu_visitor(void *context, const char *name, void *data, size_t size, unsigned width);
void vu_visit(struct vu *, vu_visitor *, void *context);
void vu_cop2_visit(struct vu_cop2 *, vu_visitor *, void *context);
// One byte: micro memory was written. The owner of the snapshot clears VU_MICRO_DIRTY.
enum vu_micro_mark { VU_MICRO_WRITTEN = 1, VU_MICRO_DIRTY = 2 };
uint8_t *vu_micro_marks(struct vu *);
// The whole of micro memory, unmarked. Which pairs were ever written is among the fields.
void vu_put_micro(struct vu *, const void *bytes);

// ---- assembler and disassembler

// One pair as "upper lower", in dvp-as syntax; a word that no assembly gives comes as `.word`. Branch targets
// are written relative, `.+3` pairs, unless `label` is not NULL: then it names the pair and may return NULL.
typedef const char *vu_label(void *context, uint32_t pair);
void vu_disassemble(uint32_t pc, uint32_t upper, uint32_t lower, vu_label *label, void *context, char *out,
                    size_t out_size);
// A COP2 word with CO = 1 as objdump -m mips:5900 spells it; false when no operation has this encoding.
bool vu_disassemble_macro(uint32_t word, char *out, size_t out_size);

struct vu_assembly {
    uint32_t *words; // lower, upper, lower, upper ...; free() it
    size_t pairs;
};
// False: `line` and `why` (VU_MESSAGE_SIZE bytes) tell what is wrong.
bool vu_assemble(const char *text, size_t size, struct vu_assembly *, unsigned *line, char *why);

#endif
