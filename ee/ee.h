// The Emotion Engine core (R5900) with its memory map: the public interface of ee/.
//
// `struct ee` starts with a `struct guest_cpu`, so a pointer to it serves wherever a guest CPU is asked for.
// One CPU, one memory, no global state: many may run side by side in threads. A CPU is used by one thread at
// a time.
#ifndef EE_EE_H
#define EE_EE_H

#include "ee/float.h"
#include "ee/guest.h"

struct ee;

union ee_reg {
    uint64_t d[2];
    uint32_t w[4];
    uint16_t h[8];
    uint8_t b[16];
};

// Registers by number, in the order of ee_registers(): GPR 0..31, then the ones below, FPR and COP0.
enum ee_register {
    EE_REG_GPR = 0,
    EE_REG_HI = 32, // 128 bits: HI below, HI1 above
    EE_REG_LO,
    EE_REG_SA,
    EE_REG_PC,
    EE_REG_FCR0,
    EE_REG_FCR31,
    EE_REG_ACC,
    EE_REG_FPR = 40,
    EE_REG_COP0 = 72,
    EE_REG_PCCR = 104,
    EE_REG_PCR0,
    EE_REG_PCR1,
    EE_REG_COUNT
};

enum ee_gpr { EE_V0 = 2, EE_V1 = 3, EE_A0 = 4, EE_T0 = 8, EE_GP = 28, EE_SP = 29, EE_RA = 31 };

// The first is the default. Lockstep runs both and stops with GUEST_FAULT_ENGINES at the first boundary at
// which they differ.
enum ee_engine { EE_ENGINE_UNICORN, EE_ENGINE_INTERP, EE_ENGINE_LOCKSTEP };

#define EE_RAM_SIZE        (32u << 20)
#define EE_RAM_SIZE_LARGE  (128u << 20)
#define EE_SCRATCHPAD      0x70000000u
#define EE_SCRATCHPAD_SIZE 0x4000u

// Addresses that leave the guest: fetching trap n calls the trap port, n = 0 is "the called function
// returned". They lie above any RAM, in every mirror.
#define EE_TRAP_BASE  0x0ffff000u
#define EE_TRAP_COUNT 1024u

// A window of device registers. Both functions get the virtual address; size is 1, 2, 4, 8 or 16 and value is
// little-endian. Returning an error message makes the access a GUEST_FAULT_PORT; NULL is success.
struct ee_device {
    uint32_t base, size; // physical
    void *context;
    const char *(*read)(void *context, uint32_t address, unsigned size, uint64_t value[2]);
    const char *(*write)(void *context, uint32_t address, unsigned size, const uint64_t value[2]);
};

// Coprocessor 2 (VU0). Messages as above.
struct ee_cop2 {
    void *context;
    const char *(*execute)(void *context, uint32_t word); // macro operation (CO = 1)
    // QMFC2, QMTC2, LQC2, SQC2. interlock: wait for the running microprogram first.
    const char *(*read)(void *context, unsigned vf, bool interlock, uint64_t value[2]);
    const char *(*write)(void *context, unsigned vf, bool interlock, const uint64_t value[2]);
    const char *(*read_control)(void *context, unsigned vi, bool interlock, uint32_t *value);
    const char *(*write_control)(void *context, unsigned vi, bool interlock, uint32_t value);
    bool (*condition)(void *context); // BC2
};

// How the CPU calls up. Every member may be NULL.
struct ee_ports {
    void *context;
    // SYSCALL. The port reads and writes registers and may move the PC (which is already past the
    // instruction). Returns NULL, or why the call is refused.
    const char *(*syscall)(void *context, struct ee *);
    // Trap address n >= 1 was reached. The port must move the PC.
    const char *(*trap)(void *context, struct ee *, unsigned n);
    // The count passed ee_set_event's mark, at an instruction boundary outside delay slots.
    const char *(*event)(void *context, struct ee *);
    // EI, DI, ERET or a write of COP0 Status, Count, Compare happened.
    void (*status_changed)(void *context, struct ee *);
    // The DMAC's condition signal, which BC0 tests. Without it the signal reads false.
    bool (*cpcond)(void *context);
};

struct ee_config {
    uint32_t ram_size; // EE_RAM_SIZE or EE_RAM_SIZE_LARGE; 0 means EE_RAM_SIZE
    uint32_t fcr0;     // 0 means 0x2e40 (SCPH-90000); an earlier console has 0x2e30
    uint32_t prid;     // 0 means 0x2e43 (the same console)
    enum ee_engine engine;
    struct ee_float_config arithmetic;
    // BC1x directly after C.cond.S sees the new condition instead of the old one (evidence for the default:
    // unknownbrackets/ps2autotests:tests/cpu/ee_fpu/branchdelay.expected).
    bool bc1_sees_new_condition;
};

// NULL when memory runs out or the engine cannot be used; `why` (GUEST_MESSAGE_SIZE bytes, may be NULL) says
// which.
struct ee *ee_new(const struct ee_config *, char *why);
void ee_free(struct ee *);
struct guest_cpu *ee_cpu(struct ee *);
// The instructions and every register back to reset; memory stays.
void ee_reset(struct ee *);

