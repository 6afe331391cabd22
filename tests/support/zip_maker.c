// A ZIP file from its description: local headers with their data, central directory, end record.
#include "tests/support/zip_maker.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

struct file {
    uint8_t *data;
    size_t size, room;
};

static void *need(void *pointer)
{
    if (!pointer)
        abort();
    return pointer;
}

static void put_bytes(struct file *f, const void *data, size_t size)
{
    if (f->room - f->size < size) {
        f->room = 2 * f->room + size;
        f->data = need(realloc(f->data, f->room));
    }
    if (size)
        memcpy(f->data + f->size, data, size);
    f->size += size;
}

static void put(struct file *f, unsigned size, uint32_t value)
{
    for (unsigned n = 0; n < size; n++)
        put_bytes(f, &(uint8_t){(uint8_t)(value >> 8 * n)}, 1);
}

struct packed {
    uint8_t *data; // owned
    size_t size;
};

static struct packed deflate_raw(const void *data, size_t size)
{
    z_stream z = {0};
    if (deflateInit2(&z, 1, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    struct packed out = {need(malloc(deflateBound(&z, size) + 1)), 0};
    union {
        const void *in;
        Bytef *out;
    } from = {data}; // zlib's next_in is not const
    z.next_in = from.out;
    z.avail_in = (uInt)size;
    z.next_out = out.data;
    z.avail_out = (uInt)deflateBound(&z, size);
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    out.size = z.total_out;
    deflateEnd(&z);
    return out;
}

static struct packed pack(const struct zip_entry *e)
{
    struct packed out;
    if (e->method == ZIP_DEFLATE)
        return deflate_raw(e->data, e->size);
    if (e->method == ZIP_ZSTD) {
        size_t bound = ZSTD_compressBound(e->size);
        out.data = need(malloc(bound));
        out.size = ZSTD_compress(out.data, bound, e->data, e->size, 1);
        if (ZSTD_isError(out.size))
            abort();
        return out;
    }
    out = (struct packed){need(malloc(e->size + 1)), e->size};
    if (e->size)
        memcpy(out.data, e->data, e->size);
    return out;
}

struct written {
    uint32_t at, checksum, packed, size;
};

// What the local header and the central one have in common: version needed to the length of the extra field.
static void put_common(struct file *f, const struct zip_entry *e, const struct written *w, bool sizes)
{
    put(f, 2, e->method == ZIP_ZSTD || e->method == ZIP_LZMA2 ? 63 : 20);
    put(f, 2, e->streamed ? 1 << 3 : 0);
    put(f, 2, e->method);
    put(f, 4, 0x5921ab3c); // time and date
    put(f, 4, sizes ? w->checksum : 0);
    put(f, 4, sizes ? w->packed : 0);
    put(f, 4, sizes ? w->size : 0);
    put(f, 2, (uint32_t)strlen(e->name));
    put(f, 2, 0);
}

static struct written put_entry(struct file *f, const struct zip_entry *e)
{
    struct packed packed = pack(e);
    struct written w = {(uint32_t)f->size, (uint32_t)crc32(0, e->data, (uInt)e->size), (uint32_t)packed.size,
                        e->claimed_size ? e->claimed_size : (uint32_t)e->size};
    w.checksum ^= e->wrong_checksum;
    put(f, 4, 0x04034b50);
    put_common(f, e, &w, !e->streamed);
    put_bytes(f, e->name, strlen(e->name));
    put_bytes(f, packed.data, packed.size);
    if (e->streamed) {
        put(f, 4, 0x08074b50);
        put(f, 4, w.checksum);
        put(f, 4, w.packed);
        put(f, 4, w.size);
    }
    free(packed.data);
    return w;
}

static void put_directory(struct file *f, const struct zip_entry *e, const struct written *w)
{
    put(f, 4, 0x02014b50);
    put(f, 2, 3 << 8 | 63); // made on Unix
    put_common(f, e, w, true);
    put(f, 2, 0); // comment
    put(f, 2, 0); // disk
    put(f, 2, 0); // internal attributes
    put(f, 4, 0100644u << 16);
    put(f, 4, w->at);
    put_bytes(f, e->name, strlen(e->name));
}

uint8_t *zip_make(const struct zip_entry *entries, size_t count, size_t *size)
{
    struct file f = {0};
    struct written *written = need(calloc(count + 1, sizeof *written));
    for (size_t n = 0; n < count; n++)
        written[n] = put_entry(&f, &entries[n]);
    uint32_t start = (uint32_t)f.size;
    for (size_t n = 0; n < count; n++)
        put_directory(&f, &entries[n], &written[n]);
    uint32_t length = (uint32_t)f.size - start;
    put(&f, 4, 0x06054b50);
    put(&f, 4, 0);
    put(&f, 2, (uint32_t)count);
    put(&f, 2, (uint32_t)count);
    put(&f, 4, length);
    put(&f, 4, start);
    put(&f, 2, 0);
    free(written);
    *size = f.size;
    return f.data;
}
