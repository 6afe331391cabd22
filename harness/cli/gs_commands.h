// The subcommands of `ps2h gs`.
#ifndef CLI_GS_COMMANDS_H
#define CLI_GS_COMMANDS_H

#include "harness/cli/cli.h"

int gs_list(int argc, char **argv);
int gs_draw(int argc, char **argv);
int gs_vram(int argc, char **argv);
int gs_record(int argc, char **argv);

#endif
