// GIF: tags, formats, paths, masks and registers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model/gif_model.h"
#include "tests/support/gif_recorder.h"
#include "tests/support/mutate.h"

struct fixture {
    struct gif gif;
    struct gif_recorder got;
    unsigned ready[GIF_PATHS];
    const uint64_t *resupply; // what the ready port writes
    size_t resupply_count;
};

static void ready(void *context, enum gif_path path)
{
    struct fixture *f = context;
    f->ready[path]++;
    if (f->resupply) {
        size_t taken = gif_write(&f->gif, path, f->resupply, f->resupply_count);
        f->resupply += 2 * taken;
        f->resupply_count -= taken;
        if (!f->resupply_count)
            f->resupply = NULL;
    }
}

static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    struct gs_sink sink = gif_recorder_sink(&f.got);
    gif_init(&f.gif, &sink, &(struct gif_ports){.context = &f, .ready = ready});
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    gif_free(&f->gif);
    return 0;
}

static void expect(const struct gif_recorder *got, size_t at, unsigned number, uint64_t value)
{
    assert_true(at < got->count);
    assert_int_equal(got->writes[at].number, number);
    assert_true(got->writes[at].value == value);
}

// ---- formats

static void packed_mode_moves_every_field(void **state)
{
    struct fixture *f = *state;
    static const struct {
        unsigned number;
        uint64_t value;
    } want[] = {
        {0x00, 0x5ef},
        {0x01, 0x3f800000981067ef},
        {0x02, 0xf123456789abcdef},
        {0x03, 0x05670def},
        {0x04, 0xa96543214567cdef},
        {0x05, 0x765432104567cdef},
        {0x06, 0xf123456789abcdef},
        {0x07, 0xf123456789abcdef},
        {0x08, 0xf123456789abcdef},
        {0x09, 0xf123456789abcdef},
        {0x0a, 0xa900000000000000},
        {0x0c, 0xf123456789abcdef},
        {0x0d, 0xf123456789abcdef},
        {0x10, 0xf123456789abcdef},
    };
    uint64_t data[2 * 17];
    gif_make_tag(data, &(struct gif_tag){.nloop = 1, .eop = true, .nreg = 16, .regs = 0xfedcba9876543210u});
    for (unsigned n = 0; n < 16; n++) {
        data[2 + 2 * n] = 0xf123456789abcdefu;
        data[3 + 2 * n] = 0x0edc7a9876543210u;
    }
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, data, 17), 17);
    assert_int_equal(f->got.count, sizeof want / sizeof *want); // B and F write nothing
    for (size_t n = 0; n < f->got.count; n++)
        expect(&f->got, n, want[n].number, want[n].value);
    assert_int_equal(f->gif.q, 0x76543210);
}

// ran-j/PS2Recomp#197
static void adc_turns_a_vertex_into_one_without_a_kick(void **state)
{
    struct fixture *f = *state;
    uint64_t data[2 * 3] = {0, 0, 1, UINT64_C(1) << 47, 2, UINT64_C(1) << 47};
    gif_make_tag(data, &(struct gif_tag){.nloop = 1, .eop = true, .nreg = 2, .regs = 0x54});
    gif_write(&f->gif, GIF_PATH1, data, 3);
    expect(&f->got, 0, 0x0c, 1);
    expect(&f->got, 1, 0x0d, UINT64_C(0x800000000000) << 32 | 2);
}

static void rgbaq_takes_q_from_its_own_primitive(void **state)
{
    struct fixture *f = *state;
    uint64_t data[] = {0, 0, 0, 0x40000000, 0, 0, /**/ 0, 0, /**/ 0, 0, 0, 0};
    gif_make_tag(data, &(struct gif_tag){.nloop = 1, .nreg = 2, .regs = 0x12});
    gif_make_tag(data + 6, &(struct gif_tag){.nloop = 0, .nreg = 1});
    gif_make_tag(data + 8, &(struct gif_tag){.nloop = 1, .eop = true, .nreg = 1, .regs = 0x1});
    gif_write(&f->gif, GIF_PATH3, data, 6);
    expect(&f->got, 1, 0x01, UINT64_C(0x40000000) << 32);
    expect(&f->got, 2, 0x01, UINT64_C(0x3f800000) << 32);
}

