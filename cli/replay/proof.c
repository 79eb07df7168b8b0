/* Witnesses that are run: those of errors, and one that somebody gives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge_work.h"
#include "witness.h"

typedef struct proving {
    cli_bridge *b;
    cli_span record, witness;
    const char *rule;       /* of the record; NULL: it is a bare witness */
    oracle_document united; /* where buffers are one memory; else zero */
    replay_pairs together;
    replay_program program;
    uint32_t *order;
    bool *without;
    replay_variant variant;
    bool placed; /* buffers lie where the memory plan says */
    bool may_rest;
    replay_difference *shown;
    uint32_t count;
} proving;

/* --- The run --- */

static bool read_order(proving *p, char *problem, size_t size)
{
    cli_span list;
    replay_error error = {0};
    const replay_program *program = &p->program;
    uint32_t n = program->task_count;
    if (p->variant.fill != 0) {
        /* That is about program order, whatever the edges. */
        for (uint32_t t = 0; t < n; t++)
            p->order[t] = t;
        return true;
    }
    if (!cli_span_member(&list, p->witness, "order")) {
        memcpy(p->order, program->legal, n * sizeof *p->order);
        return true;
    }
    if (!cli_witness_order(p->order, list, program, problem, size))
        return false;
    if (replay_order_check(program, p->order, n, &error) == REPLAY_OK)
        return true;
    snprintf(problem, size, "%s", error.message);
    return false;
}

static bool read_run(proving *p, char *problem, size_t size)
{
    cli_span list;
    uint32_t n = p->program.task_count;
    p->order = calloc((size_t)n + 1, sizeof *p->order);
    p->without = calloc((size_t)p->program.access_count + 1, 1);
    if (p->order == NULL || p->without == NULL) {
        p->b->out->failed = true;
        snprintf(problem, size, "out of memory");
        return false;
    }
    p->variant.without = p->without;
    if (cli_span_member(&list, p->witness, "skipped") &&
        !cli_witness_without(p->without, list, &p->program, problem, size))
        return false;
    return read_order(p, problem, size);
}

static bool is_text(cli_span object, const char *name, const char *value)
{
    cli_span member;
    return cli_span_member(&member, object, name) && cli_span_is(member, value);
}

/* What besides the order a replay.* tells of its run, and a bare witness may
 * tell. */
static void read_variant(proving *p)
{
    p->variant.inside_back = is_text(p->witness, "inside", "\"back\"");
    p->variant.inside_forth = is_text(p->witness, "inside", "\"forth\"");
    p->variant.own_places = is_text(p->witness, "places", "\"own\"");
    p->variant.fill = is_text(p->witness, "fill", "1");
    p->variant.host_first = p->variant.fill == 0;
    p->placed = !p->variant.own_places;
}

/*
 * What besides the order shows the fault; false: it is none of bytes. Of an
 * error that holds whether anybody reads the bytes or not (`may_rest`) a run
 * need not show it.
 */
static bool choose_variant(proving *p)
{
    cli_span value;
    p->variant = (replay_variant){.host_first = true};
    if (p->rule == NULL || cli_bridge_starts(p->rule, "replay.")) {
        read_variant(p);
        return true;
    }
    p->placed = cli_bridge_starts(p->rule, "memory.");
    p->may_rest = cli_bridge_starts(p->rule, "host.") ||
                  cli_bridge_starts(p->rule, "task.");
    p->variant.inside_back = cli_bridge_starts(p->rule, "task.");
    if (strcmp(p->rule, "hazard.uninitialised") == 0) {
        p->variant.own_places = true;
        p->variant.fill = 1;
    }
    return p->may_rest || (cli_span_member(&value, p->witness, "order") &&
                           cli_span_member(&value, p->witness, "reader"));
}

/* The document of the run: where the witness has it so, with buffers that are
   one memory. */
static bool read_document(proving *p, char *problem, size_t size)
{
    cli_span list;
    replay_error error = {0};
    const oracle_document *d = p->b->document;
    if (!cli_span_member(&list, p->witness, "together"))
        return true;
    if (!cli_witness_together(&p->together, list, d, problem, size))
        return false;
    replay_status status = replay_unite(&p->united, d, &p->together, &error);
    p->b->out->failed = p->b->out->failed || status == REPLAY_NO_MEMORY;
    p->b->together = &p->together;
    if (status != REPLAY_OK)
        snprintf(problem, size, "%s", error.message);
    return status == REPLAY_OK;
}

/* The program of the execution, run as the witness says. */
static replay_status run(proving *p, const cli_execution *execution,
                         bool *legal, char *problem, size_t size)
{
    replay_error error = {0};
    replay_choice choice = {.choices = execution->choices,
                            .symbols = execution->symbols,
                            .plan = p->placed,
                            .perhaps = true,
                            .stop = p->b->how->stop};
    *legal = false;
    if (!read_document(p, problem, size))
        return REPLAY_ILLEGAL;
    const oracle_document *d =
        p->united.buffers != NULL ? &p->united : p->b->document;
    replay_status status = replay_program_make(&p->program, d, &choice, &error);
    *legal = status == REPLAY_OK && read_run(p, problem, size);
    if (*legal)
        status = replay_compare(&p->shown, &p->count, &p->program, p->order,
                                &p->variant, &error);
    p->b->out->failed = p->b->out->failed || status == REPLAY_NO_MEMORY;
    p->b->out->runs += *legal && status == REPLAY_OK;
    if (status != REPLAY_OK)
        snprintf(problem, size, "%s", error.message);
    return status;
}

