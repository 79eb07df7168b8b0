/* Work that is handed to several processes: order, and deaths. */
#include <stdio.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../crew.h"

/* Repeats each line, but for those that it dies of. */
#define COMMAND                                                                \
    "while read -r l; do case $l in *die*) exit 3;; esac; echo \"$l\"; done"

typedef struct work {
    int next, count;
    int stop_at; /* done() fails there; 0: never */
    cli_text seen;
} work;

static bool next_request(void *context, cli_text *request)
{
    work *w = context;
    if (w->next == w->count)
        return false;
    cli_text_printf(request, "%s%d\n", w->next % 7 == 3 ? "die" : "line",
                    w->next);
    w->next++;
    return true;
}

static bool done(void *context, cli_event event, cli_span answer,
                 const char *problem)
{
    work *w = context;
    if (event == CLI_ANSWER)
        cli_text_printf(&w->seen, "%.*s ", (int)answer.length, answer.data);
    else
        cli_text_printf(&w->seen, "(%s) ", problem);
    w->stop_at--;
    return w->stop_at != 0;
}

static bool run(work *w, int64_t jobs)
{
    cli_child_spec spec = {
        .command = COMMAND, .timeout_ms = 60000, .memory = 1 << 30};
    cli_crew_calls calls = {.next = next_request, .done = done, .context = w};
    return cli_crew_run(&spec, jobs, &calls);
}

static void a_death_fails_one_request(void **state)
{
    (void)state;
    work w = {.count = 6};
    run(&w, 3);
    assert_string_equal(w.seen.data, "line0 line1 line2 (ended with status 3) "
                                     "line4 line5 ");
    cli_text_free(&w.seen);
}

static void answers_come_in_order(void **state)
{
    (void)state;
    work one = {.count = 200}, many = {.count = 200};
    run(&one, 1);
    run(&many, 6);
    assert_string_equal(one.seen.data, many.seen.data);
    cli_text_free(&one.seen);
    cli_text_free(&many.seen);
}

static void nothing_to_do(void **state)
{
    (void)state;
    work w = {0};
    assert_true(run(&w, 2));
    assert_null(w.seen.data);
}

static void a_call_ends_the_work(void **state)
{
    (void)state;
    work w = {.count = 100, .stop_at = 2};
    assert_false(run(&w, 2));
    assert_string_equal(w.seen.data, "line0 line1 ");
    cli_text_free(&w.seen);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_death_fails_one_request),
    cmocka_unit_test(answers_come_in_order),
    cmocka_unit_test(nothing_to_do),
    cmocka_unit_test(a_call_ends_the_work),
};

TEST_MAIN(tests)