static void pre_writes_prim_only_before_packed_data(void **state)
{
    struct fixture *f = *state;
    uint64_t data[2 * 5];
    gif_make_tag(data, &(struct gif_tag){.nloop = 0, .pre = true, .prim = 1, .nreg = 1});
    gif_make_tag(
        data + 2,
        &(struct gif_tag){.nloop = 1, .pre = true, .prim = 2, .format = GIF_REGLIST, .nreg = 1, .regs = 15});
    gif_make_tag(data + 6, &(struct gif_tag){
                               .nloop = 1, .pre = true, .prim = 0x7ff, .nreg = 1, .regs = 15, .eop = true});
    gif_write(&f->gif, GIF_PATH3, data, 5);
    assert_int_equal(f->got.count, 1);
    expect(&f->got, 0, 0x00, 0x7ff);
}

static void an_empty_tag_can_end_a_packet(void **state)
{
    struct fixture *f = *state;
    uint64_t data[2];
    gif_make_tag(data, &(struct gif_tag){.nloop = 0, .nreg = 3, .regs = 0x555});
    gif_write(&f->gif, GIF_PATH2, data, 1);
    assert_int_equal(gif_active(&f->gif), GIF_PATH2);
    gif_make_tag(data, &(struct gif_tag){.nloop = 0, .eop = true, .nreg = 3});
    gif_write(&f->gif, GIF_PATH2, data, 1);
    assert_int_equal(gif_active(&f->gif), GIF_PATHS);
    assert_int_equal(f->got.count, 0);
    assert_int_equal(f->got.tags, 2);
}

static void an_odd_reglist_drops_its_last_half(void **state)
{
    struct fixture *f = *state;
    uint64_t data[2 * 7];
    for (uint64_t n = 0; n < 14; n++)
        data[n] = 100 + n;
    gif_make_tag(data, &(struct gif_tag){.nloop = 3, .format = GIF_REGLIST, .nreg = 3, .regs = 0xe51});
    gif_make_tag(data + 12, &(struct gif_tag){.nloop = 0, .eop = true});
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, data, 7), 7);
    assert_int_equal(f->got.count, 6); // E writes nothing
    expect(&f->got, 2, 0x01, 105);     // the second loop begins in the upper half
    expect(&f->got, 5, 0x05, 109);
    assert_int_equal(f->got.tags, 2);
}

// ran-j/PS2Recomp#229, PSI-Rockin/DobieStation#279: quirk 40
static void flg_3_is_image(void **state)
{
    struct fixture *f = *state;
    uint64_t data[2 * 3] = {0, 0, 11, 12, 13, 14};
    gif_make_tag(data, &(struct gif_tag){.nloop = 2, .eop = true, .format = GIF_IMAGE});
    data[0] |= UINT64_C(1) << 58; // 2 becomes 3
    gif_write(&f->gif, GIF_PATH3, data, 3);
    assert_int_equal(f->got.image_count, 4);
    assert_int_equal(f->got.image[3], 14);
    assert_int_equal(gif_active(&f->gif), GIF_PATHS);
}

// ---- against the second decoder

enum { STREAM = 200, WRITES = 8192 };

static void make_stream(struct mutator *m, uint64_t *data, size_t quadwords)
{
    size_t at = 0;
    while (at < quadwords) {
        struct gif_tag tag = {
            .nloop = (uint16_t)(mutate_random(m) % 4),
            .pre = mutate_random(m) & 1,
            .prim = (uint16_t)(mutate_random(m) & 0x7ff),
            .format = mutate_random(m) % 4,
            .nreg = (uint8_t)(mutate_random(m) & (mutate_random(m) & 1 ? 15 : 3)),
            .regs = (uint64_t)mutate_random(m) << 32 | mutate_random(m),
            .eop = mutate_random(m) & 1,
        };
        gif_make_tag(data + 2 * at++, &tag);
        if (tag.nreg == 0)
            tag.nreg = 16;
        for (uint32_t left = gif_tag_size(&tag); left && at < quadwords; left--, at++) {
            data[2 * at] = (uint64_t)mutate_random(m) << 32 | mutate_random(m);
            data[2 * at + 1] = (uint64_t)mutate_random(m) << 32 | mutate_random(m);
        }
    }
}

