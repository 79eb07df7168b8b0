/*
 * The machine that runs a dump's functions abstractly (spec 08, "What a dump
 * means"). An Orchestration function is run once, and each task call in it
 * runs the callee with the call's actual views and scalars: through wrappers
 * down to the kernels, whose loads and stores become footprints.
 *
 * Data flow: names are numbered once (names.c); a value per name and call
 * level lives in a slot; views, items and numbers live in pools that are cut
 * back when a task's call ends. Blocks are frames on an explicit stack, so
 * nothing recurses over the input.
 */
#ifndef SONATA_DUMP_MACHINE_H
#define SONATA_DUMP_MACHINE_H

#include "affine.h"
#include "ast.h"
#include "footprint.h"
#include "graph.h"
#include "names.h"
#include "task_array.h"
#include "task_set.h"
#include "view.h"

#include "sonata/dump.h"

enum { MAX_LEVELS = 16, MAX_RESULTS = 64, MAX_ITEMS = 32, MAX_BLOCKS = 128 };
enum { CORE_AIC = 1, CORE_AIV = 2 };

/* Codes of interned operations, behind those of affine.c. */
enum {
    CODE_COMPARE = 32, /* + ast_op; conditions: left == 0, left <= 0 */
    CODE_NAME = 100,
    CODE_READ,
    CODE_LOGIC
};

typedef enum value_kind {
    VALUE_NONE,   /* nothing known (floats, texts, types, pipes) */
    VALUE_SCALAR, /* number */
    VALUE_VIEW,   /* index: views[] */
    VALUE_EITHER, /* index, count: items[] that are views; any of them */
    VALUE_TUPLE,  /* index, count: items[] */
    VALUE_ARRAY,  /* index: version of an array of TaskIds; count: slots */
    VALUE_TASK,   /* index: task_set or GRAPH_NONE; cause when none */
    VALUE_TILE,   /* index: the type's node, or AST_NONE */
    VALUE_CHOICE, /* count: a choice; items[index] when true, else the next */
    VALUE_UNCLEAR /* a result whose storage is not known; index: call's stmt */
} value_kind;

typedef struct value {
    uint8_t kind;     /* value_kind */
    uint8_t cause;    /* VALUE_TASK without task: graph_cause */
    bool overwritten; /* VALUE_TASK: its slot or name held another task, */
    bool carried;     /* a loop's carry or result: gathered counts */
    uint32_t pass;    /* which the name gave in an earlier pass than this */
    uint32_t index, count;
    uint32_t producer; /* task_set whose calls gave it, or GRAPH_NONE */
    uint32_t gathered; /* task_set of all passes so far, or GRAPH_NONE */
    affine number;
} value;

typedef struct slot {
    uint32_t stamp; /* valid when equal to the level's */
    value value;
} slot;

typedef struct level {
    ast_func func;
    ast_stmt site; /* the statement of the caller that waits for results */
    uint32_t stamp;
    slot *slots;     /* per name */
    bool maybe_left; /* a return under an undecided branch was passed */
    bool returned;
    uint32_t frame; /* index of its body's frame */
    uint32_t args;  /* values bound to its parameters: items[first_arg..] */
    uint32_t first_arg;
    value results[MAX_RESULTS];
    uint32_t result_count;
} level;

typedef enum frame_kind {
    FRAME_BODY,
    FRAME_BRANCH,
    FRAME_LOOP,
    FRAME_SCOPE
} frame_kind;

typedef enum frame_turn {
    TURN_ONLY,
    TURN_FIRST, /* of two branches, one of which runs; its own frame lies
                   above that of the second */
    TURN_SECOND
} frame_turn;

/* What a "for" says of its passes. */
typedef struct trip {
    affine start, step;
    bool known;      /* start and a constant step are known */
    affine distance; /* stop - start, in the direction of the step */
} trip;

typedef struct frame {
    frame_kind kind;
    frame_turn turn;
    ast_stmt next;
    ast_stmt loop;       /* FRAME_LOOP that waits for its turn: its "for" */
    uint32_t undecided;  /* open branches and loops that may not run */
    uint32_t first;      /* stores known when its statement began */
    uint32_t stores;     /* stores known when the frame itself began */
    uint32_t symbols;    /* FRAME_LOOP: symbols from here on are its own */
    uint32_t peeled;     /* loops around it that run in two passes */
    uint32_t scope;      /* graph scope inside it */
    uint32_t when;       /* graph when: what is taken inside it */
    uint32_t dynamic;    /* graph dynamic: regions around it */
    uint32_t pass;       /* of the root's FRAME_LOOP: loops[] */
    bool single;         /* for one statement and one value of a choice */
    ast_stmt only;       /* that statement */
    uint32_t first_side; /* items[]: what it gave for the other value */
} frame;

