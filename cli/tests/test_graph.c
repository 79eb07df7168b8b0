/*
 * counterpoint graph: the drawings of programs of the corpus against the files
 * in cli/tests/graph (made by the command itself and then looked at), and what
 * holds for every drawing.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "tool.h"

#define PROGRAM(name) "corpus/programs/" name ".py"

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static void expect_no_part(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("\"%s\" is in:\n%s", part, text);
}

static size_t count_parts(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static char *read_file(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(in);
    fclose(out);
    return text;
}

/* --- Well-formed --- */

typedef struct xml {
    const char *at;
    char open[16][16];
    size_t depth;
} xml;

/* Nothing that would have to be escaped, nothing that XML has no place for. */
static void check_text(const char *from, const char *to)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; from < to; from++) {
        bool known = *from != '&';
        for (size_t i = 0; i < 4; i++)
            known =
                known || strncmp(from, entities[i], strlen(entities[i])) == 0;
        assert_true(known);
        assert_true(*from != '<' && *from != '>' && *from != '"');
        assert_true((unsigned char)*from >= 0x20 || *from == '\n');
    }
}

/* <name a="b" ...> or with "/>"; then the text behind it. */
static void check_tag(xml *x)
{
    const char *name = ++x->at;
    bool closes = *name == '/';
    name += closes;
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    assert_in_range(length, 1, 15);
    const char *at = name + length;
    while (*at == ' ') {
        at += 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP"
                                 "QRSTUVWXYZ-0123456789");
        assert_true(at[0] == '=' && at[1] == '"');
        const char *end = strchr(at + 2, '"');
        assert_non_null(end);
        check_text(at + 2, end);
        at = end + 1;
    }
    bool is_empty = *at == '/';
    at += is_empty;
    assert_int_equal(*at, '>');
    if (closes) {
        assert_true(x->depth > 0);
        x->depth--;
        assert_int_equal(strlen(x->open[x->depth]), length);
        assert_memory_equal(x->open[x->depth], name, length);
    } else if (!is_empty) {
        assert_true(x->depth < 16);
        memcpy(x->open[x->depth], name, length);
        x->open[x->depth++][length] = '\0';
    }
    x->at = at + 1;
}

static void check_xml(const char *text)
{
    xml x = {.at = text};
    while (*x.at == '<') {
        check_tag(&x);
        const char *next = strchr(x.at, '<');
        if (next == NULL)
            break;
        bool is_style =
            x.depth > 0 && strcmp(x.open[x.depth - 1], "style") == 0;
        if (!is_style)
            check_text(x.at, next);
        x.at = next;
    }
    assert_int_equal(x.depth, 0);
    assert_string_equal(x.at, "\n");
}

/* Strings end where they should, and a line ends outside of them. */
static void check_dot(const char *text)
{
    bool inside = false;
    for (; *text != '\0'; text++) {
        if (inside && *text == '\\')
            text++;
        else if (*text == '"' || *text == '\n') {
            assert_false(inside && *text == '\n');
            inside = *text == '"' ? !inside : inside;
        }
    }
    assert_false(inside);
}

/* --- Drawings of the corpus --- */

static void expect_file(const char *input, const char *format,
                        const char *expected)
{
    tool_result r;
    char *text = read_file(expected);
    tool_run(&r, NULL, "graph", input, "--format", format, NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.error, "");
    assert_string_equal(r.out, text);
    tool_free(&r);
    free(text);
}

static void expected_files(void **state)
{
    (void)state;
    expect_file(PROGRAM("manual_scope"), "dot",
                "cli/tests/graph/manual_scope.dot");
    expect_file(PROGRAM("manual_scope"), "svg",
                "cli/tests/graph/manual_scope.svg");
    expect_file(PROGRAM("reduction_tree"), "json",
                "cli/tests/graph/reduction_tree.json");
}

