#include "bridge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tell.h"
#include "witness.h"

/* Cells touched by all runs of one program; more are not tried. */
#define MOST_WORK (UINT64_C(1) << 28)

/* Values that sizes are drawn to, where none are found otherwise. */
#define SAMPLES 12

/* Passes over facts and symbols, to find values for all executions. */
#define SEARCHED (INT64_C(1) << 25)

/* Records told where no limit is given. */
#define MOST_TOLD 1000

/* A difference, by ids: indexes are of one execution. */
typedef struct seen_difference {
    int64_t reader, expected, seen;
    uint32_t buffer, arg;
    bool sure;
} seen_difference;

typedef struct bridge {
    cli_replayed *out;
    const oracle_document *document;
    const cli_replaying *how;
    cli_allowed says;    /* of all findings */
    const bool *choices; /* of the execution that is run */
    int64_t work;        /* left for values of choices and symbols */
    seen_difference told[MOST_TOLD];
    uint32_t told_count;
} bridge;

void cli_replayed_free(cli_replayed *replayed)
{
    cli_text_free(&replayed->records);
    cli_text_free(&replayed->undecided);
    *replayed = (cli_replayed){0};
}

static void leave_open(cli_replayed *out, const char *format, const char *what,
                       const char *why)
{
    cli_text line = {0};
    cli_text_printf(&line, format, what, why);
    out->left_out++;
    if (out->undecided.length > 0)
        cli_text_put(&out->undecided, ",");
    if (line.failed)
        out->failed = true;
    else
        cli_text_quote(&out->undecided, line.data);
    cli_text_free(&line);
}

/* All but the message. */
static cli_told told_of(const bridge *b, const char *rule, bool sure,
                        const char *cause)
{
    return (cli_told){.rule = rule,
                      .severity = sure ? "error" : "warning",
                      .cause = cause,
                      .digest = b->how->digest,
                      .generated = b->how->generated,
                      .document = b->document,
                      .choices = b->choices};
}

static void add_record(cli_replayed *out, const cli_told *told,
                       const replay_program *program, const uint32_t *order,
                       const replay_difference *difference)
{
    cli_tell_record(&out->records, told, program, order, difference);
    cli_text_put(&out->records, "\n");
    out->count++;
    out->errors += strcmp(told->severity, "error") == 0;
    out->failed = out->failed || out->records.failed;
}

/* --- Findings that were there --- */

static bool text_member(cli_text *out, cli_span object, const char *name)
{
    cli_span value;
    cli_text_clear(out);
    return cli_span_member(&value, object, name) && cli_span_text(out, value) &&
           out->data != NULL;
}

static bool starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_one_of(const char *rule, const char *const *list)
{
    for (; *list != NULL; list++)
        if (starts(rule, *list))
            return true;
    return false;
}

static void note_error(cli_allowed *says, const char *rule)
{
    static const char *const wrong[] = {"hazard.",
                                        "predicate.stale",
                                        "host.",
                                        "task.",
                                        "runtime.",
                                        "trace.",
                                        "memory.overlap",
                                        "memory.parallel-reuse",
                                        "memory.external",
                                        "memory.alias-split",
                                        NULL};
    static const char *const stuck[] = {"graph.", "limit.sync-start", NULL};
    says->wrong = says->wrong || is_one_of(rule, wrong);
    says->unrunnable = says->unrunnable || is_one_of(rule, stuck);
}

/* What the judge itself leaves open, a run cannot contradict. */
static void note_doubt(cli_allowed *says, const char *rule)
{
    static const char *const doubts[] = {"hazard.unknown-access",
                                         "hazard.uninitialised",
                                         "memory.unknown-size",
                                         "doc.incomplete",
                                         "doc.unsupported",
                                         "doc.unknown-field",
                                         "task.",
                                         NULL};
    says->open = says->open || is_one_of(rule, doubts);
}

