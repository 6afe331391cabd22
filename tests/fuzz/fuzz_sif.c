// Fuzz target: the SIF, its commands, and the RPC services behind it.
//
// A program that does nothing but call SifSetDma is fed transfers made at random from valid ones. Whatever
// they are, the call is answered or refused, and nothing outside the root directory changes.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/kernel/kernel.h"
#include "tests/support/mutate.h"

#define CODE        0x00100000u
#define LIST        0x00200000u
#define PACKET      0x00210000u
#define DATA        0x00220000u
#define RECEIVE     0x00230000u
#define PACKET_SIZE 64u
#define DATA_SIZE   1032u

// The kernel's own places in the IOP, as a program learns them.
#define COMMAND_BUFFER 0x10000u
#define SERVER         0x11000u
#define BUFFER         0x20000u

static void put(uint8_t *to, unsigned word, uint32_t value)
{
    memcpy(to + word * 4, &value, 4);
}

static const uint32_t commands[] = {0x80000000, 0x80000001, 0x80000002, 0x80000003, 0x80000009,
                                    0x8000000a, 0x8000000a, 0x8000000a, 0x8000000a, 0x8000000c};
static const char *const paths[] = {"host:file",      "host:folder", "host:../outside", "host:link/outside",
                                    "host:",          "host:a;1",    "cdrom0:\\FILE;1", "mc0:file",
                                    "host:loop/loop", "..",          "host:fifo"};

static uint32_t pick(struct mutator *m, uint32_t count)
{
    return mutate_random(m) % count;
}

static void make_packet(struct mutator *m, uint8_t packet[PACKET_SIZE], uint32_t server)
{
    memset(packet, 0, PACKET_SIZE);
    put(packet, 0, PACKET_SIZE);
    put(packet, 2, commands[pick(m, sizeof commands / sizeof *commands)]);
    put(packet, 3, pick(m, 2));
    put(packet, 4, RECEIVE);
    put(packet, 5, PACKET);
    put(packet, 7, RECEIVE + 0x100);
    put(packet, 8, pick(m, 2) ? pick(m, 18) : 0x80000001 + pick(m, 7));
    put(packet, 9, pick(m, DATA_SIZE + 1));
    put(packet, 10, RECEIVE + 0x200);
    put(packet, 11, pick(m, 64));
    put(packet, 12, pick(m, 4) != 0);
    put(packet, 13, SERVER + server * 64);
}

// Arguments of the services: words that may be descriptors, addresses and sizes, and a path.
static void make_data(struct mutator *m, uint8_t data[DATA_SIZE])
{
    static const unsigned path_at[] = {0, 4, 8};
    memset(data, 0, DATA_SIZE);
    put(data, 0, pick(m, 8));
    put(data, 1, pick(m, 2) ? DATA : pick(m, 0x800));
    put(data, 2, pick(m, 3) ? pick(m, 0x4000) : mutate_random(m));
    put(data, 3, pick(m, 20));
    if (pick(m, 2)) {
        const char *path = paths[pick(m, sizeof paths / sizeof *paths)];
        strcpy((char *)data + path_at[pick(m, 3)], path);
    }
}

// One round: a transfer of data and a command, or whatever became of it.
static void make_round(struct mutator *m, struct ee *ee)
{
    uint8_t packet[PACKET_SIZE], data[DATA_SIZE], list[32] = {0};
    uint32_t server = pick(m, 3);
    make_packet(m, packet, server);
    make_data(m, data);
    put(list, 0, DATA);
    put(list, 1, BUFFER + server * 0x1000);
    put(list, 2, DATA_SIZE);
    put(list, 4, PACKET);
    put(list, 5, COMMAND_BUFFER);
    put(list, 6, PACKET_SIZE);
    put(list, 7, 0x44);
    if (pick(m, 3) == 0)
        mutate(m, packet, sizeof packet);
    if (pick(m, 3) == 0)
        mutate(m, data, sizeof data);
    if (pick(m, 8) == 0)
        mutate(m, list, sizeof list);
    ee_poke(ee, PACKET, packet, sizeof packet);
    ee_poke(ee, DATA, data, sizeof data);
    ee_poke(ee, LIST, list, sizeof list);
}

