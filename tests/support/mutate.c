// The mutations of the fuzz targets.
#include "tests/support/mutate.h"

uint32_t mutate_random(struct mutator *m)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return (uint32_t)(m->state >> 32);
}

// Values at which bounds are got wrong.
static uint32_t edge(struct mutator *m)
{
    static const uint32_t edges[] = {0,          1,          3,          4,          0x10,       0x7fff,
                                     0x8000,     0xffff,     0x00100000, 0x01ffffff, 0x02000000, 0x70000000,
                                     0x70003fff, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
    uint32_t value = edges[mutate_random(m) % (sizeof edges / sizeof *edges)];
    return value + mutate_random(m) % 3 - 1;
}

static void change_field(struct mutator *m, uint8_t *data, size_t size)
{
    static const unsigned widths[] = {1, 2, 4, 4};
    unsigned width = widths[mutate_random(m) % 4];
    size_t at = mutate_random(m) % size / width * width;
    uint32_t old = 0, value;
    for (unsigned n = 0; n < width && at + n < size; n++)
        old |= (uint32_t)data[at + n] << 8 * n;
    switch (mutate_random(m) % 4) {
    case 0:
        value = old ^ UINT32_C(1) << mutate_random(m) % 32;
        break;
    case 1:
        value = edge(m);
        break;
    case 2:
        value = old + mutate_random(m) % 65 - 32;
        break;
    default:
        value = mutate_random(m);
        break;
    }
    for (unsigned n = 0; n < width && at + n < size; n++)
        data[at + n] = (uint8_t)(value >> 8 * n);
}

size_t mutate(struct mutator *m, uint8_t *data, size_t size)
{
    unsigned changes = 1 + mutate_random(m) % 8;
    for (unsigned n = 0; n < changes; n++)
        change_field(m, data, size);
    return mutate_random(m) % 8 ? size : mutate_random(m) % (size + 1);
}
