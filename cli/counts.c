#include "counts.h"

#include <stdlib.h>
#include <string.h>

static const char *source_name(oracle_source source)
{
    switch (source) {
    case ORACLE_EXPLICIT:
        return "explicit";
    case ORACLE_AUTOMATIC:
        return "automatic";
    case ORACLE_RECORDED:
        return "recorded";
    case ORACLE_POLICY:
        break;
    }
    return "policy";
}

static int by_group(const void *a, const void *b)
{
    const oracle_edge *x = *(const oracle_edge *const *)a;
    const oracle_edge *y = *(const oracle_edge *const *)b;
    int order = strcmp(source_name(x->source), source_name(y->source));
    if (order != 0)
        return order;
    size_t shorter =
        x->kind.length < y->kind.length ? x->kind.length : y->kind.length;
    if (shorter > 0)
        order = memcmp(x->kind.data, y->kind.data, shorter);
    if (order != 0)
        return order;
    if (x->kind.length != y->kind.length)
        return x->kind.length < y->kind.length ? -1 : 1;
    return (int)y->certain - (int)x->certain;
}

static uint64_t count_deps(const oracle_document *document)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < document->dep_count; i++)
        count += document->deps[i].cause == ORACLE_DEP_TASK;
    return count;
}

static void put_group(cli_text *out, const oracle_edge *edge, size_t count)
{
    cli_text name = {0};
    cli_text_put(&name, source_name(edge->source));
    if (edge->kind.length > 0) {
        cli_text_put(&name, " ");
        cli_text_add(&name, edge->kind.data, edge->kind.length);
    }
    if (!edge->certain)
        cli_text_put(&name, " perhaps");
    out->failed |= name.failed;
    cli_text_put(out, ",");
    cli_text_json(out, name.data, name.length);
    cli_text_printf(out, ":%zu", count);
    cli_text_free(&name);
}

/* Groups are runs of the sorted list; bare explicit edges join the deps. */
static void put_edges(cli_text *out, const oracle_document *document,
                      const oracle_edge **edges)
{
    uint64_t explicit_count = count_deps(document);
    cli_text groups = {0};
    uint32_t count = document->edge_count;
    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count; next++)
            if (by_group(&edges[i], &edges[next]) != 0)
                break;
        if (edges[i]->source == ORACLE_EXPLICIT)
            explicit_count += next - i;
        else
            put_group(&groups, edges[i], next - i);
    }
    cli_text_printf(out, "\"edges\":{\"explicit\":%llu",
                    (unsigned long long)explicit_count);
    cli_text_add(out, groups.data, groups.length);
    cli_text_put(out, "}");
    out->failed |= groups.failed;
    cli_text_free(&groups);
}

void cli_counts_put(cli_text *out, const oracle_document *document)
{
    const oracle_edge **edges =
        calloc((size_t)document->edge_count + 1, sizeof *edges);
    if (edges == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t i = 0; i < document->edge_count; i++)
        edges[i] = &document->edges[i];
    qsort(edges, document->edge_count, sizeof *edges, by_group);
    cli_text_printf(out, "{\"args\":%u,\"buffers\":%u,", document->arg_count,
                    document->buffer_count);
    put_edges(out, document, edges);
    cli_text_printf(out, ",\"tasks\":%u}", document->task_count);
    free(edges);
}
