#include "tell.h"

#include <inttypes.h>
#include <string.h>

#include "../input.h"

#define MOST_PARTS 64
#define SIGNATURE_DIGITS 16

static const oracle_task *task_of(const replay_program *p, uint32_t task)
{
    return &p->document->tasks[p->tasks[task].source];
}

static bool is_task(uint32_t task)
{
    return task != REPLAY_NONE && task != REPLAY_HOST;
}

/* --- The sentence --- */

static void put_task(cli_text *out, const replay_program *p, uint32_t task)
{
    const oracle_task *t = task_of(p, task);
    cli_text_printf(out, "task %" PRId64, t->id);
    if (t->name.length > 0)
        cli_text_printf(out, " \"%s\"", t->name.data);
}

static void put_reader(cli_text *out, const replay_program *p, uint32_t task)
{
    if (task == REPLAY_HOST)
        cli_text_put(out, "the host");
    else if (task == REPLAY_NONE)
        cli_text_put(out, "the caller");
    else
        put_task(out, p, task);
}

static void put_writer(cli_text *out, const replay_program *p, uint32_t task)
{
    if (task == REPLAY_NONE) {
        cli_text_put(out, "what was there before");
    } else {
        cli_text_put(out, "the write of ");
        put_reader(out, p, task);
    }
}

/* Of two writes of one task which; where one of several parts did it, that. */
static void put_own_write(cli_text *out, const replay_program *p,
                          uint32_t access)
{
    const replay_access *x = &p->accesses[access];
    if (x->arg == REPLAY_NONE)
        cli_text_put(out, "the write");
    else
        cli_text_printf(out, "the write of argument %" PRIu32, x->arg);
    if (x->part != REPLAY_NONE)
        cli_text_printf(out, " in part %" PRIu32, x->part);
}

/* Whether it is about all of a buffer of which nobody knows the size. */
static bool is_all(const replay_program *p, const replay_difference *d)
{
    const replay_buffer *b = &p->buffers[d->buffer];
    return !p->document->buffers[d->buffer].has_bytes && b->count > 0 &&
           d->begin == p->cell_begin[b->first] &&
           d->end == p->cell_end[b->first + b->count - 1];
}

static void put_bytes(cli_text *out, const replay_program *p,
                      const replay_difference *d)
{
    put_reader(out, p, d->task);
    cli_text_put(out, " reads ");
    if (!is_all(p, d))
        cli_text_printf(out, "bytes %" PRId64 " to %" PRId64 " of ", d->begin,
                        d->end - 1);
    cli_text_put(out, p->document->buffers[d->buffer].key.data);
}

/* Nobody's bytes: what is read there is what lies there. */
static void put_nothing(cli_text *out, const replay_difference *d)
{
    cli_text_put(out, d->sure ? ", which nobody has written by then, and gets "
                                "what happens to be there."
                              : ", which perhaps nobody has written by then, "
                                "and gets what happens to be there.");
}

static void put_writes(cli_text *out, const replay_program *p,
                       const replay_difference *d)
{
    bool same = is_task(d->seen) && d->seen == d->expected &&
                d->seen_access != REPLAY_NONE &&
                d->expected_access != REPLAY_NONE;
    cli_text_put(out, " and gets ");
    if (same)
        put_own_write(out, p, d->seen_access);
    else
        put_writer(out, p, d->seen);
    cli_text_put(out, " instead of ");
    if (same) {
        put_own_write(out, p, d->expected_access);
        cli_text_put(out, ", both of ");
        put_task(out, p, d->seen);
    } else {
        put_writer(out, p, d->expected);
    }
}

void cli_tell_difference(cli_text *out, const replay_program *program,
                         const replay_difference *d, const char *run)
{
    put_bytes(out, program, d);
    if (d->seen == REPLAY_NONE && d->expected == REPLAY_NONE) {
        put_nothing(out, d);
        return;
    }
    put_writes(out, program, d);
    cli_text_printf(out, ", when it is run %s", run);
    if (!d->sure)
        cli_text_put(out, "; whether it does so depends on which part of "
                          "their bytes tasks touch");
    cli_text_put(out, ".");
}

/* --- The record --- */

static void put_string(cli_text *out, const oracle_text *text)
{
    cli_text_json(out, text->data, text->length);
}

static const char *direction(oracle_dispatch dispatch)
{
    static const char *const names[] = {[ORACLE_INPUT] = "input",
                                        [ORACLE_OUTPUT] = "output",
                                        [ORACLE_OUTPUT_EXISTING] =
                                            "output_existing",
                                        [ORACLE_INOUT] = "inout",
                                        [ORACLE_NO_DEP] = "no_dep",
                                        [ORACLE_UNKNOWN_DISPATCH] = NULL};
    return names[dispatch];
}

