/* The timeline as Chrome trace and as a picture. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hand.h"
#include "replay/machine.h"

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

static void run(replay_timeline *line, const hand *h, const replay_machine *m)
{
    replay_error error = {0};
    replay_status status =
        replay_machine_run(line, &h->program, m, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, REPLAY_OK);
}

static char *trace_of(const replay_timeline *line)
{
    char *text;
    size_t length;
    replay_error error;
    assert_int_equal(replay_timeline_trace(&text, &length, line, &error),
                     REPLAY_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

static char *svg_of(const replay_timeline *line)
{
    char *text;
    size_t length;
    replay_error error;
    assert_int_equal(replay_timeline_svg(&text, &length, line, &error),
                     REPLAY_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

static uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

static void check_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        print_error("not there: %s\nin: %.3000s\n", part, text);
        fail();
    }
}

static void check_json(const char *text)
{
    char *out;
    size_t length;
    oracle_error error = {0};
    oracle_status status =
        oracle_canonical_text(&out, &length, text, strlen(text),
                              ORACLE_CANONICAL_JSON, false, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, ORACLE_OK);
    free(out);
}

/* Tags are closed in order, and nothing outside of them is not escaped. */
static void check_xml(const char *text)
{
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    char open[8][16];
    uint32_t depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        if (*at == '&') {
            bool is_known = false;
            for (size_t i = 0; i < 4; i++) {
                is_known |= strncmp(at, entities[i], strlen(entities[i])) == 0;
            }
            assert_true(is_known);
        }
        if (*at != '<') {
            continue;
        }
        const char *end = strchr(at, '>');
        assert_non_null(end);
        size_t name = strcspn(at + 1 + (at[1] == '/'), " />");
        assert_true(name < 16);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_memory_equal(open[--depth], at + 2, name);
        } else if (end[-1] != '/') {
            assert_true(depth < 8);
            memcpy(open[depth], at + 1, name);
            open[depth++][name] = '\0';
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

/* ---- A small program, to the byte ---- */

static const hand_task small_tasks[] = {
    {.core = REPLAY_AIV, .name = "load \"q\" <\\>"},
    {.core = REPLAY_MIX, .name = "soft & max"},
    {.core = REPLAY_DUMMY, .name = "join"},
    {.core = REPLAY_AIC, .blocks = 2, .name = ""},
};
static const uint32_t small_edges[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};

static hand *small(replay_timeline *line)
{
    hand *h = hand_make(small_tasks, COUNT(small_tasks), small_edges,
                        COUNT(small_edges));
    replay_machine m = {.clusters = 2,
                        .schedulers = 1,
                        .model = REPLAY_CONSTANT,
                        .ticks = 75,
                        .rate = 1,
                        .dispatch = 1};
    run(line, h, &m);
    return h;
}

#define META(name, process, thread, value)                                     \
    "{\"ph\":\"M\",\"name\":\"" name "\",\"pid\":" process ",\"tid\":" thread  \
    ",\"args\":{" value "}},\n"
#define CLUSTER(number, process, ten)                                          \
    META("process_name", process, ten "0", "\"name\":\"cluster " number "\"")  \
    META("process_sort_index", process, ten "0", "\"sort_index\":" number)     \
    META("thread_name", process, ten "0", "\"name\":\"AIC\"")                  \
    META("thread_name", process, ten "1", "\"name\":\"AIV 0\"")                \
    META("thread_name", process, ten "2", "\"name\":\"AIV 1\"")
#define BLOCK(name, where, ts, task, ready, block)                             \
    "{\"ph\":\"X\",\"name\":\"" name "\",\"cat\":\"task,critical\"," where     \
    ",\"ts\":" ts ",\"dur\":1.50,\"args\":{\"task\":" task                     \
    ",\"ready_us\":" ready "," block "}},\n"
#define ARROW(id, from, leaves, to, arrives)                                   \
    "{\"ph\":\"s\",\"cat\":\"edge\",\"name\":\"edge\",\"id\":" id "," from     \
    ",\"ts\":" leaves "},\n{\"ph\":\"f\",\"cat\":\"edge\",\"name\":\"edge\","  \
    "\"id\":" id "," to ",\"ts\":" arrives ",\"bp\":\"e\"}"

/* 0 begins at 1, ends at 76; 1 begins at 77, ends at 152; 3 begins at 153 and
   154, and ends at 229. */
#define AT_10 "\"pid\":1,\"tid\":10"
#define AT_11 "\"pid\":1,\"tid\":11"
#define AT_12 "\"pid\":1,\"tid\":12"
#define AT_20 "\"pid\":2,\"tid\":20"
#define FIRST_OF(blocks) "\"block\":0,\"blocks\":" blocks
/* clang-format off */
static const char small_trace[] =
    "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
    CLUSTER("0", "1", "1")
    CLUSTER("1", "2", "2")
    META("process_name", "3", "30", "\"name\":\"without a core\"")
    META("process_sort_index", "3", "30", "\"sort_index\":-1")
    META("thread_name", "3", "30", "\"name\":\"dummies, false predicates\"")
    BLOCK("load \\\"q\\\" <\\\\>", AT_11, "0.02", "100", "0.00", FIRST_OF("1"))
    BLOCK("soft & max", AT_10, "1.54", "101", "1.52", FIRST_OF("1"))
    BLOCK("soft & max", AT_11, "1.54", "101", "1.52", FIRST_OF("1"))
    BLOCK("soft & max", AT_12, "1.54", "101", "1.52", FIRST_OF("1"))
    BLOCK("task 103", AT_10, "3.06", "103", "3.04", FIRST_OF("2"))
    BLOCK("task 103", AT_20, "3.08", "103", "3.04", "\"block\":1,\"blocks\":2")
    "{\"ph\":\"i\",\"s\":\"t\",\"name\":\"join\",\"cat\":\"dummy\",\"pid\":3,"
    "\"tid\":30,\"ts\":1.52,\"args\":{\"task\":102,\"ready_us\":1.52}},\n"
    ARROW("1", AT_11, "1.50", AT_10, "1.54") ",\n"
    ARROW("2", AT_10, "3.02", AT_10, "3.06")
    "\n],\"otherData\":{\"program\":\"by hand\",\"tasks\":4,\"blocks\":4,"
    "\"edges\":4,\"arrows\":2,\"makespan_us\":4.58,\"critical_path_us\":4.58,"
    "\"sequential_us\":4.58,\"digest\":\"";
/* clang-format on */

static void a_small_trace_is_as_written(void **state)
{
    replay_timeline line;
    hand *h = small(&line);
    char *text = trace_of(&line);
    size_t length = sizeof small_trace - 1;
    (void)state;
    assert_true(strlen(text) == length + 64 + 4);
    char *rest = text + length;
    assert_memory_equal(rest, line.digest, 64);
    assert_string_equal(rest + 64, "\"}}\n");
    *rest = '\0';
    assert_string_equal(text, small_trace);
    free(text);
    replay_timeline_free(&line);
    hand_free(h);
}

static void a_small_picture_shows_all(void **state)
{
    replay_timeline line;
    hand *h = small(&line);
    char *text = svg_of(&line);
    (void)state;
    check_xml(text);
    check_has(text, ">Timeline of by hand</text>");
    check_has(text, ">makespan 4.58 \xc2\xb5s, critical path 4.58 \xc2\xb5s "
                    "(100%), one by one 4.58 \xc2\xb5s (speed-up 1.00); 4 "
                    "tasks, 4 blocks</text>");
    check_has(text, "<title>soft &amp; max, task 101\n1.54 \xc2\xb5s to "
                    "3.04 \xc2\xb5s (1.5 \xc2\xb5s)\nready at 1.52 \xc2\xb5s\n"
                    "on the critical path</title>");
    check_has(text, "<title>load &quot;q&quot; &lt;\\&gt;, task 100\n");
    check_has(text, "<title>task 103, block 2 of 2\n");
    check_has(text, "<title>join, task 102\ndummy, at 1.52 \xc2\xb5s</title>");
    check_has(text, ">dummy, or predicate is false</text>");
    check_has(text, "@media (prefers-color-scheme:dark){\n");
    check_has(text, ">0 \xc2\xb5s</text>");
    /* Of cluster 0: 75 + 75 of 229 ticks. */
    assert_int_equal(count_of(text, ">65%<"), 2);
    assert_int_equal(count_of(text, ">32%<"), 2);
    assert_int_equal(count_of(text, "class=\"c0 e\""), 2);
    assert_int_equal(count_of(text, "class=\"c2 e\""), 1);
    assert_int_equal(count_of(text, "class=\"d\""), 2); /* and the legend */
    /* The path: three blocks, joined. */
    check_has(text, "<path class=\"p\" d=\"M");
    assert_int_equal(count_of(text, "did nothing"), 0);
    assert_int_equal(count_of(text, "drawn together"), 0);
    free(text);
    replay_timeline_free(&line);
    hand_free(h);
}

static void clusters_that_rest_are_told(void **state)
{
    static const hand_task tasks[] = {{.core = REPLAY_AIC}};
    hand *h = hand_make(tasks, 1, NULL, 0);
    replay_timeline line;
    (void)state;
    run(&line, h, &replay_machine_default);
    char *text = svg_of(&line);
    check_has(text, "7 of 8 clusters did nothing and are not shown.");
    assert_int_equal(count_of(text, ">cluster "), 1);
    free(text);
    replay_timeline_free(&line);
    hand_free(h);
}

/* ---- Bounds ---- */

static void huge_runs_have_bounded_texts(void **state)
{
    hand *h = hand_random(3, 40000, false);
    replay_machine m = replay_machine_default;
    replay_timeline line;
    (void)state;
    m.clusters = 24;
    run(&line, h, &m);
    char *text = svg_of(&line);
    check_xml(text);
    assert_true(count_of(text, "<rect") < 10000 + 200);
    assert_true(count_of(text, "<circle") <= 152);
    check_has(text, " px are drawn together, in a stronger colour.");
    free(text);
    text = trace_of(&line);
    check_json(text);
    assert_true(line.slot_count > 40000);
    assert_true(h->program.edge_count > 50000);
    assert_int_equal(count_of(text, "\"ph\":\"s\""), 20000);
    assert_int_equal(count_of(text, "\"ph\":\"f\""), 20000);
    check_has(text, "\"arrows\":20000,");
    free(text);
    replay_timeline_free(&line);
    hand_free(h);
}

/* ---- What readers of the format ask for ---- */

typedef struct event {
    char phase;
    unsigned id, process, thread;
    uint64_t begin, end; /* ticks */
} event;

/* Microseconds with two digits, as ticks. */
static uint64_t ticks_of(const char *line, const char *name)
{
    unsigned long long whole;
    unsigned part;
    const char *at = strstr(line, name);
    if (at == NULL ||
        sscanf(at + strlen(name), "%llu.%2u", &whole, &part) != 2) {
        return 0;
    }
    return whole * 50 + part / 2;
}

static unsigned number_of(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    return at == NULL ? 0 : (unsigned)strtoul(at + strlen(name), NULL, 10);
}

/* A line is an event. */
static uint32_t read_events(event *events, const char *text)
{
    uint32_t count = 0;
    char line[512];
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        size_t length = strcspn(at, "\n");
        if (strncmp(at, "{\"ph\":\"", 7) != 0) {
            continue;
        }
        assert_true(length < sizeof line);
        memcpy(line, at, length);
        line[length] = '\0';
        event *e = &events[count++];
        *e = (event){.phase = line[7],
                     .id = number_of(line, "\"id\":"),
                     .process = number_of(line, "\"pid\":"),
                     .thread = number_of(line, "\"tid\":"),
                     .begin = ticks_of(line, "\"ts\":")};
        e->end = e->begin + ticks_of(line, "\"dur\":");
        assert_true(e->process > 0 && e->thread > 0);
        assert_true(e->phase != 'X' || e->end > e->begin);
    }
    return count;
}

