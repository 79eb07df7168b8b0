#include "score_text.h"

#include <string.h>

/* Lists in the metadata, which are in two objects: 512 may be open. */
#define DEEPEST 510

typedef struct writer {
    fuzz_text *out;
    const fuzz_model *m;
    const fuzz_style *style;
    fuzz_patch patch;
} writer;

/* --- Places --- */

/* What the patch does at a place; true: the value is still to be written. */
static bool begin_item(writer *w, fuzz_place place, uint32_t index)
{
    const fuzz_patch *p = &w->patch;
    if (p->place != place || p->index != index)
        return true;
    if (p->action == FUZZ_OMIT)
        return false;
    fuzz_raw(w->out, p->text);
    return p->action == FUZZ_BEFORE;
}

/* The same with a name; the value of a decoy does not count. */
static bool begin(writer *w, fuzz_place place, uint32_t index, const char *name)
{
    const fuzz_patch *p = &w->patch;
    bool here = p->place == place && p->index == index;
    if (here && p->action == FUZZ_OMIT)
        return false;
    if (here && p->action != FUZZ_REPLACE) {
        fuzz_raw(w->out, p->text);
        if (p->action == FUZZ_REWRITE)
            return false;
    }
    if (w->style->decoys) {
        fuzz_key(w->out, name);
        fuzz_raw(w->out, "[null]");
    }
    fuzz_key(w->out, name);
    if (!here || p->action != FUZZ_REPLACE)
        return true;
    fuzz_raw(w->out, p->text);
    return false;
}

/* The n-th of `count` members in the order of the style. */
static uint32_t member_at(const fuzz_style *s, uint32_t object, uint32_t n,
                          uint32_t count)
{
    return (s->first[object] + n * s->step[object]) % count;
}

/* --- Keys and values --- */

static size_t put_digits(char *to, uint32_t n)
{
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    for (size_t i = 0; i < count; i++)
        to[i] = digits[count - 1 - i];
    return count;
}

static size_t put_text(char *to, size_t at, const char *text)
{
    size_t length = strlen(text);
    memcpy(to + at, text, length);
    return at + length;
}

size_t fuzz_key_json(char *json, const fuzz_buffer *buffer, uint32_t variant)
{
    static const char *const kinds[][2] = {
        [FUZZ_KEY_PLAIN] = {"\"param:", "\"alloc:"},
        [FUZZ_KEY_AGAIN] = {"\"param:", "\"alloc:"},
        [FUZZ_KEY_DOTTED] = {"\"param:", "\"alloc:"},
        [FUZZ_KEY_ODD] = {"\"\\u043a", "\"alloc:"},
    };
    static const char *const names[][2] = {
        [FUZZ_KEY_PLAIN] = {"b", "b"},
        [FUZZ_KEY_AGAIN] = {"x@", "tmp@"},
        [FUZZ_KEY_DOTTED] = {"main.b", "main.b"},
        [FUZZ_KEY_ODD] = {"\\\"\\\\\\n\\u0000\xf0\x9f\x98\x80/\x7f",
                          "\\ud83d\\ude00\xd0\xb6\\/\\t\\u00e9"},
    };
    uint8_t s = buffer->spelling;
    bool text = s <= FUZZ_KEY_ODD;
    size_t at = 0;
    if (s == FUZZ_KEY_BOOL) {
        const char *word = buffer->number % 2 == 0 ? "false" : "true";
        memcpy(json, word, strlen(word));
        return strlen(word);
    }
    if (text) {
        at = put_text(json, at, kinds[s][buffer->internal]);
        at = put_text(json, at, buffer->marked ? FUZZ_MARK : "");
        at = put_text(json, at, names[s][buffer->internal]);
    }
    at += put_digits(json + at, buffer->number + (text ? 0 : 2));
    if (text)
        json[at++] = '"';
    /* Numbers are keys by their value. */
    if (s == FUZZ_KEY_FLOAT || (s == FUZZ_KEY_INT && variant % 2 == 1)) {
        json[at++] = '.';
        json[at++] = s == FUZZ_KEY_INT ? '0' : '5';
    }
    return at;
}

