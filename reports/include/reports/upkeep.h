/*
 * What keeps a database in order: joining those of many machines, taking away
 * what is old, counting again. docs/reports.md has what that means.
 */
#ifndef REPORTS_UPKEEP_H
#define REPORTS_UPKEEP_H

#include "reports/store.h"

typedef struct report_merged {
    int64_t runs;     /* that the target did not have */
    int64_t findings; /* of these */
    int64_t moved;    /* runs of the target that have another number now */
    bool opened;      /* on failure: that the source can be read */
} report_merged;

/*
 * Takes over the runs of the database at `path` that `store` has not (by
 * their uuid), with inputs, findings, labels, joins and notes. Afterwards the
 * runs have numbers in the order of their start, whichever of two was the
 * target (of the same start: as in their databases, then by uuid). A run that
 * was interrupted here and has its end there is taken anew. A second time
 * changes nothing. `path` is only read; one of an older version is copied to a
 * file beside the target first.
 *
 * `store` is open for writing, without an open transaction. One transaction: on
 * failure nothing has changed. O(rows of `path` + summary rows of `store`).
 * REPORT_FAILED when `path` is the file of `store`.
 */
report_status report_merge(report_merged *merged, report_store *store,
                           const char *path, report_error *error);

typedef struct report_pruned {
    int64_t runs, findings, inputs; /* taken away; of runs, their rows */
} report_pruned;

/*
 * Takes away the verdicts, findings and blocks of all runs but the last `keep`
 * of each verb, and inputs that nothing needs any more. What stays of a run:
 * its row, its summary rows, and of each bucket the smallest case. The file is
 * made smaller at the end, which needs as much room again for a while; where
 * that fails, the rows are gone and the file is as large as it was.
 *
 * `store` is open for writing, without an open transaction. O(rows).
 */
report_status report_gc(report_pruned *pruned, report_store *store,
                        int64_t keep, report_error *error);

/* The SHA-256 of some bytes as 64 hex digits; false without memory. */
typedef bool report_sha256(char hex[65], const char *data, size_t length);

/* One sentence about what is not as it should be. */
typedef void report_see_fault(void *context, const char *sentence);

/*
 * Counts all summary rows again from the rows that they sum up, holds each
 * input against its SHA-256, and asks SQLite whether the file is whole. *faults
 * is the number of sentences told, 20 of a kind at most. Nothing is changed.
 * O(rows).
 */
report_status report_verify(int64_t *faults, report_store *store,
                            report_sha256 *sha256, report_see_fault *see,
                            void *context, report_error *error);

#endif
