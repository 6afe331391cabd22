// Writer of small terrain blocks.
#include "tests/support/terrain.h"

#include <string.h>

static void put8(struct terrain *t, unsigned v)
{
    t->bytes[t->size++] = (uint8_t)v;
}

static void put16(struct terrain *t, unsigned v)
{
    put8(t, v);
    put8(t, v >> 8);
}

static void put32(struct terrain *t, uint32_t v)
{
    put16(t, v);
    put16(t, v >> 16);
}

static void set16(struct terrain *t, size_t at, unsigned v)
{
    t->bytes[at] = (uint8_t)v;
    t->bytes[at + 1] = (uint8_t)(v >> 8);
}

static void align(struct terrain *t, unsigned to)
{
    while (t->size % to)
        put8(t, 0);
}

static void code(struct terrain *t, unsigned command, unsigned num, unsigned immediate)
{
    put32(t, (uint32_t)command << 24 | (uint32_t)(num & 0xFF) << 16 | immediate);
}

static void unpack(struct terrain *t, unsigned command, unsigned num, bool usn, unsigned address)
{
    code(t, command, num, 0x8000u | (usn ? 0x4000u : 0) | address);
}

static void strow(struct terrain *t, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    code(t, 0x30, 0, 0);
    put32(t, x);
    put32(t, y);
    put32(t, z);
    put32(t, w);
}

static unsigned ceil4(unsigned n)
{
    return (n + 3) / 4;
}

static unsigned entries(const struct terrain_patch *p, unsigned tiers)
{
    unsigned n = 0;
    for (unsigned i = 0; i < tiers; i++)
        n += p->positions[i] + p->extras[i];
    return n;
}

static unsigned position_start(const struct terrain_patch *p, unsigned tier)
{
    unsigned n = 0;
    for (unsigned i = 0; i < tier; i++)
        n += p->positions[i];
    return n;
}

int16_t terrain_position(unsigned patch, unsigned i, unsigned axis)
{
    return (int16_t)((int)(i * (731 + 100 * axis) + patch * 57) % 8000 - 4000);
}

uint8_t terrain_parent(const struct terrain_patch *p, unsigned tier, unsigned k, bool extra)
{
    unsigned common = entries(p, 1);
    return (uint8_t)((k * 3 + (extra ? 2 : 1)) % (tier == 1 ? common : common + p->positions[1]));
}

uint16_t terrain_second_parent(const struct terrain_patch *p, unsigned entry)
{
    return (uint16_t)((entry * 5 + 1) % p->positions[0]);
}

uint16_t terrain_own_position(const struct terrain_patch *p, unsigned entry)
{
    unsigned tier = 0, first = 0;
    while (entry - first >= p->positions[tier] + p->extras[tier])
        first += p->positions[tier] + p->extras[tier], tier++;
    unsigned k = entry - first;
    if (k >= p->positions[tier])
        k = (k - p->positions[tier]) % (p->positions[tier] ? p->positions[tier] : 1);
    return (uint16_t)(position_start(p, tier) + k);
}

struct addresses {
    unsigned adgifs, positions, vinfo, strips;
};

static struct addresses plan(struct terrain_patch *p)
{
    struct addresses a = {.adgifs = 9};
    a.positions = 9 + 5 * p->adgifs;
    a.vinfo = a.positions + 2 * position_start(p, 3);
    unsigned at = a.vinfo + entries(p, 3);
    p->parents_01_at = (uint16_t)at, at += ceil4(p->positions[1]);
    p->extra_parents_01_at = (uint16_t)at, at += ceil4(p->extras[1]);
    p->parents_0_at = (uint16_t)at, at += ceil4(p->positions[2]);
    p->extra_parents_0_at = (uint16_t)at, at += ceil4(p->extras[2]);
    p->indices_at = (uint16_t)at, at += 16;
    a.strips = at;
    return a;
}

enum { RUNS = 5, RUN_FIRST = 12 };

static const unsigned run_lengths[RUNS] = {RUN_FIRST, 4, 3, 5, 6};

static void put_strips(struct terrain *t, struct terrain_patch *p, unsigned lod, unsigned address)
{
    unsigned last = p->adgifs - 1;
    const int records[RUNS][3] = {
        {RUN_FIRST - 128, 0, 0}, {4, 0, 0}, {3 - 128, 0, (int)last * 5}, {5 - 128, -1, -1}, {6 - 128, -1, 0},
    };
    unpack(t, 0x6E, RUNS + 1, false, address);
    for (unsigned i = 0; i < RUNS; i++) {
        for (unsigned k = 0; k < 3; k++)
            put8(t, (unsigned)records[i][k]);
        put8(t, 0);
        p->triangles[lod] += run_lengths[i] - 2;
    }
    put32(t, 0);
}

