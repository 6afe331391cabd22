// Fuzz target: the reader of captured states. The structures in every run, put into a machine in one of 64;
// the ZIP file around them in one of 16.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/machine.h"
#include "harness/state/captured.h"
#include "harness/state/rewrite.h"
#include "harness/state/save.h"
#include "tests/support/mutate.h"

enum { NAME = 64 };

struct fuzz {
    struct mutator m;
    struct ps2 *ps2;
    uint8_t *internals, *hardware, *zip;
    size_t internals_size, hardware_size, zip_size;
    unsigned long read, refused, applied, opened, refused_files;
    bool broken;
};

static bool has_reason(const struct ps2_error *error)
{
    return error->status == PS2_BAD_INPUT && error->message[0] && !strcmp(error->where, "fuzz.p2s");
}

static bool inside(const struct internals *in, size_t at, size_t size)
{
    return !at || (at <= in->size && size <= in->size - at);
}

static bool positions_hold(const struct internals *in)
{
    bool hold = inside(in, in->ee, INTERNALS_START_CYCLES) &&
                inside(in, in->fpu, 260 + 4 * in->has_acc_flag) &&
                inside(in, in->tlb, INTERNALS_TLB * in->tlb_step) &&
                inside(in, in->counters, INTERNALS_COUNTERS * in->counter_step) &&
                inside(in, in->gs_privileged, INTERNALS_PRIVILEGED);
    for (unsigned n = 0; n < 2; n++)
        hold = hold && inside(in, in->vf[n], INTERNALS_VU_SIZE) && inside(in, in->acc[n], 16) &&
               inside(in, in->vif[n], 32) && inside(in, in->vif_data[n], in->vif_data_size[n]);
    return hold && memchr(in->elf, 0, sizeof in->elf);
}

// A state without its file: what the ZIP file would give.
static void apply(struct fuzz *f, const struct internals *in)
{
    struct captured c = {.file = {.name = "fuzz.p2s"}, .in = *in};
    uint8_t *hardware = malloc(f->hardware_size);
    memcpy(hardware, f->hardware, f->hardware_size);
    mutate(&f->m, hardware, f->hardware_size);
    for (unsigned n = 0; n < 4; n++) // where the registers of DMAC and VIF are, more often
        hardware[0x3800 + mutate_random(&f->m) % 0xa000] = (uint8_t)mutate_random(&f->m);
    c.file.entries[STATE_EE_HARDWARE] = (struct state_entry){hardware, f->hardware_size};
    for (unsigned part = 0; part < PS2_PARTS; part++)
        c.info.missing[part] = "not here";
    static const uint8_t there[] = {PS2_PART_EE,     PS2_PART_FPU,  PS2_PART_DMAC, PS2_PART_INTC,
                                    PS2_PART_TIMERS, PS2_PART_VIF0, PS2_PART_VIF1, PS2_PART_GIF};
    for (size_t n = 0; n < sizeof there; n++)
        c.info.missing[there[n]] = NULL;
    c.info.missing[PS2_PART_TLB] = in->tlb ? NULL : "not here";
    c.info.missing[PS2_PART_VU0] = c.info.missing[PS2_PART_VU1] = in->vf[0] ? NULL : "not here";
    c.info.missing[PS2_PART_GS_PRIVILEGED] = in->gs_privileged ? NULL : "not here";
    captured_find_busy(&c);
    captured_put(f->ps2, &c, NULL, NULL);
    ps2_quiesce(f->ps2, (enum ps2_quiesce)(mutate_random(&f->m) % 3), NULL);
    free(hardware);
    f->applied++;
}

static void run_internals(struct fuzz *f, bool machine)
{
    struct internals in;
    struct ps2_error error = {0};
    const struct internals_model model = {.any = true, .version = STATE_OUR_VERSION};
    uint8_t *bytes = malloc(f->internals_size);
    memcpy(bytes, f->internals, f->internals_size);
    size_t size = mutate(&f->m, bytes, f->internals_size);
    if (internals_read(&in, "fuzz.p2s", bytes, size, &model, &error) == PS2_OK) {
        f->read++;
        f->broken |= !positions_hold(&in);
        if (machine)
            apply(f, &in);
    } else {
        f->refused++;
        f->broken |= !has_reason(&error);
    }
    free(bytes);
}

