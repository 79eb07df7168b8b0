/*
 * The judgement (spec 06): findings with witness, and the verdict.
 */
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include "oracle/document.h"

/*
 * Doubts are hazard.unknown-access, memory.unknown-size, doc.unsupported,
 * doc.incomplete and doc.unknown-field, and every line of `undecided`.
 */
typedef enum oracle_verdict {
    ORACLE_CLEAN,     /* notes at most */
    ORACLE_FINDINGS,  /* an error, or a warning that is no doubt */
    ORACLE_UNDECIDED, /* neither, but a doubt */
    ORACLE_REFUSED    /* not readable as what it claims to be */
} oracle_verdict;

typedef enum oracle_severity {
    ORACLE_NOTE,
    ORACLE_WARNING,
    ORACLE_ERROR
} oracle_severity;

/*
 * A rule that a finding can name, of the judge or of the command (spec 06). Its
 * family is what stands before the dot.
 */
typedef struct oracle_rule {
    const char *name;    /* "hazard.raw" */
    unsigned severities; /* bits: 1u << ORACLE_ERROR, ... */
    const char *summary; /* at most 46 letters */
} oracle_rule;

typedef struct oracle_family {
    const char *name;    /* "hazard" */
    const char *summary; /* at most 60 letters */
} oracle_family;

/* All of them, families together, in a fixed order; static. */
const oracle_rule *oracle_rule_list(uint32_t *count);
const oracle_family *oracle_family_list(uint32_t *count);

/* NULL: there is no such rule. O(rules). */
const oracle_rule *oracle_rule_find(const char *name);

/* Whether there is such a rule, and it may have this severity. */
bool oracle_rule_allows(const char *name, oracle_severity severity);

typedef struct oracle_finding {
    const char *rule; /* static text: "hazard.raw", ... */
    oracle_severity severity;
    const char *cause;   /* static text, or NULL */
    const char *message; /* one sentence */
    char signature[17];  /* 16 hex digits */
    const char *json;    /* the whole record of spec 06, keys sorted */
    int64_t line;        /* of the consumer (or the only place); 0: none */
} oracle_finding;

typedef struct oracle_judgement {
    oracle_verdict verdict;
    oracle_finding *findings; /* in a fixed order, see judge.c */
    uint32_t count;
    uint64_t total;           /* exact, also beyond the limit */
    uint64_t unlisted[3];     /* by severity: those beyond the limit */
    const char **assumptions; /* what a clean verdict rests on */
    uint32_t assumption_count;
    const char **undecided; /* which part and why */
    uint32_t undecided_count;
    /*
     * Of a bundle with a task graph and a Score: the fingerprint of the Score,
     * and a digest of what the graph means (score.identity); else empty.
     */
    char fingerprint[65], meaning[65];
    const char *fault; /* NULL, or what the oracle itself did wrong */
    struct oracle_arena *arena;
} oracle_judgement;

/* How questions of order are answered. */
typedef enum oracle_method {
    ORACLE_METHOD_BLOCKS, /* blocks of bit vectors */
    ORACLE_METHOD_CHAINS, /* chains; where too many, blocks, and undecided */
    ORACLE_METHOD_BOTH    /* both; where they differ, a fault */
} oracle_method;

/* What judging is at. */
typedef enum oracle_phase {
    ORACLE_PHASE_READ,   /* the text */
    ORACLE_PHASE_DERIVE, /* the automatic edges */
    ORACLE_PHASE_JUDGE,
    ORACLE_PHASE_TELL /* messages and witnesses */
} oracle_phase;

typedef struct oracle_judge_options {
    const char *case_digest; /* 64 hex digits of the input; NULL: of text */
    /*
     * NULL: a program, whose names tell one mistake from another. Else the
     * planner's name: the input was generated, its names mean nothing, and
     * signatures group by what is left (docs/fuzz.md, Signatures).
     */
    const char *generated;
    const char *rules; /* NULL: the document's own */
    bool lenient;
    bool csv;         /* the text is a memory plan as CSV, as it looks or not */
    bool score;       /* ... a Score, whatever fields it has */
    uint32_t limit;   /* findings listed; 0: 1,000 */
    uint32_t each;    /* ... of one rule and severity; 0, CSV: as many */
    uint32_t advised; /* edge.false that are told how to be freed; 0: all */
    /*
     * NULL: all. Else findings of this rule alone are listed, those of others
     * count or are missing: for who asks only whether it is there still. The
     * verdict is then of no use.
     */
    const char *only;
    int64_t capacity; /* bytes of the memory that a plan is for; 0: any */
    oracle_method method;
    /*
     * Called as each phase begins, for a caller who measures; or NULL. The
     * document is what is judged, as far as it has come, for the length of
     * the call; NULL while it is read. A phase ends where the next begins,
     * the last with the judgement, which does not depend on any of this.
     */
    void (*begins)(void *context, oracle_phase phase,
                   const oracle_document *document);
    void *context;
} oracle_judge_options;

