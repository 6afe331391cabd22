// `ps2h level view`: a picture of the terrain as a PNG.
#include "harness/cli/json_text.h"
#include "harness/cli/levels.h"
#include "harness/file.h"
#include "harness/picture.h"

#include "fixtures/view.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void help(FILE *out)
{
    fputs(
        "Usage: ps2h level view LEVEL [OPTION]... -o FILE.png\n"
        "Draws the terrain with its textures, as the host decoders read it. Colours are the light pass's "
        "when "
        "the level\n"
        "has its gameplay file and overlay, otherwise the stored ones. Without a camera the whole terrain is "
        "seen from above.\n\n"
        "  -f, --from X,Y,Z    the camera's place, world units, Z up; needs --to\n"
        "  -t, --to X,Y,Z      what it looks at\n"
        "  -v, --view FILE[:N] the camera of view context N (default 0) of a file of them, as views.bin of\n"
        "                      `ps2h fixture level --memory`\n"
        "  -s, --size WxH      of the picture (default 1024x768)\n"
        "  -l, --lod N         0 (default), 1 or 2\n"
        "  -u, --unlit         the stored colours\n"
        "  -o, --output FILE   the PNG to write\n"
        "      --json          one object\n"
        "      --help          this text\n\n"
        "Examples:\n"
        "  ps2h level view LEVEL0.WAD -o level0.png\n"
        "  ps2h level view level0/ --from 120,80,60 --to 200,160,20 -o valley.png\n\n"
        "Exit status: 0 fine, 2 usage or bad input.\n",
        out);
}

struct request {
    const char *path, *output;
    char *view;
    double from[3], to[3];
    bool has_from, has_to, unlit, json;
    unsigned width, height, lod;
};

static bool parse_point(const char *text, const char *what, double out[3])
{
    char *end = NULL;
    const char *at = text;
    for (unsigned k = 0; k < 3; k++, at = end + 1) {
        out[k] = strtod(at, &end);
        if (end == at || *end != (k < 2 ? ',' : 0) || !(fabs(out[k]) < 1e6)) {
            cli_usage_error("%s: '%s' is not X,Y,Z", what, text);
            return false;
        }
    }
    return true;
}

static bool parse_size(const char *text, struct request *r)
{
    char *end;
    unsigned long width = strtoul(text, &end, 10), height = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;
    r->width = (unsigned)width;
    r->height = (unsigned)height;
    if (!*end && width && height && width <= PICTURE_LARGEST && height <= PICTURE_LARGEST)
        return true;
    cli_usage_error("--size: '%s' is not WxH of 1 to %d", text, PICTURE_LARGEST);
    return false;
}

static enum ps2_status read_view(const char *text, struct picture_camera *camera, struct ps2_error *error)
{
    uint8_t *data = NULL;
    size_t size;
    unsigned number = 0;
    char *path = strdup(text), *colon = path ? strrchr(path, ':') : NULL;
    if (!path)
        return ps2_fail(error, PS2_BAD_INPUT, text, 0, "no memory");
    if (colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")]) {
        number = (unsigned)strtoul(colon + 1, NULL, 10);
        *colon = 0;
    }
    enum ps2_status status = file_read(path, FILE_LIMIT, &data, &size, error);
    if (!status && number >= size / FIXTURE_VIEW_SIZE)
        status = ps2_fail(error, PS2_BAD_INPUT, path, size, "there is no view %u: the file has %zu", number,
                          size / FIXTURE_VIEW_SIZE);
    else if (!status)
        fixture_view_camera(data + (size_t)number * FIXTURE_VIEW_SIZE, camera->position, camera->axes);
    free(data);
    free(path);
    return status;
}

static enum ps2_status choose_camera(const struct request *r, const struct fmt_mesh *mesh,
                                     struct picture_camera *camera, struct ps2_error *error)
{
    *camera = r->has_from ? picture_look(r->from, r->to) : picture_overview(mesh);
    return r->view ? read_view(r->view, camera, error) : PS2_OK;
}

