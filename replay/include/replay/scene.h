/*
 * A scene: a folder that the real simulator runs, a2a3sim of the public
 * runtime simpler (spec 07, "Real a2a3sim"). One test file, one orchestration
 * and one kernel of ours, the same for all; the program as a table of
 * numbers; and the bytes that a run in program order leaves behind.
 * docs/scene.md has the layout. This room writes and reads files; who runs
 * them is the command.
 */
#ifndef REPLAY_SCENE_H
#define REPLAY_SCENE_H

#include "replay/run.h"

/* The largest memory of a scene, where the options do not say: 256 MiB. */
#define REPLAY_SCENE_BYTES ((int64_t)1 << 28)

/* Files of the folder that the command asks for. */
#define REPLAY_SCENE_TEST "test_scene.py"
#define REPLAY_SCENE_OUT "out" /* what runs leave: NAME.bin, NAME.deps.json */

/* A case besides `manual` and `automatic`: tasks are held back so that the run
 * comes near to a schedule. */
typedef struct replay_scene_schedule {
    replay_schedule schedule; /* REPLAY_EAGER or REPLAY_LAZY */
    uint32_t task;            /* index of the program */
    bool automatic;           /* the runtime derives the edges */
} replay_scene_schedule;

typedef struct replay_scene_options {
    int64_t unknown_bytes; /* of a buffer of unknown size of which nobody says
                              what is touched; 0: 256 */
    int64_t max_bytes;     /* of the memory; 0: REPLAY_SCENE_BYTES */
    uint32_t patience;     /* microseconds that a task is held back at most;
                              0: 200,000 */
    const replay_scene_schedule *schedules;
    uint32_t schedule_count;
} replay_scene_options;

/* A buffer of the caller, whose bytes end expected.bin. */
typedef struct replay_scene_buffer {
    uint32_t buffer; /* of the document */
    int64_t bytes;
} replay_scene_buffer;

typedef struct replay_scene {
    const replay_program *program;
    char *score; /* score.txt */
    size_t score_length;
    char *schedules; /* schedules.txt */
    size_t schedules_length;
    unsigned char *expected; /* expected.bin */
    size_t expected_length;
    replay_scene_buffer *buffers;
    uint32_t buffer_count;
    uint32_t *row_tasks; /* by row of the table: its task, or REPLAY_NONE */
    uint8_t *row_flags;  /* in which mode it is not submitted, see score.txt */
    uint32_t row_count;
    bool scaled;    /* storages have less bytes than in the document */
    uint32_t cases; /* lines of schedules.txt */
    bool automatic; /* false: there are no such cases, and why */
    char why_manual[160];
    uint32_t left_out; /* accesses that are not in it, or not all of them:
                          bounds, unknown ones, reads of what nobody wrote */
} replay_scene;

/*
 * Makes the scene of a program: one execution, with the plan that it follows.
 * What the runtime cannot do is refused with REPLAY_UNSUPPORTED or
 * REPLAY_RANGE, and the message names task and limit: 32 tensors, 16 scalars, 5
 * dimensions, 32,767 blocks and lanes, more sync_start blocks than a2a3sim has
 * cores, 8,192 tasks ready at once; host writes. More than 128 predecessors are
 * joined by dummies. There are no automatic cases where edges lead against
 * program order, and where the runtime derives too many predecessors itself:
 * what it derives no dummy can join.
 * The scene owns its memory (replay_scene_free) and borrows the program.
 * O(bytes touched + edges + tasks per schedule).
 */
replay_status replay_scene_make(replay_scene *scene,
                                const replay_program *program,
                                const replay_scene_options *options,
                                replay_error *error);
void replay_scene_free(replay_scene *scene);

/*
 * Writes the scene into `folder`, which is made; one that is there has to be
 * empty. On failure what was written is removed again (REPLAY_IO; the message
 * names file and reason). Same scene, same bytes.
 */
replay_status replay_scene_write(const replay_scene *scene, const char *folder,
                                 replay_error *error);

#define REPLAY_SCENE_NAME 32

/* A line of schedules.txt. */
typedef struct replay_scene_line {
    char name[REPLAY_SCENE_NAME]; /* also of what a run of it leaves behind */
    bool automatic;               /* the runtime derives the edges */
    uint32_t held;                /* tasks that are held back */
} replay_scene_line;

/* The case of an index. False: there is no such. O(schedules). */
bool replay_scene_case(replay_scene_line *line, const replay_scene *scene,
                       uint32_t index);

/* What a run left behind, against program order. */
typedef struct replay_scene_outcome {
    uint32_t tasks;   /* that read other bytes, or ran not as often */
    uint32_t buffers; /* of the caller that end with other bytes */
    /* The first in program order; it read what another task should not have
     * written yet, or no longer. REPLAY_NONE: none. */
    uint32_t task;               /* index of the program */
    int64_t runs, expected_runs; /* of that task: 0 or 1, if all is well */
    uint64_t hash, expected_hash;
    uint32_t buffer; /* of the document, the first; REPLAY_NONE: none */
    /* Of its bytes here (see scaled): first that differs, end of the last. */
    int64_t begin, end;
} replay_scene_outcome;

/* Compares the bytes of out/NAME.bin. Another length is REPLAY_RANGE. */
replay_status replay_scene_compare(replay_scene_outcome *outcome,
                                   const replay_scene *scene,
                                   const unsigned char *bytes, size_t length,
                                   replay_error *error);

/* The edges of a run, as it recorded them, against those of the program. Edges
 * count by what they order: one that others imply is not lacking. */
typedef struct replay_scene_edges {
    uint32_t lacking;  /* of the program, that the run did not keep */
    uint32_t lacks[2]; /* the first: from, to; indexes of the program */
    uint32_t more;     /* of the run, between tasks that nothing else orders */
    uint32_t has[2];   /* the first */
} replay_scene_edges;

/*
 * Compares a record (out/NAME.deps.json, read as a document) of a case in
 * manual or automatic mode. Other tasks than those of the scene are
 * REPLAY_UNSUPPORTED. O(edges), and O(tasks + edges) for every task that has an
 * edge which the other does not have itself.
 */
replay_status replay_scene_record(replay_scene_edges *edges,
                                  const replay_scene *scene, bool automatic,
                                  const oracle_document *record,
                                  replay_error *error);

/*
 * The known program that tells whether a simpler is one that we know: six
 * tasks with every kind of edge, AIC, AIV and MIX, as a task graph in JSON.
 * Its automatic mode lacks one write-after-read, its manual mode nothing.
 */
extern const char replay_scene_probe[];

/* The files of every scene that are always the same. */
typedef struct replay_scene_text {
    const char *name; /* below the folder */
    const char *text;
} replay_scene_text;

extern const replay_scene_text replay_scene_texts[];
extern const size_t replay_scene_text_count;

#endif
