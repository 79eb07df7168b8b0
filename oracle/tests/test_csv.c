/* Memory plans as CSV: reading, each rule, and a twin that counts one by one.
 */
#include "../../scripts/testing/harness.h"

#include "../csv.h"
#include "maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oracle_judgement judge(const char *text, int64_t capacity)
{
    oracle_judgement judgement;
    oracle_judge_options options = {.csv = true, .capacity = capacity};
    assert_int_equal(
        oracle_judge_text(&judgement, text, strlen(text), &options), ORACLE_OK);
    for (uint32_t i = 0; i < judgement.count; i++) {
        char reason[160];
        const oracle_finding *one = &judgement.findings[i];
        if (one->severity == ORACLE_ERROR &&
            strncmp(one->rule, "memory.", 7) == 0 &&
            !oracle_csv_witness_check(text, strlen(text), capacity, one->json,
                                      reason, sizeof reason)) {
            fail_msg("%s: %s", reason, one->json);
        }
    }
    return judgement;
}

static uint32_t count(const oracle_judgement *judgement, const char *rule)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < judgement->count; i++) {
        n += strcmp(judgement->findings[i].rule, rule) == 0;
    }
    return n;
}

static void expect(const char *text, int64_t capacity, const char *rule,
                   uint32_t times, oracle_verdict verdict)
{
    oracle_judgement judgement = judge(text, capacity);
    if (count(&judgement, rule) != times || judgement.verdict != verdict) {
        fail_msg("%s: %u, verdict %d, in %s", rule, count(&judgement, rule),
                 (int)judgement.verdict, text);
    }
    oracle_judgement_free(&judgement);
}

#define HEAD "id,lower,upper,size,offset\n"

static void clean(void **state)
{
    (void)state;
    expect(HEAD "a,0,3,4,0\nb,3,9,4,0\nc,0,9,4,4\n", 8, "memory.waste", 0,
           ORACLE_CLEAN);
    /* Columns in another order, by other names, quoted, lines of CRLF. */
    expect("offset,\"size\",end,begin,buffer\r\n0,4,2,0,\"a, \"\"b\"\"\"\r\n"
           "0,4,8,3,c\r\n\r\n",
           4, "memory.overlap", 0, ORACLE_CLEAN);
    expect("buffer_id,start,upper,size,offset,hint,alignment\n"
           "a,0,3,4,8,-1,8\nb,0,3,8,0,,\n",
           0, "memory.alignment", 0, ORACLE_CLEAN);
}

static void overlaps(void **state)
{
    (void)state;
    expect(HEAD "a,0,3,4,0\nb,2,9,4,3\n", 0, "memory.overlap", 1,
           ORACLE_FINDINGS);
    /* The end of `end` is inclusive, that of `upper` is not. */
    expect("id,lower,end,size,offset\na,0,3,4,0\nb,3,9,4,0\n", 0,
           "memory.overlap", 1, ORACLE_FINDINGS);
    expect(HEAD "a,0,3,0,0\nb,0,9,4,0\nc,5,5,4,0\n", 0, "memory.overlap", 0,
           ORACLE_CLEAN);
}

static void other_rules(void **state)
{
    (void)state;
    expect(HEAD "a,0,3,4,5\n", 8, "memory.bounds", 1, ORACLE_FINDINGS);
    expect(HEAD "a,0,3,4,4\n", 8, "memory.bounds", 0, ORACLE_CLEAN);
    expect(HEAD "a,0,3,4,-1\n", 0, "memory.bounds", 1, ORACLE_FINDINGS);
    expect(HEAD "a,0,3,4,9223372036854775806\n", 0, "memory.bounds", 1,
           ORACLE_FINDINGS);
    expect(HEAD "a,0,3,4,0\nb,5,6,4,\n", 0, "memory.missing", 1,
           ORACLE_FINDINGS);
    expect("id,lower,upper,size,alignment,offset\na,0,3,4,8,4\n", 0,
           "memory.alignment", 1, ORACLE_FINDINGS);
    expect(HEAD "a,0,3,4,4\n", 0, "memory.waste", 1, ORACLE_CLEAN);
    expect("id,lower,upper,size,color\na,0,3,4,red\n", 0, "doc.unknown-field",
           1, ORACLE_UNDECIDED);
}

