#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../reduce/tree.h"
#include "fuzz/mutate.h"
#include "sonata/json.h"

#define SEEDS 4000u

static const char graph[] =
    "{\"kind\": \"task_graph\", \"version\": 1, \"tasks\": [\n"
    "  {\"id\": 0, \"name\": \"load\", \"args\": [{\"buffer\": \"a\"}]},\n"
    "  {\"id\": 1, \"name\": \"mul\", \"args\": [{\"buffer\": \"b\"}, 7]},\n"
    "  {\"id\": 2, \"name\": \"store\", \"args\": [], \"deps\": [0, 1]}],\n"
    " \"edges\": [[0, 1], [0, 2], [1, 2]], \"buffers\": {\"a\": {\"size\": "
    "64}, \"b\": {\"size\": 128}}, \"exact\": true, \"note\": null}";
static const char other_graph[] =
    "{\"tasks\": [{\"id\": 900, \"name\": \"other\"}], \"edges\": [[900, 901]],"
    " \"buffers\": {\"z\": {\"size\": 12345}}}";
static const char dump[] =
    "# pypto.program: loom\n"
    "@pl.program\n"
    "class Loom:\n"
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def main(self, a: pl.Tensor[[64, 32], pl.FP32]) -> None:\n"
    "        t = pl.create_tensor([64, 32], dtype=pl.FP32)\n"
    "        for i in pl.range(0, 4):\n"
    "            r = self.spin(a, t, i + 1)\n"
    "            s = self.weave(r, deps=[r, t])\n"
    "\n"
    "        return s\n";
static const char other_dump[] = "class Other:\n"
                                 "  def warp(self):\n"
                                 "    shuttle = pl.full([9], 'x')\n";
static const char table[] = "id,lower,upper,size\n0,0,3,64\n1,2,5,128\n";

static fuzz_bytes bytes_of(const char *text)
{
    return (fuzz_bytes){(const uint8_t *)text, strlen(text)};
}

static const fuzz_bytes nothing = {NULL, 0};

/* A copy of just that size, so that a byte too far is seen. */
static fuzz_bytes copy_of(fuzz_bytes text)
{
    uint8_t *copy = malloc(text.size == 0 ? 1 : text.size);
    assert_non_null(copy);
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    return (fuzz_bytes){copy, text.size};
}

static void drop_copy(fuzz_bytes copy)
{
    free((void *)(uintptr_t)copy.data);
}

static const char *const texts[] = {
    graph, dump,   table, "",   "{",    "[1",           "\n",
    "a,b", "{\"a", "[",   "  ", "f(((", "\xff\xfe\x80", "{\"a\":[{\"b\":1,"};

static void sizes(void **state)
{
    (void)state;
    static const size_t most[] = {0, 1, 2, 17, 100, 400, 1000000};
    fuzz_mutator *m = fuzz_mutator_new();
    fuzz_bytes other = copy_of(bytes_of(other_graph));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fuzz_bytes text = copy_of(bytes_of(texts[i]));
        for (uint64_t seed = 0; seed < 1400; seed++) {
            size_t room = most[seed % 7];
            fuzz_bytes made = seed % 3 == 0
                                  ? fuzz_cross(m, text, other, room, seed)
                                  : fuzz_mutate(m, text, other, room, seed);
            assert_true(made.size <= room);
            assert_true(made.size <= text.size + FUZZ_GROWTH);
            assert_true(room == 0 || made.size > 0);
        }
        drop_copy(text);
    }
    drop_copy(other);
    fuzz_mutator_free(m);
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    fuzz_mutator *a = fuzz_mutator_new(), *b = fuzz_mutator_new();
    size_t different = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fuzz_bytes text = bytes_of(seed % 2 == 0 ? graph : dump);
        fuzz_bytes other = bytes_of(other_graph);
        fuzz_bytes one = fuzz_mutate(a, text, other, 5000, seed);
        if (seed % 5 == 0) /* what b did before does not matter */
            fuzz_mutate(b, bytes_of(table), text, 300, seed);
        fuzz_bytes two = fuzz_mutate(b, text, other, 5000, seed);
        assert_true(one.size == two.size);
        assert_memory_equal(one.data, two.data, one.size);
        assert_true(fuzz_mutator_changes(a) == fuzz_mutator_changes(b));
        different +=
            one.size != text.size || memcmp(one.data, text.data, one.size) != 0;
    }
    assert_true(different > SEEDS * 9 / 10);
    fuzz_mutator_free(a);
    fuzz_mutator_free(b);
}

