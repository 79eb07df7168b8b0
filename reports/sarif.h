/* What the two files of the SARIF writer share. */
#ifndef REPORTS_SARIF_H
#define REPORTS_SARIF_H

#include "results.h"

/* "message":{"text":"..."}, without what makes a link of its text. */
void report_sarif_begin_message(FILE *out);
void report_sarif_end_message(FILE *out);

/* An artifactLocation; an absolute path has no base. */
void report_sarif_artifact(FILE *out, const char *place);

/* "physicalLocation":{...}; line 0: the file alone. */
void report_sarif_place(FILE *out, const char *place, int64_t line);

/* What is asked of the records of findings. */
typedef struct report_witness {
    FILE *out;
    report_store *store;
    report_error *error;
    sqlite3_stmt *record, *steps;
} report_witness;

/* Close it also after a failure. */
report_status report_witness_open(report_witness *witness,
                                  const report_writing *w);
void report_witness_close(report_witness *witness);

/* ,"relatedLocations" and ,"codeFlows", where the record has them. */
report_status report_sarif_witness(report_witness *witness, const char *json,
                                   const char *place);

#endif
