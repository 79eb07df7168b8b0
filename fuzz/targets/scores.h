/* What targets about Scores share: paths in a small one, and what it is. */
#ifndef FUZZ_TARGETS_SCORES_H
#define FUZZ_TARGETS_SCORES_H

#include <stdbool.h>
#include <string.h>

#include "sonata/json.h"
#include "sonata/score.h"

#define MOST_TASKS 24

typedef struct order {
    bool before[MOST_TASKS][MOST_TASKS]; /* a path, by places in the list */
} order;

static inline size_t score_place(const sonata_score *score, int64_t id)
{
    size_t at = 0;
    while (at < score->task_count && score->tasks[at].id != id)
        at++;
    return at;
}

static inline void close_order(order *o, const sonata_score *score)
{
    size_t n = score->task_count;
    memset(o, 0, sizeof *o);
    for (size_t i = 0; i < score->dependency_count; i++) {
        const sonata_dependency *d = &score->dependencies[i];
        o->before[score_place(score, d->producer)]
                 [score_place(score, d->consumer)] = true;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; o->before[i][k] && j < n; j++)
                o->before[i][j] |= o->before[k][j];
}

/* A document that says what it is: the oracle takes it as that alone. */
static inline bool names_kind(const char *text, size_t length)
{
    sonata_doc *doc = NULL;
    if (sonata_doc_read(&doc, text, length, NULL) != SONATA_OK)
        return true;
    bool named = sonata_node_get(doc, sonata_doc_root(doc), "kind") != NULL;
    sonata_doc_free(doc);
    return named;
}

#endif
