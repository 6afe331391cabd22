// Transfers: every direction and format, odd rectangles, cuts anywhere, latches.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gs/gs.h"
#include "tests/model/gs_transfer_model.h"
#include "tests/support/mutate.h"

enum { STREAM = 1 << 15 }; // bytes

static const unsigned codes[] = {0x00, 0x01, 0x02, 0x0a, 0x13, 0x14, 0x1b,
                                 0x24, 0x2c, 0x30, 0x31, 0x32, 0x3a};
enum { CODES = sizeof codes / sizeof *codes };

static struct gs *filled_gs(void)
{
    struct mutator m = {77};
    struct gs *gs = gs_new(NULL);
    assert_non_null(gs);
    for (size_t n = 0; n < GS_MEMORY_SIZE; n++)
        gs_memory(gs)[n] = (uint8_t)mutate_random(&m);
    return gs;
}

static uint32_t below(struct mutator *m, uint32_t bound)
{
    return mutate_random(m) % bound;
}

// Half of the rectangles cross coordinate 2048.
static struct gs_model_end random_end(struct mutator *m, unsigned psm)
{
    bool z = psm >= 0x30;
    return (struct gs_model_end){.psm = psm,
                                 .base = mutate_random(m) & (z ? 0x3fe0 : 0x3fff),
                                 .width = below(m, 64),
                                 .x = below(m, 2) ? below(m, 200) : 2048 - below(m, 30),
                                 .y = below(m, 2) ? below(m, 200) : 2048 - below(m, 30)};
}

static void set_up(struct gs *gs, const struct gs_model_end *from, const struct gs_model_end *to,
                   uint32_t columns, uint32_t rows, unsigned dir)
{
    gs_write(gs, GS_BITBLTBUF,
             gs_put(GS_BITBLTBUF_SBP, from->base) | gs_put(GS_BITBLTBUF_SBW, from->width) |
                 gs_put(GS_BITBLTBUF_SPSM, from->psm) | gs_put(GS_BITBLTBUF_DBP, to->base) |
                 gs_put(GS_BITBLTBUF_DBW, to->width) | gs_put(GS_BITBLTBUF_DPSM, to->psm));
    gs_write(gs, GS_TRXPOS,
             gs_put(GS_TRXPOS_SSAX, from->x) | gs_put(GS_TRXPOS_SSAY, from->y) |
                 gs_put(GS_TRXPOS_DSAX, to->x) | gs_put(GS_TRXPOS_DSAY, to->y) |
                 gs_put(GS_TRXPOS_DIRX, dir >> 1) | gs_put(GS_TRXPOS_DIRY, dir & 1));
    gs_write(gs, GS_TRXREG, gs_put(GS_TRXREG_RRW, columns) | gs_put(GS_TRXREG_RRH, rows));
}

static void direct(struct gs *gs, bool from_gs)
{
    gs_set_privileged(gs, GS_BUSDIR, from_gs);
}

// ---- host to local

static void upload_pieces(struct gs *gs, struct mutator *m, const uint64_t *values, size_t count)
{
    for (size_t at = 0; at < count;) {
        size_t piece = 1 + below(m, below(m, 4) ? 40 : 4000);
        piece = piece < count - at ? piece : count - at;
        if (piece == 1)
            gs_write(gs, GS_HWREG, values[at]);
        else
            gs_image(gs, values + at, piece);
        at += piece;
    }
}

static void uploads_of_every_format_and_odd_size(void **state)
{
    static uint64_t stream[STREAM / 8];
    static uint8_t want[GS_MEMORY_SIZE];
    struct mutator m = {31415};
    struct gs *gs = filled_gs();
    unsigned wrong_without_wrap = 0;
    (void)state;
    memcpy(want, gs_memory(gs), sizeof want);
    for (unsigned run = 0; run < 20 * CODES; run++) {
        struct gs_model_end to = random_end(&m, codes[run % CODES]), unwrapped;
        uint32_t columns = 1 + below(&m, 90), rows = 1 + below(&m, 40);
        size_t bits = (size_t)columns * rows * gs_model_bits(to.psm);
        for (size_t n = 0; n < (bits + 63) / 64 + 2; n++)
            stream[n] = (uint64_t)mutate_random(&m) << 32 | mutate_random(&m);
        set_up(gs, &(struct gs_model_end){.psm = 0x3f}, &to, columns, rows, 0);
        gs_write(gs, GS_TRXDIR, 0);
        assert_int_equal(gs_transfer_left(gs), columns * rows);
        gs_write(gs, GS_BITBLTBUF, 0); // latched: PCSX2/pcsx2#12760
        gs_write(gs, GS_TRXPOS, 0);
        gs_write(gs, GS_TRXREG, 0);
        upload_pieces(gs, &m, stream, (bits + 63) / 64 + 2); // more than the rectangle takes
        assert_int_equal(gs_transfer_left(gs), 0);
        gs_model_upload(want, &to, columns, rows, (const uint8_t *)stream);
        if (memcmp(want, gs_memory(gs), sizeof want))
            fail_msg("PSM 0x%02x, base 0x%x, width %u, %ux%u at %u, %u", to.psm, to.base, to.width, columns,
                     rows, to.x, to.y);
        unwrapped = to;
        unwrapped.x ^= 1;
        gs_model_upload(want, &unwrapped, columns, rows, (const uint8_t *)stream);
        wrong_without_wrap += !!memcmp(want, gs_memory(gs), sizeof want); // the control
        memcpy(want, gs_memory(gs), sizeof want);
    }
    assert_true(wrong_without_wrap > 19 * CODES);
    gs_free(gs);
}

