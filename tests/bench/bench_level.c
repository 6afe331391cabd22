// Time to check a whole synthetic level of retail size (833 patches, 93 textures, 17 MB of core data) on one
// core.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/check/level.h"
#include "tests/support/scratch.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void)
{
    struct scratch_level files;
    struct fmt_level level;
    struct check_list list = {NULL, 0, false};
    struct check_totals totals;
    struct ps2_error e;
    char container[300];
    memset(&totals, 0, sizeof totals);
    scratch_level_build(&files, 833, NULL, false);
    snprintf(container, sizeof container, "%s/LEVEL21.WAD", files.folder);
    double start = now();
    if (fmt_level_open(container, &level, &e))
        return 1;
    double opened = now();
    enum ps2_status status = check_level(&level, &list, &totals, &e);
    double checked = now();
    printf("level: %llu patches, %.1f MB of core data: opened in %.0f ms, %zu checks in %.0f ms\n",
           (unsigned long long)totals.patches, (double)level.files[FMT_FILE_CORE_DATA].size / 1e6,
           1e3 * (opened - start), list.count, 1e3 * (checked - opened));
    check_list_free(&list);
    fmt_level_close(&level);
    scratch_level_free(&files);
    return status != PS2_OK;
}
