/* What a document becomes: values, accesses, cells, places, edges. */
#include "sim.h"

#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <string.h>

#define NONE REPLAY_NONE

/* --- Texts --- */

/* A document; the parts are texts of JSON. */
static oracle_document read(const char *symbols, const char *facts,
                            const char *buffers, const char *tasks,
                            const char *edges)
{
    static char text[8192];
    int length = snprintf(
        text, sizeof text,
        "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"n\", "
        "\"rules\": \"none\", \"symbols\": [%s], \"facts\": [%s], "
        "\"choices\": [{\"id\": 0, \"kind\": \"if\", \"text\": \"a\"}, "
        "{\"id\": 1, \"kind\": \"if\", \"text\": \"b\"}], "
        "\"buffers\": [%s], \"tasks\": [%s], \"edges\": [%s]}",
        symbols, facts, buffers, tasks, edges);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return sim_read(text);
}

#define SYMBOL(name, bounds)                                                   \
    "{\"name\": \"" name "\", \"free\": true" bounds "}"
#define MIN(n) ", \"min\": " #n
#define MAX(n) ", \"max\": " #n
#define STEP(n) ", \"step\": " #n
#define IS(left, op, right)                                                    \
    ", \"is\": {\"left\": " left ", \"op\": \"" op "\", \"right\": " right "}"
#define ONE(name) "{\"c\": 0, \"t\": [[1, \"" name "\"]]}"
#define FACT(of, op) "{\"of\": " of ", \"op\": \"" op "\"}"

/* --- Values --- */

static void check_values(const char *symbols, const char *facts, uint32_t n,
                         const int64_t *want)
{
    oracle_document document = read(symbols, facts, "", "", "");
    replay_program p = sim_program(&document, NULL);
    assert_int_equal(document.symbol_count, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(p.symbols[i], want[i]);
    }
    replay_program_free(&p);
    oracle_document_free(&document);
}

#define VALUES(...) ((const int64_t[]){__VA_ARGS__})

static void least_values(void **state)
{
    (void)state;
    check_values(
        SYMBOL("a", MIN(3) MAX(9)) "," SYMBOL("b", "") "," SYMBOL("c", MAX(-4)),
        "", 3, VALUES(3, 0, -4));
    /* b >= a + 2, in steps of 3 from 1 */
    check_values(SYMBOL("a", MIN(3) MAX(9)) "," SYMBOL("b", MIN(1) STEP(3)),
                 FACT("{\"c\": 2, \"t\": [[1, \"a\"], [-1, \"b\"]]}", "<="), 2,
                 VALUES(3, 7));
    /* 2b == a + 1: a has to be odd */
    check_values(SYMBOL("a", MIN(2)) "," SYMBOL("b", MIN(0)),
                 FACT("{\"c\": 1, \"t\": [[1, \"a\"], [-2, \"b\"]]}", "=="), 2,
                 VALUES(3, 2));
    check_values(SYMBOL("a", MIN(2) MAX(3)),
                 FACT("{\"c\": -2, \"t\": "
                      "[[1, \"a\"]]}",
                      "!="),
                 1, VALUES(3));
}

static void values_that_follow(void **state)
{
    (void)state;
    check_values(
        SYMBOL("a", MIN(-7)) "," SYMBOL("q", IS(ONE("a"), "//", "2")) "," SYMBOL(
            "r", IS(ONE("a"), "%",
                    "2")) "," SYMBOL("m", IS(ONE("a"), "max",
                                             "-1")) "," SYMBOL("p",
                                                               IS(ONE("q"), "*",
                                                                  ONE("m"))),
        "", 5, VALUES(-7, -4, 1, -1, 4));
    /* A loop over n // 16 that runs twice, and n no multiple of 16. */
    check_values(
        SYMBOL("n", MIN(1)) "," SYMBOL(
            "q", IS(ONE("n"), "//",
                    "16")) "," SYMBOL("i", MIN(0)) "," SYMBOL("d", MIN(1)),
        FACT("{\"c\": 1, \"t\": [[-1, \"q\"], [1, \"i\"], "
             "[1, \"d\"]]}",
             "<=") "," FACT("{\"c\": 0, \"t\": [[1, \"n\"], [-16, \"q\"]]}",
                            "!="),
        4, VALUES(33, 2, 0, 1));
}