static void put_arg(cli_text *out, const replay_program *p, uint32_t task,
                    uint32_t arg)
{
    const oracle_task *t = task_of(p, task);
    const char *name = NULL;
    if (arg == REPLAY_NONE) {
        name = t->has_predicate ? "predicate" : NULL;
    } else {
        cli_text_printf(out, "\"arg\":%" PRIu32 ",", arg);
        name = direction(p->document->args[t->first_arg + arg].dispatch);
    }
    if (t->core.present) {
        cli_text_put(out, "\"core\":");
        put_string(out, &t->core);
        cli_text_put(out, ",");
    }
    if (name != NULL)
        cli_text_printf(out, "\"direction\":\"%s\",", name);
}

static void put_end(cli_text *out, const char *name, const replay_program *p,
                    uint32_t task, uint32_t arg, bool has_arg)
{
    const oracle_task *t = task_of(p, task);
    cli_text_printf(out, "\"%s\":{", name);
    if (has_arg) {
        put_arg(out, p, task, arg);
    } else if (t->core.present) {
        cli_text_put(out, "\"core\":");
        put_string(out, &t->core);
        cli_text_put(out, ",");
    }
    if (t->line > 0)
        cli_text_printf(out, "\"line\":%" PRId64 ",", t->line);
    cli_text_put(out, "\"name\":");
    put_string(out, &t->name);
    cli_text_printf(out, ",\"task\":%" PRId64 "},", t->id);
}

static void put_id(cli_text *out, const char *name, const replay_program *p,
                   uint32_t task)
{
    cli_text_printf(out, "\"%s\":", name);
    if (is_task(task))
        cli_text_printf(out, "%" PRId64, p->tasks[task].id);
    else
        cli_text_put(out, task == REPLAY_HOST ? "\"host\"" : "null");
}

static bool put_parts(cli_text *out, const replay_program *p,
                      const uint32_t *order)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < p->task_count; parts++) {
        uint32_t last = i;
        while (last + 1 < p->task_count && order[last + 1] == order[last] + 1)
            last++;
        if (parts == MOST_PARTS)
            return false;
        cli_text_put(out, parts > 0 ? "," : "");
        if (last > i + 1) {
            cli_text_printf(out, "[%" PRId64 ",%" PRId64 "]",
                            p->tasks[order[i]].id, p->tasks[order[last]].id);
            i = last + 1;
        } else {
            cli_text_printf(out, "%" PRId64, p->tasks[order[i++]].id);
        }
    }
    return true;
}

bool cli_tell_order(cli_text *out, const replay_program *program,
                    const uint32_t *order)
{
    cli_text parts = {0};
    bool all = put_parts(&parts, program, order);
    if (all) {
        cli_text_put(out, "[");
        cli_text_add(out, parts.data, parts.length);
        cli_text_put(out, "]");
    }
    out->failed = out->failed || parts.failed;
    cli_text_free(&parts);
    return all;
}

static void put_choices(cli_text *out, const cli_told *told)
{
    const oracle_document *d = told->document;
    cli_text_put(out, "\"choices\":[");
    for (uint32_t i = 0; i < d->choice_count; i++)
        cli_text_printf(out, "%s{\"choice\":%" PRId64 ",\"is\":%s}",
                        i > 0 ? "," : "", d->choices[i].id,
                        told->choices == NULL || told->choices[i] ? "true"
                                                                  : "false");
    cli_text_put(out, "],");
}

static void put_symbols(cli_text *out, const cli_told *told,
                        const replay_program *p)
{
    const oracle_document *d = told->document;
    uint32_t values = 0;
    for (uint32_t i = 0; i < d->symbol_count; i++) {
        if (d->symbols[i].block)
            continue;
        cli_text_put(out, values++ > 0 ? "," : ",\"symbols\":{");
        put_string(out, &d->symbols[i].name);
        cli_text_printf(out, ":%" PRId64, p->symbols[i]);
    }
    cli_text_put(out, values > 0 ? "}" : "");
}