// ---- local to host

static void downloads_of_every_format_and_odd_size(void **state)
{
    static uint64_t got[STREAM / 8], want[STREAM / 8];
    struct mutator m = {27182};
    struct gs *gs = filled_gs();
    (void)state;
    direct(gs, true);
    for (unsigned run = 0; run < 60 * CODES; run++) {
        struct gs_model_end from = random_end(&m, codes[run % CODES]);
        uint32_t columns = 1 + below(&m, 90), rows = 1 + below(&m, 40);
        size_t whole = (size_t)columns * rows * gs_model_bits(from.psm) / 128, at = 0, taken;
        set_up(gs, &from, &(struct gs_model_end){0}, columns, rows, 0);
        gs_write(gs, GS_TRXDIR, 1);
        do {
            taken = gs_download(gs, got + 2 * at, 1 + below(&m, below(&m, 4) ? 20 : 2000));
            at += taken;
        } while (taken);
        assert_int_equal(at, whole);
        assert_int_equal(gs_transfer_left(gs), 0);
        gs_model_download(gs_memory(gs), &from, columns, rows, (uint8_t *)want);
        assert_memory_equal(got, want, whole * 16);
        if (whole) {
            from.y ^= 1;
            gs_model_download(gs_memory(gs), &from, columns, rows, (uint8_t *)want);
            assert_memory_not_equal(got, want, whole * 16); // the control
        }
    }
    gs_free(gs);
}

static void what_goes_up_comes_down(void **state)
{
    static uint64_t stream[2 * 48], back[2 * 48];
    struct mutator m = {1};
    struct gs *gs = filled_gs();
    (void)state;
    direct(gs, true);
    for (unsigned n = 0; n < CODES; n++) {
        struct gs_model_end end = {.psm = codes[n], .base = 0x1000, .width = 2, .x = 3, .y = 5};
        size_t quadwords = 24u * 8 * gs_model_bits(end.psm) / 128;
        for (size_t k = 0; k < 2 * quadwords; k++)
            stream[k] = (uint64_t)mutate_random(&m) << 32 | mutate_random(&m);
        set_up(gs, &end, &end, 24, 8, 0);
        gs_write(gs, GS_TRXDIR, 0);
        gs_image(gs, stream, 2 * quadwords);
        gs_write(gs, GS_TRXDIR, 1);
        assert_int_equal(gs_download(gs, back, 48), quadwords);
        assert_memory_equal(stream, back, quadwords * 16);
    }
    gs_free(gs);
}

static void a_download_needs_busdir(void **state)
{
    uint64_t data[2];
    struct gs_model_end end = {.psm = 0, .width = 1};
    struct gs *gs = filled_gs();
    (void)state;
    set_up(gs, &end, &end, 4, 1, 0);
    gs_write(gs, GS_TRXDIR, 1);
    assert_int_equal(gs_download(gs, data, 1), 0);
    direct(gs, true);
    assert_int_equal(gs_download(gs, data, 1), 1);
    assert_int_equal(gs_download(gs, data, 1), 0);
    gs_free(gs);
}

// ---- local to local

static void copies_of_every_pair_of_formats(void **state)
{
    static uint8_t want[GS_MEMORY_SIZE], unstaged[GS_MEMORY_SIZE];
    struct mutator m = {16180};
    struct gs *gs = filled_gs();
    unsigned differs = 0;
    (void)state;
    memcpy(want, gs_memory(gs), sizeof want);
    for (unsigned run = 0; run < CODES * CODES; run++) {
        struct gs_model_end from = random_end(&m, codes[run % CODES]),
                            to = random_end(&m, codes[run / CODES]);
        uint32_t columns = 1 + below(&m, 60), rows = 1 + below(&m, 20);
        unsigned dir = below(&m, 4);
        if (run % 2) { // they overlap
            to = from;
            to.x = (to.x + below(&m, 8)) % 2048;
            to.y = (to.y + below(&m, 4)) % 2048;
        }
        set_up(gs, &from, &to, columns, rows, dir);
        gs_write(gs, GS_TRXDIR, 2);
        memcpy(unstaged, want, sizeof unstaged);
        gs_model_copy(want, &from, &to, columns, rows, dir, 128);
        assert_memory_equal(want, gs_memory(gs), sizeof want);
        gs_model_copy(unstaged, &from, &to, columns, rows, dir, 1);
        differs += !!memcmp(unstaged, want, sizeof want); // the control
    }
    assert_true(differs > 10);
    gs_free(gs);
}

