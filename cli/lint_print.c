#include "lint_print.h"

#include <string.h>

#include "print.h"

/* Of a repeated finding so many further pairs are named. */
#define EXAMPLES ((size_t)3)

/* --- The parts of a message --- */

/* Messages about order read "what: why; fix." or "what: fix.". */
typedef struct sentence {
    cli_span what, why, fix; /* data NULL: there is none */
} sentence;

static bool tells_of_order(const char *rule)
{
    return strncmp(rule, "hazard.", 7) == 0 ||
           strcmp(rule, "predicate.stale") == 0 ||
           strcmp(rule, "graph.dead-dep") == 0;
}

static cli_span up_to(const char *from, const char *end)
{
    return (cli_span){from, (size_t)(end - from)};
}

static sentence split(const cli_finding *f)
{
    const char *message = f->message;
    const char *end = message + strlen(message);
    const char *times = strstr(message, " (one of ");
    if (times != NULL)
        end = times; /* put_times says it */
    else if (end > message && end[-1] == '.')
        end--;
    sentence s = {.what = up_to(message, end)};
    const char *colon = strstr(message, ": ");
    if (!tells_of_order(f->rule) || colon == NULL || colon + 2 >= end)
        return s;
    s.what = up_to(message, colon);
    const char *mark = strstr(colon + 2, "; ");
    if (mark == NULL || mark + 2 >= end) {
        s.fix = up_to(colon + 2, end);
    } else {
        s.why = up_to(colon + 2, mark);
        s.fix = up_to(mark + 2, end);
    }
    return s;
}

static void put_span(cli_text *out, cli_span span)
{
    cli_text copy = {0};
    cli_text_add(&copy, span.data, span.length);
    if (copy.data != NULL)
        cli_print_clean(out, copy.data);
    out->failed |= copy.failed;
    cli_text_free(&copy);
}

static void put_part(cli_text *out, const char *name, cli_span part)
{
    if (part.data == NULL)
        return;
    cli_text_printf(out, "  %s: ", name);
    put_span(out, part);
    cli_text_put(out, "\n");
}

/* --- Quotations --- */

/* "task 2, inout" */
static void label_end(cli_text *out, const lint_end *end)
{
    cli_text direction = {0};
    cli_text_printf(out, "task %lld", (long long)end->task);
    if (end->direction.data != NULL &&
        cli_span_text(&direction, end->direction) && direction.length > 0) {
        cli_text_put(out, ", ");
        cli_print_clean(out, direction.data);
    }
    out->failed |= direction.failed;
    cli_text_free(&direction);
}

static lint_mark mark_of(const lint_item *item, const lint_end *end,
                         cli_text *label)
{
    lint_mark mark = {.part = LINT_CALLEE};
    label_end(label, end);
    mark.label = label->data == NULL ? "" : label->data;
    if (end->arg >= 0) {
        mark.part = LINT_ARGUMENT;
        mark.index = end->arg;
    } else if (end->direction.data != NULL &&
               cli_span_is(end->direction, "\"predicate\"")) {
        mark.part = LINT_PREDICATE;
    } else if (strcmp(item->finding->rule, "graph.dead-dep") == 0) {
        mark.part = LINT_DEPS;
    }
    return mark;
}

static bool is_same_place(const lint_end *a, const lint_end *b)
{
    return a->arg >= 0 && a->arg == b->arg && a->direction.length > 0 &&
           a->direction.length == b->direction.length &&
           memcmp(a->direction.data, b->direction.data, a->direction.length) ==
               0;
}

/* Two iterations of one statement: it is quoted once. */
static void quote_one_line(cli_text *out, const lint_source *source,
                           const lint_item *item)
{
    cli_text labels[2] = {{0}, {0}}, both = {0};
    lint_mark marks[2] = {mark_of(item, &item->producer, &labels[0]),
                          mark_of(item, &item->consumer, &labels[1])};
    size_t count = 2;
    if (is_same_place(&item->producer, &item->consumer)) {
        cli_text_printf(&both, "task %lld and ",
                        (long long)item->producer.task);
        label_end(&both, &item->consumer);
        marks[0].label = both.data == NULL ? "" : both.data;
        count = 1;
    }
    lint_source_quote(out, source, item->consumer.line, marks, count);
    cli_text_free(&labels[0]);
    cli_text_free(&labels[1]);
    cli_text_free(&both);
}

