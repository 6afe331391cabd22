// The terrain of a synthetic level of retail size (833 patches): patches lit a second by the guest's routine
// on both engines and by the host decoder, the time of a whole level, and how `ps2h diff` scales with its
// jobs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "fixtures/view.h"
#include "harness/formats/level.h"
#include "harness/formats/light.h"
#include "tests/support/fixture_reader.h"
#include "tests/support/scratch.h"
#include "tests/support/yard.h"

enum {
    PATCHES = 833,
    RUNS = 7,
    GS_BASE = 0x2000,
    VIEW = 0x1f00000,
    MASK = 0x1f01000,
    CHAIN = 0x1f10000,
};

static const enum ee_engine engines[] = {EE_ENGINE_UNICORN, EE_ENGINE_INTERP};
static const char *const engine_names[] = {"unicorn", "interp"};

// Processor time, which what else runs on the machine disturbs less.
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void need(enum ps2_status status, const struct ps2_error *error)
{
    if (status) {
        fprintf(stderr, "bench_terrain: %s: %s\n", error->where, error->message);
        exit(1);
    }
}

static void put_file(struct ps2 *ps2, const struct scratch_level *level, const char *name, uint32_t at)
{
    struct ps2_error error;
    size_t size;
    const uint8_t *data = scratch_level_file(level, name, &size);
    need(ps2_write(ps2, at, data, size, &error), &error);
}

static struct ps2 *machine(const struct scratch_level *level, enum ee_engine engine)
{
    const struct ps2_config config = {.engine = engine};
    struct ps2_error error;
    struct ps2 *ps2;
    size_t size;
    const uint8_t *elf = fixture_overlay_elf(&size);
    need(ps2_new(&config, &ps2, &error), &error);
    put_file(ps2, level, "ee_ram.bin", 0);
    need(ps2_load_elf_data(ps2, "overlay.elf", elf, size, &error), &error);
    return ps2;
}

// Calls a routine with up to four numbers; seconds.
static double call(struct ps2 *ps2, const char *function, const uint32_t arguments[4])
{
    struct ps2_argument list[4];
    struct ps2_result result;
    struct ps2_symbol symbol;
    struct ps2_error error;
    for (unsigned i = 0; i < 4; i++)
        list[i] = ps2_integer((int32_t)arguments[i]);
    if (!ps2_find_symbol(ps2, function, &symbol))
        exit(1);
    const struct ps2_call c = {.entry = symbol.address, .arguments = list, .argument_count = 4};
    double start = now();
    need(ps2_call(ps2, &c, &result, &error), &error);
    return now() - start;
}

// ---- light

static double guest_lights(const struct scratch_level *level, enum ee_engine engine)
{
    struct ps2 *ps2 = machine(level, engine);
    double best = 1e9;
    for (unsigned n = 0; n < RUNS; n++) {
        double seconds = call(ps2, "LightAll", (const uint32_t[4]){0});
        best = seconds < best ? seconds : best;
    }
    ps2_free(ps2);
    return best;
}

static double host_lights(const struct fmt_level *level)
{
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    struct ps2_error error;
    double best = 1e9;
    need(fmt_level_lights(level, &bank, &table, &error), &error);
    for (unsigned n = 0; n < RUNS; n++) {
        double start = now();
        for (size_t i = 0; i < PATCHES; i++) {
            struct fmt_light_tally tally = {0};
            struct fmt_patch patch;
            uint8_t colours[1024];
            need(fmt_patch(&level->terrain, i, 0, &patch, &error), &error);
            need(fmt_light_patch(&patch, &bank, &table, colours, &tally, &error), &error);
        }
        best = now() - start < best ? now() - start : best;
    }
    return best;
}

static void lights(const struct scratch_level *files, const struct fmt_level *level)
{
    double host = host_lights(level), yard = yard_dispatch();
    for (unsigned e = 0; e < 2; e++) {
        double seconds = guest_lights(files, engines[e]);
        printf("terrain light, guest, %-7s %8.0f patches/s, %.1f patches for a million of the yardstick's "
               "operations\n",
               engine_names[e], PATCHES / seconds, PATCHES / seconds / yard);
    }
    printf("terrain light, host           %8.0f patches/s\n", PATCHES / host);
}

// ---- a whole level

// A camera behind the middle of the terrain's near edge.
static void put_view(struct ps2 *ps2, const json_t *patches)
{
    const json_t *sphere = json_object_get(json_array_get(patches, 14), "sphere");
    const struct fixture_camera camera =
        fixture_camera_at((double)truth_at(sphere, 0), (double)truth_at(sphere, 1) - 20000,
                          (double)truth_at(sphere, 2) + 30000);
    uint8_t view[FIXTURE_VIEW_SIZE], mask[0x80];
    struct ps2_error error;
    fixture_view(&camera, view);
    memset(mask, 0xff, sizeof mask);
    need(ps2_write(ps2, VIEW, view, sizeof view, &error), &error);
    need(ps2_write(ps2, MASK, mask, sizeof mask, &error), &error);
}

