// Calling a guest function: arguments by the EABI, the return trap, stubs.
#include "harness/kernel/kernel.h"
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

#define REGISTER_ARGUMENTS 8
#define FIRST_FLOAT        12
#define STACK_SLOT         8

struct ps2_argument ps2_integer(int64_t value)
{
    bool word = value >= INT32_MIN && value <= UINT32_MAX;
    return (struct ps2_argument){.kind = PS2_INTEGER,
                                 .value.d[0] = word ? (uint64_t)(int64_t)(int32_t)value : (uint64_t)value};
}

struct ps2_argument ps2_float(uint32_t bits)
{
    return (struct ps2_argument){.kind = PS2_FLOAT, .value.w[0] = bits};
}

// Where the arguments go: registers while they last, integers and floats counted apart, then the stack.
struct layout {
    size_t integers, floats;
    uint32_t stack; // bytes
};

// Places the next argument; true when it goes on the stack, at *offset.
static bool place(struct layout *layout, const struct ps2_argument *argument, uint32_t *offset)
{
    size_t *used = argument->kind == PS2_FLOAT ? &layout->floats : &layout->integers;
    if (*used < REGISTER_ARGUMENTS) {
        ++*used;
        return false;
    }
    if (argument->wide)
        layout->stack = (layout->stack + 15) & ~15u;
    *offset = layout->stack;
    layout->stack += argument->wide ? 16 : STACK_SLOT;
    return true;
}

static enum ps2_status pass(struct ps2 *ps2, const struct ps2_call *call, uint32_t sp,
                            struct ps2_error *error)
{
    struct layout layout = {0};
    for (size_t n = 0; n < call->argument_count; n++) {
        const struct ps2_argument *argument = &call->arguments[n];
        uint32_t offset = 0;
        if (place(&layout, argument, &offset)) {
            enum ps2_status status =
                ps2_write(ps2, sp + offset, &argument->value, argument->wide ? 16 : STACK_SLOT, error);
            if (status != PS2_OK)
                return status;
        } else if (argument->kind == PS2_FLOAT) {
            *ee_fpr(ps2->ee, (unsigned)(FIRST_FLOAT + layout.floats - 1)) = argument->value.w[0];
        } else {
            *ee_gpr(ps2->ee, (unsigned)(EE_A0 + layout.integers - 1)) = argument->value;
        }
    }
    return PS2_OK;
}

static uint32_t stack_size(const struct ps2_call *call)
{
    struct layout layout = {0};
    uint32_t offset;
    for (size_t n = 0; n < call->argument_count; n++)
        place(&layout, &call->arguments[n], &offset);
    return (layout.stack + 15) & ~15u;
}

static void set_address(struct ps2 *ps2, unsigned gpr, uint32_t address)
{
    *ee_gpr(ps2->ee, gpr) = (union ee_reg){.d = {(uint64_t)(int64_t)(int32_t)address, 0}};
}

// The global pointer of the entry's module, else of the last loaded module that has one: an overlay uses its
// program's.
static void set_gp(struct ps2 *ps2, const struct ps2_call *call)
{
    const struct module *module = module_at(ps2, call->entry);
    size_t last = ps2->module_count;
    while ((!module || !module->has_gp) && last-- > 0)
        module = &ps2->modules[last];
    if (call->has_gp)
        set_address(ps2, EE_GP, call->gp);
    else if (module && module->has_gp)
        set_address(ps2, EE_GP, module->gp);
}

// Below whatever lies at the top of RAM; in a captured state where its own stack ends, buffers or not.
static uint32_t default_sp(const struct ps2 *ps2)
{
    bool untouched = ps2->captured_sp && !ps2->buffers;
    return untouched ? ps2->captured_sp & ~15u : ps2->free_top - STACK_GAP;
}

enum ps2_status ps2_call(struct ps2 *ps2, const struct ps2_call *call, struct ps2_result *result,
                         struct ps2_error *error)
{
    uint32_t sp = (call->has_sp ? call->sp : default_sp(ps2)) - stack_size(call);
    char text[2 * GUEST_MESSAGE_SIZE];
    *result = (struct ps2_result){.sp = sp};
    if (call->entry % 4 || ps2_physical(call->entry) >= ps2->ram_size)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, call->entry, "there can be no code at 0x%08x",
                        call->entry);
    if (ps2->kernel && !ps2->calls && !kernel_adopt(ps2->kernel))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, call->entry,
                        "the kernel has no thread left for the call");
    enum ps2_status status = pass(ps2, call, sp, error);
    if (status != PS2_OK)
        return status;
    set_gp(ps2, call);
    set_address(ps2, EE_SP, sp);
    set_address(ps2, EE_RA, EE_TRAP_BASE);
    ee_set_pc(ps2->ee, call->entry);
    ps2->calls++;
    ee_run(ps2->ee, &call->limits, &result->stop);
    ps2->calls--;
    result->v0 = *ee_gpr(ps2->ee, EE_V0);
    result->v1 = *ee_gpr(ps2->ee, EE_V1);
    result->f0 = *ee_fpr(ps2->ee, 0);
    if (result->stop.kind == GUEST_RETURNED || result->stop.kind == GUEST_EXITED)
        return PS2_OK;
    ps2_stop_text(ps2, &result->stop, text, sizeof text);
    return ps2_fail(error, PS2_GUEST_FAULT, NULL, result->stop.pc, "%s", text);
}

static const char *return_value(void *context, struct ee *ee)
{
    const struct stub_value *stub = context;
    *ee_gpr(ee, EE_V0) = stub->v0;
    *ee_fpr(ee, 0) = stub->f0;
    return NULL;
}

enum ps2_status ps2_stub(struct ps2 *ps2, uint32_t address, union ee_reg v0, uint32_t f0,
                         struct ps2_error *error)
{
    struct stub_value *stub = malloc(sizeof *stub);
    if (!stub)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "out of memory");
    *stub = (struct stub_value){ps2->stubs, v0, f0};
    if (address % 4 || !ee_set_stub(ps2->ee, address, return_value, stub)) {
        free(stub);
        return ps2_fail(error, PS2_BAD_INPUT, NULL, address, "there can be no function at 0x%08x", address);
    }
    ps2->stubs = stub;
    return PS2_OK;
}

static const char *return_zero(void *context, struct ee *ee)
{
    (void)context;
    *ee_gpr(ee, EE_V0) = (union ee_reg){.d = {0, 0}};
    return NULL;
}

void ps2_stub_syscalls(struct ps2 *ps2)
{
    ee_set_ports(ps2->ee, &(struct ee_ports){
                              .context = &ps2->hardware, .cpcond = hardware_cpcond, .syscall = return_zero});
}
