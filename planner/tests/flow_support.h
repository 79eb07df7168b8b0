/*
 * Programs of a few statements of control flow, and what becomes of them as
 * one line of text for each task.
 */
#ifndef FLOW_SUPPORT_H
#define FLOW_SUPPORT_H

#include "dump_support.h"

#define T256 "pl.Tensor[[256, 64], pl.FP32]"
#define DIRECTIONS "\"arg_directions\": [" IN ", pl.adir.scalar, " OUT "]"

/* put(x, r, o): reads rows 0 to 7 of x, writes rows r to r + 7 of o. */
#define PUT                                                                    \
    AIV "    def put(x: " T256 ", r: pl.Scalar[pl.INDEX], o: pl.Out[" T256     \
        "]) -> " T256 ":\n"                                                    \
        "        t: pl.Tile[[8, 64], pl.FP32, pl.Mem.Vec] = "                  \
        "pl.tile.load(x, [0, 0], [8, 64], [8, 64])\n"                          \
        "        s: " T256 " = pl.tile.store(t, [r, 0], o)\n"                  \
        "        return o\n"
/* The statements of main begin in line FIRST_LINE. */
#define PARAMETERS                                                             \
    "a: " T256 ", b: pl.Out[" T256 "], c: pl.Out[" T256                        \
    "], m: pl.Tensor[[8], pl.INT32], n: pl.Scalar[pl.INDEX], "                 \
    "k: pl.Scalar[pl.INDEX]"
enum { FIRST_LINE = 13 };

typedef struct lines {
    char *data;
    size_t length, capacity;
} lines;

static inline void put_text(lines *t, const char *data, size_t length)
{
    if (t->length + length + 1 > t->capacity) {
        t->capacity = (t->length + length + 1) * 2;
        t->data = realloc(t->data, t->capacity);
        assert_non_null(t->data);
    }
    memcpy(t->data + t->length, data, length);
    t->length += length;
    t->data[t->length] = '\0';
}

static inline void put_string(lines *t, const char *data)
{
    put_text(t, data, strlen(data));
}

static inline void put_number(lines *t, double number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", number);
    put_string(t, digits);
}

/* What stands for a sign behind a dollar. */
static inline const char *meaning(char sign)
{
    switch (sign) {
    case 'T':
        return T256;
    case 'I':
        return "pl.Scalar[pl.TASK_ID]";
    case 'N':
        return "pl.Scalar[pl.INDEX]";
    case 'P':
        return "pl.Tuple[" T256 ", pl.Scalar[pl.TASK_ID]]";
    case 'A':
        return "pl.Array[4, pl.TASK_ID]";
    case 'D':
        return "attrs={" DIRECTIONS "}";
    case 'M': /* a mark on the call */
        return "attrs={" DIRECTIONS
               ", \"__compiler_auto_manual_scope_candidate\": True}";
    case 'E': /* closed by "$])" */
        return "attrs={" DIRECTIONS ", \"compiler_manual_dep_edges\": [";
    case ']':
        return "]}";
    case 'S':
        return "pl.submit(self.put, ";
    default:
        fail_msg("no meaning of $%c", sign);
        return "";
    }
}

/* Lines of a block, indented, with the signs of meaning(). */
static inline void put_body(lines *t, const char *body)
{
    bool begins = true;
    for (const char *c = body; *c != '\0'; c++) {
        if (begins)
            put_string(t, "        ");
        begins = *c == '\n';
        if (*c == '$')
            put_string(t, meaning(*++c));
        else
            put_text(t, c, 1);
    }
}

static inline planned plan_text_within(const char *source, uint64_t max_tasks)
{
    planned p = {0};
    size_t length = 0;
    sonata_dump_options options = {.max_tasks = max_tasks};
    p.status = sonata_dump_plan(&p.text, &length, source, strlen(source),
                                &options, &p.error);
    if (p.status != SONATA_OK)
        return p;
    p.bundle = cJSON_Parse(p.text);
    assert_non_null(p.bundle);
    const cJSON *members = cJSON_GetObjectItem(p.bundle, "members");
    p.graph = cJSON_GetObjectItem(cJSON_GetArrayItem(members, 0), "document");
    assert_non_null(p.graph);
    return p;
}

/* main(PARAMETERS) with this decorator and these statements. */
static inline planned plan_main(const char *decorator, const char *body,
                                uint64_t max_tasks)
{
    lines source = {0};
    put_string(&source, HEAD PUT);
    put_string(&source, decorator);
    put_string(&source, "    def main(self, " PARAMETERS "):\n");
    put_body(&source, body);
    planned p = plan_text_within(source.data, max_tasks);
    free(source.data);
    return p;
}

