// Decoders in processes of their own, kept running. Private to harness/diff/.
#ifndef DIFF_POOL_H
#define DIFF_POOL_H

#include "harness/diff/case.h"

// Asks the decoder of a case, which is started when it does not run yet. After a failure it is ended, and the
// next request starts it anew.
enum ps2_status pool_ask(struct diff_pool *, const struct case_decoder *, char *const *argv,
                         const struct ps2h_request *, struct ps2_error *);

#endif
