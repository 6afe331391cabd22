// Reads the fields of a layout and compares bytes by them.
#include "harness/diff/layout.h"

#include <stdlib.h>
#include <string.h>

#define EXACT_BARS 16 // differences up to this have a bar of their own
#define BLOCK      256u
#define MOST_SKIP  (1u << 20)

static const struct {
    const char *name;
    unsigned size;
} types[DIFF_TYPES] = {{"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8},
                       {"s8", 1}, {"s16", 2}, {"s32", 4}, {"f32", 4}};

unsigned layout_type_size(enum diff_type type)
{
    return types[type].size;
}

const char *layout_type_name(enum diff_type type)
{
    return types[type].name;
}

static bool refuse(char *why, size_t why_size, const char *text, const char *message)
{
    snprintf(why, why_size, "'%s' %s", text, message);
    return false;
}

static bool number(const char *text, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end;
}

static bool option(struct diff_field *field, const char *word, char *why, size_t why_size)
{
    uint64_t value;
    if (!strncmp(word, "mask=", 5)) {
        unsigned bits = 8 * types[field->type].size;
        if (!number(word + 5, &value) || (bits < 64 && value >> bits) || !value)
            return refuse(why, why_size, word, "is no mask of this type");
        field->mask = value;
    } else if (!strncmp(word, "ulps=", 5)) {
        if (field->type != DIFF_F32 || !number(word + 5, &value) || value > UINT32_MAX)
            return refuse(why, why_size, word, "is no tolerance of this type");
        field->ulps = (uint32_t)value;
    } else if (!field->name[0] && strlen(word) < sizeof field->name && !strchr(word, '=')) {
        strcpy(field->name, word);
    } else {
        return refuse(why, why_size, word, "is neither a name nor mask=N nor ulps=N");
    }
    return true;
}

static bool parse(struct diff_field *field, char *text, char *why, size_t why_size)
{
    char *rest, *word = strtok_r(text, " ", &rest);
    uint64_t value;
    if (word && !strcmp(word, "skip")) {
        word = strtok_r(NULL, " ", &rest);
        if (!word || !number(word, &value) || !value || value > MOST_SKIP || strtok_r(NULL, " ", &rest))
            return refuse(why, why_size, word ? word : "skip", "is no number of bytes to skip");
        field->skip = (uint32_t)value;
        return true;
    }
    while (field->type < DIFF_TYPES && (!word || strcmp(word, types[field->type].name)))
        field->type++;
    if (field->type == DIFF_TYPES)
        return refuse(why, why_size, word ? word : "", "is no type: u8 u16 u32 u64 s8 s16 s32 f32");
    field->mask = UINT64_MAX >> (64 - 8 * types[field->type].size);
    while ((word = strtok_r(NULL, " ", &rest)))
        if (!option(field, word, why, why_size))
            return false;
    return true;
}

bool layout_add(struct diff_layout *layout, const char *text, char *why, size_t why_size)
{
    struct diff_field *more = realloc(layout->fields, (layout->field_count + 1) * sizeof *more);
    char *copy = strdup(text);
    if (more)
        layout->fields = more;
    if (!more || !copy) {
        free(copy);
        return refuse(why, why_size, text, "does not fit in memory");
    }
    struct diff_field *field = &more[layout->field_count];
    *field = (struct diff_field){.offset = layout->size};
    bool done = parse(field, copy, why, why_size);
    free(copy);
    if (!done)
        return false;
    layout->field_count++;
    layout->size += field->skip ? field->skip : types[field->type].size;
    return true;
}

void layout_free(struct diff_layout *layout)
{
    free(layout->fields);
    *layout = (struct diff_layout){NULL, 0, 0};
}

// ---- comparing

static int64_t order(uint32_t bits)
{
    return bits >> 31 ? -(int64_t)(bits & 0x7FFFFFFF) : (int64_t)bits;
}

int64_t layout_ulps(uint32_t a, uint32_t b)
{
    return order(a) - order(b);
}

static uint64_t load(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

// The difference for the histogram: saturated where it leaves 64 bits.
static int64_t difference(enum diff_type type, uint64_t guest, uint64_t host)
{
    unsigned shift = 64 - 8 * types[type].size;
    if (type == DIFF_F32)
        return layout_ulps((uint32_t)guest, (uint32_t)host);
    if (type >= DIFF_S8)
        return ((int64_t)(guest << shift) >> shift) - ((int64_t)(host << shift) >> shift);
    uint64_t distance = guest > host ? guest - host : host - guest;
    int64_t most = distance > INT64_MAX ? INT64_MAX : (int64_t)distance;
    return guest > host ? most : -most;
}

// 17..32 is the first bar past the exact ones: bits counts the bits of |n| - 1.
static size_t bar_of(int64_t n)
{
    uint64_t magnitude = n < 0 ? (uint64_t)-n : (uint64_t)n;
    size_t place =
        magnitude <= EXACT_BARS ? magnitude : EXACT_BARS + 60 - (size_t)__builtin_clzll(magnitude - 1);
    return n < 0 ? DIFF_BARS / 2 - place : DIFF_BARS / 2 + place;
}

const char *diff_bar_text(size_t bar, char *out, size_t out_size)
{
    int place = (int)bar - DIFF_BARS / 2, magnitude = place < 0 ? -place : place;
    const char *sign = place < 0 ? "-" : "";
    if (magnitude <= EXACT_BARS)
        snprintf(out, out_size, "%d", place);
    else
        snprintf(out, out_size, "%s%llu..%s%llu", sign, (1ull << (magnitude - EXACT_BARS + 3)) + 1, sign,
                 1ull << (magnitude - EXACT_BARS + 4));
    return out;
}

static bool same(const struct diff_field *field, uint64_t guest, uint64_t host)
{
    if (!((guest ^ host) & field->mask))
        return true;
    int64_t apart = field->ulps ? layout_ulps((uint32_t)guest, (uint32_t)host) : INT64_MAX;
    return field->ulps && (apart < 0 ? -apart : apart) <= field->ulps;
}

static bool is_known(const uint8_t *known, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        if (!known[i])
            return false;
    return true;
}

// A block of bytes without a layout that are all compared, and equal: large memories consist of them.
static bool plain_block(const uint8_t *guest, const uint8_t *host, const uint8_t *known)
{
    return known[0] == 0xFF && !memcmp(known, known + 1, BLOCK - 1) && !memcmp(guest, host, BLOCK);
}

bool layout_compare(const struct diff_layout *layout, uint32_t address, const uint8_t *guest,
                    const uint8_t *host, const uint8_t *known, size_t size, struct diff_tally *tally,
                    bool have_first, struct diff_first *first)
{
    static const struct diff_field byte = {"", DIFF_U8, 0, 0, 0xFF, 0};
    const struct diff_field *fields = layout->size ? layout->fields : &byte;
    size_t count = layout->size ? layout->field_count : 1, stride = layout->size ? layout->size : 1;
    bool found = false;
    for (size_t at = 0; at < size; at += stride) {
        if (!layout->size && at + BLOCK <= size && plain_block(guest + at, host + at, known + at)) {
            tally->fields += BLOCK;
            at += BLOCK - 1;
            continue;
        }
        for (size_t f = 0; f < count; f++) {
            size_t place = at + fields[f].offset;
            unsigned width = types[fields[f].type].size;
            if (fields[f].skip || place + width > size || !is_known(known + place, width)) {
                tally->masked += fields[f].skip ? fields[f].skip : place + width > size ? 0 : width;
                continue;
            }
            uint64_t g = load(guest + place, width), h = load(host + place, width);
            tally->fields++;
            if (same(&fields[f], g, h))
                continue;
            tally->different++;
            tally->histogram
                .bars[bar_of(difference(fields[f].type, g & fields[f].mask, h & fields[f].mask))]++;
            if (have_first || found)
                continue;
            found = true;
            snprintf(first->field, sizeof first->field, "%s", fields[f].name);
            first->row = (uint32_t)(at / stride);
            first->address = address + (uint32_t)place;
            first->type = fields[f].type;
            first->guest = g;
            first->host = h;
        }
    }
    return found;
}
