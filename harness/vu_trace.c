// One line of text for each pair a VU runs.
#include "harness/vu_trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line->at, line->left, format, list);
    va_end(list);
    size_t step = (size_t)length < line->left ? (size_t)length : line->left - 1;
    line->at += step;
    line->left -= step;
}

static void put_vector(struct line *line, const char *name, const uint32_t before[4], const uint32_t after[4])
{
    if (memcmp(before, after, 16))
        put(line, " %s=%08x,%08x,%08x,%08x", name, after[0], after[1], after[2], after[3]);
}

static void put_word(struct line *line, const char *name, unsigned digits, uint32_t before, uint32_t after)
{
    if (before != after)
        put(line, " %s=%0*x", name, (int)digits, after);
}

void vu_trace_begin(struct vu_trace *trace, struct vu *vu)
{
    vu_get_state(vu, &trace->before);
    trace->begun = false;
}

void vu_trace_line(struct vu_trace *trace, struct vu *vu, const struct vu_event *event,
                   char out[VU_TRACE_LINE])
{
    struct line line = {out, VU_TRACE_LINE - 1};
    struct vu_state after;
    char text[160], name[8];
    vu_get_state(vu, &after);
    if (!trace->begun)
        trace->first = event->cycle - event->stalls;
    trace->begun = true;
    vu_disassemble(event->pc, event->upper, event->lower, NULL, NULL, text, sizeof text);
    put(&line, "cycle=%llu pc=%04x stall=%u %08x:%08x %s ;",
        (unsigned long long)(event->cycle - trace->first), event->pc, event->stalls, event->upper,
        event->lower, text);
    for (unsigned k = 1; k < 32; k++) {
        snprintf(name, sizeof name, "VF%02u", k);
        put_vector(&line, name, trace->before.vf[k], after.vf[k]);
    }
    put_vector(&line, "ACC", trace->before.acc, after.acc);
    for (unsigned k = 1; k < 16; k++) {
        snprintf(name, sizeof name, "VI%02u", k);
        put_word(&line, name, 4, trace->before.vi[k], after.vi[k]);
    }
    put_word(&line, "I", 8, trace->before.i, after.i);
    put_word(&line, "Q", 8, trace->before.q, after.q);
    put_word(&line, "P", 8, trace->before.p, after.p);
    put_word(&line, "R", 6, trace->before.r, after.r);
    put(&line, " mac=%04x status=%03x clip=%06x", after.mac, after.status, after.clip);
    line.left++; // the room that was kept for the end of the line
    put(&line, "\n");
    trace->before = after;
}
