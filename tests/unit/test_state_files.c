// Captured states made by a second hand: every field of every version arrives, what is missing is told, what
// is broken is refused.
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/machine.h"
#include "tests/support/mutate.h"
#include "tests/support/p2s_maker.h"
#include "tests/support/scratch.h"

static struct p2s_contents contents;
static struct scratch_level folder;
static char path[512];

static int make_contents(void **state)
{
    (void)state;
    p2s_contents_make(&contents, 1);
    scratch_folder(&folder);
    snprintf(path, sizeof path, "%s/state.p2s", folder.folder);
    return 0;
}

static int free_contents(void **state)
{
    (void)state;
    p2s_contents_free(&contents);
    scratch_level_free(&folder);
    return 0;
}

static void write_file(const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void write_state(const struct p2s_options *options)
{
    size_t size;
    uint8_t *data = p2s_make(&contents, options, &size);
    write_file(data, size);
    free(data);
}

static struct ps2 *new_machine(void)
{
    struct ps2 *ps2;
    assert_int_equal(ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &ps2, NULL), PS2_OK);
    return ps2;
}

// ---- what arrived. Each returns how many values differ and names the first on standard error.

static unsigned compare(const char *what, unsigned n, uint64_t have, uint64_t want)
{
    if (have != want)
        fprintf(stderr, "%s %u: 0x%llx, not 0x%llx\n", what, n, (unsigned long long)have,
                (unsigned long long)want);
    return have != want;
}

static uint32_t word_at(const uint8_t *bytes, uint32_t offset)
{
    uint32_t word;
    memcpy(&word, bytes + offset, 4);
    return word;
}

static unsigned compare_cpu(struct ps2 *ps2)
{
    struct ee *ee = ps2_ee(ps2);
    struct ee_context c;
    unsigned bad = 0;
    ee_save(ee, &c);
    for (unsigned n = 0; n < 32 * 4; n++)
        bad += compare("gpr word", n, c.gpr[n / 4].w[n % 4], contents.gpr[n / 4][n % 4]);
    for (unsigned n = 0; n < 4; n++) {
        bad += compare("hi word", n, c.hi.w[n], contents.hi[n]);
        bad += compare("lo word", n, c.lo.w[n], contents.lo[n]);
    }
    for (unsigned n = 0; n < 32; n++)
        bad += compare("fpr", n, c.fpr[n], contents.fpr[n]);
    bad += compare("acc", 0, c.acc, contents.acc);
    bad += compare("fcr31", 0, c.fcr31, contents.fcr[31]);
    bad += compare("pc", 0, c.pc, contents.pc);
    bad += compare("sa", 0, c.sa, contents.sa);
    for (unsigned n = 0; n < 48 * 4; n++) {
        uint32_t entry[4];
        ee_get_tlb(ee, n / 4, entry);
        bad += compare("tlb word", n, entry[n % 4], contents.tlb[n / 4][n % 4]);
    }
    return bad;
}

// Registers of COP0 that the console has, without Random and Count, which run on.
static unsigned compare_cop0(struct ps2 *ps2)
{
    static const uint8_t registers[] = {0, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 16, 23, 24, 28, 29, 30};
    unsigned bad = 0;
    for (size_t n = 0; n < sizeof registers; n++)
        bad +=
            compare("cop0", registers[n], *ee_cop0(ps2_ee(ps2), registers[n]), contents.cop0[registers[n]]);
    return bad;
}