static void put_key(writer *w, const fuzz_arg *a)
{
    char json[64];
    size_t n = fuzz_key_json(json, &w->m->buffers[a->buffer], a->token);
    fuzz_raw_n(w->out, json, n);
}

static const char *value_of(const fuzz_arg *a)
{
    static const char *const values[] = {
        "0",
        "1",
        "-1",
        "4",
        "8",
        "128",
        "4096",
        "true",
        "false",
        "null",
        "1.0",
        "0.5",
        "1e-7",
        "-0.0",
        "\"n\"",
        "\"tile 3\"",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551616",
        "-340282366920938463463374607431768211456",
        "1.7976931348623157e308",
        "5e-324",
        "2.2250738585072011e-308",
        "123456789.123456789",
        "\"\\u00e9\\ud83d\\ude00\\u0000\"",
        "\"\"",
        "[]",
        "{}",
        "[1, [2, \"x\"], {\"b\": null, \"a\": 1E2}]",
        "{\"z\": 0.1, \"a\": {\"y\": -0, \"x\": []}}",
        "5.684341886080802e-14",
        "1e16"};
    /* Simple ones are much more common. */
    return values[a->value % (a->value < 192 ? 8 : 32)];
}

bool fuzz_is_text(const fuzz_arg *arg)
{
    return *value_of(arg) == '"';
}

static void put_name(writer *w, const fuzz_buffer *b)
{
    char name[24] = "\"b";
    size_t n = 2 + put_digits(name + 2, b->number);
    name[n++] = '"';
    fuzz_raw_n(w->out, name, n);
}

static const char *direction(const fuzz_arg *a)
{
    static const char *const tokens[FUZZ_MODES][8] = {
        [FUZZ_READS] = {"Input", "Input", "Input", "input", "INPUT", "In-Put",
                        "in put", "Input\u0301"},
        [FUZZ_WRITES] = {"Output", "Output", "OutputExisting",
                         "output_existing", "OUTPUT", "Out put",
                         "Output-Existing", "output"},
        [FUZZ_UPDATES] = {"InOut", "InOut", "InOut", "In-Out", "inout", "INOUT",
                          "in_out", "\u0130nOut"},
        [FUZZ_SCALAR] = {"Scalar", "Scalar", "Scalar", "scalar", "SCALAR",
                         "Sca lar", "s-calar", "scalar."},
        [FUZZ_NO_DEP] = {"NoDep", "NoDep", "NoDep", "no_dep", "NODEP", "No-Dep",
                         "no dep", "nodep"},
        [FUZZ_UNKNOWN] = {"", "Weights", "inputs", "\u00efnput", "In2Out",
                          "output\u00b2", "\uff29nput", "0"},
    };
    return tokens[a->mode][a->token % 8];
}

/* --- Tasks --- */

static bool by_value(const writer *w, const fuzz_arg *a)
{
    return a->buffer != FUZZ_NONE &&
           (w->style->keys == FUZZ_NO_KEYS || a->value == 1);
}

typedef enum part { ARGS, DIRECTIONS, KEYS } part;

static void put_part(writer *w, const fuzz_arg *a, part which)
{
    if (which == DIRECTIONS)
        fuzz_string(w->out, direction(a));
    else if (a->buffer == FUZZ_NONE && which == ARGS)
        fuzz_raw(w->out, value_of(a));
    else if (a->buffer == FUZZ_NONE || (which == KEYS && by_value(w, a)))
        fuzz_null(w->out);
    else if (which == KEYS || by_value(w, a))
        put_key(w, a);
    else
        put_name(w, &w->m->buffers[a->buffer]);
}

static void put_parts(writer *w, uint32_t task, part which)
{
    const fuzz_task *t = &w->m->tasks[task];
    fuzz_open(w->out, '[');
    if (begin_item(w, (fuzz_place)(FUZZ_AT_ARG + which), task) && t->args > 0)
        put_part(w, &w->m->args[t->first_arg], which);
    for (uint32_t i = 1; i < t->args; i++)
        put_part(w, &w->m->args[t->first_arg + i], which);
    fuzz_close(w->out);
}

