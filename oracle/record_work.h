/* A deps.json while it is read (record.c, record_memory.c). */
#ifndef ORACLE_RECORD_WORK_H
#define ORACLE_RECORD_WORK_H

#include "record.h"

typedef enum record_source {
    RECORD_EXPLICIT,
    RECORD_CREATOR,
    RECORD_TENSORMAP,
    RECORD_OTHER
} record_source;

typedef struct record_tensor {
    uint64_t address;
    int64_t elem;      /* bytes of an element; 0: an unknown type */
    int64_t low, high; /* bytes in use, from the address on */
    oracle_text version, base;
    bool is_created; /* by the run, on behalf of a task: */
    int64_t creator;
    uint32_t buffer;
    int64_t at; /* byte of the buffer at its address */
} record_tensor;

typedef struct record_edge {
    int64_t pred, succ;
    uint32_t from, to; /* tasks, or ORACLE_NONE */
    record_source source;
    uint32_t tensor; /* of a creator edge, or ORACLE_NONE */
} record_edge;

/* The first task that uses a buffer, and reads it. */
typedef struct record_reader {
    uint32_t task, buffer;
} record_reader;

typedef struct record_work {
    oracle_reader *reader;
    oracle_run *run;
    record_tensor *tensors;
    uint32_t tensor_count;
    oracle_id_table by_id; /* tensors */
    record_edge *edges;
    uint32_t edge_count;
    record_reader *readers; /* by task */
    uint32_t reader_count;
    bool has_manual; /* a task is in a manual scope */
} record_work;

/* The tensors, with their size as they state it. */
bool record_read_tensors(record_work *work, uint32_t list);

/* Bytes of an element of a type, 0 when it is not known. */
int64_t record_element(const oracle_json *json, uint32_t node);

/* A view of a tensor widens what is in use of it. */
bool record_use(record_work *work, uint32_t node, record_tensor *tensor,
                const oracle_region *view);

/*
 * Arguments have their tensor in place of their buffer until this makes the
 * buffers of the document, one for all tensors that share bytes, and the
 * tensors of OUTPUT arguments, from the creator edges.
 */
bool record_make_buffers(record_work *work);

/* Something is missing without which nothing is known of the order. */
bool record_cut(record_work *work, uint32_t node, const char *path,
                const char *what);

/* The edges, sorted by pred, succ, source and tensor. */
bool record_read_edges(record_work *work, uint32_t list);
/* Who is named by an edge and has no row: allocates, or is missing. */
bool record_judge_ends(record_work *work, uint32_t list);
/* Ids that nothing names. */
bool record_judge_gaps(record_work *work, uint32_t list);
/* The edges that the run enforces, into the document; others are lost. */
bool record_keep_edges(record_work *work);

#endif
