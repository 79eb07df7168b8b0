/* Planning a small dump in a test and looking at what comes out. */
#ifndef DUMP_SUPPORT_H
#define DUMP_SUPPORT_H

#include "../../scripts/testing/harness.h"

#include "sonata/dump.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
    "# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\n"         \
    "class P:\n"
#define AIV                                                                    \
    "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, "          \
    "role=pl.Role.SubWorker)\n"
#define ORCH                                                                   \
    "    @pl.function(type=pl.FunctionType.Orchestration, "                    \
    "level=pl.Level.CHIP, role=pl.Role.Orchestrator)\n"
#define T64 "pl.Tensor[[64, 64], pl.FP32]"
#define TILE "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec]"
/* Reads all of x, writes all of o, returns o. */
#define COPY                                                                   \
    AIV "    def copy(x: " T64 ", o: pl.Out[" T64 "]) -> " T64 ":\n"           \
        "        t: " TILE " = pl.tile.load(x, [0, 0], [64, 64], [64, 64])\n"  \
        "        r: " T64 " = pl.tile.store(t, [0, 0], o)\n"                   \
        "        return o\n"
#define DIRS(list) "attrs={\"arg_directions\": [" list "]}"
#define IN "pl.adir.input"
#define OUT "pl.adir.output_existing"

typedef struct planned {
    char *text;
    cJSON *bundle;
    const cJSON *graph; /* borrowed */
    sonata_status status;
    sonata_error error;
} planned;

static inline planned plan_text(const char *text)
{
    planned p = {0};
    size_t length = 0;
    p.status =
        sonata_dump_plan(&p.text, &length, text, strlen(text), NULL, &p.error);
    if (p.status != SONATA_OK)
        return p;
    assert_int_equal(length, strlen(p.text));
    p.bundle = cJSON_Parse(p.text);
    assert_non_null(p.bundle);
    const cJSON *members = cJSON_GetObjectItem(p.bundle, "members");
    p.graph = cJSON_GetObjectItem(cJSON_GetArrayItem(members, 0), "document");
    assert_non_null(p.graph);
    return p;
}

static inline void plan_free(planned *p)
{
    cJSON_Delete(p->bundle);
    free(p->text);
}

/* Compares one part of the graph with its compact JSON. */
static inline void assert_json(const cJSON *node, const char *expected)
{
    char *text = node != NULL ? cJSON_PrintUnformatted(node) : NULL;
    assert_non_null(text);
    assert_string_equal(text, expected);
    cJSON_free(text);
}

static inline const cJSON *task_of(const planned *p, int task)
{
    const cJSON *t =
        cJSON_GetArrayItem(cJSON_GetObjectItem(p->graph, "tasks"), task);
    assert_non_null(t);
    return t;
}

static inline const cJSON *arg_of(const planned *p, int task, int arg)
{
    const cJSON *a =
        cJSON_GetArrayItem(cJSON_GetObjectItem(task_of(p, task), "args"), arg);
    assert_non_null(a);
    return a;
}

static inline void assert_key(const planned *p, int task, int arg,
                              const char *key)
{
    const cJSON *b = cJSON_GetObjectItem(arg_of(p, task, arg), "buffer");
    assert_non_null(b);
    assert_string_equal(b->valuestring, key);
}

#endif
