/*
 * The rule diff.frontend: what the text reader made of a dump (a task-graph
 * document, spec 09) must agree with two answers that know nothing of the
 * text: exporter.json, which a small exporter inside PyPTO writes of the same
 * functions, and the generated orchestration C++. Both may lie beside a dump.
 *
 * Compared with the exporter, task by task in program order: callee, number of
 * arguments, which storage each argument is (as a bijection: parameters and
 * created tensors, found through return maps, tuples, slices, reshapes),
 * dispatched direction, declared direction of the parameter, constant scalars,
 * dependencies, constant block counts, predicates. Compared with the C++:
 * number of tasks, core, order and storage of the tensor arguments, direction
 * as far as it is told there, explicit edges, and that no scalar is lost (code
 * generation may add some; as many as in the text: their values). A program
 * with
 * several functions has an outermost scope for each in the graph and keys of
 * the form "param:function.name"; it is compared function by function.
 */
#ifndef CLI_FRONTEND_H
#define CLI_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_frontend_status {
    CLI_FRONTEND_OK = 0,
    CLI_FRONTEND_NO_MEMORY
} cli_frontend_status;

/* Everything is borrowed and needs to live for the call only. */
typedef struct cli_frontend_input {
    const char *graph; /* a task-graph document, or a bundle with one */
    size_t graph_length;
    const char *exporter; /* exporter.json; NULL: there is none, or no text */
    size_t exporter_length;
    const char *const *cpp; /* cpp_count texts of orchestration C++ */
    const size_t *cpp_length;
    const char *const *cpp_name; /* file names for messages; NULL: none */
    size_t cpp_count;
    /* Why a companion has no text, as "is a FIFO"; NULL: it has. */
    const char *exporter_problem;
    const char *const *cpp_problem; /* NULL: all have */
    const char *case_digest; /* 64 hex digits of the dump; NULL: left out */
} cli_frontend_input;

typedef enum cli_frontend_severity {
    CLI_FRONTEND_WARNING, /* a companion cannot be read */
    CLI_FRONTEND_ERROR    /* two answers differ */
} cli_frontend_severity;

typedef struct cli_frontend_finding {
    const char *rule; /* "diff.frontend" */
    cli_frontend_severity severity;
    char *message;      /* one sentence */
    char signature[17]; /* 16 hex digits: rule, difference, callee, argument */
    char *json;         /* the whole record of spec 06, keys sorted */
    int64_t line;       /* of the task in the dump; 0: none */
} cli_frontend_finding;

/* What one companion was compared in. */
typedef struct cli_frontend_compared {
    char *companion; /* "exporter.json", or the name of the C++ */
    bool compared;
    char *reason; /* why not, or what was left out; else NULL */
    uint32_t tasks, args, edges;
    /* Arguments whose storage, tasks whose dependencies it does not tell. */
    uint32_t unknown_args, unknown_deps;
    uint32_t unknown_tasks; /* that only some executions have, of one only */
} cli_frontend_compared;

typedef struct cli_frontend_result {
    cli_frontend_finding *findings; /* exporter first, then each C++ */
    uint32_t count;                 /* at most 200 are listed */
    uint64_t total;                 /* exact */
    cli_frontend_compared *compared;
    uint32_t compared_count; /* one per companion given */
} cli_frontend_result;

/*
 * Compares. Bad companions are normal input: one that cannot be read, or
 * whose form is unknown, gives a warning ("cannot be compared: ..."). One with
 * jumps, or that takes more than 50 million steps (more with many tasks), is
 * not compared, with the reason and no finding. Loops are expanded as they are
 * in the graph, up to some times its tasks. A task that only some executions
 * have is compared when both have it; a difference is reported only when it is
 * certain which task is which. A graph that cannot be read compares nothing.
 * The only failure is CLI_FRONTEND_NO_MEMORY, after which nothing is owned.
 * Near-linear in the texts and what they expand to; memory in proportion to
 * that. Free with cli_frontend_free.
 */
cli_frontend_status cli_frontend_compare(cli_frontend_result *result,
                                         const cli_frontend_input *input);
void cli_frontend_free(cli_frontend_result *result);

#endif
