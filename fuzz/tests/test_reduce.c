/* The reducer, with questions that are answered here. */
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "fuzz/reduce.h"
#include "fuzz/text.h"
#include "sonata/dump.h"
#include "sonata/score.h"

#define MOST_WORDS 8

/* A text has to keep these words, and what `also` wants. */
typedef struct keep {
    const char *words[MOST_WORDS];
    bool (*also)(const char *text, size_t length);
    bool document;           /* it has to be one */
    uint64_t asked, fail_at; /* 0: never */
} keep;

static bool has(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

static bool is_document(const char *text, size_t length)
{
    return fuzz_form_of(text, length) == FUZZ_FORM_JSON;
}

static void ask(void *context, const fuzz_piece *texts, size_t count,
                fuzz_answer *answers)
{
    keep *k = context;
    for (size_t i = 0; i < count; i++) {
        const fuzz_piece *t = &texts[i];
        bool yes = !k->document || is_document(t->data, t->length);
        assert_int_equal(t->data[t->length], '\0');
        for (size_t w = 0; w < MOST_WORDS && k->words[w] != NULL; w++)
            yes = yes && has(t->data, t->length, k->words[w]);
        if (yes && k->also != NULL)
            yes = k->also(t->data, t->length);
        answers[i] = yes ? FUZZ_YES : FUZZ_NO;
        if (++k->asked == k->fail_at)
            answers[i] = FUZZ_FAILED;
    }
}

static bool score_digest(char hex[65], const char *text, size_t length)
{
    sonata_score score = {0};
    sonata_error error = {0};
    bool ok =
        sonata_score_read(&score, text, length, NULL, &error) == SONATA_OK &&
        sonata_score_fingerprint(hex, &score, false, &error) == SONATA_OK;
    sonata_score_free(&score);
    return ok;
}

static fuzz_question question_of(keep *k)
{
    return (fuzz_question){
        .ask = ask, .context = k, .fingerprint = score_digest};
}

static void check_minimal(const fuzz_reduction *r, const fuzz_question *q)
{
    fuzz_reduction checked;
    assert_int_equal(fuzz_reduce_check(&checked, r->text, r->length, q),
                     FUZZ_REDUCED);
    if (!checked.minimal)
        fail_msg("not minimal:\n%s\n->\n%s", r->text, checked.text);
    assert_null(checked.text);
}

/* The same text with any number of questions at once, in as many of them. */
static void check_widths(const fuzz_reduction *r, const char *text,
                         size_t length, fuzz_question q)
{
    static const size_t widths[] = {2, 7, 300};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        fuzz_reduction again;
        q.width = widths[i];
        assert_int_equal(fuzz_reduce(&again, text, length, &q), FUZZ_REDUCED);
        assert_string_equal(again.text, r->text);
        assert_true(again.calls == r->calls && again.steps == r->steps);
        free(again.text);
    }
}

/* Reduces; the result is 1-minimal, and always the same. */
static fuzz_reduction reduce_n(keep *k, const char *text, size_t length)
{
    fuzz_reduction r;
    fuzz_question q = question_of(k);
    k->document = is_document(text, length);
    assert_int_equal(fuzz_reduce(&r, text, length, &q), FUZZ_REDUCED);
    assert_true(r.minimal);
    check_minimal(&r, &q);
    check_widths(&r, text, length, q);
    return r;
}

static void expect(const char *text, const char *result, keep k)
{
    fuzz_reduction r = reduce_n(&k, text, strlen(text));
    assert_string_equal(r.text, result);
    free(r.text);
}

/* --- Documents --- */

static void members_and_items(void **state)
{
    (void)state;
    expect("{ \"a\" : [1, 2, {\"keep\":17}], \"b\": \"long\" }", "{\"keep\":0}",
           (keep){.words = {"\"keep\":"}});
    expect("[[1, [2, 3], {}, [[]]], [\"x\"], true]", "[[]]",
           (keep){.words = {"[[", "]]"}});
    expect("{\"a\": {\"a\": {\"b\": {\"a\":\"\\\"keep\"}}}}",
           "{\"a\":\"\\\"keep\"}", (keep){.words = {"{\"a\":\"", "keep\"}"}});
}