struct all_writes {
    struct gif_model_write row[WRITES];
    size_t count;
};

static bool keep_write(void *context, enum gif_path path, uint8_t number, uint64_t value)
{
    struct all_writes *all = context;
    (void)path;
    assert_true(all->count < WRITES);
    all->row[all->count++] = (struct gif_model_write){number, value};
    return true;
}

static void keep_image(void *context, enum gif_path path, const uint64_t *values, size_t count)
{
    for (size_t n = 0; n < count; n++)
        keep_write(context, path, 0x54, values[n]);
}

static bool same(const struct all_writes *a, const struct gif_model_write *b, size_t count)
{
    if (a->count != count)
        return false;
    for (size_t n = 0; n < count; n++)
        if (a->row[n].number != b[n].number || a->row[n].value != b[n].value)
            return false;
    return true;
}

// Decodes random streams, cut at random places, and compares; a mistake of the model must be found.
static void random_streams_decode_as_by_the_model(void **state)
{
    static struct all_writes got;
    static struct gif_model_write want[WRITES];
    unsigned found[GIF_MODEL_MISTAKES] = {0};
    struct mutator m = {1234567};
    (void)state;
    for (unsigned run = 0; run < 2000; run++) {
        uint64_t data[2 * STREAM];
        struct gif gif;
        make_stream(&m, data, STREAM);
        gif_init(&gif, &(struct gs_sink){.context = &got, .write = keep_write, .image = keep_image}, NULL);
        got.count = 0;
        for (size_t at = 0; at < STREAM;) {
            size_t piece = 1 + mutate_random(&m) % 20;
            piece = piece < STREAM - at ? piece : STREAM - at;
            assert_int_equal(gif_write(&gif, GIF_PATH3, data + 2 * at, piece), piece);
            at += piece;
        }
        for (enum gif_model_mistake k = 0; k < GIF_MODEL_MISTAKES; k++)
            found[k] += !same(&got, want, gif_model(data, STREAM, k, want, WRITES));
    }
    assert_int_equal(found[GIF_MODEL_RIGHT], 0);
    for (enum gif_model_mistake k = 1; k < GIF_MODEL_MISTAKES; k++)
        assert_true(found[k] > 0);
}

// ---- paths

// A PACKED packet of one A+D write of `value` to register 1.
static void make_packet(uint64_t out[4], uint64_t value, bool eop)
{
    gif_make_tag(out, &(struct gif_tag){.nloop = 1, .eop = eop, .nreg = 1, .regs = 0xe});
    out[2] = value;
    out[3] = 1;
}

static void a_mask_holds_path3_at_a_packets_start(void **state)
{
    struct fixture *f = *state;
    uint64_t data[4 * 12];
    for (unsigned n = 0; n < 12; n++)
        make_packet(data + 4 * n, n, true);
    gif_write(&f->gif, GIF_PATH3, data, 1);
    gif_mask_path3(&f->gif, true);
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, data + 2, 23), 1 + 16); // the packet's end, then the FIFO
    assert_int_equal(f->got.count, 1);
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, data + 2 * 18, 6), 0);
    assert_int_equal(gif_write(&f->gif, GIF_PATH2, data, 2), 2); // others are not held
    assert_int_equal(f->got.count, 2);
    f->resupply = data + 2 * 18;
    f->resupply_count = 6;
    gif_mask_path3(&f->gif, false);
    assert_int_equal(f->ready[GIF_PATH3], 1);
    assert_int_equal(f->got.count, 1 + 12);
    for (unsigned n = 1; n < 12; n++)
        expect(&f->got, n + 1, 1, n);
}

