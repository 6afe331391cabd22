// Snapshots: everything that a program can change comes back, at whatever place it was changed, on every
// engine; what is refused; and calls run from one state on two machines.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/view.h"
#include "harness/snapshot.h"
#include "harness/state/parts.h"
#include "tests/support/fixture_reader.h"
#include "tests/support/overlay_machine.h"

enum { CODE = 0x00100000, DATA = 0x00200000, PAGE = 0x1000 };

static const enum ee_engine engines[] = {EE_ENGINE_UNICORN, EE_ENGINE_INTERP, EE_ENGINE_LOCKSTEP};
#define ENGINES (sizeof engines / sizeof *engines)

static struct ps2 *machine_with(enum ee_engine engine, const uint32_t *words, size_t count)
{
    struct ps2 *ps2;
    struct ps2_error error = {0};
    if (ps2_new(&(struct ps2_config){.engine = engine}, &ps2, &error) != PS2_OK)
        fail_msg("%s", error.message);
    assert_int_equal(ps2_write(ps2, CODE, words, 4 * count, NULL), PS2_OK);
    return ps2;
}
#define MACHINE(engine, words) machine_with(engine, words, sizeof(words) / sizeof *(words))

static struct ps2_snapshot *take(struct ps2 *ps2)
{
    struct ps2_snapshot *s;
    struct ps2_error error = {0};
    if (ps2_snapshot_take(ps2, &s, &error) != PS2_OK)
        fail_msg("%s", error.message);
    return s;
}

static void restore(struct ps2 *ps2, struct ps2_snapshot *s)
{
    struct ps2_error error = {0};
    if (ps2_snapshot_restore(ps2, s, &error) != PS2_OK)
        fail_msg("%s", error.message);
}

static uint64_t call(struct ps2 *ps2)
{
    struct ps2_result result;
    struct ps2_error error = {0};
    if (ps2_call(ps2, &(struct ps2_call){.entry = CODE, .limits = {.insns = 100000}}, &result, &error) !=
        PS2_OK)
        fail_msg("%s", error.message);
    return result.v0.d[0];
}

// ---- many calls

// A counter on each of four pages goes up; the sum is returned.
static const uint32_t dirties_four_pages[] = {
    0x3c080020, // lui   t0, 0x20
    0x24090004, // li    t1, 4
    0x00001025, // move  v0, zero
    0x8d0a0010, // lw    t2, 16(t0)
    0x254a0001, // addiu t2, t2, 1
    0x01425021, // addu  t2, t2, v0
    0xad0a0010, // sw    t2, 16(t0)
    0x004a1021, // addu  v0, v0, t2
    0x2529ffff, // addiu t1, t1, -1
    0x1520fff9, // bnez  t1, lw
    0x25081000, // addiu t0, t0, 0x1000
    0x44826000, // mtc1  v0, f12
    0x03e00008, // jr    ra
    0x4a0000bf, // (slot) vsub.none: reaches VU0
};

static long resident_kilobytes(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*d %ld", &pages), 1);
    fclose(f);
    return 4 * pages;
}

static void calls_repeat_from_a_snapshot(enum ee_engine engine, unsigned calls)
{
    struct ps2 *ps2 = MACHINE(engine, dirties_four_pages);
    for (uint32_t n = 0; n < 64; n++) // what the full hash has to see
        assert_int_equal(ps2_write(ps2, DATA + 0x10000 * n, &n, 4, NULL), PS2_OK);
    struct ps2_snapshot *s = take(ps2);
    uint64_t whole = ps2_state_hash(ps2), after = 0, value = 0;
    long resident = 0;
    for (unsigned n = 0; n < calls; n++) {
        size_t pages;
        uint64_t v0 = call(ps2), hash = ps2_dirty_hash(ps2, &pages);
        assert_int_equal(pages, 4);
        if (n == 0) {
            after = hash;
            value = v0;
            assert_int_not_equal(ps2_state_hash(ps2), whole);
        }
        assert_int_equal(hash, after);
        assert_int_equal(v0, value);
        restore(ps2, s);
        if (n % 1000 == 0)
            assert_int_equal(ps2_state_hash(ps2), whole);
        if (n == calls / 10)
            resident = resident_kilobytes();
    }
    assert_in_range(resident_kilobytes(), 0, resident + 512);
    // The control: without a restore the next call's state is another.
    size_t pages;
    call(ps2);
    call(ps2);
    assert_int_not_equal(ps2_dirty_hash(ps2, &pages), after);
    ps2_snapshot_free(s);
    ps2_free(ps2);
}