/* What is in front of the number, and the number itself, from 0 to 9^18. */
static bool at_least_37(const char *text, size_t length)
{
    long long number = -1;
    char end;
    return length < 64 &&
           sscanf(text, "{\"number\":%lld%c", &number, &end) == 2 &&
           number >= 37;
}

static bool below_minus_5(const char *text, size_t length)
{
    long long number = 0;
    char end;
    return length < 64 && sscanf(text, "[%lld%c", &number, &end) == 2 &&
           number < -5;
}

static bool twice_at_least_3(const char *text, size_t length)
{
    long long a = 0, b = 0;
    char end;
    return length < 64 &&
           sscanf(text, "{\"a\":\"%lld\",\"b\":\"%lld\"%c", &a, &b, &end) ==
               3 &&
           a == b && a >= 3;
}

static void numbers(void **state)
{
    (void)state;
    keep k = {.also = at_least_37};
    expect("{\"number\":1000, \"a\": 1}", "{\"number\":37}", k);
    fuzz_reduction r = reduce_n(&k, "{\"number\":4000000000000000000}", 30);
    assert_string_equal(r.text, "{\"number\":37}");
    assert_true(r.calls < 200);
    free(r.text);
    expect("[-1000]", "[-6]", (keep){.also = below_minus_5});
    expect("{\"a\":\"4096\",\"b\":\"4096\"}", "{\"a\":\"3\",\"b\":\"3\"}",
           (keep){.also = twice_at_least_3});
}

static bool same_twice(const char *text, size_t length)
{
    char first[32], second[32];
    return length < 64 &&
           sscanf(text, "[\"%31[^\"]\",\"%31[^\"]\"]", first, second) == 2 &&
           strcmp(first, second) == 0 && strncmp(first, "alloc:", 6) == 0;
}

static void names(void **state)
{
    (void)state;
    expect("[\"alloc:buffer_7\",\"alloc:buffer_7\"]",
           "[\"alloc:a\",\"alloc:a\"]", (keep){.also = same_twice});
    expect("{\"kind\":\"very long text\", \"b\":\"kind\"}", "{\"a\":\"\"}",
           (keep){.words = {"{\"", "\":\"", "\"}"}});
}

/* A Score of n tasks in a chain, as its members are named in a bundle. */
static void put_score(fuzz_text *out, int n, const char *key)
{
    fuzz_key(out, "name");
    fuzz_string(out, "made");
    fuzz_key(out, "tasks");
    fuzz_open(out, '[');
    for (int i = 0; i < n; i++) {
        char item[256];
        snprintf(item, sizeof item,
                 "{\"task_id\":%d,\"func_id\":%d,\"core_type\":\"aiv\","
                 "\"name\":\"f%d\",\"args\":[\"x\",\"%s%d\",%d],"
                 "\"arg_directions\":[\"InOut\",\"Output\",\"Scalar\"],"
                 "\"arg_storage_keys\":[\"param:x\",\"alloc:%s%d\",null]}",
                 i, i, i, key, i, i, key, i);
        fuzz_raw(out, item);
    }
    fuzz_close(out);
    fuzz_key(out, "dependencies");
    fuzz_open(out, '[');
    for (int i = 1; i < n; i++) {
        fuzz_open(out, '{');
        fuzz_key_int(out, "producer", i - 1);
        fuzz_key_int(out, "consumer", i);
        fuzz_key_string(out, "kind", "data");
        fuzz_close(out);
    }
    fuzz_close(out);
}

static void make_score(fuzz_text *out, int n)
{
    fuzz_open(out, '{');
    put_score(out, n, "b");
    fuzz_close(out);
}

static bool two_of_many(const char *text, size_t length)
{
    return has(text, length, "\"name\":\"f91\"") &&
           has(text, length, "\"name\":\"f200\"") &&
           sonata_dump_detect(text, length) == false;
}