bool cli_replay_allowed(cli_allowed *allowed, const cli_span *records,
                        size_t count)
{
    cli_text rule = {0}, severity = {0};
    *allowed = (cli_allowed){0};
    for (size_t i = 0; i < count; i++) {
        if (!text_member(&severity, records[i], "severity") ||
            !text_member(&rule, records[i], "rule"))
            continue;
        if (strcmp(severity.data, "error") == 0)
            note_error(allowed, rule.data);
        else
            note_doubt(allowed, rule.data);
    }
    bool ok = !rule.failed && !severity.failed;
    cli_text_free(&rule);
    cli_text_free(&severity);
    return ok;
}

/* --- A witness --- */

typedef struct proving {
    bridge *b;
    cli_span record, witness;
    const char *rule;
    replay_program program;
    uint32_t *order;
    bool *without;
    replay_variant variant;
    bool may_rest;
} proving;

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

/* Runs it. Whether it shows what it should; false with a reason. */
static bool shows(proving *p, char *problem, size_t size)
{
    replay_difference *list = NULL;
    replay_error error = {0};
    uint32_t count = 0;
    bool found = false, sure = false;
    if (replay_compare(&list, &count, &p->program, p->order, &p->variant,
                       &error) != REPLAY_OK) {
        snprintf(problem, size, "%s", error.message);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool hit = is_reader(p, &list[i]) && is_byte(p, &list[i]);
        found = found || hit;
        sure = sure || (hit && list[i].sure);
    }
    free(list);
    p->b->out->runs++;
    if (!sure)
        snprintf(problem, size, "%s",
                 found ? "whether it differs depends on which part of their "
                         "bytes tasks touch"
                 : count > 0
                     ? "other readers see other bytes than in program order, "
                       "and the one that it names does not"
                     : "everybody reads what is read in program order");
    return sure;
}

static bool read_run(proving *p, char *problem, size_t size)
{
    cli_span list;
    replay_error error = {0};
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
    if (!cli_span_member(&list, p->witness, "order")) {
        memcpy(p->order, p->program.legal, n * sizeof *p->order);
        return true;
    }
    if (!cli_witness_order(p->order, list, &p->program, problem, size))
        return false;
    if (replay_order_check(&p->program, p->order, n, &error) == REPLAY_OK)
        return true;
    snprintf(problem, size, "%s", error.message);
    return false;
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
    p->may_rest = starts(p->rule, "host.") || starts(p->rule, "task.");
    p->variant.inside_back = starts(p->rule, "task.");
    if (strcmp(p->rule, "hazard.uninitialised") == 0) {
        p->variant.own_places = true;
        p->variant.fill = 1;
    }
    return p->may_rest || (cli_span_member(&value, p->witness, "order") &&
                           cli_span_member(&value, p->witness, "reader"));
}

static void disagree(proving *p, const uint32_t *order, const char *problem)
{
    cli_text message = {0};
    cli_told told = told_of(p->b, "replay.disagrees", true, "witness");
    cli_text_printf(&message, "the witness of a %s does not replay: %s.",
                    p->rule, problem);
    told.message = message.failed ? "" : message.data;
    add_record(p->b->out, &told, &p->program, order, NULL);
    cli_text_free(&message);
}

static void prove_with(proving *p, const cli_execution *execution)
{
    char problem[512] = "";
    replay_error error = {0};
    replay_choice choice = {.choices = execution->choices,
                            .symbols = execution->symbols,
                            .plan = starts(p->rule, "memory."),
                            .perhaps = true};
    replay_status status =
        replay_program_make(&p->program, p->b->document, &choice, &error);
    if (status != REPLAY_OK) {
        p->b->out->failed = p->b->out->failed || status == REPLAY_NO_MEMORY;
        leave_open(p->b->out, "the witness of a %s was not replayed: %s",
                   p->rule, error.message);
        return;
    }
    bool legal = read_run(p, problem, sizeof problem);
    bool shown = legal && shows(p, problem, sizeof problem);
    p->b->out->shown += shown;
    p->b->out->witnesses += shown || !p->may_rest;
    if (!shown && !p->b->out->failed && p->may_rest)
        leave_open(p->b->out, "a %s shows no other bytes: %s", p->rule,
                   problem);
    else if (!shown && !p->b->out->failed)
        disagree(p, legal ? p->order : NULL, problem);
    free(p->order);
    free(p->without);
    replay_program_free(&p->program);
}

