#include "frontend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../input.h"
#include "../text.h"
#include "compare.h"
#include "readers.h"

#define LISTED 200
#define FUNCTIONS 100
#define TASK_STEPS 2000 /* more for each task of the graph */
#define RULE "diff.frontend"
#define EXPORTER "exporter.json"

typedef struct session {
    const cli_frontend_input *input;
    cli_frontend_result *result;
    uint32_t room;
    frontend_outline graph;
    uint32_t task_limit;    /* of a companion: far more than the graph has */
    char function[256];     /* which the graph is of */
    size_t function_length; /* 0: not known; too long: not kept */
    cli_frontend_compared *now;
} session;

static const char *const DIRECTIONS[] = {
    "input", "output", "output_existing", "inout", "no_dep", "scalar", NULL};

/* --- Findings --- */

static void put_task(cli_text *json, const session *s, const char *role,
                     uint32_t position, uint32_t arg)
{
    const frontend_task *task = &s->graph.tasks[position];
    cli_text_printf(json, "\"%s\":{", role);
    if (arg != FRONTEND_NONE) {
        const frontend_arg *a = &s->graph.args[task->first_arg + arg];
        cli_text_printf(json, "\"arg\":%u,", (unsigned)arg);
        if (DIRECTIONS[a->direction] != NULL)
            cli_text_printf(json, "\"direction\":\"%s\",",
                            DIRECTIONS[a->direction]);
    }
    if (task->line > 0)
        cli_text_printf(json, "\"line\":%" PRId64 ",", task->line);
    cli_text_put(json, "\"name\":");
    cli_text_json(json, task->name.data, task->name.length);
    cli_text_printf(json, ",\"task\":%" PRId64 "},", task->id);
}

/* Over what stays the same in another program: no ids, no names of its own. */
static bool sign(char signature[17], const session *s, const char *kind,
                 const frontend_difference *difference)
{
    cli_text text = {0};
    char hex[65];
    cli_text_printf(&text, "1\n%s\n%s\n", RULE, kind);
    uint32_t ends[] = {difference->producer, difference->task};
    for (int i = 0; i < 2; i++) {
        if (ends[i] != FRONTEND_NONE)
            cli_text_add(&text, s->graph.tasks[ends[i]].name.data,
                         s->graph.tasks[ends[i]].name.length);
        cli_text_put(&text, "\n");
    }
    if (difference->arg != FRONTEND_NONE)
        cli_text_printf(&text, "%u", (unsigned)difference->arg);
    bool done = !text.failed && cli_sha256(hex, text.data, text.length);
    cli_text_free(&text);
    if (!done)
        return false;
    memcpy(signature, hex, 16);
    signature[16] = '\0';
    return true;
}

static char *write_record(const session *s, cli_frontend_severity severity,
                          const frontend_difference *difference,
                          const char *signature)
{
    cli_text json = {0};
    cli_text_put(&json, "{");
    if (s->input->case_digest != NULL) {
        cli_text_put(&json, "\"case\":");
        cli_text_quote(&json, s->input->case_digest);
        cli_text_put(&json, ",");
    }
    if (difference->task != FRONTEND_NONE)
        put_task(&json, s, "consumer", difference->task, difference->arg);
    cli_text_put(&json, "\"message\":");
    cli_text_quote(&json, difference->message);
    cli_text_put(&json, ",");
    if (difference->producer != FRONTEND_NONE)
        put_task(&json, s, "producer", difference->producer, FRONTEND_NONE);
    cli_text_printf(&json,
                    "\"rule\":\"%s\",\"severity\":\"%s\","
                    "\"signature\":\"%s\"}",
                    RULE, severity == CLI_FRONTEND_ERROR ? "error" : "warning",
                    signature);
    if (json.failed) {
        cli_text_free(&json);
        return NULL;
    }
    return json.data;
}

