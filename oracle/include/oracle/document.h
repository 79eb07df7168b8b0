/*
 * Task-graph documents (spec 09) in memory: reading, and deriving the
 * automatic edges (spec 06, 07). Other kinds (Score, bundle) are turned into a
 * task graph here. What is judged about it is in judge.h.
 *
 * Everything is a flat array owned by the document; references are indexes,
 * ORACLE_NONE where there is none. Text is UTF-8 with explicit length and a
 * NUL behind it.
 */
#ifndef ORACLE_DOCUMENT_H
#define ORACLE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_NONE UINT32_MAX

/* One byte: what a document has millions of is kept small. */
#define ORACLE_SMALL __attribute__((packed))

typedef enum oracle_status {
    ORACLE_OK = 0,
    ORACLE_SYNTAX,      /* doc.syntax */
    ORACLE_SCHEMA,      /* doc.schema */
    ORACLE_RANGE,       /* doc.range */
    ORACLE_UNSUPPORTED, /* doc.unsupported */
    ORACLE_NO_MEMORY
} oracle_status;

typedef struct oracle_error {
    oracle_status status;
    char rule[32];     /* "doc.syntax", ... */
    char message[512]; /* one sentence, UTF-8, no newline */
    char path[128];    /* "tasks[3].args[1].view", or empty */
    uint64_t line;     /* from 1; 0: no position */
    uint64_t column;   /* from 1, in bytes */
    uint64_t offset;   /* from 0, in bytes */
} oracle_error;

typedef struct oracle_text {
    const char *data; /* NUL behind it; never NULL: "" where absent */
    uint32_t length;
    bool present; /* false: absent or null in the document */
} oracle_text;

/* A number: c + sum of coef * symbol over terms[first .. first + count). */
typedef struct oracle_affine {
    int64_t c;
    uint32_t first, count;
} oracle_affine;

typedef struct oracle_term {
    int64_t coef; /* never 0; symbols ascend within one affine, no repeats */
    uint32_t symbol;
} oracle_term;

typedef enum ORACLE_SMALL oracle_operation {
    ORACLE_OP_NONE,
    ORACLE_OP_MUL,
    ORACLE_OP_DIV, /* rounded down */
    ORACLE_OP_MOD, /* what that leaves */
    ORACLE_OP_MIN,
    ORACLE_OP_MAX
} oracle_operation;

typedef struct oracle_symbol {
    oracle_text name;
    oracle_operation is; /* it follows from left and right: symbols before it */
    oracle_affine left, right;
    bool has_min, has_max;
    int64_t min, max;
    int64_t step; /* value = min + k * step when has_min; at least 1 */
    bool free;    /* every value within the bounds is a legal execution */
    /*
     * "block" or "lane": every execution of a task takes all its values, so
     * it is independent in the two ends of a pair. There is one symbol of
     * that name per number of blocks (its max follows from the task), behind
     * the declared ones.
     */
    bool block;
} oracle_symbol;

typedef struct oracle_choice {
    int64_t id;
    oracle_text kind; /* "if", "loop" */
    oracle_text text;
    int64_t line; /* 0: none */
} oracle_choice;

/* count elements, stride bytes apart, starting `offset` elements in. */
typedef struct oracle_dim {
    oracle_affine count;
    int64_t stride;
    oracle_affine offset;
} oracle_dim;

typedef struct oracle_region {
    int64_t elem; /* element size in bytes, at least 1 */
    oracle_affine base;
    uint32_t first, count; /* dims[], outermost first */
} oracle_region;

typedef struct oracle_buffer {
    oracle_text key;
    oracle_text symbol;                  /* how a symbolic size prints */
    int64_t bytes;                       /* 0 or more, when has_bytes */
    int64_t align;                       /* 0: not declared */
    int64_t creator;                     /* task id, or -1 */
    int64_t alias_bytes;                 /* offset within alias_of */
    int64_t storage_at;                  /* byte of the storage it starts at */
    uint32_t alias_of;                   /* buffer index, or ORACLE_NONE */
    uint32_t storage;                    /* the end of the alias_of chain */
    uint32_t first_may_alias, may_alias; /* may_aliases[]: buffer indexes */
    /* Names of this storage that have a `may_alias` beside its own, one from
       the other: 1 + buffer index; 0: no more. */
    uint32_t next_may_alias;
    bool has_bytes;
    bool external;
    bool manual_dep;
    bool init;
} oracle_buffer;

