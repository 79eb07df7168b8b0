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

static bool is_of(const oracle_finding *finding, const char *group)
{
    return strncmp(finding->rule, group, strlen(group)) == 0;
}

/* A plan by greedy_dag breaks no memory rule, unless the Score that it is made
 * of has lost a task or a storage that the program has. */
static void judge(const sonata_bundle *bundle)
{
    bool lost = false;
    char *json = NULL;
    size_t length = 0;
    oracle_judgement judgement = {0};
    oracle_judge_options options = {0};
    check(sonata_bundle_json(&json, &length, bundle, false, NULL) == SONATA_OK);
    check(oracle_judge_text(&judgement, json, length, &options) == ORACLE_OK);
    for (uint32_t i = 0; i < judgement.count; i++)
        lost = lost || is_of(&judgement.findings[i], "adapter.lost-fact");
    for (uint32_t i = 0; i < judgement.count; i++)
        check(lost || judgement.findings[i].severity != ORACLE_ERROR ||
              !is_of(&judgement.findings[i], "memory."));
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

/* Buffers as the seeds name them. */
#define OF(number, bytes) "\"alloc:b" #number "\":" #bytes ","
static const char sizes[] =
    "{" OF(0, 64) OF(1, 64) OF(2, 32) OF(3, 128) OF(4, 64) OF(5, 7) OF(6, 64)
        OF(7, 64) OF(8, 32) OF(9, 128) OF(10, 64) OF(11, 7) OF(12, 64)
            OF(13, 64) OF(14, 32) OF(15, 128) OF(16, 64) OF(17, 7) OF(18, 64)
                OF(19, 1) "\"alloc:t\":64,\"alloc:yarn\":7,\"param:x\":1}";

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
        .sizes = {sizes, sizeof sizes - 1},
    };
    cli_text answer = {0};
    sonata_error error = {0};
    sonata_status status = cli_plan_make(&answer, &request, &error);
    if (status == SONATA_OK)
        check_answer(&answer);
    else
        check(*error.message != '\0');
    cli_text_free(&answer);
    return 0;
}
