/*
 * Fields that are not as the format has them: one object of the text has one
 * field with another value, or not at all. In the values $id is the id of the
 * first task, $none one that no task has, $key the key of the first buffer,
 * $own that of the damaged one, $bytes its size, $block 4 * $bytes.
 */
#include "graph_fault.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct damage {
    uint8_t object;
    const char *field, *value; /* NULL: the field is not there */
} damage;

static const damage schema[] = {
    {GRAPH_OF_ROOT, "kind", "\"graph\""},
    {GRAPH_OF_ROOT, "kind", "7"},
    {GRAPH_OF_ROOT, "version", NULL},
    {GRAPH_OF_ROOT, "version", "2"},
    {GRAPH_OF_ROOT, "version", "\"1\""},
    {GRAPH_OF_ROOT, "version", "1.0"},
    {GRAPH_OF_ROOT, "version", "true"},
    {GRAPH_OF_ROOT, "name", "7"},
    {GRAPH_OF_ROOT, "rules", "\"all\""},
    {GRAPH_OF_ROOT, "rules", "3"},
    {GRAPH_OF_ROOT, "tasks", NULL},
    {GRAPH_OF_ROOT, "tasks", "{}"},
    {GRAPH_OF_ROOT, "tasks", "[3]"},
    {GRAPH_OF_ROOT, "tasks", "[[]]"},
    {GRAPH_OF_ROOT, "tasks", "[null]"},
    {GRAPH_OF_ROOT, "symbols", "{}"},
    {GRAPH_OF_ROOT, "symbols", "[{}]"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":3}]"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":\"q\"},{\"name\":\"q\"}]"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":\"q\",\"min\":\"0\"}]"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":\"q\",\"free\":1}]"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":\"q\",\"is\":3}]"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":\"q\",\"is\":{\"op\":\"*\"}}]"},
    {GRAPH_OF_ROOT, "symbols",
     "[{\"name\":\"q\",\"is\":{\"op\":\"/\",\"left\":1,\"right\":2}}]"},
    {GRAPH_OF_ROOT, "symbols",
     "[{\"name\":\"q\",\"is\":{\"op\":\"*\",\"left\":\"p\",\"right\":2}}]"},
    {GRAPH_OF_ROOT, "symbols",
     "[{\"name\":\"q\",\"is\":{\"op\":\"*\",\"left\":{\"t\":[[1,\"p\"]]},"
     "\"right\":2}}]"},
    {GRAPH_OF_ROOT, "choices", "[{\"kind\":\"if\"}]"},
    {GRAPH_OF_ROOT, "choices", "[{\"id\":\"a\"}]"},
    {GRAPH_OF_ROOT, "choices", "[{\"id\":1},{\"id\":1}]"},
    {GRAPH_OF_ROOT, "choices", "[{\"id\":1,\"kind\":3}]"},
    {GRAPH_OF_ROOT, "choices", "[{\"id\":1,\"text\":[]}]"},
    {GRAPH_OF_ROOT, "impossible", "[[{\"choice\":99}]]"},
    {GRAPH_OF_ROOT, "impossible", "[3]"},
    {GRAPH_OF_ROOT, "facts", "[{\"of\":1}]"},
    {GRAPH_OF_ROOT, "facts", "[{\"op\":\"<=\"}]"},
    {GRAPH_OF_ROOT, "facts", "[{\"op\":\"<\",\"of\":1}]"},
    {GRAPH_OF_ROOT, "facts", "[{\"op\":\"<=\",\"of\":1,\"choice\":99}]"},
    {GRAPH_OF_ROOT, "buffers", "[{}]"},
    {GRAPH_OF_ROOT, "buffers", "\"none\""},
    {GRAPH_OF_ROOT, "buffers",
     "[{\"key\":\"x\",\"alias_of\":{\"key\":\"y\"}},"
     "{\"key\":\"y\",\"alias_of\":{\"key\":\"x\"}}]"},
    {GRAPH_OF_ROOT, "scopes", "[{\"manual\":true}]"},
    {GRAPH_OF_ROOT, "scopes", "[{\"id\":1.5}]"},
    {GRAPH_OF_ROOT, "scopes", "[{\"id\":0},{\"id\":0}]"},
    {GRAPH_OF_ROOT, "scopes", "[{\"id\":0,\"parent\":7}]"},
    {GRAPH_OF_ROOT, "scopes", "[{\"id\":0,\"parent\":0}]"},
    {GRAPH_OF_ROOT, "scopes",
     "[{\"id\":0,\"parent\":1},{\"id\":1,\"parent\":0}]"},
    {GRAPH_OF_ROOT, "scopes", "[{\"id\":0,\"parent\":\"x\"}]"},
    {GRAPH_OF_ROOT, "scopes", "[{\"id\":0,\"manual\":1}]"},
    {GRAPH_OF_ROOT, "edges", "[{\"to\":$id}]"},
    {GRAPH_OF_ROOT, "edges", "[{\"from\":$id}]"},
    {GRAPH_OF_ROOT, "edges", "[{\"from\":\"$id\",\"to\":$id}]"},
    {GRAPH_OF_ROOT, "edges", "[{\"from\":$id,\"to\":null}]"},
    {GRAPH_OF_ROOT, "edges",
     "[{\"from\":$id,\"to\":$id,\"source\":\"author\"}]"},
    {GRAPH_OF_ROOT, "edges", "[{\"from\":$id,\"to\":$id,\"kind\":1}]"},
    {GRAPH_OF_ROOT, "edges", "[{\"from\":$id,\"to\":$id,\"certain\":\"no\"}]"},
    {GRAPH_OF_ROOT, "edges", "{\"from\":$id,\"to\":$id}"},
    {GRAPH_OF_ROOT, "host_accesses", "[{\"buffer\":$key}]"},
    {GRAPH_OF_ROOT, "host_accesses", "[{\"mode\":\"read\"}]"},
    {GRAPH_OF_ROOT, "host_accesses", "[{\"mode\":\"peek\",\"buffer\":$key}]"},
    {GRAPH_OF_ROOT, "host_accesses",
     "[{\"mode\":\"read\",\"buffer\":\"nobody\"}]"},
    {GRAPH_OF_ROOT, "host_accesses",
     "[{\"mode\":\"read\",\"buffer\":$key,\"after\":$none}]"},
    {GRAPH_OF_ROOT, "host_accesses",
     "[{\"mode\":\"read\",\"buffer\":$key,\"region\":{}}]"},
    {GRAPH_OF_ROOT, "dynamic", "[{\"tasks\":[$none]}]"},
    {GRAPH_OF_ROOT, "dynamic", "[{\"tasks\":[\"$id\"]}]"},
    {GRAPH_OF_ROOT, "dynamic", "[{\"reason\":3}]"},
    {GRAPH_OF_ROOT, "dynamic", "[{\"line\":\"x\"}]"},
    {GRAPH_OF_BUFFER, "key", NULL},
    {GRAPH_OF_BUFFER, "key", "3"},
    {GRAPH_OF_BUFFER, "bytes", "\"64\""},
    {GRAPH_OF_BUFFER, "bytes", "64.0"},
    {GRAPH_OF_BUFFER, "symbol", "3"},
    {GRAPH_OF_BUFFER, "external", "1"},
    {GRAPH_OF_BUFFER, "init", "\"yes\""},
    {GRAPH_OF_BUFFER, "manual_dep", "0"},
    {GRAPH_OF_BUFFER, "align", "\"8\""},
    {GRAPH_OF_BUFFER, "creator", "$none"},
    {GRAPH_OF_BUFFER, "creator", "\"x\""},
    {GRAPH_OF_BUFFER, "alias_of", "{}"},
    {GRAPH_OF_BUFFER, "alias_of", "7"},
    {GRAPH_OF_BUFFER, "alias_of", "{\"key\":\"nobody\"}"},
    {GRAPH_OF_BUFFER, "alias_of", "{\"key\":$own}"},
    {GRAPH_OF_BUFFER, "alias_of", "{\"key\":$key,\"offset\":\"0\"}"},
    {GRAPH_OF_BUFFER, "may_alias", "[\"nobody\"]"},
    {GRAPH_OF_BUFFER, "may_alias", "$key"},
    {GRAPH_OF_TASK, "id", NULL},
    {GRAPH_OF_TASK, "id", "\"x\""},
    {GRAPH_OF_TASK, "id", "null"},
    {GRAPH_OF_TASK, "name", "3"},
    {GRAPH_OF_TASK, "core", "[]"},
    {GRAPH_OF_TASK, "blocks", "\"4\""},
    {GRAPH_OF_TASK, "sync_start", "1"},
    {GRAPH_OF_TASK, "scope", "99"},
    {GRAPH_OF_TASK, "scope", "\"0\""},
    {GRAPH_OF_TASK, "dummy", "0"},
    {GRAPH_OF_TASK, "early", "2"},
    {GRAPH_OF_TASK, "line", "\"x\""},
    {GRAPH_OF_TASK, "when", "[{\"is\":true}]"},
    {GRAPH_OF_TASK, "when", "[{\"choice\":99}]"},
    {GRAPH_OF_TASK, "when", "{\"choice\":0}"},
    {GRAPH_OF_TASK, "deps", "[{\"task\":\"x\"}]"},
    {GRAPH_OF_TASK, "deps", "[{\"task\":null,\"cause\":\"lost\"}]"},
    {GRAPH_OF_TASK, "deps", "[{\"task\":null,\"name\":3}]"},
    {GRAPH_OF_TASK, "deps", "[$id]"},
    {GRAPH_OF_TASK, "deps", "[{\"task\":$id,\"when\":[{\"choice\":99}]}]"},
    {GRAPH_OF_TASK, "predicate", "3"},
    {GRAPH_OF_TASK, "predicate", "{\"buffer\":\"nobody\"}"},
    {GRAPH_OF_TASK, "predicate", "{\"buffer\":3}"},
    {GRAPH_OF_TASK, "predicate", "{\"buffer\":$key,\"op\":3}"},
    {GRAPH_OF_TASK, "predicate", "{\"buffer\":$key,\"value\":\"0\"}"},
    {GRAPH_OF_TASK, "predicate", "{\"buffer\":$key,\"region\":{}}"},
    {GRAPH_OF_TASK, "args", "\"x\""},
    {GRAPH_OF_TASK, "args", "[{}]"},
    {GRAPH_OF_TASK, "args", "[null]"},
    {GRAPH_OF_TASK, "args", "[{\"buffer\":$key,\"scalar\":1}]"},
    {GRAPH_OF_ARG, "buffer", NULL},
    {GRAPH_OF_ARG, "buffer", "\"nobody\""},
    {GRAPH_OF_ARG, "buffer", "null"},
    {GRAPH_OF_ARG, "dispatch", "\"in\""},
    {GRAPH_OF_ARG, "dispatch", "1"},
    {GRAPH_OF_ARG, "declared", "\"output\""},
    {GRAPH_OF_ARG, "manual_dep", "3"},
    {GRAPH_OF_ARG, "dtype", "3"},
    {GRAPH_OF_ARG, "version", "[]"},
    {GRAPH_OF_ARG, "base_address", "true"},
    {GRAPH_OF_ARG, "owner", "1.5"},
    {GRAPH_OF_ARG, "view", "3"},
    {GRAPH_OF_ARG, "view", "{\"dims\":[]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":\"4\"}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":\"0\"}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":{\"c\":1.5}}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[3]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[[1,1]]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[[1,1,0,0]]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[[1,\"1\",0]]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":{\"t\":[[1,\"nobody\"]]}}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":{\"t\":[[1]]}}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":{\"t\":[[1,\"block\",2]]}}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":{\"t\":[[1,3]]}}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dtype\":[]}"},
    {GRAPH_OF_ARG, "access", "{}"},
    {GRAPH_OF_ARG, "access", "[{}]"},
    {GRAPH_OF_ARG, "access", "[\"read\"]"},
    {GRAPH_OF_ACCESS, "mode", NULL},
    {GRAPH_OF_ACCESS, "mode", "\"peek\""},
    {GRAPH_OF_ACCESS, "mode", "0"},
    {GRAPH_OF_ACCESS, "must", "1"},
    {GRAPH_OF_ACCESS, "exact", "\"true\""},
    {GRAPH_OF_ACCESS, "region", "{}"},
    {GRAPH_OF_SCALAR, "scalar", NULL},
    {GRAPH_OF_SCALAR, "scalar", "[1]"},
    {GRAPH_OF_SCALAR, "scalar", "true"},
    {GRAPH_OF_SCALAR, "scalar", "0.5"},
    {GRAPH_OF_SCALAR, "scalar", "{}"},
    {GRAPH_OF_SCALAR, "scalar", "{\"text\":3}"},
    {GRAPH_OF_PREDICATE, "region", "[]"},
    {GRAPH_OF_EDGE, "from", "{}"},
    {GRAPH_OF_EDGE, "to", NULL},
    {GRAPH_OF_DEP, "task", "[]"},
    {GRAPH_OF_SCOPE, "id", NULL},
    {GRAPH_OF_HOST, "mode", NULL},
};

static const damage range[] = {
    {GRAPH_OF_ROOT, "version", "9223372036854775808"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":\"q\",\"min\":2,\"max\":1}]"},
    {GRAPH_OF_ROOT, "symbols", "[{\"name\":\"q\",\"step\":0}]"},
    {GRAPH_OF_ROOT, "symbols",
     "[{\"name\":\"q\",\"max\":-9223372036854775809}]"},
    {GRAPH_OF_ROOT, "choices", "[{\"id\":18446744073709551616}]"},
    {GRAPH_OF_ROOT, "edges", "[{\"from\":$id,\"to\":$id,\"from_arg\":-1}]"},
    {GRAPH_OF_ROOT, "edges",
     "[{\"from\":$id,\"to\":$id,\"to_arg\":4294967295}]"},
    {GRAPH_OF_ROOT, "host_accesses",
     "[{\"mode\":\"read\",\"buffer\":$key,\"region\":{\"elem\":0}}]"},
    {GRAPH_OF_BUFFER, "bytes", "-1"},
    {GRAPH_OF_BUFFER, "bytes", "9223372036854775808"},
    {GRAPH_OF_BUFFER, "align", "0"},
    {GRAPH_OF_BUFFER, "align", "-8"},
    {GRAPH_OF_ROOT, "buffers",
     "[{\"key\":\"x\",\"bytes\":8},{\"key\":\"y\",\"bytes\":8,"
     "\"alias_of\":{\"key\":\"x\",\"offset\":-1}}]"},
    {GRAPH_OF_ROOT, "buffers",
     "[{\"key\":\"x\",\"bytes\":8},{\"key\":\"y\",\"bytes\":8,"
     "\"alias_of\":{\"key\":\"x\",\"offset\":1}}]"},
    {GRAPH_OF_ROOT, "buffers",
     "[{\"key\":\"x\"},{\"key\":\"y\",\"bytes\":8,"
     "\"alias_of\":{\"key\":\"x\",\"offset\":9223372036854775807}}]"},
    {GRAPH_OF_TASK, "id", "-1"},
    {GRAPH_OF_TASK, "id", "9223372036854775808"},
    {GRAPH_OF_TASK, "blocks", "0"},
    {GRAPH_OF_TASK, "blocks", "-4"},
    {GRAPH_OF_TASK, "line", "99999999999999999999"},
    {GRAPH_OF_TASK, "predicate",
     "{\"buffer\":$key,\"region\":{\"elem\":4,\"base\":-8}}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":0}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":-4}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":-1}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"base\":1048576}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1048577}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[[-1,1,0]]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[[1048577,1,0]]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[[2,-1,0]]}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":4,\"base\":9223372036854775807}"},
    {GRAPH_OF_ARG, "view", "{\"elem\":1,\"dims\":[[3,9223372036854775807,0]]}"},
    {GRAPH_OF_ARG, "view",
     "{\"elem\":1,\"base\":{\"c\":1048576,\"t\":[[1,\"lane\"]]}}"},
    {GRAPH_OF_ARG, "view",
     "{\"elem\":1,\"base\":{\"t\":[[9223372036854775807,\"lane\"],"
     "[1,\"lane\"]]}}"},
    {GRAPH_OF_ACCESS, "region", "{\"elem\":0}"},
    {GRAPH_OF_ACCESS, "region", "{\"elem\":1,\"base\":1048576}"},
};

static const char *const unknown[] = {"3",
                                      "null",
                                      "\"x\"",
                                      "[1,{\"y\":[]}]",
                                      "{\"id\":1,\"id\":2}",
                                      "-0.0",
                                      "1e308",
                                      "123456789012345678901234567890",
                                      "\"\\u0000\\ud83d\\ude00\""};
static const char *const strange[] = {"priority", "Kind",       "ids", "args ",
                                      "x.y",      "t\\u00e4sk", "_"};

/* --- Where --- */

static bool is_listed(const graph_edge *e)
{
    return e->form >= GRAPH_EXPLICIT && e->form <= GRAPH_POLICY;
}

/* Objects of the kind that the text will have. */
static uint32_t count_of(const graph *g, graph_object object)
{
    uint32_t count = 0;
    switch (object) {
    case GRAPH_OF_ROOT:
        return 1;
    case GRAPH_OF_BUFFER:
        return g->buffer_count;
    case GRAPH_OF_SCOPE:
        return g->scope_count;
    case GRAPH_OF_TASK:
        return g->task_count;
    case GRAPH_OF_HOST:
        return g->host_count;
    case GRAPH_OF_ARG:
    case GRAPH_OF_ACCESS:
    case GRAPH_OF_SCALAR:
        for (uint32_t t = 0; t < g->task_count; t++) {
            const graph_task *task = &g->tasks[t];
            for (uint32_t i = 0; i < task->args; i++)
                count += (g->args[task->first_arg + i].buffer == GRAPH_NONE) ==
                         (object == GRAPH_OF_SCALAR);
        }
        return count;
    case GRAPH_OF_EDGE:
    case GRAPH_OF_DEP:
        for (uint32_t i = 0; i < g->edge_count; i++)
            count += object == GRAPH_OF_DEP ? g->edges[i].form == GRAPH_DEP
                                            : is_listed(&g->edges[i]);
        return count;
    case GRAPH_OF_PREDICATE:
        for (uint32_t t = 0; t < g->task_count; t++)
            count += g->tasks[t].predicate != GRAPH_NONE;
        return count;
    case GRAPH_OBJECTS:
        break;
    }
    return 0;
}

/* --- Values --- */

static void put_key(fuzz_text *text, const graph *g, uint32_t buffer)
{
    char key[GRAPH_NAME] = "";
    fuzz_text quoted = {0};
    if (buffer < g->buffer_count)
        fuzz_graph_key(g, buffer, key);
    fuzz_string(&quoted, key);
    if (quoted.failed)
        text->failed = true;
    else
        fuzz_put_bytes(text, quoted.data, quoted.length);
    fuzz_text_free(&quoted);
}

/* What a name stands for, at the end of `text`; its length. */
static size_t put_name(fuzz_text *text, const graph *g, const char *name,
                       uint32_t index)
{
    char digits[24];
    if (strncmp(name, "$key", 4) == 0 || strncmp(name, "$own", 4) == 0) {
        put_key(text, g, name[1] == 'k' ? 0 : index);
        return 4;
    }
    bool id = strncmp(name, "$id", 3) == 0;
    snprintf(digits, sizeof digits, "%" PRId64,
             id && g->task_count > 0 ? g->tasks[0].id : g->no_task);
    fuzz_put(text, digits);
    return id ? 3 : 5;
}

static const char *expand(graph *g, const char *value, uint32_t index)
{
    fuzz_text text = {0};
    if (value == NULL || strchr(value, '$') == NULL)
        return value;
    for (const char *at = value; *at != '\0';) {
        size_t length = strcspn(at, "$");
        fuzz_put_bytes(&text, at, length);
        at += length;
        if (*at != '\0')
            at += put_name(&text, g, at, index);
    }
    char *kept =
        text.failed ? NULL : fuzz_arena_get(g->arena, text.length + 1, 1);
    if (kept != NULL)
        memcpy(kept, text.data, text.length);
    fuzz_text_free(&text);
    return kept;
}

static bool put(graph_breaker *b, const damage *d)
{
    graph *g = b->g;
    uint32_t count = count_of(g, (graph_object)d->object);
    if (count == 0)
        return false;
    uint32_t index = fuzz_graph_pick(b, count);
    g->damage = (graph_damage){.object = d->object,
                               .index = index,
                               .field = d->field,
                               .value = expand(g, d->value, index)};
    return d->value == NULL || g->damage.value != NULL;
}

static bool some(graph_breaker *b, const damage *list, uint32_t count)
{
    uint32_t first = fuzz_graph_pick(b, count);
    for (uint32_t i = 0; i < count; i++) {
        if (put(b, &list[(first + i) % count]))
            return true;
    }
    return false;
}

bool fuzz_graph_schema(graph_breaker *b)
{
    return some(b, schema, sizeof schema / sizeof *schema);
}

bool fuzz_graph_range(graph_breaker *b)
{
    return some(b, range, sizeof range / sizeof *range);
}

bool fuzz_graph_unknown_field(graph_breaker *b)
{
    uint32_t names = sizeof strange / sizeof *strange;
    uint32_t values = sizeof unknown / sizeof *unknown;
    damage d;
    d.object = (uint8_t)fuzz_graph_pick(b, GRAPH_OBJECTS);
    d.field = strange[fuzz_graph_pick(b, names)];
    d.value = unknown[fuzz_graph_pick(b, values)];
    if (count_of(b->g, (graph_object)d.object) == 0)
        d.object = GRAPH_OF_ROOT;
    return put(b, &d);
}

bool fuzz_graph_syntax(graph_breaker *b)
{
    b->g->spoiled = true;
    return true;
}