static void values_of_a_seed(void **state)
{
    (void)state;
    oracle_document document =
        read(SYMBOL("a", MIN(3) MAX(40) STEP(2)), "", "", "", "");
    bool other = false;
    for (uint64_t seed = 1; seed < 20; seed++) {
        replay_choice choice = {.seed = seed};
        replay_program p = sim_program(&document, &choice);
        replay_program q = sim_program(&document, &choice);
        assert_in_range(p.symbols[0], 3, 40);
        assert_int_equal(p.symbols[0] % 2, 1);
        assert_int_equal(p.symbols[0], q.symbols[0]);
        other = other || p.symbols[0] > 9;
        replay_program_free(&p);
        replay_program_free(&q);
    }
    assert_true(other);
    replay_program p =
        sim_program(&document, &(replay_choice){.symbols = VALUES(17)});
    assert_int_equal(p.symbols[0], 17);
    replay_program_free(&p);
    oracle_document_free(&document);
}

static void no_values(void **state)
{
    (void)state;
    oracle_document document =
        read(SYMBOL("a", MIN(3)) "," SYMBOL("bee", MAX(9)),
             FACT("{\"c\": 7, \"t\": [[1, \"a\"], [-1, \"bee\"]]}", "<="), "",
             "", "");
    replay_program p;
    replay_error error;
    assert_int_equal(replay_program_make(&p, &document, NULL, &error),
                     REPLAY_NO_EXECUTION);
    assert_non_null(strstr(error.message, "no values"));
    assert_null(p.arena);
    oracle_document_free(&document);
}

/* --- Accesses --- */

#define BUFFER(key, bytes)                                                     \
    "{\"key\": \"" key "\", \"bytes\": " bytes ", \"external\": true}"
#define TASK(id, rest, args)                                                   \
    "{\"id\": " #id ", \"name\": \"t\", \"core\": \"aiv\"" rest                \
    ", \"args\": [" args "]}"
#define ARG(key, access)                                                       \
    "{\"buffer\": \"" key "\", \"dispatch\": \"inout\", \"access\": [" access  \
    "]}"
#define ACCESS(mode, region)                                                   \
    "{\"mode\": \"" mode "\", \"must\": true, \"exact\": true" region "}"
#define REGION(elem, base, dims)                                               \
    ", \"region\": {\"elem\": " #elem ", \"base\": " base ", \"dims\": [" dims \
    "]}"

static void check_access(const replay_program *p, uint32_t i, uint32_t arg,
                         replay_mode mode, replay_force force, uint32_t runs)
{
    assert_int_equal(p->accesses[i].arg, arg);
    assert_int_equal(p->accesses[i].mode, mode);
    assert_int_equal(p->accesses[i].force, force);
    assert_int_equal(p->accesses[i].count, runs);
}

/* The bytes of a run. */
static void check_bytes(const replay_program *p, uint32_t access, uint32_t run,
                        int64_t begin, int64_t end)
{
    replay_cells cells = p->runs[p->accesses[access].first + run];
    assert_true(cells.count > 0);
    assert_int_equal(p->cell_begin[cells.first], begin);
    assert_int_equal(p->cell_end[cells.first + cells.count - 1], end);
}

