// Threads that do one piece of work together. Private to gs/.
#ifndef GS_TEAM_H
#define GS_TEAM_H

#include <stdbool.h>

struct team;

#define TEAM_MOST 64u

// `count` members, from 2 to TEAM_MOST, the caller being one of them. NULL when threads cannot be had.
struct team *gs_team_new(unsigned count);
void gs_team_free(struct team *); // NULL is allowed
// Calls work(context, n) once for each member n, at the same time; returns when all have returned.
void gs_team_run(struct team *, void (*work)(void *context, unsigned member), void *context);

#endif