static void prove(bridge *b, cli_span record, const char *rule)
{
    char problem[512];
    proving p = {.b = b, .record = record, .rule = rule};
    cli_execution execution;
    if (!cli_span_member(&p.witness, record, "witness") || !choose_variant(&p))
        return;
    if (cli_witness_execution(&execution, p.witness, b->document, problem,
                              sizeof problem)) {
        b->choices = execution.choices;
        prove_with(&p, &execution);
        b->choices = NULL;
    } else {
        leave_open(b->out, "the witness of a %s was not replayed: %s", rule,
                   problem);
    }
    cli_execution_free(&execution);
}

/* --- What is tried --- */

static const char *name_run(char *name, size_t size, const replay_proof *proof,
                            const replay_program *p)
{
    const replay_variant *v = &proof->variant;
    int64_t id = proof->task < p->task_count ? p->tasks[proof->task].id : -1;
    if (v->fill != 0)
        snprintf(name, size, "with other bytes where nobody has written");
    else if (v->inside_back || v->inside_forth)
        snprintf(name, size,
                 "with the blocks and writes of a task in another "
                 "order");
    else if (proof->random)
        snprintf(name, size, "in the order of seed %" PRIu64, proof->seed);
    else if (proof->schedule == REPLAY_EAGER)
        snprintf(name, size, "with task %" PRId64 " as early as it can be", id);
    else if (proof->schedule == REPLAY_LAZY)
        snprintf(name, size, "with task %" PRId64 " as late as it can be", id);
    else
        snprintf(name, size, "in the order of the program");
    return name;
}

static const char *cause_of(const replay_proof *proof)
{
    const replay_variant *v = &proof->variant;
    return v->fill != 0                        ? "fill"
           : v->inside_back || v->inside_forth ? "inside"
           : proof->random                     ? "seed"
           : proof->schedule == REPLAY_EAGER   ? "eager"
           : proof->schedule == REPLAY_LAZY    ? "lazy"
                                               : "legal";
}

static void tell_proof(bridge *b, const replay_program *p,
                       const replay_proof *proof, const char *rule)
{
    cli_replayed *out = b->out;
    char name[128];
    cli_text message = {0};
    replay_error error = {0};
    bool sure = proof->difference.sure && (b->says.wrong || !b->says.open);
    uint32_t *order = calloc((size_t)p->task_count + 1, sizeof *order);
    cli_told told = told_of(b, rule, sure, cause_of(proof));
    cli_tell_difference(&message, p, &proof->difference,
                        name_run(name, sizeof name, proof, p));
    told.message = message.failed ? "" : message.data;
    if (order == NULL || message.failed ||
        replay_proof_order(order, p, proof, &error) != REPLAY_OK)
        out->failed = true;
    else
        add_record(out, &told, p, order, &proof->difference);
    free(order);
    cli_text_free(&message);
}

static int64_t id_of(const replay_program *p, uint32_t task)
{
    return task < p->task_count ? p->tasks[task].id : -1 - (int64_t)task;
}