typedef struct oracle_scope {
    int64_t id;
    bool manual;     /* as written */
    bool in_manual;  /* it or any scope around it is manual */
    uint32_t parent; /* scope index, or ORACLE_NONE */
} oracle_scope;

typedef enum ORACLE_SMALL oracle_dispatch {
    ORACLE_INPUT,
    ORACLE_OUTPUT,
    ORACLE_OUTPUT_EXISTING,
    ORACLE_INOUT,
    ORACLE_NO_DEP,
    ORACLE_UNKNOWN_DISPATCH
} oracle_dispatch;

typedef enum ORACLE_SMALL oracle_mode {
    ORACLE_READ,
    ORACLE_WRITE,
    ORACLE_READ_WRITE, /* "inout": reads, then writes, the same region */
    ORACLE_ACCUMULATE
} oracle_mode;

typedef struct oracle_access {
    oracle_mode mode;
    bool must;
    bool exact;
    uint32_t region; /* regions[], or ORACLE_NONE: the argument's whole view */
} oracle_access;

typedef enum ORACLE_SMALL oracle_arg_kind {
    ORACLE_ARG_BUFFER,
    ORACLE_ARG_SCALAR
} oracle_arg_kind;

typedef enum ORACLE_SMALL oracle_declared {
    ORACLE_DECLARED_NONE,
    ORACLE_DECLARED_IN,
    ORACLE_DECLARED_OUT,
    ORACLE_DECLARED_INOUT
} oracle_declared;

/* What a record says of an argument's tensor. */
typedef struct oracle_identity {
    oracle_text version, base_address, owner;
} oracle_identity;

typedef struct oracle_arg {
    oracle_arg_kind kind;
    oracle_dispatch dispatch;
    oracle_declared declared;
    bool manual_dep;
    /* False: unknown, may read and write all of it. Of a dummy true, and it
       has no accesses, whatever the document says. */
    bool has_access;
    uint32_t buffer;
    uint32_t view; /* regions[], or ORACLE_NONE: the whole buffer */
    uint32_t first_access, accesses;
    oracle_text scalar;              /* ORACLE_ARG_SCALAR: its text */
    oracle_text dtype;               /* of the view */
    const oracle_identity *identity; /* NULL: nothing; see below */
} oracle_arg;

/* The same with empty texts for nothing. */
static inline oracle_identity oracle_arg_identity(const oracle_arg *arg)
{
    static const oracle_identity nothing = {
        {"", 0, false}, {"", 0, false}, {"", 0, false}};
    return arg->identity == NULL ? nothing : *arg->identity;
}

typedef struct oracle_when {
    uint32_t choice;
    bool is;
} oracle_when;

typedef enum ORACLE_SMALL oracle_compare {
    ORACLE_AT_MOST, /* of <= 0 */
    ORACLE_EQUAL,   /* of == 0 */
    ORACLE_UNEQUAL  /* of != 0 */
} oracle_compare;

/* What the symbols obey, always or when a choice has a value. */
typedef struct oracle_fact {
    uint32_t choice; /* choice index, or ORACLE_NONE */
    bool is;
    oracle_compare relation;
    oracle_affine of;
} oracle_fact;

/* Values of choices that no execution has together. */
typedef struct oracle_clash {
    uint32_t first_when, whens; /* whens[], at least one */
} oracle_clash;

typedef enum ORACLE_SMALL oracle_dep_cause {
    ORACLE_DEP_TASK, /* task is set */
    ORACLE_DEP_DEAD,
    ORACLE_DEP_REUSED,
    ORACLE_DEP_NONE
} oracle_dep_cause;

typedef struct oracle_dep {
    int64_t id; /* as written, for an id that is no task */
    oracle_text name;
    uint32_t task;              /* task index, or ORACLE_NONE */
    uint32_t first_when, whens; /* it counts only under these */
    oracle_dep_cause cause;
} oracle_dep;

