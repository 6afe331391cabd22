// Random microprograms on both units, random coprocessor 2 traffic and random text for the assembler: nothing
// may be touched outside the units' memories, and every run stops with a status.
//   fuzz_vu [RUNS [SEED]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vu/core.h"

static uint64_t seed = 0x123456789abcdef;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

static uint32_t draw_word(const struct row *rows, size_t count)
{
    if (draw() % 256 == 0)
        return draw();
    const struct row *row = &rows[draw() % count];
    return (draw() & ~(row->mask | UPPER_BITS)) | (row->match & row->mask);
}

// A stretch of new pairs; now and then one byte in the middle of a pair.
static void new_code(struct vu *vu, uint32_t *start)
{
    uint32_t words[64], index;
    size_t size;
    vu_micro(vu, &size);
    index = draw() % (uint32_t)(size / 8 - 32);
    for (unsigned k = 0; k < 64; k += 2) {
        words[k] = draw_word(vu_lower_rows, vu_lower_count) | (draw() % 2 ? 0x80000000 & draw() : 0);
        words[k + 1] = draw_word(vu_upper_rows, vu_upper_count);
        if (draw() % 16 == 0)
            words[k + 1] |= draw() & UPPER_BITS;
    }
    if (!vu_write_micro(vu, 8 * index, words, sizeof words))
        abort();
    if (draw() % 8 == 0)
        vu_write_micro(vu, draw() % size, words, 1 + draw() % 3);
    *start = index;
}

static bool kick(void *context, const uint64_t quadword[2])
{
    *(uint64_t *)context ^= quadword[0] + quadword[1];
    return draw() % 8 == 0;
}

static void random_state(struct vu *vu)
{
    static const uint32_t edges[] = {0,          0x80000000, 0x007fffff, 0x00800000,
                                     0x3f800000, 0x7fffffff, 0xffffffff};
    struct vu_state state;
    vu_get_state(vu, &state);
    for (unsigned k = 0; k < 8; k++)
        state.vf[draw() % 32][draw() % 4] = draw() % 2 ? edges[draw() % 7] : draw();
    for (unsigned k = 1; k < 16; k++)
        state.vi[k] = (uint16_t)draw();
    vu_set_state(vu, &state);
}

static void stop_or_abort(struct vu *vu, uint64_t cycles)
{
    struct vu_stop stop;
    vu_run(vu, cycles, draw() % 2, &stop);
    size_t size;
    vu_micro(vu, &size);
    if (stop.kind > VU_KICK_RUNS || stop.pc >= size / 8 || (stop.message[0] == 0) != (stop.kind < VU_OUTSIDE))
        abort();
}

static void traffic(struct vu_cop2 *cop2)
{
    uint64_t quadword[2] = {(uint64_t)draw() << 32 | draw(), draw()};
    uint32_t word;
    switch (draw() % 6) {
    case 0:
        vu_cop2_execute(cop2, 0x4a000000 | (draw() & 0x01ffffff));
        break;
    case 1:
        vu_cop2_read(cop2, draw(), draw() % 2, quadword);
        break;
    case 2:
        vu_cop2_write(cop2, draw(), draw() % 2, quadword);
        break;
    case 3:
        vu_cop2_read_control(cop2, draw() % 32, draw() % 2, &word);
        break;
    case 4:
        vu_cop2_write_control(cop2, draw() % 32, draw() % 2, draw());
        break;
    default:
        vu_cop2_execute(cop2, 0x4a000000 | (draw_word(vu_upper_rows, vu_upper_count) & 0x01ffffff));
        break;
    }
}

// A pair's text with characters changed: an error or a program, whose own text gives the program again.
static void text(void)
{
    char line[160], why[VU_MESSAGE_SIZE];
    struct vu_assembly program, again;
    unsigned number;
    vu_disassemble(0, draw_word(vu_upper_rows, vu_upper_count), draw_word(vu_lower_rows, vu_lower_count),
                   NULL, NULL, line, sizeof line);
    size_t length = strlen(line);
    for (unsigned k = draw() % 4; k > 0; k--)
        line[draw() % length] = (char)draw();
    if (!vu_assemble(line, length, &program, &number, why))
        return;
    for (size_t k = 0; k < program.pairs; k++) {
        vu_disassemble(0, program.words[2 * k + 1], program.words[2 * k], NULL, NULL, line, sizeof line);
        if (!vu_assemble(line, strlen(line), &again, &number, why) || again.pairs != 1 ||
            memcmp(again.words, program.words + 2 * k, 8))
            abort();
        free(again.words);
    }
    free(program.words);
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
    if (argc > 2)
        seed ^= strtoull(argv[2], NULL, 0);
    uint64_t sum = 0;
    struct vu_cop2 cop2 = {.limit = 500};
    for (unsigned long run = 0; run < runs; run++) {
        if (run % 1000 == 0) {
            vu_free(cop2.vu0);
            vu_free(cop2.vu1);
            struct vu_config config = {.instant_kick = draw() % 2, .stale_chain = draw() % 2};
            cop2.vu0 = vu_new(VU_UNIT_0, &config);
            cop2.vu1 = vu_new(VU_UNIT_1, &config);
            vu_set_window(cop2.vu0, cop2.vu1);
            vu_set_ports(cop2.vu1, &(struct vu_ports){.context = &sum, .kick = kick});
        }
        struct vu *vu = run % 4 == 0 ? cop2.vu0 : cop2.vu1;
        uint32_t start;
        new_code(vu, &start);
        random_state(vu);
        vu_set_debug_bits(vu, draw() % 2, draw() % 2);
        vu_start(vu, start);
        stop_or_abort(vu, 200);
        stop_or_abort(vu, 100);
        traffic(&cop2);
        text();
    }
    struct vu_state state;
    vu_get_state(cop2.vu1, &state);
    printf("fuzz_vu: %lu runs, check %016llx\n", runs, (unsigned long long)(sum ^ state.vf[5][0]));
    vu_free(cop2.vu0);
    vu_free(cop2.vu1);
    return 0;
}
