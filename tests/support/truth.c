// Synthetic levels with their truth.
#include "tests/support/truth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct subject open_subject(const char *plant, bool memory)
{
    struct subject s;
    struct ps2_error e;
    size_t size;
    scratch_level_build(&s.files, memory ? 12 : 24, plant, memory);
    if (fmt_level_open(s.files.folder, &s.level, &e))
        fail_msg("%s: %s", e.where, e.message);
    const uint8_t *text = scratch_level_file(&s.files, "truth.json", &size);
    s.truth = json_loadb((const char *)text, size, 0, NULL);
    assert_non_null(s.truth);
    return s;
}

void close_subject(struct subject *s)
{
    json_decref(s->truth);
    fmt_level_close(&s->level);
    scratch_level_free(&s->files);
}

int subject_set_up(void **state)
{
    static struct subject subject;
    subject = open_subject(NULL, false);
    *state = &subject;
    return 0;
}

int subject_tear_down(void **state)
{
    close_subject(*state);
    return 0;
}

json_int_t truth_element(const json_t *list, size_t i)
{
    assert_true(i < json_array_size(list));
    return json_integer_value(json_array_get(list, i));
}

json_t *patch_truth(const struct subject *s, size_t i)
{
    return json_array_get(json_object_get(json_object_get(s->truth, "terrain"), "patches"), i);
}

struct fmt_patch patch_of(const struct subject *s, size_t i)
{
    struct fmt_patch p;
    struct ps2_error e;
    if (fmt_patch(&s->level.terrain, i, 0, &p, &e) || fmt_patch_verify(&p, &e))
        fail_msg("patch %zu: %s", i, e.message);
    return p;
}
