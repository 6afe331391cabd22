// Program images: the checks and containers that ELF files, overlays and raw files share.
#include "harness/image.h"

#include <stdlib.h>
#include <string.h>

void image_free(struct image *image)
{
    free(image->bytes);
    free(image->segments);
    free(image->code);
    free(image->symbols);
    *image = (struct image){0};
}

// No program has more; it bounds the search for overlaps.
#define SEGMENTS_MAX 256

// Whether [address, address + size) is inside one memory.
static bool in_memory(uint32_t address, uint64_t size, uint32_t ram_size)
{
    uint32_t physical = ps2_physical(address);
    if (physical - EE_SCRATCHPAD < EE_SCRATCHPAD_SIZE)
        return size <= EE_SCRATCHPAD_SIZE - (physical - EE_SCRATCHPAD);
    return physical < ram_size && size <= ram_size - physical;
}

static bool overlap(const struct image_segment *a, const struct image_segment *b)
{
    uint32_t a_start = ps2_physical(a->address), b_start = ps2_physical(b->address);
    return a_start < b_start ? b_start - a_start < a->memory_size : a_start - b_start < b->memory_size;
}

enum ps2_status image_add_segment(struct image *image, const struct image_segment *segment, uint32_t ram_size,
                                  uint64_t at, struct ps2_error *error)
{
    if (!segment->memory_size)
        return PS2_OK;
    if (!in_memory(segment->address, segment->memory_size, ram_size))
        return ps2_fail(
            error, PS2_BAD_INPUT, image->name, at,
            "0x%x bytes at address 0x%08x do not fit in memory (0x%x bytes of RAM, 0x%x of scratchpad)",
            segment->memory_size, segment->address, ram_size, EE_SCRATCHPAD_SIZE);
    for (size_t i = 0; i < image->segment_count; i++)
        if (overlap(segment, &image->segments[i]))
            return ps2_fail(error, PS2_BAD_INPUT, image->name, at,
                            "0x%x bytes at address 0x%08x overlap the 0x%x bytes at 0x%08x that came before",
                            segment->memory_size, segment->address, image->segments[i].memory_size,
                            image->segments[i].address);
    if (image->segment_count == SEGMENTS_MAX)
        return ps2_fail(error, PS2_BAD_INPUT, image->name, at, "has more than %d segments", SEGMENTS_MAX);
    struct image_segment *more = realloc(image->segments, (image->segment_count + 1) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, image->name, at, "out of memory");
    more[image->segment_count++] = *segment;
    image->segments = more;
    return PS2_OK;
}

enum ps2_status image_add_code(struct image *image, const struct image_code *code, struct ps2_error *error)
{
    struct image_code *more = realloc(image->code, (image->code_count + 1) * sizeof *more);
    if (!more)
        return ps2_fail(error, PS2_BAD_INPUT, image->name, code->offset, "out of memory");
    more[image->code_count++] = *code;
    image->code = more;
    return PS2_OK;
}

const struct image_segment *image_segment_at(const struct image *image, uint32_t address)
{
    for (size_t i = 0; i < image->segment_count; i++)
        if (ps2_physical(address) - ps2_physical(image->segments[i].address) < image->segments[i].memory_size)
            return &image->segments[i];
    return NULL;
}

enum ps2_status image_from_raw(struct image *image, const char *name, uint8_t *bytes, size_t size,
                               uint32_t address, uint32_t ram_size, struct ps2_error *error)
{
    *image = (struct image){.name = name, .bytes = bytes, .size = size};
    if (!size)
        return ps2_fail(error, PS2_BAD_INPUT, name, 0, "is empty");
    if (size > UINT32_MAX)
        return ps2_fail(error, PS2_BAD_INPUT, name, 0, "is larger than memory");
    struct image_segment segment = {address, (uint32_t)size, 0, size};
    enum ps2_status status = image_add_segment(image, &segment, ram_size, 0, error);
    if (status == PS2_OK)
        status = image_add_code(image, &(struct image_code){"raw", address, (uint32_t)size & ~3u, 0}, error);
    return status;
}