/* Whether another execution or kind of order has shown the same; else kept. */
static bool is_told(bridge *b, const replay_program *p,
                    const replay_difference *d)
{
    seen_difference is = {id_of(p, d->task),
                          id_of(p, d->expected),
                          id_of(p, d->seen),
                          d->buffer,
                          d->arg,
                          d->sure};
    for (uint32_t i = 0; i < b->told_count; i++) {
        const seen_difference *x = &b->told[i];
        if (x->reader == is.reader && x->expected == is.expected &&
            x->seen == is.seen && x->buffer == is.buffer && x->arg == is.arg &&
            x->sure == is.sure)
            return true;
    }
    if (b->told_count < MOST_TOLD)
        b->told[b->told_count++] = is;
    return false;
}

/* Sure differences of a document of which nobody says that bytes go wrong. */
static void tell_tried(bridge *b, const replay_program *p,
                       const replay_tried *tried)
{
    uint32_t limit = b->how->limit == 0 ? MOST_TOLD : b->how->limit;
    for (uint32_t i = 0; i < tried->proof_count; i++) {
        const replay_proof *proof = &tried->proofs[i];
        if (is_told(b, p, &proof->difference))
            continue;
        if (proof->difference.sure && !b->says.wrong && !b->says.open) {
            tell_proof(b, p, proof, "replay.disagrees");
            return;
        }
        if (b->how->differs && b->out->count < limit)
            tell_proof(b, p, proof, "replay.differs");
        else
            b->out->unlisted += b->how->differs;
    }
}

/* Whether so many runs are few enough, all together. */
static bool is_affordable(const replay_program *p, uint64_t runs)
{
    return p->touched + p->task_count <= MOST_WORK / (runs + 1);
}

static bool try_orders(bridge *b, const replay_program *p, uint64_t seeds)
{
    replay_tried tried = {0};
    replay_error error = {0};
    replay_status status =
        seeds == 0 ? replay_adversarial(&tried, p, &error)
                   : replay_seeds(&tried, p, b->how->seed, seeds, &error);
    if (status != REPLAY_OK) {
        b->out->failed = b->out->failed || status == REPLAY_NO_MEMORY;
        leave_open(b->out, "not replayed%s: %s", "", error.message);
        return false;
    }
    b->out->runs += tried.runs;
    tell_tried(b, p, &tried);
    replay_tried_free(&tried);
    return true;
}

static void try_program(bridge *b, const replay_program *p)
{
    const cli_replaying *how = b->how;
    bool asked = how->adversarial || how->both; /* then it may take long */
    bool all =
        how->adversarial || (p->task_count <= how->small &&
                             is_affordable(p, 4 * (uint64_t)p->task_count + 8));
    uint64_t seeds = !all || how->both ? how->seeds : 0;
    if (!asked && !all && !is_affordable(p, seeds)) {
        leave_open(b->out, "%s%s", "not replayed: too many bytes are touched",
                   "");
        return;
    }
    b->out->programs++;
    if (all && !try_orders(b, p, 0))
        return;
    if (seeds > 0)
        try_orders(b, p, seeds);
}

static void disagree_stuck(bridge *b, const char *why)
{
    cli_text message = {0};
    cli_told told = told_of(b, "replay.disagrees", true, "stuck");
    cli_text_printf(&message, "it cannot run, and no finding says so: %s", why);
    told.message = message.failed ? "" : message.data;
    add_record(b->out, &told, NULL, NULL, NULL);
    cli_text_free(&message);
}

/* Not OK: there are no values to run it with, and why. */
static replay_status try_execution(bridge *b, uint64_t sample,
                                   replay_error *error)
{
    replay_program program;
    replay_choice choice = {.choices = b->choices,
                            .plan = true,
                            .perhaps = true,
                            .sample = sample,
                            .work = &b->work};
    replay_status status =
        replay_program_make(&program, b->document, &choice, error);
    if (status == REPLAY_OK) {
        try_program(b, &program);
        replay_program_free(&program);
    } else if (status == REPLAY_STUCK && !b->says.unrunnable) {
        disagree_stuck(b, error->message);
    } else if (status == REPLAY_STUCK || status == REPLAY_RANGE) {
        leave_open(b->out, "not replayed%s: %s", "", error->message);
    } else {
        return status;
    }
    return REPLAY_OK;
}