/* The task of an access: the last one that begins no later. */
static uint32_t task_with(const replay_program *p, uint32_t access)
{
    uint32_t from = 0, to = p->task_count;
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        if (p->tasks[middle].first_access <= access)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* What does not happen in the run, or must not: each argument once. */
static void put_without(cli_text *out, const cli_told *told,
                        const replay_program *p, const replay_difference *d)
{
    const bool *run = told->run == NULL ? NULL : told->run->without;
    uint32_t count = 0, last_task = REPLAY_NONE, last_arg = REPLAY_NONE, k = 0;
    bool any = d->without_count > 0 || run != NULL;
    for (uint32_t i = 0; any && i < p->access_count; i++) {
        uint32_t arg = p->accesses[i].arg;
        while (k < d->without_count && d->without[k] < i)
            k++;
        bool is_out = (run != NULL && run[i]) ||
                      (k < d->without_count && d->without[k] == i);
        if (arg == REPLAY_NONE || !is_out)
            continue;
        uint32_t task = task_with(p, i);
        if (task == last_task && arg == last_arg)
            continue;
        cli_text_printf(out, "%s[%" PRId64 ",%" PRIu32 "]",
                        count++ > 0 ? "," : ",\"skipped\":[", p->tasks[task].id,
                        arg);
        last_task = task;
        last_arg = arg;
    }
    cli_text_put(out, count > 0 ? "]" : "");
}

static void put_together(cli_text *out, const cli_told *told)
{
    const replay_pairs *all = told->together;
    const oracle_buffer *buffers = told->document->buffers;
    for (uint32_t i = 0; all != NULL && i < all->count; i++) {
        cli_text_put(out, i > 0 ? ",[" : ",\"together\":[[");
        put_string(out, &buffers[all->list[i].a].key);
        cli_text_put(out, ",");
        put_string(out, &buffers[all->list[i].b].key);
        cli_text_put(out, i + 1 < all->count ? "]" : "]]");
    }
}

/* What besides the order makes the run what it is. */
static void put_inside(cli_text *out, const replay_variant *run)
{
    if (run->inside_back || run->inside_forth)
        cli_text_printf(out, "\"inside\":\"%s\",",
                        run->inside_back ? "back" : "forth");
}

static void put_witness(cli_text *out, const cli_told *told,
                        const replay_program *p, const uint32_t *order,
                        const replay_difference *d)
{
    static const replay_variant plain = {.host_first = true};
    const replay_variant *run = told->run == NULL ? &plain : told->run;
    bool apart = told->document->has_plan && (run->own_places || !p->planned);
    cli_text_put(out, ",\"witness\":{");
    if (d != NULL) {
        cli_text_printf(out, "\"begin\":%" PRId64 ",\"buffer\":", d->begin);
        put_string(out, &p->document->buffers[d->buffer].key);
        cli_text_put(out, ",");
        put_choices(out, told);
        cli_text_printf(out, "\"end\":%" PRId64 ",", d->end);
        put_id(out, "expected_writer", p, d->expected);
        cli_text_put(out, run->fill != 0 ? ",\"fill\":1," : ",");
        put_inside(out, run);
    }
    if (order != NULL) {
        cli_text_put(out, "\"order\":");
        if (!cli_tell_order(out, p, order))
            cli_text_put(out, "null");
    }
    if (d != NULL) {
        cli_text_put(out, order != NULL ? "," : "");
        cli_text_put(out, apart ? "\"places\":\"own\"," : "");
        put_id(out, "reader", p, d->task);
        cli_text_put(out, ",");
        put_id(out, "seen_writer", p, d->seen);
        put_without(out, told, p, d);
        put_symbols(out, told, p);
        put_together(out, told);
    }
    cli_text_put(out, "}");
}

/* As the oracle signs programs: rule, cause, names, arguments, key class. */
static void sign(char signature[SIGNATURE_DIGITS + 1], const cli_told *told,
                 const replay_program *p, const replay_difference *d)
{
    cli_text text = {0};
    char hex[65] = "";
    cli_text_printf(&text, "1|%s|%s", told->rule,
                    told->cause == NULL ? "" : told->cause);
    if (d != NULL) {
        const char *key = p->document->buffers[d->buffer].key.data;
        size_t length = strcspn(key, ":");
        uint32_t ends[] = {d->task, d->expected, d->seen};
        for (int i = 0; i < 3; i++) {
            cli_text_put(&text, "|");
            if (is_task(ends[i]) && !told->generated)
                put_string(&text, &task_of(p, ends[i])->name);
            else if (!is_task(ends[i]))
                cli_text_put(&text, ends[i] == REPLAY_HOST ? "host" : "none");
        }
        if (key[length] == ':')
            cli_text_add(&text, key, length);
    }
    if (!text.failed && cli_sha256(hex, text.data, text.length))
        memcpy(signature, hex, SIGNATURE_DIGITS);
    signature[SIGNATURE_DIGITS] = '\0';
    cli_text_free(&text);
}

void cli_tell_record(cli_text *out, const cli_told *told,
                     const replay_program *program, const uint32_t *order,
                     const replay_difference *d)
{
    char signature[SIGNATURE_DIGITS + 1] = "";
    sign(signature, told, program, d);
    cli_text_printf(out, "{\"case\":\"%s\",", told->digest);
    if (told->cause != NULL)
        cli_text_printf(out, "\"cause\":\"%s\",", told->cause);
    if (d != NULL && is_task(d->task))
        put_end(out, "consumer", program, d->task, d->arg, true);
    cli_text_put(out, "\"message\":");
    cli_text_quote(out, told->message);
    cli_text_put(out, ",");
    if (d != NULL && is_task(d->seen))
        put_end(out, "producer", program, d->seen, 0, false);
    cli_text_printf(out,
                    "\"rule\":\"%s\",\"severity\":\"%s\",\"signature\":\"%s\"",
                    told->rule, told->severity, signature);
    if (d != NULL) {
        cli_text_printf(out,
                        ",\"storage\":{\"begin\":%" PRId64 ",\"end\":%" PRId64
                        ",\"key\":",
                        d->begin, d->end);
        put_string(out, &program->document->buffers[d->buffer].key);
        cli_text_put(out, "}");
    }
    if (d != NULL || order != NULL)
        put_witness(out, told, program, order, d);
    cli_text_put(out, "}");
}
