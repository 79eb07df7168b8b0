/*
 * A batch: every input is planned where it is a dump, judged, compared with
 * what lies beside it, and handed on, in the order of the inputs whatever the
 * number of processes. One loop in one thread; all work on content happens in
 * the processes, which may crash, hang or grow without harm to the batch.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "case.h"

typedef struct cli_batch_options {
    int64_t jobs; /* planners, and as many judges */
    int64_t timeout_ms;
    int64_t memory;      /* bytes resident per process */
    const char *planner; /* command of a planner under test; NULL: ours */
    const char *rules;   /* NULL: each document's own; of a dump tensormap */
    const char *policy;  /* or NULL, as these: */
    const char *layout, *profile, *regions, *entry, *emit;
    const char *trace, *plan; /* files that belong to a record; or NULL */
    cli_span sizes;           /* an object {key: bytes}; data NULL: none */
    const char *method;       /* or NULL */
    bool prove;               /* ask for a certificate: cli_case.certificate */
    cli_span certificate;     /* to be checked; data NULL: none */
    bool certified;
    int64_t max_tasks; /* 0: the planner's own limit */
    int64_t limit;     /* findings listed per input; 0: the oracle's own */
    int64_t replay;    /* replay what is judged: random orders; 0: do not */
    int64_t capacity;  /* bytes of the memory that plans are for; 0: any */
    bool lenient;
    bool force_kind; /* take every input for `kind` */
    cli_kind kind;
    bool plan_only;
    bool counts;   /* ask the judge for sizes too: cli_case.counts */
    bool members;  /* plan all members too, Scores' as well: cli_case.members */
    bool verbose;  /* measure: cli_case.times */
    bool progress; /* show it on standard error */
    bool frontend; /* compare with exporter.json and orchestration C++ */
} cli_batch_options;

typedef struct cli_batch_calls {
    /* Each case once, in input order; false ends the batch. */
    bool (*done)(void *context, const cli_case *c);
    /* Now and then, while answers are waited for; false ends the batch. */
    bool (*idle)(void *context);
    void *context;
} cli_batch_calls;

typedef struct cli_batch_result {
    bool failed;    /* out of memory, a process could not be started, a call */
                    /* gave false: the batch is not complete */
    bool own_fault; /* a process of ours failed */
    char problem[256];
} cli_batch_result;

/*
 * Decides what happens to the text of a case: its kind, and what it waits for,
 * or why it is refused. Of the record of a run (`found` is there) also gathers
 * what lies beside it. False: out of memory.
 */
bool cli_batch_sort(cli_case *c, const cli_batch_options *options);

/* Works through what the search found. */
void cli_batch_run(cli_batch_result *result, const cli_search *inputs,
                   const cli_batch_options *options,
                   const cli_batch_calls *calls);

#endif
