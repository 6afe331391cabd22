// Random VIF streams: nothing may be touched outside the VUs' memories and the words given, and how a stream
// is cut, stalled and refused must not change what it does.
//   fuzz_vif [RUNS [SEED]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vif/core.h"

enum { WORDS = 512 };

static uint64_t seed = 0x243f6a8885a308d3;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

struct side {
    struct vu *vu;
    struct vif *vif;
    bool cut; // refuse and interrupt at random
    uint64_t sum;
    unsigned starts, interrupts;
};

static void start(void *context, uint32_t pc)
{
    struct side *side = context;
    side->sum = side->sum * 31 + pc;
    side->starts++;
}

static size_t path2(void *context, const uint64_t *quadwords, size_t count, bool hl)
{
    struct side *side = context;
    size_t n = side->cut && draw() % 2 ? draw() % (count + 1) : count;
    for (size_t k = 0; k < 2 * n; k++)
        side->sum = side->sum * 31 + quadwords[k] + hl;
    return n;
}

static bool busy(void *context, bool path3)
{
    const struct side *side = context;
    return side->cut && draw() % 4 == path3;
}

static void mask(void *context, bool masked)
{
    struct side *side = context;
    side->sum = side->sum * 31 + masked;
}

static void interrupt(void *context)
{
    struct side *side = context;
    side->interrupts++;
}

static size_t download(void *context, uint64_t (*quadwords)[2], size_t count)
{
    (void)context;
    size_t n = draw() % (count + 1);
    memset(quadwords, 0x11, 16 * n);
    return n;
}

static void open_side(struct side *side, enum vif_unit unit, bool cut)
{
    *side = (struct side){.cut = cut, .vu = vu_new(unit == VIF_UNIT_1 ? VU_UNIT_1 : VU_UNIT_0, NULL)};
    side->vif = side->vu ? vif_new(unit, side->vu) : NULL;
    if (!side->vif)
        abort();
    const struct vif_ports ports = {side, start, path2, busy, mask, interrupt, download};
    vif_set_ports(side->vif, &ports);
}

static void close_side(struct side *side)
{
    vif_free(side->vif);
    vu_free(side->vu);
}

static uint32_t draw_code(void)
{
    if (draw() % 64 == 0)
        return draw();
    const struct code_row *row =
        &vif_code_rows[draw() % 2 ? vif_code_count - 1 - draw() % 13 : draw() % vif_code_count];
    uint32_t code = (uint32_t)(row->match | (draw() & 0x10 & ~row->mask)) << 24 | (draw() & 0xffff);
    if (!strncmp(row->name, "STCYCL", 6))
        code = (code & ~0xfefeu) | (draw() % 2 ? draw() & 0x0707 : 0);
    if (!strncmp(row->name, "DIRECT", 6))
        code &= ~0xfff8u;
    code |= (draw() % 16 ? draw() % 24 : draw() & 0xff) << 16;
    return draw() % 32 ? code : code | 1u << 31;
}

// Codes with their data, cut off at the end.
static size_t draw_stream(uint32_t *words, enum vif_unit unit)
{
    size_t count = 4 * (1 + draw() % (WORDS / 4)), at = 0;
    uint32_t cycle = 0x0101;
    while (at < count) {
        uint32_t code = draw_code();
        words[at++] = code;
        if ((code >> 24 & 0x7f) == 1)
            cycle = code & 0xffff;
        for (uint32_t n = vif_code_words(unit, code, cycle); n && at < count; n--)
            words[at++] = draw();
    }
    return count;
}

// Everything is taken at last, whatever the unit waits for.
static void feed(struct side *side, const uint32_t *words, size_t count)
{
    unsigned patience = 0;
    const struct vif *vif = side->vif;
    while (count || vif->held || vif_stalled(vif) || vif->phase == PHASE_WAIT || vif->gif_full) {
        size_t part = side->cut && count ? 1 + draw() % count : count;
        size_t took = vif_write(side->vif, words, part);
        words += took;
        count -= took;
        if (vif_stalled(side->vif))
            vif_write_register(side->vif, VIF_FBRST, VIF_FBRST_STC);
        else
            vif_run(side->vif);
        if (++patience > 100000)
            abort();
    }
}