/* The comparison of a predicate, as written: "OP value". */
typedef struct oracle_test {
    oracle_text op;
    int64_t value;
} oracle_test;

typedef struct oracle_task {
    int64_t id;
    oracle_text name;
    oracle_text core;
    int64_t blocks; /* at least 1; 0: unknown */
    int64_t line;   /* 0: none */
    uint32_t scope; /* scope index, or ORACLE_NONE: automatic */
    uint32_t first_when, whens;
    uint32_t first_dep, deps;
    uint32_t first_arg, args;
    uint32_t predicate_buffer;
    uint32_t predicate_region; /* or ORACLE_NONE: the whole buffer */
    bool sync_start, dummy, early;
    bool has_predicate;
    bool predicate_formed;             /* it is tensor[indices] OP int */
    const oracle_test *predicate_test; /* NULL: without predicate */
} oracle_task;

typedef enum ORACLE_SMALL oracle_source {
    ORACLE_EXPLICIT,
    ORACLE_AUTOMATIC,
    ORACLE_RECORDED,
    ORACLE_POLICY
} oracle_source;

typedef struct oracle_edge {
    uint32_t from, to;         /* task indexes */
    uint32_t from_arg, to_arg; /* argument indexes within the task, or NONE */
    oracle_text kind;
    oracle_source source;
    bool certain; /* false: exists exactly when the views of its pair meet */
} oracle_edge;

/* An edge with an end that is no task: kept for graph.edge-end. */
typedef struct oracle_loose_edge {
    int64_t from, to; /* ids, as written */
    oracle_source source;
} oracle_loose_edge;

typedef struct oracle_host_access {
    int64_t after; /* task id behind which it happens; -1: before all */
    oracle_mode mode;
    uint32_t buffer;
    uint32_t region; /* or ORACLE_NONE */
    int64_t line;
    uint32_t first_when, whens; /* it happens only under these */
} oracle_host_access;

typedef struct oracle_dynamic {
    int64_t line;
    oracle_text reason;
    uint32_t first_task, tasks; /* dynamic_tasks[]: task indexes */
} oracle_dynamic;

typedef enum oracle_rules {
    ORACLE_RULES_NONE,
    ORACLE_RULES_CONSERVATIVE,
    ORACLE_RULES_TENSORMAP
} oracle_rules;

typedef enum oracle_kind {
    ORACLE_KIND_UNKNOWN,
    ORACLE_KIND_TASK_GRAPH,
    ORACLE_KIND_SCORE,
    ORACLE_KIND_BUNDLE,
    ORACLE_KIND_MEMORY_PLAN,
    ORACLE_KIND_HANDLE,      /* a PlanHandle; no tasks in the document */
    ORACLE_KIND_HBG,         /* a host_build_graph plan */
    ORACLE_KIND_ELIGIBILITY, /* an eligibility result; no tasks */
    ORACLE_KIND_RECORD,      /* what a run recorded of its graph: deps.json */
    ORACLE_KIND_TRACE,       /* its times alone (swimlane); no tasks either */
    ORACLE_KIND_MEMORY_CSV   /* lives, sizes and places; read in judging only */
} oracle_kind;

/* The place that a memory plan gives to a buffer. */
typedef struct oracle_allocation {
    oracle_text key;
    uint32_t buffer;      /* of that key, or ORACLE_NONE */
    int64_t offset, size; /* bytes, as written */
} oracle_allocation;

/* Something readable that is not judged, or a warning of the reader. */
typedef struct oracle_remark {
    const char *rule;    /* "doc.unknown-field", "doc.unsupported", ... */
    oracle_text message; /* one sentence */
    oracle_text path;
    int64_t line;
} oracle_remark;

