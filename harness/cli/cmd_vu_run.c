// `ps2h vu run`: runs a microprogram alone and shows registers, flags, changed memory and kicked packets.
#include "harness/cli/cmd_vu.h"
#include "harness/file.h"
#include "harness/packet.h"
#include "harness/vu_trace.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: ps2h vu run [OPTION]... PROGRAM\n"
    "Runs a microprogram from pair 0 of micro memory with exact arithmetic, flags and latencies. PROGRAM is "
    "assembly\n"
    "(a name ending in .vsm, .vu or .s) or pairs of 8 bytes.\n"
    "\n"
    "  --unit 0|1         the unit (default 1)\n"
    "  --data FILE@QW     put a file into data memory from quadword QW on; may be repeated\n"
    "  --entry N          start at pair N (default 0)\n"
    "  --top N, --itop N  what XTOP and XITOP read\n"
    "  --vf N=X,Y,Z,W     a vector register, lanes as bit patterns (0x3f800000) or with a point as numbers "
    "(1.0)\n"
    "  --vi N=V           an integer register\n"
    "  --cycles N         give up after N cycles (default 100,000,000)\n"
    "  --trace[=FILE]     a line for each pair, to FILE or before the results; the format: vu/trace.md\n"
    "  --json             print the results as one JSON object\n"
    "\n"
    "Examples:\n"
    "  ps2h vu run --data vertices.bin@0 --data matrix.bin@0x3f0 transform.vsm\n"
    "  ps2h vu run --vi 1=16 --trace loop.vsm | grep 'VI03='\n"
    "\n"
    "Exit status: 0 the program ended, 2 usage or bad input, 3 it did not end or cannot be run.\n";

// A program that kicks more (16 MiB) is taken to kick forever.
#define QUADWORDS_MAX ((size_t)1 << 20)

struct packets {
    struct packet end;
    uint64_t *quadwords; // pairs of halves
    size_t count, room;
    size_t *ends; // quadword behind each packet
    size_t packets, packet_room;
    bool flood;
};

struct run {
    const char *program;
    enum vu_unit unit;
    uint64_t entry, top, itop, cycles;
    struct vu_state registers;
    const char *data[32];
    unsigned data_count;
    bool trace, json, failed;
    const char *trace_path;
    FILE *trace_file;
    struct vu_trace tracer;
    struct vu *vu;
    uint8_t *before; // data memory
    struct packets packets;
    struct vu_stop stop;
};

// ---- options

static bool lane_value(const char *text, uint32_t *bits)
{
    char *end;
    uint64_t n;
    if (strchr(text, '.')) {
        float value = strtof(text, &end); // a constant of the command line, not guest arithmetic
        memcpy(bits, &value, 4);
        return !*end && isfinite(value);
    }
    if (!cmd_vu_number(text, UINT32_MAX, &n))
        return false;
    *bits = (uint32_t)n;
    return true;
}

static bool take_vf(struct run *run, char *text)
{
    char *save = NULL, *number = strtok_r(text, "=", &save);
    uint64_t index;
    if (!number || !cmd_vu_number(number, 31, &index) || !index)
        return false;
    for (unsigned lane = 0; lane < 4; lane++) {
        char *value = strtok_r(NULL, ",", &save);
        if (!value || !lane_value(value, &run->registers.vf[index][lane]))
            return false;
    }
    return !strtok_r(NULL, ",", &save);
}

static bool take_vi(struct run *run, char *text)
{
    char *value = strchr(text, '=');
    uint64_t index, n;
    if (!value)
        return false;
    *value++ = 0;
    if (!cmd_vu_number(text, 15, &index) || !index || !cmd_vu_number(value, 0xffff, &n))
        return false;
    run->registers.vi[index] = (uint16_t)n;
    return true;
}

