/* The order of a witness, run by the twin; and whether its rule is right. */
#include "twin_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 64

/* What a finding and its witness say. Tasks are indexes. */
typedef struct claim {
    const oracle_document *d;
    const char *witness;
    bool choices[TWIN_TASKS];
    int64_t values[TWIN_TASKS];
    uint32_t order[TWIN_TASKS], place[TWIN_TASKS], count;
    uint32_t skipped[SKIPPED][2], skip_count;
    uint32_t storage, reader, producer, consumer;
    int64_t byte, address;
    char *reason;
} claim;

static bool fail(claim *c, const char *text)
{
    snprintf(c->reason, 160, "%s", text);
    return false;
}

static const char *member(const char *json, const char *name)
{
    char text[40];
    snprintf(text, sizeof text, "\"%s\":", name);
    const char *at = json == NULL ? NULL : strstr(json, text);
    return at == NULL ? NULL : at + strlen(text);
}

static uint32_t task_at(const claim *c, const char *at)
{
    int64_t id = at == NULL ? -1 : strtoll(at, NULL, 10);
    uint32_t t = 0;
    while (t < c->d->task_count && c->d->tasks[t].id != id) {
        t++;
    }
    return at == NULL || *at == 'n' || t == c->d->task_count ? ORACLE_NONE : t;
}

/* The task of an end of the pair: the last member of a flat object. */
static uint32_t end_of(const claim *c, const char *json, const char *name)
{
    const char *at = member(json, name);
    return at == NULL || *at != '{' ? ORACLE_NONE
                                    : task_at(c, member(at, "task"));
}

static bool read_choices(claim *c)
{
    const char *at = member(c->witness, "choices");
    for (uint32_t i = 0; i < c->d->choice_count; i++) {
        at = member(at, "is");
        if (at == NULL) {
            return fail(c, "a choice is not named");
        }
        c->choices[i] = *at == 't';
    }
    return true;
}

static bool read_symbols(claim *c)
{
    const char *list = member(c->witness, "symbols");
    for (uint32_t i = 0; i < c->d->symbol_count; i++) {
        const char *at = member(list, c->d->symbols[i].name.data);
        if (list != NULL && at == NULL) {
            return fail(c, "a symbol has no value");
        }
        c->values[i] = at == NULL ? 0 : strtoll(at, NULL, 10);
    }
    return true;
}

static bool is_there(const claim *c, uint32_t t)
{
    const oracle_task *task = &c->d->tasks[t];
    bool there = true;
    for (uint32_t i = 0; i < task->whens; i++) {
        const oracle_when *when = &c->d->whens[task->first_when + i];
        there = there && c->choices[when->choice] == when->is;
    }
    return there;
}

static bool put(claim *c, uint32_t task)
{
    if (task == ORACLE_NONE || c->place[task] != ORACLE_NONE ||
        !is_there(c, task)) {
        return fail(c, "the order names no task, or one twice");
    }
    c->place[task] = c->count;
    c->order[c->count++] = task;
    return true;
}

/* Ids, and [first, last] for those of a part of program order. */
static bool read_order(claim *c)
{
    const char *at = member(c->witness, "order") + 1;
    memset(c->place, 0xff, sizeof c->place);
    for (; *at != ']'; at += *at == ',') {
        bool range = *at == '[';
        uint32_t from = task_at(c, at + range), to = from;
        if (range) {
            at = strchr(at, ',') + 1;
            to = task_at(c, at);
        }
        for (uint32_t t = from; t <= to; t++) {
            if ((t == from || t == to || is_there(c, t)) && !put(c, t)) {
                return false;
            }
        }
        at += strcspn(at, ",]");
        at += range;
    }
    for (uint32_t t = 0; t < c->d->task_count; t++) {
        if (is_there(c, t) && c->place[t] == ORACLE_NONE) {
            return fail(c, "a task is not in the order");
        }
    }
    return true;
}

static bool read_skipped(claim *c)
{
    const char *at = member(c->witness, "skipped");
    for (at = at == NULL ? NULL : at + 1; at != NULL && *at == '[';) {
        char *end;
        if (c->skip_count == SKIPPED) {
            return fail(c, "too many skipped");
        }
        c->skipped[c->skip_count][0] = task_at(c, at + 1);
        at = strchr(at, ',') + 1;
        c->skipped[c->skip_count++][1] = (uint32_t)strtoul(at, &end, 10);
        at = end + 1 + (end[1] == ',');
    }
    return true;
}

