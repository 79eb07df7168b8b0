/* A program while it is gone through; see answer_program.c. */
#ifndef ORACLE_ANSWER_PROGRAM_WORK_H
#define ORACLE_ANSWER_PROGRAM_WORK_H

#include "answer_program.h"

#include <string.h>

typedef enum ir_form { IR_PLAIN, IR_LIST, IR_MAPPING, IR_NODE } ir_form;

/* Beside each value of the text. */
typedef struct ir_value {
    uint32_t at;   /* the node that it refers to, else itself */
    uint32_t seen; /* the walk that saw it last */
    uint32_t var;  /* its number as a variable, + 1 */
    uint32_t id;   /* of the Score's task, + 1 */
    uint32_t kind; /* of a node; of a mapping {"map": ...} the list */
    ir_form form;
} ir_value;

/* What has a name or a value: any node may. */
typedef struct ir_var {
    answer_text name, key;
    bool part;
    answer_list results; /* of a task: storages of what it writes */
} ir_var;

/* The fields of a node that are looked at in walks, in the order of spec 05. */
typedef enum ir_field {
    IR_FUNCTIONS,
    IR_BODY,
    IR_THEN,
    IR_ELSE,
    IR_BRANCHES,
    IR_STMTS,
    IR_STATEMENTS,
    IR_SEQ,
    IR_ARGS,
    IR_VALUE,
    IR_EXPR,
    IR_CONDITION,
    IR_WALKED
} ir_field;

typedef struct ir_frame {
    uint32_t value, next, end; /* of children[] */
} ir_frame;

typedef struct ir_program {
    const oracle_json *json;
    oracle_arena *arena;
    answer_run *run;
    ir_value *values;
    oracle_table ids, numbers, callees;
    ir_var *vars;
    uint32_t var_count;
    answer_text *results;
    uint32_t result_count;
    oracle_table used; /* base keys of the present root */
    uint32_t *times;   /* ... how often */
    uint32_t time_count;
    answer_text root; /* the name in front of keys; data NULL: none */
    uint32_t *children;
    uint32_t child_count;
    ir_frame *frames;
    uint32_t depth;
    uint32_t walk;
    uint64_t visits;
    int64_t first_id, next_id; /* of the tasks of the present root */
    int64_t further;           /* the next one that the Score lacks */
    bool broken;               /* not of the form */
    bool no_memory;            /* each of the two ends all work */
} ir_program;

/* Each is told by the value false; which it is stands in the program. */
bool ir_broken(ir_program *p);
bool ir_failed(ir_program *p);
/* False as these, where that is too much. */
bool ir_visit(ir_program *p, uint64_t visits);

/* A field by its name; null and absent are ORACLE_NONE; refs are followed. */
uint32_t ir_get(const ir_program *p, uint32_t value, const char *name);
/* The list of a mapping {"map": ...}; ORACLE_NONE: it is none. */
uint32_t ir_map(const ir_program *p, uint32_t value);
ir_form ir_form_of(const ir_program *p, uint32_t value);
/* The text of a string; data NULL: no string. */
bool ir_text(ir_program *p, uint32_t value, answer_text *text);
/* The field is a string, or not there (data NULL). */
bool ir_text_field(ir_program *p, uint32_t value, const char *name,
                   answer_text *text);
bool ir_call_name(ir_program *p, uint32_t call, answer_text *name);
bool ir_is_task(const answer_text *name);
bool ir_text_is(const answer_text *text, const char *word);

/* The items of a list field, as children[*first ...]; none when absent. */
bool ir_items(ir_program *p, uint32_t value, const char *name, uint32_t *first,
              uint32_t *count);

/* answer_program_run.c: what runs. */
bool ir_begin_root(ir_program *p, uint32_t root, bool qualified);
bool ir_leave(ir_program *p, uint32_t node);

/* Whether it is a node of this kind; asked of each node, several times. */
static inline bool ir_is(const ir_program *p, uint32_t value, const char *kind)
{
    const ir_value *v = &p->values[p->values[value].at];
    size_t length = strlen(kind);
    return v->form == IR_NODE &&
           (p->json->escapes || p->json->nodes[v->kind].extent == length + 2) &&
           oracle_json_is(p->json, v->kind, kind, length);
}

#endif
