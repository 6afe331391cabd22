// The result of `ps2h run` as text.
#include "harness/cli/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// Enough to see what happened; --json and --dump give the rest.
#define SHOWN_RANGES 32
#define SHOWN_BYTES  16

// The PS2 has no infinities and no NaN: the largest exponent is one like the others. Denormals are zero.
static double value_of(uint32_t bits)
{
    int exponent = bits >> 23 & 0xff;
    double magnitude = exponent ? ldexp(1.0 + (bits & 0x7fffff) / 8388608.0, exponent - 127) : 0.0;
    return bits >> 31 ? -magnitude : magnitude;
}

static void print_integer(const char *name, const union ee_reg *value)
{
    printf("  %s 0x", name);
    if (value->d[1])
        printf("%016" PRIx64 "_", value->d[1]);
    printf("%016" PRIx64 " (%" PRId64 ")\n", value->d[0], (int64_t)value->d[0]);
}

static void print_registers(struct ps2 *ps2)
{
    size_t count;
    const struct guest_register *registers = ee_registers(&count);
    uint64_t value[2];
    puts("registers that are not zero:");
    for (size_t n = 0; n < EE_REG_COP0; n++) {
        ee_get(ps2_ee(ps2), n, value);
        if (!registers[n].name || !(value[0] | value[1]) || n == EE_REG_FCR0)
            continue;
        if (value[1])
            printf("  %-5s %016" PRIx64 "_%016" PRIx64 "\n", registers[n].name, value[1], value[0]);
        else
            printf("  %-5s %0*" PRIx64 "\n", registers[n].name, registers[n].bits == 128 ? 16 : 8, value[0]);
    }
}

static void print_bytes(const char *label, const uint8_t *bytes, uint32_t size)
{
    printf("    %s", label);
    for (uint32_t n = 0; n < size && n < SHOWN_BYTES; n++)
        printf(" %02x", bytes[n]);
    puts(size > SHOWN_BYTES ? " ..." : "");
}

static void print_name(const struct run *run, uint32_t address)
{
    char text[256];
    uint32_t below = run->result.sp - address;
    ps2_symbol_text(run->ps2, address, text, sizeof text);
    if (text[0])
        printf(" <%s>", text);
    else if (below <= 0x100000 && below > 0)
        printf(" (stack)");
}

static enum ps2_status print_changes(struct run *run, struct ps2_error *error)
{
    size_t count;
    uint64_t bytes;
    const struct ps2_change *changes = ps2_changes_find(run->changes, &count, &bytes, error);
    if (!changes && count)
        return PS2_BAD_INPUT;
    printf("memory changed: %" PRIu64 " byte%s in %zu range%s\n", bytes, bytes == 1 ? "" : "s", count,
           count == 1 ? "" : "s");
    for (size_t n = 0; n < count && n < SHOWN_RANGES; n++) {
        printf("  0x%08x:%u", changes[n].address, changes[n].size);
        print_name(run, changes[n].address);
        putchar('\n');
        print_bytes("old", changes[n].old, changes[n].size);
        print_bytes("new", changes[n].now, changes[n].size);
    }
    if (count > SHOWN_RANGES)
        printf("  and %zu more ranges (--json lists all)\n", count - SHOWN_RANGES);
    return PS2_OK;
}

static const char *kind_name(const struct ps2_watch_row *row)
{
    static const char *const names[] = {"unsigned", "signed", "float", "vector", "part"};
    bool integer = row->kind == GUEST_UNSIGNED || row->kind == GUEST_SIGNED;
    return row->write && integer ? "integer" : names[row->kind];
}

static enum ps2_status print_watch(const struct run *run, const struct run_watch *watch,
                                   struct ps2_error *error)
{
    size_t count;
    uint64_t lost;
    char text[256];
    const struct ps2_watch_row *rows = ps2_watch_rows(watch->watch, &count, &lost);
    if (!rows || lost)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory for the table of accesses");
    printf("watch %s (0x%08x):\n", watch->name, watch->address);
    if (!count)
        puts("  no access");
    else
        puts("   offset  size  access  kind         count  first by");
    for (size_t n = 0; n < count; n++) {
        uint64_t distance = (uint64_t)(rows[n].offset < 0 ? -rows[n].offset : rows[n].offset);
        ps2_symbol_text(run->ps2, rows[n].first_pc, text, sizeof text);
        printf("  %c0x%04" PRIx64 "  %4u  %-6s  %-8s %9" PRIu64 "  0x%08x%s%s%s\n",
               rows[n].offset < 0 ? '-' : '+', distance, rows[n].size, rows[n].write ? "write" : "read",
               kind_name(&rows[n]), rows[n].count, rows[n].first_pc, text[0] ? " <" : "", text,
               text[0] ? ">" : "");
    }
    return PS2_OK;
}

enum ps2_status run_print(struct run *run, struct ps2_error *error)
{
    const struct ps2_result *result = &run->result;
    char text[512], name[256];
    bool fine = result->stop.kind == GUEST_RETURNED || result->stop.kind == GUEST_EXITED;
    ps2_symbol_text(run->ps2, run->call.entry, name, sizeof name);
    ps2_stop_text(run->ps2, &result->stop, text, sizeof text);
    printf("0x%08x%s%s%s: %s\n", run->call.entry, name[0] ? " <" : "", name, name[0] ? ">" : "", text);
    if (fine) {
        print_integer("v0", &result->v0);
        print_integer("v1", &result->v1);
        printf("  f0 0x%08x (%g)\n", result->f0, value_of(result->f0));
        print_registers(run->ps2);
    } else {
        ps2_report(run->ps2, &result->stop, run->recorded, stdout);
        if (!run->recorded)
            puts("last accesses: not recorded; --history records them");
    }
    enum ps2_status status = print_changes(run, error);
    for (size_t n = 0; status == PS2_OK && n < run->watch_count; n++)
        status = print_watch(run, &run->watches[n], error);
    return status;
}
