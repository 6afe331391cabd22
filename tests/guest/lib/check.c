// Checks: values that a console gave, compared one by one.
#include "ps2.h"

static int done, failed, control;

void check_begin(int argc, char **argv)
{
    control = argc > 1 && equal_text(argv[1], "control");
}

void check(const char *what, uint64_t got, uint64_t wanted)
{
    done++;
    if (got == (wanted ^ (uint64_t)control))
        return;
    failed++;
    if (!control)
        print("%s: %llx, the console's %llx\n", what, got, wanted);
}

int check_end(const char *program)
{
    print("%s: %d of %d agree\n", program, done - failed, done);
    return failed ? 1 : 0;
}

int check_failures(void)
{
    return failed;
}