// Console captures (gs-mem of ARMSX2/ARMSX2#660): rows that hold their number are copied one row down.
static void an_overlapping_copy_is_staged_by_128_pixels(void **state)
{
    (void)state;
    for (uint32_t columns = 32; columns <= 128; columns *= 2) {
        struct gs *gs = gs_new(NULL);
        struct gs_buffer buffer = {.format = gs_format(GS_PSMCT32), .width = 2};
        struct gs_model_end from = {.width = 2}, to = {.width = 2, .y = 1};
        for (uint32_t y = 0; y < 33; y++)
            for (uint32_t x = 0; x < columns; x++)
                gs_pixel_write(gs_memory(gs), &buffer, x, y, y);
        set_up(gs, &from, &to, columns, 32, 0);
        gs_write(gs, GS_TRXDIR, 2);
        for (uint32_t r = 0; r < 32; r++) {
            uint32_t late = 128 / columns, want = r && r % late == 0 ? r - 1 : r;
            if (columns == 128)
                want = 0;
            assert_int_equal(gs_pixel_read(gs_memory(gs), &buffer, 7, r + 1), want);
        }
        gs_free(gs);
    }
}

static void unlike_formats_copy_the_low_bits(void **state)
{
    struct gs *gs = gs_new(NULL);
    struct gs_buffer wide = {.format = gs_format(GS_PSMCT32), .base = 32, .width = 1};
    struct gs_buffer narrow = {.format = gs_format(GS_PSMCT16), .width = 1};
    struct gs_model_end from = {.psm = GS_PSMCT16, .width = 1}, to = {.base = 32, .width = 1};
    (void)state;
    gs_pixel_write(gs_memory(gs), &wide, 0, 0, 0x11223344);
    gs_pixel_write(gs_memory(gs), &narrow, 0, 0, 0xabcd);
    set_up(gs, &from, &to, 1, 1, 0);
    gs_write(gs, GS_TRXDIR, 2);
    assert_int_equal(gs_pixel_read(gs_memory(gs), &wide, 0, 0), 0x1122abcd);
    gs_free(gs);
}

// ---- the rest

// PCSX2/pcsx2#5841: quirk 38
static void direction_3_does_nothing(void **state)
{
    static uint8_t before[GS_MEMORY_SIZE];
    uint64_t data[2] = {1, 2};
    struct gs_model_end from = {.width = 1}, to = {.base = 64, .width = 1};
    struct gs *gs = filled_gs();
    (void)state;
    memcpy(before, gs_memory(gs), sizeof before);
    set_up(gs, &from, &to, 8, 8, 0);
    gs_write(gs, GS_TRXDIR, 0);
    gs_write(gs, GS_TRXDIR, 3);
    gs_image(gs, data, 2);
    direct(gs, true);
    assert_int_equal(gs_download(gs, data, 1), 0);
    assert_int_equal(gs_transfer_left(gs), 0);
    assert_memory_equal(before, gs_memory(gs), sizeof before);
    gs_write(gs, GS_TRXDIR, 2); // the control
    assert_memory_not_equal(before, gs_memory(gs), sizeof before);
    gs_free(gs);
}

static void empty_rectangles_and_unknown_formats(void **state)
{
    uint64_t data[4] = {1, 2, 3, 4};
    struct gs *gs = filled_gs();
    (void)state;
    for (unsigned xdir = 0; xdir < 4; xdir++) {
        set_up(gs, &(struct gs_model_end){0}, &(struct gs_model_end){0}, 0, 5, 0);
        gs_write(gs, GS_TRXDIR, xdir);
        assert_int_equal(gs_transfer_left(gs), 0);
        set_up(gs, &(struct gs_model_end){0}, &(struct gs_model_end){0}, 5, 0, 0);
        gs_write(gs, GS_TRXDIR, xdir);
        assert_int_equal(gs_transfer_left(gs), 0);
    }
    for (unsigned psm = 0; psm < 64; psm++) {
        struct gs_model_end end = {.psm = psm, .base = 0x3fff, .width = 63, .x = 2047, .y = 2047};
        set_up(gs, &end, &end, 4095, 4095, 0);
        gs_write(gs, GS_TRXDIR, 0);
        gs_image(gs, data, 4);
        assert_true(gs_transfer_left(gs) < 4095u * 4095);
    }
    gs_free(gs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uploads_of_every_format_and_odd_size),
        cmocka_unit_test(downloads_of_every_format_and_odd_size),
        cmocka_unit_test(what_goes_up_comes_down),
        cmocka_unit_test(a_download_needs_busdir),
        cmocka_unit_test(copies_of_every_pair_of_formats),
        cmocka_unit_test(an_overlapping_copy_is_staged_by_128_pixels),
        cmocka_unit_test(unlike_formats_copy_the_low_bits),
        cmocka_unit_test(direction_3_does_nothing),
        cmocka_unit_test(empty_rectangles_and_unknown_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
