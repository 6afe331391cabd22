// Texts of the host, such as paths, as JSON.
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include <jansson.h>

// A string; of a text that is not UTF-8, each byte from 0x80 on is written as \xNN.
json_t *json_text(const char *text);

#endif
