// A case as its file has it. Private to harness/diff/. Expressions stay text: they are computed when it runs.
#ifndef DIFF_CASE_H
#define DIFF_CASE_H

#include "gs/gs.h"
#include "harness/diff/diff.h"
#include "harness/diff/layout.h"
#include "harness/diff/stream.h"

// An expression and the line it stands on. `text` is NULL when the key is absent.
struct case_value {
    char *text;
    int line;
};

enum case_load_kind { LOAD_ELF, LOAD_OVERLAY, LOAD_RAW };

struct case_load {
    enum case_load_kind kind;
    char *path;
    struct case_value at;
};

struct case_symbol {
    char *name;
    struct case_value value;
};

// A file of symbols; its own `line` for errors.
struct case_symbol_file {
    char *path, *module; // module: NULL, or the overlay that the file names
    enum ps2_symbol_format format;
    int line;
};

// The image of an overlay that may be in memory. Without `at` it says itself where it lies.
struct case_module {
    char *name, *path;
    struct case_value at;
    int line;
};

// Bytes to be made: values of 1, 2 or 4 bytes, the contents of a file, or one byte repeated.
struct case_bytes {
    unsigned width; // of the values; 0: none
    struct case_value *values;
    size_t value_count;
    char *file;
    struct case_value size, fill;
};

struct case_buffer {
    char *name;
    struct case_bytes bytes;
};

// A rectangle of the GS's local memory. The palette of an indexed format is one of 32-bit colours in CSM1.
struct case_gs {
    const struct gs_format *format; // NULL: the output is none
    struct case_value base, width, height, stride, clut;
};

// Also a poke: then `bytes` are written to each element.
struct case_region {
    char *name;
    char *file;              // inputs only: the contents instead of memory
    enum diff_stream stream; // outputs only: recorded, instead of memory
    struct case_gs gs;       // outputs only: from the GS, instead of memory
    struct case_value count, at, size;
    struct case_bytes bytes;
    struct diff_layout layout;
    int line;
};

struct case_call {
    struct case_value function, gp, sp;
    struct case_value *arguments;
    size_t argument_count;
    struct guest_limits limits;
    int line;
};

enum case_decoder_kind { DECODER_NONE, DECODER_BUILTIN, DECODER_SHARED, DECODER_PROGRAM };

struct case_decoder {
    enum case_decoder_kind kind;
    const struct diff_builtin *builtin;
    char *path;  // of a shared object
    char **argv; // of a program, ended by NULL
    size_t argument_count;
    struct ps2h_parameter *parameters;
    size_t parameter_count;
    unsigned timeout_ms;
};

// A captured state; the path is NULL without one.
struct case_state {
    char *path;
    enum ps2_quiesce quiesce;
};

struct diff_case {
    char *path, *folder, *name;
    struct ps2_config config;
    bool kernel, has_kernel; // has_kernel: the file says so itself
    struct case_state state;
    struct case_load *loads; // captured memory first, then images
    struct case_symbol *symbols;
    struct case_symbol_file *symbol_files;
    struct case_module *modules;
    struct case_value load_map; // a path
    struct case_buffer *buffers;
    struct case_region *pokes, *inputs, *outputs;
    struct case_call *calls;
    size_t load_count, symbol_count, buffer_count, poke_count, input_count, output_count, call_count;
    size_t symbol_file_count, module_count;
    struct case_decoder decoder;
};

// A path of a case file: from the file's folder, unless there is nothing; owned by the caller.
char *case_path(const struct diff_case *, const char *path);

#endif
