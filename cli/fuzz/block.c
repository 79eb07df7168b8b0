#include "block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fuzz_name cli_batch_name(const cli_batch_plan *plan, int64_t n)
{
    return (fuzz_name){
        .seed = (uint64_t)plan->seed,
        .stream = plan->kinds[(uint64_t)n % plan->kind_count],
        .index = (uint64_t)n / plan->kind_count,
    };
}

void cli_case_label(char label[40], const fuzz_name *name)
{
    snprintf(label, 40, "%s:%llu", fuzz_kind_name((fuzz_kind)name->stream),
             (unsigned long long)name->index);
}

static bool find_kind(fuzz_kind *kind, const char *name, size_t length)
{
    for (fuzz_kind k = 0; k < FUZZ_KINDS; k++) {
        const char *known = fuzz_kind_name(k);
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            *kind = k;
            return true;
        }
    }
    return false;
}

bool cli_case_label_read(fuzz_name *name, const char *label)
{
    fuzz_kind kind;
    const char *colon = strchr(label, ':');
    int64_t index;
    if (colon == NULL || !find_kind(&kind, label, (size_t)(colon - label)) ||
        !cli_span_int(&index, (cli_span){colon + 1, strlen(colon + 1)}) ||
        index < 0)
        return false;
    name->stream = kind;
    name->index = (uint64_t)index;
    return true;
}

static bool add_kind(cli_batch_plan *plan, const char *name, size_t length)
{
    fuzz_kind kind;
    if (!find_kind(&kind, name, length))
        return false;
    for (uint32_t i = 0; i < plan->kind_count; i++)
        if (plan->kinds[i] == kind)
            return false;
    plan->kinds[plan->kind_count++] = kind;
    return true;
}

bool cli_kinds_read(cli_batch_plan *plan, const char *list)
{
    plan->kind_count = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        if (!add_kind(plan, at, length))
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
}

void cli_kinds_all(cli_batch_plan *plan)
{
    fuzz_case c = {0};
    fuzz_limits limits = {.tasks = 2};
    plan->kind_count = 0;
    for (fuzz_kind kind = 0; kind < FUZZ_KINDS; kind++) {
        fuzz_name name = {.stream = kind};
        if (fuzz_case_make(&c, &name, &limits) == FUZZ_OK)
            plan->kinds[plan->kind_count++] = kind;
    }
    fuzz_case_free(&c);
}

/* --- The request --- */

void cli_block_put(cli_text *line, const cli_batch_plan *plan,
                   const cli_block *block)
{
    cli_text_printf(line, "{\"all\":%d,\"count\":%lld,\"digests\":%d,",
                    block->all, (long long)block->count, block->digests);
    cli_text_printf(line, "\"first\":%lld,\"id\":%lld,\"kind\":\"fuzz\",",
                    (long long)block->first, (long long)block->id);
    cli_text_put(line, "\"kinds\":\"");
    for (uint32_t i = 0; i < plan->kind_count; i++)
        cli_text_printf(line, "%s%s", i > 0 ? "," : "",
                        fuzz_kind_name(plan->kinds[i]));
    cli_text_printf(line, "\",\"memory\":%lld,\"mode\":\"%s\",",
                    (long long)plan->memory, plan->full ? "full" : "lean");
    if (plan->planner != NULL) {
        cli_text_put(line, "\"planner\":");
        cli_text_quote(line, plan->planner);
        cli_text_put(line, ",");
    }
    cli_text_printf(line,
                    "\"replay\":%lld,\"seed\":%lld,\"tasks\":%u,"
                    "\"timeout\":%lld}\n",
                    (long long)plan->replay, (long long)plan->seed, plan->tasks,
                    (long long)plan->timeout_ms);
}

static bool read_flag(bool *flag, cli_span value)
{
    int64_t number;
    if (!cli_span_int(&number, value))
        return false;
    *flag = number != 0;
    return true;
}

static bool read_kinds(cli_batch_plan *plan, cli_span value)
{
    cli_text list = {0};
    bool ok = cli_span_text(&list, value) && list.length > 0 &&
              cli_kinds_read(plan, list.data);
    cli_text_free(&list);
    return ok;
}

static bool read_tasks(cli_batch_plan *plan, cli_span value)
{
    int64_t number;
    if (!cli_span_int(&number, value) || number < 2 || number > 65536)
        return false;
    plan->tasks = (uint32_t)number;
    return true;
}

static bool read_member(cli_batch_plan *plan, cli_block *block,
                        cli_text *planner, cli_span key, cli_span value)
{
    const struct {
        const char *name;
        int64_t *number;
    } numbers[] = {
        {"id", &block->id},        {"first", &block->first},
        {"count", &block->count},  {"seed", &plan->seed},
        {"memory", &plan->memory}, {"timeout", &plan->timeout_ms},
        {"replay", &plan->replay},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (cli_span_is(key, numbers[i].name))
            return cli_span_int(numbers[i].number, value) &&
                   *numbers[i].number >= 0;
    if (cli_span_is(key, "all"))
        return read_flag(&block->all, value);
    if (cli_span_is(key, "digests"))
        return read_flag(&block->digests, value);
    if (cli_span_is(key, "tasks"))
        return read_tasks(plan, value);
    if (cli_span_is(key, "kinds"))
        return read_kinds(plan, value);
    if (cli_span_is(key, "mode"))
        plan->full = cli_span_is(value, "\"full\"");
    if (cli_span_is(key, "planner"))
        return cli_span_text(planner, value);
    return true;
}

bool cli_block_read(cli_batch_plan *plan, cli_block *block, cli_text *planner,
                    cli_span line)
{
    cli_walk walk;
    cli_span key, value;
    *plan = (cli_batch_plan){.seed = -1};
    *block = (cli_block){.id = -1, .first = -1};
    cli_text_clear(planner);
    if (!cli_walk_object(&walk, line))
        return false;
    while (cli_walk_next(&walk, &key, &value))
        if (!read_member(plan, block, planner, key, value))
            return false;
    if (planner->length > 0)
        plan->planner = planner->data;
    return !walk.failed && block->id >= 0 && block->first >= 0 &&
           block->count > 0 && block->count <= CLI_BLOCK_CASES &&
           block->first <= INT64_MAX - block->count && plan->seed >= 0 &&
           plan->kind_count > 0 && plan->tasks > 0 && plan->timeout_ms > 0 &&
           plan->memory > 0;
}
