#include "exporter.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_LIMIT (8U << 20)
/* Wrappers call wrappers; a map that needs more rounds stays unknown. */
#define ROUNDS 8
#define WRAPPER_TASKS 1000 /* a wrapper calls a kernel or two */
#define FIELDS 32
#define NESTING (CJSON_NESTING_LIMIT + 1)

const cJSON *exporter_get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

frontend_text exporter_text(const cJSON *object, const char *name)
{
    const cJSON *item = exporter_get(object, name);
    return cJSON_IsString(item) ? frontend_string(item->valuestring)
                                : (frontend_text){"", 0};
}

static bool is_text(const cJSON *object, const char *name, const char *value)
{
    return frontend_same(exporter_text(object, name), frontend_string(value));
}

static int compare_texts(frontend_text a, frontend_text b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_functions(const void *a, const void *b)
{
    const exporter_function *left = a;
    const exporter_function *right = b;
    return compare_texts(left->name, right->name);
}

const exporter_function *exporter_find(const exporter_file *file,
                                       frontend_text name)
{
    uint32_t low = 0;
    uint32_t high = file->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_texts(file->functions[middle].name, name);
        if (order == 0)
            return &file->functions[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static frontend_status read_returns(exporter_file *file,
                                    exporter_function *function)
{
    const cJSON *item;
    function->first_return = file->return_count;
    cJSON_ArrayForEach(item, exporter_get(function->json, "return_params"))
    {
        if (!frontend_grow(&file->returns, &file->return_room,
                           file->return_count, sizeof *file->returns))
            return FRONTEND_NO_MEMORY;
        bool known = cJSON_IsNumber(item) && item->valuedouble >= 0 &&
                     item->valuedouble < function->params;
        file->returns[file->return_count++] =
            known ? (uint32_t)item->valuedouble : FRONTEND_NONE;
        function->returns++;
    }
    return FRONTEND_OK;
}

static frontend_status read_functions(exporter_file *file, const cJSON *list)
{
    const cJSON *item;
    uint32_t count = 0;
    cJSON_ArrayForEach(item, list) count++;
    file->functions = calloc(count + (size_t)1, sizeof *file->functions);
    file->candidates = calloc(count + (size_t)1, sizeof *file->candidates);
    if (file->functions == NULL || file->candidates == NULL)
        return FRONTEND_NO_MEMORY;
    cJSON_ArrayForEach(item, list)
    {
        exporter_function *function = &file->functions[file->function_count++];
        function->json = item;
        function->name = exporter_text(item, "name");
        function->body = exporter_get(item, "body");
        const cJSON *param;
        cJSON_ArrayForEach(param, exporter_get(item, "params"))
            function->params++;
        frontend_status status = read_returns(file, function);
        if (status != FRONTEND_OK)
            return status;
    }
    qsort(file->functions, file->function_count, sizeof *file->functions,
          compare_functions);
    return FRONTEND_OK;
}

static bool is_host(const exporter_function *function)
{
    return is_text(function->json, "level", "HOST") &&
           is_text(function->json, "role", "Orchestrator");
}

static void find_candidates(exporter_file *file)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < file->function_count; i++) {
            const exporter_function *function = &file->functions[i];
            bool host = is_host(function);
            bool wanted = pass == 0 ? host
                                    : !host && is_text(function->json, "type",
                                                       "Orchestration");
            if (wanted && function->body != NULL)
                file->candidates[file->candidate_count++] = i;
        }
}

static frontend_status trace_function(exporter_file *file,
                                      const exporter_function *function,
                                      uint32_t *found, bool *changed)
{
    uint32_t *known = file->returns + function->first_return;
    frontend_outline scratch;
    frontend_outline_init(&scratch);
    scratch.steps = file->steps;
    scratch.task_limit = WRAPPER_TASKS;
    frontend_status status = exporter_run(&scratch, file, function, found);
    file->steps = scratch.steps;
    frontend_outline_free(&scratch);
    for (uint32_t k = 0; status == FRONTEND_OK && k < function->returns; k++) {
        if (known[k] != FRONTEND_NONE || found[k] == FRONTEND_NONE)
            continue;
        known[k] = found[k];
        *changed = true;
    }
    return status == FRONTEND_NO_MEMORY ? status : FRONTEND_OK;
}

static bool is_open(const exporter_file *file,
                    const exporter_function *function)
{
    for (uint32_t k = 0; k < function->returns; k++)
        if (file->returns[function->first_return + k] == FRONTEND_NONE)
            return function->body != NULL;
    return false;
}

/*
 * Where the exporter found no parameter for a result, its own body may still
 * tell: a wrapper returns what an inner call returned.
 */
static frontend_status trace_returns(exporter_file *file)
{
    uint32_t *found = malloc((file->return_count + (size_t)1) * sizeof *found);
    frontend_status status = found == NULL ? FRONTEND_NO_MEMORY : FRONTEND_OK;
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed; round++) {
        changed = false;
        for (uint32_t i = 0; status == FRONTEND_OK && i < file->function_count;
             i++)
            if (is_open(file, &file->functions[i]))
                status =
                    trace_function(file, &file->functions[i], found, &changed);
    }
    free(found);
    return status;
}

