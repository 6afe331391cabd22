// Opening a level: from its container or from a folder.
#include "harness/formats/level.h"

#include "harness/file.h"
#include "harness/formats/wad.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CONTAINER FMT_LEVEL_FILES // slot of the container in owned and names

const char *fmt_level_file_name(unsigned file)
{
    static const char *const names[FMT_LEVEL_FILES] = {
        "data.bin",       "overlay.bin",   "core_index.bin", "gs_ram.bin",
        "core_data.wad",  "core_data.bin", "gameplay.bin",   "gameplay.bin (decoded)",
        "sound_bank.bin", "occlusion.bin", "chunk0.bin",     "chunk1.bin",
        "chunk2.bin",
    };
    return names[file];
}

static bool is_folder(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

static bool is_file(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISREG(s.st_mode);
}

static char *join(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static bool container_name(const char *name)
{
    size_t n = strlen(name);
    return n > 9 && !strncmp(name, "LEVEL", 5) && !strcmp(name + n - 4, ".WAD");
}

// The first LEVEL*.WAD of a folder in name order, or NULL, and how many there are.
static char *find_container(const char *folder, unsigned *count)
{
    DIR *d = opendir(folder);
    char *best = NULL;
    *count = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!container_name(e->d_name))
            continue;
        ++*count;
        if (!best || strcmp(e->d_name, best) < 0) {
            free(best);
            best = strdup(e->d_name);
        }
    }
    if (d)
        closedir(d);
    char *path = best ? join(folder, best) : NULL;
    free(best);
    return path;
}

bool fmt_level_is(const char *path)
{
    unsigned containers;
    if (!is_folder(path))
        return is_file(path);
    char *index = join(path, "core_index.bin"), *container = find_container(path, &containers);
    bool is = (index && is_file(index)) || containers == 1;
    free(index);
    free(container);
    return is;
}

// Reads a file of the folder when it is there.
static enum ps2_status read_slot(struct fmt_level *level, unsigned slot, char *path, struct fmt_span *span,
                                 struct ps2_error *error)
{
    level->names[slot] = path;
    if (!path || !is_file(path))
        return PS2_OK;
    enum ps2_status status =
        file_read(path, FILE_LIMIT, &level->owned[slot].data, &level->owned[slot].size, error);
    *span = fmt_buffer_span(&level->owned[slot], path);
    return status;
}

static enum ps2_status read_folder(struct fmt_level *level, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    for (unsigned i = 0; !status && i < FMT_LEVEL_FILES; i++)
        if (i != FMT_FILE_GAMEPLAY)
            status = read_slot(level, i, join(level->path, fmt_level_file_name(i)), &level->files[i], error);
    // gameplay.bin may be kept as stored or decoded.
    struct fmt_span *stream = &level->files[FMT_FILE_GAMEPLAY_STREAM],
                    *decoded = &level->files[FMT_FILE_GAMEPLAY];
    if (!status && stream->size && !fmt_wad_is(*stream)) {
        *decoded = *stream;
        *stream = (struct fmt_span){NULL, 0, NULL, 0};
    }
    return status;
}

static enum ps2_status split_data(struct fmt_level *level, struct ps2_error *error)
{
    static const struct {
        unsigned range, file;
    } parts[] = {
        {FMT_DATA_OVERLAY, FMT_FILE_OVERLAY},
        {FMT_DATA_CORE_INDEX, FMT_FILE_CORE_INDEX},
        {FMT_DATA_GS_RAM, FMT_FILE_GS_RAM},
        {FMT_DATA_CORE_DATA, FMT_FILE_CORE_STREAM},
    };
    struct fmt_span data = level->files[FMT_FILE_DATA];
    struct fmt_data_header header;
    if (!data.size)
        return PS2_OK;
    enum ps2_status status = fmt_data_header(data, &header, error);
    for (unsigned i = 0; !status && i < sizeof parts / sizeof *parts; i++)
        if (!level->files[parts[i].file].size)
            status = fmt_data_range(data, &header, parts[i].range, &level->files[parts[i].file], error);
    return status;
}

static enum ps2_status split_container(struct fmt_level *level, struct ps2_error *error)
{
    static const struct {
        unsigned extent, file;
    } parts[] = {
        {FMT_LEVEL_DATA, FMT_FILE_DATA},
        {FMT_LEVEL_SOUND_BANK, FMT_FILE_SOUND_BANK},
        {FMT_LEVEL_GAMEPLAY, FMT_FILE_GAMEPLAY_STREAM},
        {FMT_LEVEL_OCCLUSION, FMT_FILE_OCCLUSION},
        {FMT_LEVEL_CHUNK, FMT_FILE_CHUNK},
        {FMT_LEVEL_CHUNK + 1, FMT_FILE_CHUNK + 1},
        {FMT_LEVEL_CHUNK + 2, FMT_FILE_CHUNK + 2},
    };
    enum ps2_status status = fmt_level_header(level->container, &level->header, error);
    for (unsigned i = 0; !status && i < sizeof parts / sizeof *parts; i++)
        if (!level->files[parts[i].file].size)
            status = fmt_level_extent(level->container, &level->header, parts[i].extent,
                                      &level->files[parts[i].file], error);
    return status;
}

