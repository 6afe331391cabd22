// GIF: takes GS packets from three paths, one packet at a time, and hands decoded registers to a sink.
//
// Tags, formats, registers and priorities: EE User's Manual chapter 7; quirks: user reports named at the
// code. Packets may be cut anywhere between quadwords. A quadword is two uint64_t in memory order.
#ifndef GS_GIF_H
#define GS_GIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gif_path { GIF_PATH1, GIF_PATH2, GIF_PATH3, GIF_PATHS };

enum gif_format { GIF_PACKED, GIF_REGLIST, GIF_IMAGE };

// Where decoded packets go.
struct gs_sink {
    void *context;
    // A tag was read. May be NULL.
    void (*tag)(void *context, enum gif_path, const uint64_t tag[2]);
    // A register (0..0x7f) is written. False: the GS takes nothing more until gif_resume (a second SIGNAL
    // waits).
    bool (*write)(void *context, enum gif_path, uint8_t number, uint64_t value);
    // `count` values for HWREG.
    void (*image)(void *context, enum gif_path, const uint64_t *values, size_t count);
};

// How the GIF calls up. Any may be NULL.
struct gif_ports {
    void *context;
    // A path that gif_write took too little from can go on now. The port may call gif_write.
    void (*ready)(void *context, enum gif_path);
    // Quadwords were used up: the order in which the paths had their turns.
    void (*taken)(void *context, enum gif_path, const uint64_t *quadwords, size_t count);
};

// ---- tags

struct gif_tag {
    uint16_t nloop;         // 0..32767
    bool eop, pre;          // pre: only with PACKED
    uint16_t prim;          // 11 bits
    enum gif_format format; // FLG 3 is IMAGE (ran-j/PS2Recomp#229)
    uint8_t nreg;           // 1..16
    uint64_t regs;          // descriptor n is bits 4n..4n+3
};
struct gif_tag gif_tag(const uint64_t quadword[2]);
// Quadwords of data that follow the tag.
uint32_t gif_tag_size(const struct gif_tag *);

// Finds the ends of packets without looking at their data. All zero: before a packet.
struct gif_walk {
    uint32_t left; // quadwords of data before the next tag
    bool eop;      // the tag read last ends the packet
};
// Takes the next quadword; true when the packet ends with it.
bool gif_walk(struct gif_walk *, const uint64_t quadword[2]);

// ---- the unit

#define GIF_BASE      0x10003000u
#define GIF_SIZE      0x100u
#define GIF_FIFO_BASE 0x10006000u
#define GIF_FIFO_SIZE 0x1000u

#define GIF_FIFO_QUADWORDS 16u
// Room for kicked packets that wait for another path: VU1's memory, 16 times.
#define GIF_KICK_QUADWORDS 16384u

struct gif_channel {
    uint64_t raw[2]; // the tag read last
    struct gif_tag tag;
    uint32_t left; // data of the tag still to come: REGLIST in 64-bit values, else in quadwords
    uint8_t reg;   // descriptor that comes next
    bool open;     // inside a packet
    bool refused;  // the last gif_write was not taken whole
    bool hl;       // ... and was gif_write_hl
};

struct gif {
    struct gs_sink sink;
    struct gif_ports ports;
    struct gif_channel path[GIF_PATHS];
    enum gif_path last; // whose tag was read last
    uint32_t q;         // the Q latch: what ST left for RGBAQ
    bool mask_mode, mask_vif, intermittent, stopped, stalled, from_gs, overrun;
    bool recorded; // the data come in the order in which they once were sent: no path waits for another
    bool serving;  // inside a call from outside
    uint64_t fifo[GIF_FIFO_QUADWORDS][2]; // PATH3
    unsigned fifo_count;
    uint64_t (*kicked)[2]; // PATH1 quadwords that wait; NULL until one had to
    size_t kicked_count;
    struct gif_walk kick;
};

// `sink` and `ports` (may be NULL) are copied.
void gif_init(struct gif *, const struct gs_sink *sink, const struct gif_ports *ports);
void gif_free(struct gif *);
// As GIF_CTRL.RST: packets are forgotten, registers cleared.
void gif_reset(struct gif *);

// Snapshots: see gs_visit in gs/gs.h. False when memory for waiting packets runs out.
typedef void gs_visitor(void *context, const char *name, void *data, size_t size, unsigned width);
bool gif_visit(struct gif *, gs_visitor *, void *context);

// Returns how many quadwords were taken: fewer when the path has to wait. PATH3 counts those in its FIFO.
size_t gif_write(struct gif *, enum gif_path, const uint64_t *quadwords, size_t count);
// PATH2 by DIRECTHL, which never interrupts an image of PATH3.
size_t gif_write_hl(struct gif *, const uint64_t *quadwords, size_t count);
// PATH1: always takes the quadword; true when the packet ends with it. A packet that has to wait is kept;
// what goes beyond GIF_KICK_QUADWORDS is lost and sets `overrun`. For struct vu_ports.
bool gif_kick(void *gif, const uint64_t quadword[2]);

void gif_resume(struct gif *);           // the GS goes on
void gif_mask_path3(struct gif *, bool); // VIF1's MASKP3
// GIF_CTRL.PSE, GIF_MODE.M3R and IMT.
void gif_stop(struct gif *, bool stopped);
void gif_set_mode(struct gif *, bool mask_path3, bool intermittent);
// The path in whose packet the GIF is, GIF_PATHS without one.
enum gif_path gif_active(const struct gif *);
void gif_set_direction(struct gif *, bool from_gs); // BUSDIR, shown in GIF_STAT

// Register windows; as in struct ee_device, with the struct gif as context.
const char *gif_read_register(void *, uint32_t address, unsigned size, uint64_t value[2]);
const char *gif_write_register(void *, uint32_t address, unsigned size, const uint64_t value[2]);
const char *gif_write_fifo(void *, uint32_t address, unsigned size, const uint64_t value[2]);

#endif