static void draw(tool_result *r, const char *input, const char *format)
{
    tool_run(r, NULL, "graph", input, "--format", format, NULL);
    if (r->status != 0)
        fail_msg("%s: %s", input, r->error);
    if (strcmp(format, "svg") == 0)
        check_xml(r->out);
    else if (strcmp(format, "dot") == 0)
        check_dot(r->out);
}

/* What judges can read, the drawing can show; twice the same bytes. */
static void every_form_twice(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        PROGRAM("chain"),
        PROGRAM("group_mixed"),
        PROGRAM("manual_forgotten"),
        PROGRAM("external_race"),
        PROGRAM("dummy_join"),
        PROGRAM("predicate_stale"),
        PROGRAM("uninitialised"),
    };
    static const char *const formats[] = {"dot", "svg", "json"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        for (size_t f = 0; f < 3; f++) {
            tool_result a, b;
            draw(&a, inputs[i], formats[f]);
            draw(&b, inputs[i], formats[f]);
            assert_string_equal(a.out, b.out);
            tool_free(&a);
            tool_free(&b);
        }
    }
}

static void hazards(void **state)
{
    (void)state;
    tool_result r;
    draw(&r, PROGRAM("war_scratch"), "dot");
    expect_part(r.out, "\"1\" -> \"2\" [color=\"#d0021b\", penwidth=2.5, "
                       "tooltip=\"1 harvest");
    expect_part(r.out, "hazard.war: ");
    expect_no_part(r.out, "style=dotted");
    tool_free(&r);
    draw(&r, PROGRAM("war_scratch"), "svg");
    assert_int_equal(count_parts(r.out, "<path class=\"l k6\" d=\"M"), 2);
    expect_part(r.out,
                "4 tasks, 3 edges, 1 error between tasks, rules tensormap");
    tool_free(&r);
    draw(&r, PROGRAM("external_race"), "dot");
    expect_part(r.out, "\"0\" -> \"1\" [color=\"#d0021b\", style=dotted");
    tool_free(&r);
    /* with the rules that make an edge for everything there is none */
    tool_run(&r, NULL, "graph", PROGRAM("war_scratch"), "--rules",
             "conservative", NULL);
    assert_int_equal(r.status, 0);
    expect_no_part(r.out, "#d0021b");
    tool_free(&r);
    draw(&r, PROGRAM("uninitialised"), "svg");
    expect_part(r.out, "finding about one task");
    tool_free(&r);
}

/* What is written as JSON is a document with its edges: judged as it was. */
static void json_is_judged(void **state)
{
    (void)state;
    tool_result r, judged;
    draw(&r, PROGRAM("war_scratch"), "json");
    expect_part(r.out, "\"rules\":\"none\"");
    expect_part(r.out, "\"source\":\"automatic\"");
    tool_run(&judged, r.out, "check", "--json", "-", NULL);
    assert_int_equal(judged.status, 1);
    expect_part(judged.out, "\"rule\":\"hazard.war\"");
    tool_free(&judged);
    tool_run(&judged, r.out, "graph", "-", "--json", NULL);
    assert_string_equal(judged.out, r.out);
    tool_free(&judged);
    tool_free(&r);
}

