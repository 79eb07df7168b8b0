#include "witness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text.h"

static bool fail(char *problem, size_t size, const char *what)
{
    snprintf(problem, size, "%s", what);
    return false;
}

/* --- The execution --- */

static bool read_choices(bool *values, cli_span witness,
                         const oracle_document *d)
{
    cli_span list, item, key, id, is;
    cli_walk walk;
    uint32_t n = 0;
    int64_t number;
    if (!cli_span_member(&list, witness, "choices"))
        return d->choice_count == 0;
    if (!cli_walk_array(&walk, list))
        return false;
    for (; cli_walk_next(&walk, &key, &item); n++) {
        if (n == d->choice_count || !cli_span_member(&id, item, "choice") ||
            !cli_span_int(&number, id) || number != d->choices[n].id ||
            !cli_span_member(&is, item, "is") ||
            (!cli_span_is(is, "true") && !cli_span_is(is, "false")))
            return false;
        values[n] = cli_span_is(is, "true");
    }
    return !walk.failed && n == d->choice_count;
}

/* The member of that name, which may have any letters. */
static bool symbol_value(int64_t *value, cli_span object,
                         const oracle_text *name)
{
    cli_walk walk;
    cli_span key, at;
    cli_text text = {0};
    bool found = false;
    if (!cli_walk_object(&walk, object))
        return false;
    while (!found && cli_walk_next(&walk, &key, &at)) {
        cli_text_clear(&text);
        /* A key is what stands between its quotes. */
        cli_span quoted = {key.data - 1, key.length + 2};
        found = cli_span_text(&text, quoted) && text.length == name->length &&
                (name->length == 0 ||
                 memcmp(text.data, name->data, name->length) == 0) &&
                cli_span_int(value, at);
    }
    cli_text_free(&text);
    return found;
}

static bool is_symbol(const oracle_document *d, const cli_text *name)
{
    for (uint32_t i = 0; i < d->symbol_count; i++)
        if (d->symbols[i].name.length == name->length &&
            (name->length == 0 ||
             memcmp(d->symbols[i].name.data, name->data, name->length) == 0))
            return true;
    return false;
}

/* A value for what the program does not have is a mistake of somebody. */
static bool knows_symbols(cli_span object, const oracle_document *d,
                          char *problem, size_t size)
{
    cli_walk walk;
    cli_span key, at;
    cli_text name = {0};
    bool ok = cli_walk_object(&walk, object);
    if (!ok)
        return fail(problem, size, "'symbols' of the witness is no object");
    while (ok && cli_walk_next(&walk, &key, &at)) {
        cli_text_clear(&name);
        ok = cli_span_text(&name, (cli_span){key.data - 1, key.length + 2}) &&
             is_symbol(d, &name);
        if (!ok)
            snprintf(problem, size,
                     "the witness has a value for %.*s, which is no symbol of "
                     "the program",
                     (int)(key.length < 40 ? key.length : 40), key.data);
    }
    cli_text_free(&name);
    return ok && (!walk.failed ||
                  fail(problem, size, "'symbols' of the witness is no JSON"));
}

static bool read_symbols(int64_t *values, cli_span object,
                         const oracle_document *d, char *problem, size_t size)
{
    if (!knows_symbols(object, d, problem, size))
        return false;
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        if (d->symbols[i].block ||
            symbol_value(&values[i], object, &d->symbols[i].name))
            continue;
        snprintf(problem, size, "the witness gives no value to symbol %.40s",
                 d->symbols[i].name.data);
        return false;
    }
    return true;
}

/* Values of choices that no execution has together. */
static bool excluded(const bool *values, const oracle_document *d)
{
    for (uint32_t i = 0; i < d->clash_count; i++) {
        const oracle_clash *clash = &d->clashes[i];
        uint32_t k = 0;
        while (k < clash->whens &&
               values[d->whens[clash->first_when + k].choice] ==
                   d->whens[clash->first_when + k].is)
            k++;
        if (k == clash->whens)
            return true;
    }
    return false;
}

/* What besides the order is run: a word that is not known is no order either.
 */
static bool knows_variant(cli_span witness, char *problem, size_t size)
{
    cli_span value;
    if (cli_span_member(&value, witness, "inside") &&
        !cli_span_is(value, "\"back\"") && !cli_span_is(value, "\"forth\""))
        return fail(problem, size,
                    "'inside' of the witness is neither \"back\" nor "
                    "\"forth\"");
    /* A list of places is what the judge tells of a memory plan. */
    if (cli_span_member(&value, witness, "places") && value.data[0] != '[' &&
        !cli_span_is(value, "\"own\""))
        return fail(problem, size, "'places' of the witness is not \"own\"");
    if (cli_span_member(&value, witness, "fill") && !cli_span_is(value, "1"))
        return fail(problem, size, "'fill' of the witness is not 1");
    return true;
}