/* The list is empty, and may be left out. */
static bool is_empty(const writer *w, const fuzz_task *t, part which)
{
    return t->args == 0 || (which == DIRECTIONS && t->no_directions) ||
           (which == KEYS && (t->no_keys || w->style->keys == FUZZ_NO_KEYS));
}

static void put_list(writer *w, uint32_t task, part which)
{
    static const char *const names[] = {"args", "arg_directions",
                                        "arg_storage_keys"};
    const fuzz_place place = (fuzz_place)(FUZZ_AT_ARGS + which);
    bool empty = is_empty(w, &w->m->tasks[task], which);
    bool patched = w->patch.place == place ||
                   w->patch.place == (fuzz_place)(FUZZ_AT_ARG + which);
    if (empty && w->style->lean && !patched)
        return;
    if (!begin(w, place, task, names[which]))
        return;
    if (empty && w->patch.place != (fuzz_place)(FUZZ_AT_ARG + which))
        fuzz_raw(w->out, "[]");
    else
        put_parts(w, task, which);
}

static void put_task_name(writer *w, uint32_t task)
{
    static const char *const odd[] = {
        "",          "Kernel",     "\xd1\x8f\xd0\xb4\xd1\x80\xd0\xbe",
        "a\"b\\c\n", "kernel.mul", "\xf0\x9f\x98\x80",
        "k k",       "\x7f\x01"};
    uint32_t func = w->m->tasks[task].func;
    char name[24] = "kernel_";
    bool none = w->style->names == 1 || (w->style->names == 2 && func == 0);
    if (none && w->style->lean && w->patch.place != FUZZ_AT_TASK_NAME)
        return;
    if (!begin(w, FUZZ_AT_TASK_NAME, task, "name"))
        return;
    if (none) {
        fuzz_null(w->out);
    } else if (w->style->names == 3 && func < 8) {
        fuzz_string(w->out, odd[func]);
    } else {
        size_t n = 7 + put_digits(name + 7, func);
        fuzz_string_n(w->out, name, n);
    }
}

static void put_member(writer *w, uint32_t task, uint32_t which)
{
    static const char *const cores[] = {"aic", "aiv", "mixed"};
    const fuzz_task *t = &w->m->tasks[task];
    switch (which) {
    case 0:
        if (begin(w, FUZZ_AT_ID, task, "task_id"))
            fuzz_int(w->out, t->id);
        break;
    case 1:
        if (begin(w, FUZZ_AT_FUNC, task, "func_id"))
            fuzz_int(w->out, t->func);
        break;
    case 2:
        if (begin(w, FUZZ_AT_CORE, task, "core_type"))
            fuzz_string(w->out, cores[t->func % 3]);
        break;
    case 3:
        put_task_name(w, task);
        break;
    default:
        put_list(w, task, (part)(which - 4));
    }
}

static void put_tasks(writer *w)
{
    fuzz_open(w->out, '[');
    for (uint32_t i = 0; i < w->m->task_count; i++) {
        if (!begin_item(w, FUZZ_AT_TASK, i))
            continue;
        fuzz_open(w->out, '{');
        for (uint32_t k = 0; k < 7; k++)
            put_member(w, i, member_at(w->style, 1, k, 7));
        fuzz_close(w->out);
    }
    fuzz_close(w->out);
}

/* --- Edges and the rest --- */