/* Two tasks of 256, far apart: in few questions, most of them small. */
static void pair_of_tasks(void **state)
{
    (void)state;
    fuzz_text text = {0};
    keep k = {.also = two_of_many};
    make_score(&text, 256);
    assert_int_equal(fuzz_count_tasks(text.data, text.length), 256);
    fuzz_reduction r = reduce_n(&k, text.data, text.length);
    assert_string_equal(r.text, "[{\"name\":\"f91\"},{\"name\":\"f200\"}]");
    assert_true(r.calls < 300);
    free(r.text);
    fuzz_text_free(&text);
}

/* A document that a reader accepts, and the two tasks are still in it. */
static bool is_score(const char *text, size_t length)
{
    sonata_score score = {0};
    sonata_error error = {0};
    sonata_reasons reasons = {0};
    bool ok =
        sonata_score_read(&score, text, length, NULL, &error) == SONATA_OK &&
        two_of_many(text, length) && score.task_count > 1 &&
        sonata_score_validate(&reasons, &score, &error) == SONATA_OK &&
        reasons.count == 0;
    sonata_reasons_free(&reasons);
    sonata_score_free(&score);
    return ok;
}

static void what_names_a_task_goes_with_it(void **state)
{
    (void)state;
    fuzz_text text = {0};
    keep k = {.also = is_score};
    make_score(&text, 256);
    fuzz_reduction r = reduce_n(&k, text.data, text.length);
    assert_int_equal(fuzz_count_tasks(r.text, r.length), 2);
    assert_false(has(r.text, r.length, "dependencies"));
    assert_false(has(r.text, r.length, "alloc:"));
    assert_true(has(r.text, r.length, "\"task_id\":0"));
    assert_true(has(r.text, r.length, "\"task_id\":1"));
    assert_true(r.calls < 1000);
    free(r.text);
    fuzz_text_free(&text);
}

/* --- Bundles --- */

static void hex_digest(char hex[65], const char *data, size_t length)
{
    unsigned char bytes[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)data, length, bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
}

/* A bundle of a Score and its handle, with the digests that both have. */
static void make_bundle(fuzz_text *out, int n, const char *text)
{
    char hex[65], print[65], member[160];
    fuzz_text score = {0}, handle = {0};
    make_score(&score, n);
    assert_true(score_digest(print, score.data, score.length));
    snprintf(member, sizeof member, "{\"score_fingerprint\":\"%s\",", print);
    fuzz_put(&handle, member);
    fuzz_put(&handle, "\"arg_bindings\":[");
    for (int i = 0; i < 3 * n; i++) {
        snprintf(member, sizeof member,
                 "%s{\"task_id\":%d,\"arg_index\":%d,\"runtime_handle\":%d}",
                 i == 0 ? "" : ",", i / 3, i % 3, 10 * (i / 3) + i % 3);
        fuzz_put(&handle, member);
    }
    fuzz_put(&handle, "]}");
    fuzz_put(out, "{\"kind\":\"bundle\",\"version\":1,\"members\":[");
    hex_digest(hex, score.data, score.length);
    fuzz_put(out, "{\"role\":\"score\",\"sha256\":\"");
    fuzz_put(out, hex);
    fuzz_put(out, "\",\"document\":");
    fuzz_put_bytes(out, score.data, score.length);
    hex_digest(hex, handle.data, handle.length);
    fuzz_put(out, "},{\"document\":");
    fuzz_put_bytes(out, handle.data, handle.length);
    fuzz_put(out, ",\"role\":\"handle\",\"sha256\":\"");
    fuzz_put(out, hex);
    /* The text with an escape, of which the digest is without. */
    hex_digest(hex, "tab\tbell\xc2\xb5", 10);
    fuzz_put(out, "\"},{\"role\":\"source\",\"sha256\":\"");
    fuzz_put(out, hex);
    fuzz_put(out, "\",\"text\":\"");
    fuzz_put(out, text);
    fuzz_put(out, "\"}]}");
    fuzz_text_free(&score);
    fuzz_text_free(&handle);
}

/* The span behind a name, of an object. */
static bool find_object(fuzz_piece *span, const char *text, const char *name)
{
    const char *at = strstr(text, name);
    int depth = 0;
    if (at == NULL)
        return false;
    span->data = at += strlen(name);
    do
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    while (*at++ != '\0' && depth > 0);
    span->length = (size_t)(at - span->data);
    return depth == 0 && *span->data == '{';
}