/* Slices of a thread do not overlap; both ends of an arrow lie in a slice, and
 * it leads forward; ids are those of one arrow. */
static void check_events(const event *events, uint32_t count, uint32_t arrows)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        const event *e = &events[i];
        uint32_t inside = 0, others = 0;
        for (uint32_t k = 0; k < count; k++) {
            const event *f = &events[k];
            bool same = f->process == e->process && f->thread == e->thread;
            if (e->phase == 'X' && f->phase == 'X' && i != k && same) {
                assert_true(e->end <= f->begin || f->end <= e->begin);
            }
            inside += f->phase == 'X' && same && f->begin <= e->begin &&
                      e->begin < f->end;
            if (f->phase == 'f' && e->phase == 's' && f->id == e->id) {
                assert_true(e->begin < f->begin);
                others++;
            }
        }
        if (e->phase == 's' || e->phase == 'f') {
            assert_int_equal(inside, 1);
            assert_int_equal(others, e->phase == 's');
            seen += e->phase == 's';
        }
    }
    assert_int_equal(seen, arrows);
}

/* What the format asks of each kind of event, besides pid and tid. */
static void check_members(const char *line, char phase)
{
    static const struct {
        char phase;
        const char *members[7];
    } kinds[] = {
        {'X', {"name", "cat", "ts", "dur", "args"}},
        {'i', {"name", "cat", "ts", "s", "args"}},
        {'s', {"name", "cat", "ts", "id"}},
        {'f', {"name", "cat", "ts", "id", "bp"}},
        {'M', {"name", "args"}},
    };
    size_t k = 0;
    while (k < COUNT(kinds) && kinds[k].phase != phase) {
        k++;
    }
    assert_true(k < COUNT(kinds));
    for (size_t i = 0; i < 7 && kinds[k].members[i] != NULL; i++) {
        char member[16];
        snprintf(member, sizeof member, "\"%s\":", kinds[k].members[i]);
        assert_int_equal(
            count_of(line, member),
            1 + (phase == 'M' && i == 0 && strstr(line, "sort_index") == NULL));
    }
}

