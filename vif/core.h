// The inside of a VIF. Private to vif/.
#ifndef VIF_CORE_H
#define VIF_CORE_H

#include "vif/vif.h"

typedef uint32_t vif_lanes __attribute__((vector_size(16)));

// Words that the FIFO can hold: FQC of 8 and the inside of the unit, plus a burst of 8 quadwords.
enum { FIFO_WORDS = 80, BURST_WORDS = 32, BACK_QUADWORDS = 16, STAGE_WORDS = 8 };

// ---- codes.c: the table of VIFcodes

enum wait_for { WAIT_NOTHING, WAIT_VU, WAIT_PATHS_1_2, WAIT_ALL_PATHS };

struct code_row {
    uint8_t mask, match; // of bits 24..30
    const char *name;
    bool vif1_only;
    enum wait_for wait; // what must have ended before the code does anything
    // Words of data that follow.
    uint32_t (*words)(uint32_t code, uint32_t cycle);
    // Does what needs no data. May be NULL.
    void (*begin)(struct vif *);
    // Takes data: returns how many of the words; `left` counts down. NULL: there is none.
    size_t (*data)(struct vif *, const uint32_t *words, size_t count);
    // Writes the operands. NULL: there are none.
    void (*operands)(uint32_t code, char *out, size_t out_size);
};
extern const struct code_row vif_code_rows[];
extern const size_t vif_code_count;
// NULL for a code that the unit does not have.
const struct code_row *vif_code_row(enum vif_unit, uint32_t code);

// ---- format.c: the formats of UNPACK

// Decodes n vectors to 16 bytes each and adds `row`. Reads no byte beyond the last vector, but V3, whose w is
// the element that follows.
typedef void vif_decode(uint8_t *out, const uint8_t *in, size_t n, vif_lanes row);
struct vif_format {
    const char *name;
    uint8_t size, element; // bytes of a vector and of one of its elements
    vif_decode *decode[2]; // sign-extended, zero-extended
};
// By the low four bits of the command. Without a decoder: no such format.
extern const struct vif_format vif_formats[16];

// ---- the unit

enum phase { PHASE_IDLE, PHASE_WAIT, PHASE_DATA };

struct unpack {
    const struct vif_format *format;
    vif_decode *decode;
    uint32_t cl, wl, mode;
    uint32_t address;    // quadword of the next write, before the wrap
    uint32_t position;   // of the next write in the write cycle
    uint32_t data_left;  // vectors still to come from the packet
    bool masked, linear; // linear: no mask, and the writes follow one another
    // What a lane gets at each position: all ones where it is data, ROW, or what memory holds; COL's value.
    vif_lanes data[4], row[4], keep[4], col[4];
    // Words of a vector that an earlier write cut; the first `skip` bytes are used up.
    uint32_t stage[STAGE_WORDS];
    unsigned staged, skip;
};

struct vif {
    enum vif_unit unit;
    struct vu *vu;
    uint8_t *memory;        // of the VU
    uint32_t memory_mask;   // in quadwords
    uint32_t micro_size;    // bytes
    struct vif_ports ports; // of a VIF0 too
    const struct vif_observer *observer;
    const struct code_row *rows[128]; // of the code table, by bits 24..30

    uint32_t stat; // MRK, DBF, stalls, INT, ER0, ER1, FDR; the rest is made when it is read
    uint32_t err, mark, cycle, mode, num, mask, code, itops, base, ofst, tops, itop, top;
    vif_lanes row;
    uint32_t col[4];

    enum phase phase;
    const struct code_row *op;
    uint32_t left;         // words of data still to come
    uint32_t micro;        // MPG: byte address of the next word
    unsigned position;     // in its quadword, of the next word to be worked on
    unsigned arriving;     // and of the next word to come from outside
    bool gif_full;         // the GIF took less than it was offered
    bool stop_requested;   // FBRST.STP during a code
    bool serving;          // inside a call from outside: a port that calls back must not go on
    uint32_t direct[4];    // DIRECT: the start of a quadword that an earlier write cut
    unsigned direct_count; // words
    struct unpack unpack;

    uint32_t fifo[FIFO_WORDS];
    uint8_t places[FIFO_WORDS]; // each word's in its quadword
    size_t held;
    uint64_t back[BACK_QUADWORDS][2]; // from the GS
    size_t back_count;
};

bool vif_stalled(const struct vif *);
// Fetches what the GS has to send into the FIFO.
void vif_fetch_back(struct vif *);
// FQC for a FIFO that holds so many words.
uint32_t vif_fifo_count(size_t held);
void vif_force_reset(struct vif *);

// ---- unpack.c

uint32_t vif_unpack_words(uint32_t code, uint32_t cycle);
void vif_unpack_begin(struct vif *);
size_t vif_unpack_data(struct vif *, const uint32_t *words, size_t count);

#endif
