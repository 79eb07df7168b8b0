/*
 * A Score as a document and as JSON side by side, for the rules that compare
 * other documents with it (judge_score.c, judge_handle.c, judge_hbg.c).
 */
#ifndef ORACLE_SCORE_VIEW_H
#define ORACLE_SCORE_VIEW_H

#include "judge_work.h"

typedef struct oracle_score_view {
    const oracle_json *json;
    uint32_t root;
    const oracle_document *document;
    uint32_t *task_node; /* by task */
    /* By argument of the document, ORACLE_NONE where a list is too short. */
    uint32_t *arg_node, *key_node, *direction_node;
    oracle_id_table by_id; /* the first task of an id */
    oracle_table by_name;  /* the first task of a name */
    char fingerprint[65];
} oracle_score_view;

/*
 * `fingerprint`: where it is known, else empty. False: no memory. Free it
 * whatever came back.
 */
bool oracle_score_view_make(oracle_score_view *view,
                            const oracle_members *members,
                            const oracle_document *document,
                            const char *fingerprint, oracle_arena *arena);
void oracle_score_view_free(oracle_score_view *view);

/* The nodes of a list, from the arena; an absent list is empty. */
bool oracle_list_nodes(const oracle_json *json, uint32_t list, uint32_t **nodes,
                       uint32_t *count, oracle_arena *arena);

/* How many items a list has; 0 when there is none. */
uint32_t oracle_list_length(const oracle_json *json, uint32_t list);

/* A string node without escapes, from the arena. NULL: no memory. */
char *oracle_node_text(const oracle_json *json, uint32_t node, size_t *length,
                       oracle_arena *arena);

/* A value as canonical JSON, cut, for a sentence. NULL: no memory. */
const char *oracle_tell_value(oracle_arena *arena, const oracle_json *json,
                              uint32_t node);

/*
 * A record about a node: its path (of the first few hundred), and the task
 * when the judged document is the Score. The message is formatted.
 */
bool oracle_judging_report(oracle_judging *judging, const char *rule,
                           oracle_severity severity, uint32_t node,
                           uint32_t task, uint32_t arg, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* score.valid; policy.*; the eligibility result (`view` NULL: no Score). */
bool oracle_judge_validity(oracle_judging *judging, oracle_score_view *view);
bool oracle_judge_policy(oracle_judging *judging, oracle_score_view *view);
bool oracle_judge_eligibility(oracle_judging *judging, oracle_score_view *view);
/* handle.*, hbg.*, where the bundle has such a member; with its bindings. */
struct oracle_bindings;
bool oracle_judge_handle(oracle_judging *judging, oracle_score_view *view,
                         const struct oracle_bindings *bindings);
bool oracle_judge_hbg(oracle_judging *judging, oracle_score_view *view,
                      const struct oracle_bindings *bindings);

/* adapter.lost-fact, where the judged document is a task graph. */
bool oracle_judge_lost(oracle_judging *judging, const oracle_score_view *view);

/* memory.* without order: bounds, peak, alignment, aliases, missing, sizes. */
bool oracle_judge_plan(oracle_judging *judging, const oracle_score_view *view);

/* score.fingerprint of one recorded value (ORACLE_NONE: not recorded). */
bool oracle_judge_recorded(oracle_judging *judging, oracle_score_view *view,
                           uint32_t node, const char *where);

#endif
