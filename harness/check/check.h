// Powered checks: a statistic and its matched control, always reported together.
//
// A statistic counts how many of `of` trials obey a rule. The control counts how many trials obey it on data
// that is matched but wrong: shuffled, shifted, read by a broken rule. A check is worth something only when
// the control would not have scored as well, so the verdict needs both numbers.
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "harness/ps2h.h"

enum check_verdict {
    CHECK_OK,        // the statistic reaches `need` and the control would not have
    CHECK_FAILED,    // the statistic is below `need`
    CHECK_POWERLESS, // the control scores as well, so the statistic proves nothing
    CHECK_ABSENT,    // nothing to count
    CHECK_DIFFERS,   // a lead that does not hold here
};

struct check {
    const char *name;    // short, unique: "tfrag.vert_count"
    const char *unit;    // what is counted: "patches"
    const char *control; // what the control is: "header bytes of another patch"
    double need;         // share of trials that must pass, 1.0 for an invariant
    bool lead;           // known from the first game or from retail data only: reported, never a failure
    uint64_t passed, of;
    uint64_t control_passed, control_of;
    struct ps2_error first; // the first failure of the statistic; status PS2_OK when there is none
};

// A control is as good as the statistic when it would reach that score by chance at least this often.
#define CHECK_CHANCE 0.05

// Counts one trial. `why` (may be NULL) is kept for the first failure.
void check_count(struct check *check, bool passed, const struct ps2_error *why);
void check_control(struct check *check, bool passed);

// Chance that `of` independent trials, each passing at the control's rate, pass at least `passed` times. The
// rate is (control_passed + 1) / (control_of + 2), so that a control of few trials has little power.
double check_chance(const struct check *check);
enum check_verdict check_verdict(const struct check *check);
const char *check_verdict_name(enum check_verdict verdict);

// A list of checks that grows; release with check_list_free.
struct check_list {
    struct check *checks;
    size_t count;
    bool incomplete; // memory ran out: a check is missing
};
// Appends a check, or marks the list incomplete.
void check_list_add(struct check_list *list, const struct check *check);
size_t check_list_tally(const struct check_list *list, enum check_verdict verdict);
void check_list_free(struct check_list *list);

// A small deterministic generator for controls and shuffles (xorshift64*; state must not be 0).
uint64_t check_random(uint64_t *state);
// A permutation of 0..n-1 (Fisher-Yates).
void check_shuffle(uint32_t *order, size_t n, uint64_t *state);

#endif