static inline planned plan_within(const char *body, uint64_t max_tasks)
{
    planned p = plan_main(ORCH, body, max_tasks);
    if (p.status != SONATA_OK)
        fail_msg("%s (line %llu)", p.error.message,
                 (unsigned long long)p.error.line);
    return p;
}

static inline planned plan_body(const char *body)
{
    return plan_within(body, 0);
}

static inline const cJSON *get(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(object, key);
    if (item == NULL)
        fail_msg("no %s", key);
    return item;
}

static inline const char *name_of(const cJSON *object, const char *key)
{
    return get(object, key)->valuestring;
}

/* A symbol that stands in a place, not only in facts and definitions. */
static inline bool is_placed(const planned *p, const cJSON *symbol)
{
    char name[128], *places[2];
    bool found = false;
    snprintf(name, sizeof name, "\"%s\"]", name_of(symbol, "name"));
    places[0] = cJSON_PrintUnformatted(get(p->graph, "tasks"));
    places[1] = cJSON_PrintUnformatted(get(p->graph, "host_accesses"));
    for (int i = 0; i < 2; i++) {
        assert_non_null(places[i]);
        found = found || strstr(places[i], name) != NULL;
        cJSON_free(places[i]);
    }
    return found;
}

/* "s0" for the first of the document's placed symbols, and so on. */
static inline void put_symbol(lines *t, const planned *p, const char *name)
{
    int i = 0;
    const cJSON *s;
    cJSON_ArrayForEach(s, get(p->graph, "symbols"))
    {
        if (strcmp(name_of(s, "name"), name) == 0)
            break;
        i += is_placed(p, s);
    }
    assert_non_null(s);
    put_string(t, "s");
    put_number(t, i);
}

/* 3, or 3+2*s0-1*s1 */
static inline void put_affine(lines *t, const planned *p, const cJSON *number)
{
    const cJSON *term;
    if (cJSON_IsNumber(number)) {
        put_number(t, number->valuedouble);
        return;
    }
    put_number(t, get(number, "c")->valuedouble);
    cJSON_ArrayForEach(term, get(number, "t"))
    {
        double factor = cJSON_GetArrayItem(term, 0)->valuedouble;
        put_string(t, factor < 0 ? "" : "+");
        put_number(t, factor);
        put_string(t, "*");
        put_symbol(t, p, cJSON_GetArrayItem(term, 1)->valuestring);
    }
}

/* 0+ 1-: choice 0 is true, choice 1 is false */
static inline void put_decisions(lines *t, const cJSON *list)
{
    const cJSON *item;
    const char *between = "";
    cJSON_ArrayForEach(item, list)
    {
        put_string(t, between);
        put_number(t, get(item, "choice")->valuedouble);
        put_string(t, cJSON_IsTrue(get(item, "is")) ? "+" : "-");
        between = ",";
    }
}

/* 4, 4?0+, dead:name */
static inline void put_deps(lines *t, const cJSON *task)
{
    const cJSON *dep;
    if (cJSON_GetArraySize(get(task, "deps")) > 0)
        put_string(t, " after");
    cJSON_ArrayForEach(dep, get(task, "deps"))
    {
        const cJSON *id = get(dep, "task");
        put_string(t, " ");
        if (cJSON_IsNumber(id)) {
            put_number(t, id->valuedouble);
        } else {
            put_string(t, name_of(dep, "cause"));
            put_string(t, ":");
            put_string(t, name_of(dep, "name"));
        }
        if (cJSON_GetObjectItem(dep, "when") != NULL) {
            put_string(t, "?");
            put_decisions(t, get(dep, "when"));
        }
    }
}

/* The key without "param:" or "alloc:". */
static inline void put_buffer(lines *t, const cJSON *arg)
{
    put_string(t, strchr(name_of(arg, "buffer"), ':') + 1);
}

/* a>b[8]: reads a, writes rows from 8 on of b; "?" where it need not. */
static inline void put_rows(lines *t, const planned *p, const cJSON *task)
{
    const cJSON *out = cJSON_GetArrayItem(get(task, "args"), 2);
    put_buffer(t, cJSON_GetArrayItem(get(task, "args"), 0));
    put_string(t, ">");
    put_buffer(t, out);
    const cJSON *access = cJSON_GetArrayItem(get(out, "access"), 0);
    const cJSON *region = cJSON_GetObjectItem(access, "region");
    put_string(t, "[");
    if (region != NULL && cJSON_IsTrue(get(access, "must")))
        put_affine(
            t, p,
            cJSON_GetArrayItem(cJSON_GetArrayItem(get(region, "dims"), 0), 2));
    else
        put_string(t, "?");
    put_string(t, "]");
}