static unsigned compare_vu(struct ps2 *ps2, unsigned unit)
{
    struct vu *vu = unit ? ps2->hardware.vu.vu1 : ps2->hardware.vu.vu0;
    struct vu_state s;
    unsigned bad = 0;
    size_t size;
    vu_get_state(vu, &s);
    for (unsigned n = 0; n < 32 * 4; n++)
        bad += compare("vf word", n, s.vf[n / 4][n % 4], contents.vf[unit][n / 4][n % 4]);
    for (unsigned n = 0; n < 4; n++)
        bad += compare("vu acc", n, s.acc[n], contents.vu_acc[unit][n]);
    for (unsigned n = 0; n < 16; n++)
        bad += compare("vi", n, s.vi[n], contents.vi[unit][n]);
    const uint32_t *vi = contents.vi[unit];
    bad += compare("status", unit, s.status, vi[16]) + compare("mac", unit, s.mac, vi[17]) +
           compare("clip", unit, s.clip, vi[18]) + compare("r", unit, s.r & 0x7FFFFF, vi[20] & 0x7FFFFF) +
           compare("i", unit, s.i, vi[21]) + compare("q", unit, s.q, contents.q[unit]) +
           compare("tpc", unit, s.tpc, vi[26]);
    if (unit)
        bad += compare("p", unit, s.p, contents.p);
    bad += memcmp(vu_data(vu, &size), contents.vu_data[unit], unit ? 0x4000 : 0x1000) != 0;
    bad += memcmp(vu_micro(vu, &size), contents.vu_program[unit], unit ? 0x4000 : 0x1000) != 0;
    return bad;
}

static unsigned compare_vif(struct ps2 *ps2, unsigned unit)
{
    static const uint8_t both[] = {0x20, 0x30, 0x40, 0x50, 0x70, 0x80, 0x90, 0xD0},
                         second[] = {0xA0, 0xB0, 0xC0, 0xE0};
    const uint8_t *want = contents.hardware + (unit ? 0x3C00 : 0x3800);
    struct vif *vif = ps2->hardware.vif[unit];
    unsigned bad = 0;
    for (size_t n = 0; n < sizeof both; n++)
        bad += compare("vif", both[n], vif_read_register(vif, both[n]), word_at(want, both[n]));
    for (size_t n = 0; unit && n < sizeof second; n++)
        bad += compare("vif1", second[n], vif_read_register(vif, second[n]), word_at(want, second[n]));
    for (unsigned n = 0; n < 4; n++) {
        bad += compare("row", n, vif_read_register(vif, VIF_R0 + 16 * n), contents.vif_row[unit][n]);
        bad += compare("column", n, vif_read_register(vif, VIF_C0 + 16 * n), contents.vif_column[unit][n]);
    }
    return bad;
}

static unsigned compare_devices(struct ps2 *ps2)
{
    static const uint16_t bases[DMA_CHANNELS] = {0x8000, 0x9000, 0xA000, 0xB000, 0xB400,
                                                 0xC000, 0xC400, 0xC800, 0xD000, 0xD400};
    const struct ee_dmac *d = &ps2->hardware.dmac;
    const uint8_t *want = contents.hardware;
    unsigned bad = 0;
    for (unsigned n = 0; n < DMA_CHANNELS; n++)
        for (unsigned r = 0; r < DMA_REGISTERS; r++)
            bad +=
                compare("channel register", 16 * n + r, d->channel[n][r], word_at(want, bases[n] + 16 * r));
    const uint32_t common[] = {d->ctrl, d->stat, d->pcr, d->sqwc, d->rbsr, d->rbor, d->stadr};
    for (unsigned n = 0; n < 7; n++)
        bad += compare("dmac", n, common[n], word_at(want, 0xE000 + 16 * n));
    bad += compare("I_STAT", 0, ps2->hardware.intc.stat, word_at(want, 0xF000));
    bad += compare("I_MASK", 0, ps2->hardware.intc.mask, word_at(want, 0xF010));
    for (unsigned n = 0; n < 4; n++) {
        const struct ee_timer *t = &ps2->hardware.timers.timer[n];
        bad += compare("count", n, t->count, word_at(want, 0x800 * n));
        bad += compare("mode", n, t->mode, word_at(want, 0x800 * n + 0x10));
        bad += compare("comp", n, t->comp, word_at(want, 0x800 * n + 0x20));
        bad += compare("hold", n, t->hold, word_at(want, 0x800 * n + 0x30));
    }
    return bad;
}

