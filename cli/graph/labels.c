#include "labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_ARGUMENTS 64
#define MOST_REASONS 20
#define MOST_CHOICES 20
#define NAME_COLUMNS 200
#define MESSAGE_COLUMNS 1000

/* --- Visible text --- */

/* One character as it is shown, in `shown`; its columns. */
static size_t show(char shown[16], size_t *used, const char *data,
                   size_t length)
{
    uint32_t c;
    size_t size = cli_utf8_decode(&c, data, length);
    *used = size > 0 ? size : 1;
    if (size == 0 || cli_is_hidden(c)) {
        unsigned point = size > 0 ? c : 0xfffd;
        return (size_t)snprintf(shown, 16,
                                point > 0xffff ? "\\U%06x" : "\\u%04x", point);
    }
    memcpy(shown, data, size);
    shown[size] = '\0';
    return size == 1 ? 1 : 2;
}

/* Up to `most`, which ends the count. */
static size_t count_columns(const char *data, size_t length, size_t most)
{
    char shown[16];
    size_t columns = 0, used;
    for (size_t at = 0; at < length && columns < most; at += used)
        columns += show(shown, &used, data + at, length - at);
    return columns;
}

size_t picture_columns(const char *data, size_t length)
{
    return count_columns(data, length, SIZE_MAX);
}

/* Adds what fits into the columns. */
static void put_part(cli_text *out, const char *data, size_t length,
                     size_t columns)
{
    char shown[16];
    size_t used, all = 0;
    for (size_t at = 0; at < length; at += used) {
        all += show(shown, &used, data + at, length - at);
        if (all > columns)
            return;
        cli_text_put(out, shown);
    }
}

/*
 * The first byte of the longest end that has at most so many columns, found
 * from the last bytes alone: a character has at most four of them.
 */
static size_t tail_start(const char *data, size_t length, size_t columns)
{
    char shown[16];
    size_t used, at = length > 4 * columns ? length - 4 * columns : 0;
    while (at < length && ((unsigned char)data[at] & 0xc0) == 0x80)
        at++;
    size_t total = picture_columns(data + at, length - at);
    for (; total > columns; at += used)
        total -= show(shown, &used, data + at, length - at);
    return at;
}

void picture_put_text(cli_text *out, const char *data, size_t length,
                      size_t columns)
{
    if (count_columns(data, length, columns + 1) <= columns) {
        put_part(out, data, length, columns);
        return;
    }
    size_t tail = (columns - 2) / 2;
    size_t start = tail_start(data, length, tail);
    put_part(out, data, length, columns - 2 - tail);
    cli_text_put(out, "\xe2\x80\xa6");
    put_part(out, data + start, length - start, tail);
}

static void put_oracle_text(cli_text *out, oracle_text text, size_t columns)
{
    picture_put_text(out, text.data, text.length, columns);
}

void picture_clear(cli_text *part, cli_text *whole)
{
    whole->failed = whole->failed || part->failed;
    cli_text_clear(part);
}

/* --- Tasks --- */

static const oracle_task *task_of(const picture *p, uint32_t node)
{
    return &p->document->tasks[p->nodes[node].task];
}

void picture_put_name(cli_text *out, const picture *p, uint32_t node,
                      size_t columns)
{
    const oracle_task *task = task_of(p, node);
    cli_text_printf(out, "%" PRId64, task->id);
    if (task->name.length == 0)
        return;
    cli_text_put(out, " ");
    put_oracle_text(out, task->name, columns);
}

void picture_put_place(cli_text *out, const picture *p, uint32_t node)
{
    const oracle_task *task = task_of(p, node);
    const char *mark = "";
    if (task->line > 0) {
        cli_text_printf(out, "line %" PRId64, task->line);
        mark = " ";
    }
    if (task->core.length > 0) {
        cli_text_put(out, mark);
        put_oracle_text(out, task->core, 12);
        mark = " ";
    }
    if (task->blocks > 1)
        cli_text_printf(out, "%s\xc3\x97%" PRId64, mark, task->blocks);
}

