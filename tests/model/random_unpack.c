// Random UNPACK set-ups.
#include "tests/model/random_unpack.h"

#include <stdlib.h>
#include <string.h>

#include "tests/model/random_private.h"

enum { UNPACK = 0x60, MASKED = 0x10, FORMAT_V4_5 = 15, FORMAT_V3_8 = 10 };

static bool exists(unsigned format)
{
    return (format & 3) != 3 || format == FORMAT_V4_5;
}
static bool is_v3(unsigned format)
{
    return format >> 2 == 2 && format <= FORMAT_V3_8;
}

static unsigned draw_format(struct generator *g, unsigned features)
{
    unsigned format = draw(g, 16);
    while (!exists(format) && !(features & RANDOM_UNPACK_RESERVED))
        format = draw(g, 16);
    return format;
}

// Equal, skipping, filling, and the ends of the range.
static void draw_cycle(struct generator *g, struct random_unpack *u)
{
    u->cl = (uint8_t)draw(g, 9);
    u->wl = (uint8_t)draw(g, 9);
    switch (draw(g, 8)) {
    case 0:
        u->cl = (uint8_t)(255 - draw(g, 5));
        break;
    case 1:
        u->wl = (uint8_t)(255 - draw(g, 5));
        break;
    case 2:
        u->cl = (uint8_t)draw(g, 256);
        u->wl = (uint8_t)draw(g, 256);
        break;
    case 3:
    case 4:
        u->cl = u->wl = (uint8_t)(1 + draw(g, 4));
        break;
    }
}

static unsigned draw_num(struct generator *g)
{
    switch (draw(g, 4)) {
    case 0:
        return draw(g, 256);
    case 1:
        return one_in(g, 2) ? 0 : 255;
    default:
        return 1 + draw(g, 20);
    }
}

// An address anywhere, or so near the top that the writes wrap.
static unsigned draw_address(struct generator *g, unsigned unit)
{
    unsigned top = unit == 0 ? 256 : 1024, anywhere = draw(g, 1024);
    return one_in(g, 2) ? anywhere : (top - 1 - draw(g, 12)) & 0x3ff;
}

static unsigned write_length(const struct random_unpack *u)
{
    return u->wl == 0 ? 256 : u->wl;
}

// Turns data lanes of MASK into ROW, COL or protected ones where a feature is off: those of fill writes,
// whose places are CL and above, and the w of V3.
static void settle_mask(struct generator *g, struct random_unpack *u, unsigned features, bool v3)
{
    bool settles_fills = u->cl < write_length(u) && !(features & RANDOM_UNPACK_FILL_DATA);
    unsigned first_fill = !settles_fills ? 4 : u->cl < 3 ? u->cl : 3;
    for (unsigned row = 0; row < 4; row++)
        for (unsigned lane = 0; lane < 4; lane++) {
            unsigned at = 8 * row + 2 * lane, other = 1 + draw(g, 3);
            bool is_open = row >= first_fill || (v3 && lane == 3 && !(features & RANDOM_UNPACK_V3_W));
            if (is_open && (u->mask >> at & 3) == 0)
                u->mask |= other << at;
        }
}

static void draw_data(struct generator *g, struct random_unpack *u)
{
    for (size_t i = 0; i < RANDOM_UNPACK_WORDS; i++) {
        uint32_t edge = (uint32_t)edge64(g), any = (uint32_t)draw64(g);
        u->data[i] = one_in(g, 3) ? edge : any;
    }
    for (size_t i = 0; i < RANDOM_UNPACK_BYTES; i += 8) {
        uint64_t bytes = draw64(g);
        for (unsigned k = 0; k < 8; k++)
            u->memory[i + k] = (uint8_t)(bytes >> 8 * k);
    }
    for (unsigned i = 0; i < 4; i++) {
        u->row[i] = (uint32_t)edge64(g);
        u->col[i] = (uint32_t)draw64(g);
    }
}

static int by_size(const void *a, const void *b)
{
    unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
    return (left > right) - (left < right);
}

static void draw_cuts(struct generator *g, struct random_unpack *u)
{
    u->cuts = draw(g, RANDOM_UNPACK_CUTS + 1);
    for (unsigned i = 0; i < u->cuts; i++)
        u->cut[i] = draw(g, (uint32_t)u->words + 1);
    qsort(u->cut, u->cuts, sizeof u->cut[0], by_size);
}

void random_unpack_make(struct random_unpack *u, const struct random_unpack_options *options)
{
    struct generator g = {.random = options->seed};
    unsigned features = options->features;
    *u = (struct random_unpack){.unit = options->unit};
    unsigned format = draw_format(&g, features);
    draw_cycle(&g, u);
    draw_data(&g, u);
    u->mode = draw(&g, 4);
    if (format == FORMAT_V4_5 && !(features & RANDOM_UNPACK_V4_5_MODE))
        u->mode = 0;
    uint32_t some = (uint32_t)draw64(&g), others = (uint32_t)draw64(&g);
    u->mask = one_in(&g, 2) ? some : some & others;
    bool v3 = is_v3(format), fills = u->cl < write_length(u);
    settle_mask(&g, u, features, v3);
    bool must_mask =
        (v3 && !(features & RANDOM_UNPACK_V3_W)) || (fills && !(features & RANDOM_UNPACK_FILL_DATA));
    bool masks = one_in(&g, 2) || must_mask;
    unsigned num = draw_num(&g), flags = draw(&g, 4), address = draw_address(&g, u->unit);
    u->code = (UNPACK | (masks ? MASKED : 0) | format) << 24 | num << 16 | flags << 14 | address;
    u->tops = (uint16_t)draw(&g, 1024);
    u->first_word = draw(&g, 4);
    struct unpack_model m;
    unpack_model_init(&m, u->unit, u->memory, (u->unit == 0 ? 4096 : RANDOM_UNPACK_BYTES) / 16);
    m.cl = u->cl;
    m.wl = u->wl;
    u->words = unpack_model_words(&m, u->code);
    draw_cuts(&g, u);
}

void random_unpack_load(const struct random_unpack *u, struct unpack_model *m)
{
    m->cl = u->cl;
    m->wl = u->wl;
    m->mask = u->mask;
    m->mode = u->mode;
    m->tops = u->tops;
    m->first_word = u->first_word;
    memcpy(m->row, u->row, sizeof m->row);
    memcpy(m->col, u->col, sizeof m->col);
    memcpy(m->memory, u->memory, 16 * m->quadwords);
}
