#include "laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "sonata/bundle.h"

static const char *const key_names[LAWS_KEYS] = {
    "alloc:a", "alloc:b", "alloc:c", "alloc:d",
    "alloc:e", "alloc:f", "param:x", "param:y"};

uint32_t laws_random(uint64_t *state, uint32_t below)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % below);
}

static sonata_value string_value(const char *text)
{
    return (sonata_value){SONATA_STRING, {text, strlen(text)}};
}

static sonata_text text_of(const char *text)
{
    return (sonata_text){text, strlen(text)};
}

/* Unique ids in any order: a walk through a cyclic group. */
static void set_ids(laws_score *s, uint64_t *state)
{
    bool in_order = laws_random(state, 2) == 0;
    int64_t start = laws_random(state, 97);
    for (size_t t = 0; t < s->score.task_count; t++)
        s->tasks[t].id = in_order ? (int64_t)t : (start + 37 * (int64_t)t) % 97;
}

static const char *plain_direction(uint64_t *state, uint32_t key, bool *written)
{
    static const char *const words[] = {"Input", "Output", "InOut", "input",
                                        "OutputExisting"};
    uint32_t word = laws_random(state, 5);
    bool reads = word == 0 || word == 2 || word == 3;
    if (reads && !written[key] && key < 6)
        word = 1;
    return words[word];
}

static const char *wild_direction(uint64_t *state)
{
    static const char *const words[] = {"Input",  "Output",  "InOut", "NoDep",
                                        "Scalar", "mystery", "OUTPUT"};
    return words[laws_random(state, 7)];
}

static bool is_write(const char *direction)
{
    return strcasestr(direction, "out") != NULL;
}

static void generate_arg(laws_score *s, size_t t, size_t i, uint64_t *state,
                         bool is_plain, bool *written)
{
    uint32_t key = laws_random(state, LAWS_KEYS);
    const char *direction =
        is_plain ? plain_direction(state, key, written) : wild_direction(state);
    s->args[t][i] = string_value(key_names[key] + 6);
    s->keys[t][i] = string_value(key_names[key]);
    s->directions[t][i] = text_of(direction);
    if (!is_plain && laws_random(state, 8) == 0)
        s->keys[t][i] = (sonata_value){SONATA_NULL, text_of("null")};
    if (is_write(direction))
        written[key] = true;
}

static void generate_task(laws_score *s, size_t t, uint64_t *state,
                          bool is_plain, bool *written)
{
    static const char *const names[] = {"mul", "add", "norm"};
    static const char *const cores[] = {"aic", "aiv", "mixed"};
    bool now[LAWS_KEYS];
    sonata_task *task = &s->tasks[t];
    uint32_t name = laws_random(state, 3);
    memcpy(now, written, sizeof now);
    task->func_id = name;
    task->name = text_of(names[name]);
    task->core_type = text_of(cores[laws_random(state, 3)]);
    task->args = s->args[t];
    task->directions = s->directions[t];
    task->keys = s->keys[t];
    task->arg_count = 1 + laws_random(state, LAWS_ARGS);
    task->direction_count = task->key_count = task->arg_count;
    for (size_t i = 0; i < task->arg_count; i++) {
        /* what this task writes counts for the next one */
        bool before[LAWS_KEYS];
        memcpy(before, written, sizeof before);
        generate_arg(s, t, i, state, is_plain, before);
        for (size_t k = 0; k < LAWS_KEYS; k++)
            now[k] = now[k] || before[k];
    }
    memcpy(written, now, sizeof now);
    if (!is_plain && laws_random(state, 10) == 0)
        task->direction_count = 0;
}

