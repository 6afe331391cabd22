// The four timers, computed from the clock when somebody looks.
#include "ee/devices.h"

enum mode {
    MODE_CLKS = 3,
    MODE_GATE = 1 << 2,
    MODE_ZRET = 1 << 6,
    MODE_CUE = 1 << 7,
    MODE_CMPE = 1 << 8,
    MODE_OVFE = 1 << 9,
    MODE_EQUF = 1 << 10,
    MODE_OVFF = 1 << 11,
};
#define MODE_WRITABLE 0x3ff

static uint32_t cycles_per_tick(const struct ee_timer *t)
{
    static const uint32_t cycles[4] = {EE_CYCLES_BUS, EE_CYCLES_BUS * 16, EE_CYCLES_BUS * 256,
                                       EE_CYCLES_LINE};
    return cycles[t->mode & MODE_CLKS];
}

static uint32_t to_overflow(const struct ee_timer *t)
{
    return 0x10000u - t->count;
}

static uint32_t to_match(const struct ee_timer *t)
{
    return ((t->comp - t->count - 1u) & 0xffff) + 1;
}

// Whether the timer returns to zero at COMP, before it could overflow.
static bool returns(const struct ee_timer *t)
{
    return t->mode & MODE_ZRET && t->count < t->comp;
}

struct passed {
    bool match, overflow;
};

static struct passed advance(struct ee_timer *t, uint64_t ticks)
{
    struct passed p = {ticks >= to_match(t), !returns(t) && ticks >= to_overflow(t)};
    if (returns(t)) {
        t->count = (uint16_t)(p.match ? (ticks - to_match(t)) % t->comp : t->count + ticks);
    } else if (t->mode & MODE_ZRET && t->comp && p.overflow) {
        ticks -= to_overflow(t);
        t->count = (uint16_t)(ticks % t->comp);
    } else {
        t->count = (uint16_t)(t->count + ticks);
    }
    return p;
}

static void run(struct ee_timers *timers, unsigned n)
{
    struct ee_timer *t = &timers->timer[n];
    uint64_t now = timers->clock(timers->context);
    uint64_t ticks = (now - t->since) / cycles_per_tick(t);
    if (!(t->mode & MODE_CUE)) {
        t->since = now;
        return;
    }
    if (ticks == 0)
        return;
    t->since += ticks * cycles_per_tick(t);
    struct passed p = advance(t, ticks);
    // A flag raises the interrupt when it becomes 1.
    uint16_t flags = (uint16_t)((p.match && t->mode & MODE_CMPE ? MODE_EQUF : 0) |
                                (p.overflow && t->mode & MODE_OVFE ? MODE_OVFF : 0));
    bool interrupt = flags & ~t->mode;
    t->mode |= flags;
    if (interrupt)
        ee_intc_raise(timers->intc, INTC_TIM0 + n);
}

void ee_timers_run(struct ee_timers *timers)
{
    for (unsigned n = 0; n < EE_TIMERS; n++)
        run(timers, n);
}

uint64_t ee_timer_next(const struct ee_timers *timers, unsigned n)
{
    const struct ee_timer *t = &timers->timer[n];
    uint32_t ticks = UINT32_MAX;
    if (!(t->mode & MODE_CUE))
        return UINT64_MAX;
    if (t->mode & MODE_CMPE && !(t->mode & MODE_EQUF))
        ticks = to_match(t);
    if (t->mode & MODE_OVFE && !(t->mode & MODE_OVFF) && !returns(t) && to_overflow(t) < ticks)
        ticks = to_overflow(t);
    return ticks == UINT32_MAX ? UINT64_MAX : t->since + (uint64_t)ticks * cycles_per_tick(t);
}

static uint16_t *register_at(struct ee_timers *timers, uint32_t address)
{
    unsigned n = address >> 11 & 3;
    struct ee_timer *t = &timers->timer[n];
    switch (address & 0x7fc) {
    case 0x00:
        return &t->count;
    case 0x10:
        return &t->mode;
    case 0x20:
        return &t->comp;
    case 0x30:
        return n < 2 ? &t->hold : NULL;
    }
    return NULL;
}

const char *ee_timers_read(void *context, uint32_t address, unsigned size, uint64_t value[2])
{
    struct ee_timers *timers = context;
    const uint16_t *reg = register_at(timers, address);
    ee_timers_run(timers);
    ee_register_read(address, size, reg ? *reg : 0, value);
    return NULL;
}

const char *ee_timers_write(void *context, uint32_t address, unsigned size, const uint64_t value[2])
{
    struct ee_timers *timers = context;
    uint16_t bits = (uint16_t)ee_register_written(address, size, value), *reg = register_at(timers, address);
    struct ee_timer *t = &timers->timer[address >> 11 & 3];
    if (!reg)
        return NULL;
    ee_timers_run(timers);
    if (reg == &t->mode) {
        if (bits & MODE_GATE && bits & MODE_CUE)
            return "unsupported: a timer counted through its gate";
        uint16_t flags = t->mode & (uint16_t)~bits & (MODE_EQUF | MODE_OVFF);
        t->mode = (bits & MODE_WRITABLE) | flags;
    } else {
        *reg = bits;
    }
    if (reg == &t->mode || reg == &t->count)
        t->since = timers->clock(timers->context);
    timers->changed(timers->context);
    return NULL;
}
