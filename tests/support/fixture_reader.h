// A tiny reader of synthetic levels for the builder's own tests, written from the documented layouts alone:
// it shares no code with the builder or with the host decoders. Its deliberate mistakes are the tests'
// controls.
#ifndef FIXTURE_READER_H
#define FIXTURE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "fixtures/fixture.h"

uint32_t rd8(const struct fixture_file *, size_t at);
uint32_t rd16(const struct fixture_file *, size_t at);
uint32_t rd32(const struct fixture_file *, size_t at);
double rd_real(const struct fixture_file *, size_t at);

// ---- the truth file

json_t *truth_of(const struct fixture_level *); // the caller releases it
int64_t truth_int(const json_t *object, const char *name);
int64_t truth_at(const json_t *array, size_t index);

// ---- WAD streams

enum wad_mistake {
    WAD_RIGHT,
    WAD_BLOCK_COPY,
    WAD_NO_MARKER,
    WAD_NO_SPACER,
    WAD_LITTLE_FROM_LAST,
    WAD_FAR_SHORT
};
// Decodes into `out` (room for `room` bytes) and returns the size, or -1 where the stream is malformed.
long wad_read(const uint8_t *data, size_t size, uint8_t *out, size_t room, enum wad_mistake);

// ---- tfrag patches

enum patch_mistake {
    PATCH_RIGHT,
    PATCH_DATA_FROM_BLOCK, // data offsets from the block and not from its table
    PATCH_COMMON_ONLY,     // positions in the common list alone
    PATCH_PAD_2,           // payloads padded to 2 bytes
    PATCH_ROW_IGNORED,     // STROW without a payload
    PATCH_LAST_ROW,        // the origin is the last row of the common list that is no index row
    PATCH_UNGUARDED,       // parent arrays told apart by address alone
    PATCH_BY_ARRIVAL,      // strips banked in the order they come
    PATCH_KICK_KEEPS,      // a kick never loads a texture
};

struct patch_read {
    bool walked; // every list ended exactly at its end
    unsigned positions, entries, lights, colours, common_positions, tier_01_positions;
    int32_t origin[4];
    int16_t position[256][3];
    int16_t entry[256][4];
    uint8_t indices[3][512], parents[2][256],
        extras[2][256]; // by LOD; by tier 01 and 0, as vertex-info indices
    unsigned index_count[3], parent_count[2], extra_count[2];
    int8_t records[3][96][3];
    unsigned record_count[3];
    unsigned header[20];
};

void patch_read(const struct fixture_file *core, size_t block, size_t number, enum patch_mistake,
                struct patch_read *);
// Triangles of LOD 0, 1 or 2 as entry, entry, entry, ad-gif; returns how many, at most `room`.
unsigned patch_triangles(const struct patch_read *, unsigned lod, enum patch_mistake, int (*out)[4],
                         unsigned room);

#endif
