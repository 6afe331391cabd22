// The second VIF unpacker.
#include "tests/model/vif_unpack.h"

enum { LANES = 4, FORMAT_V4_5 = 15, WORD_BITS = 32, QUADWORD_BITS = 128 };
enum { MASK_DATA, MASK_ROW, MASK_COL, MASK_PROTECT };
enum { MODE_NORMAL, MODE_OFFSET, MODE_DIFFERENCE, MODE_STORE };

void unpack_model_init(struct unpack_model *m, unsigned unit, uint8_t *memory, size_t quadwords)
{
    *m = (struct unpack_model){.unit = unit, .cl = 1, .wl = 1, .memory = memory, .quadwords = quadwords};
    m->rules =
        (struct unpack_model_rules){true, true, true, true, true, true, true, true, true, true, true, true};
}

// The fields of an UNPACK VIFcode.
struct fields {
    unsigned elements; // of a vector, 1..4
    unsigned bits;     // of an element; of the whole vector for V4-5
    bool exists, is_v4_5, masks, zero_extends, adds_tops;
    unsigned num, address;
};

static struct fields split(const struct unpack_model *m, uint32_t code)
{
    unsigned format = code >> 24 & 15, size = format & 3, num = code >> 16 & 0xff;
    struct fields f = {
        .elements = (format >> 2) + 1,
        .bits = size == 3 ? 16 : 32u >> size,
        .exists = size != 3 || format == FORMAT_V4_5,
        .is_v4_5 = format == FORMAT_V4_5,
        .masks = code >> 28 & 1,
        .zero_extends = code >> 14 & 1,
        .adds_tops = (code >> 15 & 1) && m->unit == 1,
        .num = num == 0 && m->rules.num_0_is_256 ? 256 : num,
        .address = code & 0x3ff,
    };
    if (f.is_v4_5)
        f.elements = 1;
    return f;
}

static unsigned write_length(const struct unpack_model *m)
{
    return m->wl == 0 && m->rules.wl_0_is_256 ? 256 : m->wl;
}
static bool is_filling(const struct unpack_model *m)
{
    return m->cl < write_length(m) && m->rules.fills;
}
// Whether the quadword at a place of the write cycle takes data.
static bool takes_data(const struct unpack_model *m, unsigned place)
{
    return !is_filling(m) || place < m->cl;
}

size_t unpack_model_words(const struct unpack_model *m, uint32_t code)
{
    struct fields f = split(m, code);
    size_t vectors = 0;
    unsigned place = 0;
    for (unsigned i = 0; f.exists && i < f.num; i++) {
        vectors += takes_data(m, place);
        if (++place >= write_length(m))
            place = 0;
    }
    return (vectors * f.elements * f.bits + WORD_BITS - 1) / WORD_BITS;
}

// The source of an UNPACK as a string of bits.
struct source {
    const uint32_t *words;
    size_t count, bit;
    unsigned first_word;
};

static uint32_t bits_at(const struct source *s, size_t bit, unsigned bits)
{
    if (bit / WORD_BITS >= s->count)
        return 0;
    uint32_t word = s->words[bit / WORD_BITS] >> bit % WORD_BITS;
    return bits == WORD_BITS ? word : word & ((1u << bits) - 1);
}

static uint32_t extend(uint32_t value, unsigned bits, bool zero)
{
    bool negative = value >> (bits - 1) & 1;
    if (bits == WORD_BITS || zero || !negative)
        return value;
    return value | ~((1u << bits) - 1);
}

static uint32_t take(struct source *s, const struct fields *f)
{
    uint32_t value = bits_at(s, s->bit, f->bits);
    s->bit += f->bits;
    return extend(value, f->bits, f->zero_extends);
}