/* A loop of the root: all passes, or two that stand for all. */
typedef struct loop {
    ast_stmt stmt;
    ast_stmt yield; /* the last pl.yield_ of its body, or AST_NONE */
    int64_t passes, done;
    uint32_t pass;       /* the one that runs, as numbered in machine */
    bool symbolic;       /* two passes at an unknown distance */
    bool stepped;        /* start and step are known */
    affine index;        /* of the next pass */
    affine step;         /* to the one behind it */
    uint32_t scope;      /* around it */
    uint32_t when[2];    /* of its passes, when symbolic */
    affine limits[2];    /* of its two indexes, at most 0 */
    uint32_t choice;     /* under which it runs, or GRAPH_NONE */
    bool choice_is;      /* the value of it at which it does */
    int64_t choice_from; /* first pass under the choice */
    uint32_t carries;
    uint32_t first;    /* items[]: what goes into the next pass */
    uint32_t instead;  /* items[]: what the loop gives without the choice */
    uint32_t gathered; /* items[]: task_sets of its carries, as .gathered */
} loop;

/* Which constant loops run as two passes, to stay within max_tasks. */
typedef enum machine_fold {
    FOLD_NONE,
    FOLD_INNER, /* those inside loops of unknown length */
    FOLD_ALL,
    FOLDS
} machine_fold;

typedef struct machine {
    const ast_program *ast;
    sonata_error *error;
    sonata_status status; /* sticky: the first failure stops the run */
    names names;
    affine_pool numbers;
    view *views;
    uint32_t view_count, view_capacity;
    value *items;
    uint32_t item_count, item_capacity;
    graph graph;
    uint64_t max_tasks;
    bool too_many;   /* status came from max_tasks or from machine_spend */
    uint64_t work;   /* machine_spend */
    uint32_t passes; /* begun, of all loops of the root */
    machine_fold fold;
    bool prefixed; /* several roots: keys carry the function's name */
    task_sets sets;
    task_arrays arrays;
    loop *loops; /* of the root, a stack */
    uint32_t loop_count, loop_capacity;
    struct walk_item *walk; /* scratch of tasks.c: a set that is walked */
    uint32_t walk_capacity;
    uint8_t *all_manual; /* per statement: flow.c, is_candidate */
    uint8_t *dep_site;   /* per node of a dep: it held a task once */
    uint32_t *dep_stamp; /* per task: the task that last depended on it */
    uint32_t dep_stamp_capacity;

    level levels[MAX_LEVELS];
    uint32_t depth; /* levels in use; 1: in the root itself */
    uint32_t stamps;
    frame *frames;
    uint32_t frame_count, frame_capacity;

    /* Values of the nodes of the expressions now evaluated, a stack. */
    value *scratch;
    uint32_t scratch_top, scratch_capacity;
    uint32_t scratch_base; /* of the innermost expression */
    ast_node scratch_first;
    ast_node quiet_first, quiet_last; /* no host access from these nodes */

    uint8_t *cores; /* per function: CORE_AIC, CORE_AIV below it */
    uint32_t *keys; /* per name: buffers that carry it */
    ast_stmt stmt;  /* the statement that runs */
    bool in_type;   /* a shape may name what no statement binds */

    /* The task whose callee runs, while depth > 1. */
    footprint foot;
    uint32_t task;
    ast_stmt site;            /* the statement that submits it */
    bool is_submit;           /* its value ends with the TaskId */
    uint32_t first_arg, args; /* items[]: its arguments as written */
    affine block;             /* get_block_idx() of the task */
    affine lane;              /* get_subblock_idx() */
    bool mixed;               /* its lanes are both vector cores of a cluster */
    affine_mark mark;         /* numbers above belong to the call */
    uint32_t view_mark, item_mark;
} machine;

/* --- machine.c --- */

/* Runs one root function (Orchestration or HOST) into m->graph. */
void machine_run_root(machine *m, ast_func func);