void ee_run(struct ee *, const struct guest_limits *, struct guest_stop *);
void ee_step(struct ee *, struct guest_stop *);
// Lockstep: the interpreted CPU, for its registers; NULL in the other engines.
struct ee *ee_lockstep_second(struct ee *);
// Called from a port that works for long: the run's limit of wall-clock time has passed.
bool ee_timed_out(const struct ee *);
// Called from a port: ends the run after this instruction with GUEST_EXITED.
void ee_exit(struct ee *);

// ---- registers
// --------------------------------------------------------------------------------------------------- Valid
// between runs, and in a port while it is called.
union ee_reg *ee_gpr(struct ee *, unsigned index);
uint32_t ee_pc(const struct ee *);
void ee_set_pc(struct ee *, uint32_t pc);
uint32_t *ee_fpr(struct ee *, unsigned index);
uint32_t *ee_cop0(struct ee *, unsigned index);
const struct guest_register *ee_registers(size_t *count);
void ee_get(struct ee *, size_t index, uint64_t value[2]);
void ee_set(struct ee *, size_t index, const uint64_t value[2]);
// Everything a thread switch saves: GPR, HI, LO, SA, FPR, ACC, FCR31, PC.
struct ee_context {
    union ee_reg gpr[32], hi, lo;
    uint32_t fpr[32], acc, fcr31, sa, pc;
    bool acc_overflowed;
};
void ee_save(struct ee *, struct ee_context *);
void ee_restore(struct ee *, const struct ee_context *);

// One of the 48 TLB entries: PageMask, EntryHi, EntryLo0, EntryLo1.
#define EE_TLB_ENTRIES 48u
void ee_get_tlb(const struct ee *, unsigned index, uint32_t entry[4]);
void ee_set_tlb(struct ee *, unsigned index, const uint32_t entry[4]);

// ---- clock
// -------------------------------------------------------------------------------------------------------
// Instructions retired since the CPU was made, exact in a port. The clock that COP0 Count shows is this plus
// `skip`.
uint64_t ee_retired(const struct ee *);
void ee_skip(struct ee *, uint64_t cycles);
uint64_t ee_clock(const struct ee *);
void ee_set_event(struct ee *, uint64_t clock); // UINT64_MAX: none

// ---- memory
// ------------------------------------------------------------------------------------------------------
uint8_t *ee_ram(struct ee *, uint32_t *size);
uint8_t *ee_scratchpad(struct ee *);
size_t ee_peek(struct ee *, uint32_t address, void *out, size_t size);
size_t ee_poke(struct ee *, uint32_t address, const void *in, size_t size);
// RAM was written through a pointer to it (DMA): marks the pages, and forgets code.
void ee_written(struct ee *, uint32_t physical, size_t size);
// `device` must outlive the CPU. False when the window overlaps RAM, the scratchpad or another device.
bool ee_add_device(struct ee *, const struct ee_device *device);
void ee_set_ports(struct ee *, const struct ee_ports *);
void ee_set_cop2(struct ee *, const struct ee_cop2 *); // must outlive the CPU; NULL detaches

// Runs `call` instead of the guest code at `address`, then returns to $ra (unless the call moved the PC).
// A second stub at an address replaces the first; NULL removes it. False when the address is not in RAM.
typedef const char *ee_stub(void *context, struct ee *);
bool ee_set_stub(struct ee *, uint32_t address, ee_stub *call, void *context);

void ee_observe(struct ee *, const struct guest_observer *);

// ---- snapshots
// ---------------------------------------------------------------------------------------------------
// Shows every field of the state between runs to `visit`, always in the same order: `size` bytes at `data`,
// in elements of `width` bytes. What `visit` writes there is the state afterwards. RAM is not among them.
typedef void ee_visitor(void *context, const char *name, void *data, size_t size, unsigned width);
void ee_visit(struct ee *, ee_visitor *, void *context);

// RAM in pages, a byte of marks for each.
#define EE_PAGE_SIZE 0x1000u
enum ee_page_mark {
    EE_PAGE_WRITTEN = 1, // since the CPU was made; all other pages are zero
    EE_PAGE_DIRTY = 2,   // since ee_clean_page
};
const uint8_t *ee_page_marks(const struct ee *, size_t *count);
void ee_clean_page(struct ee *, uint32_t page);
void ee_put_page(struct ee *, uint32_t page, const void *bytes); // EE_PAGE_SIZE bytes; the dirty mark stays

// ---- instruction set
// --------------------------------------------------------------------------------------------- Disassembles
// like objdump -m mips:5900; an unknown word gives ".word".
void ee_disassemble(uint32_t pc, uint32_t word, char *out, size_t out_size);
// The registers that the word writes, by enum ee_register, without $0; returns how many. ERET, EI, DI and the
// TLB instructions count as writing COP0 Status.
#define EE_WRITTEN_MAX 4
size_t ee_written_registers(uint32_t word, uint8_t out[EE_WRITTEN_MAX]);
// Whether the word at `pc` is a branch or jump to an address that it holds itself, and which.
bool ee_word_target(uint32_t pc, uint32_t word, uint32_t *target);

#endif
