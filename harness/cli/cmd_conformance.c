// `ps2h conformance`: runs programs whose output was captured on a console.
#include "harness/cli/cli.h"
#include "harness/cli/json_text.h"
#include "harness/cli/parse.h"
#include "harness/conformance.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More than any program of the public set takes, by a factor of 100.
#define DEFAULT_INSNS   2000000000u
#define DEFAULT_TIMEOUT 120u
// The console on which unknownbrackets/ps2autotests was captured.
#define DEFAULT_FCR0 0x2e30u

static const char help[] =
    "Usage: ps2h conformance [OPTION]... DIR\n"
    "Runs every X.elf below DIR that has an X.expected beside it, and compares what "
    "it prints. On standard output,\n"
    "a line for each program: PASS, FAIL with the first line that differs, or ERROR "
    "with the reason why it did not\n"
    "run to its end; then how many passed and failed.\n"
    "\n"
    "  --filter GLOB       only programs whose path below DIR matches, as 'cpu/ee/*' "
    "or 'kernel/*/sleep.elf'\n"
    "  --jobs N            run N programs at a time (default 1)\n"
    "  --engine NAME       interp, unicorn or lockstep; default: interp, then "
    "unicorn, which must also run the same\n"
    "                      number of instructions\n"
    "  --max-insns N       stop a program after N instructions (default 2000000000; 0: never)\n"
    "  --timeout S         stop a program after S seconds (default 120; 0: never)\n"
    "  --fcr0 VALUE        FPU implementation register (default 0x2e30, the console "
    "that the public programs were\n"
    "                      captured on)\n"
    "  --junit FILE        write the results as JUnit XML\n"
    "  --json              print the results as JSON\n"
    "\n"
    "Examples:\n"
    "  ps2h conformance ps2autotests/tests --filter 'cpu/ee*' --jobs 2\n"
    "  ps2h conformance ps2autotests --junit results.xml\n"
    "\n"
    "Exit status: 0 all passed, 1 one did not, 2 usage, or no program there.\n";

enum option_number { HELP, FILTER, JOBS, ENGINE, MAX_INSNS, TIMEOUT, FCR0, JUNIT, JSON };

static const struct option options[] = {
    {"help", no_argument, NULL, HELP},
    {"filter", required_argument, NULL, FILTER},
    {"jobs", required_argument, NULL, JOBS},
    {"engine", required_argument, NULL, ENGINE},
    {"max-insns", required_argument, NULL, MAX_INSNS},
    {"timeout", required_argument, NULL, TIMEOUT},
    {"fcr0", required_argument, NULL, FCR0},
    {"junit", required_argument, NULL, JUNIT},
    {"json", no_argument, NULL, JSON},
    {NULL, 0, NULL, 0},
};

struct command {
    struct conformance_options run;
    enum ee_engine engines[2];
    const char *filter, *junit;
    bool help, json;
};

static enum ps2_status take(struct command *c, int option, const char *text, struct ps2_error *error)
{
    uint64_t value = 0;
    enum ps2_status status = PS2_OK;
    switch (option) {
    case HELP:
        c->help = true;
        break;
    case FILTER:
        c->filter = text;
        break;
    case JOBS:
        status = parse_count(text, 64, &value, error);
        if (status == PS2_OK && !value)
            return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is not a number from 1 to 64", text);
        c->run.jobs = (unsigned)value;
        break;
    case ENGINE:
        status = parse_engine(text, &c->engines[0], error);
        c->run.engine_count = 1;
        break;
    case MAX_INSNS:
        status = parse_count(text, UINT64_MAX, &c->run.limits.insns, error);
        break;
    case TIMEOUT:
        status = parse_count(text, UINT32_MAX / 1000, &value, error);
        c->run.limits.timeout_ms = (unsigned)value * 1000;
        break;
    case FCR0:
        status = parse_fcr0(text, &c->run.fcr0, error);
        break;
    case JUNIT:
        c->junit = text;
        break;
    case JSON:
        c->json = true;
        break;
    }
    return status;
}

static size_t count_of(const struct conformance *c, enum conformance_verdict verdict)
{
    size_t count = 0;
    for (size_t n = 0; n < c->count; n++)
        count += c->cases[n].verdict == verdict;
    return count;
}

