/* limit.*: each at its border and one beyond it, in graphs and in Scores. */
#include "../../scripts/testing/harness.h"

#include "judged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(growing *t, const char *more, int buffers)
{
    *t = (growing){0};
    growing_put(
        t,
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",%s\"buffers\""
        ":[",
        more);
    for (int b = 0; b < buffers; b++) {
        growing_put(t,
                    "%s{\"key\":\"param:p%d\",\"bytes\":64,\"external\":true}",
                    b == 0 ? "" : ",", b);
    }
    growing_put(t, "],\"tasks\":[");
}

static void start_score(growing *t)
{
    *t = (growing){0};
    growing_put(t, "{\"name\":\"s\",\"tasks\":[");
}

/*
 * How often the rule is found. Where it is, its witness must hold, and with
 * another count must not.
 */
static uint32_t found(growing *t, const char *end, const char *rule,
                      const char *says)
{
    oracle_judgement j;
    oracle_document d;
    uint32_t count = 0;
    char reason[160];
    oracle_error error;
    growing_put(t, "%s", end);
    assert_int_equal(oracle_judge_text(&j, t->data, t->length, NULL),
                     ORACLE_OK);
    assert_int_not_equal(j.verdict, ORACLE_REFUSED);
    assert_int_equal(oracle_document_read(&d, t->data, t->length, NULL, &error),
                     ORACLE_OK);
    for (uint32_t i = 0; i < j.count; i++) {
        const oracle_finding *f = &j.findings[i];
        if (strcmp(f->rule, rule) != 0) {
            continue;
        }
        count++;
        assert_non_null(strstr(f->message, says));
        if (!oracle_witness_check(&d, f->json, reason, sizeof reason)) {
            fail_msg("%s: %s", reason, f->json);
        }
        char *other = strdup(f->json);
        assert_non_null(other);
        char *digit = strstr(strstr(other, "\"witness\""), "\"count\":");
        assert_non_null(digit);
        digit[8] = digit[8] == '9' ? '8' : (char)(digit[8] + 1);
        assert_false(oracle_witness_check(&d, other, reason, sizeof reason));
        free(other);
    }
    oracle_document_free(&d);
    oracle_judgement_free(&j);
    free(t->data);
    return count;
}

static void add_args(growing *t, int tensors, int scalars)
{
    for (int a = 0; a < tensors + scalars; a++) {
        growing_put(t, a == 0 ? "" : ",");
        if (a < tensors) {
            growing_put(
                t, "{\"buffer\":\"param:p0\",\"dispatch\":\"input\",\"access\":"
                   "[{\"mode\":\"read\",\"must\":true,\"exact\":true}]}");
        } else {
            growing_put(t, "{\"scalar\":4}");
        }
    }
}

static uint32_t with_args(int tensors, int scalars, const char *rule,
                          const char *says)
{
    growing t;
    start(&t, "", 1);
    growing_put(&t, "{\"id\":7,\"name\":\"k\",\"core\":\"aiv\",\"args\":[");
    add_args(&t, tensors, scalars);
    return found(&t, "]}]}", rule, says);
}

static void arguments(void **state)
{
    (void)state;
    assert_int_equal(with_args(32, 16, "limit.tensors", ""), 0);
    assert_int_equal(with_args(32, 16, "limit.scalars", ""), 0);
    assert_int_equal(
        with_args(33, 0, "limit.tensors",
                  "task 7 \"k\" has 33 tensor arguments and the runtime takes "
                  "32"),
        1);
    assert_int_equal(with_args(33, 0, "limit.scalars", ""), 0);
    assert_int_equal(
        with_args(1, 17, "limit.scalars", "has 17 scalar arguments"), 1);
}

/* Iterations of a loop are tasks of one line: one finding. */
static void sites(void **state)
{
    growing t;
    (void)state;
    start(&t, "", 1);
    for (int i = 0; i < 5; i++) {
        growing_put(&t, "%s{\"id\":%d,\"name\":\"k\",\"line\":%d,\"args\":[",
                    i == 0 ? "" : ",", i, i < 3 ? 12 : 20 + i);
        add_args(&t, 0, 17);
        growing_put(&t, "]}");
    }
    assert_int_equal(found(&t, "]}", "limit.scalars", "17"), 3);
}

