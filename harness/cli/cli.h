// What the commands of ps2h share: the command table, messages, and exit statuses.
#ifndef CLI_H
#define CLI_H

#include "harness/ps2h.h"

// A command gets its own name as argv[0] and returns the exit status.
struct cli_command {
    const char *name;
    const char *summary; // one line for the help of its group
    int (*run)(int argc, char **argv);
};

// `ps2h` itself and the commands that have commands.
struct cli_group {
    const char *name;                   // as typed: "ps2h vu"
    const char *usage;                  // the lines above the list of commands
    const struct cli_command *commands; // ends with a NULL name
    const char *examples;               // the lines below
};
// Runs the command that argv[1] names, or prints the help of the group. Returns the exit status.
int cli_run_group(const struct cli_group *, int argc, char **argv);

// Prints `ps2h: message` to standard error and returns PS2_BAD_INPUT.
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Reports what getopt_long refused: `found` is ':' (a value is missing) or '?'. The optstring begins with
// ':'.
int cli_option_error(const char *command, int found, char **argv);
// Prints an error as `ps2h: where:offset: message` and returns its status.
int cli_report(const struct ps2_error *error);

int cmd_conformance(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_dis(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_gif(int argc, char **argv);
int cmd_gs(int argc, char **argv);
int cmd_level(int argc, char **argv);
int cmd_locate(int argc, char **argv);
int cmd_recording(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_state(int argc, char **argv);
int cmd_fixture(int argc, char **argv);
int cmd_vif(int argc, char **argv);
int cmd_vu(int argc, char **argv);

#endif