static void reads_then_writes(void **state)
{
    (void)state;
    oracle_document document = read(
        "", "", BUFFER("x", "64") "," BUFFER("y", "64"),
        TASK(5, "",
             ARG("x", ACCESS("write", "")) "," ARG(
                 "y", ACCESS("inout", "") "," ACCESS(
                          "accumulate",
                          "")) ", {\"scalar\": 4}, "
                               "{\"buffer\": \"x\", \"dispatch\": \"no_dep\"}"),
        "");
    replay_program p = sim_program(&document, NULL);
    assert_int_equal(p.access_count, 6);
    assert_int_equal(p.tasks[0].reads, 2);
    check_access(&p, 0, 1, REPLAY_READ, REPLAY_MUST, 1);
    check_access(&p, 1, 3, REPLAY_READ, REPLAY_BOUND, 1);
    check_access(&p, 2, 0, REPLAY_WRITE, REPLAY_MUST, 1);
    check_access(&p, 3, 1, REPLAY_WRITE, REPLAY_MUST, 1);
    check_access(&p, 4, 1, REPLAY_ACCUMULATE, REPLAY_MUST, 1);
    check_access(&p, 5, 3, REPLAY_WRITE, REPLAY_BOUND, 1);
    assert_true(p.bounds);
    assert_int_equal(p.tasks[0].bytes, 6 * 64);
    assert_int_equal(p.touched, 6);
    assert_int_equal(p.cell_count, 2);
    replay_program_free(&p);
    oracle_document_free(&document);
}

static void rows_of_regions(void **state)
{
    (void)state;
    oracle_document document = read(
        "", "", BUFFER("x", "64"),
        TASK(
            0, "",
            ARG("x", /* 2 rows of 3 elements of 2 bytes, 16 apart */
                ACCESS("read", REGION(2, "4", "[2, 16, 1], [3, 2, 0]")) "," ACCESS(
                    "read",
                    REGION(
                        1, "40",
                        "[3, -8, 0]")) "," ACCESS("read",
                                                  REGION(
                                                      4, "0",
                                                      "[0, 4, 0]")) "," ACCESS("read",
                                                                               REGION(
                                                                                   4,
                                                                                   "60",
                                                                                   "[9, 0, 0]")) ","
                /* 0-3, 3-6, 6-9: they overlap */
                ACCESS("read", REGION(4, "0", "[3, 3, 0]")) ","
                /* 5, 0, 7, 2: not in their order */
                ACCESS("read", REGION(1, "5", "[2, 2, 0], [2, -5, 0]")))),
        "");
    replay_program p = sim_program(&document, NULL);
    static const int64_t rows[][4] = {
        {0, 0, 20, 26}, {0, 1, 36, 42}, {1, 0, 24, 25}, {1, 1, 32, 33},
        {1, 2, 40, 41}, {3, 0, 60, 64}, {4, 0, 0, 10},  {5, 0, 0, 1},
        {5, 1, 2, 3},   {5, 2, 5, 6},   {5, 3, 7, 8}};
    static const uint32_t counts[] = {2, 3, 0, 1, 1, 4};
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(p.accesses[i].count, counts[i]);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_bytes(&p, (uint32_t)rows[i][0], (uint32_t)rows[i][1], rows[i][2],
                    rows[i][3]);
    }
    replay_program_free(&p);
    oracle_document_free(&document);
}

static void blocks_and_lanes(void **state)
{
    (void)state;
    oracle_document document =
        read("", "", BUFFER("x", "64"),
             TASK(0, ", \"blocks\": 3",
                  ARG("x", ACCESS("write", REGION(4,
                                                  "{\"c\": 0, \"t\": [[8, "
                                                  "\"block\"], [4, \"lane\"]]}",
                                                  "")) "," ACCESS("read", ""))),
             "");
    replay_program p = sim_program(&document, NULL);
    assert_int_equal(p.access_count, 7);
    assert_int_equal(p.accesses[0].part, NONE);
    uint32_t seen = 0;
    for (uint32_t i = 1; i < 7; i++) {
        uint32_t part = p.accesses[i].part;
        assert_in_range(part, 0, 5);
        check_bytes(&p, i, 0, 4 * part, 4 * part + 4);
        seen |= 1u << part;
    }
    assert_int_equal(seen, 0x3f);
    assert_true(p.inside);
    replay_program_free(&p);
    oracle_document_free(&document);
}