static void clear(proving *p)
{
    free(p->shown);
    free(p->order);
    free(p->without);
    replay_program_free(&p->program);
    replay_united_free(&p->united);
    p->b->together = NULL;
}

/* --- What it shows --- */

static bool is_reader(const proving *p, const replay_difference *d)
{
    cli_span reader;
    int64_t id;
    if (!cli_span_member(&reader, p->witness, "reader"))
        return true;
    if (!cli_span_int(&id, reader))
        return d->task == REPLAY_NONE;
    return d->task < p->program.task_count &&
           p->program.tasks[d->task].id == id;
}

/* The buffer that a witness names; NULL: none. */
static const oracle_buffer *buffer_of(const proving *p)
{
    const oracle_document *d = p->b->document;
    cli_text key = {0};
    const oracle_buffer *found = NULL;
    cli_span name;
    if (cli_span_member(&name, p->witness, "buffer") &&
        cli_span_text(&key, name)) {
        for (uint32_t i = 0; found == NULL && i < d->buffer_count; i++)
            if (d->buffers[i].key.length == key.length &&
                memcmp(d->buffers[i].key.data, key.length > 0 ? key.data : "",
                       key.length) == 0)
                found = &d->buffers[i];
    }
    cli_text_free(&key);
    return found;
}

/* Whether it is about the byte that the witness names, if it names one. */
static bool is_byte(const proving *p, const replay_difference *d)
{
    cli_span begin;
    int64_t byte;
    const oracle_buffer *named = buffer_of(p);
    if (named == NULL || !cli_span_member(&begin, p->witness, "begin") ||
        !cli_span_int(&byte, begin))
        return true;
    byte += named->storage_at;
    return p->b->document->buffers[d->buffer].storage == named->storage &&
           d->begin <= byte && byte < d->end;
}

/* Whether the run shows what it should, surely; *open: it may. */
static bool shows(const proving *p, bool *open)
{
    bool sure = false;
    *open = false;
    for (uint32_t i = 0; i < p->count; i++) {
        bool hit = is_reader(p, &p->shown[i]) && is_byte(p, &p->shown[i]);
        sure = sure || (hit && p->shown[i].sure);
        *open = *open || hit;
    }
    *open = *open && !sure;
    return sure;
}

static const char *cause_of(const replay_variant *v)
{
    return v->fill != 0                        ? "fill"
           : v->inside_back || v->inside_forth ? "inside"
                                               : "witness";
}

/* A difference as the record that is told. */
static cli_told record_of(const proving *p, const replay_difference *d)
{
    const cli_allowed *says = &p->b->says;
    cli_told told = cli_bridge_told(p->b, "replay.differs",
                                    d->sure && p->b->together == NULL &&
                                        (says->wrong || !says->open),
                                    cause_of(&p->variant));
    told.run = &p->variant;
    return told;
}

/* --- The witness of an error --- */

static void disagree(proving *p, const uint32_t *order, const char *problem)
{
    cli_text message = {0};
    cli_told told = cli_bridge_told(p->b, "replay.disagrees", true, "witness");
    cli_text_printf(&message, "the witness of a %s does not replay: %s.",
                    p->rule, problem);
    told.message = message.failed ? "" : message.data;
    told.run = &p->variant;
    cli_bridge_add(p->b->out, &told, &p->program, order, NULL);
    cli_text_free(&message);
}

/* Each difference, and how it was run, to one of the two lists. */
static void each_difference(proving *p, const char *how, bool hold)
{
    cli_text run = {0};
    cli_text_put(&run, how);
    cli_bridge_name_together(&run, p->b);
    for (uint32_t i = 0; i < p->count; i++) {
        const replay_difference *d = &p->shown[i];
        cli_text message = {0};
        cli_told told = record_of(p, d);
        cli_tell_difference(&message, &p->program, d,
                            run.failed ? "" : run.data);
        told.message = message.failed ? "" : message.data;
        if (hold)
            cli_bridge_hold(p->b, &told, &p->program, p->order, d);
        else
            cli_bridge_add(p->b->out, &told, &p->program, p->order, d);
        p->b->out->failed = p->b->out->failed || message.failed || run.failed;
        cli_text_free(&message);
    }
    cli_text_free(&run);
}

static void hold_differences(proving *p)
{
    char run[128];
    snprintf(run, sizeof run, "as the witness of the %s says", p->rule);
    each_difference(p, run, true);
}

static const char *miss_of(const proving *p)
{
    return p->count > 0 ? "other readers see other bytes than in program "
                          "order, and the one that it names does not"
                        : "everybody reads what is read in program order";
}

