#include "lint_change.h"

#include <stdio.h>
#include <string.h>

#include "input.h"
#include "print.h"

static const char *const causes[LINT_ASPECTS] = {
    [LINT_TASKS] = "tasks",         [LINT_SCOPE] = "scope",
    [LINT_DIRECTION] = "direction", [LINT_DEP] = "dep",
    [LINT_EDGES] = "order",
};

void lint_stage_free(lint_stage *stage)
{
    lint_order_close(&stage->order);
    lint_source_close(&stage->source);
    cli_text_free(&stage->text);
    *stage = (lint_stage){0};
}

static const oracle_task *task_of(const lint_stage *stage, uint32_t task)
{
    return task == LINT_NONE ? NULL : &stage->order.document.tasks[task];
}

static const oracle_arg *arg_of(const lint_stage *stage, uint32_t task,
                                uint32_t arg)
{
    const oracle_document *d = &stage->order.document;
    return arg == LINT_NONE ? NULL : &d->args[d->tasks[task].first_arg + arg];
}

static const char *direction_of(const oracle_arg *arg)
{
    static const char *const names[] = {
        [ORACLE_INPUT] = "input",
        [ORACLE_OUTPUT] = "output",
        [ORACLE_OUTPUT_EXISTING] = "output_existing",
        [ORACLE_INOUT] = "inout",
        [ORACLE_NO_DEP] = "no_dep",
        [ORACLE_UNKNOWN_DISPATCH] = "unknown",
    };
    return names[arg->dispatch];
}

/* --- Messages --- */

static void put_task(cli_text *out, const oracle_task *task)
{
    cli_text_printf(out, "task %lld \"", (long long)task->id);
    cli_text_add(out, task->name.data, task->name.length);
    cli_text_put(out, "\"");
}

static void put_argument(cli_text *out, const lint_change *change,
                         const lint_stage *before, const lint_stage *after)
{
    const oracle_arg *a = arg_of(before, change->before, change->arg_before);
    const oracle_arg *b = arg_of(after, change->after, change->arg_after);
    uint32_t arg = b != NULL ? change->arg_after : change->arg_before;
    cli_text_printf(out, "argument %u of ", (unsigned)arg);
    put_task(out, task_of(after, change->after));
    if (a == NULL)
        cli_text_put(out, " is new");
    else if (b == NULL)
        cli_text_put(out, " is gone");
    else if (a->dispatch != b->dispatch)
        cli_text_printf(out, " was dispatched as %s and is as %s",
                        direction_of(a), direction_of(b));
    else
        cli_text_printf(out, " is %s of a manual_dep tensor",
                        b->manual_dep ? "now" : "no longer");
}

static void put_dep(cli_text *out, const lint_change *change,
                    const lint_stage *after)
{
    put_task(out, task_of(after, change->after));
    if (change->other_after == LINT_NONE) {
        cli_text_printf(out, " %s an invalid dep",
                        change->lost ? "lost" : "got");
        return;
    }
    cli_text_put(out, change->lost ? " lost its dep on " : " got a dep on ");
    put_task(out, task_of(after, change->other_after));
    if (!change->followed)
        return;
    if (change->lost)
        cli_text_put(out, change->ordered ? ", which other edges still order"
                                          : ", and nothing orders the two now");
    else
        cli_text_put(out, change->ordered ? ", which was ordered before"
                                          : ", and nothing ordered the two");
}

static void put_edge(cli_text *out, const lint_change *change,
                     const lint_stage *after)
{
    put_task(out, task_of(after, change->after));
    cli_text_put(out,
                 change->lost ? " waits no longer for " : " waits now for ");
    put_task(out, task_of(after, change->other_after));
}

