/*
 * The readers of the command: kinds, requests of the judge, answers of a
 * planner and of a judge. The first byte chooses.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../../cli/facts.h"
#include "../../cli/request.h"
#include "../../cli/serve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const cli_found found = {.path = (char *)(uintptr_t) "x",
                                    .name = "x"};
    static const cli_batch_options options = {0};
    cli_text line = {0}, hex = {0}, facts = {0};
    char digest[65];
    if (size == 0)
        return 0;
    cli_case *c = calloc(1, sizeof *c);
    if (c == NULL)
        return 0;
    c->found = &found;
    c->number = 1;
    cli_span text = {(const char *)data + 1, size - 1};
    if (*data % 4 == 0)
        cli_kind_detect(text.data, text.length);
    if (*data % 4 == 1)
        cli_serve_line(&line, NULL, text.data, text.length, true, false);
    if (*data % 4 == 2)
        cli_answer_plan(c, text, &options);
    if (*data % 4 == 3)
        cli_answer_judge(c, text, &options);
    if (*data % 4 >= 2)
        cli_times_take(&c->times,
                       *data % 4 == 2 ? CLI_PART_PLAN : CLI_PART_JUDGE, text);
    /* Whatever was taken can be told. */
    cli_case_digest(digest, c);
    cli_case_group(&hex, c);
    cli_facts_put(&facts, c);
    cli_text_free(&facts);
    cli_text_free(&line);
    cli_text_free(&hex);
    cli_case_free(c);
    return 0;
}