static void unknown_sizes(void **state)
{
    (void)state;
    oracle_document document = read(
        "", "",
        BUFFER("x", "null") "," BUFFER("y", "null") "," BUFFER("z", "0"),
        TASK(0, "",
             ARG("x",
                 ACCESS("write", "") "," ACCESS(
                     "write",
                     REGION(4, "12",
                            ""))) "," ARG("y",
                                          ACCESS("write",
                                                 "")) "," ARG("z",
                                                              ACCESS("write",
                                                                     ""))),
        "");
    replay_program p = sim_program(&document, NULL);
    check_bytes(&p, 0, 0, 0, 16);
    check_bytes(&p, 1, 0, 12, 16);
    check_bytes(&p, 2, 0, 0, 1);
    assert_int_equal(p.accesses[3].count, 0);
    assert_int_equal(p.buffers[2].count, 0);
    replay_program_free(&p);
    oracle_document_free(&document);
}

static void cores_and_tokens(void **state)
{
    (void)state;
    oracle_document document = read(
        "", "", BUFFER("x", "8"),
        TASK(0, "", "{\"scalar\": 4}") "," TASK(
            1, "",
            "{\"scalar\": 5}") ", {\"id\": 2, \"name\": \"t\", \"core\": "
                               "\"mixed\", \"blocks\": 7, "
                               "\"sync_start\": true, \"args\": []}, {\"id\": "
                               "3, \"name\": \"t\", "
                               "\"core\": \"aic\", \"args\": []}, {\"id\": 4, "
                               "\"name\": \"t\", "
                               "\"core\": \"aiv\", \"dummy\": true, \"args\": "
                               "[" ARG("x", ACCESS("write", "")) "]}",
        "");
    replay_program p = sim_program(&document, NULL);
    static const uint8_t cores[] = {REPLAY_AIV, REPLAY_AIV, REPLAY_MIX,
                                    REPLAY_AIC, REPLAY_DUMMY};
    for (uint32_t t = 0; t < 5; t++) {
        assert_int_equal(p.tasks[t].core, cores[t]);
        assert_int_equal(p.tasks[t].id, t);
        assert_int_equal(p.tasks[t].accesses, 0);
    }
    assert_int_equal(p.tasks[2].blocks, 7);
    assert_true(p.tasks[2].sync_start);
    assert_true(p.tasks[0].token != p.tasks[1].token);
    replay_program_free(&p);
    oracle_document_free(&document);
}

/* --- Executions and edges --- */

#define WHEN(id, is) ", \"when\": [{\"choice\": " #id ", \"is\": " #is "}]"

static void choices(void **state)
{
    (void)state;
    oracle_document document = read(
        "", "", BUFFER("x", "8"),
        TASK(0, WHEN(0, true), "") "," TASK(1, WHEN(0, false), "") "," TASK(
            2, ", \"deps\": [{\"task\": 0}, {\"task\": 1}]",
            "") "," TASK(3, WHEN(1, true), ""),
        "{\"from\": 1, \"to\": 3, "
        "\"source\": \"policy\", \"kind\": \"data\"}");
    replay_program p = sim_program(&document, NULL);
    assert_int_equal(p.task_count, 3);
    assert_int_equal(p.tasks[2].id, 3);
    assert_int_equal(p.edge_count, 1);
    replay_program_free(&p);
    static const bool values[] = {false, true};
    p = sim_program(&document, &(replay_choice){.choices = values});
    assert_int_equal(p.tasks[0].id, 1);
    assert_int_equal(p.edge_count, 2);
    assert_int_equal(p.tasks[0].afters, 2);
    replay_program_free(&p);
    oracle_document_free(&document);
}