static void put_indices(struct terrain *t, const struct terrain_patch *p, unsigned lod, unsigned vinfo)
{
    unsigned n = 0, limit = entries(p, 3 - lod);
    for (unsigned i = 0; i < RUNS; i++)
        n += run_lengths[i];
    strow(t, vinfo, vinfo, vinfo, vinfo);
    code(t, 0x05, 0, 1);
    unpack(t, 0x6E, ceil4(n), true, p->indices_at);
    for (unsigned i = 0; i < ceil4(n) * 4; i++)
        put8(t, i < n ? (i * 7 + lod) % limit : 0);
}

static void put_positions(struct terrain *t, const struct terrain_patch *p, unsigned patch, unsigned tier,
                          unsigned address)
{
    unsigned first = position_start(p, tier);
    if (!p->positions[tier])
        return;
    unpack(t, 0x69, p->positions[tier], false, address + 2 * first);
    for (unsigned i = first; i < first + p->positions[tier]; i++)
        for (unsigned axis = 0; axis < 3; axis++)
            put16(t, (uint16_t)terrain_position(patch, i, axis));
    align(t, 4);
}

static void put_vinfo(struct terrain *t, const struct terrain_patch *p, unsigned tier, unsigned address)
{
    unsigned first = entries(p, tier), n = p->positions[tier] + p->extras[tier];
    if (!n)
        return;
    unpack(t, 0x6D, n, false, address + first);
    for (unsigned i = first; i < first + n; i++) {
        put16(t, i * 100);
        put16(t, 0x10000 - i * 50);
        put16(t, tier ? terrain_second_parent(p, i) * 2u : 0);
        put16(t, terrain_own_position(p, i) * 2u);
    }
}

static void put_parents(struct terrain *t, const struct terrain_patch *p, unsigned tier, bool extra,
                        unsigned address)
{
    unsigned n = extra ? p->extras[tier] : p->positions[tier];
    if (!n)
        return;
    unpack(t, 0x6E, ceil4(n), true, address);
    for (unsigned i = 0; i < ceil4(n) * 4; i++)
        put8(t, i < n ? terrain_parent(p, tier, i, extra) : 0);
}

static void put_common(struct terrain *t, struct terrain_patch *p, unsigned patch, struct addresses a)
{
    const unsigned lanes[20] = {p->positions[0],
                                p->extras[0],
                                p->positions[1],
                                p->extras[1],
                                p->positions[2],
                                p->extras[2],
                                a.positions,
                                a.vinfo,
                                a.vinfo + p->positions[0],
                                a.vinfo + entries(p, 1),
                                a.vinfo + entries(p, 1) + p->positions[1],
                                a.vinfo + entries(p, 2),
                                a.vinfo + entries(p, 2) + p->positions[2],
                                p->indices_at,
                                p->parents_01_at,
                                p->extra_parents_01_at,
                                p->parents_0_at,
                                p->extra_parents_0_at,
                                a.strips,
                                a.adgifs};
    unpack(t, 0x6D, 5, true, 0);
    for (unsigned i = 0; i < 20; i++)
        put16(t, lanes[i]);
    unpack(t, 0x6C, 5 * p->adgifs, false, a.adgifs);
    for (unsigned i = 0; i < p->adgifs; i++) {
        const uint32_t qw[5][4] = {{i, 0, 0x06, 0},
                                   {(uint32_t)(-137 + 48 * (int)(i & 1)) & 0xFFF, 4, 0x14, 0x45000000},
                                   {i & 1, 1, 0x08, 0},
                                   {0, 0, 0x34, 0},
                                   {0, 0, 0x36, 0}};
        for (unsigned k = 0; k < 20; k++)
            put32(t, qw[k / 4][k % 4]);
    }
    strow(t, 0x45000000, 0x45000000, 0, a.positions);
    code(t, 0x05, 0, 1);
    put_vinfo(t, p, 0, a.vinfo);
    if (!p->no_row)
        strow(t, (uint32_t)p->origin[0], (uint32_t)p->origin[1], (uint32_t)p->origin[2], 0);
    code(t, 0x01, 0, 0x0102);
    put_positions(t, p, patch, 0, a.positions);
    if (p->trailing_row)
        strow(t, 77, 78, 79, 80);
    code(t, 0x01, 0, 0x0404);
    code(t, 0x05, 0, 0);
}

