// GS dumps as PCSX2 writes them: .gs, and compressed .gs.xz and .gs.zst.
//
// Layout (all little-endian; PCSX2/pcsx2:pcsx2/GS/GSDump.h, GSState.cpp;
// parallel-gs:dump/gs_dump_parser.cpp): a header with versions and serial (or, in old dumps, CRC and size
// alone), the GS's state with local memory, 0x2000 bytes of privileged registers, then packets.
#ifndef HARNESS_GS_DUMP_H
#define HARNESS_GS_DUMP_H

#include "gs/gs.h"
#include "harness/ps2h.h"

#define GS_DUMP_VERSION         8u // of the state that is written
#define GS_DUMP_PRIVILEGED_SIZE 0x2000u

struct gs_dump {
    const char *name; // for messages
    uint8_t *bytes;   // owned, uncompressed
    size_t size;
    uint32_t state_version, crc;
    char serial[64]; // empty when the dump has none
    // Offsets into `bytes`
    size_t state, memory, privileged, packets;
};

// Whether the name ends as that of a dump does.
bool gs_dump_is_name(const char *path);
// Reads a file, uncompressing it. gs_dump_free is due whether or not that succeeded.
enum ps2_status gs_dump_open(struct gs_dump *, const char *path, struct ps2_error *);
// Takes over `bytes` (from malloc), also when it fails.
enum ps2_status gs_dump_from_data(struct gs_dump *, const char *name, uint8_t *bytes, size_t size,
                                  struct ps2_error *);
void gs_dump_free(struct gs_dump *);
// Registers, local memory and privileged registers to `gs`; unfinished packets and Q to `gif`. Either may be
// NULL. The CLUT buffer and a running transfer are not in a dump.
void gs_dump_restore(const struct gs_dump *, struct gs *gs, struct gif *gif);

// The 0x2000 bytes of a registers packet.
void gs_dump_restore_privileged(struct gs *, const uint8_t *block);

enum gs_dump_kind { GS_DUMP_TRANSFER, GS_DUMP_VSYNC, GS_DUMP_READ, GS_DUMP_REGISTERS, GS_DUMP_END };

struct gs_dump_packet {
    enum gs_dump_kind kind;
    size_t at;           // offset of the packet into the dump
    enum gif_path path;  // GS_DUMP_TRANSFER
    const uint8_t *data; // GS_DUMP_TRANSFER, GS_DUMP_REGISTERS; not aligned
    size_t size;         // bytes of `data`
    uint32_t value;      // GS_DUMP_VSYNC: field; GS_DUMP_READ: quadwords
};
// The packet at *at (first: dump->packets), which moves behind it. GS_DUMP_END at the end of the dump.
enum ps2_status gs_dump_next(const struct gs_dump *, size_t *at, struct gs_dump_packet *, struct ps2_error *);

// ---- writing

// A dump under construction. All zero before gs_dump_begin.
struct gs_dump_writer {
    uint8_t *bytes;
    size_t size, room;
    bool failed; // memory ran out
};
// State, memory and privileged registers from `gs`; `gif` (may be NULL) gives unfinished packets and Q.
void gs_dump_begin(struct gs_dump_writer *, struct gs *gs, const struct gif *gif, uint32_t crc,
                   const char *serial);
void gs_dump_transfer(struct gs_dump_writer *, enum gif_path, const void *data, size_t size);
void gs_dump_read_fifo(struct gs_dump_writer *, uint32_t quadwords);
void gs_dump_vsync(struct gs_dump_writer *, const struct gs *, uint32_t field); // with a registers packet
// Writes the file, compressed as its name ends.
enum ps2_status gs_dump_save(const struct gs_dump_writer *, const char *path, struct ps2_error *);
void gs_dump_writer_free(struct gs_dump_writer *);

#endif