static void quote_end(cli_text *out, const lint_source *source,
                      const lint_item *item, const lint_end *end)
{
    cli_text label = {0};
    if (!end->present || end->line == 0)
        return;
    lint_mark mark = mark_of(item, end, &label);
    lint_source_quote(out, source, end->line, &mark, 1);
    cli_text_free(&label);
}

static void put_function(cli_text *out, const lint_source *source, int64_t line)
{
    cli_span name;
    if (!lint_source_function(&name, source, line))
        return;
    cli_text_put(out, "  in ");
    put_span(out, name);
    cli_text_put(out, ":\n");
}

/* In the order of the lines, so that it reads as the program does. */
static void quote(cli_text *out, const lint_source *source,
                  const lint_item *item)
{
    const lint_end *first = &item->producer, *second = &item->consumer;
    int64_t line = item->finding->line;
    if (line > 0)
        put_function(out, source, line);
    if (!first->present && !second->present) {
        lint_mark mark = {LINT_COLUMN, item->column, ""};
        lint_source_quote(out, source, line, &mark, 1);
    } else if (first->present && second->present &&
               first->line == second->line) {
        quote_one_line(out, source, item);
    } else {
        bool turned = first->line > second->line;
        quote_end(out, source, item, turned ? second : first);
        quote_end(out, source, item, turned ? first : second);
    }
}

/* --- Blocks --- */

static void put_example(cli_text *out, const lint_item *item)
{
    if (item->producer.present && item->consumer.present)
        cli_text_printf(out, "%lld and %lld", (long long)item->producer.task,
                        (long long)item->consumer.task);
    else
        cli_text_printf(out, "%lld",
                        (long long)(item->consumer.present
                                        ? item->consumer.task
                                        : item->producer.task));
}

/* "8 times in all, also: tasks 2 and 3, 4 and 5, ..." */
static void put_times(cli_text *out, const lint_groups *groups,
                      const lint_group *group)
{
    if (group->times < 2)
        return;
    const lint_item *items = &groups->items[group->first];
    bool named = items[0].producer.present || items[0].consumer.present;
    cli_text_printf(out, "  %lld times in all", (long long)group->times);
    for (size_t i = 1; named && i < group->count && i <= EXAMPLES; i++) {
        cli_text_put(out, i == 1 ? ": also tasks " : ", ");
        put_example(out, &items[i]);
    }
    cli_text_put(out, named && group->count > EXAMPLES + 1 ? ", ...\n" : "\n");
}

static void put_group(cli_text *out, const lint_groups *groups,
                      const lint_group *group, const char *path,
                      const lint_source *source, bool color)
{
    const lint_item *item = &groups->items[group->first];
    sentence s = split(item->finding);
    cli_print_head(out, path, item->finding, color);
    put_span(out, s.what);
    cli_text_put(out, "\n");
    if (source != NULL)
        quote(out, source, item);
    put_part(out, "why", s.why);
    put_part(out, "fix", s.fix);
    if (group->mends > 0)
        cli_text_printf(out, "  this dep%s %zu of the other findings too\n",
                        group->sampled ? ", in every iteration, should order"
                                       : " orders",
                        group->mends);
    put_times(out, groups, group);
}

size_t lint_print_groups(cli_text *out, const lint_groups *groups,
                         const char *path, const lint_source *source,
                         cli_severity least, bool color)
{
    size_t shown = 0;
    for (size_t n = 0; n < groups->group_count; n++) {
        const lint_group *group = &groups->groups[n];
        if (groups->items[group->first].finding->severity < least)
            continue;
        cli_text_put(out, shown++ > 0 ? "\n" : "");
        put_group(out, groups, group, path, source, color);
    }
    return shown;
}