static void put_choice(cli_text *out, const picture *p, const oracle_when *when)
{
    const oracle_choice *choice = &p->document->choices[when->choice];
    cli_text_put(out, when->is ? "" : "not ");
    put_oracle_text(out, choice->kind, NAME_COLUMNS);
    cli_text_put(out, choice->kind.length > 0 ? " " : "");
    if (choice->text.length > 0)
        put_oracle_text(out, choice->text, NAME_COLUMNS);
    else
        cli_text_printf(out, "choice %" PRId64, choice->id);
}

static void put_choices(cli_text *out, const picture *p, uint32_t first,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count && i < MOST_CHOICES; i++) {
        cli_text_put(out, i > 0 ? ", " : "");
        put_choice(out, p, &p->document->whens[first + i]);
    }
    if (count > MOST_CHOICES)
        cli_text_put(out, ", ...");
}

void picture_put_condition(cli_text *out, const picture *p, uint32_t node,
                           size_t columns)
{
    const oracle_task *task = task_of(p, node);
    cli_text whole = {0};
    put_choices(&whole, p, task->first_when, task->whens);
    if (task->has_predicate) {
        cli_text_put(&whole, task->whens > 0 ? ", predicate" : "predicate");
        if (task->predicate_formed) {
            const oracle_document *d = p->document;
            cli_text_put(&whole, " ");
            put_oracle_text(&whole, d->buffers[task->predicate_buffer].key,
                            NAME_COLUMNS);
            cli_text_put(&whole, " ");
            put_oracle_text(&whole, task->predicate_test->op, NAME_COLUMNS);
            cli_text_printf(&whole, " %" PRId64, task->predicate_test->value);
        }
    }
    if (whole.length > 0)
        picture_put_text(out, whole.data, whole.length, columns);
    out->failed = out->failed || whole.failed;
    cli_text_free(&whole);
}

static const char *dispatch_name(oracle_dispatch dispatch)
{
    switch (dispatch) {
    case ORACLE_INPUT:
        return "input";
    case ORACLE_OUTPUT:
        return "output";
    case ORACLE_OUTPUT_EXISTING:
        return "output_existing";
    case ORACLE_INOUT:
        return "inout";
    case ORACLE_NO_DEP:
        return "no_dep";
    case ORACLE_UNKNOWN_DISPATCH:
        break;
    }
    return "unknown direction";
}

static const char *mode_name(oracle_mode mode)
{
    switch (mode) {
    case ORACLE_READ:
        return "reads";
    case ORACLE_WRITE:
        return "writes";
    case ORACLE_READ_WRITE:
        return "reads and writes";
    case ORACLE_ACCUMULATE:
        break;
    }
    return "accumulates";
}

static void put_span(cli_text *out, const picture *p, const oracle_arg *arg,
                     const oracle_access *access)
{
    const oracle_document *d = p->document;
    oracle_place place = {arg->buffer, arg->view};
    if (access != NULL)
        place = oracle_access_place(arg, access);
    oracle_span span = oracle_place_span(d, place);
    int64_t start = d->buffers[arg->buffer].storage_at;
    if (span.bounded && span.begin >= start)
        cli_text_printf(out, " [%" PRId64 ", %" PRId64 ")", span.begin - start,
                        span.end - start);
}

static void put_accesses(cli_text *out, const picture *p, const oracle_arg *arg)
{
    if (!arg->has_access) {
        cli_text_put(out, ": access unknown");
        put_span(out, p, arg, NULL);
    }
    for (uint32_t i = 0; arg->has_access && i < arg->accesses; i++) {
        const oracle_access *access =
            &p->document->accesses[arg->first_access + i];
        cli_text_printf(out, "%s %s", i > 0 ? "," : ":",
                        mode_name(access->mode));
        put_span(out, p, arg, access);
        if (!access->exact)
            cli_text_put(out, " at most");
        if (!access->must)
            cli_text_put(out, " perhaps");
    }
}