/* Executions that were tried, as values of the choices one behind the other. */
typedef struct trying {
    bool *all;
    size_t choices, count;
} trying;

static bool is_new(const trying *t, const bool *choices)
{
    for (size_t i = 0; i < t->count; i++)
        if (memcmp(t->all + i * t->choices, choices, t->choices) == 0)
            return false;
    return true;
}

/* Executions that were not found, in one sentence. */
static void leave_executions(bridge *b, uint32_t missed, uint32_t first,
                             bool is)
{
    char what[64], example[160] = "";
    snprintf(what, sizeof what, "%" PRIu32 " execution%s", missed,
             missed == 1 ? "" : "s");
    if (first != REPLAY_NONE) {
        const oracle_choice *c = &b->document->choices[first];
        snprintf(example, sizeof example,
                 ", as one in which choice %" PRId64 " (line %" PRId64
                 ", %.80s) is %s",
                 c->id, c->line, c->text.data, is ? "true" : "false");
    }
    leave_open(b->out,
               "not replayed: no values of the symbols were found for %s%s",
               what, example);
}

/*
 * Execution i: all choices true as far as that goes, all false, and each alone
 * turned over. Where that leaves symbols without values sizes are drawn. False:
 * it was not found.
 */
static bool try_turned(bridge *b, trying *t, size_t i)
{
    bool *choices = t->all + t->count * t->choices;
    replay_error error = {0};
    uint32_t pinned = i < 2 ? REPLAY_NONE : (uint32_t)(i - 2);
    replay_status status = REPLAY_UNSUPPORTED;
    bool proved = false;
    for (uint64_t sample = 0; sample <= SAMPLES && b->work > 0; sample++) {
        if (pinned != REPLAY_NONE)
            choices[pinned] = !t->all[pinned];
        status = replay_choices_find(choices, b->document, pinned, i != 1,
                                     sample, &b->work, &error);
        if (status == REPLAY_OK && !is_new(t, choices))
            return true;
        b->choices = choices;
        if (status == REPLAY_OK)
            status = try_execution(b, sample, &error);
        if (status == REPLAY_OK) {
            t->count++;
            return true;
        }
        proved = status == REPLAY_NO_EXECUTION && sample == 0;
        if (status == REPLAY_NO_MEMORY || proved)
            break;
    }
    b->out->failed = b->out->failed || status == REPLAY_NO_MEMORY;
    return proved || status == REPLAY_NO_MEMORY;
}

static void try_executions(bridge *b)
{
    trying t = {.choices = b->document->choice_count};
    size_t count = t.choices == 0 ? 1 : t.choices + 2;
    uint32_t missed = 0, first = REPLAY_NONE;
    t.all = calloc(count + 1, t.choices + 1);
    b->work = SEARCHED;
    if (t.all == NULL)
        b->out->failed = true;
    for (size_t i = 0; i < count && !b->out->failed; i++) {
        if (!try_turned(b, &t, i) && missed++ == 0)
            first = i < 2 ? REPLAY_NONE : (uint32_t)(i - 2);
    }
    if (missed == 0 && t.count == 0 && !b->out->failed)
        leave_open(b->out, "not replayed: %s%s",
                   "no values of the symbols obey the facts", "");
    if (missed > 0)
        leave_executions(b, missed, first,
                         first != REPLAY_NONE && !t.all[first]);
    b->choices = NULL;
    free(t.all);
}

/* A host_build_graph plan alone says which handles tasks get, and not of what;
 * the PlanHandle beside it says that. */
static bool lacks_bytes(const oracle_document *d)
{
    return d->arg_count == 0 && d->task_count > 0 && d->kind == ORACLE_KIND_HBG;
}

