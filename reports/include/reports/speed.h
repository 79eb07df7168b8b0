/*
 * The history of speed: ratios of `make bench`, one of a name in a run. A
 * ratio compares two times of one measurement, so that the machine drops out;
 * the larger, the slower. docs/reports.md has the rule of the alarm.
 */
#ifndef REPORTS_SPEED_H
#define REPORTS_SPEED_H

#include "reports/store.h"

typedef struct report_speed {
    const char *name;
    double ratio; /* above 0, finite */
} report_speed;

/* Zero-initialise; free with report_speeds_free. */
typedef struct report_speed_list {
    report_speed *items; /* in the order of their lines */
    size_t count;
    char *text;
} report_speed_list;

/*
 * Reads lines of a name and its ratio, a decimal number, with blanks between;
 * an empty line or one that begins with # is none. REPORT_FOREIGN: some line
 * is malformed or names what an earlier one names; the message begins with
 * "line N". O(length log length). The list is empty on failure.
 */
report_status report_speeds_read(report_speed_list *list, const char *text,
                                 size_t length, report_error *error);
void report_speeds_free(report_speed_list *list);

/* Adds a run of its own with these ratios, in one transaction; `digest` is of
 * the lines. *run is its number. */
report_status report_add_speeds(int64_t *run, report_store *store,
                                const report_run *what, const char *digest,
                                const report_speed *speeds, size_t count,
                                report_error *error);

/* Runs that are compared with, at most, and at least. */
#define REPORT_SPEED_RUNS 30
#define REPORT_SPEED_LEAST 5
/* Runs in a row that have to be slow, by how many spreads and how much. */
#define REPORT_SPEED_STRIKES 3
#define REPORT_SPEED_SPREADS 3.0
#define REPORT_SPEED_SHARE 0.10

typedef struct report_pace {
    const char *name;
    double last; /* of its last run */
    int64_t last_run;
    int64_t runs;        /* that the mean is of: those before the strikes */
    double mean, spread; /* of these; the spread is that of one to the next */
    int64_t strikes;     /* of the last runs in a row, at most
                            REPORT_SPEED_STRIKES */
    bool enough;         /* runs to compare with */
    bool alarm;
} report_pace;

/* False ends the calls. */
typedef bool report_see_pace(void *context, const report_pace *pace);

/*
 * Each name in the order of its bytes, as of the runs from `from` on. A run is
 * a strike when its ratio lies REPORT_SPEED_SPREADS spreads and
 * REPORT_SPEED_SHARE of the mean above the mean of the runs before the last
 * REPORT_SPEED_STRIKES; as many strikes in a row are an alarm. O(names *
 * REPORT_SPEED_RUNS).
 */
report_status report_each_pace(report_store *store, int64_t from,
                               report_see_pace *see, void *context,
                               report_error *error);

#endif
