// The display: rectangles, formats and the merge of the two read circuits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gs/gs.h"

struct rig {
    struct gs *gs;
    uint8_t *rgba;
    uint32_t width, height;
};

static int set_up(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);
    rig->gs = gs_new(NULL);
    *state = rig;
    return rig->gs ? 0 : -1;
}

static int tear_down(void **state)
{
    struct rig *rig = *state;
    free(rig->rgba);
    gs_free(rig->gs);
    free(rig);
    return 0;
}

static void show(struct rig *rig)
{
    gs_display_size(rig->gs, &rig->width, &rig->height);
    free(rig->rgba);
    rig->rgba = malloc((size_t)rig->width * rig->height * 4 + 1);
    gs_display(rig->gs, rig->rgba);
}

// RRGGBB
static uint32_t at(const struct rig *rig, uint32_t x, uint32_t y)
{
    const uint8_t *p = rig->rgba + 4 * ((size_t)y * rig->width + x);
    assert_true(x < rig->width && y < rig->height);
    assert_int_equal(p[3], 255);
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static void paint(struct rig *rig, unsigned page, unsigned psm, uint32_t x, uint32_t y, uint32_t value)
{
    const struct gs_buffer buffer = {gs_format(psm), page * 32, 1};
    gs_pixel_write(gs_memory(rig->gs), &buffer, x, y, value);
}

static uint64_t dispfb(unsigned page, unsigned psm, unsigned dbx, unsigned dby)
{
    return gs_put(GS_DISPFB_FBP, page) | gs_put(GS_DISPFB_FBW, 1) | gs_put(GS_DISPFB_PSM, psm) |
           gs_put(GS_DISPFB_DBX, dbx) | gs_put(GS_DISPFB_DBY, dby);
}

static uint64_t display(unsigned dx, unsigned dy, unsigned width, unsigned height, unsigned magh)
{
    return gs_put(GS_DISPLAY_DX, dx) | gs_put(GS_DISPLAY_DY, dy) | gs_put(GS_DISPLAY_MAGH, magh) |
           gs_put(GS_DISPLAY_DW, width * (magh + 1) - 1) | gs_put(GS_DISPLAY_DH, height - 1);
}

static void set(struct rig *rig, unsigned offset, uint64_t value)
{
    gs_set_privileged(rig->gs, offset, value);
}

static void no_circuit_no_picture(void **state)
{
    struct rig *rig = *state;
    set(rig, GS_DISPLAY1, display(0, 0, 4, 4, 0));
    show(rig);
    assert_int_equal(rig->width, 0);
    assert_int_equal(rig->height, 0);
}

static void one_circuit_magnified(void **state)
{
    struct rig *rig = *state;
    paint(rig, 2, GS_PSMCT32, 1, 0, 0x40302010);
    paint(rig, 2, GS_PSMCT32, 1, 1, 0x40605040);
    set(rig, GS_PMODE, gs_put(GS_PMODE_EN1, 1) | gs_put(GS_PMODE_MMOD, 1) | gs_put(GS_PMODE_ALP, 255));
    set(rig, GS_DISPFB1, dispfb(2, GS_PSMCT32, 0, 0));
    set(rig, GS_DISPLAY1, display(636, 50, 8, 2, 3));
    show(rig);
    assert_int_equal(rig->width, 8);
    assert_int_equal(rig->height, 2);
    assert_int_equal(at(rig, 0, 0), 0);
    assert_int_equal(at(rig, 1, 0), 0x102030);
    assert_int_equal(at(rig, 1, 1), 0x405060);
}

static void buffer_position_wraps_at_2048(void **state)
{
    struct rig *rig = *state;
    paint(rig, 0, GS_PSMCT32, 0, 0, 0x0000ff);
    set(rig, GS_PMODE, gs_put(GS_PMODE_EN1, 1) | gs_put(GS_PMODE_MMOD, 1) | gs_put(GS_PMODE_ALP, 255));
    set(rig, GS_DISPFB1, dispfb(0, GS_PSMCT32, 2047, 2047));
    set(rig, GS_DISPLAY1, display(0, 0, 2, 2, 0));
    show(rig);
    assert_int_equal(at(rig, 1, 1), 0xff0000);
    assert_int_equal(at(rig, 0, 0), 0);
}

static void formats(void **state)
{
    static const struct {
        unsigned psm;
        uint32_t pixel, rgb;
    } rows[] = {{GS_PSMCT32, 0x80332211, 0x112233},
                {GS_PSMCT24, 0x332211, 0x112233},
                {GS_PSMCT16, 0x8000 | 3 << 10 | 2 << 5 | 31, 0xf81018},
                {GS_PSMCT16S, 0x8000 | 31 << 10 | 2 << 5 | 1, 0x0810f8}};
    struct rig *rig = *state;
    set(rig, GS_PMODE, gs_put(GS_PMODE_EN1, 1));
    set(rig, GS_DISPLAY1, display(0, 0, 40, 40, 0));
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        paint(rig, 1, rows[n].psm, 39, 33, rows[n].pixel);
        set(rig, GS_DISPFB1, dispfb(1, rows[n].psm, 0, 0));
        show(rig);
        // Alpha 0x80, stored or given, is the whole of circuit 1.
        assert_int_equal(at(rig, 39, 33), rows[n].rgb);
    }
}

