// A program file taken apart, before it is loaded: segments, code, symbols. Private to harness/.
#ifndef HARNESS_IMAGE_H
#define HARNESS_IMAGE_H

#include "harness/ps2h.h"

struct image_segment {
    uint32_t address, memory_size; // in memory; zero beyond `size`
    size_t offset, size;           // in the file
};

struct image_code {
    const char *name;
    uint32_t address, size;
    size_t offset;
};

struct image_symbol {
    const char *name;
    uint32_t address, size;
    enum ps2_symbol_kind kind;
    bool global;
};

// Names point into `bytes` or are constants. An image is freed by image_free whether or not making it
// succeeded.
struct image {
    const char *name; // of the file, for messages
    uint8_t *bytes;   // owned
    size_t size;
    struct image_segment *segments;
    size_t segment_count;
    struct image_code *code; // what holds instructions, for the disassembler
    size_t code_count;
    struct image_symbol *symbols;
    size_t symbol_count;
    bool has_entry, has_gp;
    uint32_t entry, gp;
};

// Each takes `bytes` over, also when it fails. Segments lie in RAM of `ram_size` bytes or in the scratchpad
// and do not overlap.
enum ps2_status image_from_elf(struct image *, const char *name, uint8_t *bytes, size_t size,
                               uint32_t ram_size, struct ps2_error *);
enum ps2_status image_from_overlay(struct image *, const char *name, uint8_t *bytes, size_t size,
                                   uint32_t ram_size, struct ps2_error *);
enum ps2_status image_from_raw(struct image *, const char *name, uint8_t *bytes, size_t size,
                               uint32_t address, uint32_t ram_size, struct ps2_error *);
void image_free(struct image *);

// For the readers: appends a segment after checking where it lies in memory. `at`: file offset for the
// message.
enum ps2_status image_add_segment(struct image *, const struct image_segment *, uint32_t ram_size,
                                  uint64_t at, struct ps2_error *);
enum ps2_status image_add_code(struct image *, const struct image_code *, struct ps2_error *);
// The segment that holds the address, or NULL.
const struct image_segment *image_segment_at(const struct image *, uint32_t address);

#endif
