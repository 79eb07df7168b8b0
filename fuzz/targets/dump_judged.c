/*
 * What the planner writes of any dump is a document that the oracle reads: a
 * refusal, or a field that it does not know, is a fault of one of the two.
 */
#include "oracle/judge.h"
#include "sonata/dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sonata_error error = {0};
    char *bundle = NULL;
    size_t length = 0;
    sonata_dump_options options = {.max_tasks = 64};
    oracle_judgement judgement;
    if (sonata_dump_plan(&bundle, &length, (const char *)data, size, &options,
                         &error) != SONATA_OK)
        return 0;
    if (oracle_judge_text(&judgement, bundle, length, NULL) == ORACLE_OK) {
        for (uint32_t i = 0; i < judgement.count; i++)
            if (strncmp(judgement.findings[i].rule, "doc.", 4) == 0) {
                fprintf(stderr, "%s\n%s\n", judgement.findings[i].message,
                        bundle);
                abort();
            }
        oracle_judgement_free(&judgement);
    }
    free(bundle);
    return 0;
}
