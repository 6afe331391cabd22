// The host's files below one directory: opened step by step, without symbolic links, never upwards.
#include "harness/kernel/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST      3 // 0, 1 and 2 are the program's standard streams
#define OPEN_MAX   32
#define FOLDER_MAX 65536 // names of one folder
#define FILE_MAX   ((size_t)256 << 20)

struct open_file {
    bool used;
    int host; // -1: a folder
    unsigned flags;
    char **names; // of a folder
    size_t name_count, next;
    char path[256]; // of a folder
};

struct files {
    int root; // -1: none
    struct open_file open[OPEN_MAX];
};

enum ps2_status files_new(const char *root, struct files **out, struct ps2_error *error)
{
    struct files *f = *out = calloc(1, sizeof *f);
    if (!f)
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    f->root = root ? open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (root && f->root < 0)
        return ps2_fail(error, PS2_BAD_INPUT, root, 0, "cannot be opened as a directory: %s",
                        strerror(errno));
    return PS2_OK;
}

static void release(struct open_file *o)
{
    if (o->used && o->host >= 0)
        close(o->host);
    for (size_t n = 0; n < o->name_count; n++)
        free(o->names[n]);
    free(o->names);
    *o = (struct open_file){0};
}

void files_close_all(struct files *f)
{
    for (unsigned n = 0; n < OPEN_MAX; n++)
        release(&f->open[n]);
}

bool files_any_open(const struct files *f)
{
    for (unsigned n = 0; n < OPEN_MAX; n++)
        if (f->open[n].used)
            return true;
    return false;
}

void files_free(struct files *f)
{
    if (!f)
        return;
    files_close_all(f);
    if (f->root >= 0)
        close(f->root);
    free(f);
}

// The console's numbers agree with the host's where they are small.
static int failure(int host_error)
{
    if (host_error == ELOOP || host_error == EPERM)
        return -FILES_EACCES;
    return host_error > 0 && host_error < 35 ? -host_error : -FILES_EIO;
}

// ---- paths

static bool known_device(const char *name, size_t length)
{
    static const char *const devices[] = {"host", "host0", "cdrom", "cdrom0", "cdfs", "mass", "mass0"};
    for (unsigned n = 0; n < sizeof devices / sizeof *devices; n++)
        if (strlen(devices[n]) == length && !memcmp(devices[n], name, length))
            return true;
    return false;
}

// Makes `a/b/c` of a path: no device, no backslashes, no `.` or `..`, no version number. 0, or the error.
static int plain_path(const char *path, char out[256])
{
    const char *colon = strchr(path, ':');
    size_t length = 0, part;
    if (colon && !known_device(path, (size_t)(colon - path)))
        return -FILES_ENODEV;
    if (strlen(path) > 255)
        return -FILES_EINVAL;
    for (const char *p = colon ? colon + 1 : path; *p; p += part) {
        p += strspn(p, "/\\");
        part = strcspn(p, "/\\;");
        if (part == 2 && !memcmp(p, "..", 2)) {
            if (length == 0)
                return -FILES_EACCES;
            while (length > 0 && out[--length] != '/')
                ;
        } else if (part > 0 && !(part == 1 && *p == '.')) {
            if (length)
                out[length++] = '/';
            memcpy(out + length, p, part);
            length += part;
        }
        if (p[part] == ';')
            break;
    }
    out[length] = 0;
    return 0;
}

// Opens the folder that holds the last part of a plain path; `*name` is that part. Below zero: the error.
static int open_parent(const struct files *f, char *path, const char **name)
{
    int folder = f->root < 0 ? -1 : dup(f->root);
    if (folder < 0)
        return f->root < 0 ? -FILES_ENODEV : failure(errno);
    char *part = path;
    for (char *slash = strchr(part, '/'); slash; part = slash + 1, slash = strchr(part, '/')) {
        *slash = 0;
        int inner = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int error = errno;
        close(folder);
        if (inner < 0)
            return failure(error);
        folder = inner;
    }
    *name = *part ? part : ".";
    return folder;
}