/* Of each track its names come first, once, and then its events by time. */
static void check_tracks(const char *text)
{
    enum { TRACKS = 1000 };
    static uint64_t last[TRACKS], named[TRACKS], process[TRACKS];
    char line[512];
    memset(last, 0, sizeof last);
    memset(named, 0, sizeof named);
    memset(process, 0, sizeof process);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        size_t length = strcspn(at, "\n");
        if (strncmp(at, "{\"ph\":\"", 7) != 0) {
            continue;
        }
        assert_true(length < sizeof line);
        memcpy(line, at, length);
        line[length] = '\0';
        unsigned pid = number_of(line, "\"pid\":");
        unsigned tid = number_of(line, "\"tid\":");
        uint64_t begin = ticks_of(line, "\"ts\":");
        assert_true(pid < TRACKS && tid < TRACKS);
        check_members(line, line[7]);
        if (line[7] == 'M') {
            process[pid] += strstr(line, "\"process_name\"") != NULL;
            named[tid] += strstr(line, "\"thread_name\"") != NULL;
        } else {
            assert_int_equal(process[pid], 1);
            assert_int_equal(named[tid], 1);
        }
        if (line[7] == 'X' || line[7] == 'i') {
            assert_true(begin >= last[tid]);
            last[tid] = begin;
        }
    }
}