static bool read_buffer(claim *c)
{
    const char *key = member(c->witness, "buffer");
    c->storage = ORACLE_NONE;
    for (uint32_t b = 0; key != NULL && b < c->d->buffer_count; b++) {
        const oracle_text *text = &c->d->buffers[b].key;
        if (strncmp(key + 1, text->data, text->length) == 0 &&
            key[1 + text->length] == '"') {
            c->storage = b;
        }
    }
    return c->storage != ORACLE_NONE || fail(c, "there is no buffer");
}

static bool read_byte(claim *c)
{
    const char *begin = member(c->witness, "begin");
    const char *address = member(c->witness, "address");
    c->byte = begin == NULL ? -1 : strtoll(begin, NULL, 10);
    c->address = address == NULL ? -1 : strtoll(address, NULL, 10);
    return read_buffer(c);
}

static bool read_claim(claim *c, const char *json)
{
    c->witness = member(json, "witness");
    if (c->witness == NULL) {
        return fail(c, "there is no witness");
    }
    if (!read_choices(c) || !read_symbols(c) || !read_order(c) ||
        !read_skipped(c) || !read_byte(c)) {
        return false;
    }
    c->reader = task_at(c, member(c->witness, "reader"));
    c->producer = end_of(c, json, "producer");
    c->consumer = end_of(c, json, "consumer");
    return true;
}

/* --- Running it --- */

static bool legal(const claim *c, const twin_model *m)
{
    for (uint32_t t = 0; t < m->n; t++) {
        for (uint32_t from = 0; from < m->n; from++) {
            if (m->present[t] && (m->before[t] >> from & 1) &&
                c->place[from] > c->place[t]) {
                return false;
            }
        }
    }
    return true;
}

static bool is_skipped(const claim *c, const twin_model *m, const twin_op *o)
{
    for (uint32_t i = 0; i < c->skip_count; i++) {
        if (c->skipped[i][0] == o->task && c->skipped[i][1] == o->arg) {
            return o->may || m->d->tasks[o->task].has_predicate;
        }
    }
    return false;
}

/* Whether the reader sees another value than `expected` in the order. */
static bool run(const claim *c, const twin_model *m, const twin_class *k,
                const twin_expected *expected)
{
    twin_value value = TWIN_NOTHING;
    for (uint32_t s = 0; s < TWIN_BUFFERS; s++) {
        bool own = s == c->storage || !(k->starts >> c->storage & 1);
        if (own && (k->starts >> s & 1)) {
            value = (twin_value)(TWIN_START + s) << 32;
        }
    }
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t t = c->order[i];
        for (uint32_t o = m->first[t]; o < m->first[t + 1]; o++) {
            if (!twin_has(k, o) || (m->ops[o].mode != ORACLE_READ &&
                                    is_skipped(c, m, &m->ops[o]))) {
                continue;
            }
            if (t == c->reader && m->ops[o].mode == ORACLE_READ &&
                m->ops[o].storage == c->storage &&
                twin_differs(k, expected->op[o], value)) {
                return true;
            }
            value = twin_touch_at(m, k, expected, o, value);
        }
    }
    return c->reader == ORACLE_NONE && (k->ends >> c->storage & 1) &&
           twin_differs(k, expected->end[c->storage], value);
}

/* As twin_expect, of what is not skipped. */
static void expect(twin_expected *e, const claim *c, const twin_model *m,
                   const twin_class *k)
{
    for (uint32_t s = 0; s < m->d->buffer_count; s++) {
        twin_value value = k->starts >> s & 1
                               ? (twin_value)(TWIN_START + s) << 32
                               : TWIN_NOTHING;
        for (uint32_t o = 0; o < m->first[m->n]; o++) {
            const twin_op *op = &m->ops[o];
            if (op->storage == s && twin_has(k, o) && m->present[op->task]) {
                e->op[o] = value;
                value = op->mode != ORACLE_READ && is_skipped(c, m, op)
                            ? value
                            : twin_touch(m, k, o, value);
            }
        }
        e->end[s] = value;
    }
}

/* --- The rule --- */

static bool touches(const twin_model *m, const claim *c, uint32_t task,
                    bool writes, bool operand)
{
    for (uint32_t i = m->first[task]; i < m->first[task + 1]; i++) {
        const twin_op *o = &m->ops[i];
        if (o->storage == c->storage && (o->bytes >> c->byte & 1) &&
            (o->mode != ORACLE_READ) == writes && o->operand == operand) {
            return true;
        }
    }
    return false;
}