static bool take_option(struct run *run, int option, char *value)
{
    uint64_t unit;
    switch (option) {
    case 'u':
        if (!cmd_vu_number(value, 1, &unit))
            return false;
        run->unit = unit ? VU_UNIT_1 : VU_UNIT_0;
        return true;
    case 'd':
        run->data[run->data_count++] = value;
        return run->data_count < sizeof run->data / sizeof run->data[0];
    case 'e':
        return cmd_vu_number(value, VU1_MICRO_SIZE / 8 - 1, &run->entry);
    case 't':
        return cmd_vu_number(value, 0xffff, &run->top);
    case 'i':
        return cmd_vu_number(value, 0xffff, &run->itop);
    case 'f':
        return take_vf(run, value);
    case 'v':
        return take_vi(run, value);
    case 'c':
        return cmd_vu_number(value, UINT64_MAX / 2, &run->cycles) && run->cycles;
    case 'T':
        run->trace = true;
        run->trace_path = value;
        return true;
    default:
        run->json = true;
        return true;
    }
}

static int take_options(struct run *run, int argc, char **argv)
{
    static const struct option names[] = {
        {"unit", required_argument, NULL, 'u'},  {"data", required_argument, NULL, 'd'},
        {"entry", required_argument, NULL, 'e'}, {"top", required_argument, NULL, 't'},
        {"itop", required_argument, NULL, 'i'},  {"vf", required_argument, NULL, 'f'},
        {"vi", required_argument, NULL, 'v'},    {"cycles", required_argument, NULL, 'c'},
        {"trace", optional_argument, NULL, 'T'}, {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    int option, index = 0;
    while ((option = getopt_long(argc, argv, ":", names, &index)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return PS2_OK;
        }
        if (option == ':' || option == '?')
            return cli_option_error("vu run", option, argv);
        if (!take_option(run, option, optarg))
            return cli_usage_error(
                "vu run: --%s does not take this value; `ps2h vu run --help` says what it takes",
                names[index].name);
    }
    if (optind + 1 != argc)
        return cli_usage_error("vu run: give one program; `ps2h vu run --help` says more");
    if (run->json && run->trace && !run->trace_path)
        return cli_usage_error("vu run: with --json, give the trace a file: --trace=FILE");
    if (run->unit == VU_UNIT_0 && run->entry >= VU0_MICRO_SIZE / 8)
        return cli_usage_error("vu run: VU0 has no pair %" PRIu64 "; it has 512", run->entry);
    run->program = argv[optind];
    return -1;
}

// ---- setting up

static enum ps2_status load_data(struct run *run, const char *spec, struct ps2_error *error)
{
    char path[4096];
    const char *at = strrchr(spec, '@');
    uint64_t quadword;
    uint8_t *bytes;
    size_t size, room;
    uint8_t *data = vu_data(run->vu, &room);
    if (!at || (size_t)(at - spec) >= sizeof path || !cmd_vu_number(at + 1, room / 16 - 1, &quadword))
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "--data %s: FILE@QUADWORD is wanted, at most @%zu", spec,
                        room / 16 - 1);
    snprintf(path, sizeof path, "%.*s", (int)(at - spec), spec);
    enum ps2_status status = file_read(path, FILE_LIMIT, &bytes, &size, error);
    if (status != PS2_OK)
        return status;
    if (size > room - 16 * quadword)
        status = ps2_fail(error, PS2_BAD_INPUT, path, room - 16 * quadword,
                          "has %zu bytes, which do not fit behind quadword %" PRIu64, size, quadword);
    else
        memcpy(data + 16 * quadword, bytes, size);
    free(bytes);
    return status;
}

static bool take_quadword(void *context, const uint64_t quadword[2])
{
    struct run *run = context;
    struct packets *p = &run->packets;
    p->flood = p->count == QUADWORDS_MAX;
    if (p->flood)
        return packet_feed(&p->end, quadword);
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 256;
        uint64_t *quadwords = realloc(p->quadwords, p->room * 16);
        if (!quadwords) {
            run->failed = true;
            p->room = p->count;
            return true;
        }
        p->quadwords = quadwords;
    }
    memcpy(p->quadwords + 2 * p->count++, quadword, 16);
    if (!packet_feed(&p->end, quadword))
        return false;
    if (p->packets == p->packet_room) {
        p->packet_room = p->packet_room ? 2 * p->packet_room : 16;
        size_t *ends = realloc(p->ends, p->packet_room * sizeof *ends);
        if (!ends) {
            run->failed = true;
            p->packet_room = p->packets;
            return true;
        }
        p->ends = ends;
    }
    p->ends[p->packets++] = p->count;
    return true;
}

