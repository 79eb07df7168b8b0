/*
 * task.block-race: random tasks against every byte of every block and lane,
 * and what is not said.
 */
#include "../../scripts/testing/harness.h"

#include "maker.h"
#include "oracle/judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ACCESSES 4
#define DIMS 2
#define BYTES 4096
#define FAR 1024 /* where bases lie about */
#define CASES 20000

/* c + block * b + lane * l + i * of the other symbol */
typedef struct number {
    int64_t c, b, l, i;
} number;

typedef struct access {
    int arg, mode; /* read, write, inout, accumulate */
    int64_t elem;
    number base;
    int dims;
    struct {
        number count, offset;
        int64_t stride;
    } dim[DIMS];
} access;

typedef struct task {
    int64_t blocks;
    int accesses;
    access access[ACCESSES];
} task;

static const char *const modes[] = {"read", "write", "inout", "accumulate"};

typedef struct source {
    uint64_t seed, at;
} source;

static int64_t pick(source *s, int64_t least, int64_t most)
{
    uint64_t r = maker_random(s->seed, s->at++);
    return least + (int64_t)(r % (uint64_t)(most - least + 1));
}

/* --- The same as text --- */

typedef struct text {
    char data[16384];
    size_t length;
} text;

static void add(text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->data + t->length, sizeof t->data - t->length, format,
                      args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof t->data - t->length);
    t->length += (size_t)n;
}

static void add_number(text *t, const number *n)
{
    const int64_t coef[] = {n->i, n->l, n->b};
    static const char *const names[] = {"i", "lane", "block"};
    const char *comma = "";
    add(t, "{\"c\":%" PRId64 ",\"t\":[", n->c);
    for (int k = 0; k < 3; k++) {
        if (coef[k] != 0) {
            add(t, "%s[%" PRId64 ",\"%s\"]", comma, coef[k], names[k]);
            comma = ",";
        }
    }
    add(t, "]}");
}

static void add_access(text *t, const access *a)
{
    add(t,
        "{\"mode\":\"%s\",\"must\":true,\"exact\":true,\"region\":{\"elem\":"
        "%" PRId64 ",\"base\":",
        modes[a->mode], a->elem);
    add_number(t, &a->base);
    add(t, ",\"dims\":[");
    for (int d = 0; d < a->dims; d++) {
        add(t, d == 0 ? "[" : ",[");
        add_number(t, &a->dim[d].count);
        add(t, ",%" PRId64 ",", a->dim[d].stride);
        add_number(t, &a->dim[d].offset);
        add(t, "]");
    }
    add(t, "]}}");
}

static void write_task(text *t, const task *of, const char *more)
{
    t->length = 0;
    add(t,
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"b\",\"symbols\":[{"
        "\"name\":\"i\",\"min\":0,\"max\":3,\"step\":1,\"free\":true}],"
        "\"buffers\":[{\"key\":\"param:x\",\"bytes\":null,\"external\":true}],"
        "\"tasks\":[{\"id\":5,\"name\":\"k\",\"core\":\"mixed\",\"blocks\":"
        "%" PRId64 ",%s\"args\":[",
        of->blocks, more);
    for (int arg = 0; arg < 2; arg++) {
        const char *comma = "";
        add(t, "%s{\"buffer\":\"param:x\",\"dispatch\":\"inout\",\"access\":[",
            arg == 0 ? "" : ",");
        for (int i = 0; i < of->accesses; i++) {
            if (of->access[i].arg == arg) {
                add(t, "%s", comma);
                add_access(t, &of->access[i]);
                comma = ",";
            }
        }
        add(t, "]}");
    }
    add(t, "]}]}");
}

/* --- Byte by byte --- */

static int64_t value(const number *n, int64_t block, int64_t lane, int64_t i)
{
    return n->c + n->b * block + n->l * lane + n->i * i;
}

static void touch(const access *a, int64_t block, int64_t lane, int64_t i,
                  bool *bytes)
{
    int64_t count[DIMS] = {1, 1}, start = value(&a->base, block, lane, i);
    memset(bytes, 0, BYTES);
    for (int d = 0; d < a->dims; d++) {
        count[d] = value(&a->dim[d].count, block, lane, i);
        start += value(&a->dim[d].offset, block, lane, i) * a->dim[d].stride;
    }
    for (int64_t x = 0; x < count[0]; x++) {
        for (int64_t y = 0; y < count[1]; y++) {
            int64_t at = start + x * a->dim[0].stride;
            at += y * (a->dims > 1 ? a->dim[1].stride : 0);
            assert_true(at >= 0 && at + a->elem <= BYTES);
            memset(bytes + at, true, (size_t)a->elem);
        }
    }
}

