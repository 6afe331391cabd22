// Outputs out of GS local memory: formats, palettes, alpha, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/diff/gs_output.h"
#include "harness/machine.h"

static struct ps2 *ps2;

static int new_machine(void **state)
{
    (void)state;
    return ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &ps2, NULL);
}

static int free_machine(void **state)
{
    (void)state;
    ps2_free(ps2);
    return 0;
}

static struct case_value number(const char *text)
{
    return (struct case_value){(char *)(uintptr_t)text, 1};
}

static void pixel(const struct gs_buffer *buffer, uint32_t x, uint32_t y, uint32_t value)
{
    gs_pixel_write(gs_memory(ps2->hardware.gs), buffer, x, y, value);
}

// The output of a 64 x 2 rectangle at block 0x40; owned by the caller.
static uint8_t *output(enum gs_psm psm, const char *clut)
{
    const struct diff_scope scope = {.ps2 = ps2};
    const struct case_gs gs = {.format = gs_format(psm),
                               .base = number("0x40"),
                               .width = number("8*8"),
                               .height = number("2"),
                               .clut = number(clut)};
    struct ps2_error error = {.message = ""};
    uint8_t *data;
    size_t size;
    if (gs_output(&scope, &gs, &data, &size, &error) != PS2_OK)
        fail_msg("%s", error.message);
    assert_int_equal(size, 64 * 2 * 4);
    return data;
}

static void is(const uint8_t *data, unsigned x, unsigned y, uint8_t r, uint8_t g, uint8_t b, uint8_t a)
{
    const uint8_t want[4] = {r, g, b, a};
    assert_memory_equal(data + 4 * (64 * y + x), want, 4);
}

static void colours(void **state)
{
    struct gs_buffer buffer = {.format = gs_format(GS_PSMCT32), .base = 0x40, .width = 1};
    (void)state;
    pixel(&buffer, 3, 1, 0x80302010);
    pixel(&buffer, 4, 1, 0x7f000000);
    uint8_t *data = output(GS_PSMCT32, NULL);
    is(data, 3, 1, 0x10, 0x20, 0x30, 0xFF);
    is(data, 4, 1, 0, 0, 0, 0xFE);
    free(data);
    buffer.format = gs_format(GS_PSMCT16);
    pixel(&buffer, 5, 0, 0x8000 | 3 << 10 | 2 << 5 | 1);
    data = output(GS_PSMCT16, NULL);
    is(data, 5, 0, 8, 16, 24, 0xFF);
    free(data);
}

static void indices(void **state)
{
    const struct gs_buffer palette = {.format = gs_format(GS_PSMCT32), .base = 0x80, .width = 1};
    struct gs_buffer buffer = {.format = gs_format(GS_PSMT8), .base = 0x40, .width = 1};
    uint64_t tex0 = gs_get(ps2->hardware.gs, GS_TEX0_1);
    (void)state;
    // Index 8 is the first of the second row, index 16 the ninth of the first.
    pixel(&palette, 0, 1, 0x08080808);
    pixel(&palette, 8, 0, 0x10101010);
    pixel(&buffer, 1, 0, 8);
    pixel(&buffer, 2, 0, 16);
    uint8_t *data = output(GS_PSMT8, "0x80");
    is(data, 1, 0, 8, 8, 8, 16);
    is(data, 2, 0, 16, 16, 16, 32);
    free(data);
    buffer.format = gs_format(GS_PSMT4);
    pixel(&buffer, 1, 0, 8);
    data = output(GS_PSMT4, "0x80");
    is(data, 1, 0, 8, 8, 8, 16);
    free(data);
    // The guest's own registers and palette are as they were.
    assert_true(gs_get(ps2->hardware.gs, GS_TEX0_1) == tex0);
    assert_int_equal(gs_clut(ps2->hardware.gs)[8], 0);
}

static void refused(void **state)
{
    static const struct {
        const char *base, *width, *height, *why;
    } wrong[] = {{"0x4000", "8", "8", "'0x4000' is 16384, not from 0 to 16383"},
                 {"0", "0", "8", "'0' is 0, not from 1 to 2048"},
                 {"0", "8", "2049", "'2049' is 2049"},
                 {"nothing", "8", "8", "no symbol or buffer"}};
    const struct diff_scope scope = {.ps2 = ps2};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct case_gs gs = {.format = gs_format(GS_PSMCT32),
                                   .base = number(wrong[i].base),
                                   .width = number(wrong[i].width),
                                   .height = number(wrong[i].height)};
        struct ps2_error error = {.message = ""};
        uint8_t *data;
        size_t size;
        assert_int_equal(gs_output(&scope, &gs, &data, &size, &error), PS2_BAD_INPUT);
        if (!strstr(error.message, wrong[i].why))
            fail_msg("%s", error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(colours, new_machine, free_machine),
        cmocka_unit_test_setup_teardown(indices, new_machine, free_machine),
        cmocka_unit_test_setup_teardown(refused, new_machine, free_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