static void require(bool equal, const char *what, unsigned long run)
{
    if (!equal) {
        printf("fuzz_vif: run %lu: %s differs in the cut stream\n", run, what);
        fflush(stdout);
        abort();
    }
}

static void compare(const struct side *a, const struct side *b, unsigned long run)
{
    size_t size, micro;
    const uint8_t *memory = vu_data(a->vu, &size), *program = vu_micro(a->vu, &micro);
    require(!memcmp(memory, vu_data(b->vu, &size), size), "memory", run);
    require(!memcmp(program, vu_micro(b->vu, &micro), micro), "micro memory", run);
    require(a->sum == b->sum && a->starts == b->starts, "what left the unit", run);
    require(a->interrupts == b->interrupts, "the number of interrupts", run);
    for (uint32_t n = VIF_ERR; n < VIF_REGISTERS_SIZE; n += 16)
        require(vif_read_register(a->vif, n) == vif_read_register(b->vif, n), "a register", run);
}

// What guest code could do to the unit in the middle of a stream.
static void chaos(struct side *side, const uint32_t *words, size_t count)
{
    uint64_t quadwords[4][2];
    for (unsigned n = 0; n < 16; n++) {
        size_t from = draw() % count;
        switch (draw() % 6) {
        case 0:
            vif_write_register(side->vif, draw() % 0x200, draw());
            break;
        case 1:
            vif_write_register(side->vif, VIF_FBRST, draw() % 16);
            break;
        case 2:
            vif_read(side->vif, quadwords, draw() % 5);
            break;
        case 3:
            vif_seek(side->vif, draw() % 4);
            break;
        case 4:
            vif_set_register(side->vif, draw() % 0x18 * 16, draw());
            break;
        default:
            vif_write(side->vif, words + from, count - from);
        }
    }
    vif_write_register(side->vif, VIF_FBRST, VIF_FBRST_RST);
    vif_reset(side->vif);
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
    if (argc > 2)
        seed ^= strtoull(argv[2], NULL, 0);
    struct side whole[2], cut[2], wild[2];
    for (int unit = 0; unit < 2; unit++) {
        open_side(&whole[unit], unit ? VIF_UNIT_1 : VIF_UNIT_0, false);
        open_side(&cut[unit], unit ? VIF_UNIT_1 : VIF_UNIT_0, true);
        open_side(&wild[unit], unit ? VIF_UNIT_1 : VIF_UNIT_0, true);
    }
    uint32_t words[WORDS];
    for (unsigned long run = 0; run < runs; run++) {
        unsigned unit = draw() % 4 != 0;
        size_t count = draw_stream(words, unit ? VIF_UNIT_1 : VIF_UNIT_0);
        uint32_t *exact = malloc(4 * count); // so that a sanitizer sees a read behind it
        if (!exact)
            abort();
        memcpy(exact, words, 4 * count);
        feed(&whole[unit], exact, count);
        feed(&cut[unit], exact, count);
        compare(&whole[unit], &cut[unit], run);
        if (draw() % 2) { // else the next stream goes on in the middle of a code
            vif_write_register(whole[unit].vif, VIF_FBRST, VIF_FBRST_RST);
            vif_write_register(cut[unit].vif, VIF_FBRST, VIF_FBRST_RST);
        }
        chaos(&wild[unit], exact, count);
        free(exact);
    }
    printf("fuzz_vif: %lu runs, check %016llx\n", runs, (unsigned long long)(whole[0].sum ^ whole[1].sum));
    for (int unit = 0; unit < 2; unit++) {
        close_side(&whole[unit]);
        close_side(&cut[unit]);
        close_side(&wild[unit]);
    }
    return 0;
}