static uint32_t with_dims(int dims, bool of_access)
{
    growing t;
    char region[512] = "{\"elem\":4,\"base\":0,\"dims\":[[1,4,0]";
    for (int i = 1; i < dims; i++) {
        strcat(region, ",[1,4,0]");
    }
    strcat(region, "]}");
    start(&t, "", 1);
    growing_put(&t,
                "{\"id\":7,\"name\":\"k\",\"args\":[{\"scalar\":1},{\"buffer\":"
                "\"param:p0\",\"dispatch\":\"input\",");
    if (of_access) {
        growing_put(&t, "\"access\":[{\"mode\":\"read\",\"region\":%s}]}",
                    region);
    } else {
        growing_put(&t, "\"view\":%s,\"access\":[{\"mode\":\"read\"}]}",
                    region);
    }
    return found(&t, "]}]}", "limit.dimensions", "a tensor of 6 dimensions");
}

/* What the kernel makes of a tensor is no tensor of the runtime. */
static void dimensions(void **state)
{
    (void)state;
    assert_int_equal(with_dims(5, false), 0);
    assert_int_equal(with_dims(6, false), 1);
    assert_int_equal(with_dims(6, true), 0);
}

static uint32_t with_blocks(const char *core, const char *count, bool sync,
                            const char *rule, const char *says)
{
    growing t;
    start(&t, "", 1);
    growing_put(&t,
                "{\"id\":7,\"name\":\"k\",\"core\":\"%s\",\"blocks\":%s,"
                "\"sync_start\":%s,\"args\":[]}",
                core, count, sync ? "true" : "false");
    return found(&t, "]}", rule, says);
}

static void blocks(void **state)
{
    static const char *const rule = "limit.blocks";
    (void)state;
    assert_int_equal(with_blocks("aiv", "32767", false, rule, ""), 0);
    assert_int_equal(with_blocks("aiv", "32768", false, rule, "is 32768 "), 1);
    assert_int_equal(with_blocks("aic", "32768", false, rule, "is 32768 "), 1);
    assert_int_equal(with_blocks("mixed", "10922", false, rule, ""), 0);
    assert_int_equal(with_blocks("mixed", "10923", false, rule, "32769"), 1);
    assert_int_equal(with_blocks("MIX", "10923", false, rule, "32769"), 1);
    assert_int_equal(with_blocks("aiv", "null", false, rule, ""), 0);
    assert_int_equal(with_blocks("mixed", "9223372036854775807", false, rule,
                                 "9223372036854775807"),
                     1);
}

static void sync_start(void **state)
{
    static const char *const rule = "limit.sync-start";
    (void)state;
    assert_int_equal(with_blocks("aic", "24", true, rule, ""), 0);
    assert_int_equal(with_blocks("aic", "25", true, rule, "cores for 24"), 1);
    assert_int_equal(with_blocks("aic", "25", false, rule, ""), 0);
    assert_int_equal(with_blocks("aiv", "48", true, rule, ""), 0);
    assert_int_equal(with_blocks("aiv", "49", true, rule, "cores for 48"), 1);
    assert_int_equal(with_blocks("mixed", "24", true, rule, ""), 0);
    assert_int_equal(with_blocks("mixed", "25", true, rule, "at once 75 "), 1);
    assert_int_equal(with_blocks("aiv", "null", true, rule, ""), 0);
    assert_int_equal(with_blocks("", "4000", true, rule, ""), 0);
}

/* Of a record those cores count that have a kernel. */
static uint32_t recorded(const char *kernels, int block_num)
{
    growing t = {0};
    growing_put(&t,
                "{\"tasks\":[{\"task_id\":\"1\",\"scope\":\"auto\","
                "\"early_dispatch\":false,\"kernel_ids\":%s,\"block_num\":%d,"
                "\"args\":[]}],\"tensors\":[],\"edges\":[]}",
                kernels, block_num);
    return found(&t, "", "limit.blocks", "blocks x lanes");
}

static void lanes_of_a_record(void **state)
{
    (void)state;
    assert_int_equal(recorded("[0,1,1]", 10922), 0);
    assert_int_equal(recorded("[0,1,1]", 10923), 1);
    assert_int_equal(recorded("[0,1,-1]", 16383), 0);
    assert_int_equal(recorded("[0,1,-1]", 16384), 1);
    assert_int_equal(recorded("[-1,1,-1]", 32767), 0);
}

