// The mutation run: every body broken in every way that applies, each in a process of its own, until the
// console vectors, the random programs against the model, or a test program named on the command line fail.
//   kill [-v] TEST_PROGRAM...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mutation/mutant.h"
#include "tests/support/ee_random.h"
#include "tests/support/ee_vectors.h"

enum { PROGRAMS = 4000, SECONDS = 120 };
enum verdict { ALIVE, BY_VECTORS, BY_MODEL, BY_TESTS, VERDICTS };

static struct vector_pass pass;
static struct rig *rig;
static char **tests;

static enum verdict judge(const struct mutant_body *body, enum mutation kind)
{
    char text[RIG_TEXT], name[64];
    mutant_choose(body, kind);
    if (vectors_failed(&pass))
        return BY_VECTORS;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        rig_check(rig, seed, text);
        if (text[0])
            return BY_MODEL;
    }
    if (body) {
        snprintf(name, sizeof name, "%s:%s", body->name, mutation_name(kind));
        setenv("MUTANT", name, 1);
    }
    for (char **t = tests; *t; t++) {
        char command[512];
        snprintf(command, sizeof command, "%s >/dev/null 2>&1", *t);
        if (system(command) != 0)
            return BY_TESTS;
    }
    return ALIVE;
}

// A crash or a hang counts for whatever ran; the verdicts so far are in the pipe of the child's exit status.
static enum verdict judge_in_child(const struct mutant_body *body, enum mutation kind)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(judge(body, kind));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        exit(2);
    return WIFEXITED(status) ? (enum verdict)WEXITSTATUS(status) : BY_MODEL;
}

static bool make(void)
{
    char why[GUEST_MESSAGE_SIZE] = "out of memory";
    const struct ee_config config = {.engine = EE_ENGINE_INTERP};
    struct ee *ee = ee_new(&config, why);
    rig = rig_new(&config, why);
    if (!ee || !rig) {
        fprintf(stderr, "kill: %s\n", why);
        return false;
    }
    vectors_use_core(&pass, ee);
    return true;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    unsigned count[VERDICTS] = {0}, bodies = 0;
    tests = argv + 1 + verbose;
    if (!make())
        return 2;
    if (judge_in_child(NULL, MUTATION_SKIP) != ALIVE) {
        fprintf(stderr, "kill: the tests fail before anything is broken\n");
        return 2;
    }
    for (const struct mutant_body *b = mutant_bodies; b->name; b++, bodies++)
        for (unsigned kind = 0; kind < MUTATIONS; kind++) {
            static const char *const names[] = {"SURVIVED", "vectors", "model", "tests"};
            if (!mutant_applies(b, (enum mutation)kind))
                continue;
            enum verdict v = judge_in_child(b, (enum mutation)kind);
            count[v]++;
            if (v == ALIVE || verbose)
                printf("%s:%s %s\n", b->name, mutation_name((enum mutation)kind), names[v]);
        }
    unsigned killed = count[BY_VECTORS] + count[BY_MODEL] + count[BY_TESTS];
    printf("%u bodies: %u by vectors, %u by the model, %u by other tests\n", bodies, count[BY_VECTORS],
           count[BY_MODEL], count[BY_TESTS]);
    printf("%u killed, %u survived\n", killed, count[ALIVE]);
    return count[ALIVE] != 0;
}