static void run_zip(struct fuzz *f)
{
    struct captured c;
    struct ps2_error error = {0};
    uint8_t *bytes = malloc(f->zip_size);
    memcpy(bytes, f->zip, f->zip_size);
    size_t size = mutate(&f->m, bytes, f->zip_size);
    if (mutate_random(&f->m) % 2) // the directory at the end, more often
        bytes[f->zip_size - 1 - mutate_random(&f->m) % 512] ^= (uint8_t)mutate_random(&f->m);
    if (captured_from_data(&c, "fuzz.p2s", bytes, size, &error) == PS2_OK) {
        f->opened++;
    } else {
        f->refused_files++;
        f->broken |= !has_reason(&error);
    }
    captured_close(&c);
    free(bytes);
}

// The entries of a file of ours that are small, and a ZIP file of them.
static bool make_seeds(struct fuzz *f)
{
    static const char *const kept[] = {"PCSX2 Savestate Version.id", "PCSX2 Internal Structures.dat",
                                       "vu0Memory.bin", "gsClut.bin"};
    char whole[NAME], small[NAME];
    bool fine = true;
    snprintf(whole, sizeof whole, "/tmp/fuzz-state-%ld.p2s", (long)getpid());
    snprintf(small, sizeof small, "/tmp/fuzz-state-%ld.zip", (long)getpid());
    fine = ps2_save_state(f->ps2, whole, NULL) == PS2_OK &&
           state_extract_bytes(whole, kept[1], &f->internals, &f->internals_size, NULL) == PS2_OK &&
           state_extract_bytes(whole, "eeHwRegs.bin", &f->hardware, &f->hardware_size, NULL) == PS2_OK;
    struct archive *zip = fine ? zip_create(small, NULL) : NULL;
    for (size_t n = 0; zip && fine && n < sizeof kept / sizeof *kept; n++) {
        uint8_t *data = NULL;
        size_t size;
        fine = state_extract_bytes(whole, kept[n], &data, &size, NULL) == PS2_OK &&
               zip_add(zip, small, kept[n], data, size, NULL) == PS2_OK;
        free(data);
    }
    fine = zip && zip_end(zip, small, PS2_OK, NULL) == PS2_OK && fine;
    FILE *file = fine ? fopen(small, "rb") : NULL;
    f->zip = malloc(1 << 20);
    f->zip_size = file && f->zip ? fread(f->zip, 1, 1 << 20, file) : 0;
    if (file)
        fclose(file);
    unlink(whole);
    unlink(small);
    return fine && f->zip_size > 1024;
}

int main(int argc, char **argv)
{
    static struct fuzz f;
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
    f.m.state = 0x9e3779b97f4a7c15;
    if (ps2_new(&(struct ps2_config){.engine = EE_ENGINE_INTERP}, &f.ps2, NULL) != PS2_OK || !make_seeds(&f))
        return 2;
    f.ps2->hardware.vu.cop2.limit = 1000;
    for (unsigned long run = 0; run < runs && !f.broken; run++) {
        run_internals(&f, run % 64 == 0);
        if (run % 16 == 0)
            run_zip(&f);
        if (f.broken)
            printf("fuzz_state: run %lu broke a promise\n", run);
    }
    printf(
        "fuzz_state: %lu runs, %lu structures read, %lu refused, %lu put into a machine; %lu files opened, "
        "%lu refused\n",
        runs, f.read, f.refused, f.applied, f.opened, f.refused_files);
    ps2_free(f.ps2);
    free(f.internals);
    free(f.hardware);
    free(f.zip);
    return f.broken || (runs >= 10000 && !(f.read && f.refused && f.applied && f.opened && f.refused_files));
}
