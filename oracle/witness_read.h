/*
 * Reading proofs, which are JSON about a document: findings with a witness,
 * and certificates (certificate.h). What they claim becomes tasks, an order, a
 * byte, a copy of the document of one execution. Nothing is judged here.
 */
#ifndef ORACLE_WITNESS_READ_H
#define ORACLE_WITNESS_READ_H

#include "json.h"
#include "oracle/judge.h"
#include "table.h"

/* A proof while it is read and checked. */
typedef struct oracle_check {
    oracle_document d; /* a copy; of one execution, when that was read */
    oracle_json json;
    uint32_t witness; /* of a finding */
    const char *rule;
    char *reason; /* why it is refused; the caller's */
    size_t size;
    oracle_id_table ids; /* of the tasks of d */
    oracle_arena *arena;
    bool *present;
    uint32_t *place, *order, count; /* of the tasks in the order */
    bool certain;                   /* edges that may be missing do not count */
    oracle_place byte;
    /* By root buffer, of a memory plan; then what an address holds is asked. */
    bool by_address, *placed;
    int64_t address, *base;
} oracle_check;

/*
 * Parses a proof about a document. Both outlive it; it ends with
 * oracle_check_end, whatever this returns. O(text + tasks).
 */
bool oracle_check_start(oracle_check *check, const oracle_document *document,
                        const char *text, size_t length, char *reason,
                        size_t size);
/* Gives `ok` back; without it `reason` is set, where it is not yet. */
bool oracle_check_end(oracle_check *check, bool ok);

/* From here on it is about this document, whose tasks are not present yet. */
bool oracle_check_about(oracle_check *check, const oracle_document *document);

/* The rule and the witness of a finding. */
bool oracle_check_finding(oracle_check *check);

/* Sets the reason; always false. */
bool oracle_check_fail(oracle_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The value of a member of an object, or ORACLE_NONE. */
uint32_t oracle_check_member(const oracle_check *check, uint32_t object,
                             const char *name);
bool oracle_check_is(const oracle_check *check, uint32_t node,
                     oracle_json_type type);
bool oracle_check_number(const oracle_check *check, uint32_t node,
                         int64_t *value);
/* A string node as text with a NUL, from the arena; NULL: it is none. */
const char *oracle_check_text(const oracle_check *check, uint32_t node);

/*
 * Items of a list: false when there are no more, or it is none. *at is the
 * list at first, then the item.
 */
bool oracle_check_next(const oracle_check *check, uint32_t list, uint32_t *at);
/* The two items of a list of two. */
bool oracle_check_two(const oracle_check *check, uint32_t list, uint32_t *first,
                      uint32_t *second);

/* The task whose id the node is. */
bool oracle_check_task(oracle_check *check, uint32_t node, uint32_t *task);

/* The value of each choice of the document, in its order; from the arena. */
bool oracle_check_values(oracle_check *check, uint32_t list, bool **values);

/* Which tasks and deps are there, by the choices of the witness. */
bool oracle_check_choices(oracle_check *check);

/* Puts the values of the symbols in, where the witness has some. */
bool oracle_check_symbols(oracle_check *check);
/* That, and the byte that a witness names by buffer and begin. */
bool oracle_check_byte(oracle_check *check);

/*
 * An order of all tasks that are present: ids, and what is short for several
 * (witness.h). Fills order, place and count.
 */
bool oracle_check_order(oracle_check *check, uint32_t list);

/* Which tasks are submitted, the value of each symbol, the byte, the order. */
bool oracle_check_read(oracle_check *check);

/* Whether the witness leaves the accesses of an argument out. */
bool oracle_check_skips(oracle_check *check, uint32_t task, uint32_t arg);

/* Where each storage starts, by the first place that says so. */
bool oracle_check_places(oracle_check *check);
/*
 * From here on the byte is the address of the witness, which is that of its
 * buffer and begin.
 */
bool oracle_check_address(oracle_check *check);
/* Moves the byte into a storage; false: it has no byte there. */
bool oracle_check_move(oracle_check *check, uint32_t storage);

#endif