void laws_generate(laws_score *s, uint64_t seed, bool is_plain)
{
    bool written[LAWS_KEYS] = {false};
    static const sonata_text comment = {"first line", 10};
    uint64_t state = seed * 2 + (is_plain ? 1 : 0);
    memset(s, 0, sizeof *s);
    s->score.name = text_of("generated");
    s->score.target = (sonata_target){.runtime = text_of("host_build_graph"),
                                      .function_name = text_of("build"),
                                      .thread_num = {SONATA_INT, text_of("4")},
                                      .comments = &comment,
                                      .comment_count = 1};
    s->score.metadata = text_of("{\"note\":\"generated\"}");
    s->score.tasks = s->tasks;
    s->score.task_count = 1 + laws_random(&state, LAWS_TASKS);
    set_ids(s, &state);
    for (size_t t = 0; t < s->score.task_count; t++)
        generate_task(s, t, &state, is_plain, written);
    s->dims[0] = (sonata_value){SONATA_INT, text_of("4")};
    s->dims[1] = (sonata_value){SONATA_INT, text_of("8")};
    s->shape = (sonata_shape){text_of("x"), s->dims, 2};
    s->score.shapes = &s->shape;
    s->score.shape_count = 1;
}

/* --- The oracle --- */

static void add_json(sonata_bundle *bundle, const char *role, char *json,
                     size_t length)
{
    assert_int_equal(
        sonata_bundle_add_document(bundle, role, json, length, NULL),
        SONATA_OK);
    free(json);
}

static char *bundle_text(const sonata_score *score,
                         const sonata_memory_plan *plan, size_t *length)
{
    sonata_bundle bundle = {0};
    char *json = NULL;
    assert_int_equal(sonata_score_json(&json, length, score, false, NULL),
                     SONATA_OK);
    add_json(&bundle, "score", json, *length);
    assert_int_equal(sonata_memory_plan_json(&json, length, plan, false, NULL),
                     SONATA_OK);
    add_json(&bundle, "memory", json, *length);
    assert_int_equal(sonata_bundle_json(&json, length, &bundle, false, NULL),
                     SONATA_OK);
    sonata_bundle_free(&bundle);
    return json;
}

void laws_judge(oracle_judgement *judgement, const sonata_score *score,
                const sonata_memory_plan *plan)
{
    char *json = NULL;
    size_t length = 0;
    if (plan != NULL)
        json = bundle_text(score, plan, &length);
    else
        assert_int_equal(sonata_score_json(&json, &length, score, false, NULL),
                         SONATA_OK);
    oracle_judge_options options = {0};
    assert_int_equal(oracle_judge_text(judgement, json, length, &options),
                     ORACLE_OK);
    if (judgement->verdict == ORACLE_REFUSED)
        print_message("refused: %s\n", judgement->findings[0].message);
    assert_int_not_equal(judgement->verdict, ORACLE_REFUSED);
    free(json);
}

uint32_t laws_errors(const oracle_judgement *judgement, const char *rule)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < judgement->count; i++)
        count += judgement->findings[i].severity == ORACLE_ERROR &&
                 strncmp(judgement->findings[i].rule, rule, strlen(rule)) == 0;
    return count;
}

/* --- The definition, pair by pair (spec 06) --- */

/* What a task does to a key. */
typedef struct touch {
    bool reads, writes;
} touch;

typedef struct model {
    size_t tasks;
    touch touches[LAWS_TASKS][LAWS_KEYS];
    bool before[LAWS_TASKS][LAWS_TASKS]; /* a path leads from one to other */
    bool shares[LAWS_KEYS][LAWS_KEYS];   /* their bytes meet */
    bool is_used[LAWS_KEYS];
    bool trusts_tasks; /* what one task does is in an order that is right */
} model;

static size_t key_number(const sonata_value *key)
{
    for (size_t k = 0; k < LAWS_KEYS; k++)
        if (strlen(key_names[k]) == key->text.length &&
            memcmp(key_names[k], key->text.text, key->text.length) == 0)
            return k;
    fail_msg("%s is no key", key->text.text);
    return 0;
}

static size_t task_number(const sonata_score *score, int64_t id)
{
    for (size_t t = 0; t < score->task_count; t++)
        if (score->tasks[t].id == id)
            return t;
    fail_msg("no task %lld", (long long)id);
    return 0;
}

static void model_order(model *m, const sonata_score *score)
{
    for (size_t i = 0; i < score->dependency_count; i++) {
        const sonata_dependency *d = &score->dependencies[i];
        m->before[task_number(score, d->producer)]
                 [task_number(score, d->consumer)] = true;
    }
    for (size_t k = 0; k < m->tasks; k++)
        for (size_t i = 0; i < m->tasks; i++)
            for (size_t j = 0; j < m->tasks; j++)
                if (m->before[i][k] && m->before[k][j])
                    m->before[i][j] = true;
}

