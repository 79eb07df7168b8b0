/* What is tried of a document, and what is told of it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../process.h"
#include "bridge_work.h"

/* Values of choices that are kept, of all executions. */
#define MOST_CHOSEN (1u << 26)

/* Passes over facts and symbols, to find values for all executions. */
#define SEARCHED (INT64_C(1) << 25)

void cli_replayed_free(cli_replayed *replayed)
{
    cli_text_free(&replayed->records);
    cli_text_free(&replayed->undecided);
    *replayed = (cli_replayed){0};
}

void cli_replayed_leave_out(cli_replayed *out, const char *format, ...)
{
    cli_text line = {0};
    char sentence[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    cli_text_put(&line, sentence);
    out->left_out++;
    if (out->undecided.length > 0)
        cli_text_put(&out->undecided, ",");
    if (line.failed)
        out->failed = true;
    else
        cli_text_quote(&out->undecided, line.data);
    cli_text_free(&line);
}

cli_told cli_bridge_told(const cli_bridge *b, const char *rule, bool sure,
                         const char *cause)
{
    return (cli_told){.rule = rule,
                      .severity = sure ? "error" : "warning",
                      .cause = cause,
                      .digest = b->how->digest,
                      .generated = b->how->generated,
                      .document = b->document,
                      .choices = b->choices,
                      .together = b->together};
}

void cli_bridge_add(cli_replayed *out, const cli_told *told,
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

bool cli_bridge_text(cli_text *out, cli_span object, const char *name)
{
    cli_span value;
    cli_text_clear(out);
    return cli_span_member(&value, object, name) && cli_span_text(out, value) &&
           out->data != NULL;
}

bool cli_bridge_starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_one_of(const char *rule, const char *const *list)
{
    for (; *list != NULL; list++)
        if (cli_bridge_starts(rule, *list))
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
        if (!cli_bridge_text(&severity, records[i], "severity") ||
            !cli_bridge_text(&rule, records[i], "rule"))
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

/* --- Time --- */

static bool is_over(void *context)
{
    cli_deadline *d = context;
    d->over = d->over || cli_now() >= d->end;
    return d->over;
}

void cli_deadline_begin(cli_deadline *deadline, int64_t ms)
{
    *deadline = (cli_deadline){.end = cli_now() + ms};
    if (ms > 0)
        deadline->stop = (replay_stop){is_over, deadline};
}

/* --- What is tried --- */

/* The one order that is tried without a direction, as a person knows it. */
static const char *name_legal(const replay_proof *proof,
                              const replay_program *p)
{
    const replay_difference *d = &proof->difference;
    bool by_edges = false, placed = p->planned && !proof->variant.own_places;
    for (uint32_t i = 0; i < p->task_count; i++)
        by_edges = by_edges || p->legal[i] != i;
    if (by_edges)
        return "in the order of its edges, against the order of the program";
    if (d->task == REPLAY_HOST || d->expected == REPLAY_HOST ||
        d->seen == REPLAY_HOST)
        return "in the order of the program, all that the host does first";
    return placed ? "in the order of the program, at the places of the memory "
                    "plan"
                  : "in the order of the program";
}

static const char *name_order(char *name, size_t size,
                              const replay_proof *proof,
                              const replay_program *p)
{
    const replay_variant *v = &proof->variant;
    int64_t id = proof->task < p->task_count ? p->tasks[proof->task].id : -1;
    if (v->fill != 0)
        return "with other bytes where nobody has written";
    if (v->inside_back || v->inside_forth)
        return "with the blocks and writes of a task in another order";
    if (proof->random)
        snprintf(name, size, "in the order of seed %" PRIu64, proof->seed);
    else if (proof->schedule == REPLAY_EAGER)
        snprintf(name, size, "with task %" PRId64 " as early as it can be", id);
    else if (proof->schedule == REPLAY_LAZY)
        snprintf(name, size, "with task %" PRId64 " as late as it can be", id);
    else
        return name_legal(proof, p);
    return name;
}

void cli_bridge_name_together(cli_text *out, const cli_bridge *b)
{
    const replay_pairs *together = b->together;
    for (uint32_t i = 0; together != NULL && i < together->count; i++) {
        const replay_pair *pair = &together->list[i];
        cli_text_printf(out, "%s %s and %s", i > 0 ? "," : ", where",
                        b->document->buffers[pair->a].key.data,
                        b->document->buffers[pair->b].key.data);
    }
    if (together != NULL)
        cli_text_put(out, together->count == 1 ? " are one memory"
                                               : " are one memory each");
}

/* The order, and what is one memory in it. */
static void name_run(cli_text *out, const cli_bridge *b,
                     const replay_proof *proof, const replay_program *p)
{
    char name[128];
    cli_text_put(out, name_order(name, sizeof name, proof, p));
    cli_bridge_name_together(out, b);
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

static void tell_proof(cli_bridge *b, const replay_program *p,
                       const replay_proof *proof, const char *rule)
{
    cli_replayed *out = b->out;
    cli_text message = {0}, run = {0};
    replay_error error = {0};
    bool sure = proof->difference.sure && (b->says.wrong || !b->says.open) &&
                (b->together == NULL || strcmp(rule, "replay.differs") != 0);
    uint32_t *order = calloc((size_t)p->task_count + 1, sizeof *order);
    cli_told told = cli_bridge_told(b, rule, sure, cause_of(proof));
    name_run(&run, b, proof, p);
    cli_tell_difference(&message, p, &proof->difference,
                        run.failed ? "" : run.data);
    told.message = message.failed ? "" : message.data;
    told.run = &proof->variant;
    if (order == NULL || message.failed || run.failed ||
        replay_proof_order(order, p, proof, &error) != REPLAY_OK)
        out->failed = true;
    else
        cli_bridge_add(out, &told, p, order, &proof->difference);
    free(order);
    cli_text_free(&message);
    cli_text_free(&run);
}

static int64_t id_of(const replay_program *p, uint32_t task)
{
    return task < p->task_count ? p->tasks[task].id : -1 - (int64_t)task;
}

static cli_seen_difference ids_of(const replay_program *p,
                                  const replay_difference *d)
{
    return (cli_seen_difference){id_of(p, d->task),
                                 id_of(p, d->expected),
                                 id_of(p, d->seen),
                                 d->buffer,
                                 d->arg,
                                 d->sure};
}

/* Whether another execution or kind of order has shown the same; else kept. */
static bool is_told(cli_bridge *b, const cli_seen_difference *is)
{
    for (uint32_t i = 0; i < b->told_count; i++) {
        const cli_seen_difference *x = &b->told[i];
        if (x->reader == is->reader && x->expected == is->expected &&
            x->seen == is->seen && x->buffer == is->buffer &&
            x->arg == is->arg && x->sure == is->sure)
            return true;
    }
    if (b->told_count < CLI_MOST_TOLD)
        b->told[b->told_count++] = *is;
    return false;
}

static uint32_t limit_of(const cli_bridge *b)
{
    return b->how->limit == 0 ? CLI_MOST_TOLD : b->how->limit;
}

void cli_bridge_hold(cli_bridge *b, const cli_told *told,
                     const replay_program *program, const uint32_t *order,
                     const replay_difference *difference)
{
    if (b->held_count == CLI_MOST_TOLD) {
        b->out->unlisted++;
        return;
    }
    b->held_errors[b->held_count] = strcmp(told->severity, "error") == 0;
    b->held_ids[b->held_count++] = ids_of(program, difference);
    cli_tell_record(&b->held, told, program, order, difference);
    cli_text_put(&b->held, "\n");
    b->out->failed = b->out->failed || b->held.failed;
}

static void tell_held(cli_bridge *b)
{
    const char *line = b->held.data;
    for (uint32_t i = 0; i < b->held_count && !b->out->failed; i++) {
        size_t length = strcspn(line, "\n") + 1;
        const cli_seen_difference *is = &b->held_ids[i];
        bool is_new = !is_told(b, is);
        if (is_new && b->out->count < limit_of(b)) {
            cli_text_add(&b->out->records, line, length);
            b->out->count++;
            b->out->errors += b->held_errors[i];
        } else {
            b->out->unlisted += is_new;
        }
        line += length;
    }
    b->out->failed = b->out->failed || b->out->records.failed;
    cli_text_free(&b->held);
}

/* Sure differences of a document of which nobody says that bytes go wrong. */
static void tell_tried(cli_bridge *b, const replay_program *p,
                       const replay_tried *tried)
{
    for (uint32_t i = 0; i < tried->proof_count; i++) {
        const replay_proof *proof = &tried->proofs[i];
        cli_seen_difference is = ids_of(p, &proof->difference);
        if (is_told(b, &is))
            continue;
        if (proof->difference.sure && !b->says.wrong && !b->says.open) {
            tell_proof(b, p, proof, "replay.disagrees");
            return;
        }
        if (b->how->differs && b->out->count < limit_of(b))
            tell_proof(b, p, proof, "replay.differs");
        else
            b->out->unlisted += b->how->differs;
    }
}

/* Whether so many runs are few enough, all together. */
static bool is_affordable(const replay_program *p, uint64_t runs)
{
    return p->touched + p->task_count <= CLI_MOST_WORK / (runs + 1);
}

static bool try_orders(cli_bridge *b, const replay_program *p, uint64_t seeds)
{
    replay_tried tried = {0};
    replay_error error = {0};
    replay_status status =
        seeds == 0 ? replay_adversarial(&tried, p, &error)
                   : replay_seeds(&tried, p, b->how->seed, seeds, &error);
    if (status != REPLAY_OK) {
        b->out->failed = b->out->failed || status == REPLAY_NO_MEMORY;
        cli_replayed_leave_out(b->out, "not replayed: %s", error.message);
        return false;
    }
    bool all = !tried.stopped;
    b->late += tried.stopped;
    b->out->runs += tried.runs;
    tell_tried(b, p, &tried);
    replay_tried_free(&tried);
    return all;
}

static void try_program(cli_bridge *b, const replay_program *p)
{
    const cli_replaying *how = b->how;
    bool all =
        how->adversarial || (p->task_count <= how->small &&
                             is_affordable(p, 4 * (uint64_t)p->task_count + 8));
    uint64_t seeds = !all || how->both ? how->seeds : 0;
    if (!cli_bridge_asked(how) && !all && !is_affordable(p, seeds)) {
        cli_replayed_leave_out(b->out,
                               "not replayed: too many bytes are touched");
        return;
    }
    b->out->programs++;
    if (all && !try_orders(b, p, 0))
        return;
    if (seeds > 0)
        try_orders(b, p, seeds);
}

static void disagree_stuck(cli_bridge *b, const char *why)
{
    cli_text message = {0};
    cli_told told = cli_bridge_told(b, "replay.disagrees", true, "stuck");
    cli_text_printf(&message, "it cannot run, and no finding says so: %s", why);
    told.message = message.failed ? "" : message.data;
    cli_bridge_add(b->out, &told, NULL, NULL, NULL);
    cli_text_free(&message);
}

bool cli_replay_is_excluded(const oracle_document *d, const bool *choices)
{
    for (uint32_t i = 0; i < d->clash_count; i++) {
        const oracle_when *when = &d->whens[d->clashes[i].first_when];
        bool all = true;
        for (uint32_t k = 0; all && k < d->clashes[i].whens; k++)
            all = choices[when[k].choice] == when[k].is;
        if (all)
            return true;
    }
    return false;
}

/* --- What may be one memory --- */

/* The same execution, with these pairs as one memory. */
static void try_together(cli_bridge *b, const replay_choice *choice,
                         const replay_pairs *together)
{
    oracle_document united;
    replay_program program;
    replay_error error = {0};
    replay_status status = replay_unite(&united, b->document, together, &error);
    if (status == REPLAY_OK) {
        status = replay_program_make(&program, &united, choice, &error);
        if (status == REPLAY_OK) {
            b->together = together;
            try_program(b, &program);
            b->together = NULL;
            replay_program_free(&program);
        }
        replay_united_free(&united);
    }
    b->late += status == REPLAY_STOPPED;
    b->out->failed = b->out->failed || status == REPLAY_NO_MEMORY;
    if (status != REPLAY_OK && status != REPLAY_STOPPED)
        cli_replayed_leave_out(b->out, "not replayed: %s", error.message);
}

/* Each pair alone, and with all that can hold besides. */
static void try_pairs(cli_bridge *b, const replay_choice *choice)
{
    for (uint32_t i = 0; i < b->pairs.count; i++) {
        replay_pairs alone = {.list = {b->pairs.list[i]}, .count = 1}, all;
        replay_pairs_extend(&all, &b->pairs, b->document, i);
        try_together(b, choice, &alone);
        if (all.count > 1 && (i == 0 || all.count < b->pairs.count))
            try_together(b, choice, &all);
    }
}

static void find_pairs(cli_bridge *b)
{
    replay_error error = {0};
    if (b->document->task_count > 0 &&
        replay_pairs_find(&b->pairs, b->document, &error) != REPLAY_OK)
        b->out->failed = true;
    if (b->pairs.more > 0)
        cli_replayed_leave_out(b->out,
                               "not replayed: executions in which %" PRIu64
                               " more pairs of buffers are one memory, which "
                               "they may be",
                               b->pairs.more);
}

static replay_status make_sample(replay_program *program,
                                 const oracle_document *d, replay_choice *how,
                                 bool *choices, bool prefer,
                                 replay_error *error)
{
    replay_status status = replay_choices_find(choices, d, REPLAY_NONE, prefer,
                                               how->sample, how->work, error);
    how->choices = choices;
    return status == REPLAY_OK ? replay_program_make(program, d, how, error)
                               : status;
}

/* All true as far as they go, then all false, each with sizes as they are and
   then drawn. What it first came to nothing for is what is told. */
static replay_status try_samples(replay_program *program,
                                 const oracle_document *d, replay_choice *how,
                                 bool *choices, replay_error *error)
{
    replay_error later;
    replay_status status = make_sample(program, d, how, choices, true, error);
    for (uint32_t i = 1; status == REPLAY_UNSUPPORTED && *how->work > 0 &&
                         i < 2 * (CLI_REPLAY_SAMPLES + 1);
         i++) {
        how->sample = i % (CLI_REPLAY_SAMPLES + 1);
        replay_status other = make_sample(program, d, how, choices,
                                          i <= CLI_REPLAY_SAMPLES, &later);
        if (other == REPLAY_OK)
            return other;
        if (other == REPLAY_STOPPED || other == REPLAY_NO_MEMORY) {
            *error = later;
            return other;
        }
    }
    return status;
}

replay_status cli_replay_program(replay_program *program,
                                 const oracle_document *derived,
                                 const replay_choice *how, bool *choices,
                                 replay_error *error)
{
    int64_t work = SEARCHED;
    replay_choice own = *how;
    bool *list = choices == NULL ? calloc((size_t)derived->choice_count + 1, 1)
                                 : choices;
    if (list == NULL) {
        snprintf(error->message, sizeof error->message, "out of memory");
        return REPLAY_NO_MEMORY;
    }
    own.work = &work;
    replay_status status = try_samples(program, derived, &own, list, error);
    if (choices == NULL)
        free(list);
    return status;
}

/* Not OK: there are no values to run it with, and why. */
static replay_status try_execution(cli_bridge *b, uint64_t sample,
                                   replay_error *error)
{
    replay_program program;
    replay_choice choice = {.choices = b->choices,
                            .plan = true,
                            .perhaps = true,
                            .sample = sample,
                            .work = &b->search,
                            .stop = b->how->stop};
    replay_status status =
        replay_program_make(&program, b->document, &choice, error);
    if (status == REPLAY_OK) {
        try_program(b, &program);
        choice.symbols = program.symbols;
        try_pairs(b, &choice);
        replay_program_free(&program);
    } else if (status == REPLAY_STOPPED) {
        b->late++;
    } else if (status == REPLAY_STUCK && !b->says.unrunnable) {
        disagree_stuck(b, error->message);
    } else if (status == REPLAY_STUCK || status == REPLAY_RANGE) {
        cli_replayed_leave_out(b->out, "not replayed: %s", error->message);
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

/* What a choice is not in the first execution, where there is one. */
static bool turned(const trying *t, uint32_t choice)
{
    return t->count == 0 || !t->all[choice];
}

/* Executions that were not found, in one sentence. */
static void leave_executions(cli_bridge *b, uint32_t missed, uint32_t first,
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
    cli_replayed_leave_out(
        b->out, "not replayed: no values of the symbols were found for %s%s",
        what, example);
}

/*
 * Execution i: all choices true as far as that goes, all false, and each alone
 * turned over. Where that leaves symbols without values sizes are drawn. False:
 * it was not found.
 */
static bool try_turned(cli_bridge *b, trying *t, size_t i)
{
    bool *choices = t->all + t->count * t->choices;
    bool is = i >= 2 && turned(t, (uint32_t)(i - 2));
    replay_error error = {0};
    uint32_t pinned = i < 2 ? REPLAY_NONE : (uint32_t)(i - 2);
    replay_status status = REPLAY_UNSUPPORTED;
    bool proved = false;
    for (uint64_t sample = 0; sample <= CLI_REPLAY_SAMPLES && b->search > 0;
         sample++) {
        if (pinned != REPLAY_NONE)
            choices[pinned] = is;
        status = replay_choices_find(choices, b->document, pinned, i != 1,
                                     sample, &b->search, &error);
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

static void try_executions(cli_bridge *b)
{
    trying t = {.choices = b->document->choice_count};
    size_t count = t.choices == 0 ? 1 : t.choices + 2;
    uint32_t missed = 0, first = REPLAY_NONE;
    if (count > MOST_CHOSEN / (t.choices + 1)) {
        missed = (uint32_t)(count - MOST_CHOSEN / (t.choices + 1));
        count -= missed;
    }
    t.all = calloc(count + 1, t.choices + 1);
    b->search = SEARCHED;
    if (t.all == NULL)
        b->out->failed = true;
    for (size_t i = 0; i < count && !b->out->failed; i++) {
        if (cli_bridge_stopped(b->how))
            b->late++;
        else if (!try_turned(b, &t, i) && missed++ == 0)
            first = i < 2 ? REPLAY_NONE : (uint32_t)(i - 2);
    }
    if (missed == 0 && t.count == 0 && b->late == 0 && !b->out->failed)
        cli_replayed_leave_out(
            b->out, "not replayed: no values of the symbols obey the facts");
    if (missed > 0)
        leave_executions(b, missed, first,
                         first != REPLAY_NONE && turned(&t, first));
    b->choices = NULL;
    free(t.all);
}

static void prove_errors(cli_bridge *b, const cli_span *records, size_t count)
{
    cli_text rule = {0}, severity = {0};
    for (size_t i = 0; i < count && !b->out->failed; i++)
        if (cli_bridge_text(&severity, records[i], "severity") &&
            cli_bridge_text(&rule, records[i], "rule") &&
            strcmp(severity.data, "error") == 0)
            cli_bridge_prove(b, records[i], rule.data);
    if (b->unproved > 0)
        cli_replayed_leave_out(b->out,
                               "the witnesses of %" PRIu64
                               " errors were not replayed: too many bytes are "
                               "touched",
                               b->unproved);
    cli_text_free(&rule);
    cli_text_free(&severity);
}

/* A host_build_graph plan alone says which handles tasks get, and not of what;
 * the PlanHandle beside it says that. */
static bool lacks_bytes(const oracle_document *d)
{
    return d->arg_count == 0 && d->task_count > 0 && d->kind == ORACLE_KIND_HBG;
}

/* What the memory plan does with buffers of unknown size, nobody can run. */
static void tell_unplaced(cli_replayed *out, const oracle_document *d)
{
    uint32_t count = 0;
    for (uint32_t i = 0; d->has_plan && i < d->allocation_count; i++) {
        uint32_t b = d->allocations[i].buffer;
        count += b != ORACLE_NONE && !d->buffers[b].has_bytes;
    }
    if (count > 0)
        cli_replayed_leave_out(out,
                               "what shares the bytes of %" PRIu32
                               " buffers of unknown size: each is replayed in "
                               "a place of its own, give the sizes",
                               count);
}

void cli_replay_document(cli_replayed *out, const oracle_document *derived,
                         const cli_span *records, size_t count,
                         const cli_replaying *how)
{
    cli_bridge b = {.out = out, .document = derived, .how = how};
    out->failed = !cli_replay_allowed(&b.says, records, count);
    b.says.open = b.says.open || how->partial;
    b.says.wrong = b.says.wrong || how->other;
    b.says.unrunnable = b.says.unrunnable || how->other;
    prove_errors(&b, records, count);
    tell_unplaced(out, derived);
    if (lacks_bytes(derived))
        cli_replayed_leave_out(out,
                               "what the tasks touch: the host_build_graph "
                               "plan alone does not say what its arguments "
                               "are; its order and its times are replayed");
    find_pairs(&b);
    if (!out->failed)
        try_executions(&b);
    tell_held(&b);
    if (b.late > 0) {
        out->late = "the time for the replay was over";
        cli_replayed_leave_out(out,
                               "the time is over (--timeout): %" PRIu64
                               " of the witnesses and executions are left, or "
                               "are not replayed in full",
                               b.late);
    }
}