static bool has_digest(const char *text, fuzz_piece of, bool fingerprint)
{
    char hex[65];
    if (!fingerprint)
        hex_digest(hex, of.data, of.length);
    else if (!score_digest(hex, of.data, of.length))
        return false;
    return strstr(text, hex) != NULL;
}

/* All three digests of both are there, and right. */
static bool is_sealed(const char *text, size_t length)
{
    fuzz_piece score, handle;
    return length > 0 &&
           find_object(&score, text, "\"role\":\"score\",\"sha256\":\"") ==
               false &&
           strstr(text, "\"sha256\"") != NULL &&
           find_object(&score, text, "\"document\":") &&
           find_object(&handle, score.data + score.length, "\"document\":") &&
           has_digest(text, score, false) && has_digest(text, score, true) &&
           has_digest(text, handle, false) &&
           strstr(text, "\"runtime_handle\":71") != NULL;
}

static void digests_stay_right(void **state)
{
    (void)state;
    fuzz_text text = {0};
    keep k = {.also = is_sealed};
    make_bundle(&text, 20, "tab\\tbell\\u00b5");
    assert_true(is_sealed(text.data, text.length));
    fuzz_reduction r = reduce_n(&k, text.data, text.length);
    assert_int_equal(fuzz_count_tasks(r.text, r.length), 0);
    assert_false(has(r.text, r.length, "source"));
    free(r.text);
    fuzz_text_free(&text);
}

/* A digest that is wrong stays as it is: it may be what it is all about. */
static void wrong_digest_stays(void **state)
{
    (void)state;
    fuzz_text text = {0};
    char wrong[65];
    make_bundle(&text, 4, "x");
    char *at = strstr(text.data, "\"sha256\":\"") + 10;
    memset(at, 'e', 64);
    memset(wrong, 'e', 64);
    wrong[64] = '\0';
    keep k = {.words = {wrong, "\"document\":{"}};
    fuzz_reduction r = reduce_n(&k, text.data, text.length);
    assert_true(has(r.text, r.length, wrong));
    free(r.text);
    fuzz_text_free(&text);
}

static bool has_text_digest(const char *text, size_t length)
{
    const char *at = strstr(text, "\"text\":\"");
    char hex[65];
    if (length == 0 || at == NULL || strstr(text, "bell") == NULL)
        return false;
    bool tab = strstr(text, "\"text\":\"tab\\tbell\\u00b5\"") != NULL;
    bool rest = strstr(text, "\"text\":\"bell\"") != NULL;
    hex_digest(hex, tab ? "tab\tbell\xc2\xb5" : "bell", tab ? 10 : 4);
    return (tab || rest) && strstr(text, hex) != NULL;
}

static void digest_of_a_text(void **state)
{
    (void)state;
    fuzz_text text = {0};
    keep k = {.also = has_text_digest};
    make_bundle(&text, 3, "tab\\tbell\\u00b5");
    fuzz_reduction r = reduce_n(&k, text.data, text.length);
    assert_true(has(r.text, r.length, "bell"));
    assert_false(has(r.text, r.length, "score"));
    free(r.text);
    fuzz_text_free(&text);
}

/* Task 7 has lost its second argument in all members, and no other one. */
static bool argument_is_71(const char *text, size_t length)
{
    return has(text, length,
               "{\"task_id\":7,\"arg_index\":0,\"runtime_handle\":"
               "71}") &&
           has(text, length, "\"name\":\"f7\",\"args\":[\"b7\"]") && length > 0;
}

static bool argument_is_any(const char *text, size_t length)
{
    return argument_is_71(text, length) ||
           (has(text, length, "\"runtime_handle\":71") &&
            has(text, length, "\"name\":\"f7\",\"args\":[\"x\",\"b7\",7]"));
}

