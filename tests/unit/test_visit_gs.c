// Snapshots see all of the GIF and the GS: every field is shown or named here as wiring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gs/core.h"
#include "tests/support/cover.h"

static void the_gs_is_shown(void **state)
{
    struct gs *gs = gs_new(NULL);
    struct cover c = COVER_NEW(*gs);
    (void)state;
    gs_visit(gs, cover_shown, &c);
    COVER_WIRING(&c, gs->ports);
    COVER_WIRING(&c, gs->transfer.buffer.format); // shown by number
    COVER_WIRING(&c, gs->memory);
    COVER_WIRING(&c, gs->drawing);
    COVER_WIRING(&c, gs->changed); // set whenever the state was shown
    COVER_WIRING(&c, gs->clut_changed);
    COVER_WIRING(&c, gs->page_marks);
    assert_int_equal(cover_gap(&c), sizeof *gs);
    cover_free(&c);
    gs_free(gs);
}

static void the_gif_is_shown(void **state)
{
    struct gif gif = {.kicked = NULL};
    struct cover c = COVER_NEW(gif);
    (void)state;
    gif_visit(&gif, cover_shown, &c);
    COVER_WIRING(&c, gif.sink);
    COVER_WIRING(&c, gif.ports);
    COVER_WIRING(&c, gif.kicked); // what it points to is shown
    COVER_WIRING(&c, gif.kicked_count);
    assert_int_equal(cover_gap(&c), sizeof gif);
    cover_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gs_is_shown),
        cmocka_unit_test(the_gif_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
