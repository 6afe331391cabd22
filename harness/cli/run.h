// The state of one `ps2h run`, from its options to its output.
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "harness/cli/cli.h"
#include "harness/cli/record_file.h"
#include "harness/cli/state_load.h"
#include "harness/cli/symbol_options.h"

struct run_watch {
    char name[128]; // as the user gave it
    uint32_t address, size;
    struct ps2_watch *watch;
};

enum run_syscalls { RUN_SYSCALLS_DEFAULT, RUN_SYSCALLS_HLE, RUN_SYSCALLS_STUB, RUN_SYSCALLS_FAULT };

struct run {
    // From the options
    struct ps2_config config;
    struct run_use {
        int option; // index into the table of cmd_run.c
        char *text;
    } * uses; // options that act on the machine, in the order of the command line
    size_t use_count;
    const char *call_name, *trace_path, *coverage_path, *picture_path;
    bool json, history, vblank;
    enum run_syscalls syscalls;
    struct state_load state;
    struct symbol_options symbols;
    // The machine and what is attached to it
    struct ps2 *ps2;
    struct ps2_call call;
    struct ps2_argument *arguments;
    struct run_watch *watches;
    size_t watch_count;
    struct ps2_history *recorded;
    struct ps2_coverage *coverage;
    struct ps2_trace *trace;
    FILE *trace_file;
    struct record_file record;
    struct ps2_changes *changes;
    struct ps2_result result;
};

// ---- run_setup.c: what each option does. They may cut `text`.
typedef enum ps2_status run_action(struct run *, char *text, struct ps2_error *);
run_action run_engine, run_ram, run_fcr0, run_call, run_trace, run_coverage, run_limit, run_timeout;
run_action run_json, run_history, run_kernel, run_vblank, run_record, run_draw;
run_action run_symbols, run_module, run_load_map;
run_action run_elf, run_load, run_overlay, run_buf, run_poke, run_stub, run_reg, run_arg, run_gp, run_sp,
    run_watch_range, run_dump;

// ---- run_state.c
run_action run_state, run_quiesce, run_raw, run_syscalls, run_save_state;
enum ps2_status run_serve_syscalls(struct run *, struct ps2_error *);

// ---- run_print.c, run_json.c
// Both print the result to standard output.
enum ps2_status run_print(struct run *, struct ps2_error *);
enum ps2_status run_print_json(struct run *, struct ps2_error *);

#endif
