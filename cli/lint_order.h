/*
 * The order of a planned program: its tasks with their edges, automatic ones
 * derived, deps included.
 */
#ifndef CLI_LINT_ORDER_H
#define CLI_LINT_ORDER_H

#include "json.h"
#include "oracle/document.h"

#define LINT_NONE UINT32_MAX

/* An edge as seen from one end. */
typedef struct lint_links {
    uint32_t *first; /* tasks + 1 of them: where a task's begin in `ends` */
    uint32_t *ends;  /* ascending for each task, perhaps twice the same */
} lint_links;

typedef struct lint_order {
    oracle_document document; /* derived */
    bool is_read;             /* the document is to be freed */
    lint_links to, from;      /* what is certain */
    lint_links any;           /* forward, with the edges that may be there */
    uint32_t *by_id;          /* task indexes, ids ascending */
    uint32_t *seen, *queue;
    uint32_t round;
} lint_order;

/*
 * Reads a bundle or a task graph, with its own rules or these. False with
 * `problem` when it cannot be read, and when memory ran out. Near-linear, as
 * deriving is. To be closed in either case.
 */
bool lint_order_read(lint_order *order, cli_span text, const char *rules,
                     char *problem, size_t size);
void lint_order_close(lint_order *order);

/* The index of the task with an id, or LINT_NONE. O(log tasks). */
uint32_t lint_order_find(const lint_order *order, int64_t id);

/* Whether an edge leads from one task to the other, perhaps. O(log edges). */
bool lint_order_edge(const lint_order *order, uint32_t from, uint32_t to);

/*
 * Marks `start` and what is ordered behind it, or before it (backward), by
 * paths that lead only through tasks that are submitted whenever `start` is.
 * Until the next call. O(tasks + edges).
 */
void lint_order_reach(lint_order *order, uint32_t start, bool backward);
bool lint_order_reached(const lint_order *order, uint32_t task);

#endif
