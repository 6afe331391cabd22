// Random VU code, registers and memory, from a seed.
#include "tests/support/vu_random.h"

uint32_t vu_random_draw(struct vu_random *random)
{
    random->seed ^= random->seed << 13;
    random->seed ^= random->seed >> 7;
    random->seed ^= random->seed << 17;
    return (uint32_t)(random->seed >> 16);
}

uint32_t vu_random_word(struct vu_random *random, const struct row *rows, size_t count)
{
    const struct row *row = &rows[vu_random_draw(random) % count];
    return (vu_random_draw(random) & ~(row->mask | UPPER_BITS)) | (row->match & row->mask);
}

void vu_random_state(struct vu_random *random, struct vu_state *state)
{
    static const uint32_t edges[] = {0,          0x80000000, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000,
                                     0x40490fdb, 0x7f7fffff, 0x7fffffff, 0xffffffff, 0x00ffffff, 0x80800001};
    for (unsigned k = 1; k < 32; k++)
        for (unsigned lane = 0; lane < 4; lane++) {
            uint32_t n = vu_random_draw(random), exponent = 0x3c000000 + (n >> 4 & 0x07800000);
            state->vf[k][lane] = n % 4 == 0   ? edges[n / 4 % 12]
                                 : n % 4 == 1 ? n
                                              : (n & 0x807fffff) | exponent;
        }
    for (unsigned k = 1; k < 16; k++)
        state->vi[k] =
            (uint16_t)(vu_random_draw(random) % 4 ? vu_random_draw(random) % 64 : vu_random_draw(random));
    memcpy(state->acc, state->vf[31], sizeof state->acc);
    state->i = state->vf[30][0];
    state->q = state->vf[30][1];
    state->p = state->vf[30][2];
    state->r = vu_random_draw(random) & 0x7fffff;
    state->clip = vu_random_draw(random) & 0xffffff;
    state->status = vu_random_draw(random) & 0xff0;
}

// Moves the register fields of a word to the first eight registers, two of three times.
static uint32_t few_registers(struct vu_random *random, const struct row *row, uint32_t word)
{
    for (unsigned shift = 6; shift < 21; shift += 5)
        if (!(row->mask >> shift & 31) && vu_random_draw(random) % 3)
            word &= ~(0x18u << shift);
    return word;
}

// Near targets; JR and JALR take VI07, which points into the program as long as nothing writes it.
static uint32_t near(struct vu_random *random, const struct row *row, uint32_t word, unsigned index,
                     unsigned pairs)
{
    if (!(row->flags & BRANCH))
        return word;
    if (row->flags & R_IS && !strchr(row->operands, 'p'))
        return (word & ~(31u << 11)) | 7u << 11;
    uint32_t target =
        vu_random_draw(random) % 3 ? index + 2 + vu_random_draw(random) % 6 : vu_random_draw(random);
    return (word & ~0x7ffu) | ((target % pairs - index - 1) & 0x7ff);
}

void vu_random_program(struct vu_random *random, struct vu *vu, unsigned pairs)
{
    static const uint32_t end[4] = {LOWER_NOP, UPPER_NOP | UPPER_E, LOWER_NOP, UPPER_NOP};
    for (unsigned k = 0; k < pairs; k++) {
        const struct row *up = &vu_upper_rows[vu_random_draw(random) % vu_upper_count];
        const struct row *low = &vu_lower_rows[vu_random_draw(random) % vu_lower_count];
        uint32_t fixed_up = up->mask | up->ignored | UPPER_BITS, fixed_low = low->mask | low->ignored;
        uint32_t words[2] = {(vu_random_draw(random) & ~fixed_low) | (low->match & fixed_low),
                             (vu_random_draw(random) & ~fixed_up) | (up->match & fixed_up)};
        words[0] = near(random, low, few_registers(random, low, words[0]), k, pairs);
        words[1] = few_registers(random, up, words[1]);
        if (vu_random_draw(random) % 4 == 0)
            words[0] = LOWER_NOP;
        if (vu_random_draw(random) % 6 == 0)
            words[1] = UPPER_NOP;
        if (vu_random_draw(random) % 32 == 0)
            words[1] |= UPPER_I;
        if (vu_random_draw(random) % 128 == 0)
            words[1] |= UPPER_E;
        vu_write_micro(vu, 8 * (size_t)k, words, 8);
    }
    vu_write_micro(vu, 8 * (size_t)pairs, end, sizeof end);
}
