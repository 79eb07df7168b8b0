#include "compare.h"

#include "align.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct matching {
    frontend_comparison *c;
    uint32_t *to_other; /* by root of the text: root of the other */
    uint32_t *to_text;
    frontend_alignment alignment;
    uint32_t task; /* at present */
} matching;

static const char *const DIRECTIONS[] = {"input",  "output", "output_existing",
                                         "inout",  "no_dep", "scalar",
                                         "unknown"};

static const char *const DECLARED[] = {"nothing", "in", "out", "inout"};

const char *frontend_difference_name(frontend_difference_kind kind)
{
    static const char *const names[] = {"tasks",       "callee",    "arguments",
                                        "direction",   "storage",   "scalar",
                                        "missing-dep", "extra-dep", "blocks",
                                        "predicate",   "declared",  "core"};
    return names[kind];
}

/* "task 3 (kern)" */
static const char *print_task(char out[120], const frontend_outline *outline,
                              uint32_t position)
{
    char name[60];
    const frontend_task *task = &outline->tasks[position];
    frontend_print(name, sizeof name, task->name);
    if (task->dummy)
        snprintf(name, sizeof name, "dummy");
    snprintf(out, 120, *name ? "task %" PRId64 " (%s)" : "task %" PRId64 "%s",
             task->id, name);
    return out;
}

static const char *print_root(char out[80], const frontend_outline *outline,
                              uint32_t root)
{
    char name[64];
    if (root == FRONTEND_NONE) {
        snprintf(out, 80, "nothing");
        return out;
    }
    frontend_print(name, sizeof name, outline->roots[root].name);
    snprintf(out, 80, "%s'%s'",
             outline->roots[root].external ? "parameter " : "", name);
    return out;
}

