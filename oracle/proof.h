/*
 * Reading proofs, which are JSON about a document: findings with a witness
 * (witness_read.h) and certificates (certificate.h). Nothing is judged here.
 */
#ifndef ORACLE_PROOF_H
#define ORACLE_PROOF_H

#include "json.h"
#include "table.h"

typedef struct oracle_proof {
    const oracle_document *d; /* that it is about */
    oracle_json json;
    oracle_id_table ids; /* of its tasks */
    oracle_arena *arena;
    char *reason; /* why it is refused; the caller's */
    size_t size;
} oracle_proof;

/*
 * Parses a proof. The text and the document outlive it; it ends with
 * oracle_proof_end, whatever this returns.
 */
bool oracle_proof_start(oracle_proof *proof, const oracle_document *document,
                        const char *text, size_t length, char *reason,
                        size_t size);
void oracle_proof_end(oracle_proof *proof);

/* From here on ids are those of this document. */
bool oracle_proof_about(oracle_proof *proof, const oracle_document *document);

/* Sets the reason; always false. */
bool oracle_proof_fail(oracle_proof *proof, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The value of a member of an object, or ORACLE_NONE. */
uint32_t oracle_proof_member(const oracle_proof *proof, uint32_t object,
                             const char *name);
bool oracle_proof_is(const oracle_proof *proof, uint32_t node,
                     oracle_json_type type);
bool oracle_proof_number(const oracle_proof *proof, uint32_t node,
                         int64_t *value);
/* A string node as text with a NUL, from the arena; NULL: it is none. */
const char *oracle_proof_text(oracle_proof *proof, uint32_t node);

/*
 * Items of a list: false when there are no more. *at is the list at first,
 * then the item.
 */
bool oracle_proof_next(const oracle_proof *proof, uint32_t list, uint32_t *at);

/* The task whose id the node is; false with a reason: there is none. */
bool oracle_proof_task(oracle_proof *proof, uint32_t node, uint32_t *task);
/* The index of the buffer whose key the node is. */
bool oracle_proof_buffer(oracle_proof *proof, uint32_t node, uint32_t *buffer);

/*
 * An order of all tasks that are present: ids, and [first, last] for those
 * that follow each other in program order. `order` and `place` (by task;
 * ORACLE_NONE: not there) are from the arena.
 */
bool oracle_proof_order(oracle_proof *proof, uint32_t list, const bool *present,
                        uint32_t **order, uint32_t **place, uint32_t *count);

/* The value of each choice of the document, in its order. */
bool oracle_proof_choices(oracle_proof *proof, uint32_t list, bool **is_true);

#endif