static void put_argument(cli_text *out, const picture *p, uint32_t number,
                         const oracle_arg *arg)
{
    cli_text_printf(out, "\narg %" PRIu32 ": ", number);
    if (arg->kind == ORACLE_ARG_SCALAR) {
        cli_text_put(out, "scalar ");
        put_oracle_text(out, arg->scalar, 60);
        return;
    }
    const oracle_buffer *buffer = &p->document->buffers[arg->buffer];
    cli_text_printf(out, "%s ", dispatch_name(arg->dispatch));
    put_oracle_text(out, buffer->key, NAME_COLUMNS);
    if (arg->dtype.length > 0) {
        cli_text_put(out, " ");
        put_oracle_text(out, arg->dtype, NAME_COLUMNS);
    }
    if (arg->manual_dep || buffer->manual_dep)
        cli_text_put(out, " manual_dep");
    put_accesses(out, p, arg);
}

static void put_flags(cli_text *out, const oracle_task *task)
{
    if (task->sync_start)
        cli_text_put(out, "\nsync_start: all blocks start together");
    if (task->early)
        cli_text_put(out, "\nallow_early_resolve");
}

static void put_lost_deps(cli_text *out, const picture *p,
                          const oracle_task *task)
{
    for (uint32_t i = 0; i < task->deps; i++) {
        const oracle_dep *dep = &p->document->deps[task->first_dep + i];
        if (dep->cause != ORACLE_DEP_DEAD && dep->cause != ORACLE_DEP_REUSED)
            continue;
        cli_text_put(out, "\ndep ");
        put_oracle_text(out, dep->name, NAME_COLUMNS);
        cli_text_put(out, dep->cause == ORACLE_DEP_DEAD
                              ? " holds no task"
                              : " was overwritten by a later task");
    }
}

void picture_put_task(cli_text *out, const picture *p, uint32_t node)
{
    const oracle_task *task = task_of(p, node);
    const picture_node *n = &p->nodes[node];
    cli_text_put(out, "task ");
    picture_put_name(out, p, node, NAME_COLUMNS);
    cli_text line = {0};
    picture_put_place(&line, p, node);
    if (line.length > 0) {
        cli_text_put(out, "\n");
        cli_text_put(out, line.data);
    }
    picture_clear(&line, out);
    picture_put_condition(&line, p, node, MESSAGE_COLUMNS);
    if (line.length > 0) {
        cli_text_put(out, "\n");
        cli_text_put(out, line.data);
    }
    out->failed = out->failed || line.failed;
    cli_text_free(&line);
    put_flags(out, task);
    put_lost_deps(out, p, task);
    for (uint32_t i = 0; i < task->args && i < MOST_ARGUMENTS; i++)
        put_argument(out, p, i, &p->document->args[task->first_arg + i]);
    if (task->args > MOST_ARGUMENTS)
        cli_text_printf(out, "\n%" PRIu32 " more arguments",
                        task->args - MOST_ARGUMENTS);
    for (uint32_t i = 0; i < n->remarks; i++) {
        const cli_finding *f = p->remarks[n->first_remark + i].finding;
        cli_text_printf(out, "\n%s: ", f->rule);
        picture_put_text(out, f->message, strlen(f->message), MESSAGE_COLUMNS);
    }
}

/* --- Lines --- */

static const char *source_label(picture_class class)
{
    switch (class) {
    case PICTURE_EXPLICIT:
        return "explicit dep";
    case PICTURE_RECORDED:
        return "recorded";
    case PICTURE_POLICY:
        return "policy";
    default:
        return "automatic";
    }
}