// The parent of a path as the program gives it.
static int parent_of(const struct files *f, const char *path, char plain[256], const char **name)
{
    int status = plain_path(path, plain);
    return status < 0 ? status : open_parent(f, plain, name);
}

// ---- files

static int free_place(const struct files *f)
{
    for (int n = 0; n < OPEN_MAX; n++)
        if (!f->open[n].used)
            return n;
    return -FILES_EMFILE;
}

static struct open_file *opened(struct files *f, int descriptor)
{
    bool valid = descriptor >= FIRST && descriptor < FIRST + OPEN_MAX && f->open[descriptor - FIRST].used;
    return valid ? &f->open[descriptor - FIRST] : NULL;
}

static int host_flags(unsigned flags)
{
    int access = flags & FILES_WRITE ? (flags & FILES_READ ? O_RDWR : O_WRONLY) : O_RDONLY;
    return access | (flags & FILES_APPEND ? O_APPEND : 0) | (flags & FILES_CREATE ? O_CREAT : 0) |
           (flags & FILES_TRUNCATE && flags & FILES_WRITE ? O_TRUNC : 0) |
           (flags & FILES_EXCLUSIVE ? O_EXCL : 0);
}

// Opens a plain file of the host.
static int open_host(const struct files *f, const char *path, int flags)
{
    char plain[256];
    const char *name;
    struct stat st;
    int folder = parent_of(f, path, plain, &name);
    if (folder < 0)
        return folder;
    int host = openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0666);
    int error = errno;
    close(folder);
    if (host < 0)
        return failure(error);
    if (fstat(host, &st) || !S_ISREG(st.st_mode)) {
        close(host);
        return -FILES_EACCES;
    }
    return host;
}

int files_open(struct files *f, const char *path, unsigned flags)
{
    int place = free_place(f);
    if (place < 0)
        return place;
    int host = open_host(f, path, host_flags(flags));
    if (host < 0)
        return host;
    f->open[place] = (struct open_file){.used = true, .host = host, .flags = flags};
    return place + FIRST;
}

int files_close(struct files *f, int descriptor)
{
    struct open_file *o = opened(f, descriptor);
    if (!o)
        return -FILES_EBADF;
    release(o);
    return 0;
}

int files_read(struct files *f, int descriptor, void *out, size_t size)
{
    const struct open_file *o = opened(f, descriptor);
    size_t done = 0;
    if (!o || o->host < 0)
        return -FILES_EBADF;
    while (done < size) {
        ssize_t n = read(o->host, (uint8_t *)out + done, size - done);
        if (n < 0)
            return failure(errno);
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (int)done;
}

int files_write(struct files *f, int descriptor, const void *in, size_t size)
{
    const struct open_file *o = opened(f, descriptor);
    size_t done = 0;
    if (!o || o->host < 0)
        return -FILES_EBADF;
    while (done < size) {
        ssize_t n = write(o->host, (const uint8_t *)in + done, size - done);
        if (n < 0)
            return failure(errno);
        done += (size_t)n;
    }
    return (int)done;
}

int files_seek(struct files *f, int descriptor, int offset, int whence)
{
    const struct open_file *o = opened(f, descriptor);
    if (!o || o->host < 0)
        return -FILES_EBADF;
    if (whence < 0 || whence > 2)
        return -FILES_EINVAL;
    off_t at = lseek(o->host, offset, whence == 0 ? SEEK_SET : whence == 1 ? SEEK_CUR : SEEK_END);
    return at < 0 ? failure(errno) : at > INT32_MAX ? -FILES_EIO : (int)at;
}

int files_load(struct files *f, const char *path, uint8_t **data, size_t *size)
{
    struct stat st;
    int host = open_host(f, path, O_RDONLY);
    if (host < 0)
        return host;
    *data = NULL;
    *size = 0;
    if (!fstat(host, &st) && (uint64_t)st.st_size <= FILE_MAX)
        *data = malloc((size_t)st.st_size + 1);
    for (ssize_t n = 1; *data && n > 0 && *size<(size_t)st.st_size; *size += n> 0 ? (size_t)n : 0)
        n = read(host, *data + *size, (size_t)st.st_size - *size);
    close(host);
    return *data ? 0 : -FILES_EIO;
}

// ---- names

int files_remove(struct files *f, const char *path)
{
    char plain[256];
    const char *name;
    int folder = parent_of(f, path, plain, &name);
    if (folder < 0)
        return folder;
    int status = unlinkat(folder, name, 0) ? failure(errno) : 0;
    close(folder);
    return status;
}

int files_make_folder(struct files *f, const char *path)
{
    char plain[256];
    const char *name;
    int folder = parent_of(f, path, plain, &name);
    if (folder < 0)
        return folder;
    int status = mkdirat(folder, name, 0777) ? failure(errno) : 0;
    close(folder);
    return status;
}

int files_remove_folder(struct files *f, const char *path)
{
    char plain[256];
    const char *name;
    int folder = parent_of(f, path, plain, &name);
    if (folder < 0)
        return folder;
    int status = unlinkat(folder, name, AT_REMOVEDIR) ? failure(errno) : 0;
    close(folder);
    return status;
}

static int stat_in(int folder, const char *name, struct files_stat *out)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW))
        return failure(errno);
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return -FILES_EACCES;
    *out = (struct files_stat){.folder = S_ISDIR(st.st_mode),
                               .readable = st.st_mode & 0444,
                               .writable = st.st_mode & 0222,
                               .size = S_ISDIR(st.st_mode) ? 0 : (uint64_t)st.st_size};
    return 0;
}

