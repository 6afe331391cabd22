// A plain byte-at-a-time decoder of WAD packets, written from the rules and not from the product's decoder,
// with switches that break one rule each.
#ifndef SUPPORT_WAD_MODEL_H
#define SUPPORT_WAD_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum wad_model_wrong {
    WAD_MODEL_RIGHT = 0,
    WAD_MODEL_A_0x800 = 1,       // far matches with bit 3 reach 0x4800 back
    WAD_MODEL_BLOCK_COPY = 2,    // matches copied as if by memmove
    WAD_MODEL_NO_SKIP = 4,       // the block marker does not skip
    WAD_MODEL_NO_LITTLE = 8,     // little literals ignored
    WAD_MODEL_LAST_BYTE = 16,    // little literal count taken from the last byte of the packet
    WAD_MODEL_MARKER_LITTLE = 32 // the spacer takes no little literals
};

// How many packets of each class a stream has, little literal counts 0..3 of each match class, and so on.
struct wad_model_census {
    unsigned literal_short, literal_long, far_short, far_long, medium_short, medium_long, short_match;
    unsigned spacer, marker, overlap, little[4];
};

// Returns the decoded size, or -1 when a packet breaks a rule. `out` may hold `capacity` bytes. census may be
// NULL.
long wad_model_decode(const uint8_t *stream, size_t size, unsigned wrong, uint8_t *out, size_t capacity,
                      struct wad_model_census *census);

#endif