static unsigned compare_gs(struct ps2 *ps2)
{
    static const uint8_t environment[P2S_ENVIRONMENT_REGISTERS - 1] = {
        0x00, 0x1A, 0x1C, 0x22, 0x3B, 0x3D, 0x44, 0x45, 0x46, 0x49, 0x50, 0x53, 0x51, 0x52};
    static const uint8_t context[P2S_CONTEXT_REGISTERS] = {0x18, 0x06, 0x14, 0x08, 0x34, 0x36,
                                                           0x40, 0x42, 0x47, 0x4A, 0x4C, 0x4E};
    struct gs *gs = ps2->hardware.gs;
    unsigned bad = 0;
    for (unsigned n = 0; n < sizeof environment; n++)
        bad += compare("gs", environment[n], gs_get(gs, environment[n]), contents.gs_environment[n]);
    for (unsigned n = 0; n < 2 * P2S_CONTEXT_REGISTERS; n++)
        bad += compare("gs context", n,
                       gs_get(gs, context[n % P2S_CONTEXT_REGISTERS] + n / P2S_CONTEXT_REGISTERS),
                       contents.gs_context[n / P2S_CONTEXT_REGISTERS][n % P2S_CONTEXT_REGISTERS]);
    bad += compare("rgbaq", 0, gs_get(gs, GS_RGBAQ), contents.gs_rgbaq);
    bad += compare("st", 0, gs_get(gs, GS_ST), contents.gs_st);
    bad += compare("uv", 0, gs_get(gs, GS_UV), contents.gs_uv);
    for (unsigned at = 0; at < 0x1090; at += at == 0xF0 ? 0xF10 : 0x10) {
        uint64_t want;
        memcpy(&want, contents.gs_privileged + at, 8);
        bad += compare("privileged", at, gs_get_privileged(gs, at), want);
    }
    bad += memcmp(gs_memory(gs), contents.gs_memory, P2S_GS_MEMORY) != 0;
    return bad;
}

static unsigned compare_memory(struct ps2 *ps2)
{
    uint32_t size;
    unsigned bad = memcmp(ee_ram(ps2_ee(ps2), &size), contents.ram, contents.ram_size) != 0;
    return bad + compare("ram size", 0, size, contents.ram_size) +
           (memcmp(ee_scratchpad(ps2_ee(ps2)), contents.scratchpad, sizeof contents.scratchpad) != 0);
}

static unsigned compare_all(struct ps2 *ps2)
{
    return compare_cpu(ps2) + compare_cop0(ps2) + compare_vu(ps2, 0) + compare_vu(ps2, 1) +
           compare_vif(ps2, 0) + compare_vif(ps2, 1) + compare_devices(ps2) + compare_gs(ps2) +
           compare_memory(ps2);
}

// ---- whole states

// Refused, with the file's name and a message, and nothing of it is in the machine.
static void check_refused(struct ps2 *ps2, const char *what, const char *message)
{
    struct ps2_error error = {0};
    uint32_t pc = ee_pc(ps2_ee(ps2));
    if (ps2_load_state(ps2, path, NULL, &error) != PS2_BAD_INPUT)
        fail_msg("%s: taken", what);
    assert_string_equal(error.where, path);
    if (!strstr(error.message, message))
        fail_msg("%s: '%s' lacks '%s'", what, error.message, message);
    assert_int_equal(ee_pc(ps2_ee(ps2)), pc);
}

static void load_and_compare(const struct p2s_options *options)
{
    struct ps2_error error = {0};
    struct ps2_state_info info;
    struct ps2 *ps2 = new_machine();
    write_state(options);
    if (ps2_load_state(ps2, path, &info, &error) != PS2_OK)
        fail_msg("layout 0x%x: %s", (unsigned)options->layout, error.message);
    assert_int_equal(info.version, (uint32_t)options->layout << 16 | options->minor);
    assert_int_equal(info.busy_count, 0);
    for (unsigned n = 0; n < PS2_PARTS; n++)
        if (info.missing[n] && n != PS2_PART_GS_CLUT)
            fail_msg("%s is missing: %s", ps2_part_name(n), info.missing[n]);
    assert_int_equal(compare_all(ps2), 0);
    ps2_free(ps2);
}

