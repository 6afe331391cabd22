// Symbol files taken apart: what the readers of their formats share. Private to harness/.
#ifndef HARNESS_SYMBOLS_FILE_H
#define HARNESS_SYMBOLS_FILE_H

#include "harness/ps2h.h"

// More overlays than any game has; it bounds the search for their names.
#define SYMBOL_MODULES_MAX 1024

// Strings point into the text, which is cut up as it is read.
struct symbol_entry {
    const char *name, *module; // module: NULL when the file names none
    uint32_t address, size;    // size 0: unknown
    enum ps2_symbol_kind kind;
    size_t line;
};

struct symbol_reader {
    const char *path;
    char *at;    // the rest of the text, ended by NUL; NULL at its end
    size_t line; // number of the line read last, from 1
    struct symbol_entry *entries;
    size_t count, room;
    struct ps2_error *error;
};

// The next line without its end, or NULL.
char *symbols_line(struct symbol_reader *);
// Cuts the text's blanks off at both ends.
char *symbols_trim(char *text);
enum ps2_status symbols_fail(struct symbol_reader *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Adds an entry of the current line; refuses a name that is empty or not printable.
enum ps2_status symbols_add(struct symbol_reader *, struct symbol_entry);
// The whole text as a number of 32 bits; base 0: decimal, or hexadecimal behind 0x.
bool symbols_number(const char *text, int base, uint32_t *out);

typedef enum ps2_status symbols_read(struct symbol_reader *);
symbols_read symbols_read_splat, symbols_read_pcsx2, symbols_read_map, symbols_read_table,
    symbols_read_ghidra;

// Whether a line, which is cut up, begins a file of the format.
bool symbols_is_splat(char *line);
bool symbols_is_pcsx2(char *line);
// PS2_SYMBOLS_TABLE or PS2_SYMBOLS_GHIDRA by the names of the columns, else PS2_SYMBOLS_ANY.
enum ps2_symbol_format symbols_table_format(char *line);
bool symbols_is_map(const char *text);

#endif
