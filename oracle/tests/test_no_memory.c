/*
 * Allocation failure at every point of every public function, on the examples
 * of the rules: the answer is ORACLE_NO_MEMORY, or the one that is given with
 * memory, never another; and nothing leaks (which the leak check of the
 * sanitizers sees).
 */
#include "../../scripts/testing/harness.h"

#include "../../scripts/testing/no_memory.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/answer.h"
#include "oracle/judge.h"

#include "answers.h"
#include "judged.h"
#include "wide.h"

#define LARGEST ((size_t)65536)

typedef struct example {
    char path[1024];
    growing text;
} example;

/* Its files are sorted, so `absent` stands before the `found` of its rule. */
typedef struct examples {
    example *list;
    size_t count;
} examples;

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const example *)a)->path, ((const example *)b)->path);
}

static void read_file(growing *text, const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *text = (growing){.data = malloc(LARGEST), .room = LARGEST};
    assert_non_null(text->data);
    text->length = fread(text->data, 1, LARGEST, file);
    assert_true(text->length < LARGEST);
    text->data[text->length] = '\0';
    fclose(file);
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static void add_folder(examples *all, const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return;
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (!ends_with(e->d_name, ".json") && !ends_with(e->d_name, ".csv")) {
            continue;
        }
        all->list = realloc(all->list, (all->count + 1) * sizeof *all->list);
        assert_non_null(all->list);
        example *made = &all->list[all->count++];
        snprintf(made->path, sizeof made->path, "%s/%s", folder, e->d_name);
        read_file(&made->text, made->path);
    }
    closedir(dir);
}

static examples read_examples(void)
{
    examples all = {0};
    char folder[512];
    DIR *rules = opendir("corpus/rules");
    assert_non_null(rules);
    for (struct dirent *e; (e = readdir(rules)) != NULL;) {
        snprintf(folder, sizeof folder, "corpus/rules/%s", e->d_name);
        if (e->d_name[0] != '.') {
            add_folder(&all, folder);
        }
    }
    closedir(rules);
    add_folder(&all, "corpus/regressions");
    assert_true(all.count > 100);
    qsort(all.list, all.count, sizeof *all.list, compare_paths);
    return all;
}

static void free_examples(examples *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->list[i].text.data);
    }
    free(all->list);
}

/*
 * A piece of work calls one function, then allow_all_allocations(), then tells
 * what it was answered.
 */
typedef oracle_status (*work)(growing *told, const void *context);

/*
 * Where each piece of an arena is an allocation of its own (ALONE in the
 * Makefile) there are ten times as many: then some of them must do.
 */
#ifdef ORACLE_ARENA_ALONE
#define MOST_POINTS 100
#else
#define MOST_POINTS 100000
#endif

/* Returns how many allocations the work takes, from which on all fail, or one
 * fails alone. */
static long run_short(work run, const void *context, const char *of, bool once)
{
    growing full = {0};
    growing_put(&full, "%s", "");
    allow_allocations(LONG_MAX);
    oracle_status wanted = run(&full, context);
    long step = 1 + allocations_made / MOST_POINTS;
    assert_int_not_equal(wanted, ORACLE_NO_MEMORY);
    for (long most = 0;; most += step) {
        growing told = {0};
        growing_put(&told, "%s", "");
        (once ? fail_allocation : allow_allocations)(most);
        oracle_status status = run(&told, context);
        allow_all_allocations();
        bool same = status == wanted && strcmp(told.data, full.data) == 0;
        if (!same && !(has_failed && status == ORACLE_NO_MEMORY)) {
            fail_msg("%s with %ld allocations: status %d, %s", of, most,
                     (int)status, told.data);
        }
        free(told.data);
        if (!has_failed) {
            free(full.data);
            return most;
        }
    }
}

static void run_short_of_memory(work run, const void *context, const char *of)
{
    run_short(run, context, of, false);
    run_short(run, context, of, true);
}

/* One work on each of the examples. */
static void run_on_examples(work run)
{
    examples all = read_examples();
    for (size_t i = 0; i < all.count; i++) {
        run_short_of_memory(run, &all.list[i], all.list[i].path);
    }
    free_examples(&all);
}

