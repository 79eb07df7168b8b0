#include "companions.h"

#include <stdlib.h>
#include <string.h>

#include "serve.h"

/* The companions of a request, as cli_frontend_compare takes them. */
typedef struct companions {
    cli_text *texts; /* name and text, or problem, in turn */
    bool *unreadable;
    size_t count;
    const char **cpp;
    size_t *cpp_length;
    const char **cpp_name;
    const char **cpp_problem;
} companions;

static void free_companions(companions *list)
{
    for (size_t i = 0; list->texts != NULL && i < 2 * list->count; i++)
        cli_text_free(&list->texts[i]);
    free(list->texts);
    free(list->unreadable);
    free(list->cpp);
    free(list->cpp_length);
    free(list->cpp_name);
    free(list->cpp_problem);
}

static size_t count_items(cli_span array)
{
    cli_walk walk;
    cli_span key, value;
    size_t count = 0;
    if (array.data == NULL || !cli_walk_array(&walk, array))
        return 0;
    while (cli_walk_next(&walk, &key, &value))
        count++;
    return count;
}

static bool read_companion(companions *list, size_t i, cli_span item)
{
    cli_span name, text;
    list->unreadable[i] = cli_span_member(&text, item, "problem");
    if (!cli_span_member(&name, item, "name") ||
        (!list->unreadable[i] && !cli_span_member(&text, item, "text")) ||
        !cli_span_text(&list->texts[2 * i], name) ||
        !cli_span_text(&list->texts[2 * i + 1], text))
        return false;
    cli_text_put(&list->texts[2 * i], "");
    cli_text_put(&list->texts[2 * i + 1], "");
    return !list->texts[2 * i].failed && !list->texts[2 * i + 1].failed;
}

static int read_companions(companions *list, cli_span array)
{
    size_t count = count_items(array);
    list->texts = calloc(2 * count + 1, sizeof *list->texts);
    list->unreadable = calloc(count + 1, sizeof *list->unreadable);
    list->cpp = calloc(count + 1, sizeof *list->cpp);
    list->cpp_length = calloc(count + 1, sizeof *list->cpp_length);
    list->cpp_name = calloc(count + 1, sizeof *list->cpp_name);
    list->cpp_problem = calloc(count + 1, sizeof *list->cpp_problem);
    if (list->texts == NULL || list->unreadable == NULL || list->cpp == NULL ||
        list->cpp_length == NULL || list->cpp_name == NULL ||
        list->cpp_problem == NULL)
        return CLI_SERVE_NO_MEMORY;
    list->count = count;
    cli_walk walk;
    cli_span key, item;
    if (count == 0 || !cli_walk_array(&walk, array))
        return 0;
    for (size_t i = 0; i < count && cli_walk_next(&walk, &key, &item); i++)
        if (!read_companion(list, i, item))
            return CLI_SERVE_BAD_REQUEST;
    return 0;
}

static void sort_companions(cli_frontend_input *input, companions *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const cli_text *name = &list->texts[2 * i];
        const cli_text *text = name + 1;
        const char *problem = list->unreadable[i] ? text->data : NULL;
        if (strcmp(name->data, "exporter.json") == 0) {
            input->exporter = text->data;
            input->exporter_length = text->length;
            input->exporter_problem = problem;
            continue;
        }
        list->cpp_problem[input->cpp_count] = problem;
        list->cpp[input->cpp_count] = text->data;
        list->cpp_length[input->cpp_count] = text->length;
        list->cpp_name[input->cpp_count] = name->data;
        input->cpp_count++;
    }
    input->cpp = list->cpp;
    input->cpp_length = list->cpp_length;
    input->cpp_name = list->cpp_name;
    input->cpp_problem = list->cpp_problem;
}

static int compare(cli_text *out, int64_t id, const cli_frontend_input *input)
{
    cli_frontend_result result = {0};
    if (cli_frontend_compare(&result, input) != CLI_FRONTEND_OK)
        return CLI_SERVE_NO_MEMORY;
    uint32_t compared = 0;
    for (uint32_t i = 0; i < result.compared_count; i++)
        compared += result.compared[i].compared;
    cli_text_printf(out, "{\"compared\":%u,\"findings\":[", (unsigned)compared);
    for (uint32_t i = 0; i < result.count; i++) {
        if (i > 0)
            cli_text_put(out, ",");
        cli_text_put(out, result.findings[i].json);
    }
    cli_text_printf(out, "],\"id\":%lld,\"left_out\":%u}\n", (long long)id,
                    (unsigned)(result.compared_count - compared));
    cli_frontend_free(&result);
    return 0;
}

int cli_companions_compare(cli_text *out, int64_t id, cli_frontend_input *input,
                           cli_span array)
{
    companions list = {0};
    int status = read_companions(&list, array);
    if (status == 0) {
        sort_companions(input, &list);
        status = compare(out, id, input);
    }
    free_companions(&list);
    return status;
}
