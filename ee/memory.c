// The memory map: RAM in its mirrors, the scratchpad, device windows, and the accesses that are not plain.
#include "ee/core.h"

#include <stdlib.h>
#include <sys/mman.h>

// Where RAM appears: cached, uncached, uncached accelerated, KSEG0, KSEG1.
static const uint32_t mirrors[] = {0x00000000, 0x20000000, 0x30000000, 0x80000000, 0xa0000000};
#define MIRRORS (sizeof mirrors / sizeof *mirrors)

// Zero pages that cost nothing until they are touched.
static void *reserve(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static size_t code_size(const struct ee *ee)
{
    return (ee->ram_size / 4 + 1) * sizeof *ee->code;
}

bool ee_memory_new(struct ee *ee)
{
    ee->ram = reserve(ee->ram_size);
    ee->scratchpad = reserve(EE_SCRATCHPAD_SIZE);
    ee->read_page = reserve(EE_PAGES * sizeof *ee->read_page);
    ee->write_page = reserve(EE_PAGES * sizeof *ee->write_page);
    ee->code = reserve(code_size(ee));
    ee->code_page = calloc(ee->ram_size >> EE_PAGE_SHIFT, 1);
    ee->page_marks = calloc(ee->ram_size >> EE_PAGE_SHIFT, 1);
    return ee->ram && ee->scratchpad && ee->read_page && ee->write_page && ee->code && ee->code_page &&
           ee->page_marks;
}

static void release(void *p, size_t size)
{
    if (p)
        munmap(p, size);
}

void ee_memory_free(struct ee *ee)
{
    release(ee->ram, ee->ram_size);
    release(ee->scratchpad, EE_SCRATCHPAD_SIZE);
    release(ee->read_page, EE_PAGES * sizeof *ee->read_page);
    release(ee->write_page, EE_PAGES * sizeof *ee->write_page);
    release(ee->code, code_size(ee));
    free(ee->code_page);
    free(ee->page_marks);
}

void ee_memory_share(struct ee *ee, struct ee *other)
{
    if (other) {
        release(ee->ram, ee->ram_size);
        release(ee->scratchpad, EE_SCRATCHPAD_SIZE);
    }
    ee->ram = other ? other->ram : NULL;
    ee->scratchpad = other ? other->scratchpad : NULL;
}

// A page is written directly once it is dirty: the first write after it was cleaned passes write_any, which
// costs the others nothing.
static void map_page(struct ee *ee, uint32_t page)
{
    uint8_t *host = ee->observer ? NULL : ee->ram + ((size_t)page << EE_PAGE_SHIFT);
    bool direct = ee->page_marks[page] & EE_PAGE_DIRTY && ee->code_page[page] != CODE_PROTECTED;
    for (size_t m = 0; m < MIRRORS; m++) {
        uint32_t mirror = (mirrors[m] >> EE_PAGE_SHIFT) + page;
        ee->read_page[mirror] = host;
        ee->write_page[mirror] = direct ? host : NULL;
    }
}

void ee_map_pages(struct ee *ee)
{
    for (uint32_t page = 0; page < ee->ram_size >> EE_PAGE_SHIFT; page++)
        map_page(ee, page);
    for (uint32_t offset = 0; offset < EE_SCRATCHPAD_SIZE; offset += EE_PAGE_SIZE) {
        uint32_t page = (EE_SCRATCHPAD + offset) >> EE_PAGE_SHIFT;
        ee->read_page[page] = ee->write_page[page] = ee->observer ? NULL : ee->scratchpad + offset;
    }
}

void ee_protect_page(struct ee *ee, uint32_t page)
{
    ee->code_page[page] = CODE_PROTECTED;
    map_page(ee, page);
}

// ---- what was written

static void mark(struct ee *ee, uint32_t page)
{
    if (ee->page_marks[page] & EE_PAGE_DIRTY)
        return;
    ee->page_marks[page] = EE_PAGE_WRITTEN | EE_PAGE_DIRTY;
    map_page(ee, page);
}

const uint8_t *ee_page_marks(const struct ee *ee, size_t *count)
{
    *count = ee->ram_size >> EE_PAGE_SHIFT;
    return ee->page_marks;
}

void ee_clean_page(struct ee *ee, uint32_t page)
{
    ee->page_marks[page] &= (uint8_t)~EE_PAGE_DIRTY;
    map_page(ee, page);
}

// Forgets only the words that change: a page of code may hold data too.
void ee_put_page(struct ee *ee, uint32_t page, const void *bytes)
{
    uint8_t *host = ee->ram + ((size_t)page << EE_PAGE_SHIFT);
    const uint8_t *from = bytes;
    if (ee->code_page[page] == CODE_PROTECTED)
        for (uint32_t at = 0; at < EE_PAGE_SIZE; at += 4)
            if (memcmp(host + at, from + at, 4)) {
                memcpy(host + at, from + at, 4);
                ee_forget(ee, (page << EE_PAGE_SHIFT | at) / 4, 1);
            }
    memcpy(host, from, EE_PAGE_SIZE);
    ee->page_marks[page] |= EE_PAGE_WRITTEN;
}

// Physical address of a RAM or device address; false for the scratchpad and for what the kernel does not map.
static bool physical(uint32_t address, uint32_t *out)
{
    switch (address >> 28) {
    case 0x0:
    case 0x1:
        *out = address;
        return true;
    case 0x2:
    case 0x3:
        *out = address & 0x0fffffff;
        return true;
    case 0x8:
    case 0x9:
    case 0xa:
    case 0xb:
        *out = address & 0x1fffffff;
        return true;
    }
    return false;
}

// Host address of guest memory, and how many bytes follow it there; NULL when it is not memory.
uint8_t *ee_host(struct ee *ee, uint32_t address, size_t *left)
{
    uint32_t p;
    if (address - EE_SCRATCHPAD < EE_SCRATCHPAD_SIZE) {
        *left = EE_SCRATCHPAD_SIZE - (address - EE_SCRATCHPAD);
        return ee->scratchpad + (address - EE_SCRATCHPAD);
    }
    if (!physical(address, &p) || p >= ee->ram_size)
        return NULL;
    *left = ee->ram_size - p;
    return ee->ram + p;
}

const struct ee_device *ee_device_at(const struct ee *ee, uint32_t address)
{
    uint32_t p;
    if (!physical(address, &p))
        return NULL;
    for (unsigned n = 0; n < ee->device_count; n++)
        if (p - ee->devices[n]->base < ee->devices[n]->size)
            return ee->devices[n];
    return NULL;
}

// A device may ask for the clock and the PC, which must then be exact.
static void settle_clock(struct ee *ee, const struct insn *i)
{
    ee->ctl.retired = now(ee, i);
    ee->ctl.run = i;
    ee->pc = address_of(ee, i);
}

static void observe(struct ee *ee, const struct insn *i, uint32_t address, unsigned size,
                    enum guest_access_kind kind, bool write, const void *value)
{
    if (!ee->observer || !ee->observer->access)
        return;
    struct guest_access a = {.pc = address_of(ee, i),
                             .address = address,
                             .size = (uint8_t)size,
                             .kind = (uint8_t)kind,
                             .write = write};
    memcpy(a.value, value, size);
    ee->observer->access(ee->observer->context, &a);
}

// Devices have registers of 1 to 16 bytes; LWL and its like move 3, 5, 6 or 7 of them too.
static const char *odd(unsigned size)
{
    return size & (size - 1) ? "unsupported: an unaligned load or store of a device register" : NULL;
}

static bool read_any(struct ee *ee, const struct insn *i, uint32_t address, unsigned size,
                     enum guest_access_kind kind, void *out)
{
    size_t left;
    const uint8_t *host = ee_host(ee, address, &left);
    const struct ee_device *device = host ? NULL : ee_device_at(ee, address);
    uint64_t value[2] = {0, 0};
    if (host) {
        memcpy(value, host, size);
    } else if (device) {
        settle_clock(ee, i);
        const char *why = odd(size) ? odd(size) : device->read(device->context, address, size, value);
        if (why) {
            ee_fault_message(ee, i, GUEST_FAULT_PORT, why);
            ee->ctl.stop.address = address;
            return false;
        }
    } else {
        ee_fault(ee, i, GUEST_FAULT_READ, address);
        return false;
    }
    memcpy(out, value, size);
    observe(ee, i, address, size, kind, false, value);
    return true;
}

bool ee_read_slow(struct ee *ee, const struct insn *i, uint32_t address, unsigned size,
                  enum guest_access_kind kind, void *out)
{
    if (address & (size - 1)) {
        ee_fault(ee, i, GUEST_FAULT_MISALIGNED_READ, address);
        return false;
    }
    return read_any(ee, i, address, size, kind, out);
}

bool ee_read_bytes(struct ee *ee, const struct insn *i, uint32_t address, unsigned count, uint8_t *bytes)
{
    const uint8_t *page = ee->read_page[address >> EE_PAGE_SHIFT];
    if (!page)
        return read_any(ee, i, address, count, GUEST_PART, bytes);
    memcpy(bytes, page + (address & (EE_PAGE_SIZE - 1)), count);
    return true;
}

// Writes memory, marks the page, and forgets the decoded words there.
static void write_host(struct ee *ee, uint8_t *host, const void *in, unsigned size)
{
    memcpy(host, in, size);
    size_t offset = (size_t)(host - ee->ram);
    if (offset >= ee->ram_size)
        return;
    mark(ee, (uint32_t)(offset >> EE_PAGE_SHIFT));
    if (ee->code_page[offset >> EE_PAGE_SHIFT] == CODE_PROTECTED)
        ee_forget(ee, (uint32_t)(offset / 4), (unsigned)((offset + size - 1) / 4 - offset / 4 + 1));
}

static bool write_any(struct ee *ee, const struct insn *i, uint32_t address, unsigned size,
                      enum guest_access_kind kind, const void *in)
{
    size_t left;
    uint8_t *host = ee_host(ee, address, &left);
    const struct ee_device *device = host ? NULL : ee_device_at(ee, address);
    uint64_t value[2] = {0, 0};
    memcpy(value, in, size);
    if (host) {
        write_host(ee, host, value, size);
    } else if (device) {
        settle_clock(ee, i);
        const char *why = odd(size) ? odd(size) : device->write(device->context, address, size, value);
        if (why) {
            ee_fault_message(ee, i, GUEST_FAULT_PORT, why);
            ee->ctl.stop.address = address;
            return false;
        }
    } else {
        ee_fault(ee, i, GUEST_FAULT_WRITE, address);
        return false;
    }
    observe(ee, i, address, size, kind, true, value);
    return true;
}

bool ee_write_slow(struct ee *ee, const struct insn *i, uint32_t address, unsigned size,
                   enum guest_access_kind kind, const void *in)
{
    if (address & (size - 1)) {
        ee_fault(ee, i, GUEST_FAULT_MISALIGNED_WRITE, address);
        return false;
    }
    return write_any(ee, i, address, size, kind, in);
}

bool ee_write_bytes(struct ee *ee, const struct insn *i, uint32_t address, unsigned count,
                    const uint8_t *bytes)
{
    uint8_t *page = ee->write_page[address >> EE_PAGE_SHIFT];
    if (!page)
        return write_any(ee, i, address, count, GUEST_PART, bytes);
    memcpy(page + (address & (EE_PAGE_SIZE - 1)), bytes, count);
    return true;
}

bool ee_add_device(struct ee *ee, const struct ee_device *device)
{
    uint64_t end = (uint64_t)device->base + device->size;
    if (ee->device_count == sizeof ee->devices / sizeof *ee->devices || device->size == 0 ||
        end > 0x20000000u || device->base < ee->ram_size)
        return false;
    for (unsigned n = 0; n < ee->device_count; n++)
        if (device->base < ee->devices[n]->base + ee->devices[n]->size && ee->devices[n]->base < end)
            return false;
    ee->devices[ee->device_count++] = device;
    return true;
}

uint8_t *ee_ram(struct ee *ee, uint32_t *size)
{
    if (size)
        *size = ee->ram_size;
    return ee->ram;
}

uint8_t *ee_scratchpad(struct ee *ee)
{
    return ee->scratchpad;
}

size_t ee_peek(struct ee *ee, uint32_t address, void *out, size_t size)
{
    size_t left = 0;
    const uint8_t *host = ee_host(ee, address, &left);
    size_t n = host ? (size < left ? size : left) : 0;
    if (n)
        memcpy(out, host, n);
    return n;
}

size_t ee_poke(struct ee *ee, uint32_t address, const void *in, size_t size)
{
    size_t left = 0;
    uint8_t *host = ee_host(ee, address, &left);
    size_t n = host ? (size < left ? size : left) : 0;
    if (n) {
        memcpy(host, in, n);
        if (host >= ee->ram && host < ee->ram + ee->ram_size)
            ee_written(ee, (uint32_t)(host - ee->ram), n);
    }
    return n;
}

void ee_written(struct ee *ee, uint32_t address, size_t size)
{
    uint64_t end = address + (uint64_t)size;
    if (end > ee->ram_size)
        end = ee->ram_size;
    for (uint64_t page = address >> EE_PAGE_SHIFT; page << EE_PAGE_SHIFT < end; page++) {
        mark(ee, (uint32_t)page);
        if (ee->code_page[page] != CODE_PROTECTED)
            continue;
        uint64_t from = page << EE_PAGE_SHIFT, to = from + EE_PAGE_SIZE;
        from = from < address ? address : from;
        to = to > end ? end : to;
        ee_forget(ee, (uint32_t)(from / 4), (uint32_t)((to - 1) / 4 - from / 4 + 1));
    }
}
