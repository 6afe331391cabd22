// `ps2h level unpack` and `ps2h level pack`.
#include "harness/cli/json_text.h"
#include "harness/cli/levels.h"
#include "harness/file.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void help_unpack(FILE *out)
{
    fputs("Usage: ps2h level unpack LEVEL<n>.WAD... -o DIR\n"
          "Writes every extent and range of a container, and its decoded core data, into DIR; with several "
          "containers,\n"
          "each into DIR/LEVEL<n>.\n\n"
          "  -o, --output DIR   where to write; created\n"
          "  -j, --jobs N       containers at a time (default 1)\n"
          "      --json         one object per container\n"
          "      --help         this text\n\n"
          "Examples:\n"
          "  ps2h level unpack LEVEL0.WAD -o level0\n"
          "  ps2h level unpack --jobs 4 disc/ -o levels\n\n"
          "Exit status: 0 fine, 2 usage or bad input.\n",
          out);
}

static void help_pack(FILE *out)
{
    fputs("Usage: ps2h level pack DIR -o LEVEL<n>.WAD\n"
          "Builds a container from a folder. core_data.bin is compressed anew unless core_data.wad decodes "
          "to the same\n"
          "bytes; the core index gets the sizes of the result; id, disc sector and reverb come from "
          "level.hdr.\n\n"
          "  -o, --output FILE  the container to write\n"
          "      --help         this text\n\n"
          "Examples:\n"
          "  ps2h level pack level0 -o LEVEL0.WAD\n\n"
          "Exit status: 0 fine, 2 usage or bad input.\n",
          out);
}

struct unpack {
    const char *folder;
    bool many;
};

static enum ps2_status unpack_one(const char *path, void *context, FILE *out, json_t **json,
                                  struct ps2_error *error)
{
    const struct unpack *u = context;
    const char *name = file_name(path);
    char *folder;
    int length = (int)strcspn(name, ".");
    if (asprintf(&folder, u->many ? "%s/%.*s" : "%s", u->folder, length, name) < 0)
        return ps2_fail(error, PS2_BAD_INPUT, path, 0, "no memory");
    enum ps2_status status = fmt_level_unpack(path, folder, error);
    if (!status && json)
        *json = json_pack("{s:o, s:o}", "level", json_text(path), "folder", json_text(folder));
    else if (!status)
        fprintf(out, "%s: unpacked into %s\n", path, folder);
    free(folder);
    return status;
}

int level_unpack(int argc, char **argv)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"jobs", required_argument, NULL, 'j'},
                                            {"json", no_argument, NULL, 'J'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct level_options o = {NULL, 0, 1, false};
    struct unpack u = {NULL, false};
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":o:j:", options, NULL)) != -1;) {
        if (c == 'h') {
            help_unpack(stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("level unpack", c, argv);
        if (c == 'j' && !levels_number(optarg, "--jobs", 1, 256, &o.jobs))
            return PS2_BAD_INPUT;
        if (c == 'o')
            u.folder = optarg;
        o.json |= c == 'J';
    }
    if (optind == argc || !u.folder)
        return cli_usage_error("level unpack: give a container and -o DIR; see `ps2h level unpack --help`");
    o.paths = argv + optind;
    o.path_count = argc - optind;
    size_t found;
    levels_free(levels_expand(o.paths, o.path_count, &found));
    u.many = found > 1;
    if (u.many && mkdir(u.folder, 0777) && errno != EEXIST)
        return cli_usage_error("cannot create %s: %s", u.folder, strerror(errno));
    return levels_run(&o, unpack_one, &u);
}

int level_pack(int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *file = NULL;
    struct ps2_error error;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        if (c == 'h') {
            help_pack(stdout);
            return PS2_OK;
        }
        if (c == ':' || c == '?')
            return cli_option_error("level pack", c, argv);
        file = optarg;
    }
    if (optind + 1 != argc || !file)
        return cli_usage_error("level pack: give one folder and -o FILE; see `ps2h level pack --help`");
    enum ps2_status status = fmt_level_pack(argv[optind], file, &error);
    if (status)
        return cli_report(&error);
    printf("%s: packed into %s\n", argv[optind], file);
    return PS2_OK;
}