/* Dummies are slices too, so every edge is an arrow. */
static void traces_can_be_opened(void **state)
{
    static event events[20000];
    (void)state;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        hand *h = hand_random(seed, 4 * seed, false);
        replay_machine m = replay_machine_default;
        replay_timeline line;
        m.clusters = 1 + seed % 5;
        m.schedulers = 1 + seed % 4;
        m.seed = seed;
        run(&line, h, &m);
        char *text = trace_of(&line);
        uint32_t count = read_events(events, text);
        assert_true(count < COUNT(events));
        check_events(events, count, h->program.edge_count);
        check_tracks(text);
        free(text);
        replay_timeline_free(&line);
        hand_free(h);
    }
}

/* The critical path goes through a dummy: down from its mark, and up to it. */
static void the_path_goes_through_dummies(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIV}, {.core = REPLAY_DUMMY}, {.core = REPLAY_AIC}};
    static const uint32_t edges[][2] = {{0, 1}, {1, 2}};
    hand *h = hand_make(tasks, COUNT(tasks), edges, COUNT(edges));
    replay_timeline line;
    (void)state;
    run(&line, h, &replay_machine_default);
    char *text = svg_of(&line);
    const char *path = strstr(text, "<path class=\"p\" d=\"M");
    assert_non_null(path);
    assert_int_equal(line.critical_count, 3);
    assert_true(strstr(path, " 97L") != NULL &&
                strstr(path, " 97L") < strstr(path, "/>"));
    assert_int_equal(count_of(text, "class=\"d e\" "), 1);
    check_has(text, ">task 1</text>");
    free(text);
    replay_timeline_free(&line);
    hand_free(h);
}

