// What the options of `ps2h run` do to the machine.
#include "harness/cli/parse.h"
#include "harness/cli/run.h"
#include "harness/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum ps2_status run_engine(struct run *run, char *text, struct ps2_error *error)
{
    return parse_engine(text, &run->config.engine, error);
}

enum ps2_status run_ram(struct run *run, char *text, struct ps2_error *error)
{
    if (strcmp(text, "32") && strcmp(text, "128"))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is neither 32 nor 128 megabytes", text);
    run->config.ram_size = text[0] == '3' ? EE_RAM_SIZE : EE_RAM_SIZE_LARGE;
    return PS2_OK;
}

enum ps2_status run_fcr0(struct run *run, char *text, struct ps2_error *error)
{
    return parse_fcr0(text, &run->config.fcr0, error);
}

enum ps2_status run_kernel(struct run *run, char *text, struct ps2_error *error)
{
    (void)text, (void)error;
    run->syscalls = RUN_SYSCALLS_HLE;
    return PS2_OK;
}

enum ps2_status run_vblank(struct run *run, char *text, struct ps2_error *error)
{
    run->vblank = true;
    return run_kernel(run, text, error);
}

enum ps2_status run_call(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    run->call_name = text;
    return PS2_OK;
}

enum ps2_status run_trace(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    run->trace_path = text;
    return PS2_OK;
}

enum ps2_status run_record(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    run->record.path = text;
    return PS2_OK;
}

enum ps2_status run_draw(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    run->picture_path = text;
    return PS2_OK;
}

enum ps2_status run_coverage(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    run->coverage_path = text;
    return PS2_OK;
}

enum ps2_status run_json(struct run *run, char *text, struct ps2_error *error)
{
    (void)text;
    (void)error;
    run->json = true;
    return PS2_OK;
}

enum ps2_status run_history(struct run *run, char *text, struct ps2_error *error)
{
    (void)text;
    (void)error;
    run->history = true;
    return PS2_OK;
}

enum ps2_status run_symbols(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    symbol_options_take(&run->symbols, SYMBOL_OPTION_FILE, text);
    return PS2_OK;
}

enum ps2_status run_module(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    symbol_options_take(&run->symbols, SYMBOL_OPTION_MODULE, text);
    return PS2_OK;
}

enum ps2_status run_load_map(struct run *run, char *text, struct ps2_error *error)
{
    (void)error;
    symbol_options_take(&run->symbols, SYMBOL_OPTION_MAP, text);
    return PS2_OK;
}

enum ps2_status run_limit(struct run *run, char *text, struct ps2_error *error)
{
    return parse_count(text, INT64_MAX, &run->call.limits.insns, error);
}

enum ps2_status run_timeout(struct run *run, char *text, struct ps2_error *error)
{
    uint64_t value = 0;
    enum ps2_status status = parse_count(text, INT32_MAX, &value, error);
    run->call.limits.timeout_ms = (unsigned)value;
    return status;
}

enum ps2_status run_elf(struct run *run, char *text, struct ps2_error *error)
{
    return ps2_load_elf(run->ps2, text, error);
}

enum ps2_status run_overlay(struct run *run, char *text, struct ps2_error *error)
{
    return ps2_load_overlay(run->ps2, text, error);
}

enum ps2_status run_load(struct run *run, char *text, struct ps2_error *error)
{
    uint32_t address;
    const char *place = parse_split(text, strrchr(text, '@'), "FILE@ADDR", error);
    if (!place)
        return PS2_BAD_INPUT;
    enum ps2_status status = parse_place(run->ps2, place, &address, error);
    return status == PS2_OK ? ps2_load_raw(run->ps2, text, address, error) : status;
}

// NAME=SIZE, or NAME=FILE for a buffer with the bytes of a file.
enum ps2_status run_buf(struct run *run, char *text, struct ps2_error *error)
{
    uint32_t address;
    uint64_t size;
    uint8_t *data = NULL;
    size_t data_size = 0;
    const char *contents = parse_split(text, strchr(text, '='), "NAME=SIZE or NAME=FILE", error);
    if (!contents)
        return PS2_BAD_INPUT;
    bool printable = true;
    for (const char *c = text; *c; c++)
        printable = printable && *c > ' ' && *c <= '~';
    if (!text[0] || isdigit((unsigned char)text[0]) || !printable)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' is no name for a buffer", text);
    if (ps2_find_symbol(run->ps2, text, &(struct ps2_symbol){0}))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "there is a '%s' already", text);
    enum ps2_status status = PS2_OK;
    if (isdigit((unsigned char)*contents)) {
        status = parse_count(contents, UINT32_MAX, &size, error);
    } else {
        status = file_read(contents, EE_RAM_SIZE_LARGE, &data, &data_size, error);
        size = data_size;
    }
    if (status == PS2_OK)
        status = ps2_allocate(run->ps2, text, (uint32_t)size, &address, error);
    if (status == PS2_OK && data)
        status = ps2_write(run->ps2, address, data, data_size, error);
    free(data);
    return status;
}

