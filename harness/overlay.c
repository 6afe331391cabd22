// Going Commando's overlay.bin as an image: a list of sections, each with the address it goes to.
//
// Each section is a record of four words {address, size, ELF section type, entry point} and `size` bytes,
// which also NOBITS sections carry. The list ends with the data or where the entry point changes.
#include "harness/image.h"

#include <string.h>

struct section {
    uint32_t address, size, type, entry;
};

#define RECORD_SIZE sizeof(struct section)

// The bytes after the last record of the list are not the list's: what they hold is not looked at.
static bool next_section(const struct image *image, size_t at, struct section *section)
{
    if (image->size - at < RECORD_SIZE)
        return false;
    memcpy(section, image->bytes + at, RECORD_SIZE);
    return !image->has_entry || section->entry == image->entry;
}

static enum ps2_status add_section(struct image *image, size_t at, const struct section *section,
                                   uint32_t ram_size, struct ps2_error *error)
{
    size_t data = at + RECORD_SIZE;
    if (section->size > image->size - data)
        return ps2_fail(error, PS2_BAD_INPUT, image->name, at,
                        "section %zu says 0x%x bytes, but only 0x%zx are left in the file",
                        image->segment_count, section->size, image->size - data);
    struct image_segment segment = {section->address, section->size, data, section->size};
    return image_add_segment(image, &segment, ram_size, at, error);
}

enum ps2_status image_from_overlay(struct image *image, const char *name, uint8_t *bytes, size_t size,
                                   uint32_t ram_size, struct ps2_error *error)
{
    struct section section;
    size_t at = 0;
    *image = (struct image){.name = name, .bytes = bytes, .size = size};
    if (size < RECORD_SIZE)
        return ps2_fail(error, PS2_BAD_INPUT, name, size, "is too short for one section record (16 bytes)");
    while (next_section(image, at, &section)) {
        enum ps2_status status = add_section(image, at, &section, ram_size, error);
        if (status != PS2_OK)
            return status;
        image->has_entry = true;
        image->entry = section.entry;
        at += RECORD_SIZE + section.size;
    }
    const struct image_segment *text = image_segment_at(image, image->entry);
    if (image->entry % 4 || !text)
        return ps2_fail(error, PS2_BAD_INPUT, name, 12, "the entry point 0x%08x is not in any section",
                        image->entry);
    struct image_code code = {".text", text->address, text->memory_size & ~3u, text->offset};
    return image_add_code(image, &code, error);
}