/* Both at once is no execution: the second is false then. */
static void choices_that_clash(void **state)
{
    (void)state;
    oracle_document document = sim_read(
        "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"n\", "
        "\"rules\": \"none\", \"buffers\": [], \"edges\": [], "
        "\"choices\": [{\"id\": 0, \"kind\": \"if\", \"text\": \"a\"}, "
        "{\"id\": 1, \"kind\": \"if\", \"text\": \"b\"}], \"impossible\": "
        "[[{\"choice\": 0, \"is\": true}, {\"choice\": 1, \"is\": true}]], "
        "\"tasks\": [" TASK(0, WHEN(0, true), "") "," TASK(
            1, WHEN(1, true), "") "," TASK(2, WHEN(1, false), "") "]}");
    replay_program p = sim_program(&document, NULL);
    assert_int_equal(p.task_count, 2);
    assert_int_equal(p.tasks[1].id, 2);
    replay_program_free(&p);
    oracle_document_free(&document);
}

/*
 * A loop over tiles of 8 rows of n: choice 0, there is a second tile; choice 1,
 * the tile is full. With a second tile the first one is full, which no bounds
 * of the symbols say alone.
 */
#define TILES                                                                  \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"none\","                                                                \
    "\"symbols\":[{\"name\":\"n\",\"min\":1,\"free\":true},{\"name\":"         \
    "\"tiles\","                                                               \
    "\"is\":{\"left\":{\"c\":7,\"t\":[[1,\"n\"]]},\"op\":\"//"                 \
    "\",\"right\":8}},"                                                        \
    "{\"name\":\"i\",\"min\":0,\"free\":true},{\"name\":\"d\",\"min\":1,"      \
    "\"free\":true},{\"name\":\"rows\",\"is\":{\"left\":{\"c\":0,\"t\":"       \
    "[[1,\"n\"],[-8,\"i\"]]},\"op\":\"min\",\"right\":8}}],\"choices\":["      \
    "{\"id\":0,\"kind\":\"loop\"},{\"id\":1,\"kind\":\"if\"}],\"facts\":["     \
    "{\"of\":{\"c\":1,\"t\":[[-1,\"tiles\"],[1,\"i\"]]},\"op\":\"<=\"},"       \
    "{\"choice\":0,\"is\":true,\"of\":{\"c\":1,\"t\":[[-1,\"tiles\"],[1,"      \
    "\"i\"],"                                                                  \
    "[1,\"d\"]]},\"op\":\"<=\"},{\"choice\":0,\"is\":false,\"of\":{\"c\":-1,"  \
    "\"t\":[[1,\"tiles\"]]},\"op\":\"<=\"},{\"choice\":1,\"is\":true,\"of\":"  \
    "{\"c\":8,\"t\":[[-1,\"rows\"]]},\"op\":\"<=\"},{\"choice\":1,\"is\":"     \
    "false,"                                                                   \
    "\"of\":{\"c\":-7,\"t\":[[1,\"rows\"]]},\"op\":\"<=\"}],\"buffers\":[],"   \
    "\"tasks\":[{\"id\":0}]}"

/* Whether some sample has values with which the choice stays as it is. */
static bool has_execution(const oracle_document *d, uint32_t pinned, bool is,
                          bool *choices)
{
    replay_error error;
    for (uint64_t sample = 0; sample < 12; sample++) {
        replay_program p;
        choices[pinned] = is;
        if (replay_choices_find(choices, d, pinned, true, sample, NULL,
                                &error) != REPLAY_OK) {
            continue;
        }
        assert_int_equal(choices[pinned], is);
        replay_choice choice = {.choices = choices, .sample = sample};
        if (replay_program_make(&p, d, &choice, &error) == REPLAY_OK) {
            replay_program_free(&p);
            return true;
        }
    }
    return false;
}

static void choices_that_go_together(void **state)
{
    (void)state;
    oracle_document d = sim_read(TILES);
    bool choices[2];
    replay_error error;
    for (uint32_t pinned = 0; pinned < 2; pinned++) {
        assert_true(has_execution(&d, pinned, true, choices));
        assert_true(has_execution(&d, pinned, false, choices));
    }
    assert_false(choices[1]);
    assert_false(choices[0]); /* a part of a tile is the last one */
    /* What is left for searching is taken from, and is enough for nothing. */
    int64_t work = 1;
    assert_int_equal(
        replay_choices_find(choices, &d, REPLAY_NONE, true, 0, &work, &error),
        REPLAY_UNSUPPORTED);
    assert_true(work <= 0);
    oracle_document_free(&d);
}