enum ps2_status run_poke(struct run *run, char *text, struct ps2_error *error)
{
    uint32_t address;
    uint8_t *data;
    size_t size;
    const char *contents = parse_split(text, strchr(text, '='), "ADDR=HEX or ADDR=FILE", error);
    if (!contents)
        return PS2_BAD_INPUT;
    enum ps2_status status = parse_place(run->ps2, text, &address, error);
    if (status != PS2_OK)
        return status;
    status = parse_contents(contents, &data, &size, error);
    if (status != PS2_OK)
        return status;
    status = ps2_write(run->ps2, address, data, size, error);
    free(data);
    return status;
}

enum ps2_status run_stub(struct run *run, char *text, struct ps2_error *error)
{
    char *equals = strchr(text, '=');
    struct ps2_argument value = {0};
    union ee_reg v0 = {.d = {0, 0}};
    uint32_t address, f0 = 0;
    enum ps2_status status = PS2_OK;
    if (equals) {
        *equals = 0;
        status = parse_value(run->ps2, equals + 1, &value, error);
    }
    if (value.kind == PS2_FLOAT)
        f0 = value.value.w[0];
    else
        v0 = value.value;
    if (status == PS2_OK)
        status = parse_place(run->ps2, text, &address, error);
    return status == PS2_OK ? ps2_stub(run->ps2, address, v0, f0, error) : status;
}

// Names as ee_registers() has them, with or without $; also $0..$31, r0..r31 and s8.
static bool find_register(const char *name, size_t *index)
{
    size_t count;
    const struct guest_register *registers = ee_registers(&count);
    char *end;
    const char *bare = name + (*name == '$');
    for (*index = 0; *index < count; ++*index)
        if (registers[*index].name && !strcasecmp(bare, registers[*index].name))
            return true;
    if (!strcasecmp(bare, "s8")) {
        *index = 30;
        return true;
    }
    const char *number = bare + (*bare == 'r');
    unsigned long n = strtoul(number, &end, 10);
    *index = n;
    return number > name && isdigit((unsigned char)*number) && !*end && n < 32;
}

enum ps2_status run_reg(struct run *run, char *text, struct ps2_error *error)
{
    struct ps2_argument value;
    size_t index, count;
    const char *number = parse_split(text, strchr(text, '='), "NAME=VALUE", error);
    if (!number)
        return PS2_BAD_INPUT;
    if (!find_register(text, &index))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "there is no register '%s'", text);
    enum ps2_status status = parse_value(run->ps2, number, &value, error);
    if (status != PS2_OK)
        return status;
    int64_t word = (int64_t)value.value.d[0];
    if (ee_registers(&count)[index].bits == 32 && (value.wide || word < INT32_MIN || word > UINT32_MAX))
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "'%s' does not fit in the 32 bits of %s", number,
                        text);
    if (index == EE_REG_PC || index == EE_REG_FCR0 || index == 0)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the register %s cannot be set", text);
    if (index == EE_GP || index == EE_SP || index == EE_RA)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "the call sets %s itself; --gp and --sp set those two",
                        text);
    ee_set(ps2_ee(run->ps2), index, value.value.d);
    return PS2_OK;
}

enum ps2_status run_arg(struct run *run, char *text, struct ps2_error *error)
{
    size_t count = run->call.argument_count;
    struct ps2_argument *more = realloc(run->arguments, (count + 1) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    run->call.arguments = run->arguments = more;
    run->call.argument_count = count + 1;
    return parse_value(run->ps2, text, &more[count], error);
}

enum ps2_status run_gp(struct run *run, char *text, struct ps2_error *error)
{
    run->call.has_gp = true;
    return parse_place(run->ps2, text, &run->call.gp, error);
}

enum ps2_status run_sp(struct run *run, char *text, struct ps2_error *error)
{
    run->call.has_sp = true;
    return parse_place(run->ps2, text, &run->call.sp, error);
}

enum ps2_status run_watch_range(struct run *run, char *text, struct ps2_error *error)
{
    struct run_watch *more = realloc(run->watches, (run->watch_count + 1) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    run->watches = more;
    struct run_watch *watch = &more[run->watch_count];
    *watch = (struct run_watch){0};
    snprintf(watch->name, sizeof watch->name, "%s", text);
    enum ps2_status status = parse_range(run->ps2, text, &watch->address, &watch->size, error);
    if (status == PS2_OK)
        status = ps2_watch_new(run->ps2, watch->address, watch->size, &watch->watch, error);
    run->watch_count += watch->watch != NULL;
    return status;
}

enum ps2_status run_dump(struct run *run, char *text, struct ps2_error *error)
{
    uint32_t address, size;
    const char *path = parse_split(text, strchr(text, '='), "ADDR:LEN=FILE", error);
    if (!path)
        return PS2_BAD_INPUT;
    enum ps2_status status = parse_range(run->ps2, text, &address, &size, error);
    if (status != PS2_OK)
        return status;
    if (size > EE_RAM_SIZE_LARGE)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "0x%x bytes are more than there is memory", size);
    uint8_t *data = malloc(size);
    if (!data)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    status = ps2_read(run->ps2, address, data, size, error);
    FILE *file = status == PS2_OK ? fopen(path, "wb") : NULL;
    if (status == PS2_OK && (!file || fwrite(data, 1, size, file) != size))
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", strerror(errno));
    if (file && fclose(file) && status == PS2_OK)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "cannot be written: %s", strerror(errno));
    free(data);
    return status;
}
