// `ps2h run` on captured state: loading it, what was in mid-work, system calls, saving.
#include "harness/cli/parse.h"
#include "harness/cli/run.h"
#include "harness/cli/state_load.h"

#include <string.h>

enum ps2_status run_state(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    run->state.path = text;
    return PS2_OK;
}

enum ps2_status run_quiesce(struct run *run, char *text, struct ps2_error *error)
{
    return state_parse_quiesce(text, &run->state.quiesce, error);
}

enum ps2_status run_raw(struct run *run, char *text, struct ps2_error *error)
{
    return state_load_raw(run->ps2, text, error);
}

enum ps2_status run_save_state(struct run *run, char *text, struct ps2_error *error)
{
    return ps2_save_state(run->ps2, text, error);
}

enum ps2_status run_syscalls(struct run *run, char *text, struct ps2_error *error)
{
    static const char *const names[] = {
        [RUN_SYSCALLS_HLE] = "hle", [RUN_SYSCALLS_STUB] = "stub", [RUN_SYSCALLS_FAULT] = "fault"};
    for (unsigned n = RUN_SYSCALLS_HLE; n <= RUN_SYSCALLS_FAULT; n++)
        if (!strcmp(text, names[n])) {
            run->syscalls = (enum run_syscalls)n;
            return PS2_OK;
        }
    return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is none of hle, stub and fault", text);
}

static void print_message(void *context, int descriptor, const void *data, size_t size)
{
    (void)context, (void)descriptor;
    fwrite(data, 1, size, stderr);
}

// A captured state has a kernel that the code counts on; elsewhere system calls are served on request.
enum ps2_status run_serve_syscalls(struct run *run, struct ps2_error *error)
{
    enum run_syscalls how = run->syscalls;
    if (how == RUN_SYSCALLS_DEFAULT)
        how = run->state.path ? RUN_SYSCALLS_HLE : RUN_SYSCALLS_FAULT;
    if (how == RUN_SYSCALLS_STUB)
        ps2_stub_syscalls(run->ps2);
    if (how != RUN_SYSCALLS_HLE)
        return PS2_OK;
    return ps2_attach_kernel(run->ps2,
                             &(struct ps2_kernel){.no_vblank = !run->vblank, .output = print_message}, error);
}