/* Each kind of change alone, in a text that has a place for it. */
static void each_change_occurs(void **state)
{
    (void)state;
    fuzz_mutator *m = fuzz_mutator_new();
    for (int form = 0; form < 2; form++) {
        size_t alone[FUZZ_CHANGES] = {0};
        fuzz_bytes text = bytes_of(form == 0 ? graph : dump);
        fuzz_bytes other = bytes_of(form == 0 ? other_graph : other_dump);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            fuzz_mutate(m, text, other, 10000, seed);
            for (unsigned i = 0; i < FUZZ_CHANGES; i++)
                alone[i] += fuzz_mutator_changes(m) == 1u << i;
        }
        for (unsigned i = 0; i < FUZZ_CHANGES; i++)
            if (alone[i] < 20)
                fail_msg("%s: %zu", fuzz_change_name((fuzz_change)i), alone[i]);
    }
    fuzz_mutator_free(m);
}

/* What moves parts and no letters. */
static const unsigned whole =
    1u << FUZZ_CHANGE_DROP | 1u << FUZZ_CHANGE_EDGE |
    1u << FUZZ_CHANGE_DUPLICATE | 1u << FUZZ_CHANGE_MOVE |
    1u << FUZZ_CHANGE_REFERENCE | 1u << FUZZ_CHANGE_GRAFT |
    1u << FUZZ_CHANGE_SPLICE | 1u << FUZZ_CHANGE_EMPTY;

static void documents_stay_json(void **state)
{
    (void)state;
    fuzz_mutator *m = fuzz_mutator_new();
    size_t count = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        sonata_doc *doc = NULL;
        fuzz_bytes made =
            fuzz_mutate(m, bytes_of(graph), bytes_of(other_graph), 10000, seed);
        if ((fuzz_mutator_changes(m) & ~whole) != 0)
            continue;
        count++;
        if (sonata_doc_read(&doc, (const char *)made.data, made.size, NULL) !=
            SONATA_OK)
            fail_msg("seed %llu, changes %x: %.*s", (unsigned long long)seed,
                     fuzz_mutator_changes(m), (int)made.size, made.data);
        sonata_doc_free(doc);
    }
    assert_true(count > SEEDS / 3);
    fuzz_mutator_free(m);
}

static void dumps_stay_code(void **state)
{
    (void)state;
    fuzz_mutator *m = fuzz_mutator_new();
    size_t count = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        reduce_tree tree = {0};
        fuzz_bytes made =
            fuzz_mutate(m, bytes_of(dump), bytes_of(other_dump), 10000, seed);
        if ((fuzz_mutator_changes(m) & ~whole) != 0)
            continue;
        count++;
        if (!reduce_parse_code(&tree, (const char *)made.data, made.size))
            fail_msg("seed %llu, changes %x: %.*s", (unsigned long long)seed,
                     fuzz_mutator_changes(m), (int)made.size, made.data);

        reduce_tree_free(&tree);
    }
    assert_true(count > SEEDS / 3);
    fuzz_mutator_free(m);
}

static bool has(fuzz_bytes text, const char *word)
{
    return memmem(text.data, text.size, word, strlen(word)) != NULL;
}

static void parts_of_the_other(void **state)
{
    (void)state;
    fuzz_mutator *m = fuzz_mutator_new();
    size_t json = 0, code = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        fuzz_bytes made =
            fuzz_cross(m, bytes_of(graph), bytes_of(other_graph), 10000, seed);
        json += has(made, "900") || has(made, "other") || has(made, "12345") ||
                has(made, "901");
        made = fuzz_cross(m, bytes_of(dump), bytes_of(other_dump), 10000, seed);
        code += has(made, "shuttle") || has(made, "[9]") ||
                has(made, "pl.full") || has(made, "'x'") || has(made, "Other");
    }
    assert_true(json > 400 && code > 300);
    fuzz_mutator_free(m);
}