static void arguments_go_in_step(void **state)
{
    (void)state;
    fuzz_text text = {0};
    keep k = {.also = argument_is_any};
    make_bundle(&text, 12, "x");
    assert_true(argument_is_any(text.data, text.length));
    fuzz_reduction r = reduce_n(&k, text.data, text.length);
    /* Numbers may only change together with what they name. */
    assert_true(has(r.text, r.length, "71"));
    free(r.text);
    fuzz_text_free(&text);
}

/* --- Texts that are no documents --- */

static void broken_documents(void **state)
{
    (void)state;
    expect("{\"a\": [1, 2\n, \"keep\": }\n}}", "keep",
           (keep){.words = {"keep"}});
    expect("{\"a\": 1} {\"b\"}", "} {", (keep){.words = {"} {"}});
    expect("\x80\xff[,\"\xc3\xa9\xc3\"", "\xc3\xa9",
           (keep){.words = {"\xc3\xa9"}});
    expect("x", "", (keep){.words = {""}});
    expect("", "", (keep){.words = {""}});
    expect("id,lower,upper\nb1,17,23\nb2,0,999\n", ",9\n",
           (keep){.words = {",9", "\n"}});
}

/* Deep, long and wide: linear, and nothing recurses. */
static void deep_documents(void **state)
{
    (void)state;
    size_t depth = 20000;
    char *text = malloc(2 * depth + 1);
    assert_non_null(text);
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    text[2 * depth] = '\0';
    keep k = {.words = {"[]"}};
    fuzz_question q = question_of(&k);
    fuzz_reduction r;
    q.calls = 200;
    assert_int_equal(fuzz_form_of(text, 2 * depth), FUZZ_FORM_JSON);
    assert_int_equal(fuzz_reduce(&r, text, 2 * depth, &q), FUZZ_REDUCED);
    free(r.text);
    assert_int_equal(fuzz_form_of(text, depth), FUZZ_FORM_PLAIN);
    free(text);
}

/* --- Dumps --- */

static const char dump[] =
    "# pypto.program: Mill\n"
    "import pypto.language as pl\n"
    "\n"
    "@pl.program\n"
    "class Mill:\n"
    "    @pl.function(type=pl.FunctionType.AIV)\n"
    "    def grind(x__ssa_v0: pl.Tensor[[8, 8], pl.FP32], "
    "y__ssa_v0: pl.Out[pl.Tensor[[8, 8], pl.FP32]]):\n"
    "        t__ssa_v0: pl.Tile[[8, 8], pl.FP32] = pl.tile.load(x__ssa_v0)\n"
    "        y__ssa_v1: pl.Tensor[[8, 8], pl.FP32] = "
    "pl.tile.store(t__ssa_v0, [0, 0], y__ssa_v0)\n"
    "        return y__ssa_v0\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def turn(self, x__ssa_v0: pl.Tensor[[8, 8], pl.FP32], "
    "y__ssa_v0: pl.Out[pl.Tensor[[8, 8], pl.FP32]]):\n"
    "        for i__idx_v0, (y__iter_v1,) in pl.parallel(4, "
    "init_values=(y__ssa_v0,)):\n"
    "            y__ssa_v2: pl.Tensor[[8, 8], pl.FP32] = self.grind(\n"
    "                x__ssa_v0,  # what is ground\n"
    "                y__iter_v1,\n"
    "                attrs={\"arg_directions\": [pl.adir.input, "
    "pl.adir.inout]},\n"
    "            )\n"
    "            y__rv_v3 = pl.yield_(y__ssa_v2)\n"
    "        return y__rv_v3\n";

static void statements(void **state)
{
    (void)state;
    assert_int_equal(fuzz_form_of(dump, sizeof dump - 1), FUZZ_FORM_CODE);
    expect(dump, "self", (keep){.words = {"self"}});
}

/* The body of a loop without the loop. */
static void bodies(void **state)
{
    (void)state;
    expect(dump, "def a:\n    pl.yield_\n",
           (keep){.words = {"def ", ":\n    ", "pl.yield_"}});
}