// Calls number(a0, a1), then runs on for longer than an answer takes. False when the CPU ended in a way it
// must not.
static bool call(struct ee *ee, uint32_t number, uint32_t a0, uint32_t a1, unsigned insns)
{
    struct guest_stop stop;
    ee_gpr(ee, EE_V1)->d[0] = number;
    ee_gpr(ee, EE_A0)->d[0] = a0;
    ee_gpr(ee, EE_A0 + 1)->d[0] = a1;
    ee_set_pc(ee, CODE);
    ee_run(ee, &(struct guest_limits){.insns = insns}, &stop);
    bool refused = stop.kind == GUEST_FAULT && stop.fault == GUEST_FAULT_PORT && stop.message[0];
    if (stop.kind == GUEST_LIMIT || refused)
        return true;
    fprintf(stderr, "fuzz_sif: stopped by %d, fault %d: %s\n", stop.kind, stop.fault, stop.message);
    return false;
}

static void make_folder(const char *root)
{
    char path[512];
    mkdir(root, 0777);
    snprintf(path, sizeof path, "%s/file", root);
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
    snprintf(path, sizeof path, "%s/folder", root);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/link", root);
    if (symlink("..", path))
        perror(path);
    snprintf(path, sizeof path, "%s/loop", root);
    if (symlink(".", path))
        perror(path);
    snprintf(path, sizeof path, "%s/fifo", root);
    mkfifo(path, 0666);
}

static void remove_below(int folder)
{
    DIR *dir = fdopendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        if (!unlinkat(dirfd(dir), e->d_name, 0))
            continue;
        int inner = openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            remove_below(inner);
        unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
    }
    if (dir)
        closedir(dir);
}

// Whether the folder around the root holds the root and nothing else.
static bool outside_is_clean(const char *outside)
{
    unsigned names = 0;
    DIR *dir = opendir(outside);
    while (dir && readdir(dir))
        names++;
    if (dir)
        closedir(dir);
    return names == 3;
}

static bool campaign(const char *root, unsigned long runs)
{
    // syscall; 1: b 1b; nop
    static const uint32_t code[] = {0x0000000c, 0x1000ffff, 0x00000000};
    struct mutator m = {0x5eed51f5eed51f01};
    struct ps2_error error;
    struct kernel *kernel = NULL;
    struct ee *ee = ee_new(&(struct ee_config){.engine = EE_ENGINE_INTERP}, NULL);
    bool fine = ee != NULL;
    for (unsigned long run = 0; fine && run < runs; run++) {
        if (run % 4096 == 0) {
            int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (folder >= 0)
                remove_below(folder);
            make_folder(root);
        }
        if (run == 0) {
            fine = kernel_new(ee, &(struct kernel_config){.root = root}, &kernel, &error) == PS2_OK;
            if (!fine)
                break;
            ee_poke(ee, CODE, code, sizeof code);
            kernel_start(kernel, CODE, 0, 0, NULL);
        }
        make_round(&m, ee);
        fine = call(ee, 119, LIST, pick(&m, 16) ? 2 : mutate_random(&m), 4) &&
               call(ee, 120, 0, 0, run % 8 ? 4 : 10000);
    }
    ee_free(ee);
    kernel_free(kernel);
    return fine;
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    const struct rlimit limit = {1 << 20, 1 << 20};
    char outside[] = "/tmp/fuzz_sif.XXXXXX", root[64];
    if (!mkdtemp(outside)) {
        perror(outside);
        return 1;
    }
    snprintf(root, sizeof root, "%s/root", outside);
    setrlimit(RLIMIT_FSIZE, &limit); // no large files
    signal(SIGXFSZ, SIG_IGN);
    make_folder(root);
    bool fine = campaign(root, runs);
    if (!outside_is_clean(outside)) {
        fprintf(stderr, "fuzz_sif: something appeared beside the root in %s\n", outside);
        fine = false;
    } else {
        int folder = open(outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0)
            remove_below(folder);
        rmdir(outside);
    }
    printf("fuzz_sif: %lu runs%s\n", runs, fine ? "" : ", failed");
    return fine ? 0 : 1;
}
