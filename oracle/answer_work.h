/* One comparison of an answer while it is made; see answer.c for the way. */
#ifndef ORACLE_ANSWER_WORK_H
#define ORACLE_ANSWER_WORK_H

#include "canonical.h"
#include "judge_work.h"
#include "oracle/answer.h"
#include "score_view.h"

#define ANSWER_BUFFERS 4096u    /* that are placed by the plain definition */
#define ANSWER_PAIRS (1u << 20) /* that are listed */
#define ANSWER_PARTS 7          /* fields of a Score */
#define ANSWER_CONTAINER (UINT32_MAX - 1) /* a list or object as a key */

/* Items [first, first + count) of an array along all tasks. */
typedef struct answer_list {
    uint32_t first, count;
} answer_list;

typedef struct answer_task {
    int64_t id, func;
    uint32_t node, name, core; /* name ORACLE_NONE: it has none */
    answer_list args, directions, keys;
} answer_task;

/* A direction (spec 02), as bits. */
typedef enum answer_way {
    ANSWER_READS = 1,
    ANSWER_WRITES = 2,
    ANSWER_MEMORY = 3
} answer_way;

/* An access key: equal ones are one (equality is Python's). */
typedef struct answer_key {
    const char *data; /* the text; of a number its digits (number.h) */
    uint32_t length;
    uint32_t node; /* that was met first */
    bool number;
    bool stored; /* some task has it as a storage key */
} answer_key;

/* What keeps a text from being a Score. */
typedef struct answer_fault {
    oracle_status status;
    uint32_t node;
    const char *field; /* static: the one that is missing; or NULL */
} answer_fault;

/* A Score as arrays. Nodes are of `json`. */
typedef struct answer_score {
    const oracle_json *json;
    oracle_arena *arena;
    uint32_t root;
    uint32_t name, target, metadata, dependencies, shapes;
    answer_task *tasks;
    uint32_t task_count;
    uint32_t *arg_node, *direction_node, *key_node;
    unsigned char *way; /* by direction */
    uint32_t *key;      /* by storage key: keys[]; NONE: null; CONTAINER */
    uint32_t arg_count, direction_count, key_count;
    answer_key *keys;
    uint32_t distinct;
    oracle_table texts, numbers; /* to keys[] */
    uint32_t null_key;           /* of the value null; ORACLE_NONE: not yet */
    answer_fault *faults;
    uint32_t fault_count;
} answer_score;

/* False: no memory, as everywhere here. Free it whatever came back. */
bool answer_score_read(answer_score *score, const oracle_json *json,
                       uint32_t root, oracle_arena *arena);
void answer_score_free(answer_score *score);
/* The key of a value: keys[], or ANSWER_CONTAINER. */
bool answer_key_of(answer_score *score, uint32_t node, uint32_t *key);
/*
 * Sorts keys (numbers of keys[]) as spec 03 does. *refused: static, why they
 * have no order, or NULL.
 */
bool answer_sort_keys(const answer_score *score, uint32_t *keys, uint32_t count,
                      const char **refused);

/* --- Dependencies --- */

typedef struct answer_edge {
    int64_t from, to;
    unsigned kind; /* of answer_kinds */
} answer_edge;

extern const char *const answer_kinds[4]; /* the stronger later */

typedef struct answer_edges {
    answer_edge *list;
    uint32_t count;
    const char *refused; /* static: the policy refuses the Score, and why */
    const char *code;    /* ... with this code; NULL: with any */
} answer_edges;

/* By the name of the policy. */
bool answer_plan(answer_edges *edges, answer_score *score, const char *policy);

/* --- Memory --- */

typedef struct answer_life {
    uint32_t key;
    uint32_t node; /* the key as the first access that counts spells it */
    int64_t birth, death;
    int64_t size, offset;
} answer_life;

typedef struct answer_lives {
    answer_life *list; /* sorted by key */
    uint32_t count;
    const char *refused; /* static: why there are none; or NULL */
} answer_lives;

bool answer_lifetimes(answer_lives *lives, const answer_score *score);

/* Inclusive ends, as v0.9. */
bool answer_overlap(const answer_life *a, const answer_life *b);

