// The inside of the EE core: its state, a predecoded instruction, and the few inline functions every body
// uses. Private to ee/.
#ifndef EE_CORE_H
#define EE_CORE_H

#include "ee/ee.h"

#include <string.h>

// The GPR that instructions with destination $0 write; never read.
#define EE_SINK 32

#define EE_PAGE_SHIFT 12
_Static_assert(EE_PAGE_SIZE == 1u << EE_PAGE_SHIFT, "pages are found by shifting");
#define EE_PAGES (1u << (32 - EE_PAGE_SHIFT))

struct insn;
// A body: performs one instruction and returns the record of the one after it. After a fault the result is
// unused.
typedef const struct insn *ee_body(struct ee *, const struct insn *);

// One record per word of RAM. `fn` is what the interpreter calls: the body, or decoding it first, or watching
// it.
struct insn {
    ee_body *fn;
    ee_body *exec; // the body itself, NULL while not decoded
    int32_t imm;   // immediate; for branches, the target in words relative to this record
    uint32_t word;
    uint16_t op; // index into ee_ops
    uint8_t rs, rt, rd, sa;
    uint8_t slot; // engine unicorn: what the word before says of this one (enum slot_kind)
};
_Static_assert(sizeof(struct insn) == 32, "records are indexed by shifting");

// Registers read and written, by instruction field, and what kind of instruction it is.
enum op_flags {
    R_RS = 1 << 0,
    R_RT = 1 << 1,
    R_RD = 1 << 2, // the destination's old value matters
    W_RT = 1 << 3,
    W_RD = 1 << 4,
    W_RA = 1 << 5,
    R_HILO = 1 << 6,
    W_HILO = 1 << 7,
    R_FPU = 1 << 8,  // reads FPRs, ACC or FCR31
    W_FD = 1 << 9,   // writes FPR[fd] ...
    W_FS = 1 << 10,  // ... FPR[fs] ...
    W_FT = 1 << 11,  // ... FPR[ft] ...
    W_ACC = 1 << 12, // ... ACC ...
    W_FCR31 = 1 << 13,
    W_SA = 1 << 14,
    LOAD = 1 << 15,
    STORE = 1 << 16,
    BRANCH = 1 << 17,
    LIKELY = 1 << 18, // the slot is nullified when the branch is not taken
    ENDS = 1 << 19,   // may move the PC otherwise: system calls, ERET
    NATIVE = 1 << 20, // Unicorn's MIPS core runs it right on 64-bit registers
    W_COP0 = 1 << 21,
    COP2 = 1 << 22,
};

struct ee_op {
    const char *name;
    uint32_t mask, match;
    uint32_t zero;        // bits that are zero in this spelling; the CPU ignores them or disasm.c has another
    const char *operands; // see disasm.c
    uint32_t flags;       // enum op_flags
    ee_body *exec;
};
extern const struct ee_op ee_ops[];
extern const unsigned ee_op_count;
// Index of the entry that matches, or of the last one (the reserved instruction).
unsigned ee_find_op(uint32_t word);

struct ee_tlb {
    uint32_t mask, hi, lo[2];
};

// Records are zero until their page is prepared; a page is protected once a word of it has been decoded.
enum code_page { CODE_UNTOUCHED, CODE_PREPARED, CODE_PROTECTED };

struct stub {
    uint32_t index; // word of RAM
    ee_stub *call;
    void *context;
};

// The loop runs while its record is below `end`; whoever wants it to stop clears `end`.
struct run_control {
    const struct insn *end;
    const struct insn *run; // start of the straight run, whose instructions `retired` does not count yet
    uint64_t retired;
    uint64_t stop_at; // value of `retired` at which the loop leaves for its driver
    bool halted;      // `stop` is final
    uint32_t segment; // address of record 0 in the mirror that runs: pc = segment + 4 * index
    uint32_t nowhere; // address of the record that runs, when that is `outside` or a trap
    struct guest_stop stop;
};

// What an engine does its own way.
struct engine_ops {
    const char *name;
    ee_body *undecoded; // `fn` of a record that is not decoded
    ee_body
        *slice; // runs from a record until halted, or a boundary at or past stop_at; returns what comes next
    void (*decoded)(struct ee *, struct insn *);    // chooses `fn` of a record just decoded
    void (*forgotten)(struct ee *, uint32_t index); // the record of a word was dropped; may be NULL
    void (*prepared)(struct ee *, uint32_t page);   // the records of a page were made; may be NULL
    void (*free)(struct ee *);                      // may be NULL
};

