// Compares the light pass with EE memory and prints the result.
#include "harness/cli/level_memory.h"

#include "harness/formats/light_memory.h"

#include <string.h>

// The light bank as a level load leaves it: the sets of the gameplay file, 12 at most, and zeros up to the
// 16th. SIZE_MAX when the image has none.
static size_t find_bank(const struct fmt_level *level, struct fmt_span memory)
{
    enum { SET = 0x40, SETS = 16, COPIED = 12, HEADER = 0x10 };
    struct fmt_span gameplay = level->files[FMT_FILE_GAMEPLAY];
    uint8_t bank[SETS * SET] = {0};
    uint32_t section = gameplay.size >= 8 ? fmt_u32(gameplay.data + 4) : UINT32_MAX;
    if (section > gameplay.size || gameplay.size - section < HEADER)
        return SIZE_MAX;
    size_t count = fmt_u32(gameplay.data + section);
    count = count < COPIED ? count : COPIED;
    if (!count || gameplay.size - section - HEADER < count * SET)
        return SIZE_MAX;
    memcpy(bank, gameplay.data + section + HEADER, count * SET);
    for (size_t at = 0; at + sizeof bank <= memory.size; at += 16)
        if (!memcmp(memory.data + at, bank, sizeof bank))
            return at;
    return SIZE_MAX;
}

static void print_comparison(FILE *out, const struct fmt_light_comparison *c, size_t bank)
{
    fprintf(out, "memory: terrain at 0x%llx, %u patches, %u of %u bytes equal\n",
            (unsigned long long)c->address, c->patches, c->equal, c->equal + c->different);
    for (int d = -255; d <= 255; d++)
        if (c->histogram[d + 255])
            fprintf(out, "memory: differs by %+d: %u bytes\n", d, c->histogram[d + 255]);
    if (bank == SIZE_MAX)
        fputs("memory: the light bank is not there\n", out);
    else
        fprintf(out, "memory: light bank at 0x%zx\n", bank);
}

static json_t *histogram_json(const struct fmt_light_comparison *c)
{
    json_t *histogram = json_object();
    for (int d = -255; d <= 255; d++) {
        char key[8];
        snprintf(key, sizeof key, "%d", d);
        if (c->histogram[d + 255])
            json_object_set_new(histogram, key, json_integer(c->histogram[d + 255]));
    }
    return histogram;
}

enum ps2_status level_memory_compare(const struct fmt_level *level, const struct fmt_light_bank *bank,
                                     const struct fmt_normal_table *table, struct fmt_span memory, FILE *out,
                                     json_t *json, struct ps2_error *error)
{
    struct fmt_light_comparison c;
    enum ps2_status status = fmt_light_compare(level, bank, table, memory, &c, error);
    if (status)
        return status;
    size_t at = find_bank(level, memory);
    if (json)
        json_object_set_new(json, "memory",
                            json_pack("{s:I, s:i, s:i, s:i, s:o, s:o}", "address", (json_int_t)c.address,
                                      "vertices", (int)c.vertices, "equal", (int)c.equal, "different",
                                      (int)c.different, "bank",
                                      at == SIZE_MAX ? json_null() : json_integer((json_int_t)at),
                                      "histogram", histogram_json(&c)));
    else
        print_comparison(out, &c, at);
    if (c.different)
        return ps2_fail(error, PS2_DIFFERENT, memory.name, c.address,
                        "%u colour bytes differ, the first in patch %u, vertex %u", c.different,
                        c.first_patch, c.first_vertex);
    return PS2_OK;
}
