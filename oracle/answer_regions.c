/* The regions of a program in an answer (spec 05). */
#include "answer_program.h"
#include "number.h"

#include <stdio.h>
#include <string.h>

/* Whether the whole program is the region, which then is no fallback. */
static void put_fallback(oracle_out *out, const char *flow, bool whole)
{
    bool scope = strcmp(flow, "RuntimeScopeStmt") == 0;
    oracle_out_format(
        out, "{\"code\":\"%s\",\"message\":\"%s%s\",\"severity\":\"%s\"}",
        scope ? "unsupported_runtime_scope" : "control_flow_not_supported",
        flow,
        whole ? " is a dynamic region"
              : " region falls back to dynamic execution",
        whole ? "error" : "warning");
}

static void put_region(oracle_out *out, const answer_region *region,
                       uint32_t number, bool whole)
{
    bool dynamic = region->flow != NULL;
    oracle_out_text(out, number > 0 ? ",{\"control_flow_kind\":"
                                    : "{\"control_flow_kind\":");
    if (dynamic) {
        oracle_out_format(out, "\"%s\"", region->flow);
    } else {
        oracle_out_text(out, "null");
    }
    oracle_out_text(out, ",\"fallback\":");
    if (dynamic) {
        put_fallback(out, region->flow, whole);
    } else {
        oracle_out_text(out, "null");
    }
    oracle_out_format(out,
                      ",\"kind\":\"%s\",\"node_count\":%u,\"region_id\":%u}",
                      dynamic ? "dynamic" : "static", (unsigned)region->nodes,
                      (unsigned)number);
}

static void put_regions(oracle_out *out, const answer_region *regions,
                        uint32_t count, bool whole)
{
    char ratio[ORACLE_REPR_SIZE];
    uint32_t fixed = 0;
    oracle_out_text(out, "{\"regions\":[");
    for (uint32_t i = 0; i < count; i++) {
        put_region(out, &regions[i], i, whole);
        fixed += regions[i].flow == NULL ? 1 : 0;
    }
    oracle_number_repr(ratio, (double)fixed / (double)count);
    oracle_out_format(out, "],\"static_ratio\":%s}", ratio);
}

/* One value of the member against what it must be; *same. */
static bool check_value(answering *a, const oracle_json *json, uint32_t wanted,
                        uint32_t found, uint32_t region, const char *name,
                        bool *same)
{
    char path[48] = "";
    *same = found != ORACLE_NONE;
    if (*same && !oracle_canon_same(json, wanted, &a->bundle, found, same)) {
        return false;
    }
    if (*same) {
        return true;
    }
    if (region != ORACLE_NONE) {
        snprintf(path, sizeof path, "regions[%u].", (unsigned)region);
    }
    const char *x = oracle_tell_value(a->arena, &a->bundle, found);
    const char *y = oracle_tell_value(a->arena, json, wanted);
    return x != NULL && y != NULL &&
           answer_report(a, "diff.validate", "regions",
                         "%s%s in the planner's member regions is %s, by the "
                         "rules it is %s",
                         path, name, x, y);
}

/* What a planner says of a region besides is its own. */
static bool check_fields(answering *a, const oracle_json *json, uint32_t wanted,
                         uint32_t found, uint32_t region, bool *same)
{
    for (uint32_t at = wanted + 1; *same && at < oracle_json_next(json, wanted);
         at = oracle_json_next(json, at + 1)) {
        char name[32] = "";
        uint32_t length = json->nodes[at].extent - 2;
        memcpy(name, json->text + json->nodes[at].offset + 1,
               length < sizeof name ? length : 0);
        if (!check_value(a, json, at + 1,
                         oracle_json_member(&a->bundle, found, name), region,
                         name, same)) {
            return false;
        }
    }
    return true;
}

static bool check_list(answering *a, const oracle_json *json)
{
    uint32_t member = a->member[ANSWER_REGIONS];
    uint32_t wanted = oracle_json_member(json, 0, "regions");
    uint32_t found = oracle_json_member(&a->bundle, member, "regions");
    bool same = true;
    if (found == ORACLE_NONE ||
        a->bundle.nodes[found].type != ORACLE_JSON_ARRAY ||
        oracle_list_length(json, wanted) !=
            oracle_list_length(&a->bundle, found)) {
        return check_value(a, json, wanted, found, ORACLE_NONE, "regions",
                           &same);
    }
    uint32_t i = wanted + 1, j = found + 1, region = 0;
    for (; same && i < oracle_json_next(json, wanted); region++) {
        if (!check_fields(a, json, i, j, region, &same)) {
            return false;
        }
        i = oracle_json_next(json, i);
        j = oracle_json_next(&a->bundle, j);
    }
    return !same ||
           check_value(a, json, oracle_json_member(json, 0, "static_ratio"),
                       oracle_json_member(&a->bundle, member, "static_ratio"),
                       ORACLE_NONE, "static_ratio", &same);
}

bool answer_check_regions(answering *a)
{
    answer_region *regions;
    uint32_t count;
    bool whole = false, parsed, ok;
    oracle_out text = {0};
    oracle_json json;
    oracle_error error;
    if (a->member[ANSWER_REGIONS] == ORACLE_NONE || a->is_score || a->is_dump) {
        return true;
    }
    if (!answer_parse_input(a, &parsed) ||
        (parsed &&
         !answer_regions_of(&regions, &count, &whole, &a->input, a->arena))) {
        return false;
    }
    if (!parsed || count == 0) {
        return true;
    }
    put_regions(&text, regions, count, whole);
    ok = !text.failed &&
         oracle_json_parse(&json, text.data, text.length, &error) == ORACLE_OK;
    if (ok) {
        ok = check_list(a, &json);
        oracle_json_free(&json);
    }
    oracle_out_free(&text);
    return ok;
}