static void put_edge(writer *w, uint32_t index, const fuzz_edge *e)
{
    static const char *const kinds[] = {"ordering", "war", "storage", "data"};
    fuzz_open(w->out, '{');
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t which = member_at(w->style, 2, k, 3);
        if (which == 0 && begin(w, FUZZ_AT_PRODUCER, index, "producer"))
            fuzz_int(w->out, w->m->tasks[e->from].id);
        if (which == 1 && begin(w, FUZZ_AT_CONSUMER, index, "consumer"))
            fuzz_int(w->out, w->m->tasks[e->to].id);
        bool shown = e->kind != FUZZ_DATA || !w->style->lean ||
                     w->patch.place == FUZZ_AT_KIND;
        if (which == 2 && shown && begin(w, FUZZ_AT_KIND, index, "kind"))
            fuzz_string(w->out, kinds[e->kind]);
    }
    fuzz_close(w->out);
}

static void put_edges(writer *w)
{
    uint32_t index = 0;
    fuzz_open(w->out, '[');
    for (uint32_t i = 0; i < w->m->edge_count; i++) {
        const fuzz_edge *e = &w->m->edges[i];
        if (e->dropped)
            continue;
        if (begin_item(w, FUZZ_AT_EDGE, index))
            put_edge(w, index, e);
        index++;
    }
    if (index == 0 && w->patch.place == FUZZ_AT_EDGE)
        begin_item(w, FUZZ_AT_EDGE, 0);
    fuzz_close(w->out);
}

static void put_shape(writer *w, uint32_t index)
{
    char symbol[16] = "b";
    size_t n = 1 + put_digits(symbol + 1, index);
    fuzz_open(w->out, '{');
    if (begin(w, FUZZ_AT_SYMBOL, index, "symbol"))
        fuzz_string_n(w->out, symbol, n);
    if (begin(w, FUZZ_AT_DIMS, index, "dims")) {
        fuzz_open(w->out, '[');
        if (begin_item(w, FUZZ_AT_DIM, index))
            fuzz_int(w->out, 16 * (int64_t)(index + 1));
        if (index % 3 == 1)
            fuzz_raw(w->out, "170141183460469231731687303715884105728");
        if (index % 3 != 2)
            fuzz_int(w->out, INT64_MAX);
        fuzz_close(w->out);
    }
    fuzz_close(w->out);
}

static void put_shapes(writer *w)
{
    fuzz_open(w->out, '[');
    for (uint32_t i = 0; i < w->style->shapes; i++)
        if (begin_item(w, FUZZ_AT_SHAPE, i))
            put_shape(w, i);
    fuzz_close(w->out);
}

static void put_target(writer *w)
{
    bool broken =
        w->patch.place >= FUZZ_AT_RUNTIME && w->patch.place <= FUZZ_AT_COMMENTS;
    if (w->style->target != NULL && !broken) {
        fuzz_raw(w->out, w->style->target);
        return;
    }
    fuzz_open(w->out, '{');
    if (begin(w, FUZZ_AT_RUNTIME, 0, "runtime"))
        fuzz_string(w->out, "host_build_graph");
    if (begin(w, FUZZ_AT_FUNCTION, 0, "function_name"))
        fuzz_string(w->out, "build_main_graph");
    if (begin(w, FUZZ_AT_THREADS, 0, "aicpu_thread_num"))
        fuzz_raw(w->out, w->style->threads);
    if (begin(w, FUZZ_AT_COMMENTS, 0, "config_comment"))
        fuzz_raw(w->out, "[\"# one\", \"\"]");
    fuzz_close(w->out);
}

static void put_metadata(writer *w)
{
    fuzz_open(w->out, '{');
    if (begin(w, FUZZ_AT_VALUE, 0, "note"))
        fuzz_raw(w->out, "{\"b\": [1, 1.0, true], \"a\": \"\\u0000\"}");
    if (w->style->metadata != NULL)
        fuzz_raw(w->out, w->style->metadata);
    if (w->style->deep > 0) {
        fuzz_key(w->out, "deep");
        fuzz_raw(w->out, "");
        for (uint32_t i = 0; i < w->style->deep; i++)
            fuzz_put(w->out, "[");
        for (uint32_t i = 0; i < w->style->deep; i++)
            fuzz_put(w->out, "]");
    }
    fuzz_close(w->out);
}