static void random_runs_are_well_formed(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        hand *h = hand_random(seed, 10 * seed, false);
        replay_machine m = replay_machine_default;
        replay_timeline line;
        m.clusters = 1 + seed % 9;
        m.ticks = UINT64_C(1) << seed % 33;
        run(&line, h, &m);
        char *text = trace_of(&line);
        check_json(text);
        free(text);
        text = svg_of(&line);
        check_xml(text);
        free(text);
        replay_timeline_free(&line);
        hand_free(h);
    }
}

/* Times are at their largest, and no number overflows. */
static void the_longest_run_is_drawn(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC, .blocks = 100000, .bytes = UINT64_MAX},
        {.core = REPLAY_AIV, .bytes = UINT64_MAX}};
    static const uint32_t edges[][2] = {{0, 1}};
    hand *h = hand_make(tasks, 2, edges, 1);
    replay_machine m = replay_machine_default;
    replay_timeline line;
    (void)state;
    m.clusters = 1;
    m.rate = 1;
    run(&line, h, &m);
    assert_true(line.makespan > 100000 * (REPLAY_MOST_TICKS - 1));
    char *text = svg_of(&line);
    check_xml(text);
    check_has(text, " s, critical path ");
    free(text);
    text = trace_of(&line);
    check_json(text);
    free(text);
    replay_timeline_free(&line);
    hand_free(h);
}

static void nothing_is_drawn_too(void **state)
{
    static const hand_task dummy[] = {{.core = REPLAY_DUMMY}};
    (void)state;
    for (uint32_t count = 0; count < 2; count++) {
        hand *h = hand_make(dummy, count, NULL, 0);
        replay_machine m = replay_machine_default;
        replay_timeline line;
        m.retire = 0;
        run(&line, h, &m);
        assert_int_equal(line.makespan, 0);
        char *text = svg_of(&line);
        check_xml(text);
        free(text);
        text = trace_of(&line);
        check_json(text);
        assert_int_equal(count_of(text, "\"ph\":\"i\""), count);
        free(text);
        replay_timeline_free(&line);
        hand_free(h);
    }
}

/* Controls and what is no character in XML; a name is cut between characters.
 */
static void odd_names_are_escaped(void **state)
{
    static const hand_task tasks[] = {
        {.core = REPLAY_AIC, .name = "a\x01\n\t\x7f\xef\xbf\xbe\xef\xbf\xbf z"},
        {.core = REPLAY_AIC, .name = "x\xe2\x80\xaey\xf3\xa0\x80\x81"},
        {.core = REPLAY_AIC,
         .bytes = 30000,
         .name = "\xe6\xb3\xa8\xe6\x84\x8f\xe5\x8a\x9b\xe6\xb3\xa8\xe6\x84\x8f"
                 "\xe5\x8a\x9b"}};
    hand *h = hand_make(tasks, COUNT(tasks), NULL, 0);
    replay_machine m = replay_machine_default;
    replay_timeline line;
    (void)state;
    m.clusters = 1;
    run(&line, h, &m);
    char *text = trace_of(&line);
    check_json(text);
    check_has(text, "\"a\\u0001\\u000a\\u0009\x7f\xef\xbf\xbe");
    free(text);
    text = svg_of(&line);
    check_xml(text);
    check_has(text,
              "<title>a\\u0001\\u000a\\u0009\\u007f\\ufffe\\uffff z, task "
              "100\n");
    check_has(text, "<title>x\\u202ey\xf3\xa0\x80\x81, task 101\n");
    free(text);
    replay_timeline_free(&line);
    hand_free(h);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_trace_is_as_written),
        cmocka_unit_test(a_small_picture_shows_all),
        cmocka_unit_test(clusters_that_rest_are_told),
        cmocka_unit_test(huge_runs_have_bounded_texts),
        cmocka_unit_test(traces_can_be_opened),
        cmocka_unit_test(the_path_goes_through_dummies),
        cmocka_unit_test(random_runs_are_well_formed),
        cmocka_unit_test(the_longest_run_is_drawn),
        cmocka_unit_test(nothing_is_drawn_too),
        cmocka_unit_test(odd_names_are_escaped),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