static void put_reason(cli_text *out, const picture *p, const picture_reason *r)
{
    if (r->finding != NULL) {
        cli_text_put(out, r->finding->rule);
        cli_text_put(out, ": ");
        picture_put_text(out, r->finding->message, strlen(r->finding->message),
                         MESSAGE_COLUMNS);
        return;
    }
    cli_text_put(out, source_label(r->class));
    if (r->dep != NULL) {
        cli_text_put(out, r->dep->whens > 0 ? ", " : "");
        put_choices(out, p, r->dep->first_when, r->dep->whens);
        return;
    }
    if (r->edge->kind.length > 0) {
        cli_text_put(out, ": ");
        put_oracle_text(out, r->edge->kind, NAME_COLUMNS);
    }
    if (r->edge->from_arg != ORACLE_NONE && r->edge->to_arg != ORACLE_NONE)
        cli_text_printf(out, ", argument %" PRIu32 " to argument %" PRIu32,
                        r->edge->from_arg, r->edge->to_arg);
    if (!r->certain)
        cli_text_put(out, ", only where the views meet");
}

void picture_put_reasons(cli_text *out, const picture *p,
                         const picture_line *line)
{
    picture_put_name(out, p, line->from, 40);
    cli_text_put(out, " \xe2\x86\x92 ");
    picture_put_name(out, p, line->to, 40);
    for (uint32_t i = 0; i < line->count && i < MOST_REASONS; i++) {
        cli_text_put(out, "\n");
        put_reason(out, p, &p->reasons[line->first + i]);
    }
    if (line->count > MOST_REASONS)
        cli_text_printf(out, "\n%" PRIu32 " more", line->count - MOST_REASONS);
    if (line->redundant)
        cli_text_put(out, "\nredundant: another path gives this order too");
}

void picture_put_hazard(cli_text *out, const picture *p,
                        const picture_line *line, size_t columns)
{
    cli_text whole = {0};
    const cli_finding *f = p->reasons[line->first].finding;
    cli_text_printf(&whole, "%s %" PRId64 " \xe2\x86\x92 %" PRId64 ": ",
                    f->rule, task_of(p, line->from)->id,
                    task_of(p, line->to)->id);
    cli_text_put(&whole, f->message);
    picture_put_text(out, whole.data, whole.length, columns);
    out->failed = out->failed || whole.failed;
    cli_text_free(&whole);
}

void picture_put_remark(cli_text *out, const picture *p, uint32_t node,
                        uint32_t number, size_t columns)
{
    cli_text whole = {0};
    const picture_node *n = &p->nodes[node];
    const cli_finding *f = p->remarks[n->first_remark + number].finding;
    cli_text_printf(&whole, "%s %" PRId64 ": ", f->rule, task_of(p, node)->id);
    cli_text_put(&whole, f->message);
    picture_put_text(out, whole.data, whole.length, columns);
    out->failed = out->failed || whole.failed;
    cli_text_free(&whole);
}

/* --- The whole --- */

static void put_count(cli_text *out, uint32_t count, const char *what)
{
    cli_text_printf(out, "%" PRIu32 " %s%s", count, what,
                    count == 1 ? "" : "s");
}

void picture_put_counts(cli_text *out, const picture *p)
{
    put_count(out, p->node_count, "task");
    cli_text_put(out, ", ");
    put_count(out, p->edges, "edge");
    if (p->redundant > 0)
        cli_text_printf(out, " (%" PRIu32 " redundant)", p->redundant);
    if (p->errors > 0) {
        cli_text_put(out, ", ");
        put_count(out, p->errors, "error");
        cli_text_put(out, " between tasks");
    }
    if (p->doubts > 0) {
        cli_text_put(out, ", ");
        put_count(out, p->doubts, "undecided pair");
    }
}

void picture_put_left_out(cli_text *out, const picture *p)
{
    if (p->tasks_left_out == 0)
        return;
    cli_text_put(out, "left out: ");
    put_count(out, p->tasks_left_out, "task");
    cli_text_put(out, ", ");
    put_count(out, p->edges_left_out, "edge");
    cli_text_put(out, ", ");
    put_count(out, p->findings_left_out, "finding");
}