static void a_path_waits_for_the_end_of_anothers_packet(void **state)
{
    struct fixture *f = *state;
    uint64_t first[8], second[4];
    make_packet(first, 1, false);
    make_packet(first + 4, 2, true);
    make_packet(second, 3, true);
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, first, 2), 2);
    assert_int_equal(gif_write(&f->gif, GIF_PATH2, second, 2), 0);
    assert_false(gif_kick(&f->gif, second));
    assert_true(gif_kick(&f->gif, second + 2));
    assert_int_equal(f->got.count, 1);
    f->resupply = second;
    f->resupply_count = 2;
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, first + 4, 2), 2);
    assert_int_equal(f->got.count, 4);
    assert_int_equal(f->got.writes[1].path, GIF_PATH3);
    assert_int_equal(f->got.writes[2].path, GIF_PATH1); // the first of those who wait
    assert_int_equal(f->got.writes[3].path, GIF_PATH2);
    assert_int_equal(f->ready[GIF_PATH2], 1);
}

static void who_waits_goes_between_the_packets_of_one_write(void **state)
{
    struct fixture *f = *state;
    static const enum gif_path order[] = {GIF_PATH3, GIF_PATH1, GIF_PATH2, GIF_PATH3};
    uint64_t packets[8], other[4];
    make_packet(packets, 1, true);
    make_packet(packets + 4, 2, true);
    make_packet(other, 3, true);
    gif_write(&f->gif, GIF_PATH3, packets, 1);
    gif_kick(&f->gif, other);
    gif_kick(&f->gif, other + 2);
    gif_write(&f->gif, GIF_PATH2, other, 2);
    f->resupply = other;
    f->resupply_count = 2;
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, packets + 2, 3), 3);
    assert_int_equal(f->got.count, 4);
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(f->got.writes[n].path, order[n]);
}

static void make_image(uint64_t data[2 * 4])
{
    memset(data, 0, 2 * 4 * sizeof *data);
    gif_make_tag(data, &(struct gif_tag){.nloop = 3, .eop = true, .format = GIF_IMAGE});
}

static void intermittent_mode_lets_others_into_an_image(void **state)
{
    struct fixture *f = *state;
    uint64_t image[8], packet[4];
    make_image(image);
    make_packet(packet, 7, true);
    gif_write(&f->gif, GIF_PATH3, image, 2);
    assert_int_equal(gif_write(&f->gif, GIF_PATH2, packet, 2), 0);
    gif_set_mode(&f->gif, false, true);
    assert_int_equal(f->ready[GIF_PATH2], 1);
    assert_int_equal(gif_write_hl(&f->gif, packet, 2), 0); // DIRECTHL waits all the same
    assert_int_equal(gif_write(&f->gif, GIF_PATH2, packet, 1), 1);
    uint64_t value[2];
    gif_read_register(&f->gif, 0x10003020, 4, value);
    assert_int_equal(value[0], 0x4 | 0x20 | 0x200 | 2 << 10); // IMT, IP3, OPH, PATH2
    gif_read_register(&f->gif, 0x10003090, 4, value);
    assert_int_equal(value[0], 2); // P3CNT
    assert_int_equal(gif_write(&f->gif, GIF_PATH2, packet + 2, 1), 1);
    assert_int_equal(gif_write(&f->gif, GIF_PATH3, image + 4, 2), 2);
    assert_int_equal(f->got.image_count, 6);
    assert_int_equal(f->got.count, 1);
    gif_write(&f->gif, GIF_PATH3, image, 2);
    gif_write_hl(&f->gif, packet, 2);
    gif_set_mode(&f->gif, false, true);
    assert_int_equal(f->ready[GIF_PATH2], 1);
    gif_write(&f->gif, GIF_PATH3, image + 4, 2); // the image's end
    assert_int_equal(f->ready[GIF_PATH2], 2);
}

static void a_stalled_gs_stops_every_path(void **state)
{
    struct fixture *f = *state;
    uint64_t data[2 * 3] = {0, 0, 5, 0x60, 6, 0x62};
    gif_make_tag(data, &(struct gif_tag){.nloop = 2, .eop = true, .nreg = 1, .regs = 0xe});
    f->got.stall_at = 0x60;
    assert_int_equal(gif_write(&f->gif, GIF_PATH2, data, 3), 2);
    assert_int_equal(gif_write(&f->gif, GIF_PATH2, data + 4, 1), 0);
    f->resupply = data + 4;
    f->resupply_count = 1;
    gif_resume(&f->gif);
    assert_int_equal(f->got.count, 2);
    assert_int_equal(gif_active(&f->gif), GIF_PATHS);
}