static void every_version_arrives(void **state)
{
    (void)state;
    load_and_compare(
        &(struct p2s_options){.layout = P2S_9A0B, .minor = 0, .method = ZIP_DEFLATE, .gs_version = 6});
    load_and_compare(&(struct p2s_options){
        .layout = P2S_9A2C, .minor = 1, .method = ZIP_ZSTD, .order = 7, .gs_version = 7});
    load_and_compare(&(struct p2s_options){.layout = P2S_9A34, .mixed = true, .order = 99});
    load_and_compare(&(struct p2s_options){
        .layout = P2S_9A4B, .method = ZIP_DEFLATE, .streamed = true, .emulator = "v2.1.0"});
    load_and_compare(&(struct p2s_options){
        .layout = P2S_9A59, .mixed = true, .emulator = "v2.3.90", .order = 3, .gs_version = 9});
}

// The 128 MiB of the emulator's extra memory and of development consoles.
static void large_memory_arrives(void **state)
{
    (void)state;
    struct p2s_options options = {.layout = P2S_9A59, .method = ZIP_ZSTD};
    struct ps2_state_info info;
    struct ps2_error error = {0};
    struct ps2 *large, *small = new_machine();
    uint8_t *ram = contents.ram;
    contents.ram = malloc(P2S_RAM_LARGE);
    assert_non_null(contents.ram);
    contents.ram_size = P2S_RAM_LARGE;
    for (size_t n = 0; n < P2S_RAM_LARGE / P2S_RAM; n++) {
        memcpy(contents.ram + n * P2S_RAM, ram, P2S_RAM);
        contents.ram[n * P2S_RAM] ^= (uint8_t)n;
    }
    write_state(&options);
    if (ps2_new_from_state(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, path, &large, &info, &error))
        fail_msg("%s", error.message);
    assert_int_equal(info.ram_size, P2S_RAM_LARGE);
    assert_int_equal(compare_all(large), 0);
    contents.ram[P2S_RAM_LARGE - 1] ^= 1;
    assert_int_equal(compare_all(large), 1);
    check_refused(small, "128 MiB in 32", "holds 128 MiB of RAM, but the machine has 32");
    free(contents.ram);
    contents.ram = ram;
    contents.ram_size = P2S_RAM;
    ps2_free(large);
    ps2_free(small);
}

static void comparing_notices_any_field(void **state)
{
    (void)state;
    // The control: each of these values is another before the comparison.
    struct {
        void *at;
        unsigned (*compare)(struct ps2 *);
    } fields[] = {
        {&contents.gpr[31][3], compare_cpu},           {&contents.cop0[30], compare_cop0},
        {&contents.tlb[47][3], compare_cpu},           {&contents.hardware[0xE060], compare_devices},
        {&contents.hardware[0x1820], compare_devices}, {&contents.gs_context[1][11], compare_gs},
        {&contents.gs_memory[77], compare_gs},         {&contents.scratchpad[0x3FFF], compare_memory},
        {&contents.ram[P2S_RAM - 1], compare_memory}};
    struct ps2 *ps2 = new_machine();
    write_state(&(struct p2s_options){.layout = P2S_9A59, .method = ZIP_ZSTD});
    assert_int_equal(ps2_load_state(ps2, path, NULL, NULL), PS2_OK);
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++) {
        *(uint8_t *)fields[n].at ^= 1;
        assert_int_not_equal(fields[n].compare(ps2), 0);
        *(uint8_t *)fields[n].at ^= 1;
        assert_int_equal(fields[n].compare(ps2), 0);
    }
    ps2_free(ps2);
}

// ---- what is missing, what is in the middle of something

// A state without the large memories, which is quick to make and to read.
static struct p2s_options small_state(void)
{
    return (struct p2s_options){
        .layout = P2S_9A4B,
        .method = ZIP_DEFLATE,
        .without = "eeMemory.bin|GS.bin|iopMemory.bin|iopHwRegs.bin|SPU2.bin|Achievements.bin"};
}

