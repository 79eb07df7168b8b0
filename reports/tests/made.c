#include "made.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../scripts/testing/harness.h"
#include "../text.h"

const char *const made_texts[] = {
    "",
    " ",
    "]]>",
    "a&b<c>d\"e'f",
    "\x1b[31mred",
    "line\nline\r\n::error::mine",
    "tab\tbell\a del\x7f",
    "bad \xff\xfe utf \xc3",
    "\xed\xa0\x80 surrogate, \xef\xbf\xbe none, \xc0\xaf long",
    "\xe2\x80\xae"
    "drawkcab\xe2\x80\xac \xe2\x81\xa6 \xef\xbb\xbf",
    "c1 \xc2\x85 line \xe2\x80\xa8 tag \xf3\xa0\x81\x81",
    "| a | b |\\| <script>alert(1)</script> <!-- --> **b** `c` @me #1",
    "[click](http://x.example) www.x.example {0} ]( $x$ ~~y~~",
    "score:17 # SKIP not # TODO \\# done",
    "Bail out! --- ... not ok 1",
    "%0A::error::x,y:z%",
    "</script><script>alert(1)</script></title></textarea><!-- ",
    "]]></failure></testcase></system-out> &amp; &#0;",
    "tab\tin a name, \\u202e \\\" {\"a\":1}",
    "../..//a/./b/../c d?e#f",
    "--option 'quoted' $(id) `id` \"x\"",
    "\xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x98\x80",
    NULL,
};

