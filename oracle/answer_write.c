/* What the Score of an answer must be, as text. */
#include "answer_work.h"

#include <string.h>

static void put_edges(oracle_canon *c, const answer_edges *edges)
{
    oracle_out *out = &c->out;
    oracle_out_text(out, "[");
    for (uint32_t i = 0; i < edges->count; i++) {
        const answer_edge *e = &edges->list[i];
        oracle_out_text(out, i > 0 ? ",{\"consumer\":" : "{\"consumer\":");
        oracle_out_int(out, e->to);
        oracle_out_text(out, ",\"kind\":\"");
        oracle_out_text(out, answer_kinds[e->kind]);
        oracle_out_text(out, "\",\"producer\":");
        oracle_out_int(out, e->from);
        oracle_out_text(out, "}");
    }
    oracle_out_text(out, "]");
}

/* The text of an object with other members in it, and some left out. */
static bool put_metadata(answering *a, oracle_canon *c)
{
    static const char *const gone[] = {"dependency_policy",
                                       "dependency_policy_fallback_reason",
                                       "requested_dependency_policy"};
    const oracle_json *json = &a->input;
    uint32_t node = a->read.metadata;
    oracle_out raw = {0};
    oracle_json changed;
    oracle_error error;
    oracle_out_format(&raw, "{\"dependency_policy\":\"%s\"", a->options.policy);
    for (uint32_t at = node == ORACLE_NONE ? 0 : node + 1;
         node != ORACLE_NONE && at < oracle_json_next(json, node);
         at = oracle_json_next(json, at + 1)) {
        bool left = false;
        for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
            left = left || oracle_json_is(json, at, gone[i], strlen(gone[i]));
        }
        if (!left) {
            oracle_canon one = {.out = raw};
            oracle_out_text(&one.out, ",");
            oracle_canon_text(&one, json, at);
            oracle_out_text(&one.out, ":");
            oracle_canon_value(&one, json, at + 1);
            raw = one.out;
        }
    }
    oracle_out_text(&raw, "}");
    bool ok = !raw.failed && oracle_json_parse(&changed, raw.data, raw.length,
                                               &error) == ORACLE_OK;
    if (ok) {
        oracle_canon_value(c, &changed, 0);
        oracle_json_free(&changed);
    }
    oracle_out_free(&raw);
    return ok;
}

bool answer_write_score(answering *a, const oracle_json *json, uint32_t node,
                        const answer_edges *edges)
{
    static const char *const fields[ANSWER_PARTS] = {
        "dependencies",   "metadata",          "name", "runtime_target",
        "schema_version", "shape_assumptions", "tasks"};
    oracle_canon *c = &a->text;
    for (size_t i = 0; i < ANSWER_PARTS; i++) {
        oracle_out_text(&c->out, i == 0 ? "{" : ",");
        a->part[i] = c->out.length;
        oracle_out_format(&c->out, "\"%s\":", fields[i]);
        if (edges != NULL && i == 0) {
            put_edges(c, edges);
        } else if (edges != NULL && i == 1) {
            if (!put_metadata(a, c)) {
                return false;
            }
        } else {
            oracle_canon_score_field(c, json, node, fields[i]);
        }
    }
    oracle_out_text(&c->out, "}");
    a->part[ANSWER_PARTS] = c->out.length;
    return !c->out.failed;
}
