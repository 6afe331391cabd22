// The inside of a vector unit: instruction table, predecoded pairs, state, and the inline functions every
// body uses. Private to vu/.
#ifndef VU_CORE_H
#define VU_CORE_H

#include "vu/vu.h"

#include <string.h>

// Places of vf[] beyond the registers: ACC, what writes to VF00 hit, and a lower result that waits for the
// upper instruction of its pair.
enum { VF_ACC = 32, VF_SINK, VF_HELD, VF_COUNT };
enum { VI_SINK = 16, VI_COUNT };

struct op;
typedef void vu_body(struct vu *, const struct op *);

// One predecoded instruction.
struct op {
    vu_body *exec;   // NULL: nothing to do
    uint8_t d, s, t; // register numbers, destinations of nothing mapped to a sink
    uint8_t lanes;   // destination lanes, x = 8
    union {
        int32_t imm;     // immediate, branch target, or lanes fsf | ftf << 2
        uint32_t scalar; // byte offset in struct vu of the word that is broadcast
    };
};

enum pair_flags {
    PAIR_UNDECODED = 1 << 0,
    PAIR_OUTSIDE = 1 << 1, // never written
    PAIR_RESERVED = 1 << 2,
    PAIR_FDIV = 1 << 3, // waits for the divider ...
    PAIR_EFU = 1 << 4,  // ... the elementary function unit ...
    PAIR_KICK = 1 << 5, // ... the packet in transfer
    PAIR_BRANCH = 1 << 6,
    PAIR_E = 1 << 7,
    PAIR_M = 1 << 8,
    PAIR_D = 1 << 9,
    PAIR_T = 1 << 10,
    PAIR_HELD = 1 << 11, // copy VF_HELD after both ran
    PAIR_ISSUE = PAIR_UNDECODED | PAIR_OUTSIDE | PAIR_RESERVED | PAIR_FDIV | PAIR_EFU | PAIR_KICK,
    PAIR_AFTER = PAIR_BRANCH | PAIR_E | PAIR_M | PAIR_D | PAIR_T | PAIR_HELD,
};

struct access {
    uint8_t vf, lanes;
};

// A predecoded pair: what runs first, what runs second, and what it waits for.
struct pair {
    struct op op[2];
    uint64_t reads, writes; // in four cycles: VF by number, VI from bit 32; from bit 48 what ISW waits for
    struct access read[4], write[2];
    uint32_t flags; // enum pair_flags
};

// MAC, status and clip events wait here until four cycles after their pair issued. Eight are enough: of nine,
// at most two to a cycle, the oldest has always arrived.
enum { PIPE = 8, LATENCY = 4 };
struct flag_entry {
    ee_float4 mac;    // per lane LANE_U, LANE_O, LANE_Z, LANE_S
    ee_float4 sticky; // what a product adds to the sticky bits
    uint64_t cycle;
    int32_t assign; // sticky bits of FSSET, or -1: the entry of an FMAC
};
#define LANE_U 1u
#define LANE_O 2u
#define LANE_Z 4u
#define LANE_S 0x80000000u
struct clip_entry {
    uint64_t cycle;
    uint32_t value;
};

// How many pairs back a branch can see a register.
enum { STALE = 4 };

// A unit that works beside the pairs and delivers one result later.
struct unit {
    uint64_t ready; // cycle in which the result can first be read; UINT64_MAX: idle
    uint64_t free;  // cycle in which the next operation can issue
    uint32_t value, flags;
};

struct kick {
    uint64_t due; // cycle after which the next quadword is read; UINT64_MAX: idle
    uint32_t address, length;
};

// A coprocessor 2 operation, decoded when it was last met.
enum { MACRO_ENTRIES = 256 };
struct macro_entry {
    uint32_t word;
    struct op op;
};