__attribute__((format(printf, 5, 6))) static frontend_status
differ(matching *m, frontend_difference_kind kind, uint32_t arg,
       uint32_t producer, const char *format, ...)
{
    frontend_difference difference = {
        .kind = kind, .task = m->task, .arg = arg, .producer = producer};
    char *at = difference.message;
    size_t left = sizeof difference.message;
    if (m->task != FRONTEND_NONE) {
        char task[120];
        char which[32] = "";
        if (arg != FRONTEND_NONE)
            snprintf(which, sizeof which, ", argument %u", (unsigned)arg);
        int used = snprintf(
            at, left, "%s%s: ", print_task(task, m->c->text, m->task), which);
        at += used;
        left -= (size_t)used;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(at, left, format, arguments);
    va_end(arguments);
    return m->c->report(m->c->context, &difference);
}

/* The name without PyPTO's "__ssa_v0". */
static frontend_text base_name(frontend_text name)
{
    static const char mark[] = "__ssa_v";
    size_t end = name.length;
    while (end > 0 && name.data[end - 1] >= '0' && name.data[end - 1] <= '9')
        end--;
    size_t length = sizeof mark - 1;
    if (end == name.length || end <= length ||
        !frontend_same((frontend_text){name.data + end - length, length},
                       (frontend_text){mark, length}))
        return name;
    return (frontend_text){name.data, end - length};
}

static bool roots_match(matching *m, uint32_t text, uint32_t other)
{
    frontend_comparison *c = m->c;
    if (text == FRONTEND_NONE)
        return false;
    if (m->to_other[text] != FRONTEND_NONE ||
        m->to_text[other] != FRONTEND_NONE)
        return m->to_other[text] == other && m->to_text[other] == text;
    const frontend_root *a = &c->text->roots[text];
    const frontend_root *b = &c->other->roots[other];
    if (a->external != b->external ||
        (a->external && !frontend_same(base_name(a->name), base_name(b->name))))
        return false;
    m->to_other[text] = other;
    m->to_text[other] = text;
    return true;
}

static frontend_status compare_storage(matching *m, uint32_t index,
                                       uint32_t text, uint32_t other)
{
    frontend_comparison *c = m->c;
    if (other == FRONTEND_NONE) {
        c->unknown_args++;
        return FRONTEND_OK;
    }
    if (roots_match(m, text, other))
        return FRONTEND_OK;
    char a[80], b[80], known[80], was[120] = "", other_was[120] = "";
    if (text != FRONTEND_NONE && m->to_other[text] != FRONTEND_NONE)
        snprintf(was, sizeof was, " (until now %s there)",
                 print_root(known, c->other, m->to_other[text]));
    if (m->to_text[other] != FRONTEND_NONE)
        snprintf(other_was, sizeof other_was, " (until now %s in the text)",
                 print_root(known, c->text, m->to_text[other]));
    return differ(m, FRONTEND_DIFF_STORAGE, index, FRONTEND_NONE,
                  "the text says storage %s%s, %s says %s%s",
                  print_root(a, c->text, text), was, c->other_name,
                  print_root(b, c->other, other), other_was);
}

static bool same_direction(const frontend_comparison *c,
                           frontend_direction text, frontend_direction other)
{
    if (c->generated && text == FRONTEND_OUTPUT_EXISTING)
        text = FRONTEND_OUTPUT;
    return text == other || other == FRONTEND_UNKNOWN;
}

static frontend_status compare_declared(matching *m, uint32_t index,
                                        const frontend_arg *text,
                                        const frontend_arg *other)
{
    if (text->declared == other->declared ||
        text->declared == FRONTEND_DECLARED_NONE ||
        other->declared == FRONTEND_DECLARED_NONE)
        return FRONTEND_OK;
    return differ(m, FRONTEND_DIFF_DECLARED, index, FRONTEND_NONE,
                  "the text says that the parameter is declared %s, %s says %s",
                  DECLARED[text->declared], m->c->other_name,
                  DECLARED[other->declared]);
}

static frontend_status compare_arg(matching *m, uint32_t index,
                                   const frontend_arg *text,
                                   const frontend_arg *other)
{
    frontend_comparison *c = m->c;
    frontend_status declared = compare_declared(m, index, text, other);
    if (declared != FRONTEND_OK)
        return declared;
    c->args++;
    if (!same_direction(c, text->direction, other->direction)) {
        frontend_status status =
            differ(m, FRONTEND_DIFF_DIRECTION, index, FRONTEND_NONE,
                   "the text says %s, %s says %s", DIRECTIONS[text->direction],
                   c->other_name, DIRECTIONS[other->direction]);
        if (status != FRONTEND_OK)
            return status;
    }
    bool scalar = text->direction == FRONTEND_SCALAR ||
                  other->direction == FRONTEND_SCALAR;
    if (!scalar)
        return compare_storage(m, index, text->root, other->root);
    if (text->constant && other->constant && text->value != other->value)
        return differ(m, FRONTEND_DIFF_SCALAR, index, FRONTEND_NONE,
                      "the text says %" PRId64 ", %s says %" PRId64,
                      text->value, c->other_name, other->value);
    return FRONTEND_OK;
}

static uint32_t count_scalars(const frontend_outline *outline,
                              const frontend_task *task)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->args; i++)
        if (outline->args[task->first_arg + i].direction == FRONTEND_SCALAR)
            count++;
    return count;
}

/* The position of the next argument that is (not) a scalar. */
static uint32_t next_arg(const frontend_outline *outline,
                         const frontend_task *task, uint32_t from, bool scalar)
{
    while (from < task->args &&
           (outline->args[task->first_arg + from].direction ==
            FRONTEND_SCALAR) != scalar)
        from++;
    return from;
}

/* Of generated code: tensors are compared with tensors, then the scalars. */
static frontend_status compare_kind(matching *m, const frontend_task *text,
                                    const frontend_task *other, bool scalar)
{
    frontend_comparison *c = m->c;
    frontend_status status = FRONTEND_OK;
    uint32_t i = next_arg(c->text, text, 0, scalar);
    uint32_t k = next_arg(c->other, other, 0, scalar);
    while (status == FRONTEND_OK && i < text->args && k < other->args) {
        status = compare_arg(m, i, &c->text->args[text->first_arg + i],
                             &c->other->args[other->first_arg + k]);
        i = next_arg(c->text, text, i + 1, scalar);
        k = next_arg(c->other, other, k + 1, scalar);
    }
    return status;
}

