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

/* The regions of a program, and what is known of their Scores. */
typedef struct known_regions {
    answer_regions regions;
    bool planned;      /* each static one by itself */
    oracle_out result; /* of the only one, which is static; or empty */
} known_regions;

static void put_region(oracle_out *out, const known_regions *k, uint32_t number)
{
    const answer_region *region = &k->regions.list[number];
    bool dynamic = region->flow != NULL;
    oracle_out_text(out, number > 0 ? ",{\"control_flow_kind\":"
                                    : "{\"control_flow_kind\":");
    if (dynamic) {
        oracle_out_format(out, "\"%s\"", region->flow);
    } else {
        oracle_out_text(out, "null");
    }
    if (k->planned && dynamic) {
        oracle_out_text(out, ",\"eligibility\":null");
    } else if (k->result.length > 0) {
        oracle_out_text(out, ",\"eligibility\":");
        oracle_out_raw(out, k->result.data, k->result.length);
    }
    oracle_out_text(out, ",\"fallback\":");
    if (dynamic) {
        put_fallback(out, region->flow, k->regions.whole);
    } else {
        oracle_out_text(out, "null");
    }
    oracle_out_format(out,
                      ",\"kind\":\"%s\",\"node_count\":%u,\"region_id\":%u}",
                      dynamic ? "dynamic" : "static", (unsigned)region->nodes,
                      (unsigned)number);
}

static void put_regions(oracle_out *out, const known_regions *k)
{
    char ratio[ORACLE_REPR_SIZE];
    uint32_t fixed = 0, count = k->regions.count;
    oracle_out_text(out, k->planned && count == 1 ? "{\"borders\":[]," : "{");
    oracle_out_text(out, "\"regions\":[");
    for (uint32_t i = 0; i < count; i++) {
        put_region(out, k, i);
        fixed += k->regions.list[i].flow == NULL ? 1 : 0;
    }
    oracle_number_repr(ratio, (double)fixed / (double)count);
    oracle_out_format(out, "],\"schema_version\":1,\"static_ratio\":%s}",
                      ratio);
}

/* --- The Score of the only region --- */

/* A field of the Score's text, without its name and the sign behind it. */
static oracle_bytes field_of(const answering *a, unsigned part)
{
    const char *text = a->text.out.data + a->part[part];
    const char *value = strchr(text, ':') + 1;
    return (oracle_bytes){value, a->part[part + 1] - a->part[part] -
                                     (size_t)(value - text) - 1};
}

/* The target with the name in that of its function, if it has it. */
static void put_target(oracle_out *out, oracle_bytes target, oracle_bytes name)
{
    static const char build[] = "\"function_name\":\"build_";
    size_t inner = name.length - 2, skip = sizeof build - 1 + inner, at = 0;
    while (at + skip <= target.length &&
           (memcmp(target.data + at, build, sizeof build - 1) != 0 ||
            memcmp(target.data + at + sizeof build - 1, name.data + 1, inner) !=
                0)) {
        at++;
    }
    at = at + skip <= target.length ? at + skip : target.length;
    oracle_out_raw(out, target.data, at);
    if (at < target.length) {
        oracle_out_text(out, ".r0");
        oracle_out_raw(out, target.data + at, target.length - at);
    }
}

/* That of a second parameter of one name, or as if it were. */
static bool is_second(const answer_key *key)
{
    return key->length > 6 && memcmp(key->data, "param:", 6) == 0 &&
           memchr(key->data, '@', key->length) != NULL;
}

/* Those that the planner says, where it says some. */
static void put_own_shapes(oracle_out *out, const answering *a)
{
    static const char *const way[] = {"regions", "eligibility", "score",
                                      "shape_assumptions"};
    const oracle_json *json = &a->bundle;
    uint32_t at = a->member[ANSWER_REGIONS];
    for (size_t i = 0; at != ORACLE_NONE && i < sizeof way / sizeof *way; i++) {
        at = oracle_json_member(json, at, way[i]);
        if (i == 0 && at != ORACLE_NONE) {
            bool some = json->nodes[at].type == ORACLE_JSON_ARRAY &&
                        oracle_list_length(json, at) > 0;
            at = some ? at + 1 : ORACLE_NONE; /* of the only region */
        }
    }
    if (at == ORACLE_NONE) {
        oracle_out_text(out, "[]");
        return;
    }
    oracle_canon c = {.out = *out};
    oracle_canon_value(&c, json, at);
    *out = c.out;
}

/*
 * Of the parameters those that a task names, by their storage keys: the
 * planner's own where two of one name cannot be told apart. False: no memory.
 */