static void many_calls(void **state)
{
    const char *more = getenv("SNAPSHOT_CALLS"); // 100000 is the campaign
    unsigned calls = more ? (unsigned)strtoul(more, NULL, 10) : 20000;
    (void)state;
    calls_repeat_from_a_snapshot(EE_ENGINE_UNICORN, calls);
    calls_repeat_from_a_snapshot(EE_ENGINE_INTERP, calls);
    calls_repeat_from_a_snapshot(EE_ENGINE_LOCKSTEP, calls / 20);
}

// ---- code

// Returns the immediate of its own second instruction, after having made it one larger for the next call.
static const uint32_t counts_in_its_code[] = {
    0x3c080010, // lui   t0, 0x10
    0x24020007, // li    v0, 7
    0x8d090004, // lw    t1, 4(t0)
    0x25290001, // addiu t1, t1, 1
    0x03e00008, // jr    ra
    0xad090004, // sw    t1, 4(t0)
};

static void code_that_was_changed_runs_as_it_was(void **state)
{
    (void)state;
    for (size_t e = 0; e < ENGINES; e++) {
        struct ps2 *ps2 = MACHINE(engines[e], counts_in_its_code);
        assert_int_equal(call(ps2), 7);
        struct ps2_snapshot *s = take(ps2);
        for (unsigned n = 0; n < 10; n++) {
            assert_int_equal(call(ps2), 8);
            assert_int_equal(call(ps2), 9);
            restore(ps2, s);
        }
        ps2_snapshot_free(s);
        ps2_free(ps2);
    }
}

// ---- several snapshots, several machines

static void snapshots_are_restored_in_any_order_and_machine(void **state)
{
    struct ps2 *ps2[ENGINES];
    struct ps2_snapshot *s[3];
    uint64_t hash[3];
    (void)state;
    for (size_t e = 0; e < ENGINES; e++)
        ps2[e] = MACHINE(engines[e], dirties_four_pages);
    for (unsigned n = 0; n < 3; n++) {
        // The last page is zero again in the third snapshot, and never written in the first.
        const uint32_t value = n == 1 ? 0x12345678 : 0;
        if (n)
            assert_int_equal(ps2_write(ps2[0], DATA + 0x100000, &value, 4, NULL), PS2_OK);
        s[n] = take(ps2[0]);
        hash[n] = ps2_state_hash(ps2[0]);
        assert_true(n == 0 || hash[n] != hash[n - 1]);
        call(ps2[0]);
    }
    for (unsigned n = 0; n < 36; n++) {
        unsigned which = n * 5 % 3;
        struct ps2 *here = ps2[n / 2 % ENGINES];
        restore(here, s[which]);
        assert_int_equal(ps2_state_hash(here), hash[which]);
        assert_int_equal(ps2_snapshot_compare(here, s[which], NULL), PS2_OK);
        assert_int_equal(ps2_snapshot_compare(here, s[(which + 1) % 3], NULL), PS2_DIFFERENT);
        if (n % 4)
            call(here);
    }
    ps2_snapshot_free(s[0]); // may be a base still
    for (size_t e = 0; e < ENGINES; e++)
        ps2_free(ps2[e]);
    ps2_snapshot_free(s[1]); // outlives the machines
    ps2_snapshot_free(s[2]);
}

// ---- every field of every unit

// Changes the first bit of field number `wanted`, and remembers its name.
struct flip {
    unsigned wanted, at;
    const char *name;
    size_t size;
};

static void flip_field(void *context, const char *name, void *data, size_t size, unsigned width)
{
    struct flip *f = context;
    (void)width;
    if (f->at++ != f->wanted)
        return;
    *(uint8_t *)data ^= 1;
    f->name = name;
    f->size = size;
}

