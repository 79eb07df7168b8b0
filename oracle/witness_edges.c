/* Witnesses of the rules on edges. */
#include "judge_edges.h"
#include "witness.h"

static const char *finish(oracle_out *out, oracle_arena *arena)
{
    const char *text =
        out->failed ? NULL : oracle_arena_text(arena, out->data, out->length);
    oracle_out_free(out);
    return text;
}

static void put_edge(oracle_out *out, const oracle_document *d, uint32_t from,
                     uint32_t to)
{
    oracle_out_text(out, "{\"edge\":[");
    oracle_out_int(out, d->tasks[from].id);
    oracle_out_text(out, ",");
    oracle_out_int(out, d->tasks[to].id);
    oracle_out_text(out, "]");
}

const char *oracle_witness_fan(const oracle_document *document, uint32_t task,
                               uint32_t predecessors, const bool *choices,
                               oracle_arena *arena)
{
    oracle_out out = {0};
    oracle_out_text(&out, "{");
    if (document->choice_count > 0) {
        oracle_witness_choices(&out, document, choices);
        oracle_out_text(&out, ",");
    }
    oracle_out_format(&out,
                      "\"predecessors\":%u,\"task\":", (unsigned)predecessors);
    oracle_out_int(&out, document->tasks[task].id);
    oracle_out_text(&out, "}");
    return finish(&out, arena);
}

const char *oracle_witness_path(const oracle_document *document,
                                const uint32_t *path, uint32_t count,
                                oracle_arena *arena)
{
    oracle_out out = {0};
    oracle_out_text(&out, "{\"path\":[");
    for (uint32_t i = 0; i < count; i++) {
        oracle_out_text(&out, i == 0 ? "" : ",");
        oracle_out_int(&out, document->tasks[path[i]].id);
    }
    oracle_out_text(&out, "]}");
    return finish(&out, arena);
}

const char *oracle_witness_label(const oracle_document *document,
                                 const oracle_edge *edge, oracle_arena *arena)
{
    oracle_out out = {0};
    put_edge(&out, document, edge->from, edge->to);
    oracle_out_text(&out, ",\"kind\":");
    oracle_out_string(&out, edge->kind.data, edge->kind.length);
    oracle_out_text(&out, "}");
    return finish(&out, arena);
}

const char *oracle_witness_false(const oracle_document *document, uint32_t from,
                                 uint32_t to, const oracle_edge_reason *reasons,
                                 uint32_t count, oracle_arena *arena)
{
    oracle_out out = {0};
    put_edge(&out, document, from, to);
    oracle_out_text(&out, ",\"sources\":[");
    for (uint32_t i = 0; i < count; i++) {
        const oracle_edge_reason *r = &reasons[i];
        oracle_out_text(&out, i == 0 ? "{" : ",{");
        if (r->from_arg != ORACLE_NONE) {
            oracle_out_format(&out, "\"from_arg\":%u,", (unsigned)r->from_arg);
        }
        oracle_out_text(&out, r->source == ORACLE_POLICY
                                  ? "\"source\":\"policy\""
                                  : "\"source\":\"automatic\"");
        if (r->to_arg != ORACLE_NONE) {
            oracle_out_format(&out, ",\"to_arg\":%u", (unsigned)r->to_arg);
        }
        oracle_out_text(&out, "}");
    }
    oracle_out_text(&out, "]}");
    return finish(&out, arena);
}
