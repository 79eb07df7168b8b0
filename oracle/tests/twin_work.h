/* A small graph as lists of bytes, made once for each question to the twin. */
#ifndef ORACLE_TESTS_TWIN_WORK_H
#define ORACLE_TESTS_TWIN_WORK_H

#include "twin.h"

#define TWIN_TASKS 12
#define TWIN_OPS 160
#define TWIN_BUFFERS 32
#define TWIN_BYTES 64
#define TWIN_ADDRESSES 2048
#define TWIN_COINS 16

/* One read or write of a task, in the order in which it does them. */
typedef struct twin_op {
    oracle_mode mode; /* read, write or accumulate */
    uint32_t task, arg;
    uint32_t storage;
    uint64_t bytes; /* bit set */
    bool may;       /* need not happen when the task runs */
    bool operand;   /* of the predicate */
    bool counts;    /* as a read that must have a value */
} twin_op;

typedef struct twin_model {
    const oracle_document *d;
    const int64_t *values;
    const bool *choices;
    uint32_t n;
    bool present[TWIN_TASKS];
    twin_op ops[TWIN_OPS];
    uint32_t first[TWIN_TASKS + 1]; /* ops of each task */
    uint32_t before[TWIN_TASKS];    /* bit set: edges as written */
    /* Every set of tasks that is closed under the edges, by number. */
    uint16_t sets[1 << TWIN_TASKS], ready[1 << TWIN_TASKS];
    uint32_t set_count;
    uint32_t all; /* the present tasks */
    bool placed[TWIN_BUFFERS];
    int64_t base[TWIN_BUFFERS];
    int64_t addresses; /* the plan ends there, or at TWIN_ADDRESSES */
    /* By storage: bytes with a value before the first task; that the caller
       reads after the last. */
    uint64_t starts[TWIN_BUFFERS], ends[TWIN_BUFFERS];
} twin_model;

/* Bytes that the same ops touch. */
typedef struct twin_class {
    uint64_t ops[(TWIN_OPS + 63) / 64]; /* bit set */
    uint32_t storages;                  /* bit set: which have it */
    uint32_t starts, ends;              /* of these: which */
    bool planned;                       /* it is an address */
    /* What need not happen: tasks with a predicate, ops. */
    uint32_t coins, task_coin[TWIN_TASKS], op_coin[TWIN_OPS];
    uint8_t added[TWIN_OPS]; /* the bit of an accumulation in a value */
} twin_class;

/* What a byte holds: a plain write << 32, and accumulations since as bits. */
typedef uint64_t twin_value;

enum { TWIN_NOTHING = 0, TWIN_START = 1, TWIN_WRITTEN = 64 };

/* In program order, each storage for itself: what is to be seen. */
typedef struct twin_expected {
    twin_value op[TWIN_OPS], end[TWIN_BUFFERS];
} twin_expected;

/* Fills the model; false, with a cycle: `sets` does not reach `all`. */
bool twin_model_make(twin_model *model, const oracle_document *document,
                     const twin_options *options);

bool twin_has(const twin_class *c, uint32_t op);

/* The class of a byte of a storage, or of an address. */
void twin_class_at(twin_class *c, const twin_model *m, bool planned,
                   uint32_t storage, int64_t byte);

/* Whether an op happens: `happens` has a bit for each coin. */
bool twin_happens(const twin_model *m, const twin_class *c, uint32_t op,
                  uint32_t happens);

void twin_expect(twin_expected *e, const twin_model *m, const twin_class *c,
                 uint32_t happens);

/*
 * What may be there before the first task, at least one. Where two storages of
 * one address have a value then, it is that of the one that is asked for it;
 * when both are, either.
 */
uint32_t twin_starts(twin_value starts[TWIN_BUFFERS], const twin_expected *e,
                     const twin_model *m, const twin_class *c,
                     uint32_t happens);

/* The value after an op that happens; a read leaves it. */
twin_value twin_touch(const twin_model *m, const twin_class *c, uint32_t op,
                      twin_value value);

/*
 * The same at a byte or an address. What is first added to nothing starts a
 * value, whatever another storage left at the address.
 */
twin_value twin_touch_at(const twin_model *m, const twin_class *c,
                         const twin_expected *e, uint32_t op, twin_value value);

/* Whether a read that expects the one and sees the other is wrong. */
bool twin_differs(const twin_class *c, twin_value expected, twin_value seen);

/* All classes, one by one: false when `ask` was true of one. */
bool twin_classes(const twin_model *m, bool planned,
                  bool (*ask)(const twin_model *m, const twin_class *c));

/* Whether program order itself gives a read of the class a wrong value. */
bool twin_class_in_order(const twin_model *m, const twin_class *c);

bool twin_nothing_of(const twin_model *m);

#endif