/* The run is made, or is none. */
static void weigh(proving *p, bool legal, const char *problem)
{
    cli_replayed *out = p->b->out;
    bool open = false, shown = legal && shows(p, &open);
    out->shown += shown;
    out->witnesses += shown || !(p->may_rest || open);
    if (p->b->how->differs)
        hold_differences(p);
    if (shown)
        return;
    if (open)
        cli_replayed_leave_out(out,
                               "the witness of a %s was run and proves "
                               "nothing: whether it differs depends on which "
                               "part of their bytes tasks touch",
                               p->rule);
    else if (p->may_rest)
        cli_replayed_leave_out(out, "a %s shows no other bytes: %s", p->rule,
                               legal ? miss_of(p) : problem);
    else
        disagree(p, legal ? p->order : NULL, legal ? miss_of(p) : problem);
}

static void prove_with(proving *p, const cli_execution *execution)
{
    char problem[512] = "";
    bool legal;
    cli_bridge *b = p->b;
    b->choices = execution->choices;
    replay_status status = run(p, execution, &legal, problem, sizeof problem);
    b->work += 4 * (p->program.touched + p->program.task_count);
    if (status == REPLAY_STOPPED)
        b->late++;
    else if (status != REPLAY_OK)
        cli_replayed_leave_out(b->out,
                               "the witness of a %s was not replayed: %s",
                               p->rule, problem);
    else if (!b->out->failed)
        weigh(p, legal, problem);
    b->choices = NULL;
    clear(p);
}

void cli_bridge_prove(cli_bridge *b, cli_span record, const char *rule)
{
    char problem[512];
    proving p = {.b = b, .record = record, .rule = rule};
    cli_execution execution;
    if (!cli_span_member(&p.witness, record, "witness") || !choose_variant(&p))
        return;
    if (b->work > CLI_MOST_WORK && !cli_bridge_asked(b->how)) {
        b->unproved++;
        return;
    }
    if (cli_bridge_stopped(b->how)) {
        b->late++;
        return;
    }
    if (cli_witness_execution(&execution, p.witness, b->document, problem,
                              sizeof problem))
        prove_with(&p, &execution);
    else
        cli_replayed_leave_out(
            b->out, "the witness of a %s was not replayed: %s", rule, problem);
    cli_execution_free(&execution);
}

/* --- One witness --- */

static bool next_line(cli_span *line, cli_span *rest)
{
    if (rest->length == 0)
        return false;
    const char *stop = memchr(rest->data, '\n', rest->length);
    size_t length = stop == NULL ? rest->length : (size_t)(stop - rest->data);
    *line = (cli_span){rest->data, length};
    rest->data += length + (stop != NULL);
    rest->length -= length + (stop != NULL);
    return true;
}

/* A witness and the finding around it; false: there is no order. */
static bool take_order(proving *p, cli_span text)
{
    cli_span order;
    p->record = p->witness = text;
    cli_span_member(&p->witness, text, "witness");
    return cli_span_member(&order, p->witness, "order");
}

/* Runs exactly that order, of a line of several or (0) alone; false: `problem`
   says why not. */
static bool run_order(proving *p, int line, char *problem, size_t size)
{
    char how[64] = "in this order";
    if (line > 0)
        snprintf(how, sizeof how, "in the order of witness %d", line);
    cli_bridge *b = p->b;
    cli_execution execution = {0};
    cli_text rule = {0};
    bool legal = false;
    if (cli_bridge_text(&rule, p->record, "rule"))
        p->rule = rule.data;
    choose_variant(p);
    if (cli_witness_execution(&execution, p->witness, b->document, problem,
                              size)) {
        b->choices = execution.choices;
        if (run(p, &execution, &legal, problem, size) == REPLAY_OK && legal)
            each_difference(p, how, false);
        b->out->programs++;
        b->choices = NULL;
        clear(p);
    }
    cli_execution_free(&execution);
    cli_text_free(&rule);
    return legal && *problem == '\0';
}

bool cli_replay_witness(cli_replayed *out, const oracle_document *derived,
                        cli_span text, const cli_replaying *how, char *problem,
                        size_t size)
{
    cli_bridge b = {.out = out, .document = derived, .how = how};
    cli_span rest = text;
    int orders = 0, number = 0;
    bool ok = true;
    *problem = '\0';
    for (cli_span line; next_line(&line, &rest);)
        orders += take_order(&(proving){.b = &b}, line);
    rest = text;
    for (cli_span line; ok && orders > 0 && next_line(&line, &rest);) {
        proving p = {.b = &b};
        if (take_order(&p, line))
            ok = run_order(&p, orders > 1 ? ++number : 0, problem, size);
    }
    proving whole = {.b = &b}; /* perhaps one object over several lines */
    if (orders == 0 && take_order(&whole, text))
        return run_order(&whole, 0, problem, size);
    if (orders == 0)
        snprintf(problem, size, "it has no witness with an order");
    return ok && orders > 0;
}
