// Small programs for the EE core: making one on every engine, and calling a piece of code.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/ee_program.h"

const uint32_t program_mirrors[5] = {0x00000000, 0x20000000, 0x30000000, 0x80000000, 0xa0000000};

uint32_t program_word(const char *name, struct r5900_fields fields)
{
    const struct r5900_insn *insn = r5900_model_find(name);
    if (!insn)
        fail_msg("no instruction is called %s", name);
    return r5900_model_encode(insn, &fields);
}

static int make(void **state, enum ee_engine engine)
{
    char why[GUEST_MESSAGE_SIZE];
    *state = ee_new(&(struct ee_config){.engine = engine}, why);
    if (!*state)
        fail_msg("%s", why);
    return 0;
}

int program_make_interp(void **state)
{
    return make(state, EE_ENGINE_INTERP);
}

int program_make_unicorn(void **state)
{
    return make(state, EE_ENGINE_UNICORN);
}

int program_make_lockstep(void **state)
{
    return make(state, EE_ENGINE_LOCKSTEP);
}

int program_drop(void **state)
{
    ee_free(*state);
    return 0;
}

struct guest_stop program_run(struct ee *ee, uint32_t address, const uint32_t *words, size_t count,
                              uint64_t limit)
{
    struct guest_stop stop;
    ee_poke(ee, address, words, count * sizeof *words);
    ee_gpr(ee, EE_RA)->d[0] = EE_TRAP_BASE;
    ee_set_pc(ee, address);
    ee_run(ee, &(struct guest_limits){.insns = limit ? limit : 10000}, &stop);
    return stop;
}
