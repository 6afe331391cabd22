// Encoder of the WAD stream (LZ77): hash chains, one step of lazy matching.
//
// A match is written only when what follows it is known, because runs of one to three literals ride in its
// last bits.
#include "harness/formats/wad.h"

#include <stdlib.h>
#include <string.h>

#define WRITE_BLOCK     0x2000 // no packet straddles a multiple of this, counted from the first packet
#define PAD             0xEE
#define LONGEST_MATCH   288
#define LONGEST_LITERAL 273
#define SHORT_REACH     2048
#define MEDIUM_REACH    16384
// 16384 back from a far match is the special code, but a medium match reaches it.
#define FAR_REACH   32704
#define FAR_LONGEST 264
#define HASH_BITS   16
#define CHAIN       24 // candidates looked at per position

struct match {
    uint32_t length, distance; // length 0: none
};

struct encoder {
    const uint8_t *data;
    size_t size;
    int32_t *head;     // hash -> newest position, -1 none
    int32_t *previous; // position modulo WINDOW -> older position with the same hash
    uint8_t *out;      // packets only
    size_t used, capacity;
    bool after_literal;
    bool no_memory;
};

#define WINDOW 0x8000

static uint32_t hash(const uint8_t *p)
{
    return ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) * 2654435761u >> (32 - HASH_BITS);
}

static bool reserve(struct encoder *e, size_t n)
{
    if (e->capacity - e->used >= n)
        return true;
    size_t capacity = e->capacity * 2 + n + WRITE_BLOCK;
    uint8_t *out = realloc(e->out, capacity);
    if (!out) {
        e->no_memory = true;
        return false;
    }
    e->out = out;
    e->capacity = capacity;
    return true;
}

// Room for a packet of n bytes that stays inside its block; before that, when needed, the marker and padding.
static uint8_t *place(struct encoder *e, size_t n)
{
    if (!reserve(e, n + WRITE_BLOCK))
        return NULL;
    size_t at = e->used % WRITE_BLOCK;
    if (at + n > WRITE_BLOCK - 3) {
        uint8_t *p = e->out + e->used;
        memset(p, PAD, WRITE_BLOCK - at);
        p[0] = 0x12;
        p[1] = p[2] = 0;
        e->used += WRITE_BLOCK - at;
        e->after_literal = false;
    }
    uint8_t *p = e->out + e->used;
    e->used += n;
    return p;
}

// A match and the `little` (0..3) literals behind it. Length 0 is the spacer, which copies nothing.
static void put_match(struct encoder *e, struct match m, const uint8_t *literals, uint32_t little)
{
    uint8_t h[4];
    size_t n = 0;
    if (!m.length) {
        h[n++] = 0x11;
        h[n++] = (uint8_t)little;
        h[n++] = 0;
    } else if (m.length <= 8 && m.distance <= SHORT_REACH) {
        uint32_t back = m.distance - 1;
        h[n++] = (uint8_t)((m.length - 1) << 5 | (back & 7) << 2 | little);
        h[n++] = (uint8_t)(back >> 3);
    } else {
        bool far = m.distance > MEDIUM_REACH;
        uint32_t back = far ? m.distance - 0x4000 : m.distance - 1;
        uint32_t most = far ? 7 : 0x1F, length = m.length - 2;
        h[n++] = (uint8_t)((far ? 0x10 : 0x20) | (length <= most ? length : 0));
        if (length > most)
            h[n++] = (uint8_t)(length - most);
        h[n++] = (uint8_t)((back & 0x3F) << 2 | little);
        h[n++] = (uint8_t)(back >> 6);
    }
    uint8_t *p = place(e, n + little);
    if (!p)
        return;
    memcpy(p, h, n);
    memcpy(p + n, literals, little);
    e->after_literal = false;
}

static void put_literal(struct encoder *e, const uint8_t *literals, size_t n)
{
    uint8_t *p = place(e, n + (n < 19 ? 1 : 2));
    if (!p)
        return;
    if (n < 19) {
        *p++ = (uint8_t)(n - 3);
    } else {
        *p++ = 0;
        *p++ = (uint8_t)(n - 18);
    }
    memcpy(p, literals, n);
    e->after_literal = true;
}

// Writes the pending match (length 0 at the start of the data) and the run of literals that follows it.
static void flush(struct encoder *e, struct match pending, const uint8_t *run, size_t n)
{
    uint32_t little = n <= 3 ? (uint32_t)n : 0;
    if (pending.length || little)
        put_match(e, pending, run, little);
    run += little;
    n -= little;
    while (n && !e->no_memory) {
        if (e->after_literal || n <= 3) {
            little = n <= 3 ? (uint32_t)n : 0;
            put_match(e, (struct match){0, 0}, run, little);
            run += little;
            n -= little;
            continue;
        }
        size_t part = n < LONGEST_LITERAL ? n : LONGEST_LITERAL;
        put_literal(e, run, part);
        run += part;
        n -= part;
    }
}

