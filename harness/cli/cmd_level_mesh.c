// `ps2h level mesh`: the terrain of one level or many as glTF 2.0 binaries.
#include "harness/cli/json_text.h"
#include "harness/cli/levels.h"
#include "harness/file.h"
#include "harness/formats/mesh.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void help(FILE *out)
{
    fputs("Usage: ps2h level mesh LEVEL... [OPTION]... -o FILE.glb\n"
          "Writes the terrain as a glTF 2.0 binary: positions (world units, Y up), UVs, colours, textures. "
          "Colours are\n"
          "the light pass's when the level has its gameplay file and overlay, otherwise the stored ones.\n\n"
          "  -l, --lod N         0 (default), 1 or 2\n"
          "  -u, --unlit         the stored colours\n"
          "  -j, --jobs N        levels at a time (default 1)\n"
          "  -o, --output FILE   the file to write; with several levels a folder, one <level>.glb each\n"
          "      --json          one object per level\n"
          "      --help          this text\n\n"
          "Examples:\n"
          "  ps2h level mesh LEVEL0.WAD -o level0.glb\n"
          "  ps2h level mesh --lod 2 --jobs 4 disc/ -o meshes\n\n"
          "Exit status: 0 fine, 2 usage or bad input.\n",
          out);
}

struct request {
    const char *output;
    unsigned lod;
    bool unlit, many;
};

static void report(const char *file, const struct fmt_mesh *mesh, const char *colours, FILE *out,
                   json_t **json)
{
    if (json)
        *json = json_pack("{s:o, s:I, s:I, s:I, s:s}", "file", json_text(file), "vertices",
                          (json_int_t)mesh->vertex_count, "triangles", (json_int_t)mesh->triangle_count,
                          "materials", (json_int_t)mesh->material_count, "colours", colours);
    else
        fprintf(out, "%s: %zu vertices, %zu triangles, %zu materials, %s\n", file, mesh->vertex_count,
                mesh->triangle_count, mesh->material_count, colours);
}

static enum ps2_status write_mesh(const struct fmt_level *level, const struct request *r, const char *file,
                                  FILE *out, json_t **json, struct ps2_error *error)
{
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    struct fmt_mesh mesh = {0};
    struct fmt_buffer glb = {NULL, 0};
    struct ps2_error why = {0};
    char colours[sizeof why.message + 24];
    bool lit = !r->unlit && !fmt_level_lights(level, &bank, &table, &why);
    snprintf(colours, sizeof colours, why.status ? "stored colours (%s)" : "%s",
             why.status ? why.message
             : lit      ? "lit"
                        : "stored colours");
    enum ps2_status status = fmt_mesh(level, r->lod, lit ? &bank : NULL, &table, &mesh, error);
    if (status)
        return status;
    status = fmt_glb(level, &mesh, &glb, error);
    if (!status)
        status = file_write(file, glb.data, glb.size, error);
    if (!status)
        report(file, &mesh, colours, out, json);
    fmt_buffer_free(&glb);
    fmt_mesh_free(&mesh);
    return status;
}

static enum ps2_status mesh_one(const char *path, void *context, FILE *out, json_t **json,
                                struct ps2_error *error)
{
    const struct request *r = context;
    const char *name = file_name(path);
    struct fmt_level level;
    char *file;
    if (asprintf(&file, r->many ? "%s/%.*s.glb" : "%s", r->output, (int)strcspn(name, "."), name) < 0)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "no memory");
    enum ps2_status status = fmt_level_open(path, &level, error);
    if (!status) {
        status = write_mesh(&level, r, file, out, json, error);
        fmt_level_close(&level);
    }
    free(file);
    return status;
}

int level_mesh(int argc, char **argv)
{
    static const struct option options[] = {{"lod", required_argument, NULL, 'l'},
                                            {"unlit", no_argument, NULL, 'u'},
                                            {"jobs", required_argument, NULL, 'j'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"json", no_argument, NULL, 'J'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct request r = {NULL, 0, false, false};
    struct level_options o = {NULL, 0, 1, false};
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":l:uj:o:", options, NULL)) != -1;) {
        if (c == 'h') {
            help(stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("level mesh", c, argv);
        if ((c == 'l' && !levels_number(optarg, "--lod", 0, 2, &r.lod)) ||
            (c == 'j' && !levels_number(optarg, "--jobs", 1, 256, &o.jobs)))
            return PS2_BAD_INPUT;
        r.unlit |= c == 'u';
        o.json |= c == 'J';
        if (c == 'o')
            r.output = optarg;
    }
    if (optind == argc || !r.output)
        return cli_usage_error("level mesh: give a level and -o FILE; see `ps2h level mesh --help`");
    o.paths = argv + optind;
    o.path_count = argc - optind;
    size_t found;
    levels_free(levels_expand(o.paths, o.path_count, &found));
    r.many = found > 1;
    if (r.many && mkdir(r.output, 0777) && errno != EEXIST)
        return cli_usage_error("cannot create %s: %s", r.output, strerror(errno));
    return levels_run(&o, mesh_one, &r);
}