static bool is_left_out(const writer *w, uint32_t which)
{
    static const fuzz_place may[] = {FUZZ_AT_VERSION, FUZZ_AT_TARGET,
                                     FUZZ_AT_METADATA};
    static const uint32_t at[] = {0, 2, 6};
    const fuzz_style *s = w->style;
    for (size_t i = 0; i < 3; i++)
        if (at[i] == which)
            return s->lean && w->patch.place == FUZZ_AT_NONE &&
                   (may[i] != FUZZ_AT_METADATA ||
                    (s->metadata == NULL && s->deep == 0));
    return false;
}

static void put_top(writer *w, uint32_t which)
{
    switch (which) {
    case 0:
        if (begin(w, FUZZ_AT_VERSION, 0, "schema_version"))
            fuzz_int(w->out, 1);
        break;
    case 1:
        if (begin(w, FUZZ_AT_NAME, 0, "name"))
            fuzz_raw(w->out, w->style->title);
        break;
    case 2:
        if (begin(w, FUZZ_AT_TARGET, 0, "runtime_target"))
            put_target(w);
        break;
    case 3:
        if (begin(w, FUZZ_AT_TASKS, 0, "tasks"))
            put_tasks(w);
        break;
    case 4:
        if (begin(w, FUZZ_AT_EDGES, 0, "dependencies"))
            put_edges(w);
        break;
    case 5:
        if (begin(w, FUZZ_AT_SHAPES, 0, "shape_assumptions"))
            put_shapes(w);
        break;
    default:
        if (begin(w, FUZZ_AT_METADATA, 0, "metadata"))
            put_metadata(w);
    }
}

void fuzz_write_score(fuzz_text *out, const fuzz_model *m,
                      const fuzz_style *style, const fuzz_patch *patch)
{
    writer w = {.out = out, .m = m, .style = style};
    if (patch != NULL)
        w.patch = *patch;
    fuzz_open(out, '{');
    for (uint32_t k = 0; k < 7; k++) {
        uint32_t which = member_at(style, 0, k, 7);
        if (!is_left_out(&w, which))
            put_top(&w, which);
    }
    fuzz_close(out);
}

fuzz_style fuzz_style_draw(fuzz_random *random)
{
    static const uint32_t counts[3] = {7, 7, 3};
    static const char *const titles[] = {"\"x\"",
                                         "\" \"",
                                         "\"\\u0000\"",
                                         "\"\\ud83d\\ude00 \\u00fc\\n\"",
                                         "\"a.b/c\\\\d\\\"e\"",
                                         "\"\xe2\x80\xa8\""};
    static const char *const targets[] = {
        "null", "{}", "\"host_build_graph\"",
        "[]",   "7",  "{\"runtime\": \"\", \"function_name\": \"\"}"};
    static const char *const threads[] = {"null", "0", "-1",
                                          "18446744073709551616"};
    fuzz_style s = {.title = "\"main\"", .threads = "4"};
    if (fuzz_chance(random, 1, 8)) {
        s.title = titles[fuzz_below(random, 6)];
        s.threads = threads[fuzz_below(random, 4)];
        s.target =
            fuzz_chance(random, 1, 2) ? targets[fuzz_below(random, 6)] : NULL;
    }
    bool shuffled = fuzz_chance(random, 1, 2);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t draw = fuzz_draw(random);
        s.first[i] = (uint8_t)(shuffled ? draw % counts[i] : 0);
        s.step[i] = 1;
        if (shuffled)
            s.step[i] = (uint8_t)(1 + (draw >> 8) % (counts[i] - 1));
    }
    s.lean = fuzz_chance(random, 1, 3);
    s.decoys = fuzz_chance(random, 1, 32);
    if (fuzz_chance(random, 1, 4))
        s.names = (uint8_t)(1 + fuzz_below(random, 3));
    s.shapes = (uint32_t)fuzz_below(random, 4);
    if (fuzz_chance(random, 1, 64))
        s.deep = fuzz_chance(random, 1, 4)
                     ? DEEPEST
                     : (uint32_t)fuzz_log_size(random, 1, DEEPEST);
    return s;
}
