/* Every kind of document, with a sample and a way there and back. */
#ifndef TESTS_DOCUMENT_KINDS_H
#define TESTS_DOCUMENT_KINDS_H

#include <stdlib.h>
#include <string.h>

#include "sonata/bundle.h"
#include "sonata/cache.h"
#include "sonata/eligibility.h"
#include "sonata/memory.h"
#include "sonata/runtime.h"

typedef sonata_status (*read_and_write)(char **json, const char *text,
                                        size_t length, bool pretty,
                                        sonata_reasons *warnings,
                                        sonata_error *error);

typedef struct document_kind {
    const char *name;
    const char *sample;
    read_and_write there_and_back;
} document_kind;

/* Makes the function that reads a document of a type and writes it again. */
#define THERE_AND_BACK(function, type, prefix)                                 \
    static inline sonata_status function(                                      \
        char **json, const char *text, size_t length, bool pretty,             \
        sonata_reasons *warnings, sonata_error *error)                         \
    {                                                                          \
        type model;                                                            \
        *json = NULL;                                                          \
        sonata_status status =                                                 \
            prefix##_read(&model, text, length, warnings, error);              \
        if (status == SONATA_OK)                                               \
            status = prefix##_json(json, NULL, &model, pretty, error);         \
        prefix##_free(&model);                                                 \
        return status;                                                         \
    }

THERE_AND_BACK(redo_score, sonata_score, sonata_score)
THERE_AND_BACK(redo_handle, sonata_handle, sonata_handle)
THERE_AND_BACK(redo_hbg, sonata_hbg_plan, sonata_hbg_plan)
THERE_AND_BACK(redo_eligibility, sonata_eligibility, sonata_eligibility)
THERE_AND_BACK(redo_memory, sonata_memory_plan, sonata_memory_plan)
THERE_AND_BACK(redo_bundle, sonata_bundle, sonata_bundle)
THERE_AND_BACK(redo_adapters, sonata_adapters, sonata_adapters)

static inline sonata_status redo_cache(char **json, const char *text,
                                       size_t length, bool pretty,
                                       sonata_reasons *warnings,
                                       sonata_error *error)
{
    sonata_cache *cache = NULL;
    *json = NULL;
    sonata_status status = sonata_cache_new(&cache, error);
    if (status == SONATA_OK)
        status = sonata_cache_read(cache, text, length, warnings, error);
    if (status == SONATA_OK)
        status = sonata_cache_json(json, NULL, cache, pretty, error);
    sonata_cache_free(cache);
    return status;
}

#define SAMPLE_TARGET                                                          \
    "{\"aicpu_thread_num\":4,\"config_comment\":[\"c\"],"                      \
    "\"function_name\":\"build_s_graph\",\"runtime\":\"host_build_graph\"}"

#define SAMPLE_SCORE                                                           \
    "{\"dependencies\":[{\"consumer\":1,\"kind\":\"war\",\"producer\":0}],"    \
    "\"metadata\":{\"a\":[1.5,{}]},\"name\":\"s\",\"runtime_"                  \
    "target\":" SAMPLE_TARGET                                                  \
    ",\"schema_version\":1,\"shape_assumptions\":[{\"dims\":"                  \
    "[4,8],\"symbol\":\"n\"}],\"tasks\":[{\"arg_directions\":[\"Input\","      \
    "\"Output\"],\"arg_storage_keys\":[\"param:x\",null],\"args\":[\"x\","     \
    "-7],\"core_type\":\"aiv\",\"func_id\":0,\"name\":\"k\",\"task_id\":0},"   \
    "{\"arg_directions\":[],\"arg_storage_keys\":[],\"args\":[],"              \
    "\"core_type\":\"mixed\",\"func_id\":1,\"name\":null,\"task_id\":1}]}"

#define SAMPLE_FINGERPRINT                                                     \
    "0f604e70e068f9211f87eec1ca36e1633f543bc645d0b5ea85597c488be04749"