static void too_many_kicked_packets_are_noticed(void **state)
{
    struct fixture *f = *state;
    uint64_t packet[4];
    make_packet(packet, 1, true);
    gif_stop(&f->gif, true);
    for (unsigned n = 0; n < GIF_KICK_QUADWORDS / 2; n++) {
        gif_kick(&f->gif, packet);
        gif_kick(&f->gif, packet + 2);
    }
    assert_false(f->gif.overrun);
    gif_kick(&f->gif, packet);
    assert_true(f->gif.overrun);
}

// ---- registers

static uint64_t read32(struct gif *gif, uint32_t address)
{
    uint64_t value[2];
    assert_null(gif_read_register(gif, address, 4, value));
    return value[0];
}

static void registers_show_the_tag_and_what_is_left(void **state)
{
    struct fixture *f = *state;
    uint64_t data[2 * 3] = {0};
    gif_make_tag(data, &(struct gif_tag){.nloop = 5, .eop = true, .nreg = 3, .regs = 0x123456789abcdef0});
    gif_write(&f->gif, GIF_PATH3, data, 3);
    assert_int_equal(read32(&f->gif, 0x10003040), 0x8005);
    assert_int_equal(read32(&f->gif, 0x10003050), 0x30000000);
    assert_int_equal(read32(&f->gif, 0x10003060), 0x9abcdef0);
    assert_int_equal(read32(&f->gif, 0x10003070), 0x12345678);
    assert_int_equal(read32(&f->gif, 0x10003080), 5 | 3 << 16); // the third descriptor comes next
    assert_int_equal(read32(&f->gif, 0x10003020), 0x200 | 3 << 10);
    gif_set_direction(&f->gif, true);
    assert_int_equal(read32(&f->gif, 0x10003020), 0x1200 | 3 << 10);
}

static void stop_and_reset(void **state)
{
    struct fixture *f = *state;
    uint64_t packet[4], value[2] = {8, 0};
    make_packet(packet, 1, true);
    gif_write_register(&f->gif, 0x10003000, 4, value);
    for (unsigned n = 0; n < 8; n++) {
        assert_null(gif_write_fifo(&f->gif, 0x10006000, 16, packet));
        assert_null(gif_write_fifo(&f->gif, 0x10006000, 16, packet + 2));
    }
    assert_non_null(gif_write_fifo(&f->gif, 0x10006000, 16, packet));
    assert_non_null(gif_write_fifo(&f->gif, 0x10006000, 8, packet));
    assert_int_equal(read32(&f->gif, 0x10003020), 0x10000048); // FQC 16, P3Q, PSE
    value[0] = 0;
    gif_write_register(&f->gif, 0x10003000, 4, value);
    assert_int_equal(f->got.count, 8);
    gif_write(&f->gif, GIF_PATH3, packet, 1);
    value[0] = 1;
    gif_write_register(&f->gif, 0x10003000, 4, value);
    assert_int_equal(read32(&f->gif, 0x10003020), 0);
    value[0] = 5;
    gif_write_register(&f->gif, 0x10003010, 4, value);
    assert_int_equal(read32(&f->gif, 0x10003020), 5);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(packed_mode_moves_every_field),
        CASE(adc_turns_a_vertex_into_one_without_a_kick),
        CASE(rgbaq_takes_q_from_its_own_primitive),
        CASE(pre_writes_prim_only_before_packed_data),
        CASE(an_empty_tag_can_end_a_packet),
        CASE(an_odd_reglist_drops_its_last_half),
        CASE(flg_3_is_image),
        CASE(random_streams_decode_as_by_the_model),
        CASE(a_mask_holds_path3_at_a_packets_start),
        CASE(a_path_waits_for_the_end_of_anothers_packet),
        CASE(who_waits_goes_between_the_packets_of_one_write),
        CASE(intermittent_mode_lets_others_into_an_image),
        CASE(a_stalled_gs_stops_every_path),
        CASE(too_many_kicked_packets_are_noticed),
        CASE(registers_show_the_tag_and_what_is_left),
        CASE(stop_and_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