// How many fields of a unit were changed, noticed by name, and put back.
static unsigned flip_fields(struct ps2 *ps2, struct ps2_snapshot *s, const struct snapshot_unit *unit)
{
    size_t pages;
    uint64_t hash = ps2_dirty_hash(ps2, &pages);
    unsigned count = 0;
    for (;; count++) {
        struct flip f = {.wanted = count};
        struct ps2_error error = {0};
        char expected[96];
        assert_true(unit->visit(ps2, flip_field, &f));
        if (!f.name)
            return count;
        snprintf(expected, sizeof expected, "states differ: %s %s", unit->name, f.name);
        if (ps2_snapshot_compare(ps2, s, &error) != PS2_DIFFERENT ||
            strncmp(error.message, expected, strlen(expected)))
            fail_msg("%s %s changed: '%s'", unit->name, f.name, error.message);
        if (ps2_dirty_hash(ps2, &pages) == hash)
            fail_msg("%s %s changed and the hash did not", unit->name, f.name);
        restore(ps2, s);
        if (ps2_snapshot_compare(ps2, s, &error) != PS2_OK)
            fail_msg("%s %s put back: '%s'", unit->name, f.name, error.message);
        if (ps2_dirty_hash(ps2, &pages) != hash)
            fail_msg("%s %s put back: another hash", unit->name, f.name);
    }
}

// Stops in the middle of a program: eight pairs of ADD and an integer addition.
static void begin_program(struct vu *vu)
{
    const uint32_t pair[2] = {0x10010001, 0x01e00028};
    struct vu_stop stop;
    for (size_t n = 0; n < 8; n++)
        assert_true(vu_write_micro(vu, 8 * n, pair, sizeof pair));
    vu_start(vu, 0);
    vu_run(vu, 5, false, &stop);
    assert_int_equal(stop.kind, VU_LIMIT);
}

static void every_field_comes_back(void **state)
{
    static const struct {
        const char *unit;
        unsigned least;
    } expected[] = {{"ee", 20},   {"intc", 2},  {"timers", 20}, {"dmac", 19}, {"vu0", 60},  {"vu1", 57},
                    {"vif0", 44}, {"vif1", 44}, {"gif", 54},    {"gs", 37},   {"wires", 3}, {"kernel", 800}};
    const struct ps2_kernel options = {0};
    struct ps2 *ps2 = MACHINE(EE_ENGINE_INTERP, dirties_four_pages);
    (void)state;
    assert_int_equal(ps2_attach_kernel(ps2, &options, NULL), PS2_OK);
    call(ps2);
    begin_program(ps2->hardware.vu.vu0);
    begin_program(ps2->hardware.vu.vu1);
    struct ps2_snapshot *s = take(ps2);
    assert_int_equal(snapshot_unit_count, sizeof expected / sizeof *expected);
    for (size_t n = 0; n < snapshot_unit_count; n++) {
        assert_string_equal(snapshot_units[n].name, expected[n].unit);
        assert_in_range(flip_fields(ps2, s, &snapshot_units[n]), expected[n].least, 5000);
    }
    ps2_snapshot_free(s);
    ps2_free(ps2);
}

// ---- memories

static void put_device(struct ps2 *ps2, uint32_t address, uint64_t value)
{
    const struct hardware *h = &ps2->hardware;
    const uint64_t quadword[2] = {value, 0};
    for (unsigned n = 0; n < 4; n++) {
        const struct ee_device *d = &h->vu.devices[n];
        if (address - d->base < d->size)
            assert_null(d->write(d->context, address, 8, quadword));
    }
}

