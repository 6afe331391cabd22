// Temporary folders with synthetic levels.
#include "tests/support/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void give_up(const char *what)
{
    fprintf(stderr, "scratch: %s\n", what);
    exit(1);
}

void scratch_folder(struct scratch_level *out)
{
    const char *base = getenv("TMPDIR");
    memset(out, 0, sizeof *out);
    snprintf(out->folder, sizeof out->folder, "%s/ps2h-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(out->folder))
        give_up("cannot make a temporary folder");
}

void scratch_level_build(struct scratch_level *out, size_t patches, const char *plant, bool memory)
{
    const struct fixture_options options = {
        .seed = 5, .patches = patches, .level = 21, .plant = plant, .memory = memory};
    struct ps2_error e;
    scratch_folder(out);
    if (fixture_level_build(&options, &out->level, &e) || fixture_level_save(out->level, out->folder, &e))
        give_up(e.message);
}

const uint8_t *scratch_level_file(const struct scratch_level *level, const char *name, size_t *size)
{
    const struct fixture_file *file = fixture_level_file(level->level, name);
    if (!file)
        give_up(name);
    *size = file->size;
    return file->data;
}

void scratch_level_free(struct scratch_level *level)
{
    DIR *d = opendir(level->folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", level->folder, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    if (d)
        closedir(d);
    rmdir(level->folder);
    if (level->level)
        fixture_level_free(level->level);
    memset(level, 0, sizeof *level);
}