static void missing_parts_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        enum ps2_part parts[8]; // ends with PS2_PARTS
    } entries[] = {
        {"Scratchpad.bin", {PS2_PART_SCRATCHPAD, PS2_PARTS}},
        {"vu0Memory.bin", {PS2_PART_VU0_MEM, PS2_PARTS}},
        {"vu1Memory.bin", {PS2_PART_VU1_MEM, PS2_PARTS}},
        {"vu0MicroMem.bin", {PS2_PART_VU0_MICRO, PS2_PARTS}},
        {"vu1MicroMem.bin", {PS2_PART_VU1_MICRO, PS2_PARTS}},
        {"eeHwRegs.bin",
         {PS2_PART_DMAC, PS2_PART_INTC, PS2_PART_TIMERS, PS2_PART_VIF0, PS2_PART_VIF1, PS2_PART_GIF,
          PS2_PARTS}},
        {"Screenshot.png", {PS2_PARTS}},
    };
    for (size_t n = 0; n < sizeof entries / sizeof *entries; n++) {
        struct p2s_options options = small_state();
        struct ps2_state_info info;
        struct ps2_error error = {0};
        char without[200];
        bool wanted[PS2_PARTS] = {[PS2_PART_EE_RAM] = true,
                                  [PS2_PART_GS] = true,
                                  [PS2_PART_GS_MEM] = true,
                                  [PS2_PART_GS_CLUT] = true};
        snprintf(without, sizeof without, "%s|%s", options.without, entries[n].entry);
        options.without = without;
        for (unsigned k = 0; entries[n].parts[k] < PS2_PARTS; k++)
            wanted[entries[n].parts[k]] = true;
        write_state(&options);
        if (ps2_state_info(path, &info, &error) != PS2_OK)
            fail_msg("without %s: %s", entries[n].entry, error.message);
        for (unsigned k = 0; k < PS2_PARTS; k++)
            if (wanted[k] != (info.missing[k] != NULL))
                fail_msg("without %s: %s is %s", entries[n].entry, ps2_part_name(k),
                         info.missing[k] ? info.missing[k] : "there");
    }
}

// What stands behind a tag that is not there is missing.
static void unknown_tags_are_told(void **state)
{
    (void)state;
    struct p2s_options options = small_state();
    struct ps2_state_info info;
    options.spoilt_tag = "vuMicroRegs";
    write_state(&options);
    assert_int_equal(ps2_state_info(path, &info, NULL), PS2_OK);
    assert_true(info.missing[PS2_PART_VU0] && info.missing[PS2_PART_VU1] && !info.missing[PS2_PART_EE]);
}

static void missing_parts_stay_as_they_are(void **state)
{
    (void)state;
    struct p2s_options options = small_state();
    struct ps2 *ps2 = new_machine();
    const uint32_t mark = 0x12345678;
    assert_int_equal(ps2_write(ps2, 0x100000, &mark, 4, NULL), PS2_OK);
    write_state(&options);
    assert_int_equal(ps2_load_state(ps2, path, NULL, NULL), PS2_OK);
    uint32_t word = 0;
    assert_int_equal(ps2_read(ps2, 0x100000, &word, 4, NULL), PS2_OK);
    assert_int_equal(word, mark);
    assert_int_equal(compare_cpu(ps2) + compare_vu(ps2, 0) + compare_vu(ps2, 1) + compare_devices(ps2), 0);
    ps2_free(ps2);
}

static void units_in_mid_work_are_told(void **state)
{
    (void)state;
    struct p2s_options options = small_state();
    struct ps2_state_info info;
    contents.hardware[0x9001] |= 1; // D1_CHCR.STR
    contents.unpack_bytes[1] = 24;
    write_state(&options);
    assert_int_equal(ps2_state_info(path, &info, NULL), PS2_OK);
    contents.hardware[0x9001] &= 0xFE;
    contents.unpack_bytes[1] = 0;
    unsigned channels = 0, vifs = 0;
    for (size_t n = 0; n < info.busy_count; n++) {
        channels += info.busy[n].part == PS2_PART_DMAC && info.busy[n].channel == DMA_VIF1;
        vifs += info.busy[n].part == PS2_PART_VIF1;
    }
    assert_int_equal(channels, 1);
    assert_int_equal(vifs, 1);
}

// ---- refusals

static void methods_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    struct p2s_options options = small_state();
    struct ps2 *ps2 = new_machine();
    options.method = ZIP_DEFLATE64;
    write_state(&options);
    check_refused(ps2, "deflate64", "deflate64");
    options.method = ZIP_LZMA2;
    write_state(&options);
    check_refused(ps2, "LZMA2", "LZMA2");
    ps2_free(ps2);
}

