#include "known.h"

#include <stdio.h>
#include <string.h>

#include "oracle/answer.h"

bool cli_is_disagreement(const char *rule)
{
    return strncmp(rule, "diff.", 5) == 0 || strncmp(rule, "planner.", 8) == 0;
}

const oracle_finding *cli_first_difference(const cli_evaluation *e)
{
    for (size_t i = 0; i < cli_evaluation_count(e); i++)
        if (oracle_answer_tells(cli_evaluation_at(e, i)->rule))
            return cli_evaluation_at(e, i);
    return NULL;
}

/* `f`: the finding that it is about, or NULL. */
static void add(cli_evaluation *e, const char *what, const char *rule,
                const oracle_finding *f, const cli_text *message)
{
    char cause[64];
    snprintf(cause, sizeof cause, "%s %s", what, rule);
    const oracle_finding *first = cli_first_difference(e);
    first = first == NULL ? f : first;
    const char *about = first == NULL ? "" : first->signature;
    if (message->failed)
        e->failed = true;
    else
        cli_evaluation_add_about(e, "diff.expected", cause, about,
                                 message->data);
}

/* The first fault that is none: the others are mostly the same mistake. */
static void compare_right(cli_evaluation *e)
{
    cli_text message = {0};
    if (e->refused) {
        cli_text_printf(&message,
                        "the input is right by construction, and the planner "
                        "refuses it: %s: %s",
                        e->code.data, e->message.data);
        add(e, "refused", e->code.data, NULL, &message);
    }
    for (size_t i = 0; !e->refused && i < cli_evaluation_count(e); i++) {
        const oracle_finding *f = cli_evaluation_at(e, i);
        if (f->severity != ORACLE_ERROR || cli_is_disagreement(f->rule))
            continue;
        cli_text_printf(&message,
                        "the input is right by construction, and the judge "
                        "finds %s: %s",
                        f->rule, f->message);
        add(e, "alarm", f->rule, f, &message);
        break;
    }
    cli_text_free(&message);
}

static bool is_missed(const cli_evaluation *e, const fuzz_case *c)
{
    for (uint32_t i = 0; i < c->expect_count; i++)
        if (!cli_evaluation_has(e, c->expects[i]))
            return true;
    return false;
}

static void compare_broken(cli_evaluation *e, const fuzz_case *c,
                           const cli_question *q)
{
    if (is_missed(e, c) && q->ask != NULL && strcmp(q->ask, "score") == 0)
        cli_evaluation_beside(e, q);
    for (uint32_t i = 0; i < c->expect_count; i++) {
        cli_text message = {0};
        if (cli_evaluation_has(e, c->expects[i]))
            continue;
        cli_text_printf(&message,
                        "the input was broken so that it raises %s (%s), and "
                        "nobody finds it",
                        c->expects[i], c->fault == NULL ? "?" : c->fault);
        add(e, "missed", c->expects[i], NULL, &message);
        cli_text_free(&message);
    }
}

/* No fault of an input excuses a bundle that cannot be read. */
static void compare_readable(cli_evaluation *e)
{
    cli_text message = {0};
    for (size_t i = 0; i < cli_evaluation_count(e); i++) {
        const oracle_finding *f = cli_evaluation_at(e, i);
        if (f->severity != ORACLE_ERROR || cli_is_disagreement(f->rule))
            continue;
        cli_text_printf(&message,
                        "the planner takes the input, and its bundle cannot "
                        "be read: %s: %s",
                        f->rule, f->message);
        add(e, "unreadable", f->rule, f, &message);
        break;
    }
    cli_text_free(&message);
}

void cli_known_compare(cli_evaluation *e, const fuzz_case *c,
                       const cli_question *question)
{
    if (e->verdict == CLI_CRASHED || e->verdict == CLI_TIMED_OUT)
        return;
    bool is_right = c->expect_count == 0 && !c->open;
    if (!is_right && question->ask != NULL && !e->refused &&
        e->verdict == CLI_REFUSED)
        compare_readable(e);
    if (c->expect_count > 0)
        compare_broken(e, c, question);
    else if (is_right)
        compare_right(e);
}