static frontend_status compare_args(matching *m, const frontend_task *text,
                                    const frontend_task *other)
{
    frontend_comparison *c = m->c;
    uint32_t text_scalars = count_scalars(c->text, text);
    uint32_t other_scalars = count_scalars(c->other, other);
    bool counts = c->generated ? text->args - text_scalars ==
                                         other->args - other_scalars &&
                                     text_scalars <= other_scalars
                               : text->args == other->args;
    if (!counts)
        return differ(m, FRONTEND_DIFF_ARGUMENTS, FRONTEND_NONE, FRONTEND_NONE,
                      "the text has %u tensors and %u scalars, %s has %u and "
                      "%u",
                      (unsigned)(text->args - text_scalars),
                      (unsigned)text_scalars, c->other_name,
                      (unsigned)(other->args - other_scalars),
                      (unsigned)other_scalars);
    frontend_status status = FRONTEND_OK;
    for (uint32_t i = 0;
         !c->generated && status == FRONTEND_OK && i < text->args; i++)
        status = compare_arg(m, i, &c->text->args[text->first_arg + i],
                             &c->other->args[other->first_arg + i]);
    if (c->generated)
        status = compare_kind(m, text, other, false);
    /* Scalars that code generation adds may stand between the others. */
    if (c->generated && status == FRONTEND_OK && text_scalars == other_scalars)
        status = compare_kind(m, text, other, true);
    return status;
}

static frontend_status extra_dependency(matching *m, uint32_t producer)
{
    char which[120];
    return differ(m, FRONTEND_DIFF_EXTRA_DEPENDENCY, FRONTEND_NONE, producer,
                  "the text has a dependency on %s, %s has not",
                  print_task(which, m->c->text, producer), m->c->other_name);
}

static frontend_status missing_dependency(matching *m, uint32_t producer)
{
    char which[120];
    return differ(m, FRONTEND_DIFF_MISSING_DEPENDENCY, FRONTEND_NONE, producer,
                  "%s has a dependency on %s, the text has not",
                  m->c->other_name, print_task(which, m->c->text, producer));
}

/*
 * What a dependency of the text in position *at is in the other, over those
 * that the other lacks: FRONTEND_NONE behind the last.
 */
static uint32_t next_mine(const matching *m, uint32_t *at, uint32_t end)
{
    const frontend_comparison *c = m->c;
    for (; *at < end; ++*at) {
        uint32_t dep = c->text->deps[*at];
        bool within = dep >= c->first && dep - c->first < c->count;
        uint32_t theirs =
            within ? m->alignment.of_text[dep - c->first] : FRONTEND_NONE;
        if (!within || theirs != FRONTEND_NONE)
            return theirs;
    }
    return FRONTEND_NONE;
}

/* Over dependencies of the other on tasks that the text lacks. */
static uint32_t next_theirs(const matching *m, uint32_t *at, uint32_t end,
                            bool *known)
{
    for (; *at < end; ++*at) {
        uint32_t dep = m->c->other->deps[*at];
        if (m->alignment.of_other[dep] != FRONTEND_NONE)
            return dep;
        *known = false;
    }
    return FRONTEND_NONE;
}

/* The cursors of two lists of dependencies, each in ascending order. */
typedef struct dep_cursors {
    uint32_t a, a_end; /* of the text */
    uint32_t b, b_end; /* of the other */
    bool mine_known, theirs_known;
} dep_cursors;