static void report(const struct request *r, const struct fmt_mesh *mesh, const char *colours,
                   const struct picture_tally *tally)
{
    if (r->json) {
        json_t *json =
            json_pack("{s:o, s:i, s:i, s:I, s:I, s:f, s:s}", "file", json_text(r->output), "width",
                      (int)r->width, "height", (int)r->height, "triangles", (json_int_t)mesh->triangle_count,
                      "in_view", (json_int_t)tally->triangles, "covered", tally->covered, "colours", colours);
        json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(4));
        putchar('\n');
        json_decref(json);
        return;
    }
    printf("%s: %zu of %zu triangles in view, %.1f%% of the picture, %s\n", r->output, tally->triangles,
           mesh->triangle_count, 100 * tally->covered, colours);
}

static enum ps2_status draw(const struct fmt_level *level, const struct fmt_mesh *mesh,
                            const struct request *r, const char *colours, struct ps2_error *error)
{
    struct picture_camera camera;
    struct picture_tally tally;
    struct fmt_image image;
    struct fmt_buffer png = {NULL, 0};
    enum ps2_status status = choose_camera(r, mesh, &camera, error);
    if (!status)
        status = picture_draw(level, mesh, &camera, r->width, r->height, &image, &tally, error);
    if (status)
        return status;
    status = fmt_png(&image, &png, error);
    if (!status)
        status = file_write(r->output, png.data, png.size, error);
    if (!status)
        report(r, mesh, colours, &tally);
    fmt_buffer_free(&png);
    fmt_image_free(&image);
    return status;
}

static enum ps2_status view(const struct request *r, struct ps2_error *error)
{
    struct fmt_level level;
    struct fmt_light_bank bank;
    struct fmt_normal_table table;
    struct fmt_mesh mesh = {0};
    enum ps2_status status = fmt_level_open(r->path, &level, error);
    if (status)
        return status;
    bool lit = !r->unlit && !fmt_level_lights(&level, &bank, &table, NULL);
    status = fmt_level_need(&level, FMT_FILE_GS_RAM, error);
    if (!status)
        status = fmt_mesh(&level, r->lod, lit ? &bank : NULL, lit ? &table : NULL, &mesh, error);
    if (!status)
        status = draw(&level, &mesh, r, lit ? "lit" : "stored colours", error);
    fmt_mesh_free(&mesh);
    fmt_level_close(&level);
    return status;
}

int level_view(int argc, char **argv)
{
    static const struct option options[] = {
        {"from", required_argument, NULL, 'f'},   {"to", required_argument, NULL, 't'},
        {"view", required_argument, NULL, 'v'},   {"size", required_argument, NULL, 's'},
        {"lod", required_argument, NULL, 'l'},    {"unlit", no_argument, NULL, 'u'},
        {"output", required_argument, NULL, 'o'}, {"json", no_argument, NULL, 'J'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    struct request r = {.width = 1024, .height = 768};
    struct ps2_error error;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":f:t:v:s:l:uo:", options, NULL)) != -1;) {
        if (c == 'h') {
            help(stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("level view", c, argv);
        if ((c == 'f' && !parse_point(optarg, "--from", r.from)) ||
            (c == 't' && !parse_point(optarg, "--to", r.to)) || (c == 's' && !parse_size(optarg, &r)) ||
            (c == 'l' && !levels_number(optarg, "--lod", 0, 2, &r.lod)))
            return PS2_BAD_INPUT;
        r.has_from |= c == 'f';
        r.has_to |= c == 't';
        r.unlit |= c == 'u';
        r.json |= c == 'J';
        if (c == 'v')
            r.view = optarg;
        if (c == 'o')
            r.output = optarg;
    }
    if (optind + 1 != argc || !r.output)
        return cli_usage_error("level view: give one level and -o FILE; see `ps2h level view --help`");
    if (r.has_from != r.has_to || (r.has_from && r.view))
        return cli_usage_error("level view: give --from with --to, or --view");
    if (r.has_from && !memcmp(r.from, r.to, sizeof r.from))
        return cli_usage_error("level view: --from and --to are the same point");
    r.path = argv[optind];
    return view(&r, &error) ? cli_report(&error) : PS2_OK;
}
