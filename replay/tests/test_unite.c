/* Buffers that may be one memory, and what a program does where they are. */
#include "sim.h"

#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <string.h>

#define BUFFER(key, more) "{\"key\": \"" key "\", \"bytes\": 64" more "}"
#define VIEW(key, of, at, more)                                                \
    "{\"key\": \"" key "\", \"bytes\": 16, \"alias_of\": {\"key\": \"" of      \
    "\", \"offset\": " #at "}" more "}"
#define MAY(keys) ", \"may_alias\": [" keys "]"
#define DOCUMENT(buffers, tasks)                                               \
    "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"n\", \"rules\": "  \
    "\"none\", \"buffers\": [" buffers "], \"tasks\": [" tasks                 \
    "], \"edges\": []}"
#define TASK(id, key, told, mode)                                              \
    "{\"id\": " #id ", \"name\": \"t\", \"args\": [{\"buffer\": \"" key        \
    "\", \"dispatch\": \"" told "\", \"access\": [{\"mode\": \"" mode          \
    "\", \"must\": true, \"exact\": true}]}]}"

static replay_pairs find(const oracle_document *d)
{
    replay_pairs pairs;
    replay_error error;
    assert_int_equal(replay_pairs_find(&pairs, d, &error), REPLAY_OK);
    return pairs;
}

/* a with b and c, b with d: three of them hold at no time. */
static void what_goes_together(void **state)
{
    (void)state;
    oracle_document d = sim_read(
        DOCUMENT(BUFFER("param:a", MAY("\"param:b\", \"param:c\"")) "," //
                 BUFFER("param:b", MAY("\"param:a\", \"param:d\"")) "," //
                 BUFFER("param:c", "") "," BUFFER("param:d", ""),
                 ""));
    replay_pairs pairs = find(&d), some;
    assert_int_equal(pairs.count, 3); /* a-b once */
    assert_int_equal(pairs.more, 0);
    replay_pairs_extend(&some, &pairs, &d, 0);
    assert_int_equal(some.count, 1); /* c is not b, d is not a */
    replay_pairs_extend(&some, &pairs, &d, 1);
    assert_int_equal(some.count, 2); /* a-c, b-d */
    assert_true(replay_pairs_hold(&some, &pairs, &d));
    assert_false(replay_pairs_hold(&pairs, &pairs, &d));
    oracle_document_free(&d);
}

/* A view that lies behind the begin of its storage, either way round: its
 * first byte is the first of the other. */
static void names_move(void **state)
{
    static const char *const texts[] = {
        DOCUMENT(BUFFER("param:a", "") "," //
                 VIEW("view", "param:a", 32,
                      MAY("\"param:b\"")) "," BUFFER("param:b", ""),
                 ""),
        DOCUMENT(BUFFER("param:a", "") "," //
                 VIEW("view", "param:a", 32, "") "," BUFFER("param:b",
                                                            MAY("\"view\"")),
                 ""),
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        oracle_document d = sim_read(texts[i]), united;
        replay_pairs pairs = find(&d);
        replay_error error;
        assert_int_equal(pairs.count, 1);
        assert_int_equal(replay_unite(&united, &d, &pairs, &error), REPLAY_OK);
        assert_int_equal(united.buffers[0].storage, 0);
        assert_int_equal(united.buffers[2].storage, 0);
        assert_int_equal(united.buffers[0].storage_at, 0);
        assert_int_equal(united.buffers[1].storage_at, 32);
        assert_int_equal(united.buffers[2].storage_at, 32);
        assert_int_equal(d.buffers[2].storage, 2); /* is as it was */
        replay_united_free(&united);
        oracle_document_free(&d);
    }
}

/* Apart, a write of x and a read of y have nothing to do with each other. */
static void one_memory_differs(void **state)
{
    (void)state;
    oracle_document d = sim_read(
        DOCUMENT(BUFFER("param:x", MAY("\"param:y\"")) "," //
                 BUFFER("param:y", ""),
                 TASK(0, "param:x", "output_existing",
                      "write") "," TASK(1, "param:y", "input", "read")));
    oracle_document united;
    replay_pairs pairs = find(&d);
    replay_error error;
    replay_tried tried;
    replay_program p = sim_program(&d, NULL);
    assert_int_equal(replay_adversarial(&tried, &p, &error), REPLAY_OK);
    assert_int_equal(tried.proof_count, 0);
    replay_tried_free(&tried);
    replay_program_free(&p);
    assert_int_equal(replay_unite(&united, &d, &pairs, &error), REPLAY_OK);
    p = sim_program(&united, NULL);
    assert_int_equal(replay_adversarial(&tried, &p, &error), REPLAY_OK);
    assert_int_equal(tried.proof_count, 1);
    assert_int_equal(tried.proofs[0].difference.task, 1);
    assert_int_equal(tried.proofs[0].difference.expected, 0);
    assert_true(tried.proofs[0].difference.sure);
    replay_tried_free(&tried);
    replay_program_free(&p);
    replay_united_free(&united);
    oracle_document_free(&d);
}

/* Each of `count` buffers may be one memory with the one before. */
static void many_are_counted(void **state)
{
    static char text[8192];
    (void)state;
    strcpy(text, "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"n\", "
                 "\"rules\": \"none\", \"tasks\": [], \"edges\": [], "
                 "\"buffers\": [{\"key\": \"b0\", \"bytes\": 4}");
    for (uint32_t i = 1; i <= REPLAY_MOST_PAIRS + 5; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length,
                 ",{\"key\": \"b%u\", \"bytes\": 4, \"may_alias\": [\"b%u\"]}",
                 (unsigned)i, (unsigned)i - 1);
    }
    strcat(text, "]}");
    oracle_document d = sim_read(text);
    replay_pairs pairs = find(&d), some;
    assert_int_equal(pairs.count, REPLAY_MOST_PAIRS);
    assert_int_equal(pairs.more, 5);
    replay_pairs_extend(&some, &pairs, &d, REPLAY_MOST_PAIRS - 1);
    assert_int_equal(some.count, REPLAY_MOST_PAIRS / 2); /* every second */
    oracle_document_free(&d);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_goes_together),
    cmocka_unit_test(names_move),
    cmocka_unit_test(one_memory_differs),
    cmocka_unit_test(many_are_counted),
};

TEST_MAIN(tests)
