/* What a file is, from its content alone. */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_kind {
    CLI_DUMP,        /* a PyPTO dump: planned, then judged */
    CLI_IR,          /* a program in the JSON form of the IR: the same */
    CLI_TASK_GRAPH,  /* these are judged */
    CLI_SCORE,       /* ... and can be planned */
    CLI_BUNDLE,      /* */
    CLI_MEMORY_PLAN, /* */
    CLI_MEMORY_CSV,  /* the same as a table: lives, sizes and places */
    CLI_HANDLE,      /* a PlanHandle */
    CLI_HBG,         /* a host_build_graph plan */
    CLI_ELIGIBILITY, /* an eligibility result */
    CLI_RECORD,      /* the record of a run: deps.json */
    CLI_TRACE,       /* its times: chip_swimlane_records.json */
    CLI_SOURCE,      /* a PyPTO program as its author wrote it */
    CLI_CACHE,       /* a Score cache */
    CLI_COMPANION,   /* lies beside a dump: exporter.json, kernel_config.py */
    CLI_JSON,        /* JSON of no known kind */
    CLI_OTHER        /* anything else */
} cli_kind;

/*
 * The kind of a text, or of the first bytes of one (64 KiB are enough for all
 * but a dump behind a very long comment). Never fails; O(length).
 */
cli_kind cli_kind_detect(const char *text, size_t length);

/* "dump", "task_graph", ... static text. */
const char *cli_kind_name(cli_kind kind);
/* The kind of a name that --kind takes; false for any other. */
bool cli_kind_parse(cli_kind *kind, const char *name);

/* True for what a folder is searched for. */
bool cli_kind_is_input(cli_kind kind);
/* True for what has to be planned before it is judged. */
bool cli_kind_is_program(cli_kind kind);
/* True for what the oracle reads as it is, unknown JSON included: it knows
 * best what is wrong with that, and where. */
bool cli_kind_is_document(cli_kind kind);

/*
 * Why an input of this kind is refused, as a sentence for its author, with
 * the rule; NULL for a program and a document.
 */
const char *cli_kind_refusal(cli_kind kind, const char **rule);

#endif
