// Little-endian reads, a WAD decoder and a VIF list walk for the builder's tests.
#include "tests/support/fixture_reader.h"

#include <string.h>

uint32_t rd8(const struct fixture_file *f, size_t at)
{
    return at < f->size ? f->data[at] : 0;
}

uint32_t rd16(const struct fixture_file *f, size_t at)
{
    return rd8(f, at) | rd8(f, at + 1) << 8;
}

uint32_t rd32(const struct fixture_file *f, size_t at)
{
    return rd16(f, at) | rd16(f, at + 2) << 16;
}

double rd_real(const struct fixture_file *f, size_t at)
{
    uint32_t bits = rd32(f, at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

json_t *truth_of(const struct fixture_level *level)
{
    const struct fixture_file *f = fixture_level_file(level, "truth.json");
    return json_loadb((const char *)f->data, f->size, 0, NULL);
}

int64_t truth_int(const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    return json_is_integer(v) ? json_integer_value(v) : INT64_MIN;
}

int64_t truth_at(const json_t *array, size_t index)
{
    const json_t *v = json_array_get(array, index);
    return json_is_integer(v) ? json_integer_value(v) : INT64_MIN;
}

struct wad {
    const uint8_t *in;
    size_t at, end;
    uint8_t *out;
    size_t size, room;
    bool bad;
};

static uint32_t take(struct wad *w)
{
    if (w->at < w->end)
        return w->in[w->at++];
    w->bad = true;
    return 0;
}

static void literals(struct wad *w, size_t count)
{
    if (count > w->end - w->at || count > w->room - w->size) {
        w->bad = true;
        return;
    }
    memcpy(w->out + w->size, w->in + w->at, count);
    w->at += count;
    w->size += count;
}

static void copy(struct wad *w, size_t length, size_t distance, enum wad_mistake mistake)
{
    if (distance == 0 || distance > w->size || length > w->room - w->size) {
        w->bad = true;
        return;
    }
    if (mistake == WAD_BLOCK_COPY) // what a block move leaves where source and target overlap
        memmove(w->out + w->size, w->out + w->size - distance, length);
    else
        for (size_t i = 0; i < length; i++)
            w->out[w->size + i] = w->out[w->size + i - distance];
    w->size += length;
}

static void packet(struct wad *w, uint32_t f, enum wad_mistake mistake)
{
    if (f < 0x10) {
        literals(w, f ? f + 3 : take(w) + 18);
        return;
    }
    uint32_t little;
    if (f < 0x20) {
        uint32_t length = f & 7 ? f & 7 : take(w) + 7, b0 = take(w), b1 = take(w);
        size_t back = (f & 8 ? 0x8000u : 0x4000u) + b1 * 0x40 + (b0 >> 2);
        little = mistake == WAD_LITTLE_FROM_LAST ? b1 & 3 : b0 & 3;
        if (back == 0x4000 && length != 1) {
            if (mistake != WAD_NO_MARKER)
                w->at += (0x1000 - (w->at - 0x10) % 0x1000) % 0x1000;
            return;
        }
        if (back != 0x4000)
            copy(w, length + 2, mistake == WAD_FAR_SHORT ? back - 0x4000 : back, mistake);
        else if (mistake == WAD_NO_SPACER)
            return;
    } else if (f < 0x40) {
        uint32_t length = f & 31 ? f & 31 : take(w) + 31, b1 = take(w), b2 = take(w);
        little = mistake == WAD_LITTLE_FROM_LAST ? b2 & 3 : b1 & 3;
        copy(w, length + 2, b2 * 0x40 + (b1 >> 2) + 1, mistake);
    } else {
        uint32_t b1 = take(w);
        little = mistake == WAD_LITTLE_FROM_LAST ? b1 & 3 : f & 3;
        copy(w, (f >> 5) + 1, b1 * 8 + (f >> 2 & 7) + 1, mistake);
    }
    literals(w, little);
}

long wad_read(const uint8_t *data, size_t size, uint8_t *out, size_t room, enum wad_mistake mistake)
{
    struct wad w = {data, 0x10, 0, out, 0, room, false};
    if (size < 0x10 || memcmp(data, "WAD", 3) != 0)
        return -1;
    w.end = data[3] | (size_t)data[4] << 8 | (size_t)data[5] << 16 | (size_t)data[6] << 24;
    if (w.end > size)
        return -1;
    memset(out, 0xa5, room); // a wrong copy must not find what an earlier decoding left
    bool literal = false;
    while (w.at < w.end && !w.bad) {
        uint32_t f = take(&w);
        if (f < 0x10 && literal)
            return -1; // two literal packets in a row
        literal = f < 0x10;
        packet(&w, f, mistake);
    }
    return w.bad ? -1 : (long)w.size;
}

struct walk {
    const struct fixture_file *f;
    size_t data;
    enum patch_mistake mistake;
    struct patch_read *out;
    int32_t row[4], index_base;
    bool origin_found;
    unsigned arrivals[2];
};

static void unpack_positions(struct walk *w, size_t at, unsigned count, bool common)
{
    struct patch_read *p = w->out;
    if (!w->origin_found && common && w->mistake != PATCH_LAST_ROW)
        memcpy(p->origin, w->row, sizeof p->origin);
    w->origin_found |= common;
    for (unsigned i = 0; i < count && p->positions < 256; i++, p->positions++)
        for (unsigned k = 0; k < 3; k++)
            p->position[p->positions][k] = (int16_t)rd16(w->f, at + 6 * i + 2 * k);
}

static void unpack_entries(struct walk *w, size_t at, unsigned count)
{
    struct patch_read *p = w->out;
    for (unsigned i = 0; i < count && p->entries < 256; i++, p->entries++)
        for (unsigned k = 0; k < 4; k++)
            p->entry[p->entries][k] = (int16_t)rd16(w->f, at + 8 * i + 2 * k);
}

static void unpack_strips(struct walk *w, size_t at, unsigned count, unsigned lod)
{
    struct patch_read *p = w->out;
    unsigned bank = w->mistake == PATCH_BY_ARRIVAL ? w->arrivals[0]++ % 3 : lod;
    for (unsigned i = 0; i < count && p->record_count[bank] < 96; i++, p->record_count[bank]++)
        for (unsigned k = 0; k < 3; k++)
            p->records[bank][p->record_count[bank]][k] = (int8_t)rd8(w->f, at + 4 * i + k);
}

// Indices and the four parent arrays, told apart by address, the extra arrays only when the header counts
// them.
static void unpack_bytes(struct walk *w, size_t at, unsigned count, unsigned address, unsigned lod)
{
    struct patch_read *p = w->out;
    const unsigned *h = p->header;
    bool guard = w->mistake != PATCH_UNGUARDED;
    uint8_t *to = p->indices[lod];
    unsigned *n = &p->index_count[lod];
    for (unsigned tier = 0; tier < 2; tier++) { // an absent array has the address of the next one
        bool extras = h[3 + 2 * tier] || !guard, parents = h[2 + 2 * tier];
        if (extras && address == h[15 + 2 * tier]) {
            to = p->extras[tier];
            n = &p->extra_count[tier];
            break;
        }
        if (parents && address == h[14 + 2 * tier]) {
            to = p->parents[tier];
            n = &p->parent_count[tier];
            break;
        }
    }
    for (unsigned i = 0; i < 4 * count && *n < 256; i++)
        to[(*n)++] = (uint8_t)rd8(w->f, at + i);
}

static void unpack(struct walk *w, uint32_t code, size_t at, unsigned count, unsigned lod, bool common)
{
    unsigned format = code >> 24 & 15, address = code & 0x3ff;
    bool is_unsigned = code & 0x4000;
    if (format == 0xd && is_unsigned && address == 0)
        for (unsigned i = 0; i < 20; i++)
            w->out->header[i] = rd16(w->f, at + 2 * i);
    else if (format == 9)
        unpack_positions(w, at, count, common);
    else if (format == 0xd)
        unpack_entries(w, at, count);
    else if (format == 0xe && !is_unsigned)
        unpack_strips(w, at, count, lod);
    else if (format == 0xe)
        unpack_bytes(w, at, count, address, lod);
}

static bool walk_list(struct walk *w, size_t at, size_t end, unsigned lod, bool common)
{
    while (at < end) {
        uint32_t code = rd32(w->f, at), command = code >> 24 & 0x7f, number = code >> 16 & 255;
        at += 4;
        if ((command & 0x60) == 0x60) {
            unsigned count = number ? number : 256, bits = (32u >> (command & 3)) * ((command >> 2 & 3) + 1);
            size_t payload = (size_t)count * bits / 8, pad = w->mistake == PATCH_PAD_2 ? 1 : 3;
            if (at + payload > end)
                return false;
            unpack(w, code, at, count, lod, common);
            at += (payload + pad) & ~pad;
        } else if (command == 0x30 || command == 0x31) {
            for (unsigned k = 0; k < 4 && command == 0x30; k++)
                w->row[k] = (int32_t)rd32(w->f, at + 4 * k);
            bool index_row = w->row[0] == w->row[1] && w->row[1] == w->row[2] && w->row[2] == w->row[3];
            if (w->mistake == PATCH_LAST_ROW && common && !index_row)
                memcpy(w->out->origin, w->row, sizeof w->row);
            at += w->mistake == PATCH_ROW_IGNORED ? 0 : 16;
        } else if (command == 0x20)
            at += 4;
        else if (command > 5)
            return false; // nothing else occurs in a patch's lists
    }
    return at == end;
}

void patch_read(const struct fixture_file *f, size_t block, size_t number, enum patch_mistake mistake,
                struct patch_read *out)
{
    size_t table = block + rd32(f, block), h = table + 0x40 * number;
    size_t data = rd32(f, h + 0x10) + (mistake == PATCH_DATA_FROM_BLOCK ? block : table);
    memset(out, 0, sizeof *out);
    struct walk w = {.f = f, .data = data, .mistake = mistake, .out = out};
    size_t shared = data + rd16(f, h + 0x16), lod_1 = data + rd16(f, h + 0x18),
           lod_01 = data + rd16(f, h + 0x1a);
    size_t lod_0 = shared + 16 * rd8(f, h + 0x22), colours = data + rd16(f, h + 0x1e);
    bool ok = walk_list(&w, shared, lod_1, 0, true); // first: it holds the VU header
    out->common_positions = out->positions;
    ok &= walk_list(&w, data + rd16(f, h + 0x14), shared, 2, false);
    ok &= walk_list(&w, lod_1, lod_01, 1, false);
    if (mistake != PATCH_COMMON_ONLY) {
        ok &= walk_list(&w, lod_01, lod_0, 0, false);
        out->tier_01_positions = out->positions - out->common_positions;
        ok &= walk_list(&w, lod_0, colours, 0, false);
    }
    out->walked = ok;
    out->lights = rd8(f, h + 0x3c);
    out->colours = 4 * rd8(f, h + 0x29);
}

unsigned patch_triangles(const struct patch_read *p, unsigned lod, enum patch_mistake mistake, int (*out)[4],
                         unsigned room)
{
    unsigned n = 0, index = 0;
    int adgif = -1;
    for (unsigned i = 0; i < p->record_count[lod]; i++) {
        const int8_t *r = p->records[lod][i];
        bool kick = i > 0 && r[0] < 0 && r[1] < 0;
        int count = r[0];
        if (i == 0 || count < 0) {
            count += 128;
            if (!kick || (r[2] >= 0 && mistake != PATCH_KICK_KEEPS))
                adgif = r[2] / 5;
        } else if (count == 0)
            break;
        for (int k = 0; k + 2 < count && n < room && index + (unsigned)k + 2 < 512; k++, n++) {
            const uint8_t *v = p->indices[lod] + index + k;
            out[n][0] = v[k & 1];
            out[n][1] = v[!(k & 1)];
            out[n][2] = v[2];
            out[n][3] = adgif;
        }
        index += (unsigned)count;
    }
    return n;
}
