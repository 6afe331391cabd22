// Alarms: functions of the program called once, after a number of video lines.
#include "harness/kernel/state.h"

int alarm_set(struct kernel *k, uint32_t lines, uint32_t entry, uint32_t argument)
{
    int id = 0;
    while (id < KERNEL_ALARMS && k->alarms[id].used)
        id++;
    if (id == KERNEL_ALARMS)
        return -1;
    lines &= 0xffff; // the call takes 16 bits
    k->alarms[id] = (struct alarm){true,     ee_clock(k->ee) + (uint64_t)lines * EE_CYCLES_LINE,
                                   lines,    entry,
                                   argument, ee_gpr(k->ee, EE_GP)->w[0]};
    return id;
}

// The lines that were left, or -1.
int alarm_release(struct kernel *k, int id)
{
    if (id < 0 || id >= KERNEL_ALARMS || !k->alarms[id].used)
        return -1;
    uint64_t now = ee_clock(k->ee), due = k->alarms[id].due;
    k->alarms[id].used = false;
    return due > now ? (int)((due - now) / EE_CYCLES_LINE) : 0;
}

int alarm_due(const struct kernel *k)
{
    uint64_t now = ee_clock(k->ee);
    int best = -1;
    for (int n = 0; n < KERNEL_ALARMS; n++)
        if (k->alarms[n].used && k->alarms[n].due <= now &&
            (best < 0 || k->alarms[n].due < k->alarms[best].due))
            best = n;
    return best;
}

uint64_t alarm_next(const struct kernel *k)
{
    uint64_t now = ee_clock(k->ee), next = UINT64_MAX;
    for (int n = 0; n < KERNEL_ALARMS; n++)
        if (k->alarms[n].used && k->alarms[n].due > now && k->alarms[n].due < next)
            next = k->alarms[n].due;
    return next;
}
