/*
 * What one answer says of a program, in the form in which answers are
 * compared: tasks in program order, their arguments as storages (roots), their
 * dependencies. Three readers make one: of the task graph, of exporter.json,
 * of the orchestration C++. No reader sees another's input.
 */
#ifndef CLI_FRONTEND_OUTLINE_H
#define CLI_FRONTEND_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRONTEND_NONE UINT32_MAX
#define FRONTEND_STEPS 50000000U /* a reader gives up after so many */

typedef enum frontend_status {
    FRONTEND_OK = 0,
    FRONTEND_BAD,     /* unreadable or of unknown form: outline->reason */
    FRONTEND_SKIPPED, /* readable, not comparable: outline->reason */
    FRONTEND_NO_MEMORY
} frontend_status;

/* Borrowed text, not NUL-terminated. */
typedef struct frontend_text {
    const char *data;
    size_t length;
} frontend_text;

typedef enum frontend_direction {
    FRONTEND_INPUT,
    FRONTEND_OUTPUT,
    FRONTEND_OUTPUT_EXISTING,
    FRONTEND_INOUT,
    FRONTEND_NO_DEP,
    FRONTEND_SCALAR,
    FRONTEND_UNKNOWN
} frontend_direction;

/* How the callee declares the parameter. */
typedef enum frontend_declared {
    FRONTEND_DECLARED_NONE, /* not told */
    FRONTEND_DECLARED_IN,
    FRONTEND_DECLARED_OUT,
    FRONTEND_DECLARED_INOUT
} frontend_declared;

typedef struct frontend_root {
    frontend_text name;
    frontend_text function; /* where it belongs to one of several; else empty */
    bool external;          /* a parameter */
} frontend_root;

typedef struct frontend_arg {
    frontend_direction direction;
    frontend_declared declared;
    uint32_t root; /* roots[], or FRONTEND_NONE: not known, or a scalar */
    bool constant; /* a scalar of known value */
    int64_t value;
} frontend_arg;

typedef struct frontend_task {
    frontend_text name; /* callee; empty: not told */
    frontend_text core; /* "aic", "aiv", "mixed"; empty: not told */
    bool dummy;
    bool deps_known; /* every dependency could be followed */
    bool predicate;
    bool optional;    /* only some executions submit it */
    bool alternative; /* the task before told otherwise: never both happen */
    uint32_t region;  /* innermost, or FRONTEND_NONE */
    uint64_t site;    /* the same for one place of submission; 0: not told */
    uint32_t predicate_root; /* or FRONTEND_NONE */
    int64_t blocks;          /* 0: not told, or not constant */
    int64_t id;              /* in the document; else the position */
    int64_t line;            /* 0: none */
    uint32_t first_arg, args;
    uint32_t first_dep, deps; /* deps[]: positions, ascending, no repeats */
} frontend_task;

/* The tasks of one function, where there are several. */
typedef struct frontend_section {
    frontend_text function; /* empty: not told */
    uint32_t first, count;  /* tasks[] */
} frontend_section;

/* Tasks [first, end) that come together or not at all. */
typedef struct frontend_region {
    uint32_t first, end;
    uint32_t parent; /* regions[], or FRONTEND_NONE */
} frontend_region;

typedef struct frontend_outline {
    frontend_text function; /* of which it tells; empty: not told */
    frontend_task *tasks;
    frontend_arg *args;
    uint32_t *deps;
    frontend_root *roots;
    uint32_t task_count, arg_count, dep_count, root_count;
    uint32_t task_room, arg_room, dep_room, root_room;
    frontend_section *sections; /* none: of one function */
    uint32_t section_count, section_room;
    frontend_region *regions; /* as they begin */
    uint32_t region;          /* that is open and innermost, or NONE */
    uint32_t region_count, region_room;
    uint32_t task_limit; /* no more tasks than these are read */
    bool cut;            /* there are more */
    /*
     * Loops of more than two iterations within a loop of unknown length are
     * two iterations like it. Of a companion it is set before reading.
     */
    bool folds;
    uint64_t steps; /* work left before the reader gives up */
    char reason[200];
} frontend_outline;

void frontend_outline_init(frontend_outline *outline);
void frontend_outline_free(frontend_outline *outline);

/*
 * Makes room for one more element of `size` bytes behind `count`; false
 * without memory (nothing is changed then). Doubles, so adding is O(1).
 */
bool frontend_grow(void *array, uint32_t *room, uint32_t count, size_t size);

/* Each appends; FRONTEND_NO_MEMORY is the only failure. */
frontend_status frontend_add_root(frontend_outline *outline, frontend_text name,
                                  bool external, uint32_t *root);
/*
 * A task whose arguments and deps are those appended from now on. When there
 * are as many as the limit allows, `cut` is set: the reader stops there.
 */
frontend_status frontend_add_task(frontend_outline *outline,
                                  frontend_text name);
/* To the last task. */
frontend_status frontend_add_arg(frontend_outline *outline, frontend_arg arg);
frontend_status frontend_add_dep(frontend_outline *outline, uint32_t task);

/* Tasks from now on belong to the region, until it is closed. */
frontend_status frontend_open_region(frontend_outline *outline);
void frontend_close_region(frontend_outline *outline);

/* Sorts the last task's deps and drops repeats. */
void frontend_end_deps(frontend_outline *outline);

/* Sets the reason (printf) and gives `status` back. */
__attribute__((format(printf, 3, 4))) frontend_status
frontend_stop(frontend_outline *outline, frontend_status status,
              const char *format, ...);

/* Takes n steps off; false when they are used up. */
bool frontend_spend(frontend_outline *outline, uint64_t n);

frontend_text frontend_string(const char *text);
bool frontend_same(frontend_text a, frontend_text b);

/*
 * Writes `text` for a message into `out` (`size` > 0 bytes, NUL added): cut
 * to what fits, everything but printable ASCII as '?'. Gives `out`.
 */
const char *frontend_print(char *out, size_t size, frontend_text text);

#endif
