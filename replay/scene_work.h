/* How a scene is made: what its parts hand to each other. */
#ifndef REPLAY_SCENE_WORK_H
#define REPLAY_SCENE_WORK_H

#include "replay/scene.h"

#include "text.h"

#define SCENE_TENSORS 32
#define SCENE_SCALARS 16
#define SCENE_OWN_SCALARS 2
#define SCENE_DIMS 5
#define SCENE_ACCESS_DIMS 16
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

enum { SCENE_PLACE, SCENE_BYTES, SCENE_INIT, SCENE_EXTERNAL, SCENE_STORAGE };

enum { SCENE_READ, SCENE_WRITE, SCENE_ACCUMULATE };

enum { SCENE_WAIT_TASK = 1, SCENE_WAIT_COUNT = 2 };

/* Words that grow. Without memory nothing is added, and `failed` is set. */
typedef struct scene_words {
    int64_t *data;
    size_t count, room;
    bool failed;
} scene_words;

bool scene_words_add(scene_words *words, int64_t word);
void scene_words_free(scene_words *words);

/* Bytes of a storage: pieces of `run` bytes, dims innermost first. */
typedef struct scene_box {
    int64_t base, run;
    uint32_t dims;
    int64_t count[SCENE_ACCESS_DIMS], stride[SCENE_ACCESS_DIMS];
    int64_t end; /* of its last byte */
    bool empty;
} scene_box;

typedef struct scene_access {
    uint8_t mode;
    bool left_out;
    uint32_t buffer; /* whose box it is */
    uint32_t storage;
    uint32_t first_dim; /* in scene_work.dims, pairs of count and stride */
    uint32_t dims;
    int64_t base, run;
} scene_access;

typedef struct scene_predicate {
    uint32_t storage;
    int64_t byte, size, op, value; /* op 0: none */
} scene_predicate;

/* A storage of the table: a buffer that is no alias, or one that the plan has
 * torn off. */
typedef struct scene_storage {
    int64_t place, bytes;
    int64_t own; /* its place where each has one of its own */
    uint32_t buffer;
    bool init, external;
} scene_storage;

typedef struct scene_task {
    uint32_t first_access, accesses;
    size_t tensors; /* in scene_work.tensors */
    uint32_t tensor_count;
    scene_predicate predicate;
    uint64_t token; /* of its id and all of its scalars */
    uint8_t core;
    bool runs;                          /* in program order */
    uint64_t hash;                      /* of what it reads then */
    uint32_t row;                       /* of the table */
    size_t at;                          /* where that begins */
    uint32_t first_before, befores;     /* before[]: all edges, sorted */
    uint32_t first_explicit, explicits; /* before[]: those of the program */
} scene_task;

typedef struct scene_work {
    const oracle_document *document;
    const replay_scene_options *options;
    replay_scene *scene;
    replay_error *error;
    int64_t *values;    /* of the symbols */
    bool *by_block;     /* of the symbols: follows from block or lane */
    bool *used;         /* of the symbols: room for one question */
    int64_t *extents;   /* of the buffers: bytes that are touched */
    uint32_t *owners;   /* of the buffers: the task that made it, or NONE */
    uint32_t *storages; /* of the buffers: index in storage[] */
    int64_t *shifts;    /* of the buffers: where they begin there */
    scene_storage *storage;
    uint32_t storage_count;
    scene_task *tasks;
    scene_access *accesses;
    size_t access_count, access_room;
    scene_words dims;
    scene_words tensors;
    uint32_t *before;
    size_t before_count;
    int64_t memory;       /* bytes, with the plan */
    int64_t own;          /* bytes, each storage in a place of its own */
    unsigned char *bytes; /* of the run in program order */
    scene_words table;
    uint32_t row_count;
} scene_work;

/* Values of all symbols (scene_values.c). */
replay_status scene_symbols(scene_work *work);
/* Again those that follow from others, after a block has moved. */
replay_status scene_symbols_follow(scene_work *work);
replay_status scene_value(int64_t *value, scene_work *work,
                          const oracle_affine *affine);
/* Whether a region, not ORACLE_NONE, is another one in another block. */
bool scene_by_block(const scene_work *work, uint32_t region);
/* The bytes of a region within its buffer; region ORACLE_NONE: of all. */
replay_status scene_box_make(scene_box *box, scene_work *work, uint32_t buffer,
                             uint32_t region);

/* Where all lies, and who made it (scene_places.c). */
replay_status scene_places(scene_work *work);

/* What is dispatched and touched (scene_views.c). */
replay_status scene_tensors(scene_work *work, uint32_t task);
replay_status scene_accesses(scene_work *work, uint32_t task);

/* What waits for what (scene_edges.c). */
replay_status scene_edges(scene_work *work);

/* The run in program order (scene_run.c): hashes, final bytes, and the reads
 * that are left out since nobody wrote what they read. */
replay_status scene_run(scene_work *work);

/* The token of a task, and how its first two scalars leave it (scene_run.c). */
uint64_t scene_token(const scene_work *work, uint32_t task, bool all);

/* The table (scene_table.c), its text (scene_score.c), and the schedules
 * (scene_schedules.c). */
replay_status scene_table(scene_work *work);
replay_status scene_score(scene_work *work);
replay_status scene_schedules(scene_work *work);

uint64_t scene_mix(uint64_t x);
/* What a scalar is passed as, and what a task writes follows from. */
uint64_t scene_text_hash(uint64_t hash, const char *data, size_t length);
/* An argument's name in messages. */
int64_t scene_task_id(const scene_work *work, uint32_t task);

#endif
