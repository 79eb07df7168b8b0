/*
 * A text as a tree of its parts, and steps: sets of edits that are tried on
 * it. A tree is made of a text, edited, written, and thrown away; nothing here
 * recurses.
 */
#ifndef FUZZ_REDUCE_TREE_H
#define FUZZ_REDUCE_TREE_H

#include "fuzz/reduce.h"
#include "fuzz/text.h"

#define REDUCE_NONE UINT32_MAX

typedef enum reduce_shape {
    REDUCE_LEAF,   /* `text` */
    REDUCE_OBJECT, /* JSON */
    REDUCE_LIST,
    REDUCE_BLOCK,     /* code: statements; also the parts of a plain text */
    REDUCE_STATEMENT, /* its words, then the statements in it */
    REDUCE_WORDS,
    REDUCE_GROUP /* a bracket with items, each of them words */
} reduce_shape;

typedef struct reduce_node {
    uint32_t parent, next, first, last;
    uint32_t instead; /* what stands for it, or REDUCE_NONE */
    uint8_t shape;
    bool gone;
    bool lifted; /* of a statement: its words are gone, what is in it stays */
    bool made;   /* a digest that follows from other parts */
    fuzz_piece head; /* stands before it: `"key"`, or a blank */
    fuzz_piece text; /* of a leaf; of a group its opening bracket */
} reduce_node;

/* Where a digest stands and what it is of, in a written text. */
typedef struct reduce_digest {
    uint32_t leaf;     /* a string of 64 hex digits */
    uint32_t of;       /* the node whose bytes it is of */
    bool is_text;      /* of the characters of that string */
    bool is_score;     /* a fingerprint, and no SHA-256 of the bytes */
    size_t at;         /* of the digits in the text, or SIZE_MAX: not there */
    size_t begin, end; /* of what it is of */
} reduce_digest;

typedef struct reduce_frame {
    uint32_t id, node; /* and what stands for it */
    uint32_t child;    /* the next one */
    uint32_t depth;    /* of a line */
    bool begun;
} reduce_frame;

typedef struct reduce_tree {
    const char *text; /* whose pieces the nodes are */
    size_t length;
    reduce_node *nodes;
    uint32_t count, capacity;
    reduce_digest *digests;
    uint32_t digest_count;
    reduce_frame *stack; /* of the writer */
    uint32_t stack_capacity;
    const char *newline; /* behind each statement of a block, or "" */
    bool failed;         /* memory ran out */
} reduce_tree;

typedef enum reduce_operation {
    REDUCE_DELETE,
    REDUCE_SET,   /* another text of a leaf, or a leaf instead of a node */
    REDUCE_NAME,  /* another name of a member */
    REDUCE_LIFT,  /* the node `other` instead; of a statement what is in it */
    REDUCE_APPEND /* behind the node comes `other` with what is behind it */
} reduce_operation;

typedef struct reduce_edit {
    uint32_t node, other;
    uint8_t operation;
    fuzz_piece text; /* lives as long as the plan */
} reduce_edit;

/* Edits [first, first + count), which are tried together. */
typedef struct reduce_step {
    uint32_t first, count;
    uint32_t group; /* neighbours of one group may be tried as one step */
    bool slow;      /* a number becomes smaller by one */
} reduce_step;

/* What a pass wants to try, in this order. Zero-initialise. */
typedef struct reduce_plan {
    reduce_edit *edits;
    uint32_t edit_count, edit_capacity;
    reduce_step *steps;
    uint32_t step_count, step_capacity;
    struct reduce_chunk *chunks; /* texts made for it */
    bool slow; /* the last number became smaller by one alone */
    bool failed;
} reduce_plan;

void reduce_plan_free(reduce_plan *plan);
void reduce_plan_clear(reduce_plan *plan);
/* Begins a step; edits follow. One without edits is dropped by the next. */
void reduce_plan_step(reduce_plan *plan, uint32_t group);
void reduce_plan_delete(reduce_plan *plan, uint32_t node);
void reduce_plan_set(reduce_plan *plan, uint32_t node, fuzz_piece text);
void reduce_plan_name(reduce_plan *plan, uint32_t node, fuzz_piece name);
void reduce_plan_lift(reduce_plan *plan, uint32_t node, uint32_t other);
void reduce_plan_append(reduce_plan *plan, uint32_t last, uint32_t other);
/* A copy that the plan owns. */
fuzz_piece reduce_plan_copy(reduce_plan *plan, const char *data, size_t length);
fuzz_piece reduce_plan_string(reduce_plan *plan, const char *string);

/* A new last child of `parent` (REDUCE_NONE: the root, node 0). */
uint32_t reduce_tree_add(reduce_tree *tree, uint32_t parent,
                         reduce_shape shape);
void reduce_tree_free(reduce_tree *tree);

/* False: the text has not this form (or memory ran out: tree->failed). */
bool reduce_parse_json(reduce_tree *tree, const char *text, size_t length);
bool reduce_parse_code(reduce_tree *tree, const char *text, size_t length);
/* Always possible. */
bool reduce_parse_lines(reduce_tree *tree, const char *text, size_t length);
bool reduce_parse_pieces(reduce_tree *tree, const char *text, size_t length);
bool reduce_parse_words(reduce_tree *tree, const char *text, size_t length);
bool reduce_parse_letters(reduce_tree *tree, const char *text, size_t length);

/*
 * Writes the tree, with digests as they were; then makes those anew that
 * follow from other parts. `score` is the question's, or NULL.
 */
void reduce_write(fuzz_text *out, reduce_tree *tree);
void reduce_write_digests(fuzz_text *out, reduce_tree *tree,
                          bool (*score)(char *, const char *, size_t));

/* Finds the digests that are right, to be made anew. */
void reduce_find_digests(reduce_tree *tree,
                         bool (*score)(char *, const char *, size_t));

/* What an edit replaced. */
typedef struct reduce_undo {
    uint32_t node;
    reduce_node before;
} reduce_undo;
void reduce_apply(reduce_tree *tree, const reduce_edit *edit,
                  reduce_undo *undo);

/* --- Looking at nodes --- */

static inline bool reduce_is_leaf(const reduce_tree *tree, uint32_t node)
{
    return tree->nodes[node].shape == REDUCE_LEAF;
}
bool reduce_piece_is(fuzz_piece piece, const char *string);
/* The name of a member, without quotes; else empty. */
fuzz_piece reduce_key(const reduce_tree *tree, uint32_t node);
bool reduce_key_is(const reduce_tree *tree, uint32_t node, const char *key);
/* The member of an object, or REDUCE_NONE. */
uint32_t reduce_member(const reduce_tree *tree, uint32_t object,
                       const char *key);
/* A leaf's text without its quotes. */
fuzz_piece reduce_value(const reduce_tree *tree, uint32_t leaf);
static inline bool reduce_same(fuzz_piece a, fuzz_piece b)
{
    return a.length == b.length &&
           (a.length == 0 || __builtin_memcmp(a.data, b.data, a.length) == 0);
}
bool reduce_is_number(fuzz_piece piece);
/* Whether it and all around it are still there. */
bool reduce_is_alive(const reduce_tree *tree, uint32_t node);

/* Nodes by levels, the root first; free with free(). NULL: no memory. */
uint32_t *reduce_levels(const reduce_tree *tree);

/* A list that grows: room for one more of `size`; false: no memory. */
bool reduce_grow(void **items, uint32_t *capacity, uint32_t count, size_t size);

#endif