static void put_scope(cli_text *out, const lint_change *change,
                      const lint_stage *after)
{
    bool one = change->times == 1;
    if (!one)
        cli_text_printf(out, "%zu tasks, from ", change->times);
    put_task(out, task_of(after, change->after));
    if (!one) {
        cli_text_put(out, " to ");
        put_task(out, task_of(after, change->other_after));
        cli_text_put(out, ",");
    }
    cli_text_printf(
        out, " %s in %s scope and %s in %s one", one ? "was" : "were",
        change->lost ? "a manual" : "an automatic", one ? "is" : "are",
        change->lost ? "an automatic" : "a manual");
}

static void put_what(cli_text *out, const lint_change *change,
                     const lint_stage *before, const lint_stage *after)
{
    const oracle_task *old = task_of(before, change->before);
    const oracle_task *new = task_of(after, change->after);
    switch (change->aspect) {
    case LINT_TASKS:
        put_task(out, new == NULL ? old : new);
        cli_text_put(out, new == NULL ? " is gone" : " is new");
        break;
    case LINT_SCOPE:
        put_scope(out, change, after);
        break;
    case LINT_DIRECTION:
        put_argument(out, change, before, after);
        break;
    case LINT_DEP:
        put_dep(out, change, after);
        break;
    case LINT_EDGES:
    case LINT_ASPECTS:
        put_edge(out, change, after);
        break;
    }
}

static void put_stage(cli_text *out, const lint_stage *stage)
{
    cli_text_printf(out, "%lld ", (long long)stage->number);
    cli_text_add(out, stage->pass.data, stage->pass.length);
}

/* "between 45 Simplify and 49 Other: what" */
static void put_message(cli_text *out, const lint_change *change,
                        const lint_stage *before, const lint_stage *after)
{
    cli_text_put(out, "between ");
    put_stage(out, before);
    cli_text_put(out, " and ");
    put_stage(out, after);
    cli_text_put(out, " ");
    put_what(out, change, before, after);
}

/* --- Records --- */

static void put_end(cli_text *out, const char *name, const lint_stage *stage,
                    uint32_t t, uint32_t arg)
{
    const oracle_task *task = task_of(stage, t);
    if (task == NULL)
        return;
    cli_text_printf(out, "\"%s\":{", name);
    if (arg != LINT_NONE)
        cli_text_printf(out, "\"arg\":%u,\"direction\":\"%s\",", (unsigned)arg,
                        direction_of(arg_of(stage, t, arg)));
    if (task->line > 0)
        cli_text_printf(out, "\"line\":%lld,", (long long)task->line);
    cli_text_put(out, "\"name\":");
    cli_text_json(out, task->name.data, task->name.length);
    cli_text_printf(out, ",\"task\":%lld},", (long long)task->id);
}

static void put_stages(cli_text *out, const lint_change *change,
                       const lint_stage *before, const lint_stage *after)
{
    const oracle_task *old = task_of(before, change->before);
    cli_text_put(out, ",\"stages\":{\"after\":");
    cli_text_quote(out, after->found->name);
    cli_text_put(out, ",\"before\":");
    cli_text_quote(out, before->found->name);
    if (old != NULL && old->line > 0)
        cli_text_printf(out, ",\"line\":%lld", (long long)old->line);
    cli_text_put(out, "}}");
}

/* The same change in a hundred programs has one signature. */
static bool sign(char hex[65], const lint_change *change,
                 const lint_stage *before, const lint_stage *after)
{
    cli_text text = {0};
    const oracle_task *task = task_of(after, change->after);
    if (task == NULL)
        task = task_of(before, change->before);
    cli_text_printf(&text, "signature/1\ndiff.stage\n%s\n",
                    causes[change->aspect]);
    cli_text_add(&text, after->pass.data, after->pass.length);
    cli_text_put(&text, "\n");
    cli_text_add(&text, task->name.data, task->name.length);
    bool ok = !text.failed && cli_sha256(hex, text.data, text.length);
    cli_text_free(&text);
    hex[16] = '\0';
    return ok;
}

