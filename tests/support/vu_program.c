// Assembles and runs small VU programs for the tests.
#include "tests/support/vu_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vu_text_add(struct vu_text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->length += (size_t)vsnprintf(t->text + t->length, sizeof t->text - t->length, format, list);
    va_end(list);
    if (t->length >= sizeof t->text)
        abort();
}

void vu_text_fill(struct vu_text *t, unsigned n)
{
    while (n--)
        vu_text_add(t, "NOP IADDIU VI00, VI00, 0\n");
}

static struct vu_assembly assemble(const char *text)
{
    struct vu_assembly program;
    unsigned line;
    char why[VU_MESSAGE_SIZE];
    if (!vu_assemble(text, strlen(text), &program, &line, why)) {
        fprintf(stderr, "line %u: %s\n%s\n", line, why, text);
        abort();
    }
    return program;
}

size_t vu_program_load(struct vu *vu, const char *text)
{
    struct vu_assembly program = assemble(text);
    if (!vu_write_micro(vu, 0, program.words, 8 * program.pairs))
        abort();
    free(program.words);
    return program.pairs;
}

size_t vu_program_load_hex(struct vu *vu, const char *text)
{
    size_t pairs = 0;
    uint32_t words[2];
    int taken;
    while (sscanf(text, " %8x:%8x%n", &words[1], &words[0], &taken) == 2) {
        if (!vu_write_micro(vu, 8 * pairs++, words, 8))
            abort();
        text += taken;
    }
    return pairs;
}

struct vu_stop vu_program_go(struct vu *vu, uint32_t pc)
{
    struct vu_stop stop;
    vu_start(vu, pc);
    vu_run(vu, 1000000, false, &stop);
    return stop;
}

void vu_program_run(struct vu *vu, const char *text, struct vu_state *state)
{
    vu_program_load(vu, text);
    struct vu_stop stop = vu_program_go(vu, 0);
    if (stop.kind != VU_ENDED) {
        fprintf(stderr, "the program stopped: %s %s at pair %u\n%s\n", vu_stop_name(stop.kind), stop.message,
                stop.pc, text);
        abort();
    }
    vu_get_state(vu, state);
}

void vu_program_pair(const char *text, uint32_t *upper, uint32_t *lower)
{
    struct vu_assembly program = assemble(text);
    *lower = program.words[0];
    *upper = program.words[1];
    free(program.words);
}

uint32_t vu_program_macro(const char *text)
{
    uint32_t upper, lower;
    vu_program_pair(text, &upper, &lower);
    return 0x4a000000 | ((upper & 0x7ff) == 0x2ff ? lower : upper) % (1u << 25);
}