static void tell_judgement(growing *told, const oracle_judgement *j)
{
    growing_put(told, "%d %u %llu %s %s\n", (int)j->verdict, j->count,
                (unsigned long long)j->total, j->fingerprint, j->meaning);
    for (uint32_t i = 0; i < j->count; i++) {
        growing_put(told, "%s\n", j->findings[i].json);
    }
    for (uint32_t i = 0; i < j->assumption_count; i++) {
        growing_put(told, "%s\n", j->assumptions[i]);
    }
    for (uint32_t i = 0; i < j->undecided_count; i++) {
        growing_put(told, "%s\n", j->undecided[i]);
    }
}

static oracle_status finish(growing *told, oracle_judgement *j,
                            oracle_status status)
{
    allow_all_allocations();
    if (status == ORACLE_OK) {
        assert_null(j->fault);
        tell_judgement(told, j);
        oracle_judgement_free(j);
    }
    return status;
}

static bool is_csv(const example *e)
{
    return ends_with(e->path, ".csv");
}

static oracle_status judge(growing *told, const void *context)
{
    const example *e = context;
    oracle_judge_options how = {.csv = is_csv(e), .capacity = 4096};
    oracle_judgement j;
    return finish(told, &j,
                  oracle_judge_text(&j, e->text.data, e->text.length, &how));
}

static void judging(void **state)
{
    (void)state;
    run_on_examples(judge);
}

/* Both methods, other rules, few findings, signatures of a made input. */
static oracle_status judge_otherwise(growing *told, const void *context)
{
    const example *e = context;
    oracle_judge_options how = {.generated = "planner",
                                .rules = "conservative",
                                .lenient = true,
                                .csv = is_csv(e),
                                .limit = 2,
                                .each = 1,
                                .method = ORACLE_METHOD_BOTH};
    oracle_judgement j;
    return finish(told, &j,
                  oracle_judge_text(&j, e->text.data, e->text.length, &how));
}

static void judging_otherwise(void **state)
{
    (void)state;
    run_on_examples(judge_otherwise);
}

static oracle_status fail_with(growing *told, oracle_status status,
                               const oracle_error *error)
{
    allow_all_allocations();
    assert_int_equal(error->status, status);
    assert_string_not_equal(error->message, "");
    growing_put(told, "%s %s", error->rule, error->message);
    return status;
}

/* One execution of a document, with each of its choices true. */
static oracle_status restrict_to(growing *told, const oracle_document *in)
{
    bool values[64];
    oracle_document out;
    oracle_error error = {0};
    char *text = NULL;
    size_t length = 0;
    if (in->choice_count > sizeof values) {
        return ORACLE_OK;
    }
    memset(values, true, sizeof values);
    oracle_status status = oracle_document_restrict(&out, in, values, &error);
    if (status != ORACLE_OK) {
        return fail_with(told, status, &error);
    }
    status = oracle_document_write(&text, &length, &out, &error);
    oracle_document_free(&out);
    if (status != ORACLE_OK) {
        return fail_with(told, status, &error);
    }
    long left = allocations_left;
    allow_all_allocations();
    growing_put(told, "%s", text);
    allocations_left = left;
    free(text);
    return ORACLE_OK;
}

static oracle_status use_document(growing *told, const void *context)
{
    const example *e = context;
    oracle_document document;
    oracle_error error = {0};
    char *text = NULL;
    size_t length = 0;
    oracle_status status = oracle_document_read(&document, e->text.data,
                                                e->text.length, NULL, &error);
    if (status != ORACLE_OK) {
        return fail_with(told, status, &error);
    }
    status = oracle_document_derive(&document, &error);
    if (status == ORACLE_OK) {
        status = oracle_document_write(&text, &length, &document, &error);
    }
    if (status == ORACLE_OK) {
        status = restrict_to(told, &document);
    } else {
        fail_with(told, status, &error);
    }
    allow_all_allocations();
    oracle_document_free(&document);
    if (text != NULL) {
        growing_put(told, "%s", text);
        free(text);
    }
    return status;
}

static void documents(void **state)
{
    (void)state;
    run_on_examples(use_document);
}

/*
 * A certificate of what has one, and whether it holds. What the reason was
 * before says nothing.
 */