/* A parameter goes with the argument of each call, and its direction. */
static bool has_one_each(const char *text, size_t length)
{
    return (has(text, length, "def grind(y") &&
            has(text, length, "self.grind(y") &&
            has(text, length, "[pl.adir.inout]")) ||
           (has(text, length,
                "def grind(x__ssa_v0: pl.Tensor[[8,8],pl.FP32],"
                "y__ssa_v0:") &&
            has(text, length, "self.grind(x__ssa_v0,y__iter_v1,") &&
            has(text, length, "[pl.adir.input,pl.adir.inout]"));
}

static bool is_laid_out_or_one_each(const char *text, size_t length)
{
    return length == sizeof dump - 1 || has_one_each(text, length);
}

static void parameters_go_with_arguments(void **state)
{
    (void)state;
    keep k = {.also = is_laid_out_or_one_each};
    fuzz_reduction r = reduce_n(&k, dump, sizeof dump - 1);
    assert_false(has(r.text, r.length, "x__ssa_v0"));
    assert_true(has(r.text, r.length, "[pl.adir.inout]"));
    free(r.text);
}

/* What was made of another thing stands for it. */
static bool reads_and_stores(const char *text, size_t length)
{
    return has(text, length, "pl.tile.store(t__ssa_v0") ||
           has(text, length, "pl.tile.store(x__ssa_v0") ||
           length == sizeof dump - 1;
}

static void results_give_way(void **state)
{
    (void)state;
    keep k = {.also = reads_and_stores};
    fuzz_reduction r = reduce_n(&k, dump, sizeof dump - 1);
    assert_true(has(r.text, r.length, "pl.tile.store("));
    assert_false(has(r.text, r.length, "pl.tile.load"));
    free(r.text);
}

static char *read_dump(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = malloc(1 << 20);
    assert_non_null(file);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, file);
    text[*length] = '\0';
    (void)fclose(file);
    return text;
}

/* Its plan has three edges at least that nobody has taken away. */
static bool plans_two_tasks(const char *text, size_t length)
{
    char *bundle = NULL;
    size_t size = 0;
    sonata_dump_options options = {0};
    sonata_error error = {0};
    if (sonata_dump_plan(&bundle, &size, text, length, &options, &error) !=
        SONATA_OK)
        return false;
    const char *task = strstr(bundle, "\"sync_start\"");
    bool ok = task != NULL && strstr(task + 1, "\"sync_start\"") != NULL;
    free(bundle);
    return ok;
}

/* Real dumps stay readable, and become small. */
static void dumps_stay_readable(void **state)
{
    (void)state;
    static const char *const paths[] = {"corpus/programs/chain.py",
                                        "corpus/programs/loop.py",
                                        "corpus/programs/group_mixed_ruff.py"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        size_t length;
        char *text = read_dump(paths[i], &length);
        keep k = {.also = plans_two_tasks};
        fuzz_reduction r = reduce_n(&k, text, length);
        assert_true(plans_two_tasks(r.text, r.length));
        if (r.length > 900)
            fail_msg("%s: %zu bytes are left:\n%s", paths[i], r.length, r.text);
        free(r.text);
        free(text);
    }
}

/* --- How it ends --- */

static void the_text_itself_is_asked_first(void **state)
{
    (void)state;
    keep k = {.words = {"not there"}};
    fuzz_question q = question_of(&k);
    fuzz_reduction r;
    assert_int_equal(fuzz_reduce(&r, "[1]", 3, &q), FUZZ_REDUCE_NOT_ASKED);
    assert_null(r.text);
    assert_int_equal(fuzz_reduce_check(&r, "[1]", 3, &q),
                     FUZZ_REDUCE_NOT_ASKED);
    assert_int_equal(k.asked, 2);
}

static void limits(void **state)
{
    (void)state;
    static const char text[] = "[1,2,3,{\"keep\":4},5,6]";
    fuzz_reduction whole, r;
    keep k = {.words = {"keep"}};
    fuzz_question q = question_of(&k);
    assert_int_equal(fuzz_reduce(&whole, text, strlen(text), &q), FUZZ_REDUCED);
    for (uint64_t calls = 1; calls < whole.calls; calls++) {
        q.calls = calls;
        assert_int_equal(fuzz_reduce(&r, text, strlen(text), &q), FUZZ_REDUCED);
        assert_false(r.minimal);
        assert_true(r.calls == calls);
        assert_true(has(r.text, r.length, "keep"));
        free(r.text);
    }
    q.calls = whole.calls;
    assert_int_equal(fuzz_reduce(&r, text, strlen(text), &q), FUZZ_REDUCED);
    assert_string_equal(r.text, whole.text);
    free(r.text);
    free(whole.text);
}