static void trace_pair(void *context, struct vu *vu, const struct vu_event *event)
{
    struct run *run = context;
    char line[VU_TRACE_LINE];
    vu_trace_line(&run->tracer, vu, event, line);
    fputs(line, run->trace_file);
}

static enum ps2_status prepare(struct run *run, struct ps2_error *error)
{
    struct vu_assembly program;
    enum ps2_status status = cmd_vu_load(run->program, &program, error);
    if (status != PS2_OK)
        return status;
    bool fits = vu_write_micro(run->vu, 0, program.words, 8 * program.pairs);
    free(program.words);
    if (!fits)
        return ps2_fail(error, PS2_BAD_INPUT, run->program, VU0_MICRO_SIZE, "is longer than VU0's 512 pairs");
    for (unsigned k = 0; k < run->data_count && status == PS2_OK; k++)
        status = load_data(run, run->data[k], error);
    vu_set_state(run->vu, &run->registers);
    vu_set_top(run->vu, (uint16_t)run->top, (uint16_t)run->itop);
    vu_set_ports(run->vu, &(struct vu_ports){.context = run, .kick = take_quadword});
    run->trace_file = stdout;
    if (status == PS2_OK && run->trace_path && !(run->trace_file = fopen(run->trace_path, "w")))
        status = ps2_fail(error, PS2_BAD_INPUT, run->trace_path, 0, "cannot be written: %s", strerror(errno));
    return status;
}

static enum ps2_status execute(struct run *run, struct ps2_error *error)
{
    struct vu_observer observer = {run, trace_pair};
    size_t size;
    const uint8_t *data = vu_data(run->vu, &size);
    run->before = malloc(size);
    if (!run->before)
        return ps2_fail(error, PS2_BAD_INPUT, "", 0, "not enough memory");
    memcpy(run->before, data, size);
    vu_start(run->vu, (uint32_t)run->entry);
    vu_trace_begin(&run->tracer, run->vu);
    vu_observe(run->vu, run->trace ? &observer : NULL);
    vu_run(run->vu, run->cycles, false, &run->stop);
    vu_observe(run->vu, NULL);
    vu_force_break(run->vu);
    if (run->trace_path && fclose(run->trace_file))
        return ps2_fail(error, PS2_BAD_INPUT, run->trace_path, 0, "cannot be written: %s", strerror(errno));
    return run->failed ? ps2_fail(error, PS2_BAD_INPUT, "", 0, "not enough memory") : PS2_OK;
}

// ---- results

static void quadword_text(const uint8_t *bytes, char out[40])
{
    uint32_t w[4];
    memcpy(w, bytes, 16);
    snprintf(out, 40, "%08x %08x %08x %08x", w[0], w[1], w[2], w[3]);
}

static void print_results(struct run *run, const struct vu_state *s)
{
    size_t size;
    const uint8_t *data = vu_data(run->vu, &size);
    char text[40];
    printf("%s at pair 0x%03x after %" PRIu64 " pairs, %" PRIu64 " cycles\n", vu_stop_name(run->stop.kind),
           run->stop.pc, run->stop.pairs, run->stop.cycles);
    for (unsigned k = 1; k < 32; k++) {
        quadword_text((const uint8_t *)s->vf[k], text);
        if (s->vf[k][0] | s->vf[k][1] | s->vf[k][2] | s->vf[k][3])
            printf("VF%02u %s\n", k, text);
    }
    quadword_text((const uint8_t *)s->acc, text);
    printf("ACC  %s\n", text);
    for (unsigned k = 1; k < 16; k++)
        if (s->vi[k])
            printf("VI%02u %04x\n", k, s->vi[k]);
    printf("I %08x  Q %08x  P %08x  R %06x\n", s->i, s->q, s->p, s->r);
    printf("mac %04x  status %03x  clip %06x\n", s->mac, s->status, s->clip);
    for (size_t k = 0; k < size / 16; k++)
        if (memcmp(data + 16 * k, run->before + 16 * k, 16)) {
            quadword_text(data + 16 * k, text);
            printf("memory 0x%03zx %s\n", k, text);
        }
    for (size_t n = 0, k = 0; n < run->packets.packets; n++)
        for (size_t first = k; k < run->packets.ends[n]; k++) {
            quadword_text((const uint8_t *)(run->packets.quadwords + 2 * k), text);
            printf("packet %zu quadword %zu %s\n", n, k - first, text);
        }
}

