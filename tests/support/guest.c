// Loading the guest programs of the tests.
#include "tests/support/guest.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

struct ps2 *guest_machine(const char *program, const struct ps2_config *config)
{
    struct ps2_error error = {0};
    struct ps2 *ps2;
    char path[512];
    const char *folder = getenv("GUEST");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "build/guest", program);
    if (ps2_new(config, &ps2, &error) != PS2_OK || ps2_load_elf(ps2, path, &error) != PS2_OK)
        fail_msg("%s: %s", path, error.message);
    return ps2;
}

uint32_t guest_address(struct ps2 *ps2, const char *name)
{
    struct ps2_symbol symbol = {0};
    if (!ps2_find_symbol(ps2, name, &symbol))
        fail_msg("no symbol %s", name);
    return symbol.address;
}

enum ps2_status guest_call(struct ps2 *ps2, const char *function, const struct ps2_argument *arguments,
                           size_t count, struct ps2_result *result)
{
    const struct ps2_call call = {.entry = guest_address(ps2, function),
                                  .arguments = arguments,
                                  .argument_count = count,
                                  .limits = {.insns = 1000000}};
    return ps2_call(ps2, &call, result, NULL);
}