/* The sizes that are known, of which the last one of a key counts. */
typedef struct answer_sizes {
    oracle_table by_key; /* to bytes[]; to be freed */
    int64_t *bytes;
    uint32_t count;
    int64_t sum;
    bool large; /* the sum is beyond 2^63 - 1 */
} answer_sizes;

/* Of the options: an object of numbers, or ORACLE_NONE. */
bool answer_sizes_read(answer_sizes *sizes, const oracle_json *options,
                       uint32_t node, oracle_arena *arena);
/* Of the buffers of a task graph. */
bool answer_sizes_graph(answer_sizes *sizes, const oracle_json *json,
                        uint32_t graph, oracle_arena *arena);
/* Bytes; 0: not known. */
int64_t answer_size_of(const answer_sizes *sizes, const answer_key *key);

/*
 * greedy_v0: the offset of each life by its size. *undecided: too many. *peak
 * -1: an end is beyond 2^63 - 1.
 */
bool answer_place(answer_lives *lives, oracle_arena *arena, int64_t *peak,
                  bool *undecided);

/* Where a plan puts the storage of a key of a Score; ORACLE_NONE: of none. */
typedef struct answer_place_of {
    int64_t offset, size; /* 0 or more */
    uint32_t key;
} answer_place_of;

/* --- What is asked --- */

typedef enum answer_member {
    ANSWER_GRAPH,
    ANSWER_SCORE,
    ANSWER_ELIGIBILITY,
    ANSWER_HANDLE,
    ANSWER_HBG,
    ANSWER_PLAN,
    ANSWER_ALIAS,
    ANSWER_LIVENESS,
    ANSWER_CONFLICTS,
    ANSWER_REGIONS,
    ANSWER_MEMBERS
} answer_member;

extern const char *const answer_member_names[ANSWER_MEMBERS];

/* What a request asks for. */
typedef struct answer_options {
    oracle_json json; /* nodes NULL: there is none */
    bool named_policy;
    char policy[24];
    bool greedy;     /* the memory plan is greedy_v0's */
    bool is_v09;     /* the profile is that of v0.9 */
    bool per_region; /* each static region is planned by itself */
    bool encodings;  /* the bytes themselves are compared */
    bool defaults;   /* the default members are asked for */
    uint32_t sizes;  /* an object, or ORACLE_NONE */
    unsigned named;  /* a bit per member of `emit` */
    unsigned asked;  /* ... and of the default ones, where they are */
    const char *bad; /* static: why they make no sense; or NULL */
} answer_options;

typedef struct answering {
    const oracle_question *question;
    oracle_arena *arena; /* the judgement's */
    oracle_judgement *judgement;
    oracle_record *records;
    uint32_t count;
    const char *shape; /* of the next finding, or NULL */
    bool is_score;     /* the input is one */
    bool is_dump;
    bool unclear;  /* the question is none */
    bool rejected; /* the program is known to be rejected */
    answer_options options;

    /* Of the answer; nodes NULL: it has none. */
    oracle_json bundle, error, notes, codes;
    uint32_t member[ANSWER_MEMBERS]; /* documents of the bundle */
    unsigned told;                   /* a bit per member told to be missing */
    unsigned unread, twice;          /* ... that is no document, or two */

    oracle_json input, known;      /* a Score; what is expected */
    answer_score read;             /* the input */
    oracle_canon text;             /* what the Score must be; */
    size_t part[ANSWER_PARTS + 1]; /* ... where its fields begin in it */
    oracle_json own; /* ... and as JSON, where the planner has none */
    /* The Score that all else is worked out from, as JSON and as arrays. */
    const oracle_json *base;
    uint32_t base_node;
    const answer_score *score;
    answer_score other; /* the arrays, where they are not the input's */
    bool same;          /* it is what it must be */
    bool reasoned;      /* fingerprint and reasons are known */
    oracle_reasons reasons;
    bool valid;
    char fingerprint[65];
} answering;