static void no_execution(void **state)
{
    (void)state;
    replay_error error;
    bool choices[2] = {false, false};
    /* Neither value of the choice leaves the symbol one. */
    oracle_document d = sim_read(
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"
        "\"none\",\"symbols\":[{\"name\":\"n\",\"min\":1,\"max\":4,\"free\":"
        "true}],\"choices\":[{\"id\":0,\"kind\":\"if\"}],\"facts\":[{"
        "\"choice\":"
        "0,\"is\":true,\"of\":{\"c\":5,\"t\":[[-1,\"n\"]]},\"op\":\"<=\"},"
        "{\"choice\":0,\"is\":false,\"of\":{\"c\":0,\"t\":[[1,\"n\"]]},\"op\":"
        "\"<=\"}],\"buffers\":[],\"tasks\":[{\"id\":0}]}");
    assert_int_equal(
        replay_choices_find(choices, &d, REPLAY_NONE, true, 0, NULL, &error),
        REPLAY_NO_EXECUTION);
    assert_int_equal(
        replay_choices_find(choices, &d, 0, false, 0, NULL, &error),
        REPLAY_NO_EXECUTION);
    oracle_document_free(&d);
}

static uint32_t count_edges(const sim_graph *g, bool perhaps)
{
    replay_choice choice = {.perhaps = perhaps};
    replay_program p = sim_program(&g->document, &choice);
    uint32_t count = p.edge_count;
    replay_program_free(&p);
    return count;
}

static void edges(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t x = sim_buffer(&g, 8, true);
    for (uint32_t t = 0; t < 3; t++) {
        sim_task(&g);
        sim_access(&g, x, ORACLE_READ, 4 * (t % 2), 4 * (t % 2) + 4);
        g.args[t].view = g.accesses[t].region;
    }
    sim_edge(&g, 0, 1);
    sim_edge(&g, 0, 1);
    sim_edge(&g, 1, 1);
    assert_int_equal(count_edges(&g, false), 1);
    /* Those that exist when the views meet: 0 and 2 do, 1 and 2 do not. */
    for (uint32_t t = 0; t < 2; t++) {
        oracle_edge *edge = sim_edge(&g, t, 2);
        edge->certain = false;
        edge->from_arg = edge->to_arg = 0;
    }
    assert_int_equal(count_edges(&g, false), 2);
    assert_int_equal(count_edges(&g, true), 3);
    /* Of an edge that does not say which views, any two count. */
    for (uint32_t t = 0; t < 2; t++) {
        g.edges[3 + t].from_arg = g.edges[3 + t].to_arg = ORACLE_NONE;
    }
    assert_int_equal(count_edges(&g, false), 2);
    replay_program p = sim_program(&g.document, NULL);
    assert_int_equal(p.tasks[0].afters, 2);
    assert_int_equal(p.after[p.tasks[0].first_after + 1], 2);
    assert_int_equal(p.tasks[2].befores, 1);
    replay_program_free(&p);
}

static void circle(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    for (uint32_t t = 0; t < 5; t++) {
        sim_task(&g);
    }
    sim_edge(&g, 0, 1);
    sim_edge(&g, 1, 2);
    sim_edge(&g, 2, 3);
    sim_edge(&g, 3, 1);
    sim_edge(&g, 3, 4);
    replay_program p;
    replay_error error;
    assert_int_equal(replay_program_make(&p, &g.document, NULL, &error),
                     REPLAY_STUCK);
    assert_string_equal(error.message, "nothing can run: 3 tasks wait for each "
                                       "other in a circle, 12, 13, 11");
}

