// The file of a recording: what each record is, and reading it. See recording.md. Private to harness/.
#ifndef HARNESS_RECORDING_H
#define HARNESS_RECORDING_H

#include "harness/ps2h.h"

#define RECORDING_MAGIC     "ps2h recording 1" // 16 bytes
#define RECORDING_NO_CAUSE  UINT32_MAX
#define RECORDING_TO_MEMORY 1u // of RECORD_DMA
#define RECORDING_HAS_TAG   2u

enum record_kind {
    RECORD_DMA = 1,   // a: channel, b: flags. struct record_dma
    RECORD_VIF_DATA,  // a: unit, b: address of the first word. Words
    RECORD_VIF_CODE,  // a: unit, b: code
    RECORD_VU_START,  // a: unit, b: pair
    RECORD_VU_END,    // a: unit, b: pair. struct record_vu_end
    RECORD_GIF,       // a: path, from 1. Quadwords
    RECORD_STORE,     // a: address, b: low word. Two 64-bit values
    RECORD_VIF_STATE, // a: unit, b: register offset. Like a store, before the recording began
    RECORD_VU_MEMORY, // a: unit, b: 0 before a run, 1 after it. Its data memory
    RECORD_KINDS
};

// All numbers are little-endian; a record begins at a multiple of 16 bytes.
struct record_header {
    uint32_t kind, size; // size: bytes behind the header, without what pads them to 16
    uint32_t cause;      // index of a record
    uint32_t pc;         // guest instruction inside which it happened
    uint64_t clock;
    uint32_t a, b;
};

struct record_dma {
    uint32_t tag_address, address, quadwords, reserved;
    uint64_t tag[2];
};

struct record_vu_end {
    uint32_t stop, reserved; // enum vu_stop_kind
    uint64_t pairs, cycles, reserved2;
};

struct recording {
    const char *name;
    uint8_t *bytes;
    size_t size;
};

struct record {
    struct record_header header;
    uint32_t index;
    const uint8_t *data; // header.size bytes, aligned to 16
};

bool recording_is(const uint8_t *bytes, size_t size);
// Reads a file. recording_free is due whether or not that succeeded.
enum ps2_status recording_open(struct recording *, const char *path, struct ps2_error *);
void recording_free(struct recording *);
// The record at *at, which moves behind it. Start with *at and *count zero; *end says that there is none.
enum ps2_status recording_next(const struct recording *, size_t *at, uint32_t *count, struct record *,
                               bool *end, struct ps2_error *);

#endif
