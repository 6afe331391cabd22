// Threads that do one piece of work together.
#include "gs/team.h"

#include <pthread.h>
#include <stdlib.h>

struct member {
    struct team *team;
    pthread_t thread;
    unsigned number;
};

struct team {
    pthread_mutex_t mutex;
    pthread_cond_t start, done;
    unsigned round, busy; // what the members work on; how many still do
    bool quits;
    void (*work)(void *context, unsigned member);
    void *context;
    unsigned threads;
    struct member member[TEAM_MOST];
};

// False: the team is to end.
static bool next_round(struct team *team, unsigned *round)
{
    pthread_mutex_lock(&team->mutex);
    while (team->round == *round && !team->quits)
        pthread_cond_wait(&team->start, &team->mutex);
    *round = team->round;
    bool quits = team->quits;
    pthread_mutex_unlock(&team->mutex);
    return !quits;
}

static void end_round(struct team *team)
{
    pthread_mutex_lock(&team->mutex);
    if (--team->busy == 0)
        pthread_cond_signal(&team->done);
    pthread_mutex_unlock(&team->mutex);
}

static void *run_member(void *argument)
{
    struct member *m = argument;
    for (unsigned round = 0; next_round(m->team, &round); end_round(m->team))
        m->team->work(m->team->context, m->number);
    return NULL;
}

void gs_team_run(struct team *team, void (*work)(void *context, unsigned member), void *context)
{
    pthread_mutex_lock(&team->mutex);
    team->work = work;
    team->context = context;
    team->busy = team->threads;
    team->round++;
    pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->mutex);
    work(context, 0);
    pthread_mutex_lock(&team->mutex);
    while (team->busy)
        pthread_cond_wait(&team->done, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

struct team *gs_team_new(unsigned count)
{
    struct team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->start, NULL);
    pthread_cond_init(&team->done, NULL);
    for (unsigned n = 1; n < count; n++) {
        struct member *m = &team->member[n];
        *m = (struct member){.team = team, .number = n};
        if (pthread_create(&m->thread, NULL, run_member, m)) {
            gs_team_free(team);
            return NULL;
        }
        team->threads++;
    }
    return team;
}

void gs_team_free(struct team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->mutex);
    team->quits = true;
    pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->mutex);
    for (unsigned n = 1; n <= team->threads; n++)
        pthread_join(team->member[n].thread, NULL);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->start);
    pthread_cond_destroy(&team->done);
    free(team);
}
