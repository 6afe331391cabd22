// Loaded modules: from files into memory, and which of them holds an address.
#include "harness/file.h"
#include "harness/machine.h"

#include <stdlib.h>
#include <string.h>

size_t module_add(struct ps2 *ps2, const char *name)
{
    struct module *more = realloc(ps2->modules, (ps2->module_count + 1) * sizeof *more);
    if (!more)
        return SIZE_MAX;
    ps2->modules = more;
    struct module *module = &more[ps2->module_count];
    *module = (struct module){.name = strdup(file_name(name))};
    return module->name ? ps2->module_count++ : SIZE_MAX;
}

size_t module_named(struct ps2 *ps2, const char *name, bool overlay)
{
    size_t index = 0;
    while (index < ps2->module_count &&
           (!ps2->modules[index].named_only || strcmp(ps2->modules[index].name, file_name(name)) != 0))
        index++;
    if (index == ps2->module_count)
        index = module_add(ps2, name);
    if (index != SIZE_MAX) {
        ps2->modules[index].named_only = true;
        ps2->modules[index].overlay |= overlay;
    }
    return index;
}

enum ps2_status module_add_range(struct ps2 *ps2, size_t index, uint32_t address, uint32_t size,
                                 struct ps2_error *error)
{
    struct module *module = &ps2->modules[index];
    struct module_range *more = realloc(module->ranges, (module->range_count + 1) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, module->name, 0, "out of memory");
    module->ranges = more;
    more[module->range_count++] = (struct module_range){ps2_physical(address), size};
    symbols_forget(ps2, index, ps2_physical(address), size);
    return PS2_OK;
}

const struct module *module_at(const struct ps2 *ps2, uint32_t address)
{
    uint32_t physical = ps2_physical(address);
    for (size_t m = ps2->module_count; m-- > 0;)
        for (size_t r = 0; r < ps2->modules[m].range_count; r++)
            if (physical - ps2->modules[m].ranges[r].address < ps2->modules[m].ranges[r].size)
                return &ps2->modules[m];
    return NULL;
}

void modules_free(struct ps2 *ps2)
{
    for (size_t m = 0; m < ps2->module_count; m++) {
        free(ps2->modules[m].name);
        free(ps2->modules[m].ranges);
    }
    free(ps2->modules);
}

size_t ps2_module_count(const struct ps2 *ps2)
{
    return ps2->module_count;
}

struct ps2_module ps2_module(const struct ps2 *ps2, size_t index)
{
    const struct module *module = &ps2->modules[index];
    return (struct ps2_module){module->name,     module->has_entry, module->has_gp,
                               module->entry,    module->gp,        module->overlay,
                               module->resident, module->equal,     module->compared};
}

typedef enum ps2_status image_maker(struct image *, const char *name, uint8_t *bytes, size_t size,
                                    uint32_t ram_size, struct ps2_error *);

static enum ps2_status load_bytes(struct ps2 *ps2, image_maker *maker, const char *name, uint8_t *bytes,
                                  size_t size, struct ps2_error *error)
{
    struct image image;
    enum ps2_status status = maker(&image, name, bytes, size, ps2->ram_size, error);
    if (status == PS2_OK)
        status = machine_load(ps2, &image, error);
    image_free(&image);
    return status;
}

static enum ps2_status load_file(struct ps2 *ps2, image_maker *maker, const char *path,
                                 struct ps2_error *error)
{
    uint8_t *bytes;
    size_t size;
    enum ps2_status status = file_read(path, FILE_LIMIT, &bytes, &size, error);
    return status == PS2_OK ? load_bytes(ps2, maker, path, bytes, size, error) : status;
}

static enum ps2_status load_copy(struct ps2 *ps2, image_maker *maker, const char *name, const void *data,
                                 size_t size, struct ps2_error *error)
{
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes)
        return ps2_fail(error, PS2_BAD_INPUT, name, 0, "out of memory");
    if (size)
        memcpy(bytes, data, size);
    return load_bytes(ps2, maker, name, bytes, size, error);
}

enum ps2_status ps2_load_elf(struct ps2 *ps2, const char *path, struct ps2_error *error)
{
    return load_file(ps2, image_from_elf, path, error);
}

enum ps2_status ps2_load_elf_data(struct ps2 *ps2, const char *name, const void *data, size_t size,
                                  struct ps2_error *error)
{
    return load_copy(ps2, image_from_elf, name, data, size, error);
}

enum ps2_status ps2_load_overlay(struct ps2 *ps2, const char *path, struct ps2_error *error)
{
    return load_file(ps2, image_from_overlay, path, error);
}

enum ps2_status ps2_load_overlay_data(struct ps2 *ps2, const char *name, const void *data, size_t size,
                                      struct ps2_error *error)
{
    return load_copy(ps2, image_from_overlay, name, data, size, error);
}

enum ps2_status ps2_load_raw(struct ps2 *ps2, const char *path, uint32_t address, struct ps2_error *error)
{
    struct image image;
    uint8_t *bytes;
    size_t size;
    enum ps2_status status = file_read(path, FILE_LIMIT, &bytes, &size, error);
    if (status != PS2_OK)
        return status;
    status = image_from_raw(&image, path, bytes, size, address, ps2->ram_size, error);
    if (status == PS2_OK)
        status = machine_load(ps2, &image, error);
    image_free(&image);
    return status;
}