static frontend_status add_finding(session *s, cli_frontend_severity severity,
                                   const char *kind,
                                   const frontend_difference *difference)
{
    cli_frontend_result *result = s->result;
    result->total++;
    if (result->count == LISTED)
        return FRONTEND_OK;
    if (!frontend_grow(&result->findings, &s->room, result->count,
                       sizeof *result->findings))
        return FRONTEND_NO_MEMORY;
    cli_frontend_finding *finding = &result->findings[result->count];
    memset(finding, 0, sizeof *finding);
    finding->rule = RULE;
    finding->severity = severity;
    if (difference->task != FRONTEND_NONE)
        finding->line = s->graph.tasks[difference->task].line;
    if (!sign(finding->signature, s, kind, difference))
        return FRONTEND_NO_MEMORY;
    finding->json = write_record(s, severity, difference, finding->signature);
    finding->message = strdup(difference->message);
    result->count++;
    return finding->json != NULL && finding->message != NULL
               ? FRONTEND_OK
               : FRONTEND_NO_MEMORY;
}

static frontend_status report_difference(void *context,
                                         const frontend_difference *difference)
{
    return add_finding(context, CLI_FRONTEND_ERROR,
                       frontend_difference_name(difference->kind), difference);
}

/* --- What is not compared --- */

static frontend_status leave_out(session *s, const char *reason)
{
    free(s->now->reason);
    s->now->compared = false;
    s->now->reason = strdup(reason);
    return s->now->reason == NULL ? FRONTEND_NO_MEMORY : FRONTEND_OK;
}

static frontend_status warn(session *s, const char *reason)
{
    frontend_difference difference = {
        .task = FRONTEND_NONE, .arg = FRONTEND_NONE, .producer = FRONTEND_NONE};
    char name[80];
    frontend_print(name, sizeof name, frontend_string(s->now->companion));
    snprintf(difference.message, sizeof difference.message,
             "%s cannot be compared: %s", name, reason);
    frontend_status status = leave_out(s, reason);
    if (status == FRONTEND_OK)
        status =
            add_finding(s, CLI_FRONTEND_WARNING, "unreadable", &difference);
    return status;
}

static frontend_status settle(session *s, frontend_status status,
                              const char *reason)
{
    if (status == FRONTEND_BAD)
        return warn(s, reason);
    if (status == FRONTEND_SKIPPED)
        return leave_out(s, reason);
    return status;
}

/* --- Comparisons --- */

static frontend_status ignore_difference(void *context,
                                         const frontend_difference *difference)
{
    (void)difference;
    ++*(uint64_t *)context;
    return FRONTEND_OK;
}

/*
 * Whether tasks were left out, or it is only a guess which task is which, and
 * there are differences: then they may come from that.
 */
static frontend_status check_guess(frontend_comparison comparison, bool *wrong)
{
    uint64_t differences = 0;
    comparison.report = ignore_difference;
    comparison.context = &differences;
    frontend_status status = frontend_compare_outlines(&comparison);
    bool certain = comparison.impossible ||
                   (!comparison.guessed && comparison.missing == 0);
    *wrong = !certain && differences > 0;
    return status;
}

static frontend_status note_missing(session *s, uint32_t missing)
{
    char reason[120];
    s->now->unknown_tasks += missing;
    if (missing == 0)
        return FRONTEND_OK;
    snprintf(reason, sizeof reason,
             "tasks that only some executions have were left out where only "
             "one of both has them (%u)",
             (unsigned)s->now->unknown_tasks);
    return leave_out(s, reason);
}

