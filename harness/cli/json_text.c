// Texts of the host, such as paths, as JSON.
#include "harness/cli/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    char *escaped = string ? NULL : malloc(4 * strlen(text) + 1), *out = escaped;
    if (!escaped)
        return string;
    for (; *text; text++)
        out += sprintf(out, (unsigned char)*text < 0x80 ? "%c" : "\\x%02x", (unsigned char)*text);
    *out = 0;
    string = json_string(escaped);
    free(escaped);
    return string;
}
