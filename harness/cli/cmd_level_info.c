// `ps2h level info`: what a level holds.
#include "harness/cli/json_text.h"
#include "harness/cli/levels.h"
#include "harness/formats/wad.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static void help(FILE *out)
{
    fputs("Usage: ps2h level info [OPTION]... LEVEL...\n"
          "Prints a level's files, the regions of its core data, its tables and its gameplay sections.\n\n"
          "  -j, --jobs N   levels at a time (default 1)\n"
          "      --json     one object per level\n"
          "      --help     this text\n\n"
          "Examples:\n"
          "  ps2h level info LEVEL0.WAD\n"
          "  ps2h level info --json disc/ > levels.json\n\n"
          "Exit status: 0 fine, 2 usage or bad input.\n",
          out);
}

static void add_files(const struct fmt_level *level, json_t *o)
{
    json_t *files = json_object();
    for (unsigned i = 0; i < FMT_LEVEL_FILES; i++)
        if (level->files[i].size)
            json_object_set_new(files, fmt_level_file_name(i),
                                json_integer((json_int_t)level->files[i].size));
    json_object_set_new(o, "files", files);
}

static void add_extents(const struct fmt_level *level, json_t *o)
{
    if (!level->container.size)
        return;
    json_t *extents = json_array();
    json_object_set_new(o, "id", json_integer(level->header.level_id));
    json_object_set_new(o, "reverb", json_integer(level->header.reverb));
    for (unsigned i = 0; i < FMT_LEVEL_EXTENT_COUNT; i++) {
        struct fmt_sectors s = level->header.extents[i];
        if (s.size)
            json_array_append_new(extents, json_pack("{s:s, s:i, s:i}", "name", fmt_level_extent_name(i),
                                                     "sector", s.offset, "sectors", s.size));
    }
    json_object_set_new(o, "extents", extents);
}

// The blocks of core data, each up to the smallest known start above it.
static void add_regions(const struct fmt_level *level, json_t *o)
{
    const struct fmt_core_index *c = &level->core;
    const struct {
        const char *name;
        int32_t start;
    } regions[] = {{"tfrags", c->tfrags},
                   {"occlusion", c->occlusion},
                   {"sky", c->sky},
                   {"collision", c->collision},
                   {"textures", c->textures_base}};
    size_t count;
    int64_t *starts = fmt_core_starts(level->files[FMT_FILE_CORE_INDEX], c, &count);
    json_t *list = json_array();
    for (unsigned i = 0; starts && i < 5; i++) {
        int64_t end = fmt_core_end(starts, count, regions[i].start);
        json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "name", regions[i].name, "start",
                                              (json_int_t)regions[i].start, "end", (json_int_t)end));
    }
    free(starts);
    json_object_set_new(o, "regions", list);
}

static json_t *class_table(const struct fmt_level *level, enum fmt_class_kind kind)
{
    struct fmt_span index = level->files[FMT_FILE_CORE_INDEX];
    struct fmt_table t = fmt_class_table(&level->core, kind);
    int with = 0;
    for (size_t i = 0; i < (size_t)t.count; i++)
        with += fmt_class_entry(index, &level->core, kind, i).offset != 0;
    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "offset", t.offset, "entries", t.count, "with_geometry",
                     with, "plausible_at_0x20", (int)fmt_class_plausible(index, &level->core, kind, 0x20),
                     "plausible_at_0x30", (int)fmt_class_plausible(index, &level->core, kind, 0x30));
}

static void add_tables(const struct fmt_level *level, json_t *o)
{
    json_t *classes = json_object(), *textures = json_object();
    for (unsigned kind = 0; kind < FMT_CLASS_KINDS; kind++)
        json_object_set_new(classes, fmt_class_kind_name(kind), class_table(level, kind));
    struct fmt_named_table t;
    for (unsigned i = 0; (t = fmt_texture_table(&level->core, i)).name; i++)
        json_object_set_new(textures, t.name,
                            json_pack("{s:i, s:i}", "offset", t.table.offset, "entries", t.table.count));
    json_object_set_new(o, "classes", classes);
    json_object_set_new(o, "textures", textures);
    json_object_set_new(o, "gs_ram_entries", json_integer(level->core.gs_ram.count));
}

static void add_terrain(const struct fmt_level *level, json_t *o)
{
    int vertices = 0, triangles = 0;
    for (size_t i = 0; i < (size_t)level->terrain.count; i++) {
        struct fmt_patch_header h = fmt_patch_header(&level->terrain, i);
        vertices += h.vert_count;
        triangles += h.tri_count;
    }
    json_object_set_new(o, "terrain",
                        json_pack("{s:i, s:i, s:i, s:f}", "patches", level->terrain.count, "vertices",
                                  vertices, "triangles", triangles, "lod_distance",
                                  fmt_float(level->terrain.lod_distance)));
}

