// Checks of the gameplay file, the overlay and the light pass (sections 8, 10 and 19); and the whole of a
// level.
#include "harness/check/level.h"

#include "harness/formats/light.h"

#include <math.h>
#include <string.h>

#define TRIALS 200

// Sections end where the next begins; control: the table shuffled.
static void closure(const struct fmt_gameplay *right, struct check_list *list)
{
    struct check c = {
        .name = "gameplay.closure", .unit = "sections", .control = "table shuffled", .need = 1.0};
    struct fmt_gameplay g = *right;
    uint64_t seed = 31;
    uint32_t order[FMT_GAMEPLAY_SECTIONS];
    for (unsigned t = 0; t <= TRIALS; t++) {
        check_shuffle(order, FMT_GAMEPLAY_SECTIONS, &seed);
        for (unsigned s = 0; s < FMT_GAMEPLAY_SECTIONS; s++)
            g.offsets[s] = right->offsets[t ? order[s] : s];
        for (unsigned s = 0; s < FMT_GAMEPLAY_SECTIONS; s++) {
            bool applies, closes = fmt_gameplay_closes(&g, s, &applies);
            struct ps2_error why;
            if (!applies)
                continue;
            fmt_fail(g.file, g.offsets[s], &why, "gameplay: %s does not end where the next section begins",
                     fmt_gameplay_kind(s).name);
            if (t)
                check_control(&c, closes);
            else
                check_count(&c, closes, &why);
        }
    }
    check_list_add(list, &c);
}

static bool unit_length(const uint32_t v[3])
{
    double x = fmt_float(v[0]), y = fmt_float(v[1]), z = fmt_float(v[2]);
    return fabs(x * x + y * y + z * z - 1.0) < 0.01;
}

// Light directions have unit length; control: triples taken 4 to 12 bytes further, across the records.
static void directions(const struct fmt_light_bank *bank, struct check_list *list)
{
    struct check c = {.name = "gameplay.light_directions",
                      .unit = "directions",
                      .control = "triples 1 to 3 words further",
                      .need = 1.0};
    for (int32_t i = 0; i < bank->count && i < FMT_LIGHT_SETS_COPIED; i++)
        for (unsigned half = 0; half < 2; half++) {
            uint32_t words[8];
            const struct fmt_light_set *s = &bank->sets[i];
            memcpy(words, half ? s->direction_b : s->direction_a, 16);
            memcpy(words + 4, half ? bank->sets[(i + 1) % FMT_LIGHT_SETS].colour_a : s->colour_b, 16);
            // A colour of zero marks a direction that nothing uses.
            const uint32_t *colour = half ? s->colour_b : s->colour_a;
            if (fmt_float(colour[0]) != 0 || fmt_float(colour[1]) != 0 || fmt_float(colour[2]) != 0) {
                check_count(&c, unit_length(words), NULL);
                for (unsigned shift = 1; shift <= 3; shift++)
                    check_control(&c, unit_length(words + shift));
            }
        }
    check_list_add(list, &c);
}

// The entry point lies in a section; control: other words of the file as the entry point.
static void sections(struct fmt_span overlay, struct check_list *list)
{
    struct check c = {.name = "overlay.sections",
                      .unit = "overlays",
                      .control = "random words as entry points",
                      .need = 1.0};
    struct fmt_overlay_section s;
    struct ps2_error why = {0};
    uint64_t seed = 33;
    uint32_t words[TRIALS + 1];
    bool hit[TRIALS + 1] = {false}, more = true;
    enum ps2_status status = PS2_OK;
    if (overlay.size < 16)
        return;
    words[0] = fmt_u32(overlay.data + 12);
    for (unsigned t = 1; t <= TRIALS; t++)
        words[t] = fmt_u32(overlay.data + 4 * (check_random(&seed) % (overlay.size / 4)));
    for (size_t at = 0; !(status = fmt_overlay_next(overlay, &at, &s, &more, &why)) && more;)
        for (unsigned t = 0; t <= TRIALS; t++)
            hit[t] |= words[t] - s.destination < s.size;
    if (!status)
        fmt_fail(overlay, 12, &why, "overlay: entry point 0x%x is in no section", words[0]);
    check_count(&c, !status && hit[0], &why);
    for (unsigned t = 1; t <= TRIALS; t++)
        if (words[t] != words[0])
            check_control(&c, hit[t]);
    check_list_add(list, &c);
}