// What w becomes behind the three elements of a V3.
static uint32_t peek_w(const struct unpack_model *m, const struct source *s, const struct fields *f)
{
    bool at_boundary = (s->first_word * WORD_BITS + s->bit) % QUADWORD_BITS == 0;
    if (!m->rules.v3_reads_on || (at_boundary && m->rules.v3_boundary))
        return 0;
    return extend(bits_at(s, s->bit, f->bits), f->bits, f->zero_extends);
}

// One vector of the source as four lanes.
static void unpack_vector(const struct unpack_model *m, struct source *s, const struct fields *f,
                          uint32_t lane[LANES])
{
    if (f->is_v4_5) {
        uint32_t value = bits_at(s, s->bit, f->bits);
        s->bit += f->bits;
        for (unsigned i = 0; i < 3; i++)
            lane[i] = (value >> 5 * i & 31) << 3;
        lane[3] = value >> 15 << 7;
        return;
    }
    for (unsigned i = 0; i < f->elements; i++)
        lane[i] = take(s, f);
    switch (f->elements) {
    case 1:
        lane[1] = lane[2] = lane[3] = lane[0];
        break;
    case 2:
        lane[2] = m->rules.v2_repeats ? lane[0] : 0;
        lane[3] = m->rules.v2_repeats ? lane[1] : 0;
        break;
    case 3:
        lane[3] = peek_w(m, s, f);
        break;
    }
}

// Data through MODE.
static uint32_t decompress(struct unpack_model *m, unsigned mode, unsigned lane, uint32_t data)
{
    uint32_t sum = data + m->row[lane];
    switch (mode) {
    case MODE_OFFSET:
        return sum;
    case MODE_DIFFERENCE:
        if (m->rules.mode_2_stores)
            m->row[lane] = sum;
        return sum;
    case MODE_STORE:
        if (m->rules.mode_3_stores)
            m->row[lane] = data;
        return data;
    default:
        return data;
    }
}

static void put_lane(struct unpack_model *m, unsigned address, unsigned lane, uint32_t value)
{
    uint8_t *at = m->memory + 16 * (address & (m->quadwords - 1)) + 4 * lane;
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void write_quadword(struct unpack_model *m, const struct fields *f, unsigned address, unsigned place,
                           const uint32_t data[LANES])
{
    unsigned row = place < 3 ? place : m->rules.column_stays_at_3 ? 3 : place & 3;
    unsigned mode = f->is_v4_5 && m->rules.v4_5_ignores_mode ? MODE_NORMAL : m->mode & 3;
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned select = f->masks ? m->mask >> (8 * row + 2 * lane) & 3 : MASK_DATA;
        switch (select) {
        case MASK_DATA:
            put_lane(m, address, lane, decompress(m, mode, lane, data[lane]));
            break;
        case MASK_ROW:
            put_lane(m, address, lane, m->row[lane]);
            if (!m->rules.masked_row_stays)
                decompress(m, mode, lane, data[lane]);
            break;
        case MASK_COL:
            put_lane(m, address, lane, m->col[row]);
            break;
        case MASK_PROTECT:
            break;
        }
    }
}

size_t unpack_model_run(struct unpack_model *m, uint32_t code, const uint32_t *data, size_t words)
{
    struct fields f = split(m, code);
    size_t needed = unpack_model_words(m, code);
    if (words < needed || !f.exists)
        return needed;
    struct source source = {.words = data, .count = words, .first_word = m->first_word};
    unsigned address = f.address + (f.adds_tops ? m->tops : 0), place = 0, skipped = 0;
    if (m->cl > write_length(m))
        skipped = m->cl - write_length(m);
    uint32_t lane[LANES] = {0};
    for (unsigned i = 0; i < f.num; i++) {
        if (takes_data(m, place))
            unpack_vector(m, &source, &f, lane);
        else if (!m->rules.fill_repeats)
            lane[0] = lane[1] = lane[2] = lane[3] = 0;
        write_quadword(m, &f, address, place, lane);
        address++;
        if (++place >= write_length(m)) {
            place = 0;
            address += skipped;
        }
    }
    return needed;
}