void picture_put_size_note(cli_text *out, const picture *p)
{
    if (p->node_count > PICTURE_REDUCED)
        cli_text_printf(out,
                        "redundant edges are not marked in a graph of more "
                        "than %" PRIu32 " tasks",
                        PICTURE_REDUCED);
    else if (!p->is_reduced)
        cli_text_put(out, "redundant edges are not marked: the edges form a "
                          "cycle");
    if (p->redundant_left_out > 0)
        cli_text_printf(out, "%s%" PRIu32 " redundant edges are not drawn",
                        out->length > 0 ? "; " : "", p->redundant_left_out);
    if (p->findings_unlisted > 0)
        cli_text_printf(out,
                        "%s%" PRId64 " findings more are not drawn (--limit)",
                        out->length > 0 ? "; " : "", p->findings_unlisted);
}

/* --- Looks --- */

const char *picture_class_color(picture_class class)
{
    static const char *const colors[PICTURE_CLASSES] = {
        [PICTURE_EXPLICIT] = "#1f5fbf", [PICTURE_RECORDED] = "#1a7f5a",
        [PICTURE_POLICY] = "#7a3fb0",   [PICTURE_DATA] = "#3c4248",
        [PICTURE_STORAGE] = "#b06a00",  [PICTURE_CREATOR] = "#8d959c",
        [PICTURE_ERROR] = "#d0021b",    [PICTURE_DOUBT] = "#d0021b",
    };
    return colors[class];
}

const char *picture_class_dark(picture_class class)
{
    static const char *const colors[PICTURE_CLASSES] = {
        [PICTURE_EXPLICIT] = "#6aa5f5", [PICTURE_RECORDED] = "#4fc49a",
        [PICTURE_POLICY] = "#b98ae6",   [PICTURE_DATA] = "#c3cad1",
        [PICTURE_STORAGE] = "#e0a34a",  [PICTURE_CREATOR] = "#7b858e",
        [PICTURE_ERROR] = "#ff6b70",    [PICTURE_DOUBT] = "#ff6b70",
    };
    return colors[class];
}

const char *picture_class_label(picture_class class)
{
    static const char *const labels[PICTURE_CLASSES] = {
        [PICTURE_EXPLICIT] = "explicit dep",
        [PICTURE_RECORDED] = "recorded",
        [PICTURE_POLICY] = "policy",
        [PICTURE_DATA] = "automatic: data",
        [PICTURE_STORAGE] = "automatic: storage",
        [PICTURE_CREATOR] = "automatic: creator",
        [PICTURE_ERROR] = "hazard or other error",
        [PICTURE_DOUBT] = "undecided pair",
    };
    return labels[class];
}

picture_core picture_core_of(const picture *p, uint32_t node)
{
    const oracle_task *task = task_of(p, node);
    if (task->dummy)
        return PICTURE_DUMMY;
    for (picture_core c = PICTURE_AIC; c < PICTURE_OTHER; c++)
        if (strcmp(task->core.data, picture_core_label(c)) == 0)
            return c;
    return PICTURE_OTHER;
}

const char *picture_core_color(picture_core core)
{
    static const char *const colors[PICTURE_CORES] = {
        [PICTURE_AIC] = "#cfe3fa",   [PICTURE_AIV] = "#d3efd0",
        [PICTURE_MIXED] = "#e6daf6", [PICTURE_DUMMY] = "#e9ebed",
        [PICTURE_OTHER] = "#fdf3c8",
    };
    return colors[core];
}

const char *picture_core_dark(picture_core core)
{
    static const char *const colors[PICTURE_CORES] = {
        [PICTURE_AIC] = "#22466d",   [PICTURE_AIV] = "#26532d",
        [PICTURE_MIXED] = "#46376a", [PICTURE_DUMMY] = "#333a41",
        [PICTURE_OTHER] = "#544a1c",
    };
    return colors[core];
}

const char *picture_core_label(picture_core core)
{
    static const char *const labels[PICTURE_CORES] = {
        [PICTURE_AIC] = "aic",     [PICTURE_AIV] = "aiv",
        [PICTURE_MIXED] = "mixed", [PICTURE_DUMMY] = "dummy",
        [PICTURE_OTHER] = "other",
    };
    return labels[core];
}
