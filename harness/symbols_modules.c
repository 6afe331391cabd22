// Which of the overlays that symbol files name lie in memory: by the contents of their images, or by a load
// map.
#include "harness/symbols_file.h"

#include "harness/file.h"
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

// ---- residence

// Gives a module a range: no other overlay that has a symbol there can be in memory.
static enum ps2_status reside(struct ps2 *ps2, size_t index, uint32_t address, uint32_t size,
                              struct ps2_error *error)
{
    uint32_t physical = ps2_physical(address);
    for (size_t m = 0; m < ps2->module_count; m++)
        if (m != index && ps2->modules[m].overlay && symbols_in_range(ps2, m, physical, size)) {
            ps2->modules[m].resident = false;
            symbols_forget_module(ps2, m);
        }
    ps2->modules[index].resident = true;
    return module_add_range(ps2, index, address, size, error);
}

// ---- by content

// Whether a resident overlay that overlaps the image fits memory better.
static bool is_beaten(const struct ps2 *ps2, size_t index, const struct image *image)
{
    const struct module *own = &ps2->modules[index];
    for (size_t m = 0; m < ps2->module_count; m++) {
        const struct module *other = &ps2->modules[m];
        if (m == index || !other->resident ||
            (uint64_t)own->equal * other->compared > (uint64_t)other->equal * own->compared)
            continue;
        for (size_t r = 0; r < other->range_count; r++)
            if (image_segment_at(image, other->ranges[r].address))
                return true;
    }
    return false;
}

// Compares the code with memory; words of zero tell nothing.
static void compare_code(struct ps2 *ps2, struct module *module, const struct image *image)
{
    module->equal = module->compared = 0;
    for (size_t n = 0; n < image->code_count; n++) {
        const struct image_code *code = &image->code[n];
        for (uint32_t at = 0; at + 4 <= code->size; at += 4) {
            uint32_t wanted, held = 0;
            memcpy(&wanted, image->bytes + code->offset + at, 4);
            if (!wanted)
                continue;
            module->compared++;
            module->equal += ps2_read(ps2, code->address + at, &held, 4, NULL) == PS2_OK && held == wanted;
        }
    }
}

static enum ps2_status settle_image(struct ps2 *ps2, size_t index, const struct image *image,
                                    struct ps2_error *error)
{
    struct module *module = &ps2->modules[index];
    enum ps2_status status = PS2_OK;
    compare_code(ps2, module, image);
    if (!module->compared)
        return ps2_fail(error, PS2_BAD_INPUT, image->name, 0, "has no code to know it by");
    module->resident =
        (uint64_t)module->equal * 10 >= (uint64_t)module->compared * 9 && !is_beaten(ps2, index, image);
    if (!module->resident)
        symbols_forget_module(ps2, index);
    for (size_t n = 0; !status && ps2->modules[index].resident && n < image->segment_count; n++)
        status = reside(ps2, index, image->segments[n].address, image->segments[n].memory_size, error);
    return status;
}

static enum ps2_status read_image(const struct ps2 *ps2, struct image *image, const char *path,
                                  const uint32_t *address, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    *image = (struct image){0};
    enum ps2_status status = file_read(path, FILE_LIMIT, &bytes, &size, error);
    if (status)
        return status;
    if (address)
        return image_from_raw(image, path, bytes, size, *address, ps2->ram_size, error);
    bool elf = size >= 4 && !memcmp(bytes,
                                    "\x7f"
                                    "ELF",
                                    4);
    return (elf ? image_from_elf : image_from_overlay)(image, path, bytes, size, ps2->ram_size, error);
}

enum ps2_status ps2_match_module(struct ps2 *ps2, const char *module, const char *path,
                                 const uint32_t *address, struct ps2_error *error)
{
    struct image image;
    enum ps2_status status = read_image(ps2, &image, path, address, error);
    size_t index = status ? 0 : module_named(ps2, module, true);
    if (index == SIZE_MAX)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "out of memory");
    if (!status)
        status = settle_image(ps2, index, &image, error);
    image_free(&image);
    return status;
}

