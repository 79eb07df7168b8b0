/* Databases in memory, with results that are easy and with hostile ones. */
#ifndef REPORTS_TESTS_MADE_H
#define REPORTS_TESTS_MADE_H

#include "reports/triage.h"
#include "reports/write.h"

#define MADE_DIGEST                                                            \
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define MADE_RUN                                                               \
    "{\"lenient\":false,\"limit\":0,\"max_tasks\":0,\"paths\":[\"a\"],"        \
    "\"planner\":null,\"policy\":null,\"rules\":\"conservative\"}"
#define MADE_FUZZ                                                              \
    "{\"cases\":10000,\"mode\":\"full\",\"planner\":null,\"replay\":2,"        \
    "\"seed\":9007199254740993,\"tasks\":64,\"verb\":\"fuzz\"}"

/* Everything here ends the case when it fails. */
report_store *made_open(void);
void made_close(report_store *store);
int64_t made_begin(report_store *store, const char *options);
void made_end(report_store *store, int64_t run);

/* A case with its findings; number, path, kind and verdict are set. */
void made_case(report_store *store, int64_t run, report_case c);

/*
 * A run of one of each: clean, findings of every severity, undecided, refused
 * twice (as unreadable, and for want of meaning), crashed, timed out, a file
 * named twice. Ended.
 */
int64_t made_small(report_store *store);

/* Names and messages of everything that breaks a format, in every column, the
   longest of so many letters. */
#define MADE_LONG 10000
int64_t made_hostile(report_store *store);

/* From here on what is told is compared with these known issues, as a file has
   them, as of a day; "" for an empty file. */
void made_known(report_store *store, const char *text, const char *today);

/* A run of fuzz: two cases with a finding, 9,998 without. */
int64_t made_fuzz(report_store *store);

/* What a writer writes, NUL-terminated. free() it. Twice the same bytes, UTF-8,
   and nothing in it that is not seen. */
char *made_write(size_t *length, report_writer *write, report_store *store,
                 const report_view *view);

/* The text of a file below the top folder; free() it. */
char *made_read(const char *path);

/* How often a part stands in a text. */
size_t made_count(const char *text, const char *part);

/*
 * Whether a check sees a fault: it ends its case, in a process of its own, when
 * the first `from` in the text is `to`. The text itself has none.
 */
typedef void made_check(const char *text, size_t length);
void made_sees(made_check *check, const char *text, const char *from,
               const char *to);

/*
 * Holds a text against reports/tests/write/NAME. With WRITE_EXPECTED set in
 * the environment it is written there instead, to be looked at.
 */
void made_expect(const char *name, const char *text);

/* Texts of inputs that are hostile, NULL at the end. */
extern const char *const made_texts[];

#endif