static bool put_shapes(oracle_out *out, const answering *a)
{
    static const char param[] = "param:";
    const answer_score *s = a->score;
    const oracle_json *json = s->json;
    bool first = true;
    for (uint32_t k = 0; k < s->distinct; k++) {
        if (!s->keys[k].number && is_second(&s->keys[k])) {
            put_own_shapes(out, a);
            return true;
        }
    }
    oracle_out_text(out, "[");
    for (uint32_t at = s->shapes + 1;
         s->shapes != ORACLE_NONE && at < oracle_json_next(json, s->shapes);
         at = oracle_json_next(json, at)) {
        size_t length, size;
        uint32_t symbol = oracle_json_member(json, at, "symbol");
        const char *name = oracle_node_text(json, symbol, &length, a->arena);
        size = sizeof param - 1 + length;
        char *key =
            name == NULL ? NULL : oracle_arena_alloc(a->arena, size + 1);
        if (key == NULL) {
            return false;
        }
        memcpy(key, param, sizeof param - 1);
        memcpy(key + sizeof param - 1, name, length);
        uint32_t found = oracle_table_find(&s->texts, key, size);
        if (found != ORACLE_NONE && s->keys[found].stored) {
            oracle_canon c = {.out = *out};
            oracle_out_text(&c.out, first ? "" : ",");
            oracle_canon_value(&c, json, at);
            *out = c.out;
            first = false;
        }
    }
    oracle_out_text(out, "]");
    return true;
}

/*
 * The only region is all of the program: its Score is the program's by another
 * name, and without parameters that no task touches.
 */
static bool put_score(oracle_out *out, const answering *a, bool whole)
{
    enum { DEPENDENCIES, METADATA, NAME, TARGET, VERSION, SHAPES, TASKS };
    const char *text = a->text.out.data;
    oracle_bytes name = field_of(a, NAME), target = field_of(a, TARGET);
    oracle_bytes shapes = field_of(a, SHAPES);
    oracle_out_text(out, "{");
    oracle_out_raw(out, text + a->part[DEPENDENCIES],
                   a->part[NAME] - a->part[DEPENDENCIES]);
    oracle_out_text(out, "\"name\":");
    oracle_out_raw(out, name.data, name.length - 1);
    oracle_out_text(out, ".r0\",\"runtime_target\":");
    put_target(out, target, name);
    oracle_out_text(out, ",\"schema_version\":1,\"shape_assumptions\":");
    if (whole) {
        oracle_out_raw(out, shapes.data, shapes.length);
    } else if (!put_shapes(out, a)) {
        return false;
    }
    oracle_out_text(out, ",");
    oracle_out_raw(out, text + a->part[TASKS],
                   a->part[ANSWER_PARTS] - a->part[TASKS]); /* and its end */
    return true;
}

/* False: no memory. */
static bool take_result(known_regions *k, const answering *a)
{
    const answer_regions *r = &k->regions;
    oracle_out score = {0};
    if (!k->planned || r->count != 1 || r->list[0].flow != NULL ||
        !(r->whole || r->alone) || !a->reasoned || !a->valid || !a->same) {
        return true;
    }
    bool ok = put_score(&score, a, r->whole);
    answer_put_result(&k->result, a, &score);
    ok = ok && !score.failed && !k->result.failed;
    oracle_out_free(&score);
    return ok;
}

/* --- Comparing --- */

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
    char whole[96];
    snprintf(whole, sizeof whole, "regions.%s%s", path, name);
    return x != NULL && y != NULL &&
           answer_shape(a, whole, json, wanted, &a->bundle, found) &&
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
    static const char *const others[] = {"static_ratio", "schema_version",
                                         "borders"};
    for (size_t n = 0; same && n < sizeof others / sizeof *others; n++) {
        uint32_t value = oracle_json_member(json, 0, others[n]);
        if (value != ORACLE_NONE &&
            !check_value(a, json, value,
                         oracle_json_member(&a->bundle, member, others[n]),
                         ORACLE_NONE, others[n], &same)) {
            return false;
        }
    }
    return true;
}

bool answer_check_regions(answering *a)
{
    known_regions k = {.planned = a->options.per_region};
    bool parsed, ok;
    oracle_out text = {0};
    oracle_json json;
    oracle_error error;
    if (a->member[ANSWER_REGIONS] == ORACLE_NONE || a->is_score || a->is_dump) {
        return true;
    }
    if (!answer_parse_input(a, &parsed) ||
        (parsed && !answer_regions_of(&k.regions, &a->input, a->arena))) {
        return false;
    }
    if (!parsed || k.regions.count == 0) {
        return true;
    }
    ok = take_result(&k, a);
    put_regions(&text, &k);
    ok = ok && !text.failed &&
         oracle_json_parse(&json, text.data, text.length, &error) == ORACLE_OK;
    if (ok) {
        ok = check_list(a, &json);
        oracle_json_free(&json);
    }
    oracle_out_free(&text);
    oracle_out_free(&k.result);
    return ok;
}