static oracle_status certify(growing *told, const void *context)
{
    const example *e = context;
    char *certificate = NULL;
    char reason[256] = "none is known";
    bool holds = false;
    oracle_status status =
        oracle_certify(&certificate, e->text.data, e->text.length, NULL, reason,
                       sizeof reason);
    if (status == ORACLE_OK && certificate != NULL) {
        status = oracle_certificate_check(&holds, e->text.data, e->text.length,
                                          certificate, strlen(certificate),
                                          NULL, reason, sizeof reason);
    }
    allow_all_allocations();
    if (status == ORACLE_OK) {
        growing_put(told, "%s %d %s", certificate == NULL ? "" : certificate,
                    holds, certificate == NULL ? reason : "");
    }
    free(certificate);
    return status;
}

static void certificates(void **state)
{
    (void)state;
    run_on_examples(certify);
}

/* Graphs with more tasks at one buffer than a list of the recent ones has. */
static void many_tasks(void **state)
{
    (void)state;
    static const wide_kind kinds[] = {WIDE_CHAIN, WIDE_LAYERS, WIDE_READ_SLICES,
                                      WIDE_SLICES_READ, WIDE_READ_WRITE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        wide w = {.kind = kinds[i], .tasks = 35};
        example e = {.path = "many tasks"};
        e.text.data = wide_text(&w, &e.text.length);
        assert_non_null(e.text.data);
        run_short_of_memory(judge_otherwise, &e, e.path);
        run_short_of_memory(use_document, &e, e.path);
        run_short_of_memory(certify, &e, e.path);
        free(e.text.data);
    }
}

/* Ids that stand in the table as another text than they are. */
static void quoted_ids(void **state)
{
    (void)state;
    example e = {.path = "quoted ids.csv"};
    growing_put(&e.text, "id,lower,upper,size,alignment,offset\n"
                         "\"a\"\"b\",0,3,4,4,0\n\"\"\"\",2,5,4,4,0\n");
    run_short_of_memory(judge, &e, e.path);
    free(e.text.data);
}

static oracle_status write_canonical(growing *told, const void *context)
{
    const example *e = context;
    for (int form = ORACLE_CANONICAL_JSON; form <= ORACLE_CANONICAL_HANDLE;
         form++) {
        oracle_error error = {0};
        char *text = NULL;
        size_t length = 0;
        oracle_status status = oracle_canonical_text(
            &text, &length, e->text.data, e->text.length,
            (oracle_canonical)form, form == ORACLE_CANONICAL_SCORE, &error);
        if (status == ORACLE_NO_MEMORY) {
            return fail_with(told, status, &error);
        }
        long left = allocations_left;
        allow_all_allocations();
        growing_put(told, "%s\n", status == ORACLE_OK ? text : error.message);
        allocations_left = left;
        free(text);
    }
    return ORACLE_OK;
}

static void canonical_forms(void **state)
{
    (void)state;
    example keys = {.path = "keys that are spelled otherwise"};
    growing_put(&keys.text, "%s", "{\"\\u0062\":[],\"a\\\"\":{\"\\n\":1}}");
    run_short_of_memory(write_canonical, &keys, keys.path);
    free(keys.text.data);
    run_on_examples(write_canonical);
}

static oracle_status look_at_score(growing *told, const void *context)
{
    const example *e = context;
    oracle_error error = {0};
    char digest[65];
    char **reasons = NULL;
    uint32_t count = 0;
    oracle_status status = oracle_fingerprint_text(
        digest, e->text.data, e->text.length, false, &error);
    if (status != ORACLE_OK) {
        return fail_with(told, status, &error);
    }
    status = oracle_validate_text(&reasons, &count, e->text.data,
                                  e->text.length, &error);
    if (status != ORACLE_OK) {
        return fail_with(told, status, &error);
    }
    allow_all_allocations();
    growing_put(told, "%s\n", digest);
    for (uint32_t i = 0; i < count; i++) {
        growing_put(told, "%s\n", reasons[i]);
    }
    free(reasons);
    return ORACLE_OK;
}

static void scores(void **state)
{
    (void)state;
    run_on_examples(look_at_score);
}

typedef struct two {
    oracle_bytes first, second;
} two;

static oracle_status compare(growing *told, const void *context)
{
    const two *t = context;
    oracle_judge_options how = {.case_digest = ""};
    oracle_judgement j;
    return finish(told, &j,
                  oracle_compare_text(&j, t->first, t->second, true, &how));
}

