// What the commands below `ps2h vu` share.
#ifndef CMD_VU_H
#define CMD_VU_H

#include "harness/cli/cli.h"
#include "vu/vu.h"

int cmd_vu_asm(int argc, char **argv);
int cmd_vu_dis(int argc, char **argv);
int cmd_vu_run(int argc, char **argv);
int cmd_vu_programs(int argc, char **argv);

// A number of 0..max in decimal or 0x hexadecimal; false for anything else.
bool cmd_vu_number(const char *text, uint64_t max, uint64_t *value);
// Assembles a text file (its name ends in .vsm, .vu or .s) or takes a file of pairs as it is. free() the
// words.
enum ps2_status cmd_vu_load(const char *path, struct vu_assembly *, struct ps2_error *);

#endif
