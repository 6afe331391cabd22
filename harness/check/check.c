// Powered checks: counting, the chance of the control doing as well, and the verdict.
#include "harness/check/check.h"

#include <math.h>
#include <stdlib.h>

void check_count(struct check *check, bool passed, const struct ps2_error *why)
{
    check->of++;
    check->passed += passed;
    if (!passed && why && check->first.status == PS2_OK)
        check->first = *why;
}

void check_control(struct check *check, bool passed)
{
    check->control_of++;
    check->control_passed += passed;
}

// P(X >= k) for X binomial(n, p), summed from the larger terms; exact enough for a comparison with
// CHECK_CHANCE.
static double binomial_tail(uint64_t n, uint64_t k, double p)
{
    double mean = (double)n * p, sum = 0, log_p = log(p), log_q = log1p(-p);
    if (k == 0 || (double)k < mean)
        return 1.0;
    for (uint64_t i = k; i <= n; i++) {
        double x = (double)i, N = (double)n;
        double term = exp(lgamma(N + 1) - lgamma(x + 1) - lgamma(N - x + 1) + x * log_p + (N - x) * log_q);
        sum += term;
        if (term < sum * 1e-12)
            break;
    }
    return fmin(sum, 1.0);
}

double check_chance(const struct check *check)
{
    double rate = ((double)check->control_passed + 1) / ((double)check->control_of + 2);
    if (!check->of)
        return 1.0;
    // A control that passes every time is never beaten, however many trials the statistic has.
    if (check->control_of && check->control_passed == check->control_of)
        return 1.0;
    return binomial_tail(check->of, check->passed, rate);
}

enum check_verdict check_verdict(const struct check *check)
{
    if (!check->of)
        return CHECK_ABSENT;
    if ((double)check->passed < check->need * (double)check->of)
        return check->lead ? CHECK_DIFFERS : CHECK_FAILED;
    return check_chance(check) < CHECK_CHANCE ? CHECK_OK : CHECK_POWERLESS;
}

const char *check_verdict_name(enum check_verdict verdict)
{
    static const char *const names[] = {"ok", "FAILED", "powerless", "absent", "differs"};
    return names[verdict];
}

void check_list_add(struct check_list *list, const struct check *check)
{
    struct check *grown = realloc(list->checks, (list->count + 1) * sizeof *grown);
    if (!grown) {
        list->incomplete = true;
        return;
    }
    list->checks = grown;
    grown[list->count++] = *check;
}

size_t check_list_tally(const struct check_list *list, enum check_verdict verdict)
{
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++)
        n += check_verdict(&list->checks[i]) == verdict;
    return n;
}

void check_list_free(struct check_list *list)
{
    free(list->checks);
    *list = (struct check_list){NULL, 0, false};
}

uint64_t check_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1D;
}

void check_shuffle(uint32_t *order, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)(check_random(state) % i);
        uint32_t t = order[i - 1];
        order[i - 1] = order[j];
        order[j] = t;
    }
}
