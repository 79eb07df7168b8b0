/* Signatures of generated inputs: what they group, and what they keep apart. */
#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/answer.h"

#define VARIANTS 12

typedef enum lie { SAME, INSIDE, AROUND, PARTIAL, STRIDED, LIES } lie;

/* A mistake: what makes two findings of one sort, whatever they are called. */
typedef struct mistake {
    const char *first[2], *second[2]; /* dispatch and mode */
    const char *key;                  /* class of the buffer */
    lie lie;
    bool manual;
} mistake;

/* Another text each time: names, ids, sizes and what else is there. */
typedef struct dice {
    uint64_t state;
} dice;

static unsigned roll(dice *d, unsigned below)
{
    d->state = d->state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(d->state >> 33) % below;
}

static void put_region(char *out, size_t size, unsigned begin, unsigned count,
                       bool strided)
{
    if (strided)
        snprintf(out, size, "{\"elem\":1,\"base\":%u,\"dims\":[[%u,2,0]]}",
                 begin, count / 2);
    else
        snprintf(out, size, "{\"elem\":1,\"base\":%u,\"dims\":[[%u,1,0]]}",
                 begin, count);
}

static void put_task(char *out, size_t size, const mistake *m, bool second,
                     int id, const char *name, const char *key, unsigned base,
                     unsigned unit)
{
    static const unsigned begins[LIES][2] = {
        {0, 0}, {0, 1}, {1, 0}, {0, 2}, {0, 0}};
    static const unsigned counts[LIES][2] = {
        {4, 4}, {4, 2}, {2, 4}, {4, 4}, {4, 4}};
    const char *const *way = second ? m->second : m->first;
    char region[96];
    put_region(region, sizeof region, base + unit * begins[m->lie][second],
               unit * counts[m->lie][second], m->lie == STRIDED && second);
    snprintf(out, size,
             "{\"id\":%d,\"name\":\"%s\"%s,\"args\":[{\"buffer\":\"%s\","
             "\"dispatch\":\"%s\",\"access\":[{\"mode\":\"%s\",\"must\":true,"
             "\"exact\":true,\"region\":%s}]}]}",
             id, name, m->manual ? ",\"scope\":3" : "", key, way[0], way[1],
             region);
}

static void put_graph(char *out, size_t size, const mistake *m, dice *d)
{
    char first[400], second[400], key[48], names[2][16];
    unsigned unit = 2 * (1 + roll(d, 500)), base = roll(d, 1000);
    int id = (int)roll(d, 1000000);
    snprintf(key, sizeof key, "%s:k%u", m->key, roll(d, 1000000));
    for (int i = 0; i < 2; i++)
        snprintf(names[i], sizeof names[i], "t%u", roll(d, 1000000));
    put_task(first, sizeof first, m, false, id, names[0], key, base, unit);
    put_task(second, sizeof second, m, true, id + 1 + (int)roll(d, 9), names[1],
             key, base, unit);
    snprintf(
        out, size,
        "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"tensormap\","
        "\"scopes\":[{\"id\":3,\"manual\":true}],\"buffers\":[{\"key\":"
        "\"param:other%u\",\"bytes\":64,\"external\":true},{\"key\":\"%s\","
        "\"bytes\":%u,\"external\":%s,\"init\":%s}],\"tasks\":[%s,%s]}",
        roll(d, 1000), key, base + 8 * unit + roll(d, 100),
        strcmp(m->key, "param") == 0 ? "true" : "false",
        strcmp(m->key, "param") == 0 ? "false" : "true", first, second);
}

/* The signature of the gravest finding. */
static void sign(char signature[17], const char *text, const char *generated)
{
    oracle_judgement j;
    oracle_judge_options options = {.generated = generated};
    assert_int_equal(oracle_judge_text(&j, text, strlen(text), &options),
                     ORACLE_OK);
    if (j.count == 0)
        fail_msg("no finding: %s", text);
    memcpy(signature, j.findings[0].signature, 17);
    assert_non_null(strstr(j.findings[0].json, signature));
    oracle_judgement_free(&j);
}

static const mistake war = {
    {"input", "read"}, {"output_existing", "write"}, "param", PARTIAL, false};

static void sign_mistake(char signature[17], const mistake *m, uint64_t seed)
{
    char text[2048];
    dice d = {seed};
    (void)roll(&d, 2);
    put_graph(text, sizeof text, m, &d);
    sign(signature, text, "planner");
}

static void names_ids_and_sizes_are_nothing(void **state)
{
    (void)state;
    char first[17], other[17];
    sign_mistake(first, &war, 1);
    for (uint64_t seed = 2; seed < 200; seed++) {
        sign_mistake(other, &war, seed);
        assert_string_equal(other, first);
    }
}

static void each_part_counts(void **state)
{
    (void)state;
    mistake all[8];
    char signature[8][17];
    for (size_t i = 0; i < 8; i++)
        all[i] = war;
    all[1].first[0] = "inout"; /* what the runtime is told */
    all[1].first[1] = "read";
    all[2].second[0] = "output";
    all[3].key = "alloc";
    all[4].lie = SAME;
    all[5].lie = INSIDE;
    all[6].manual = true; /* another cause */
    all[7].lie = STRIDED;
    for (size_t i = 0; i < 8; i++) {
        sign_mistake(signature[i], &all[i], i + 1);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(signature[i], signature[k]);
    }
}