bool ps2_nearest_module(const struct ps2 *ps2, struct ps2_module *nearest)
{
    *nearest = (struct ps2_module){0};
    for (size_t n = 0; n < ps2_module_count(ps2); n++) {
        struct ps2_module m = ps2_module(ps2, n);
        if (m.overlay && m.resident)
            return false;
        if (m.compared && (!nearest->compared ||
                           (uint64_t)m.equal * nearest->compared > (uint64_t)nearest->equal * m.compared))
            *nearest = m;
    }
    return nearest->compared;
}

// ---- by a load map

static enum ps2_status take_place(struct ps2 *ps2, struct symbol_reader *r, char *line)
{
    char *save = NULL, *name = strtok_r(line, " \t", &save), *start = strtok_r(NULL, " \t", &save),
         *length = strtok_r(NULL, " \t", &save);
    uint32_t address, size;
    if (!length || strtok_r(NULL, " \t", &save) || !symbols_number(start, 0, &address) ||
        !symbols_number(length, 0, &size) || !size)
        return symbols_fail(r, "is not of the form MODULE ADDRESS SIZE");
    uint32_t physical = ps2_physical(address);
    if (physical >= ps2->ram_size || size > ps2->ram_size - physical)
        return symbols_fail(r, "0x%x bytes at 0x%08x are not in memory", size, address);
    size_t index = module_named(ps2, name, true);
    if (index != SIZE_MAX && index >= SYMBOL_MODULES_MAX)
        return symbols_fail(r, "is one module too many; %d are allowed", SYMBOL_MODULES_MAX);
    return index == SIZE_MAX ? symbols_fail(r, "out of memory") : reside(ps2, index, address, size, r->error);
}

enum ps2_status ps2_load_map_data(struct ps2 *ps2, const char *name, const char *data, size_t size,
                                  struct ps2_error *error)
{
    char *copy = strndup(data, size), *line;
    struct symbol_reader r = {.path = name, .at = copy, .error = error};
    enum ps2_status status = copy ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, name, 0, "out of memory");
    while (!status && (line = symbols_line(&r))) {
        line[strcspn(line, "#")] = 0;
        line = symbols_trim(line);
        if (*line)
            status = take_place(ps2, &r, line);
    }
    free(copy);
    return status;
}

enum ps2_status ps2_load_map(struct ps2 *ps2, const char *path, struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    enum ps2_status status = file_read(path, FILE_LIMIT, &bytes, &size, error);
    if (!status) {
        status = ps2_load_map_data(ps2, path, (const char *)bytes, size, error);
        free(bytes);
    }
    return status;
}

// ---- what is still open

// How many bytes are the symbol's for certain.
static uint32_t sure_extent(const struct symbol *s)
{
    return s->guessed ? 4 : s->extent;
}

enum ps2_status ps2_settle_symbols(const struct ps2 *ps2, struct ps2_error *error)
{
    const struct symbol *widest = NULL; // of the overlays' symbols so far, the one that reaches furthest
    for (size_t i = 0; i < ps2->symbol_count; i++) {
        const struct symbol *s = &ps2->symbols[i];
        if (!ps2->modules[s->module].overlay || s->inner)
            continue;
        if (widest && widest->module != s->module && s->physical - widest->physical < sure_extent(widest))
            return ps2_fail(
                error, PS2_BAD_INPUT, NULL, s->address,
                "%s:%s and %s:%s share 0x%08x: say which module is in memory by its image or a load map",
                ps2->modules[widest->module].name, widest->name, ps2->modules[s->module].name, s->name,
                s->address);
        if (!widest ||
            (uint64_t)s->physical + sure_extent(s) > (uint64_t)widest->physical + sure_extent(widest))
            widest = s;
    }
    return PS2_OK;
}
