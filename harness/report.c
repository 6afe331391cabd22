// Reports of how a run ended: in one line, and in full.
#include "harness/history.h"
#include "harness/machine.h"

#include <inttypes.h>
#include <string.h>

#define INSNS_BEFORE 5
#define INSNS_AFTER  3

// `0x00100010 <sum+0x10>`, or with the module's name when there is no symbol.
static const char *place(const struct ps2 *ps2, uint32_t address, char *out, size_t out_size)
{
    char symbol[200];
    const struct module *module = module_at(ps2, address);
    ps2_symbol_text(ps2, address, symbol, sizeof symbol);
    if (symbol[0])
        snprintf(out, out_size, "0x%08x <%s>", address, symbol);
    else if (module)
        snprintf(out, out_size, "0x%08x (%s)", address, module->name);
    else
        snprintf(out, out_size, "0x%08x", address);
    return out;
}

static bool has_address(enum guest_fault fault)
{
    return fault == GUEST_FAULT_READ || fault == GUEST_FAULT_WRITE || fault == GUEST_FAULT_MISALIGNED_READ ||
           fault == GUEST_FAULT_MISALIGNED_WRITE;
}

void ps2_stop_text(const struct ps2 *ps2, const struct guest_stop *stop, char *out, size_t out_size)
{
    char where[256], address[32] = "";
    place(ps2, stop->pc, where, sizeof where);
    if (has_address(stop->fault))
        snprintf(address, sizeof address, ", address 0x%08x", stop->address);
    switch (stop->kind) {
    case GUEST_RETURNED:
        snprintf(out, out_size, "returned after %" PRIu64 " instructions", stop->insns);
        break;
    case GUEST_EXITED:
        snprintf(out, out_size, "the program ended at %s after %" PRIu64 " instructions", where, stop->insns);
        break;
    case GUEST_LIMIT:
        snprintf(out, out_size, "instruction limit reached at %s after %" PRIu64 " instructions", where,
                 stop->insns);
        break;
    case GUEST_TIMEOUT:
        snprintf(out, out_size, "time limit reached at %s after %" PRIu64 " instructions", where,
                 stop->insns);
        break;
    case GUEST_FAULT:
        snprintf(out, out_size, "fault at %s%s%s: %s; after %" PRIu64 " instructions", where,
                 stop->in_slot ? " in a delay slot" : "", address, stop->message, stop->insns);
        break;
    }
}

static void write_code(struct ps2 *ps2, uint32_t pc, FILE *out)
{
    char text[96], symbol[200];
    uint32_t word;
    fputs("code:\n", out);
    for (int n = -INSNS_BEFORE; n <= INSNS_AFTER; n++) {
        uint32_t at = pc + (uint32_t)n * 4;
        if (at % 4 || ps2_physical(at) >= ps2->ram_size || ee_peek(ps2->ee, at, &word, 4) != 4) {
            if (n == 0)
                fprintf(out, "  > %08x: no code can be here\n", pc);
            continue;
        }
        vector_units_disassemble(at, word, text, sizeof text);
        char *tab = strchr(text, '\t');
        ps2_symbol_text(ps2, at, symbol, sizeof symbol);
        if (tab)
            *tab = 0;
        fprintf(out, "  %c %08x: %08x  %-8s", n ? ' ' : '>', at, word, text);
        if (symbol[0])
            fprintf(out, " %-24s <%s>\n", tab ? tab + 1 : "", symbol);
        else
            fprintf(out, " %s\n", tab ? tab + 1 : "");
    }
}

// Two columns of 128 bits, then four of 32.
static void write_registers(struct ee *ee, const char *title, FILE *out)
{
    size_t count, column = 0;
    const struct guest_register *registers = ee_registers(&count);
    uint64_t value[2];
    fprintf(out, "%s:\n", title);
    for (size_t n = 0; n < EE_REG_COP0; n++) {
        if (!registers[n].name)
            continue;
        bool wide = registers[n].bits == 128;
        ee_get(ee, n, value);
        fprintf(out, " %5s ", registers[n].name);
        if (wide)
            fprintf(out, "%016" PRIx64 "_%016" PRIx64, value[1], value[0]);
        else
            fprintf(out, "%08" PRIx64, value[0]);
        column = (column + 1) % (wide ? 2 : 4);
        if (!column || n + 1 == EE_REG_COP0)
            fputc('\n', out);
    }
}

static void write_history(const struct ps2_history *history, FILE *out)
{
    char where[256];
    uint64_t first = history->pc_count > HISTORY_SIZE ? history->pc_count - HISTORY_SIZE : 0;
    fputs("last instructions:\n", out);
    for (uint64_t n = first; n < history->pc_count; n++)
        fprintf(out, "    %s\n", place(history->ps2, history->pcs[n % HISTORY_SIZE], where, sizeof where));
    first = history->access_count > HISTORY_SIZE ? history->access_count - HISTORY_SIZE : 0;
    fputs("last accesses:\n", out);
    for (uint64_t n = first; n < history->access_count; n++) {
        const struct guest_access *access = &history->accesses[n % HISTORY_SIZE];
        fprintf(out, "    %s %2u bytes at 0x%08x: ", access->write ? "write" : "read ", access->size,
                access->address);
        if (access->size == 16)
            fprintf(out, "%016" PRIx64 "_", access->value[1]);
        fprintf(out, "%0*" PRIx64 " by %s\n", access->size >= 8 ? 16 : access->size * 2, access->value[0],
                place(history->ps2, access->pc, where, sizeof where));
    }
}

void ps2_report(struct ps2 *ps2, const struct guest_stop *stop, const struct ps2_history *history, FILE *out)
{
    write_code(ps2, stop->pc, out);
    write_registers(ps2->ee, "registers", out);
    if (stop->kind == GUEST_FAULT && stop->fault == GUEST_FAULT_ENGINES)
        write_registers(ee_lockstep_second(ps2->ee), "registers of the interpreted CPU", out);
    if (history)
        write_history(history, out);
}