static void put_lod_lists(struct terrain *t, size_t header, struct terrain_patch *p, unsigned patch,
                          struct addresses a)
{
    size_t shared = p->data;
    align(t, 16);
    set16(t, header + 0x14, 0);
    put_indices(t, p, 2, a.vinfo);
    code(t, 0x05, 0, 0);
    put_strips(t, p, 2, a.strips);
    align(t, 16);
    shared = t->size;
    set16(t, header + 0x16, (unsigned)(t->size - p->data));
    put_common(t, p, patch, a);
    align(t, 16);
    set16(t, header + 0x18, (unsigned)(t->size - p->data));
    put_strips(t, p, 1, a.strips);
    put_indices(t, p, 1, a.vinfo);
    align(t, 16);
    set16(t, header + 0x1A, (unsigned)(t->size - p->data));
    code(t, 0x05, 0, 1);
    put_parents(t, p, 1, false, p->parents_01_at);
    put_parents(t, p, 1, true, p->extra_parents_01_at);
    put_vinfo(t, p, 1, a.vinfo);
    put_positions(t, p, patch, 1, a.positions);
    align(t, 16);
    t->bytes[header + 0x22] = (uint8_t)((t->size - shared) / 16);
    put_positions(t, p, patch, 2, a.positions);
    put_strips(t, p, 0, a.strips);
    put_indices(t, p, 0, a.vinfo);
    put_parents(t, p, 2, false, p->parents_0_at);
    put_parents(t, p, 2, true, p->extra_parents_0_at);
    put_vinfo(t, p, 2, a.vinfo);
    code(t, 0x05, 0, 0);
    align(t, 16);
}

static void put_beside(struct terrain *t, size_t header, const struct terrain_patch *p)
{
    unsigned vertices = position_start(p, 3);
    set16(t, header + 0x1E, (unsigned)(t->size - p->data));
    t->bytes[header + 0x29] = (uint8_t)ceil4(vertices);
    for (unsigned i = 0; i < ceil4(vertices) * 16; i++)
        put8(t, i);
    set16(t, header + 0x30, (unsigned)(t->size - p->data));
    for (unsigned k = 0; k < 3; k++)
        put32(t, (uint32_t)p->origin[k]);
    put32(t, 0);
    for (unsigned i = 0; i < vertices; i++) {
        put16(t, 0);
        put8(t, i * 31);
        put8(t, i * 17);
        put16(t, i * 999);
        put16(t, i % 4);
    }
    align(t, 16);
    set16(t, header + 0x32, (unsigned)(t->size - p->data));
    set16(t, header + 0x2E, (unsigned)(t->size - p->data));
    t->bytes[header + 0x2C] = 1;
    for (unsigned k = 0; k < 3; k++)
        put32(t, 0x3F800000 + k);
    put16(t, 500);
    put8(t, 9);
    put8(t, 0);
    set16(t, header + 0x38, (unsigned)(t->size - p->data));
    for (unsigned i = 0; i < 32; i++)
        put16(t, i % 4 == 3 ? 0 : i - 8);
    t->bytes[header + 0x3C] = (uint8_t)vertices;
    t->bytes[header + 0x3D] = (uint8_t)p->triangles[0];
}

void terrain_build(struct terrain *t, struct terrain_patch *patches, unsigned count)
{
    memset(t, 0, sizeof *t);
    put32(t, 0x40);
    put32(t, count);
    put32(t, 0x42000000); // L = 32.0
    align(t, 64);
    t->size = 0x40 + 0x40 * count;
    for (unsigned i = 0; i < count; i++) {
        struct terrain_patch *p = &patches[i];
        size_t header = 0x40 + 0x40 * i;
        p->data = t->size;
        memset(p->triangles, 0, sizeof p->triangles);
        struct addresses a = plan(p);
        set16(t, header + 0x10, (unsigned)(t->size - 0x40));
        t->bytes[header + 0x28] = (uint8_t)p->adgifs;
        t->bytes[header + 0x34] = 0xFF;
        set16(t, header + 0x36, 0xFFFF);
        put_lod_lists(t, header, p, i, a);
        put_beside(t, header, p);
    }
}