static void whole_level(const struct scratch_level *files, const json_t *truth, enum ee_engine engine,
                        const char *name)
{
    struct ps2 *ps2 = machine(files, engine);
    const struct fixture_file *index = fixture_level_file(files->level, "core_index.bin");
    const uint32_t at = 0x1e00000,
                   gameplay = (uint32_t)truth_int(json_object_get(truth, "memory"), "gameplay");
    const uint32_t terrain = (uint32_t)truth_int(json_object_get(truth, "memory"), "terrain");
    struct ps2_error error;
    size_t size;
    const uint8_t *core = scratch_level_file(files, "core_data.bin", &size);
    need(ps2_write(ps2, terrain, core, rd32(index, 0xc), &error), &error); // the terrain as on the disc
    put_file(ps2, files, "core_index.bin", at);
    put_view(ps2, json_object_get(json_object_get(truth, "terrain"), "patches"));
    const uint32_t load[4] = {terrain, at + rd32(index, 0x34), GS_BASE, gameplay};
    double loaded = call(ps2, "LevelLoad", load);
    double built = call(ps2, "TfragProc", (const uint32_t[4]){VIEW, MASK, CHAIN});
    double drawn = call(ps2, "SendChain", (const uint32_t[4]){CHAIN});
    printf(
        "terrain level, %-7s load and light %.0f ms, TfragProc %.1f ms, VIF1 and VU1 %.1f ms, all %.0f ms\n",
        name, 1e3 * loaded, 1e3 * built, 1e3 * drawn, 1e3 * (loaded + built + drawn));
    ps2_free(ps2);
}

// ---- ps2h diff

struct spent {
    double wall, processor;
};

static struct spent run_diff(const char *program, const struct scratch_level *files, unsigned jobs)
{
    static const char cases[] = "tests/cases/light.yaml tests/cases/load.yaml tests/cases/light-points.yaml "
                                "tests/cases/light-separating.yaml";
    char command[2048];
    struct rusage before, after;
    snprintf(command, sizeof command, "%s diff --jobs %u --set level=%s %s %s %s %s >/dev/null", program,
             jobs, files->folder, cases, cases, cases, cases);
    getrusage(RUSAGE_CHILDREN, &before);
    double start = yard_now();
    if (system(command)) {
        fprintf(stderr, "bench_terrain: failed: %s\n", command);
        exit(1);
    }
    double wall = yard_now() - start;
    getrusage(RUSAGE_CHILDREN, &after);
    const struct timeval *times[] = {&before.ru_utime, &before.ru_stime, &after.ru_utime, &after.ru_stime};
    double processor = 0;
    for (unsigned i = 0; i < 4; i++)
        processor += ((double)times[i]->tv_sec + (double)times[i]->tv_usec * 1e-6) * (i < 2 ? -1 : 1);
    return (struct spent){wall, processor};
}

// The best of some rounds: a busy machine spoils the ratio of the wall clock, so the processor time stands
// beside it.
static void scaling(const char *program, const struct scratch_level *files)
{
    struct spent best[2] = {{1e9, 1e9}, {1e9, 1e9}};
    double load = 0;
    getloadavg(&load, 1);
    for (unsigned n = 0; n < 3; n++)
        for (unsigned k = 0; k < 2; k++) {
            struct spent s = run_diff(program, files, k + 1);
            best[k].wall = s.wall < best[k].wall ? s.wall : best[k].wall;
            best[k].processor = s.processor < best[k].processor ? s.processor : best[k].processor;
        }
    printf("ps2h diff, 16 cases: %.2f s with one job, %.2f s with two (%.2f times as fast), processor time "
           "%.2f and "
           "%.2f s; load average %.1f on %ld processors\n",
           best[0].wall, best[1].wall, best[0].wall / best[1].wall, best[0].processor, best[1].processor,
           load, sysconf(_SC_NPROCESSORS_ONLN));
}

// The program lies in the folder above the benchmarks'.
int main(int argc, char **argv)
{
    struct scratch_level files;
    struct fmt_level level;
    struct ps2_error error;
    char program[512];
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    snprintf(program, sizeof program, "%.*s../ps2h", slash ? (int)(slash - argv[0] + 1) : 0, argv[0]);
    scratch_level_build(&files, PATCHES, NULL, true);
    need(fmt_level_open(files.folder, &level, &error), &error);
    lights(&files, &level);
    json_t *truth = truth_of(files.level);
    for (unsigned e = 0; e < 2; e++)
        whole_level(&files, truth, engines[e], engine_names[e]);
    json_decref(truth);
    scaling(program, &files);
    fmt_level_close(&level);
    scratch_level_free(&files);
    return 0;
}