// Decodes a stored stream into its slot, unless the folder has the decoded file.
static enum ps2_status decode(struct fmt_level *level, unsigned stream, unsigned file, size_t hint,
                              struct ps2_error *error)
{
    struct fmt_span stored = level->files[stream];
    if (level->files[file].size || !stored.size)
        return PS2_OK;
    fmt_buffer_free(&level->owned[file]); // what an empty file left
    enum ps2_status status = fmt_wad_decode(stored, hint, &level->owned[file], error);
    level->files[file] = fmt_buffer_span(&level->owned[file], stored.name);
    return status;
}

enum ps2_status fmt_level_need(const struct fmt_level *level, unsigned file, struct ps2_error *error)
{
    if (level->files[file].size)
        return PS2_OK;
    return ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "the level has no %s", fmt_level_file_name(file));
}

static enum ps2_status open_terrain(struct fmt_level *level, struct ps2_error *error)
{
    struct fmt_span data = level->files[FMT_FILE_CORE_DATA], block;
    size_t count;
    int64_t *starts = fmt_core_starts(level->files[FMT_FILE_CORE_INDEX], &level->core, &count);
    if (!starts)
        return ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "no memory for the block bounds");
    int64_t end = fmt_core_end(starts, count, level->core.tfrags);
    free(starts);
    level->textures =
        (struct fmt_texture_source){data, level->files[FMT_FILE_GS_RAM], level->core.textures_base};
    enum ps2_status status =
        fmt_part(data, level->core.tfrags, end - level->core.tfrags, "terrain block", &block, error);
    return status ? status : fmt_tfrag_block(block, &level->terrain, error);
}

static enum ps2_status read_files(struct fmt_level *level, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    char *container = NULL;
    unsigned containers;
    if (is_folder(level->path)) {
        status = read_folder(level, error);
        container = find_container(level->path, &containers);
    } else {
        container = strdup(level->path);
    }
    if (status || !container)
        free(container);
    else
        status = read_slot(level, CONTAINER, container, &level->container, error);
    return status;
}

// What is stored inside what, down to the terrain block.
static enum ps2_status open_parts(struct fmt_level *level, struct ps2_error *error)
{
    enum ps2_status status = PS2_OK;
    if (level->container.size)
        status = split_container(level, error);
    if (!status)
        status = split_data(level, error);
    if (!status)
        status = fmt_level_need(level, FMT_FILE_CORE_INDEX, error);
    if (!status)
        status = fmt_core_index(level->files[FMT_FILE_CORE_INDEX], &level->core, error);
    int32_t size = level->core.core_data_size;
    if (!status)
        status = decode(level, FMT_FILE_CORE_STREAM, FMT_FILE_CORE_DATA, size > 0 ? (size_t)size : 0, error);
    if (!status)
        status = decode(level, FMT_FILE_GAMEPLAY_STREAM, FMT_FILE_GAMEPLAY, 0, error);
    if (!status)
        status = fmt_level_need(level, FMT_FILE_CORE_DATA, error);
    return status ? status : open_terrain(level, error);
}

enum ps2_status fmt_level_open(const char *path, struct fmt_level *level, struct ps2_error *error)
{
    enum ps2_status status;
    memset(level, 0, sizeof *level);
    level->path = strdup(path);
    if (fmt_level_is(path))
        status = read_files(level, error);
    else
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0,
                          "not a level: neither a file nor a folder with core_index.bin or LEVEL<n>.WAD");
    if (!status)
        status = open_parts(level, error);
    if (status)
        fmt_level_close(level);
    return status;
}

enum ps2_status fmt_level_from_files(const char *name, const struct fmt_span files[FMT_LEVEL_FILES],
                                     struct fmt_level *level, struct ps2_error *error)
{
    memset(level, 0, sizeof *level);
    level->path = strdup(name);
    memcpy(level->files, files, sizeof level->files);
    enum ps2_status status = open_parts(level, error);
    if (status)
        fmt_level_close(level);
    return status;
}

void fmt_level_close(struct fmt_level *level)
{
    for (unsigned i = 0; i <= FMT_LEVEL_FILES; i++) {
        fmt_buffer_free(&level->owned[i]);
        free(level->names[i]);
    }
    free(level->path);
    memset(level, 0, sizeof *level);
}

enum ps2_status fmt_level_lights(const struct fmt_level *level, struct fmt_light_bank *bank,
                                 struct fmt_normal_table *table, struct ps2_error *error)
{
    struct fmt_gameplay gameplay;
    struct fmt_normal_search search;
    enum ps2_status status = fmt_level_need(level, FMT_FILE_GAMEPLAY, error);
    if (!status)
        status = fmt_gameplay(level->files[FMT_FILE_GAMEPLAY], &gameplay, error);
    if (!status)
        status = fmt_light_bank(&gameplay, bank, error);
    if (!status)
        status = fmt_level_need(level, FMT_FILE_OVERLAY, error);
    return status ? status : fmt_normal_table(level->files[FMT_FILE_OVERLAY], table, &search, error);
}
