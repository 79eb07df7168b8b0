/*
 * The readers of the command: answers of a judge and of a planner, requests to
 * both, kinds. The first byte chooses. A request that is one has a line with an
 * object as its answer; what was taken of an answer is told as facts, which are
 * lines of visible ASCII.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/facts.h"
#include "../../cli/request.h"
#include "../../cli/serve.h"
#include "check.h"

static void check_line(const cli_text *line)
{
    cli_walk walk;
    cli_span key, value;
    check(line->length > 0 && memchr(line->data, '\n', line->length) ==
                                  line->data + line->length - 1);
    check(cli_walk_object(&walk, (cli_span){line->data, line->length - 1}));
    while (cli_walk_next(&walk, &key, &value))
        check(key.length > 0);
    check(!walk.failed);
}

/* Planner and judge are asked the same way, and know other kinds. */
static void serve(cli_span text, bool judge)
{
    cli_text line = {0};
    if (cli_serve_line(&line, NULL, text.data, text.length, judge, false) == 0)
        check_line(&line);
    cli_text_free(&line);
}

/* Whatever was taken can be told. */
static void tell(const cli_case *c)
{
    cli_text hex = {0}, facts = {0};
    char digest[65];
    check(cli_case_digest(digest, c) && cli_case_group(&hex, c));
    cli_facts_put(&facts, c);
    check(!facts.failed);
    for (size_t i = 0; i < facts.length; i++)
        check(facts.data[i] == '\n' ||
              (facts.data[i] >= ' ' && facts.data[i] <= '~'));
    cli_text_free(&facts);
    cli_text_free(&hex);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const cli_found found = {.path = (char *)(uintptr_t) "x",
                                    .name = "x"};
    static const cli_batch_options options = {0};
    if (size == 0)
        return 0;
    cli_case *c = calloc(1, sizeof *c);
    if (c == NULL)
        return 0;
    c->found = &found;
    c->number = 1;
    cli_span text = {(const char *)data + 1, size - 1};
    if (*data % 4 == 0) {
        cli_answer_judge(c, text, &options);
        cli_times_take(&c->times, CLI_PART_JUDGE, text);
    } else if (*data % 4 == 1) {
        serve(text, *data / 4 % 2 == 1);
    } else if (*data % 4 == 2) {
        cli_answer_plan(c, text, &options);
        cli_times_take(&c->times, CLI_PART_PLAN, text);
    } else {
        cli_kind_detect(text.data, text.length);
    }
    tell(c);
    cli_case_free(c);
    return 0;
}
