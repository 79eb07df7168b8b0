/*
 * What the readers of task graphs, Scores and bundles share: typed access to
 * JSON nodes with errors that name the path. All functions that return bool
 * fill reader->error when they return false.
 */
#ifndef ORACLE_READER_H
#define ORACLE_READER_H

#include "fault.h"
#include "members.h"
#include "table.h"

#include <string.h>

typedef struct oracle_reader {
    oracle_json *json;
    oracle_document *document;
    oracle_arena *arena;
    oracle_error *error;
    bool lenient;
    bool score; /* the root is one */
    oracle_members *members; /* NULL: not asked for */
    oracle_table names;      /* every text once; value: buffer of that key */
    oracle_table symbols;    /* value: symbol index */
    oracle_id_table tasks;   /* whose id is not their index */
    oracle_id_table scopes, choices;
    oracle_id_table blocks;    /* number of blocks to its symbol */
    oracle_id_table functions; /* ids, of a Score */
    uint32_t lane;             /* the symbol, or ORACLE_NONE */
    uint32_t declared_block, declared_lane;
    uint32_t task; /* the task being read, or ORACLE_NONE */
    bool aliases;  /* some buffer names another, */
    bool creators; /* or a task */
} oracle_reader;

typedef struct oracle_field {
    const char *name;
    size_t length;
} oracle_field;

#define ORACLE_FIELD(name)                                                     \
    {                                                                          \
        name, sizeof(name) - 1                                                 \
    }

/* The fields of one kind of object; pattern: its path without indexes. */
typedef struct oracle_fields {
    const char *pattern;
    uint32_t count;
    oracle_field field[20];
} oracle_fields;

/*
 * Appends a zeroed item to document->list and returns it; NULL: no memory,
 * reported. `list` and `count` are names of members of the document.
 */
#define ORACLE_PUSH(reader, list, count)                                       \
    ((reader)->document->list = oracle_reader_push(                            \
         (reader), (reader)->document->list, (reader)->document->count,        \
         sizeof *(reader)->document->list),                                    \
     (reader)->error->status == ORACLE_NO_MEMORY                               \
         ? NULL                                                                \
         : &(reader)->document->list[(reader)->document->count++])

void *oracle_reader_push(oracle_reader *reader, void *items, uint32_t count,
                         size_t size);

bool oracle_reader_memory(oracle_reader *reader); /* false, no memory */

/* Fails with "PATH must be WHAT, got KIND". Always false. */
bool oracle_reader_wrong(oracle_reader *reader, uint32_t node,
                         const char *what);

/*
 * The values of the known fields of an object, ORACLE_NONE where absent; the
 * last of repeated keys wins. Remarks on unknown ones.
 */
bool oracle_reader_fields(oracle_reader *reader, uint32_t node,
                          const oracle_fields *fields, uint32_t *values);

/* Fails when a field is absent: "PATH has no NAME". */
bool oracle_reader_need(oracle_reader *reader, uint32_t object, uint32_t value,
                        const char *name);

static inline oracle_json_type oracle_reader_type(const oracle_reader *reader,
                                                  uint32_t node)
{
    return (oracle_json_type)reader->json->nodes[node].type;
}

/* Absent or null. */
static inline bool oracle_reader_absent(const oracle_reader *reader,
                                        uint32_t node)
{
    return node == ORACLE_NONE ||
           oracle_reader_type(reader, node) == ORACLE_JSON_NULL;
}

/*
 * The index of the task with this id, or ORACLE_NONE. Where ids count from 0,
 * as most do, no table is needed.
 */
uint32_t oracle_reader_task(const oracle_reader *reader, int64_t id);

typedef enum oracle_reader_id {
    ORACLE_ID_NEW,
    ORACLE_ID_REPEATED, /* of a task that was kept before */
    ORACLE_ID_NO_MEMORY
} oracle_reader_id;

/* Keeps the id of the task that is pushed to the document next. */
oracle_reader_id oracle_reader_keep_task(oracle_reader *reader, int64_t id);

/* The slot of a string node, which must be one; or NULL. */
oracle_slot *oracle_reader_name(oracle_reader *reader, uint32_t node);

/* A node that must be there. */
bool oracle_reader_int(oracle_reader *reader, uint32_t node, int64_t *value);
bool oracle_reader_string(oracle_reader *reader, uint32_t node,
                          oracle_text *text);

/* A node that may be absent or null: then *value stays as it is. */
bool oracle_reader_opt_int(oracle_reader *reader, uint32_t node,
                           int64_t *value);
bool oracle_reader_opt_bool(oracle_reader *reader, uint32_t node, bool *value);
bool oracle_reader_opt_text(oracle_reader *reader, uint32_t node,
                            oracle_text *text);

/* A text or an integer, kept as text: 64-bit ids of records. */
bool oracle_reader_opt_id(oracle_reader *reader, uint32_t node,
                          oracle_text *text);

/* Keeps what a record says of an argument's tensor. */
bool oracle_reader_identity(oracle_reader *reader, oracle_arg *arg,
                            oracle_identity identity);

/* At least `least`, or doc.range. */
bool oracle_reader_least(oracle_reader *reader, uint32_t node, int64_t value,
                         int64_t least);

/* The index of a text in a list of names (ended by NULL), or an error. */
bool oracle_reader_word(oracle_reader *reader, uint32_t node,
                        const char *const *words, const char *what,
                        uint32_t *index);

/* Keeps a text once in the document; its slot has the buffer of that key. */
oracle_slot *oracle_reader_keep(oracle_reader *reader, const char *data,
                                size_t length);