bool cli_witness_execution(cli_execution *execution, cli_span witness,
                           const oracle_document *document, char *problem,
                           size_t size)
{
    cli_span symbols;
    *execution = (cli_execution){0};
    execution->choices = calloc(document->choice_count + (size_t)1, 1);
    if (execution->choices == NULL)
        return fail(problem, size, "out of memory");
    if (!read_choices(execution->choices, witness, document))
        return fail(problem, size,
                    "the choices of the witness are not those of the "
                    "document");
    if (excluded(execution->choices, document))
        return fail(problem, size,
                    "no execution has these choices of the witness together");
    if (!knows_variant(witness, problem, size))
        return false;
    if (!cli_span_member(&symbols, witness, "symbols"))
        return true;
    execution->symbols =
        calloc(document->symbol_count + (size_t)1, sizeof(int64_t));
    if (execution->symbols == NULL)
        return fail(problem, size, "out of memory");
    return read_symbols(execution->symbols, symbols, document, problem, size);
}

void cli_execution_free(cli_execution *execution)
{
    free(execution->choices);
    free(execution->symbols);
    *execution = (cli_execution){0};
}

/* --- Tasks by id --- */

typedef struct named {
    int64_t id;
    uint32_t task;
} named;

static int compare_id(const void *a, const void *b)
{
    int64_t x = ((const named *)a)->id, y = ((const named *)b)->id;
    return (x > y) - (x < y);
}

static named *list_ids(const replay_program *p)
{
    named *ids = calloc(p->task_count + (size_t)1, sizeof *ids);
    for (uint32_t t = 0; ids != NULL && t < p->task_count; t++)
        ids[t] = (named){p->tasks[t].id, t};
    if (ids != NULL)
        qsort(ids, p->task_count, sizeof *ids, compare_id);
    return ids;
}

static bool find_task(uint32_t *task, const named *ids, uint32_t count,
                      cli_span value)
{
    named wanted = {0};
    if (!cli_span_int(&wanted.id, value))
        return false;
    const named *found = bsearch(&wanted, ids, count, sizeof *ids, compare_id);
    if (found != NULL)
        *task = found->task;
    return found != NULL;
}

/* The two items of a list of two. */
static bool two_items(cli_span *first, cli_span *second, cli_span list)
{
    cli_walk walk;
    cli_span key, third;
    return cli_walk_array(&walk, list) && cli_walk_next(&walk, &key, first) &&
           cli_walk_next(&walk, &key, second) &&
           !cli_walk_next(&walk, &key, &third) && !walk.failed;
}

/* --- The order --- */

typedef struct placing {
    const replay_program *program;
    named *ids;
    bool *placed, rest;
    uint32_t *order, count;
} placing;

static bool put(placing *p, uint32_t task)
{
    if (p->placed[task])
        return false;
    p->placed[task] = true;
    p->order[p->count++] = task;
    return true;
}