/* `section` (or NULL: all) is what the other outline should be. */
static frontend_status compare(session *s, const frontend_outline *other,
                               const frontend_section *section, bool generated)
{
    char name[80];
    bool wrong;
    frontend_print(name, sizeof name, frontend_string(s->now->companion));
    frontend_comparison comparison = {.text = &s->graph,
                                      .other = other,
                                      .other_name = name,
                                      .generated = generated,
                                      .report = report_difference,
                                      .context = s};
    frontend_compare_whole(&comparison);
    if (section != NULL) {
        comparison.first = section->first;
        comparison.count = section->count;
    }
    frontend_status status = check_guess(comparison, &wrong);
    if (status == FRONTEND_OK && wrong)
        return leave_out(s, "it differs, but its branches and loops of unknown "
                            "length do not show which task is which");
    if (status == FRONTEND_OK)
        status = frontend_compare_outlines(&comparison);
    if (status == FRONTEND_OK)
        status = note_missing(s, comparison.missing);
    s->now->compared = true;
    s->now->tasks += comparison.tasks;
    s->now->args += comparison.args;
    s->now->edges += comparison.edges;
    s->now->unknown_args += comparison.unknown_args;
    s->now->unknown_deps += comparison.unknown_deps;
    return status;
}

/* --- Reading companions --- */

typedef struct source {
    exporter_file *file; /* NULL: C++ */
    uint32_t candidate;
    const char *cpp;
    size_t length;
} source;

static bool has_options(const frontend_outline *graph)
{
    for (uint32_t i = 0; i < graph->task_count; i++)
        if (graph->tasks[i].optional)
            return true;
    return false;
}

/* A large program may take longer than a small one. */
static uint64_t more_steps(const session *s)
{
    return (uint64_t)s->graph.task_count * TASK_STEPS;
}

/* Loops are run as the text has run them: all, or two passes of inner ones. */
static frontend_status read_companion(session *s, frontend_outline *outline,
                                      const source *from)
{
    frontend_outline_init(outline);
    outline->task_limit = s->task_limit;
    outline->steps += more_steps(s);
    outline->folds = s->graph.folds;
    return from->file != NULL
               ? exporter_outline(outline, from->file, from->candidate)
               : frontend_read_cpp(outline, from->cpp, from->length);
}

/* --- Functions --- */

/* The section of a function, or one whose function nothing tells. */
static const frontend_section *find_section(const frontend_outline *graph,
                                            frontend_text function)
{
    const frontend_section *nameless = NULL;
    for (uint32_t i = 0; i < graph->section_count; i++) {
        const frontend_section *section = &graph->sections[i];
        if (frontend_same(section->function, function))
            return section;
        if (section->function.length == 0 && nameless == NULL)
            nameless = section;
    }
    return nameless;
}

/* One function of several. */
static frontend_status compare_function(session *s, exporter_file *file,
                                        uint32_t index)
{
    static const frontend_section none = {{"", 0}, 0, 0};
    frontend_outline outline;
    const source from = {.file = file, .candidate = index};
    frontend_status status = read_companion(s, &outline, &from);
    bool compared = s->now->compared;
    if (status == FRONTEND_OK) {
        const frontend_section *section =
            find_section(&s->graph, outline.function);
        status = compare(s, &outline, section == NULL ? &none : section, false);
    } else {
        status = settle(s, status, outline.reason);
        s->now->compared = compared;
    }
    frontend_outline_free(&outline);
    return status;
}

static frontend_status compare_functions(session *s, exporter_file *file)
{
    uint32_t count = exporter_candidates(file);
    frontend_status status = FRONTEND_OK;
    if (count > FUNCTIONS)
        return leave_out(s, "it has too many orchestration functions");
    if (s->graph.section_count > count)
        return warn(s, "it has fewer orchestration functions than the text");
    for (uint32_t i = 0; status == FRONTEND_OK && i < count; i++)
        status = compare_function(s, file, i);
    return status;
}

typedef struct choice {
    uint32_t index; /* candidate, or FRONTEND_NONE */
    uint32_t common;
    bool whole;
    frontend_status refused; /* what the first one that did not run said */
    char reason[200];
} choice;

static frontend_status consider(choice *best, session *s, exporter_file *file,
                                uint32_t index)
{
    frontend_outline outline;
    const source from = {.file = file, .candidate = index};
    frontend_status status = read_companion(s, &outline, &from);
    if (status == FRONTEND_OK) {
        uint32_t common = frontend_common_callees(&s->graph, &outline);
        bool whole =
            common == s->graph.task_count && common == outline.task_count;
        if (best->index == FRONTEND_NONE || (whole && !best->whole) ||
            (common > best->common && !best->whole)) {
            best->index = index;
            best->common = common;
            best->whole = whole;
        }
    } else if (best->refused == FRONTEND_OK) {
        best->refused = status;
        memcpy(best->reason, outline.reason, sizeof best->reason);
    }
    frontend_outline_free(&outline);
    return status == FRONTEND_NO_MEMORY ? status : FRONTEND_OK;
}