static uint32_t with_functions(int count, bool dummies)
{
    growing t;
    start(&t, "", 1);
    for (int i = 0; i < count * 2; i++) {
        growing_put(
            &t, "%s{\"id\":%d,\"name\":\"k%d\",\"dummy\":%s,\"args\":[]}",
            i == 0 ? "" : ",", i, i % count, dummies ? "true" : "false");
    }
    return found(&t, "]}", "limit.functions", "1025 functions are called");
}

static uint32_t with_score_functions(int count)
{
    growing t;
    start_score(&t);
    for (int i = 0; i < count * 2; i++) {
        growing_put(
            &t,
            "%s{\"task_id\":%d,\"func_id\":%d,\"core_type\":\"aiv\",\"name\":"
            "\"k\"}",
            i == 0 ? "" : ",", i, i % count * 3);
    }
    return found(&t, "]}", "limit.functions", "1025 functions are called");
}

/* Ids of kernels count from 0, and each once, on whatever core it is. */
static uint32_t with_kernels(int count)
{
    growing t = {0};
    growing_put(&t, "{\"tasks\":[");
    for (int i = 0; i < count; i++) {
        growing_put(&t,
                    "%s{\"task_id\":\"%d\",\"scope\":\"auto\","
                    "\"early_dispatch\":false,\"kernel_ids\":[%d,%d,-1],"
                    "\"block_num\":1,\"args\":[]}",
                    i == 0 ? "" : ",", i + 1, i, count - 1 - i);
    }
    growing_put(&t, "],\"tensors\":[],\"edges\":[]}");
    return found(&t, "", "limit.functions", "1025 functions are called");
}

static void functions(void **state)
{
    (void)state;
    assert_int_equal(with_functions(1024, false), 0);
    assert_int_equal(with_functions(1025, false), 1);
    assert_int_equal(with_functions(1025, true), 0);
    assert_int_equal(with_score_functions(1024), 0);
    assert_int_equal(with_score_functions(1025), 1);
    assert_int_equal(with_kernels(1024), 0);
    assert_int_equal(with_kernels(1025), 1);
}

static uint32_t with_externals(int count)
{
    growing t;
    start(&t, "", count);
    return found(&t, "]}", "limit.externals", "257 tensors come from outside");
}

static uint32_t with_keys(int count)
{
    growing t;
    start_score(&t);
    for (int i = 0; i < count; i++) {
        growing_put(
            &t,
            "%s{\"task_id\":%d,\"func_id\":0,\"core_type\":\"aiv\",\"args\":"
            "[\"x\",\"y\"],\"arg_directions\":[\"Input\",\"Output\"],"
            "\"arg_storage_keys\":[\"param:x%d\",\"alloc:y%d\"]}",
            i == 0 ? "" : ",", i, i, i);
    }
    return found(&t, "]}", "limit.externals", "257 tensors come from outside");
}

static void externals(void **state)
{
    (void)state;
    assert_int_equal(with_externals(256), 0);
    assert_int_equal(with_externals(257), 1);
    assert_int_equal(with_keys(256), 0);
    assert_int_equal(with_keys(257), 1);
}

/* The innermost first: parents stand behind their children. */
static uint32_t with_scopes(int depth, bool backwards)
{
    growing t = {0};
    growing_put(
        &t, "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"buffers\":"
            "[],\"scopes\":[{\"id\":500,\"manual\":false,\"parent\":null}");
    for (int i = 0; i < depth; i++) {
        int id = backwards ? depth - 1 - i : i;
        growing_put(&t, ",{\"id\":%d,\"manual\":false,\"parent\":", id);
        if (id > 0) {
            growing_put(&t, "%d}", id - 1);
        } else {
            growing_put(&t, "null}");
        }
    }
    growing_put(
        &t, "],\"tasks\":[{\"id\":1,\"name\":\"k\",\"scope\":%d,\"args\":[]}",
        depth - 1);
    return found(&t, "]}", "limit.scopes", "65 scopes lie one in the other");
}

static void scopes(void **state)
{
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        assert_int_equal(with_scopes(64, backwards), 0);
        assert_int_equal(with_scopes(65, backwards), 1);
    }
}