static void pairs_never_written_are_so_again(void **state)
{
    struct ps2 *ps2 = MACHINE(EE_ENGINE_INTERP, dirties_four_pages);
    struct vu *vu1 = ps2->hardware.vu.vu1;
    struct vu_stop stop;
    (void)state;
    put_device(ps2, 0x11008000, UINT64_C(0x400002ff8000033c)); // NOP[E] NOP, and one pair behind
    put_device(ps2, 0x11008008, UINT64_C(0x000002ff8000033c));
    struct ps2_snapshot *s = take(ps2);
    for (unsigned n = 0; n < 3; n++) {
        vu_start(vu1, 2);
        vu_run(vu1, 0, false, &stop);
        assert_int_equal(stop.kind, VU_OUTSIDE);
        put_device(ps2, 0x11008010, UINT64_C(0x400002ff8000033c));
        put_device(ps2, 0x11008018, 0); // differs in nothing but having been written
        put_device(ps2, 0x11008000, UINT64_C(0x000002ff8000033c));
        vu_start(vu1, 2);
        vu_run(vu1, 0, false, &stop);
        assert_int_equal(stop.kind, VU_ENDED);
        assert_int_equal(ps2_snapshot_compare(ps2, s, NULL), PS2_DIFFERENT);
        restore(ps2, s);
        assert_int_equal(ps2_snapshot_compare(ps2, s, NULL), PS2_OK);
        vu_start(vu1, 0);
        vu_run(vu1, 0, false, &stop);
        assert_int_equal(stop.kind, VU_ENDED);
        restore(ps2, s);
    }
    ps2_snapshot_free(s);
    ps2_free(ps2);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *seed >> 33;
}

// A transfer within local memory, or some values from the host.
static void random_transfer(struct gs *gs, uint64_t *seed)
{
    size_t count;
    const struct gs_format *formats = gs_formats(&count);
    uint64_t from = next_random(seed) % 0x4000, to = next_random(seed) % 0x4000;
    uint64_t psm = formats[next_random(seed) % count].psm, width = 1 + next_random(seed) % 16;
    uint64_t values[64];
    bool within = next_random(seed) % 3 == 0;
    gs_write(gs, GS_BITBLTBUF, from | width << 16 | psm << 24 | to << 32 | width << 48 | psm << 56);
    gs_write(gs, GS_TRXPOS,
             next_random(seed) % 2048 | (next_random(seed) % 2048) << 16 | (next_random(seed) % 2048) << 32 |
                 (next_random(seed) % 2048) << 48);
    gs_write(gs, GS_TRXREG, (1 + next_random(seed) % 200) | (1 + next_random(seed) % 200) << 32);
    gs_write(gs, GS_TRXDIR, within ? 2 : 0);
    for (unsigned n = 0; n < 64; n++)
        values[n] = next_random(seed) << 32 ^ next_random(seed);
    for (uint64_t n = next_random(seed) % 100; n > 0; n--)
        gs_image(gs, values, 1 + next_random(seed) % 64);
}

static uint64_t random_vertex(uint64_t *seed)
{
    return next_random(seed) % 0x3000 | (next_random(seed) % 0x3000) << 16 | next_random(seed) << 32;
}

// A strip of a few triangles, lines or sprites into a buffer of any format, with a Z buffer perhaps.
static void random_drawing(struct gs *gs, uint64_t *seed)
{
    static const uint8_t formats[] = {0x00, 0x01, 0x02, 0x0a, 0x30, 0x32};
    uint64_t psm = formats[next_random(seed) % sizeof formats], width = 1 + next_random(seed) % 10;
    gs_write(gs, GS_FRAME_1, next_random(seed) % 512 | width << 16 | psm << 24);
    gs_write(gs, GS_ZBUF_1, next_random(seed) % 512 | (next_random(seed) % 2) << 24);
    gs_write(gs, GS_SCISSOR_1,
             next_random(seed) % 64 | (64 + next_random(seed) % 900) << 16 | (next_random(seed) % 64) << 32 |
                 (64 + next_random(seed) % 900) << 48);
    gs_write(gs, GS_XYOFFSET_1, next_random(seed) % 0x800 | (next_random(seed) % 0x800) << 32);
    gs_write(gs, GS_TEST_1, (UINT64_C(1) | next_random(seed) % 2) << 17);
    gs_write(gs, GS_PRIM,
             next_random(seed) % 7 | (next_random(seed) % 2) << 3 | (next_random(seed) % 2) << 7);
    for (unsigned n = 0; n < 6; n++) {
        gs_write(gs, GS_RGBAQ, next_random(seed) << 32 ^ next_random(seed));
        gs_write(gs, GS_XYZ2, random_vertex(seed));
    }
}

