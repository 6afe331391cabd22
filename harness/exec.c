// The kernel model in a machine, and whole programs under it.
#include "harness/kernel/captured.h"
#include "harness/kernel/kernel.h"
#include "harness/machine.h"

#include <stdlib.h>

static enum ps2_status load(void *context, const char *path, const void *data, size_t size, uint32_t *entry,
                            uint32_t *gp, struct ps2_error *error)
{
    struct ps2 *ps2 = context;
    enum ps2_status status = ps2_load_elf_data(ps2, path, data, size, error);
    if (status != PS2_OK)
        return status;
    struct ps2_module module = ps2_module(ps2, ps2_module_count(ps2) - 1);
    *entry = module.entry;
    *gp = module.gp;
    return PS2_OK;
}

static void output(void *context, int descriptor, const void *data, size_t size)
{
    const struct ps2 *ps2 = context;
    if (ps2->kernel_options.output)
        ps2->kernel_options.output(ps2->kernel_options.context, descriptor, data, size);
}

static enum ps2_status make_kernel(struct ps2 *ps2, const struct ps2_kernel *options, struct ps2_error *error)
{
    const struct kernel_config config = {
        .root = options->root, .vblank = !options->no_vblank, .context = ps2, .output = output, .load = load};
    if (ps2->kernel)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "this machine has a kernel already");
    ps2->kernel_options = *options;
    return kernel_new(&ps2->hardware, &config, &ps2->kernel, error);
}

// The model's own tables take the place of what the captured kernel had in its part of RAM, so the threads
// are found before; their saved registers lie on their stacks.
static enum ps2_status go_on(struct ps2 *ps2, const struct ps2_kernel *options, struct ps2_error *error)
{
    uint32_t size;
    const uint8_t *ram = ee_ram(ps2->ee, &size);
    struct captured_threads *threads = malloc(sizeof *threads);
    enum ps2_status status = threads ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    bool found = status == PS2_OK && captured_threads_find(ram, size, threads);
    if (status == PS2_OK)
        status = make_kernel(ps2, options, error);
    if (status == PS2_OK)
        kernel_seed(ps2->kernel, found ? threads : NULL, ram);
    free(threads);
    return status;
}

enum ps2_status ps2_attach_kernel(struct ps2 *ps2, const struct ps2_kernel *options, struct ps2_error *error)
{
    return ps2->captured ? go_on(ps2, options, error) : make_kernel(ps2, options, error);
}

static const struct module *program_of(const struct ps2 *ps2)
{
    for (size_t n = ps2->module_count; n-- > 0;)
        if (ps2->modules[n].has_entry)
            return &ps2->modules[n];
    return NULL;
}

enum ps2_status ps2_exec(struct ps2 *ps2, const struct ps2_exec *exec, struct ps2_exec_result *result,
                         struct ps2_error *error)
{
    const struct module *program = program_of(ps2);
    char text[512];
    *result = (struct ps2_exec_result){0};
    if (!program)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "no program is loaded");
    if (!kernel_takes_arguments(exec->argument_count, exec->arguments))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0,
                        "a program takes at most 16 arguments of 256 bytes in all, with their ends");
    enum ps2_status status = make_kernel(ps2, &exec->kernel, error);
    if (status != PS2_OK)
        return status;
    kernel_start(ps2->kernel, program->entry, program->gp, exec->argument_count, exec->arguments);
    ee_run(ps2->ee, &exec->limits, &result->stop);
    result->exit_status = kernel_exit_status(ps2->kernel);
    if (result->stop.kind == GUEST_EXITED)
        return PS2_OK;
    ps2_stop_text(ps2, &result->stop, text, sizeof text);
    return ps2_fail(error, PS2_GUEST_FAULT, NULL, result->stop.pc, "%s", text);
}
