// The level container LEVEL<n>.WAD, its data extent, its chunk files, and the generic pair table of the same
// disc.
//
// Source: reference/level-formats, section 1. Sizes in the level header are sectors; sizes in the generic
// pair table are bytes. Nothing in the data says which is which, so each has its own reader.
#ifndef FORMATS_CONTAINER_H
#define FORMATS_CONTAINER_H

#include "harness/formats/span.h"

#define FMT_SECTOR             0x800
#define FMT_LEVEL_HEADER_SIZE  0x60
#define FMT_DATA_HEADER_SIZE   0x58
#define FMT_LEVEL_EXTENT_COUNT 10
#define FMT_DATA_RANGE_COUNT   11

// The extents of a level container in header order.
enum fmt_level_extent {
    FMT_LEVEL_DATA,
    FMT_LEVEL_SOUND_BANK,
    FMT_LEVEL_GAMEPLAY,
    FMT_LEVEL_OCCLUSION,
    FMT_LEVEL_CHUNK,                             // three of them
    FMT_LEVEL_CHUNK_SOUND = FMT_LEVEL_CHUNK + 3, // three of them
};

struct fmt_sectors {
    int32_t offset, size; // sectors from the start of the file; both 0 when absent
};

struct fmt_level_header {
    int32_t header_size;
    int32_t sector;   // of the file on the disc
    int32_t level_id; // the level's identity; the file's number is not (LEVEL21.WAD holds 30)
    int32_t reverb;
    struct fmt_sectors extents[FMT_LEVEL_EXTENT_COUNT];
};

struct fmt_range {
    int32_t offset, size; // bytes; {-1, 0} or size 0 when absent
};

// The ranges of the data extent in header order; five HUD banks.
enum fmt_data_range {
    FMT_DATA_OVERLAY,
    FMT_DATA_CORE_INDEX,
    FMT_DATA_GS_RAM,
    FMT_DATA_HUD_HEADER,
    FMT_DATA_HUD_BANK,
    FMT_DATA_CORE_DATA = FMT_DATA_HUD_BANK + 5, // one WAD stream
    FMT_DATA_TRANSITION_TEXTURES,
};

struct fmt_data_header {
    struct fmt_range ranges[FMT_DATA_RANGE_COUNT];
};

// The file name (without folder) under which an extent or a range is unpacked.
const char *fmt_level_extent_name(unsigned extent);
const char *fmt_data_range_name(unsigned range);

// Reads the header and checks that every extent lies in the file, after sector 0. The 0x68-byte header of
// other builds is refused as unsupported.
enum ps2_status fmt_level_header(struct fmt_span file, struct fmt_level_header *header,
                                 struct ps2_error *error);
void fmt_level_header_write(const struct fmt_level_header *header, uint8_t out[FMT_LEVEL_HEADER_SIZE]);
// The bytes of an extent; an absent one gives size 0.
enum ps2_status fmt_level_extent(struct fmt_span file, const struct fmt_level_header *header, unsigned extent,
                                 struct fmt_span *out, struct ps2_error *error);
// The extents that are present, sorted by offset, chain exactly and reach the end of the file.
enum ps2_status fmt_level_tiles(struct fmt_span file, const struct fmt_level_header *header,
                                struct ps2_error *error);

// Reads the data extent's header and checks that ranges lie inside and do not overlap.
enum ps2_status fmt_data_header(struct fmt_span data, struct fmt_data_header *header,
                                struct ps2_error *error);
enum ps2_status fmt_data_range(struct fmt_span data, const struct fmt_data_header *header, unsigned range,
                               struct fmt_span *out, struct ps2_error *error);
// Where the last range ends: the total that the extent declares about itself.
int64_t fmt_data_declared(const struct fmt_data_header *header);
// The unit check: the declared total must end in the extent's last sector (0 <= extent - declared < 0x800). A
// sector count taken for bytes gives a ratio of one sector instead.
enum ps2_status fmt_data_fits(struct fmt_span data, int64_t declared, struct ps2_error *error);

// A generic container (G/*.WAD): a table of {offset, size} from byte 0, ended by a pair of zeros or by the
// first offset. Both in bytes; FMT_UNIT_SECTORS is the wrong reading, for controls. [The byte size is what
// the disc's record states; that the offset is in bytes too is unverified.]
enum fmt_unit {
    FMT_UNIT_BYTES = 1,
    FMT_UNIT_SECTORS = FMT_SECTOR,
};
// Pair `index`, or size 0 past the end of the table.
enum ps2_status fmt_pair(struct fmt_span file, size_t index, enum fmt_unit unit, struct fmt_span *out,
                         struct ps2_error *error);
// Every pair lies inside the file behind the table, and none overlaps another.
enum ps2_status fmt_pairs_check(struct fmt_span file, enum fmt_unit unit, size_t *count,
                                struct ps2_error *error);

// A chunk extent: byte offsets of its terrain and collision WAD streams; size 0 for one that is absent.
struct fmt_chunk {
    struct fmt_span tfrags, collision;
};
enum ps2_status fmt_chunk(struct fmt_span extent, struct fmt_chunk *out, struct ps2_error *error);

#endif
