// A group of commands: finds the one that an argument names, or prints what there is.
#include "harness/cli/cli.h"

#include <stdio.h>
#include <string.h>

static void print_help(const struct cli_group *group, FILE *out)
{
    fprintf(out, "%s\nCommands:\n", group->usage);
    for (const struct cli_command *c = group->commands; c->name; c++)
        fprintf(out, "  %-12s %s\n", c->name, c->summary);
    fprintf(out, "\nExamples:\n%s\n`%s COMMAND --help` describes one command.\n", group->examples,
            group->name);
}

int cli_run_group(const struct cli_group *group, int argc, char **argv)
{
    if (argc < 2) {
        print_help(group, stderr);
        return PS2_BAD_INPUT;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
        print_help(group, stdout);
        return PS2_OK;
    }
    for (const struct cli_command *c = group->commands; c->name; c++)
        if (!strcmp(argv[1], c->name))
            return c->run(argc - 1, argv + 1);
    return cli_usage_error("there is no command '%s'; `%s --help` lists them", argv[1], group->name);
}