/*
 * A machine for a program; roots is the number of functions that it will run.
 * False with the error filled on failure; free it in either case.
 */
bool machine_init(machine *m, const ast_program *ast,
                  const sonata_dump_options *options, uint32_t roots,
                  sonata_error *error);
void machine_free(machine *m);

/* Fails at an offset of the text; keeps the first failure. Returns false. */
bool machine_fail(machine *m, sonata_status status, uint32_t at,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool machine_no_memory(machine *m);
/* Whether all could be kept so far, else it fails: what was not looks like a
 * fault of the program. */
bool machine_has_memory(machine *m);
/*
 * Counts what expanding the root takes besides the tasks' calls: statements,
 * passes, slots of arrays, decisions of deps. A program may take a constant
 * part and some for each task of max_tasks; fails (too_many) beyond.
 */
bool machine_spend(machine *m, uint64_t work);
/* The same for what operations on arrays took since. */
bool machine_spend_slots(machine *m);

uint32_t machine_push_view(machine *m, const view *v);
uint32_t machine_push_item(machine *m, value v);
value machine_view_value(machine *m, const view *v);
level *machine_level(machine *m);
frame *machine_frame(machine *m);
bool machine_push_frame(machine *m, frame_kind kind, ast_stmt first,
                        uint32_t undecided, uint32_t scope);
void machine_bind(machine *m, uint32_t name, value v);
/* Binds the target of a statement, with its type's help. */
void machine_assign(machine *m, const ast_statement *stmt, value v);
value value_none(void);
value value_scalar(affine number);

/* Slots of a level of calls (from 0). */
bool machine_level_slots(machine *m, uint32_t depth);

/* --- eval.c --- */

/* The symbol of a shape's name that no statement binds. */
affine machine_dimension(machine *m, uint32_t name);

/*
 * The value of an expression. Until the next evaluation, the values of its
 * nodes are there too (machine_value). Task calls are not made here: their
 * value is none, that of their arguments is there.
 */
value machine_eval(machine *m, ast_node node);
value machine_value(const machine *m, ast_node node);

/* A value as a number: a symbol of its own when it is none. */
affine machine_number(machine *m, value v);

/*
 * The numbers of a list's items, out of the expression last evaluated. False
 * when the node is no list or has more than `max` items.
 */
bool machine_numbers(machine *m, ast_node list, affine *out, uint32_t max,
                     uint32_t *count);
/* The same by an evaluation of its own (types). */
bool machine_list(machine *m, ast_node list, affine *out, uint32_t max,
                  uint32_t *count);

/* 1 true, 0 false, -1 undecided. */
int machine_truth(value v);
/* What op says of a and b: a truth, or a symbol of 0 and 1. */
value machine_compare(machine *m, ast_op op, affine a, affine b);
/* An undecided condition as a symbol of 0 and 1, or 1 minus one. */
affine machine_condition(machine *m, value v);

/* Parts of a call node. */
ast_node call_callee(const machine *m, ast_node call);
ast_node call_argument(const machine *m, ast_node call, uint32_t i);
ast_node call_keyword(const machine *m, ast_node call, const char *name);
ast_node call_attribute(const machine *m, ast_node call, const char *name);

/* A value of which either may be meant. */
value machine_either(machine *m, value a, value b);
value machine_either_number(machine *m, affine a, affine b);
bool machine_is_yield(const machine *m, ast_node value_node);
/* The first of the names of a target. */
ast_node machine_first_name(const machine *m, ast_node target);
/* The passes of a loop, out of the expression last evaluated. */
trip machine_trip(machine *m, ast_node call);
affine machine_trips(machine *m, const trip *t);
/* A loop that does not run: its results are what it would have begun with. */
void machine_bind_unrun(machine *m, const ast_statement *stmt);

/* --- task_ids.c: arrays of TaskIds --- */

/* A TaskId of no task. */
value value_no_task(graph_cause cause);
value machine_array_create(machine *m, ast_node call);
/* At an index that is not known every slot is taken for it. */
value machine_array_update(machine *m, ast_node call);
value machine_array_get(machine *m, ast_node call);

/* --- flow.c: loops and branches of the root --- */

void flow_if(machine *m, const ast_statement *stmt);
void flow_for(machine *m, ast_stmt index, const ast_statement *stmt);
/* Begins the next pass of the loop on top; false when it is over. */
bool flow_repeat(machine *m);
/*
 * A statement that uses what a choice decides is run once for each value of
 * the choice. True when that is under way.
 */
bool flow_fork(machine *m, ast_stmt index);
/* Keeps what the first side gave, before the second is run. */
void flow_keep_first(machine *m, frame *f);
/* Joins both sides; f is popped. */
void flow_join(machine *m, const frame *f);
/* The side of a VALUE_CHOICE that is taken already, else itself. */
value flow_resolve(const machine *m, value v);
/* The same, and a number without the symbols that are decided already. */
value flow_read(machine *m, value v);
/* What a branch's yield gives to a name. */
value flow_yield(machine *m, uint32_t name, value v);
/* The number of the pass that runs; 0: in no loop of the root. */
uint32_t flow_pass(const machine *m);
/* Whether this pass, of any loop, still runs. */
bool flow_in_pass(const machine *m, uint32_t pass);
/* Whether a choice is decided by what is taken already: 1, 0 or -1. */
int flow_taken(const machine *m, uint32_t when, uint32_t choice);

/* --- logic.c --- */

/*
 * Pairs of choices whose values contradict each other, into m->graph: an
 * elimination over their conditions and what is known of the symbols.
 */
void machine_find_impossible(machine *m);
/* What each choice says of the symbols, into m->graph. */
void machine_note_facts(machine *m);
/* Whether a number cannot be at most 0 where this is taken. */
bool machine_excludes(machine *m, uint32_t when, affine number);
/* The value of a choice, as what is taken already decides it; or -1. */
int machine_decide(machine *m, uint32_t when, uint32_t choice);

/* --- tensor.c --- */

/* pl.tensor.* that make or look at views. */
value machine_tensor_call(machine *m, ast_node call, word_id word);
/* A constant index outside a constant dimension fails. */
bool machine_check_element(machine *m, ast_node list, const view *v,
                           const affine *at, uint32_t rank);
/* A parameter of the root function, with its buffer. */
value machine_parameter(machine *m, uint32_t param);
bool machine_type_view(machine *m, ast_node type, uint32_t buffer, view *out);

/* --- call.c --- */

/* Calls func with the values of `args` (items); results go to `site`. */
bool machine_enter(machine *m, ast_func func, ast_stmt site, uint32_t first_arg,
                   uint32_t args, uint32_t at);
/* Ends the innermost level, whose frames are gone. */
void machine_leave(machine *m);
void machine_return(machine *m, const ast_statement *stmt);
/* How many results the type of a function promises. */
uint32_t machine_promised(const machine *m, ast_func func);
/* A function whose body says nothing: external, "...", pass, unreadable. */
bool machine_is_abstract(const machine *m, ast_func func);
/* Fills m->cores: which kernels lie below each function. */
bool machine_find_cores(machine *m);
bool machine_is_tensor(const machine *m, ast_node type);

/* --- kernel.c --- */

/* A call of a pl.tile.* or other operation inside a task's callee. */
value machine_kernel_call(machine *m, ast_node call, word_id word);
/* A statement uses the tile of a load. */
void machine_use_load(machine *m, uint32_t load);
/* The loads of the call that count, as boxes. */
void machine_settle_loads(machine *m);
/* What every operation here has in common: certain, local symbols, lanes. */
foot_touch machine_touch(const machine *m, graph_mode mode);
/* The whole view behind v, as a parameter of this direction is touched. */
void machine_touch_by(machine *m, value v, ast_direction direction);
/* One element at the indexes of a list. */
void machine_touch_element(machine *m, value v, ast_node list, graph_mode mode);

/* --- deps.c --- */

/* The deps of the running task, out of its call's values. */
bool machine_add_deps(machine *m, ast_node call);
/* Deps that held a task at another submission of their site are not dead. */
void machine_settle_deps(machine *m);

/* --- tasks.c --- */

/* The call of a task (not of a dummy), by its form alone. */
bool machine_is_task(const machine *m, ast_node call);
/* The text of an expression, and the line of an offset. */
graph_text machine_source(const machine *m, ast_node node);
uint64_t machine_line(const machine *m, uint32_t at);
/* True when the call makes a task (or is refused); m->status says. */
bool machine_task_call(machine *m, ast_stmt site, ast_node call);
void machine_finish_task(machine *m);

#endif
