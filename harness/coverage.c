// Coverage: how often each word of RAM ran.
//
// The report has one line for each executed word, `address TAB count TAB symbol+offset`, and before them, for
// each symbol that ran, `# symbol TAB words that ran TAB words in all TAB instructions executed`.
#include "harness/machine.h"

#include <inttypes.h>
#include <stdlib.h>

#define PAGE_WORDS 1024

struct ps2_coverage {
    struct ps2 *ps2;
    struct guest_observer observer;
    uint64_t **pages; // of PAGE_WORDS counts; NULL where nothing ran
    size_t page_count;
};

static void on_insn(void *context, uint32_t pc, uint32_t word, bool in_slot)
{
    struct ps2_coverage *coverage = context;
    size_t index = ps2_physical(pc) / 4, page = index / PAGE_WORDS;
    (void)word;
    (void)in_slot;
    if (page >= coverage->page_count)
        return;
    if (!coverage->pages[page])
        coverage->pages[page] = calloc(PAGE_WORDS, sizeof **coverage->pages);
    if (coverage->pages[page])
        coverage->pages[page][index % PAGE_WORDS]++;
}

enum ps2_status ps2_coverage_new(struct ps2 *ps2, struct ps2_coverage **out, struct ps2_error *error)
{
    struct ps2_coverage *coverage = calloc(1, sizeof *coverage);
    size_t page_count = ps2->ram_size / (PAGE_WORDS * 4);
    *out = NULL;
    if (coverage)
        coverage->pages = calloc(page_count, sizeof *coverage->pages);
    if (!coverage || !coverage->pages) {
        free(coverage);
        return ps2_fail(error, PS2_BAD_INPUT, NULL, 0, "out of memory");
    }
    coverage->ps2 = ps2;
    coverage->page_count = page_count;
    coverage->observer = (struct guest_observer){.context = coverage, .insn = on_insn};
    enum ps2_status status = ps2_attach(ps2, &coverage->observer, error);
    if (status == PS2_OK)
        *out = coverage;
    else
        ps2_coverage_free(coverage);
    return status;
}

void ps2_coverage_free(struct ps2_coverage *coverage)
{
    if (!coverage)
        return;
    ps2_detach(coverage->ps2, &coverage->observer);
    for (size_t page = 0; page < coverage->page_count; page++)
        free(coverage->pages[page]);
    free(coverage->pages);
    free(coverage);
}

uint64_t ps2_coverage_count(const struct ps2_coverage *coverage, uint32_t address)
{
    size_t index = ps2_physical(address) / 4, page = index / PAGE_WORDS;
    return page < coverage->page_count && coverage->pages[page] ? coverage->pages[page][index % PAGE_WORDS]
                                                                : 0;
}

// The first word at or after `address` that ran, or the end of RAM.
static uint32_t next_executed(const struct ps2_coverage *coverage, uint32_t address)
{
    uint32_t end = coverage->ps2->ram_size;
    while (address < end && !ps2_coverage_count(coverage, address))
        address =
            coverage->pages[address / 4 / PAGE_WORDS] ? address + 4 : (address | (PAGE_WORDS * 4 - 1)) + 1;
    return address;
}

static void write_symbol(const struct ps2_coverage *coverage, const struct ps2_symbol *symbol, FILE *out)
{
    uint64_t executed = 0, words = 0;
    for (uint32_t offset = 0; offset + 4 <= symbol->size; offset += 4) {
        uint64_t count = ps2_coverage_count(coverage, symbol->address + offset);
        executed += count;
        words += count != 0;
    }
    fprintf(out, "# %s\t%" PRIu64 "\t%u\t%" PRIu64 "\n", symbol->name, words, symbol->size / 4, executed);
}

void ps2_coverage_write(const struct ps2_coverage *coverage, FILE *out)
{
    uint32_t end = coverage->ps2->ram_size, named = UINT32_MAX;
    struct ps2_symbol symbol;
    char text[256];
    for (uint32_t at = next_executed(coverage, 0); at < end; at = next_executed(coverage, at + 4))
        if (ps2_symbol_at(coverage->ps2, at, &symbol) && symbol.address != named) {
            named = symbol.address;
            write_symbol(coverage, &symbol, out);
        }
    for (uint32_t at = next_executed(coverage, 0); at < end; at = next_executed(coverage, at + 4))
        fprintf(out, "%08x\t%" PRIu64 "\t%s\n", at, ps2_coverage_count(coverage, at),
                ps2_symbol_text(coverage->ps2, at, text, sizeof text));
}
