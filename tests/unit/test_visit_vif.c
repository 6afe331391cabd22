// Snapshots see all of a VIF: every field is shown or named here as wiring.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/cover.h"
#include "vif/core.h"

static void the_unit_is_shown(void **state)
{
    struct vu *vu = vu_new(VU_UNIT_1, NULL);
    struct vif *vif = vif_new(VIF_UNIT_1, vu);
    struct cover c = COVER_NEW(*vif);
    (void)state;
    vif_visit(vif, cover_shown, &c);
    COVER_WIRING(&c, vif->unit);
    COVER_WIRING(&c, vif->vu);
    COVER_WIRING(&c, vif->memory);
    COVER_WIRING(&c, vif->memory_mask);
    COVER_WIRING(&c, vif->micro_size);
    COVER_WIRING(&c, vif->ports);
    COVER_WIRING(&c, vif->observer);
    COVER_WIRING(&c, vif->rows);
    COVER_WIRING(&c, vif->op); // these three are shown by number
    COVER_WIRING(&c, vif->unpack.format);
    COVER_WIRING(&c, vif->unpack.decode);
    assert_int_equal(cover_gap(&c), sizeof *vif);
    cover_free(&c);
    vif_free(vif);
    vu_free(vu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
