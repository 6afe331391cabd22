// Writes ZIP files record by record, for tests of readers: every method a save state may use, and lies about
// sizes.
#ifndef TESTS_ZIP_MAKER_H
#define TESTS_ZIP_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Compression methods by their number in the file (APPNOTE.TXT 4.4.5).
enum zip_method { ZIP_STORED = 0, ZIP_DEFLATE = 8, ZIP_DEFLATE64 = 9, ZIP_LZMA2 = 33, ZIP_ZSTD = 93 };

struct zip_entry {
    const char *name;
    const void *data;
    size_t size;
    // The data of a method that is neither stored, deflate nor zstd is stored: only the header claims the
    // method.
    enum zip_method method;
    bool streamed;         // sizes and checksum follow the data (general purpose bit 3)
    uint32_t claimed_size; // instead of `size` in the headers; 0: the truth
    bool wrong_checksum;
};

// The file; the caller frees it. The program ends when memory runs out.
uint8_t *zip_make(const struct zip_entry *entries, size_t count, size_t *size);

#endif