bool lint_change_record(cli_case *c, const lint_change *change,
                        const lint_stage *before, const lint_stage *after,
                        cli_severity severity)
{
    char signature[65];
    cli_text out = {0}, message = {0};
    if (!sign(signature, change, before, after))
        return false;
    put_message(&message, change, before, after);
    cli_text_printf(&out, "{\"case\":\"%s\",\"cause\":\"%s\",", after->sha256,
                    causes[change->aspect]);
    put_end(&out, "consumer", after, change->after, change->arg_after);
    if (change->times > 1)
        cli_text_printf(&out, "\"count\":%zu,", change->times);
    cli_text_put(&out, "\"message\":");
    cli_text_json(&out, message.data, message.length);
    cli_text_put(&out, ",");
    if (change->aspect != LINT_SCOPE)
        put_end(&out, "producer", after, change->other_after, LINT_NONE);
    cli_text_printf(&out,
                    "\"rule\":\"diff.stage\",\"severity\":\"%s\","
                    "\"signature\":\"%s\"",
                    cli_severity_name(severity), signature);
    put_stages(&out, change, before, after);
    bool ok = !out.failed && !message.failed &&
              cli_case_add_record(c, (cli_span){out.data, out.length});
    cli_text_free(&out);
    cli_text_free(&message);
    return ok;
}

/* --- Blocks --- */

/* What is pointed at in a stage: the argument, with its direction, or ... */
static lint_mark mark_of(const lint_change *change, const lint_stage *stage,
                         uint32_t task, uint32_t arg)
{
    lint_mark mark = {.part = LINT_CALLEE, .label = ""};
    if (change->aspect == LINT_DEP)
        mark.part = LINT_DEPS;
    if (arg == LINT_NONE)
        return mark;
    mark.part = LINT_ARGUMENT;
    mark.index = arg;
    mark.label = direction_of(arg_of(stage, task, arg));
    return mark;
}

/* "in 45_after_Simplify.py, main:" */
static void put_place(cli_text *out, const lint_stage *stage, int64_t line)
{
    cli_span name;
    cli_text_put(out, "  in ");
    cli_print_clean(out, stage->found->name);
    if (lint_source_function(&name, &stage->source, line)) {
        cli_text_put(out, ", ");
        cli_text_add(out, name.data, name.length);
    }
    cli_text_put(out, ":\n");
}

/* The task that is waited for, above the one that waits. */
static void quote_other(cli_text *out, const lint_stage *stage, uint32_t other)
{
    char label[32];
    const oracle_task *task = task_of(stage, other);
    if (task == NULL)
        return;
    snprintf(label, sizeof label, "task %lld", (long long)task->id);
    lint_mark mark = {.part = LINT_CALLEE, .label = label};
    lint_source_quote(out, &stage->source, task->line, &mark, 1);
}

static void quote(cli_text *out, const lint_change *change,
                  const lint_stage *stage, uint32_t t, uint32_t arg,
                  uint32_t other)
{
    const oracle_task *task = task_of(stage, t);
    if (task == NULL || task->line == 0)
        return;
    lint_mark mark = mark_of(change, stage, t, arg);
    put_place(out, stage, task->line);
    if (change->aspect == LINT_DEP || change->aspect == LINT_EDGES)
        quote_other(out, stage, other);
    lint_source_quote(out, &stage->source, task->line, &mark, 1);
}

void lint_change_print(cli_text *out, const cli_case *c,
                       const lint_change *change, const lint_stage *before,
                       const lint_stage *after, bool color)
{
    const cli_finding *f = &c->findings[c->count - 1];
    cli_text_put(out, out->length > 0 ? "\n" : "");
    cli_print_head(out, after->found->path, f, color);
    cli_print_clean(out, f->message);
    cli_text_put(out, "\n");
    quote(out, change, before, change->before, change->arg_before,
          change->other_before);
    quote(out, change, after, change->after, change->arg_after,
          change->other_after);
    if (change->times > 1 && change->aspect != LINT_SCOPE)
        cli_text_printf(out, "  %zu times in all\n", change->times);
}