/*
 * Fields are found one after the other, again in each iteration: an object
 * with many would make that slow. PyPTO writes up to twelve.
 */
static bool has_large_object(const cJSON *json)
{
    const cJSON *stack[NESTING];
    uint32_t depth = 0;
    for (const cJSON *at = json; at != NULL;) {
        int fields = 0;
        if (cJSON_IsObject(at))
            for (const cJSON *f = at->child; f != NULL && fields <= FIELDS;
                 f = f->next)
                fields++;
        if (fields > FIELDS || depth == NESTING)
            return true;
        if (at->child != NULL) {
            stack[depth++] = at;
            at = at->child;
            continue;
        }
        while (at->next == NULL && depth > 0)
            at = stack[--depth];
        at = at->next;
    }
    return false;
}

static frontend_status refuse(char reason[200], const char *text)
{
    strcpy(reason, text);
    return FRONTEND_BAD;
}

static frontend_status parse(exporter_file *file, const char *text,
                             size_t length, char reason[200])
{
    if (length > TEXT_LIMIT)
        return refuse(reason, "it is larger than 8 MiB");
    file->json = cJSON_ParseWithLength(text, length);
    if (file->json == NULL)
        return refuse(reason, "it is not JSON");
    if (has_large_object(file->json))
        return refuse(reason, "an object in it has more than 32 fields");
    const cJSON *functions = exporter_get(file->json, "functions");
    if (!is_text(file->json, "schema", "pypto-orch-ir/0"))
        return refuse(reason, "its schema is not pypto-orch-ir/0");
    if (!cJSON_IsArray(functions))
        return refuse(reason, "it has no list of functions");
    frontend_status status = read_functions(file, functions);
    if (status != FRONTEND_OK)
        return status;
    find_candidates(file);
    return trace_returns(file);
}

frontend_status exporter_open(exporter_file **opened, const char *text,
                              size_t length, char reason[200])
{
    exporter_file *made = calloc(1, sizeof *made);
    if (made == NULL)
        return FRONTEND_NO_MEMORY;
    made->steps = FRONTEND_STEPS;
    frontend_status status = parse(made, text, length, reason);
    if (status != FRONTEND_OK) {
        exporter_close(made);
        return status;
    }
    *opened = made;
    return FRONTEND_OK;
}

void exporter_close(exporter_file *file)
{
    if (file == NULL)
        return;
    cJSON_Delete(file->json);
    free(file->functions);
    free(file->returns);
    free(file->candidates);
    free(file);
}

uint32_t exporter_candidates(const exporter_file *file)
{
    return file->candidate_count;
}

frontend_status exporter_outline(frontend_outline *outline, exporter_file *file,
                                 uint32_t index)
{
    const exporter_function *function =
        &file->functions[file->candidates[index]];
    outline->function = function->name;
    outline->steps = file->steps;
    frontend_status status = exporter_run(outline, file, function, NULL);
    file->steps = outline->steps;
    return status;
}

void exporter_grant(exporter_file *file, uint64_t steps)
{
    file->steps += steps;
}
