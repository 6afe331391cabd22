// --record FILE of the commands that run programs.
#ifndef CLI_RECORD_FILE_H
#define CLI_RECORD_FILE_H

#include "harness/ps2h.h"

struct record_file {
    const char *path; // NULL: nothing is recorded
    FILE *file;
    struct ps2_record *record;
};

enum ps2_status record_file_begin(struct record_file *, struct ps2 *, struct ps2_error *);
// Whatever became of the run. Does nothing the second time.
enum ps2_status record_file_end(struct record_file *, struct ps2_error *);

#endif
