// A line on standard error now and then, while something that may take long goes on.
#include "harness/cli/progress.h"

#include <stdio.h>
#include <time.h>

void progress_show(struct progress *progress, size_t done)
{
    struct timespec now;
    if (!progress->seconds || clock_gettime(CLOCK_MONOTONIC, &now))
        return;
    uint64_t seconds = (uint64_t)now.tv_sec;
    if (progress->next_line && seconds < progress->next_line)
        return;
    if (progress->next_line)
        fprintf(stderr, "ps2h: %s: 0x%zx bytes are played\n", progress->name, done);
    progress->next_line = seconds + progress->seconds;
}
