// Differential cases: a guest routine and a host decoder on the same input, compared field by field.
//
// A case file (harness/diff/cases.md) says what is loaded, what is called, what is compared, and which
// decoder answers. Every result stands for itself: a case that cannot be read, a guest that faults and a
// decoder that dies are results with an error. A fuzzer calls diff_run with a case and other inputs; shards
// are disjoint lists of cases: neither needs anything else of this interface.
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "harness/diff/decoder.h"
#include "harness/ps2h.h"

struct diff_case;

// A value for ${NAME} in a case file.
struct diff_setting {
    const char *name, *value;
};

struct diff_options {
    const struct diff_setting *settings;
    size_t setting_count;
    bool has_engine; // instead of the case's
    enum ee_engine engine;
    const char *wrong; // the deliberate mistake that a built-in decoder makes; NULL: the case's, or none
    const char *draw;  // PNG file for what the GS shows after the call; NULL: the GS does not draw
    const char *self;  // the ps2h program, which serves shared objects; NULL: there are none
};

enum ps2_status diff_case_read(const char *path, const struct diff_options *, struct diff_case **,
                               struct ps2_error *);
// Whether the text of a case file has ${NAME}; also when it cannot be read, which diff_case_read tells.
bool diff_case_mentions(const char *path, const char *name);
void diff_case_free(struct diff_case *); // NULL is allowed
const char *diff_case_name(const struct diff_case *);

// ---- results

enum diff_type { DIFF_U8, DIFF_U16, DIFF_U32, DIFF_U64, DIFF_S8, DIFF_S16, DIFF_S32, DIFF_F32, DIFF_TYPES };

// Differences by size: guest minus host of an integer, distance in units in the last place of a float. Slot
// DIFF_BARS / 2 + n holds the difference n while |n| <= 16, and from there on powers of two: see
// diff_bar_text.
#define DIFF_BARS 153
struct diff_histogram {
    uint64_t bars[DIFF_BARS];
};
// "-3", "17..32" or the like. Returns out.
const char *diff_bar_text(size_t bar, char *out, size_t out_size);

struct diff_tally {
    char name[64];
    uint64_t elements, fields, different;
    uint64_t masked; // bytes that were not compared
    struct diff_histogram histogram;
};

#define DIFF_READS 8
struct diff_read {
    uint32_t pc, address;
    uint8_t size;
    uint64_t value[2]; // little-endian, zero beyond `size`
    char symbol[80];   // of the address
};

// The first difference, in the order of the outputs, elements and fields.
struct diff_first {
    char output[64], field[64];
    uint32_t element, row; // the output's element, and the layout's repetition in it
    uint32_t address;      // in an output that is not guest memory: offset from its start
    enum diff_type type;
    uint64_t guest, host;
    bool in_memory; // the output is guest memory
    char run[80];   // of a recorded output: the last run of a microprogram before it
    // The store that wrote it last, from a second run with an observer. Through DMA: the store to the
    // scratchpad.
    bool has_writer, by_dma;
    uint32_t writer;
    char writer_symbol[80], writer_code[80];
    struct diff_read reads[DIFF_READS]; // before that store, the latest last
    size_t read_count;
};

struct diff_result {
    char name[128];
    enum ps2_status status; // PS2_OK: equal
    struct ps2_error error; // unless PS2_OK
    struct diff_tally *tallies;
    size_t tally_count;
    bool has_first;
    struct diff_first first;
    char call[256]; // the last call with its arguments
    uint64_t insns; // of all calls
    double seconds; // wall-clock time; the only member that differs between runs
};
void diff_result_free(struct diff_result *);

// Decoders that are kept running from case to case. One thread uses it at a time.
struct diff_pool;
struct diff_pool *diff_pool_new(void);   // NULL when memory runs out
void diff_pool_free(struct diff_pool *); // ends the decoders

// Runs a case. Always fills the result, which the caller frees; returns its status.
enum ps2_status diff_run(const struct diff_case *, const struct diff_options *, struct diff_pool *,
                         struct diff_result *);

// ---- built-in decoders

struct diff_builtin {
    const char *name, *summary;
    ps2h_decode_function *decode;
    const char *const *mistakes; // names, ended by NULL: what the parameter `wrong` may be
};
const struct diff_builtin *diff_builtins(size_t *count);
const struct diff_builtin *diff_builtin_find(const char *name); // NULL: none of that name

// Serves the shared object at `path` with the protocol on two descriptors until the other end closes. Returns
// an error when it cannot be loaded.
enum ps2_status diff_serve(const char *path, int in, int out, struct ps2_error *);

#endif