/* One step: what both have is passed, what only one has is reported. */
static frontend_status compare_dep(matching *m, dep_cursors *d, uint32_t mine,
                                   uint32_t theirs)
{
    if (d->mine_known && d->theirs_known)
        m->c->edges++;
    uint32_t dep = d->a < d->a_end ? m->c->text->deps[d->a] : FRONTEND_NONE;
    if (d->a < d->a_end && mine <= theirs) {
        /* Several tellings of one task are one. */
        do
            d->a++;
        while (mine != FRONTEND_NONE && next_mine(m, &d->a, d->a_end) == mine);
        if (mine == theirs && mine != FRONTEND_NONE) {
            d->b++;
            return FRONTEND_OK;
        }
        return d->theirs_known ? extra_dependency(m, dep) : FRONTEND_OK;
    }
    d->b++;
    return d->mine_known ? missing_dependency(m, m->alignment.of_other[theirs])
                         : FRONTEND_OK;
}

/*
 * Where one of both does not know all dependencies, those that it does know
 * must be among the other's.
 */
static frontend_status compare_deps(matching *m, const frontend_task *text,
                                    const frontend_task *other)
{
    dep_cursors d = {text->first_dep,  text->first_dep + text->deps,
                     other->first_dep, other->first_dep + other->deps,
                     text->deps_known, other->deps_known};
    frontend_status status = FRONTEND_OK;
    for (uint32_t i = d.b;
         next_theirs(m, &i, d.b_end, &d.theirs_known) != FRONTEND_NONE;)
        i++;
    if (!d.mine_known || !d.theirs_known)
        m->c->unknown_deps++;
    while (status == FRONTEND_OK) {
        uint32_t mine = next_mine(m, &d.a, d.a_end);
        uint32_t theirs = next_theirs(m, &d.b, d.b_end, &d.theirs_known);
        if (d.a == d.a_end && d.b == d.b_end)
            break;
        status = compare_dep(m, &d, mine, theirs);
    }
    return status;
}

static frontend_status compare_launch(matching *m, const frontend_task *text,
                                      const frontend_task *other)
{
    frontend_comparison *c = m->c;
    frontend_status status = FRONTEND_OK;
    bool told = other->blocks > 0 && (text->blocks > 0 || !c->generated);
    if (told && text->blocks != other->blocks)
        status = differ(m, FRONTEND_DIFF_BLOCKS, FRONTEND_NONE, FRONTEND_NONE,
                        "the text says %" PRId64 " blocks, %s says %" PRId64,
                        text->blocks, c->other_name, other->blocks);
    if (status != FRONTEND_OK)
        return status;
    if (text->predicate != other->predicate)
        return differ(m, FRONTEND_DIFF_PREDICATE, FRONTEND_NONE, FRONTEND_NONE,
                      "%s a predicate, %s %s",
                      text->predicate ? "the text has" : "the text has not",
                      c->other_name, other->predicate ? "has" : "has not");
    if (!text->predicate || other->predicate_root == FRONTEND_NONE ||
        roots_match(m, text->predicate_root, other->predicate_root))
        return FRONTEND_OK;
    char a[80], b[80];
    return differ(m, FRONTEND_DIFF_PREDICATE, FRONTEND_NONE, FRONTEND_NONE,
                  "the text says that its predicate reads %s, %s says %s",
                  print_root(a, c->text, text->predicate_root), c->other_name,
                  print_root(b, c->other, other->predicate_root));
}

static frontend_status compare_core(matching *m, const frontend_task *text,
                                    const frontend_task *other)
{
    char mine[24], theirs[24];
    if (text->dummy || text->core.length == 0 || other->core.length == 0 ||
        frontend_same(text->core, other->core))
        return FRONTEND_OK;
    return differ(m, FRONTEND_DIFF_CORE, FRONTEND_NONE, FRONTEND_NONE,
                  "the text says core %s, %s says %s",
                  frontend_print(mine, sizeof mine, text->core),
                  m->c->other_name,
                  frontend_print(theirs, sizeof theirs, other->core));
}

uint32_t frontend_common_callees(const frontend_outline *text,
                                 const frontend_outline *other)
{
    uint32_t i = 0;
    while (i < text->task_count && i < other->task_count &&
           frontend_same_callee(&text->tasks[i], &other->tasks[i]))
        i++;
    return i;
}

