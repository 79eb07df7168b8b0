/*
 * Certificates (docs/formats.md): what is claimed of a document that is clean.
 * For each execution a legal order, the chain of each task, and of each task
 * the last one of every chain that happens before it or is itself. Reading
 * judges nothing: certificate_read.c says what is claimed, checker_clean.c
 * whether that holds.
 */
#ifndef ORACLE_CERTIFICATE_H
#define ORACLE_CERTIFICATE_H

#include "witness_read.h"

/* More than these are neither proved nor read. */
#define ORACLE_CERTIFICATE_POSITIONS                                           \
    (UINT64_C(1) << 23) /* of all executions                                   \
                         */
#define ORACLE_CERTIFICATE_ACCESSES 32768u

/* Of one execution, about the document of its tasks alone. */
typedef struct oracle_claim {
    uint32_t *order, *place, count;
    uint32_t width;  /* chains */
    uint32_t *chain; /* by task, below width */
    uint32_t *reach; /* task * width + chain: a position from 1; 0: none */
} oracle_claim;

/* Two writes without an order whose bytes nobody reads. */
typedef struct oracle_excuse {
    int64_t tasks[2]; /* ids */
    int64_t args[2];
    bool needed; /* seen while checking */
} oracle_excuse;

typedef struct oracle_certificate {
    oracle_check proof;
    const char *document; /* SHA-256 of the bytes, 64 hex digits */
    const char *rules;    /* the rule set of the automatic edges */
    oracle_excuse *excuses;
    uint32_t excuse_count;
    uint32_t execution; /* the one read last: a node */
    uint64_t positions; /* read so far */
} oracle_certificate;

/* Ends with oracle_check_end of the proof, whatever this returns. */
bool oracle_certificate_start(oracle_certificate *certificate,
                              const oracle_document *document, const char *text,
                              size_t length, char *reason, size_t size);

/* The choices of the next execution; false with a reason: there is none. */
bool oracle_certificate_next(oracle_certificate *certificate, bool **is_true);
/* What is claimed of it, in terms of the document with its tasks alone. */
bool oracle_certificate_claim(oracle_certificate *certificate,
                              const oracle_document *document,
                              oracle_claim *claim);
/* Whether all executions were read. */
bool oracle_certificate_done(oracle_certificate *certificate);

/*
 * Makes the certificate of a derived document, whose bytes have this SHA-256;
 * the caller frees *text with free(). False with a reason (at least 256
 * bytes), which is empty when there is no memory.
 */
bool oracle_certificate_make(char **text, const oracle_document *derived,
                             const char *digest, char *reason, size_t size);

/*
 * Whether the certificate proves that every read of the document gets its
 * value in every legal order, with `digest` the SHA-256 of the document's
 * bytes; else `reason` says what is wrong. O(executions x (edges x chains +
 * accesses^2)).
 */
bool oracle_clean_check(const oracle_document *derived, const char *digest,
                        const char *text, size_t length, char *reason,
                        size_t size);

#endif