/* `count` tasks without edges and as many of another core, and one more. */
static uint32_t with_ready(int count, const char *deps, const char *more,
                           const char *rule)
{
    growing t;
    start(&t, "\"choices\":[{\"id\":3,\"kind\":\"if\",\"text\":\"n > 0\"}],",
          1);
    for (int i = 0; i < count; i++) {
        growing_put(&t,
                    "%s{\"id\":%d,\"name\":\"k\",\"core\":\"aiv\",\"args\":[]}",
                    i == 0 ? "" : ",", i);
    }
    growing_put(&t,
                ",{\"id\":%d,\"name\":\"k\",\"core\":\"aiv\",%s%s\"args\":[]}",
                count, deps, more);
    return found(&t, "]}", rule, "8193 aiv tasks wait for nothing");
}

static void ready(void **state)
{
    static const char *const rule = "limit.ready";
    static const char *const when = "\"when\":[{\"choice\":3,\"is\":false}],";
    static const char *const dep = "\"deps\":[{\"task\":0}],";
    (void)state;
    assert_int_equal(with_ready(8191, "", "", rule), 0);
    assert_int_equal(with_ready(8192, "", "", rule), 1);
    assert_int_equal(with_ready(8192, dep, "", rule), 0);
    assert_int_equal(with_ready(8192, "", when, rule), 1);
    assert_int_equal(with_ready(8192, "", "\"dummy\":true,", rule), 0);
}

/* Each half of the tasks is on a core of its own. */
static void ready_by_core(void **state)
{
    growing t;
    (void)state;
    start(&t, "", 1);
    for (int i = 0; i < 12000; i++) {
        growing_put(&t,
                    "%s{\"id\":%d,\"name\":\"k\",\"core\":\"%s\",\"args\":[]}",
                    i == 0 ? "" : ",", i, i % 2 ? "aic" : "aiv");
    }
    assert_int_equal(found(&t, "]}", "limit.ready", ""), 0);
}

/* A Score of a chain: nothing but the first is ready. */
static uint32_t with_tasks(int count, const char *rule, const char *says,
                           bool chain)
{
    growing t;
    start_score(&t);
    for (int i = 0; i < count; i++) {
        growing_put(&t,
                    "%s{\"task_id\":%d,\"func_id\":0,\"core_type\":\"aiv\"}",
                    i == 0 ? "" : ",", i);
    }
    growing_put(&t, "],\"dependencies\":[");
    for (int i = 1; i < count; i++) {
        growing_put(&t,
                    "%s{\"producer\":%d,\"consumer\":%d,\"kind\":\"ordering\"}",
                    i == 1 ? "" : ",",
                    chain   ? i - 1
                    : i % 2 ? 0
                            : i - 1,
                    i);
    }
    return found(&t, "]}", rule, says);
}

static void tasks(void **state)
{
    static const char *const window =
        "set runtime_env.ring_task_window to 32768";
    (void)state;
    assert_int_equal(with_tasks(16384, "limit.tasks", "", true), 0);
    assert_int_equal(with_tasks(16385, "limit.tasks", window, true), 1);
    assert_int_equal(with_tasks(32768, "limit.tasks", window, true), 1);
    assert_int_equal(with_tasks(32769, "limit.tasks", "to 65536", true), 1);
    assert_int_equal(with_tasks(32769, "limit.ready", "", true), 0);
}

/* Two branches of which one is taken: never all of them. */
static void tasks_of_branches(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        growing t;
        start(&t, "\"choices\":[{\"id\":3,\"kind\":\"if\",\"text\":\"n\"}],",
              1);
        for (int i = 0; i < 16385; i++) {
            growing_put(
                &t,
                "%s{\"id\":%d,\"name\":\"k\",\"deps\":[{\"task\":%d}],\"when\":"
                "[{\"choice\":3,\"is\":%s}],\"args\":[]}",
                i == 0 ? "" : ",", i, i == 0 ? 1 : 0,
                both || i % 2 ? "true" : "false");
        }
        assert_int_equal(found(&t, "]}", "limit.tasks", "16385 tasks"), both);
    }
}

static const struct CMUnitTest all[] = {
    cmocka_unit_test(arguments),
    cmocka_unit_test(sites),
    cmocka_unit_test(dimensions),
    cmocka_unit_test(blocks),
    cmocka_unit_test(sync_start),
    cmocka_unit_test(lanes_of_a_record),
    cmocka_unit_test(functions),
    cmocka_unit_test(externals),
    cmocka_unit_test(scopes),
    cmocka_unit_test(ready),
    cmocka_unit_test(ready_by_core),
    cmocka_unit_test(tasks),
    cmocka_unit_test(tasks_of_branches),
};

TEST_MAIN(all)
