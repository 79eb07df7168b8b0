/*
 * How long the work on an input took, by phase. For people alone, on standard
 * error: no answer, document or digest has a time in it.
 */
#ifndef CLI_PHASES_H
#define CLI_PHASES_H

#include <stdio.h>

#include "json.h"

/* Phases of one answer; further ones are not kept. */
#define CLI_PHASES 8

typedef struct cli_phase {
    char name[16]; /* letters a-z */
    int64_t us;
} cli_phase;

/* In the order in which they first began. */
typedef struct cli_phases {
    cli_phase list[CLI_PHASES];
    size_t count;
} cli_phases;

/* --- Measuring, where the work is done --- */

/* Zero-initialise. */
typedef struct cli_watch {
    FILE *tell; /* each phase as it begins, {"at":"judge"}; or NULL */
    cli_phases phases;
    const char *running; /* NULL: none */
    int64_t since;
    bool has_size;
    int64_t tasks, edges;
} cli_watch;

/*
 * A phase begins, and the one before ends; NULL: none begins. One that begins
 * again goes on. Does nothing without a watch.
 */
void cli_watch_begin(cli_watch *watch, const char *name);

/* The size of what the phases worked on. */
void cli_watch_size(cli_watch *watch, int64_t tasks, int64_t edges);

/* Ends the last phase; adds the members of an answer to its line. */
void cli_watch_put(cli_text *line, cli_watch *watch);

/* --- Collecting, where it was asked for --- */

typedef enum cli_part {
    CLI_PART_PLAN,
    CLI_PART_JUDGE,
    CLI_PART_COMPARE,
    CLI_PARTS
} cli_part;

typedef struct cli_times {
    int64_t us[CLI_PARTS]; /* from request to answer; 0: none was sent */
    cli_phases phases[CLI_PARTS];
    bool has_size;
    int64_t tasks, edges;
} cli_times;

/* Sums stay at the largest number. */
void cli_times_add(cli_times *times, cli_part part, int64_t us);
void cli_times_sum(cli_times *sum, const cli_times *times);

/*
 * Takes the phases and the size out of an answer. What is not as it should be
 * is passed over: nobody has to measure.
 */
void cli_times_take(cli_times *times, cli_part part, cli_span answer);

/* One line on standard error. */
void cli_times_show(const char *path, const cli_times *times);
void cli_times_show_all(int64_t inputs, int64_t us, const cli_times *sum);

/* Microseconds of a clock that only goes forward. */
int64_t cli_clock_us(void);

#endif
