// Listings of GIF and GS data.
#include "harness/cli/gs_print.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gs_listing_item(struct gs_listing *listing, json_t *object)
{
    char *text = json_dumps(object, 0);
    printf("%s%s", listing->begun ? ",\n " : "[\n ", text ? text : "null");
    listing->begun = true;
    free(text);
    json_decref(object);
}

void gs_listing_end(struct gs_listing *listing)
{
    if (listing->json)
        puts(listing->begun ? "\n]" : "[]");
}

static json_t *field_json(const struct gs_field_info *info, uint64_t value)
{
    char text[32];
    gs_field_text(info, value, text, sizeof text);
    switch (info->kind) {
    case GS_UNSIGNED:
    case GS_SIGNED:
    case GS_HEX:
        return json_integer(info->kind == GS_HEX ? (json_int_t)gs_field(value, info->field)
                                                 : strtoll(text, NULL, 10));
    case GS_FIXED4:
        return json_real((double)gs_field(value, info->field) / 16);
    case GS_FLOAT:
        return text[0] == '#' ? json_string(text) : json_real(strtod(text, NULL));
    default:
        return json_string(text);
    }
}

json_t *gs_fields_json(const struct gs_register_info *info, uint64_t value)
{
    json_t *object = json_object();
    for (size_t n = 0; info && n < info->count; n++)
        json_object_set_new(object, info->fields[n].name, field_json(&info->fields[n], value));
    return object;
}

const char *gs_number_name(unsigned number, char *out)
{
    const struct gs_register_info *info = gs_register_info(number);
    snprintf(out, 8, "0x%02x", number);
    return info ? info->name : out;
}

int gs_take_listing_options(int argc, char **argv, const char *command, const char *help,
                            struct gs_listing *listing, const char **path)
{
    static const struct option names[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, ":", names, NULL)) != -1)
        switch (option) {
        case 'j':
            listing->json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return PS2_OK;
        default:
            return cli_option_error(command, option, argv);
        }
    if (optind + 1 != argc)
        return cli_usage_error("%s: give one file; `ps2h %s --help` says more", command, command);
    *path = argv[optind];
    return -1;
}