static void not_derived(void **state)
{
    (void)state;
    static sim_graph g;
    replay_program p;
    replay_error error;
    sim_start(&g);
    g.document.rules = ORACLE_RULES_TENSORMAP;
    assert_int_equal(replay_program_make(&p, &g.document, NULL, &error),
                     REPLAY_UNSUPPORTED);
}

/* --- Places --- */

/* The place of a byte of a buffer's storage. */
static int64_t place_of(const replay_program *p, uint32_t buffer, int64_t byte)
{
    const replay_buffer *b = &p->buffers[buffer];
    for (uint32_t c = b->first; c < b->first + b->count; c++) {
        if (p->cell_begin[c] <= byte && byte < p->cell_end[c]) {
            return c + b->shift;
        }
    }
    return -1;
}

static void places(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t a = sim_buffer(&g, 16, false), b = sim_buffer(&g, 16, false);
    uint32_t c = sim_buffer(&g, 16, true), v = sim_view(&g, a, 4, 4);
    sim_task(&g);
    sim_access(&g, b, ORACLE_WRITE, 0, 2);
    sim_access(&g, v, ORACLE_WRITE, SIM_WHOLE, 0);
    replay_program p = sim_program(&g.document, NULL);
    assert_false(p.planned);
    assert_int_equal(p.place_count, p.cell_count);
    replay_program_free(&p);
    sim_place(&g, a, 100);
    sim_place(&g, b, 108);
    p = sim_program(&g.document, NULL);
    assert_true(p.planned);
    for (int64_t byte = 0; byte < 8; byte++) {
        assert_int_equal(place_of(&p, a, 8 + byte), place_of(&p, b, byte));
    }
    assert_int_equal(place_of(&p, v, 4), place_of(&p, a, 4));
    /* A cell each of a: 0-4, 4-8, 8-10, 10-16; of b: 0-2, 2-8, 8-16. */
    assert_int_equal(p.buffers[a].count, 4);
    assert_int_equal(p.buffers[b].count, 3);
    assert_int_equal(p.buffers[c].count, 1);
    assert_true(place_of(&p, c, 0) > place_of(&p, b, 15));
    assert_true(place_of(&p, c, 0) < p.place_count);
    replay_program_free(&p);
    p = sim_program(&g.document, &(replay_choice){.plan = false});
    assert_false(p.planned);
    replay_program_free(&p);
}

/* Views that the plan places apart cut each other until nothing changes. */
static void places_apart(void **state)
{
    (void)state;
    static sim_graph g;
    sim_start(&g);
    uint32_t a = sim_buffer(&g, 16, false), v = sim_view(&g, a, 0, 16);
    sim_task(&g);
    sim_access(&g, v, ORACLE_WRITE, 0, 6);
    sim_place(&g, a, 0);
    sim_place(&g, v, 4);
    replay_program p = sim_program(&g.document, NULL);
    for (int64_t byte = 0; byte + 4 < 16; byte++) {
        assert_int_equal(place_of(&p, a, byte + 4), place_of(&p, v, byte));
    }
    /* 0, 2, 4, 6, 8, ... */
    assert_int_equal(p.buffers[a].count, 8);
    replay_program_free(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(least_values),
    cmocka_unit_test(values_that_follow),
    cmocka_unit_test(values_of_a_seed),
    cmocka_unit_test(no_values),
    cmocka_unit_test(choices_that_go_together),
    cmocka_unit_test(no_execution),
    cmocka_unit_test(reads_then_writes),
    cmocka_unit_test(rows_of_regions),
    cmocka_unit_test(blocks_and_lanes),
    cmocka_unit_test(unknown_sizes),
    cmocka_unit_test(cores_and_tokens),
    cmocka_unit_test(choices),
    cmocka_unit_test(edges),
    cmocka_unit_test(circle),
    cmocka_unit_test(not_derived),
    cmocka_unit_test(places),
    cmocka_unit_test(places_apart),
    cmocka_unit_test(choices_that_clash),
};

TEST_MAIN(tests)
