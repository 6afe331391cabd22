// The file service: what a program can do below the root directory, and that it cannot leave it.
#include "../lib/ps2.h"

int main(int argc, char **argv);

static uint8_t buffer[8192], back[8192];

static void whole_file(void)
{
    int file = open("host:data.bin", O_READ | O_WRITE | O_CREATE | O_TRUNCATE);
    check("open", file >= 3, 1);
    for (int n = 0; n < (int)sizeof buffer; n++)
        buffer[n] = (uint8_t)(n * 7 + (n >> 8));
    check("write", (uint64_t)write(file, buffer, 5000), 5000);
    check("write, misaligned", (uint64_t)write(file, buffer + 5000, 3), 3);
    check("write, misaligned", (uint64_t)write(file, buffer + 5003, 189), 189);
    check("seek to the start", (uint64_t)lseek(file, 0, 0), 0);
    check("read, misaligned", (uint64_t)read(file, back + 1, 8000), 5192);
    int same = 1;
    for (int n = 0; n < 5192; n++)
        same &= back[n + 1] == buffer[n];
    check("what was read", (uint64_t)same, 1);
    check("read at the end", (uint64_t)read(file, back, 16), 0);
    check("seek from the end", (uint64_t)lseek(file, -192, 2), 5000);
    check("close", (uint64_t)close(file), 0);
    check("close again", (uint64_t)close(file), (uint64_t)-9);
    check("read from a closed one", (uint64_t)read(file, back, 16), (uint64_t)-9);
}

static void folders(void)
{
    static uint8_t entry[320] __attribute__((aligned(64)));
    static const char *const names[] = {"a", "b.txt", "data.bin", "fifo", "link"};
    static uint32_t stat[10] __attribute__((aligned(64)));
    check("mkdir", (uint64_t)mkdir("host:made"), 0);
    check("mkdir of an old one", (uint64_t)mkdir("host:made"), (uint64_t)-17);
    check("rmdir", (uint64_t)rmdir("host:made"), 0);
    int folder = dopen("host:"), found = 0;
    while (dread(folder, entry) > 0 && found < 5) {
        check("name in a folder", (uint64_t)equal_text((char *)entry + 40, names[found]), 1);
        found++;
    }
    check("names in a folder", (uint64_t)found, 5);
    check("dclose", (uint64_t)dclose(folder), 0);
    check("getstat", (uint64_t)getstat("host:data.bin", stat), 0);
    check("size", *(volatile uint32_t *)((uint32_t)&stat[2] | 0x20000000), 5192);
    check("remove", (uint64_t)remove("host:data.bin"), 0);
    check("removed", (uint64_t)open("host:data.bin", O_READ), (uint64_t)-2);
    check("a file of a disc", (uint64_t)(open("cdrom0:\\a\\inner.bin;1", O_READ) >= 3), 1);
}

// Each is an error. `link` in the root is a symbolic link out of it, `a/loop` one to its own folder.
static void escapes(void)
{
    static const char *const paths[] = {
        "host:../secret",
        "host:a/../../secret",
        "host:/../secret",
        "..",
        "host:a/..\\..\\secret",
        "host:link",
        "host:link/secret",
        "host:a/loop/a",
        "host0:..",
        "host:a/./../../secret;1",
        "host:fifo",
        "tty:",
        "dev/null",
        "mc0:secret",
        "host:/etc/passwd",
    };
    for (int n = 0; n < (int)(sizeof paths / sizeof *paths); n++) {
        check(paths[n], (uint64_t)(open(paths[n], O_READ) < 0), 1);
        check(paths[n], (uint64_t)(open(paths[n], O_WRITE | O_CREATE) < 0), 1);
        check(paths[n], (uint64_t)(dopen(paths[n]) < 0), 1);
    }
    check("remove outside", (uint64_t)(remove("host:../secret") < 0), 1);
    check("mkdir outside", (uint64_t)(mkdir("host:../made") < 0), 1);
    check("rmdir of the root's parent", (uint64_t)(rmdir("host:..") < 0), 1);
}

int main(int argc, char **argv)
{
    check_begin(argc, argv);
    whole_file();
    folders();
    escapes();
    return check_end("files");
}
