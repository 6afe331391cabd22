// The host's files, as far as a guest program may reach them: plain files and folders below one directory.
//
// Paths are the console's, `device:path`. No symbolic link is followed, so that nothing outside can be named.
// Results below zero are the IOP's error numbers.
#ifndef KERNEL_FILES_H
#define KERNEL_FILES_H

#include "harness/ps2h.h"

struct files;

enum files_flag {
    FILES_READ = 0x0001,
    FILES_WRITE = 0x0002,
    FILES_APPEND = 0x0100,
    FILES_CREATE = 0x0200,
    FILES_TRUNCATE = 0x0400,
    FILES_EXCLUSIVE = 0x0800,
};

enum files_error {
    FILES_ENOENT = 2,
    FILES_EIO = 5,
    FILES_EBADF = 9,
    FILES_EACCES = 13,
    FILES_ENODEV = 19,
    FILES_EINVAL = 22,
    FILES_EMFILE = 24
};

struct files_stat {
    bool folder, readable, writable;
    uint64_t size;
};

// `root` may be NULL: every path is then refused.
enum ps2_status files_new(const char *root, struct files **out, struct ps2_error *);
void files_free(struct files *);
void files_close_all(struct files *);
bool files_any_open(const struct files *);

int files_open(struct files *, const char *path, unsigned flags); // a descriptor from 3 upward
int files_close(struct files *, int descriptor);
int files_read(struct files *, int descriptor, void *out, size_t size);
int files_write(struct files *, int descriptor, const void *in, size_t size);
int files_seek(struct files *, int descriptor, int offset, int whence); // whence: 0 start, 1 here, 2 end
int files_remove(struct files *, const char *path);
int files_make_folder(struct files *, const char *path);
int files_remove_folder(struct files *, const char *path);
int files_stat(struct files *, const char *path, struct files_stat *out);
int files_open_folder(struct files *, const char *path);
// 1 and the next name, in alphabetical order; 0 at the end.
int files_read_folder(struct files *, int descriptor, char name[256], struct files_stat *out);
// The whole of a file, to be freed.
int files_load(struct files *, const char *path, uint8_t **data, size_t *size);

#endif
