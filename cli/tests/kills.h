/* Runs of fuzz that are killed, and go on: the work of two test programs. */
#ifndef TESTS_KILLS_H
#define TESTS_KILLS_H

/*
 * Kills the coordinator before one of its writes, at `points` places spread
 * over all of them: each time the database is sound, and the run that goes on
 * ends as one that nobody disturbed.
 */
void kill_coordinator(long points);

/* The same for workers and planners, `points` of them one after the other. */
void kill_workers(long points);

#endif