/*
 * Each task as "@line [if decisions] reads>writes[row] [after deps]"; lines
 * count from the first statement of main, which is line 1.
 */
static inline void assert_tasks(const planned *p, const char *expected)
{
    lines t = {0};
    const cJSON *task;
    put_string(&t, "");
    cJSON_ArrayForEach(task, get(p->graph, "tasks"))
    {
        put_string(&t, "@");
        put_number(&t, get(task, "line")->valuedouble - FIRST_LINE + 1);
        if (cJSON_GetObjectItem(task, "when") != NULL) {
            put_string(&t, " if ");
            put_decisions(&t, get(task, "when"));
        }
        put_string(&t, " ");
        if (cJSON_IsTrue(get(task, "dummy")))
            put_string(&t, "dummy");
        else
            put_rows(&t, p, task);
        put_deps(&t, task);
        put_string(&t, "\n");
    }
    assert_string_equal(t.data, expected);
    free(t.data);
}

/* Each choice as "kind@line text\n", each impossible pair as "not 0+,1-\n". */
static inline void assert_choices(const planned *p, const char *expected)
{
    lines t = {0};
    const cJSON *item;
    put_string(&t, "");
    cJSON_ArrayForEach(item, get(p->graph, "choices"))
    {
        put_string(&t, name_of(item, "kind"));
        put_string(&t, "@");
        put_number(&t, get(item, "line")->valuedouble - FIRST_LINE + 1);
        put_string(&t, " ");
        put_string(&t, name_of(item, "text"));
        put_string(&t, "\n");
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(p->graph, "impossible"))
    {
        put_string(&t, "not ");
        put_decisions(&t, item);
        put_string(&t, "\n");
    }
    assert_string_equal(t.data, expected);
    free(t.data);
}

/* Each placed symbol as "min..max", with "!" when it is not free. */
static inline void assert_symbols(const planned *p, const char *expected)
{
    lines t = {0};
    const cJSON *s;
    put_string(&t, "");
    cJSON_ArrayForEach(s, get(p->graph, "symbols"))
    {
        if (!is_placed(p, s))
            continue;
        put_string(&t, t.length == 0 ? "" : " ");
        if (cJSON_IsNumber(get(s, "min")))
            put_number(&t, get(s, "min")->valuedouble);
        put_string(&t, "..");
        if (cJSON_IsNumber(get(s, "max")))
            put_number(&t, get(s, "max")->valuedouble);
        put_string(&t, cJSON_IsTrue(get(s, "free")) ? "" : "!");
    }
    assert_string_equal(t.data, expected);
    free(t.data);
}

/* Each dynamic part as "@line first word of the reason: tasks\n". */
static inline void assert_dynamic(const planned *p, const char *expected)
{
    lines t = {0};
    const cJSON *part, *task;
    put_string(&t, "");
    cJSON_ArrayForEach(part, get(p->graph, "dynamic"))
    {
        put_string(&t, "@");
        put_number(&t, get(part, "line")->valuedouble - FIRST_LINE + 1);
        put_string(&t, " ");
        put_string(&t, name_of(part, "reason"));
        put_string(&t, ":");
        cJSON_ArrayForEach(task, get(part, "tasks"))
        {
            put_string(&t, " ");
            put_number(&t, task->valuedouble);
        }
        put_string(&t, "\n");
    }
    assert_string_equal(t.data, expected);
    free(t.data);
}

/* A letter for each task: M when a scope around it is manual, else "-". */
static inline void assert_modes(const planned *p, const char *expected)
{
    lines t = {0};
    const cJSON *task;
    const cJSON *scopes = get(p->graph, "scopes");
    put_string(&t, "");
    cJSON_ArrayForEach(task, get(p->graph, "tasks"))
    {
        bool manual = false;
        const cJSON *id = get(task, "scope");
        while (cJSON_IsNumber(id)) {
            const cJSON *scope = cJSON_GetArrayItem(scopes, id->valueint);
            manual = manual || cJSON_IsTrue(get(scope, "manual"));
            id = get(scope, "parent");
        }
        put_string(&t, manual ? "M" : "-");
    }
    assert_string_equal(t.data, expected);
    free(t.data);
}

static inline void assert_fails(const char *body, uint64_t max_tasks,
                                sonata_status status, uint64_t line,
                                const char *words)
{
    planned p = plan_main(ORCH, body, max_tasks);
    assert_int_equal(p.status, status);
    assert_int_equal(p.error.line, line + FIRST_LINE - 1);
    if (strstr(p.error.message, words) == NULL)
        fail_msg("message '%s' lacks '%s'", p.error.message, words);
}

#endif
