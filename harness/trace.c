// The instruction trace: one line for each retired instruction.
//
//     00100008 8c820004 lw v0,4(a0) ; v0=0000000000000007 ld4[00200004]=00000007
//
// address, word, disassembly, then after " ; " the registers it wrote (GPR of 16 digits, or 32 after an
// instruction that may change the upper half; others of 8) and its accesses: `ld` or `st`, the size in bytes,
// the guest address, the value. An instruction in a delay slot has a `+` after its word. A load or store that
// faults has no line.
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

// An unaligned or quadword access is one access; two leaves room for a device that answers in parts.
#define ACCESSES_MAX 4

struct ps2_trace {
    struct ps2 *ps2;
    struct guest_observer observer;
    FILE *out;
    struct guest_access accesses[ACCESSES_MAX]; // of the instruction that has not retired yet
    size_t access_count;
};

static void on_access(void *context, const struct guest_access *access)
{
    struct ps2_trace *trace = context;
    if (trace->access_count < ACCESSES_MAX)
        trace->accesses[trace->access_count++] = *access;
}

static void write_access(FILE *out, const struct guest_access *access)
{
    fprintf(out, " %s%u[%08x]=", access->write ? "st" : "ld", access->size, access->address);
    if (access->size == 16)
        fprintf(out, "%016llx", (unsigned long long)access->value[1]);
    fprintf(out, "%0*llx", access->size >= 8 ? 16 : access->size * 2, (unsigned long long)access->value[0]);
}

// MMI, LQ and moves from coprocessor 2 may change the upper half of a GPR.
static bool is_wide(uint32_t word)
{
    uint32_t opcode = word >> 26;
    return opcode == 0x1c || opcode == 0x1e || opcode == 0x12;
}

static void write_register(struct ps2_trace *trace, uint32_t word, size_t index)
{
    size_t count;
    const struct guest_register *registers = ee_registers(&count);
    uint64_t value[2];
    ee_get(trace->ps2->ee, index, value);
    fprintf(trace->out, " %s=", registers[index].name);
    if (registers[index].bits == 128 && is_wide(word))
        fprintf(trace->out, "%016llx", (unsigned long long)value[1]);
    fprintf(trace->out, "%0*llx", registers[index].bits == 128 ? 16 : 8, (unsigned long long)value[0]);
}

static void on_insn(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    struct ps2_trace *trace = context;
    uint8_t written[EE_WRITTEN_MAX];
    size_t written_count = ee_written_registers(word, written);
    char text[96];
    vector_units_disassemble(pc, word, text, sizeof text);
    char *tab = strchr(text, '\t');
    if (tab)
        *tab = ' ';
    fprintf(trace->out, "%08x %08x%s %s", pc, word, in_slot ? "+" : "", text);
    if (written_count || trace->access_count)
        fputs(" ;", trace->out);
    for (size_t n = 0; n < written_count; n++)
        write_register(trace, word, written[n]);
    for (size_t n = 0; n < trace->access_count; n++)
        write_access(trace->out, &trace->accesses[n]);
    fputc('\n', trace->out);
    trace->access_count = 0;
}

enum ps2_status ps2_trace_new(struct ps2 *ps2, FILE *out, struct ps2_trace **trace, struct ps2_error *error)
{
    *trace = calloc(1, sizeof **trace);
    if (!*trace)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    (*trace)->ps2 = ps2;
    (*trace)->out = out;
    (*trace)->observer = (struct guest_observer){*trace, on_access, on_insn};
    enum ps2_status status = ps2_attach(ps2, &(*trace)->observer, error);
    if (status != PS2_OK) {
        ps2_trace_free(*trace);
        *trace = NULL;
    }
    return status;
}

void ps2_trace_free(struct ps2_trace *trace)
{
    if (trace)
        ps2_detach(trace->ps2, &trace->observer);
    free(trace);
}