static void local_memory_comes_back(void **state)
{
    struct ps2 *ps2 = MACHINE(EE_ENGINE_INTERP, dirties_four_pages);
    struct gs *gs = ps2->hardware.gs;
    uint64_t seed = 9;
    uint8_t *copy = malloc(GS_MEMORY_SIZE);
    unsigned changed[2] = {0, 0};
    (void)state;
    assert_non_null(copy);
    assert_true(gs_draw_enable(gs, NULL));
    for (unsigned n = 0; n < 100; n++)
        random_transfer(gs, &seed);
    struct ps2_snapshot *s = take(ps2);
    memcpy(copy, gs_memory(gs), GS_MEMORY_SIZE);
    for (unsigned n = 0; n < 400; n++) {
        for (unsigned k = 0; k < 1 + n % 3; k++)
            (n % 2 ? random_drawing : random_transfer)(gs, &seed);
        changed[n % 2] += memcmp(copy, gs_memory(gs), GS_MEMORY_SIZE) != 0;
        restore(ps2, s);
        assert_memory_equal(copy, gs_memory(gs), GS_MEMORY_SIZE);
    }
    assert_in_range(changed[0], 150, 200);
    assert_in_range(changed[1], 150, 200);
    ps2_snapshot_free(s);
    free(copy);
    ps2_free(ps2);
}

// Memories that a captured state or a raw dump fills. The whole hash looks at every byte, marked or not.
static void what_a_tool_fills_comes_back(void **state)
{
    struct ps2 *ps2 = MACHINE(EE_ENGINE_INTERP, dirties_four_pages);
    struct ps2_snapshot *s = take(ps2);
    uint64_t hash = ps2_state_hash(ps2);
    unsigned filled = 0;
    (void)state;
    for (unsigned part = 0; part < PS2_PARTS; part++) {
        size_t size = part_size(ps2, (enum ps2_part)part);
        uint8_t *bytes = size ? calloc(1, size) : NULL;
        if (!bytes)
            continue;
        bytes[size - 1] = 0x5a;
        bytes[size / 2] = (uint8_t)part;
        part_fill(ps2, (enum ps2_part)part, bytes, size);
        free(bytes);
        assert_int_not_equal(ps2_state_hash(ps2), hash);
        restore(ps2, s);
        assert_int_equal(ps2_state_hash(ps2), hash);
        filled++;
    }
    assert_int_equal(filled, 7);
    ps2_snapshot_free(s);
    ps2_free(ps2);
}

// ---- refusals

static struct ps2_snapshot *within_a_call;
static enum ps2_status taken, restored;

static void notice(void *context, const struct guest_access *a)
{
    struct ps2_snapshot *s;
    (void)a;
    taken = ps2_snapshot_take(context, &s, NULL);
    restored = ps2_snapshot_restore(context, within_a_call, NULL);
}

static void what_cannot_be_is_refused(void **state)
{
    const struct ps2_kernel options = {0};
    struct ps2_snapshot *s, *large;
    struct ps2 *ps2 = MACHINE(EE_ENGINE_INTERP, dirties_four_pages), *other;
    const struct guest_observer observer = {.context = ps2, .access = notice};
    struct ps2_error error = {0};
    (void)state;
    within_a_call = s = take(ps2);
    taken = restored = PS2_OK;
    assert_int_equal(ps2_attach(ps2, &observer, NULL), PS2_OK);
    call(ps2);
    ps2_detach(ps2, &observer);
    assert_int_equal(taken, PS2_BAD_INPUT);
    assert_int_equal(restored, PS2_BAD_INPUT);
    assert_int_equal(ps2_attach_kernel(ps2, &options, NULL), PS2_OK);
    assert_int_equal(ps2_snapshot_restore(ps2, s, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "the machine has a kernel"));
    assert_int_equal(ps2_snapshot_compare(ps2, s, &error), PS2_DIFFERENT);
    assert_int_equal(ps2_new(&(struct ps2_config){.ram_size = EE_RAM_SIZE_LARGE}, &other, NULL), PS2_OK);
    assert_int_equal(ps2_snapshot_restore(other, s, &error), PS2_BAD_INPUT);
    assert_non_null(strstr(error.message, "as much RAM"));
    large = take(other);
    assert_int_equal(ps2_snapshot_restore(ps2, large, &error), PS2_BAD_INPUT);
    ps2_snapshot_free(s);
    ps2_snapshot_free(large);
    ps2_free(other);
    ps2_free(ps2);
}