/*
 * Reads, derives and judges the bytes of a document of any kind, a memory plan
 * as CSV included (formats.md; of its findings with a witness that names lines,
 * oracle_csv_witness_check is the check); of a bundle
 * all members and what holds between them (score.*, policy.*, memory.*,
 * handle.*, hbg.*), in the order of the graph, else of the Score. Always gives
 * a judgement: bytes that cannot be read give verdict refused and one finding
 * (doc.*). ORACLE_NO_MEMORY is the only failure. Free with
 * oracle_judgement_free.
 */
oracle_status oracle_judge_text(oracle_judgement *judgement, const char *text,
                                size_t length,
                                const oracle_judge_options *options);

/*
 * The same for a document in memory, with its memory plan; derives its edges
 * when rules are left. `capacity` is the document's.
 */
oracle_status oracle_judge_document(oracle_judgement *judgement,
                                    oracle_document *document,
                                    const oracle_judge_options *options);

typedef struct oracle_bytes {
    const char *data;
    size_t length;
} oracle_bytes;

/*
 * The first difference in meaning of two bundles whose digests differ, as a
 * sentence that the caller frees with free(): "task 3: argument 1: ... in the
 * first, ... in the second"; NULL when there is none, or one of them cannot be
 * read. ORACLE_NO_MEMORY is the only failure. O(n log n).
 */
oracle_status oracle_meaning_difference(char **sentence, oracle_bytes first,
                                        oracle_bytes second);

/*
 * Compares two documents that claim to be the same plan (diff.plan): the tasks
 * that both have, the bytes that those touch, what they order (as paths, not
 * as edges), and the places in memory; graph with graph, Score with Score, else
 * what they have. Verdict clean: no difference. Documents with two names are
 * compared only with `same`; that, and what stays open, is in `undecided`.
 * Neither is judged. Ends in findings are tasks of the first. Of the options
 * `rules`, and `case_digest` (not NULL) count. Near-linear, times the
 * executions. Free with oracle_judgement_free; ORACLE_NO_MEMORY is the only
 * failure.
 */
oracle_status oracle_compare_text(oracle_judgement *judgement,
                                  oracle_bytes first, oracle_bytes second,
                                  bool same,
                                  const oracle_judge_options *options);

void oracle_judgement_free(oracle_judgement *judgement);

/*
 * Checks one finding's witness against the derived document, knowing nothing
 * of how it was found (spec 06, Witnesses). True when the witness proves the
 * finding; else `reason` (at least 160 bytes) says what is wrong:
 * ORACLE_UNCHECKED when there was no memory to see. O(tasks + edges).
 */
#define ORACLE_UNCHECKED "no memory"
bool oracle_witness_check(const oracle_document *derived,
                          const char *finding_json, char *reason,
                          size_t reason_size);

/*
 * The same for a finding of error about a memory plan as CSV, from its bytes:
 * `capacity` is that of the judgement. Linear in the text.
 */
bool oracle_csv_witness_check(const char *text, size_t length, int64_t capacity,
                              const char *finding_json, char *reason,
                              size_t reason_size);

/*
 * Whether a judgement lets a certificate be made: all was decided, and it is
 * clean or has only notes, and warnings about what is told beside order and
 * bytes (limit, edge, direction, policy, adapter). No when findings were left
 * out by a limit. O(findings).
 */
bool oracle_may_certify(const oracle_judgement *judgement);

/*
 * Writes a certificate of a document that may be certified
 * (docs/formats.md) as canonical JSON into *certificate, which the caller
 * frees with free(). NULL: there is none, and `reason` (at least 256 bytes)
 * says why: that it is clean rests on more than the order of all conflicts, or
 * it is too large (8,388,608 positions on chains over all executions, 32,768
 * accesses, 2^31 pairs). ORACLE_NO_MEMORY is the only failure. Of the options
 * `rules` and `lenient` count. O(executions x (edges x chains + accesses^2)).
 */
oracle_status oracle_certify(char **certificate, const char *text,
                             size_t length, const oracle_judge_options *options,
                             char *reason, size_t reason_size);

/*
 * The same of a document that is derived, read from these bytes. It has been
 * checked as oracle_certificate_check does, with this reading.
 */
oracle_status oracle_certify_document(char **certificate,
                                      const oracle_document *derived,
                                      oracle_bytes text, char *reason,
                                      size_t reason_size);

/*
 * Whether a certificate is of these bytes and proves that every read gets its
 * value in every legal order of every execution that is judged; else `reason`
 * (at least 256 bytes) says what is wrong. Knows nothing of how hazards are
 * found. Of the options `rules` and `lenient` count. ORACLE_NO_MEMORY is the
 * only failure.
 */
oracle_status oracle_certificate_check(bool *holds, const char *text,
                                       size_t length, const char *certificate,
                                       size_t certificate_length,
                                       const oracle_judge_options *options,
                                       char *reason, size_t reason_size);

#endif