static json_t *hex(uint32_t word)
{
    return json_sprintf("0x%08x", word);
}

static json_t *words_json(const void *bytes, size_t count)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)bytes + 4 * k, 4);
        json_array_append_new(array, hex(word));
    }
    return array;
}

static void print_json(struct run *run, const struct vu_state *s)
{
    size_t size;
    const uint8_t *data = vu_data(run->vu, &size);
    json_t *vf = json_array(), *vi = json_array(), *memory = json_array(), *packets = json_array();
    for (unsigned k = 0; k < 32; k++)
        json_array_append_new(vf, words_json(s->vf[k], 4));
    for (unsigned k = 0; k < 16; k++)
        json_array_append_new(vi, hex(s->vi[k]));
    for (size_t k = 0; k < size / 16; k++)
        if (memcmp(data + 16 * k, run->before + 16 * k, 16))
            json_array_append_new(
                memory, json_pack("{s:i, s:o}", "quadword", (int)k, "words", words_json(data + 16 * k, 4)));
    for (size_t n = 0, k = 0; n < run->packets.packets; k = run->packets.ends[n++])
        json_array_append_new(packets,
                              words_json(run->packets.quadwords + 2 * k, 4 * (run->packets.ends[n] - k)));
    json_t *result =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                  "stop", vu_stop_name(run->stop.kind), "message", run->stop.message, "pc",
                  (json_int_t)run->stop.pc, "pairs", (json_int_t)run->stop.pairs, "cycles",
                  (json_int_t)run->stop.cycles, "vf", vf, "acc", words_json(s->acc, 4), "vi", vi, "i",
                  hex(s->i), "q", hex(s->q), "p", hex(s->p), "r", hex(s->r), "mac", hex(s->mac), "status",
                  hex(s->status), "clip", hex(s->clip), "memory", memory, "packets", packets);
    json_dumpf(result, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(result);
}

static int report(struct run *run)
{
    struct vu_state state;
    vu_get_state(run->vu, &state);
    if (run->json)
        print_json(run, &state);
    else
        print_results(run, &state);
    if (run->stop.kind == VU_ENDED && !run->packets.flood)
        return PS2_OK;
    if (run->packets.flood)
        fprintf(stderr, "ps2h: %s: kicked more than %zu quadwords\n", run->program, QUADWORDS_MAX);
    else if (run->stop.kind == VU_LIMIT)
        fprintf(stderr, "ps2h: %s: did not end within %" PRIu64 " cycles\n", run->program, run->cycles);
    else
        fprintf(stderr, "ps2h: %s: %s\n", run->program, run->stop.message);
    return PS2_GUEST_FAULT;
}

int cmd_vu_run(int argc, char **argv)
{
    struct run run = {.unit = VU_UNIT_1, .cycles = 100000000};
    struct ps2_error error;
    int status = take_options(&run, argc, argv);
    if (status >= 0)
        return status;
    run.vu = vu_new(run.unit, NULL);
    if (!run.vu)
        return cli_usage_error("vu run: not enough memory");
    if (prepare(&run, &error) == PS2_OK && execute(&run, &error) == PS2_OK)
        status = report(&run);
    else
        status = cli_report(&error);
    free(run.before);
    free(run.packets.quadwords);
    free(run.packets.ends);
    vu_free(run.vu);
    return status;
}
