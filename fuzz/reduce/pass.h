/*
 * Passes: kinds of steps. One makes its steps all at once, to be tried in
 * chunks; or it names targets, and makes the steps of each when its turn comes.
 */
#ifndef FUZZ_REDUCE_PASS_H
#define FUZZ_REDUCE_PASS_H

#include "tree.h"

typedef struct reduce_targets {
    uint32_t *items; /* nodes */
    uint32_t count, capacity;
    bool failed;
} reduce_targets;

typedef struct reduce_pass {
    bool (*parse)(reduce_tree *tree, const char *text, size_t length);
    /* Either: the steps of the tree. */
    void (*make)(reduce_plan *plan, const reduce_tree *tree);
    bool repeats; /* what it does lets it do more: until it does nothing */
    bool fine;    /* in small pieces also in a coarse round */
    bool spare;   /* only for what is large when the others do little */
    /* Or: what there is to be made smaller, and the steps of one of them. */
    void (*find)(reduce_targets *targets, const reduce_tree *tree);
    void (*value)(reduce_plan *plan, const reduce_tree *tree, uint32_t target);
} reduce_pass;

/* The passes of a form, in their order; an empty one ends them. */
const reduce_pass *reduce_passes(fuzz_form form);

void reduce_targets_add(reduce_targets *targets, uint32_t node);

/* The parts of each node for which `fits`, level by level, a group each. */
void reduce_make_children(reduce_plan *plan, const reduce_tree *tree,
                          bool (*fits)(const reduce_tree *, uint32_t));

/* json_steps.c */
void reduce_make_seals(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_tasks(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_keys(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_names(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_columns(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_cut(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_items(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_arguments(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_ids(reduce_plan *plan, const reduce_tree *tree);
void reduce_find_inner(reduce_targets *targets, const reduce_tree *tree);
void reduce_value_simpler(reduce_plan *plan, const reduce_tree *tree,
                          uint32_t target);

/* joins.c */
void reduce_make_joins(reduce_plan *plan, const reduce_tree *tree);

/* texts.c */
void reduce_make_texts(reduce_plan *plan, const reduce_tree *tree);

/* runs.c */
void reduce_find_counted(reduce_targets *targets, const reduce_tree *tree);
void reduce_value_counted(reduce_plan *plan, const reduce_tree *tree,
                          uint32_t target);

/* places.c */
void reduce_make_places(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_place_lifts(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_place_nulls(reduce_plan *plan, const reduce_tree *tree);

/* The parts of a plain text; those of each bracket in it. */
void reduce_make_parts(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_pieces(reduce_plan *plan, const reduce_tree *tree);

/* code_steps.c */
void reduce_make_statements(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_marks(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_bodies(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_bypasses(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_parameters(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_types(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_groups(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_lifts(reduce_plan *plan, const reduce_tree *tree);
void reduce_make_words(reduce_plan *plan, const reduce_tree *tree);

/* values.c: numbers and names, in all places at once or in one. */
void reduce_find_equal_numbers(reduce_targets *targets,
                               const reduce_tree *tree);
void reduce_value_numbers(reduce_plan *plan, const reduce_tree *tree,
                          uint32_t target);
void reduce_find_numbers(reduce_targets *targets, const reduce_tree *tree);
void reduce_value_number(reduce_plan *plan, const reduce_tree *tree,
                         uint32_t target);
void reduce_find_odd(reduce_targets *targets, const reduce_tree *tree);
void reduce_value_odd(reduce_plan *plan, const reduce_tree *tree,
                      uint32_t target);
void reduce_find_names(reduce_targets *targets, const reduce_tree *tree);
void reduce_value_names(reduce_plan *plan, const reduce_tree *tree,
                        uint32_t target);
void reduce_make_values(reduce_plan *plan, const reduce_tree *tree);
void reduce_find_keys(reduce_targets *targets, const reduce_tree *tree);
void reduce_value_keys(reduce_plan *plan, const reduce_tree *tree,
                       uint32_t target);
void reduce_find_strings(reduce_targets *targets, const reduce_tree *tree);
void reduce_value_string(reduce_plan *plan, const reduce_tree *tree,
                         uint32_t target);

#endif
