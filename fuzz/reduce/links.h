/*
 * What of a document belongs together: tasks, keys of buffers and other things
 * with a name, the places that define them and those that name them.
 */
#ifndef FUZZ_REDUCE_LINKS_H
#define FUZZ_REDUCE_LINKS_H

#include "tree.h"

typedef enum reduce_class {
    REDUCE_TASK,
    REDUCE_KEY, /* of a buffer */
    REDUCE_TENSOR,
    REDUCE_SYMBOL,
    REDUCE_CHOICE,
    REDUCE_SCOPE,
    REDUCE_CLASSES
} reduce_class;

typedef enum reduce_role {
    REDUCE_DEFINES, /* its row defines the thing */
    REDUCE_ROW,     /* its row is about it: goes with it */
    REDUCE_MEMBER,  /* the leaf alone goes with it */
    REDUCE_ARGUMENT /* an argument of a task: goes in all members in step */
} reduce_role;

typedef struct reduce_link {
    uint8_t class, role;
    uint32_t leaf, row;
    fuzz_piece value; /* without quotes: "7" and 7 are one task */
} reduce_link;

/* Things in the order of the text: of one thing its links stand together. */
typedef struct reduce_links {
    reduce_link *items;
    uint32_t count, capacity;
    uint32_t *things; /* where each begins; one more than there are */
    uint32_t thing_count;
    uint32_t *task_of; /* of each node the task whose row it is, or none */
    bool failed;
} reduce_links;

void reduce_links_find(reduce_links *links, const reduce_tree *tree);
void reduce_links_free(reduce_links *links);

/*
 * Adds the edits that take one argument, or several (ascending), of a task out
 * of all documents: its items, its bindings, and the indexes behind it.
 */
void reduce_links_arguments(reduce_plan *plan, const reduce_links *links,
                            const reduce_tree *tree, uint32_t thing,
                            const uint32_t *indexes, uint32_t count);

/* Adds the edits that take a thing away with all that names it. */
void reduce_delete_thing(reduce_plan *plan, const reduce_links *links,
                         const reduce_tree *tree, uint32_t thing);

/* The lists of an object that have an item per argument; at most 4. */
uint32_t reduce_argument_lists(uint32_t lists[4], const reduce_tree *tree,
                               uint32_t object);

#endif