typedef struct oracle_document {
    oracle_kind kind; /* what was read: a graph, or what it was made of */
    oracle_text name;
    oracle_rules rules; /* automatic edges still to be derived */
    /* The rule set that was in force, kept when rules becomes none. */
    oracle_rules derived;

    oracle_symbol *symbols;
    uint32_t symbol_count;
    oracle_choice *choices;
    uint32_t choice_count;
    oracle_buffer *buffers;
    uint32_t buffer_count;
    uint32_t *may_aliases;
    uint32_t may_alias_count;
    oracle_scope *scopes;
    uint32_t scope_count;
    oracle_task *tasks; /* program order */
    uint32_t task_count;
    oracle_when *whens;
    uint32_t when_count;
    oracle_fact *facts;
    uint32_t fact_count;
    oracle_clash *clashes;
    uint32_t clash_count;
    oracle_dep *deps;
    uint32_t dep_count;
    oracle_arg *args;
    uint32_t arg_count;
    oracle_access *accesses;
    uint32_t access_count;
    oracle_region *regions;
    uint32_t region_count;
    oracle_dim *dims;
    uint32_t dim_count;
    oracle_term *terms;
    uint32_t term_count;
    /* Without the deps, which are edges too. */
    oracle_edge *edges;
    uint32_t edge_count;
    oracle_loose_edge *loose_edges;
    uint32_t loose_edge_count;
    oracle_host_access *host_accesses;
    uint32_t host_access_count;
    oracle_dynamic *dynamics;
    uint32_t dynamic_count;
    uint32_t *dynamic_tasks;
    uint32_t dynamic_task_count;
    oracle_remark *remarks;
    uint32_t remark_count;

    bool has_plan; /* a memory plan: of the bundle, or the document itself */
    oracle_allocation *allocations; /* as listed */
    uint32_t allocation_count;
    int64_t peak;     /* as written */
    int64_t capacity; /* of the memory, 0: not known; no document says it */

    bool ambiguous;     /* a Score in which two tasks have one id */
    uint32_t functions; /* different function ids of a Score; else 0 */

    struct oracle_run *run; /* of a record: its times, lost edges; or NULL */

    struct oracle_arena *arena; /* owns everything above */
} oracle_document;

typedef struct oracle_read_options {
    bool lenient;       /* no remark for unknown fields */
    bool score;         /* the text is a Score, whatever fields it has */
    const char *rules;  /* NULL: the document's; else "tensormap", ... */
    const char *policy; /* reserved for bundles: NULL */
} oracle_read_options;

/*
 * Reads a document of any kind from its bytes: a task graph, a Score (turned
 * into a task graph, spec 09), or a bundle (its graph member, else its Score;
 * with its memory plan, which gives the buffers of a Score their sizes; with
 * the record of a run among its members that record). A record becomes the
 * graph of its tasks with the edges that the run enforced (spec 07). A
 * host_build_graph plan without Score and graph becomes the graph of its
 * tables; what its arguments are the bindings of a PlanHandle beside it say,
 * without one they are left out. Of a memory plan, a PlanHandle, an
 * eligibility result and a trace alone only the form is read, there are no
 * tasks.
 * On ORACLE_OK *document owns its memory: free it with oracle_document_free.
 * On failure nothing is owned, and the error says rule, message, path, line,
 * column and offset. Linear in the text. `options` may be NULL.
 */
oracle_status oracle_document_read(oracle_document *document, const char *text,
                                   size_t length,
                                   const oracle_read_options *options,
                                   oracle_error *error);
void oracle_document_free(oracle_document *document);

/* What the text claims to be, from its first keys; never fails. */
oracle_kind oracle_document_detect(const char *text, size_t length);

/*
 * Derives the automatic edges by document->rules (spec 06, 07) into
 * document->edges, and sets rules to none. Edges are deduplicated and sorted
 * by (from, to, source); of equal ones a certain one stays, then the stronger
 * kind ("data", "storage", "war", "creator"). What a later write surely covers
 * has no further edges (they are implied), when that write is submitted in
 * every execution in which the covered one is,
 * under `conservative` only in buffers without aliases and without symbols.
 * Two tasks that no execution has together have no edge. More than 2^25
 * edges are refused (doc.range). Cost: near-linear for local accesses; an
 * entry per hit of an interval index; up to 65,536 rows per pair of odd views.
 */
oracle_status oracle_document_derive(oracle_document *document,
                                     oracle_error *error);

