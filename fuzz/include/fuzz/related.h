/*
 * Related inputs (metamorphic pairs): the same case told in another way, whose
 * verdict must be the same, name by name. docs/fuzz.md lists what maps.
 */
#ifndef FUZZ_RELATED_H
#define FUZZ_RELATED_H

#include "fuzz/case.h"

typedef enum fuzz_relation {
    FUZZ_RENAME,     /* other names of buffers */
    FUZZ_RENUMBER,   /* other task ids, the same program order */
    FUZZ_DEAD_TASK,  /* one more task that touches a buffer of its own */
    FUZZ_PERMUTE,    /* neighbours without any tie change places */
    FUZZ_EARLY,      /* allow_early_resolve, which changes no order */
    FUZZ_DUMMY_JOIN, /* the direct deps of a task by way of a dummy */
    FUZZ_DECLARE,    /* an automatic edge declared as a dep, too */
    FUZZ_SCALE,      /* all sizes times FUZZ_SCALED */
    FUZZ_ALONE,      /* one more task, behind all others, with a buffer */
    FUZZ_RELATIONS
} fuzz_relation;

#define FUZZ_SCALED 8

const char *fuzz_relation_name(fuzz_relation relation); /* static */

/* From the related case back to the case: what has another name. */
typedef struct fuzz_map {
    int64_t *task_to, *task_from; /* task_to[i] there is task_from[i] here */
    uint32_t tasks;               /* a task that is not listed: the same id */
    char **key_to, **key_from;
    uint32_t keys;
    const char *mark; /* or NULL: each key there is one here with it in it */
    int64_t scale;    /* 0, or how many bytes there are one here */
    char added[32];   /* a key that is not here, or "" */
} fuzz_map;

void fuzz_map_free(fuzz_map *map);

/*
 * Makes the case of `name` again, under a relation; `map` (zero-initialised)
 * says what became of its tasks and keys. FUZZ_NO_SUCH where the relation does
 * not apply to the case; there is none where bytes or fields are damaged.
 * O(size of the case).
 */
fuzz_status fuzz_case_relate(fuzz_case *c, fuzz_map *map, const fuzz_name *name,
                             const fuzz_limits *limits, fuzz_relation relation);

/*
 * Ablations: the case again without one thing that a disagreement may hang on.
 * What still meets still meets, but nothing is known of the verdict. In the
 * order in which they are tried: what few cases hang on by chance comes first.
 */
typedef enum fuzz_ablation {
    FUZZ_ABLATE_EXTRAS,     /* no shape assumptions, the least target */
    FUZZ_ABLATE_NUMBERS,    /* plain values that are no texts: 0 */
    FUZZ_ABLATE_TEXTS,      /* all texts and forms as they mostly are */
    FUZZ_ABLATE_UPDATES,    /* a read and a write instead */
    FUZZ_ABLATE_INDEXES,    /* scalars before the arguments of each task */
    FUZZ_ABLATE_IDS,        /* from 0 on, in the order of the program */
    FUZZ_ABLATE_REMAINDERS, /* sizes go up to the next multiple of 64 */
    FUZZ_ABLATE_SIZES,      /* all are the same */
    FUZZ_ABLATE_RANKS,      /* further tasks before all others */
    FUZZ_ABLATE_LAST,       /* a task with a buffer of its own behind them */
    FUZZ_ABLATIONS
} fuzz_ablation;

const char *fuzz_ablation_name(fuzz_ablation ablation); /* static */

/*
 * Makes the case of `name` again, so. FUZZ_NO_SUCH where there is nothing to
 * leave out, bytes are damaged, or the kind is not planned. O(size of it).
 */
fuzz_status fuzz_case_ablate(fuzz_case *c, const fuzz_name *name,
                             const fuzz_limits *limits, fuzz_ablation ablation);

#endif
