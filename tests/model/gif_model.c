// A second GIF decoder: reads the stream as an array of bits.
#include "tests/model/gif_model.h"

#include <stdbool.h>

struct model {
    const uint64_t *data;
    size_t at, end; // quadwords
    struct gif_model_write *out;
    size_t written, room;
    enum gif_model_mistake mistake;
    uint32_t q;
};

// Bits first..last of quadword `at`, as the manual numbers them.
static uint64_t get(const struct model *m, size_t at, unsigned first, unsigned last)
{
    uint64_t value = 0;
    for (unsigned bit = last + 1; bit-- > first;)
        value = value << 1 | (m->data[2 * at + bit / 64] >> bit % 64 & 1);
    return value;
}

static void emit(struct model *m, uint32_t number, uint64_t value)
{
    if (m->written < m->room)
        m->out[m->written] = (struct gif_model_write){number, value};
    m->written++;
}

static void packed(struct model *m, unsigned descriptor)
{
    size_t at = m->at++;
    bool adc = get(m, at, 111, 111) && m->mistake != GIF_MODEL_ADC_IGNORED;
    uint64_t x = get(m, at, 0, 15), y = get(m, at, 32, 47);
    if (descriptor == 0)
        emit(m, 0, get(m, at, 0, 10));
    else if (descriptor == 1)
        emit(m, 1,
             get(m, at, 0, 7) + (get(m, at, 32, 39) << 8) + (get(m, at, 64, 71) << 16) +
                 (get(m, at, 96, 103) << 24) + ((uint64_t)m->q << 32));
    else if (descriptor == 2) {
        emit(m, 2, get(m, at, 0, 31) + (get(m, at, 32, 63) << 32));
        m->q = (uint32_t)get(m, at, 64, 95);
    } else if (descriptor == 3)
        emit(m, 3, get(m, at, 0, 13) + (get(m, at, 32, 45) << 16));
    else if (descriptor == 4)
        emit(m, adc ? 12 : 4, x + (y << 16) + (get(m, at, 68, 91) << 32) + (get(m, at, 100, 107) << 56));
    else if (descriptor == 5)
        emit(m, adc ? 13 : 5, x + (y << 16) + (get(m, at, 64, 95) << 32));
    else if (descriptor == 10)
        emit(m, 10, get(m, at, 100, 107) << 56);
    else if (descriptor == 14)
        emit(m, (uint32_t)get(m, at, 64, 70), get(m, at, 0, 63));
    else if (descriptor != 11 && descriptor != 15)
        emit(m, descriptor, get(m, at, 0, 63));
}

static unsigned descriptor_of(const struct model *m, size_t tag, unsigned n)
{
    return (unsigned)get(m, tag, 64 + 4 * n, 67 + 4 * n);
}

static void packed_primitive(struct model *m, size_t tag, unsigned nloop, unsigned nreg)
{
    for (unsigned loop = 0; loop < nloop; loop++)
        for (unsigned n = 0; n < nreg && m->at < m->end; n++)
            packed(m, descriptor_of(m, tag, n));
}

static void reglist_primitive(struct model *m, size_t tag, unsigned nloop, unsigned nreg)
{
    size_t half = 2 * m->at;
    for (unsigned loop = 0; loop < nloop; loop++) {
        for (unsigned n = 0; n < nreg && half < 2 * m->end; n++, half++) {
            unsigned descriptor = descriptor_of(m, tag, n);
            if (descriptor != 11 && descriptor < 14)
                emit(m, descriptor, m->data[half]);
        }
        if (m->mistake == GIF_MODEL_REGLIST_ALIGNED)
            half += half & 1;
    }
    m->at = (half + 1) / 2;
}

static void image(struct model *m, unsigned nloop)
{
    for (unsigned n = 0; n < nloop && m->at < m->end; n++, m->at++) {
        emit(m, 0x54, get(m, m->at, 0, 63));
        emit(m, 0x54, get(m, m->at, 64, 127));
    }
}

static void primitive(struct model *m)
{
    size_t tag = m->at++;
    unsigned nloop = (unsigned)get(m, tag, 0, 14), flg = (unsigned)get(m, tag, 58, 59);
    unsigned nreg = (unsigned)get(m, tag, 60, 63);
    if (!nreg && m->mistake != GIF_MODEL_NREG_0_IS_0)
        nreg = 16;
    if (m->mistake != GIF_MODEL_Q_SURVIVES_TAGS)
        m->q = 0x3f800000;
    if (get(m, tag, 46, 46) && ((nloop && flg == 0) || m->mistake == GIF_MODEL_PRE_ALWAYS))
        emit(m, 0, get(m, tag, 47, 57));
    if (flg == 0)
        packed_primitive(m, tag, nloop, nreg);
    else if (flg == 1)
        reglist_primitive(m, tag, nloop, nreg);
    else if (flg == 2 || m->mistake != GIF_MODEL_FLG_3_IS_NOTHING)
        image(m, nloop);
}

size_t gif_model(const uint64_t *quadwords, size_t count, enum gif_model_mistake mistake,
                 struct gif_model_write *out, size_t room)
{
    struct model m = {
        .data = quadwords, .end = count, .out = out, .room = room, .mistake = mistake, .q = 0x3f800000};
    while (m.at < m.end)
        primitive(&m);
    return m.written;
}
