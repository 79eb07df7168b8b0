/*
 * A case: one input of a batch, what was answered about it, and the digest of
 * that answer.
 */
#ifndef CLI_CASE_H
#define CLI_CASE_H

#include "json.h"
#include "kind.h"
#include "phases.h"
#include "search.h"
#include "text.h"

typedef enum cli_verdict {
    CLI_CLEAN,
    CLI_FINDINGS,
    CLI_UNDECIDED,
    CLI_REFUSED,
    CLI_CRASHED,
    CLI_TIMED_OUT,
    CLI_VERDICTS
} cli_verdict;

typedef enum cli_severity {
    CLI_NOTE,
    CLI_WARNING,
    CLI_ERROR,
    CLI_SEVERITIES
} cli_severity;

typedef struct cli_finding {
    cli_text json;    /* the record of spec 06 */
    cli_text strings; /* holds the texts below */
    const char *rule;
    cli_severity severity;
    const char *cause; /* or NULL */
    const char *signature;
    const char *message;
    int64_t line; /* 0: none */
} cli_finding;

/* Where and why an input was refused. */
typedef struct cli_problem {
    const char *rule;
    const char *message;
    const char *path;             /* in a document; or NULL */
    int64_t line, column, offset; /* line 0: no position */
} cli_problem;

typedef enum cli_state {
    CLI_WAIT_PLAN,
    CLI_WAIT_MEMBERS, /* for what is asked of the planner beyond the plan */
    CLI_WAIT_JUDGE,
    CLI_WAIT_FRONTEND,
    CLI_DONE
} cli_state;

/* How often the members of a case are asked for. */
#define CLI_MEMBER_PLANS 2

typedef struct cli_case {
    int64_t number; /* from 1 */
    const cli_found *found;
    cli_kind kind;
    cli_text text;
    char sha256[65]; /* empty: the text was not read */
    cli_state state;
    bool busy; /* a worker has it */
    /* Planners of others that may have more to say of it than their answer,
       and whether one had: then it gave more than one. */
    uint8_t holders;
    bool spoiled;

    /* Of the record of a run: its trace (of a trace: the record), its plan,
       and what is wrong with them, as JSON strings with commas between. */
    cli_text beside, plan, open;
    bool has_beside;
    cli_kind plan_kind;

    cli_text bundle; /* what the planner made of it, or of parts put together */
    cli_text notes;  /* what it tells of that: a JSON array, or empty */
    /* Bundles that are not judged, one per policy of memory, or empty. */
    cli_text members[CLI_MEMBER_PLANS];
    size_t members_done;
    cli_verdict verdict;
    bool own_fault;  /* a process of our own failed on it */
    bool unreadable; /* the file could not be read */
    bool partial;
    cli_text reason; /* one sentence; empty: none */
    cli_finding *findings;
    size_t count;
    size_t capacity;
    int64_t total; /* findings, when not all are listed */
    int64_t unlisted[CLI_SEVERITIES];
    cli_text assumptions; /* JSON arrays, or empty */
    cli_text undecided;
    /* Of a Score and its task graph, or empty: score.identity. */
    char fingerprint[65], meaning[65];
    cli_text counts;                /* a JSON object, or empty */
    cli_text certificate, unproved; /* an object, or why there is none */
    cli_times times; /* when they are measured; no answer depends on them */
    /* Orders that were run, witnesses of errors that were, and showed other
       bytes, parts that were not replayed. */
    int64_t runs, witnesses, shown, unplayed;
    /* Why it is not replayed at all, or not in full, for want of time or
       memory; empty: it is. No answer depends on it. */
    cli_text late;
    /* Files beside the dump that diff.frontend compared, and did not. */
    int64_t compared, left_out;
} cli_case;

/* Frees what a case holds; the other one the case, too. */
void cli_case_clear(cli_case *c);
void cli_case_free(cli_case *c);

/* Forgets all answers: it is an input that nobody has seen. */
void cli_case_renew(cli_case *c);

/* Each of these returns false only when memory ran out. */

/* Verdict refused, with one finding. */
bool cli_case_refuse(cli_case *c, const cli_problem *problem);
/* The file could not be read: refused, without a finding. */
bool cli_case_unreadable(cli_case *c, const char *problem);
/* The planner failed: a finding of the rule, with the input's digest. */
bool cli_case_fail(cli_case *c, cli_verdict verdict, const char *rule,
                   const char *message);

/* These return false when the text is not what it should be, too. */

/* Adds a record of spec 06. */
bool cli_case_add_record(cli_case *c, cli_span record);
/* Takes a judge's answer: verdict, findings, assumptions, undecided. */
bool cli_case_take_judgement(cli_case *c, cli_span answer);
/* Takes the findings of diff.frontend, and how much was compared. */
bool cli_case_take_frontend(cli_case *c, cli_span answer);

size_t cli_case_count(const cli_case *c, cli_severity severity);

/*
 * What summaries count a refusal by: the rule and the first words of the
 * message, up to what belongs to one input. Empty when nothing was refused.
 */
bool cli_case_group(cli_text *group, const cli_case *c);

/* SHA-256 over name, input, verdict, reason, findings; 64 hex digits. */
bool cli_case_digest(char hex[65], const cli_case *c);

/* Adds "name": and one of the case's lists, [] where it is empty. */
void cli_case_put_list(cli_text *out, const char *name, const cli_text *list);

const char *cli_verdict_name(cli_verdict verdict);
const char *cli_severity_name(cli_severity severity);
bool cli_severity_parse(cli_severity *severity, cli_span name);

/*
 * The digest of a batch: over the digests of blocks of 1,024 cases, so that
 * shards of whole blocks merge to the same.
 */
typedef struct cli_digest {
    struct evp_md_ctx_st *block;
    struct evp_md_ctx_st *all;
    size_t in_block;
} cli_digest;

bool cli_digest_begin(cli_digest *digest);
bool cli_digest_add(cli_digest *digest, const char case_hex[65]);
/* Also frees it. An empty batch has the SHA-256 of nothing. */
bool cli_digest_end(cli_digest *digest, char hex[65]);

#endif