static void states_that_contradict_themselves_are_refused(void **state)
{
    (void)state;
    struct field {
        const char *what;
        uint32_t *at, wrong;
    } fields[] = {
        {"PRId", &contents.cop0[15], 0x2E21},      {"FCR0", &contents.fcr[0], 0x2E31},
        {"FCR31", &contents.fcr[31], 0},           {"r0", &contents.gpr[0][1], 1},
        {"PC", &contents.pc, 0x00100002},          {"VF00 of VU0", &contents.vf[0][0][3], 0x3F800001},
        {"VF00 of VU1", &contents.vf[1][0][3], 0}, {"VI00", &contents.vi[1][0], 5},
    };
    static const enum p2s_layout layouts[] = {P2S_9A0B, P2S_9A2C, P2S_9A59};
    struct ps2 *ps2 = new_machine();
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        for (size_t k = 0; k < 3; k++) {
            struct p2s_options options = small_state();
            char version[8];
            uint32_t right = *fields[n].at;
            options.layout = layouts[k];
            snprintf(version, sizeof version, "0x%04x", (unsigned)layouts[k]);
            *fields[n].at = fields[n].wrong;
            write_state(&options);
            *fields[n].at = right;
            check_refused(ps2, fields[n].what, version);
        }
    static const char *const tags[] = {"cpuRegs", "Cycles"};
    for (size_t n = 0; n < sizeof tags / sizeof *tags; n++) {
        struct p2s_options options = small_state();
        options.spoilt_tag = tags[n];
        write_state(&options);
        check_refused(ps2, tags[n], "0x9a4b");
    }
    ps2_free(ps2);
}

static void cut_off_states_are_refused(void **state)
{
    (void)state;
    struct p2s_options options = small_state();
    struct ps2 *ps2 = new_machine();
    size_t size;
    uint8_t *data = p2s_make(&contents, &options, &size);
    for (size_t n = 0; n < 64; n++) {
        write_file(data, size * n / 64);
        check_refused(ps2, "cut off", "");
    }
    write_file(data, size - 1);
    check_refused(ps2, "cut off", "");
    write_file(data, size);
    assert_int_equal(ps2_load_state(ps2, path, NULL, NULL), PS2_OK);
    free(data);
    ps2_free(ps2);
}

// Whether the file lacks more than a small state does.
static bool lacks_more(const struct ps2_state_info *info)
{
    unsigned lacks = 0;
    for (unsigned n = 0; n < PS2_PARTS; n++)
        lacks += info->missing[n] != NULL;
    return lacks > 4;
}

// A flipped bit is noticed, or it is where nothing is read: then every value is right. In the name of an
// entry it makes the entry missing.
static void flipped_bits_are_refused(void **state)
{
    (void)state;
    struct mutator m = {99};
    struct p2s_options options = small_state();
    unsigned refused = 0;
    size_t size;
    options.mixed = true;
    uint8_t *data = p2s_make(&contents, &options, &size);
    for (unsigned n = 0; n < 200; n++) {
        struct ps2_error error = {0};
        struct ps2_state_info info;
        struct ps2 *ps2 = new_machine();
        size_t bit = mutate_random(&m) % (8 * size);
        data[bit / 8] ^= 1u << bit % 8;
        write_file(data, size);
        data[bit / 8] ^= 1u << bit % 8;
        if (ps2_load_state(ps2, path, &info, &error) != PS2_OK) {
            assert_int_equal(error.status, PS2_BAD_INPUT);
            refused++;
        } else if (!lacks_more(&info) && compare_cpu(ps2) + compare_vu(ps2, 0) + compare_vu(ps2, 1) +
                                                 compare_vif(ps2, 0) + compare_vif(ps2, 1) +
                                                 compare_devices(ps2) !=
                                             0) {
            fail_msg("bit %zu of %zu changed a value unnoticed", bit, size);
        }
        ps2_free(ps2);
    }
    assert_true(refused > 100);
    free(data);
}