struct vu {
    ee_float4 vf[VF_COUNT];
    ee_float4 acc_overflowed; // per lane all ones or zero
    uint32_t i, q;            // with vf, the words that can be broadcast
    uint32_t p, r;
    uint16_t vi[VI_COUNT];
    struct {
        uint64_t cycle;
        uint16_t reg, count;   // writes in a row
        uint16_t value[STALE]; // before each of the last ones
    } stale;                   // the last late VI writes, for a branch directly behind them
    int32_t target;            // set by a branch: pair, or -1 not taken ...
    uint8_t link;              // ... and the register to link, or 0
    uint64_t cycle;            // in which the current pair issues
    uint64_t event;            // first cycle in which something below wants attention
    struct unit fdiv, efu;
    struct kick kick;
    struct flag_entry flag[PIPE];
    uint32_t flag_first, flag_next;
    ee_float4 mac, sticky; // arrived, LANE_...
    uint32_t sticky_bits;  // assigned, or raised by FDIV
    uint32_t cause_div;    // D and I in their place in the status register
    struct clip_entry clip[PIPE];
    uint32_t clip_next;

    uint32_t pc, next; // the pair to run and the one after it
    uint8_t ending;    // the program stops before the pair this many pairs on; 0: it goes on
    enum vu_stop_kind ending_kind;
    uint8_t stop_bits; // as VPU_STAT has them: 2 D, 4 T
    bool running, until_m, debug_d, debug_t, failed_kick;
    uint64_t limit;
    const struct pair *recent[LATENCY - 1]; // issued one, two, three cycles ago

    enum vu_unit unit;
    uint32_t micro_mask, data_mask; // last pair, last quadword
    uint16_t top, itop, cmsar0;
    struct vu_config config;
    struct vu_ports ports;
    struct vu *window;
    const struct vu_observer *observer;
    struct macro_entry *macros;
    struct pair *pairs;
    uint8_t *micro;
    uint8_t written[VU1_MICRO_SIZE / 64]; // a bit per pair; the others have PAIR_OUTSIDE
    uint8_t micro_marks;                  // enum vu_micro_mark
    ee_float4 *data;
};

// ---- table

enum row_flags {
    DEST = 1 << 0, // has a destination mask
    BC = 1 << 1,   // the last two bits choose the broadcast lane of ft
    W_FD = 1 << 2,
    W_FT = 1 << 3,
    W_ACC = 1 << 4,
    R_FS = 1 << 5, // the destination's lanes
    R_FT = 1 << 6,
    R_FSF = 1 << 7, // one lane, named in the word
    R_FTF = 1 << 8,
    R_ALL = 1 << 9,   // fs: the lanes of `lanes`, or those that the operation moves to the destination's
    R_ALLT = 1 << 10, // ft: likewise
    SCALAR_I = 1 << 11,
    SCALAR_Q = 1 << 12,
    R_IS = 1 << 13,
    R_IT = 1 << 14,
    W_IT = 1 << 15,
    W_IS = 1 << 16,
    W_ID = 1 << 17,
    SLOW_IT = 1 << 18, // it is written as a load is, four cycles later
    FDIV = 1 << 19,
    EFU = 1 << 20,
    KICK = 1 << 21,
    BRANCH = 1 << 22,
    VU1_ONLY = 1 << 23,
    MACRO = 1 << 24, // also a coprocessor 2 operation
    FMAC = 1 << 25,  // writes MAC and status
    R_FTW = 1 << 26, // w of ft
};

struct row {
    const char *name;     // dvp-as; `?` stands for the broadcast lane
    uint32_t mask, match; // match also holds what an assembler puts into ignored fields
    uint32_t ignored;     // fields that the unit does not look at
    const char *operands; // see text.c
    uint32_t flags;       // enum row_flags
    uint8_t lanes;        // of R_ALL
    vu_body *exec;
};
extern const struct row vu_upper_rows[], vu_lower_rows[];
extern const size_t vu_upper_count, vu_lower_count;
// NULL when no row matches. `word` of an upper instruction without the bits I E M D T.
const struct row *vu_find_upper(uint32_t word);
const struct row *vu_find_lower(uint32_t word);
// The row of a coprocessor 2 operation and the word it has in a microprogram, or NULL.
const struct row *vu_find_macro(uint32_t word, uint32_t *micro_word, bool *upper);