static void instances(void **state)
{
    (void)state;
    const char *text = "id,lower,upper,size\na,0,3,4\nb,2,5,6\nc,5,9,7\n";
    oracle_judgement judgement = judge(text, 10);
    assert_int_equal(judgement.verdict, ORACLE_UNDECIDED);
    assert_int_equal(judgement.total, 0);
    assert_non_null(strstr(judgement.undecided[0], "at least 10 bytes"));
    assert_non_null(strstr(judgement.undecided[0], "at time 2"));
    oracle_judgement_free(&judgement);
    expect(text, 9, "memory.bounds", 1, ORACLE_FINDINGS);
    /* More than 64 bits hold. */
    expect("id,lower,upper,size\na,0,3,9223372036854775807\n"
           "b,2,5,9223372036854775807\n",
           9223372036854775807, "memory.bounds", 0, ORACLE_UNDECIDED);
}

static void gaps(void **state)
{
    (void)state;
    const char *head = "id,lower,upper,size,gaps,offset\n";
    char text[200];
    const struct {
        const char *rows;
        uint32_t overlaps;
    } cases[] = {
        {"a,0,9,4,,0\nb,3,5,4,,0\n", 1},
        {"a,0,9,4,3-5,0\nb,3,5,4,,0\n", 0},
        {"a,0,9,4,3-5,0\nb,3,6,4,,0\n", 1},
        {"a,0,9,4,3-5@0:2,0\nb,3,5,4,,2\n", 0},
        {"a,0,9,4,3-5@0:3,0\nb,3,5,4,,2\n", 1},
        {"a,0,9,4,1-2 4-5,0\nb,1,5,4,2-4,0\n", 0},
        {"a,0,9,4,4-5,0\nb,2,7,4,,0\n", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s", head, cases[i].rows);
        expect(text, 0, "memory.overlap", cases[i].overlaps,
               cases[i].overlaps > 0 ? ORACLE_FINDINGS : ORACLE_CLEAN);
    }
    /* A gap of `end` is inclusive too. */
    expect("id,lower,end,size,gaps,offset\na,0,8,4,3-4,0\nb,3,4,4,,0\n", 0,
           "memory.overlap", 0, ORACLE_CLEAN);
}

static void faults(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rule;
        int64_t line;
        const char *column;
    } cases[] = {
        {"", "doc.schema", 1, "\"column\":1,"},
        {"id,lower,upper\n", "doc.schema", 1, "\"column\":1,"},
        {"id,lower,begin,upper,size\n", "doc.schema", 1, "\"column\":10,"},
        {HEAD "a,0,3,4\n", "doc.schema", 2, "\"column\":1,"},
        {HEAD "a,0,3,4,0,0\n", "doc.schema", 2, "\"column\":1,"},
        {HEAD "a,0,3,4,0\na,3,5,4,0\n", "doc.schema", 3, "\"column\":1,"},
        {HEAD "\n\na,0,x,4,0\n", "doc.schema", 4, "\"column\":5,"},
        {HEAD "a,0,1.5,4,0\n", "doc.schema", 2, "\"column\":5,"},
        {HEAD "a,0,9223372036854775808,4,0\n", "doc.range", 2, "\"column\":5,"},
        {HEAD "a,5,3,4,0\n", "doc.range", 2, "\"column\":5,"},
        {HEAD "a,0,3,-4,0\n", "doc.range", 2, "\"column\":7,"},
        {HEAD "\"a\n\",0,3,,0\n", "doc.schema", 3, "\"column\":7,"},
        {HEAD "\"a,0,3,4,0\n", "doc.syntax", 2, "\"column\":1,"},
        {HEAD "\"a\"b,0,3,4,0\n", "doc.syntax", 2, "\"column\":4,"},
        {"id,lower,end,size\na,0,9223372036854775807,4\n", "doc.range", 2,
         "\"column\":5,"},
        {"id,lower,upper,size,gaps\na,0,9,4,3_5\n", "doc.schema", 2,
         "\"column\":9,"},
        {"id,lower,upper,size,gaps\na,0,9,4,5-6 3-4\n", "doc.range", 2,
         "\"column\":13,"},
        {"id,lower,upper,size,gaps\na,0,9,4,5-16\n", "doc.range", 2,
         "\"column\":9,"},
        {"id,lower,upper,size,gaps\na,0,9,4,5-6@3:5\n", "doc.range", 2,
         "\"column\":9,"},
        {"id,lower,upper,size,alignment\na,0,9,4,0\n", "doc.range", 2,
         "\"column\":9,"},
        {"ID,lower,upper,size\na,0,9,4\n", "doc.schema", 1, "\"column\":1,"},
        {HEAD "a,0,3,4,0\rb,0,3,4,0\r", "doc.syntax", 2, "\"column\":10,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        oracle_judgement judgement = judge(cases[i].text, 0);
        const oracle_finding *one = judgement.findings;
        if (judgement.verdict != ORACLE_REFUSED || judgement.total != 1 ||
            strcmp(one->rule, cases[i].rule) != 0 ||
            one->line != cases[i].line ||
            strstr(one->json, cases[i].column) == NULL) {
            fail_msg("%s: %s", cases[i].text, one->json);
        }
        oracle_judgement_free(&judgement);
    }
}

static void detection(void **state)
{
    (void)state;
    const struct {
        const char *text;
        bool is;
    } cases[] = {{"id,lower,upper,size\n", true},
                 {"\n size , \"end\",start,buffer,more", true},
                 {"id,lower,upper\n", true},
                 {"ID;Lower;Upper;Size\n", true},
                 {"id,lower,more\n", false},
                 {"the size, the offset, the end, the id\n", false},
                 {"{\"id\":1,\"lower\":2}", false},
                 {"", false},
                 {"\"id", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            oracle_csv_detect(cases[i].text, strlen(cases[i].text)),
            cases[i].is);
    }
}

/* --- The twin: time by time, byte by byte --- */

#define ROWS 6
#define TIMES 10
#define BYTES 12

typedef struct twin {
    char text[1000];
    int alive[ROWS][TIMES][2]; /* bytes, by time */
    int offset[ROWS];          /* -1: none */
    int align[ROWS];
    int size[ROWS];
} twin;

static int below(uint64_t seed, uint64_t *index, int limit)
{
    return (int)(maker_random(seed, (*index)++) % (uint64_t)limit);
}

static void make_row(twin *t, int row, uint64_t seed, uint64_t *at)
{
    int lower = below(seed, at, TIMES), size = below(seed, at, 6);
    int upper = lower + below(seed, at, TIMES - lower + 1);
    int first = lower + below(seed, at, upper - lower + 1);
    int last = first + below(seed, at, upper - first + 1);
    int from = below(seed, at, size + 1);
    int to = from + below(seed, at, size - from + 1);
    char *end = t->text + strlen(t->text);
    bool has = below(seed, at, 2) == 0;
    t->offset[row] = below(seed, at, 8) == 0 ? -1 : below(seed, at, BYTES - 5);
    t->align[row] = 1 + below(seed, at, 2);
    t->size[row] = size;
    for (int time = 0; time < TIMES; time++) {
        bool lives = time >= lower && time < upper;
        bool rests = has && time >= first && time < last;
        t->alive[row][time][0] = rests ? from : 0;
        t->alive[row][time][1] = !lives  ? t->alive[row][time][0]
                                 : rests ? to
                                         : size;
    }
    end += sprintf(end, "b%d,%d,%d,%d,%d,", row, lower, upper, size,
                   t->align[row]);
    end += has ? sprintf(end, "%d-%d@%d:%d,", first, last, from, to)
               : sprintf(end, ",");
    sprintf(end, t->offset[row] < 0 ? "\n" : "%d\n", t->offset[row]);
}

static bool share(const twin *t, int a, int b, int time)
{
    int x = t->offset[a], y = t->offset[b];
    const int *p = t->alive[a][time], *q = t->alive[b][time];
    return x >= 0 && y >= 0 && p[0] < p[1] && q[0] < q[1] &&
           x + p[0] < y + q[1] && y + q[0] < x + p[1];
}

typedef struct answer {
    bool overlap, bounds, alignment, missing;
    int lower, peak;
} answer;

static answer ask(const twin *t, int capacity)
{
    answer is = {0};
    for (int time = 0; time < TIMES; time++) {
        int sum = 0;
        for (int a = 0; a < ROWS; a++) {
            sum += t->alive[a][time][1] - t->alive[a][time][0];
            for (int b = 0; b < a; b++) {
                is.overlap |= share(t, a, b, time);
            }
        }
        is.lower = sum > is.lower ? sum : is.lower;
    }
    for (int a = 0; a < ROWS; a++) {
        int end = t->offset[a] < 0 ? 0 : t->offset[a] + t->size[a];
        is.peak = end > is.peak ? end : is.peak;
        is.bounds |= end > capacity;
        is.alignment |= t->offset[a] > 0 && t->offset[a] % t->align[a] != 0;
    }
    is.bounds |= is.lower > capacity;
    return is;
}

static void by_the_twin(void **state)
{
    (void)state;
    uint32_t seen[4] = {0};
    for (uint64_t seed = 0; seed < 20000; seed++) {
        twin t = {.text = "id,lower,upper,size,alignment,gaps,offset\n"};
        uint64_t at = 0;
        for (int row = 0; row < ROWS; row++) {
            make_row(&t, row, seed, &at);
        }
        answer is = ask(&t, BYTES - 2);
        oracle_judgement judgement = judge(t.text, BYTES - 2);
        bool waste = is.peak > is.lower;
        if (is.overlap != (count(&judgement, "memory.overlap") > 0) ||
            is.bounds != (count(&judgement, "memory.bounds") > 0) ||
            is.alignment != (count(&judgement, "memory.alignment") > 0) ||
            waste != (count(&judgement, "memory.waste") > 0)) {
            fail_msg("seed %d: %s", (int)seed, t.text);
        }
        seen[0] += is.overlap;
        seen[1] += is.bounds;
        seen[2] += is.alignment;
        seen[3] += !is.overlap;
        oracle_judgement_free(&judgement);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(seen[i] > 1000);
    }
}

/* --- Many --- */

/* n buffers at one place for all time: every pair, of which few are listed. */
static void all_at_one_place(void **state)
{
    (void)state;
    enum { MANY = 30000 };
    char *text = malloc(64 * MANY), *end = text;
    assert_non_null(text);
    end += sprintf(end, HEAD);
    for (int i = 0; i < MANY; i++) {
        end += sprintf(end, "%d,%d,%d,8,%d\n", i, i, i + MANY, i % 8);
    }
    oracle_judgement judgement = judge(text, 0);
    assert_true(judgement.total == (uint64_t)MANY * (MANY - 1) / 2);
    assert_int_equal(judgement.count, 1000);
    oracle_judgement_free(&judgement);
    free(text);
}

/* A witness that is changed proves nothing. */
static void wrong_witnesses(void **state)
{
    (void)state;
    const char *text = HEAD "a,0,3,4,0\nb,2,9,4,3\nc,4,5,1,0\n";
    const char *const wrong[] = {
        "{\"address\":2,\"places\":[{\"line\":2},{\"line\":3}],\"time\":2}",
        "{\"address\":3,\"places\":[{\"line\":2},{\"line\":3}],\"time\":3}",
        "{\"address\":3,\"places\":[{\"line\":2},{\"line\":2}],\"time\":2}",
        "{\"address\":3,\"places\":[{\"line\":2},{\"line\":4}],\"time\":2}",
        "{\"address\":3,\"places\":[{\"line\":2}],\"time\":2}",
        "{\"address\":3,\"places\":[],\"time\":2}",
        "{\"address\":3,\"places\":[{\"line\":2},{\"line\":3}]}",
        "{}",
    };
    char json[300], reason[160];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(json, sizeof json,
                 "{\"rule\":\"memory.overlap\",\"witness\":%s}", wrong[i]);
        assert_false(oracle_csv_witness_check(text, strlen(text), 0, json,
                                              reason, sizeof reason));
        assert_true(strlen(reason) > 0);
    }
    snprintf(json, sizeof json,
             "{\"rule\":\"memory.overlap\",\"witness\":{\"address\":3,"
             "\"places\":[{\"line\":2},{\"line\":3}],\"time\":2}}");
    assert_true(oracle_csv_witness_check(text, strlen(text), 0, json, reason,
                                         sizeof reason));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(clean),
    cmocka_unit_test(overlaps),
    cmocka_unit_test(other_rules),
    cmocka_unit_test(instances),
    cmocka_unit_test(gaps),
    cmocka_unit_test(faults),
    cmocka_unit_test(detection),
    cmocka_unit_test(by_the_twin),
    cmocka_unit_test(all_at_one_place),
    cmocka_unit_test(wrong_witnesses),
};

TEST_MAIN(tests)