/*
 * One execution of a document (spec 09, `when`): only the tasks whose choices
 * all have the given values (one per choice), then without conditions. Ids
 * stay, indexes of tasks do not; edges to what is not there go, deps on it
 * become ORACLE_DEP_NONE, and host accesses move behind the last task before.
 * *out shares what does not change with `in`, which must outlive it; free it
 * with oracle_document_free. Linear.
 */
oracle_status oracle_document_restrict(oracle_document *out,
                                       const oracle_document *in,
                                       const bool *choice_values,
                                       oracle_error *error);

/*
 * How long a task of a record ran on a core: the mean of its rows (a block and
 * lane each) in the trace of the run, rounded up; of a trace that names no
 * clock one of 50 MHz (spec 07). False: it is not in a trace. Constant.
 */
bool oracle_document_task_time(const oracle_document *document, uint32_t task,
                               uint64_t *nanoseconds);

/*
 * Writes the document as canonical compact JSON (keys sorted). The caller
 * frees *text with free().
 */
oracle_status oracle_document_write(char **text, size_t *length,
                                    const oracle_document *document,
                                    oracle_error *error);

/* --- Canonical form (spec 01) --- */

typedef enum oracle_canonical {
    ORACLE_CANONICAL_JSON,  /* any JSON value */
    ORACLE_CANONICAL_SCORE, /* every field of a Score, defaults put in */
    ORACLE_CANONICAL_HANDLE /* the same of a PlanHandle */
} oracle_canonical;

/*
 * The bytes of a document as canonical JSON, compact, or `pretty` with an
 * indent of 2 and no newline at the end; a bundle gives the member that the
 * form names. The caller frees *out with free(). Errors as of
 * oracle_document_read. O(n log n).
 */
oracle_status oracle_canonical_text(char **out, size_t *out_length,
                                    const char *text, size_t length,
                                    oracle_canonical form, bool pretty,
                                    oracle_error *error);

/*
 * The fingerprint of a Score, or of a bundle's: 64 hex digits and a NUL.
 * `metadata`: the variant that covers it.
 */
oracle_status oracle_fingerprint_text(char digest[65], const char *text,
                                      size_t length, bool metadata,
                                      oracle_error *error);

/*
 * The reasons for which a Score (or a bundle's) is not valid, as spec 01 words
 * them, in its order: *reasons has *count texts, with a NUL behind each, the
 * array and all texts in one block that the caller frees with free(*reasons).
 */
oracle_status oracle_validate_text(char ***reasons, uint32_t *count,
                                   const char *text, size_t length,
                                   oracle_error *error);

/* --- Regions (spec 09) --- */

typedef enum oracle_meet {
    ORACLE_MEET_NEVER,
    ORACLE_MEET_PERHAPS,
    ORACLE_MEET_SURELY /* for some values of the free symbols, whatever else */
} oracle_meet;

/* The bytes [begin, end) that a region can touch at most, where bounded. */
typedef struct oracle_span {
    bool bounded;
    int64_t begin, end;
} oracle_span;

/* A region of a buffer; region ORACLE_NONE is the whole buffer. */
typedef struct oracle_place {
    uint32_t buffer;
    uint32_t region;
} oracle_place;

/*
 * Whether two places meet (spec 09): aliases are one storage, buffers that
 * may alias meet perhaps, other buffers never. An empty region meets nothing.
 */
oracle_meet oracle_places_meet(const oracle_document *document, oracle_place a,
                               oracle_place b);

/*
 * The place that an access of an argument touches: its own region, else the
 * argument's view, else the whole buffer.
 */
oracle_place oracle_access_place(const oracle_arg *arg,
                                 const oracle_access *access);

/* Whether place a covers place b for every value of the symbols. */
bool oracle_place_covers(const oracle_document *document, oracle_place a,
                         oracle_place b);

/* The bytes that a place touches at most, within its storage. */
oracle_span oracle_place_span(const oracle_document *document, oracle_place a);

/*
 * The common bytes of two places as one span for messages: the first common
 * byte and the end of the last; false when unknown or none.
 */
bool oracle_places_common(const oracle_document *document, oracle_place a,
                          oracle_place b, oracle_span *common);

#endif
