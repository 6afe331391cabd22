// The public interface of ps2harness: errors, the machine, loading, symbols, calling, observing, reports.
//
//     struct ps2_error error;
//     struct ps2 *ps2;
//     struct ps2_result result;
//     struct ps2_symbol symbol;
//     const struct ps2_argument arguments[] = {ps2_integer(20), ps2_integer(22)};
//     if (ps2_new(NULL, &ps2, &error) == PS2_OK && ps2_load_elf(ps2, "game.elf", &error) == PS2_OK &&
//         ps2_find_symbol(ps2, "add", &symbol) &&
//         ps2_call(ps2, &(struct ps2_call){.entry = symbol.address, .arguments = arguments, .argument_count =
//         2},
//                  &result, &error) == PS2_OK)
//         printf("%" PRIu64 "\n", result.v0.d[0]);
//
// Every function that can fail returns an enum ps2_status and fills a struct ps2_error (which may be NULL).
// No function prints or exits. A machine is used by one thread at a time; many machines may run side by side.
#ifndef PS2H_H
#define PS2H_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ee/ee.h"

#define PS2_VERSION "0.1"

// ---- errors

// Also the exit status of every command.
enum ps2_status {
    PS2_OK = 0,
    PS2_DIFFERENT = 1,   // a comparison differs or a check failed
    PS2_BAD_INPUT = 2,   // usage, unreadable or malformed input
    PS2_GUEST_FAULT = 3, // the guest program faulted, looped or deadlocked
};

// Why a call failed. `where` names the file, or is empty; `offset` is a byte offset into it or a guest
// address.
struct ps2_error {
    enum ps2_status status;
    char where[256];
    uint64_t offset;
    char message[512];
};