void cli_replay_document(cli_replayed *out, const oracle_document *derived,
                         const cli_span *records, size_t count,
                         const cli_replaying *how)
{
    bridge b = {.out = out, .document = derived, .how = how};
    cli_text rule = {0}, severity = {0};
    out->failed = !cli_replay_allowed(&b.says, records, count);
    b.says.open = b.says.open || how->partial;
    for (size_t i = 0; i < count && !out->failed; i++)
        if (text_member(&severity, records[i], "severity") &&
            text_member(&rule, records[i], "rule") &&
            strcmp(severity.data, "error") == 0)
            prove(&b, records[i], rule.data);
    cli_text_free(&rule);
    cli_text_free(&severity);
    if (lacks_bytes(derived))
        leave_open(out, "%s%s",
                   "what the tasks touch: the host_build_graph plan alone does "
                   "not say what its arguments are; its order and its times "
                   "are replayed",
                   "");
    if (!out->failed)
        try_executions(&b);
}

/* --- One witness --- */

/* The first line that has an order; `record` is the finding around it. */
static bool find_witness(cli_span *record, cli_span *witness, cli_span text)
{
    const char *end = text.data + text.length;
    cli_span order;
    for (const char *at = text.data; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        cli_span line = {at, (size_t)((stop == NULL ? end : stop) - at)};
        *record = *witness = line;
        cli_span_member(witness, line, "witness");
        if (cli_span_member(&order, *witness, "order"))
            return true;
        at += line.length + 1;
    }
    /* Perhaps one object over several lines. */
    *record = *witness = text;
    cli_span_member(witness, text, "witness");
    return cli_span_member(&order, *witness, "order");
}

static void tell_difference(bridge *b, const proving *p,
                            const replay_difference *d)
{
    cli_text message = {0};
    cli_told told = told_of(b, "replay.differs", d->sure, "witness");
    cli_tell_difference(&message, &p->program, d, "in this order");
    told.message = message.failed ? "" : message.data;
    add_record(b->out, &told, &p->program, p->order, d);
    cli_text_free(&message);
}

static bool run_witness(proving *p, const cli_execution *execution,
                        char *problem, size_t size)
{
    replay_error error = {0};
    replay_difference *list = NULL;
    uint32_t count = 0;
    bool placed = p->rule == NULL || starts(p->rule, "memory.");
    replay_choice choice = {.choices = execution->choices,
                            .symbols = execution->symbols,
                            .plan = placed,
                            .perhaps = true};
    replay_status status =
        replay_program_make(&p->program, p->b->document, &choice, &error);
    if (status == REPLAY_OK && read_run(p, problem, size))
        status = replay_compare(&list, &count, &p->program, p->order,
                                &p->variant, &error);
    for (uint32_t i = 0; i < count; i++)
        tell_difference(p->b, p, &list[i]);
    p->b->out->runs++;
    p->b->out->programs++;
    free(list);
    free(p->order);
    free(p->without);
    replay_program_free(&p->program);
    if (status != REPLAY_OK)
        snprintf(problem, size, "%s", error.message);
    return *problem == '\0';
}

bool cli_replay_witness(cli_replayed *out, const oracle_document *derived,
                        cli_span text, const cli_replaying *how, char *problem,
                        size_t size)
{
    bridge b = {.out = out, .document = derived, .how = how};
    proving p = {.b = &b, .variant = {.host_first = true}};
    cli_execution execution = {0};
    cli_text rule = {0};
    *problem = '\0';
    if (!find_witness(&p.record, &p.witness, text)) {
        snprintf(problem, size, "it has no witness with an order");
        return false;
    }
    if (text_member(&rule, p.record, "rule")) {
        p.rule = rule.data;
        choose_variant(&p);
    }
    bool ok =
        cli_witness_execution(&execution, p.witness, derived, problem, size);
    b.choices = execution.choices;
    ok = ok && run_witness(&p, &execution, problem, size);
    cli_execution_free(&execution);
    cli_text_free(&rule);
    return ok;
}
