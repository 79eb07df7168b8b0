#include "times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../input.h"
#include "../print.h"
#include "../recorded.h"
#include "../totals.h"
#include "bridge.h"

#define CORES 3 /* of a cluster */
#define SHOWN 8 /* tasks of the critical path, and edges, for people */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

int cli_times_options(const cli_options *o)
{
    if (o->output != NULL && !ends_with(o->output, ".json") &&
        !ends_with(o->output, ".svg"))
        return cli_complain(CLI_EXIT_USAGE,
                            "the ending of '%s' tells no form of timeline: "
                            ".json (for Perfetto) or .svg",
                            o->output);
    if (o->witness != NULL &&
        (o->adversarial || o->seeds > 0 || o->output != NULL))
        return cli_complain(CLI_EXIT_USAGE,
                            "--witness runs one order: --adversarial, --seeds "
                            "and -o do not go with it");
    bool real = o->backend != NULL && strcmp(o->backend, "a2a3sim") == 0;
    if (real != (o->simpler != NULL))
        return cli_complain(CLI_EXIT_USAGE,
                            "--backend a2a3sim and --simpler DIR go together");
    if (o->witness != NULL && (real || o->export_to != NULL))
        return cli_complain(CLI_EXIT_USAGE,
                            "--witness runs on the embedded simulator alone");
    if ((o->trace != NULL) !=
        (o->model != NULL && strcmp(o->model, "record") == 0))
        return cli_complain(CLI_EXIT_USAGE,
                            "--model record and --trace FILE go together");
    return 0;
}

static replay_machine machine_of(const cli_options *o)
{
    replay_machine m = replay_machine_default;
    const char *model = o->model == NULL ? "bytes" : o->model;
    m.model = strcmp(model, "constant") == 0 ? REPLAY_CONSTANT
              : strcmp(model, "seeded") == 0 ? REPLAY_SEEDED
              : strcmp(model, "record") == 0 ? REPLAY_RECORD
                                             : REPLAY_BYTES;
    if (o->clusters > 0)
        m.clusters = (uint32_t)o->clusters;
    if (o->schedulers > 0)
        m.schedulers = (uint32_t)o->schedulers;
    m.seed = (uint64_t)o->seed;
    return m;
}

/* --- Edges --- */

static bool find(uint32_t *task, const replay_program *p, int64_t id)
{
    for (uint32_t t = 0; t < p->task_count; t++) {
        if (p->tasks[t].id == id) {
            *task = t;
            return true;
        }
    }
    return false;
}

static bool end_of(int64_t *id, cli_span record, const char *name)
{
    cli_span end, task;
    return cli_span_member(&end, record, name) &&
           cli_span_member(&task, end, "task") && cli_span_int(id, task);
}

static uint32_t list_edges(cli_times_told *told, uint32_t (*edges)[2],
                           const replay_program *p, const cli_span *records,
                           size_t count)
{
    cli_span rule;
    uint32_t n = 0;
    for (size_t i = 0; i < count && n < CLI_COSTS_MOST; i++) {
        cli_cost cost = {0};
        if (!cli_span_member(&rule, records[i], "rule"))
            continue;
        cost.is_false = cli_span_is(rule, "\"edge.false\"");
        if ((!cost.is_false && !cli_span_is(rule, "\"edge.redundant\"")) ||
            !end_of(&cost.from, records[i], "producer") ||
            !end_of(&cost.to, records[i], "consumer") ||
            !find(&edges[n][0], p, cost.from) ||
            !find(&edges[n][1], p, cost.to))
            continue;
        told->costs[n++] = cost;
    }
    return n;
}

static replay_status ask_costs(cli_times_told *told, const replay_program *p,
                               const replay_machine *machine,
                               const replay_variant *variant,
                               const cli_span *records, size_t count,
                               replay_error *error)
{
    uint32_t edges[CLI_COSTS_MOST][2];
    int64_t ticks[CLI_COSTS_MOST];
    uint32_t n = list_edges(told, edges, p, records, count);
    replay_status status =
        n == 0 ? REPLAY_OK
               : replay_edge_costs(ticks, p, machine, variant,
                                   (const uint32_t(*)[2])edges, n, error);
    told->cost_count = status == REPLAY_OK ? n : 0;
    for (uint32_t i = 0; i < told->cost_count; i++)
        told->costs[i].ticks = ticks[i];
    return status;
}