#define BOMB_KILOBYTES 8192 // the file of 64 KiB, its entries and the libraries' windows

static long status_kilobytes(const char *field)
{
    char line[256];
    long value = -1;
    FILE *status = fopen("/proc/self/status", "r");
    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        if (!strncmp(line, field, strlen(field)))
            value = strtol(line + strlen(field), NULL, 10);
    fclose(status);
    assert_true(value >= 0);
    return value;
}

// Kilobytes that reading the file needs at most, beyond what the process holds already.
static long memory_of_reading(struct ps2 *ps2)
{
    long before, most;
    malloc_trim(0);
    FILE *reset = fopen("/proc/self/clear_refs", "w"); // 5: VmHWM is VmRSS
    assert_non_null(reset);
    fputs("5", reset);
    assert_int_equal(fclose(reset), 0);
    before = status_kilobytes("VmRSS:");
    ps2_load_state(ps2, path, NULL, NULL);
    most = status_kilobytes("VmHWM:");
    return most - before;
}

static void bombs_are_refused(void **state)
{
    (void)state;
    static const enum zip_method methods[] = {ZIP_DEFLATE, ZIP_ZSTD};
    struct ps2 *ps2 = new_machine();
    const size_t huge = 64u << 20;
    uint8_t *zeros = calloc(1, huge), version[4] = {0, 0, 0x4B, 0x9A};
    assert_non_null(zeros);
    for (size_t n = 0; n < 2; n++) {
        struct zip_entry entries[] = {
            {.name = "PCSX2 Savestate Version.id", .data = version, .size = 4},
            {.name = "Scratchpad.bin", .data = zeros, .size = huge, .method = methods[n]}};
        size_t size;
        uint8_t *data = zip_make(entries, 2, &size);
        assert_true(size < huge / 100);
        write_file(data, size);
        free(data);
        check_refused(ps2, "a bomb", "Scratchpad.bin: is larger than");
        assert_in_range(memory_of_reading(ps2), 0, BOMB_KILOBYTES);
        // A small entry that says it is huge.
        entries[1].size = 0x4000;
        entries[1].claimed_size = 0xF0000000;
        data = zip_make(entries, 2, &size);
        write_file(data, size);
        free(data);
        check_refused(ps2, "a liar", "");
        assert_in_range(memory_of_reading(ps2), 0, BOMB_KILOBYTES);
    }
    free(zeros);
    // A whole state takes more than that.
    write_state(&(struct p2s_options){.layout = P2S_9A59});
    assert_true(memory_of_reading(ps2) > BOMB_KILOBYTES);
    ps2_free(ps2);
}

static void wrong_checksums_are_refused(void **state)
{
    (void)state;
    static const enum zip_method methods[] = {ZIP_STORED, ZIP_DEFLATE, ZIP_ZSTD};
    struct ps2 *ps2 = new_machine();
    for (size_t n = 0; n < 3; n++) {
        const struct zip_entry entries[] = {// A multiple of 128 KiB: see harness/state/checksum.c.
                                            {.name = "eeMemory.bin",
                                             .data = contents.ram,
                                             .size = P2S_RAM,
                                             .method = methods[n],
                                             .wrong_checksum = true}};
        size_t size;
        uint8_t *data = zip_make(entries, 1, &size);
        write_file(data, size);
        free(data);
        check_refused(ps2, "a wrong checksum", "eeMemory.bin: is damaged");
    }
    ps2_free(ps2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_arrives),
        cmocka_unit_test(large_memory_arrives),
        cmocka_unit_test(comparing_notices_any_field),
        cmocka_unit_test(missing_parts_are_told),
        cmocka_unit_test(unknown_tags_are_told),
        cmocka_unit_test(missing_parts_stay_as_they_are),
        cmocka_unit_test(units_in_mid_work_are_told),
        cmocka_unit_test(methods_that_cannot_be_read_are_named),
        cmocka_unit_test(states_that_contradict_themselves_are_refused),
        cmocka_unit_test(cut_off_states_are_refused),
        cmocka_unit_test(flipped_bits_are_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(wrong_checksums_are_refused),
    };
    return cmocka_run_group_tests(tests, make_contents, free_contents);
}
