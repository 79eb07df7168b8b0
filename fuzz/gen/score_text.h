/* Writing a Score from a model, with at most one place that is not as it was
 * drawn. */
#ifndef FUZZ_SCORE_TEXT_H
#define FUZZ_SCORE_TEXT_H

#include "model.h"

/* What stands in a Score. Those behind FUZZ_AT_TASK are there once per task,
 * and so on. */
typedef enum fuzz_place {
    FUZZ_AT_NONE,
    FUZZ_AT_VERSION,
    FUZZ_AT_NAME,
    FUZZ_AT_TARGET,
    FUZZ_AT_TASKS,
    FUZZ_AT_EDGES,
    FUZZ_AT_SHAPES,
    FUZZ_AT_METADATA,
    FUZZ_AT_RUNTIME, /* in the target */
    FUZZ_AT_FUNCTION,
    FUZZ_AT_THREADS,
    FUZZ_AT_COMMENTS,
    FUZZ_AT_TASK, /* an item of the list */
    FUZZ_AT_ID,
    FUZZ_AT_FUNC,
    FUZZ_AT_CORE,
    FUZZ_AT_TASK_NAME,
    FUZZ_AT_ARGS,
    FUZZ_AT_DIRECTIONS,
    FUZZ_AT_KEYS,
    FUZZ_AT_ARG, /* the first argument of a task, and what goes with it */
    FUZZ_AT_DIRECTION,
    FUZZ_AT_KEY,
    FUZZ_AT_EDGE,
    FUZZ_AT_PRODUCER,
    FUZZ_AT_CONSUMER,
    FUZZ_AT_KIND,
    FUZZ_AT_SHAPE,
    FUZZ_AT_SYMBOL,
    FUZZ_AT_DIMS,
    FUZZ_AT_DIM,
    FUZZ_AT_VALUE /* one of the metadata */
} fuzz_place;

typedef enum fuzz_action {
    FUZZ_REPLACE, /* the value, by the text */
    FUZZ_OMIT,    /* key and value */
    FUZZ_BEFORE,  /* the text stands before the item or member */
    FUZZ_REWRITE  /* the text is instead of key, colon and value */
} fuzz_action;

typedef struct fuzz_patch {
    fuzz_place place;
    uint32_t index; /* of the task, the edge or the shape assumption */
    fuzz_action action;
    const char *text;
} fuzz_patch;

typedef enum fuzz_keys {
    FUZZ_ALL_KEYS,  /* every buffer has a storage key */
    FUZZ_SOME_KEYS, /* or is named by the argument itself */
    FUZZ_NO_KEYS
} fuzz_keys;

typedef struct fuzz_style {
    uint8_t first[3], step[3]; /* order of members: document, task, edge */
    bool decoys;               /* members come twice, the last one counts */
    bool lean;     /* members that have their default are left out */
    uint8_t names; /* how tasks are called */
    const char *title, *target, *threads; /* JSON; a target of NULL: whole */
    fuzz_keys keys;
    uint32_t shapes;      /* how many shape assumptions */
    uint32_t deep;        /* how many lists lie in each other in the metadata */
    const char *metadata; /* more members of it, or NULL */
} fuzz_style;

/* How a Score is written, all of it right. */
fuzz_style fuzz_style_draw(fuzz_random *random);

/* The Score of the model. `patch` may be NULL. */
void fuzz_write_score(fuzz_text *out, const fuzz_model *m,
                      const fuzz_style *style, const fuzz_patch *patch);

/* Whether a plain value is a text. */
bool fuzz_is_text(const fuzz_arg *arg);

/* The key of a buffer as JSON; at least 64 bytes. Its length. */
size_t fuzz_key_json(char *json, const fuzz_buffer *buffer, uint32_t variant);

#endif