/* A finding: rule and cause static. The message gets its full stop. */
bool answer_report(answering *a, const char *rule, const char *cause,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool answer_undecided(answering *a, const char *what);

/*
 * answer_shape.c: how the value found at a place (a path; its numbers are none)
 * differs from the one wanted, for the signature of the next finding. Nodes
 * ORACLE_NONE: there is none. O(n log n), of a list O(n m) of its items.
 */
bool answer_shape(answering *a, const char *place, const oracle_json *wanted,
                  uint32_t wanted_node, const oracle_json *found,
                  uint32_t found_node);
/* The same of words of the formats, paths and sentences; NULL: none. */
bool answer_shape_words(answering *a, const char *const words[4]);
/*
 * At the end: a difference that has no shape (two digests) follows from another
 * of the same answer, where there is one, and gets that of the first; and which
 * parts of the answer differ is a part of all.
 */
bool answer_share_shapes(answering *a);

/* answer_parts.c: the pieces of question and answer. */
bool answer_read_options(answering *a);
/* ORACLE_SYNTAX: it is no answer. */
oracle_status answer_read_line(answering *a, oracle_bytes line);
void answer_free(answering *a);

/*
 * answer_accept.c: what is refused and accepted. *go: there is a bundle, and
 * what must be in it is known.
 */
bool answer_accept(answering *a, bool *go);

/* answer_notes.c: the next note of severity error about a member behind `note`.
 */
uint32_t answer_note(const answering *a, answer_member member, uint32_t note);
/*
 * Whether a note (ORACLE_NONE: there is none) has this code and message (data
 * NULL: any; code NULL: there must be none); else a finding. *same: it has.
 */
bool answer_same_note(answering *a, answer_member member, uint32_t note,
                      const char *code, oracle_bytes message, const char *rule,
                      const char *cause, bool *same);
/*
 * A member that is there and must be refused, or is not there, was asked for
 * and can be made. `refused`: why it must be; or NULL.
 */
bool answer_missing(answering *a, answer_member member, const char *rule,
                    const char *refused);

/* What notes are about, and members that are asked for and are not there. */
bool answer_check_notes(answering *a);

/* answer_place.c: where an error is; below 0: not told, or no number. */
typedef struct answer_where {
    int64_t line, column, offset;
} answer_where;

#define ANSWER_PATH 100 /* bytes; longer ones may be cut */

/*
 * Whether it is none (all are 0), or that of a byte; SIZE_MAX: of any.
 */
bool answer_is_place(oracle_bytes text, const answer_where *place, size_t at);
/* Whether there is a value at the path. */
bool answer_is_path(const oracle_json *json, const char *path);

/*
 * answer_safe.c: a finding where a plan of greedy_dag puts two storages on
 * common bytes that its rule keeps apart; of up to 2,048 tasks. Sorts.
 */
bool answer_check_safe(answering *a, answer_place_of *places, uint32_t count);

/* How fields of a member are told; the last has no name. */
typedef struct answer_field {
    const char *name, *rule, *cause;
} answer_field;

/*
 * Compares a document of the bundle with its text, field by field: at most
 * one finding for each. *same: equal values.
 */
bool answer_compare(answering *a, answer_member member, const oracle_out *text,
                    const answer_field *fields, bool *same);

/* Whether the bytes of a document of the bundle are those of the text. */
bool answer_is_text(const answering *a, uint32_t node, const oracle_out *text);
/* Whether two values of canonical texts are the same. */
bool answer_same_value(const oracle_json *wanted, uint32_t a,
                       const oracle_json *found, uint32_t b);

/*
 * Writes a Score with all its fields into `text`; with `edges` (not NULL) with
 * these and the policy in its metadata.
 */
bool answer_write_score(answering *a, const oracle_json *json, uint32_t node,
                        const answer_edges *edges);

/* An eligibility result with this Score in it, or (NULL) why there is none. */
void answer_put_result(oracle_out *out, const answering *a,
                       const oracle_out *score);
/* The Score, its fingerprints, its validity. */
bool answer_check_score(answering *a);
bool answer_check_tables(answering *a);
bool answer_check_storage(answering *a);
bool answer_check_graph(answering *a);
bool answer_check_regions(answering *a);

/* Parses the text of a program into `input`; *parsed: it is JSON. */
bool answer_parse_input(answering *a, bool *parsed);

#endif