static void the_planner_counts(void **state)
{
    (void)state;
    char text[2048], a[17], b[17], program[17];
    dice d = {5};
    put_graph(text, sizeof text, &war, &d);
    sign(a, text, "one");
    sign(b, text, "two");
    sign(program, text, NULL);
    assert_string_not_equal(a, b);
    assert_string_not_equal(a, program);
}

/* Of a program names count, and sizes do not. */
static void programs_have_names(void **state)
{
    (void)state;
    char text[2048], a[17], b[17];
    dice d = {5};
    put_graph(text, sizeof text, &war, &d);
    sign(a, text, NULL);
    char *name = strstr(text, "\"name\":\"t") + 8;
    *name = 'u';
    sign(b, text, NULL);
    assert_string_not_equal(a, b);
    sign(a, text, "planner");
    *name = 't';
    sign(b, text, "planner");
    assert_string_equal(a, b);
}

/* --- Planted causes --- */

typedef struct bucket {
    char signature[17];
    size_t cause;
} bucket;

/* Three pairs of directions, two keys, five ways to lie, in a scope or not. */
static size_t plant(mistake *m, size_t number)
{
    static const char *const ways[][4] = {
        {"input", "read", "output_existing", "write"},
        {"inout", "read", "output_existing", "write"},
        {"output_existing", "write", "input", "read"},
        {"output_existing", "write", "output_existing", "write"}};
    size_t way = number % 4;
    *m = (mistake){{ways[way][0], ways[way][1]},
                   {ways[way][2], ways[way][3]},
                   number / 4 % 2 == 0 ? "param" : "alloc",
                   (lie)(number / 8 % LIES),
                   number / 40 % 2 == 0};
    return 4 * 2 * LIES * 2;
}

/* What tensormap orders by itself without a scope is no mistake. */
static bool is_mistake(const mistake *m)
{
    return m->manual || strcmp(m->second[1], "read") != 0;
}

static void no_bucket_mixes_causes(void **state)
{
    (void)state;
    static bucket buckets[80 * VARIANTS];
    size_t count = 0, causes = 0;
    mistake m;
    size_t total = plant(&m, 0);
    for (size_t cause = 0; cause < total; cause++) {
        (void)plant(&m, cause);
        if (!is_mistake(&m))
            continue;
        causes++;
        for (uint64_t v = 0; v < VARIANTS; v++) {
            buckets[count].cause = cause;
            sign_mistake(buckets[count++].signature, &m, 1000 * cause + v + 1);
        }
    }
    assert_true(causes >= 50);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if ((strcmp(buckets[i].signature, buckets[k].signature) == 0) !=
                (buckets[i].cause == buckets[k].cause))
                fail_msg("causes %zu and %zu: %s and %s", buckets[i].cause,
                         buckets[k].cause, buckets[i].signature,
                         buckets[k].signature);
}

/* --- What has no ends --- */

static void places_without_numbers(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        /* one place, one bucket */
        {"{\"kind\":\"task_graph\",\"version\":1,\"tasks\":[{\"id\":\"x\"}]}",
         "{\"kind\":\"task_graph\",\"version\":1,\"tasks\":[{\"id\":0,\"name\":"
         "\"a\"},{\"id\":true}]}"},
        {"{\"kind\":\"task_graph\",\"version\":1,\"name\":7,\"tasks\":[]}",
         "{\"kind\":\"task_graph\",\"version\":1,\"name\":[],\"tasks\":[]}"},
        {"{\"kind\":\"task_graph\",\"version\":1,\"tasks\":[{\"id\":1,"
         "\"line\":\"x\"}]}",
         "{\"kind\":\"task_graph\",\"version\":1,\"tasks\":[{\"id\":1},"
         "{\"id\":2,\"line\":[]}]}"},
        {"{\"kind\": tru", "{\"kind\":\"task_graph\",\"version\": tru"},
    };
    char all[4][17], other[17];
    for (size_t i = 0; i < 4; i++) {
        sign(all[i], texts[i][0], "p");
        sign(other, texts[i][1], "p");
        assert_string_equal(all[i], other);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(all[i], all[k]);
    }
}

static void sign_other(char signature[17], const char *cause,
                       const char *message, const char *planner)
{
    oracle_judgement j = {0};
    const oracle_judge_options options = {.generated = planner};
    assert_int_equal(oracle_finding_make(&j, "planner.crash", cause, NULL,
                                         message, &options),
                     ORACLE_OK);
    assert_int_equal(j.count, 1);
    memcpy(signature, j.findings[0].signature, 17);
    oracle_judgement_free(&j);
}

static void findings_of_others(void **state)
{
    (void)state;
    char a[17], b[17], c[17], d[17], e[17];
    sign_other(a, "f < g < h", "It ended.", "p");
    sign_other(b, "f < g < h", "It ended otherwise.", "p");
    sign_other(c, "f < g < main", "It ended.", "p");
    sign_other(d, "f < g < h", "It ended.", "q");
    assert_int_equal(strlen(a), 16);
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    assert_string_not_equal(a, d);
    sign_other(c, NULL, "It ended with status 3.", "p");
    sign_other(d, NULL, "It ended with status 4.", "p");
    sign_other(e, NULL, "It hangs.", "p");
    assert_string_equal(c, d);
    assert_string_not_equal(c, e);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_ids_and_sizes_are_nothing),
    cmocka_unit_test(each_part_counts),
    cmocka_unit_test(the_planner_counts),
    cmocka_unit_test(programs_have_names),
    cmocka_unit_test(no_bucket_mixes_causes),
    cmocka_unit_test(places_without_numbers),
    cmocka_unit_test(findings_of_others),
};

TEST_MAIN(tests)