static oracle_status tell_difference(growing *told, const void *context)
{
    const two *t = context;
    char *sentence = NULL;
    oracle_status status =
        oracle_meaning_difference(&sentence, t->first, t->second);
    allow_all_allocations();
    growing_put(told, "%s", sentence == NULL ? "" : sentence);
    free(sentence);
    return status;
}

static oracle_bytes bytes_of(const growing *text)
{
    return (oracle_bytes){text->data, text->length};
}

/* Neighbours are a rule's examples, which differ in little. */
static void comparisons(void **state)
{
    (void)state;
    examples all = read_examples();
    for (size_t i = 0; i + 1 < all.count; i++) {
        two pair = {bytes_of(&all.list[i].text),
                    bytes_of(&all.list[i + 1].text)};
        run_short_of_memory(compare, &pair, all.list[i].path);
        run_short_of_memory(tell_difference, &pair, all.list[i].path);
    }
    free_examples(&all);
}

/* Short of memory a witness is checked as with it, or not at all. */
static void check_witness(const example *e, const oracle_document *document,
                          const char *finding)
{
    char wanted[160] = "", reason[160];
    bool good = false;
    for (long most = -1; most < 0 || has_failed; most++) {
        allow_allocations(most);
        reason[0] = '\0';
        bool now =
            is_csv(e)
                ? oracle_csv_witness_check(e->text.data, e->text.length, 4096,
                                           finding, reason, sizeof reason)
                : oracle_witness_check(document, finding, reason,
                                       sizeof reason);
        allow_all_allocations();
        if (most < 0) {
            good = now;
            memcpy(wanted, reason, sizeof wanted);
        } else if (now || !has_failed ||
                   strcmp(reason, ORACLE_UNCHECKED) != 0) {
            assert_int_equal(now, good);
            assert_string_equal(reason, wanted);
        }
    }
}

static void witnesses(void **state)
{
    (void)state;
    examples all = read_examples();
    for (size_t i = 0; i < all.count; i++) {
        const example *e = &all.list[i];
        oracle_judge_options how = {.csv = is_csv(e), .capacity = 4096};
        oracle_document document;
        oracle_judgement j;
        oracle_error error;
        if (!how.csv &&
            oracle_document_read(&document, e->text.data, e->text.length, NULL,
                                 &error) != ORACLE_OK) {
            continue;
        }
        assert_int_equal(
            oracle_judge_text(&j, e->text.data, e->text.length, &how),
            ORACLE_OK);
        if (!how.csv) {
            assert_int_equal(oracle_document_derive(&document, &error),
                             ORACLE_OK);
        }
        for (uint32_t k = 0; k < j.count && k < 8; k++) {
            growing other = {0};
            const char *json = j.findings[k].json;
            const char *at = strstr(json, "\"witness\":{");
            check_witness(e, &document, json);
            /* Half of a witness is none, whatever else is there. */
            if (at != NULL) {
                growing_put(&other, "%.*s{}}", (int)(at - json + 10), json);
            }
            check_witness(e, &document, at == NULL ? "{}" : other.data);
            free(other.data);
        }
        oracle_judgement_free(&j);
        if (!how.csv) {
            oracle_document_free(&document);
        }
    }
    free_examples(&all);
}

typedef struct asked {
    oracle_question question;
    oracle_bytes answer;
    bool alone; /* the bundle, without comparing */
} asked;

static oracle_status answer(growing *told, const void *context)
{
    const asked *a = context;
    oracle_judgement j;
    return finish(told, &j,
                  a->alone
                      ? oracle_answer_bundle(&j, &a->question, a->answer, NULL)
                      : oracle_answer_judge(&j, &a->question, a->answer, NULL));
}

/* The right answer to the question of answers.h, with a member changed. */
static void put_answer(growing *out, const char *role, const char *from,
                       const char *to)
{
    static const struct {
        const char *role, *text;
    } parts[] = {
        {"graph", graph},       {"score", score},         {"handle", handle},
        {"hbg", hbg},           {"memory", memory},       {"alias", alias},
        {"liveness", liveness}, {"conflicts", conflicts},
    };
    growing_put(out, "{'bundle':{'kind':'bundle','members':[");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *text = parts[i].text;
        growing_put(out, "%s{'role':'%s','document':", i == 0 ? "" : ",",
                    parts[i].role);
        if (strcmp(parts[i].role, role) == 0) {
            const char *at = strstr(text, from);
            assert_non_null(at);
            growing_put(out, "%.*s%s", (int)(at - text), text, to);
            text = at + strlen(from);
        }
        growing_put(out, "%s}", text);
    }
    growing_put(out, "],'version':1},'encodings':%s,'id':7}", encodings);
}