// MMOD, ALP, SLBG, alpha of circuit 1 -> red of the merge of 200 (circuit 1), 100 (circuit 2), 40 (BGCOLOR).
static void merge(void **state)
{
    static const struct {
        unsigned mmod, alp, slbg, alpha, red;
    } rows[] = {
        {1, 255, 0, 0, 200},  {1, 0, 0, 0x80, 100}, {1, 0, 1, 0x80, 40}, {0, 0, 0, 0x80, 200},
        {0, 0, 0, 0xff, 200}, {0, 255, 0, 0, 100},  {1, 128, 0, 0, 149}, {0, 0, 1, 0x40, 119},
    };
    struct rig *rig = *state;
    set(rig, GS_DISPFB1, dispfb(0, GS_PSMCT32, 0, 0));
    set(rig, GS_DISPFB2, dispfb(1, GS_PSMCT32, 0, 0));
    set(rig, GS_DISPLAY1, display(10, 5, 1, 1, 0));
    set(rig, GS_DISPLAY2, display(10, 5, 2, 1, 0));
    set(rig, GS_BGCOLOR, 40);
    paint(rig, 1, GS_PSMCT32, 0, 0, 100);
    paint(rig, 1, GS_PSMCT32, 1, 0, 101);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        paint(rig, 0, GS_PSMCT32, 0, 0, rows[n].alpha << 24 | 200);
        set(rig, GS_PMODE,
            gs_put(GS_PMODE_EN1, 1) | gs_put(GS_PMODE_EN2, 1) | gs_put(GS_PMODE_MMOD, rows[n].mmod) |
                gs_put(GS_PMODE_SLBG, rows[n].slbg) | gs_put(GS_PMODE_ALP, rows[n].alp));
        show(rig);
        assert_int_equal(rig->width, 2);
        assert_int_equal(at(rig, 0, 0) >> 16, rows[n].red);
        // Outside circuit 1: circuit 2 as it is, or the background.
        assert_int_equal(at(rig, 1, 0) >> 16, rows[n].slbg ? 40 : 101);
    }
}

static void interlaced_frame_mode_shows_rows_twice(void **state)
{
    struct rig *rig = *state;
    paint(rig, 0, GS_PSMCT32, 0, 1, 0x0000ff);
    set(rig, GS_PMODE, gs_put(GS_PMODE_EN1, 1) | gs_put(GS_PMODE_MMOD, 1) | gs_put(GS_PMODE_ALP, 255));
    set(rig, GS_DISPFB1, dispfb(0, GS_PSMCT32, 0, 0));
    set(rig, GS_DISPLAY1, display(0, 0, 1, 4, 0));
    set(rig, GS_SMODE2, gs_put(GS_SMODE2_INT, 1)); // fields: every second row each, all of them shown
    show(rig);
    assert_int_equal(at(rig, 0, 1), 0xff0000);
    assert_int_equal(at(rig, 0, 2), 0);
    set(rig, GS_SMODE2, gs_put(GS_SMODE2_INT, 1) | gs_put(GS_SMODE2_FFMD, 1));
    show(rig);
    assert_int_equal(rig->height, 4);
    assert_int_equal(at(rig, 0, 1), 0);
    assert_int_equal(at(rig, 0, 2), 0xff0000);
    assert_int_equal(at(rig, 0, 3), 0xff0000);
}

static void largest_picture(void **state)
{
    struct rig *rig = *state;
    set(rig, GS_PMODE, 3);
    set(rig, GS_DISPFB1, UINT64_MAX);
    set(rig, GS_DISPLAY1, gs_put(GS_DISPLAY_DW, 4095) | gs_put(GS_DISPLAY_DX, 4095));
    set(rig, GS_DISPLAY2, gs_put(GS_DISPLAY_DH, 2047) | gs_put(GS_DISPLAY_DY, 2047));
    show(rig);
    assert_int_equal(rig->width, 8191);
    assert_int_equal(rig->height, 4095);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_circuit_no_picture, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_circuit_magnified, set_up, tear_down),
        cmocka_unit_test_setup_teardown(buffer_position_wraps_at_2048, set_up, tear_down),
        cmocka_unit_test_setup_teardown(formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(interlaced_frame_mode_shows_rows_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(largest_picture, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