/*
 * Children of a list that may be absent or null. Use:
 *   uint32_t at, end;
 *   if (!oracle_reader_list(reader, node, &at, &end)) return false;
 *   for (; at < end; at = oracle_json_next(reader->json, at)) ...
 */
bool oracle_reader_list(oracle_reader *reader, uint32_t node, uint32_t *at,
                        uint32_t *end);

/* As above, of a list that may be folded: of a task graph's root. */
bool oracle_reader_items(oracle_reader *reader, uint32_t node,
                         oracle_json_items *items);
/* Reads each item. */
bool oracle_reader_each(oracle_reader *reader, uint32_t node,
                        bool (*read)(oracle_reader *reader, uint32_t item));

bool oracle_reader_remark(oracle_reader *reader, const char *rule,
                          const char *message, const char *path, uint32_t node);

/* The parts of a task graph (document_*.c), in the order of reading. */
bool oracle_read_symbols(oracle_reader *reader, uint32_t list);
bool oracle_read_choices(oracle_reader *reader, uint32_t list);
bool oracle_read_facts(oracle_reader *reader, uint32_t list);
/* A number that may have symbols; pattern names it in errors. */
bool oracle_read_affine(oracle_reader *reader, uint32_t node,
                        const char *pattern, oracle_affine *out);
bool oracle_read_impossible(oracle_reader *reader, uint32_t list);
/* A list of choices with values, into whens[]. */
bool oracle_read_whens(oracle_reader *reader, uint32_t list, uint32_t *first,
                       uint32_t *count);
bool oracle_read_buffers(oracle_reader *reader, uint32_t list);
bool oracle_read_scopes(oracle_reader *reader, uint32_t list);
bool oracle_read_tasks(oracle_reader *reader, uint32_t list);
bool oracle_read_edges(oracle_reader *reader, uint32_t list);
bool oracle_read_host_accesses(oracle_reader *reader, uint32_t list);
bool oracle_read_dynamic(oracle_reader *reader, uint32_t list);
bool oracle_read_creators(oracle_reader *reader, uint32_t list);

bool oracle_read_buffer_key(oracle_reader *reader, uint32_t node,
                            uint32_t *buffer);
/* An edge between ids, or a loose one when an id is no task. */
bool oracle_keep_edge(oracle_reader *reader, int64_t from, int64_t to,
                      const oracle_edge *edge);

bool oracle_read_mode(oracle_reader *reader, uint32_t node, oracle_mode *mode);

/* A region (or view, by `fields`) and its place in regions[]. */
bool oracle_read_region(oracle_reader *reader, uint32_t node,
                        const char *pattern, uint32_t *region,
                        oracle_text *dtype);

/* The region must lie in the outer place where both are constant. */
bool oracle_read_within(oracle_reader *reader, uint32_t node,
                        oracle_place inner, oracle_place outer,
                        const char *what);

/* It must be 1. */
bool oracle_read_version(oracle_reader *reader, uint32_t root, uint32_t node);

/* Absent, null or 1. */
bool oracle_read_schema_version(oracle_reader *reader, uint32_t node);
/* A runtime target; what is no object stands for the defaults (spec 01). */
bool oracle_read_target(oracle_reader *reader, uint32_t node);

/* An access key of a Score as text (equality is Python's). */
bool oracle_read_key_text(oracle_reader *reader, uint32_t node,
                          oracle_text *key);

/* A list that may be absent, but not null (spec 01). */
bool oracle_reader_strict_list(oracle_reader *reader, uint32_t node,
                               uint32_t *at, uint32_t *end);
/* An object that may be absent, but not null. */
bool oracle_reader_strict_object(oracle_reader *reader, uint32_t node);

/*
 * The plan's places, into the document; `score`: they give its buffers their
 * sizes. Behind the buffers.
 */
bool oracle_read_memory_plan(oracle_reader *reader, uint32_t root, bool score);

/* The form of documents that no task graph is made of. */
bool oracle_read_handle(oracle_reader *reader, uint32_t root);
bool oracle_read_hbg(oracle_reader *reader, uint32_t root);
/*
 * Its tasks and edges, of a document without Score and graph, once the forms
 * are read. `handle`: the PlanHandle whose bindings say what arguments are, or
 * ORACLE_NONE: then they are left out.
 */
bool oracle_read_hbg_tasks(oracle_reader *reader, uint32_t root,
                           uint32_t handle);
bool oracle_read_eligibility(oracle_reader *reader, uint32_t root);

/* Whole documents, by kind. */
bool oracle_read_graph(oracle_reader *reader, uint32_t root);
bool oracle_read_score(oracle_reader *reader, uint32_t root);
/*
 * What a Score is made of: a task without arguments, whose id stands at `node`;
 * an argument of the last task, by its nodes, ORACLE_NONE where absent; one
 * that is no memory; the id of a function.
 */
bool oracle_score_task(oracle_reader *reader, uint32_t node, int64_t id);
bool oracle_score_arg(oracle_reader *reader, uint32_t node, uint32_t direction,
                      uint32_t key);
bool oracle_score_scalar(oracle_reader *reader, uint32_t node);
bool oracle_score_function(oracle_reader *reader, int64_t func);
bool oracle_read_bundle(oracle_reader *reader, uint32_t root);
bool oracle_read_root(oracle_reader *reader, uint32_t root);

/* The alias chains, once all buffers are known. */
bool oracle_resolve_storages(oracle_reader *reader, uint32_t list);

#endif