static void other_inputs(void **state)
{
    (void)state;
    tool_result r;
    static const char score[] =
        "{\"name\":\"s\",\"tasks\":[{\"task_id\":0,\"func_id\":0,\"core_type\":"
        "\"aic\",\"name\":\"a\"},{\"task_id\":1,\"func_id\":0,\"core_type\":"
        "\"aiv\",\"name\":\"b\"}],\"dependencies\":[{\"producer\":0,"
        "\"consumer\":1,\"kind\":\"data\"}]}";
    tool_run(&r, score, "graph", "-", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    expect_part(r.out, "\"0\" -> \"1\" [color=\"#7a3fb0\"");
    tool_free(&r);
    tool_run(&r, NULL, "plan", PROGRAM("manual_scope"), NULL);
    assert_int_equal(r.status, 0);
    char *bundle = r.out;
    r.out = NULL;
    tool_free(&r);
    char *expected = read_file("cli/tests/graph/manual_scope.dot");
    tool_run(&r, bundle, "graph", "-", NULL);
    assert_string_equal(r.out, expected);
    tool_free(&r);
    free(bundle);
    free(expected);
    /* readable, and no graph */
    tool_run(&r,
             "{\"kind\":\"memory_plan\",\"version\":1,\"policy\":\"p\","
             "\"allocations\":[],\"peak_memory\":0}",
             "graph", "-", NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "has no task graph");
    tool_free(&r);
    tool_run(&r, "import pypto\n", "graph", "-", NULL);
    assert_int_equal(r.status, 1);
    expect_part(r.error, "doc.syntax");
    tool_free(&r);
    tool_expect(2, NULL, "graph", "no/such/file", NULL);
}

/* --- Documents made here --- */

static const char HEAD[] =
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"n\",\"rules\":\"none\","
    "\"choices\":[{\"id\":0,\"kind\":\"if\",\"line\":3,\"text\":\"n > 4\"},"
    "{\"id\":1,\"kind\":\"loop\",\"line\":4,\"text\":\"i in rows\"}],"
    "\"scopes\":[{\"id\":0,\"manual\":false,\"parent\":null},{\"id\":1,"
    "\"manual\":true,\"parent\":0},{\"id\":2,\"manual\":true,\"parent\":1}],"
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,\"external\":true}],"
    "\"tasks\":[";

/* A loop of three tasks an iteration behind a first one, all before a last. */
static char *make_loop(size_t iterations, const char *core)
{
    char *text = NULL;
    size_t length = 0, last = 3 * iterations + 1;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fputs(HEAD, out);
    for (size_t i = 0; i <= last; i++) {
        size_t part = i == 0 || i == last ? 3 : (i - 1) % 3;
        fprintf(out,
                "%s{\"id\":%zu,\"name\":\"part%zu\",\"core\":\"%s\",\"line\":"
                "%zu,\"deps\":[",
                i > 0 ? "," : "", i, part, core, 10 + part);
        if (i > 0 && i < last)
            fprintf(out, "{\"task\":%zu}", part == 0 ? 0 : i - 1);
        for (size_t k = 1; i == last && k <= iterations; k++)
            fprintf(out, "%s{\"task\":%zu}", k > 1 ? "," : "", 3 * k);
        fputs("],\"args\":[]}", out);
    }
    fputs("],\"edges\":[]}", out);
    fclose(out);
    return text;
}

typedef struct rect {
    long x, y, w, h;
} rect;

static size_t find_tasks(rect *rects, size_t room, const char *svg)
{
    size_t count = 0;
    static const char mark[] = "</title>\n<rect ";
    for (; (svg = strstr(svg, mark)) != NULL; svg++) {
        assert_true(count < room);
        rect *r = &rects[count++];
        assert_int_equal(sscanf(svg + sizeof mark - 1,
                                "x=\"%ld\" y=\"%ld\" width=\"%ld\" "
                                "height=\"%ld\"",
                                &r->x, &r->y, &r->w, &r->h),
                         4);
    }
    return count;
}

static bool is_apart(const rect *a, const rect *b)
{
    return a->x + a->w < b->x || b->x + b->w < a->x || a->y + a->h < b->y ||
           b->y + b->h < a->y;
}

static void tasks_stand_apart(void **state)
{
    (void)state;
    static rect rects[512];
    tool_result r;
    char *text = make_loop(100, "aiv");
    tool_run(&r, text, "graph", "-", "--format", "svg", NULL);
    assert_int_equal(r.status, 0);
    check_xml(r.out);
    size_t count = find_tasks(rects, 512, r.out);
    assert_int_equal(count, 302);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(is_apart(&rects[i], &rects[k]));
    /* rows are broken: not a hundred tasks side by side */
    const char *width = strstr(r.out, " width=\"");
    assert_in_range(strtol(width + 8, NULL, 10), 600, 4000);
    tool_free(&r);
    free(text);
}

static void too_large(void **state)
{
    (void)state;
    tool_result r;
    char *text = make_loop(200, "aic");
    tool_run(&r, text, "graph", "-", "--format", "svg", NULL);
    assert_int_equal(r.status, 2);
    assert_string_equal(r.out, "");
    expect_part(r.error, "602 tasks");
    expect_part(r.error, "--around TASK");
    expect_part(r.error, "at most 400");
    tool_free(&r);
    tool_run(&r, text, "graph", "-", NULL);
    assert_int_equal(r.status, 0);
    check_dot(r.out);
    tool_free(&r);
    tool_run(&r, text, "graph", "-", "--format", "svg", "--around", "5",
             "--depth", "1", NULL);
    assert_int_equal(r.status, 0);
    check_xml(r.out);
    expect_part(r.out, ">3 tasks, 2 edges<");
    expect_part(r.out, "left out: 599 tasks, 798 edges, 0 findings");
    expect_part(r.error, "left out: 599 tasks, 798 edges, 0 findings");
    expect_part(r.out, " f\"/>");
    tool_free(&r);
    free(text);
}

static void around(void **state)
{
    (void)state;
    tool_result r;
    char *text = make_loop(4, "aic");
    tool_run(&r, text, "graph", "-", "--around", "2", NULL);
    assert_int_equal(r.status, 0);
    /* two steps: 0, 1, 3 and 13 */
    expect_part(r.out, "\"0\" -> \"1\"");
    expect_part(r.out, "\"3\" -> \"13\"");
    expect_no_part(r.out, "\"4\"");
    tool_free(&r);
    tool_run(&r, text, "graph", "-", "--around", "part1", NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "4 tasks are called 'part1'");
    expect_part(r.error, "(2, 5, 8, 11)");
    tool_free(&r);
    tool_run(&r, text, "graph", "-", "--around", "77", NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "no task has the id or the name '77'");
    tool_free(&r);
    tool_expect(2, text, "graph", "-", "--depth", "1", NULL);
    tool_expect(2, text, "graph", "-", "--around", "1", "--json", NULL);
    free(text);
    /* a name that one task has; a hazard is a step too */
    tool_run(&r, NULL, "graph", PROGRAM("manual_forgotten"), "--around",
             "finish", "--depth", "1", NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "\"0\" -> \"2\"");
    expect_part(r.out, "penwidth=3");
    tool_free(&r);
}

#define TASK(id, more)                                                         \
    "{\"id\":" id ",\"name\":\"t\",\"core\":\"aiv\",\"args\":[]" more "}"
#define EDGE(from, to, source, more)                                           \
    "{\"from\":" from ",\"to\":" to ",\"source\":\"" source "\"" more "}"

static void kinds_of_lines(void **state)
{
    (void)state;
    char text[4096];
    tool_result r;
    snprintf(
        text, sizeof text, "%s%s,%s,%s,%s],\"edges\":[%s,%s,%s,%s,%s]}", HEAD,
        TASK("0", ""), TASK("1", ",\"deps\":[{\"task\":0}]"),
        TASK("2", ",\"scope\":1"), TASK("3", ",\"scope\":2"),
        EDGE("0", "1", "automatic", ",\"kind\":\"data\""),
        EDGE("1", "2", "recorded", ""), EDGE("0", "2", "policy", ""),
        EDGE("0", "3", "automatic", ",\"kind\":\"creator\""),
        EDGE("2", "3", "automatic", ",\"kind\":\"war\",\"certain\":false"));
    tool_run(&r, text, "graph", "-", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    check_dot(r.out);
    /* one line for an edge and a dep of one pair */
    expect_part(r.out, "\"0\" -> \"1\" [color=\"#1f5fbf\", tooltip=\"0 t \xe2"
                       "\x86\x92 1 t\\nexplicit dep\\nautomatic: data\"]");
    expect_part(r.out, "\"1\" -> \"2\" [color=\"#1a7f5a\", ");
    expect_part(r.out, "\"0\" -> \"2\" [color=\"#7a3fb0\", penwidth=0.4, ");
    expect_part(r.out, "\"0\" -> \"3\" [color=\"#8d959c\", ");
    expect_part(r.out, "\"2\" -> \"3\" [color=\"#b06a00\", style=dashed, ");
    /* a scope within a scope */
    expect_part(r.out, "subgraph \"cluster_0\" {\n  label=\"manual scope 1\"");
    expect_part(r.out, "subgraph \"cluster_1\" {\n  label=\"manual scope 2\"");
    expect_part(r.out, "  }\n  }\n");
    tool_free(&r);
    tool_run(&r, text, "graph", "-", "--format", "svg", NULL);
    check_xml(r.out);
    assert_int_equal(count_parts(r.out, "\" class=\"b\"/>"), 3);
    expect_part(r.out, "4 tasks, 5 edges (1 redundant)");
    tool_free(&r);
}

static void conditions(void **state)
{
    (void)state;
    char text[4096];
    tool_result r;
    snprintf(text, sizeof text, "%s%s,%s,%s],\"edges\":[]}", HEAD,
             TASK("0", ",\"when\":[{\"choice\":0,\"is\":false}]"),
             TASK("1", ",\"when\":[{\"choice\":0,\"is\":true},"
                       "{\"choice\":1,\"is\":true}]"),
             TASK("2", ""));
    tool_run(&r, text, "graph", "-", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    expect_part(r.out, "label=\"0 t\\naiv\\nnot if n > 4\"");
    expect_part(r.out, "label=\"1 t\\naiv\\nif n > 4, loop i in rows\"");
    assert_int_equal(count_parts(r.out, "rounded,dashed\", tooltip"), 2);
    tool_free(&r);
    tool_run(&r, text, "graph", "-", "--format", "svg", NULL);
    check_xml(r.out);
    expect_part(r.out, ">not if n &gt; 4</text>");
    assert_int_equal(count_parts(r.out, "class=\"n c1 w\""), 2);
    tool_free(&r);
}

/* A dep that only some executions have: no path goes through it. */
static void conditional_dep(void **state)
{
    (void)state;
    char text[4096];
    tool_result r;
    snprintf(
        text, sizeof text, "%s%s", HEAD,
        TASK("0", "") "," TASK(
            "1",
            ",\"deps\":[{\"task\":0,\"when\":[{"
            "\"choice\":0,\"is\":true}]}]") "," TASK("2",
                                                     ",\"deps\":[{\"task\":0},{"
                                                     "\"task\":1}]") "],"
                                                                     "\"edges\""
                                                                     ":[]}");
    tool_run(&r, text, "graph", "-", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    expect_part(r.out, "\"0\" -> \"1\" [color=\"#1f5fbf\", style=dashed, "
                       "tooltip=\"0 t \xe2\x86\x92 1 t\\nexplicit dep, if n > "
                       "4\"]");
    expect_part(r.out, "\"0\" -> \"2\" [color=\"#1f5fbf\", tooltip");
    tool_free(&r);
}

/* What a run left behind has the edges that it kept. */
static void record(void **state)
{
    (void)state;
    tool_result r;
    tool_run(
        &r,
        "{\"tasks\":[{\"task_id\":\"0\",\"scope\":\"auto\","
        "\"early_dispatch\":false,\"kernel_ids\":[-1,1,-1],\"block_num\":1,"
        "\"args\":[]},{\"task_id\":\"1\",\"scope\":\"manual\","
        "\"early_dispatch\":false,\"kernel_ids\":[0,-1,-1],\"block_num\":1,"
        "\"args\":[]}],\"tensors\":[],\"edges\":[{\"pred\":\"0\",\"succ\":"
        "\"1\",\"source\":\"explicit\"}]}",
        "graph", "-", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    expect_part(r.out, "\"0\" -> \"1\" [color=\"#1");
    expect_part(r.out, "manual scope");
    tool_free(&r);
}

/* A dep on an id that no task has, and an edge from one, are no lines. */
static void loose_ends(void **state)
{
    (void)state;
    char text[4096];
    tool_result r;
    snprintf(text, sizeof text, "%s%s", HEAD,
             TASK("0", ",\"deps\":[{\"task\":9},{\"task\":null,\"name\":\"p\","
                       "\"cause\":\"dead\"}]") "],\"edges\":[" EDGE("7", "0",
                                                                    "recorded",
                                                                    "") "]}");
    tool_run(&r, text, "graph", "-", "--around", "0", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    expect_no_part(r.out, " -> ");
    expect_part(r.out, "dep p holds no task");
    tool_free(&r);
}

/* A cycle and a task that waits for itself are drawn, too. */
static void cycles(void **state)
{
    (void)state;
    char text[4096];
    tool_result r;
    snprintf(
        text, sizeof text, "%s%s", HEAD,
        TASK("0", "") "," TASK("1", "") "," TASK("2", "") "],\"edges\":[" EDGE(
            "0", "1", "recorded",
            "") "," EDGE("1", "2", "recorded",
                         "") "," EDGE("2", "0", "recorded",
                                      "") "," EDGE("1", "1", "recorded",
                                                   "") "]}");
    tool_run(&r, text, "graph", "-", "--format", "svg", NULL);
    if (r.status != 0)
        fail_msg("%s", r.error);
    check_xml(r.out);
    expect_part(r.out, "3 tasks, 4 edges, 1 error between tasks<");
    expect_part(r.out, "not marked: the edges form a cycle");
    tool_free(&r);
}

/* Names are arbitrary: nothing of them is taken for anything else. */
static void odd_names(void **state)
{
    (void)state;
    static const char *const names[] = {"</title><script>",
                                        "a\\\"b'c&d;&lt;",
                                        "back\\\\N\\\\l\\\\",
                                        "]]>-->\\n\\t",
                                        "\\u0000\\u0001",
                                        "\\u202e\\u2066\\ufeff\\ufffe",
                                        "\xe6\x97\xa5\xe6\x9c\xac",
                                        "{}|<>",
                                        "%s%n",
                                        "",
                                        "\\ud83d\\ude00\\udbff\\udfff"};
    char text[4096];
    tool_result r;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *n = names[i];
        snprintf(text, sizeof text,
                 "{\"kind\":\"task_graph\",\"version\":1,\"rules\":"
                 "\"tensormap\",\"name\":\"%s\",\"choices\":[{\"id\":0,"
                 "\"kind\":\"%s\",\"text\":\"%s\"}],\"buffers\":[{\"key\":"
                 "\"%s\",\"bytes\":8}],\"tasks\":[{\"id\":0,\"name\":\"%s\","
                 "\"core\":\"%s\",\"args\":[{\"buffer\":\"%s\",\"dispatch\":"
                 "\"output\"},{\"scalar\":{\"text\":\"%s\"}}],\"when\":["
                 "{\"choice\":0,\"is\":true}]},{\"id\":1,\"args\":[{\"buffer\":"
                 "\"%s\",\"dispatch\":\"no_dep\"}]}]}",
                 n, n, n, n, n, n, n, n, n);
        tool_run(&r, text, "graph", "-", "--format", "svg", NULL);
        if (r.status != 0)
            fail_msg("%s: %s", n, r.error);
        check_xml(r.out);
        expect_no_part(r.out, "<script>");
        tool_free(&r);
        tool_run(&r, text, "graph", "-", NULL);
        assert_int_equal(r.status, 0);
        check_dot(r.out);
        tool_free(&r);
    }
}

static void long_names_are_cut(void **state)
{
    (void)state;
    tool_result r;
    static char core[100001];
    memset(core, 'x', sizeof core - 1);
    char *text = make_loop(2, core);
    tool_run(&r, text, "graph", "-", "--format", "svg", NULL);
    assert_int_equal(r.status, 0);
    assert_true(r.out_length < 40000);
    expect_part(r.out, "xxxxx\xe2\x80\xa6xxxxx");
    tool_free(&r);
    free(text);
}

/* --- Where it goes --- */

static void files(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    const char *svg = tool_path(folder, "g.svg");
    tool_run(&r, NULL, "graph", PROGRAM("manual_scope"), "-o", svg, NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "g.svg: 4 tasks, 4 edges (1 redundant)");
    tool_free(&r);
    char *text = read_file(svg);
    char *expected = read_file("cli/tests/graph/manual_scope.svg");
    assert_string_equal(text, expected);
    free(text);
    free(expected);
    tool_run(&r, NULL, "graph", PROGRAM("war_scratch"), "--json", "-o",
             tool_path(folder, "g.gv"), NULL);
    assert_int_equal(r.status, 0);
    assert_int_equal(tool_number(r.out, "errors"), 1);
    assert_int_equal(tool_number(r.out, "tasks"), 4);
    assert_int_equal(tool_number(r.out, "left_out"), 0);
    expect_part(r.out, "\"format\":\"dot\"");
    tool_free(&r);
    tool_run(&r, NULL, "graph", PROGRAM("chain"), "--quiet", "--format", "json",
             "-o", tool_path(folder, "any"), NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, "");
    tool_free(&r);
    tool_expect(0, NULL, "check", tool_path(folder, "any"), NULL);
    tool_run(&r, NULL, "graph", PROGRAM("chain"), "-o",
             tool_path(folder, "g.png"), NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "tells no format");
    tool_free(&r);
    tool_expect(2, NULL, "graph", PROGRAM("chain"), "-o",
                tool_path(folder, "no/g.svg"), NULL);
    tool_expect(2, NULL, "graph", PROGRAM("chain"), "--json", "--format", "svg",
                NULL);
    tool_expect(0, NULL, "graph", PROGRAM("chain"), "-o", "-", NULL);
    tool_remove(folder);
}

/* A folder with one input stands for it. */
static void folders(void **state)
{
    (void)state;
    tool_result r;
    char *folder = tool_folder();
    tool_copy(folder, "a/passes_dump/40_after_Simplify.py", PROGRAM("chain"));
    tool_run(&r, NULL, "graph", folder, NULL);
    assert_int_equal(r.status, 0);
    expect_part(r.out, "digraph \"Stairwell\"");
    tool_free(&r);
    tool_copy(folder, "b/passes_dump/40_after_Simplify.py", PROGRAM("chain"));
    tool_run(&r, NULL, "graph", folder, NULL);
    assert_int_equal(r.status, 2);
    expect_part(r.error, "holds 2 inputs");
    tool_free(&r);
    tool_remove(folder);
    folder = tool_folder();
    tool_expect(4, NULL, "graph", folder, NULL);
    tool_remove(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(expected_files), cmocka_unit_test(every_form_twice),
    cmocka_unit_test(hazards),        cmocka_unit_test(json_is_judged),
    cmocka_unit_test(other_inputs),   cmocka_unit_test(tasks_stand_apart),
    cmocka_unit_test(too_large),      cmocka_unit_test(around),
    cmocka_unit_test(kinds_of_lines), cmocka_unit_test(conditions),
    cmocka_unit_test(loose_ends),     cmocka_unit_test(conditional_dep),
    cmocka_unit_test(record),         cmocka_unit_test(cycles),
    cmocka_unit_test(odd_names),      cmocka_unit_test(long_names_are_cut),
    cmocka_unit_test(files),          cmocka_unit_test(folders),
};

TEST_MAIN(tests)
