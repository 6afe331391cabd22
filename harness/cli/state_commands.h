// The subcommands of `ps2h state`.
#ifndef CLI_STATE_COMMANDS_H
#define CLI_STATE_COMMANDS_H

#include <getopt.h>

#include "harness/cli/cli.h"

int state_info(int argc, char **argv);
int state_save(int argc, char **argv);
int state_extract(int argc, char **argv);
int state_diff(int argc, char **argv);
int state_poke(int argc, char **argv);
int state_locate(int argc, char **argv); // cmd_level_locate.c

#endif