/* --- The run --- */

static bool keep(cli_times_told *told, const replay_timeline *t)
{
    told->ran = true;
    told->makespan = t->makespan;
    told->sequential = t->sequential;
    told->critical = t->critical;
    told->cores = (uint64_t)t->clusters * CORES;
    for (uint64_t i = 0; i < told->cores; i++)
        told->busy += t->busy[i];
    memcpy(told->digest, t->digest, sizeof told->digest);
    told->path = calloc((size_t)t->critical_count + 1, sizeof *told->path);
    told->path_count = told->path == NULL ? 0 : t->critical_count;
    for (uint32_t i = 0; i < told->path_count; i++)
        told->path[i] = t->program->tasks[t->critical_path[i]].id;
    return told->path != NULL;
}

static int write_timeline(const replay_timeline *t, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    replay_error error = {0};
    replay_status status =
        ends_with(path, ".svg")
            ? replay_timeline_svg(&text, &length, t, &error)
            : replay_timeline_trace(&text, &length, t, &error);
    if (status != REPLAY_OK)
        return cli_complain(CLI_EXIT_FAULT, "%s: %s", path, error.message);
    while (length > 0 && text[length - 1] == '\n')
        length--; /* the file gets one */
    bool ok = cli_print_file(path, (cli_span){text, length});
    free(text);
    return ok ? 0 : CLI_EXIT_USAGE;
}

/* --- The durations of a recorded run --- */

static int cannot_use(const char *path, const char *why)
{
    return cli_complain(CLI_EXIT_USAGE, "%s: %s", path, why);
}

/* A file of the run, whole and UTF-8. */
static int read_part(cli_text *text, const char *path)
{
    char why[256] = "";
    if (!cli_input_read(text, path, CLI_INPUT_LIMIT, false, why, sizeof why))
        return cli_complain(CLI_EXIT_USAGE, "%s %s", path, why);
    if (cli_utf8_check(text->data, text->length) < text->length)
        return cannot_use(path, "this is not UTF-8 text");
    return text->failed ? cli_complain(CLI_EXIT_FAULT, "out of memory") : 0;
}

/* The record that the trace belongs to: the input, or what lies beside the
 * trace. */
static int read_record(cli_text *own, const cli_text **record,
                       const cli_options *o, const cli_case *c)
{
    if (c->kind == CLI_RECORD || (c->kind == CLI_TRACE && c->has_beside)) {
        *record = c->kind == CLI_RECORD ? &c->text : &c->beside;
        return 0;
    }
    char *path = cli_recorded_path(o->trace);
    int code = path == NULL ? cli_complain(CLI_EXIT_FAULT, "out of memory")
                            : read_part(own, path);
    free(path);
    *record = own;
    return code;
}

/* What the reader says of the trace, else what is wrong with its times. */
static const char *fault_of(const oracle_document *d, const char *otherwise)
{
    for (uint32_t i = 0; i < d->remark_count; i++)
        if (strncmp(d->remarks[i].message.data, "the trace ", 10) == 0)
            return d->remarks[i].message.data;
    return otherwise;
}

static int take_times(uint64_t *ticks, const replay_program *p,
                      const cli_text *record, const cli_text *trace,
                      const char *path)
{
    cli_text bundle = {0};
    oracle_document d = {0};
    oracle_error error = {0};
    replay_error failed = {0};
    cli_recorded_bundle(&bundle, record, trace, NULL, (cli_span){NULL, 0});
    oracle_status status =
        bundle.failed ? ORACLE_NO_MEMORY
                      : oracle_document_read(&d, bundle.data, bundle.length,
                                             NULL, &error);
    int code = 0;
    if (status == ORACLE_NO_MEMORY)
        code = cli_complain(CLI_EXIT_FAULT, "out of memory");
    else if (status != ORACLE_OK)
        code = cannot_use(path, error.message);
    else if (replay_recorded(ticks, p, &d, &failed) != REPLAY_OK)
        code = cannot_use(path, fault_of(&d, failed.message));
    oracle_document_free(&d);
    cli_text_free(&bundle);
    return code;
}