/* A statement from elsewhere has the indentation of its new place. */
static void statements_are_indented(void **state)
{
    (void)state;
    fuzz_mutator *m = fuzz_mutator_new();
    size_t found = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fuzz_bytes made =
            fuzz_cross(m, bytes_of(dump), bytes_of(other_dump), 10000, seed);
        found += has(made, "\n            shuttle = pl.full([9], 'x')\n");
    }
    assert_true(found > 10);
    fuzz_mutator_free(m);
}

static void digests_go(void **state)
{
    (void)state;
    static const char bundle[] =
        "{\"kind\":\"bundle\",\"members\":[{\"document\":{\"a\":[1,2,3]},"
        "\"role\":\"graph\",\"sha256\":\"00\"},{\"role\":\"source\","
        "\"sha256\":\"11\",\"text\":\"x\"}],\"version\":1}";
    fuzz_mutator *m = fuzz_mutator_new();
    size_t kept = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        kept += has(fuzz_mutate(m, bytes_of(bundle), nothing, 10000, seed),
                    "sha256");
    assert_in_range(kept, SEEDS / 20, SEEDS / 4);
    fuzz_mutator_free(m);
}

/* Of two documents each is changed, and the byte between them is left. */
static void documents_side_by_side(void **state)
{
    (void)state;
    static const char two[] = "x{\"aaaa\": [1, 2]}\0{\"bbbb\": [3, 4]}";
    fuzz_bytes text = {(const uint8_t *)two, sizeof two - 1};
    fuzz_mutator *m = fuzz_mutator_new();
    size_t first = 0, second = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        fuzz_bytes made = fuzz_mutate(m, text, nothing, 1000, seed);
        if ((fuzz_mutator_changes(m) & 1u << FUZZ_CHANGE_BYTES) != 0)
            continue;
        const uint8_t *zero = memchr(made.data, '\0', made.size);
        assert_non_null(zero);
        first += memcmp(made.data, two, strlen(two) + 1) != 0;
        second += !has(made, "{\"bbbb\": [3, 4]}");
    }
    assert_true(first > SEEDS / 8 && second > SEEDS / 8);
    fuzz_mutator_free(m);
}

/* Deep and long texts: no recursion, and no time that grows faster. */
static void hard_texts(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    char *text = malloc(SIZE);
    fuzz_mutator *m = fuzz_mutator_new();
    static const char *const units[] = {"[",   "{\"a\":", "(", "0,",
                                        "\n ", "a(b,\n",  ")", "\"sha256\":"};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t length = strlen(units[u]), size = 0;
        for (; size + length <= SIZE; size += length)
            memcpy(text + size, units[u], length);
        fuzz_bytes all = {(const uint8_t *)text, size};
        for (uint64_t seed = 0; seed < 24; seed++)
            assert_true(fuzz_mutate(m, all, all, SIZE, seed).size > 0);
    }
    fuzz_mutator_free(m);
    free(text);
}

static void trims(fuzz_bytes text, const char *word, size_t most)
{
    fuzz_mutator *m = fuzz_mutator_new();
    size_t size = text.size, steps = 0;
    assert_true(fuzz_trim_begin(m, text));
    for (fuzz_bytes one = fuzz_trim_step(m); one.size > 0;
         one = fuzz_trim_step(m)) {
        bool keep = has(one, word);
        assert_true(one.size < size && steps++ < 10000);
        if (keep)
            size = one.size;
        fuzz_trim_keep(m, keep);
    }
    assert_true(size <= most);
    fuzz_mutator_free(m);
}

static void trimming(void **state)
{
    (void)state;
    trims(bytes_of(graph), "128", 40);
    trims(bytes_of(dump), "weave", 110);
    trims(bytes_of(dump), "not there", strlen(dump));
    trims(bytes_of(table), "5,128", 12);
    trims(nothing, "x", 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sizes),
    cmocka_unit_test(same_seed_same_bytes),
    cmocka_unit_test(each_change_occurs),
    cmocka_unit_test(documents_stay_json),
    cmocka_unit_test(dumps_stay_code),
    cmocka_unit_test(parts_of_the_other),
    cmocka_unit_test(statements_are_indented),
    cmocka_unit_test(digests_go),
    cmocka_unit_test(documents_side_by_side),
    cmocka_unit_test(hard_texts),
    cmocka_unit_test(trimming),
};
TEST_MAIN(tests)