static bool reaches(const twin_model *m, uint32_t from, uint32_t to)
{
    uint32_t reached = 1u << from;
    for (uint32_t round = 0; round < m->n; round++) {
        for (uint32_t t = 0; t < m->n; t++) {
            reached |=
                m->present[t] && (m->before[t] & reached) != 0 ? 1u << t : 0;
        }
    }
    return reached >> to & 1;
}

/*
 * Both touch the byte so, and the later one in program order runs first. But
 * when edges let a reader come before its writer in every order, no order
 * shows more of two writes than that they are not in order.
 */
static bool rule_fits(claim *c, const twin_model *m, const char *rule)
{
    bool war = strcmp(rule, "hazard.war") == 0;
    bool waw = strcmp(rule, "hazard.waw") == 0;
    bool stale = strcmp(rule, "predicate.stale") == 0;
    uint32_t from = c->producer, to = c->consumer;
    if (from == ORACLE_NONE || to == ORACLE_NONE || from >= to ||
        reaches(m, from, to)) {
        return fail(c, "the pair is in order");
    }
    if (c->place[from] < c->place[to] &&
        !(waw && c->reader != ORACLE_NONE && reaches(m, c->reader, to))) {
        return fail(c, "the pair is not the other way round");
    }
    return (touches(m, c, from, !war, false) ||
            (war && touches(m, c, from, false, true))) &&
                   touches(m, c, to, war || waw, stale)
               ? true
               : fail(c, "the pair does not touch the byte as the rule says");
}

/* Of two storages alone, in program order, some execution has a wrong read. */
static bool overlaps(const claim *c, const twin_model *m, uint32_t other,
                     int64_t address)
{
    twin_class k;
    uint32_t both = 1u << c->storage | 1u << other;
    twin_class_at(&k, m, true, 0, address);
    if ((k.storages & both) != both) {
        return false;
    }
    for (uint32_t i = 0; i < m->first[m->n]; i++) {
        if (!(both >> m->ops[i].storage & 1)) {
            k.ops[i / 64] &= ~(UINT64_C(1) << (i % 64));
        }
    }
    k.storages &= both;
    k.starts &= both;
    k.ends &= both;
    return twin_class_in_order(m, &k);
}

/*
 * An overlap is wrong in program order already, a parallel reuse is not (which
 * is asked where program order is legal).
 */
static bool reuse_fits(claim *c, const twin_model *m, const char *rule)
{
    const char *intruder = member(c->witness, "intruder");
    claim other = {.d = c->d, .witness = intruder, .reason = c->reason};
    bool forward = true, found = false;
    if (strcmp(rule, "memory.external") == 0) {
        return true;
    }
    other.witness = intruder;
    if (intruder == NULL || !read_buffer(&other)) {
        return fail(c, "there is no intruder");
    }
    for (uint32_t t = 0; t < m->n; t++) {
        forward = forward && m->before[t] < 1u << t;
    }
    for (int64_t at = 0; forward && at < m->addresses; at++) {
        found = found || overlaps(c, m, other.storage, at);
    }
    return !forward || found == (strcmp(rule, "memory.overlap") == 0)
               ? true
               : fail(c, "overlap and parallel reuse are mistaken");
}

static bool shows(claim *c, const oracle_finding *finding,
                  const twin_options *options)
{
    twin_model m;
    twin_class k;
    twin_expected expected;
    bool planned = strncmp(finding->rule, "memory.", 7) == 0;
    twin_options with = *options;
    with.choices = c->choices;
    with.values = c->values;
    if (!twin_model_make(&m, c->d, &with)) {
        return fail(c, "no order is legal");
    }
    if (!legal(c, &m)) {
        return fail(c, "the order breaks an edge");
    }
    if (strcmp(finding->rule, "hazard.uninitialised") == 0) {
        return options->trust_content || twin_nothing_of(&m)
                   ? true
                   : fail(c, "the read has a value");
    }
    twin_class_at(&k, &m, planned, c->storage, planned ? c->address : c->byte);
    expect(&expected, c, &m, &k);
    if (!run(c, &m, &k, &expected)) {
        return fail(c, "the read is right");
    }
    /* The rule holds with all edges there are. */
    return planned
               ? reuse_fits(c, &m, finding->rule)
               : options->without_uncertain || rule_fits(c, &m, finding->rule);
}

bool twin_shows(const oracle_document *document, const oracle_finding *finding,
                const twin_options *options, char *reason)
{
    claim c = {.d = document, .reason = reason};
    twin_options none = {0};
    if (strstr(finding->json, "\"order\":[") == NULL) {
        return true;
    }
    return read_claim(&c, finding->json) &&
           shows(&c, finding, options == NULL ? &none : options);
}
