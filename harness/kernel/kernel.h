// The console's kernel and the services of its IOP, as far as programs made with ps2sdk see them.
//
// The kernel sits behind the ports of one EE and takes the interrupts of its devices. Nothing runs on the IOP
// side: what a program sends through the SIF is answered here. A program reaches the host through the output
// function and below the root directory, and nowhere else.
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "harness/ps2h.h"

struct kernel;
struct hardware;

struct kernel_config {
    const char *root; // directory that file access stays below; NULL: no files
    bool vblank;      // the video fields go by
    void *context;
    // What the program writes to its descriptors 1 (output) and 2 (errors).
    void (*output)(void *context, int descriptor, const void *data, size_t size);
    // Loads an ELF file for the program's loader service; `path` is for messages. May be NULL.
    enum ps2_status (*load)(void *context, const char *path, const void *data, size_t size, uint32_t *entry,
                            uint32_t *gp, struct ps2_error *);
};

// Puts the kernel's memory in place, adds its own devices and takes the ports. One kernel per machine, which
// must outlive it.
enum ps2_status kernel_new(struct hardware *, const struct kernel_config *, struct kernel **out,
                           struct ps2_error *);
// Goes on from the kernel that a captured RAM holds: its threads become the model's. NULL: they are not
// known. The saved registers are read from `ram`.
struct captured_threads;
void kernel_seed(struct kernel *, const struct captured_threads *, const uint8_t *ram);
void kernel_free(struct kernel *); // the EE must not run any more
// Whether the block in which a program finds its arguments holds these.
bool kernel_takes_arguments(int count, const char *const *arguments);
// Makes the first thread, ready to run from `entry`. `arguments` as main gets them.
void kernel_start(struct kernel *, uint32_t entry, uint32_t gp, int argument_count,
                  const char *const *arguments);
// Before each function called from outside: makes what the EE's registers hold a thread that runs. False when
// no thread is left for it.
bool kernel_adopt(struct kernel *);
// After a run that ended with GUEST_EXITED: what the program passed to Exit, or 0.
int kernel_exit_status(const struct kernel *);

// ---- snapshots

// As ee_visit in ee/ee.h, for the kernel and the IOP but for its RAM. False when memory runs out.
bool kernel_visit(struct kernel *, ee_visitor *, void *context);
// The IOP's RAM, KERNEL_IOP_SIZE bytes. A byte of marks for each KERNEL_IOP_PAGE of it tells where may have
// been written; the owner of the snapshot clears KERNEL_PAGE_DIRTY.
#define KERNEL_IOP_SIZE 0x200000u
#define KERNEL_IOP_PAGE 0x1000u
enum kernel_page_mark { KERNEL_PAGE_WRITTEN = 1, KERNEL_PAGE_DIRTY = 2 };
uint8_t *kernel_iop_ram(struct kernel *, uint8_t **marks);
bool kernel_files_open(const struct kernel *);
void kernel_close_files(struct kernel *);

#endif