struct ee {
    struct guest_cpu cpu;
    union ee_reg gpr[EE_SINK + 1];
    union ee_reg hi, lo;
    uint32_t fpr[32];
    uint32_t acc, fcr31, sa;
    bool acc_overflowed;

    struct run_control ctl;
    uint64_t deadline; // of the run, in milliseconds of the host's clock; 0: none
    uint32_t pc;       // between runs and in ports
    struct insn outside, trap[EE_TRAP_COUNT];

    // C.cond leaves its time and the condition before it: see bc1_condition.
    uint64_t condition_time;
    bool old_condition, condition_extended;

    struct insn *code; // one per word of RAM, and one behind it
    uint8_t **read_page,
        **write_page;    // host address of each guest page that may be accessed directly, else NULL
    uint8_t *code_page;  // per physical page: a word of it has been decoded
    uint8_t *page_marks; // per physical page: enum ee_page_mark
    uint8_t *ram, *scratchpad;
    uint32_t ram_size;

    const struct guest_observer *observer;
    const struct insn *watched_branch; // observed: it has run, the observer does not know yet
    uint32_t watched_pc;               // ... its address
    struct ee_ports ports;
    const struct ee_cop2 *cop2, *condition; // who executes, and whose condition BC2 tests
    struct ee_float_config arithmetic;
    struct ee_config config;
    uint32_t cop0[32];
    uint32_t pccr, pcr[2];
    struct ee_tlb tlb[48];
    uint64_t skipped, event; // clock = retired + skipped
    uint64_t count_base,
        pcr_base; // clock at which COP0 Count and the counters last were what cop0[], pcr[] say
    const struct ee_device *devices[32];
    unsigned device_count;
    struct stub *stubs;
    unsigned stub_count;
    const struct engine_ops *engine;
    struct unicorn *unicorn;
    struct lockstep *lockstep;
};

#define GPR(n) (ee->gpr[n])
#define RS     GPR(i->rs)
#define RT     GPR(i->rt)
#define RD     GPR(i->rd)

#define LIKELY_TRUE(x)  __builtin_expect(!!(x), 1)
#define LIKELY_FALSE(x) __builtin_expect(!!(x), 0)

static inline uint64_t sext32(uint32_t x)
{
    return (uint64_t)(int64_t)(int32_t)x;
}

static inline uint32_t address_of(const struct ee *ee, const struct insn *i)
{
    if (i == &ee->outside)
        return ee->ctl.nowhere;
    if (i >= ee->trap && i < ee->trap + EE_TRAP_COUNT)
        return ee->ctl.nowhere;
    return ee->ctl.segment + (uint32_t)(i - ee->code) * 4;
}

// Instructions retired before i.
static inline uint64_t now(const struct ee *ee, const struct insn *i)
{
    return ee->ctl.retired + (uint64_t)(i - ee->ctl.run);
}

// Record of an address; `segment` or `nowhere` follows it. Never NULL: an address without RAM gives
// `outside`.
const struct insn *ee_record(struct ee *, uint32_t address);

// Continues at `target` after the instructions before `next` have retired.
static inline const struct insn *go(struct ee *ee, const struct insn *next, const struct insn *target)
{
    ee->ctl.retired += (uint64_t)(next - ee->ctl.run);
    ee->ctl.run = target;
    ee->ctl.end = target + (int64_t)(ee->ctl.stop_at - ee->ctl.retired);
    return target;
}

// Records a fault of i. The message is made from the fault unless `format` gives one.
void ee_fault(struct ee *, const struct insn *, enum guest_fault, uint32_t address);
void ee_fault_message(struct ee *, const struct insn *, enum guest_fault, const char *message);

// The access that the page tables do not serve: misaligned, observed, a device, code, or nothing there.
bool ee_read_slow(struct ee *, const struct insn *, uint32_t address, unsigned size, enum guest_access_kind,
                  void *out);
bool ee_write_slow(struct ee *, const struct insn *, uint32_t address, unsigned size, enum guest_access_kind,
                   const void *in);

// Reads what the guest would; false after a fault, which changes nothing. size is a power of two up to 16.
static inline bool bus_read(struct ee *ee, const struct insn *i, uint32_t address, unsigned size,
                            enum guest_access_kind kind, void *out)
{
    const uint8_t *page = ee->read_page[address >> EE_PAGE_SHIFT];
    if (LIKELY_TRUE(page && !(address & (size - 1)))) {
        memcpy(out, page + (address & (EE_PAGE_SIZE - 1)), size);
        return true;
    }
    return ee_read_slow(ee, i, address, size, kind, out);
}