static frontend_status compare_task(matching *m, uint32_t theirs)
{
    frontend_comparison *c = m->c;
    const frontend_task *text = &c->text->tasks[m->task];
    const frontend_task *other = &c->other->tasks[theirs];
    c->tasks++;
    if (!frontend_same_callee(text, other)) {
        char name[60];
        return differ(m, FRONTEND_DIFF_CALLEE, FRONTEND_NONE, FRONTEND_NONE,
                      "%s says that it is %s%s", c->other_name,
                      other->dummy         ? "a dummy"
                      : other->name.length ? "a call of "
                                           : "a call",
                      frontend_print(name, sizeof name, other->name));
    }
    frontend_status status = compare_core(m, text, other);
    if (status == FRONTEND_OK)
        status = compare_args(m, text, other);
    if (status == FRONTEND_OK)
        status = compare_deps(m, text, other);
    if (status == FRONTEND_OK)
        status = compare_launch(m, text, other);
    return status;
}

static frontend_status differ_in_count(matching *m)
{
    frontend_comparison *c = m->c;
    char function[80] = "", name[60];
    if (c->text->section_count > 0)
        snprintf(function, sizeof function, "function %s: ",
                 frontend_print(name, sizeof name, c->other->function));
    m->task = FRONTEND_NONE;
    uint32_t others = c->other->task_count;
    return differ(m, FRONTEND_DIFF_TASKS, FRONTEND_NONE, FRONTEND_NONE,
                  "%sthe text has %u tasks, %s has %s%u%s", function,
                  (unsigned)c->count, c->other_name,
                  c->other->cut ? "more than " : "",
                  (unsigned)(c->other->cut ? others - 1 : others),
                  m->alignment.wrong > 0 ? ", not the same ones" : "");
}

static frontend_status compare_all(matching *m)
{
    frontend_comparison *c = m->c;
    const frontend_alignment *to = &m->alignment;
    bool same_count = c->count == c->other->task_count && !c->other->cut;
    c->missing = to->extra_text + to->extra_other;
    c->guessed = to->guessed;
    c->impossible = to->impossible;
    frontend_status status = FRONTEND_OK;
    if (to->wrong > 0 || (!to->optional && !same_count)) {
        status = differ_in_count(m);
        /* Without callees nothing says where a task is missing. */
        if (c->generated)
            return status;
    }
    for (uint32_t i = 0; status == FRONTEND_OK && i < c->count; i++) {
        uint32_t theirs = to->of_text[i];
        if (theirs == FRONTEND_NONE)
            continue;
        m->task = c->first + i;
        bool same = frontend_same_callee(&c->text->tasks[m->task],
                                         &c->other->tasks[theirs]);
        status = compare_task(m, theirs);
        if (!same && !same_count)
            break;
    }
    return status;
}

void frontend_compare_whole(frontend_comparison *comparison)
{
    comparison->first = 0;
    comparison->count = comparison->text->task_count;
}

static uint32_t *new_map(uint32_t count)
{
    uint32_t *map = malloc((count + (size_t)1) * sizeof *map);
    for (uint32_t i = 0; map != NULL && i < count; i++)
        map[i] = FRONTEND_NONE;
    return map;
}

frontend_status frontend_compare_outlines(frontend_comparison *comparison)
{
    matching m = {.c = comparison};
    m.to_other = new_map(comparison->text->root_count);
    m.to_text = new_map(comparison->other->root_count);
    frontend_status status = FRONTEND_NO_MEMORY;
    if (m.to_other != NULL && m.to_text != NULL)
        status =
            frontend_align(&m.alignment, comparison->text, comparison->first,
                           comparison->count, comparison->other);
    if (status == FRONTEND_OK)
        status = compare_all(&m);
    frontend_alignment_free(&m.alignment);
    free(m.to_other);
    free(m.to_text);
    return status;
}