int files_stat(struct files *f, const char *path, struct files_stat *out)
{
    char plain[256];
    const char *name;
    int folder = parent_of(f, path, plain, &name);
    if (folder < 0)
        return folder;
    int status = stat_in(folder, name, out);
    close(folder);
    return status;
}

// ---- folders

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_name(struct open_file *o, const char *name)
{
    if (o->name_count % 64 == 0) {
        char **more = realloc(o->names, (o->name_count + 64) * sizeof *more);
        if (!more)
            return false;
        o->names = more;
    }
    o->names[o->name_count] = strdup(name);
    return o->names[o->name_count] && ++o->name_count < FOLDER_MAX;
}

// Takes the names of a folder, and closes it.
static bool read_names(struct open_file *o, int host)
{
    DIR *dir = fdopendir(host);
    if (!dir) {
        close(host);
        return false;
    }
    bool fine = true;
    for (const struct dirent *e; fine && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            fine = add_name(o, e->d_name);
    closedir(dir);
    if (o->name_count)
        qsort(o->names, o->name_count, sizeof *o->names, by_name);
    return fine;
}

int files_open_folder(struct files *f, const char *path)
{
    char plain[256];
    const char *name;
    int place = free_place(f), folder = parent_of(f, path, plain, &name);
    if (folder < 0)
        return folder;
    int host = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), error = errno;
    close(folder);
    if (host < 0)
        return failure(error);
    if (place < 0) {
        close(host);
        return place;
    }
    struct open_file *o = &f->open[place];
    *o = (struct open_file){.used = true, .host = -1};
    strcpy(o->path, path);
    if (!read_names(o, host)) {
        release(o);
        return -FILES_EIO;
    }
    return place + FIRST;
}

int files_read_folder(struct files *f, int descriptor, char name[256], struct files_stat *out)
{
    struct open_file *o = opened(f, descriptor);
    char plain[256];
    const char *last;
    if (!o || o->host >= 0)
        return -FILES_EBADF;
    if (o->next == o->name_count)
        return 0;
    strncpy(name, o->names[o->next++], 255);
    name[255] = 0;
    *out = (struct files_stat){0};
    int parent = parent_of(f, o->path, plain, &last);
    int folder = parent < 0 ? -1 : openat(parent, last, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        stat_in(folder, name, out); // a name that went away, or a link, has no size
        close(folder);
    }
    if (parent >= 0)
        close(parent);
    return 1;
}