static void model_make(model *m, const sonata_score *score,
                       const sonata_memory_plan *plan)
{
    memset(m, 0, sizeof *m);
    m->tasks = score->task_count;
    for (size_t t = 0; t < m->tasks; t++) {
        const sonata_task *task = &score->tasks[t];
        for (size_t i = 0; i < task->arg_count; i++) {
            size_t k = key_number(&task->keys[i]);
            const char *word = task->directions[i].text;
            m->is_used[k] = true;
            m->touches[t][k].writes |= is_write(word);
            m->touches[t][k].reads |= strcasestr(word, "in") == word;
        }
    }
    model_order(m, score);
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t j = 0; j < plan->count; j++) {
            const sonata_allocation *a = &plan->items[i], *b = &plan->items[j];
            m->shares[key_number(&a->key)][key_number(&b->key)] =
                i != j && a->offset < b->offset + b->size &&
                b->offset < a->offset + a->size;
        }
    }
}

#define START SIZE_MAX        /* the caller, before the first task */
#define FINISH (SIZE_MAX - 1) /* ... behind the last */

static bool is_before(const model *m, size_t a, size_t b)
{
    if (a == START || b == FINISH)
        return true;
    if (a == FINISH || b == START)
        return false;
    return m->before[a][b];
}

/* Whether another buffer's write can come between a write and a read of it. */
static bool is_disturbed(const model *m, size_t key, size_t write, size_t read)
{
    for (size_t k = 0; k < LAWS_KEYS; k++) {
        if (!m->shares[key][k])
            continue;
        for (size_t t = 0; t < m->tasks; t++)
            if (m->touches[t][k].writes && !is_before(m, t, write) &&
                !is_before(m, read, t) &&
                (!m->trusts_tasks || (t != write && t != read)))
                return true;
    }
    return false;
}

static bool key_is_disturbed(const model *m, size_t key)
{
    bool external = key >= 6;
    size_t writer = external ? START : FINISH; /* FINISH: none so far */
    for (size_t t = 0; t < m->tasks; t++) {
        if (m->touches[t][key].reads && writer != FINISH &&
            is_disturbed(m, key, writer, t))
            return true;
        if (m->touches[t][key].writes)
            writer = t;
    }
    return external && m->is_used[key] && writer != START &&
           is_disturbed(m, key, writer, FINISH);
}

/* The rules: every read gets its value, and parameters share with nothing. */
static bool is_broken(const model *m)
{
    for (size_t k = 0; k < LAWS_KEYS; k++) {
        for (size_t other = 0; k >= 6 && other < LAWS_KEYS; other++)
            if (m->shares[k][other])
                return true;
        if (key_is_disturbed(m, k))
            return true;
    }
    return false;
}

/* --- Memory plans --- */

static size_t generate_sizes(sonata_buffer_size *sizes, uint64_t *state)
{
    for (size_t k = 0; k < LAWS_KEYS; k++)
        sizes[k] = (sonata_buffer_size){string_value(key_names[k]),
                                        16 * (1 + laws_random(state, 6))};
    return LAWS_KEYS;
}

static void tell(uint64_t seed, const char *what, const sonata_score *score,
                 const sonata_memory_plan *plan, const oracle_judgement *j)
{
    size_t length = 0;
    char *json = bundle_text(score, plan, &length);
    print_message("seed %llu: %s\n%s\n", (unsigned long long)seed, what, json);
    for (uint32_t i = 0; i < j->count; i++)
        print_message("%s: %s\n", j->findings[i].rule, j->findings[i].message);
    free(json);
}

