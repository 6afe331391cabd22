// Streams out of a recording: which records belong to which, in what order, and where a byte comes from.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/diff/stream.h"
#include "harness/recording.h"

static uint8_t recording[4096];
static size_t used;

static void put(uint32_t kind, uint32_t pc, uint32_t a, uint32_t b, const void *data, uint32_t size)
{
    const struct record_header header = {
        .kind = kind, .size = size, .cause = RECORDING_NO_CAUSE, .pc = pc, .a = a, .b = b};
    memcpy(recording + used, &header, sizeof header);
    if (size)
        memcpy(recording + used + sizeof header, data, size);
    used += sizeof header + (size + 15) / 16 * 16;
}

// Two words for VIF1, a run of VU1 with its memories and a packet, one word for VIF0, a second run with a
// packet, and a quadword on PATH3 between.
static void make_recording(void)
{
    static const char quads[32] = "path1-first-16b!path3-first-16b!";
    memset(recording, 0, sizeof recording);
    used = 16;
    memcpy(recording, RECORDING_MAGIC, 16);
    put(RECORD_VIF_DATA, 0x100, 1, 0, "onetwo..", 8);
    put(RECORD_VU_START, 0x104, 1, 8, NULL, 0);
    put(RECORD_VU_MEMORY, 0x104, 1, 0, "before 1", 8);
    put(RECORD_GIF, 0x104, 1, 0, quads, 16);
    put(RECORD_GIF, 0x108, 3, 0, quads + 16, 16);
    put(RECORD_VU_MEMORY, 0x104, 1, 1, "after  1", 8);
    put(RECORD_VIF_DATA, 0x10c, 0, 0, "zero", 4);
    put(RECORD_VU_START, 0x110, 0, 2, NULL, 0);
    put(RECORD_VU_MEMORY, 0x110, 0, 0, "before 0", 8);
    put(RECORD_VIF_DATA, 0x114, 1, 0, "last", 4);
    put(RECORD_VU_START, 0x118, 1, 16, NULL, 0);
    put(RECORD_GIF, 0x118, 1, 0, "path1-next-16by!", 16);
}

static void expect(const char *name, const char *text)
{
    struct ps2_error error = {.message = ""};
    uint8_t *data;
    size_t size;
    enum diff_stream stream = diff_stream_by_name(name);
    assert_int_not_equal(stream, DIFF_STREAM_NONE);
    assert_int_equal(diff_stream_bytes(recording, used, stream, &data, &size, &error), PS2_OK);
    if (size != strlen(text) || memcmp(data, text, size))
        fail_msg("%s is %.*s", name, (int)size, data);
    free(data);
}

static void each_stream_has_its_own_records(void **state)
{
    (void)state;
    make_recording();
    expect("vif0", "zero");
    expect("vif1", "onetwo..last");
    expect("path1", "path1-first-16b!path1-next-16by!");
    expect("path2", "");
    expect("path3", "path3-first-16b!");
    expect("vu0-before", "before 0");
    expect("vu0-after", "");
    expect("vu1-before", "before 1");
    expect("vu1-after", "after  1");
    assert_int_equal(diff_stream_by_name("path4"), DIFF_STREAM_NONE);
}

static void a_byte_knows_its_run(void **state)
{
    struct diff_stream_origin origin;
    (void)state;
    make_recording();
    assert_true(diff_stream_origin(recording, used, DIFF_STREAM_PATH1, 15, &origin));
    assert_true(origin.pc == 0x104 && origin.has_run && origin.run == 0 && origin.pair == 8);
    assert_true(diff_stream_origin(recording, used, DIFF_STREAM_PATH1, 16, &origin));
    assert_true(origin.pc == 0x118 && origin.run == 1 && origin.pair == 16);
    assert_true(diff_stream_origin(recording, used, DIFF_STREAM_VIF1, 0, &origin));
    assert_true(origin.pc == 0x100 && !origin.has_run);
    // The runs of the other unit do not count.
    assert_true(diff_stream_origin(recording, used, DIFF_STREAM_VIF1, 8, &origin));
    assert_true(origin.pc == 0x114 && origin.run == 0 && origin.pair == 8);
    assert_false(diff_stream_origin(recording, used, DIFF_STREAM_PATH1, 32, &origin));
}

static void a_damaged_recording_is_an_error(void **state)
{
    struct ps2_error error = {.message = ""};
    uint8_t *data;
    size_t size;
    (void)state;
    make_recording();
    assert_int_equal(diff_stream_bytes(recording, used - 4, DIFF_STREAM_PATH1, &data, &size, &error),
                     PS2_BAD_INPUT);
    free(data);
    assert_non_null(strstr(error.message, "ends inside record"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stream_has_its_own_records),
        cmocka_unit_test(a_byte_knows_its_run),
        cmocka_unit_test(a_damaged_recording_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
