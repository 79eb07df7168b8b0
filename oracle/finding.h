/*
 * Finding records (spec 06): JSON with sorted keys, the sentence for a person,
 * and the signature.
 */
#ifndef ORACLE_FINDING_H
#define ORACLE_FINDING_H

#include "arena.h"
#include "oracle/judge.h"

#include <stdbool.h>
#include <string.h>

/* Text that grows; `failed` once there was no memory. */
typedef struct oracle_out {
    char *data; /* NUL behind it, NULL when nothing was written */
    size_t length, room;
    bool failed;
} oracle_out;

/* Makes room for more bytes and a NUL; false: there is no memory. */
bool oracle_out_reserve(oracle_out *out, size_t more);

static inline void oracle_out_raw(oracle_out *out, const char *text,
                                  size_t length)
{
    if (length < out->room - out->length || oracle_out_reserve(out, length)) {
        memcpy(out->data + out->length, text, length);
        out->length += length;
        out->data[out->length] = '\0';
    }
}

static inline void oracle_out_text(oracle_out *out, const char *text)
{
    oracle_out_raw(out, text, strlen(text));
}

void oracle_out_int(oracle_out *out, int64_t value);
/* A JSON string with its quotes; broken UTF-8 becomes U+FFFD. */
void oracle_out_string(oracle_out *out, const char *text, size_t length);
void oracle_out_format(oracle_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void oracle_out_free(oracle_out *out);

/* One end of a finding. `task` ORACLE_NONE: none. */
typedef struct oracle_end {
    uint32_t task;
    uint32_t arg; /* ORACLE_NONE: the task as a whole */
    bool operand; /* of its predicate */
} oracle_end;

/* What a finding says; everything but the rule may be missing. */
typedef struct oracle_record {
    const char *rule;
    oracle_severity severity;
    const char *cause;   /* static, or NULL */
    const char *message; /* from the judgement's arena */
    const char *witness; /* JSON, or NULL */
    oracle_end producer, consumer;
    bool has_storage;
    uint32_t storage;   /* buffer index */
    int64_t begin, end; /* end INT64_MAX: not known */
    int64_t line;       /* where there is no consumer */
    const char *path;   /* of a document, or NULL */
    const char *shape;  /* what else tells it from others of its cause (the
                           signature of generated inputs alone), or NULL */
    uint64_t column;    /* 0: none */
    uint32_t order;     /* last key of the fixed order */
    uint64_t count;     /* of pairs of the site, or submissions; 0, 1: unsaid */
} oracle_record;

/*
 * Fills a finding from a record. `document` may be NULL when there is none.
 * False when there is no memory. All text is from the arena. `generated`: of
 * the options (oracle/judge.h), for the signature.
 */
bool oracle_finding_fill(oracle_finding *finding, const oracle_record *record,
                         const oracle_document *document,
                         const char *case_digest, const char *generated,
                         oracle_arena *arena);

/*
 * First 16 hex digits of the SHA-256 over version, rule, cause, and what tells
 * one mistake from another. Of a program (`generated` NULL): names and argument
 * indexes of both ends, and the class of the storage key (param, alloc, other),
 * so that the same mistake in a hundred graphs has one signature. Else, since
 * names mean nothing: the planner, the directions of both ends, that class, how
 * the bytes of both lie towards each other, and of what has no ends its place
 * in the document, or, without a cause, what its message begins with. False: no
 * memory.
 */
bool oracle_signature(char signature[17], const oracle_record *record,
                      const oracle_document *document, const char *generated);

/* 64 hex digits and a NUL. */
void oracle_digest(char digest[65], const char *data, size_t length);

#endif