static int take_trace(uint64_t **ticks, const replay_program *p,
                      const cli_options *o, const cli_case *c)
{
    cli_text own = {0}, trace = {0};
    const cli_text *record;
    *ticks = calloc((size_t)p->task_count + 1, sizeof **ticks);
    int code = *ticks == NULL ? cli_complain(CLI_EXIT_FAULT, "out of memory")
                              : read_part(&trace, o->trace);
    if (code == 0)
        code = read_record(&own, &record, o, c);
    if (code == 0)
        code = take_times(*ticks, p, record, &trace, o->trace);
    cli_text_free(&own);
    cli_text_free(&trace);
    return code;
}

/* --- The run on the machine --- */

/* Where all predicates are false: what their tasks do not do. */
static bool find_without(bool **without, const replay_program *p,
                         const cli_options *o)
{
    *without = NULL;
    if (o->predicates == NULL || strcmp(o->predicates, "false") != 0)
        return true;
    *without = calloc((size_t)p->access_count + 1, sizeof **without);
    for (uint32_t t = 0; *without != NULL && t < p->task_count; t++) {
        const replay_task *task = &p->tasks[t];
        for (uint32_t i = 0; task->predicated && i < task->accesses; i++) {
            uint32_t access = task->first_access + i;
            (*without)[access] = p->accesses[access].arg != REPLAY_NONE;
        }
    }
    return *without != NULL;
}

static int run(cli_times_told *told, const replay_program *p,
               const replay_machine *machine, const cli_span *records,
               size_t count, const cli_options *o)
{
    replay_timeline timeline;
    replay_error error = {0};
    bool *without;
    if (!find_without(&without, p, o))
        return cli_complain(CLI_EXIT_FAULT, "out of memory");
    replay_variant variant = {.host_first = true, .without = without};
    replay_status status =
        replay_machine_run(&timeline, p, machine, &variant, &error);
    if (status != REPLAY_OK) {
        cli_text_put(&told->problem, error.message);
        told->stuck = status == REPLAY_STUCK;
        free(without);
        return 0;
    }
    int code = keep(told, &timeline)
                   ? 0
                   : cli_complain(CLI_EXIT_FAULT, "out of memory");
    if (code == 0 && o->output != NULL)
        code = write_timeline(&timeline, o->output);
    replay_timeline_free(&timeline);
    if (code == 0 && ask_costs(told, p, machine, &variant, records, count,
                               &error) != REPLAY_OK)
        cli_text_put(&told->problem, error.message);
    free(without);
    return code;
}

int cli_times_make(cli_times_told *told, const oracle_document *derived,
                   const cli_span *records, size_t count,
                   const cli_options *options, const cli_case *c,
                   const replay_stop *stop)
{
    replay_program program;
    replay_error error = {0};
    replay_choice choice = {.plan = true, .perhaps = true, .stop = stop};
    replay_machine machine = machine_of(options);
    uint64_t *ticks = NULL;
    int code = 0;
    replay_status status =
        cli_replay_program(&program, derived, &choice, NULL, &error);
    if (status != REPLAY_OK) {
        cli_text_put(&told->problem, error.message);
        told->stuck = status == REPLAY_STUCK;
        return 0;
    }
    if (options->trace != NULL)
        code = take_trace(&ticks, &program, options, c);
    machine.recorded = ticks;
    if (code == 0)
        code = run(told, &program, &machine, records, count, options);
    free(ticks);
    replay_program_free(&program);
    return code;
}

void cli_times_told_free(cli_times_told *told)
{
    free(told->path);
    cli_text_free(&told->problem);
    *told = (cli_times_told){0};
}

/* --- Output --- */