static void check_dag(uint64_t seed, const sonata_score *score,
                      const sonata_buffer_size *sizes, size_t count)
{
    sonata_memory_plan plan;
    sonata_dag_report report;
    oracle_judgement judgement = {0};
    model m;
    assert_int_equal(sonata_plan_greedy_dag(&plan, &report, score, sizes, count,
                                            SONATA_SHARE_ALLOC, NULL),
                     SONATA_OK);
    assert_true(plan.peak <= report.sum_of_sizes);
    laws_judge(&judgement, score, &plan);
    model_make(&m, score, &plan);
    if (laws_errors(&judgement, "memory.") > 0 || is_broken(&m))
        tell(seed, "greedy_dag is not safe", score, &plan, &judgement);
    assert_int_equal(laws_errors(&judgement, "memory."), 0);
    assert_false(is_broken(&m));
    oracle_judgement_free(&judgement);
    sonata_memory_plan_free(&plan);
}

/* Each error of the plan has a witness that proves it. */
static void check_witnesses(const sonata_score *score,
                            const sonata_memory_plan *plan,
                            const oracle_judgement *judgement)
{
    size_t length = 0;
    char *json = bundle_text(score, plan, &length);
    oracle_document document = {0};
    oracle_error error = {0};
    char reason[256] = "";
    assert_int_equal(
        oracle_document_read(&document, json, length, NULL, &error), ORACLE_OK);
    for (uint32_t i = 0; i < judgement->count; i++) {
        const oracle_finding *f = &judgement->findings[i];
        if (f->severity != ORACLE_ERROR || strncmp(f->rule, "memory.", 7) != 0)
            continue;
        if (!oracle_witness_check(&document, f->json, reason, sizeof reason))
            print_message("%s: %s\n", reason, f->json);
        assert_string_equal(reason, "");
    }
    oracle_document_free(&document);
    free(json);
}

/* How many there were of each. */
typedef struct tally {
    uint32_t broken, sound, open;
} tally;

static void check_v0(tally *t, uint64_t seed, const sonata_score *score,
                     const sonata_buffer_size *sizes, size_t count)
{
    sonata_liveness liveness;
    sonata_memory_plan plan;
    oracle_judgement judgement = {0};
    model m;
    assert_int_equal(sonata_find_lifetimes(&liveness, score, NULL), SONATA_OK);
    assert_int_equal(sonata_plan_greedy_v0(&plan, &liveness, sizes, count,
                                           SONATA_OVERLAP_INCLUSIVE, NULL),
                     SONATA_OK);
    laws_judge(&judgement, score, &plan);
    model_make(&m, score, &plan);
    bool broken = is_broken(&m);
    m.trusts_tasks = true;
    /* Two buffers of one task on the same bytes, which happens when ids are
     * out of order: whether that is right is inside the task. */
    bool is_open = broken != is_broken(&m);
    if (is_open)
        broken = laws_errors(&judgement, "memory.") > 0;
    if (broken != (laws_errors(&judgement, "memory.") > 0))
        tell(seed, broken ? "is broken" : "is not broken", score, &plan,
             &judgement);
    assert_int_equal(broken, laws_errors(&judgement, "memory.") > 0);
    check_witnesses(score, &plan, &judgement);
    t->broken += broken && !is_open;
    t->sound += !broken && !is_open;
    t->open += is_open;
    oracle_judgement_free(&judgement);
    sonata_memory_plan_free(&plan);
    sonata_liveness_free(&liveness);
}

void laws_check_memory(uint64_t first_seed, uint32_t count)
{
    static const char *const policies[] = {"dataflow_v0", "sequential_v0",
                                           "mixed"};
    tally t = {0, 0, 0};
    for (uint64_t seed = first_seed; seed < first_seed + count; seed++) {
        laws_score s;
        sonata_buffer_size sizes[LAWS_KEYS];
        uint64_t state = seed + 77;
        size_t size_count = generate_sizes(sizes, &state);
        laws_generate(&s, seed, true);
        /* mostly the one whose plans are wide */
        const char *policy = policies[laws_random(&state, 6) / 2 % 3];
        assert_int_equal(sonata_score_plan(&s.score, policy, NULL), SONATA_OK);
        check_dag(seed, &s.score, sizes, size_count);
        check_v0(&t, seed, &s.score, sizes, size_count);
        sonata_score_free(&s.score);
    }
    print_message("greedy_v0: %u plans broken, %u sound, %u rest on the order "
                  "inside a task\n",
                  t.broken, t.sound, t.open);
    assert_true(t.broken > 0 && t.sound > 0 && t.open < count / 20);
}