/*
 * A program may have several orchestration functions, and the graph is of one:
 * of the one that its tasks say, the first among equals.
 */
static frontend_status choose(choice *best, session *s, exporter_file *file)
{
    frontend_status status = FRONTEND_OK;
    *best = (choice){.index = FRONTEND_NONE,
                     .reason = "it has no orchestration function"};
    for (uint32_t i = 0; status == FRONTEND_OK && i < exporter_candidates(file);
         i++)
        status = consider(best, s, file, i);
    /* The graph may well be of one that could not be run. */
    if (best->refused != FRONTEND_OK && best->common == 0 && !best->whole)
        best->index = FRONTEND_NONE;
    else if (best->index == FRONTEND_NONE)
        best->refused = FRONTEND_BAD;
    return status;
}

static void keep_function(session *s, frontend_text function)
{
    s->function_length = function.length;
    if (function.length < sizeof s->function)
        memcpy(s->function, function.data, function.length);
}

static frontend_status compare_chosen(session *s, exporter_file *file)
{
    choice best;
    frontend_status status = choose(&best, s, file);
    if (status != FRONTEND_OK)
        return status;
    if (best.index == FRONTEND_NONE)
        return settle(s, best.refused, best.reason);
    frontend_outline outline;
    const source from = {.file = file, .candidate = best.index};
    status = read_companion(s, &outline, &from);
    keep_function(s, outline.function);
    if (status == FRONTEND_OK)
        status = compare(s, &outline, NULL, false);
    else
        status = settle(s, status, outline.reason);
    frontend_outline_free(&outline);
    return status;
}

static frontend_status compare_exporter(session *s)
{
    exporter_file *file = NULL;
    char reason[200] = "";
    frontend_status status = exporter_open(&file, s->input->exporter,
                                           s->input->exporter_length, reason);
    if (status != FRONTEND_OK)
        return settle(s, status, reason);
    /* The choice of a function runs it, the comparison again. */
    exporter_grant(file, more_steps(s) * 2);
    status = s->graph.section_count > 0 ? compare_functions(s, file)
                                        : compare_chosen(s, file);
    exporter_close(file);
    return status;
}

static bool calls(const session *s, frontend_text function)
{
    for (uint32_t i = 0; i < s->graph.task_count; i++)
        if (frontend_same(s->graph.tasks[i].name, function))
            return true;
    return false;
}

/* Why the C++ of this function cannot be held against the graph, or NULL. */
static const char *other_function(const session *s, frontend_text function)
{
    if (s->graph.section_count > 0)
        return find_section(&s->graph, function) == NULL
                   ? "it is of a function that the task graph has not"
                   : NULL;
    if (function.length == 0)
        return NULL;
    if (s->function_length > sizeof s->function)
        return "the function of the task graph has too long a name";
    frontend_text known = {s->function, s->function_length};
    if (known.length > 0)
        return frontend_same(function, known)
                   ? NULL
                   : "it is of another function than the task graph";
    if (calls(s, function))
        return "it is of a function that the task graph calls";
    if (s->input->cpp_count > 1)
        return "there are several, and nothing says which the task graph is "
               "of";
    return NULL;
}

static frontend_status compare_cpp(session *s, size_t index)
{
    frontend_outline outline;
    const source from = {.cpp = s->input->cpp[index],
                         .length = s->input->cpp_length[index]};
    frontend_status status = read_companion(s, &outline, &from);
    const char *other = other_function(s, outline.function);
    if (status == FRONTEND_NO_MEMORY) {
        frontend_outline_free(&outline);
        return status;
    }
    if (status != FRONTEND_OK)
        status = settle(s, status, outline.reason);
    else if (other != NULL)
        status = leave_out(s, other);
    else
        status = compare(s, &outline, find_section(&s->graph, outline.function),
                         true);
    frontend_outline_free(&outline);
    return status;
}