/* a / b in thousandths, rounded down; the products fit. */
static uint64_t thousandths(uint64_t a, uint64_t b)
{
    if (b == 0)
        return 0;
    return (uint64_t)((unsigned __int128)a * 1000 / b);
}

static uint64_t utilisation(const cli_times_told *t)
{
    return thousandths(t->busy, t->makespan * t->cores);
}

void cli_times_put_json(cli_text *out, const cli_times_told *told)
{
    if (!told->ran)
        return;
    cli_text_put(out, "\"critical_path\":{\"tasks\":[");
    for (uint32_t i = 0; i < told->path_count; i++)
        cli_text_printf(out, "%s%" PRId64, i > 0 ? "," : "", told->path[i]);
    cli_text_printf(out, "],\"ticks\":%" PRIu64 "},\"digest\":\"%s\",",
                    told->critical, told->digest);
    cli_text_put(out, "\"edges\":[");
    for (uint32_t i = 0; i < told->cost_count; i++)
        cli_text_printf(
            out,
            "%s{\"costs\":%" PRId64 ",\"from\":%" PRId64
            ",\"rule\":\"%s\",\"to\":%" PRId64 "}",
            i > 0 ? "," : "", told->costs[i].ticks, told->costs[i].from,
            told->costs[i].is_false ? "edge.false" : "edge.redundant",
            told->costs[i].to);
    cli_text_printf(out,
                    "],\"makespan\":%" PRIu64 ",\"sequential\":%" PRIu64
                    ",\"speed_up\":%" PRIu64 ",\"utilisation\":%" PRIu64 ",",
                    told->makespan, told->sequential,
                    thousandths(told->sequential, told->makespan),
                    utilisation(told));
}

/* Ticks of 20 ns as microseconds. */
static void put_time(cli_text *out, uint64_t ticks)
{
    cli_text_printf(out, "%" PRIu64 ".%02" PRIu64 " us", ticks / 50,
                    ticks % 50 * 2);
}

static void put_run(cli_text *out, const cli_times_told *t, const char *path)
{
    uint64_t speed = thousandths(t->sequential, t->makespan);
    uint64_t busy = utilisation(t);
    cli_print_clean(out, path);
    cli_text_put(out, ": on the machine ");
    put_time(out, t->makespan);
    cli_text_put(out, ", one by one ");
    put_time(out, t->sequential);
    cli_text_printf(out,
                    " (speed-up %" PRIu64 ".%02" PRIu64 "), cores %" PRIu64
                    ".%" PRIu64 "%% busy\n",
                    speed / 1000, speed % 1000 / 10, busy / 10, busy % 10);
    cli_print_clean(out, path);
    cli_text_put(out, ": critical path ");
    put_time(out, t->critical);
    cli_text_put(out, ": tasks");
    for (uint32_t i = 0; i < t->path_count && i < SHOWN; i++)
        cli_text_printf(out, " %" PRId64, t->path[i]);
    if (t->path_count > SHOWN)
        cli_text_printf(out, " ... (%" PRIu32 ")", t->path_count);
    cli_text_put(out, "\n");
}

static void put_costs(cli_text *out, const cli_times_told *t, const char *path)
{
    for (uint32_t i = 0; i < t->cost_count && i < SHOWN; i++) {
        const cli_cost *c = &t->costs[i];
        cli_print_clean(out, path);
        cli_text_printf(out, ": the %s edge %" PRId64 " -> %" PRId64,
                        c->is_false ? "false" : "redundant", c->from, c->to);
        if (c->ticks <= 0) {
            cli_text_put(out, " costs nothing\n");
        } else {
            cli_text_put(out, " costs ");
            put_time(out, (uint64_t)c->ticks);
            cli_text_put(out, "\n");
        }
    }
    if (t->cost_count > SHOWN) {
        cli_print_clean(out, path);
        cli_text_printf(out, ": %" PRIu32 " more such edges: --json\n",
                        t->cost_count - SHOWN);
    }
}

void cli_times_put_text(cli_text *out, const cli_times_told *told,
                        const char *path)
{
    if (told->ran) {
        put_run(out, told, path);
        put_costs(out, told, path);
    }
}