report_store *made_open(void)
{
    report_store *store = NULL;
    report_error error = {0};
    if (report_open(&store, ":memory:", REPORT_WRITE, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    return store;
}

void made_close(report_store *store)
{
    report_error error;
    assert_int_equal(report_close(store, &error), REPORT_OK);
}

int64_t made_begin(report_store *store, const char *options)
{
    int64_t run = 0;
    report_error error;
    report_run what = {
        .tool = "1.2.3", .options = options, .started = "2026-01-01T00:00:00Z"};
    assert_int_equal(report_begin_run(&run, store, &what, &error), REPORT_OK);
    return run;
}

void made_end(report_store *store, int64_t run)
{
    report_error error;
    assert_int_equal(report_finish_run(store, run, MADE_DIGEST,
                                       "2026-01-01T00:00:01Z", 1000, &error),
                     REPORT_OK);
}

void made_case(report_store *store, int64_t run, report_case c)
{
    report_error error = {0};
    char sha[65];
    snprintf(sha, sizeof sha, "%064llx", (long long)c.number);
    c.name = c.path;
    c.details = c.details == NULL ? "{}" : c.details;
    c.sha256 = c.text == NULL ? NULL : sha;
    c.length = c.text == NULL ? 0 : strlen(c.text);
    c.total = c.total == 0 ? (int64_t)c.count : c.total;
    if (report_add_case(store, run, &c, &error) != REPORT_OK)
        fail_msg("%s", error.message);
}

/* --- One of each --- */

#define WAR                                                                    \
    "{\"cause\":\"war\",\"consumer\":{\"arg\":1,\"line\":25,\"name\":"         \
    "\"soften\",\"task\":2},\"producer\":{\"arg\":0,\"line\":24,\"name\":"     \
    "\"harvest\",\"task\":1},\"rule\":\"hazard.war\",\"severity\":\"error\","  \
    "\"witness\":{\"begin\":0,\"buffer\":\"alloc:bed\",\"end\":64,"            \
    "\"expected_writer\":0,\"order\":[0,2,1,[3,9]],\"reader\":1,"              \
    "\"seen_writer\":2}}"

static const report_finding findings[] = {
    {.rule = "edge.redundant",
     .severity = "note",
     .signature = "00000000000000a1",
     .message = "the edge from task 0 to task 2 is implied",
     .json = "{}",
     .json_length = 2},
    {.rule = "hazard.war",
     .severity = "error",
     .cause = "war",
     .signature = "00000000000000a2",
     .message = "task 2 \"soften\" writes what task 1 \"harvest\" reads",
     .line = 25,
     .json = WAR,
     .json_length = sizeof WAR - 1},
    {.rule = "graph.dead-dep",
     .severity = "warning",
     .signature = "00000000000000a3",
     .message = "the dep of task 3 is invalid",
     .line = 31,
     .json = "{}",
     .json_length = 2},
    {.rule = "doc.unsupported",
     .severity = "warning",
     .signature = "00000000000000a4",
     .message = "a while loop is not judged",
     .line = 7,
     .json = "{\"column\":5,\"line\":7}",
     .json_length = 21},
    {.rule = "planner.crash",
     .severity = "error",
     .signature = "00000000000000a5",
     .message = "the planner died of signal 11",
     .json = "{}",
     .json_length = 2},
    {.rule = "doc.syntax",
     .severity = "error",
     .signature = "00000000000000a6",
     .message = "a value is missing",
     .line = 1,
     .json = "{\"column\":12,\"line\":1,\"path\":\"tasks[0]\"}",
     .json_length = 41},
};

int64_t made_small(report_store *store)
{
    int64_t run = made_begin(store, MADE_RUN);
    static const report_case cases[] = {
        {.path = "a/clean.py", .kind = "dump", .verdict = "clean", .text = "x"},
        {.path = "/home/me/a/found.py",
         .kind = "dump",
         .verdict = "findings",
         .text = "two",
         .findings = findings,
         .count = 3},
        {.path = "a/open.py",
         .kind = "dump",
         .verdict = "undecided",
         .partial = true,
         .details = "{\"undecided\":[\"line 4 may meet\",\"so may 5\"]}",
         .text = "three"},
        {.path = "a/loop.py",
         .kind = "dump",
         .verdict = "refused",
         .reason = "a while loop is not judged",
         .findings = findings + 3,
         .count = 1,
         .text = "four"},
        {.path = "b/gone.json",
         .kind = "score",
         .verdict = "refused",
         .reason = "Permission denied"},
        {.path = "b/deadly.json",
         .kind = "score",
         .verdict = "crashed",
         .reason = "the planner died of signal 11",
         .findings = findings + 4,
         .count = 1,
         .text = "six"},
        {.path = "b/endless.json",
         .kind = "score",
         .verdict = "timed_out",
         .reason = "the judge did not answer within 60 s",
         .text = "seven"},
        {.path = "-",
         .kind = "score",
         .verdict = "refused",
         .reason = "a value is missing",
         .findings = findings + 5,
         .count = 1,
         .text = "{\"tasks\":["},
        {.path = "a/warned.py",
         .kind = "dump",
         .verdict = "findings",
         .findings = findings + 2,
         .count = 1,
         .text = "nine"},
        {.path = "a/cut.py",
         .kind = "dump",
         .verdict = "findings",
         .findings = findings,
         .count = 1,
         .total = 1001,
         .text = "ten"},
        {.path = "a/clean.py", .kind = "dump", .verdict = "clean", .text = "x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        report_case c = cases[i];
        c.number = (int64_t)i + 1;
        made_case(store, run, c);
    }
    made_end(store, run);
    return run;
}

/* --- Hostile --- */

/* Ten thousand letters wherever a text may stand. */
static void add_long(report_store *store, int64_t run, int64_t number)
{
    char text[MADE_LONG + 1];
    memset(text, 'L', MADE_LONG);
    text[MADE_LONG] = '\0';
    report_finding found = {
        .rule = text,
        .severity = "error",
        .cause = text,
        .signature = text,
        .message = text,
        .json = "{}",
        .json_length = 2,
    };
    report_case c = {
        .number = number,
        .path = text,
        .kind = text,
        .verdict = "findings",
        .reason = text,
        .details = "{}",
        .findings = &found,
        .count = 1,
        .text = text,
    };
    made_case(store, run, c);
}

int64_t made_hostile(report_store *store)
{
    static const char *const verdicts[] = {"clean",     "findings", "refused",
                                           "undecided", "crashed",  "other"};
    static const char *const severities[] = {"error", "warning", "note", "?"};
    int64_t run = made_begin(store, "{\"seed\":[[[\"\\u0000'\"]]],\"x\":1}"),
            number = 0;
    size_t count = 0;
    while (made_texts[count] != NULL)
        count++;
    for (size_t i = 0; i < 2 * count; i++) {
        const char *text = made_texts[i % count];
        const char *other = made_texts[(i * 7 + 3) % count];
        char details[64] = "{\"undecided\":";
        report_finding found[2];
        found[0] = (report_finding){
            .rule = text,
            .severity = severities[i % 4],
            .cause = other,
            .signature = text,
            .message = other,
            .line = i % 3 == 0 ? -5 : (int64_t)i,
            .json = other,
            .json_length = strlen(other),
        };
        found[1] = found[0];
        found[1].message = text;
        found[1].json = "{\"consumer\":7,\"producer\":{\"line\":-1,\"name\":["
                        "]},\"witness\":{\"order\":[[],[1],\"x\",{},1e99]}}";
        found[1].json_length = strlen(found[1].json);
        report_case c = {
            .number = ++number,
            .path = other,
            .kind = i < count ? "dump" : text,
            .verdict = verdicts[i % 6],
            .reason = i % 2 == 0 ? NULL : text,
            .details = i % 4 == 3 ? "{\"undecided\":[\"\\n]]>\",2]}" : details,
            .findings = found,
            .count = i % 5 == 0 ? 0 : 2,
            .text = text,
        };
        made_case(store, run, c);
    }
    add_long(store, run, ++number);
    made_end(store, run);
    return run;
}

/* --- Known issues --- */

void made_known(report_store *store, const char *text, const char *today)
{
    report_known_list list;
    report_error error = {0};
    if (report_known_read(&list, text, strlen(text), &error) != REPORT_OK ||
        report_triage(store, &list, today, &error) != REPORT_OK)
        fail_msg("%s", error.message);
    report_known_free(&list);
}

/* --- A run of fuzz --- */

int64_t made_fuzz(report_store *store)
{
    int64_t run = made_begin(store, MADE_FUZZ);
    report_error error;
    static const report_finding found = {
        .rule = "diff.order",
        .severity = "error",
        .cause = "missing-edge",
        .signature = "00000000000000b1",
        .message = "planner and oracle differ in an edge",
        .json = "{}",
        .json_length = 2,
    };
    for (int64_t i = 1; i <= 2; i++) {
        report_case c = {
            .number = i * 1000,
            .path = i == 1 ? "score:999" : "memory:1999",
            .kind = i == 1 ? "score" : "memory",
            .verdict = "findings",
            .counted = true,
            .findings = &found,
            .count = 1,
            .text = "{}",
        };
        made_case(store, run, c);
    }
    assert_int_equal(
        report_add_count(store, run, "verdict", "clean", 9000, &error),
        REPORT_OK);
    assert_int_equal(
        report_add_count(store, run, "verdict", "findings", 1000, &error),
        REPORT_OK);
    made_end(store, run);
    return run;
}

/* --- Writing and comparing --- */

static char *write_once(size_t *length, report_writer *write,
                        report_store *store, const report_view *view)
{
    char *text = NULL;
    report_error error = {0};
    FILE *out = open_memstream(&text, length);
    assert_non_null(out);
    report_status status = write(out, store, view, &error);
    assert_int_equal(fclose(out), 0);
    if (status != REPORT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(strlen(text), *length);
    return text;
}

/*
 * Whatever inputs call themselves: UTF-8, and nothing in it that is not seen or
 * turns text around.
 */
static void check_seen(const char *text)
{
    uint32_t point;
    size_t n;
    for (; *text != '\0'; text += n) {
        n = report_decode(&point, text);
        assert_true(n > 0);
        assert_true(point == '\n' ||
                    (point >= 0x20 && (point < 0x7f || point > 0x9f)));
        assert_false(point >= 0x200b && point <= 0x200f);
        assert_false(point >= 0x2028 && point <= 0x202e);
        assert_false(point >= 0x2060 && point <= 0x206f);
        assert_true(point != 0xad && point != 0xfeff && point < 0xe0000);
    }
}

char *made_write(size_t *length, report_writer *write, report_store *store,
                 const report_view *view)
{
    char *text = write_once(length, write, store, view);
    char *again = write_once(length, write, store, view);
    assert_string_equal(text, again);
    check_seen(text);
    free(again);
    return text;
}

char *made_read(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_msg("%s cannot be read", path);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int c = getc(in); c != EOF; c = getc(in))
        putc(c, out);
    fclose(in);
    assert_int_equal(fclose(out), 0);
    return text;
}

size_t made_count(const char *text, const char *part)
{
    size_t n = 0;
    for (text = strstr(text, part); text != NULL; n++)
        text = strstr(text + strlen(part), part);
    return n;
}

/* Whether the check ends its case; what it says of it is nobody's business. */
static bool check_fails(made_check *check, const char *text)
{
    int status = 0;
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        check(text, strlen(text));
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status != 0;
}

void made_sees(made_check *check, const char *text, const char *from,
               const char *to)
{
    const char *at = strstr(text, from);
    char *spoiled = NULL;
    if (at == NULL)
        fail_msg("the text has no %s", from);
    assert_true(asprintf(&spoiled, "%.*s%s%s", (int)(at - text), text, to,
                         at + strlen(from)) > 0);
    assert_false(check_fails(check, text));
    if (!check_fails(check, spoiled))
        fail_msg("%s for %s is not seen", to, from);
    free(spoiled);
}

void made_expect(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "reports/tests/write/%s", name);
    if (getenv("WRITE_EXPECTED") != NULL) {
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fputs(text, out);
        assert_int_equal(fclose(out), 0);
        return;
    }
    char *expected = made_read(path);
    assert_string_equal(text, expected);
    free(expected);
}