static void print_text(const struct conformance *c)
{
    size_t errors = count_of(c, CONFORMANCE_ERROR), passed = count_of(c, CONFORMANCE_PASS);
    for (size_t n = 0; n < c->count; n++) {
        const struct conformance_case *one = &c->cases[n];
        printf("%-5s %s%s%s\n", conformance_word(one->verdict), one->name, one->detail[0] ? ": " : "",
               one->detail);
    }
    printf("%zu passed, %zu failed", passed, c->count - passed);
    if (errors)
        printf(" (%zu of them could not run)", errors);
    putchar('\n');
}

static void print_json(const struct conformance *c)
{
    json_t *programs = json_array();
    for (size_t n = 0; n < c->count; n++) {
        const struct conformance_case *one = &c->cases[n];
        json_array_append_new(programs, json_pack("{s:o, s:s, s:I, s:o}", "program", json_text(one->name),
                                                  "verdict", conformance_word(one->verdict), "instructions",
                                                  (json_int_t)one->insns, "detail", json_text(one->detail)));
    }
    json_t *all = json_pack("{s:o, s:I, s:I, s:I}", "programs", programs, "passed",
                            (json_int_t)count_of(c, CONFORMANCE_PASS), "failed",
                            (json_int_t)count_of(c, CONFORMANCE_FAIL), "errors",
                            (json_int_t)count_of(c, CONFORMANCE_ERROR));
    json_dumpf(all, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    putchar('\n');
    json_decref(all);
}

static void print_escaped(FILE *out, const char *unsafe)
{
    json_t *string = json_text(unsafe); // for its UTF-8
    const char *text = string ? json_string_value(string) : "";
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? '?' : *text, out);
        }
    json_decref(string);
}

static void print_junit(const struct conformance *c, FILE *out)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"conformance\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
            c->count, count_of(c, CONFORMANCE_FAIL), count_of(c, CONFORMANCE_ERROR));
    for (size_t n = 0; n < c->count; n++) {
        const struct conformance_case *one = &c->cases[n];
        fputs("  <testcase name=\"", out);
        print_escaped(out, one->name);
        if (one->verdict == CONFORMANCE_PASS) {
            fputs("\"/>\n", out);
            continue;
        }
        fprintf(out, "\">\n    <%s message=\"", one->verdict == CONFORMANCE_FAIL ? "failure" : "error");
        print_escaped(out, one->detail);
        fputs("\"/>\n  </testcase>\n", out);
    }
    fputs("</testsuite>\n", out);
}

static enum ps2_status write_junit(const struct conformance *c, const char *path, struct ps2_error *error)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", strerror(errno));
    print_junit(c, out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written");
    return PS2_OK;
}

static int run(const struct command *command, const char *folder)
{
    struct conformance c;
    struct ps2_error error;
    enum ps2_status status = conformance_find(&c, folder, command->filter, &error);
    if (status == PS2_OK && c.count == 0)
        status =
            ps2_fail(&error, PS2_BAD_INPUT, folder, 0, "there is no program with an expected output here");
    if (status == PS2_OK)
        status = conformance_run(&c, &command->run, &error);
    if (status == PS2_OK)
        (command->json ? print_json : print_text)(&c);
    if (status == PS2_OK && command->junit)
        status = write_junit(&c, command->junit, &error);
    bool passed = count_of(&c, CONFORMANCE_PASS) == c.count;
    conformance_free(&c);
    if (status != PS2_OK)
        return cli_report(&error);
    return passed ? PS2_OK : PS2_DIFFERENT;
}

int cmd_conformance(int argc, char **argv)
{
    struct command c = {.run = {.engine_count = 2,
                                .fcr0 = DEFAULT_FCR0,
                                .jobs = 1,
                                .limits = {.insns = DEFAULT_INSNS, .timeout_ms = DEFAULT_TIMEOUT * 1000}},
                        .engines = {EE_ENGINE_INTERP, EE_ENGINE_UNICORN}};
    struct ps2_error error;
    int option, index = 0;
    c.run.engines = c.engines;
    while ((option = getopt_long(argc, argv, ":", options, &index)) != -1) {
        if (option == ':' || option == '?')
            return cli_option_error("conformance", option, argv);
        if (take(&c, option, optarg, &error) != PS2_OK)
            return cli_usage_error("--%s: %s", options[index].name, error.message);
    }
    if (c.help) {
        fputs(help, stdout);
        return PS2_OK;
    }
    if (optind + 1 != argc)
        return cli_usage_error("conformance: which folder? `ps2h conformance --help` describes the command");
    return run(&c, argv[optind]);
}