/* --- All companions --- */

static frontend_status open_entry(session *s, const char *companion)
{
    s->now = &s->result->compared[s->result->compared_count++];
    s->now->companion = strdup(companion);
    return s->now->companion == NULL ? FRONTEND_NO_MEMORY : FRONTEND_OK;
}

static frontend_status warn_unreadable(session *s, const char *problem)
{
    char reason[200];
    snprintf(reason, sizeof reason, "it %s", problem);
    return warn(s, reason);
}

/* `reason`: why nothing can be compared, or NULL. */
static frontend_status compare_companions(session *s, const char *reason)
{
    const cli_frontend_input *input = s->input;
    const char *problem = input->exporter_problem;
    frontend_status status = FRONTEND_OK;
    if (input->exporter != NULL || problem != NULL) {
        status = open_entry(s, EXPORTER);
        if (status == FRONTEND_OK)
            status = problem != NULL  ? warn_unreadable(s, problem)
                     : reason != NULL ? leave_out(s, reason)
                                      : compare_exporter(s);
    }
    for (size_t i = 0; status == FRONTEND_OK && i < input->cpp_count; i++) {
        const char *name = input->cpp_name != NULL ? input->cpp_name[i] : NULL;
        problem = input->cpp_problem != NULL ? input->cpp_problem[i] : NULL;
        status = open_entry(s, name != NULL ? name : "the generated C++");
        if (status == FRONTEND_OK)
            status = problem != NULL  ? warn_unreadable(s, problem)
                     : reason != NULL ? leave_out(s, reason)
                                      : compare_cpp(s, i);
    }
    return status;
}

static frontend_status compare_graph(session *s)
{
    oracle_document document;
    oracle_error error;
    const oracle_read_options options = {.lenient = true};
    oracle_status read = oracle_document_read(
        &document, s->input->graph, s->input->graph_length, &options, &error);
    if (read == ORACLE_NO_MEMORY)
        return FRONTEND_NO_MEMORY;
    if (read != ORACLE_OK)
        return compare_companions(s, "the task graph cannot be read");
    frontend_status status = frontend_read_graph(&s->graph, &document);
    if (s->graph.task_count < UINT32_MAX / 16)
        s->task_limit = has_options(&s->graph) ? s->graph.task_count * 8 + 20000
                                               : s->graph.task_count * 2 + 1000;
    if (status == FRONTEND_OK)
        status = compare_companions(s, NULL);
    else if (status != FRONTEND_NO_MEMORY)
        status = compare_companions(s, s->graph.reason);
    oracle_document_free(&document);
    return status;
}

cli_frontend_status cli_frontend_compare(cli_frontend_result *result,
                                         const cli_frontend_input *input)
{
    session s = {.input = input, .result = result, .task_limit = UINT32_MAX};
    memset(result, 0, sizeof *result);
    frontend_outline_init(&s.graph);
    result->compared = calloc(input->cpp_count + 1, sizeof *result->compared);
    frontend_status status =
        result->compared == NULL ? FRONTEND_NO_MEMORY : compare_graph(&s);
    frontend_outline_free(&s.graph);
    if (status == FRONTEND_OK)
        return CLI_FRONTEND_OK;
    cli_frontend_free(result);
    return CLI_FRONTEND_NO_MEMORY;
}

void cli_frontend_free(cli_frontend_result *result)
{
    for (uint32_t i = 0; i < result->count; i++) {
        free(result->findings[i].message);
        free(result->findings[i].json);
    }
    for (uint32_t i = 0; i < result->compared_count; i++) {
        free(result->compared[i].companion);
        free(result->compared[i].reason);
    }
    free(result->findings);
    free(result->compared);
    memset(result, 0, sizeof *result);
}