// ---- lockstep of whole states

static enum ps2_status both(struct ps2 *a, struct ps2 *b, uint32_t entry, const uint32_t *values,
                            size_t count, struct ps2_error *error)
{
    struct ps2_argument arguments[4];
    struct ps2_result result;
    for (size_t n = 0; n < count; n++)
        arguments[n] = ps2_integer((int32_t)values[n]);
    return ps2_call_both(
        a, b,
        &(struct ps2_call){
            .entry = entry, .arguments = arguments, .argument_count = count, .limits = {.insns = 200000000}},
        &result, error);
}
#define BOTH(m, b, function, error, ...)                                                                     \
    both((m)->ps2, b, overlay_symbol(m, function), (const uint32_t[]){__VA_ARGS__},                          \
         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), error)

enum { PATCHES = 20, VIEW = 0x1a00000, MASK = 0x1a01000, CHAIN = 0x1a10000, INDEX = 0x1a40000 };

static void put_view(struct overlay_machine *m)
{
    const json_t *sphere = json_object_get(overlay_patch(m, 5), "sphere");
    const struct fixture_camera camera =
        fixture_camera_at((double)truth_at(sphere, 0) + 700, (double)truth_at(sphere, 1) - 30000,
                          (double)truth_at(sphere, 2) + 6000);
    const struct fixture_file *index = overlay_file(m, "core_index.bin");
    uint8_t view[FIXTURE_VIEW_SIZE], mask[0x80];
    fixture_view(&camera, view);
    memset(mask, 0xff, sizeof mask);
    overlay_write(m, VIEW, view, sizeof view);
    overlay_write(m, MASK, mask, sizeof mask);
    overlay_write(m, INDEX, index->data, index->size);
}

static void the_overlay_leaves_one_state_on_both_engines(void **state)
{
    struct overlay_machine m;
    struct ps2 *second;
    struct ps2_error error = {0};
    (void)state;
    overlay_machine_new(&m, PATCHES, EE_ENGINE_UNICORN, PLANT_NONE);
    assert_int_equal(ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &second, NULL), PS2_OK);
    put_view(&m);
    uint32_t textures = INDEX + rd32(overlay_file(&m, "core_index.bin"), 0x34);
    if (BOTH(&m, second, "LightAll", &error, 0) || BOTH(&m, second, "TfragProc", &error, VIEW, MASK, CHAIN) ||
        BOTH(&m, second, "SendChain", &error, CHAIN) || BOTH(&m, second, "CopyLights", &error, m.gameplay) ||
        BOTH(&m, second, "TfragInit", &error, m.terrain, textures, 0x2800))
        fail_msg("%s", error.message);
    // VU1 has worked and the GS has got its registers.
    assert_int_not_equal(gs_get(m.ps2->hardware.gs, GS_XYZF2), 0);
    assert_int_equal(ps2_state_hash(m.ps2), ps2_state_hash(second));
    // The control: one of the two does not light.
    const union ee_reg zero = {{0}};
    assert_int_equal(ps2_stub(second, overlay_symbol(&m, "LightTfrags"), zero, 0, NULL), PS2_OK);
    assert_int_equal(BOTH(&m, second, "LightAll", &error, 0), PS2_DIFFERENT);
    assert_non_null(strstr(error.message, "calls differ: "));
    ps2_free(second);
    overlay_machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_calls),
        cmocka_unit_test(code_that_was_changed_runs_as_it_was),
        cmocka_unit_test(snapshots_are_restored_in_any_order_and_machine),
        cmocka_unit_test(every_field_comes_back),
        cmocka_unit_test(pairs_never_written_are_so_again),
        cmocka_unit_test(local_memory_comes_back),
        cmocka_unit_test(what_a_tool_fills_comes_back),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(the_overlay_leaves_one_state_on_both_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