static int compare_task(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A task behind all that must come before it and has no place yet, in program
   order; the order is the queue of what is to be looked at. */
static bool put_until(placing *p, uint32_t task)
{
    uint32_t begin = p->count;
    if (!put(p, task))
        return false;
    for (uint32_t i = begin; i < p->count; i++) {
        const replay_task *t = &p->program->tasks[p->order[i]];
        for (uint32_t k = 0; k < t->befores; k++)
            put(p, p->program->before[t->first_before + k]);
    }
    qsort(p->order + begin, p->count - begin, sizeof *p->order, compare_task);
    return true;
}

static bool put_part(placing *p, cli_span part)
{
    uint32_t n = p->program->task_count, from, to;
    cli_span first = part, last = part, until;
    if (cli_span_is(part, "\"rest\"")) {
        if (p->rest)
            return false;
        p->rest = true;
        for (uint32_t t = 0; t < n; t++)
            put(p, t);
        return true;
    }
    if (part.length > 0 && part.data[0] == '{')
        return cli_span_member(&until, part, "until") &&
               find_task(&to, p->ids, n, until) && put_until(p, to);
    if (part.length > 0 && part.data[0] == '[' &&
        !two_items(&first, &last, part))
        return false;
    if (!find_task(&from, p->ids, n, first) || !find_task(&to, p->ids, n, last))
        return false;
    for (uint32_t t = from; t <= to; t++)
        if (!put(p, t))
            return false;
    return from <= to;
}

static bool put_parts(placing *p, cli_span list, char *problem, size_t size)
{
    cli_walk walk;
    cli_span key, part;
    if (!cli_walk_array(&walk, list))
        return fail(problem, size, "an order is a list of task ids");
    while (cli_walk_next(&walk, &key, &part)) {
        if (put_part(p, part))
            continue;
        snprintf(problem, size,
                 "the order has %.*s, which is no task, or comes twice",
                 (int)(part.length < 40 ? part.length : 40), part.data);
        return false;
    }
    if (walk.failed)
        return fail(problem, size, "the order is no JSON");
    if (p->count == p->program->task_count)
        return true;
    snprintf(problem, size,
             "the order has %" PRIu32 " of %" PRIu32 " tasks that run",
             p->count, p->program->task_count);
    return false;
}

bool cli_witness_order(uint32_t *order, cli_span list,
                       const replay_program *program, char *problem,
                       size_t size)
{
    placing p = {.program = program, .ids = list_ids(program), .order = order};
    p.placed = calloc(program->task_count + (size_t)1, 1);
    bool ok = p.ids == NULL || p.placed == NULL
                  ? fail(problem, size, "out of memory")
                  : put_parts(&p, list, problem, size);
    free(p.ids);
    free(p.placed);
    return ok;
}

/* --- What is one memory --- */

static bool find_buffer(uint32_t *buffer, const oracle_document *d,
                        cli_span name)
{
    cli_text key = {0};
    bool found = false, is_text = cli_span_text(&key, name);
    for (uint32_t i = 0; is_text && !found && i < d->buffer_count; i++) {
        found = key.length == d->buffers[i].key.length &&
                (key.length == 0 ||
                 memcmp(key.data, d->buffers[i].key.data, key.length) == 0);
        *buffer = i;
    }
    cli_text_free(&key);
    return found;
}

static bool find_pair(replay_pair *pair, const oracle_document *d,
                      cli_span part)
{
    cli_span first, second;
    return two_items(&first, &second, part) &&
           find_buffer(&pair->a, d, first) && find_buffer(&pair->b, d, second);
}

bool cli_witness_together(replay_pairs *together, cli_span list,
                          const oracle_document *document, char *problem,
                          size_t size)
{
    cli_walk walk;
    cli_span key, part;
    replay_pairs all;
    replay_error error = {0};
    *together = (replay_pairs){.count = 0};
    if (replay_pairs_find(&all, document, &error) != REPLAY_OK)
        return fail(problem, size, error.message);
    bool ok = cli_walk_array(&walk, list);
    while (ok && cli_walk_next(&walk, &key, &part)) {
        ok = together->count < REPLAY_MOST_PAIRS &&
             find_pair(&together->list[together->count], document, part);
        together->count += ok;
    }
    return (ok && !walk.failed && together->count > 0 &&
            replay_pairs_hold(together, &all, document)) ||
           fail(problem, size,
                "'together' of the witness is a list of [key, key] of buffers "
                "that may be one memory");
}

/* --- What is left out --- */

/* False: all that the argument does happens in every run. */
static bool leave_out(bool *without, const replay_program *p, uint32_t task,
                      int64_t arg)
{
    const replay_task *t = &p->tasks[task];
    bool has_must = false, has_may = false;
    for (uint32_t i = 0; i < t->accesses; i++) {
        const replay_access *a = &p->accesses[t->first_access + i];
        if (arg >= 0 && a->arg != (uint32_t)arg)
            continue;
        has_must = has_must || a->force == REPLAY_MUST;
        if (a->force != REPLAY_MUST)
            without[t->first_access + i] = has_may = true;
    }
    return has_may || !has_must;
}

static bool leave_out_between(bool *without, const replay_program *p,
                              const named *ids, cli_span part)
{
    uint32_t from = 0, to = p->task_count, task;
    cli_span after, before;
    if (!cli_span_member(&after, part, "after") ||
        !cli_span_member(&before, part, "before"))
        return false;
    if (!cli_span_is(after, "null")) {
        if (!find_task(&task, ids, p->task_count, after))
            return false;
        from = task + 1;
    }
    if (!cli_span_is(before, "null") &&
        !find_task(&to, ids, p->task_count, before))
        return false;
    for (uint32_t t = from; t < to; t++)
        leave_out(without, p, t, -1);
    return true;
}

static bool leave_out_one(bool *without, const replay_program *p,
                          const named *ids, cli_span part, char *problem,
                          size_t size)
{
    cli_span first, second;
    uint32_t task;
    int64_t arg;
    if (!two_items(&first, &second, part) ||
        !find_task(&task, ids, p->task_count, first) ||
        !cli_span_int(&arg, second) || arg < 0 ||
        arg >= p->document->tasks[p->tasks[task].source].args)
        return false;
    if (leave_out(without, p, task, arg))
        return true;
    snprintf(problem, size,
             "'skipped' of the witness has argument %" PRId64
             " of task %" PRId64 ", and what that touches it always touches",
             arg, p->tasks[task].id);
    return false;
}

bool cli_witness_without(bool *without, cli_span list,
                         const replay_program *program, char *problem,
                         size_t size)
{
    cli_walk walk;
    cli_span key, part;
    named *ids = list_ids(program);
    bool ok = ids != NULL;
    if (!ok)
        return fail(problem, size, "out of memory");
    problem[0] = '\0';
    ok = cli_walk_array(&walk, list);
    while (ok && cli_walk_next(&walk, &key, &part))
        ok = part.length > 0 && part.data[0] == '{'
                 ? leave_out_between(without, program, ids, part)
                 : leave_out_one(without, program, ids, part, problem, size);
    free(ids);
    return (ok && !walk.failed) || problem[0] != '\0' ||
           fail(problem, size,
                "'skipped' of the witness is a list of [task, argument], or "
                "{\"after\": task, \"before\": task} with null for an end");
}
