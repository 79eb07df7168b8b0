/*
 * Bytes as a program in the JSON form of the IR: read, planned by every policy,
 * split into regions, each region planned. What is eligible has a valid Score,
 * borders lead forward, and the same bytes give the same documents.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sonata/ir.h"

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_result(const sonata_eligibility *result)
{
    sonata_reasons reasons = {0};
    require(result->eligible == !sonata_reasons_reject(&result->reasons));
    if (!result->eligible)
        return;
    require(sonata_score_validate(&reasons, &result->score, NULL) == SONATA_OK);
    require(!sonata_reasons_reject(&reasons));
    sonata_reasons_free(&reasons);
}

/* The document of a result, which is freed; by the caller it is freed too. */
static char *document(sonata_eligibility *result)
{
    char *json = NULL;
    check_result(result);
    require(sonata_eligibility_json(&json, NULL, result, true, NULL) ==
            SONATA_OK);
    sonata_eligibility_free(result);
    return json;
}

static void check_same(char *first, char *second)
{
    require(strcmp(first, second) == 0);
    free(first);
    free(second);
}

static void plan(const sonata_program *program, const sonata_program *again,
                 const sonata_ir_options *options)
{
    sonata_eligibility result;
    sonata_eligibility other;
    sonata_status status = sonata_ir_plan(&result, program, options, NULL);
    require(status == sonata_ir_plan(&other, again, options, NULL));
    require(status == SONATA_OK || (status == SONATA_REJECTED &&
                                    strcmp(options->policy, "mixed") == 0));
    if (status == SONATA_OK)
        check_same(document(&result), document(&other));
    status = sonata_ir_region_eligibility(&result, program, options, NULL);
    if (status == SONATA_OK)
        free(document(&result));
}

/* The graph by its meaning: of each eligible program, the same twice. */
static void graphs(const sonata_program *program, const sonata_program *again,
                   const sonata_ir_options *options)
{
    const sonata_program *both[] = {program, again};
    char *json[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        sonata_eligibility result;
        if (sonata_ir_plan(&result, both[i], options, NULL) != SONATA_OK)
            continue;
        if (result.eligible)
            (void)sonata_ir_graph_json(&json[i], NULL, both[i], options,
                                       &result.score, NULL, 0, false, NULL);
        sonata_eligibility_free(&result);
    }
    require((json[0] == NULL) == (json[1] == NULL));
    if (json[0] != NULL)
        check_same(json[0], json[1]);
}

static char *regions_document(const sonata_program *program)
{
    sonata_regions regions;
    char *json = NULL;
    require(sonata_ir_regions(&regions, program, NULL) == SONATA_OK);
    require(regions.count > 0 && regions.static_count <= regions.count);
    require(sonata_regions_json(&json, NULL, &regions, true, NULL) ==
            SONATA_OK);
    sonata_regions_free(&regions);
    return json;
}

/* NULL when the regions cannot be planned. */
static char *plans_document(const sonata_program *program,
                            const sonata_ir_options *options)
{
    sonata_region_plans plans;
    char *json = NULL;
    sonata_status status =
        sonata_ir_plan_regions(&plans, program, options, NULL);
    if (status != SONATA_OK)
        return NULL;
    for (size_t i = 0; i < plans.count; i++)
        if (!plans.items[i].region.is_dynamic)
            check_result(&plans.items[i].result);
    for (size_t i = 0; i < plans.border_count; i++)
        require(plans.borders[i].producer < plans.borders[i].consumer &&
                plans.borders[i].consumer < plans.count);
    require(sonata_region_plans_json(&json, NULL, &plans, false, NULL) ==
            SONATA_OK);
    sonata_region_plans_free(&plans);
    return json;
}

static void plan_regions(const sonata_program *program,
                         const sonata_program *again,
                         const sonata_ir_options *options)
{
    char *first = plans_document(program, options);
    char *second = plans_document(again, options);
    require((first == NULL) == (second == NULL));
    if (first != NULL)
        check_same(first, second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const sonata_ir_options options[] = {
        {.policy = "sequential_v0"},
        {.policy = "dataflow_v0", .certified = true},
        {.policy = "dataflow_v0", .entry = SONATA_TEXT_INIT("main")},
        {.policy = "mixed"},
    };
    sonata_program *program = NULL;
    sonata_program *again = NULL;
    sonata_error error = {0};
    sonata_status status =
        sonata_ir_read(&program, (const char *)data, size, &error);
    require(status == sonata_ir_read(&again, (const char *)data, size, NULL));
    require((status == SONATA_OK) == (program != NULL));
    require(status == SONATA_OK || error.message[0] != '\0');
    if (program == NULL)
        return 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        plan(program, again, &options[i]);
        graphs(program, again, &options[i]);
        plan_regions(program, again, &options[i]);
    }
    check_same(regions_document(program), regions_document(again));
    sonata_program_free(program);
    sonata_program_free(again);
    return 0;
}
