// The VIFs: VIF0 and VIF1, which unpack DMA packets into the VUs' memories and start microprograms.
//
// Codes, registers and timing-free behaviour: EE User's Manual chapter 6; what was measured names its source
// at the code. The unit is fed with words and may be left at any of them: it keeps its state.
#ifndef VIF_VIF_H
#define VIF_VIF_H

#include "vu/vu.h"

struct vif;

enum vif_unit { VIF_UNIT_0, VIF_UNIT_1 };

#define VIF0_BASE          0x10003800u
#define VIF1_BASE          0x10003c00u
#define VIF_REGISTERS_SIZE 0x180u
#define VIF0_FIFO_BASE     0x10004000u
#define VIF1_FIFO_BASE     0x10005000u
#define VIF_FIFO_SIZE      0x1000u
#define VIF_TEXT_SIZE      96

// Register offsets from the unit's base address.
enum vif_register {
    VIF_STAT = 0x00,
    VIF_FBRST = 0x10,
    VIF_ERR = 0x20,
    VIF_MARK = 0x30,
    VIF_CYCLE = 0x40,
    VIF_MODE = 0x50,
    VIF_NUM = 0x60,
    VIF_MASK = 0x70,
    VIF_CODE = 0x80,
    VIF_ITOPS = 0x90,
    VIF_BASE = 0xa0,
    VIF_OFST = 0xb0,
    VIF_TOPS = 0xc0,
    VIF_ITOP = 0xd0,
    VIF_TOP = 0xe0,
    VIF_R0 = 0x100,
    VIF_C0 = 0x140,
};

enum vif_stat_bits {
    VIF_STAT_VPS = 3,
    VIF_STAT_VEW = 1 << 2,
    VIF_STAT_VGW = 1 << 3,
    VIF_STAT_MRK = 1 << 6,
    VIF_STAT_DBF = 1 << 7,
    VIF_STAT_VSS = 1 << 8,
    VIF_STAT_VFS = 1 << 9,
    VIF_STAT_VIS = 1 << 10,
    VIF_STAT_INT = 1 << 11,
    VIF_STAT_ER0 = 1 << 12,
    VIF_STAT_ER1 = 1 << 13,
    VIF_STAT_FDR = 1 << 23,
    VIF_STAT_FQC = 0x1f << 24,
};
enum vif_fbrst_bits { VIF_FBRST_RST = 1, VIF_FBRST_FBK = 2, VIF_FBRST_STP = 4, VIF_FBRST_STC = 8 };
enum vif_err_bits { VIF_ERR_MII = 1, VIF_ERR_ME0 = 2, VIF_ERR_ME1 = 4 };

// How the unit calls up. Any member may be NULL.
struct vif_ports {
    void *context;
    // MSCAL, MSCALF, MSCNT: start the VU at `pc` (pair index); TOP and ITOP are set. The port may run the
    // program to its end. NULL: vu_start, and whoever runs the VU calls vif_run when it ends.
    void (*start)(void *context, uint32_t pc);
    // DIRECT and DIRECTHL: returns how many quadwords (two values each) PATH2 takes. Fewer: call vif_run when
    // the GIF is free. NULL: takes all.
    size_t (*path2)(void *context, const uint64_t *quadwords, size_t count, bool hl);
    // FLUSH (PATH1 and PATH2) and FLUSHA (`path3`: also PATH3): is a transfer going on? NULL: never.
    bool (*gif_busy)(void *context, bool path3);
    void (*mask_path3)(void *context, bool masked);
    // The interrupt bit of a code. NULL: nobody listens.
    void (*interrupt)(void *context);
    // VIF1 with STAT.FDR set: at most `count` quadwords from the GS; returns how many there are.
    size_t (*download)(void *context, uint64_t (*quadwords)[2], size_t count);
};

// What a tracer sees. `code`: a code was taken, nothing done yet. `done`: it has had its whole effect.
struct vif_observer {
    void *context;
    void (*code)(void *context, struct vif *, uint32_t code);
    void (*done)(void *context, struct vif *, uint32_t code);
};

// NULL when memory runs out. The VU must outlive the unit.
struct vif *vif_new(enum vif_unit, struct vu *);
void vif_free(struct vif *);
// As FBRST.RST, and the registers that it leaves alone too.
void vif_reset(struct vif *);
void vif_set_ports(struct vif *, const struct vif_ports *);
void vif_observe(struct vif *, const struct vif_observer *); // NULL detaches; must outlive the unit

// ---- snapshots

// Shows every field of the state to `visit`, always in the same order: `size` bytes at `data`, in elements of
// `width` bytes. What `visit` writes there is the state afterwards.
typedef vu_visitor vif_visitor;
void vif_visit(struct vif *, vif_visitor *, void *context);

// ---- data

// Writes words, as DMA and the FIFO window do; returns how many were taken. Fewer than `count`: the unit
// waits (for FBRST.STC, the VU or the GIF) and its FIFO has no room for the next eight quadwords; later go on
// with the rest. A V3 vector takes its w from the quadword it ends in, so one that ends `words` inside a
// quadword is written when the next word comes.
size_t vif_write(struct vif *, const uint32_t *words, size_t count);
// The next word lies at `word` (0..3) of its quadword. Only the upper half of a DMA tag (TTE) needs it, with
// 2; otherwise the unit counts.
void vif_seek(struct vif *, unsigned word);
// Goes on with what the FIFO holds, after whatever the unit waited for.
void vif_run(struct vif *);
// VIF1 with STAT.FDR set: reads quadwords that the GS sends; returns how many there were.
size_t vif_read(struct vif *, uint64_t (*quadwords)[2], size_t count);

// Whether data can pass: false while the unit is stalled or waits for the VU or the GIF.
bool vif_ready(const struct vif *);
// Whether nothing is left to do: no code in progress, FIFO empty.
bool vif_idle(const struct vif *);

// ---- registers, as 32-bit values; offsets without a register read 0 and ignore writes

uint32_t vif_read_register(struct vif *, uint32_t offset);
void vif_write_register(struct vif *, uint32_t offset, uint32_t value);
// For captured state: sets any register but FBRST. Of STAT: MRK, DBF, the stall bits and FDR. NUM stays while
// a code takes its data.
void vif_set_register(struct vif *, uint32_t offset, uint32_t value);

// The same and the FIFO as windows: for struct ee_device, with the struct vif as context.
const char *vif_read_device(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *vif_write_device(void *, uint32_t address, unsigned size, const uint64_t value[2]);
const char *vif_read_fifo(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *vif_write_fifo(void *, uint32_t address, unsigned size, const uint64_t value[2]);

// ---- codes, without a unit

// Mnemonic, NULL for a code the unit does not have.
const char *vif_code_name(enum vif_unit, uint32_t code);
// Words of data that follow the code. `cycle` is the CYCLE register (only UNPACK depends on it).
uint32_t vif_code_words(enum vif_unit, uint32_t code, uint32_t cycle);
// One line, without what follows the code; at most VIF_TEXT_SIZE bytes.
void vif_disassemble(enum vif_unit, uint32_t code, char *out, size_t out_size);

bool vif_is_unpack(uint32_t code);
uint32_t vif_code_num(uint32_t code); // NUM, with 256 for 0
// The quadword of VU memory that write n (from 0) of an UNPACK goes to.
uint32_t vif_unpack_address(enum vif_unit, uint32_t code, uint32_t cycle, uint32_t tops, uint32_t n);
// Whether write n is a filling one, which takes no data.
bool vif_unpack_fills(uint32_t cycle, uint32_t n);

#endif