static bool at_once(void *context)
{
    return ((keep *)context)->asked >= 3;
}

static void enough_ends_it(void **state)
{
    (void)state;
    keep k = {.words = {"keep"}};
    fuzz_question q = question_of(&k);
    fuzz_reduction r;
    q.enough = at_once;
    assert_int_equal(fuzz_reduce(&r, "[1,2,\"keep\"]", 12, &q), FUZZ_REDUCED);
    assert_false(r.minimal);
    assert_int_equal(k.asked, 3);
    free(r.text);
}

static void failures_end_it(void **state)
{
    (void)state;
    for (uint64_t at = 1; at < 12; at++) {
        keep k = {.words = {"keep"}, .fail_at = at};
        fuzz_question q = question_of(&k);
        fuzz_reduction r;
        assert_int_equal(fuzz_reduce(&r, "[1,2,3,\"keep\",{\"a\":7}]", 23, &q),
                         FUZZ_REDUCE_FAILED);
        assert_null(r.text);
        assert_int_equal(k.asked, at);
    }
}

/* A document that need not be one loses its brackets, too. */
static void brackets_go(void **state)
{
    (void)state;
    keep k = {.words = {"[", "keep"}};
    fuzz_question q = question_of(&k);
    fuzz_reduction r;
    const char *text = "{\"a\":[[\"keep\"],7]}";
    assert_int_equal(fuzz_reduce(&r, text, strlen(text), &q), FUZZ_REDUCED);
    assert_string_equal(r.text, "[keep");
    free(r.text);
}

/* The check sees a step of each kind that is left. */
static void check_finds_what_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
        bool minimal;
    } texts[] = {
        {"{\"keep\":0}", "keep", true},
        {"{\"keep\":1}", "keep", false},
        {"[\"keep\",0]", "keep", false},
        {"{\"keep\":[]}", "keep\":[", true},
        {"[[\"keep\"]]", "keep", false},
        {"{\"keep\" :0}", "keep", false},
        {"{\"b\":\"keep\"}", "keep", false},
        {"keep.", "keep", false},
        {"keep", "keep", true},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        keep k = {.words = {texts[i].word}};
        k.document = is_document(texts[i].text, strlen(texts[i].text));
        fuzz_question q = question_of(&k);
        fuzz_reduction r;
        assert_int_equal(
            fuzz_reduce_check(&r, texts[i].text, strlen(texts[i].text), &q),
            FUZZ_REDUCED);
        if (r.minimal != texts[i].minimal)
            fail_msg("%s: minimal is %d", texts[i].text, r.minimal);
        assert_true((r.text == NULL) == r.minimal);
        free(r.text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(members_and_items),
    cmocka_unit_test(numbers),
    cmocka_unit_test(names),
    cmocka_unit_test(pair_of_tasks),
    cmocka_unit_test(what_names_a_task_goes_with_it),
    cmocka_unit_test(digests_stay_right),
    cmocka_unit_test(wrong_digest_stays),
    cmocka_unit_test(digest_of_a_text),
    cmocka_unit_test(arguments_go_in_step),
    cmocka_unit_test(broken_documents),
    cmocka_unit_test(deep_documents),
    cmocka_unit_test(statements),
    cmocka_unit_test(bodies),
    cmocka_unit_test(parameters_go_with_arguments),
    cmocka_unit_test(results_give_way),
    cmocka_unit_test(dumps_stay_readable),
    cmocka_unit_test(the_text_itself_is_asked_first),
    cmocka_unit_test(limits),
    cmocka_unit_test(enough_ends_it),
    cmocka_unit_test(failures_end_it),
    cmocka_unit_test(brackets_go),
    cmocka_unit_test(check_finds_what_is_left),
};

TEST_MAIN(tests)