// Fills `error` (which may be NULL) and returns `status`, so that a failing function can `return
// ps2_fail(...)`.
enum ps2_status ps2_fail(struct ps2_error *error, enum ps2_status status, const char *where, uint64_t offset,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

// ---- the machine

struct ps2;

// A zero member means its default.
struct ps2_config {
    uint32_t ram_size; // bytes: EE_RAM_SIZE (the default) or EE_RAM_SIZE_LARGE
    uint32_t fcr0;     // see struct ee_config
    enum ee_engine engine;
};

// `config` may be NULL. Fails when memory runs out or the engine cannot be used.
enum ps2_status ps2_new(const struct ps2_config *config, struct ps2 **out, struct ps2_error *);
void ps2_free(struct ps2 *); // NULL is allowed
struct ee *ps2_ee(struct ps2 *);

// One home for every mirror of an address: RAM mirrors and kernel segments become physical addresses.
uint32_t ps2_physical(uint32_t address);

// The tool's own accesses: no side effect, never observed. Fail when a byte of the range is not memory; then
// nothing has been written.
enum ps2_status ps2_read(struct ps2 *, uint32_t address, void *out, size_t size, struct ps2_error *);
enum ps2_status ps2_write(struct ps2 *, uint32_t address, const void *in, size_t size, struct ps2_error *);

// ---- loading

// Each loads the whole of its input or nothing, and adds a module: a name for the memory it filled, with its
// symbols, entry point and global pointer. Symbols of earlier modules that the new one overwrites are
// forgotten. Modules are named after the last component of the path.
//
// ELF: 32-bit little-endian MIPS executables. The global pointer is that of .reginfo, else the symbol _gp.
enum ps2_status ps2_load_elf(struct ps2 *, const char *path, struct ps2_error *);
enum ps2_status ps2_load_elf_data(struct ps2 *, const char *name, const void *data, size_t size,
                                  struct ps2_error *);
// The bytes of a file as they are.
enum ps2_status ps2_load_raw(struct ps2 *, const char *path, uint32_t address, struct ps2_error *);
// Going Commando's overlay.bin: records {u32 address, u32 size, u32 ELF section type, u32 entry} each
// followed by `size` bytes. The list ends with the data, or where the entry point changes.
enum ps2_status ps2_load_overlay(struct ps2 *, const char *path, struct ps2_error *);
enum ps2_status ps2_load_overlay_data(struct ps2 *, const char *name, const void *data, size_t size,
                                      struct ps2_error *);
// Fresh memory for arguments: `size` bytes (a multiple of 64 is taken) from the top of RAM downward, cleared,
// and a symbol `name` for them. The default stack lies below. Fails when it would overlap a module.
enum ps2_status ps2_allocate(struct ps2 *, const char *name, uint32_t size, uint32_t *address,
                             struct ps2_error *);

struct ps2_module {
    const char *name;
    bool has_entry, has_gp;
    uint32_t entry, gp;
    bool overlay;             // one of several that share memory, as a symbol file says
    bool resident;            // an overlay that ps2_match_module or ps2_load_map places in memory
    uint32_t equal, compared; // ps2_match_module: words of its code that memory holds, of those compared
};
size_t ps2_module_count(const struct ps2 *);
struct ps2_module ps2_module(const struct ps2 *, size_t index); // in the order of loading

// ---- captured state

// What a captured state may hold; names as ps2_part_name gives them: "ee-ram".
enum ps2_part {
    PS2_PART_EE_RAM,
    PS2_PART_SCRATCHPAD,
    PS2_PART_EE, // general registers, HI, LO, SA, PC, COP0, performance counters
    PS2_PART_FPU,
    PS2_PART_TLB,
    PS2_PART_DMAC,
    PS2_PART_INTC,
    PS2_PART_TIMERS,
    PS2_PART_VIF0,
    PS2_PART_VIF1,
    PS2_PART_VU0_MEM,
    PS2_PART_VU0_MICRO,
    PS2_PART_VU0, // registers
    PS2_PART_VU1_MEM,
    PS2_PART_VU1_MICRO,
    PS2_PART_VU1,
    PS2_PART_GIF,
    PS2_PART_GS_PRIVILEGED,
    PS2_PART_GS, // general-purpose registers
    PS2_PART_GS_MEM,
    PS2_PART_GS_CLUT,
    PS2_PARTS
};
const char *ps2_part_name(enum ps2_part);
enum ps2_part ps2_part_find(const char *name); // PS2_PARTS when there is none

// A device that was in mid-work when the state was captured.
#define PS2_BUSY_MAX 16
struct ps2_busy {
    enum ps2_part part;
    unsigned channel; // of PS2_PART_DMAC: enum ee_dma_channel
    char what[96];    // "D1 (VIF1): 12 quadwords from 0x00345670"
};

struct ps2_state_info {
    const char *kind;               // "PCSX2 save state", "ps2harness state" or "GS dump"
    uint32_t version;               // of a save state
    uint32_t gs_version;            // of the GS's own state; 0: there is none
    char writer[40];                // as the file names it; may be empty
    char elf[128];                  // path of the game's executable, likewise
    uint32_t crc;                   // ... and its checksum; 0: unknown
    uint32_t ram_size;              // bytes; 0: there is no RAM
    uint32_t pc;                    // of the EE
    bool in_slot;                   // ... which stands in a delay slot
    bool in_exception;              // ... and was in an exception handler (Status.EXL or ERL)
    unsigned threads;               // that the console's kernel had; 0: its table was not found
    int running;                    // ... and which of them the registers belong to
    const char *missing[PS2_PARTS]; // why a part is not there; NULL: it is
    struct ps2_busy busy[PS2_BUSY_MAX];
    size_t busy_count;
};

// Reads and checks a captured state: a save state of PCSX2 (`.p2s`), one of ps2_save_state, or a GS dump,
// whose initial state it is. The machine for it needs RAM of info->ram_size.
enum ps2_status ps2_state_info(const char *path, struct ps2_state_info *, struct ps2_error *);
// Puts it into the machine, the whole or, after an error, nothing of it. Parts that the file lacks stay as
// they are. The default stack pointer is then the captured one. `info` may be NULL. What was in mid-work
// waits for ps2_quiesce; until then the guest faults when it touches the device.
enum ps2_status ps2_load_state(struct ps2 *, const char *path, struct ps2_state_info *info,
                               struct ps2_error *);
// Makes a machine with that state. Without a size of RAM in `config` (which may be NULL) it gets the state's.
enum ps2_status ps2_new_from_state(const struct ps2_config *config, const char *path, struct ps2 **out,
                                   struct ps2_state_info *info, struct ps2_error *);
enum ps2_quiesce {
    PS2_QUIESCE_REFUSE, // as it is after loading
    PS2_QUIESCE_DRAIN,  // runs what was begun to its end
    PS2_QUIESCE_RESET,  // drops it: channels stop, units are idle, registers stay
};
enum ps2_status ps2_quiesce(struct ps2 *, enum ps2_quiesce, struct ps2_error *);
// Writes the machine's state; harness/state/state.md describes the file. Fails when a device is in the middle
// of something that the file cannot hold.
enum ps2_status ps2_save_state(struct ps2 *, const char *path, struct ps2_error *);
// Fills one of the memories (EE_RAM, SCRATCHPAD, VU0_MEM, VU0_MICRO, VU1_MEM, VU1_MICRO, GS_MEM) from its
// start with the bytes of a file, which may be shorter.
enum ps2_status ps2_load_part(struct ps2 *, enum ps2_part, const char *path, struct ps2_error *);

// ---- symbols

enum ps2_symbol_kind { PS2_SYMBOL_LABEL, PS2_SYMBOL_OBJECT, PS2_SYMBOL_FUNCTION };

struct ps2_symbol {
    const char *name, *module; // valid until the next load
    uint32_t address, size;    // size in bytes; 0 for a label inside a function
    enum ps2_symbol_kind kind;
};

// `name` or `module:name`. Of several with one name the last loaded counts, a function before others.
bool ps2_find_symbol(const struct ps2 *, const char *name, struct ps2_symbol *out);
// The symbol whose extent holds the address, in any mirror. A symbol without a size extends to the next one.
bool ps2_symbol_at(const struct ps2 *, uint32_t address, struct ps2_symbol *out);
// Writes `name`, `name+0x10`, of an overlay `module:name`, or, without a symbol, nothing. Returns out.
const char *ps2_symbol_text(const struct ps2 *, uint32_t address, char *out, size_t out_size);
enum ps2_status ps2_add_symbol(struct ps2 *, const struct ps2_symbol *,
                               struct ps2_error *); // copies the strings

// Symbol files name what memory holds already: they are loaded after it. A symbol without a size reaches to
// the next one of its module. symbols.md describes the formats.
enum ps2_symbol_format {
    PS2_SYMBOLS_ANY,    // by content
    PS2_SYMBOLS_ELF,    // the symbol table of an executable
    PS2_SYMBOLS_TABLE,  // TSV or CSV with a line of column names
    PS2_SYMBOLS_GHIDRA, // CSV of Ghidra's symbol table or function table
    PS2_SYMBOLS_SPLAT,  // symbol_addrs.txt
    PS2_SYMBOLS_MAP,    // map of GNU ld
    PS2_SYMBOLS_PCSX2,  // .sym
};
enum ps2_symbol_format ps2_symbol_format_find(const char *name); // PS2_SYMBOLS_ANY when there is none
// `module` (may be NULL) makes one overlay of what the file does not itself give to overlays.
enum ps2_status ps2_load_symbols(struct ps2 *, const char *path, enum ps2_symbol_format, const char *module,
                                 struct ps2_error *);
enum ps2_status ps2_load_symbols_data(struct ps2 *, const char *name, const void *data, size_t size,
                                      enum ps2_symbol_format, const char *module, struct ps2_error *);
// Whether an overlay is in memory: memory must hold nine tenths of the code of its image, and no overlay may
// lie there that fits better. Otherwise its symbols are forgotten. The image is an ELF file, an overlay.bin,
// or with `address` (may be NULL) the raw bytes that lie there.
enum ps2_status ps2_match_module(struct ps2 *, const char *module, const char *path, const uint32_t *address,
                                 struct ps2_error *);
// When none of the overlays is in memory: which image came nearest. False when one is, or none was compared.
bool ps2_nearest_module(const struct ps2 *, struct ps2_module *nearest);
// A file with a line `MODULE ADDRESS SIZE` for each overlay in memory; # begins a remark. The symbols of
// other overlays that have one in such a place are forgotten.
enum ps2_status ps2_load_map(struct ps2 *, const char *path, struct ps2_error *);
enum ps2_status ps2_load_map_data(struct ps2 *, const char *name, const char *data, size_t size,
                                  struct ps2_error *);
// Fails when two overlays name the same memory, and nothing said which is there.
enum ps2_status ps2_settle_symbols(const struct ps2 *, struct ps2_error *);

// ---- calling

enum ps2_argument_kind { PS2_INTEGER, PS2_FLOAT };

struct ps2_argument {
    enum ps2_argument_kind kind;
    bool wide;          // 128 bits
    union ee_reg value; // PS2_FLOAT: the bit pattern in w[0]
};
struct ps2_argument ps2_integer(int64_t value); // 32-bit values are passed sign-extended, as the ABI demands
struct ps2_argument ps2_float(uint32_t bits);

struct ps2_call {
    uint32_t entry;
    const struct ps2_argument *arguments;
    size_t argument_count;
    bool has_gp,
        has_sp; // otherwise: gp of the entry's module, else of the last one that has it; the default stack
    uint32_t gp, sp;
    struct guest_limits limits;
};

struct ps2_result {
    struct guest_stop stop;
    union ee_reg v0, v1;
    uint32_t f0;
    uint32_t sp; // the stack pointer that the function got
};

// Calls a function with the EABI of the console's compilers (n64-sized registers): integers in
// $a0..$a3,$t0..$t3, floats in $f12..$f19, counted apart; the others from 0($sp) upward in order, 8 bytes
// each (16 bytes, aligned, for a 128-bit one: unverified). All other registers keep their values. Returns
// PS2_OK when the function returned or the program ended; PS2_GUEST_FAULT with result->stop filled otherwise;
// PS2_BAD_INPUT when there is no code at the entry or no memory at the stack. Source of the layout: what
// mipsel-linux-gnu-gcc -mabi=eabi -mgp64 -msingle-float makes.
enum ps2_status ps2_call(struct ps2 *, const struct ps2_call *, struct ps2_result *, struct ps2_error *);

// Makes the function at `address` return `v0` and `f0` at once instead of running.
enum ps2_status ps2_stub(struct ps2 *, uint32_t address, union ee_reg v0, uint32_t f0, struct ps2_error *);

// Makes every system call return 0, as long as no kernel is attached.
void ps2_stub_syscalls(struct ps2 *);

// ---- snapshots

// The whole state of a machine as its program can see it: CPU, memories, devices, VUs, GIF, GS and, with
// ps2_attach_kernel, kernel and IOP. What the tool set up (modules, symbols, buffers' names, stubs,
// observers) is not part of it and stays. A snapshot does not change, belongs to no machine, and may be
// restored from any thread, in every machine with as much RAM and with (or without) a kernel, whatever its
// engine. See snapshot.md.
struct ps2_snapshot;
// Both fail during a call, and with a kernel while the program has files open.
enum ps2_status ps2_snapshot_take(struct ps2 *, struct ps2_snapshot **out, struct ps2_error *);
// Costs what was written since the same snapshot was last taken or restored here. After a failure for want of
// memory the machine's state is undefined until another succeeds.
enum ps2_status ps2_snapshot_restore(struct ps2 *, struct ps2_snapshot *, struct ps2_error *);
void ps2_snapshot_free(struct ps2_snapshot *); // NULL is allowed
// PS2_DIFFERENT, with the unit and the field in the message, when the machine's state is another.
enum ps2_status ps2_snapshot_compare(struct ps2 *, const struct ps2_snapshot *, struct ps2_error *);

// Hash of the whole state; equal on machines in equal states. Looks at every byte: milliseconds.
uint64_t ps2_state_hash(struct ps2 *);
// The same of all but the pages that are as in the snapshot last taken or restored; `pages`: how many are
// not, of all memories.
uint64_t ps2_dirty_hash(struct ps2 *, size_t *pages);

// Lockstep of whole states: puts `second` into the state of `first`, calls on both, and compares results and
// states. PS2_DIFFERENT says what differs; otherwise as ps2_call. The machines need the same stubs and
// modules.
enum ps2_status ps2_call_both(struct ps2 *first, struct ps2 *second, const struct ps2_call *,
                              struct ps2_result *, struct ps2_error *);

// ---- whole programs

// The console's kernel, as far as programs see it. A zero member means its default.
struct ps2_kernel {
    const char *root; // directory that the program's file access stays below; NULL: no files
    bool no_vblank;   // no video fields, so no vertical blanking interrupts
    void *context;
    // What the program writes to its descriptors 1 (output) and 2 (errors); NULL drops it.
    void (*output)(void *context, int descriptor, const void *data, size_t size);
};
struct ps2_exec {
    struct ps2_kernel kernel;
    const char *const *arguments; // what main gets; the first is the program's own path, as "host:game.elf"
    int argument_count;           // at most 16, of 256 bytes in all
    struct guest_limits limits;
};

struct ps2_exec_result {
    struct guest_stop stop;
    int exit_status; // what the program passed to Exit; 0 when its last thread ended
};

// Runs the program loaded last from its entry point, under a model of the console's kernel (harness/kernel/).
// PS2_OK when it ended by itself; PS2_GUEST_FAULT when it faulted, deadlocked, asked for what is unsupported
// or reached a limit. A machine runs one program.
enum ps2_status ps2_exec(struct ps2 *, const struct ps2_exec *, struct ps2_exec_result *, struct ps2_error *);

// Serves the system calls of functions called with ps2_call. Writes the kernel's part of RAM, from 0x10000 to
// 0x20000 and at 0x2f0, so it comes after loading. `kernel` is copied.
// In a machine with a captured state, the threads of the console's kernel become the model's, and semaphores
// on which a thread waits; a call for another semaphore is unsupported.
enum ps2_status ps2_attach_kernel(struct ps2 *, const struct ps2_kernel *kernel, struct ps2_error *);

// ---- observing

// Several observers may be attached; they are called in the order they came. `observer` must outlive the
// attachment. Without one, the guest runs at full speed.
enum ps2_status ps2_attach(struct ps2 *, const struct guest_observer *observer, struct ps2_error *);
void ps2_detach(struct ps2 *, const struct guest_observer *observer);

// Counts the accesses to a range, in any mirror. Attached from ps2_watch_new to ps2_watch_free, as are the
// others.
struct ps2_watch;
struct ps2_watch_row {
    int64_t offset; // of the access from the start of the range; negative when it begins before
    uint8_t size;   // bytes
    uint8_t kind;   // enum guest_access_kind
    bool write;
    uint32_t first_pc;
    uint64_t count;
};
enum ps2_status ps2_watch_new(struct ps2 *, uint32_t address, uint32_t size, struct ps2_watch **out,
                              struct ps2_error *);
void ps2_watch_free(struct ps2_watch *);
// The rows ordered by offset, size, direction and kind; valid until the guest runs again. `lost`: accesses
// that found no memory for a row of their own.
const struct ps2_watch_row *ps2_watch_rows(struct ps2_watch *, size_t *count, uint64_t *lost);

// Writes one line for each instruction to `out`; see trace.c for the format.
struct ps2_trace;
enum ps2_status ps2_trace_new(struct ps2 *, FILE *out, struct ps2_trace **trace, struct ps2_error *);
void ps2_trace_free(struct ps2_trace *);

// Counts how often each word of RAM ran.
struct ps2_coverage;
enum ps2_status ps2_coverage_new(struct ps2 *, struct ps2_coverage **out, struct ps2_error *);
void ps2_coverage_free(struct ps2_coverage *);
uint64_t ps2_coverage_count(const struct ps2_coverage *, uint32_t address);
// Tab-separated: see coverage.c.
void ps2_coverage_write(const struct ps2_coverage *, FILE *out);

// Keeps the last accesses and instructions for the report of a fault.
struct ps2_history;
enum ps2_status ps2_history_new(struct ps2 *, struct ps2_history **out, struct ps2_error *);
void ps2_history_free(struct ps2_history *);

// Writes DMA transfers, VIF codes, runs of microprograms and GIF data to `out`, each with its cause, from now
// until ps2_record_end, which frees the recorder and tells whether all was written (NULL is allowed). The
// format is in recording.md.
struct ps2_record;
enum ps2_status ps2_record_new(struct ps2 *, FILE *out, struct ps2_record **, struct ps2_error *);
enum ps2_status ps2_record_end(struct ps2_record *, struct ps2_error *);

// ---- pictures

// From now on the GS draws the primitives that it gets; before, they pass without effect on its memory.
enum ps2_status ps2_draw(struct ps2 *, struct ps2_error *);
// Writes what the GS shows as a PNG file: the display when PMODE turns it on, else the frame buffer that was
// drawn to last, as far as its scissor reaches.
enum ps2_status ps2_save_picture(struct ps2 *, const char *path, struct ps2_error *);

// ---- what a run changed

struct ps2_changes;
struct ps2_change {
    uint32_t address, size; // whole words
    const uint8_t *old, *now;
};
// Copies RAM and scratchpad.
enum ps2_status ps2_changes_begin(struct ps2 *, struct ps2_changes **out, struct ps2_error *);
// Compares with the copy: ranges of words that differ, by address. `bytes`: how many bytes in all.
const struct ps2_change *ps2_changes_find(struct ps2_changes *, size_t *count, uint64_t *bytes,
                                          struct ps2_error *);
void ps2_changes_free(struct ps2_changes *);

// ---- reports

// One line: why the run ended, where, with the symbol.
void ps2_stop_text(const struct ps2 *, const struct guest_stop *, char *out, size_t out_size);
// Several lines: the instructions around the stop, all registers, and, with `history` (may be NULL), the last
// accesses.
void ps2_report(struct ps2 *, const struct guest_stop *, const struct ps2_history *history, FILE *out);

#endif