#define SAMPLE_HANDLE                                                          \
    "{\"arg_bindings\":[{\"arg_index\":0,\"direction\":\"Input\","             \
    "\"runtime_handle\":{\"slot\":[1]},\"storage_key\":\"param:x\","           \
    "\"task_id\":0}],\"func_registry\":[{\"name\":\"k\",\"runtime_func_id\":"  \
    "3,\"sonata_func_id\":0},{\"name\":\"l\",\"runtime_func_id\":null,"        \
    "\"sonata_func_id\":1}],\"metadata\":{},\"runtime_contract_version\":1,"   \
    "\"runtime_target\":" SAMPLE_TARGET ",\"schema_version\":1,"               \
    "\"score_fingerprint\":\"" SAMPLE_FINGERPRINT "\","                        \
    "\"source_adapter\":\"post_simplify\"}"

static const document_kind kinds[] = {
    {"score", SAMPLE_SCORE, redo_score},
    {"handle", SAMPLE_HANDLE, redo_handle},
    {"hbg",
     "{\"edges\":[{\"consumer\":1,\"producer\":0}],\"metadata\":{"
     "\"runtime_contract_version\":1,\"runtime_target\":\"host_build_graph\","
     "\"schema_version\":1,\"score_fingerprint\":\"f\",\"source_adapter\":"
     "\"post_simplify\"},\"tasks\":[{\"core_type\":\"aiv\",\"func_id\":5,"
     "\"name\":null,\"runtime_args\":[null,[2]],\"task_id\":0}]}",
     redo_hbg},
    {"eligibility",
     "{\"eligible\":true,\"reason_details\":[{\"code\":\"some_code\","
     "\"message\":\"m\",\"severity\":\"warning\"}],\"reasons\":[],"
     "\"schema_version\":1,\"score\":" SAMPLE_SCORE "}",
     redo_eligibility},
    {"rejection",
     "{\"eligible\":false,\"reason_details\":[{\"code\":\"some_code\","
     "\"message\":\"m\",\"severity\":\"error\"}],\"reasons\":[\"m\"],"
     "\"schema_version\":1,\"score\":null}",
     redo_eligibility},
    {"memory",
     "{\"allocations\":[{\"offset\":0,\"size\":64,\"storage_key\":\"a\"},"
     "{\"offset\":64,\"size\":9223372036854775743,\"storage_key\":2.5}],"
     "\"kind\":\"memory_plan\",\"peak_memory\":9223372036854775807,"
     "\"policy\":\"greedy_v0\",\"version\":1}",
     redo_memory},
    {"adapters",
     "{\"adapters\":[{\"capabilities\":{\"arg_directions\":true,"
     "\"control_flow_regions\":false,\"dependency_kinds\":true,"
     "\"runtime_scopes\":false,\"static_shapes\":true,\"storage_keys\":false},"
     "\"certified_dump\":\"d\",\"name\":\"a\",\"version\":2}],"
     "\"schema_version\":1}",
     redo_adapters},
    {"bundle",
     "{\"kind\":\"bundle\",\"members\":[{\"document\":\"just text\","
     "\"role\":\"trace\",\"sha256\":"
     "\"2d97799dd0b1f3725dd11084315d8b7bcd4250e2e659aadf9b27cd39ee1d9521\"},"
     "{\"role\":\"source\",\"sha256\":"
     "\"59b271ae1bbcb1d31d41929817f4b16fb439eb4f31520b5ad1d5ce98920a7138\","
     "\"text\":\"a\\u0000b\"}],\"version\":1}",
     redo_bundle},
    {"cache",
     "{\"cache_schema_version\":1,\"entries\":{\"" SAMPLE_FINGERPRINT
     "\":{\"created_at\":12.5,\"fingerprint_version\":1,\"metadata\":{},"
     "\"plan_handle\":" SAMPLE_HANDLE
     ",\"schema_version\":1,\"score\":" SAMPLE_SCORE "},\"other\":{"
     "\"schema_version\":2,\"score\":[]}}}",
     redo_cache},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static inline const document_kind *kind_of(const char *name)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

#endif
