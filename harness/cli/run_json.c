// The result of `ps2h run` as JSON: one object. Addresses and register values are strings of hexadecimal
// digits with 0x, bytes are strings of digit pairs, counts are numbers.
#include "harness/cli/run.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// Bytes of one changed range that are printed; `size` always tells the whole length.
#define SHOWN_BYTES 65536u

static json_t *hex(uint64_t value, int digits)
{
    return json_sprintf("0x%0*" PRIx64, digits, value);
}

static json_t *wide_hex(const uint64_t value[2])
{
    return json_sprintf("0x%016" PRIx64 "%016" PRIx64, value[1], value[0]);
}

static json_t *place(const struct ps2 *ps2, uint32_t address)
{
    char text[256];
    return json_pack("{s:o, s:s}", "address", hex(address, 8), "symbol",
                     ps2_symbol_text(ps2, address, text, sizeof text));
}

static json_t *registers(struct ps2 *ps2)
{
    size_t count;
    const struct guest_register *names = ee_registers(&count);
    json_t *object = json_object();
    uint64_t value[2];
    for (size_t n = 0; n < count; n++) {
        if (!names[n].name)
            continue;
        ee_get(ps2_ee(ps2), n, value);
        json_object_set_new(object, names[n].name, names[n].bits == 128 ? wide_hex(value) : hex(value[0], 8));
    }
    return object;
}

static json_t *bytes(const uint8_t *data, uint32_t size)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t shown = size < SHOWN_BYTES ? size : SHOWN_BYTES;
    char *text = malloc(2 * (size_t)shown + 1);
    if (!text)
        return json_null();
    for (uint32_t n = 0; n < shown; n++) {
        text[2 * n] = digits[data[n] >> 4];
        text[2 * n + 1] = digits[data[n] & 15];
    }
    json_t *string = json_stringn(text, 2 * (size_t)shown);
    free(text);
    return string;
}

static json_t *changes(struct run *run, struct ps2_error *error)
{
    size_t count;
    uint64_t total;
    char text[256];
    const struct ps2_change *found = ps2_changes_find(run->changes, &count, &total, error);
    json_t *array = json_array();
    if (!found && count) {
        json_decref(array);
        return NULL;
    }
    for (size_t n = 0; n < count; n++)
        json_array_append_new(
            array, json_pack("{s:o, s:I, s:s, s:o, s:o}", "address", hex(found[n].address, 8), "size",
                             (json_int_t)found[n].size, "symbol",
                             ps2_symbol_text(run->ps2, found[n].address, text, sizeof text), "old",
                             bytes(found[n].old, found[n].size), "new", bytes(found[n].now, found[n].size)));
    return array;
}

static json_t *watch(const struct run *run, const struct run_watch *watched)
{
    static const char *const kinds[] = {"unsigned", "signed", "float", "vector", "part"};
    size_t count;
    uint64_t lost;
    const struct ps2_watch_row *rows = ps2_watch_rows(watched->watch, &count, &lost);
    json_t *array = json_array();
    for (size_t n = 0; rows && n < count; n++)
        json_array_append_new(array, json_pack("{s:I, s:I, s:s, s:s, s:I, s:o}", "offset",
                                               (json_int_t)rows[n].offset, "size", (json_int_t)rows[n].size,
                                               "access", rows[n].write ? "write" : "read", "kind",
                                               kinds[rows[n].kind], "count", (json_int_t)rows[n].count,
                                               "first", place(run->ps2, rows[n].first_pc)));
    return json_pack("{s:s, s:o, s:I, s:o, s:I}", "range", watched->name, "address", hex(watched->address, 8),
                     "size", (json_int_t)watched->size, "accesses", array, "lost", (json_int_t)lost);
}

static json_t *stop(const struct run *run)
{
    static const char *const kinds[] = {"returned", "exited", "limit", "timeout", "fault"};
    static const char *const faults[] = {
        [GUEST_FAULT_NONE] = "none",
        [GUEST_FAULT_READ] = "read",
        [GUEST_FAULT_WRITE] = "write",
        [GUEST_FAULT_MISALIGNED_READ] = "misaligned-read",
        [GUEST_FAULT_MISALIGNED_WRITE] = "misaligned-write",
        [GUEST_FAULT_FETCH] = "fetch",
        [GUEST_FAULT_RESERVED] = "reserved",
        [GUEST_FAULT_OVERFLOW] = "overflow",
        [GUEST_FAULT_TRAP] = "trap",
        [GUEST_FAULT_BREAK] = "break",
        [GUEST_FAULT_SYSCALL] = "syscall",
        [GUEST_FAULT_COP2] = "cop2",
        [GUEST_FAULT_ENGINES] = "engines",
        [GUEST_FAULT_PORT] = "port",
    };
    const struct guest_stop *from = &run->result.stop;
    json_t *object = json_pack("{s:s, s:I, s:o}", "reason", kinds[from->kind], "instructions",
                               (json_int_t)from->insns, "pc", place(run->ps2, from->pc));
    if (from->kind == GUEST_FAULT)
        json_object_set_new(object, "fault",
                            json_pack("{s:s, s:s, s:o, s:b}", "kind", faults[from->fault], "message",
                                      from->message, "address", hex(from->address, 8), "in_delay_slot",
                                      (int)from->in_slot));
    return object;
}

enum ps2_status run_print_json(struct run *run, struct ps2_error *error)
{
    const struct ps2_result *result = &run->result;
    json_t *memory = changes(run, error), *watches = json_array();
    if (!memory) {
        json_decref(watches);
        return PS2_BAD_INPUT;
    }
    for (size_t n = 0; n < run->watch_count; n++)
        json_array_append_new(watches, watch(run, &run->watches[n]));
    json_t *object = json_pack("{s:o, s:o, s:{s:o, s:o, s:o}, s:o, s:o, s:o}", "call",
                               place(run->ps2, run->call.entry), "exit", stop(run), "return", "v0",
                               wide_hex(result->v0.d), "v1", wide_hex(result->v1.d), "f0", hex(result->f0, 8),
                               "registers", registers(run->ps2), "memory", memory, "watch", watches);
    if (!object || json_dumpf(object, stdout, JSON_INDENT(1)))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the result cannot be written as JSON");
    putchar('\n');
    json_decref(object);
    return PS2_OK;
}