#define UPPER_BITS 0xf8000000u
#define UPPER_I    0x80000000u
#define UPPER_E    0x40000000u
#define UPPER_M    0x20000000u
#define UPPER_D    0x10000000u
#define UPPER_T    0x08000000u
#define UPPER_NOP  0x000002ffu
#define LOWER_NOP  0x8000033cu // MOVE of no lane

static inline uint32_t field(uint32_t word, unsigned shift, unsigned bits)
{
    return word >> shift & ((1u << bits) - 1);
}

static inline int32_t sign_extend(uint32_t value, unsigned bits)
{
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

// ---- decode

// The immediate that an operand letter of the table stands for (see decode.c).
int32_t vu_immediate(char letter, uint32_t word);
void vu_decode_pair(struct vu *, uint32_t index);
void vu_decode_op(const struct vu *, const struct row *, uint32_t word, uint32_t index, struct op *);

// ---- pipelines

void vu_flags_reset(struct vu *, uint32_t mac, uint32_t status, uint32_t clip);
void vu_land_flags(struct vu *, uint64_t cycle); // what issued LATENCY cycles before arrives
uint32_t vu_mac(struct vu *);                    // as the current cycle sees it
uint32_t vu_status(struct vu *);
uint32_t vu_clip(const struct vu *);
void vu_push_sticky(struct vu *, uint32_t bits);
void vu_push_clip(struct vu *, uint32_t value);
uint32_t vu_newest_clip(const struct vu *);
void vu_events(struct vu *);    // serves what is due in this cycle
void vu_set_event(struct vu *); // finds the next cycle that needs service
void vu_flush(struct vu *);     // the clock moves on until everything has arrived
void vu_issue_fdiv(struct vu *, struct ee_float, unsigned latency);
void vu_issue_efu(struct vu *, uint32_t value, unsigned latency);
void vu_start_kick(struct vu *, uint32_t address);
void vu_read_kick(struct vu *); // takes the next quadword of the packet

// ---- registers and memory

uint32_t vu_control(struct vu *, unsigned index); // registers 16 and up, by CFC2 number
void vu_set_control(struct vu *, unsigned index, uint32_t value);
ee_float4 vu_load(struct vu *, uint32_t index); // quadword of data space
void vu_store(struct vu *, uint32_t index, unsigned lanes, ee_float4 value);

extern const ee_float4 vu_lane_masks[16];

static inline ee_float4 blend(ee_float4 mask, ee_float4 a, ee_float4 b)
{
    return (a & mask) | (b & ~mask);
}

static inline ee_float4 splat(uint32_t word)
{
    return (ee_float4){word, word, word, word};
}

static inline void put_vf(struct vu *vu, unsigned index, unsigned lanes, ee_float4 value)
{
    vu->vf[index] = blend(vu_lane_masks[lanes], value, vu->vf[index]);
}

static inline void put_vi(struct vu *vu, unsigned index, uint32_t value)
{
    vu->vi[index] = (uint16_t)value;
}

// The result of integer arithmetic, MTIR or a counted address: a branch in the next cycle does not see it.
static inline void put_vi_late(struct vu *vu, unsigned index, uint32_t value)
{
    if (vu->stale.reg != index || vu->stale.cycle + 1 != vu->cycle)
        vu->stale.count = 0;
    vu->stale.value[vu->stale.count++ % STALE] = vu->vi[index];
    vu->stale.reg = (uint16_t)index;
    vu->stale.cycle = vu->cycle;
    vu->vi[index] = (uint16_t)value;
}

// Sets a lane of Z or S from the result, the rest from the conditions of the arithmetic.
static inline ee_float4 flags_of(ee_float4 result, ee_float4 conditions)
{
    ee_float4 zero = (ee_float4)((result & 0x7f800000) == 0) & LANE_Z;
    return (result & LANE_S) | zero | (conditions & (LANE_U | LANE_O));
}

static inline void push_flags(struct vu *vu, ee_float4 mac, ee_float4 sticky)
{
    if (vu->flag_next - vu->flag_first == PIPE)
        vu_land_flags(vu, vu->cycle);
    struct flag_entry *e = &vu->flag[vu->flag_next++ % PIPE];
    e->mac = mac;
    e->sticky = sticky;
    e->cycle = vu->cycle;
    e->assign = -1;
}

#endif
