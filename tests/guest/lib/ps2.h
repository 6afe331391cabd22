// What the guest programs have instead of a C library: the kernel's calls, the file service, printing,
// checks.
#ifndef GUEST_PS2_H
#define GUEST_PS2_H

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned int size_t;

#define NULL ((void *)0)

struct quad {
    uint32_t w[4];
} __attribute__((aligned(16)));

// ---- kernel (syscalls.S)

struct thread_parameters {
    int status;
    void (*function)(void *);
    void *stack;
    int stack_size;
    void *gp;
    int initial_priority, current_priority;
    uint32_t attr, option;
};

struct thread_status {
    int status;
    void *function, *stack;
    int stack_size;
    void *gp;
    int initial_priority, current_priority;
    uint32_t attr, option, wait_type, wait_id, wakeups;
};

struct semaphore_parameters {
    int count, max, initial, waiting;
    uint32_t attr, option;
};

struct sif_transfer {
    const void *source;
    uint32_t destination;
    int size, attributes;
};

void SetGsCrt(int interlaced, int mode, int frame_mode);
int GsGetIMR(void);
int GsPutIMR(int mask);
void Exit(int status);
int AddIntcHandler(int cause, int (*handler)(int, void *), int next, void *argument);
int RemoveIntcHandler(int cause, int id);
int AddDmacHandler(int channel, int (*handler)(int, void *), int next, void *argument);
int EnableIntc(int cause);
int DisableIntc(int cause);
int RemoveDmacHandler(int channel, int id);
int EnableDmac(int channel);
int DisableDmac(int channel);
int SetAlarm(int lines, void (*handler)(int, int, void *), void *argument);
int ReleaseAlarm(int id);
int CreateThread(const struct thread_parameters *);
int DeleteThread(int id);
int StartThread(int id, void *argument);
void ExitThread(void);
void ExitDeleteThread(void);
int TerminateThread(int id);
int ChangeThreadPriority(int id, int priority);
int RotateThreadReadyQueue(int priority);
int ReleaseWaitThread(int id);
int GetThreadId(void);
int ReferThreadStatus(int id, struct thread_status *);
int SleepThread(void);
int WakeupThread(int id);
int iWakeupThread(int id);
int CancelWakeupThread(int id);
int SuspendThread(int id);
int ResumeThread(int id);
void *EndOfHeap(void);
int CreateSema(const struct semaphore_parameters *);
int DeleteSema(int id);
int SignalSema(int id);
int iSignalSema(int id);
int WaitSema(int id);
int PollSema(int id);
int ReferSemaStatus(int id, struct semaphore_parameters *);
void FlushCache(int mode);
void SetSyscall(int number, void *handler);
int Call90(int a, int b); // system call 90, which the kernel does not have
int SifSetDma(const struct sif_transfer *, int count);
void SifSetDChain(void);
void iSifSetDChain(void);
uint32_t SifGetReg(uint32_t reg);
int SifSetReg(uint32_t reg, uint32_t value);

static inline void enable_interrupts(void)
{
    __asm__ volatile("ei" ::: "memory");
}

static inline void disable_interrupts(void)
{
    __asm__ volatile("di\n\tsync.p" ::: "memory");
}

// ---- remote procedure calls (sif.c)

struct rpc_client {
    uint32_t server, buffer; // as bind answered; server 0: it does not exist
    int semaphore;
};

void sif_init(void);
void rpc_bind(struct rpc_client *, uint32_t id);
void rpc_call(struct rpc_client *, uint32_t function, const void *send, int send_size, void *receive,
              int receive_size);

// ---- files (fileio.c)

enum open_flag { O_READ = 1, O_WRITE = 2, O_APPEND = 0x100, O_CREATE = 0x200, O_TRUNCATE = 0x400 };

int open(const char *path, int flags);
int close(int descriptor);
int read(int descriptor, void *to, int size);
int write(int descriptor, const void *from, int size);
int lseek(int descriptor, int offset, int whence);
int remove(const char *path);
int mkdir(const char *path);
int rmdir(const char *path);
int dopen(const char *path);
int dclose(int descriptor);
int dread(int descriptor, void *entry); // 300 bytes: a stat of 40, then the name
int getstat(const char *path, void *stat);

// ---- text (print.c)

// %d %u %x %08x %016llx %s %c
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
int equal_text(const char *a, const char *b);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);

// ---- checks (check.c)

// Reports a difference. With the program's argument "control" every value is compared with a wrong one, so
// that every check must report.
void check(const char *what, uint64_t got, uint64_t wanted);
void check_begin(int argc, char **argv);
int check_failures(void);
int check_end(const char *program); // prints the count; the program's exit status

#endif