static void add_gameplay(const struct fmt_level *level, json_t *o)
{
    struct fmt_gameplay g;
    struct fmt_light_bank bank;
    struct fmt_span file = level->files[FMT_FILE_GAMEPLAY];
    json_t *sections = json_array();
    if (file.size && !fmt_gameplay(file, &g, NULL)) {
        for (unsigned s = 0; s < FMT_GAMEPLAY_SECTIONS; s++)
            if (g.offsets[s])
                json_array_append_new(sections,
                                      json_pack("{s:s, s:I, s:I}", "name", fmt_gameplay_kind(s).name,
                                                "offset", (json_int_t)g.offsets[s], "size",
                                                (json_int_t)fmt_gameplay_section(&g, s).size));
        if (!fmt_light_bank(&g, &bank, NULL))
            json_object_set_new(o, "light_sets", json_integer(bank.count));
    }
    json_object_set_new(o, "gameplay", sections);
}

static void add_overlay(const struct fmt_level *level, json_t *o)
{
    struct fmt_span overlay = level->files[FMT_FILE_OVERLAY];
    struct fmt_overlay_section s;
    struct fmt_normal_table table;
    struct fmt_normal_search search;
    unsigned strings;
    bool more = true;
    if (!overlay.size)
        return;
    json_t *sections = json_array();
    for (size_t at = 0; !fmt_overlay_next(overlay, &at, &s, &more, NULL) && more;)
        json_array_append_new(sections, json_pack("{s:I, s:I, s:I, s:I}", "destination",
                                                  (json_int_t)s.destination, "size", (json_int_t)s.size,
                                                  "type", (json_int_t)s.type, "entry", (json_int_t)s.entry));
    json_object_set_new(o, "overlay_sections", sections);
    struct fmt_span pool = fmt_string_pool(overlay, &strings);
    json_object_set_new(
        o, "string_pool",
        json_pack("{s:I, s:I}", "offset", (json_int_t)pool.origin, "strings", (json_int_t)strings));
    if (!fmt_normal_table(overlay, &table, &search, NULL))
        json_object_set_new(o, "normal_table", json_integer((json_int_t)search.offset));
}

static void print_scalar(FILE *out, json_t *v)
{
    if (json_is_string(v))
        fputs(json_string_value(v), out);
    else
        fprintf(out, "%.10g", json_number_value(v));
}

// Text: a line per value and per element of a list; nested names are joined with dots.
static void print_value(FILE *out, const char *name, json_t *v)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_array(v)) {
        json_array_foreach(v, i, item)
        {
            json_t *member;
            fprintf(out, "  %-32s", name);
            json_object_foreach(item, key, member)
            {
                fprintf(out, " %s ", key);
                print_scalar(out, member);
            }
            fputc('\n', out);
        }
    } else if (json_is_object(v)) {
        json_object_foreach(v, key, item)
        {
            char *path;
            if (asprintf(&path, "%s%s%s", name, *name ? "." : "", key) < 0)
                return;
            print_value(out, path, item);
            free(path);
        }
    } else {
        fprintf(out, "  %-32s ", name);
        print_scalar(out, v);
        fputc('\n', out);
    }
}

static enum ps2_status info_one(const char *path, void *context, FILE *out, json_t **json,
                                struct ps2_error *error)
{
    struct fmt_level level;
    enum ps2_status status = fmt_level_open(path, &level, error);
    (void)context;
    if (status)
        return status;
    json_t *o = json_pack("{s:o}", "level", json_text(path));
    add_extents(&level, o);
    add_files(&level, o);
    add_regions(&level, o);
    add_tables(&level, o);
    add_terrain(&level, o);
    add_gameplay(&level, o);
    add_overlay(&level, o);
    fmt_level_close(&level);
    if (json) {
        *json = o;
    } else {
        fprintf(out, "%s\n", path);
        json_object_del(o, "level");
        print_value(out, "", o);
        json_decref(o);
    }
    return PS2_OK;
}

int level_info(int argc, char **argv)
{
    static const struct option options[] = {{"jobs", required_argument, NULL, 'j'},
                                            {"json", no_argument, NULL, 'J'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct level_options o = {NULL, 0, 1, false};
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":j:", options, NULL)) != -1;) {
        if (c == 'h') {
            help(stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("level info", c, argv);
        if (c == 'j' && !levels_number(optarg, "--jobs", 1, 256, &o.jobs))
            return PS2_BAD_INPUT;
        o.json |= c == 'J';
    }
    if (optind == argc)
        return cli_usage_error("level info: no level given; see `ps2h level info --help`");
    o.paths = argv + optind;
    o.path_count = argc - optind;
    return levels_run(&o, info_one, NULL);
}