static bool names(const access *a, bool lane)
{
    bool named = (lane ? a->base.l : a->base.b) != 0;
    for (int d = 0; d < a->dims; d++) {
        named = named || (lane ? a->dim[d].count.l : a->dim[d].count.b) != 0 ||
                (lane ? a->dim[d].offset.l : a->dim[d].offset.b) != 0;
    }
    return named;
}

static bool parts_meet(const access *a, const access *b, int64_t blocks,
                       int64_t i)
{
    bool x[BYTES], y[BYTES];
    bool by_block = names(a, false) && names(b, false);
    bool by_lane = names(a, true) && names(b, true);
    for (int64_t p = 0; p < 2 * blocks; p++) {
        touch(a, p / 2, p % 2, i, x);
        for (int64_t q = 0; q < 2 * blocks; q++) {
            if ((by_block && p / 2 != q / 2) || (by_lane && p % 2 != q % 2)) {
                touch(b, q / 2, q % 2, i, y);
                for (int k = 0; k < BYTES; k++) {
                    if (x[k] && y[k]) {
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

static bool is_race(const task *t, int first, int second, int64_t i)
{
    for (int a = 0; a < t->accesses; a++) {
        for (int b = 0; b < t->accesses; b++) {
            const access *x = &t->access[a], *y = &t->access[b];
            bool writes = x->mode != 0 || y->mode != 0;
            bool add = x->mode == 3 && y->mode == 3;
            if (x->arg == first && y->arg == second && writes && !add &&
                parts_meet(x, y, t->blocks, i)) {
                return true;
            }
        }
    }
    return false;
}

/* --- Comparing --- */

/* Sets, by pair of arguments (0 with 0, 1 with 1, 0 with 1), what is found. */
static void judge(const text *t, bool found[3], bool *open)
{
    oracle_judgement j;
    oracle_document d;
    oracle_error error;
    char reason[160], wrong[2048];
    memset(found, 0, 3 * sizeof *found);
    assert_int_equal(oracle_judge_text(&j, t->data, t->length, NULL),
                     ORACLE_OK);
    if (j.verdict == ORACLE_REFUSED) {
        fail_msg("%s", j.findings[0].message);
    }
    assert_int_equal(oracle_document_read(&d, t->data, t->length, NULL, &error),
                     ORACLE_OK);
    *open = false;
    for (uint32_t i = 0; i < j.undecided_count; i++) {
        *open |= strstr(j.undecided[i], "whether blocks of") != NULL;
    }
    for (uint32_t i = 0; i < j.count; i++) {
        const char *json = j.findings[i].json;
        if (strcmp(j.findings[i].rule, "task.block-race") != 0) {
            continue;
        }
        assert_int_equal(j.findings[i].severity, ORACLE_ERROR);
        const char *args = strstr(json, "\"args\":[");
        assert_non_null(args);
        int pair = args[8] != args[10] ? 2 : args[8] - '0';
        assert_false(found[pair]);
        found[pair] = true;
        if (!oracle_witness_check(&d, json, reason, sizeof reason)) {
            fail_msg("%s: %s\n%s", reason, json, t->data);
        }
        /* A byte that nobody touches, and a task that is not there. */
        snprintf(wrong, sizeof wrong, "%.*s4000000%s",
                 (int)(strstr(args, "\"begin\":") + 8 - json), json,
                 strchr(strstr(args, "\"begin\":"), ','));
        assert_false(oracle_witness_check(&d, wrong, reason, sizeof reason));
        snprintf(wrong, sizeof wrong, "%s", json);
        char *id = strstr(strstr(wrong, "\"witness\""), "\"task\":5");
        assert_non_null(id);
        id[7] = '6';
        assert_false(oracle_witness_check(&d, wrong, reason, sizeof reason));
    }
    oracle_document_free(&d);
    oracle_judgement_free(&j);
}

static number random_number(source *s, int64_t least, int64_t most, bool moving)
{
    number n = {.c = pick(s, least, most)};
    if (moving && pick(s, 0, 1) == 0) {
        n.b = pick(s, -8, 12);
    }
    if (moving && pick(s, 0, 3) == 0) {
        n.l = pick(s, -6, 9);
    }
    return n;
}

static access random_access(source *s)
{
    access a = {.arg = (int)pick(s, 0, 1),
                .mode = (int)pick(s, 0, 3),
                .elem = pick(s, 1, 4),
                .dims = (int)pick(s, 0, DIMS)};
    a.base = random_number(s, FAR, FAR + 30, pick(s, 0, 1) == 0);
    for (int d = 0; d < a.dims; d++) {
        a.dim[d].stride = pick(s, -9, 14);
        a.dim[d].count = random_number(s, 0, 4, false);
        a.dim[d].offset = random_number(s, -3, 3, pick(s, 0, 1) == 0);
        if (pick(s, 0, 7) == 0) {
            a.dim[d].count.b = pick(s, -1, 1);
        }
    }
    return a;
}

static task random_task(source *s)
{
    task t = {.blocks = pick(s, 1, 5), .accesses = (int)pick(s, 1, ACCESSES)};
    bool varies = false;
    for (int i = 0; i < t.accesses; i++) {
        access *a = &t.access[i];
        *a = random_access(s);
        for (int k = 0; k < a->dims; k++) {
            varies = varies || a->dim[k].count.b != 0;
        }
    }
    /* What two arguments do to each other is not decided for such counts. */
    for (int i = 0; varies && i < t.accesses; i++) {
        t.access[i].arg = 0;
    }
    return t;
}

/* Exactly those pairs of arguments that race, and nothing is left open. */
static void against_bytes(void **state)
{
    uint32_t races = 0, clean = 0;
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        source s = {n, 0};
        task t = random_task(&s);
        text program;
        bool found[3], open;
        write_task(&program, &t, "");
        judge(&program, found, &open);
        for (int pair = 0; pair < 3; pair++) {
            int first = pair == 1 ? 1 : 0, second = pair == 0 ? 0 : 1;
            bool race = is_race(&t, first, second, 0);
            if (found[pair] != race) {
                fail_msg("case %" PRIu64 ", pair %d: found %d, is %d\n%s", n,
                         pair, found[pair], race, program.data);
            }
            races += race;
            clean += !race;
        }
        if (open) {
            fail_msg("case %" PRIu64 " is left open\n%s", n, program.data);
        }
    }
    assert_true(races > CASES / 10 && clean > CASES / 2);
}

/* A symbol that moves all alike changes nothing; others: no false alarm. */
static void against_bytes_with_a_symbol(void **state)
{
    uint32_t races = 0, opens = 0, missed = 0;
    (void)state;
    for (uint64_t n = 0; n < CASES / 4; n++) {
        source s = {n + 7 * CASES, 0};
        task t = random_task(&s);
        text program;
        bool found[3], open, alike = n % 2 == 0;
        int64_t step = pick(&s, 1, 20);
        for (int i = 0; i < t.accesses; i++) {
            t.access[i].base.i = alike || pick(&s, 0, 1) == 0 ? step : 0;
            t.access[i].arg = 0;
        }
        write_task(&program, &t, "");
        judge(&program, found, &open);
        bool race = false;
        for (int64_t i = 0; i < 4 && !race; i++) {
            race = is_race(&t, 0, 0, i);
        }
        if (found[0] ? !race : race && !open) {
            fail_msg("case %" PRIu64 ": found %d, is %d\n%s", n, found[0], race,
                     program.data);
        }
        races += race;
        missed += race && !found[0];
        opens += open;
        assert_false(open && alike);
    }
    /* Open ones are few. */
    assert_true(races > CASES / 40 && missed * 20 < races);
    assert_true(opens * 5 < CASES / 4);
}

static void expect(const task *t, const char *more, bool race, bool open)
{
    text program;
    bool found[3], is_open;
    write_task(&program, t, more);
    judge(&program, found, &is_open);
    assert_int_equal(found[0] || found[1] || found[2], race);
    assert_int_equal(is_open, open);
}

/* Rows of 8 bytes, one more than a block moves on. */
static task rows(int mode, int64_t count)
{
    task t = {.blocks = 4, .accesses = 1};
    t.access[0] = (access){.mode = mode, .elem = 8, .dims = 1};
    t.access[0].dim[0].count.c = count;
    t.access[0].dim[0].stride = 8;
    t.access[0].dim[0].offset.b = 4;
    return t;
}

static void one_access(void **state)
{
    task t = rows(1, 5);
    (void)state;
    expect(&t, "", true, false);
    expect(&t, "\"sync_start\":true,", true, false);
    t = rows(1, 4);
    expect(&t, "", false, false);
    t = rows(0, 5);
    expect(&t, "", false, false);
    t = rows(2, 5);
    expect(&t, "", true, false);
    t = rows(3, 5);
    expect(&t, "", false, false);
    t = rows(1, 5);
    t.blocks = 1;
    expect(&t, "", false, false);
}

/* A read of the neighbour's rows; blocks that start together may wait. */
static void read_and_write(void **state)
{
    task t = rows(1, 4);
    (void)state;
    t.accesses = 2;
    t.access[1] = rows(0, 5).access[0];
    expect(&t, "", true, false);
    expect(&t, "\"sync_start\":true,", false, true);
    t.access[1] = rows(0, 4).access[0];
    expect(&t, "", false, false);
    /* The whole is not the part of a block. */
    t.access[1] = rows(0, 16).access[0];
    t.access[1].dim[0].offset.b = 0;
    expect(&t, "", false, false);
}

/* 32,767 blocks: too many pairs, not too many parts. */
static void many_blocks(void **state)
{
    task t = rows(1, 4);
    (void)state;
    t.blocks = 32767;
    expect(&t, "", false, false);
    t.access[0].dim[0].offset.b = -4;
    t.access[0].base.c = 1 << 30;
    expect(&t, "", false, false);
    t.access[0].dim[0].count.c = 5;
    expect(&t, "", true, false);
}

static void judge_changed(const char *from, const char *to, bool race,
                          bool open)
{
    task t = rows(1, 5);
    text program;
    bool found[3], is_open;
    write_task(&program, &t, "");
    char *at = strstr(program.data, from);
    assert_non_null(at);
    text changed = {.length = 0};
    add(&changed, "%.*s%s%s", (int)(at - program.data), program.data, to,
        at + strlen(from));
    judge(&changed, found, &is_open);
    assert_int_equal(found[0], race);
    assert_int_equal(is_open, open);
}

/* Unknown numbers are open, what is no exact access is trusted. */
static void what_is_not_sure(void **state)
{
    (void)state;
    judge_changed("\"blocks\":4", "\"blocks\":4", true, false);
    judge_changed("\"blocks\":4", "\"blocks\":null", false, true);
    judge_changed("\"exact\":true", "\"exact\":false", false, false);
    judge_changed("\"must\":true", "\"must\":false", true, false);
}

/* Tasks of a loop are one finding, with their number. */
static void a_loop(void **state)
{
    oracle_judgement j;
    text t = {.length = 0};
    (void)state;
    add(&t, "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"b\","
            "\"buffers\":[{\"key\":\"param:x\",\"bytes\":4096,\"external\":"
            "true}],\"tasks\":[");
    for (int i = 0; i < 3; i++) {
        add(&t,
            "%s{\"id\":%d,\"name\":\"k\",\"line\":9,\"blocks\":2,\"args\":[{"
            "\"buffer\":\"param:x\",\"dispatch\":\"no_dep\",\"access\":[{"
            "\"mode\":\"write\",\"must\":true,\"exact\":true,\"region\":{"
            "\"elem\":4,\"base\":{\"c\":%d,\"t\":[[4,\"block\"]]},\"dims\":[["
            "2,4,0]]}}]}]}",
            i == 0 ? "" : ",", i, 64 * i);
    }
    add(&t, "]}");
    assert_int_equal(oracle_judge_text(&j, t.data, t.length, NULL), ORACLE_OK);
    assert_int_equal(j.total, 1);
    assert_string_equal(j.findings[0].rule, "task.block-race");
    assert_non_null(strstr(j.findings[0].message, "one of 3 such"));
    assert_non_null(strstr(j.findings[0].message, "bytes 4 to 7 of param:x"));
    oracle_judgement_free(&j);
}

#define WRITES(base)                                                           \
    "{\"mode\":\"write\",\"must\":true,\"exact\":true,\"region\":{\"elem\":4," \
    "\"base\":" base ",\"dims\":[]}}"

/* An access of unknown place does not hide from the checker what is sure. */
static void self_overlap_beside_an_unknown(void **state)
{
    static const char program[] =
        "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"b\",\"symbols\":[{"
        "\"name\":\"r\",\"min\":0,\"max\":3,\"step\":1,\"free\":false}],"
        "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,\"external\":true}],"
        "\"tasks\":[{\"id\":5,\"name\":\"k\",\"args\":[{\"buffer\":\"param:x\","
        "\"dispatch\":\"inout\",\"access\":[" WRITES("16") "," WRITES(
            "{\"c\":0,\"t\":[[8,\"r\"]]}") "]},{\"buffer\":\"param:x\","
                                           "\"dispatch\":\"inout\","
                                           "\"access\":[" WRITES("16") "]}]}]}";
    oracle_judgement j;
    oracle_document d;
    oracle_error error;
    char reason[160];
    (void)state;
    assert_int_equal(oracle_judge_text(&j, program, strlen(program), NULL),
                     ORACLE_OK);
    assert_string_equal(j.findings[0].rule, "task.self-overlap");
    assert_int_equal(j.findings[0].severity, ORACLE_ERROR);
    assert_int_equal(
        oracle_document_read(&d, program, strlen(program), NULL, &error),
        ORACLE_OK);
    assert_true(
        oracle_witness_check(&d, j.findings[0].json, reason, sizeof reason));
    oracle_document_free(&d);
    oracle_judgement_free(&j);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(against_bytes),
    cmocka_unit_test(against_bytes_with_a_symbol),
    cmocka_unit_test(one_access),
    cmocka_unit_test(read_and_write),
    cmocka_unit_test(many_blocks),
    cmocka_unit_test(what_is_not_sure),
    cmocka_unit_test(a_loop),
    cmocka_unit_test(self_overlap_beside_an_unknown),
};

TEST_MAIN(tests)