static void insert(struct encoder *e, size_t at)
{
    if (at + 3 > e->size)
        return;
    uint32_t h = hash(e->data + at);
    e->previous[at % WINDOW] = e->head[h];
    e->head[h] = (int32_t)at;
}

static uint32_t common(const uint8_t *a, const uint8_t *b, uint32_t most)
{
    uint32_t n = 0;
    while (n + 8 <= most) {
        uint64_t x, y;
        memcpy(&x, a + n, 8);
        memcpy(&y, b + n, 8);
        if (x != y)
            break;
        n += 8;
    }
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

// Bytes that a match saves over literals.
static int32_t gain(struct match m)
{
    if (!m.length)
        return 0;
    if (m.length <= 8 && m.distance <= SHORT_REACH)
        return (int32_t)m.length - 2;
    uint32_t plain = m.distance > MEDIUM_REACH ? 9 : 33;
    return (int32_t)m.length - (m.length > plain ? 4 : 3);
}

static struct match find(const struct encoder *e, size_t at)
{
    struct match best = {0, 0};
    size_t left = e->size - at;
    if (left < 3)
        return best;
    uint32_t most = left < LONGEST_MATCH ? (uint32_t)left : LONGEST_MATCH;
    int32_t candidate = e->head[hash(e->data + at)];
    for (int tries = 0; candidate >= 0 && tries < CHAIN; tries++) {
        size_t distance = at - (size_t)candidate;
        if (distance > FAR_REACH)
            break;
        uint32_t n = common(e->data + candidate, e->data + at, most);
        struct match m = {distance > MEDIUM_REACH && n > FAR_LONGEST ? FAR_LONGEST : n, (uint32_t)distance};
        if (n >= 3 && gain(m) > gain(best))
            best = m;
        if (n == most)
            break;
        int32_t older = e->previous[(size_t)candidate % WINDOW];
        candidate = older < candidate ? older : -1;
    }
    return best;
}

static void encode(struct encoder *e)
{
    struct match pending = {0, 0};
    size_t at = 0, run = 0; // literals run .. at wait for their match
    while (at < e->size && !e->no_memory) {
        struct match m = find(e, at);
        insert(e, at);
        if (m.length && m.length < 64 && at + 1 < e->size && gain(find(e, at + 1)) > gain(m) + 1)
            m.length = 0;
        if (!m.length) {
            at++;
            continue;
        }
        flush(e, pending, e->data + run, at - run);
        pending = m;
        for (size_t i = at + 1; i < at + m.length; i++)
            insert(e, i);
        at += m.length;
        run = at;
    }
    flush(e, pending, e->data + run, at - run);
}

enum ps2_status fmt_wad_encode(const uint8_t *data, size_t size, const char *tag, struct fmt_buffer *out,
                               struct ps2_error *error)
{
    struct encoder e = {.data = data, .size = size};
    *out = (struct fmt_buffer){NULL, 0};
    if (size > INT32_MAX)
        return ps2_fail(error, PS2_BAD_INPUT, tag, 0, "WAD stream: %zu bytes are too many", size);
    e.head = malloc(sizeof *e.head << HASH_BITS);
    e.previous = malloc(sizeof *e.previous * WINDOW);
    if (e.head && e.previous) {
        memset(e.head, -1, sizeof *e.head << HASH_BITS);
        memset(e.previous, -1, sizeof *e.previous * WINDOW);
        encode(&e);
    }
    bool ok = e.head && e.previous && !e.no_memory;
    free(e.head);
    free(e.previous);
    uint8_t *stream = ok ? malloc(FMT_WAD_HEADER_SIZE + e.used) : NULL;
    if (stream) {
        memcpy(stream, "WAD", 3);
        fmt_put_u32(stream + 3, (uint32_t)(FMT_WAD_HEADER_SIZE + e.used));
        memset(stream + 7, 0, 9);
        memcpy(stream + 7, tag, strnlen(tag, 9));
        if (e.used)
            memcpy(stream + FMT_WAD_HEADER_SIZE, e.out, e.used);
        *out = (struct fmt_buffer){stream, FMT_WAD_HEADER_SIZE + e.used};
    }
    free(e.out);
    return stream ? PS2_OK : ps2_fail(error, PS2_BAD_INPUT, tag, 0, "WAD stream: no memory to encode");
}
