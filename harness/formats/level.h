// A whole level: a LEVEL<n>.WAD, or a folder of its unpacked files, opened as spans.
#ifndef FORMATS_LEVEL_H
#define FORMATS_LEVEL_H

#include "harness/formats/container.h"
#include "harness/formats/core.h"
#include "harness/formats/gameplay.h"
#include "harness/formats/overlay.h"
#include "harness/formats/texture.h"
#include "harness/formats/tfrag.h"

// Files of a level folder; what a container stores under the same names.
enum fmt_level_file {
    FMT_FILE_DATA,            // data.bin, the data extent
    FMT_FILE_OVERLAY,         // overlay.bin
    FMT_FILE_CORE_INDEX,      // core_index.bin
    FMT_FILE_GS_RAM,          // gs_ram.bin
    FMT_FILE_CORE_STREAM,     // core_data.wad, the stored stream
    FMT_FILE_CORE_DATA,       // core_data.bin, decoded
    FMT_FILE_GAMEPLAY_STREAM, // gameplay.bin as stored
    FMT_FILE_GAMEPLAY,        // the decoded gameplay file
    FMT_FILE_SOUND_BANK,      // sound_bank.bin
    FMT_FILE_OCCLUSION,       // occlusion.bin
    FMT_FILE_CHUNK,           // chunk0.bin .. chunk2.bin
    FMT_LEVEL_FILES = FMT_FILE_CHUNK + 3,
};

// Everything is released by fmt_level_close. A file that is absent has size 0 and data NULL.
struct fmt_level {
    char *path;
    struct fmt_span container; // LEVEL<n>.WAD when there is one
    struct fmt_level_header header;
    struct fmt_span files[FMT_LEVEL_FILES];
    struct fmt_core_index core; // valid: the core index is required
    struct fmt_tfrag_block terrain;
    struct fmt_texture_source textures;
    struct fmt_buffer owned[FMT_LEVEL_FILES + 1];
    char *names[FMT_LEVEL_FILES + 1];
};

// Opens a container file, a folder with unpacked files (core_index.bin among them), or a folder with one
// container. In a folder with both, files are read first and the container is there to be compared. The core
// index, the core data and the terrain block must be there and sound; anything else may be missing.
enum ps2_status fmt_level_open(const char *path, struct fmt_level *level, struct ps2_error *error);
// The same from memory: spans that the caller keeps alive, absent ones with size 0. `name` stands for the
// path.
enum ps2_status fmt_level_from_files(const char *name, const struct fmt_span files[FMT_LEVEL_FILES],
                                     struct fmt_level *level, struct ps2_error *error);
void fmt_level_close(struct fmt_level *level);

const char *fmt_level_file_name(unsigned file);
// A file that a caller cannot do without.
enum ps2_status fmt_level_need(const struct fmt_level *level, unsigned file, struct ps2_error *error);
// The directional light bank and the normal table of the overlay.
enum ps2_status fmt_level_lights(const struct fmt_level *level, struct fmt_light_bank *bank,
                                 struct fmt_normal_table *table, struct ps2_error *error);
// True for what fmt_level_open takes as one level: a file, a folder with core_index.bin, a folder with one
// container.
bool fmt_level_is(const char *path);

// Writes every extent and range of a container into a folder, and its decoded core data. The folder is
// created.
enum ps2_status fmt_level_unpack(const char *container, const char *folder, struct ps2_error *error);
// Builds a container from a folder: core_data.bin is packed anew unless core_data.wad decodes to the same
// bytes, and the core index gets the sizes of the result. `header` is the 0x60-byte header file that unpack
// left (level.hdr), or absent: then id, sector and reverb are 0.
enum ps2_status fmt_level_pack(const char *folder, const char *container, struct ps2_error *error);

#endif
