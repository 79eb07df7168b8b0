#include "lint_stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lint_change.h"

/* So many changes between two stages are told. */
#define CHANGES ((size_t)1000)

typedef struct work {
    lint_stages *stages;
    cli_search search; /* all stages, program by program */
    size_t *program;   /* of each stage */
    const char *rules;
    bool color;
    lint_stage before; /* the last that was planned; found NULL: none */
    size_t current;    /* the program it is of */
} work;

/* --- Finding the stages --- */

static bool same_folder(const cli_found *a, const cli_found *b)
{
    const char *x = strrchr(a->path, '/'), *y = strrchr(b->path, '/');
    size_t m = x == NULL ? 0 : (size_t)(x - a->path);
    size_t n = y == NULL ? 0 : (size_t)(y - b->path);
    return m == n && memcmp(a->path, b->path, n) == 0;
}

/* Two dumps of one folder, one behind the other, have them once. */
static bool find_stages(work *w, const cli_search *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        size_t first = w->search.count;
        const cli_found *item = &programs->items[i];
        lint_stages_result *r = &w->stages->results[i];
        if (i > 0 && same_folder(item - 1, item)) {
            r->stages = r[-1].stages;
            continue;
        }
        if (item->problem == NULL)
            cli_search_add_stages(&w->search, item->path);
        r->stages = w->search.count - first;
        size_t *grown =
            reallocarray(w->program, w->search.count + 1, sizeof *w->program);
        if (grown == NULL || w->search.failed)
            return false;
        w->program = grown;
        for (size_t n = first; n < w->search.count; n++)
            w->program[n] = i;
    }
    return true;
}

/* --- Comparing --- */

static bool is_simplify(const lint_stage *stage)
{
    return cli_span_is(stage->pass, "Simplify");
}

/* Whether a stage is the certified one or a later one. */
static bool is_certified(const work *w, const lint_stage *stage)
{
    size_t last = 0;
    bool found = false;
    for (size_t i = 0; i < w->search.count; i++) {
        lint_stage other = {.found = &w->search.items[i]};
        const char *pass;
        if (w->program[i] != w->current)
            continue;
        cli_stage_parse(&other.number, &pass, other.found->path);
        other.pass = (cli_span){pass, strlen(pass) - 3};
        if (is_simplify(&other)) {
            last = i;
            found = true;
        }
    }
    return found && stage->found >= &w->search.items[last];
}

static bool tell(work *w, const lint_changes *changes, const lint_stage *after)
{
    lint_stages_result *r = &w->stages->results[w->current];
    cli_severity severity =
        is_certified(w, &w->before) ? CLI_ERROR : CLI_WARNING;
    for (size_t i = 0; i < changes->count && i < CHANGES; i++) {
        const lint_change *change = &changes->items[i];
        if (!lint_change_record(&r->changes, change, &w->before, after,
                                severity))
            return false;
        lint_change_print(&r->text, &r->changes, change, &w->before, after,
                          w->color);
    }
    if (changes->count > CHANGES) {
        r->changes.total += (int64_t)(changes->count - CHANGES);
        cli_text_printf(&r->text, "\n%zu more changes are not listed\n",
                        changes->count - CHANGES);
    }
    if (changes->partial)
        cli_text_put(&r->text, "\nthe order of further tasks was not "
                               "compared: too many edges differ\n");
    return !r->text.failed;
}

static bool compare(work *w, lint_stage *after)
{
    lint_changes changes;
    bool ok = lint_compare(&changes, &w->before.order, &after->order) &&
              tell(w, &changes, after);
    lint_changes_free(&changes);
    return ok;
}

/* --- Stages as they are planned --- */

static bool unplanned(work *w, const cli_case *c, const char *why)
{
    lint_stages_result *r = &w->stages->results[w->current];
    if (r->unplanned++ > 0)
        return true;
    cli_text_put(&r->why, c->found->name);
    if (c->count > 0 && c->findings[0].line > 0)
        cli_text_printf(&r->why, ":%lld", (long long)c->findings[0].line);
    cli_text_put(&r->why, ": ");
    cli_text_put(&r->why, why);
    return !r->why.failed;
}

static bool open_stage(lint_stage *stage, const cli_case *c)
{
    const char *pass;
    stage->found = c->found;
    cli_stage_parse(&stage->number, &pass, c->found->path);
    stage->pass = (cli_span){pass, strlen(pass) - 3};
    memcpy(stage->sha256, c->sha256, sizeof stage->sha256);
    cli_text_add(&stage->text, c->text.data, c->text.length);
    return !stage->text.failed &&
           lint_source_open(&stage->source,
                            (cli_span){stage->text.data, stage->text.length});
}

static bool take_stage(work *w, const cli_case *c)
{
    char problem[256];
    lint_stage after = {0};
    cli_span bundle = {c->bundle.data, c->bundle.length};
    if (!lint_order_read(&after.order, bundle, w->rules, problem,
                         sizeof problem)) {
        lint_stage_free(&after);
        return unplanned(w, c, problem);
    }
    bool ok = open_stage(&after, c) &&
              (w->before.found == NULL || compare(w, &after));
    lint_stage_free(&w->before);
    w->before = after;
    return ok;
}

static bool stage_done(void *context, const cli_case *c)
{
    work *w = context;
    size_t program = w->program[c->number - 1];
    if (program != w->current)
        lint_stage_free(&w->before);
    w->current = program;
    if (c->verdict >= CLI_REFUSED || c->bundle.length == 0)
        return unplanned(w, c, c->reason.length > 0 ? c->reason.data : "");
    return take_stage(w, c);
}

static bool stage_idle(void *context)
{
    (void)context;
    return true;
}

bool lint_stages_make(lint_stages *stages, const cli_search *programs,
                      const cli_options *options, bool color,
                      cli_batch_result *result)
{
    work w = {.stages = stages, .rules = options->rules, .color = color};
    cli_batch_options batch;
    cli_batch_calls calls = {stage_done, stage_idle, &w};
    cli_batch_options_set(&batch, options);
    batch.plan_only = true;
    batch.emit = "graph";
    *stages = (lint_stages){.count = programs->count};
    stages->results = calloc(programs->count + 1, sizeof *stages->results);
    result->failed = true;
    if (stages->results != NULL && find_stages(&w, programs))
        cli_batch_run(result, &w.search, &batch, &calls);
    lint_stage_free(&w.before);
    cli_search_free(&w.search);
    free(w.program);
    return !result->failed;
}

void lint_stages_free(lint_stages *stages)
{
    for (size_t i = 0; stages->results != NULL && i < stages->count; i++) {
        lint_stages_result *r = &stages->results[i];
        cli_case_clear(&r->changes);
        cli_text_free(&r->text);
        cli_text_free(&r->why);
    }
    free(stages->results);
    *stages = (lint_stages){0};
}