static oracle_bytes quoted(growing *text)
{
    for (size_t i = 0; i < text->length; i++) {
        text->data[i] = text->data[i] == '\'' ? '"' : text->data[i];
    }
    return bytes_of(text);
}

static void ask(const char *kind, const char *input, const char *expected,
                growing *line)
{
    growing texts[3] = {0};
    growing_put(&texts[0], "%s", input);
    growing_put(&texts[1], "%s", options);
    growing_put(&texts[2], "%s", expected);
    asked a = {{kind, quoted(&texts[0]), quoted(&texts[1]), quoted(&texts[2])},
               quoted(line),
               false};
    for (int i = 0; i < 2; i++) {
        a.alone = i == 1;
        run_short_of_memory(answer, &a, line->data);
    }
    for (int i = 0; i < 3; i++) {
        free(texts[i].data);
    }
    free(line->data);
}

static void answers(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        {"", "", ""},
        {"graph", "'kind':'data'", "'kind':'war'"},
        {"graph", "'inout'", "'input'"},
        {"graph", "'core':'aic'", "'core':'aiv'"},
        {"score", "'name':'mul'", "'name':'add'"},
        {"score", "'producer':2", "'producer':3"},
        {"handle", "'arg_index':1", "'arg_index':2"},
        {"hbg", "'producer':2", "'producer':1"},
        {"memory", "'offset':64", "'offset':32"},
        {"alias", "'disjoint'", "'may_alias'"},
        {"liveness", "'death':3", "'death':2"},
        {"conflicts", "'later':'alloc:b'", "'later':'param:z'"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        growing line = {0};
        put_answer(&line, changes[i][0], changes[i][1], changes[i][2]);
        ask("score", question, "", &line);
    }
    growing line = {0};
    put_answer(&line, "", "", "");
    ask("ir", "{'kind':'Function'}", score, &line);
    line = (growing){0};
    put_answer(&line, "score", "'metadata'", "'later'");
    ask("dump", "# pypto.program: p", "", &line);
}

/* What is refused: rightly, with another code, and elsewhere. */
static void refusals(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{'error':{'code':'doc.syntax','message':'m','line':1,'column':2}}",
        "{'error':{'code':'doc.schema','message':'m','path':'tasks'}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        growing line = {0};
        growing_put(&line, "%s", lines[i]);
        ask("score", "{,}", "", &line);
        line = (growing){0};
        growing_put(&line, "%s", lines[i]);
        ask("score", question, "", &line);
        line = (growing){0};
        growing_put(&line, "%s", lines[i]);
        ask("ir", "{'kind':'Function'}",
            "{'error':{'code':'doc.schema','path':'body'}}", &line);
    }
}

static oracle_status make_finding(growing *told, const void *context)
{
    const oracle_judge_options *given = context;
    oracle_judgement j = {0};
    oracle_status status = oracle_finding_make(
        &j, "planner.crash", "inner < outer", "about", "It crashed.", given);
    if (status == ORACLE_OK) {
        status = oracle_finding_make(&j, "diff.roundtrip", NULL, NULL,
                                     "It reads back as another.", given);
    }
    if (status != ORACLE_OK) {
        oracle_judgement_free(&j);
    }
    return finish(told, &j, status);
}

static void findings_of_others(void **state)
{
    (void)state;
    oracle_judge_options made = {.generated = "p"}, program = {0};
    run_short_of_memory(make_finding, &made, "made");
    run_short_of_memory(make_finding, &program, "program");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(judging),
    cmocka_unit_test(judging_otherwise),
    cmocka_unit_test(documents),
    cmocka_unit_test(certificates),
    cmocka_unit_test(many_tasks),
    cmocka_unit_test(quoted_ids),
    cmocka_unit_test(canonical_forms),
    cmocka_unit_test(scores),
    cmocka_unit_test(comparisons),
    cmocka_unit_test(witnesses),
    cmocka_unit_test(answers),
    cmocka_unit_test(refusals),
    cmocka_unit_test(findings_of_others),
};

TEST_MAIN(tests)
