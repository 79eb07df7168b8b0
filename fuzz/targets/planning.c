/*
 * Planning of Scores and programs with every member: what comes out is a
 * bundle that both its readers take, or an error with a message. What the
 * planner places safely the oracle finds no fault with.
 */
#include <stdlib.h>
#include <string.h>

#include "../../cli/planning.h"
#include "check.h"
#include "oracle/judge.h"
#include "sonata/bundle.h"

/* The memory rules: a plan by greedy_dag breaks none. */
static void judge(const sonata_bundle *bundle)
{
    char *json = NULL;
    size_t length = 0;
    oracle_judgement judgement = {0};
    oracle_judge_options options = {0};
    check(sonata_bundle_json(&json, &length, bundle, false, NULL) == SONATA_OK);
    check(oracle_judge_text(&judgement, json, length, &options) == ORACLE_OK);
    for (uint32_t i = 0; i < judgement.count; i++)
        check(judgement.findings[i].severity != ORACLE_ERROR ||
              strncmp(judgement.findings[i].rule, "memory.", 7) != 0);
    oracle_judgement_free(&judgement);
    free(json);
}

static void check_answer(const cli_text *answer)
{
    static const char start[] = "\"bundle\":";
    sonata_bundle bundle = {0};
    check(answer->length > sizeof start &&
          memcmp(answer->data, start, sizeof start - 1) == 0);
    cli_walk walk;
    cli_text whole = {0};
    cli_span key, value = {NULL, 0};
    cli_text_put(&whole, "{");
    cli_text_add(&whole, answer->data, answer->length);
    cli_text_put(&whole, "}");
    check(cli_walk_object(&walk, (cli_span){whole.data, whole.length}) &&
          cli_walk_next(&walk, &key, &value));
    check(sonata_bundle_read(&bundle, value.data, value.length, NULL, NULL) ==
          SONATA_OK);
    if (sonata_bundle_find(&bundle, "memory") != NULL)
        judge(&bundle);
    sonata_bundle_free(&bundle);
    cli_text_free(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kinds[] = {"score", "ir"};
    static const char *const policies[] = {NULL, "dataflow_v0", "mixed"};
    unsigned choice = (unsigned)(size % 48); /* blanks at the end change it */
    cli_plan_request request = {
        .kind = kinds[choice % 2],
        .input = {(const char *)data, size},
        .policy = policies[choice / 2 % 3],
        .regions = choice % 2 == 1 && choice / 8 % 2 == 1 ? "per_region" : NULL,
        .emit = "graph,score,eligibility,handle,hbg,memory,regions,alias,"
                "liveness,conflicts",
        .sizes = {"{\"alloc:t\":64,\"alloc:yarn\":7,\"param:x\":1}", 42},
    };
    cli_text answer = {0};
    sonata_error error = {0};
    request.sizes.length = strlen(request.sizes.data);
    sonata_status status = cli_plan_make(&answer, &request, &error);
    if (status == SONATA_OK)
        check_answer(&answer);
    else
        check(*error.message != '\0');
    cli_text_free(&answer);
    return 0;
}
