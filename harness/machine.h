// The inside of struct ps2. Private to harness/.
#ifndef HARNESS_MACHINE_H
#define HARNESS_MACHINE_H

#include "harness/hardware.h"
#include "harness/image.h"

// Bytes between the default stack pointer and whatever lies above it.
#define STACK_GAP 64

struct module {
    char *name;
    bool has_entry, has_gp;
    bool named_only;          // by a symbol file, which says nothing of its extent
    bool overlay;             // one of several that share memory: reports name it
    bool resident;            // an overlay that a load map or its contents place in memory
    uint32_t equal, compared; // words of its image that memory holds, of those looked at
    uint32_t entry, gp;
    struct module_range {
        uint32_t address, size; // physical
    } * ranges;
    size_t range_count;
};

struct symbol {
    char *name;
    size_t module;
    uint32_t address, physical, extent; // extent: bytes it names; 0 for a label inside a function
    bool guessed;                       // no size and nothing close behind it: the extent is a guess
    size_t cover; // index of the last symbol up to this one that has an extent, or SIZE_MAX
    enum ps2_symbol_kind kind;
    bool global, inner; // inner: a label inside a function
};

struct stub_value {
    struct stub_value *next;
    union ee_reg v0;
    uint32_t f0;
};

struct ps2 {
    struct ee *ee;
    struct hardware hardware;
    struct kernel *kernel; // NULL until a program runs, or ps2_attach_kernel
    struct ps2_kernel kernel_options;
    unsigned calls; // of ps2_call that run, one inside another
    uint32_t ram_size;
    uint32_t free_top;    // RAM from here up is taken by ps2_allocate
    bool buffers;         // ps2_allocate has made any
    bool captured;        // RAM and registers are those of a captured state, with a kernel of its own
    uint32_t captured_sp; // of a loaded state, which its own stack lies above; 0: there is none
    struct work *work;    // what a loaded state left half done; NULL: nothing
    struct module *modules;
    size_t module_count;
    struct symbol *symbols; // ordered by physical address, the best name of an address last
    size_t symbol_count;
    struct stub_value *stubs;
    const struct guest_observer **observers;
    size_t observer_count;
    struct guest_observer fan; // what the CPU sees of them
    struct ps2_snapshot *base; // whose pages the clean ones are; NULL: nobody's
};

// ---- machine.c
// Writes an image into memory and makes it a module.
enum ps2_status machine_load(struct ps2 *, const struct image *, struct ps2_error *);

// ---- modules.c
// Adds a module without contents; its index, or SIZE_MAX when memory runs out.
size_t module_add(struct ps2 *, const char *name);
// The module that symbol files give this name, made when there is none yet; SIZE_MAX as above.
size_t module_named(struct ps2 *, const char *name, bool overlay);
enum ps2_status module_add_range(struct ps2 *, size_t module, uint32_t address, uint32_t size,
                                 struct ps2_error *);
// The last loaded module that holds the address, or NULL.
const struct module *module_at(const struct ps2 *, uint32_t address);
void modules_free(struct ps2 *);

// ---- symbols.c
enum ps2_status symbols_add_list(struct ps2 *, size_t module, const struct image_symbol *, size_t count,
                                 struct ps2_error *);
// The same in two steps, for many modules: nothing may be looked up before symbols_index.
enum ps2_status symbols_append(struct ps2 *, size_t module, const struct image_symbol *, size_t count,
                               struct ps2_error *);
void symbols_index(struct ps2 *);
// Forgets what a module names anywhere.
void symbols_forget_module(struct ps2 *, size_t module);
// Whether a module names anything in the range.
bool symbols_in_range(const struct ps2 *, size_t module, uint32_t physical, uint32_t size);
// Forgets what other modules named in the range.
void symbols_forget(struct ps2 *, size_t except_module, uint32_t physical, uint32_t size);
void symbols_free(struct ps2 *);

#endif