// One place holds the whole curve; control: every other place that starts (1.0, 0.0), and places at random.
static void normal_table(struct fmt_span overlay, struct check_list *list)
{
    struct check c = {
        .name = "overlay.normal_table", .unit = "tables", .control = "decoys and random places", .need = 1.0};
    struct fmt_normal_table table;
    struct fmt_normal_search search;
    struct ps2_error why = {0};
    uint64_t seed = 35;
    check_count(&c, !fmt_normal_table(overlay, &table, &search, &why), &why);
    for (unsigned i = 0; i < search.decoys; i++)
        check_control(&c, false);
    for (unsigned t = 0; t < TRIALS && overlay.size > 0x1000; t++) {
        struct fmt_normal_table other;
        struct fmt_normal_search found;
        struct fmt_span window;
        int64_t at = (int64_t)(check_random(&seed) % (overlay.size - 0x800) & ~(uint64_t)3);
        if (!fmt_part(overlay, at, 0x800, "window", &window, NULL) && at != (int64_t)search.offset)
            check_control(&c, !fmt_normal_table(window, &other, &found, NULL));
    }
    check_list_add(list, &c);
}

// Vertices that the light pass shades; control: the select word of another vertex's colour.
static void lit(const struct fmt_level *level, const struct fmt_light_bank *bank,
                const struct fmt_normal_table *table, struct check_list *list, struct check_totals *totals)
{
    struct check c = {.name = "light.lit",
                      .unit = "vertices",
                      .control = "sets named at random",
                      .need = 0.5,
                      .lead = true};
    struct fmt_light_tally tally = {0, 0, 0};
    uint64_t seed = 37;
    uint8_t rgba[256 * 4];
    int32_t sets = bank->count < FMT_LIGHT_SETS_COPIED ? bank->count : FMT_LIGHT_SETS_COPIED;
    for (size_t i = 0; i < (size_t)level->terrain.count; i++) {
        struct fmt_patch p;
        if (!fmt_patch(&level->terrain, i, 0, &p, NULL))
            fmt_light_patch(&p, bank, table, rgba, &tally, NULL);
    }
    c.passed = tally.lit;
    c.of = tally.vertices;
    for (unsigned t = 0; t < 20 * TRIALS; t++)
        check_control(&c, (int32_t)(check_random(&seed) & 15) < sets);
    totals->lit += tally.lit;
    totals->unlit += tally.missing;
    check_list_add(list, &c);
}

void check_gameplay(const struct fmt_level *level, struct check_list *list, struct check_totals *totals)
{
    struct fmt_gameplay gameplay;
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    struct ps2_error why = {0};
    struct fmt_span file = level->files[FMT_FILE_GAMEPLAY], overlay = level->files[FMT_FILE_OVERLAY];
    if (file.size) {
        struct check c = {
            .name = "gameplay.table", .unit = "tables", .control = "tables a word further on", .need = 1.0};
        bool ok = !fmt_gameplay(file, &gameplay, &why) && !fmt_light_bank(&gameplay, &bank, &why);
        check_count(&c, ok, &why);
        for (size_t at = FMT_GAMEPLAY_SECTIONS * 4; at < 50000 && at + 256 < file.size; at += 16) {
            struct fmt_gameplay other;
            struct fmt_span shifted = {file.data + at, file.size - at, file.name, at};
            bool any = false;
            for (unsigned s = 0; s < FMT_GAMEPLAY_SECTIONS; s++)
                any |= fmt_u32(shifted.data + 4 * s) != 0;
            if (any)
                check_control(&c, !fmt_gameplay(shifted, &other, NULL));
        }
        check_list_add(list, &c);
        if (ok) {
            closure(&gameplay, list);
            directions(&bank, list);
        }
    }
    if (overlay.size) {
        sections(overlay, list);
        normal_table(overlay, list);
    }
    if (!fmt_level_lights(level, &bank, &table, NULL))
        lit(level, &bank, &table, list, totals);
}

enum ps2_status check_level(const struct fmt_level *level, struct check_list *list,
                            struct check_totals *totals, struct ps2_error *error)
{
    size_t before = list->count;
    totals->levels++;
    check_container(level, list);
    check_core(level, list, totals);
    check_textures(level, list);
    check_terrain(level, list, totals);
    check_gameplay(level, list, totals);
    for (size_t i = before; i < list->count; i++)
        if (check_verdict(&list->checks[i]) == CHECK_FAILED) {
            const struct ps2_error *why = &list->checks[i].first;
            return ps2_fail(error, PS2_DIFFERENT, why->where, why->offset, "%s: %s", list->checks[i].name,
                            why->message);
        }
    if (list->incomplete)
        return ps2_fail(error, PS2_BAD_INPUT, level->path, 0, "no memory for the checks");
    return PS2_OK;
}
