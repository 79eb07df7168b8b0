/* How a scene is made: what its parts hand to each other. */
#ifndef REPLAY_SCENE_WORK_H
#define REPLAY_SCENE_WORK_H

#include "replay/scene.h"

#include "text.h"

#define SCENE_TENSORS 32
#define SCENE_SCALARS 16
#define SCENE_OWN_SCALARS 2
#define SCENE_TURNS 3 /* words of a task that its blocks count in */
#define SCENE_DIMS 5
#define SCENE_FAN_IN 128
#define SCENE_WINDOW 16384
#define SCENE_MAX_WINDOW (1 << 20)
#define SCENE_READY 8192
#define SCENE_LANES 32767
#define SCENE_CLUSTERS 8 /* of a2a3sim */

/* The words: the same names stand in scene/kernels/scene_words.h. */
enum {
    SCENE_HEAD_MODE,
    SCENE_HEAD_TASKS,
    SCENE_HEAD_ROW_COUNT,
    SCENE_HEAD_ROWS,
    SCENE_HEAD_STORAGES,
    SCENE_HEAD_WAITS,
    SCENE_HEAD_PATIENCE,
    SCENE_HEAD_MARKS,
    SCENE_HEAD_MEMORY,
    SCENE_HEAD_WORDS,
    SCENE_HEAD_WINDOW,
    SCENE_HEAD
};

enum {
    SCENE_ROW_TASK,
    SCENE_ROW_CORE,
    SCENE_ROW_BLOCKS,
    SCENE_ROW_FLAGS,
    SCENE_ROW_TOKEN,
    SCENE_ROW_SCALARS,
    SCENE_ROW_VALUES,
    SCENE_ROW_MANUAL_DEPS,
    SCENE_ROW_MANUAL_COUNT,
    SCENE_ROW_AUTOMATIC_DEPS,
    SCENE_ROW_AUTOMATIC_COUNT,
    SCENE_ROW_TENSORS,
    SCENE_ROW_TENSOR_COUNT,
    SCENE_ROW_ACCESSES,
    SCENE_ROW_ACCESS_COUNT,
    SCENE_ROW_PREDICATE,
    SCENE_ROW
};

enum {
    SCENE_SYNC_START = 1,
    SCENE_EARLY = 2,
    SCENE_MANUAL_SCOPE = 4,
    SCENE_ONLY_MANUAL = 8,
    SCENE_ONLY_AUTOMATIC = 16
};

enum { SCENE_INPUT, SCENE_OUTPUT_EXISTING, SCENE_INOUT, SCENE_NO_DEP };

enum {
    SCENE_TENSOR_KIND,
    SCENE_TENSOR_STORAGE,
    SCENE_TENSOR_TYPE,
    SCENE_TENSOR_START,
    SCENE_TENSOR_DIMS,
    SCENE_TENSOR_OWNER,
    SCENE_TENSOR_MANUAL_DEP,
    SCENE_TENSOR_SHAPE,
    SCENE_TENSOR_STRIDES = SCENE_TENSOR_SHAPE + SCENE_DIMS,
    SCENE_TENSOR = SCENE_TENSOR_STRIDES + SCENE_DIMS
};

enum {
    SCENE_PLACE,
    SCENE_BYTES,
    SCENE_INIT,
    SCENE_EXTERNAL,
    SCENE_VIEW,
    SCENE_VIEW_BYTES,
    SCENE_STORAGE
};

enum { SCENE_READ, SCENE_WRITE, SCENE_ACCUMULATE };

enum { SCENE_WAIT_TASK = 1, SCENE_WAIT_COUNT = 2 };

/* Words that grow. Without memory nothing is added, and `failed` is set. */
typedef struct scene_words {
    int64_t *data;
    size_t count, room;
    bool failed;
} scene_words;

void scene_words_add(scene_words *words, int64_t word);
void scene_words_free(scene_words *words);

/* `count` times `run` bytes, `stride` apart: words of scene_work.pieces. */
enum { SCENE_BASE, SCENE_RUN, SCENE_COUNT, SCENE_STRIDE, SCENE_PIECE };

typedef struct scene_access {
    uint8_t mode;
    uint32_t storage;
    size_t first; /* in scene_work.pieces */
    uint32_t pieces;
} scene_access;

typedef struct scene_predicate {
    uint32_t storage;
    int64_t byte, size, op, value; /* op 0: none */
} scene_predicate;

/* A storage of the table: a buffer that is no alias, or one that the plan has
 * put elsewhere than its storage. */
typedef struct scene_storage {
    int64_t place, bytes;
    int64_t own; /* its place where each has one of its own */
    /* What the runtime is told: the same, but where cells are scaled down an
       address behind the memory, and the document's bytes. */
    int64_t view, view_bytes;
    uint32_t buffer;
    bool init, external;
} scene_storage;

/* A buffer in its storage of the table. */
typedef struct scene_buffer {
    uint32_t storage;
    int64_t origin; /* byte of the document's storage at which that begins */
    uint32_t owner; /* the task that made it, or REPLAY_NONE */
} scene_buffer;

typedef struct scene_task {
    size_t first_access;
    uint32_t accesses;
    size_t first_tensor; /* in scene_work.tensors */
    uint32_t tensors, scalars;
    scene_predicate predicate;
    bool runs;              /* in program order */
    uint64_t hash;          /* of what it reads then */
    uint32_t row;           /* of the table */
    uint32_t derived;       /* predecessors that the runtime finds itself ... */
    uint32_t derived_named; /* ... of which the program names so many */
    size_t at;              /* where that begins */
} scene_task;

typedef struct scene_work {
    const replay_program *program;
    const oracle_document *d; /* the program's */
    const replay_scene_options *options;
    replay_scene *scene;
    replay_error *error;
    int64_t *extents; /* of the document's storages: bytes */
    /* The program's cells in their storages here. */
    int64_t *cell_begin, *cell_end;
    scene_buffer *buffers; /* as of the document */
    scene_storage *storage;
    uint32_t storage_count;
    scene_task *tasks; /* as of the program */
    scene_access *accesses;
    size_t access_count;
    scene_words pieces;
    scene_words tensors;
    bool *named;          /* as program->before: edges that the program names */
    int64_t memory;       /* bytes, with the plan */
    int64_t own;          /* bytes, each storage in a place of its own */
    unsigned char *bytes; /* of the run in program order */
    scene_words table;
    uint32_t row_count;
} scene_work;

/* Each gives parts of the work, in this order. */
replay_status scene_places(scene_work *work); /* storages */
replay_status scene_cells(scene_work *work);  /* of scene_places */
replay_status scene_tensors(scene_work *work);
replay_status scene_accesses(scene_work *work);
replay_status scene_run(scene_work *work);     /* bytes, and what tasks read */
replay_status scene_derived(scene_work *work); /* of scene_table */
replay_status scene_table(scene_work *work);
replay_status scene_score(scene_work *work);     /* score.txt */
replay_status scene_schedules(scene_work *work); /* schedules.txt */

/* The place of an edge in program->before, or REPLAY_NONE. */
uint32_t scene_edge(const scene_work *work, uint32_t from, uint32_t to);

/* There are no automatic cases, because of task `index`. */
void scene_only_manual(scene_work *work, uint32_t index, const char *why);

/* Task `index` cannot be in a scene. */
replay_status scene_refuse(scene_work *work, uint32_t index, const char *why);

/* What a scalar is passed as. */
uint64_t scene_scalar(const oracle_arg *arg);

#endif