static inline bool bus_write(struct ee *ee, const struct insn *i, uint32_t address, unsigned size,
                             enum guest_access_kind kind, const void *in)
{
    uint8_t *page = ee->write_page[address >> EE_PAGE_SHIFT];
    if (LIKELY_TRUE(page && !(address & (size - 1)))) {
        memcpy(page + (address & (EE_PAGE_SIZE - 1)), in, size);
        return true;
    }
    return ee_write_slow(ee, i, address, size, kind, in);
}

// Up to 8 bytes that an aligned doubleword holds, as one access.
bool ee_read_bytes(struct ee *, const struct insn *, uint32_t address, unsigned count, uint8_t *bytes);
bool ee_write_bytes(struct ee *, const struct insn *, uint32_t address, unsigned count, const uint8_t *bytes);

static inline uint32_t effective(const struct ee *ee, const struct insn *i)
{
    return RS.w[0] + (uint32_t)i->imm;
}

// ---- ee.c
extern const struct guest_cpu_ops ee_guest_ops;

// ---- memory.c
bool ee_memory_new(struct ee *);
void ee_memory_free(struct ee *);
// Fills the page tables for direct access, or empties them so that every access passes the observer.
void ee_map_pages(struct ee *);
// Stores to a physical page pass ee_write_slow from now on, because decoded words lie in it.
void ee_protect_page(struct ee *, uint32_t page);
const struct ee_device *ee_device_at(const struct ee *, uint32_t address);
// Uses the other CPU's RAM and scratchpad from now on, or none (which leaves only ee_free).
void ee_memory_share(struct ee *, struct ee *other);
uint8_t *ee_host(struct ee *, uint32_t address, size_t *left);

// ---- decode.c
void ee_decode(struct ee *, struct insn *);
// The words [index, index + count) changed: their records, and the branch before them, are decoded anew.
void ee_forget(struct ee *, uint32_t index, uint32_t count);
void ee_forget_all(struct ee *);
void ee_prepare_page(struct ee *, uint32_t page);

// ---- branch.c
bool ee_branch_taken(struct ee *, const struct insn *);
uint32_t ee_branch_target(const struct ee *, const struct insn *);
ee_body ee_branch_slow;

// ---- interp.c
ee_body ee_outside, ee_trapped, ee_stubbed;
// Tells the observer, if any, that the instruction at `pc` retired.
void ee_notify(struct ee *, uint32_t pc, uint32_t word, bool in_slot);
// Calls a port that may move the PC, which it finds at `next`. `retires`: 1 when i is an instruction, 0 for a
// trap or a stub.
const struct insn *ee_call_port(struct ee *, const struct insn *i, const char *(*port)(void *, struct ee *),
                                void *context, uint32_t next, unsigned retires);
extern const struct engine_ops ee_interp;

// ---- unicorn.c
extern const struct engine_ops ee_unicorn;
// NULL, or why the engine cannot be used.
const char *ee_unicorn_new(struct ee *);

// ---- lockstep.c: engine unicorn with ee->lockstep set
const char *ee_lockstep_new(struct ee *);
void ee_lockstep_free(struct ee *);
// Ports or coprocessor 2 were set.
void ee_lockstep_conditions(struct ee *);
// The first CPU stands at a boundary outside a delay slot and goes on at `next`.
void ee_lockstep_boundary(struct ee *, uint32_t next);
// Before and after a slice.
void ee_lockstep_start(struct ee *, uint32_t pc);
void ee_lockstep_end(struct ee *, const struct insn *next);
// The observer to attach so that both the comparison and `user` (may be NULL) see the accesses.
const struct guest_observer *ee_lockstep_observer(struct ee *, const struct guest_observer *user);

// ---- cop0.c
void ee_cop0_reset(struct ee *);
// Brings the performance counters up to date: to be called before Status or a counter is changed from
// outside.
void ee_cop0_settle(struct ee *);
uint32_t ee_cop0_read(struct ee *, const struct insn *, unsigned index);

// ---- disasm.c
// The word as this row spells it. False when the row's operand string holds a letter that stands for nothing.
bool ee_format(const struct ee_op *, uint32_t pc, uint32_t word, char *out, size_t out_size);

#endif
