// `ps2h level texture`: one texture, or one of its mip levels, as a PNG.
#include "harness/cli/levels.h"
#include "harness/file.h"

#include <getopt.h>
#include <string.h>

static void help(FILE *out)
{
    fputs("Usage: ps2h level texture N LEVEL [OPTION]... -o FILE.png\n"
          "Decodes texture N of the terrain table (or another one) and writes it as a PNG.\n\n"
          "  -m, --mip LEVEL     mip level 0..3 (default 0)\n"
          "  -t, --table NAME    tfrag (default), moby, tie, shrub, particle or fx; only the terrain's "
          "layout is\n"
          "                      established for mip levels\n"
          "  -o, --output FILE   the PNG to write\n"
          "      --json          one object\n"
          "      --help          this text\n\n"
          "Examples:\n"
          "  ps2h level texture 74 LEVEL0.WAD -o grille.png\n"
          "  ps2h level texture 0 level0/ --mip 2 -o panel2.png\n\n"
          "Exit status: 0 fine, 2 usage or bad input.\n",
          out);
}

struct request {
    unsigned number, mip;
    const char *table, *output;
    bool json;
};

static enum ps2_status write_texture(const char *path, const struct request *r, struct ps2_error *error)
{
    struct fmt_level level;
    struct fmt_image image = {NULL, 0, 0};
    struct fmt_buffer png = {NULL, 0};
    struct fmt_named_table t = {NULL, {0, 0}};
    enum ps2_status status = fmt_level_open(path, &level, error);
    if (status)
        return status;
    for (unsigned i = 0; (t = fmt_texture_table(&level.core, i)).name && strcmp(t.name, r->table); i++)
        ;
    if (!t.name)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "there is no texture table '%s'", r->table);
    else if (r->number >= (unsigned)t.table.count)
        status = ps2_fail(error, PS2_BAD_INPUT, path, 0, "there is no %s texture %u: the level has %d",
                          t.name, r->number, t.table.count);
    if (!status)
        status = fmt_level_need(&level, FMT_FILE_GS_RAM, error);
    if (!status) {
        struct fmt_texture_entry e = fmt_texture_entry(level.files[FMT_FILE_CORE_INDEX], t.table, r->number);
        status = fmt_texture_decode(&level.textures, &e, r->mip, &image, error);
    }
    if (!status) {
        status = fmt_png(&image, &png, error);
        if (!status)
            status = file_write(r->output, png.data, png.size, error);
        if (!status && r->json)
            printf("{\"table\": \"%s\", \"texture\": %u, \"mip\": %u, \"width\": %u, \"height\": %u}\n",
                   t.name, r->number, r->mip, image.width, image.height);
        else if (!status)
            printf("%s texture %u, mip level %u: %u x %u\n", t.name, r->number, r->mip, image.width,
                   image.height);
        fmt_image_free(&image);
        fmt_buffer_free(&png);
    }
    fmt_level_close(&level);
    return status;
}

int level_texture(int argc, char **argv)
{
    static const struct option options[] = {
        {"mip", required_argument, NULL, 'm'},    {"table", required_argument, NULL, 't'},
        {"output", required_argument, NULL, 'o'}, {"json", no_argument, NULL, 'J'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    struct request r = {0, 0, "tfrag", NULL, false};
    struct ps2_error error;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":m:t:o:", options, NULL)) != -1;) {
        if (c == 'h') {
            help(stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("level texture", c, argv);
        if (c == 'm' && !levels_number(optarg, "--mip", 0, 3, &r.mip))
            return PS2_BAD_INPUT;
        if (c == 't')
            r.table = optarg;
        if (c == 'o')
            r.output = optarg;
        r.json |= c == 'J';
    }
    if (optind + 2 != argc || !r.output)
        return cli_usage_error(
            "level texture: give a number, a level and -o FILE; see `ps2h level texture --help`");
    if (!levels_number(argv[optind], "texture", 0, 100000, &r.number))
        return PS2_BAD_INPUT;
    return write_texture(argv[optind + 1], &r, &error) ? cli_report(&error) : PS2_OK;
}
